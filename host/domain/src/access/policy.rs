//! What a site's configuration says about who may read and download (`[access]`).

use std::net::IpAddr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{lang::LocalText, networks::Networks};

/// The site's permissions for one reader; both are granted by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Permissions {
    /// May read full texts.
    pub visit_power: bool,
    /// May download files.
    pub download_power: bool,
}

impl Permissions {
    /// Neither full texts nor files.
    pub const NONE: Self = Self { visit_power: false, download_power: false };
}

impl Default for Permissions {
    fn default() -> Self {
        Self { visit_power: true, download_power: true }
    }
}

/// The readers to whom something is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Audience {
    /// All readers.
    #[default]
    Everyone,
    /// Readers who are signed in.
    Members,
    /// Readers of an institution: who are in one of its networks, or are signed in and belong to its group.
    Institutions,
}

impl Audience {
    /// Whether this reader belongs to it.
    #[must_use]
    pub const fn includes(self, reader: ReaderStatus) -> bool {
        match self {
            Self::Everyone => true,
            Self::Members => reader.member,
            Self::Institutions => reader.of_institution,
        }
    }

    /// Whether it is for some readers only.
    #[must_use]
    pub const fn is_limited(self) -> bool {
        !matches!(self, Self::Everyone)
    }
}

/// What a site knows of a reader when it decides what the reader may do. The default is a stranger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ReaderStatus {
    /// Whether the reader is signed in.
    pub member: bool,
    /// Whether the reader belongs to one of the site's institutions, by network or by group.
    pub of_institution: bool,
}

/// An institution whose readers a site knows: a university, a library, a society.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Institution {
    /// Key, by which members are put into its group: lower-case letters, digits and hyphens. It does not change.
    pub id: String,
    /// Name, which readers see.
    pub name: LocalText,
    /// Its networks (`192.0.2.0/24`, `2001:db8:1::/48`); behind a reverse proxy, `[proxies]` of `platform.toml` has to name the proxy. An
    /// institution without networks has its group of members alone.
    pub networks: Networks,
}

impl Institution {
    /// Greatest number of bytes of a key.
    pub const MAX_KEY: usize = 63;
    /// Greatest number of characters of a name.
    pub const MAX_NAME: usize = 200;
    /// Greatest number of networks of an institution that an administrator adds.
    pub const MAX_NETWORKS: usize = 500;
    /// Bits of an IPv6 address by which the host tells clients apart: it knows no more of a client's address.
    pub const IPV6_PREFIX: u8 = 64;

    /// Whether a text can be the key of an institution.
    #[must_use]
    pub fn is_key(text: &str) -> bool {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        !text.is_empty() && text.len() <= Self::MAX_KEY && text.bytes().all(plain)
    }

    /// The networks of an institution that an administrator adds, a command or a bundle.
    ///
    /// # Errors
    /// What is wrong with its key, its name or a network.
    pub fn checked(key: &str, name: &str, networks: Vec<String>) -> Result<Networks, String> {
        if !Self::is_key(key) {
            let most = Self::MAX_KEY;
            return Err(format!("{key:?} is no key: it has 1 to {most} lower-case letters, digits and hyphens"));
        }
        if name.trim().is_empty() || name.chars().count() > Self::MAX_NAME || name.chars().any(char::is_control) {
            let most = Self::MAX_NAME;
            return Err(format!("a name has 1 to {most} characters, none of which is a control character"));
        }
        if networks.len() > Self::MAX_NETWORKS {
            let (most, given) = (Self::MAX_NETWORKS, networks.len());
            return Err(format!("an institution has at most {most} networks, not {given}"));
        }
        let networks = Networks::try_from(networks)?;
        Self::refused_network(&networks).map_or(Ok(networks), Err)
    }

    /// The first of these networks that cannot be an institution's, with the reason.
    #[must_use]
    pub fn refused_network(networks: &Networks) -> Option<String> {
        let narrow = networks.narrower_than(Self::IPV6_PREFIX);
        let narrow = narrow.map(|network| {
            format!(
                "{network} is narrower than a /{}: a client chooses the rest of its address freely",
                Self::IPV6_PREFIX
            )
        });
        narrow.or_else(|| networks.too_wide().map(|network| format!("{network} is most of the internet")))
    }
}

/// Who may read full texts and download. Articles that are open access stay open to everyone where `openAccessForAll` says so, and plugins
/// may decide otherwise about each reader.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SiteAccess {
    /// Who may read full texts: `everyone`, `members` (readers who are signed in) or `institutions` (readers in a network or in the group of
    /// an institution).
    pub full_text: Audience,
    /// Who may download articles and their files, of those who may read them.
    pub downloads: Audience,
    /// The institutions that the site knows.
    pub institutions: Vec<Institution>,
}

impl SiteAccess {
    /// Whether anything is for some readers only.
    #[must_use]
    pub const fn is_limited(&self) -> bool {
        self.full_text.is_limited() || self.downloads.is_limited()
    }

    /// Whether anything depends on the institutions of a reader.
    #[must_use]
    pub const fn asks_institutions(&self) -> bool {
        matches!(self.full_text, Audience::Institutions) || matches!(self.downloads, Audience::Institutions)
    }

    /// Whether anything depends on whether the reader is signed in, given what is known already: a reader in the network of an institution
    /// needs no account for what is open to institutions.
    #[must_use]
    pub const fn asks_members(&self, in_network: bool) -> bool {
        const fn asks(audience: Audience, in_network: bool) -> bool {
            match audience {
                Audience::Everyone => false,
                Audience::Members => true,
                Audience::Institutions => !in_network,
            }
        }
        asks(self.full_text, in_network) || asks(self.downloads, in_network)
    }

    /// The institution that has this address in its networks.
    #[must_use]
    pub fn institution_at(&self, address: IpAddr) -> Option<&Institution> {
        self.institutions.iter().find(|institution| institution.networks.contain(address))
    }

    /// The institution with this key.
    #[must_use]
    pub fn institution(&self, id: &str) -> Option<&Institution> {
        self.institutions.iter().find(|institution| institution.id == id)
    }

    /// What this reader may do, of what the site permits at all.
    #[must_use]
    pub const fn permissions(&self, site: Permissions, reader: ReaderStatus) -> Permissions {
        Permissions {
            visit_power: site.visit_power && self.full_text.includes(reader),
            download_power: site.download_power && self.downloads.includes(reader),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const STRANGER: ReaderStatus = ReaderStatus { member: false, of_institution: false };
    const MEMBER: ReaderStatus = ReaderStatus { member: true, ..STRANGER };
    const ON_CAMPUS: ReaderStatus = ReaderStatus { of_institution: true, ..STRANGER };
    const AUDIENCES: [Audience; 3] = [Audience::Everyone, Audience::Members, Audience::Institutions];

    #[test]
    fn an_added_institution_has_a_key_a_name_and_networks_of_its_own() {
        let of = |key: &str, name: &str, networks: &[&str]| {
            Institution::checked(key, name, networks.iter().map(ToString::to_string).collect())
        };
        let networks = ["192.0.2.0/24", "2001:db8::/32"];
        assert_eq!(Vec::from(of("estuary", "Estuary", &networks).unwrap()), networks);
        of("estuary", "Estuary", &[]).unwrap();
        for (key, name, networks) in [
            ("", "Estuary", vec![]),
            ("Estuary", "Estuary", vec![]),
            ("estuary", " ", vec![]),
            ("estuary", "a\u{0}b", vec![]),
            ("estuary", "Estuary", vec!["estuary.example"]),
            ("estuary", "Estuary", vec!["0.0.0.0/0"]),
            ("estuary", "Estuary", vec!["2001:db8::1"]),
            ("estuary", "Estuary", vec!["192.0.2.1"; 501]),
        ] {
            assert!(of(key, name, &networks).is_err(), "{key:?} {name:?} {networks:?}");
        }
    }

    fn access(full_text: Audience, downloads: Audience) -> SiteAccess {
        SiteAccess { full_text, downloads, ..SiteAccess::default() }
    }

    #[test]
    fn an_audience_has_its_readers_and_no_others() {
        for (audience, expected) in AUDIENCES.into_iter().zip([[true; 3], [false, true, false], [false, false, true]]) {
            assert_eq!([STRANGER, MEMBER, ON_CAMPUS].map(|reader| audience.includes(reader)), expected, "{audience:?}");
        }
    }

    #[test]
    fn configuration_gives_nobody_more_than_the_site_permits() {
        let all = Permissions::default();
        for full_text in AUDIENCES {
            for downloads in AUDIENCES {
                let access = access(full_text, downloads);
                for reader in [STRANGER, MEMBER, ON_CAMPUS, ReaderStatus { member: true, of_institution: true }] {
                    let of = access.permissions(all, reader);
                    assert_eq!(of.visit_power, full_text.includes(reader), "{access:?} {reader:?}");
                    assert_eq!(of.download_power, downloads.includes(reader), "{access:?} {reader:?}");
                    assert_eq!(access.permissions(Permissions::NONE, reader), Permissions::NONE);
                }
            }
        }
        assert_eq!(SiteAccess::default().permissions(all, STRANGER), all, "a site is open unless it says otherwise");
    }

    #[test]
    fn an_account_is_asked_for_where_it_can_change_the_answer() {
        use Audience::{Everyone, Institutions, Members};
        for (full_text, downloads, of_stranger, in_network) in [
            (Everyone, Everyone, false, false),
            (Everyone, Members, true, true),
            (Institutions, Institutions, true, false),
            (Institutions, Members, true, true),
            (Everyone, Institutions, true, false),
        ] {
            let access = access(full_text, downloads);
            assert_eq!(
                (access.asks_members(false), access.asks_members(true)),
                (of_stranger, in_network),
                "{access:?}"
            );
            assert_eq!(access.is_limited(), of_stranger, "{access:?}");
        }
    }

    #[test]
    fn an_institution_is_found_by_address_and_by_key() {
        let institution = |id: &str, network: &str| Institution {
            id: id.to_owned(),
            networks: vec![network.to_owned()].try_into().unwrap(),
            ..Institution::default()
        };
        let access = SiteAccess {
            institutions: vec![institution("estuary", "192.0.2.0/24"), institution("delta", "2001:db8:7::/48")],
            ..SiteAccess::default()
        };
        let at = |address: &str| access.institution_at(address.parse().unwrap()).map(|found| found.id.as_str());
        assert_eq!(at("192.0.2.77"), Some("estuary"));
        assert_eq!(at("::ffff:192.0.2.77"), Some("estuary"));
        assert_eq!(at("2001:db8:7:1::"), Some("delta"));
        assert_eq!(at("198.51.100.1"), None);
        assert_eq!(access.institution("delta").map(|found| found.id.as_str()), Some("delta"));
        assert_eq!(access.institution("Delta"), None);
        for (key, expected) in
            [("estuary-2", true), ("", false), ("Delta", false), ("a b", false), (&"a".repeat(64), false)]
        {
            assert_eq!(Institution::is_key(key), expected, "{key}");
        }
    }
}
