//! Crossref's REST JSON: a work, a list of works, or a list of journals.

use std::collections::BTreeMap;

use masthead_domain::{
    article::{Affiliation, Article, ArticleMeta, Contributor, Funding, JournalRef, LangText, RelatedArticle},
    content::{RefList, Reference},
    ids::Doi,
    lang::language_tag,
    license, link,
    notice::{NoticeKind, NoticeSide},
    text::without_tags,
};
use serde_json::Value;

use super::issue::{Period, issn};
use crate::{
    FormatError, Name, ReadJats, Records, Work,
    date::{self, DateReader},
    json::{self, date_parts, list, text},
    markup,
};

const FORMAT: &str = "Crossref JSON";
/// Limit on the number of works in a file.
const MAX_WORKS: usize = 20_000;
/// Limit on the number of references of a work.
const MAX_REFERENCES: usize = 10_000;

/// The content of a Crossref file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imported {
    /// Articles with bibliographic data, abstract and references; works of other types are reported as faults.
    pub articles: Records<Article>,
    /// Warnings about articles, by their source keys; articles without one are left out.
    pub warnings: BTreeMap<String, Vec<String>>,
    /// How often Crossref knows each article to be cited, by the key of its DOI; articles without such a number are left out.
    pub citations: BTreeMap<String, u32>,
    /// The issues of the articles, without duplicates.
    pub periods: Vec<Period>,
    /// Journals, if the file is a list of journals.
    pub journals: Vec<JournalRef>,
}

/// Reads an answer of `api.crossref.org` (`/works/{doi}`, `/works?...`, `/journals/{issn}/works`, `/journals`), or the works alone.
///
/// # Errors
/// [`FormatError`] if the bytes are not JSON, or JSON of another format.
pub fn import(bytes: &[u8], jats: ReadJats) -> Result<Imported, FormatError> {
    let root = json::read(FORMAT, bytes)?;
    let message = if root["message"].is_object() || root["message"].is_array() { &root["message"] } else { &root };
    let items: Vec<&Value> = match (message, &message["items"]) {
        (_, Value::Array(items)) => items.iter().collect(),
        (Value::Array(items), _) => items.iter().collect(),
        _ => vec![message],
    };
    if items.len() > MAX_WORKS {
        return Err(FormatError::new(FORMAT, format!("the file has more than {MAX_WORKS} works: divide it")));
    }
    let mut made = Imported::default();
    for (at, item) in items.iter().enumerate() {
        let record = at + 1;
        if is_journal(item) {
            made.journals.push(journal(item));
        } else if item["DOI"].is_string() {
            let mut read = DateReader::new(FormatError::new(FORMAT, "").record(record));
            match work(item, jats, &mut read) {
                Ok((article, period)) => {
                    read.warn(&article.meta.source_key, &mut made.warnings);
                    if let (Some(doi), Some(count)) = (&article.meta.doi, item["is-referenced-by-count"].as_u64()) {
                        made.citations.insert(doi.key(), u32::try_from(count).unwrap_or(u32::MAX));
                    }
                    made.articles.records.push(article);
                    if let Some(period) = period {
                        period.add_to(&mut made.periods);
                    }
                }
                Err(fault) => made.articles.fault(fault.record(record)),
            }
        } else {
            let reason = "it has neither a DOI nor an ISSN with a title, so it is not a Crossref work";
            made.articles.fault(FormatError::new(FORMAT, reason).record(record));
        }
    }
    let nothing = made.articles.records.is_empty() && made.journals.is_empty();
    match made.articles.faults.first() {
        Some(first) if nothing && items.len() == 1 => Err(first.clone()),
        _ => Ok(made),
    }
}

fn is_journal(item: &Value) -> bool {
    item["DOI"].is_null() && item["ISSN"].is_array() && item["title"].is_string()
}

fn journal(item: &Value) -> JournalRef {
    JournalRef {
        title: text(item, "title"),
        issn: issns(item),
        publisher: text(item, "publisher"),
        ..JournalRef::default()
    }
}

fn issns(item: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for one in list(item, "ISSN").iter().filter_map(|one| issn(&json::scalar(one))) {
        if !found.contains(&one) {
            found.push(one);
        }
    }
    found
}

fn work(item: &Value, jats: ReadJats, read: &mut DateReader) -> Result<(Article, Option<Period>), FormatError> {
    let wrong = |field: &str, reason: String| FormatError::new(FORMAT, reason).field(field);
    let doi = Doi::parse(&text(item, "DOI")).map_err(|error| wrong("DOI", error.to_string()))?;
    let kind = text(item, "type");
    let article_type = article_type(&kind, item).ok_or_else(|| {
        wrong("type", format!("{doi} is a {kind}, not an article: import it as a book or leave it out"))
    })?;
    let mut article = Article::default();
    let mut meta = ArticleMeta {
        source_key: format!("doi:{}", doi.key()),
        doi: Some(doi),
        article_type: article_type.to_owned(),
        language: language_tag(&text(item, "language")),
        ..ArticleMeta::default()
    };
    if meta.language.is_empty() {
        "en".clone_into(&mut meta.language);
    }
    titles(item, jats, &mut meta);
    meta.subjects = list(item, "subject").iter().map(json::scalar).filter(|one| !one.is_empty()).collect();
    meta.journal = JournalRef {
        title: without_tags(&text(item, "container-title")),
        abbrev: without_tags(&text(item, "short-container-title")),
        issn: issns(item),
        publisher: text(item, "publisher"),
        ..JournalRef::default()
    };
    meta.volume = text(item, "volume");
    meta.issue = text(item, "issue");
    pages(&text(item, "page"), &text(item, "article-number"), &mut meta);
    people(item, &mut meta);
    dates(item, &mut meta, read);
    funding(item, &mut meta);
    license(item, &mut meta);
    related(item, &mut meta);
    for other in list(item, "alternative-id").iter().map(json::scalar).filter(|id| !id.is_empty()) {
        if Doi::parse(&other).is_err() {
            meta.ids.push(("publisher-id".to_owned(), other));
        }
    }
    article.body.abstracts = markup::abstracts(jats, &meta.language, &text(item, "abstract"));
    let refs: Vec<Reference> = list(item, "reference")
        .iter()
        .take(MAX_REFERENCES)
        .enumerate()
        .map(|(at, one)| reference(one).to_reference(jats, format!("ref-{}", at + 1)))
        .collect();
    meta.reference_count = u32::try_from(refs.len()).unwrap_or(u32::MAX);
    if !refs.is_empty() {
        article.body.reference_lists.push(RefList { refs, ..RefList::default() });
    }
    let period = period(item, &meta, read);
    article.meta = meta;
    Ok((article, period))
}

/// The JATS `@article-type` of a work; `None` if it is not an article.
fn article_type(kind: &str, item: &Value) -> Option<&'static str> {
    // An article that was corrected in its place has an update of itself, and is no notice.
    let own = text(item, "DOI");
    let mut updates = list(item, "update-to").iter().filter(|one| !text(one, "DOI").eq_ignore_ascii_case(&own));
    let update = updates.find_map(|one| update_article_type(update_kind(&text(one, "type"))));
    match kind {
        "journal-article" | "proceedings-article" if update.is_some() => update,
        "journal-article" | "proceedings-article" | "other" | "" => Some("research-article"),
        "posted-content" => Some("preprint"),
        "peer-review" => Some("reviewer-report"),
        "book-chapter" | "book-section" | "book-part" | "reference-entry" => Some("chapter-article"),
        "dissertation" => Some("dissertation"),
        "report" | "report-component" => Some("other"),
        _ => None,
    }
}

fn titles(item: &Value, jats: ReadJats, meta: &mut ArticleMeta) {
    let of = |key: &str, lang: &str| -> Vec<LangText> {
        let texts = list(item, key).iter().map(json::scalar);
        texts.filter(|text| !text.is_empty()).map(|title| markup::text(jats, lang, &title)).collect()
    };
    meta.titles = of("title", &meta.language);
    meta.subtitles = of("subtitle", &meta.language);
    for original in of("original-title", "") {
        if meta.titles.iter().all(|title| title.plain != original.plain) {
            meta.titles.push(original);
        }
    }
}

/// Sets pages (`519-527`) or the article number (`e14276`) from one printed text.
pub(super) fn pages(printed: &str, number: &str, meta: &mut ArticleMeta) {
    let printed = printed.trim();
    let printed = printed.split([',', ';']).next().unwrap_or_default().trim();
    match printed.split_once(['-', '–', '—']) {
        Some((first, last)) if !first.trim().is_empty() => {
            first.trim().clone_into(&mut meta.first_page);
            last.trim_start_matches(['-', '–', '—']).trim().clone_into(&mut meta.last_page);
        }
        _ if printed != number && printed.bytes().all(|byte| byte.is_ascii_digit()) => {
            printed.clone_into(&mut meta.first_page);
        }
        _ => printed.clone_into(&mut meta.elocation_id),
    }
    if !number.is_empty() {
        number.clone_into(&mut meta.elocation_id);
    }
}

fn people(item: &Value, meta: &mut ArticleMeta) {
    for role in ["author", "editor", "translator", "chair"] {
        for one in list(item, role) {
            let mut made = Contributor {
                role: role.to_owned(),
                surname: text(one, "family"),
                given_names: text(one, "given"),
                suffix: text(one, "suffix"),
                collab: text(one, "name"),
                orcid: orcid(&text(one, "ORCID")),
                ..Contributor::default()
            };
            // An undivided name may be in either field.
            if made.surname.is_empty() && made.collab.is_empty() {
                made.collab = std::mem::take(&mut made.given_names);
            }
            for affiliation in list(one, "affiliation") {
                made.affiliations.push(affiliate(affiliation, meta));
            }
            made.affiliations.retain(|id| !id.is_empty());
            if !made.surname.is_empty() || !made.collab.is_empty() {
                meta.contributors.push(made);
            }
        }
    }
}

/// The id of an affiliation, which is added if it is new.
fn affiliate(value: &Value, meta: &mut ArticleMeta) -> String {
    let place = list(value, "place").iter().map(json::scalar).collect::<Vec<_>>().join(", ");
    let parts = [text(value, "name"), place];
    let printed = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
    let ids = list(value, "id").iter().map(|id| text(id, "id"));
    let institution_id = ids.into_iter().find(|id| id.starts_with("http")).unwrap_or_default();
    affiliation(&printed, &institution_id, meta)
}

/// The id of the affiliation with this text, which is added if it is new; "" for an empty text.
pub(super) fn affiliation(printed: &str, institution_id: &str, meta: &mut ArticleMeta) -> String {
    if printed.is_empty() {
        return String::new();
    }
    if let Some(known) = meta.affiliations.iter().find(|known| known.text == printed) {
        return known.id.clone();
    }
    let id = format!("aff-{}", meta.affiliations.len() + 1);
    meta.affiliations.push(Affiliation {
        id: id.clone(),
        text: printed.to_owned(),
        institution_id: institution_id.to_owned(),
        ..Affiliation::default()
    });
    id
}

/// An ORCID iD as `0000-0000-0000-0000`, from an address or a number; "" if the text has none.
pub(super) fn orcid(text: &str) -> String {
    let digits: String = text.chars().rev().filter(|c| c.is_ascii_digit() || matches!(c, 'X' | 'x')).take(16).collect();
    let digits: Vec<char> = digits.to_uppercase().chars().rev().collect();
    if digits.len() != 16 || digits.iter().take(15).any(|c| !c.is_ascii_digit()) {
        return String::new();
    }
    digits.chunks(4).map(|four| four.iter().collect::<String>()).collect::<Vec<_>>().join("-")
}

/// The date under a key.
fn day(item: &Value, key: &str, read: &mut DateReader) -> String {
    let value = &item[key];
    let [year, month, day] = [0_usize, 1, 2].map(|at| json::scalar(&value["date-parts"][0][at]));
    let made = read.of(key, &year, &month, &day);
    if made.is_empty() { date_parts(value) } else { made }
}

fn dates(item: &Value, meta: &mut ArticleMeta, read: &mut DateReader) {
    meta.dates.print = day(item, "published-print", read);
    meta.dates.online = day(item, "published-online", read);
    meta.dates.accepted = day(item, "accepted", read);
    if meta.dates.print.is_empty() && meta.dates.online.is_empty() {
        meta.dates.online = ["published", "issued", "posted"]
            .into_iter()
            .map(|key| day(item, key, read))
            .find(|date| !date.is_empty())
            .unwrap_or_default();
    }
    for one in list(item, "assertion") {
        let name = text(one, "name");
        let field = match name.as_str() {
            "received" => &mut meta.dates.received,
            "revised" => &mut meta.dates.revised,
            "accepted" => &mut meta.dates.accepted,
            _ => continue,
        };
        let day = read.iso(&name, &text(one, "value"));
        if field.len() < day.len() {
            *field = day;
        }
    }
    // Its year alone counts here: what no calendar has of it is reported with the period.
    let issue = date_parts(&item["journal-issue"]["published-print"]);
    meta.year = [issue.as_str(), &meta.dates.print, &meta.dates.online].into_iter().find_map(date::year);
}

fn funding(item: &Value, meta: &mut ArticleMeta) {
    for one in list(item, "funder") {
        let id = text(one, "DOI");
        meta.funding.push(Funding {
            source: text(one, "name"),
            source_id: if id.is_empty() { id } else { format!("https://doi.org/{id}") },
            awards: list(one, "award").iter().map(json::scalar).filter(|award| !award.is_empty()).collect(),
            recipients: Vec::new(),
        });
    }
}

/// Chooses a licence: an open one, else that of the version of record, else the first.
fn license(item: &Value, meta: &mut ArticleMeta) {
    let all = list(item, "license");
    let url = |one: &Value| text(one, "URL");
    let common = all.iter().find(|one| license::is_open(&url(one)));
    let record = all.iter().find(|one| text(one, "content-version") == "vor");
    let chosen = common.or(record).or(all.first()).map(url);
    meta.license_url = chosen.filter(|address| link::is_web(address)).unwrap_or_default();
    meta.open_access = common.is_some();
}

fn related(item: &Value, meta: &mut ArticleMeta) {
    for (key, side) in [("update-to", NoticeSide::Notice), ("updated-by", NoticeSide::Affected)] {
        for one in list(item, key) {
            let kind = update_kind(&text(one, "type")).relation(side).to_owned();
            let related = RelatedArticle { kind, href: text(one, "DOI"), text: text(one, "label") };
            if !related.href.is_empty() {
                meta.related.push(related);
            }
        }
    }
    let Some(relations) = item["relation"].as_object() else { return };
    for relation in relations.keys() {
        let Some(kind) = relation_kind(relation) else { continue };
        for one in list(&item["relation"], relation) {
            let href = text(one, "id");
            if !href.is_empty() {
                meta.related.push(RelatedArticle { kind: kind.to_owned(), href, text: String::new() });
            }
        }
    }
}

/// The notice that an update of this type is. A type that Crossref may add is a correction.
pub(super) fn update_kind(update_type: &str) -> NoticeKind {
    let retracts = update_type.to_lowercase().contains("retract");
    let unknown = if retracts { NoticeKind::Retraction } else { NoticeKind::Correction };
    NoticeKind::of_word(update_type).unwrap_or(unknown)
}

/// The JATS `@article-type` of an update; `None` for one that is a whole article, such as a new version.
pub(super) const fn update_article_type(kind: NoticeKind) -> Option<&'static str> {
    match kind {
        NoticeKind::Retraction | NoticeKind::Withdrawal => Some("retraction"),
        NoticeKind::PartialRetraction => Some("partial-retraction"),
        NoticeKind::Concern => Some("expression-of-concern"),
        NoticeKind::Correction => Some("correction"),
        NoticeKind::Addendum => Some("addendum"),
        NoticeKind::Republication | NoticeKind::Update | NoticeKind::Comment | NoticeKind::Reply => None,
    }
}

/// The JATS `@related-article-type` for a relation, in the words of the JSON (`is-comment-on`) or of the deposits (`isCommentOn`).
pub(super) fn relation_kind(relation: &str) -> Option<&'static str> {
    let (comment, reply, update) = (NoticeKind::Comment, NoticeKind::Reply, NoticeKind::Update);
    Some(match relation.replace('-', "").to_ascii_lowercase().as_str() {
        "iscommenton" => comment.relation(NoticeSide::Notice),
        "hascomment" => comment.relation(NoticeSide::Affected),
        "isreplyto" => reply.relation(NoticeSide::Notice),
        "hasreply" => reply.relation(NoticeSide::Affected),
        "replaces" => update.relation(NoticeSide::Notice),
        "isreplacedby" => update.relation(NoticeSide::Affected),
        "istranslationof" => "translated-article",
        "ispreprintof" => "preprint-of",
        "haspreprint" => "preprint",
        "isreviewof" => "peer-reviewed-article",
        _ => return None,
    })
}

fn period(item: &Value, meta: &ArticleMeta, read: &mut DateReader) -> Option<Period> {
    if meta.journal.title.is_empty() || !matches!(text(item, "type").as_str(), "journal-article" | "") {
        return None;
    }
    let mut period = Period::of(meta)?;
    for key in ["published-print", "published-online"] {
        let date = day(&item["journal-issue"], key, read);
        if !date.is_empty() {
            period.date = date;
            break;
        }
    }
    let title = text(item, "special_numbering");
    if !title.is_empty() {
        period.titles.push((String::new(), title));
    }
    Some(period)
}

fn reference(one: &Value) -> Work {
    let volume_title = text(one, "volume-title");
    let journal = text(one, "journal-title");
    let title = without_tags(&text(one, "article-title"));
    let (title, container) = match (title.is_empty(), volume_title.is_empty()) {
        (true, false) => (volume_title, journal),
        (false, false) => (title, volume_title),
        _ => (title, journal),
    };
    let author = text(one, "author");
    let kind = match (&container, text(one, "isbn").is_empty() && text(one, "ISBN").is_empty()) {
        (container, true) if !container.is_empty() && !text(one, "journal-title").is_empty() => "article-journal",
        (container, _) if !container.is_empty() => "chapter",
        (_, false) => "book",
        _ => "",
    };
    Work {
        key: text(one, "key"),
        kind: kind.to_owned(),
        title,
        container: without_tags(&container),
        collection: text(one, "series-title"),
        authors: if author.is_empty() { Vec::new() } else { vec![Name::parse(&author)] },
        year: text(one, "year"),
        volume: text(one, "volume"),
        issue: text(one, "issue"),
        pages: text(one, "first-page"),
        edition: text(one, "edition"),
        doi: Doi::parse(&text(one, "DOI")).ok(),
        issn: text(one, "ISSN"),
        isbn: [text(one, "ISBN"), text(one, "isbn")].into_iter().find(|isbn| !isbn.is_empty()).unwrap_or_default(),
        unstructured: text(one, "unstructured"),
        ..Work::default()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use proptest::prelude::*;

    use super::*;
    use crate::markup::jats_of_tests;

    const WORK: &str = r#"{"status":"ok","message-type":"work","message":{
        "DOI":"10.5555/X.1","type":"journal-article","title":["On <i>tides</i> &amp; ebbs"],"subtitle":[],"language":"en",
        "container-title":["Ocean Ledger"],"ISSN":["12345679","1234-5679"],"publisher":"Press","volume":"3","issue":"2",
        "page":"10-19","abstract":"<jats:title>Abstract</jats:title><jats:p>Water <jats:italic>moves</jats:italic>.</jats:p>",
        "author":[{"given":"Ada","family":"Lovelace","ORCID":"https://orcid.org/0000-0002-1825-0097","affiliation":[{"name":"Institute"}]},
                  {"name":"The Tide Group"},{"family":null,"given":"王小明","affiliation":[{"name":"Institute"}]}],
        "published-print":{"date-parts":[[2026,3]]},"published-online":{"date-parts":[[2025,12,24]]},
        "assertion":[{"name":"received","value":"21 July 2025"}],
        "license":[{"URL":"https://x.example/tdm","content-version":"tdm"},{"URL":"https://creativecommons.org/licenses/by/4.0/"}],
        "funder":[{"name":"Fund","DOI":"10.13039/5","award":["A1"]}],
        "journal-issue":{"issue":"2","published-print":{"date-parts":[[2026,3,1]]}},
        "reference":[{"key":"r1","article-title":"Ebb","journal-title":"Sea","author":"Doe","year":"1999","volume":"1","first-page":"7","DOI":"10.5555/e"},
                     {"key":"r2","unstructured":"Doe J. A book. 2001."}]}}"#;

    #[test]
    fn a_work_becomes_an_article_and_its_issue() {
        let made = import(WORK.as_bytes(), jats_of_tests).unwrap();
        let [article] = made.articles.records.as_slice() else { panic!("{made:?}") };
        let meta = &article.meta;
        assert_eq!(meta.source_key, "doi:10.5555/x.1");
        assert_eq!(meta.title("en"), "On tides & ebbs");
        assert_eq!((meta.first_page.as_str(), meta.last_page.as_str()), ("10", "19"));
        assert_eq!(meta.journal.issn, ["1234-5679"]);
        let names: Vec<String> = meta.authors().map(Contributor::display_name).collect();
        assert_eq!(names, ["Ada Lovelace", "The Tide Group", "王小明"]);
        assert_eq!(meta.contributors[0].orcid, "0000-0002-1825-0097");
        assert_eq!(meta.affiliations.len(), 1);
        assert_eq!(meta.dates.received, "2025-07-21");
        assert_eq!((meta.year, meta.open_access), (Some(2026), true));
        assert_eq!(masthead_domain::content::text::plain(&article.body.abstracts[0].nodes), "Water moves.");
        let refs = &article.body.reference_lists[0].refs;
        assert_eq!(refs[0].citations[0].plain, "Doe. Ebb. Sea. 1999;1:7. https://doi.org/10.5555/e");
        assert_eq!(refs[1].citations[0].plain, "Doe J. A book. 2001.");
        assert_eq!(made.periods.len(), 1);
        assert_eq!((made.periods[0].date.as_str(), made.periods[0].volume.as_str()), ("2026-03-01", "3"));
    }

    #[test]
    fn dates_that_no_calendar_has_are_cut_and_reported() {
        let work = WORK
            .replace("[[2025,12,24]]", "[[2025,2,29]]")
            .replace("21 July 2025", "31 April 2025")
            .replace("[[2026,3,1]]", "[[2026,13]]");
        let made = import(work.as_bytes(), jats_of_tests).unwrap();
        let meta = &made.articles.records[0].meta;
        assert_eq!((meta.dates.online.as_str(), meta.dates.received.as_str()), ("2025-02", "2025-04"));
        assert_eq!((made.periods[0].date.as_str(), meta.year), ("2026", Some(2026)));
        let warnings = &made.warnings["doi:10.5555/x.1"];
        for said in [
            "Crossref JSON, record 1, published-online: no calendar has the day 29 of month 2 of the date \"2025-2-29\"; 2025-02 is used",
            "Crossref JSON, record 1, received: no calendar has the day 31 of month 4 of the date \"31 April 2025\"",
            "Crossref JSON, record 1, published-print: no calendar has the month 13 of the date \"2026-13\"; 2026 is used",
        ] {
            assert!(warnings.iter().any(|warning| warning.starts_with(said)), "{said}: {warnings:?}");
        }
        assert_eq!(warnings.len(), 3, "{warnings:?}");
        assert!(import(WORK.as_bytes(), jats_of_tests).unwrap().warnings.is_empty());
    }

    #[test]
    fn updates_and_relations_name_both_sides() {
        let notice = r#"{"message":{"DOI":"10.5555/n","type":"journal-article","title":["N"],
            "update-to":[{"DOI":"10.5555/a","type":"expression_of_concern","label":"Concern"},{"DOI":"10.5555/b","type":"retraction"}]}}"#;
        let affected = r#"{"message":{"DOI":"10.5555/a","type":"journal-article","title":["A"],
            "update-to":[{"DOI":"10.5555/a","type":"correction"}],"updated-by":[{"DOI":"10.5555/n","type":"erratum"}],
            "relation":{"has-comment":[{"id":"10.5555/c","id-type":"doi"}],"is-review-of":[{"id":"10.5555/d"}],"has-format":[{"id":"x"}]}}}"#;
        let read = |text: &str| import(text.as_bytes(), jats_of_tests).unwrap().articles.records.remove(0).meta;
        let of = |meta: &ArticleMeta| -> Vec<(String, String)> {
            meta.related.iter().map(|one| (one.kind.clone(), one.href.clone())).collect()
        };
        let pair = |kind: &str, doi: &str| (kind.to_owned(), doi.to_owned());
        let meta = read(notice);
        assert_eq!(meta.article_type, "expression-of-concern");
        assert_eq!(of(&meta), [pair("object-of-concern", "10.5555/a"), pair("retracted-article", "10.5555/b")]);
        assert_eq!(meta.related[0].text, "Concern");
        let both = notice.replace("expression_of_concern", "new_version");
        assert_eq!(read(&both).article_type, "retraction", "a new version is a whole article, and no kind of notice");
        let meta = read(affected);
        assert_eq!(meta.article_type, "research-article", "corrected in its place, it is no notice");
        let mut found = of(&meta);
        found.sort();
        let expected = [
            pair("commentary", "10.5555/c"),
            pair("corrected-article", "10.5555/a"),
            pair("correction-forward", "10.5555/n"),
            pair("peer-reviewed-article", "10.5555/d"),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn works_that_are_not_articles_are_reported() {
        let list = r#"{"message":{"items":[{"DOI":"10.5555/b","type":"book","title":["B"],"is-referenced-by-count":3},{"DOI":"nonsense","type":"journal-article"},
            {"DOI":"10.5555/a","type":"journal-article","title":["A"],"article-number":"e7","page":"e7","is-referenced-by-count":12,"issued":{"date-parts":[[null]]}},
            {"x":1}, {"title":"J","ISSN":["1234-5679"],"publisher":"P"}]}}"#;
        let made = import(list.as_bytes(), jats_of_tests).unwrap();
        assert_eq!((made.articles.records.len(), made.articles.faults.len(), made.journals.len()), (1, 3, 1));
        assert_eq!(made.articles.records[0].meta.elocation_id, "e7");
        assert_eq!(made.citations, BTreeMap::from([("10.5555/a".to_owned(), 12)]), "of articles, where it is said");
        let message = made.articles.faults[1].to_string();
        assert!(message.starts_with("Crossref JSON, record 2, DOI:"), "{message}");
    }

    #[test]
    fn other_json_is_refused() {
        assert!(import(b"", jats_of_tests).unwrap_err().to_string().contains("empty"));
        assert_eq!(import(b"{\n\"a\":", jats_of_tests).unwrap_err().line, Some(2));
        assert!(import(&b"[".repeat(100_000), jats_of_tests).is_err());
        assert!(import(b"{}", jats_of_tests).is_err());
    }

    proptest! {
        #[test]
        fn damage_never_panics(at in 0_usize..WORK.len(), byte: u8, cut in 0_usize..WORK.len()) {
            let mut bytes = WORK.as_bytes().to_vec();
            bytes[at] = byte;
            bytes.truncate(cut.max(1));
            let _ = import(&bytes, jats_of_tests);
            let mut bytes = WORK.as_bytes().to_vec();
            bytes[at] = byte;
            let _ = import(&bytes, jats_of_tests);
        }
    }
}
