//! Authentication: sessions, the referrer of a visit, the tokens of administrators, and the key that signs cookies.

pub mod admin_tokens;
pub mod cookies;
pub mod installation_key;
pub mod referrer;
pub mod session;
