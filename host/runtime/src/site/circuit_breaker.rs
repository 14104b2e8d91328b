//! Circuit breakers: a plugin that fails repeatedly on a site is not called there for a while, then probed with one call.
//!
//! Closed: calls pass. Open: calls are rejected. Half-open: one call passes as a probe, and its result closes or opens the breaker.

use std::{
    collections::{HashMap, VecDeque},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use masthead_domain::SiteId;

use crate::{
    contract::{digest::Digest, limits::CircuitBreakerConfig},
    invocation::host_services::MonotonicClock,
};

/// The breaker of one plugin on one site.
pub(crate) struct CircuitBreaker {
    config: CircuitBreakerConfig,
    clock: MonotonicClock,
    /// Whether it is closed; the only field that a call of a healthy plugin reads.
    closed: AtomicBool,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    /// Failures within the window, while closed.
    failures: VecDeque<Instant>,
    /// When it becomes half-open; `None` while it is closed.
    open_until: Option<Instant>,
    /// Number of openings without a closing in between.
    openings: u32,
    /// Whether a probe is in progress.
    probing: bool,
}

/// The state of the breaker at the start of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BreakerState {
    /// The call passes.
    Closed,
    /// The call passes as the probe.
    HalfOpen,
    /// The call is rejected.
    Open,
}

/// The effect of a failure on the breaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FailureEffect {
    /// The failure was counted.
    Counted,
    /// The breaker opened for this long.
    Opened(Duration),
}

impl CircuitBreaker {
    fn new(config: CircuitBreakerConfig, clock: MonotonicClock) -> Self {
        Self { config, clock, closed: AtomicBool::new(true), inner: Mutex::default() }
    }

    /// Requests a call. After [`BreakerState::HalfOpen`], the caller must report the end of the probe: [`Self::close`],
    /// [`Self::record_failure`] or [`Self::abandon_probe`].
    pub(crate) fn try_call(&self) -> BreakerState {
        if self.closed.load(Ordering::Acquire) {
            return BreakerState::Closed;
        }
        let now = (self.clock)();
        let mut inner = self.lock();
        match inner.open_until {
            None => BreakerState::Closed,
            Some(until) if now < until || inner.probing => BreakerState::Open,
            Some(_) => {
                inner.probing = true;
                BreakerState::HalfOpen
            }
        }
    }

    /// Records the success of a probe: the plugin is used again.
    pub(crate) fn close(&self) {
        *self.lock() = Inner::default();
        self.closed.store(true, Ordering::Release);
    }

    /// Records a probe that neither succeeded nor failed (the reader disconnected, or no time was left): the next call is the
    /// probe.
    pub(crate) fn abandon_probe(&self) {
        self.lock().probing = false;
    }

    /// Records the failure of a call that started in `state`.
    pub(crate) fn record_failure(&self, state: BreakerState) -> FailureEffect {
        let now = (self.clock)();
        let mut inner = self.lock();
        if state == BreakerState::Closed {
            if inner.open_until.is_some() {
                // Another request has opened it in the meantime.
                return FailureEffect::Counted;
            }
            inner.failures.push_back(now);
            while inner.failures.front().is_some_and(|&first| now.duration_since(first) > self.config.window) {
                inner.failures.pop_front();
            }
            if inner.failures.len() < self.config.failures {
                return FailureEffect::Counted;
            }
        }
        let pause = self.config.backoff.saturating_mul(1 << inner.openings.min(20)).min(self.config.backoff_max);
        inner.openings += 1;
        inner.probing = false;
        inner.failures.clear();
        inner.open_until = Some(now + pause);
        self.closed.store(false, Ordering::Release);
        FailureEffect::Opened(pause)
    }

    /// How long it stays open; zero if it is half-open; `None` if it is closed.
    pub(crate) fn open_for(&self) -> Option<Duration> {
        if self.closed.load(Ordering::Acquire) {
            return None;
        }
        let now = (self.clock)();
        self.lock().open_until.map(|until| until.saturating_duration_since(now))
    }

    /// Whether it is open or has failures within the window.
    fn has_history(&self) -> bool {
        let now = (self.clock)();
        let inner = self.lock();
        inner.open_until.is_some()
            || inner.failures.back().is_some_and(|&last| now.saturating_duration_since(last) < self.config.window)
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The breakers of all sites. They outlive chains, so that saving a site's file does not close the breaker of a failing plugin.
/// Another build of the plugin or other settings have a new breaker, because the change may have corrected the fault.
pub(crate) struct CircuitBreakers {
    config: CircuitBreakerConfig,
    clock: MonotonicClock,
    breakers: Mutex<HashMap<(SiteId, Digest, Digest), Arc<CircuitBreaker>>>,
}

impl CircuitBreakers {
    pub(crate) fn new(config: CircuitBreakerConfig, clock: MonotonicClock) -> Self {
        Self { config, clock, breakers: Mutex::default() }
    }

    /// The breaker of a plugin (digest of its component) with these settings (digest) on a site.
    pub(crate) fn get(&self, site: SiteId, plugin: Digest, settings: Digest) -> Arc<CircuitBreaker> {
        let mut breakers = self.breakers.lock().unwrap_or_else(PoisonError::into_inner);
        breakers.retain(|_, breaker| Arc::strong_count(breaker) > 1 || breaker.has_history());
        let new = || Arc::new(CircuitBreaker::new(self.config, Arc::clone(&self.clock)));
        breakers.entry((site, plugin, settings)).or_insert_with(new).clone()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use super::*;

    /// A breaker with a back-off of 20 ms, at most 60 ms, and the milliseconds of its clock.
    fn breaker(failures: usize) -> (CircuitBreaker, Arc<AtomicU64>) {
        let (start, millis) = (Instant::now(), Arc::new(AtomicU64::new(0)));
        let elapsed = Arc::clone(&millis);
        let clock: MonotonicClock = Arc::new(move || start + Duration::from_millis(elapsed.load(Ordering::SeqCst)));
        let backoff = Duration::from_millis(20);
        let window = Duration::from_secs(60);
        (
            CircuitBreaker::new(CircuitBreakerConfig { failures, window, backoff, backoff_max: backoff * 3 }, clock),
            millis,
        )
    }

    #[test]
    fn a_breaker_opens_probes_once_and_closes() {
        let (breaker, millis) = breaker(2);
        assert_eq!(breaker.record_failure(BreakerState::Closed), FailureEffect::Counted);
        assert_eq!(breaker.try_call(), BreakerState::Closed);
        assert_eq!(breaker.record_failure(BreakerState::Closed), FailureEffect::Opened(Duration::from_millis(20)));
        assert_eq!(breaker.try_call(), BreakerState::Open);
        millis.store(19, Ordering::SeqCst);
        assert_eq!((breaker.try_call(), breaker.open_for()), (BreakerState::Open, Some(Duration::from_millis(1))));
        millis.store(20, Ordering::SeqCst);
        assert_eq!((breaker.try_call(), breaker.try_call()), (BreakerState::HalfOpen, BreakerState::Open));
        assert_eq!(breaker.record_failure(BreakerState::HalfOpen), FailureEffect::Opened(Duration::from_millis(40)));
        millis.store(60, Ordering::SeqCst);
        assert_eq!(breaker.try_call(), BreakerState::HalfOpen);
        breaker.abandon_probe();
        assert_eq!(breaker.try_call(), BreakerState::HalfOpen);
        breaker.close();
        assert_eq!((breaker.try_call(), breaker.open_for()), (BreakerState::Closed, None));
    }

    #[test]
    fn failures_outside_the_window_do_not_count() {
        let (breaker, millis) = breaker(2);
        assert_eq!(breaker.record_failure(BreakerState::Closed), FailureEffect::Counted);
        millis.store(60_001, Ordering::SeqCst);
        assert!(!breaker.has_history());
        assert_eq!(breaker.record_failure(BreakerState::Closed), FailureEffect::Counted);
    }

    #[test]
    fn the_time_that_it_stays_open_is_limited() {
        let (breaker, _) = breaker(1);
        breaker.record_failure(BreakerState::Closed);
        for _ in 0..40 {
            breaker.record_failure(BreakerState::HalfOpen);
        }
        assert_eq!(breaker.record_failure(BreakerState::HalfOpen), FailureEffect::Opened(Duration::from_millis(60)));
    }
}
