//! A plugin that keeps failing on a site is switched off there for a while, then tried again.

use std::{
    collections::{HashMap, VecDeque},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use masthead_domain::SiteId;

use crate::{contract::limits::QuarantineConfig, plugin::loaded::Digest};

/// Failures of one plugin on one site.
pub(crate) struct Breaker {
    config: QuarantineConfig,
    /// True while everything is well: the only thing that a healthy call reads.
    closed: AtomicBool,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    failures: VecDeque<Instant>,
    until: Option<Instant>,
    trips: u32,
    trial: bool,
}

/// Whether a call may be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// All is well.
    Open,
    /// The one call that decides whether the plugin is used again.
    Trial,
    /// Not now.
    Shut,
}

/// What a failure led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It stays in use.
    Counted,
    /// Switched off for this long.
    Quarantined(Duration),
}

impl Breaker {
    pub(crate) fn new(config: QuarantineConfig) -> Self {
        Self { config, closed: AtomicBool::new(true), inner: Mutex::default() }
    }

    pub(crate) fn enter(&self) -> Entry {
        if self.closed.load(Ordering::Acquire) {
            return Entry::Open;
        }
        let mut inner = self.lock();
        match inner.until {
            None => Entry::Open,
            Some(until) if Instant::now() < until || inner.trial => Entry::Shut,
            Some(_) => {
                inner.trial = true;
                Entry::Trial
            }
        }
    }

    /// A trial went well: true, since the plugin is used again.
    pub(crate) fn recovered(&self) {
        *self.lock() = Inner::default();
        self.closed.store(true, Ordering::Release);
    }

    /// A trial was neither a success nor a failure (the reader went away, no time was left): another call may try.
    pub(crate) fn abandon_trial(&self) {
        self.lock().trial = false;
    }

    pub(crate) fn failed(&self, entry: Entry) -> Verdict {
        let now = Instant::now();
        let mut inner = self.lock();
        if entry == Entry::Open {
            if inner.until.is_some() {
                // Another request tripped it in the meantime.
                return Verdict::Counted;
            }
            inner.failures.push_back(now);
            while inner.failures.front().is_some_and(|&first| now.duration_since(first) > self.config.window) {
                inner.failures.pop_front();
            }
            if inner.failures.len() < self.config.failures {
                return Verdict::Counted;
            }
        }
        let pause = self.config.backoff.saturating_mul(1 << inner.trips.min(20)).min(self.config.backoff_max);
        inner.trips += 1;
        inner.trial = false;
        inner.failures.clear();
        inner.until = Some(now + pause);
        self.closed.store(false, Ordering::Release);
        Verdict::Quarantined(pause)
    }

    /// How long it stays switched off; zero when the next call is the trial; `None` when it is in use.
    pub(crate) fn remaining(&self) -> Option<Duration> {
        if self.closed.load(Ordering::Acquire) {
            return None;
        }
        self.lock().until.map(|until| until.saturating_duration_since(Instant::now()))
    }

    fn remembers(&self) -> bool {
        let inner = self.lock();
        inner.until.is_some() || inner.failures.back().is_some_and(|last| last.elapsed() < self.config.window)
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The breakers of all sites. They outlive chains, so that saving a site's file does not free a failing plugin;
/// another build of the plugin, or other settings for it, start afresh: that may be the repair.
#[derive(Default)]
pub(crate) struct Quarantine(Mutex<HashMap<(SiteId, Digest, Digest), Arc<Breaker>>>);

impl Quarantine {
    pub(crate) fn breaker(
        &self,
        config: QuarantineConfig,
        site: SiteId,
        plugin: Digest,
        settings: Digest,
    ) -> Arc<Breaker> {
        let mut breakers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        breakers.retain(|_, breaker| Arc::strong_count(breaker) > 1 || breaker.remembers());
        breakers.entry((site, plugin, settings)).or_insert_with(|| Arc::new(Breaker::new(config))).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn breaker(failures: usize) -> Breaker {
        let backoff = Duration::from_millis(20);
        Breaker::new(QuarantineConfig { failures, window: Duration::from_secs(60), backoff, backoff_max: backoff * 3 })
    }

    #[test]
    fn trips_pauses_tries_once_and_recovers() {
        let breaker = breaker(2);
        assert_eq!(breaker.failed(Entry::Open), Verdict::Counted);
        assert_eq!(breaker.enter(), Entry::Open);
        assert_eq!(breaker.failed(Entry::Open), Verdict::Quarantined(Duration::from_millis(20)));
        assert_eq!(breaker.enter(), Entry::Shut);
        std::thread::sleep(Duration::from_millis(25));
        assert_eq!((breaker.enter(), breaker.enter()), (Entry::Trial, Entry::Shut));
        assert_eq!(breaker.failed(Entry::Trial), Verdict::Quarantined(Duration::from_millis(40)));
        std::thread::sleep(Duration::from_millis(45));
        assert_eq!(breaker.enter(), Entry::Trial);
        breaker.abandon_trial();
        assert_eq!(breaker.enter(), Entry::Trial);
        breaker.recovered();
        assert_eq!((breaker.enter(), breaker.remaining()), (Entry::Open, None));
    }

    #[test]
    fn the_pause_has_an_upper_bound() {
        let breaker = breaker(1);
        breaker.failed(Entry::Open);
        for _ in 0..40 {
            breaker.failed(Entry::Trial);
        }
        assert_eq!(breaker.failed(Entry::Trial), Verdict::Quarantined(Duration::from_millis(60)));
    }
}
