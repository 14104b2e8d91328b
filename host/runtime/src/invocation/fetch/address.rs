//! Classification of the addresses to which the host connects on behalf of a plugin.
//!
//! It follows IANA's special-purpose address registries. Addresses that they do not decide are refused.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The addresses that a granted host may resolve to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum AddressScope {
    /// Addresses of the public internet only.
    Public,
    /// Addresses of the operator's own network too: the site grants the host as a private one.
    Private,
}

/// The purpose of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    /// Globally routed.
    Public,
    /// In the operator's own network; with a description.
    Private(&'static str),
    /// Never allowed for plugins; with a description.
    Never(&'static str),
}

/// The description of a refused address; `None` if the host may connect to it.
pub(super) fn refusal(address: IpAddr, scope: AddressScope) -> Option<&'static str> {
    match (classify(address), scope) {
        (Class::Public, _) | (Class::Private(_), AddressScope::Private) => None,
        (Class::Private(what), AddressScope::Public) | (Class::Never(what), _) => Some(what),
    }
}

/// Classifies an address; an IPv4 address embedded in an IPv6 one is classified on its own.
pub(super) fn classify(address: IpAddr) -> Class {
    match address {
        IpAddr::V4(address) => classify_v4(address),
        IpAddr::V6(address) => classify_v6(address),
    }
}

fn classify_v4(address: Ipv4Addr) -> Class {
    match address.octets() {
        // Azure's metadata and DNS service has a public address, which serves nothing else.
        [100, 100, 100, 200] | [168, 63, 129, 16] => Class::Never("a metadata service of a cloud"),
        [169, 254, ..] => Class::Never("a link-local address, where clouds keep their metadata services"),
        [0, ..] => Class::Never("an unspecified address"),
        [192, 0, 0, _] | [192, 88, 99, _] => Class::Never("an address for network protocols"),
        [192, 0, 2, _] | [198, 51, 100, _] | [203, 0, 113, _] => Class::Never("an address for documentation"),
        [198, 18 | 19, ..] => Class::Never("an address for measurements"),
        [224..=239, ..] => Class::Never("a multicast address"),
        [255, 255, 255, 255] => Class::Never("the broadcast address"),
        [240..=255, ..] => Class::Never("a reserved address"),
        [127, ..] => Class::Private("a loopback address"),
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => Class::Private("a private address"),
        [100, 64..=127, ..] => Class::Private("an address shared behind a carrier's NAT"),
        _ => Class::Public,
    }
}

fn classify_v6(address: Ipv6Addr) -> Class {
    if address == Ipv6Addr::LOCALHOST {
        return Class::Private("a loopback address");
    }
    if address.is_unspecified() {
        return Class::Never("an unspecified address");
    }
    let around = match address.segments() {
        // 64:ff9b::/96 leads to the IPv4 internet; in IPv6-only networks, names resolve to it. The forms before it are IPv4-mapped,
        // IPv4-compatible and IPv4-translated addresses. All are classified by the embedded IPv4 address.
        [0, 0, 0, 0, 0, 0 | 0xffff, _, _] | [0, 0, 0, 0, 0xffff, 0, _, _] | [0x64, 0xff9b, 0, 0, 0, 0, _, _] => {
            Class::Public
        }
        [0x64, 0xff9b, ..] => Class::Never("an address of a local translation to IPv4"),
        // Metadata services of AWS, Google and Scaleway, within the unique-local range.
        [0xfd00, 0xec2, ..] | [0xfd20, 0xce, ..] | [0xfd00, 0x42, 0, 0, 0, 0, 0, 0x42] => {
            Class::Never("a metadata service of a cloud")
        }
        [0xfc00..=0xfdff, ..] => Class::Private("a unique-local address"),
        [0xfe80..=0xfebf, ..] => Class::Never("a link-local address"),
        [0xfec0..=0xfeff, ..] => Class::Never("a site-local address, a range given up in 2004"),
        [0xff00..=0xffff, ..] => Class::Never("a multicast address"),
        // Teredo, classified by the embedded IPv4 addresses.
        [0x2001, 0, ..] => Class::Public,
        [0x2001, 0x1..=0x1ff, ..] => Class::Never("an address for network protocols"),
        [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => Class::Never("an address for documentation"),
        [0x2000..=0x3fff, ..] => Class::Public,
        _ => Class::Never("an address outside of the public range"),
    };
    embedded(address).into_iter().flatten().map(classify_v4).fold(around, Class::max)
}

/// The IPv4 addresses that an IPv6 address leads to.
fn embedded(address: Ipv6Addr) -> [Option<Ipv4Addr>; 3] {
    let v4 = |high: u16, low: u16| Some(Ipv4Addr::from((u32::from(high) << 16) | u32::from(low)));
    match address.segments() {
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low]
        | [0, 0, 0, 0, 0xffff, 0, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => [v4(high, low), None, None],
        [0x2002, high, low, _, isatap, 0x5efe, inner_high, inner_low] if isatap & !0x0200 == 0 => {
            [v4(high, low), v4(inner_high, inner_low), None]
        }
        [0x2002, high, low, ..] => [v4(high, low), None, None],
        // Teredo: the server's address unchanged, the client's with all bits inverted.
        [0x2001, 0, high, low, _, _, client_high, client_low] => [v4(high, low), v4(!client_high, !client_low), None],
        // ISATAP, with any prefix.
        [_, _, _, _, isatap, 0x5efe, high, low] if isatap & !0x0200 == 0 => [v4(high, low), None, None],
        _ => [None; 3],
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    const NOT_PUBLIC: [(&str, u32); 18] = [
        ("0.0.0.0", 8),
        ("10.0.0.0", 8),
        ("100.64.0.0", 10),
        ("127.0.0.0", 8),
        ("169.254.0.0", 16),
        ("172.16.0.0", 12),
        ("192.0.0.0", 24),
        ("192.0.2.0", 24),
        ("192.88.99.0", 24),
        ("192.168.0.0", 16),
        ("198.18.0.0", 15),
        ("198.51.100.0", 24),
        ("203.0.113.0", 24),
        ("224.0.0.0", 4),
        ("240.0.0.0", 4),
        ("255.255.255.255", 32),
        ("100.100.100.200", 32),
        ("168.63.129.16", 32),
    ];

    /// All forms of an IPv4 address as an IPv6 one.
    fn disguises(v4: Ipv4Addr) -> Vec<Ipv6Addr> {
        let bits = u128::from(u32::from(v4));
        let at = |text: &str, shift: u32| Ipv6Addr::from(u128::from(text.parse::<Ipv6Addr>().unwrap()) | bits << shift);
        let teredo_client = u128::from("2001:0:808:808::".parse::<Ipv6Addr>().unwrap()) | u128::from(!u32::from(v4));
        vec![
            at("::ffff:0:0", 0),
            at("::", 0),
            at("::ffff:0:0:0", 0),
            at("64:ff9b::", 0),
            at("2002::", 80),
            at("2002::1", 80),
            at("2001::f7f7:f7f7", 64),
            Ipv6Addr::from(teredo_client),
            at("2001:4860::5efe:0:0", 0),
            at("2001:4860::200:5efe:0:0", 0),
        ]
    }

    fn within(network: &str, prefix: u32, host: u32) -> Ipv4Addr {
        let mask = u32::MAX.checked_shr(prefix).unwrap_or(0);
        Ipv4Addr::from(u32::from(network.parse::<Ipv4Addr>().unwrap()) | host & mask)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn non_public_ranges_are_refused_in_every_notation(range in 0..NOT_PUBLIC.len(), host: u32) {
            let (network, prefix) = NOT_PUBLIC[range];
            let v4 = within(network, prefix, host);
            prop_assert!(refusal(v4.into(), AddressScope::Public).is_some(), "{v4}");
            for v6 in disguises(v4) {
                prop_assert!(refusal(v6.into(), AddressScope::Public).is_some(), "{v4} as {v6}");
            }
        }

        #[test]
        fn metadata_services_are_refused_even_as_private_hosts(host: u32) {
            for v4 in [within("169.254.0.0", 16, host), Ipv4Addr::new(100, 100, 100, 200)] {
                prop_assert!(refusal(v4.into(), AddressScope::Private).is_some(), "{v4}");
                for v6 in disguises(v4) {
                    prop_assert!(refusal(v6.into(), AddressScope::Private).is_some(), "{v4} as {v6}");
                }
            }
        }

        #[test]
        fn an_embedded_address_is_never_classified_more_permissively(bits: u32) {
            let v4 = Ipv4Addr::from(bits);
            for v6 in disguises(v4) {
                prop_assert!(classify(v6.into()) >= classify(v4.into()), "{v4} as {v6}");
            }
        }
    }

    #[test]
    fn public_addresses_are_allowed() {
        for address in ["1.1.1.1", "172.32.0.1", "100.128.0.1", "192.0.1.1", "2606:4700::1111", "64:ff9b::808:808"] {
            assert_eq!(classify(address.parse().unwrap()), Class::Public, "{address}");
        }
    }

    #[test]
    fn own_networks_are_allowed_as_private_hosts_only() {
        for address in ["127.0.0.1", "10.1.2.3", "172.31.0.1", "192.168.1.1", "100.64.0.1", "::1", "fd12::1", "fc00::1"]
        {
            let address = address.parse().unwrap();
            assert!(refusal(address, AddressScope::Public).is_some(), "{address}");
            assert_eq!(refusal(address, AddressScope::Private), None, "{address}");
        }
    }

    #[test]
    fn some_addresses_are_never_allowed() {
        for address in [
            "169.254.169.254",
            "169.254.170.2",
            "::ffff:169.254.169.254",
            "fd00:ec2::254",
            "fd20:ce::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "::",
            "0.0.0.0",
            "255.255.255.255",
            "224.0.0.1",
            "2001:db8::1",
            "3fff::1",
            "2001:2::1",
            "100::1",
            "5f00::1",
            "64:ff9b:1::a00:1",
            "192.0.0.192",
        ] {
            let address = address.parse().unwrap();
            assert!(refusal(address, AddressScope::Private).is_some(), "{address}");
        }
    }
}
