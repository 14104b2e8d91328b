//! Follows the change log: the search index, and the generations by which finished pages are found.

use std::{
    collections::BTreeMap,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use masthead_domain::SiteId;
use masthead_store::{Change, ChangeKind};

use crate::{indexing, state::App};

/// How often the log is looked at: another process may write to it.
const EVERY: Duration = Duration::from_millis(300);
/// Changes that are taken over at once.
const BATCH: i64 = 200;

/// Follows the log until the process ends.
pub async fn run(app: Arc<App>) {
    let mut seen = app.search.position().unwrap_or(0);
    let mut delay = EVERY;
    loop {
        match step(&app, seen).await {
            Ok(position) => {
                let more = position - seen >= BATCH;
                seen = position;
                delay = EVERY;
                // The index is written once for all changes of a pause: while an import commits, each step would otherwise write it for a
                // few articles.
                if more {
                    continue;
                }
            }
            Err(error) => {
                tracing::error!(%error, position = seen, "following the change log; it is tried again");
                delay = (delay * 2).min(Duration::from_secs(30));
            }
        }
        tokio::time::sleep(delay).await;
    }
}

/// Takes over the next batch; gives the position after it.
///
/// # Errors
/// A message; the position is as before then.
pub async fn step(app: &Arc<App>, position: i64) -> anyhow::Result<i64> {
    let changes = app.store.changes_after(position, BATCH).await?;
    let Some(last) = changes.last().map(|change| change.seq) else { return Ok(position) };
    // Pages first: a reader sees the new article at once, the index follows.
    bump(app, &changes);
    if changes.iter().any(|change| change.kind == ChangeKind::Setting) {
        app.reload().await;
    }
    let batch = indexing::updates(&app.store, &changes).await?;
    let search = Arc::clone(&app.search);
    tokio::task::spawn_blocking(move || search.apply(&batch, last)).await??;
    metrics::gauge!("masthead_index_position").set(last as f64);
    Ok(last)
}

fn bump(app: &App, changes: &[Change]) {
    let mut newest: BTreeMap<SiteId, i64> = BTreeMap::new();
    for change in changes {
        newest.insert(change.site, change.seq);
    }
    let table = app.sites.load();
    for (site, seq) in newest {
        if let Some(entry) = table.by_id(site) {
            entry.content_generation.fetch_max(seq, Ordering::AcqRel);
        }
    }
}
