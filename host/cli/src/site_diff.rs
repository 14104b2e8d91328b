//! The differences between two copies of a site, in short, as `masthead site load` and `compare` print them.

pub use masthead_content::site_bundle::{TableSummary, summary};
