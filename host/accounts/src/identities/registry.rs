//! The providers of all sites, as they are configured now. Each has a cache of its endpoints and keys.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use masthead_domain::{SiteId, site::IdentityProvider};
use masthead_runtime::{HostLimits, ServiceClient};

use super::{IdentityError, Provider};

/// Limits of a request to a provider. A sign-in sends at most four, within the time of a request of a reader. The configuration and the keys of large providers have some ten thousand bytes.
const LIMITS: HostLimits =
    HostLimits { response_bytes: 256 << 10, timeout: Duration::from_secs(4), connect_timeout: Duration::from_secs(3) };

/// The providers.
#[derive(Default)]
pub struct Providers(Mutex<BTreeMap<(SiteId, String), Arc<Provider>>>);

impl Providers {
    /// A provider of a site. It begins anew when its settings are others than before.
    ///
    /// # Errors
    /// [`IdentityError::Unavailable`] if its address cannot be used.
    pub fn of(&self, site: SiteId, name: &str, settings: &IdentityProvider) -> Result<Arc<Provider>, IdentityError> {
        let key = (site, name.to_owned());
        // Nothing panics while the lock is held.
        let mut providers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(provider) = providers.get(&key).filter(|provider| provider.settings() == settings) {
            return Ok(Arc::clone(provider));
        }
        let client = ServiceClient::new(settings.issuer(), settings.private_network, LIMITS)
            .map_err(|error| IdentityError::Unavailable(error.to_string()))?;
        let provider = Arc::new(Provider::new(name, settings.clone(), Arc::new(client)));
        providers.insert(key, Arc::clone(&provider));
        Ok(provider)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_provider_begins_anew_with_other_settings() {
        let providers = Providers::default();
        let settings = IdentityProvider { issuer: "https://login.example.org".to_owned(), ..Default::default() };
        let first = providers.of(SiteId(1), "campus", &settings).unwrap();
        assert!(Arc::ptr_eq(&first, &providers.of(SiteId(1), "campus", &settings).unwrap()));
        assert!(!Arc::ptr_eq(&first, &providers.of(SiteId(2), "campus", &settings).unwrap()));
        let changed = IdentityProvider { client_id: "other".to_owned(), ..settings };
        assert!(!Arc::ptr_eq(&first, &providers.of(SiteId(1), "campus", &changed).unwrap()));
        for issuer in ["", "http://login.example.org", "https://10.0.0.1", "login.example.org"] {
            let settings = IdentityProvider { issuer: issuer.to_owned(), ..Default::default() };
            let refused = providers.of(SiteId(1), "other", &settings);
            assert!(matches!(refused.err(), Some(IdentityError::Unavailable(_))), "{issuer}");
        }
    }
}
