//! What an export has, and how it names files.

use masthead_domain::article::RelatedArticle;

/// Options of an export.
#[derive(Clone, Copy, Default)]
pub struct ExportOptions<'a> {
    /// Exports metadata and abstracts only: no body, no back matter, no other parts.
    pub front_only: bool,
    /// Omits the XML declaration, for an article within another document.
    pub embedded: bool,
    /// Omits the instruction with the exact article, for readers other than this importer.
    pub portable: bool,
    /// Renames pictures and files by the name in the source. Links out of the article are not renamed.
    pub href: Option<Rename<'a>>,
    /// Related articles that the article's own source does not name. They are written behind those that it names, and are not part of the
    /// exact article.
    pub related: &'a [RelatedArticle],
}

/// Returns the new name of a file, or `None` if it keeps the name in the source.
pub type Rename<'a> = &'a dyn Fn(&str) -> Option<String>;
