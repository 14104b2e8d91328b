//! Formats other than JATS articles: what librarians have, as pure functions from bytes to plain values.
//!
//! Only [`package`] touches files, and only in the folder that its caller gives.

mod book;
pub mod cite;
pub mod crossref;
mod date;
pub mod doaj;
mod error;
pub mod jats_issue;
mod json;
mod lang;
pub mod marc;
mod markup;
pub mod ojs;
pub mod onix;
pub mod package;
mod period;
pub mod references;
pub mod rendition;
pub mod sheet;
mod work;
mod xml;

pub use book::{Book, BookContributor, isbn13};
pub use error::{FormatError, Records};
pub use period::Period;
pub use work::{Name, Work};
