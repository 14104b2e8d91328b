//! Full-text search of what a site publishes.
