//! The Masthead host: routes, documents, configuration and command line.
//!
//! What it is: the only place where `store`, `search`, `documents` and `runtime` meet, and the only crate that knows HTTP.
//! What it is not: it holds no rule of the specification that `domain` can hold, and no behaviour of one site.
//! Who may depend on it: nobody but its own binary, tests and benchmarks.
//!
//! A page view passes through `http::resolve` (which site), `http::page` (cache), `view` (route, permissions), `pages` (content),
//! `frame` (bootstrap) and `document` (HTML), in this order.

pub mod admin;
mod admin_token;
pub mod api;
pub mod bundle;
pub mod cache;
mod citation;
pub mod cli;
pub mod config;
pub mod counting;
pub mod demo;
mod discovery;
mod document;
pub mod events;
pub mod failure;
mod files;
mod finding;
pub mod follow;
mod frame;
mod head;
mod html;
pub mod http;
pub mod i18n;
pub mod import;
mod indexing;
mod lending;
mod library;
mod limits;
mod links;
mod menu;
pub mod pages;
pub mod parcel;
pub mod scaffold;
pub mod scope;
mod session;
pub mod sites;
pub mod state;
mod text;
pub mod ui;
pub mod view;
mod visit;
pub mod watch;
