//! The identity providers at which readers of a site can sign in, in the order in which they are offered.

use masthead_domain::{
    Lang,
    site::{IdentityProvider, ProviderKind},
};
use masthead_runtime::Hook;

use super::SiteEntry;

impl SiteEntry {
    /// The providers with their settings, by the names that they have in addresses. There are none where the site has no accounts.
    #[must_use]
    pub fn identity_providers(&self) -> Vec<(&str, IdentityProvider)> {
        let accounts = &self.site.accounts;
        if !accounts.enabled {
            return Vec::new();
        }
        let hook = self.chain.has_hook(Hook::IdentityBegin);
        let named = accounts.providers.iter().map(|(name, settings)| (name.as_str(), settings.clone()));
        let mut all: Vec<_> = named.filter(|(_, settings)| hook || settings.kind != ProviderKind::Plugin).collect();
        if hook && !accounts.providers.contains_key(IdentityProvider::PLUGIN) {
            all.push((IdentityProvider::PLUGIN, IdentityProvider::of_plugin()));
        }
        // The plugin first: a site that has one has made it for its readers.
        all.sort_by_key(|(_, settings)| settings.kind != ProviderKind::Plugin);
        all
    }
}

/// What readers know a provider by; `None` for a plugin's provider without a name.
#[must_use]
pub fn title(settings: &IdentityProvider, lang: Lang) -> Option<String> {
    let named = settings.name.get(lang);
    if !named.is_empty() {
        return Some(named.to_owned());
    }
    match settings.kind {
        ProviderKind::Orcid => Some("ORCID".to_owned()),
        ProviderKind::Openid => {
            let address = url::Url::parse(settings.issuer()).ok();
            address.and_then(|address| address.host_str().map(str::to_owned))
        }
        ProviderKind::Plugin => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_provider_is_known_by_its_name_or_its_host() {
        let campus =
            IdentityProvider { issuer: "https://id.campus.example/realm".to_owned(), ..IdentityProvider::default() };
        assert_eq!(title(&campus, Lang::En).as_deref(), Some("id.campus.example"));
        let orcid = IdentityProvider { kind: ProviderKind::Orcid, ..IdentityProvider::default() };
        assert_eq!(title(&orcid, Lang::Zh).as_deref(), Some("ORCID"));
        assert_eq!(title(&IdentityProvider::of_plugin(), Lang::En), None);
    }
}
