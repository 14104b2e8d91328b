//! What it is: JATS in; content nodes and sanitized semantic HTML out; TeX and MathML to safe MathML.
//! What it is not: it reads no file, opens no connection, fetches no DTD and stores nothing.
//! Who may depend on it: `server` only; it depends on `domain` alone.

pub mod feed;
pub mod html;
pub mod jats;
pub mod math;
pub mod oai;
pub mod picture;
pub mod sitemap;
pub mod text;
mod writer;
