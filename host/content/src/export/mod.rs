//! Export of an article as a package of files. Whole sites are exported by [`crate::site_bundle`].

pub mod article_package;
