//! Counts views, downloads and searches according to the COUNTER Code of Practice: robots are excluded, and repeated
//! clicks of one visitor on one item within half a minute count once.
//!
//! A client can send any user agent and any header, so these never add to a count: of one client (an IPv4 address, or an IPv6
//! network), one event on an item counts in half a minute, and [`MAX_OF_CLIENT`] in a day. Search texts are counted by
//! clients, not by searches, and only those that look like search terms are counted at all.
//!
//! Counts are stored by the days of each site's time zone. The limits of a client are limits of a day in UTC, because one table
//! holds them for all sites.
//!
//! Counts are collected in memory and written every few seconds and at shutdown, so that a view costs no database
//! write. A process that is killed loses the counts since the last write, and nothing else. Memory is bounded: in a
//! flood, events beyond the limits are not counted (metric `masthead_uncounted_total`).

mod daily_counts;
pub mod dates;
pub mod popularity;
mod robots;
mod search_text;
mod visitor;

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use arc_swap::ArcSwap;
use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::{Timestamp, tz::TimeZone};
use masthead_domain::{SiteId, text::hex};
use masthead_store::{Count, Searched, Store, StoreError};
use sha2::{Digest as _, Sha256};

use crate::client::Client;
use daily_counts::DailyCounts;
pub use visitor::Visitor;

/// Days over which searches are counted for the suggested words.
pub const HOT_DAYS: i64 = 30;

/// Milliseconds since 1970.
pub type Clock = Arc<dyn Fn() -> i64 + Send + Sync>;

/// Interval between writes of the collected counts.
pub const FLUSH_INTERVAL: Duration = Duration::from_secs(5);
/// Clicks within this time are one (COUNTER Code of Practice 5.1, double-click filtering).
const DOUBLE_CLICK_MS: i64 = 30_000;
const DAY_MS: i64 = 86_400_000;
/// Greatest number of remembered clicks: about 16 MB.
const MAX_CLICKS: usize = 300_000;
/// Greatest number of events of one client on one item that count in a day. The readers of an institution may share an
/// address, so that it is more than one.
pub const MAX_OF_CLIENT: u8 = 20;
/// Greatest number of different search texts of one client that count for one site in a day.
const MAX_WORDS_OF_CLIENT: u8 = 40;
/// Greatest number of items with counts that are not written yet.
const MAX_PENDING: usize = 100_000;
/// Greatest number of different search texts that are counted for one site in one day and process.
const MAX_WORDS: usize = 2_000;
/// Days for which search texts are stored.
const RETENTION_DAYS: i64 = 90;

/// The act of a reader on an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsageAction {
    /// Viewed the item.
    Visit,
    /// Downloaded the item.
    Download,
}

/// Collects counts.
pub struct Counting {
    clock: Clock,
    bots: robots::Bots,
    /// Time zone of each site; sites that are not listed use UTC.
    zones: ArcSwap<HashMap<SiteId, TimeZone>>,
    state: Mutex<State>,
    /// Held while counts are written. Counts that are being written are not in `state`, so that only a flush that waits for the one
    /// before it can promise that everything is written.
    writing: tokio::sync::Mutex<()>,
}

/// Views and downloads by site, kind, number and day.
type PendingCounts = HashMap<(SiteId, String, i64, i64), (i64, i64)>;
/// Searches by the day of their site: site, text and client. Clients are hashed when the searches are written.
type PendingSearches = BTreeMap<i64, HashSet<(SiteId, String, Client)>>;

#[derive(Default)]
struct State {
    /// The day (since 1970) and the secret with which that day's visitors are hashed; the secret is never stored.
    salt: (i64, [u8; 32]),
    /// Time of each visitor's last click on each item, and of each client's last counted one, by the hash of both.
    clicks: HashMap<[u8; 16], i64>,
    /// The counts of today for each client.
    of_clients: DailyCounts,
    counts: PendingCounts,
    searches: PendingSearches,
    /// Different search texts by site, of one day.
    words: (i64, HashMap<SiteId, HashSet<String>>),
    /// Day on which expired search texts and secrets of readers were last deleted.
    pruned: i64,
}

impl std::fmt::Debug for Counting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Counting")
    }
}

impl Default for Counting {
    fn default() -> Self {
        Self::new(Arc::new(|| i64::try_from(masthead_runtime::system_clock()).unwrap_or(i64::MAX)))
    }
}

impl Counting {
    /// Creates an empty counter that takes the time from this clock.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        Self {
            clock,
            bots: robots::Bots::default(),
            zones: ArcSwap::default(),
            state: Mutex::default(),
            writing: tokio::sync::Mutex::default(),
        }
    }

    /// The clock.
    #[must_use]
    pub fn clock(&self) -> Clock {
        Arc::clone(&self.clock)
    }

    /// The current time in milliseconds since 1970.
    #[must_use]
    pub fn now(&self) -> i64 {
        (self.clock)()
    }

    /// The current day in UTC, in days since 1970.
    #[must_use]
    pub fn today(&self) -> i64 {
        self.now().div_euclid(DAY_MS)
    }

    /// The current day in the time zone of a site, in days since 1970.
    #[must_use]
    pub fn today_of(&self, site: SiteId) -> i64 {
        self.day_of(site, self.now())
    }

    /// The current year in the time zone of a site.
    #[must_use]
    pub fn year_of(&self, site: SiteId) -> i32 {
        let epoch = jiff::civil::date(1970, 1, 1);
        let days = self.today_of(site).clamp(0, 2_900_000);
        i32::from(epoch.checked_add(jiff::Span::new().days(days)).unwrap_or(epoch).year())
    }

    /// The day of an instant in the time zone of a site.
    fn day_of(&self, site: SiteId, now: i64) -> i64 {
        let zones = self.zones.load();
        let instant = Timestamp::from_millisecond(now).ok();
        let offset = zones.get(&site).zip(instant).map_or(0, |(zone, instant)| zone.to_offset(instant).seconds());
        (now + i64::from(offset) * 1000).div_euclid(DAY_MS)
    }

    /// Sets the time zones of the sites, by their names in the IANA database. Unknown names are omitted.
    pub fn set_zones<'a>(&self, zones: impl Iterator<Item = (SiteId, &'a str)>) {
        let zones = zones.filter_map(|(site, name)| Some((site, TimeZone::get(name).ok()?)));
        self.zones.store(Arc::new(zones.collect()));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a view or download of an item by a visitor (`kind`: `article`, or the name of a resource's kind). Returns
    /// whether the event counts.
    pub fn record(&self, site: SiteId, kind: &str, entity: i64, action: UsageAction, visitor: &Visitor) -> bool {
        if visitor.prefetch || self.bots.is_bot(&visitor.agent) {
            return false;
        }
        let now = self.now();
        let mut state = self.state();
        if !state.first_click(now, &format!("{site}/{kind}/{entity}/{action:?}"), visitor) {
            return false;
        }
        let key = (site, kind.to_owned(), entity, self.day_of(site, now));
        if state.counts.len() >= MAX_PENDING && !state.counts.contains_key(&key) {
            return uncounted();
        }
        let count = state.counts.entry(key).or_default();
        match action {
            UsageAction::Visit => count.0 += 1,
            UsageAction::Download => count.1 += 1,
        }
        true
    }

    /// Counts a search that had hits. Returns whether the event counts.
    pub fn record_search(&self, site: SiteId, typed: &str, visitor: &Visitor) -> bool {
        let Some(words) = search_text::term(typed) else { return false };
        if visitor.prefetch || self.bots.is_bot(&visitor.agent) {
            return false;
        }
        let now = self.now();
        let day = now.div_euclid(DAY_MS);
        let mut state = self.state();
        if state.words.0 != day {
            state.words = (day, HashMap::new());
        }
        let known = state.words.1.entry(site).or_default();
        if known.len() >= MAX_WORDS && !known.contains(&words) {
            return uncounted();
        }
        if state.searches.values().map(HashSet::len).sum::<usize>() >= MAX_PENDING {
            return uncounted();
        }
        let client = visitor.client;
        if !state.take_daily(day, &format!("{site}/search/{words}"), client, 1)
            || !state.take_daily(day, &format!("{site}/searches"), client, MAX_WORDS_OF_CLIENT)
        {
            return false;
        }
        state.words.1.entry(site).or_default().insert(words.clone());
        state.searches.entry(self.day_of(site, now)).or_default().insert((site, words, client));
        true
    }

    /// Writes the collected counts to the store. Counts that cannot be written are retained for the next write. Flushes run one after the
    /// other: this one writes the counts that the one before could not write.
    ///
    /// # Errors
    /// The store's error.
    pub async fn flush(&self, store: &Store) -> Result<(), StoreError> {
        let _writing = self.writing.lock().await;
        let today = self.today();
        let (counts, searches, prune) = {
            let mut state = self.state();
            let before = self.now() - DOUBLE_CLICK_MS;
            state.clicks.retain(|_, at| *at > before);
            (std::mem::take(&mut state.counts), std::mem::take(&mut state.searches), state.pruned != today)
        };
        if let Err(error) = write(store, &counts, &searches).await {
            self.state().restore(counts, searches);
            return Err(error);
        }
        if prune {
            store.forget_searches(today - RETENTION_DAYS).await?;
            // In the time zones farthest to the west it is still yesterday, and a process may still write the searches of the last
            // seconds of the day before.
            store.forget_readers(today - 2).await?;
            self.state().pruned = today;
        }
        Ok(())
    }
}

/// Writes counts, and searches with the hash of their readers.
async fn write(store: &Store, counts: &PendingCounts, searches: &PendingSearches) -> Result<(), StoreError> {
    let rows: Vec<Count> = counts
        .iter()
        .map(|((site, kind, entity, day), (visits, downloads))| Count {
            site: *site,
            kind: kind.clone(),
            entity: *entity,
            day: *day,
            visits: *visits,
            downloads: *downloads,
        })
        .collect();
    let mut searched = Vec::new();
    for (day, of_day) in searches {
        let secret = store.reader_secret(*day, &rand::random()).await?;
        searched.extend(of_day.iter().map(|(site, words, client)| Searched {
            site: *site,
            day: *day,
            words: words.clone(),
            reader: reader(&secret, *site, words, *client),
        }));
    }
    if rows.is_empty() && searched.is_empty() { Ok(()) } else { store.add_counts(&rows, &searched).await }
}

/// The reader of a search: a hash with the secret of the day, which is deleted two days after the day is over. It contains the
/// text, so that the texts of one reader cannot be found by each other.
fn reader(secret: &[u8], site: SiteId, words: &str, client: Client) -> String {
    // HMAC takes a key of any length.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret) else { return String::new() };
    for part in [site.to_string(), words.to_owned(), client.to_string()] {
        mac.update(&(part.len() as u64).to_le_bytes());
        mac.update(part.as_bytes());
    }
    hex(&mac.finalize().into_bytes()[..16])
}

impl State {
    /// Whether a click counts: neither this visitor clicked on the item within the last half minute, nor did a click of the
    /// same client count within it. Every click of a visitor restarts the visitor's half minute.
    fn first_click(&mut self, now: i64, item: &str, visitor: &Visitor) -> bool {
        let recent = |last: Option<&i64>| last.is_some_and(|last| now - last < DOUBLE_CLICK_MS);
        let of_client = self.key(now, &["client", item, &visitor.client.to_string()]);
        let of_visitor = self.key(now, &["visitor", item, &visitor.client.to_string(), &visitor.agent]);
        if recent(self.clicks.get(&of_client)) {
            // New visitors are not remembered here: a client with many user agents must not fill the memory.
            self.clicks.entry(of_visitor).and_modify(|last| *last = now);
            return false;
        }
        if self.clicks.len() + 1 >= MAX_CLICKS && !self.clicks.contains_key(&of_visitor) {
            return uncounted();
        }
        let double = recent(self.clicks.insert(of_visitor, now).as_ref());
        if double || !self.take_daily(now.div_euclid(DAY_MS), item, visitor.client, MAX_OF_CLIENT) {
            return false;
        }
        self.clicks.insert(of_client, now);
        true
    }

    /// Adds one to today's count of a client, unless it has reached `max`. Returns whether one was added.
    fn take_daily(&mut self, day: i64, what: &str, client: Client, max: u8) -> bool {
        let key = self.key(day.saturating_mul(DAY_MS), &["day", what, &client.to_string()]);
        self.of_clients.take(day, key, max)
    }

    /// The hash of some parts with the secret of the day.
    fn key(&mut self, now: i64, parts: &[&str]) -> [u8; 16] {
        let day = now.div_euclid(DAY_MS);
        if self.salt.0 != day {
            self.salt = (day, rand::random());
        }
        keyed_hash(&self.salt.1, parts)
    }

    fn restore(&mut self, counts: PendingCounts, searches: PendingSearches) {
        for (key, (visits, downloads)) in counts {
            if self.counts.len() < MAX_PENDING || self.counts.contains_key(&key) {
                let count = self.counts.entry(key).or_default();
                *count = (count.0 + visits, count.1 + downloads);
            }
        }
        for (day, of_day) in searches {
            self.searches.entry(day).or_default().extend(of_day);
        }
    }
}

/// The hash of some texts with a secret. Each is hashed with its length, so that two lists of texts differ wherever they are split.
#[must_use]
pub fn keyed_hash(secret: &[u8; 32], parts: &[&str]) -> [u8; 16] {
    let mut hash = Sha256::new();
    hash.update(secret);
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    let mut key = [0; 16];
    key.copy_from_slice(&hash.finalize()[..16]);
    key
}

/// Reports an event that was not counted for lack of memory to the operator's metrics. Always returns false.
fn uncounted() -> bool {
    metrics::counter!("masthead_uncounted_total").increment(1);
    false
}

/// Writes the counts periodically until the process ends.
pub async fn run(counting: Arc<Counting>, store: Store) {
    loop {
        tokio::time::sleep(FLUSH_INTERVAL).await;
        if let Err(error) = counting.flush(&store).await {
            tracing::error!(%error, "writing usage counts failed; they will be written with the next batch");
        }
    }
}

#[cfg(test)]
mod tests;
