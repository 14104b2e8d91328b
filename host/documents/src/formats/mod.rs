//! Formats other than JATS articles: what librarians have, as pure functions from bytes to plain values.
//!
//! Only [`package`] touches files, and only in the folder that its caller gives.

pub mod package;
pub mod rendition;
pub mod sheet;
