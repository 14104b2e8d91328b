//! What it is: the formats that libraries, publishers and readers exchange: catalogues, lists of references, archives, tables
//! for spreadsheets, pictures in several sizes. The functions are pure: from bytes to plain values, or back.
//! What it is not: it renders no article and reads no JATS; for records that contain JATS, the caller passes a [`ReadJats`].
//! It opens no connection, and no file except in [`archive::unpack`], which writes into the folder that its caller provides.
//! Who may depend on it: `content` and the crates above it; it depends on `domain`, `xml` and `citation-formats`.

pub mod archive;
pub mod catalogues;
pub mod citation;
mod date;
mod error;
pub mod html_text;
pub mod images;
mod json;
mod markup;
pub mod references;
pub mod spreadsheet;
mod work;
mod xml;

pub use error::{FormatError, Records};
pub use markup::{JatsFault, ReadJats};
pub use work::{Name, Work};
