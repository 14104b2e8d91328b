//! Citations of an article: meta tags for reference managers, JSON-LD, and a line of text in a citation style.

mod further_styles;
mod meta_tags;
mod schema_org;
mod style;

use masthead_domain::{
    Lang,
    article::{Affiliation, ArticleMeta, Contributor},
    publication::Journal,
};

pub use meta_tags::tags;
pub use schema_org::{journals, json_ld};
pub use style::{CitationStyle, styled, text};

/// Limit on the authors in the head of a page, which the browser reads before the article; the article itself and its formats name all.
const MAX_AUTHORS_IN_HEAD: usize = 1_000;

/// The page of an article.
#[derive(Clone, Copy, Debug)]
pub struct LandingPage<'a> {
    /// Absolute address.
    pub address: &'a str,
    /// Whether the reader may read the full text on the page.
    pub readable: bool,
    /// Whether the article has a PDF that the reader may download.
    pub pdf: bool,
}

impl LandingPage<'_> {
    /// Address of the PDF, or "". It begins with the address of the page, because Google Scholar follows no others.
    #[must_use]
    pub fn pdf_address(&self) -> String {
        if self.pdf { format!("{}?format=pdf", self.address) } else { String::new() }
    }
}

fn affiliations<'a>(meta: &'a ArticleMeta, person: &'a Contributor) -> impl Iterator<Item = &'a Affiliation> {
    person.affiliations.iter().filter_map(|id| meta.affiliations.iter().find(|aff| aff.id == *id))
}

fn orcid(person: &Contributor) -> Option<String> {
    (!person.orcid.is_empty()).then(|| format!("https://orcid.org/{}", person.orcid))
}

/// Date of publication, ISO 8601 with the precision that is known, or "".
fn published(meta: &ArticleMeta) -> String {
    let year = || meta.year.map(|year| year.to_string()).unwrap_or_default();
    Some(meta.dates.published()).filter(|date| !date.is_empty()).map_or_else(year, str::to_owned)
}

/// ISSNs of the article's source, else those of the site's journal.
fn issns(meta: &ArticleMeta, journal: Option<&Journal>) -> Vec<String> {
    if !meta.journal.issn.is_empty() {
        return meta.journal.issn.clone();
    }
    let of_journal = journal.into_iter().flat_map(|journal| [journal.issn.clone(), journal.eissn.clone()]);
    of_journal.filter(|issn| !issn.is_empty()).collect()
}

/// Title of the journal: that of the article's source, else that of the site.
#[must_use]
pub fn journal_title(meta: &ArticleMeta, journal: Option<&Journal>) -> String {
    if meta.journal.title.is_empty() {
        let lang = Lang::from_tag(&meta.language).unwrap_or(Lang::En);
        journal.map(|journal| journal.title.get(lang).to_owned()).unwrap_or_default()
    } else {
        meta.journal.title.clone()
    }
}

#[cfg(test)]
mod tests;
