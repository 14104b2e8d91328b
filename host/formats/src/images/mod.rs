//! Pictures: their size in pixels, renditions of smaller size, and the check of vector pictures.

pub mod rendition;
mod size;
pub mod svg;

pub use size::size;
