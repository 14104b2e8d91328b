//! Results of comparing a canary with the version in use.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use serde::{Deserialize, Serialize};

use super::member::Member;

/// Number of differences that are kept; older ones are dropped.
const KEPT_DIFFERENCES: usize = 20;

/// The canary of a plugin on a site.
pub(crate) struct CanaryMember {
    pub member: Arc<Member>,
    /// Percent of requests that it serves; 0 means that it is compared only.
    pub share: u8,
    pub report: Arc<CanaryReport>,
}

/// Counters of the comparison, and the latest differences.
#[derive(Default)]
pub(crate) struct CanaryReport {
    compared: AtomicU64,
    differed: AtomicU64,
    skipped: AtomicU64,
    failed: AtomicU64,
    latest: Mutex<VecDeque<Difference>>,
}

/// Two different outputs for the same input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The hook's name.
    pub hook: String,
    /// The input of both, as JSON, truncated.
    pub input: String,
    /// The output of the version in use.
    pub current: String,
    /// The output of the canary.
    pub canary: String,
}

/// The state of a canary.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CanaryStatus {
    /// Short name of the site.
    pub site: String,
    /// The plugin's id.
    pub plugin: String,
    /// Version in use.
    pub current: String,
    /// Version of the canary.
    pub canary: String,
    /// Percent of requests that the canary serves; 0 means that it is compared only.
    pub share: u8,
    /// Calls made with both versions.
    pub compared: u64,
    /// Those of them with different results.
    pub differed: u64,
    /// Calls that were not compared because the machine was busy with other comparisons.
    pub skipped: u64,
    /// Calls in which the canary failed, so that the version in use was called.
    pub failed: u64,
    /// The latest differences.
    pub latest: Vec<Difference>,
}

impl CanaryReport {
    /// Counts a call in which the canary failed.
    pub(crate) fn count_failed(&self) {
        self.failed.fetch_add(1, Relaxed);
    }

    /// Counts a call that was not compared.
    pub(crate) fn count_skipped(&self) {
        self.skipped.fetch_add(1, Relaxed);
    }

    /// Counts a call that was compared.
    pub(crate) fn count_compared(&self) {
        self.compared.fetch_add(1, Relaxed);
    }

    /// Counts and stores a difference.
    pub(crate) fn add_difference(&self, difference: Difference) {
        self.differed.fetch_add(1, Relaxed);
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        latest.truncate(KEPT_DIFFERENCES - 1);
        latest.push_front(difference);
    }

    pub(crate) fn status(&self, site: &str, main: &Member, canary: &CanaryMember) -> CanaryStatus {
        CanaryStatus {
            site: site.to_owned(),
            plugin: main.plugin.id().to_owned(),
            current: main.plugin.manifest().version.to_string(),
            canary: canary.member.plugin.manifest().version.to_string(),
            share: canary.share,
            compared: self.compared.load(Relaxed),
            differed: self.differed.load(Relaxed),
            skipped: self.skipped.load(Relaxed),
            failed: self.failed.load(Relaxed),
            latest: self.latest.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect(),
        }
    }
}
