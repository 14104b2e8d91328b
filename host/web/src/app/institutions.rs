//! The institutions of sites that are kept in the database, beside those of the configuration. Every file and call of a site that is open to
//! institutions asks for them, so that they are kept in memory and read again after a while.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

use masthead_domain::{SiteId, networks::Networks};
use masthead_store::{Institution, SiteStore, StoreError};

/// Milliseconds after which they are read again: another host, or a command, may have changed them.
const KEPT_MS: i64 = 30_000;

/// An institution with its networks, as addresses are compared with them.
#[derive(Debug)]
struct Known {
    networks: Networks,
    /// When its agreement ends, in milliseconds since 1970; 0 for never.
    until: i64,
}

/// The institutions of one site, and when they were read.
#[derive(Clone, Debug)]
struct Read {
    at: i64,
    known: Arc<[Known]>,
}

/// The institutions of all sites that were asked for.
#[derive(Debug, Default)]
pub struct Institutions(Mutex<HashMap<SiteId, Read>>);

impl Institutions {
    /// Whether an institution of the site has this address in its networks, and an agreement that has not ended. While the database does not
    /// answer, those that were read last count.
    pub async fn have(&self, store: &SiteStore, site: SiteId, address: IpAddr, now: i64) -> bool {
        let known = self.of(store, site, now).await;
        known.iter().any(|one| (one.until == 0 || one.until > now) && one.networks.contain(address))
    }

    /// Has the institutions of a site read again, because they were changed.
    pub fn forget(&self, site: SiteId) {
        self.reads().remove(&site);
    }

    async fn of(&self, store: &SiteStore, site: SiteId, now: i64) -> Arc<[Known]> {
        let before = self.reads().get(&site).cloned();
        // A clock that was set back has them read again, too.
        if let Some(read) = before.as_ref().filter(|read| (0..KEPT_MS).contains(&(now - read.at))) {
            return Arc::clone(&read.known);
        }
        match read(store).await {
            Ok(known) => {
                self.reads().insert(site, Read { at: now, known: Arc::clone(&known) });
                known
            }
            Err(error) => {
                tracing::error!(%error, %site, "the institutions cannot be read; those that were read last count");
                before.map(|read| read.known).unwrap_or_default()
            }
        }
    }

    fn reads(&self) -> std::sync::MutexGuard<'_, HashMap<SiteId, Read>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn read(store: &SiteStore) -> Result<Arc<[Known]>, StoreError> {
    let known = |institution: Institution| {
        let networks = Networks::try_from(institution.networks);
        let networks = networks.inspect_err(|error| {
            tracing::error!(error, institution = institution.key, "the networks of an institution are not used");
        });
        Some(Known { networks: networks.ok()?, until: institution.until })
    };
    Ok(store.institutions().await?.into_iter().filter_map(known).collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_store::Store;

    use super::*;

    const SITE: SiteId = SiteId(7);
    const NOW: i64 = 1_800_000_000_000;

    #[tokio::test]
    async fn an_address_counts_while_the_agreement_lasts_and_the_institution_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_file(&folder.path().join("a.db")).await.unwrap();
        let (site, known) = (store.site(SITE), Institutions::default());
        let address: IpAddr = "192.0.2.7".parse().unwrap();
        let at = async |now: i64| known.have(&site, SITE, address, now).await;
        assert!(!at(NOW).await, "there is none");
        let institution = Institution {
            key: "estuary".to_owned(),
            name: "Estuary".to_owned(),
            networks: vec!["192.0.2.0/24".to_owned()],
            until: NOW + 86_400_000,
        };
        site.set_institution(&institution, "tests", NOW).await.unwrap();
        assert!(!at(NOW + KEPT_MS - 1).await && at(NOW + KEPT_MS).await, "it is found when they are read again");
        assert!(!at(NOW + 86_400_000).await, "the agreement has ended");
        assert!(at(NOW).await, "a clock that was set back");
        let elsewhere = "198.51.100.1".parse().unwrap();
        assert!(!known.have(&site, SITE, elsewhere, NOW).await);
        assert!(!known.have(&store.site(SiteId(8)), SiteId(8), address, NOW).await, "another site's");
        site.remove_institution("estuary", "tests", NOW).await.unwrap();
        assert!(at(NOW + 1).await);
        known.forget(SITE);
        assert!(!at(NOW + 1).await);
    }
}
