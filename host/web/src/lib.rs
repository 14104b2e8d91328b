//! The HTTP service: pages, API calls, and the interfaces for libraries and search engines.
//!
//! Scope: the only crate that uses axum.
//! Not in scope: rules of the specification, which belong to `domain`, and behaviour of a single site, which belongs to
//! configuration and plugins.
//! Dependents: `cli`.
//!
//! The modules, each using only those before it: `failure`, `i18n`, `ui`, `cache`; `sites` (the site of a request);
//! `auth` (sessions, tokens); `usage` (usage counting); `app` (everything that requests share); `search_service`; `page`;
//! `discovery`; `api`; `http` (the router).

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
