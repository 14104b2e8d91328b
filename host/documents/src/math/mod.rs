//! Formulas: TeX and MathML of any source to the MathML that browsers draw, built from a closed vocabulary.

mod letters;
mod mathml;
mod rewrite;
mod tex;

pub(crate) use mathml::STYLES;
pub use mathml::{ATTRIBUTES, ELEMENTS, sanitize, sanitize_str};
pub(crate) use tex::tex_to_mathml_inner;
pub use tex::{MathError, source, tex_to_mathml};
