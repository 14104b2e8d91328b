//! Moves content between files, the database, the search index and plugins.
//!
//! What it is: import of files and packages, export of articles and whole sites, backups, the change log follower that updates the search
//! index, and the services that the host offers to plugins.
//! What it is not: it handles no requests, and knows neither HTTP nor the command line.
//! Who may depend on it: `web` and `cli`.

mod article_fields;
pub mod backup;
mod bounded_html;
pub mod change_log_follower;
pub mod citation;
pub mod compressed_html;
pub mod crossref;
pub mod data_folder;
mod digest;
pub mod doctor;
pub mod export;
pub mod files;
pub mod granted_secrets;
pub mod host_services;
pub mod import;
mod indexing;
pub mod mentions;
pub mod notices;
pub mod plugin_entries;
pub mod readable_article;
mod record_checks;
pub mod records;
pub mod redirects;
pub mod sanitize;
pub mod saved_settings;
pub mod scratch;
pub mod secrets_file;
pub mod served_index;
pub mod site_bundle;
mod site_pictures;
pub mod toml_values;
