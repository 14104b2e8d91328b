//! What it is: decoding and parsing of XML with limits on size, depth and entity expansion; and the writer of XML.
//! What it is not: it knows no vocabulary (JATS, ONIX, OAI-PMH), fetches no DTD and opens no file.
//! Who may depend on it: `documents`, `formats` and the crates above them; it depends on `domain` alone.
//!
//! [`parse`] reads a whole file into a tree with positions; [`Elements`] reads a file of any length record by record; [`outermost`]
//! checks a file that is passed on as it is, and keeps its outermost element alone.

mod attributes;
mod encoding;
mod entities;
mod error;
pub mod node;
mod outermost;
mod records;
mod tree;
mod writer;

pub use encoding::{Decoded, declared, decode};
pub use error::XmlError;
pub use outermost::outermost;
pub use records::{Child, Element, Elements, RecordError, document};
pub use roxmltree::{Document, Node};
pub use tree::{Limits, Tree, parse};
pub use writer::{Attributes, XmlWriter, clean, is_language, local_moment, mail_moment, moment};
