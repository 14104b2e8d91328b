//! What it is: import and export of JATS; rendering of content nodes to sanitized semantic HTML; TeX and MathML to safe MathML.
//! What it is not: it opens no connection, fetches no DTD, reads and writes no file and stores nothing. Formats other than JATS
//! are in `formats`.
//! Who may depend on it: `content` and the crates above it; it depends on `domain` and `xml`.

pub mod figures_and_tables;
pub mod html;
pub mod jats;
pub mod math;
