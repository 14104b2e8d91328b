//! What a data folder has, read or changed without a host or a command.

use std::path::Path;

use masthead_content::data_folder::open_store;
use masthead_domain::SiteId;
use masthead_store::{AuditEntry, AuditQuery, ChangeAction, ChangeKind, Store};

/// Opens the store of a data folder for a while.
pub fn with_store<T>(data: &Path, doing: impl AsyncFnOnce(&Store) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = open_store(data, None).await.unwrap();
        let done = doing(&store).await;
        store.close().await;
        done
    })
}

/// What a database tells of its changes.
#[derive(Debug, PartialEq)]
pub struct Traces {
    /// The audit trail of a site, latest first.
    pub audit: Vec<AuditEntry>,
    /// The change log of all sites, without the marks, which are random.
    pub log: Vec<(i64, ChangeKind, ChangeAction, String)>,
    /// The number of the latest change.
    pub position: i64,
}

impl Traces {
    pub async fn of(store: &Store, site: SiteId) -> Self {
        const ALL: i64 = 1_000_000;
        let query = AuditQuery { site: Some(site), limit: ALL, ..AuditQuery::default() };
        let audit = store.audit(&query).await.unwrap().into_iter().map(|line| line.entry).collect();
        let changes = store.changes_after(0, ALL).await.unwrap().into_iter();
        let log = changes.map(|change| (change.seq, change.kind, change.action, change.entity)).collect();
        Self { audit, log, position: store.latest_change().await.unwrap() }
    }
}
