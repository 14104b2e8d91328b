//! The Masthead portal host.
fn main() {}
