//! What is wrong with the identity providers of a site: names that cannot stand in addresses, and addresses to which no secret is sent.

use masthead_domain::site::{IdentityProvider, ProviderKind, Site};

use crate::Fault;

/// The faults of `[accounts.providers]`.
pub(crate) fn faults(site: &Site) -> Vec<Fault> {
    let providers = &site.accounts.providers;
    let mut faults = Vec::new();
    if providers.len() > IdentityProvider::MAX {
        let message =
            format!("accounts.providers has {} providers, and {} are allowed", providers.len(), IdentityProvider::MAX);
        faults.push(Fault::new("accounts.providers", message, "leave out those that nobody uses"));
    }
    for (name, provider) in providers {
        let key = format!("accounts.providers.{name}");
        if !IdentityProvider::is_name(name) {
            let message = format!("the name of {key} is not one of up to 32 small letters, digits and hyphens");
            faults.push(Fault::new(&key, message, "write another name"));
        }
        if (provider.kind == ProviderKind::Plugin) != (name == IdentityProvider::PLUGIN) {
            let message = format!("{key}: the provider of the identity hook, and no other one, is named \"plugin\"");
            faults.push(Fault::new(
                &key,
                message,
                "name it plugin, with kind = \"plugin\", or give it another name and kind",
            ));
        }
        if provider.kind == ProviderKind::Plugin {
            continue;
        }
        if provider.client_id.trim().is_empty() {
            let message = format!("{key}.clientId is missing");
            faults.push(Fault::new(
                format!("{key}.clientId"),
                message,
                "write the client id that the provider gave the site",
            ));
        }
        if let Some(why) = provider.issuer_fault() {
            let message = format!("{key}.issuer {:?} {why}", provider.issuer());
            faults.push(Fault::new(
                format!("{key}.issuer"),
                message,
                "write the provider's issuer, such as https://login.example.org",
            ));
        }
        let odd = |scope: &&String| {
            scope.is_empty() || !scope.bytes().all(|b| b.is_ascii_graphic() && b != b'"' && b != b'\\')
        };
        if let Some(scope) = provider.scopes.iter().find(odd) {
            let message = format!("{key}.scopes: {scope:?} is not a scope");
            faults.push(Fault::new(format!("{key}.scopes"), message, "write each scope as an entry of its own"));
        }
    }
    faults
}
