//! How an article is cited: `citation_*` tags, JSON-LD (schema.org), and a line of text.

use masthead_documents::html::{RenderedArticle, SectionKind};
use masthead_domain::{
    Doi, Lang,
    access::Permissions,
    article::{Affiliation, ArticleMeta, Contributor, Funding},
    lang::same_language,
    publication::Journal,
};
use masthead_store::StoredArticle;
use serde_json::{Value, json};

use crate::text::plain;

/// An article's own page.
#[derive(Clone, Copy, Debug)]
pub struct Landing<'a> {
    /// Absolute address.
    pub address: &'a str,
    /// Whether the reader may read the full text there.
    pub readable: bool,
    /// Whether there is a PDF of the article, and the reader may have it.
    pub pdf: bool,
}

impl<'a> Landing<'a> {
    /// The page of an article at an absolute address, for a reader with these permissions.
    #[must_use]
    pub fn new(article: &StoredArticle, address: &'a str, permissions: Permissions) -> Self {
        let readable = permissions.visit_power;
        Self { address, readable, pdf: readable && permissions.download_power && article.pdf().is_some() }
    }

    /// The PDF's address, or "". It begins with the page's: Google Scholar follows no other.
    #[must_use]
    pub fn pdf_address(&self) -> String {
        if self.pdf { format!("{}?format=pdf", self.address) } else { String::new() }
    }
}

/// `citation_*` tags as Google Scholar and reference managers read them.
#[must_use]
pub fn tags(meta: &ArticleMeta, journal: Option<&Journal>, landing: &Landing<'_>) -> Vec<(&'static str, String)> {
    let mut tags = Vec::new();
    let mut push = |name: &'static str, content: &str| {
        if !content.is_empty() {
            tags.push((name, content.to_owned()));
        }
    };
    push("citation_title", meta.title(&meta.language));
    for person in meta.authors() {
        let name = if person.collab.is_empty() && !person.surname.is_empty() {
            [person.surname.as_str(), person.given_names.as_str()].join(", ").trim_end_matches(", ").to_owned()
        } else {
            person.display_name()
        };
        push("citation_author", &name);
        for aff in affiliations(meta, person) {
            push("citation_author_institution", &aff.text);
        }
        push("citation_author_orcid", &orcid(person).unwrap_or_default());
    }
    // Google Scholar leaves out an article without a date; a year is enough.
    push("citation_publication_date", &published(meta).replace('-', "/"));
    push("citation_online_date", &meta.dates.online.replace('-', "/"));
    push("citation_journal_title", &journal_title(meta, journal));
    push("citation_journal_abbrev", &meta.journal.abbrev);
    push("citation_publisher", &meta.journal.publisher);
    for issn in issns(meta, journal) {
        push("citation_issn", &issn);
    }
    push("citation_volume", &meta.volume);
    push("citation_issue", &meta.issue);
    push("citation_firstpage", if meta.first_page.is_empty() { &meta.elocation_id } else { &meta.first_page });
    push("citation_lastpage", &meta.last_page);
    push("citation_doi", meta.doi.as_ref().map_or("", |doi| doi.as_str()));
    push("citation_language", &meta.language);
    for group in &meta.keywords {
        for keyword in &group.plain {
            push("citation_keywords", keyword);
        }
    }
    push("citation_abstract_html_url", landing.address);
    // An address that leads to an abstract alone is not to be called one of the full text.
    push("citation_fulltext_html_url", if landing.readable { landing.address } else { "" });
    push("citation_pdf_url", &landing.pdf_address());
    tags
}

fn affiliations<'a>(meta: &'a ArticleMeta, person: &'a Contributor) -> impl Iterator<Item = &'a Affiliation> {
    person.affiliations.iter().filter_map(|id| meta.affiliations.iter().find(|aff| aff.id == *id))
}

fn orcid(person: &Contributor) -> Option<String> {
    (!person.orcid.is_empty()).then(|| format!("https://orcid.org/{}", person.orcid))
}

/// The day, month or year of publication, or "".
fn published(meta: &ArticleMeta) -> String {
    let year = || meta.year.map(|year| year.to_string()).unwrap_or_default();
    Some(meta.dates.published()).filter(|date| !date.is_empty()).map_or_else(year, str::to_owned)
}

/// The article's own, else those of the journal.
fn issns(meta: &ArticleMeta, journal: Option<&Journal>) -> Vec<String> {
    if !meta.journal.issn.is_empty() {
        return meta.journal.issn.clone();
    }
    let of_journal = journal.into_iter().flat_map(|journal| [journal.issn.clone(), journal.eissn.clone()]);
    of_journal.filter(|issn| !issn.is_empty()).collect()
}

/// The journal's name: the article's own, else the site's.
#[must_use]
pub fn journal_title(meta: &ArticleMeta, journal: Option<&Journal>) -> String {
    if meta.journal.title.is_empty() {
        let lang = Lang::from_tag(&meta.language).unwrap_or(Lang::En);
        journal.map(|journal| journal.title.get(lang).to_owned()).unwrap_or_default()
    } else {
        meta.journal.title.clone()
    }
}

/// schema.org `ScholarlyArticle`, in its issue, in its volume, in its journal.
#[must_use]
pub fn json_ld(
    meta: &ArticleMeta,
    journal: Option<&Journal>,
    rendered: &RenderedArticle,
    landing: &Landing<'_>,
) -> Value {
    let title = meta.title(&meta.language);
    let others = meta.titles.iter().map(|text| &text.plain).filter(|text| *text != title && !text.is_empty());
    let abstracts = rendered.sections.iter().filter(|section| section.kind == SectionKind::Abstract);
    let mut abstracts = abstracts.map(|section| (section.lang.as_str(), plain(&section.html)));
    let summary = abstracts.clone().find(|(lang, _)| same_language(lang, &meta.language)).or_else(|| abstracts.next());
    let pages = match (meta.first_page.as_str(), meta.last_page.as_str()) {
        ("", _) => meta.elocation_id.clone(),
        (first, "") => first.to_owned(),
        (first, last) => format!("{first}-{last}"),
    };
    let doi = meta.doi.as_ref();
    let identifier = doi
        .map(|doi| json!({ "@type": "PropertyValue", "propertyID": "doi", "value": doi.as_str(), "url": doi.url() }));
    let funders: Vec<Value> = meta.funding.iter().filter(|fund| !fund.source.is_empty()).map(funder).collect();
    let keywords: Vec<&String> = meta.keywords.iter().flat_map(|group| &group.plain).collect();
    let mut value = json!({
        "@context": "https://schema.org",
        "@type": "ScholarlyArticle",
        "@id": doi.map_or_else(|| landing.address.to_owned(), Doi::url),
        "url": landing.address,
        "mainEntityOfPage": landing.address,
        "headline": title,
        "name": title,
        "alternativeHeadline": others.collect::<Vec<_>>(),
        "abstract": summary.map(|(_, text)| text).unwrap_or_default(),
        "inLanguage": meta.language,
        "author": meta.authors().map(|person| contributor(meta, person)).collect::<Vec<_>>(),
        "isAccessibleForFree": meta.open_access || landing.readable,
        "isPartOf": part_of(meta, journal),
        "pageStart": meta.first_page,
        "pageEnd": meta.last_page,
        "pagination": pages,
        "datePublished": published(meta),
        "license": meta.license_url,
        "copyrightNotice": meta.copyright,
        "keywords": keywords,
        "about": meta.subjects,
        "publisher": named("Organization", &meta.journal.publisher),
        "funder": funders,
        "identifier": identifier,
        "sameAs": doi.map(Doi::url),
        "encoding": landing.pdf.then(
            || json!({ "@type": "MediaObject", "encodingFormat": "application/pdf", "contentUrl": landing.pdf_address() })
        ),
    });
    drop_empty(&mut value);
    value
}

fn contributor(meta: &ArticleMeta, person: &Contributor) -> Value {
    let group = !person.collab.is_empty();
    let mut places: Vec<Value> = Vec::new();
    for aff in affiliations(meta, person) {
        let mut place = named("Organization", &aff.text);
        if aff.institution_id.starts_with("http") {
            place["@id"] = json!(aff.institution_id);
        }
        places.push(place);
    }
    let names: Vec<&String> = person.alternatives.iter().map(|(_, name)| name).collect();
    json!({
        "@type": if group { "Organization" } else { "Person" },
        "@id": orcid(person),
        "name": person.display_name(),
        "familyName": if group { "" } else { &person.surname },
        "givenName": if group { "" } else { &person.given_names },
        "alternateName": names,
        "identifier": orcid(person),
        "affiliation": places,
    })
}

fn funder(fund: &Funding) -> Value {
    let id = Some(fund.source_id.as_str()).filter(|id| id.starts_with("http"));
    json!({ "@type": "Organization", "@id": id, "name": fund.source })
}

/// The issue in its volume in its journal, as far as they are known.
fn part_of(meta: &ArticleMeta, journal: Option<&Journal>) -> Value {
    let periodical = json!({
        "@type": "Periodical",
        "name": journal_title(meta, journal),
        "alternateName": meta.journal.abbrev,
        "issn": issns(meta, journal),
    });
    let volume = match meta.volume.as_str() {
        "" => periodical,
        volume => json!({ "@type": "PublicationVolume", "volumeNumber": volume, "isPartOf": periodical }),
    };
    match meta.issue.as_str() {
        "" => volume,
        issue => json!({ "@type": "PublicationIssue", "issueNumber": issue, "isPartOf": volume }),
    }
}

fn named(kind: &str, name: &str) -> Value {
    if name.is_empty() { Value::Null } else { json!({ "@type": kind, "name": name }) }
}

/// schema.org's `Periodical` for the home page of a site; of a site with several journals, the list of them.
#[must_use]
pub fn journals(site: &str, address: &str, lang: Lang, journals: &[Journal]) -> Value {
    let periodical = |journal: &Journal| {
        let names: Vec<&String> = journal.title.0.values().filter(|name| *name != journal.title.get(lang)).collect();
        let issn: Vec<&String> = [&journal.issn, &journal.eissn].into_iter().filter(|issn| !issn.is_empty()).collect();
        json!({
            "@type": "Periodical",
            "name": journal.title.get(lang),
            "alternateName": names,
            "issn": issn,
            "description": journal.introduction.get(lang),
            "publisher": named("Organization", journal.sponsor.get(lang)),
            "editor": named("Person", journal.editor_in_chief.get(lang)),
            "startDate": journal.start_year.map(|year| year.to_string()),
        })
    };
    let mut value = match journals {
        [only] => {
            let mut value = periodical(only);
            value["@id"] = json!(address);
            value["url"] = json!(address);
            value["inLanguage"] = json!(lang.tag());
            value
        }
        several => json!({
            "@type": "WebSite",
            "@id": address,
            "url": address,
            "name": site,
            "inLanguage": lang.tag(),
            "hasPart": several.iter().map(periodical).collect::<Vec<_>>(),
        }),
    };
    value["@context"] = json!("https://schema.org");
    drop_empty(&mut value);
    value
}

/// What says nothing is not said.
fn drop_empty(value: &mut Value) {
    let is_empty = |value: &Value| match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    };
    match value {
        Value::Object(map) => {
            map.values_mut().for_each(drop_empty);
            map.retain(|_, value| !is_empty(value));
        }
        Value::Array(items) => items.iter_mut().for_each(drop_empty),
        _ => {}
    }
}

/// A line to copy, in the manner of GB/T 7714 for Chinese readers, else of APA.
#[must_use]
pub fn text(meta: &ArticleMeta, journal: Option<&Journal>, lang: Lang) -> String {
    let names: Vec<String> = meta.authors().map(masthead_domain::article::Contributor::display_name).collect();
    let title = meta.title(&meta.language);
    let journal = journal_title(meta, journal);
    let year = meta.year.map(|year| year.to_string()).unwrap_or_default();
    let issue = if meta.issue.is_empty() { String::new() } else { format!("({})", meta.issue) };
    let pages = match (meta.first_page.as_str(), meta.last_page.as_str()) {
        ("", _) => meta.elocation_id.clone(),
        (first, "") => first.to_owned(),
        (first, last) => format!("{first}-{last}"),
    };
    let doi = meta.doi.as_ref().map(masthead_domain::Doi::url).unwrap_or_default();
    if lang == Lang::Zh {
        let mut authors = names.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
        if names.len() > 3 {
            authors.push_str(", 等");
        }
        let place =
            [year, format!("{}{issue}", meta.volume)].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
        let pages = if pages.is_empty() { String::new() } else { format!(": {pages}") };
        return format!("{authors}. {title}[J]. {journal}, {}{pages}. {doi}", place.join(", ")).trim().to_owned();
    }
    let authors = match names.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} & {last}", most.join(", ")),
    };
    let place =
        [format!("{}{issue}", meta.volume), pages].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
    let place = if place.is_empty() { String::new() } else { format!(", {}", place.join(", ")) };
    format!("{authors} ({year}). {title}. {journal}{place}. {doi}").trim().to_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_domain::{
        Doi,
        article::{Contributor, Dates, JournalRef, LangText},
    };

    use super::*;

    fn meta() -> ArticleMeta {
        let person = |surname: &str, given: &str| Contributor {
            role: "author".into(),
            surname: surname.into(),
            given_names: given.into(),
            ..Contributor::default()
        };
        ArticleMeta {
            language: "en".into(),
            titles: vec![LangText { lang: "en".into(), plain: "On Tides".into(), nodes: vec![] }],
            contributors: vec![person("Lovelace", "Ada"), person("王", "小明")],
            journal: JournalRef {
                title: "Ocean Ledger".into(),
                issn: vec!["1234-5679".into()],
                ..JournalRef::default()
            },
            year: Some(2026),
            volume: "3".into(),
            issue: "2".into(),
            first_page: "10".into(),
            last_page: "19".into(),
            dates: Dates { online: "2026-03-01".into(), ..Dates::default() },
            doi: Some(Doi::parse("10.5555/x.1").unwrap()),
            ..ArticleMeta::default()
        }
    }

    #[test]
    fn tags_are_what_reference_managers_read() {
        let landing = Landing { address: "https://a.example/en/article/1", readable: true, pdf: true };
        let tags = tags(&meta(), None, &landing);
        for wanted in [
            ("citation_author", "Lovelace, Ada"),
            ("citation_author", "王, 小明"),
            ("citation_publication_date", "2026/03/01"),
            ("citation_firstpage", "10"),
            ("citation_doi", "10.5555/x.1"),
            ("citation_pdf_url", "https://a.example/en/article/1?format=pdf"),
        ] {
            assert!(tags.iter().any(|(name, content)| (*name, content.as_str()) == wanted), "{wanted:?}: {tags:?}");
        }
        let closed = Landing { readable: false, pdf: false, ..landing };
        let undated = ArticleMeta { dates: Dates::default(), ..meta() };
        let tags = super::tags(&undated, None, &closed);
        assert!(tags.iter().all(|(name, _)| !matches!(*name, "citation_fulltext_html_url" | "citation_pdf_url")));
        assert!(tags.contains(&("citation_publication_date", "2026".to_owned())));
    }

    #[test]
    fn json_ld_says_where_the_article_stands_and_nothing_empty() {
        let section = |lang: &str, html: &str| masthead_documents::html::RenderedSection {
            kind: SectionKind::Abstract,
            lang: lang.into(),
            title: String::new(),
            id: String::new(),
            html: html.into(),
        };
        let rendered = RenderedArticle {
            sections: vec![section("zh", "<p>潮</p>"), section("en", "<p>Tides &amp; silt</p>")],
            ..RenderedArticle::default()
        };
        let landing = Landing { address: "https://a.example/en/article/1", readable: false, pdf: false };
        let value = json_ld(&meta(), None, &rendered, &landing);
        assert_eq!(value["isPartOf"]["@type"], "PublicationIssue");
        assert_eq!(value["isPartOf"]["isPartOf"]["volumeNumber"], "3");
        assert_eq!(value["isPartOf"]["isPartOf"]["isPartOf"]["issn"][0], "1234-5679");
        assert_eq!(value["abstract"], "Tides & silt");
        assert_eq!(value["author"][0]["familyName"], "Lovelace");
        assert_eq!(value["isAccessibleForFree"], false);
        assert!(value.get("license").is_none() && value["author"][0].get("@id").is_none());
    }

    #[test]
    fn a_citation_reads_as_in_its_style() {
        assert_eq!(
            text(&meta(), None, Lang::En),
            "Ada Lovelace & 王小明 (2026). On Tides. Ocean Ledger, 3(2), 10-19. https://doi.org/10.5555/x.1"
        );
        assert_eq!(
            text(&meta(), None, Lang::Zh),
            "Ada Lovelace, 王小明. On Tides[J]. Ocean Ledger, 2026, 3(2): 10-19. https://doi.org/10.5555/x.1"
        );
    }
}
