//! Pages as browsers, crawlers and readers without scripts receive them.

use std::{io::Read as _, path::Path, sync::LazyLock};

use masthead_test_support::{Portal, Setup, between, bootstrap, listed, named, tags};
use serde_json::Value;

const SEAGRASS: &str = "10.5555/ocl.2026.06.01.0001";

static PORTAL: LazyLock<Portal> = LazyLock::new(|| Portal::start("pages", Setup::default(), add_sites));

/// Sites in every state, one whose names attack the markup, and one with three scripts.
fn add_sites(sites: &Path) {
    let add = |sld: &str, id: u32, text: &str| {
        std::fs::write(sites.join(format!("{sld}.toml")), format!("id = {id}\n{text}\n")).unwrap();
    };
    for (sld, id, state) in
        [("closed", 9001, "maintenance"), ("lapsed", 9002, "expired"), ("hidden", 9003, "forbidden")]
    {
        add(sld, id, &format!("state = \"{state}\"\nname = {{ zh = \"站\", en = \"Site\" }}"));
    }
    add(
        "hostile",
        9004,
        r#"name = { zh = "</script><script>alert(1)</script>", en = "</script><script>alert(1)</script><!--" }
description = { zh = "\"><img src=x onerror=alert(1)>", en = "\"><img src=x onerror=alert(1)>" }
keywords = ["\" onload=\"alert(1)"]
footer = { copyright = "<script>alert(1)</script>", enCopyright = "<script>alert(1)</script>", icp = "x", linkAddress = "https://icp.example/\"><script>" }
search = { title = { zh = "</title><script>", en = "</title><script>" }, hotWords = [{ zh = "</script>", en = "</script>" }] }
demo = ["ocean-ledger"]"#,
    );
    add(
        "tongues",
        9005,
        "languages = [\"en\", \"zh\", \"ara\", \"fra\"]\nname = { zh = \"语\", en = \"Tongues\" }\nheader = { defaultLanguage = \"fra\" }\ndomains = [\"Journal.Example.ORG\"]\ndemo = [\"quiet-circuits\"]",
    );
}

fn article(path: &str) -> String {
    let id = PORTAL.article("oceanledger", SEAGRASS);
    format!("{path}article/{id}")
}

#[test]
fn both_route_families_return_the_same_page() {
    let clean = |page: &str, nonce: &str, host: &str| {
        page.replace(nonce, "N")
            .replace(&format!("http://{host}"), "O")
            .replace("/oceanledger/", "/")
            .replace("url=%2Foceanledger%2F", "url=%2F")
    };
    for path in ["/zh/home", "/en/issues", "/en/issue/2026/1", "/zh/about", &article("/en/"), "/en/search?q=seagrass"] {
        let own = PORTAL.get("oceanledger", path);
        let host = format!("127.0.0.1:{}", PORTAL.address.port());
        let shared = PORTAL.with(&host, &format!("/oceanledger{path}"), &[]);
        assert_eq!((own.status, shared.status), (200, 200), "{path}");
        let mut frames = [bootstrap(&own.text()), bootstrap(&shared.text())];
        assert_eq!(
            (frames[0]["base"].as_str(), frames[1]["base"].as_str()),
            (Some(""), Some("/oceanledger")),
            "{path}"
        );
        frames[1]["base"] = Value::from("");
        let [own_frame, shared_frame] = frames.map(|frame| frame.to_string().replace("oceanledger%2F", ""));
        assert_eq!(own_frame, shared_frame.replace("/oceanledger/", "/"), "{path}");
        let main = |page: String| between(&page, "<main", "</main>").to_owned();
        assert_eq!(
            main(clean(&own.text(), &own.nonce(), "oceanledger.localhost")),
            main(clean(&shared.text(), &shared.nonce(), &host)),
            "{path}"
        );
    }
}

#[test]
fn an_address_without_language_redirects_to_the_readers_language() {
    let to = |host: &str, path: &str, headers: &[(&str, &str)]| {
        let answer = PORTAL.with(host, path, headers);
        assert_eq!(answer.status, 307, "{host} {path} {headers:?}");
        assert_eq!(answer.header("vary"), "Cookie, Accept-Language");
        answer.header("location").to_owned()
    };
    let ocean = "oceanledger.localhost";
    assert_eq!(to(ocean, "/", &[]), "/zh/home/", "the site's default");
    assert_eq!(to("quietcircuits.localhost", "/", &[]), "/en/home/", "the site's default");
    assert_eq!(to(ocean, "/", &[("accept-language", "fr;q=0.9, en-GB;q=0.8")]), "/en/home/");
    assert_eq!(to(ocean, "/", &[("accept-language", "en"), ("cookie", "a=b; language=zh")]), "/zh/home/");
    assert_eq!(
        to(ocean, "/", &[("cookie", "language=ru")]),
        "/zh/home/",
        "the site does not have the language of the cookie"
    );
    assert_eq!(to(ocean, "/issues", &[("accept-language", "en")]), "/en/issues");
    assert_eq!(to(ocean, "/article/7?index=-1&type=a", &[]), "/zh/article/7?index=-1&type=a");
    assert_eq!(to("localhost", "/oceanledger", &[]), "/oceanledger/zh/home/");
    assert_eq!(to("localhost", "/oceanledger/issues", &[("cookie", "language=en")]), "/oceanledger/en/issues");
    assert_eq!(to(ocean, "//evil.example/%0d%0aSet-Cookie:x", &[]), "/zh/evil.example/%0d%0aSet-Cookie:x");
    assert_eq!(to("tongues.localhost", "/", &[]), "/fra/home/");
}

#[test]
fn an_unavailable_language_redirects_to_an_available_one() {
    let answer = PORTAL.get("oceanledger", "/fra/issue/2026/1");
    assert_eq!((answer.status, answer.header("location")), (307, "/zh/issue/2026/1"));
    let answer = PORTAL.with("oceanledger.localhost", "/kor/home/", &[("accept-language", "en")]);
    assert_eq!((answer.status, answer.header("location")), (307, "/en/home"));
}

#[test]
fn an_unknown_host_or_site_gets_the_error_page() {
    for (host, path) in [
        ("nobody.localhost", "/"),
        ("nobody.localhost", "/zh/home"),
        ("evil.example", "/oceanledger/zh/home"),
        ("127.0.0.1", "/nobody/zh/home"),
        ("localhost", "/oceanledgerr/en/home"),
        ("a b", "/"),
        ("", "/"),
    ] {
        let answer = PORTAL.with(host, path, &[("accept-language", "en")]);
        assert_eq!(answer.status, 404, "{host} {path}");
        assert!(answer.text().contains("There is no site at this address"), "{host} {path}: {}", answer.text());
        assert_eq!(answer.header("cache-control"), "no-store");
        assert!(answer.header("content-security-policy").starts_with("default-src 'none'"));
    }
    let page = PORTAL.with("127.0.0.1", "/errorPage?lang=en", &[]);
    assert!(page.status == 404 && page.text().contains("There is no site at this address"));
    let page = PORTAL.with("127.0.0.1", "/forbiddenPage?lang=zh", &[]);
    assert!(page.status == 403 && page.text().contains("您没有访问该页面的权限"));
}

#[test]
fn the_platforms_own_host_lists_the_sites() {
    let page = PORTAL.with("127.0.0.1", "/", &[("accept-language", "en")]);
    assert_eq!(page.status, 200);
    assert!(page.text().contains("href=\"/oceanledger/\"") && page.text().contains("Ocean Ledger"));
    assert!(!page.text().contains("<script>alert"), "names are escaped in the list");
}

#[test]
fn a_sites_own_domain_is_recognized_in_any_case_and_with_any_port() {
    for host in ["journal.example.org", "JOURNAL.example.org:8448", "tongues.localhost:1"] {
        assert_eq!(PORTAL.with(host, "/en/home", &[]).status, 200, "{host}");
    }
}

#[test]
fn an_unknown_route_gets_the_not_found_page_in_the_sites_frame() {
    for path in ["/en/nowhere", "/en/article/1/2/3", "/en/issue/1900", "/en/issue/1900/99", "/en/%00", "/en/%ff%fe"] {
        let answer = PORTAL.get("oceanledger", path);
        let page = answer.text();
        assert_eq!(answer.status, 404, "{path}");
        assert!(page.contains("This page could not be found"), "{path}: {page}");
        assert!(page.contains("data-slot=\"header\"") && page.contains("data-slot=\"footer\""), "{path}");
        assert!(page.contains("<meta name=\"robots\" content=\"noindex\">"), "{path}");
        let view = &bootstrap(&page)["page"];
        assert_eq!((view["kind"].as_str(), view["status"].as_u64()), (Some("message"), Some(404)), "{path}");
    }
    assert!(PORTAL.get("oceanledger", "/zh/nowhere").text().contains("找不到该页面"));
}

#[test]
fn an_unknown_article_is_reported_as_such() {
    let foreign = listed(&PORTAL.page("quietcircuits", "/en/home"))[0].rsplit('/').next().unwrap().to_owned();
    let paths = ["article".to_owned(), "article/x".into(), "article/-1".into(), "article/0".into()];
    let more = ["article/99999999".to_owned(), "article/99999999999999999999".into(), "article/1%20OR%201=1".into()];
    let dois = ["article/doi/10.5555/none".to_owned(), "article/doi/x".into(), "hssArticle/99999999".into()];
    for path in paths.iter().chain(&more).chain(&dois).chain([&format!("article/{foreign}")]) {
        let answer = PORTAL.get("oceanledger", &format!("/en/{path}"));
        assert_eq!(answer.status, 404, "{path}");
        assert!(answer.text().contains("Article id is not exist"), "{path}");
    }
    assert!(PORTAL.get("oceanledger", "/zh/article/0").text().contains("文章不存在"));
}

#[test]
fn an_unavailable_site_states_the_reason() {
    for (site, status, english, chinese) in [
        ("closed", 503, "under maintenance", "系统维护中"),
        ("lapsed", 403, "contact the enterprise administrator", "请联系企业管理员"),
        ("hidden", 403, "do not have permission", "您没有访问该页面的权限"),
    ] {
        for path in ["/", "/en/home", "/en/article/1"] {
            let answer = PORTAL.with(&format!("{site}.localhost"), path, &[("accept-language", "en")]);
            assert_eq!(answer.status, status, "{site} {path}");
            assert!(answer.text().contains(english), "{site} {path}: {}", answer.text());
        }
        let answer = PORTAL.with(&format!("{site}.localhost"), "/", &[("accept-language", "zh-CN")]);
        assert!(answer.text().contains(chinese), "{site}");
    }
}

#[test]
fn scripts_and_styles_need_the_nonce_of_their_response() {
    let mut inline = std::collections::BTreeSet::new();
    for (site, path) in [
        ("oceanledger", "/zh/home".to_owned()),
        ("oceanledger", article("/en/")),
        ("hostile", "/en/home".into()),
        ("hssxiv", "/zh/search?q=%3Cscript%3Ealert(1)%3C/script%3E".into()),
        ("scriptstone", "/en/nowhere".into()),
    ] {
        let answers = [PORTAL.get(site, &path), PORTAL.get(site, &path), PORTAL.get(site, &path)];
        let nonces: std::collections::BTreeSet<_> = answers.iter().map(masthead_test_support::Answer::nonce).collect();
        assert_eq!(nonces.len(), 3, "{site} {path}: a nonce was used twice");
        for answer in &answers {
            let (page, nonce, policy) = (answer.text(), answer.nonce(), answer.header("content-security-policy"));
            assert!(nonce.len() >= 20, "{nonce}");
            assert!(!policy.contains("unsafe") && policy.contains("default-src 'none'"), "{policy}");
            assert!(policy.contains("base-uri 'none'") && policy.contains("frame-ancestors"), "{policy}");
            assert!(!page.contains('\u{0}'), "{site} {path}: a nonce placeholder was not replaced");
            let mut carrying = 0;
            for tag in tags(&page) {
                let data = tag.name == "script" && tag.get("type").ends_with("json");
                let active = tag.name == "script" && !data;
                if active || tag.name == "style" || (tag.name == "link" && tag.get("rel") == "modulepreload") {
                    assert_eq!(tag.get("nonce"), nonce, "{site} {path}: {tag:?}");
                    carrying += 1;
                }
                let starts = tag.attributes.len() == 1 && tag.has("nonce");
                assert!(!active || tag.has("src") || starts, "{site} {path}: a script in the page: {tag:?}");
                for (name, _) in &tag.attributes {
                    assert!(name != "style", "{site} {path}: {tag:?}");
                    assert!(!name.starts_with("on"), "{site} {path}: {tag:?}");
                }
                for name in ["href", "src", "action"] {
                    let address = tag.get(name).to_lowercase();
                    assert!(!address.trim().starts_with("javascript:"), "{site} {path}: {tag:?}");
                }
            }
            assert!(carrying >= 4, "{site} {path}: shell, style and modules carry the nonce");
            let texts = page.split("<script nonce=").skip(1).map(|rest| between(rest, ">", "</script>").to_owned());
            let texts: Vec<String> = texts.collect();
            assert_eq!(texts.len(), 1, "{site} {path}: {texts:?}");
            inline.extend(texts);
        }
    }
    assert_eq!(inline.len(), 1, "the script that starts the shell depends on nothing of a page: {inline:?}");
}

#[test]
fn every_response_has_the_security_headers() {
    let shell = bootstrap(&PORTAL.page("oceanledger", "/zh/home"));
    let module = shell["slots"]["header"][0]["entry"].as_str().unwrap().to_owned();
    for path in ["/zh/home", "/nowhere", &module, "/rc-pub/front/site/getHeaderConfig", "/readyz", "/assets/none.js"] {
        let answer = PORTAL.get("oceanledger", path);
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "strict-origin-when-cross-origin", "{path}");
        assert!(!answer.header("content-security-policy").is_empty(), "{path}");
    }
    let answer = PORTAL.get("oceanledger", &module);
    assert_eq!((answer.status, answer.header("content-type")), (200, "text/javascript; charset=utf-8"));
    assert!(answer.header("cache-control").contains("immutable"));
}

#[test]
fn every_file_that_a_document_links_exists() {
    for (site, path) in [("oceanledger", article("/en/")), ("scriptstone", "/zh/home".into())] {
        let page = PORTAL.page(site, &path);
        let mut files: Vec<String> = named(&page, "script").iter().map(|tag| tag.get("src")).collect();
        let links = named(&page, "link");
        let linked = links.iter().filter(|tag| matches!(tag.get("rel").as_str(), "stylesheet" | "modulepreload"));
        files.extend(linked.map(|tag| tag.get("href")));
        files.extend(named(&page, "img").iter().map(|tag| tag.get("src")));
        files.retain(|file| !file.is_empty());
        assert!(files.len() >= 6, "{files:?}");
        for file in files {
            let answer = PORTAL.get(site, &file);
            assert!(answer.status == 200 && !answer.bytes.is_empty(), "{file}: {}", answer.status);
        }
    }
}

#[test]
fn an_article_has_metadata_for_search_engines_and_reference_managers() {
    let path = article("/en/");
    let page = PORTAL.page("oceanledger", &path);
    let metas = named(&page, "meta");
    let values = |name: &str| -> Vec<String> {
        metas.iter().filter(|tag| tag.get("name") == name).map(|tag| tag.get("content")).collect()
    };
    assert_eq!(values("citation_doi"), [SEAGRASS]);
    assert!(values("citation_title")[0].starts_with("Opening a carbon ledger"), "{:?}", values("citation_title"));
    assert_eq!(values("citation_author").len(), 4, "{:?}", values("citation_author"));
    assert_eq!(values("citation_journal_title"), ["Ocean Ledger"]);
    assert_eq!(values("citation_issn").len(), 2, "{:?}", values("citation_issn"));
    for (name, value) in
        [("citation_volume", "6"), ("citation_issue", "1"), ("citation_firstpage", "1"), ("citation_lastpage", "17")]
    {
        assert_eq!(values(name), [value], "{name}");
    }
    assert!(values("citation_publication_date")[0].starts_with("2026"), "{:?}", values("citation_publication_date"));
    let data: Value =
        serde_json::from_str(between(&page, "<script type=\"application/ld+json\">", "</script>")).unwrap();
    let text = data.to_string();
    assert!(text.contains("ScholarlyArticle") && text.contains(SEAGRASS) && text.contains("Ellingham"), "{text}");
    let links = named(&page, "link");
    let canonical: Vec<_> =
        links.iter().filter(|tag| tag.get("rel") == "canonical").map(|tag| tag.get("href")).collect();
    assert_eq!(canonical, [format!("http://oceanledger.localhost{path}")]);
    assert!(values("description")[0].chars().count() > 100, "{:?}", values("description"));
}

#[test]
fn all_addresses_of_an_article_have_the_same_canonical_address() {
    let id = PORTAL.article("hssxiv", SEAGRASS);
    let canonical = |path: &str| {
        let page = PORTAL.page("hssxiv", path);
        let link = named(&page, "link").into_iter().find(|tag| tag.get("rel") == "canonical").unwrap();
        link.get("href")
    };
    let first = canonical(&format!("/en/article/{id}"));
    for path in [
        format!("/en/hssArticle/{id}"),
        format!("/en/article/doi/{SEAGRASS}"),
        format!("/en/article/{id}?utm_source=x"),
    ] {
        assert_eq!(canonical(&path), first, "{path}");
    }
}

#[test]
fn a_page_links_to_its_versions_in_every_language_of_the_site() {
    for (site, languages) in [
        ("oceanledger", vec![("zh", "zh"), ("en", "en")]),
        ("tongues", vec![("en", "en"), ("zh", "zh"), ("ara", "ar"), ("fra", "fr")]),
    ] {
        let page = PORTAL.page(site, "/en/issues");
        let links = named(&page, "link");
        let mut found: Vec<_> = links
            .iter()
            .filter(|tag| tag.get("rel") == "alternate" && tag.has("hreflang"))
            .map(|tag| (tag.get("hreflang"), tag.get("href")))
            .collect();
        assert_eq!(found.iter().filter(|(tag, _)| tag == "x-default").count(), 1, "{found:?}");
        found.retain(|(tag, _)| tag != "x-default");
        assert_eq!(found.len(), languages.len(), "{found:?}");
        for ((code, tag), (hreflang, href)) in languages.iter().zip(&found) {
            assert!(hreflang.starts_with(tag), "{hreflang}");
            assert_eq!(*href, format!("http://{site}.localhost/{code}/issues"));
            assert_eq!(PORTAL.get(site, &format!("/{code}/issues")).status, 200);
        }
    }
    let arabic = PORTAL.page("tongues", "/ara/home");
    let html = &named(&arabic, "html")[0];
    assert_eq!((html.get("lang").as_str(), html.get("dir").as_str()), ("ar", "rtl"));
}

#[test]
fn configured_texts_cannot_close_the_bootstrap_or_become_markup() {
    for path in ["/en/home", "/zh/home", "/en/search?q=%3C/script%3E%3Cscript%3Ealert(1)%3C/script%3E", "/en/nowhere"] {
        let page = PORTAL.get("hostile", path).text();
        let frame = bootstrap(&page);
        let name = frame["site"]["name"].as_str().unwrap();
        assert!(name.starts_with("</script><script>alert(1)</script>"), "{name}");
        let json = between(&page, " id=\"bootstrap\"", "</script>").split_once('>').unwrap().1;
        assert!(!json.contains('<'), "{path}");
        assert!(!page.contains("<script>alert"), "{path}: {page}");
        let foreign = |tag: &masthead_test_support::Tag| tag.name == "img" && tag.get("src") == "x";
        assert!(!tags(&page).iter().any(foreign), "{path}: {page}");
        assert_eq!(page.matches("<title").count(), 1, "{path}");
    }
}

/// The text of a response in the encoding that it names.
pub fn decoded(answer: &masthead_test_support::Answer) -> String {
    let mut text = String::new();
    match answer.header("content-encoding") {
        "br" => brotli::Decompressor::new(&answer.bytes[..], 4096).read_to_string(&mut text).unwrap(),
        "gzip" => flate2::read::GzDecoder::new(&answer.bytes[..]).read_to_string(&mut text).unwrap(),
        "" => (&answer.bytes[..]).read_to_string(&mut text).unwrap(),
        other => panic!("{other:?}"),
    };
    text
}

#[test]
fn a_compressed_response_decodes_to_the_uncompressed_one() {
    for (site, path) in [("oceanledger", article("/en/")), ("hssxiv", "/zh/home".into()), ("hssxiv", "/en/no".into())] {
        let plain = PORTAL.get(site, &path);
        assert_eq!(plain.header("content-encoding"), "", "{path}");
        // The first response makes the encoding, the second is made from the cache.
        for (accepted, encoding) in [("gzip", "gzip"), ("gzip", "gzip"), ("gzip, br", "br"), ("gzip, br", "br")] {
            let compressed = PORTAL.with(&format!("{site}.localhost"), &path, &[("accept-encoding", accepted)]);
            assert_eq!(compressed.status, plain.status);
            assert!(compressed.header("vary").to_lowercase().contains("accept-encoding"), "{path}");
            assert_eq!(compressed.header("content-encoding"), encoding, "{path}");
            let page = decoded(&compressed);
            assert!(compressed.bytes.len() < page.len(), "{path}: {} of {}", compressed.bytes.len(), page.len());
            // The nonce is in the compressed bytes.
            let nonce = between(&page, "nonce=\"", "\"");
            assert_eq!(page.replace(nonce, "N"), plain.text().replace(&plain.nonce(), "N"), "{path}");
        }
    }
}

#[test]
fn an_article_is_readable_without_scripts() {
    let page = PORTAL.page("oceanledger", &article("/en/"));
    let main = between(&page, "<main", "</main>");
    for text in [
        "Opening a carbon ledger for a seagrass meadow",
        "为海草床建立碳账",
        "Ruth Ellingham",
        "Centre for Coastal Budgets, University of Porthavel",
        "Carbon budgets for coastal vegetation are usually compiled one flux at a time",
        "海岸植被的碳收支通常逐项估算",
        "double-entry accounting",
        "Merchants learned to enter every transaction twice",
        "Carbon ledger of the Suling Bay meadow",
        "Coastal vegetation budgets: an inventory of inventor",
        "Porthavel Trust for Shallow Seas",
    ] {
        assert!(main.contains(text), "{text}");
    }
    let kinds: Vec<_> =
        named(main, "section").iter().filter(|tag| tag.has("data-kind")).map(|tag| tag.get("data-kind")).collect();
    for kind in ["abstract", "keywords", "highlights", "body", "funding", "references"] {
        assert!(kinds.iter().any(|known| known == kind), "{kind}: {kinds:?}");
    }
    for (tag, least) in [("table", 1), ("th", 4), ("math", 5), ("figure", 3), ("figcaption", 3), ("li", 14)] {
        assert!(named(main, tag).len() >= least, "{tag}: {}", named(main, tag).len());
    }
    // Every link inside the page has its target on the page.
    let ids: std::collections::BTreeSet<_> = tags(&page).iter().map(|tag| tag.get("id")).collect();
    for link in named(main, "a").iter().map(|tag| tag.get("href")).filter(|href| href.starts_with('#')) {
        assert!(ids.contains(&link[1..]), "{link}");
    }
}

#[test]
fn every_part_that_the_readers_tools_look_for_is_in_an_article() {
    // Declared by the shell, one a line: `figure: 'data-fig',`.
    let source: &'static str = include_str!("../../../../ui-shell/src/reader/parts.ts");
    let (parts, _) = source.split_once("export const TRANSLATION_PARTS").expect("those of translations stand last");
    let name = |line: &'static str| line.trim().strip_suffix("',")?.split_once(": '").map(|(_, name)| name);
    let declared: Vec<&str> = parts.lines().filter_map(name).collect();
    assert!(declared.len() > 15, "{declared:?}");
    let pages = listed(&PORTAL.page("oceanledger", "/en/issue")).into_iter().map(|href| {
        let page = PORTAL.page("oceanledger", &href);
        tags(between(&page, "<main", "</main>"))
    });
    let all: Vec<_> = pages.flatten().collect();
    let missing: Vec<_> = declared.into_iter().filter(|name| !all.iter().any(|tag| tag.has(name))).collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn element_ids_are_unique_in_every_article() {
    for site in ["oceanledger", "quietcircuits", "scriptstone", "fieldnotes"] {
        for href in listed(&PORTAL.page(site, "/en/issue")) {
            let page = PORTAL.page(site, &href);
            let mut seen = std::collections::BTreeSet::new();
            for tag in tags(&page).iter().filter(|tag| tag.has("id")) {
                assert!(seen.insert(tag.get("id")), "{site} {href}: id {} is not unique", tag.get("id"));
            }
        }
    }
}

#[test]
fn figures_are_served_with_their_type_and_a_sandbox() {
    let page = PORTAL.page("oceanledger", &article("/en/"));
    let figures: Vec<_> =
        named(&page, "img").iter().map(|tag| tag.get("src")).filter(|src| src.starts_with("/media/448/")).collect();
    assert!(figures.len() >= 3, "{figures:?}");
    for figure in &figures {
        let answer = PORTAL.get("oceanledger", figure);
        assert_eq!((answer.status, answer.header("content-type")), (200, "image/svg+xml"), "{figure}");
        let policy = answer.header("content-security-policy");
        assert!(policy.contains("sandbox") && policy.contains("default-src 'none'"), "{policy}");
        assert!(answer.text().contains("<svg"), "{figure}");
        let part = PORTAL.with("oceanledger.localhost", figure, &[("range", "bytes=1-4")]);
        assert_eq!((part.status, &part.bytes[..]), (206, &answer.bytes[1..5]), "{figure}");
        assert_eq!(PORTAL.with("127.0.0.1", figure, &[]).status, 200, "{figure} under the platform's host");
        assert_eq!(PORTAL.get("quietcircuits", figure).status, 404, "{figure} under another site's host");
        let moved = figure.replace("/media/448/", "/media/502/");
        for host in ["127.0.0.1", "quietcircuits.localhost", "oceanledger.localhost"] {
            assert_eq!(PORTAL.with(host, &moved, &[]).status, 404, "{moved} of {host}");
        }
    }
    for path in ["/media/448/../cookie.key", "/media/448/%2e%2e%2fcookie.key", "/media/448/x", "/media/x/y"] {
        let answer = PORTAL.get("oceanledger", path);
        assert!(matches!(answer.status, 307 | 400 | 404), "{path}: {}", answer.status);
    }
}

#[test]
fn files_outside_the_assets_are_not_served() {
    for path in [
        "/assets/sites/../platform.toml",
        "/assets/sites/%2e%2e/platform.toml",
        "/assets/sites/..%2fplatform.toml",
        "/assets/sites/logos/..%5c..%5cplatform.toml",
        "/assets/sites//etc/passwd",
        "/assets/../Cargo.toml",
        "/assets/shell/manifest.json",
        "/assets/sites/.hidden.svg",
    ] {
        let answer = PORTAL.get("oceanledger", path);
        assert!(answer.status != 200 || !answer.text().contains("pathHosts"), "{path}: {}", answer.status);
        assert_ne!(answer.status, 200, "{path}");
    }
}

#[test]
fn lists_link_to_existing_articles() {
    for site in ["oceanledger", "quietcircuits", "scriptstone", "fieldnotes", "plainpress", "hssxiv", "hsspress"] {
        // A group site searches its members, too.
        for list in ["/zh/home".to_owned(), "/en/issue".to_owned(), format!("/en/search?q=the&site={site}")] {
            let links = listed(&PORTAL.page(site, &list));
            assert!(!links.is_empty(), "{site} {list}");
            for link in links {
                let article = PORTAL.page(site, &link);
                assert_eq!(bootstrap(&article)["page"]["kind"], "article", "{site} {link}");
            }
        }
    }
}

#[test]
fn pages_accept_get_and_head_only() {
    for method in ["POST", "PUT", "DELETE", "PATCH"] {
        assert_eq!(PORTAL.ask(method, "oceanledger.localhost", "/zh/home", &[], "").status, 405, "{method}");
    }
    let head = PORTAL.ask("HEAD", "oceanledger.localhost", "/zh/home", &[], "");
    assert!(head.status == 200 && head.bytes.is_empty());
}

#[test]
fn a_body_that_is_too_large_is_rejected_unread() {
    use tower::ServiceExt as _;
    let request = axum::http::Request::post("/rc-pub/front/ui-failure")
        .header("host", "oceanledger.localhost")
        .header("content-type", "application/json")
        .body(axum::body::Body::from("x".repeat(3 << 20)))
        .unwrap();
    let router = masthead_web::http::router(PORTAL.app.clone());
    assert_eq!(PORTAL.run(router.oneshot(request)).unwrap().status(), 413);
}

#[test]
fn the_chosen_colour_scheme_is_part_of_the_document() {
    for (cookie, scheme) in [
        ("theme=dark", "dark"),
        ("a=b; theme=light; c=d", "light"),
        ("theme=\"><script>", ""),
        ("theme=DARK", ""),
        ("nottheme=dark", ""),
        ("", ""),
    ] {
        for encoding in ["identity", "gzip", "br"] {
            let headers = [("cookie", cookie), ("accept-encoding", encoding)];
            let answer = PORTAL.with("oceanledger.localhost", "/en/about", &headers);
            let page = decoded(&answer);
            let html = &named(&page, "html")[0];
            assert_eq!(html.get("data-theme"), scheme, "{cookie} {encoding}");
            assert!(answer.header("cache-control").contains("private"), "{cookie}");
        }
    }
}

#[test]
fn the_column_the_people_and_the_keywords_of_an_article_are_links_that_find_it() {
    let address = article("/en/");
    let page = PORTAL.page("oceanledger", &address);
    let links: Vec<String> = named(&page, "a").iter().map(|tag| tag.get("href")).collect();
    for kind in ["/en/search?column=", "/en/search?q="] {
        let of_kind: Vec<&String> = links.iter().filter(|href| href.starts_with(kind)).collect();
        assert!(!of_kind.is_empty(), "{kind} in {links:?}");
        for href in of_kind {
            let found = listed(&PORTAL.page("oceanledger", href));
            assert!(found.iter().any(|one| one.starts_with(&address)), "{href} finds {found:?}, not {address}");
        }
    }
    let keywords = page.split("class=\"keyword\"").skip(1).map(|rest| between(rest, ">", "</li>"));
    let (linked, plain): (Vec<&str>, Vec<&str>) =
        keywords.partition(|html| html.starts_with("<a href=\"/en/search?q="));
    assert!(!linked.is_empty() && plain.is_empty(), "{plain:?}");
}

#[test]
fn error_pages_may_load_the_font_that_their_style_sheet_names() {
    let failed = PORTAL.with("closed.localhost", "/en/home", &[]);
    assert!(failed.header("content-security-policy").contains("font-src 'self'"));
}

#[test]
fn undeclared_parameters_do_not_change_the_page() {
    let clean = |path: &str| {
        let answer = PORTAL.get("oceanledger", path);
        answer.text().replace(&answer.nonce(), "N")
    };
    assert_eq!(clean("/en/issues?utm_source=%22%3E%3Cscript%3E"), clean("/en/issues"));
    assert_eq!(clean("/en/issues/"), clean("/en/issues"));
}
