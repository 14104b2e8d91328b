//! Citation metadata of stored articles.

use masthead_documents::html::RenderedArticle;
use masthead_domain::{access::Rights, article::ArticleMeta, publication::Journal};
use masthead_store::StoredArticle;
use serde_json::Value;

use crate::{
    notices::{self, LinkedNotice},
    readable_article::{self, Abstract},
};

pub use masthead_formats::citation::{CitationStyle, LandingPage, journal_title, journals, styled, tags, text};

/// The landing page of an article at an absolute URL, for a reader with these rights.
#[must_use]
pub fn landing<'a>(article: &StoredArticle, address: &'a str, rights: &Rights) -> LandingPage<'a> {
    let access = article.access();
    let pdf = rights.download(access).is_some() && article.pdf().is_some();
    LandingPage { address, readable: rights.read(access).is_some(), pdf }
}

/// schema.org `ScholarlyArticle`, with the abstract as plain text and the notices of the article.
#[must_use]
pub fn json_ld(
    meta: &ArticleMeta,
    journal: Option<&Journal>,
    rendered: &RenderedArticle,
    landing: &LandingPage<'_>,
    notices: &[LinkedNotice],
) -> Value {
    let abstracts: Vec<Abstract> = readable_article::abstracts_of(rendered).collect();
    let abstracts: Vec<(&str, &str)> = abstracts.iter().map(|one| (one.lang.as_str(), one.text.as_str())).collect();
    let mut description = masthead_formats::citation::json_ld(meta, journal, &abstracts, landing);
    notices::describe(&mut description, notices);
    description
}
