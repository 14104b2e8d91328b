//! What it is: JATS in and out; content nodes and sanitized semantic HTML out; TeX and MathML to safe MathML.
//! Other formats of libraries and journals are in [`formats`].
//! What it is not: it opens no connection, fetches no DTD and stores nothing. It reads and writes no file, but for
//! [`formats::package::unpack`], which unpacks what it is handed into a folder that it is handed.
//! Who may depend on it: `server` only; it depends on `domain` alone.

pub mod exhibits;
pub mod feed;
pub mod formats;
pub mod html;
pub mod jats;
pub mod math;
pub mod oai;
pub mod picture;
pub mod sitemap;
pub mod text;
mod writer;
