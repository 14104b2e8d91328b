//! Everything that is wrong with a site's entry for a plugin, as far as the manifest tells: for commands that write an entry. Admission
//! stops at the first fault, and takes no notice of grants that the manifest does not ask for.

use masthead_domain::{
    plugin_use::{Grants, SecretGrant},
    text::nearest,
};
use serde_json::Value;
use url::Url;

use crate::{
    contract::{manifest::Manifest, settings_schema},
    invocation::fetch::{AllowedOrigins, GrantedSecrets},
};

/// The personal fields that a site can grant.
const PERSONAL: [&str; 2] = ["author.email", "author.orcid"];

/// What the schema of a manifest says against the settings of a site: a sentence for each fault.
#[must_use]
pub fn setting_faults(manifest: &Manifest, settings: &Value) -> Vec<String> {
    let faults = settings_schema::faults(&manifest.settings, settings);
    faults.into_iter().map(|fault| format!("settings: {fault}")).collect()
}

/// What is wrong with the grants of a site: capabilities that the manifest does not ask for, those that it needs and does not get, and
/// malformed entries.
#[must_use]
pub fn grant_faults(manifest: &Manifest, grants: &Grants) -> Vec<String> {
    let mut faults = Vec::new();
    let nothing = Grants::default();
    let asked: Vec<&str> =
        manifest.capabilities.keys().map(String::as_str).filter(|name| !nothing.gives(name)).collect();
    for (key, capability, is_given) in [
        ("content", "content", grants.content),
        ("personal", "content", !grants.personal.is_empty()),
        ("kv", "kv", grants.kv),
        ("http", "http", !grants.http.is_empty()),
        ("privateHttp", "http", !grants.private_http.is_empty()),
        ("secrets", "secrets", !grants.secrets.is_empty()),
        ("frames", "frames", !grants.frames.is_empty()),
    ] {
        if is_given && !asked.contains(&capability) {
            let list = if asked.is_empty() { "no grant".to_owned() } else { asked.join(", ") };
            faults.push(format!("grants.{key}: the plugin does not ask for {capability}; it asks for {list}"));
        }
    }
    for (name, reason) in manifest.missing(grants) {
        faults.push(format!("grants.{name} is missing, which the plugin needs: {reason}"));
    }
    for field in grants.personal.iter().filter(|field| !PERSONAL.contains(&field.as_str())) {
        let hint = nearest(field, PERSONAL.into_iter())
            .map_or_else(|| format!("they are {}", PERSONAL.join(" and ")), |near| format!("do you mean {near}?"));
        faults.push(format!("grants.personal: {field:?} is no personal field; {hint}"));
    }
    for frame in grants.frames.iter().filter(|frame| !is_origin(frame)) {
        faults.push(format!("grants.frames: {frame:?} is no origin; write https://assistant.example.org"));
    }
    faults.extend(server_faults(grants));
    faults
}

/// The malformed servers, or, where all of them can be read, the secrets that cannot be bound to them.
fn server_faults(grants: &Grants) -> Vec<String> {
    let mut faults = Vec::new();
    for (key, entries, is_private) in [("http", &grants.http, false), ("privateHttp", &grants.private_http, true)] {
        for entry in entries {
            let one = std::slice::from_ref(entry);
            let (public, private) = if is_private { (&[][..], one) } else { (one, &[][..]) };
            if let Err(fault) = AllowedOrigins::parse(public, private) {
                faults.push(format!("grants.{key}: {fault}"));
            }
        }
    }
    if !faults.is_empty() {
        return faults;
    }
    match AllowedOrigins::parse(&grants.http, &grants.private_http) {
        Ok(allowed) => faults.extend(secret_faults(&grants.secrets, &allowed)),
        Err(fault) => faults.push(format!("grants: {fault}")),
    }
    faults
}

fn secret_faults(secrets: &[SecretGrant], allowed: &AllowedOrigins) -> Vec<String> {
    let of = |secrets: &[SecretGrant]| {
        GrantedSecrets::bind(secrets, allowed).err().map(|fault| format!("grants.secrets: {fault}"))
    };
    let each: Vec<String> = secrets.iter().filter_map(|secret| of(std::slice::from_ref(secret))).collect();
    // Two grants of one secret are a fault of both together.
    if each.is_empty() { of(secrets).into_iter().collect() } else { each }
}

/// Whether the text is `http(s)://name[:port]` and nothing else, as a content security policy needs it.
fn is_origin(text: &str) -> bool {
    Url::parse(text)
        .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.origin().ascii_serialization() == text)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn manifest(capabilities: &str) -> Manifest {
        let text = "id='a'\nversion='1.0.0'\ncontract='0.1'\nhooks=['links.rewrite']\nname={zh='甲',en='A'}\n";
        Manifest::parse(&format!("{text}capabilities={{{capabilities}}}\n")).unwrap()
    }

    fn found(capabilities: &str, grants: Value) -> Vec<String> {
        grant_faults(&manifest(capabilities), &serde_json::from_value(grants).unwrap())
    }

    #[test]
    fn grants_beyond_the_manifest_and_missing_ones_are_named_together() {
        let faults = found(
            "settings='Reads.',kv='Counts.',http={reason='Asks.',optional=true}",
            serde_json::json!({ "content": true, "frames": ["https://a.example"] }),
        );
        let expected = [
            "grants.content: the plugin does not ask for content; it asks for http, kv",
            "grants.frames: the plugin does not ask for frames; it asks for http, kv",
            "grants.kv is missing, which the plugin needs: Counts.",
        ];
        assert_eq!(faults, expected);
        assert!(found("", serde_json::json!({ "kv": true }))[0].ends_with("it asks for no grant"));
        assert_eq!(found("kv='Counts.'", serde_json::json!({ "kv": true })), Vec::<String>::new());
    }

    #[test]
    fn every_malformed_entry_is_named() {
        let all = "content='Reads.',http='Asks.',secrets='Signs.',frames='Shows.'";
        let faults = found(
            all,
            serde_json::json!({
                "content": true, "personal": ["author.mail", "author.orcid"], "http": ["*.example", "a.example/x", "b.example"],
                "privateHttp": ["http://169.254.169.254"], "secrets": ["key"], "frames": ["a.example", "https://a.example"],
            }),
        );
        let words = [
            "\"author.mail\" is no personal field; do you mean author.email?",
            "grants.frames: \"a.example\" is no origin",
            "grants.http: the HTTP grant \"*.example\": wildcards",
            "grants.http: the HTTP grant \"a.example/x\"",
            "grants.privateHttp: the HTTP grant \"http://169.254.169.254\"",
        ];
        assert_eq!(faults.len(), words.len(), "{faults:#?}");
        for (fault, words) in faults.iter().zip(words) {
            assert!(fault.contains(words), "{fault} should say {words}");
        }
        let faults = found(
            "http='Asks.',secrets='Signs.'",
            serde_json::json!({ "http": ["a.example", "b.example"], "secrets": ["one", "two"] }),
        );
        assert!(faults.len() == 2 && faults[1].contains("grants.secrets: the secret \"two\""), "{faults:#?}");
    }
}
