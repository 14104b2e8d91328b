//! Accounts of members and administrators.
//!
//! What it is: passwords, codes, captchas, passkeys, external identities, sessions, registration, mail and alerts.
//! What it is not: it knows no HTTP. `web` passes in the values of a request, the time, and the site's rules, and gets back a decision.
//! Who may depend on it: `web` and the crates above it.

pub mod administrators;
pub mod alerts;
pub mod attempts;
pub mod captcha;
pub mod codes;
pub mod credentials;
pub mod erasure;
pub mod export;
pub mod identities;
pub mod installation_key;
pub mod items;
pub mod keys;
pub mod mail;
pub mod messages;
pub mod outbox;
pub mod passkeys;
pub mod password;
pub mod pictures;
pub mod profile;
pub mod registration;
pub mod service;
pub mod sessions;
pub mod sign_in;
pub mod sign_in_methods;
#[cfg(test)]
mod testing;
pub mod uses;
