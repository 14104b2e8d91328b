//! Single OAI-PMH requests.

use masthead_domain::ArticleId;

use super::{ALPHA, PORTAL, children, parsed, texts};

const NAMESPACE: &str = "http://www.openarchives.org/OAI/2.0/";

/// The response to a request, after checking what all responses have in common.
pub fn ask(site: &str, query: &str) -> String {
    let answer = PORTAL.get(site, &format!("/oai?{query}"));
    let text = answer.text();
    assert_eq!(answer.header("content-type"), "text/xml; charset=utf-8", "{query}: {text}");
    envelope(&text);
    text
}

fn envelope(text: &str) {
    let document = roxmltree::Document::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert!(text.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"), "{text}");
    let root = document.root_element();
    assert!(root.has_tag_name((NAMESPACE, "OAI-PMH")), "{text}");
    let names: Vec<_> = root.children().map(|child| child.tag_name().name()).collect();
    assert_eq!(names[..2], ["responseDate", "request"], "{text}");
    assert!(names.len() == 3 || names[2..].iter().all(|name| *name == "error"), "{text}");
    let date = texts(&document, "responseDate").remove(0);
    assert!(date.len() == 20 && date.ends_with('Z') && date.parse::<jiff::Timestamp>().is_ok(), "{date}");
}

/// The error code in the response to a request, or "".
pub fn error(site: &str, query: &str) -> String {
    let text = ask(site, query);
    let document = roxmltree::Document::parse(&text).unwrap();
    let error = document.descendants().find(|node| node.has_tag_name((NAMESPACE, "error")));
    if let Some(error) = error {
        let request = children(document.root_element(), "request").remove(0);
        let code = error.attribute("code").unwrap();
        assert_eq!(request.attributes().count() == 0, matches!(code, "badVerb" | "badArgument"), "{query}: {text}");
    }
    error.map_or_else(String::new, |error| error.attribute("code").unwrap().to_owned())
}

#[test]
fn identify_describes_the_repository() {
    let text = ask("alpha", "verb=Identify");
    let document = roxmltree::Document::parse(&text).unwrap();
    let identify = children(document.root_element(), "Identify").remove(0);
    let order: Vec<_> = identify.children().map(|child| child.tag_name().name()).collect();
    let expected = [
        "repositoryName",
        "baseURL",
        "protocolVersion",
        "adminEmail",
        "earliestDatestamp",
        "deletedRecord",
        "granularity",
        "compression",
        "description",
    ];
    assert_eq!(order, expected);
    assert_eq!(texts(&document, "repositoryName"), ["Site & <b>"]);
    assert_eq!(texts(&document, "baseURL"), ["http://alpha.localhost/oai"]);
    assert_eq!(texts(&document, "adminEmail"), ["desk@example.org"]);
    assert_eq!(texts(&document, "deletedRecord"), ["persistent"]);
    assert_eq!(texts(&document, "repositoryIdentifier"), ["alpha.example.org"]);
    assert!(texts(&document, "earliestDatestamp")[0].starts_with("20"), "{text}");
    // A site without a configured contact has the postmaster's address. On the shared host the response differs only in
    // the base address.
    let beta = ask("beta", "verb=Identify");
    assert!(beta.contains("<adminEmail>postmaster@beta.localhost</adminEmail>"), "{beta}");
    let shared = PORTAL.with("127.0.0.1", "/beta/oai?verb=Identify", &[]).text();
    assert!(shared.contains("<baseURL>http://127.0.0.1/beta/oai</baseURL>"), "{shared}");
    assert!(shared.contains("<adminEmail>postmaster@beta.localhost</adminEmail>"), "{shared}");
}

#[test]
fn formats_and_sets_are_listed() {
    let text = ask("alpha", "verb=ListMetadataFormats");
    let document = roxmltree::Document::parse(&text).unwrap();
    assert_eq!(texts(&document, "metadataPrefix"), ["oai_dc", "jats"]);
    let id = identifier(1);
    assert_eq!(error("alpha", &format!("verb=ListMetadataFormats&identifier={id}")), "");
    let text = ask("alpha", "verb=ListSets");
    let document = roxmltree::Document::parse(&text).unwrap();
    assert_eq!(texts(&document, "setSpec"), ["alpha-letters", "~c3~a9tudes"]);
    assert_eq!(texts(&document, "setName"), ["Alpha Letters", "Études"]);
}

/// The identifier of a generated article of `alpha`.
fn identifier(number: u32) -> String {
    format!("oai:alpha.example.org:article/{}", PORTAL.article("alpha", &format!("10.5555/alpha.{number}")))
}

#[test]
fn a_record_does_not_depend_on_the_host_name() {
    let id = identifier(7);
    let query = format!("verb=GetRecord&metadataPrefix=oai_dc&identifier={id}");
    let by_host = ask("alpha", &query);
    let document = roxmltree::Document::parse(&by_host).unwrap();
    assert_eq!(texts(&document, "identifier")[0], id);
    assert_eq!(texts(&document, "title"), ["alpha 7 & <i>]]>", "潮汐"]);
    assert_eq!(texts(&document, "creator"), ["Lovelace, Ada"]);
    assert_eq!(texts(&document, "description"), ["In short & <plain>"]);
    assert_eq!(texts(&document, "date"), ["2026-03-08"]);
    assert!(texts(&document, "identifier").contains(&"https://doi.org/10.5555/alpha.7".to_owned()), "{by_host}");
    for (host, path) in [("alpha.example.org", "/oai"), ("other.example.org", "/oai"), ("127.0.0.1", "/alpha/oai")] {
        let answer = PORTAL.with(host, &format!("{path}?{query}"), &[]);
        let text = answer.text();
        assert_eq!(texts(&parsed(&answer, &text), "identifier")[0], id, "{host}");
    }
}

#[test]
fn errors_have_the_codes_of_the_protocol() {
    let id = identifier(1);
    let beta = PORTAL.article("beta", "10.5555/beta.1");
    let alpha = PORTAL.article("alpha", "10.5555/alpha.1");
    let list = "verb=ListRecords&metadataPrefix=oai_dc";
    for (query, code) in [
        ("", "badVerb"),
        ("verb=", "badVerb"),
        ("verb=identify", "badVerb"),
        ("verb=Identify&verb=Identify", "badVerb"),
        ("metadataPrefix=oai_dc", "badVerb"),
        ("verb=Identify&x=%3Cy%3E", "badArgument"),
        ("verb=ListRecords", "badArgument"),
        ("verb=GetRecord&metadataPrefix=oai_dc", "badArgument"),
        (&format!("verb=GetRecord&identifier={id}"), "badArgument"),
        (&format!("{list}&metadataPrefix=oai_dc"), "badArgument"),
        (&format!("{list}&from=2026"), "badArgument"),
        (&format!("{list}&from="), "badArgument"),
        (&format!("{list}&until=2026-02-30"), "badArgument"),
        (&format!("{list}&from=2026-01-02&until=2026-01-01"), "badArgument"),
        (&format!("{list}&from=2026-01-01&until=2027-01-01T00:00:00Z"), "badArgument"),
        (&format!("{list}&resumptionToken=x"), "badArgument"),
        ("verb=ListRecords&resumptionToken=x", "badResumptionToken"),
        ("verb=ListIdentifiers&resumptionToken=eA.eA", "badResumptionToken"),
        ("verb=ListSets&resumptionToken=x", "badResumptionToken"),
        ("verb=ListRecords&metadataPrefix=marc", "cannotDisseminateFormat"),
        (&format!("verb=GetRecord&identifier={id}&metadataPrefix=OAI_DC"), "cannotDisseminateFormat"),
        ("verb=GetRecord&metadataPrefix=oai_dc&identifier=x", "idDoesNotExist"),
        ("verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:alpha.example.org:article/999999", "idDoesNotExist"),
        ("verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:alpha.example.org:article/-1", "idDoesNotExist"),
        (
            &format!("verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:alpha.example.org:article/0{alpha}"),
            "idDoesNotExist",
        ),
        // An article of another site, under this site's identifier and under its own.
        (
            &format!("verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:alpha.example.org:article/{beta}"),
            "idDoesNotExist",
        ),
        (
            &format!("verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:beta.localhost:article/{beta}"),
            "idDoesNotExist",
        ),
        ("verb=ListMetadataFormats&identifier=oai:x", "idDoesNotExist"),
        (&format!("{list}&from=2999-01-01"), "noRecordsMatch"),
        (&format!("{list}&until=1990-01-01T00:00:00Z"), "noRecordsMatch"),
        (&format!("{list}&set=nowhere"), "noRecordsMatch"),
        ("verb=ListSets", ""),
        (list, ""),
    ] {
        assert_eq!(error("alpha", query), code, "{query}");
    }
    assert_eq!(error("plainpress", "verb=Identify"), "");
}

#[test]
fn a_posted_form_is_equivalent_to_a_query() {
    let form = [("content-type", "application/x-www-form-urlencoded; charset=utf-8")];
    let query = format!("verb=GetRecord&metadataPrefix=oai_dc&identifier={}", identifier(9));
    let posted = PORTAL.ask("POST", "alpha.localhost", "/oai", &form, &query.replace(':', "%3A"));
    let text = posted.text();
    let record = |text: &str| text.split_once("<GetRecord>").unwrap().1.to_owned();
    assert_eq!(record(&text), record(&ask("alpha", &query)));
    parsed(&posted, &text);
    let json = [("content-type", "application/json")];
    assert_eq!(PORTAL.ask("POST", "alpha.localhost", "/oai", &json, "{}").status, 415);
    assert_eq!(PORTAL.ask("PUT", "alpha.localhost", "/oai", &form, "verb=Identify").status, 405);
}

#[test]
fn long_responses_are_compressed() {
    let answer = PORTAL.with(
        "alpha.localhost",
        "/oai?verb=ListIdentifiers&metadataPrefix=oai_dc",
        &[("accept-encoding", "gzip")],
    );
    assert_eq!(answer.header("content-encoding"), "gzip");
    assert!(answer.bytes.starts_with(&[0x1f, 0x8b]));
}

#[test]
fn unavailable_sites_reveal_nothing() {
    let paths = [
        "/oai?verb=ListRecords&metadataPrefix=oai_dc",
        "/sitemap.xml",
        "/sitemap-pages.xml",
        "/sitemap-articles-1.xml",
        "/zh/feed.rss",
        "/zh/feed.atom",
        "/zh/opensearch.xml",
        "/robots.txt",
        "/zh/article/1/linkset",
        "/zh/article/1?format=jats",
    ];
    for (site, status) in [("closed", 503), ("lapsed", 403), ("hidden", 403)] {
        for path in paths {
            for (host, path) in
                [(format!("{site}.localhost"), path.to_owned()), ("127.0.0.1".to_owned(), format!("/{site}{path}"))]
            {
                let answer = PORTAL.with(&host, &path, &[("accept-language", "en")]);
                assert_eq!(answer.status, status, "{host}{path}");
                assert!(!answer.text().contains("<?xml") && !answer.text().contains("seagrass"), "{host}{path}");
            }
        }
    }
    let off = paths
        .iter()
        .filter(|path| !path.contains("opensearch") && !path.contains("robots") && !path.contains("format="));
    for path in off {
        assert_eq!(PORTAL.get("silent", path).status, 404, "{path}");
    }
    assert!(!PORTAL.get("silent", "/robots.txt").text().contains("Sitemap"));
    assert_eq!(PORTAL.with("127.0.0.1", "/oai?verb=Identify", &[]).status, 404);
    assert_eq!(PORTAL.with("unknown.localhost", "/sitemap.xml", &[]).status, 404);
}

#[test]
fn articles_of_other_sites_are_not_listed() {
    let all: Vec<ArticleId> = PORTAL
        .run(PORTAL.app.store.site(ALPHA).article_listing(0, 1000))
        .unwrap()
        .into_iter()
        .map(|listed| listed.id)
        .collect();
    let text = ask("beta", "verb=ListIdentifiers&metadataPrefix=oai_dc");
    let document = roxmltree::Document::parse(&text).unwrap();
    let found = texts(&document, "identifier");
    assert_eq!(found.len(), 3);
    assert!(all.iter().all(|id| found.iter().all(|found| !found.ends_with(&format!("/{id}")))));
}
