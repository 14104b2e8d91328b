//! Addresses of readers.

use std::fmt;

use lettre::Address;

/// Longest address, in bytes (RFC 5321, section 4.5.3.1.3).
const MAX_LENGTH: usize = 254;
/// Longest part before the `@`.
const MAX_LOCAL: usize = 64;

/// An address of a reader: letters, digits and the marks that mailboxes have in practice before the `@`, a domain name with a dot behind
/// it. No quotes, comments, literal addresses or control characters, so that it can stand in every header and command as it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EmailAddress(String);

impl EmailAddress {
    /// Reads an address. A domain in other letters is written in ASCII (`bücher.example` as `xn--bcher-kva.example`); everything else stays
    /// as it is.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim_matches(' ');
        let (local, domain) = text.rsplit_once('@')?;
        let in_ascii = ascii_domain(domain)?;
        // An ASCII domain is used as it is, without decoding.
        if domain.is_ascii() && !domain.eq_ignore_ascii_case(&in_ascii) {
            return None;
        }
        let domain = if domain.is_ascii() { domain } else { in_ascii.as_str() };
        let address = format!("{local}@{domain}");
        let fits = is_local_part(local) && address.len() <= MAX_LENGTH;
        // The library that writes the commands has the last word.
        (fits && address.parse::<Address>().is_ok()).then_some(Self(address))
    }

    /// The address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The form in which addresses are compared: two that differ in case alone are one mailbox in practice.
    #[must_use]
    pub fn key(&self) -> String {
        self.0.to_ascii_lowercase()
    }
}

impl fmt::Display for EmailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Dot-separated atoms (RFC 5321, `Dot-string`).
fn is_local_part(text: &str) -> bool {
    let atom = |part: &str| {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&byte);
        !part.is_empty() && part.bytes().all(allowed)
    };
    text.len() <= MAX_LOCAL && text.split('.').all(atom)
}

/// A domain name of at least two labels, in ASCII. An address of the network is none: `user@[127.0.0.1]` and `user@localhost` are for mail
/// within a machine.
fn ascii_domain(text: &str) -> Option<String> {
    let url::Host::Domain(domain) = url::Host::parse(text).ok()? else { return None };
    let label = |label: &str| {
        let ends = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
        label.len() <= 63
            && ends(label.chars().next())
            && ends(label.chars().next_back())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let top_is_a_name = domain.rsplit('.').next().is_some_and(|top| top.bytes().any(|byte| byte.is_ascii_alphabetic()));
    (domain.contains('.') && domain.split('.').all(label) && top_is_a_name).then_some(domain)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ordinary_addresses_are_read() {
        for (text, read) in [
            ("li.wei+alerts@Example.ORG", "li.wei+alerts@Example.ORG"),
            (" o'brien@mail.example.ac.uk ", "o'brien@mail.example.ac.uk"),
            ("a@bücher.example", "a@xn--bcher-kva.example"),
            ("a@例え.jp", "a@xn--r8jz45g.jp"),
        ] {
            assert_eq!(EmailAddress::parse(text).unwrap().as_str(), read, "{text}");
        }
        assert_eq!(EmailAddress::parse("Li.Wei@Example.org").unwrap().key(), "li.wei@example.org");
    }

    #[test]
    fn what_could_leave_its_place_in_a_header_or_command_is_no_address() {
        for text in [
            "",
            "a",
            "a@",
            "@example.org",
            "a@b",
            "a@localhost",
            "a@127.0.0.1",
            "a@[127.0.0.1]",
            "a b@example.org",
            "a@exa mple.org",
            "a@example.org>",
            "<a@example.org>",
            "a@example.org\r\nBcc: b@example.org",
            "a\r\nBcc: b@example.org@example.org",
            "a@example.org\nRCPT TO:<b@example.org>",
            "a@example.org\0",
            "\"a b\"@example.org",
            "\"a\\\r\nb\"@example.org",
            "a(comment)@example.org",
            "a@example.org, b@example.org",
            "a@example.org;b@example.org",
            "a..b@example.org",
            ".a@example.org",
            "a.@example.org",
            "a@-example.org",
            "a@example-.org",
            "a@example..org",
            "a@example.org.",
            "a@ex%61mple.org",
            "用户@example.org",
            "a%0d%0aBcc:b@example.org\u{2028}",
        ] {
            assert_eq!(EmailAddress::parse(text), None, "{text:?}");
        }
        assert_eq!(EmailAddress::parse(&format!("{}@example.org", "a".repeat(65))), None);
        let long = vec!["a".repeat(60); 5].join(".");
        assert_eq!(EmailAddress::parse(&format!("a@{long}.org")), None);
    }

    proptest! {
        #[test]
        fn an_address_has_one_at_sign_and_only_visible_ascii(text in "[\\PC\\r\\n\\t@.a-z<>\"]{0,40}@[\\PC\\r\\n.a-z<>]{0,40}") {
            if let Some(address) = EmailAddress::parse(&text) {
                let address = address.as_str();
                prop_assert_eq!(address.matches('@').count(), 1);
                prop_assert!(address.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>\",;:()[]\\".contains(&byte)));
                let again = EmailAddress::parse(address);
                prop_assert_eq!(again.as_ref().map(EmailAddress::as_str), Some(address));
            }
        }
    }
}
