//! Crossref's deposit XML (`doi_batch`, schema 4.3 to 5): journals, issues and articles as publishers register them.
//!
//! Long because a deposit describes journals, issues, articles and their relations, each with elements of its own of a few lines.

mod write;

use std::collections::BTreeMap;

use masthead_domain::{
    article::{Article, ArticleMeta, Contributor, Funding, JournalRef, RelatedArticle},
    content::{Abstract, RefList},
    ids::Doi,
    lang::language_tag,
    license, link,
    notice::NoticeSide,
};

pub use write::{DepositEntry, DepositWriter, Depositor};

use super::{
    crossref::{affiliation, orcid, pages, relation_kind, update_article_type, update_kind},
    issue::{Period, issn},
};
use crate::{
    FormatError, Name, ReadJats, Records, Work,
    date::{self, DateReader},
    markup,
    xml::{Element, Elements},
};

const FORMAT: &str = "Crossref deposit XML";
/// Limit on the size of one article in bytes.
const MAX_RECORD: usize = 8 << 20;
/// Limit on the number of articles in a file.
const MAX_ARTICLES: usize = 20_000;
/// Limit on the number of references of an article.
const MAX_REFERENCES: usize = 10_000;

/// The elements that are read one by one: the parts of a journal, and records of other kinds. A journal as a whole may be too long.
const RECORDS: [&str; 14] = [
    "journal_metadata",
    "journal_issue",
    "journal_article",
    "book",
    "conference",
    "dissertation",
    "report-paper",
    "standard",
    "database",
    "peer_review",
    "posted_content",
    "pending_publication",
    "sa_component",
    "grant",
];

/// Elements of an article that are read, or that describe the deposit and not the article.
const KNOWN: [&str; 14] = [
    "titles",
    "contributors",
    "abstract",
    "publication_date",
    "acceptance_date",
    "pages",
    "publisher_item",
    "crossmark",
    "program",
    "doi_data",
    "citation_list",
    "archive_locations",
    "scn_policies",
    "version_info",
];

/// The content of a deposit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Deposit {
    /// Articles with bibliographic data, abstract and references; records of other types are reported as faults.
    pub articles: Records<DepositedArticle>,
    /// Issues, without duplicates.
    pub periods: Vec<Period>,
    /// Journals, without duplicates.
    pub journals: Vec<JournalRef>,
}

/// An article of a deposit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DepositedArticle {
    /// The article.
    pub article: Article,
    /// The parts of its record that are not imported, and dates that no calendar has.
    pub warnings: Vec<String>,
}

/// The journal and the issue to which the next articles belong.
#[derive(Default)]
struct Within {
    journal: JournalRef,
    language: String,
    issue: Option<Period>,
}

/// Whether the bytes are XML and not JSON, by the first character.
#[must_use]
pub fn is_xml(bytes: &[u8]) -> bool {
    // In UTF-16 the first character has a zero byte.
    let first =
        bytes.iter().find(|byte| !matches!(byte, 0 | 0xef | 0xbb | 0xbf | 0xfe | 0xff) && !byte.is_ascii_whitespace());
    first == Some(&b'<')
}

/// Reads a deposit, article by article.
///
/// # Errors
/// [`FormatError`] if the file is no deposit. If the XML is cut off or damaged, the articles before remain and a fault is added.
pub fn import(bytes: &[u8], jats: ReadJats) -> Result<Deposit, FormatError> {
    let mut elements = Elements::new(FORMAT, bytes, &RECORDS, MAX_RECORD);
    let (mut made, mut within, mut number) = (Deposit::default(), Within::default(), 0);
    while let Some(read) = elements.next() {
        if elements.root().is_some_and(|root| root.name != "doi_batch") {
            return Err(FormatError::new(FORMAT, "the outermost element of a deposit is <doi_batch>"));
        }
        let element = match read {
            Ok(element) => element,
            Err(error) if number == 0 => return Err(error),
            Err(error) => {
                made.articles.fault(error.record(number + 1));
                break;
            }
        };
        match element.name.as_str() {
            "journal_metadata" => {
                within = journal(&element);
                let known = |one: &JournalRef| one.title == within.journal.title && one.issn == within.journal.issn;
                if !within.journal.title.is_empty() && !made.journals.iter().any(known) {
                    made.journals.push(within.journal.clone());
                }
            }
            "journal_issue" => {
                let issue = issue(&element, &within.journal);
                if !issue.issue.is_empty() {
                    issue.clone().add_to(&mut made.periods);
                }
                within.issue = Some(issue);
            }
            kind => {
                number += 1;
                if number > MAX_ARTICLES {
                    return Err(FormatError::new(FORMAT, format!("the file has more than {MAX_ARTICLES} records")));
                }
                let at = |fault: FormatError| fault.record(number).line(element.line);
                if kind == "journal_article" {
                    let mut read = DateReader::new(at(FormatError::new(FORMAT, "")));
                    match article(&element, &within, jats, &mut read) {
                        Ok(mut article) => {
                            article.warnings.extend(read.warnings());
                            made.articles.records.push(article);
                        }
                        Err(fault) => made.articles.fault(at(fault)),
                    }
                } else {
                    let reason = format!("it is a {kind}, not an article of a journal: leave it out");
                    made.articles.fault(at(FormatError::new(FORMAT, reason)));
                }
            }
        }
    }
    if number == 0 && made.journals.is_empty() {
        return Err(FormatError::new(FORMAT, "the file holds no journal: send a deposit of journal articles"));
    }
    Ok(made)
}

fn journal(metadata: &Element) -> Within {
    let mut found: Vec<String> = Vec::new();
    for one in metadata.all("issn").filter_map(|one| issn(&one.text())) {
        if !found.contains(&one) {
            found.push(one);
        }
    }
    Within {
        journal: JournalRef {
            title: metadata.child_text("full_title"),
            abbrev: metadata.child_text("abbrev_title"),
            issn: found,
            ..JournalRef::default()
        },
        language: language_tag(metadata.attribute("language")),
        issue: None,
    }
}

fn issue(element: &Element, journal: &JournalRef) -> Period {
    let mut read = DateReader::new(FormatError::new(FORMAT, "").line(element.line));
    let [print, online] = publication_dates(element, &mut read);
    let date = if print.is_empty() { online } else { print };
    let titles = element.all("titles").flat_map(|titles| titles.all("title")).map(Element::text);
    let titles = titles.chain([element.child_text("special_numbering")]).filter(|title| !title.is_empty());
    Period {
        journal: journal.clone(),
        year: date::year(&date),
        volume: element.child("journal_volume").map(|volume| volume.child_text("volume")).unwrap_or_default(),
        issue: element.child_text("issue"),
        titles: titles.map(|title| (String::new(), title)).collect(),
        date,
        warnings: read.warnings(),
        ..Period::default()
    }
}

/// The dates of publication in print and online. A date without a medium is one of print.
fn publication_dates(element: &Element, read: &mut DateReader) -> [String; 2] {
    let mut dates = [String::new(), String::new()];
    for one in element.all("publication_date") {
        let at = usize::from(one.attribute("media_type") == "online");
        if dates[at].is_empty() {
            dates[at] = day(one, read);
        }
    }
    dates
}

fn day(element: &Element, read: &mut DateReader) -> String {
    let [year, month, day] = ["year", "month", "day"].map(|part| element.child_text(part));
    read.of(&element.name, &year, &month, &day)
}

fn article(
    element: &Element,
    within: &Within,
    jats: ReadJats,
    read: &mut DateReader,
) -> Result<DepositedArticle, FormatError> {
    let text = element.child("doi_data").map(|data| data.child_text("doi")).unwrap_or_default();
    let doi = Doi::parse(&text).map_err(|error| FormatError::new(FORMAT, error.to_string()).field("doi"))?;
    let language = [language_tag(element.attribute("language")), within.language.clone(), "en".to_owned()];
    let mut meta = ArticleMeta {
        source_key: format!("doi:{}", doi.key()),
        doi: Some(doi),
        article_type: "research-article".to_owned(),
        language: language.into_iter().find(|tag| !tag.is_empty()).unwrap_or_default(),
        journal: within.journal.clone(),
        ..ArticleMeta::default()
    };
    titles(element, jats, &mut meta);
    if meta.titles.is_empty() {
        return Err(FormatError::new(FORMAT, "the article has no title").field("titles"));
    }
    for one in element.child("contributors").into_iter().flat_map(Element::elements) {
        contributor(one, &mut meta);
    }
    numbers(element, within, &mut meta, read);
    let crossmark = element.child("crossmark");
    let custom = crossmark.and_then(|mark| mark.child("custom_metadata"));
    for part in [Some(element), custom].into_iter().flatten() {
        part.all("program").for_each(|program| statements(program, &mut meta));
    }
    for one in custom.into_iter().flat_map(|custom| custom.all("assertion")) {
        asserted(one, &mut meta, read);
    }
    for one in crossmark.and_then(|mark| mark.child("updates")).into_iter().flat_map(|updates| updates.all("update")) {
        let (kind, href) = (update_kind(one.attribute("type")), one.text());
        // An article that was corrected in its place has an update of itself, and is no notice.
        let of_another = Doi::parse(&href).ok().is_none_or(|doi| meta.doi.as_ref() != Some(&doi));
        if let Some(article_type) = update_article_type(kind).filter(|_| of_another) {
            article_type.clone_into(&mut meta.article_type);
        }
        let relation = kind.relation(NoticeSide::Notice).to_owned();
        meta.related.push(RelatedArticle { kind: relation, href, text: String::new() });
    }
    let mut article = Article::default();
    article.body.abstracts = abstracts(element, &meta.language, jats);
    let citations = element.child("citation_list").into_iter().flat_map(|list| list.all("citation"));
    let refs: Vec<_> = citations
        .take(MAX_REFERENCES)
        .enumerate()
        .map(|(at, one)| citation(one).to_reference(jats, format!("ref-{}", at + 1)))
        .collect();
    meta.reference_count = u32::try_from(refs.len()).unwrap_or(u32::MAX);
    if !refs.is_empty() {
        article.body.reference_lists.push(RefList { refs, ..RefList::default() });
    }
    article.meta = meta;
    Ok(DepositedArticle { article, warnings: left_out(element) })
}

/// Sets the date that an assertion of Crossmark gives.
fn asserted(assertion: &Element, meta: &mut ArticleMeta, read: &mut DateReader) {
    let name = assertion.attribute("name");
    let field = match name {
        "received" => &mut meta.dates.received,
        "revised" => &mut meta.dates.revised,
        "accepted" => &mut meta.dates.accepted,
        _ => return,
    };
    *field = read.iso(name, &assertion.text());
}

/// A warning that names the parts of a record that are not imported.
fn left_out(element: &Element) -> Vec<String> {
    let mut unknown = BTreeMap::<&str, usize>::new();
    for child in element.elements().filter(|child| !KNOWN.contains(&child.name.as_str())) {
        *unknown.entry(&child.name).or_default() += 1;
    }
    if unknown.is_empty() {
        return Vec::new();
    }
    let list: Vec<_> = unknown.iter().map(|(name, number)| format!("{name} ({number})")).collect();
    vec![format!("parts of the record that are not imported: {}", list.join(", "))]
}

fn titles(element: &Element, jats: ReadJats, meta: &mut ArticleMeta) {
    for (at, group) in element.all("titles").enumerate() {
        // Further groups are translations, whose language the schema does not give.
        let mut lang = if at == 0 { meta.language.clone() } else { String::new() };
        for one in group.elements() {
            if one.name == "original_language_title" {
                lang = language_tag(one.attribute("language"));
            }
            let title = markup::text(jats, &lang, &one.markup());
            let known = |all: &[masthead_domain::article::LangText]| all.iter().any(|own| own.plain == title.plain);
            match one.name.as_str() {
                "title" | "original_language_title" if !title.plain.is_empty() && !known(&meta.titles) => {
                    meta.titles.push(title);
                }
                "subtitle" if !title.plain.is_empty() && !known(&meta.subtitles) => meta.subtitles.push(title),
                _ => {}
            }
        }
    }
}

fn contributor(one: &Element, meta: &mut ArticleMeta) {
    let role = one.attribute("contributor_role");
    let mut made = Contributor {
        role: if role.is_empty() { "author" } else { role }.to_owned(),
        orcid: orcid(&one.child_text("ORCID")),
        ..Contributor::default()
    };
    match one.name.as_str() {
        "person_name" => {
            made.surname = one.child_text("surname");
            made.given_names = one.child_text("given_name");
            made.suffix = one.child_text("suffix");
            // An undivided name may be in either field.
            if made.surname.is_empty() {
                made.collab = std::mem::take(&mut made.given_names);
            }
        }
        "organization" => made.collab = one.own_text(),
        _ => return,
    }
    if made.surname.is_empty() && made.collab.is_empty() {
        return;
    }
    for other in one.all("alt-name").flat_map(Element::elements) {
        let name = match (other.child("surname"), other.child("given-names")) {
            (Some(surname), Some(given)) => {
                Contributor { surname: surname.text(), given_names: given.text(), ..Contributor::default() }
                    .display_name()
            }
            _ => other.text(),
        };
        if !name.is_empty() {
            made.alternatives.push((language_tag(other.attribute("lang")), name));
        }
    }
    // Up to schema 4.4 an affiliation is a text, since 5.0 an institution.
    for text in one.all("affiliation") {
        made.affiliations.push(affiliation(&text.text(), "", meta));
    }
    for institution in one.child("affiliations").into_iter().flat_map(|list| list.all("institution")) {
        let parts = ["institution_department", "institution_name", "institution_place"];
        let parts: Vec<String> = parts.into_iter().flat_map(|name| institution.all(name)).map(Element::text).collect();
        let id = institution.all("institution_id").map(Element::text).find(|id| id.starts_with("http"));
        let id = id.unwrap_or_default();
        // An institution may be given by its identifier alone.
        let printed = if parts.is_empty() { id.clone() } else { parts.join(", ") };
        made.affiliations.push(affiliation(&printed, &id, meta));
    }
    made.affiliations.retain(|id| !id.is_empty());
    meta.contributors.push(made);
}

/// Sets dates, volume, issue, pages and publisher's identifiers.
fn numbers(element: &Element, within: &Within, meta: &mut ArticleMeta, read: &mut DateReader) {
    [meta.dates.print, meta.dates.online] = publication_dates(element, read);
    meta.dates.accepted = element.child("acceptance_date").map(|date| day(date, read)).unwrap_or_default();
    let mut issued = None;
    if let Some(issue) = &within.issue {
        (meta.volume, meta.issue) = (issue.volume.clone(), issue.issue.clone());
        issued = issue.year;
    }
    meta.year = issued.or_else(|| [&meta.dates.print, &meta.dates.online].into_iter().find_map(|day| date::year(day)));
    let item = element.child("publisher_item");
    let mut number = String::new();
    for one in item.into_iter().flat_map(|item| item.all("item_number")) {
        let kind = one.attribute("item_number_type").to_lowercase().replace(['_', '-'], " ");
        if matches!(kind.as_str(), "article number" | "elocation id" | "e location id") {
            number = one.text();
        }
    }
    for one in item.into_iter().flat_map(|item| item.all("identifier")) {
        let (kind, value) = (one.attribute("id_type").to_lowercase(), one.text());
        if !kind.is_empty() && kind != "doi" && !value.is_empty() {
            meta.ids.push((kind, value));
        }
    }
    let of = |name: &str| element.child("pages").map(|pages| pages.child_text(name)).unwrap_or_default();
    let (first, last) = (of("first_page"), of("last_page"));
    if last.is_empty() {
        pages(&first, &number, meta);
    } else {
        (meta.first_page, meta.last_page, meta.elocation_id) = (first, last, number);
    }
}

/// Reads a `program`: licences (AccessIndicators), funders (FundRef) or relations.
fn statements(program: &Element, meta: &mut ArticleMeta) {
    let licences: Vec<&Element> = program.all("license_ref").collect();
    // An open one, else that of the version of record, else the first.
    let common = licences.iter().find(|one| license::is_open(&one.text()));
    let record = licences.iter().find(|one| one.attribute("applies_to") == "vor");
    let chosen = common.or(record).or(licences.first()).map(|one| one.text());
    if let Some(address) = chosen.filter(|address| link::is_web(address)) {
        meta.license_url = address;
    }
    // `free_to_read` says who may read the article, which is no licence.
    meta.open_access |= common.is_some();
    let mut single = Funding::default();
    for one in program.all("assertion") {
        if one.attribute("name") == "fundgroup" {
            let mut funding = Funding::default();
            one.all("assertion").for_each(|part| fund(part, &mut funding));
            meta.funding.push(funding);
        } else {
            fund(one, &mut single);
        }
    }
    meta.funding.push(single);
    meta.funding.retain(|funding| *funding != Funding::default());
    for item in program.all("related_item").flat_map(Element::elements) {
        let Some(kind) = relation_kind(item.attribute("relationship-type")) else { continue };
        meta.related.push(RelatedArticle { kind: kind.to_owned(), href: item.text(), text: String::new() });
    }
}

fn fund(assertion: &Element, funding: &mut Funding) {
    match assertion.attribute("name") {
        "funder_name" => {
            funding.source = assertion.own_text();
            assertion.all("assertion").for_each(|part| fund(part, funding));
        }
        "funder_identifier" | "ror" => {
            let id = assertion.own_text();
            let is_address = id.starts_with("http");
            funding.source_id = if is_address { id } else { format!("https://doi.org/{id}") };
        }
        "award_number" => funding.awards.push(assertion.own_text()),
        _ => {}
    }
}

fn abstracts(element: &Element, language: &str, jats: ReadJats) -> Vec<Abstract> {
    let mut all = Vec::new();
    for one in element.all("abstract") {
        let tag = language_tag(one.attribute("lang"));
        let lang = if tag.is_empty() { language } else { tag.as_str() };
        let kind = one.attribute("abstract-type");
        all.extend(markup::abstracts(jats, lang, &one.markup()).into_iter().map(|made| Abstract {
            kind: if made.kind.is_empty() { kind.to_owned() } else { made.kind.clone() },
            ..made
        }));
    }
    all
}

fn citation(one: &Element) -> Work {
    let of = |name: &str| one.child_text(name);
    let (journal, volume_title, article_title) = (of("journal_title"), of("volume_title"), of("article_title"));
    let kind = match (journal.is_empty(), volume_title.is_empty(), article_title.is_empty()) {
        (false, ..) => "article-journal",
        (true, false, false) => "chapter",
        (true, false, true) => "book",
        _ if !of("isbn").is_empty() => "book",
        _ => "",
    };
    let (title, container) = if kind == "book" && !volume_title.is_empty() {
        (volume_title, String::new())
    } else {
        (article_title, if journal.is_empty() { volume_title } else { journal })
    };
    let author = of("author");
    Work {
        key: one.attribute("key").to_owned(),
        kind: kind.to_owned(),
        title,
        container,
        collection: of("series_title"),
        authors: if author.is_empty() { Vec::new() } else { vec![Name::parse(&author)] },
        year: of("cYear"),
        volume: of("volume"),
        issue: of("issue"),
        pages: [of("first_page"), of("elocation_id")].into_iter().find(|page| !page.is_empty()).unwrap_or_default(),
        edition: of("edition_number"),
        doi: Doi::parse(&of("doi")).ok(),
        issn: of("issn"),
        isbn: of("isbn"),
        unstructured: of("unstructured_citation"),
        ..Work::default()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use proptest::prelude::*;

    use super::*;
    use crate::markup::jats_of_tests;

    const DEPOSIT: &str = include_str!("../../../tests/fixtures/crossref-deposit.xml");

    #[test]
    fn a_deposit_becomes_articles_issues_and_journals() {
        let made = import(DEPOSIT.as_bytes(), jats_of_tests).unwrap();
        let [first, second] = made.articles.records.as_slice() else { panic!("{made:#?}") };
        let meta = &first.article.meta;
        assert_eq!((meta.source_key.as_str(), meta.title("en")), ("doi:10.5555/tl.7.1", "On tides & Zostera marina"));
        assert_eq!((meta.titles[1].lang.as_str(), meta.titles[1].plain.as_str()), ("pt", "Sobre as marés"));
        assert_eq!(meta.subtitles[0].plain, "A first look");
        let names: Vec<String> = meta.authors().map(Contributor::display_name).collect();
        assert_eq!(names, ["Inês Amaro", "The Tide Group"]);
        assert_eq!(meta.contributors[0].orcid, "0000-0002-1825-0097");
        assert_eq!(meta.contributors[0].alternatives, [("ja".to_owned(), "アマロ".to_owned())]);
        assert_eq!(meta.affiliations[0].text, "Department of Tides, Coast Institute, Faro");
        assert_eq!(meta.affiliations[0].institution_id, "https://ror.org/00x0x0x00");
        assert_eq!(meta.contributors[2].role, "editor");
        assert_eq!((meta.volume.as_str(), meta.issue.as_str(), meta.year), ("7", "2", Some(2026)));
        assert_eq!((meta.first_page.as_str(), meta.last_page.as_str()), ("S1-10", "S1-19"));
        assert_eq!((meta.dates.online.as_str(), meta.dates.received.as_str()), ("2026-03-04", "2025-07-21"));
        assert_eq!(meta.license_url, "https://creativecommons.org/licenses/by/4.0/");
        assert!(meta.open_access);
        let money = Funding {
            source: "Fund of the Coasts".to_owned(),
            source_id: "https://doi.org/10.13039/555".to_owned(),
            awards: vec!["T-12".to_owned()],
            ..Funding::default()
        };
        assert_eq!(meta.funding, [money]);
        assert_eq!(meta.related[0].kind, "translated-article");
        assert_eq!(
            masthead_domain::content::text::plain(&first.article.body.abstracts[0].nodes),
            "Water moves & rests."
        );
        let refs = &first.article.body.reference_lists[0].refs;
        assert_eq!(refs[0].citations[0].plain, "Doe. Ebb. Sea. 1999;1:7. https://doi.org/10.5555/e");
        assert_eq!(first.warnings, ["parts of the record that are not imported: component_list (1)"]);

        let meta = &second.article.meta;
        assert_eq!((meta.journal.title.as_str(), meta.elocation_id.as_str()), ("Other Ledger", "e14"));
        assert_eq!((meta.issue.as_str(), meta.language.as_str()), ("", "fr"));
        assert_eq!((meta.affiliations[0].text.as_str(), second.warnings.len()), ("Atelier, Brest", 0));

        assert_eq!(made.journals.len(), 2);
        assert_eq!(made.journals[0].issn, ["1234-5679"]);
        assert_eq!(made.periods.len(), 1);
        assert_eq!((made.periods[0].date.as_str(), made.periods[0].volume.as_str()), ("2026-03", "7"));
    }

    #[test]
    fn dates_that_no_calendar_has_are_cut_and_reported() {
        let date = |name: &str, month: &str, day: &str| {
            format!("<{name}><month>{month}</month><day>{day}</day><year>2015</year></{name}>")
        };
        let (of_issue, of_article) = (date("publication_date", "21", ""), date("publication_date", "2", "29"));
        let accepted = date("acceptance_date", "13", "1");
        let xml = format!(
            "<doi_batch><body><journal><journal_metadata><full_title>J</full_title></journal_metadata>\n\
             <journal_issue>{of_issue}<issue>2</issue></journal_issue>\n\
             <journal_issue>{of_article}<issue>3</issue></journal_issue>\n\
             <journal_article><titles><title>T</title></titles>{of_article}{accepted}\
             <doi_data><doi>10.5555/n</doi></doi_data></journal_article></journal></body></doi_batch>"
        );
        let made = import(xml.as_bytes(), jats_of_tests).unwrap();
        let [article] = made.articles.records.as_slice() else { panic!("{made:#?}") };
        let dates = &article.article.meta.dates;
        assert_eq!((dates.print.as_str(), dates.accepted.as_str()), ("2015-02", "2015"));
        let [print, accepted] = article.warnings.as_slice() else { panic!("{article:#?}") };
        let place = "Crossref deposit XML, record 1, line 4, ";
        assert!(
            print.starts_with(&format!("{place}publication_date: no calendar has the day 29 of month 2")),
            "{print}"
        );
        assert!(accepted.starts_with(&format!("{place}acceptance_date: no calendar has the month 13")), "{accepted}");
        let [season, day] = made.periods.as_slice() else { panic!("{made:#?}") };
        assert_eq!((season.date.as_str(), season.warnings.len()), ("2015", 0), "Crossref numbers seasons from 21");
        assert_eq!((day.date.as_str(), day.warnings.len()), ("2015-02", 1));
    }

    #[test]
    fn updates_and_relations_are_read() {
        let article = |inside: &str| {
            let xml = format!(
                "<doi_batch><body><journal><journal_metadata><full_title>J</full_title></journal_metadata><journal_article>\
                 <titles><title>T</title></titles>{inside}<doi_data><doi>10.5555/n</doi></doi_data>\
                 </journal_article></journal></body></doi_batch>"
            );
            import(xml.as_bytes(), jats_of_tests).unwrap().articles.records.remove(0).article.meta
        };
        let meta = article(
            "<crossmark><updates><update type=\"partial_retraction\">10.5555/a</update></updates></crossmark>\
             <program><related_item><inter_work_relation relationship-type=\"isReplyTo\">10.5555/b</inter_work_relation>\
             </related_item></program>",
        );
        let found: Vec<_> = meta.related.iter().map(|one| (one.kind.as_str(), one.href.as_str())).collect();
        assert_eq!(meta.article_type, "partial-retraction");
        assert!(found.contains(&("partially-retracted-article", "10.5555/a")), "{found:?}");
        assert!(found.contains(&("replied-article", "10.5555/b")), "{found:?}");
        let own = article("<crossmark><updates><update type=\"correction\">10.5555/N</update></updates></crossmark>");
        assert_eq!(own.article_type, "research-article");
    }

    #[test]
    fn faulty_records_are_reported_and_others_are_read() {
        let made = import(DEPOSIT.as_bytes(), jats_of_tests).unwrap();
        let faults: Vec<String> = made.articles.faults.iter().map(ToString::to_string).collect();
        assert_eq!(faults.len(), 3, "{faults:#?}");
        assert!(faults[0].starts_with("Crossref deposit XML, record 2, line ") && faults[0].contains("not a DOI"));
        assert!(faults[1].contains("record 3") && faults[1].contains("no title"), "{faults:#?}");
        assert!(faults[2].contains("record 5") && faults[2].contains("is a conference"), "{faults:#?}");
        let cut = DEPOSIT.find("Other Ledger").unwrap();
        let cut = import(&DEPOSIT.as_bytes()[..cut], jats_of_tests).unwrap();
        assert_eq!((cut.articles.records.len(), cut.articles.faults.len()), (1, 3), "{cut:#?}");
        assert!(cut.articles.faults[2].reason.contains("cut off"));
        for wrong in ["<doi_batch><body/></doi_batch>", "<articles><journal_article/></articles>", "", "<doi_batch>"] {
            assert!(import(wrong.as_bytes(), jats_of_tests).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_address_of_a_licence_is_one_of_the_web() {
        let address = "https://creativecommons.org/licenses/by/4.0/";
        for bad in
            ["javascript:alert('creativecommons.org')", "httpx://creativecommons.org/", "CC BY creativecommons.org"]
        {
            let made = import(DEPOSIT.replace(address, bad).as_bytes(), jats_of_tests).unwrap();
            assert_eq!(made.articles.records[0].article.meta.license_url, "", "{bad}");
        }
    }

    #[test]
    fn free_to_read_is_no_licence() {
        let free = DEPOSIT
            .replace("https://creativecommons.org/licenses/by/4.0/", "https://tide.example/terms")
            .replace("<ai:license_ref applies_to=\"tdm\">", "<ai:free_to_read/><ai:license_ref applies_to=\"tdm\">");
        let made = import(free.as_bytes(), jats_of_tests).unwrap();
        let meta = &made.articles.records[0].article.meta;
        assert_eq!((meta.license_url.as_str(), meta.open_access), ("https://tide.example/terms", false));
    }

    #[test]
    fn xml_is_told_from_json() {
        let wide: Vec<u8> = "\u{feff}<doi_batch/>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(is_xml(b"\xef\xbb\xbf\n <doi_batch/>") && is_xml(&wide));
        assert!(!is_xml(b" {\"message\": \"<\"}") && !is_xml(b""));
    }

    proptest! {
        #[test]
        fn damage_never_panics(at in 0_usize..DEPOSIT.len(), byte: u8, cut in 0_usize..DEPOSIT.len()) {
            let mut bytes = DEPOSIT.as_bytes().to_vec();
            bytes[at] = byte;
            let _ = import(&bytes, jats_of_tests);
            bytes.truncate(cut.max(1));
            let _ = import(&bytes, jats_of_tests);
        }
    }
}
