//! The HTTP service: pages, API calls, and the interfaces for libraries and search engines.
//!
//! What it is: the only crate that uses axum and utoipa.
//! What it is not: it contains no rules of the specification, which belong to `domain`, and no behaviour of a single site, which
//! belongs to configuration and plugins.
//! Who may depend on it: `cli`.
//!
//! The modules, each using only those before it: `failure`, `routing` (routes with handlers of one type), `i18n`, `ui`, `schema` (types of the API), `cache`, `client` (the client that
//! sent a request); `sites` (the site of a request); `auth` (sessions, tokens); `usage` (usage counting); `app` (everything that
//! requests share); `search_service`; `page`; `saved_searches` (their new results); `discovery`; `external_identity` (sign-in at identity
//! providers); `examination` (the checks of an installation); `api`; `http` (the router); `dry_start`
//! (the start of a host without serving, for checks).

pub mod api;
pub mod app;
pub mod auth;
pub mod cache;
pub mod client;
mod discovery;
pub mod dry_start;
pub mod examination;
mod external_identity;
pub mod failure;
pub mod http;
pub mod i18n;
pub mod page;
mod routing;
pub mod saved_searches;
pub mod schema;
mod search_service;
pub mod sites;
pub mod ui;
pub mod usage;
