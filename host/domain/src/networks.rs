//! Networks of the internet: those of reverse proxies, and those of the institutions whose readers a site lets in.

use std::net::IpAddr;

use ipnet::IpNet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Networks in CIDR notation (`10.0.0.0/8`, `2001:db8::/32`), or single addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
#[schemars(with = "Vec<String>")]
pub struct Networks(Vec<IpNet>);

impl Networks {
    /// Whether one of them has this address. An IPv4 address within IPv6 (`::ffff:192.0.2.1`) is that IPv4 address.
    #[must_use]
    pub fn contain(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first network of IPv6 whose prefix is longer than this number of bits.
    #[must_use]
    pub fn narrower_than(&self, longest: u8) -> Option<String> {
        let narrow = |network: &&IpNet| matches!(network, IpNet::V6(network) if network.prefix_len() > longest);
        self.0.iter().find(narrow).map(ToString::to_string)
    }

    /// The first of them that has a whole address family, or so much of it that it is meant by mistake: more than a `/8` of IPv4, or more
    /// than a `/16` of IPv6.
    #[must_use]
    pub fn too_wide(&self) -> Option<String> {
        let wide = |network: &&IpNet| match network {
            IpNet::V4(network) => network.prefix_len() < 8,
            IpNet::V6(network) => network.prefix_len() < 16,
        };
        self.0.iter().find(wide).map(ToString::to_string)
    }
}

impl From<Networks> for Vec<String> {
    fn from(networks: Networks) -> Self {
        networks.0.iter().map(ToString::to_string).collect()
    }
}

impl TryFrom<Vec<String>> for Networks {
    type Error = String;

    fn try_from(texts: Vec<String>) -> Result<Self, String> {
        let network = |text: &String| {
            let parsed = text.parse::<IpNet>().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
            parsed.map_err(|_| format!("{text:?} is not a network such as \"10.0.0.0/8\" or an address"))
        };
        texts.iter().map(network).collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn networks(texts: &[&str]) -> Networks {
        texts.iter().map(ToString::to_string).collect::<Vec<String>>().try_into().unwrap()
    }

    #[test]
    fn an_address_is_in_its_network() {
        let networks = networks(&["10.0.0.0/8", "2001:db8::/32", "127.0.0.1"]);
        for (address, expected) in [
            ("10.1.2.3", true),
            ("::ffff:10.1.2.3", true),
            ("2001:db8:7::1", true),
            ("127.0.0.1", true),
            ("127.0.0.2", false),
            ("192.168.0.1", false),
            ("::1", false),
        ] {
            assert_eq!(networks.contain(address.parse().unwrap()), expected, "{address}");
        }
        assert!(Networks::default().is_empty() && !Networks::default().contain("127.0.0.1".parse().unwrap()));
    }

    #[test]
    fn what_is_no_network_is_rejected() {
        let error = Networks::try_from(vec!["10.0.0.0/8".to_owned(), "proxy.example".to_owned()]).unwrap_err();
        assert!(error.contains("proxy.example"), "{error}");
    }

    #[test]
    fn networks_that_are_too_narrow_or_too_wide_are_named() {
        let some = networks(&["192.0.2.7", "2001:db8:1::/64"]);
        assert_eq!((some.narrower_than(64), some.too_wide()), (None, None));
        assert_eq!(networks(&["2001:db8:1::7"]).narrower_than(64).as_deref(), Some("2001:db8:1::7/128"));
        assert_eq!(networks(&["192.0.2.0/24", "0.0.0.0/0"]).too_wide().as_deref(), Some("0.0.0.0/0"));
        assert_eq!(networks(&["::/0"]).too_wide().as_deref(), Some("::/0"));
    }
}
