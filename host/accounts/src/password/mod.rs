//! Passwords: which ones are accepted, and how they are kept and compared.

mod common;
mod hashing;
mod rules;

pub(crate) use self::common::is_common;
pub use self::{
    hashing::{Cost, PasswordComparison, PasswordError, Passwords},
    rules::{MAX_LENGTH, MIN_LENGTH, PasswordFault, check},
};
