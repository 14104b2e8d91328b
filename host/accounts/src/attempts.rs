//! Failed sign-ins, and their consequences. They are counted by account and network: after some of them the next attempt from this network
//! has to wait, longer each time. The sum over all networks only asks for a captcha, so that no attacker can lock a member out: a member
//! who comes from another network, or solves a captcha, can sign in.
//!
//! Accounts that do not exist are counted in the same way. Names and networks are stored as digests.

use masthead_domain::member::MemberName;
use masthead_store::{Attempts, Failures, SiteStore, StoreError};

use crate::installation_key::InstallationKey;

/// Failures from one network that have no consequence: members mistype.
const FREE: i64 = 5;
/// Milliseconds of the first wait; each further failure doubles it.
const FIRST_WAIT: i64 = 2_000;
/// The longest wait.
const LONGEST_WAIT: i64 = 15 * 60_000;
/// The longest wait after a captcha was solved: long enough to slow down guessing, short enough for a member to wait.
const LONGEST_WAIT_WITH_CAPTCHA: i64 = 30_000;
/// Failures that are older than this are forgotten.
const REMEMBERED: i64 = 86_400_000;

/// Whether an attempt may be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptDecision {
    /// It may. It counts as a failure until it is [forgotten](Attempt::succeeded).
    Open,
    /// A captcha has to be solved first.
    Captcha,
    /// The next attempt can be made after this number of milliseconds.
    Wait(i64),
}

/// An attempt to sign in with a name from a network.
#[derive(Clone, Debug)]
pub struct Attempt<'a> {
    store: &'a SiteStore,
    account: String,
    network: String,
    now: i64,
}

/// An attempt: the account and the network that it comes from.
#[derive(Clone, Copy, Debug)]
pub struct Attempted<'a> {
    /// The name that was typed, if it can be one.
    pub name: Option<&'a MemberName>,
    /// The name as it was typed.
    pub typed: &'a str,
    /// The client's network; "" if it is not known.
    pub network: &'a str,
}

impl<'a> Attempt<'a> {
    /// An attempt at the store's site.
    #[must_use]
    pub fn new(store: &'a SiteStore, key: &InstallationKey, attempted: Attempted<'_>, now: i64) -> Self {
        // Members have one name of each kind, and counting them apart gives three times as many free failures at most.
        let account = attempted.name.map_or(attempted.typed, MemberName::key);
        Self {
            store,
            account: key.digest("attempts-account", &[&store.id().to_string(), account]),
            network: key.digest("attempts-network", &[attempted.network]),
            now,
        }
    }

    /// Whether the attempt may be made. Only an attempt that may be made counts. `captcha_after` are the failures from all networks after
    /// which a captcha is needed; `captcha` is whether one was solved for this attempt.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn begin(&self, captcha_after: u32, captcha: bool) -> Result<AttemptDecision, StoreError> {
        let since = self.now - REMEMBERED;
        let before = self.store.attempts(&self.account, &self.network, since).await?;
        let first = gate(before, i64::from(captcha_after), captcha, self.now);
        if first != AttemptDecision::Open {
            return Ok(first);
        }
        let counted = self.store.count_attempt(&self.account, &self.network, since, self.now).await?;
        // Others at the same time have passed the same counts: this one is behind them.
        let earlier = |counted: Failures, before: Failures| Failures {
            count: counted.count - 1,
            latest: if counted.count - 1 > before.count { self.now } else { before.latest },
        };
        let behind = Attempts {
            here: earlier(counted.here, before.here),
            everywhere: earlier(counted.everywhere, before.everywhere),
        };
        Ok(gate(behind, i64::from(captcha_after), captcha, self.now))
    }

    /// Forgets the failures of this account from this network, because the attempt succeeded.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn succeeded(&self) -> Result<(), StoreError> {
        self.store.forget_attempts(&self.account, &self.network).await
    }
}

fn gate(attempts: Attempts, captcha_after: i64, captcha: bool, now: i64) -> AttemptDecision {
    if !captcha && attempts.everywhere.count >= captcha_after {
        return AttemptDecision::Captcha;
    }
    let longest = if captcha { LONGEST_WAIT_WITH_CAPTCHA } else { LONGEST_WAIT };
    let wait = wait(attempts.here.count).min(longest);
    // The clocks of hosts differ a little. A failure from a time that is far ahead was recorded before the clock was set back: it causes no
    // wait, or the next attempt would never be counted, and never correct the time.
    let left = attempts.here.latest + wait - now;
    if (1..=2 * wait).contains(&left) { AttemptDecision::Wait(left.min(wait)) } else { AttemptDecision::Open }
}

/// Milliseconds between a failure and the next attempt.
fn wait(failures: i64) -> i64 {
    if failures < FREE {
        return 0;
    }
    let doubled = u32::try_from((failures - FREE).min(20)).unwrap_or(20);
    (FIRST_WAIT << doubled).min(LONGEST_WAIT)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::testing::{HOUR, OTHER, SITE, START, store};

    const CAPTCHA_AFTER: u32 = 10;

    fn key() -> InstallationKey {
        InstallationKey::new([7; 32])
    }

    async fn begin(site: &SiteStore, typed: &str, network: &str, now: i64, captcha: bool) -> AttemptDecision {
        let name = MemberName::typed(typed).ok();
        let attempted = Attempted { name: name.as_ref(), typed, network };
        Attempt::new(site, &key(), attempted, now).begin(CAPTCHA_AFTER, captcha).await.unwrap()
    }

    /// Fails until the gate closes: how many attempts were made, and what the gate says then.
    async fn fail(site: &SiteStore, typed: &str, network: &str, now: i64) -> (usize, AttemptDecision) {
        for made in 0..100 {
            let gate = begin(site, typed, network, now, false).await;
            if gate != AttemptDecision::Open {
                return (made, gate);
            }
        }
        (100, AttemptDecision::Open)
    }

    #[tokio::test]
    async fn each_failure_makes_the_next_attempt_from_a_network_wait_longer() {
        let (_folder, store) = store().await;
        let site = store.site(SITE);
        assert_eq!(fail(&site, "ada", "192.0.2.1", START).await, (5, AttemptDecision::Wait(2_000)));
        assert_eq!(begin(&site, "ada", "192.0.2.1", START + 1_999, false).await, AttemptDecision::Wait(1));
        assert_eq!(begin(&site, "ada", "192.0.2.1", START + 2_000, false).await, AttemptDecision::Open);
        assert_eq!(begin(&site, "ada", "192.0.2.1", START + 2_000, false).await, AttemptDecision::Wait(4_000));
        assert_eq!(
            begin(&site, "Ada ", "192.0.2.1", START + 2_000, false).await,
            AttemptDecision::Wait(4_000),
            "the same account"
        );
        assert_eq!(begin(&site, "bea", "192.0.2.1", START, false).await, AttemptDecision::Open, "another account");
        let other = store.site(OTHER);
        assert_eq!(begin(&other, "ada", "192.0.2.1", START, false).await, AttemptDecision::Open, "another site");
        assert_eq!((wait(4), wait(5), wait(8), wait(i64::MAX)), (0, 2_000, 16_000, LONGEST_WAIT));
    }

    #[tokio::test]
    async fn a_stranger_locks_nobody_out() {
        let (_folder, store) = store().await;
        let site = store.site(SITE);
        fail(&site, "ada", "203.0.113.1", START).await;
        assert_eq!(begin(&site, "ada", "192.0.2.1", START, false).await, AttemptDecision::Open, "from another network");
        for network in 0..20 {
            fail(&site, "ada", &format!("203.0.113.{network}"), START).await;
        }
        assert_eq!(
            begin(&site, "ada", "198.51.100.1", START, false).await,
            AttemptDecision::Captcha,
            "all networks need a captcha"
        );
        assert_eq!(
            begin(&site, "ada", "198.51.100.1", START, true).await,
            AttemptDecision::Open,
            "with one, nobody is kept out"
        );
        // In the stranger's own network, too: a captcha makes the wait short.
        let AttemptDecision::Wait(left) = begin(&site, "ada", "203.0.113.1", START, true).await else { unreachable!() };
        assert!(left <= LONGEST_WAIT_WITH_CAPTCHA, "{left}");
        assert_eq!(begin(&site, "ada", "203.0.113.1", START + left, true).await, AttemptDecision::Open);
    }

    #[tokio::test]
    async fn attempts_that_are_refused_do_not_count() {
        let (_folder, store) = store().await;
        let site = store.site(SITE);
        fail(&site, "ada", "192.0.2.1", START).await;
        for _ in 0..50 {
            assert_eq!(begin(&site, "ada", "192.0.2.1", START + 1, false).await, AttemptDecision::Wait(1_999));
        }
        assert_eq!(begin(&site, "ada", "192.0.2.1", START + 2_000, false).await, AttemptDecision::Open);
    }

    #[tokio::test]
    async fn attempts_at_the_same_time_are_no_way_around() {
        let (_folder, store) = store().await;
        let site = store.site(SITE);
        let all = futures::future::join_all((0..40).map(|_| begin(&site, "ada", "192.0.2.1", START, false))).await;
        let open = all.iter().filter(|gate| **gate == AttemptDecision::Open).count();
        assert!(open <= 5, "{open} of 40 at once were let through: {all:?}");
    }

    #[tokio::test]
    async fn a_success_forgets_the_failures_of_its_own_network() {
        let (_folder, store) = store().await;
        let site = store.site(SITE);
        fail(&site, "ada", "203.0.113.1", START).await;
        let name = MemberName::typed("ada").unwrap();
        let attempted = Attempted { name: Some(&name), typed: "ada", network: "192.0.2.1" };
        let own = Attempt::new(&site, &key(), attempted, START);
        for _ in 0..3 {
            assert_eq!(own.begin(CAPTCHA_AFTER, false).await.unwrap(), AttemptDecision::Open);
        }
        own.succeeded().await.unwrap();
        assert_eq!(fail(&site, "ada", "192.0.2.1", START).await, (5, AttemptDecision::Captcha));
        assert!(
            matches!(begin(&site, "ada", "203.0.113.1", START, true).await, AttemptDecision::Wait(_)),
            "the stranger's stay"
        );
    }

    #[tokio::test]
    async fn failures_are_forgotten_after_a_day_and_clocks_that_jump_lock_nobody_out() {
        let (_folder, store) = store().await;
        let site = store.site(SITE);
        fail(&site, "ada", "192.0.2.1", START).await;
        assert_eq!(
            begin(&site, "ada", "192.0.2.1", START - 1_000, false).await,
            AttemptDecision::Wait(2_000),
            "another host's clock"
        );
        let back = START - 100 * HOUR;
        assert_eq!(begin(&site, "ada", "192.0.2.1", back, false).await, AttemptDecision::Open, "set back");
        assert_eq!(
            begin(&site, "ada", "192.0.2.1", back, false).await,
            AttemptDecision::Wait(4_000),
            "and counted from there on"
        );
        assert_eq!(begin(&site, "ada", "192.0.2.1", START + 25 * HOUR, false).await, AttemptDecision::Open);
        assert_eq!(fail(&site, "ada", "192.0.2.1", START + 25 * HOUR).await.0, 4, "the count begins anew");
    }

    #[tokio::test]
    async fn names_that_nobody_has_and_odd_names_are_counted_in_the_same_way() {
        let (_folder, store) = store().await;
        let site = store.site(SITE);
        for typed in ["nobody", "13812345678", "nobody@example.org", "", "<script>", &"x".repeat(5000)] {
            assert_eq!(fail(&site, typed, "192.0.2.1", START).await, (5, AttemptDecision::Wait(2_000)), "{typed:.20}");
        }
    }
}
