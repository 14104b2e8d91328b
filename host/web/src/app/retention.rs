//! Deletion of expired data: sessions, codes, counts of failed sign-ins, messages, marks of alerts, histories of members, and unused
//! accounts. The configuration has the time for which each is kept.

use std::{sync::Arc, time::Duration};

use masthead_accounts::administrators;
use masthead_config::{Alerts, Retention};
use masthead_domain::member::MemberId;
use masthead_store::{Expired, Expiry, StoreError};

use crate::{app::App, sites::SiteEntry};

/// Interval between two runs.
const INTERVAL: Duration = Duration::from_secs(3600);
const DAY_MS: i64 = 86_400_000;
/// Milliseconds for which failed sign-ins are counted: no delay and no captcha lasts longer.
const ATTEMPTS_MS: i64 = 2 * DAY_MS;
/// Greatest number of accounts that one run erases of a site.
const MAX_ERASED: i64 = 1000;

/// The numbers of rows that a run deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deleted {
    /// Rows that belong to no single site.
    pub expired: Expired,
    /// Entries of histories.
    pub uses: u64,
    /// Accounts.
    pub members: usize,
}

/// Deletes expired data once an hour until the process ends.
pub async fn run(app: Arc<App>) {
    loop {
        tokio::time::sleep(INTERVAL).await;
        match delete(&app).await {
            Ok(deleted) if deleted == Deleted::default() => {}
            Ok(Deleted { expired, uses, members }) => tracing::info!(
                sessions = expired.sessions,
                secrets = expired.secrets,
                attempts = expired.attempts,
                messages = expired.messages,
                alerts = expired.alerts,
                uses,
                members,
                "expired data was deleted"
            ),
            Err(error) => {
                tracing::error!(%error, "not everything that has expired is deleted; trying again in an hour")
            }
        }
    }
}

/// Deletes the data that has expired now. The next run, of this host or another, completes an interrupted one.
///
/// # Errors
/// [`StoreError`].
pub async fn delete(app: &App) -> Result<Deleted, StoreError> {
    let (table, now) = (app.sites.load_full(), app.counting.now());
    let retention = table.platform.retention;
    // Sessions of all sites are deleted at once: those of a site with shorter times have ended, whether they are deleted or not.
    let times = table.iter().map(|entry| entry.site.accounts.sessions);
    let (max, idle) = times.fold((0, 0), |(max, idle), of| (max.max(of.max_ms()), idle.max(of.idle_ms())));
    let expired = app
        .store
        .delete_expired(&Expiry {
            sessions_begun: now - max,
            sessions_used: now - idle,
            administrator_sessions_begun: now - administrators::MAX_MS,
            administrator_sessions_used: now - administrators::IDLE_MS,
            attempts: now - ATTEMPTS_MS,
            messages: now - i64::from(retention.message_days) * DAY_MS,
            alerts: marks_from(&table.platform.alerts, retention, now),
            now,
        })
        .await?;
    let mut deleted = Deleted { expired, ..Deleted::default() };
    for entry in table.iter() {
        deleted.uses += delete_uses(app, entry, now).await?;
        deleted.members += erase_unused(app, entry, now).await?;
    }
    Ok(deleted)
}

/// The time before which marks of alerts are deleted. While an item is news, its mark stays: an import that stores the item anew would
/// alert its subscribers again. Without a limit on news, none is deleted.
fn marks_from(alerts: &Alerts, retention: Retention, now: i64) -> i64 {
    if alerts.new_days == 0 { 0 } else { now - i64::from(retention.alert_days.max(alerts.new_days)) * DAY_MS }
}

async fn delete_uses(app: &App, entry: &SiteEntry, now: i64) -> Result<u64, StoreError> {
    match entry.site.retention.history_ms() {
        Some(kept) => app.store.site(entry.site.id).delete_member_uses(now - kept).await,
        None => Ok(0),
    }
}

/// Erases the accounts that were not used for the site's time, each with its line of the audit trail.
async fn erase_unused(app: &App, entry: &SiteEntry, now: i64) -> Result<usize, StoreError> {
    let Some(kept) = entry.site.retention.unused_ms() else { return Ok(0) };
    let store = app.store.site(entry.site.id);
    let (mut erased, seen_before) = (0, now - kept);
    for member in store.unused_members(seen_before, MemberId(0), MAX_ERASED).await? {
        // A member who has signed in since the list was read stays.
        erased += usize::from(store.of_member(member).erase_unused(seen_before, now).await?);
    }
    Ok(erased)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_kept_while_its_item_is_news() {
        let marks = |new_days, alert_days| {
            let alerts = Alerts { new_days, ..Alerts::default() };
            marks_from(&alerts, Retention { alert_days, ..Retention::default() }, 1_000 * DAY_MS)
        };
        assert_eq!(marks(120, 400), 600 * DAY_MS);
        assert_eq!(marks(500, 400), 500 * DAY_MS);
        assert_eq!(marks(0, 400), 0, "everything is news");
    }
}
