//! The rules of passwords (specification section 5). Browsers check the same rules; the answer of the host counts.

use super::common;

/// Least number of characters.
pub const MIN_LENGTH: usize = 8;
/// Greatest number of characters.
pub const MAX_LENGTH: usize = 20;
/// Names that are shorter are not looked for in passwords: they are in many words.
const MIN_NAME: usize = 3;

/// Why a password is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PasswordFault {
    /// It has fewer than [`MIN_LENGTH`] or more than [`MAX_LENGTH`] characters.
    Length,
    /// It has white space or a control character.
    Whitespace,
    /// It lacks a digit, an upper-case letter or a lower-case letter.
    Characters,
    /// It is the account's name, or contains it.
    ContainsName,
    /// It is one of those that are guessed first.
    Common,
}

/// Checks a new password. `names` are the names of the account: account name, mobile number, the part of the e-mail address before the `@`.
///
/// # Errors
/// The first rule that the password breaks.
pub fn check(password: &str, names: &[&str]) -> Result<(), PasswordFault> {
    if !(MIN_LENGTH..=MAX_LENGTH).contains(&password.chars().count()) {
        return Err(PasswordFault::Length);
    }
    if password.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err(PasswordFault::Whitespace);
    }
    let has = |kind: fn(char) -> bool| password.chars().any(kind);
    if !(has(|c| c.is_ascii_digit()) && has(char::is_uppercase) && has(char::is_lowercase)) {
        return Err(PasswordFault::Characters);
    }
    let lower = password.to_lowercase();
    let contains = |name: &&str| name.chars().count() >= MIN_NAME && lower.contains(&name.to_lowercase());
    if names.iter().map(|name| name.trim()).any(|name| contains(&name)) {
        return Err(PasswordFault::ContainsName);
    }
    if common::is_common(&lower) { Err(PasswordFault::Common) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_rule_of_the_specification_is_checked() {
        use PasswordFault::{Characters, Common, ContainsName, Length, Whitespace};
        for (password, fault) in [
            ("Tide7xQ", Length),
            ("Tide7xQkTide7xQkTide7", Length),
            ("Tide 7xQk", Whitespace),
            ("Tide\u{3000}7xQk", Whitespace),
            ("Tide\u{0}7xQk", Whitespace),
            ("tide7xqk", Characters),
            ("TIDE7XQK", Characters),
            ("TideRxQkB", Characters),
            ("TideOcean7", ContainsName),
            ("7oCeAn7x", ContainsName),
            ("Zx13812345678", ContainsName),
            ("Password1", Common),
            ("P@ssw0rd2026!", Common),
            ("Qwerty123", Common),
            ("1qaz2wsX", Common),
            ("Aa123456", Common),
            ("Woaini1314", Common),
        ] {
            assert_eq!(check(password, &["ocean", "13812345678", ""]), Err(fault), "{password}");
        }
        for password in ["Tide7xQk", "Tide7xQkTide7xQkTide", "潮汐Tide7xQk", "7xQ!#€ßaB"] {
            assert_eq!(check(password, &["ocean", "ab", ""]), Ok(()), "{password}");
        }
    }

    #[test]
    fn lengths_are_counted_in_characters() {
        assert_eq!(check("潮汐潮汐Ti7", &[]), Err(PasswordFault::Length), "seven characters in fifteen bytes");
        assert_eq!(check("潮汐潮汐潮汐潮汐潮汐潮汐潮汐潮汐潮Ti7", &[]), Ok(()), "twenty characters");
    }

    proptest! {
        #[test]
        fn an_accepted_password_keeps_all_rules(password in "\\PC{6,22}", name in "[a-z]{3,8}") {
            if check(&password, &[&name]).is_ok() {
                let count = password.chars().count();
                prop_assert!((MIN_LENGTH..=MAX_LENGTH).contains(&count));
                prop_assert!(!password.chars().any(char::is_whitespace));
                prop_assert!(password.chars().any(|c| c.is_ascii_digit()));
                prop_assert!(!password.to_lowercase().contains(&name));
            }
        }
    }
}
