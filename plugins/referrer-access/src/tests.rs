//! Tests of matching referrers with the listed hosts.

use super::{host, is_listed};

#[test]
fn a_host_and_its_subdomains_match() {
    for address in [
        "https://a.example.org/x",
        "HTTPS://A.Example.org",
        "http://u:p@a.example.org:8080/?q",
        "https://sub.a.example.org#f",
    ] {
        assert!(is_listed(&host(address).unwrap(), "a.example.org"), "{address}");
    }
}

#[test]
fn other_hosts_and_invalid_addresses_do_not_match() {
    for address in [
        "https://evil.example/?a.example.org",
        "https://evil.example/a.example.org",
        "https://evil.example#https://a.example.org",
        "https://a.example.org@evil.example/",
        "https://evil.example\\@a.example.org",
        "https://nota.example.org/",
        "https://a.example.org.evil.example/",
        "https://example.org/",
    ] {
        assert!(!is_listed(&host(address).unwrap(), "a.example.org"), "{address}");
    }
    for address in
        ["", "a.example.org", "ftp://a.example.org/", "javascript://a.example.org/", "https:///a.example.org"]
    {
        assert_eq!(host(address), None, "{address}");
    }
    assert!(!is_listed("a.example.org", ""));
}
