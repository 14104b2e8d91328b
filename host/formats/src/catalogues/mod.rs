//! Records of library catalogues, publishers and journal systems: articles, issues, journals and books.

mod book;
pub mod crossref;
pub mod crossref_deposit;
pub mod doaj;
pub mod dublin_core;
mod issue;
pub mod jats_issue;
pub mod marc;
pub mod ojs;
pub mod onix;

pub use book::{Book, BookContributor, isbn13};
pub use issue::Period;
