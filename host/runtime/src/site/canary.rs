//! Two versions of a plugin side by side: one answers, the other is asked the same afterwards, and what differs is kept for a report.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};

use crate::{
    contract::{bindings::masthead::plugin::types::Context, failure::Cause},
    invocation::{
        hooks::{Fields, Shape},
        store_state::{Frame, Purse},
    },
    plugin::instance::Live,
    site::{call::Ran, chain::Inner, member::Member},
};

/// Differences that are kept, the latest ones.
const KEPT: usize = 20;
/// Characters of an input or output in the report.
const SHOWN: usize = 2000;
/// What a comparison may take beside its own budgets.
const PATIENCE: Duration = Duration::from_secs(1);

/// The other version of a plugin on a site.
pub(crate) struct CanaryMember {
    pub member: Arc<Member>,
    /// Percent of requests that it answers; 0 = it is only compared.
    pub share: u8,
    pub report: Arc<Report>,
}

/// What came of comparing.
#[derive(Default)]
pub(crate) struct Report {
    compared: AtomicU64,
    differed: AtomicU64,
    skipped: AtomicU64,
    failed: AtomicU64,
    latest: Mutex<VecDeque<Difference>>,
}

/// Two different outputs for one input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The hook's name.
    pub hook: String,
    /// What both were given, as JSON, cut short.
    pub input: String,
    /// What the version in use gave.
    pub current: String,
    /// What the canary gave.
    pub canary: String,
}

/// The state of a canary, for a report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CanaryStatus {
    /// Short name of the site.
    pub site: String,
    /// The plugin's id.
    pub plugin: String,
    /// Version in use.
    pub current: String,
    /// Version that is tried.
    pub canary: String,
    /// Percent of requests that the canary answers; 0 = it runs in the shadow.
    pub share: u8,
    /// Calls that both versions were given.
    pub compared: u64,
    /// Of these, calls that they answered differently.
    pub differed: u64,
    /// Calls that were not compared because the machine was busy with other comparisons.
    pub skipped: u64,
    /// Calls in which the canary failed, so that the version in use answered.
    pub failed: u64,
    /// The latest differences.
    pub latest: Vec<Difference>,
}

impl Report {
    pub(crate) fn failed(&self) {
        self.failed.fetch_add(1, Relaxed);
    }

    fn differs(&self, difference: Difference) {
        self.differed.fetch_add(1, Relaxed);
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        latest.truncate(KEPT - 1);
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

/// Asks the version that did not answer the same question, after the fact and in the shadow: it changes nothing, asks no other
/// server, and no reader waits for it. Hooks that act on the world are not compared.
pub(crate) fn compare<E: Fields>(
    chain: &Arc<Inner>,
    canary: &CanaryMember,
    other: &Arc<Member>,
    other_is_current: bool,
    (context, frame): (&Context, &Frame),
    input: &E::Input,
    ran: &Ran<E>,
) {
    let page_hook = matches!(E::HOOK.spec().shape, Shape::Chain | Shape::Collect);
    if !page_hook || frame.tape.is_some() {
        return;
    }
    if matches!(ran, Ran::Absent) && !other.plugin.has_hook(E::HOOK) {
        return;
    }
    let Ok(turn) = Arc::clone(&chain.comparisons).try_acquire_owned() else {
        canary.report.skipped.fetch_add(1, Relaxed);
        return;
    };
    // Only once there is a turn: writing a page's worth of links as JSON is no small thing.
    let answered = match ran {
        Ran::Gave(output) => show(output),
        Ran::Refused(refusal) => format!("refused: {}", show(refusal)),
        Ran::Lost => "failed".to_owned(),
        Ran::Absent => "(no such hook)".to_owned(),
    };
    let (chain, other, report) = (Arc::clone(chain), Arc::clone(other), Arc::clone(&canary.report));
    let purse = Arc::new(Purse::new(chain.config.memory_per_request, 0));
    let wait = other.wait(E::HOOK) + chain.config.grace + PATIENCE;
    let frame = Frame { deadline: Instant::now() + wait, shadow: true, purse, ..frame.clone() };
    let (context, input) = (context.clone(), input.clone());
    tokio::spawn(async move {
        let _turn = turn;
        let there = match tokio::time::timeout(wait, shadow::<E>(&chain, &other, &context, &frame, &input)).await {
            Ok(Ok(shown)) => shown,
            Ok(Err(Cause::Busy)) | Err(_) => {
                report.skipped.fetch_add(1, Relaxed);
                return;
            }
            Ok(Err(cause)) => {
                if !other_is_current {
                    report.failed();
                }
                format!("failed: {cause}")
            }
        };
        report.compared.fetch_add(1, Relaxed);
        if there != answered {
            let (current, canary) = if other_is_current { (there, answered) } else { (answered, there) };
            let difference = Difference {
                hook: E::HOOK.name().to_owned(),
                input: cut(&show(&input)),
                current: cut(&current),
                canary: cut(&canary),
            };
            report.differs(difference);
        }
    });
}

async fn shadow<E: Fields>(
    chain: &Inner,
    member: &Arc<Member>,
    context: &Context,
    frame: &Frame,
    input: &E::Input,
) -> Result<String, Cause> {
    if !member.plugin.has_hook(E::HOOK) {
        return Ok("(no such hook)".to_owned());
    }
    let _permit = chain.instances.acquire().await.map_err(|_| Cause::Busy)?;
    let started = Instant::now();
    let mut live = Live::start(&chain.config, member, frame, E::HOOK).await?;
    Ok(match live.call::<E>(member, context, input, started).await? {
        Ok(output) => {
            E::check(member, input, &output).map_err(Cause::BadResult)?;
            member.ledger.succeeded(E::HOOK, started.elapsed(), live.memory());
            show(&output)
        }
        Err(refusal) => format!("refused: {}", show(&refusal)),
    })
}

fn show(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| error.to_string())
}

fn cut(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}
