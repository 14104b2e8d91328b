//! One request's use of a chain: an instance of each plugin, made at its first use, gone with the request.

use std::{
    future::{Future as _, poll_fn},
    pin::pin,
    sync::Arc,
    task::Poll,
    time::Instant,
};

use masthead_domain::Lang;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use crate::{
    contract::{bindings::masthead::plugin::types::Context, failure::Cause},
    invocation::{
        hooks::{Fields, Hook, Shape},
        recording::Tape,
        store_state::{Frame, Purse},
    },
    plugin::instance::Live,
    site::{
        canary,
        chain::{Inner, Slot},
        circuit_breaker::{Breaker, Entry},
        member::Member,
        telemetry,
    },
};

/// The page that is being made.
#[derive(Clone, Debug)]
pub struct RequestContext {
    /// Interface language.
    pub lang: Lang,
    /// Name of the route.
    pub route: String,
    /// Absolute address of the site's pages in this language, without a slash at its end.
    pub address: String,
    /// When the page has to be done; bounds every call besides its own budget.
    pub deadline: Instant,
    /// Which plugins answer with their canary: what [`crate::Chain::draw`] gave.
    pub variant: u32,
    /// Host calls to record or to play back, in tests.
    pub tape: Option<Arc<Tape>>,
}

/// What the page goes without.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallOutcome {
    /// Every call that gave no result.
    pub losses: Vec<Loss>,
}

impl CallOutcome {
    /// Whether every plugin did its part. A page that is not complete should not be cached for long.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.losses.is_empty()
    }
}

/// A call that gave no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The plugin's id.
    pub plugin: String,
    /// The hook.
    pub hook: Hook,
    /// Why; `None` when the plugin is in quarantine.
    pub cause: Option<Cause>,
}

/// What one plugin's hook came to.
pub(crate) enum Ran<E: Fields> {
    /// It has no such hook.
    Absent,
    /// It failed, or may not be asked; see the outcome.
    Lost,
    /// It declined in its own words.
    Refused(E::Refusal),
    /// It answered.
    Gave(E::Output),
}

/// A plugin's instances during one request: of the version in use, and of its canary.
#[derive(Default)]
struct Lives {
    main: Option<Box<Live>>,
    canary: Option<Box<Live>>,
}

/// See [`crate::Chain::begin`]. Its hooks are in `ask.rs`.
pub struct Call {
    pub(crate) chain: Arc<Inner>,
    context: Context,
    frame: Frame,
    variant: u32,
    lives: Vec<Lives>,
    permits: Option<(OwnedSemaphorePermit, OwnedSemaphorePermit)>,
    outcome: CallOutcome,
}

impl Call {
    pub(crate) fn new(chain: Arc<Inner>, request: RequestContext) -> Self {
        let RequestContext { lang, route, address, deadline, variant, tape } = request;
        let context =
            Context { site_id: chain.site.0, sld: chain.sld.clone(), lang: lang.code().to_owned(), route, address };
        let purse = Arc::new(Purse::new(chain.config.memory_per_request, chain.config.http_calls_per_request));
        let frame = Frame { lang, deadline, shadow: false, tape, purse };
        let lives = std::iter::repeat_with(Lives::default).take(chain.slots.len()).collect();
        Self { chain, context, frame, variant, lives, permits: None, outcome: CallOutcome::default() }
    }

    /// What the page goes without, so far.
    #[must_use]
    pub fn outcome(&self) -> &CallOutcome {
        &self.outcome
    }

    /// One hook of one plugin: by the canary where the request drew it (and by the version in use if that fails), else by the
    /// version in use.
    pub(crate) async fn run<E: Fields>(&mut self, index: usize, input: &E::Input) -> Ran<E> {
        let chain = Arc::clone(&self.chain);
        let slot = &chain.slots[index];
        let Some(canary) = &slot.canary else { return self.run_member::<E>(index, &slot.main, false, input).await };
        let drawn = self.variant & (1 << index) != 0;
        let (first, second) = if drawn { (&canary.member, &slot.main) } else { (&slot.main, &canary.member) };
        let before = self.outcome.losses.len();
        let mut ran = self.run_member::<E>(index, first, drawn, input).await;
        let page_hook = matches!(E::HOOK.spec().shape, Shape::Chain | Shape::Collect);
        // What acts on the world is not tried twice: a message may have been sent before the canary failed.
        if drawn && page_hook && matches!(ran, Ran::Lost) {
            canary.report.failed();
            // The page goes without nothing when the version in use does what its canary could not.
            self.outcome.losses.truncate(before);
            ran = self.run_member::<E>(index, &slot.main, false, input).await;
        } else {
            canary::compare::<E>(&chain, canary, second, drawn, (&self.context, &self.frame), input, &ran);
        }
        ran
    }

    async fn run_member<E: Fields>(
        &mut self,
        index: usize,
        member: &Arc<Member>,
        canary: bool,
        input: &E::Input,
    ) -> Ran<E> {
        if !member.plugin.has_hook(E::HOOK) {
            return Ran::Absent;
        }
        let memo = &self.chain.memo;
        let key = memo.key::<E>((member.number, member.plugin.pure), &self.context, input);
        if let Some(remembered) = key.as_ref().and_then(|key| memo.get::<E>(key)) {
            member.ledger.remembered(E::HOOK);
            return Ran::Gave(remembered);
        }
        let entry = member.breaker.enter();
        if entry == Entry::Shut {
            telemetry::skipped(member, E::HOOK);
            self.lose(member, E::HOOK, None);
            return Ran::Lost;
        }
        let mut trial = TrialGuard { breaker: &member.breaker, armed: entry == Entry::Trial };
        let started = Instant::now();
        let result = self.attempt::<E>((index, canary), member, input, started).await;
        let took = started.elapsed();
        let (ran, cause, counts) = match result {
            Ok((Ok(output), memory)) => {
                if trial.armed {
                    trial.armed = false;
                    member.breaker.recovered();
                    telemetry::recovered(member);
                }
                member.ledger.succeeded(E::HOOK, took, memory);
                if let Some(key) = key {
                    self.chain.memo.put::<E>(key, &output);
                }
                return Ran::Gave(output);
            }
            Ok((Err(refusal), memory)) => {
                // A server that is gone makes every call wait: that counts, although the plugin found words for it.
                let unreachable = self.unreachable(index, canary);
                let Some(words) = E::words(&refusal) else {
                    member.ledger.succeeded(E::HOOK, took, memory);
                    return Ran::Refused(refusal);
                };
                (Ran::Refused(refusal), Cause::Refused(words.chars().take(500).collect()), unreachable)
            }
            Err(cause) => {
                let counts = cause.is_fault();
                (Ran::Lost, cause, counts)
            }
        };
        let verdict = counts.then(|| {
            trial.armed = false;
            member.breaker.failed(entry)
        });
        telemetry::failed(member, E::HOOK, &cause, took, verdict);
        self.lose(member, E::HOOK, Some(cause));
        ran
    }

    async fn attempt<E: Fields>(
        &mut self,
        (index, canary): (usize, bool),
        member: &Arc<Member>,
        input: &E::Input,
        now: Instant,
    ) -> Result<(Result<E::Output, E::Refusal>, usize), Cause> {
        let Self { chain, context, frame, lives, permits, .. } = self;
        let config = &chain.config;
        let (left, full) = (frame.deadline.saturating_duration_since(now), member.wait(E::HOOK) + config.grace);
        if left.is_zero() {
            return Err(Cause::Late);
        }
        let place = if canary { &mut lives[index].canary } else { &mut lives[index].main };
        // Taken out for the call: whatever goes wrong, or if the reader goes away in the middle, it is never used again.
        let mut live = place.take();
        let work = async {
            if permits.is_none() {
                *permits = Some(reserve(chain).await?);
            }
            if live.is_none() {
                live = Some(Live::start(config, member, frame, E::HOOK).await?);
            }
            let Some(instance) = live.as_mut() else { return Err(Cause::Busy) };
            let answer = instance.call::<E>(member, context, input, now).await?;
            if let Ok(output) = &answer {
                E::check(member, input, output).map_err(Cause::BadResult)?;
            }
            Ok((answer, instance.memory()))
        };
        let result = {
            let mut work = pin!(work);
            // Most calls end without waiting once, and need no timer: making one costs as much as a small call.
            match poll_fn(|task| Poll::Ready(work.as_mut().poll(task))).await {
                Poll::Ready(result) => Ok(result),
                Poll::Pending => timeout(left.min(full), work).await,
            }
        };
        match result {
            Ok(Ok(answer)) => {
                *place = live;
                Ok(answer)
            }
            Ok(Err(cause)) => Err(cause),
            Err(_) if permits.is_none() => Err(Cause::Busy),
            Err(_) if left < full => Err(Cause::Late),
            Err(_) => Err(Cause::Timeout { limit: full, waiting: live.as_ref().and_then(|live| live.waiting()) }),
        }
    }

    /// Whether a server that the plugin asked during its last call did not answer.
    fn unreachable(&mut self, index: usize, canary: bool) -> bool {
        let lives = &mut self.lives[index];
        let live = if canary { &mut lives.canary } else { &mut lives.main };
        live.as_mut().is_some_and(|live| live.take_unreachable())
    }

    fn lose(&mut self, member: &Member, hook: Hook, cause: Option<Cause>) {
        self.outcome.losses.push(Loss { plugin: member.plugin.id().to_owned(), hook, cause });
    }

    /// Where the plugin of this id stands in the chain.
    pub(crate) fn position(&self, plugin: &str) -> Option<usize> {
        self.chain.slots.iter().position(|slot| slot.main.plugin.id() == plugin)
    }
}

/// All instances of the request at once: if each were reserved at its first use, requests that hold one and wait for the
/// next could wait for each other. The site's own share first, so that one site's crowd does not queue in front of the others.
async fn reserve(chain: &Inner) -> Result<(OwnedSemaphorePermit, OwnedSemaphorePermit), Cause> {
    let wanted = u32::try_from(chain.slots.iter().map(Slot::versions).sum::<usize>()).map_err(|_| Cause::Busy)?;
    let take = async |pool: &Arc<Semaphore>| Arc::clone(pool).acquire_many_owned(wanted).await.map_err(|_| Cause::Busy);
    Ok((take(&chain.site_instances).await?, take(&chain.instances).await?))
}

/// Gives the trial back when the call ended as neither success nor fault, or was dropped.
struct TrialGuard<'a> {
    breaker: &'a Breaker,
    armed: bool,
}

impl Drop for TrialGuard<'_> {
    fn drop(&mut self) {
        if self.armed {
            self.breaker.abandon_trial();
        }
    }
}
