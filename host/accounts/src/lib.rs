//! Accounts of members and administrators: passwords, codes, captchas, passkeys, external identities, mail and alerts. Nothing here knows
//! HTTP: `web` passes in what a request says, the time, and the site's rules, and gets back a decision.

pub mod installation_key;
pub mod keys;
pub mod password;
pub mod sessions;
