//! Authentication: sessions, pending sign-ins at identity providers, the referrer of a visit, the tokens of administrators, and the key that signs cookies.

pub mod admin_tokens;
pub mod cookies;
pub mod installation_key;
pub mod pending;
pub mod referrer;
pub mod session;
