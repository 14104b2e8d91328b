//! Routes of plugins and their limits, and plugins without a gateway: citations, synonyms.

use std::{collections::BTreeMap, sync::LazyLock};

use serde_json::{Value, json};

use masthead_test_support::{Answer, Portal, Setup, bootstrap, listed, listen_to_log, named};

const SEAGRASS: &str = "10.5555/ocl.2026.06.01.0001";

static PORTAL: LazyLock<Portal> = LazyLock::new(|| {
    listen_to_log();
    Portal::start("answers", Setup::default(), |_| {})
});

fn citation(format: &str, id: i64) -> Answer {
    PORTAL.get("oceanledger", &format!("/en/plugins/citation-export/{format}?id={id}"))
}

#[test]
fn an_article_offers_its_citation_as_files() {
    let id = PORTAL.article("oceanledger", SEAGRASS);
    let page = PORTAL.page("oceanledger", &format!("/en/article/{id}"));
    let links = named(&page, "a");
    let files: Vec<_> =
        links.iter().filter(|link| link.has("download") && link.get("href").contains("/plugins/")).collect();
    assert_eq!(files.len(), 3, "{files:?}");
    assert!(!page.contains("?format=ris") && !page.contains("downloads-box"), "each file is offered once: {page}");
    for file in files {
        let answer = PORTAL.get("oceanledger", &file.get("href"));
        assert_eq!(answer.status, 200, "{file:?}");
        assert_eq!(answer.header("content-type"), format!("{}; charset=utf-8", file.get("type")));
        assert!(answer.header("content-disposition").starts_with("attachment; filename=\"article-"), "{file:?}");
    }
    let plain = PORTAL.page("plainpress", &listed(&PORTAL.page("plainpress", "/en/home"))[0]);
    assert!(!plain.contains("citation-export") && plain.contains("?format=ris"), "others offer those of the host");
}

#[test]
fn citations_are_correct_in_every_format() {
    let id = PORTAL.article("oceanledger", SEAGRASS);
    let address = format!("http://oceanledger.localhost/en/article/{id}");
    let title =
        "Opening a carbon ledger for a seagrass meadow: double-entry accounting as a balance test for coastal budgets";
    let csl = citation("csl", id).json();
    let item = &csl[0];
    let title_of_page = bootstrap(&PORTAL.page("oceanledger", &format!("/en/article/{id}")))["page"]["title"].clone();
    let title = item["title"]
        .as_str()
        .filter(|text| text.starts_with(&title[..30]))
        .unwrap_or_else(|| panic!("{csl} {title_of_page}"));
    assert_eq!(
        (&item["type"], &item["DOI"], &item["URL"]),
        (&json!("article-journal"), &json!(SEAGRASS), &json!(address))
    );
    assert_eq!((&item["volume"], &item["issue"], &item["page"]), (&json!("6"), &json!("1"), &json!("1-17")));
    assert_eq!(item["container-title"], "Ocean Ledger");
    assert_eq!(
        (item["author"].as_array().unwrap().len(), &item["author"][0]),
        (4, &json!({ "family": "Ellingham", "given": "Ruth" }))
    );
    assert_eq!(item["issued"]["date-parts"][0][0], 2026);

    let ris = citation("ris", id).text();
    assert!(ris.starts_with("TY  - JOUR\r\n") && ris.ends_with("ER  - \r\n"), "{ris}");
    let mut tags: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in ris.split_terminator("\r\n") {
        let (tag, value) = line.split_once("  - ").unwrap_or_else(|| panic!("{line:?}"));
        assert!(tag.len() == 2 && !value.contains('\n'), "{line:?}");
        tags.entry(tag).or_default().push(value);
    }
    for (tag, value) in
        [("TI", title), ("T2", "Ocean Ledger"), ("PY", "2026"), ("VL", "6"), ("IS", "1"), ("SP", "1"), ("EP", "17")]
    {
        assert_eq!(tags[tag], [value], "{tag}");
    }
    assert_eq!((tags["DO"][0], tags["UR"][0], tags["AU"].len()), (SEAGRASS, address.as_str(), 4));
    assert_eq!((tags["AU"][0], tags["SN"].len()), ("Ellingham, Ruth", 2));

    let bibtex = citation("bibtex", id).text();
    let fields = bibtex_fields(&bibtex);
    assert_eq!(
        (fields["title"].as_str(), fields["journal"].as_str()),
        (format!("{{{title}}}").as_str(), "Ocean Ledger")
    );
    assert_eq!(
        (fields["doi"].as_str(), fields["pages"].as_str(), fields["year"].as_str()),
        (SEAGRASS, "1--17", "2026")
    );
    assert!(fields["author"].starts_with("Ellingham, Ruth and ") && fields["author"].matches(" and ").count() == 3);
    // Host and plugin write the same citation, so that a reader who takes both has one entry.
    let of_host = PORTAL.page("oceanledger", &format!("/en/article/{id}?format=bibtex"));
    assert_eq!(bibtex.lines().next(), of_host.lines().next());
    assert!(bibtex.starts_with("@article{Ellingham2026"), "{bibtex}");
}

/// Parses one BibTeX entry: fields in balanced braces.
fn bibtex_fields(text: &str) -> BTreeMap<String, String> {
    let inner = text.trim().strip_prefix("@article{").and_then(|rest| rest.strip_suffix('}')).unwrap();
    let (_, mut rest) = inner.split_once(',').unwrap();
    let mut fields = BTreeMap::new();
    while let Some((name, after)) = rest.split_once(" = {") {
        let mut depth = 1;
        let end = after.char_indices().find(|(_, c)| {
            depth += i32::from(*c == '{') - i32::from(*c == '}');
            depth == 0
        });
        let end = end.unwrap_or_else(|| panic!("the braces of {name} do not balance: {text}")).0;
        fields.insert(name.trim_matches([' ', ',', '\n']).to_owned(), after[..end].to_owned());
        rest = &after[end + 1..];
    }
    // A comma after the last field is allowed.
    assert!(["", ","].contains(&rest.trim()), "{text}");
    fields
}

#[test]
fn every_article_of_the_demo_can_be_cited() {
    for site in ["oceanledger", "scriptstone", "quietcircuits", "hssxiv"] {
        for link in listed(&PORTAL.page(site, &format!("/en/search?q=the&site={site}"))) {
            let id = link.split('?').next().unwrap().rsplit('/').next().unwrap().to_owned();
            let ask = |format: &str| PORTAL.page(site, &format!("/zh/plugins/citation-export/{format}?id={id}"));
            let fields = bibtex_fields(&ask("bibtex"));
            let csl: Value = serde_json::from_str(&ask("csl")).unwrap();
            assert_eq!(csl[0]["DOI"], Value::from(fields["doi"].clone()), "{site} {id}");
            assert!(ask("ris").contains(&format!("\r\nDO  - {}\r\n", fields["doi"])), "{site} {id}");
        }
    }
}

#[test]
fn articles_of_other_sites_are_not_found() {
    let foreign = PORTAL.article("quietcircuits", &first_doi("quietcircuits"));
    for id in [foreign, 0, -1, i64::MAX] {
        for format in ["ris", "bibtex", "csl"] {
            assert_eq!(citation(format, id).status, 404, "{format} {id}");
        }
    }
    for path in ["ris", "ris?id=", "ris?id=x", "ris?id=1%00", "ris?id=1e3"] {
        assert_eq!(PORTAL.get("oceanledger", &format!("/en/plugins/citation-export/{path}")).status, 400, "{path}");
    }
}

fn first_doi(site: &str) -> String {
    let link = listed(&PORTAL.page(site, "/en/home")).remove(0);
    let metas = named(&PORTAL.page(site, &link), "meta");
    metas.iter().find(|meta| meta.get("name") == "citation_doi").unwrap().get("content")
}

#[test]
fn responses_of_plugins_are_sandboxed() {
    let id = PORTAL.article("oceanledger", SEAGRASS);
    for (site, path) in [
        ("oceanledger", format!("/en/plugins/citation-export/ris?id={id}")),
        ("oceanledger", "/en/plugins/citation-export/none".into()),
        ("tidesdesk", "/en/plugins/ai-assistant/frame".into()),
        ("tidesdesk", "/ara/plugins/ai-assistant/ask?q=a".into()),
    ] {
        let answer = PORTAL.get(site, &path);
        let policy = answer.header("content-security-policy");
        let directives: Vec<_> = policy.split(';').map(str::trim).collect();
        let sandbox = directives.iter().find(|one| one.starts_with("sandbox")).unwrap_or_else(|| panic!("{policy}"));
        assert!(!sandbox.contains("allow-scripts") && !sandbox.contains("allow-same-origin"), "{path}: {policy}");
        assert!(directives.contains(&"default-src 'none'") && !policy.contains("script-src"), "{path}: {policy}");
        assert!(directives.contains(&"frame-ancestors 'self'") && directives.contains(&"base-uri 'none'"), "{policy}");
        assert_eq!((answer.header("x-content-type-options"), answer.header("set-cookie")), ("nosniff", ""), "{path}");
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
    }
}

#[test]
fn routes_of_plugins_have_limits() {
    let host = "tidesdesk.localhost";
    let path = "/en/plugins/ai-assistant/frame";
    for method in ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"] {
        assert_eq!(PORTAL.ask(method, host, path, &[], "").status, 405, "{method}");
    }
    let head = PORTAL.ask("HEAD", host, path, &[], "");
    assert!(head.status == 200 && head.bytes.is_empty());
    assert_eq!(PORTAL.ask("POST", host, path, &[], &"x".repeat(64 << 10)).status, 200);
    let large = PORTAL.ask("POST", host, path, &[("language", "en")], &"x".repeat((64 << 10) + 1));
    assert_eq!((large.status, large.json()["data"].clone()), (413, Value::Null));

    for (site, path) in [
        ("tidesdesk", "/en/plugins/none/frame"),
        ("tidesdesk", "/en/plugins/citation-export/ris?id=1"),
        ("oceanledger", "/en/plugins/ai-assistant/frame"),
        ("oceanledger", "/en/plugins/friendship-links/frame"),
        ("plainpress", "/en/plugins/..%2fai-assistant/frame"),
        ("tidesdesk", "/en/plugins/ai-assistant/none"),
        ("tidesdesk", "/en/plugins/ai-assistant/"),
        ("tidesdesk", "/en/plugins/ai-assistant"),
    ] {
        assert_eq!(PORTAL.get(site, path).status, 404, "{site} {path}");
    }
}

#[test]
fn a_query_by_a_synonym_finds_articles_with_the_other_word() {
    let found = |site: &str, query: &str| {
        let query: String = url::form_urlencoded::byte_serialize(query.as_bytes()).collect();
        let answer = PORTAL.get(site, &format!("/rc-pub/front/search?q={query}")).json();
        let hits =
            answer["data"]["content"].as_array().unwrap().iter().map(|hit| hit["doi"].as_str().unwrap().to_owned());
        hits.collect::<std::collections::BTreeSet<_>>()
    };
    let seagrass = found("oceanledger", "seagrass");
    assert!(seagrass.contains(SEAGRASS), "{seagrass:?}");
    for word in ["eelgrass", "EELGRASS", "海草"] {
        assert!(found("oceanledger", word).is_superset(&seagrass), "{word}");
    }
    let mangrove = found("oceanledger", "mangrove");
    assert!(!mangrove.is_empty() && found("oceanledger", "tidal forest").is_superset(&mangrove));
    // The same journal on a site without the plugin is searched without synonyms.
    assert!(found("tidesdesk", "seagrass").contains(SEAGRASS) && !found("tidesdesk", "eelgrass").contains(SEAGRASS));
}
