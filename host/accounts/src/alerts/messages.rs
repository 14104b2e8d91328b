//! Turns recorded alerts into messages in the outbox.

use std::collections::{BTreeMap, BTreeSet};

use masthead_config::Alerts;
use masthead_domain::{
    Lang, SiteId,
    member::{MemberName, SubscriptionType},
};
use masthead_store::{AlertCursor, AlertMessage, AlertSource, DueAlerts, NewMessage, Store, StoreError};

use super::Columns;
use crate::{
    installation_key::InstallationKey,
    messages::{Alert, Followed, Message},
    outbox::{MessageComposer, Recipient},
};

/// Number of subscribers whose messages are queued in one transaction.
const BATCH: i64 = 500;
/// Milliseconds of a minute.
const MINUTE: i64 = 60_000;

/// Queues the messages about recorded alerts of the sites that are quiet now. Returns the number of subscribers who get one.
///
/// # Errors
/// The store's error; the subscribers without a message get it at the next call.
pub async fn tell(store: &Store, key: &InstallationKey, rules: &Alerts, now: i64) -> Result<usize, StoreError> {
    let waiting = store.waiting_alerts().await?;
    let ripe = waiting.iter().filter(|waiting| is_ripe(rules, waiting.oldest, waiting.newest, now));
    let ripe: BTreeSet<SiteId> = ripe.map(|waiting| waiting.site).collect();
    let (mut told, mut after) = (0, AlertCursor::default());
    if ripe.is_empty() {
        return Ok(0);
    }
    let mut writer = Writer { store, key, rules, now, columns: BTreeMap::new(), names: BTreeMap::new() };
    loop {
        let (due, next) = store.due_alerts(&after, BATCH).await?;
        let due: Vec<DueAlerts> = due.into_iter().filter(|due| ripe.contains(&due.site)).collect();
        let mut tellings = Vec::with_capacity(due.len());
        for alerts in &due {
            tellings.push(AlertMessage { alerts, message: writer.message(alerts).await? });
        }
        if !tellings.is_empty() {
            told += store.tell(&tellings, now).await?;
        }
        let Some(next) = next else { return Ok(told) };
        after = next;
    }
}

/// Whether the alerts of a site are due: none was recorded for a while, or the first has waited for the longest time. After a clock was set
/// back, alerts from the future are due.
fn is_ripe(rules: &Alerts, oldest: i64, newest: i64, now: i64) -> bool {
    let waited = |since: i64, minutes: u32| now < since || now - since >= i64::from(minutes) * MINUTE;
    waited(newest, rules.quiet_minutes) || waited(oldest, rules.longest_minutes)
}

struct Writer<'a> {
    store: &'a Store,
    key: &'a InstallationKey,
    rules: &'a Alerts,
    now: i64,
    /// The columns of the sites, and their names by site and key.
    columns: BTreeMap<SiteId, Columns>,
    names: BTreeMap<(SiteId, String, Lang), String>,
}

impl Writer<'_> {
    /// The message to one subscriber; `None` without an address.
    async fn message(&mut self, due: &DueAlerts) -> Result<Option<NewMessage>, StoreError> {
        let (email, lang, alert) = match &due.source {
            AlertSource::Subscription(found) => {
                let subscription = &found.subscription;
                let followed = Followed::Subscription { id: subscription.id, about: subscription.kind };
                let (label, list) = match subscription.kind {
                    SubscriptionType::Current => (String::new(), "/issues"),
                    SubscriptionType::OnlineFirst => (String::new(), "/onlineFirst"),
                    SubscriptionType::Keywords => (subscription.keywords.clone(), ""),
                    SubscriptionType::Column => (self.column(due.site, &subscription.column, found.lang).await?, ""),
                };
                (&subscription.email, found.lang, self.alert(due, followed, label, list))
            }
            AlertSource::Search(search) => {
                let followed = Followed::Search { id: search.id };
                let list = below_language(&search.address);
                (&search.email, search.lang, self.alert(due, followed, search.name.clone(), &list))
            }
        };
        let recipient = MemberName::email(email).ok().and_then(|name| Recipient::of(&name).ok());
        let Some(recipient) = recipient else { return Ok(None) };
        let written =
            MessageComposer::new(self.key, due.site, self.now).message(&recipient, lang, Message::Alert(alert));
        Ok(written.inspect_err(|error| tracing::error!(%error, "an alert could not be written")).ok())
    }

    fn alert(&self, due: &DueAlerts, followed: Followed, label: String, list: &str) -> Alert {
        let most = self.rules.items as usize;
        Alert {
            followed,
            label,
            items: due.items.iter().take(most).cloned().collect(),
            more: due.items.len() > most,
            list: list.to_owned(),
        }
    }

    /// The name of a column.
    async fn column(&mut self, site: SiteId, key: &str, lang: Lang) -> Result<String, StoreError> {
        let place = (site, key.to_owned(), lang);
        if let Some(name) = self.names.get(&place) {
            return Ok(name.clone());
        }
        let columns = self.columns.entry(site).or_insert_with(|| Columns::new(self.store.site(site)));
        let name = columns.name(key, lang).await?.unwrap_or_else(|| key.to_owned());
        Ok(self.names.entry(place).or_insert(name).clone())
    }
}

/// The path of a saved address behind the language, with a slash at its beginning.
fn below_language(address: &str) -> String {
    let path = address.trim_start_matches('/');
    let (first, rest) = path.split_once('/').unwrap_or((path, ""));
    let path = if first.parse::<Lang>().is_ok() { rest } else { path };
    format!("/{path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_searches_are_shown_in_the_language_of_the_message() {
        for address in ["/zh/search?q=a/b", "/search?q=a/b", "search?q=a/b", "en/search?q=a/b"] {
            assert_eq!(below_language(address), "/search?q=a/b", "{address}");
        }
        assert_eq!(below_language("zh"), "/");
    }

    #[test]
    fn a_site_is_told_when_it_is_quiet_or_has_waited_long() {
        let rules = Alerts { quiet_minutes: 10, longest_minutes: 60, ..Alerts::default() };
        let minutes = |minutes: i64| minutes * MINUTE;
        assert!(!is_ripe(&rules, minutes(0), minutes(5), minutes(14)), "something came nine minutes ago");
        assert!(is_ripe(&rules, minutes(0), minutes(5), minutes(15)));
        assert!(is_ripe(&rules, minutes(0), minutes(59), minutes(60)), "the first has waited for an hour");
        assert!(is_ripe(&rules, minutes(100), minutes(100), minutes(1)), "the clock was set back");
    }
}
