//! Identity providers at which readers of a site sign in.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use url::{Host, Url};

use crate::lang::LocalText;

/// What an identity provider speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ProviderKind {
    /// OpenID Connect: the provider's addresses and keys are read from its issuer.
    #[default]
    Openid,
    /// ORCID, which is OpenID Connect with particularities of its own.
    Orcid,
    /// Whatever the plugin with the `identity` hook speaks. Its provider is named `plugin`, and is there without an entry too.
    Plugin,
}

/// What happens when somebody whom the site does not know comes back from an identity provider.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum NewMembers {
    /// They are asked to bind the identity to an account of theirs, or to a new one.
    #[default]
    Bind,
    /// They get an account at once.
    Create,
}

/// An identity provider. Readers come back from it to `https://<host>/<language>/login/callback`, in the site's default language, which the
/// provider has to know as a redirect address of the client.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct IdentityProvider {
    /// What it speaks.
    pub kind: ProviderKind,
    /// What readers know it by, in the languages of the site; "" stands for the host of the issuer.
    pub name: LocalText,
    /// The issuer: the address before `/.well-known/openid-configuration`. For ORCID, "" stands for `https://orcid.org`.
    pub issuer: String,
    /// The site's client id at the provider.
    pub client_id: String,
    /// The name under which the client secret is set (`masthead secrets`), or "" for a client without one.
    pub secret: String,
    /// Scopes besides `openid`. Empty means `profile`, and no further scope at ORCID.
    pub scopes: Vec<String>,
    /// Whether the issuer may be in the operator's own network.
    pub private_network: bool,
    /// What happens when somebody whom the site does not know comes back: `bind` asks to bind the identity to an account, `create` makes one.
    pub new_members: NewMembers,
}

impl IdentityProvider {
    /// The name of the provider of the `identity` hook.
    pub const PLUGIN: &str = "plugin";
    /// ORCID's issuer.
    pub const ORCID: &str = "https://orcid.org";
    /// Greatest number of providers of a site.
    pub const MAX: usize = 16;

    /// The provider of the `identity` hook on a site without an entry for it: whoever signs in there is a member.
    #[must_use]
    pub fn of_plugin() -> Self {
        Self { kind: ProviderKind::Plugin, new_members: NewMembers::Create, ..Self::default() }
    }

    /// The issuer, with ORCID's where none is given.
    #[must_use]
    pub fn issuer(&self) -> &str {
        match self.kind {
            ProviderKind::Orcid if self.issuer.is_empty() => Self::ORCID,
            _ => &self.issuer,
        }
    }

    /// What is wrong with the issuer: the client secret is sent over https only, or within this machine.
    #[must_use]
    pub fn issuer_fault(&self) -> Option<&'static str> {
        let Ok(url) = Url::parse(self.issuer()) else { return Some("is not an address") };
        if url.query().is_some() || url.fragment().is_some() || !url.username().is_empty() || url.password().is_some() {
            return Some("has more than host and path");
        }
        let loopback = match url.host() {
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            _ => false,
        };
        let safe = url.scheme() == "https" || (url.scheme() == "http" && loopback && self.private_network);
        (!safe).then_some("is not reached over https")
    }

    /// Whether a text can name a provider: up to 32 small letters, digits and hyphens.
    #[must_use]
    pub fn is_name(text: &str) -> bool {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        (1..=32).contains(&text.len()) && text.bytes().all(plain)
    }
}

#[cfg(test)]
mod tests {
    use super::{IdentityProvider, ProviderKind};

    #[test]
    fn orcid_is_known_without_its_address() {
        let orcid = IdentityProvider { kind: ProviderKind::Orcid, ..IdentityProvider::default() };
        assert_eq!(orcid.issuer(), "https://orcid.org");
        let sandbox = IdentityProvider { issuer: "https://sandbox.orcid.org".to_owned(), ..orcid };
        assert_eq!(sandbox.issuer(), "https://sandbox.orcid.org");
        assert_eq!(IdentityProvider::default().issuer(), "");
    }

    #[test]
    fn issuers_are_reached_over_https_or_on_this_machine() {
        let fault = |issuer: &str, private_network| {
            IdentityProvider { issuer: issuer.to_owned(), private_network, ..IdentityProvider::default() }
                .issuer_fault()
        };
        for (issuer, private) in [
            ("https://login.example.org", false),
            ("https://login.example.org/realms/campus", false),
            ("https://10.0.0.7", true),
            ("http://127.0.0.1:8080", true),
        ] {
            assert_eq!(fault(issuer, private), None, "{issuer}");
        }
        for (issuer, private) in [
            ("", false),
            ("login.example.org", false),
            ("http://login.example.org", true),
            ("http://127.0.0.1:8080", false),
            ("https://login.example.org/?a=b", false),
            ("https://u:p@login.example.org", false),
            ("javascript:alert(1)", true),
        ] {
            assert!(fault(issuer, private).is_some(), "{issuer}");
        }
    }

    #[test]
    fn names_of_providers_stand_in_addresses() {
        for name in ["campus", "orcid", "idp-2"] {
            assert!(IdentityProvider::is_name(name), "{name}");
        }
        for name in ["", "Campus", "a b", "a/b", "é", &"a".repeat(33)] {
            assert!(!IdentityProvider::is_name(name), "{name}");
        }
    }
}
