//! The tokens in the addresses for unsubscribing. A reader of the letter can end the subscription that it was sent for, without signing in,
//! and nothing else.

use masthead_domain::SiteId;
use subtle::ConstantTimeEq as _;

use crate::{installation_key::InstallationKey, messages::Followed};

/// Hexadecimal digits of the signature: 128 bits.
const SIGNATURE: usize = 32;
/// Letter of a subscription in a token.
const SUBSCRIPTION: &str = "s";
/// Letter of a saved search in a token.
const SEARCH: &str = "q";

/// The subscription that a token ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnsubscribeTarget {
    /// A subscription, by its number.
    Subscription(i64),
    /// The alerts of a saved search, by its number.
    SearchAlerts(i64),
}

impl From<Followed> for UnsubscribeTarget {
    fn from(followed: Followed) -> Self {
        match followed {
            Followed::Subscription { id, .. } => Self::Subscription(id),
            Followed::Search { id } => Self::SearchAlerts(id),
        }
    }
}

impl UnsubscribeTarget {
    const fn parts(self) -> (&'static str, i64) {
        match self {
            Self::Subscription(id) => (SUBSCRIPTION, id),
            Self::SearchAlerts(id) => (SEARCH, id),
        }
    }

    /// The token for a site. It is valid as long as the subscription exists.
    #[must_use]
    pub fn token(self, key: &InstallationKey, site: SiteId) -> String {
        let (kind, id) = self.parts();
        format!("{kind}{id}-{}", signature(key, site, kind, id))
    }

    /// The subscription that a token of this installation for this site ends.
    #[must_use]
    pub fn read(token: &str, key: &InstallationKey, site: SiteId) -> Option<Self> {
        let (subject, signed) = token.split_once('-')?;
        let kind = [SUBSCRIPTION, SEARCH].into_iter().find(|kind| subject.starts_with(kind))?;
        let id: i64 = subject.get(kind.len()..)?.parse().ok().filter(|id| *id > 0)?;
        let expected = signature(key, site, kind, id);
        let same = bool::from(expected.as_bytes().ct_eq(signed.as_bytes()));
        // One subject has one token: `s07` is not `s7`.
        (same && subject == format!("{kind}{id}")).then_some(if kind == SEARCH {
            Self::SearchAlerts(id)
        } else {
            Self::Subscription(id)
        })
    }
}

fn signature(key: &InstallationKey, site: SiteId, kind: &str, id: i64) -> String {
    let mut digest = key.digest("unsubscribe", &[&site.to_string(), kind, &id.to_string()]);
    digest.truncate(SIGNATURE);
    digest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_ends_one_thing_of_one_site() {
        let (key, other) = (InstallationKey::new([1; 32]), InstallationKey::new([2; 32]));
        for ends in [UnsubscribeTarget::Subscription(7), UnsubscribeTarget::SearchAlerts(7)] {
            let token = ends.token(&key, SiteId(448));
            assert_eq!(UnsubscribeTarget::read(&token, &key, SiteId(448)), Some(ends));
            assert_eq!(UnsubscribeTarget::read(&token, &key, SiteId(905)), None);
            assert_eq!(UnsubscribeTarget::read(&token, &other, SiteId(448)), None);
            let signed = token.split_once('-').map_or("", |(_, signed)| signed);
            for forged in [
                format!("s8-{signed}"),
                format!("s07-{signed}"),
                format!("x7-{signed}"),
                format!("s-7-{signed}"),
                token.to_uppercase(),
            ] {
                assert_eq!(UnsubscribeTarget::read(&forged, &key, SiteId(448)), None, "{forged}");
            }
            assert!(
                token.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'),
                "it needs no encoding: {token}"
            );
        }
        for broken in ["", "-", "s7", "s7-", "s-", "é-", "s9223372036854775808-00", "q\u{661}-0"] {
            assert_eq!(UnsubscribeTarget::read(broken, &key, SiteId(448)), None, "{broken}");
        }
    }
}
