//! Loads, limits and calls WebAssembly plugins.
