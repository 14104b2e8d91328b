//! Export of an article as a package of files, and of articles as a Crossref deposit. Whole sites are exported by [`crate::site_bundle`].

pub mod article_package;
pub mod crossref_deposit;
