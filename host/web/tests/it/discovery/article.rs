//! Formats of an article, and typed links.

use serde_json::Value;

use super::{BODY, PORTAL, SEAGRASS, WITHOUT_PDF};
use masthead_test_support::{Answer, between};

fn path(site: &str) -> String {
    format!("/en/article/{}", PORTAL.article(site, SEAGRASS))
}

fn accept(site: &str, path: &str, accept: &str) -> Answer {
    PORTAL.with(&format!("{site}.localhost"), path, &[("accept", accept)])
}

#[test]
fn content_negotiation_selects_the_preferred_format() {
    let own = path("oceanledger");
    let by_doi = format!("/en/article/doi/{SEAGRASS}");
    for (accepted, status, given) in [
        ("text/html", 200, "text/html; charset=utf-8"),
        ("*/*", 200, "text/html; charset=utf-8"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8", 200, "text/html; charset=utf-8"),
        ("application/vnd.jats+xml", 200, "application/vnd.jats+xml; charset=utf-8"),
        ("application/xml", 200, "application/xml; charset=utf-8"),
        ("application/x-bibtex", 200, "application/x-bibtex; charset=utf-8"),
        ("application/x-research-info-systems", 200, "application/x-research-info-systems; charset=utf-8"),
        ("application/vnd.citationstyles.csl+json", 200, "application/vnd.citationstyles.csl+json"),
        ("application/ld+json", 200, "application/ld+json"),
        ("text/html;q=0.5, application/x-bibtex;q=0.6", 200, "application/x-bibtex; charset=utf-8"),
        ("image/png", 406, "text/plain; charset=utf-8"),
        ("text/html;q=0", 406, "text/plain; charset=utf-8"),
    ] {
        for path in [&own, &by_doi] {
            let answer = accept("oceanledger", path, accepted);
            assert_eq!((answer.status, answer.header("content-type")), (status, given), "{accepted} {path}");
            assert!(
                answer.header("vary").to_lowercase().split(", ").any(|name| name == "accept"),
                "{accepted}: {:?}",
                answer.headers
            );
        }
    }
    // Other pages ignore `Accept`.
    assert_eq!(accept("oceanledger", "/en/home", "image/png").status, 200);
    assert_eq!(accept("oceanledger", "/en/article/999999", "application/x-bibtex").status, 404);
    assert_eq!(accept("beta", &own, "application/x-bibtex").status, 404);
}

#[test]
fn each_format_has_its_content() {
    let path = path("oceanledger");
    let form = |name: &str| {
        let answer = PORTAL.get("oceanledger", &format!("{path}?format={name}"));
        assert_eq!(answer.status, 200, "{name}");
        answer.text()
    };
    assert!(form("bibtex").starts_with("@article{") && form("bibtex").contains(SEAGRASS));
    assert!(form("ris").starts_with("TY  - JOUR\r\n") && form("ris").contains(SEAGRASS));
    let csl: Value = serde_json::from_str(&form("csl")).unwrap();
    assert_eq!(csl["DOI"], SEAGRASS);
    let ld: Value = serde_json::from_str(&form("jsonld")).unwrap();
    assert_eq!((&ld["@type"], &ld["isPartOf"]["@type"]), (&"ScholarlyArticle".into(), &"PublicationIssue".into()));
    let jats = form("jats");
    let document = roxmltree::Document::parse(&jats).unwrap();
    assert!(document.root_element().has_tag_name("article") && jats.contains(BODY));
    assert!(form("html").contains("<article"));
    let pdf = PORTAL.get("oceanledger", &format!("{path}?format=pdf"));
    assert_eq!((pdf.status, pdf.header("content-type")), (200, "application/pdf"));
    assert!(pdf.bytes.starts_with(b"%PDF-") && pdf.header("content-disposition").starts_with("inline; filename="));
    let without = PORTAL.article("oceanledger", WITHOUT_PDF);
    assert_eq!(PORTAL.get("oceanledger", &format!("/en/article/{without}?format=pdf")).status, 406);
    // The HTML page, cached or not, is not replaced by another format.
    let page = || accept("oceanledger", &path, "text/html").text();
    assert!(page().starts_with("<!DOCTYPE html>"));
    form("ris");
    assert!(page().starts_with("<!DOCTYPE html>"));
}

#[test]
fn readers_without_permission_get_metadata_and_abstracts_only() {
    let jats = accept("shut", &path("shut"), "application/vnd.jats+xml").text();
    assert!(jats.contains("<front>") && jats.contains("<abstract") && !jats.contains("<body") && !jats.contains(BODY));
    assert!(accept("shut", &path("shut"), "application/x-bibtex").text().contains(SEAGRASS));
    let page = accept("shut", &path("shut"), "text/html").text();
    assert!(!page.contains("citation_fulltext_html_url") && page.contains("citation_abstract_html_url"));
    let pdf = format!("{}?format=pdf", path("shut"));
    assert!(
        !page.contains("format=pdf")
            && !PORTAL.get("shut", &format!("{}/linkset", path("shut"))).text().contains("format=pdf")
    );
    let refused = PORTAL.get("shut", &pdf);
    assert_eq!(refused.status, 403);
    assert!(refused.text().contains("Please sign in to download"), "{}", refused.text());
    let id = PORTAL.article("shut", SEAGRASS);
    let call = PORTAL.get("shut", &format!("/rc-pub/front/front-article/download?id={id}&type=pdf"));
    assert_eq!(call.status, 403);
}

#[test]
fn a_pdf_is_sent_whole_or_in_the_range_that_a_reader_asks_for() {
    let id = PORTAL.article("oceanledger", SEAGRASS);
    for address in [
        format!("{}?format=pdf", path("oceanledger")),
        format!("/rc-pub/front/front-article/download?id={id}&type=pdf"),
    ] {
        let ask =
            |method: &str, headers: &[(&str, &str)]| PORTAL.ask(method, "oceanledger.localhost", &address, headers, "");
        let whole = ask("GET", &[("accept-encoding", "gzip")]);
        let (tag, length) = (whole.header("etag"), whole.bytes.len());
        assert_eq!((whole.status, whole.header("accept-ranges")), (200, "bytes"), "{address}");
        assert_eq!(whole.header("content-length"), length.to_string(), "{address}");
        assert!(whole.bytes.starts_with(b"%PDF-") && tag.starts_with('"'), "{address}: {tag}");
        let caching = whole.header("cache-control");
        assert_eq!(caching, "public, max-age=60", "{address}: everyone may read it");
        let range = ("range", "bytes=5-9");
        for headers in [&[range][..], &[range, ("if-range", tag)]] {
            let part = ask("GET", headers);
            assert_eq!((part.status, &part.bytes[..]), (206, &whole.bytes[5..10]), "{address} {headers:?}");
            assert_eq!(part.header("content-range"), format!("bytes 5-9/{length}"));
            assert_eq!(part.header("cache-control"), caching, "{address} {headers:?}");
        }
        assert_eq!(ask("GET", &[range, ("if-range", "\"old\"")]).bytes, whole.bytes, "{address}");
        assert_eq!(ask("HEAD", &[range]).status, 200, "{address}");
        assert_eq!(ask("GET", &[("range", "bytes=99999999-")]).status, 416, "{address}");
        let known = ask("GET", &[("if-none-match", tag)]);
        assert_eq!((known.status, known.header("cache-control")), (304, caching), "{address}");
    }
}

#[test]
fn the_pdf_is_linked_for_search_engines_and_readers() {
    let path = path("oceanledger");
    let page = PORTAL.page("oceanledger", &path);
    let address = format!("http://oceanledger.localhost{path}?format=pdf");
    assert!(page.contains(&format!("<meta name=\"citation_pdf_url\" content=\"{address}\">")));
    assert!(page.contains(&format!("href=\"{path}?format=pdf\" type=\"application/pdf\" rel=\"external\">PDF</a>")));
    assert!(page.contains(&format!("\"contentUrl\":\"{address}\"")));
    assert_eq!(accept("oceanledger", &path, "application/pdf").header("content-type"), "application/pdf");
    let without = PORTAL.article("oceanledger", WITHOUT_PDF);
    assert!(!PORTAL.page("oceanledger", &format!("/en/article/{without}")).contains("format=pdf"));
    let id = PORTAL.article("oceanledger", SEAGRASS);
    let types = PORTAL.get("oceanledger", &format!("/rc-pub/front/front-article/getAttachTypes?id={id}")).json();
    assert_eq!((&types["data"][0]["type"], &types["data"][0]["mime"]), (&"pdf".into(), &"application/pdf".into()));
    let file = PORTAL.get("oceanledger", &format!("/rc-pub/front/front-article/download?id={id}&type=pdf"));
    assert!(
        file.bytes.starts_with(b"%PDF-") && file.header("content-disposition").starts_with("attachment; filename=")
    );
}

/// The links of a `Link` header: address, relation, type.
fn links(header: &str) -> Vec<(String, String, String)> {
    header
        .split(", <")
        .map(|link| {
            let href = link.trim_start_matches('<').split('>').next().unwrap().to_owned();
            (href, between(link, "rel=\"", "\"").to_owned(), between(link, "type=\"", "\"").to_owned())
        })
        .collect()
}

#[test]
fn cached_and_uncached_pages_carry_the_same_typed_links() {
    let path = path("oceanledger");
    let answers = [(); 2].map(|()| PORTAL.get("oceanledger", &path));
    assert_eq!(answers[0].header("link"), answers[1].header("link"));
    let found = links(answers[1].header("link"));
    let of = |rel: &str| found.iter().filter(|link| link.1 == rel).cloned().collect::<Vec<_>>();
    assert_eq!(of("cite-as")[0].0, format!("https://doi.org/{SEAGRASS}"));
    let types: Vec<_> = of("type").into_iter().map(|link| link.0).collect();
    assert_eq!(types, ["https://schema.org/AboutPage", "https://schema.org/ScholarlyArticle"]);
    assert!(of("author").iter().all(|link| link.0.starts_with("https://orcid.org/")) && !of("author").is_empty());
    assert!(of("license")[0].0.starts_with("https://creativecommons.org/"));
    assert_eq!(of("describedby").len(), 5);
    for (href, _, media_type) in of("describedby").into_iter().chain(of("linkset")).chain(of("item")) {
        let answer = PORTAL.get("oceanledger", href.strip_prefix("http://oceanledger.localhost").unwrap());
        assert_eq!(answer.status, 200, "{href}");
        assert!(answer.header("content-type").starts_with(&media_type), "{href}: {}", answer.header("content-type"));
        let back = if media_type == "application/pdf" { "rel=\"collection\"" } else { "rel=\"describes\"" };
        assert!(!href.contains("format=") || answer.header("link").contains(back), "{href}");
    }
    // On the shared host the links stay below the site's path.
    let shared = PORTAL.with("127.0.0.1", &format!("/oceanledger{path}"), &[]);
    let set = links(shared.header("link")).into_iter().find(|link| link.1 == "linkset").unwrap();
    assert_eq!(set.0, format!("http://127.0.0.1/oceanledger{path}/linkset"));
    assert_eq!(PORTAL.get("silent", &format!("/en/article/{}", PORTAL.article("silent", SEAGRASS))).header("link"), "");
    assert_eq!(PORTAL.get("oceanledger", "/en/home").header("link"), "");
}

#[test]
fn a_link_set_holds_the_links_of_the_header() {
    let path = path("oceanledger");
    let answer = PORTAL.get("oceanledger", &format!("{path}/linkset"));
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/linkset+json"));
    let set = answer.json();
    let page = &set["linkset"][0];
    assert_eq!(page["anchor"], format!("http://oceanledger.localhost{path}"));
    let header = PORTAL.get("oceanledger", &path);
    for (href, rel, _) in links(header.header("link")) {
        let targets = page[&rel].as_array();
        assert!(
            rel == "linkset" || targets.unwrap().iter().any(|target| target["href"] == *href),
            "{rel} {href}: {set}"
        );
    }
    for path in ["/en/article/999999/linkset", "/en/article/x/linkset", "/xx/article/1/linkset"] {
        assert_eq!(PORTAL.get("oceanledger", path).status, 404, "{path}");
    }
}

#[test]
fn the_home_page_describes_its_journals_as_json_ld() {
    let data = |site: &str| -> Value {
        let page = PORTAL.page(site, "/en/home");
        serde_json::from_str(between(&page, "<script type=\"application/ld+json\">", "</script>")).unwrap()
    };
    let one = data("oceanledger");
    assert_eq!((&one["@type"], &one["name"]), (&"Periodical".into(), &"Ocean Ledger".into()));
    assert!(!one["issn"].as_array().unwrap().is_empty());
    let several = data("alpha");
    assert_eq!(several["hasPart"].as_array().unwrap().len(), 2);
}
