//! Counts views, downloads and searches, in the manner of COUNTER: robots are left out, and of clicks on one thing by one
//! visitor within half a minute one counts.
//!
//! Counts are collected in memory and written every few seconds and at the end, so that a view costs no write. A process
//! that is killed loses the counts since the last writing, and nothing else. What is held is bounded: in a flood, what does
//! not fit is not counted.

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

/// How often counts are written.
const EVERY: Duration = Duration::from_secs(5);
/// Clicks within this time are one (COUNTER Code of Practice 5.1, double-click filtering).
const DOUBLE_CLICK_MS: i64 = 30_000;
const DAY_MS: i64 = 86_400_000;
/// Clicks that are remembered: about 16 MB.
const CLICKS: usize = 300_000;
/// Things whose counts wait to be written.
const WAITING: usize = 100_000;
/// Different words that are counted for one site in one day, since the process began.
const WORDS: usize = 2_000;
/// Longest words that are counted, in characters.
const WORD_LENGTH: usize = 60;
/// Days that words are kept.
const KEPT_DAYS: i64 = 90;

/// What a reader did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Looked at it.
    Visit,
    /// Downloaded it.
    Download,
}

/// Collects counts.
pub struct Counting {
    clock: Clock,
    bots: robots::Bots,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Day and secret by which visitors of that day are told apart; never written anywhere.
    salt: (i64, [u8; 32]),
    /// When somebody last clicked on something.
    clicks: HashMap<[u8; 16], i64>,
    counts: HashMap<(SiteId, String, i64, i64), (i64, i64)>,
    searches: HashMap<(SiteId, i64, String), i64>,
    /// Different words by site, of one day.
    words: (i64, HashMap<SiteId, HashSet<String>>),
    /// Day on which old words were last forgotten.
    forgotten: i64,
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
    /// Counts by this clock.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        Self { clock, bots: robots::Bots::default(), state: Mutex::default() }
    }

    /// Milliseconds since 1970.
    #[must_use]
    pub fn now(&self) -> i64 {
        (self.clock)()
    }

    /// Days since 1970.
    #[must_use]
    pub fn today(&self) -> i64 {
        self.now().div_euclid(DAY_MS)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts what a visitor did with a thing (`kind`: `article`, or the name of a resource's kind). Says whether it counts.
    pub fn act(&self, site: SiteId, kind: &str, entity: i64, act: Act, visitor: &Visitor) -> bool {
        if visitor.ahead || self.bots.is_bot(&visitor.agent) {
            return false;
        }
        let now = self.now();
        let mut state = self.state();
        if !state.first_click(now, &format!("{site}/{kind}/{entity}/{act:?}"), visitor) {
            return false;
        }
        let key = (site, kind.to_owned(), entity, now.div_euclid(DAY_MS));
        if state.counts.len() >= WAITING && !state.counts.contains_key(&key) {
            return overflow();
        }
        let count = state.counts.entry(key).or_default();
        match act {
            Act::Visit => count.0 += 1,
            Act::Download => count.1 += 1,
        }
        true
    }

    /// Counts a search that found something. Says whether it counts.
    pub fn search(&self, site: SiteId, typed: &str, visitor: &Visitor) -> bool {
        let Some(words) = fold(typed) else { return false };
        if visitor.ahead || self.bots.is_bot(&visitor.agent) {
            return false;
        }
        let now = self.now();
        let day = now.div_euclid(DAY_MS);
        let mut state = self.state();
        if state.words.0 != day {
            state.words = (day, HashMap::new());
        }
        let known = state.words.1.entry(site).or_default();
        if known.len() >= WORDS && !known.contains(&words) {
            return overflow();
        }
        if !state.first_click(now, &format!("{site}/search/{words}"), visitor) {
            return false;
        }
        state.words.1.entry(site).or_default().insert(words.clone());
        *state.searches.entry((site, day, words)).or_default() += 1;
        true
    }

    /// Writes what was counted. What cannot be written is kept for the next time.
    ///
    /// # Errors
    /// The store's.
    pub async fn flush(&self, store: &Store) -> Result<(), masthead_store::StoreError> {
        let today = self.today();
        let (counts, searches, forget) = {
            let mut state = self.state();
            let before = self.now() - DOUBLE_CLICK_MS;
            state.clicks.retain(|_, at| *at > before);
            let forget = std::mem::replace(&mut state.forgotten, today) != today;
            (std::mem::take(&mut state.counts), std::mem::take(&mut state.searches), forget)
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
            state.take_back(counts, searches);
            state.forgotten = 0;
            return Err(error);
        }
        if forget {
            store.forget_searches(today - KEPT_DAYS).await?;
        }
        Ok(())
    }
}

impl State {
    /// Whether this visitor has not clicked on this within the last half minute. Every click begins the time anew.
    fn first_click(&mut self, now: i64, what: &str, visitor: &Visitor) -> bool {
        let day = now.div_euclid(DAY_MS);
        if self.salt.0 != day {
            self.salt = (day, rand::random());
        }
        let mut hash = Sha256::new();
        for part in [&self.salt.1[..], what.as_bytes(), visitor.address.as_bytes(), visitor.agent.as_bytes()] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        let mut key = [0; 16];
        key.copy_from_slice(&hash.finalize()[..16]);
        if self.clicks.len() >= CLICKS && !self.clicks.contains_key(&key) {
            return overflow();
        }
        let last = self.clicks.insert(key, now);
        last.is_none_or(|last| now - last >= DOUBLE_CLICK_MS)
    }

    fn take_back(
        &mut self,
        counts: HashMap<(SiteId, String, i64, i64), (i64, i64)>,
        searches: HashMap<(SiteId, i64, String), i64>,
    ) {
        for (key, (visits, downloads)) in counts {
            if self.counts.len() < WAITING || self.counts.contains_key(&key) {
                let count = self.counts.entry(key).or_default();
                *count = (count.0 + visits, count.1 + downloads);
            }
        }
        for (key, times) in searches {
            if self.searches.len() < WAITING || self.searches.contains_key(&key) {
                *self.searches.entry(key).or_default() += times;
            }
        }
    }
}

/// Tells the operator that something was not counted.
fn overflow() -> bool {
    metrics::counter!("masthead_uncounted_total").increment(1);
    false
}

/// Words in the form in which they are counted; `None` for what is no word of a reader.
fn fold(typed: &str) -> Option<String> {
    let words = typed.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let fits = words.chars().nth(WORD_LENGTH).is_none()
        && words.chars().any(char::is_alphanumeric)
        && !words.chars().any(char::is_control);
    fits.then_some(words)
}

/// Writes counts until the process ends.
pub async fn run(counting: Arc<Counting>, store: Store) {
    loop {
        tokio::time::sleep(EVERY).await;
        if let Err(error) = counting.flush(&store).await {
            tracing::error!(%error, "counts cannot be written; they are tried again");
        }
    }
}

#[cfg(test)]
mod tests;
