//! The names by which members sign in: account name, e-mail address, mobile number.

use unicode_normalization::UnicodeNormalization as _;

use super::named;

named! {
    /// The kind of a name.
    NameKind {
        /// A name that the member chose.
        Account = "account",
        /// An e-mail address.
        Email = "email",
        /// A mobile number.
        Mobile = "mobile",
    }
}

/// Why a text is not a name of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAName {
    /// Not an account name.
    #[error("an account name has 2 to 40 letters, digits, '.', '_' or '-', begins with a letter, and has no '@'")]
    Account,
    /// Not an e-mail address.
    #[error("an e-mail address has the form name@example.org, in at most 254 characters")]
    Email,
    /// Not a mobile number.
    #[error("a mobile number has 7 to 15 digits with its country code (+44 ...), or 11 digits within China")]
    Mobile,
}

/// A name by which a member signs in. Names compare by their key.
#[derive(Clone, Debug)]
pub struct MemberName {
    kind: NameKind,
    shown: String,
    key: String,
}

impl MemberName {
    /// An account name. Full-width and other forms of a character are the same, and so are capitals. It begins with a letter and has no '@',
    /// so that it is never taken for a number or an address.
    ///
    /// # Errors
    /// [`NotAName::Account`].
    pub fn account(text: &str) -> Result<Self, NotAName> {
        let shown: String = text.trim().nfkc().collect();
        let count = shown.chars().count();
        let fits = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-');
        if !(2..=40).contains(&count) || !shown.chars().all(fits) || !shown.starts_with(char::is_alphabetic) {
            return Err(NotAName::Account);
        }
        Ok(Self { kind: NameKind::Account, key: folded(&shown), shown })
    }

    /// An e-mail address. Addresses that differ in capitals only are the same.
    ///
    /// # Errors
    /// [`NotAName::Email`].
    pub fn email(text: &str) -> Result<Self, NotAName> {
        let shown = text.trim();
        let (local, domain) = shown.rsplit_once('@').ok_or(NotAName::Email)?;
        let odd = |c: char| c.is_whitespace() || c.is_control() || "\"(),:;<>@[\\]".contains(c);
        let label = |label: &str| {
            (1..=63).contains(&label.len())
                && label.chars().all(|c| c.is_alphanumeric() || c == '-')
                && !label.starts_with('-')
                && !label.ends_with('-')
        };
        let local_fits =
            (1..=64).contains(&local.len()) && !local.contains(odd) && local.split('.').all(|part| !part.is_empty());
        if shown.len() > 254 || !local_fits || !domain.contains('.') || !domain.split('.').all(label) {
            return Err(NotAName::Email);
        }
        Ok(Self { kind: NameKind::Email, key: folded(shown), shown: shown.to_owned() })
    }

    /// A mobile number: international (`+` or `00`, country code), or of 11 digits within China. Spaces, hyphens, dots and brackets are left
    /// out.
    ///
    /// # Errors
    /// [`NotAName::Mobile`].
    pub fn mobile(text: &str) -> Result<Self, NotAName> {
        let normal: String = text.trim().nfkc().filter(|c| !matches!(c, ' ' | '-' | '.' | '(' | ')')).collect();
        let international = normal.strip_prefix('+').or_else(|| normal.strip_prefix("00"));
        let digits = international.unwrap_or(&normal);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(NotAName::Mobile);
        }
        let key = match international {
            Some(digits) if (7..=15).contains(&digits.len()) && !digits.starts_with('0') => format!("+{digits}"),
            None if is_chinese(digits) => format!("+86{digits}"),
            _ => return Err(NotAName::Mobile),
        };
        if key.strip_prefix("+86").is_some_and(|national| !is_chinese(national)) {
            return Err(NotAName::Mobile);
        }
        let shown = key.strip_prefix("+86").unwrap_or(&key).to_owned();
        Ok(Self { kind: NameKind::Mobile, shown, key })
    }

    /// A mobile number or an e-mail address, to which a code can be sent.
    ///
    /// # Errors
    /// [`NotAName`] of the kind that the text looks like.
    pub fn target(text: &str) -> Result<Self, NotAName> {
        if text.contains('@') { Self::email(text) } else { Self::mobile(text) }
    }

    /// What somebody typed to sign in: an e-mail address, a mobile number or an account name.
    ///
    /// # Errors
    /// [`NotAName`] of the kind that the text looks like.
    pub fn typed(text: &str) -> Result<Self, NotAName> {
        if text.contains('@') {
            return Self::email(text);
        }
        let number =
            text.trim().nfkc().next().is_some_and(|first| first == '+' || first == '(' || first.is_ascii_digit());
        if number { Self::mobile(text) } else { Self::account(text) }
    }

    /// Its kind.
    #[must_use]
    pub const fn kind(&self) -> NameKind {
        self.kind
    }

    /// The form that is shown, and to which messages are sent.
    #[must_use]
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// The form in which names are compared: members of a site with the same key are the same member.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }
}

impl PartialEq for MemberName {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for MemberName {}

/// Whether digits are a mobile number within China.
fn is_chinese(digits: &str) -> bool {
    digits.len() == 11 && digits.starts_with('1') && !digits.starts_with("10") && !digits.starts_with("11")
}

/// A text in the form in which names and keywords are compared: without the difference of capitals and of forms of a character.
#[must_use]
pub fn folded(text: &str) -> String {
    text.nfkc().flat_map(char::to_lowercase).nfkc().collect()
}

/// A name with the four characters before the last four masked (specification section 5).
#[must_use]
pub fn masked(name: &str) -> String {
    let characters: Vec<char> = name.chars().collect();
    let (from, to) = (characters.len().saturating_sub(8), characters.len().saturating_sub(4));
    characters.iter().enumerate().map(|(index, c)| if (from..to).contains(&index) { '*' } else { *c }).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{MemberName, NameKind, NotAName, masked};

    #[test]
    fn account_names_compare_without_capitals_and_forms() {
        let name = MemberName::account(" Ａda.Lovelace ").unwrap();
        assert_eq!((name.shown(), name.key(), name.kind()), ("Ada.Lovelace", "ada.lovelace", NameKind::Account));
        assert_eq!(MemberName::account("读者甲").unwrap().key(), "读者甲");
        for text in ["", "a", "13812345678", "+44", "1ada", "a b", "a@b.example", "<b>x</b>", "ada\nx", &"a".repeat(41)]
        {
            assert_eq!(MemberName::account(text).err(), Some(NotAName::Account), "{text:?}");
        }
    }

    #[test]
    fn addresses_cannot_carry_headers() {
        let name = MemberName::email(" Ada@Example.ORG ").unwrap();
        assert_eq!((name.shown(), name.key()), ("Ada@Example.ORG", "ada@example.org"));
        for text in [
            "ada",
            "@example.org",
            "ada@",
            "ada@example",
            "ada@example..org",
            "ada@-example.org",
            "a b@example.org",
            "ada@example.org\r\nBcc: all@example.org",
            "ada@example.org,b@example.org",
            "<ada@example.org>",
            ".ada@example.org",
            "a@b@example.org",
        ] {
            assert_eq!(MemberName::email(text).err(), Some(NotAName::Email), "{text:?}");
        }
        assert!(MemberName::email(&format!("{}@example.org", "a".repeat(65))).is_err());
    }

    #[test]
    fn numbers_are_the_same_however_they_are_written() {
        let number = MemberName::mobile("138 1234-5678").unwrap();
        assert_eq!((number.shown(), number.key()), ("13812345678", "+8613812345678"));
        for text in ["+86 138 1234 5678", "008613812345678", "１３８１２３４５６７８"] {
            assert_eq!(MemberName::mobile(text).unwrap(), number, "{text}");
        }
        assert_eq!(MemberName::mobile("+44 7700 900123").unwrap().key(), "+447700900123");
        for text in
            ["", "+", "12345", "10012345678", "+86123", "+0123456789", "+1234567890123456", "138123456789", "a1"]
        {
            assert_eq!(MemberName::mobile(text).err(), Some(NotAName::Mobile), "{text:?}");
        }
    }

    #[test]
    fn what_is_typed_tells_its_kind() {
        let kind = |text: &str| MemberName::typed(text).unwrap().kind();
        assert_eq!(kind("ada@example.org"), NameKind::Email);
        assert_eq!(kind("13812345678"), NameKind::Mobile);
        assert_eq!(kind("+44 7700 900123"), NameKind::Mobile);
        assert_eq!(kind("ada"), NameKind::Account);
        assert_eq!(MemberName::target("ada").err(), Some(NotAName::Mobile));
    }

    #[test]
    fn the_four_characters_before_the_last_four_are_masked() {
        assert_eq!(masked("13812345678"), "138****5678");
        assert_eq!(masked("abcdef"), "**cdef");
        assert_eq!(masked("海"), "海");
    }
}
