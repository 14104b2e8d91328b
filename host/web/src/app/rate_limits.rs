//! Rate limits: uses are counted per key in time windows, in the memory of this process.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use moka::sync::Cache;

/// Counts uses by key. A key's window begins with its first use.
#[derive(Debug)]
pub struct Limit {
    max: u32,
    counts: Cache<String, Arc<AtomicU32>>,
}

impl Limit {
    /// Allows at most `max` uses of a key in a window.
    #[must_use]
    pub fn new(max: u32, window: Duration) -> Self {
        Self { max, counts: Cache::builder().max_capacity(100_000).time_to_live(window).build() }
    }

    /// Records a use of a key. Returns false when the limit of the current window is exceeded.
    #[must_use]
    pub fn take(&self, key: &str) -> bool {
        let count = self.counts.get_with_by_ref(key, Arc::default);
        count.fetch_add(1, Ordering::Relaxed) < self.max
    }
}

/// The limits of calls that cost money or send messages to people.
#[derive(Debug)]
pub struct Limits {
    /// Verification codes to one phone number: one a minute.
    pub code_minute: Limit,
    /// Verification codes to one phone number: five a day.
    pub code_day: Limit,
    /// Verification codes sent by one site.
    pub codes_of_site: Limit,
    /// Machine translations on one site.
    pub translations: Limit,
    /// Comments of one user.
    pub comments: Limit,
    /// Sign-ins begun on one site.
    pub sign_ins: Limit,
    /// Frames of the assistant opened on one site.
    pub assistants: Limit,
    /// Calls of one plugin's own routes.
    pub routes: Limit,
    /// Calls with a wrong administrator token.
    pub wrong_tokens: Limit,
}

impl Default for Limits {
    fn default() -> Self {
        let minute = Duration::from_secs(60);
        Self {
            code_minute: Limit::new(1, minute),
            code_day: Limit::new(5, Duration::from_secs(86_400)),
            codes_of_site: Limit::new(60, minute),
            translations: Limit::new(600, minute),
            comments: Limit::new(5, minute),
            sign_ins: Limit::new(600, minute),
            assistants: Limit::new(600, minute),
            routes: Limit::new(6000, minute),
            wrong_tokens: Limit::new(30, minute),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_allows_the_maximum_number_of_uses() {
        let limit = Limit::new(2, Duration::from_secs(3600));
        assert!(limit.take("a") && limit.take("a") && !limit.take("a") && limit.take("b"));
    }

    #[test]
    fn a_window_ends() {
        let limit = Limit::new(1, Duration::from_millis(1));
        assert!(limit.take("a"));
        while !limit.take("a") {
            std::thread::yield_now();
        }
    }
}
