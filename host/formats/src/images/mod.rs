//! Pictures: their size in pixels, and renditions of smaller size.

pub mod rendition;
mod size;

pub use size::size;
