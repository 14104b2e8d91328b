//! Export: an article as a package of files. Whole sites are written by [`crate::site_bundle`].

pub mod article_package;
