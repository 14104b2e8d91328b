//! Small texts that every crate writes the same way.

use std::fmt::Write as _;

/// Bytes in hexadecimal, lower case: two digits a byte.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing into a string does not fail.
        let _ = write!(out, "{byte:02x}");
    }
    out
}

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// The number of an English month, 1 to 12, from its name or abbreviation: `July`, `sept.`.
#[must_use]
pub fn month(name: &str) -> Option<u8> {
    let lower = name.trim().to_lowercase();
    let at = MONTHS.iter().position(|month| lower.starts_with(month))?;
    u8::try_from(at + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::{hex, month};

    #[test]
    fn bytes_have_two_digits_each() {
        assert_eq!(hex(&[0, 10, 255]), "000aff");
    }

    #[test]
    fn months_are_known_by_their_first_letters() {
        assert_eq!((month("July"), month(" sept."), month("juillet"), month("")), (Some(7), Some(9), None, None));
    }
}
