//! How an article is cited: `citation_*` tags, JSON-LD (schema.org), and a line of text.

use masthead_domain::{Lang, article::ArticleMeta, publication::Journal};
use serde_json::{Value, json};

/// `citation_*` tags as Google Scholar and reference managers read them.
#[must_use]
pub fn tags(meta: &ArticleMeta, journal: Option<&Journal>, address: &str) -> Vec<(&'static str, String)> {
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
        for id in &person.affiliations {
            if let Some(aff) = meta.affiliations.iter().find(|aff| aff.id == *id) {
                push("citation_author_institution", &aff.text);
            }
        }
        if !person.orcid.is_empty() {
            push("citation_author_orcid", &format!("https://orcid.org/{}", person.orcid));
        }
    }
    push("citation_publication_date", &meta.dates.published().replace('-', "/"));
    push("citation_journal_title", &journal_title(meta, journal));
    push("citation_journal_abbrev", &meta.journal.abbrev);
    push("citation_publisher", &meta.journal.publisher);
    for issn in &meta.journal.issn {
        push("citation_issn", issn);
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
    push("citation_fulltext_html_url", address);
    tags
}

fn journal_title(meta: &ArticleMeta, journal: Option<&Journal>) -> String {
    if meta.journal.title.is_empty() {
        let lang = Lang::from_tag(&meta.language).unwrap_or(Lang::En);
        journal.map(|journal| journal.title.get(lang).to_owned()).unwrap_or_default()
    } else {
        meta.journal.title.clone()
    }
}

/// schema.org `ScholarlyArticle`.
#[must_use]
pub fn json_ld(meta: &ArticleMeta, journal: Option<&Journal>, address: &str) -> Value {
    let authors: Vec<Value> = meta
        .authors()
        .map(|person| {
            let kind = if person.collab.is_empty() { "Person" } else { "Organization" };
            let mut value = json!({ "@type": kind, "name": person.display_name() });
            if !person.orcid.is_empty() {
                value["@id"] = json!(format!("https://orcid.org/{}", person.orcid));
            }
            value
        })
        .collect();
    let mut value = json!({
        "@context": "https://schema.org",
        "@type": "ScholarlyArticle",
        "@id": meta.doi.as_ref().map_or_else(|| address.to_owned(), masthead_domain::Doi::url),
        "url": address,
        "headline": meta.title(&meta.language),
        "inLanguage": meta.language,
        "author": authors,
        "isAccessibleForFree": meta.open_access,
        "isPartOf": {
            "@type": "Periodical",
            "name": journal_title(meta, journal),
            "issn": meta.journal.issn,
        },
    });
    for (key, text) in [
        ("datePublished", meta.dates.published()),
        ("license", meta.license_url.as_str()),
        ("identifier", meta.doi.as_ref().map_or("", |doi| doi.as_str())),
    ] {
        if !text.is_empty() {
            value[key] = json!(text);
        }
    }
    value
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
        let tags = tags(&meta(), None, "https://a.example/en/article/1");
        for wanted in [
            ("citation_author", "Lovelace, Ada"),
            ("citation_author", "王, 小明"),
            ("citation_publication_date", "2026/03/01"),
            ("citation_firstpage", "10"),
            ("citation_doi", "10.5555/x.1"),
        ] {
            assert!(tags.iter().any(|(name, content)| (*name, content.as_str()) == wanted), "{wanted:?}: {tags:?}");
        }
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
