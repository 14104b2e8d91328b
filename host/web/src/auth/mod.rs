//! Authentication: sessions, the referrer of a visit, the token of administrators.

pub mod admin_token;
pub mod referrer;
pub mod session;
