//! Formulas: converts TeX and MathML of any source to the MathML that browsers draw, with a fixed set of elements and attributes.

mod letters;
mod mathml;
mod rewrite;
mod tex;

pub(crate) use mathml::STYLES;
pub use mathml::{ATTRIBUTES, ELEMENTS, sanitize, sanitize_str};
pub(crate) use tex::tex_to_mathml_inner;
pub use tex::{MathError, source, tex_to_mathml};
