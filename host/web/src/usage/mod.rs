//! Counts views, downloads and searches according to the COUNTER Code of Practice: robots are excluded, and repeated
//! clicks of one visitor on one item within half a minute count once.
//!
//! Counts are collected in memory and written every few seconds and at shutdown, so that a view costs no database
//! write. A process that is killed loses the counts since the last write, and nothing else. Memory is bounded: in a
//! flood, events beyond the limits are not counted (metric `masthead_uncounted_total`).

mod robots;
mod visitor;

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use masthead_domain::SiteId;
use masthead_store::{Count, Searched, Store};
use sha2::{Digest as _, Sha256};

pub use visitor::Visitor;

/// Milliseconds since 1970.
pub type Clock = Arc<dyn Fn() -> i64 + Send + Sync>;

/// Interval between writes of the collected counts.
const FLUSH_INTERVAL: Duration = Duration::from_secs(5);
/// Clicks within this time are one (COUNTER Code of Practice 5.1, double-click filtering).
const DOUBLE_CLICK_MS: i64 = 30_000;
const DAY_MS: i64 = 86_400_000;
/// Greatest number of remembered clicks: about 16 MB.
const MAX_CLICKS: usize = 300_000;
/// Greatest number of items with counts that are not written yet.
const MAX_PENDING: usize = 100_000;
/// Greatest number of different search texts that are counted for one site in one day and process.
const MAX_WORDS: usize = 2_000;
/// Greatest length of a counted search text, in characters.
const MAX_WORD_LENGTH: usize = 60;
/// Days for which search texts are stored.
const RETENTION_DAYS: i64 = 90;

/// What a reader did with an item.
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
    state: Mutex<State>,
    /// Held while counts are written. Counts that are being written are not in `state`, so that only a flush that waits for the one
    /// before it can promise that everything is written.
    writing: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct State {
    /// The day (since 1970) and the secret with which that day's visitors are hashed; the secret is never stored.
    salt: (i64, [u8; 32]),
    /// Time of each visitor's last click on each item, by the hash of both.
    clicks: HashMap<[u8; 16], i64>,
    counts: HashMap<(SiteId, String, i64, i64), (i64, i64)>,
    searches: HashMap<(SiteId, i64, String), i64>,
    /// Different search texts by site, of one day.
    words: (i64, HashMap<SiteId, HashSet<String>>),
    /// Day on which expired search texts were last deleted.
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
        Self { clock, bots: robots::Bots::default(), state: Mutex::default(), writing: tokio::sync::Mutex::default() }
    }

    /// The current time in milliseconds since 1970.
    #[must_use]
    pub fn now(&self) -> i64 {
        (self.clock)()
    }

    /// The current day in days since 1970.
    #[must_use]
    pub fn today(&self) -> i64 {
        self.now().div_euclid(DAY_MS)
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
        let key = (site, kind.to_owned(), entity, now.div_euclid(DAY_MS));
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
        let Some(words) = normalize(typed) else { return false };
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
        if !state.first_click(now, &format!("{site}/search/{words}"), visitor) {
            return false;
        }
        state.words.1.entry(site).or_default().insert(words.clone());
        *state.searches.entry((site, day, words)).or_default() += 1;
        true
    }

    /// Writes the collected counts to the store. Counts that cannot be written are retained for the next write. Flushes run one after
    /// the other: what the one before could not write is written by this one.
    ///
    /// # Errors
    /// The store's error.
    pub async fn flush(&self, store: &Store) -> Result<(), masthead_store::StoreError> {
        let _writing = self.writing.lock().await;
        let today = self.today();
        let (counts, searches, prune) = {
            let mut state = self.state();
            let before = self.now() - DOUBLE_CLICK_MS;
            state.clicks.retain(|_, at| *at > before);
            let prune = std::mem::replace(&mut state.pruned, today) != today;
            (std::mem::take(&mut state.counts), std::mem::take(&mut state.searches), prune)
        };
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
        let words: Vec<Searched> = searches
            .iter()
            .map(|((site, day, words), times)| Searched { site: *site, day: *day, words: words.clone(), times: *times })
            .collect();
        if !(rows.is_empty() && words.is_empty())
            && let Err(error) = store.add_counts(&rows, &words).await
        {
            let mut state = self.state();
            state.restore(counts, searches);
            state.pruned = 0;
            return Err(error);
        }
        if prune {
            store.forget_searches(today - RETENTION_DAYS).await?;
        }
        Ok(())
    }
}

impl State {
    /// Whether this visitor has not clicked on this item within the last half minute. Every click restarts the half
    /// minute.
    fn first_click(&mut self, now: i64, item: &str, visitor: &Visitor) -> bool {
        let day = now.div_euclid(DAY_MS);
        if self.salt.0 != day {
            self.salt = (day, rand::random());
        }
        let mut hash = Sha256::new();
        for part in [&self.salt.1[..], item.as_bytes(), visitor.address.as_bytes(), visitor.agent.as_bytes()] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        let mut key = [0; 16];
        key.copy_from_slice(&hash.finalize()[..16]);
        if self.clicks.len() >= MAX_CLICKS && !self.clicks.contains_key(&key) {
            return uncounted();
        }
        let last = self.clicks.insert(key, now);
        last.is_none_or(|last| now - last >= DOUBLE_CLICK_MS)
    }

    fn restore(
        &mut self,
        counts: HashMap<(SiteId, String, i64, i64), (i64, i64)>,
        searches: HashMap<(SiteId, i64, String), i64>,
    ) {
        for (key, (visits, downloads)) in counts {
            if self.counts.len() < MAX_PENDING || self.counts.contains_key(&key) {
                let count = self.counts.entry(key).or_default();
                *count = (count.0 + visits, count.1 + downloads);
            }
        }
        for (key, times) in searches {
            if self.searches.len() < MAX_PENDING || self.searches.contains_key(&key) {
                *self.searches.entry(key).or_default() += times;
            }
        }
    }
}

/// Reports an event that was not counted for lack of memory to the operator's metrics. Always returns false.
fn uncounted() -> bool {
    metrics::counter!("masthead_uncounted_total").increment(1);
    false
}

/// The search text in the form in which it is counted: lower case, single spaces. `None` for a text that is too long,
/// has no letter or digit, or has control characters.
fn normalize(typed: &str) -> Option<String> {
    let words = typed.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let fits = words.chars().nth(MAX_WORD_LENGTH).is_none()
        && words.chars().any(char::is_alphanumeric)
        && !words.chars().any(char::is_control);
    fits.then_some(words)
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
