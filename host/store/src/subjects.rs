//! The names of records in the audit trail and among the fields that were edited by hand.

use masthead_domain::{ArticleId, resource::ResourceKind};

/// The installation as a whole; lines about it are of site 0.
pub const INSTALLATION: &str = "installation";

/// The kinds of subjects that editors change: records, redirects, stored files and uploads for imports. Members, institutions,
/// administrators, tokens, secrets, settings, plugins and the site as a whole are of other kinds.
#[must_use]
pub fn kinds_of_records() -> Vec<&'static str> {
    let apart = ["journal", "issue", "article", "redirect", "media", "import"];
    apart.into_iter().chain(ResourceKind::ALL.map(ResourceKind::as_str)).collect()
}

/// An article, by its number: `article/12`.
#[must_use]
pub fn article(id: ArticleId) -> String {
    format!("article/{id}")
}

/// The article that a subject is; `None` for other subjects.
pub(crate) fn as_article(subject: &str) -> Option<ArticleId> {
    subject.strip_prefix("article/")?.parse().ok().map(ArticleId)
}

/// A journal, by its key: `journal/tides`.
#[must_use]
pub fn journal(key: &str) -> String {
    format!("journal/{key}")
}

/// An issue, by the key of its journal, year and number: `issue/tides/2026/3`.
#[must_use]
pub fn issue(journal: &str, year: i64, number: &str) -> String {
    format!("issue/{journal}/{year}/{number}")
}

/// A redirect, by its path: `redirect/old/about`.
#[must_use]
pub fn redirect(from: &str) -> String {
    format!("redirect{from}")
}

/// A site as a whole, by its short name: `site/oceanledger`.
#[must_use]
pub fn site(sld: &str) -> String {
    format!("site/{sld}")
}

/// A resource, by its kind and key: `news/opening`.
#[must_use]
pub fn resource(kind: ResourceKind, key: &str) -> String {
    format!("{}/{key}", kind.as_str())
}
