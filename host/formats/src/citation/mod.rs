//! How an article is cited: tags for reference managers, JSON-LD, and a line of text in a style.

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
pub use style::text;

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

impl Landing<'_> {
    /// The PDF's address, or "". It begins with the page's: Google Scholar follows no other.
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

#[cfg(test)]
mod tests;
