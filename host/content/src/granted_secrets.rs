//! The secrets that the entries of a site grant to its plugins, those of its identity providers, and those of them that are not set. Only
//! names are here, never values.

use masthead_domain::{
    plugin_use::{Grants, PluginUse},
    site::Site,
};

use crate::host_services::Secrets;

/// A secret that a site grants to a plugin, or uses itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantedSecret {
    /// Id of the plugin, or a few words for another user of the secret.
    pub plugin: String,
    /// Name of the secret.
    pub name: String,
    /// The key in the site's configuration: `plugins[0].grants.secrets[1]`, `accounts.providers.campus.secret`.
    pub key: String,
}

/// The secrets that a site grants, each once for a plugin, in the order of its configuration; then those of its identity providers.
#[must_use]
pub fn granted(site: &Site) -> Vec<GrantedSecret> {
    let mut all: Vec<GrantedSecret> = Vec::new();
    for (index, entry) in site.plugins.iter().enumerate() {
        for (part, grants) in parts(entry) {
            for (at, secret) in grants.secrets.iter().enumerate() {
                let (plugin, name) = (entry.id.clone(), secret.name().to_owned());
                if !all.iter().any(|other| other.plugin == plugin && other.name == name) {
                    all.push(GrantedSecret { plugin, name, key: format!("plugins[{index}].{part}.secrets[{at}]") });
                }
            }
        }
    }
    let providers = site.accounts.providers.iter().filter(|(_, provider)| !provider.secret.is_empty());
    all.extend(providers.map(|(name, provider)| GrantedSecret {
        plugin: format!("the identity provider {name}"),
        name: provider.secret.clone(),
        key: format!("accounts.providers.{name}.secret"),
    }));
    all
}

/// The grants of an entry and of its canary, with their keys.
fn parts(entry: &PluginUse) -> impl Iterator<Item = (&'static str, &Grants)> {
    let canary = entry.canary.as_ref().and_then(|canary| canary.grants.as_ref());
    std::iter::once(("grants", &entry.grants)).chain(canary.map(|grants| ("canary.grants", grants)))
}

/// The granted secrets of a site that are not set.
#[must_use]
pub fn missing(site: &Site, secrets: &Secrets) -> Vec<GrantedSecret> {
    granted(site).into_iter().filter(|granted| !secrets.has(site.id, &granted.name)).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::os::unix::fs::PermissionsExt as _;

    use masthead_config::{Configuration, Saved};

    use super::*;

    const PLATFORM: &str = include_str!("../../../sites/platform.toml");

    #[test]
    fn secrets_that_are_granted_and_not_set_are_named_with_their_plugin() {
        let folder = tempfile::tempdir().unwrap();
        let site = "id = 7001\nname = { en = \"One\" }\n\
            [[plugins]]\nid = \"plain\"\n\
            [[plugins]]\nid = \"gateway\"\ngrants = { secrets = [\"set\", { name = \"unset\", origins = [] }] }\n\
            canary = { version = \"2\", grants = { secrets = [\"unset\", \"new\"] } }\n\
            [accounts.providers.orcid]\nkind = \"orcid\"\nclientId = \"APP-1\"\nsecret = \"orcid\"\n\
            [accounts.providers.open]\nissuer = \"https://login.example.org\"\nclientId = \"c\"\n";
        std::fs::write(folder.path().join("platform.toml"), PLATFORM).unwrap();
        std::fs::write(folder.path().join("one.toml"), site).unwrap();
        let file = folder.path().join("secrets.toml");
        std::fs::write(&file, "[7001]\nset = \"s\"\n[7002]\nunset = \"of another site\"\n").unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
        let secrets = Secrets::default();
        secrets.read(folder.path()).unwrap();
        let configuration = Configuration::read(folder.path(), &Saved::new()).unwrap();
        let site = &configuration.sites["one"];
        let keys = |all: Vec<GrantedSecret>| all.into_iter().map(|one| (one.name, one.key)).collect::<Vec<_>>();
        let place = |name: &str, key: &str| (name.to_owned(), key.to_owned());
        let (first, second) = ("plugins[1].grants.secrets[1]", "plugins[1].canary.grants.secrets[1]");
        let orcid = place("orcid", "accounts.providers.orcid.secret");
        let expected =
            [place("set", "plugins[1].grants.secrets[0]"), place("unset", first), place("new", second), orcid];
        assert_eq!(keys(granted(site)), expected);
        assert_eq!(keys(missing(site, &secrets)), expected[1..]);
    }
}
