//! DOAJ: its JSON (articles, journals, search results), and the XML that publishers send to it.

use std::collections::BTreeMap;

use masthead_domain::{
    article::{Article, ArticleMeta, Contributor, JournalRef, KeywordGroup},
    content::Node,
    ids::Doi,
    lang::language_tag,
    license, link,
};
use serde_json::Value;

use super::{
    crossref::{affiliation, orcid},
    issue::{Period, issn},
};
use crate::{
    FormatError, Name, ReadJats, Records,
    date::{self, DateReader},
    json::{self, list, text},
    markup,
    xml::{Element, Elements},
};

const FORMAT: &str = "DOAJ JSON";
const XML: &str = "DOAJ XML";
/// Limit on the size of one XML record in bytes.
const MAX_RECORD: usize = 4 << 20;

/// The content of a DOAJ file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imported {
    /// Articles with bibliographic data and abstract.
    pub articles: Records<Article>,
    /// Warnings about articles, by their source keys; articles without one are left out.
    pub warnings: BTreeMap<String, Vec<String>>,
    /// The issues of the articles, without duplicates.
    pub periods: Vec<Period>,
    /// Journals.
    pub journals: Vec<JournalRef>,
}

/// Reads an article, a journal, or a search result (`results`).
///
/// # Errors
/// [`FormatError`] if the bytes are not DOAJ JSON.
pub fn import(bytes: &[u8], jats: ReadJats) -> Result<Imported, FormatError> {
    let root = json::read(FORMAT, bytes)?;
    let items: Vec<&Value> = match (&root, &root["results"]) {
        (_, Value::Array(items)) | (Value::Array(items), _) => items.iter().collect(),
        _ => vec![&root],
    };
    let mut made = Imported::default();
    for (at, item) in items.iter().enumerate() {
        let about = &item["bibjson"];
        if about["journal"].is_object() || about["identifier"].is_array() && about["author"].is_array() {
            let mut read = DateReader::new(FormatError::new(FORMAT, "").record(at + 1));
            let article = article(item, jats, &mut read);
            read.warn(&article.meta.source_key, &mut made.warnings);
            if let Some(period) = Period::of(&article.meta) {
                period.add_to(&mut made.periods);
            }
            made.articles.records.push(article);
        } else if about["title"].is_string() {
            made.journals.push(journal(about));
        } else {
            let reason = "it has no bibjson with a title, so it is neither a DOAJ article nor a DOAJ journal";
            made.articles.fault(FormatError::new(FORMAT, reason).record(at + 1));
        }
    }
    match made.articles.faults.first() {
        Some(fault) if items.len() == 1 => Err(fault.clone()),
        _ => Ok(made),
    }
}

fn journal(about: &Value) -> JournalRef {
    let publisher = text(about, "publisher");
    JournalRef {
        title: text(about, "title"),
        issn: ["pissn", "eissn"].into_iter().filter_map(|key| issn(&text(about, key))).collect(),
        publisher: if publisher.is_empty() { text(&about["publisher"], "name") } else { publisher },
        ..JournalRef::default()
    }
}

fn article(item: &Value, jats: ReadJats, read: &mut DateReader) -> Article {
    let about = &item["bibjson"];
    let host = &about["journal"];
    let mut meta = ArticleMeta {
        article_type: "research-article".to_owned(),
        language: language_tag(&text(host, "language").to_lowercase()),
        ..ArticleMeta::default()
    };
    // For a journal in several languages, the record does not give the article's language.
    if meta.language.is_empty() || list(host, "language").len() > 1 {
        "en".clone_into(&mut meta.language);
    }
    meta.journal =
        JournalRef { title: text(host, "title"), publisher: text(host, "publisher"), ..JournalRef::default() };
    for id in list(about, "identifier") {
        let (kind, value) = (text(id, "type"), text(id, "id"));
        match kind.as_str() {
            "doi" => meta.doi = Doi::parse(&value).ok(),
            "pissn" | "eissn" => meta.journal.issn.extend(issn(&value)),
            _ => meta.ids.push((kind, value)),
        }
    }
    meta.source_key = match &meta.doi {
        Some(doi) => format!("doi:{}", doi.key()),
        None => format!("publisher-id:{}", text(item, "id")),
    };
    let title = text(about, "title");
    meta.titles = vec![markup::text(jats, &meta.language, &title)];
    meta.titles.retain(|title| !title.plain.is_empty());
    for one in list(about, "author") {
        let name = Name::parse(&text(one, "name"));
        let mut made = Contributor {
            role: "author".to_owned(),
            surname: name.family,
            given_names: name.given,
            suffix: name.suffix,
            collab: name.literal,
            orcid: orcid(&text(one, "orcid_id")),
            ..Contributor::default()
        };
        made.affiliations.push(affiliation(&text(one, "affiliation"), "", &mut meta));
        made.affiliations.retain(|id| !id.is_empty());
        meta.contributors.push(made);
    }
    let keywords: Vec<String> =
        list(about, "keywords").iter().map(json::scalar).filter(|one| !one.is_empty()).collect();
    if !keywords.is_empty() {
        meta.keywords.push(KeywordGroup {
            lang: meta.language.clone(),
            items: keywords.iter().map(|one| vec![Node::text(one)]).collect(),
            plain: keywords,
            ..KeywordGroup::default()
        });
    }
    meta.subjects = list(about, "subject").iter().map(|one| text(one, "term")).filter(|one| !one.is_empty()).collect();
    meta.volume = text(host, "volume");
    meta.issue = text(host, "number");
    let page = |key: &str| [text(about, key), text(host, key)].into_iter().find(|page| !page.is_empty());
    pages(page("start_page").unwrap_or_default(), page("end_page").unwrap_or_default(), &mut meta);
    licence(list(about, "license").iter().chain(list(host, "license")), &mut meta);
    meta.dates.online = read.of("month", &text(about, "year"), &text(about, "month"), "");
    meta.year = date::year(&meta.dates.online);
    let mut article = Article { meta, ..Article::default() };
    article.body.abstracts = markup::abstracts(jats, &article.meta.language, &text(about, "abstract"));
    article
}

/// Sets the pages from the first and the last one, as they are printed (`S12`, `A-12`). A first page alone may be a range or an article number.
fn pages(first: String, last: String, meta: &mut ArticleMeta) {
    if first.is_empty() || last.is_empty() || first == last {
        super::crossref::pages(&first, "", meta);
    } else {
        (meta.first_page, meta.last_page) = (first, last);
    }
}

/// Chooses one of the licences that the record of an article states: an open one, else the first. That DOAJ lists the journal is no licence
/// of an article, and neither is `open_access`.
fn licence<'a>(stated: impl Iterator<Item = &'a Value>, meta: &mut ArticleMeta) {
    let name = |one: &Value| ["type", "title"].map(|key| text(one, key)).into_iter().find(|name| !name.is_empty());
    let address = |one: &Value| Some(text(one, "url")).filter(|address| link::is_web(address)).unwrap_or_default();
    let read = |one: &Value| {
        let address = address(one);
        // The address of an open licence says what its name does.
        let name = name(one).filter(|_| !license::is_open(&address));
        (address, name.map(|name| markup::paragraph(&name)).into_iter().collect())
    };
    let all: Vec<(String, Vec<Node>)> = stated.map(read).collect();
    let open = all.iter().find(|(address, words)| license::states_open(address, words));
    let Some((address, words)) = open.or(all.first()).cloned() else { return };
    meta.open_access = license::states_open(&address, &words);
    (meta.license_url, meta.license) = (address, words);
}

/// Reads the XML that publishers send to DOAJ (`records` of `record`), record by record. The schema has no element for a licence, so that
/// no article is open access by it.
///
/// # Errors
/// [`FormatError`] if the file has no record. If the XML is cut off, the records before remain and a fault is added.
pub fn import_xml(bytes: &[u8], jats: ReadJats) -> Result<Imported, FormatError> {
    let mut elements = Elements::new(XML, bytes, &["record"], MAX_RECORD);
    let mut made = Imported::default();
    for (at, read) in elements.by_ref().enumerate() {
        let element = match read {
            Ok(element) => element,
            Err(error) if at == 0 => return Err(error),
            Err(error) => {
                made.articles.fault(error.record(at + 1));
                break;
            }
        };
        let mut read = DateReader::new(FormatError::new(XML, "").record(at + 1).line(element.line));
        let article = sent(&element, jats, &mut read);
        if article.meta.titles.is_empty() {
            let reason = "the record has no title; it was left out";
            made.articles.fault(FormatError::new(XML, reason).record(at + 1).line(element.line));
            continue;
        }
        read.warn(&article.meta.source_key, &mut made.warnings);
        if let Some(period) = Period::of(&article.meta) {
            period.add_to(&mut made.periods);
        }
        made.articles.records.push(article);
    }
    if made.articles.records.is_empty() && made.articles.faults.is_empty() {
        return Err(FormatError::new(XML, "the file holds no <record>: send DOAJ article XML"));
    }
    Ok(made)
}

fn sent(record: &Element, jats: ReadJats, read: &mut DateReader) -> Article {
    let get = |name: &str| record.child_text(name);
    let language = language_tag(&get("language"));
    let mut meta = ArticleMeta {
        article_type: "research-article".to_owned(),
        language: if language.is_empty() { "en".to_owned() } else { language },
        ..ArticleMeta::default()
    };
    let lang = |one: &Element, own: &str| {
        let tag = language_tag(one.attribute("language"));
        if tag.is_empty() { own.to_owned() } else { tag }
    };
    meta.journal = JournalRef {
        title: get("journalTitle"),
        publisher: get("publisher"),
        issn: ["issn", "eissn"].into_iter().filter_map(|name| issn(&get(name))).collect(),
        ..JournalRef::default()
    };
    meta.doi = Doi::parse(&get("doi")).ok();
    let own_id = get("publisherRecordId");
    meta.source_key = match &meta.doi {
        Some(doi) => format!("doi:{}", doi.key()),
        None if !own_id.is_empty() => format!("publisher-id:{own_id}"),
        None => format!("url:{}", get("fullTextUrl")),
    };
    if !own_id.is_empty() {
        meta.ids.push(("publisher-id".to_owned(), own_id));
    }
    meta.titles =
        record.all("title").map(|one| markup::text(jats, &lang(one, &meta.language), &one.raw_text())).collect();
    meta.titles.retain(|title| !title.plain.is_empty());
    let own = meta.language.clone();
    meta.titles.sort_by_key(|title| title.lang != own);
    let places: Vec<&Element> =
        record.child("affiliationsList").into_iter().flat_map(|list| list.all("affiliationName")).collect();
    for one in record.child("authors").into_iter().flat_map(|authors| authors.all("author")) {
        let name = Name::parse(&one.child_text("name"));
        let mut person = Contributor {
            role: "author".to_owned(),
            surname: name.family,
            given_names: name.given,
            suffix: name.suffix,
            collab: name.literal,
            email: one.child_text("email"),
            orcid: orcid(&one.child_text("orcid_id")),
            ..Contributor::default()
        };
        let place = one.child_text("affiliationId");
        let place = places.iter().find(|aff| !place.is_empty() && aff.attribute("affiliationId") == place);
        person.affiliations = place.map(|aff| affiliation(&aff.text(), "", &mut meta)).into_iter().collect();
        person.affiliations.retain(|id| !id.is_empty());
        if !person.surname.is_empty() || !person.collab.is_empty() {
            meta.contributors.push(person);
        }
    }
    for group in record.all("keywords") {
        let plain: Vec<String> = group.all("keyword").map(Element::text).filter(|word| !word.is_empty()).collect();
        if !plain.is_empty() {
            let items = plain.iter().map(|word| vec![Node::text(word)]).collect();
            meta.keywords.push(KeywordGroup { lang: lang(group, &own), items, plain, ..KeywordGroup::default() });
        }
    }
    (meta.volume, meta.issue) = (get("volume"), get("issue"));
    pages(get("startPage"), get("endPage"), &mut meta);
    meta.dates.online = read.iso("publicationDate", &get("publicationDate"));
    meta.year = date::year(&meta.dates.online);
    let mut article = Article { meta, ..Article::default() };
    for one in record.all("abstract") {
        article.body.abstracts.extend(markup::abstracts(jats, &lang(one, &own), &one.raw_text()));
    }
    article
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::markup::jats_of_tests;

    #[test]
    fn articles_and_journals_are_distinguished() {
        let list = r#"{"results":[
            {"id":"a1","bibjson":{"title":"Tides","year":"2015","month":"4","abstract":"Wet.","keywords":["sea"],
             "journal":{"title":"Ledger","volume":"39","number":"2","start_page":"215","end_page":"223","language":["PT"]},
             "identifier":[{"type":"pissn","id":"1806-9088"},{"type":"doi","id":"10.5555/d"}],
             "author":[{"name":"Doe, Jane","affiliation":"Sea Lab"},{"name":"Everton Poelking"}]}},
            {"bibjson":{"title":"Ledger","pissn":"1806-9088","publisher":{"name":"P"}}},
            {"other":1}]}"#;
        let made = import(list.as_bytes(), jats_of_tests).unwrap();
        let meta = &made.articles.records[0].meta;
        assert_eq!((meta.source_key.as_str(), meta.language.as_str()), ("doi:10.5555/d", "pt"));
        assert_eq!((meta.first_page.as_str(), meta.last_page.as_str(), meta.year), ("215", "223", Some(2015)));
        assert_eq!(meta.contributors[0].display_name(), "Jane Doe");
        assert_eq!(made.periods[0].date, "2015-04");
        assert_eq!((made.journals.len(), made.articles.faults.len()), (1, 1));
        assert!(import(b"{\"a\":1}", jats_of_tests).is_err());
    }

    #[test]
    fn pages_with_letters_are_pages_where_the_record_has_first_and_last() {
        for (start, end, expected) in [
            ("S12", "S19", ("S12", "S19", "")),
            ("A-12", "A-19", ("A-12", "A-19", "")),
            ("e14276", "", ("", "", "e14276")),
            ("215-223", "", ("215", "223", "")),
            ("215", "215", ("215", "", "")),
            ("", "9", ("", "", "")),
        ] {
            let read = |articles: Imported| {
                let meta = articles.articles.records.into_iter().next().unwrap().meta;
                (meta.first_page, meta.last_page, meta.elocation_id)
            };
            let json = format!(
                r#"{{"id":"a1","bibjson":{{"title":"Tides","journal":{{"title":"Ledger","start_page":"{start}","end_page":"{end}"}}}}}}"#
            );
            let xml = format!(
                "<records><record><startPage>{start}</startPage><endPage>{end}</endPage><title>Tides</title></record></records>"
            );
            let expected = (expected.0.to_owned(), expected.1.to_owned(), expected.2.to_owned());
            assert_eq!(read(import(json.as_bytes(), jats_of_tests).unwrap()), expected, "{json}");
            assert_eq!(read(import_xml(xml.as_bytes(), jats_of_tests).unwrap()), expected, "{xml}");
        }
    }

    #[test]
    fn an_article_is_open_access_by_the_licence_of_its_record_alone() {
        let read = |of_journal: &str, of_article: &str| {
            let text = format!(
                r#"{{"id":"a1","admin":{{"seal":true}},"bibjson":{{"title":"Tides"{of_article},"journal":{{"title":"Ledger"{of_journal}}}}}}}"#
            );
            let meta = import(text.as_bytes(), jats_of_tests).unwrap().articles.records.remove(0).meta;
            (meta.license_url, masthead_domain::content::text::plain(&meta.license), meta.open_access)
        };
        let of = |address: &str, name: &str, open: bool| (address.to_owned(), name.to_owned(), open);
        let own = r#"{"type":"Publisher's own license","url":"https://ledger.example/terms","open_access":true}"#;
        let by = r#"{"type":"CC BY","title":"CC BY","url":"https://creativecommons.org/licenses/by/4.0/"}"#;
        assert_eq!(read("", ""), of("", "", false));
        assert_eq!(read(r#","license":[]"#, ""), of("", "", false));
        let terms = of("https://ledger.example/terms", "Publisher's own license", false);
        assert_eq!(read(&format!(r#","license":[{own}]"#), ""), terms);
        let cc = of("https://creativecommons.org/licenses/by/4.0/", "", true);
        assert_eq!(read(&format!(r#","license":[{own},{by}]"#), ""), cc);
        assert_eq!(read("", &format!(r#","license":{by}"#)), cc);
        assert_eq!(read(r#","license":[{"title":"CC BY-NC"}]"#, ""), of("", "CC BY-NC", true));
    }

    #[test]
    fn dates_that_no_calendar_has_are_cut_and_reported() {
        let json = r#"{"id":"a1","bibjson":{"title":"Tides","year":"2015","month":"14","journal":{"title":"Ledger"}}}"#;
        let made = import(json.as_bytes(), jats_of_tests).unwrap();
        assert_eq!(made.articles.records[0].meta.dates.online, "2015");
        let said = &made.warnings["publisher-id:a1"];
        assert!(said[0].starts_with("DOAJ JSON, record 1, month: no calendar has the month 14"), "{said:?}");
        let text = "<records><record><title>Tides</title><publicationDate>2013-02-30</publicationDate>
            <fullTextUrl>https://x.example/1</fullTextUrl></record></records>";
        let made = import_xml(text.as_bytes(), jats_of_tests).unwrap();
        assert_eq!(made.articles.records[0].meta.dates.online, "2013-02");
        let said = &made.warnings["url:https://x.example/1"];
        assert!(
            said[0].starts_with("DOAJ XML, record 1, line 1, publicationDate: no calendar has the day 30"),
            "{said:?}"
        );
        assert_eq!(said.len(), 1);
    }

    #[test]
    fn xml_of_publishers_is_read() {
        let text = "<records><record><language>fre</language><journalTitle>Ledger</journalTitle><issn>1234-5679</issn>
            <publicationDate>2013-05</publicationDate><issue>7</issue><startPage>3</startPage><endPage>9</endPage>
            <title language='eng'>Tides</title><title language='fre'>Marées &amp; <i>c</i></title>
            <authors><author><name>Papillon, Joëlle</name><affiliationId>1</affiliationId></author></authors>
            <affiliationsList><affiliationName affiliationId='1'>Lab</affiliationName></affiliationsList>
            <abstract language='eng'>Wet.</abstract><fullTextUrl>https://x.example/1</fullTextUrl></record>
            <record><language>fre</language></record><record><title>cut";
        let made = import_xml(text.as_bytes(), jats_of_tests).unwrap();
        let [article] = made.articles.records.as_slice() else { panic!("{made:?}") };
        let meta = &article.meta;
        assert_eq!((meta.language.as_str(), meta.titles[0].plain.as_str(), meta.titles.len()), ("fr", "Marées & c", 2));
        assert!(!meta.open_access, "the record states no licence");
        assert_eq!(
            (meta.contributors[0].display_name().as_str(), meta.affiliations[0].text.as_str()),
            ("Joëlle Papillon", "Lab")
        );
        assert_eq!((made.periods[0].issue.as_str(), made.periods[0].date.as_str()), ("7", "2013-05"));
        let places: Vec<_> = made.articles.faults.iter().map(|fault| fault.record).collect();
        assert_eq!(places, [Some(2), Some(3)]);
        assert!(import_xml(b"<html/>", jats_of_tests).is_err());
    }
}
