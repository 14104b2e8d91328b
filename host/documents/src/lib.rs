//! What it is: JATS in and out; content nodes and sanitized semantic HTML out; TeX and MathML to safe MathML.
//! What it is not: it opens no connection, fetches no DTD, reads and writes no file and stores nothing. Formats other than JATS
//! are in `formats`.
//! Who may depend on it: `server` only; it depends on `domain` and `xml`.

pub mod figures_and_tables;
pub mod html;
pub mod jats;
pub mod math;
