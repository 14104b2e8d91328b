//! Formats other than JATS articles: what librarians have, as pure functions from bytes to plain values.
//!
//! Only [`package`] touches files, and only in the folder that its caller gives.

pub mod cite;
pub mod crossref;
mod date;
pub mod doaj;
mod error;
mod json;
mod markup;
pub mod package;
mod period;
pub mod references;
pub mod rendition;
pub mod sheet;
mod work;

pub use error::{FormatError, Records};
pub use period::Period;
pub use work::{Name, Work};
