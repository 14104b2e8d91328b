//! What it is: JATS in and out; content nodes and sanitized semantic HTML out; TeX and MathML to safe MathML.
//! What it is not: it reads no file, opens no connection, fetches no DTD and stores nothing.
//! Who may depend on it: `server` only; it depends on `domain` alone.

pub mod html;
pub mod jats;
pub mod math;
pub mod picture;
pub mod text;
