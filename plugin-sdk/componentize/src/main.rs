//! Wraps a core WebAssembly module into the component that the host loads.
fn main() {}
