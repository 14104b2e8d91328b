//! Citation metadata of stored articles.

use masthead_documents::html::{RenderedArticle, SectionKind};
use masthead_domain::{access::Permissions, article::ArticleMeta, publication::Journal};
use masthead_store::StoredArticle;
use serde_json::Value;

pub use masthead_formats::citation::{Landing, journal_title, journals, tags, text};

/// The landing page of an article at an absolute URL, for a reader with these permissions.
#[must_use]
pub fn landing<'a>(article: &StoredArticle, address: &'a str, permissions: Permissions) -> Landing<'a> {
    let readable = permissions.visit_power;
    Landing { address, readable, pdf: readable && permissions.download_power && article.pdf().is_some() }
}

/// schema.org `ScholarlyArticle`, with the abstract as plain text.
#[must_use]
pub fn json_ld(
    meta: &ArticleMeta,
    journal: Option<&Journal>,
    rendered: &RenderedArticle,
    landing: &Landing<'_>,
) -> Value {
    let abstracts = rendered.sections.iter().filter(|section| section.kind == SectionKind::Abstract);
    let abstracts: Vec<(&str, String)> =
        abstracts.map(|section| (section.lang.as_str(), masthead_domain::text::without_tags(&section.html))).collect();
    masthead_formats::citation::json_ld(meta, journal, &abstracts, landing)
}
