//! Everything that answers a request: pages, calls, and what libraries and search engines ask for.
//!
//! What it is: the only crate that knows HTTP.
//! What it is not: it holds no rule of the specification that `domain` can hold, and no behaviour of one site.
//! Who may depend on it: `cli`.
//!
//! The rooms, each using only those before it: `failure`, `i18n`, `ui`, `schema` (the types that travel), `cache`; `sites` (which site a request is about);
//! `auth` (who asks); `usage` (what is counted); `app` (what all requests share); `search_service`; `page`; `discovery`;
//! `api`; `http` (the router).

pub mod api;
pub mod app;
pub mod auth;
pub mod cache;
mod discovery;
pub mod failure;
pub mod http;
pub mod i18n;
pub mod page;
pub mod schema;
mod search_service;
pub mod sites;
pub mod ui;
pub mod usage;
