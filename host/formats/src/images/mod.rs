//! Pictures: their size in pixels, and smaller versions of them.

pub mod rendition;
mod size;

pub use size::size;
