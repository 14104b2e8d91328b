//! `citation_*` meta tags for the head of an article's page.

use masthead_domain::{article::ArticleMeta, publication::Journal};

use super::{LandingPage, MAX_AUTHORS_IN_HEAD, affiliations, issns, journal_title, orcid, published};

/// `citation_*` meta tags, `(name, content)`, as Google Scholar and reference managers read them.
#[must_use]
pub fn tags(meta: &ArticleMeta, journal: Option<&Journal>, landing: &LandingPage<'_>) -> Vec<(&'static str, String)> {
    let mut tags = Vec::new();
    let mut push = |name: &'static str, content: &str| {
        if !content.is_empty() {
            tags.push((name, content.to_owned()));
        }
    };
    push("citation_title", meta.title(&meta.language));
    for person in meta.authors().take(MAX_AUTHORS_IN_HEAD) {
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
    // Google Scholar does not index an article without a date; a year is sufficient.
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
    // The full-text address is given only if the reader may read the full text there.
    push("citation_fulltext_html_url", if landing.readable { landing.address } else { "" });
    push("citation_pdf_url", &landing.pdf_address());
    tags
}
