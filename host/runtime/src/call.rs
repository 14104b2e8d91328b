//! One request's use of a chain: an instance of each plugin, made at its first use, gone with the request.

use std::{
    future::{Future as _, poll_fn},
    pin::pin,
    sync::Arc,
    task::Poll,
    time::Instant,
};

use masthead_domain::{
    Lang,
    access::{AccessRequest, Permissions},
    layout::SlotContribution,
    link::Link,
};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use crate::{
    bindings::masthead::plugin::types::Context,
    chain::Inner,
    failure::Cause,
    hooks::{Fields, Hook, access, layout, links},
    live::Live,
    member::Member,
    quarantine::{Breaker, Entry},
    telemetry,
};

/// The page that is being made.
#[derive(Clone, Debug)]
pub struct RequestContext {
    /// Interface language.
    pub lang: Lang,
    /// Name of the route.
    pub route: String,
    /// When the page has to be done; bounds every call besides its own budget.
    pub deadline: Instant,
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

/// See [`crate::Chain::begin`].
pub struct Call {
    chain: Arc<Inner>,
    context: Context,
    deadline: Instant,
    live: Vec<Option<Live>>,
    permits: Option<OwnedSemaphorePermit>,
    outcome: CallOutcome,
}

impl Call {
    pub(crate) fn new(chain: Arc<Inner>, request: RequestContext) -> Self {
        let RequestContext { lang, route, deadline } = request;
        let context = Context { site_id: chain.site.0, sld: chain.sld.clone(), lang: lang.code().to_owned(), route };
        let live = std::iter::repeat_with(|| None).take(chain.members.len()).collect();
        Self { chain, context, deadline, live, permits: None, outcome: CallOutcome::default() }
    }

    /// `links.rewrite`, a batch at a time. Always as many links as were given.
    pub async fn rewrite_links(&mut self, links: Vec<Link>) -> Vec<Link> {
        if links.is_empty() || !self.chain.has(Hook::Links) {
            return links;
        }
        let mut current = links::to_wit(links);
        for index in 0..self.live.len() {
            if let Some(rewritten) = self.run::<links::Entry>(index, &current).await {
                current = rewritten;
            }
        }
        links::from_wit(current)
    }

    /// `access.decide`.
    pub async fn decide_access(&mut self, request: AccessRequest) -> Permissions {
        let mut request = access::to_wit(request);
        for index in 0..self.live.len() {
            if let Some(permissions) = self.run::<access::Entry>(index, &request).await {
                request.permissions = permissions;
            }
        }
        access::from_wit(request.permissions)
    }

    /// `layout.contribute`.
    pub async fn contribute_layout(&mut self) -> Vec<SlotContribution> {
        let mut all = Vec::new();
        for index in 0..self.live.len() {
            if let Some(contributions) = self.run::<layout::Entry>(index, &()).await {
                all.extend(contributions.into_iter().map(layout::from_wit));
            }
        }
        all
    }

    /// What the page goes without, so far.
    #[must_use]
    pub fn outcome(&self) -> &CallOutcome {
        &self.outcome
    }

    /// One hook of one plugin; `None` when it has none or fails.
    async fn run<E: Fields>(&mut self, index: usize, input: &E::Input) -> Option<E::Output> {
        let chain = Arc::clone(&self.chain);
        let member = &chain.members[index];
        if !member.plugin.has_hook(E::HOOK) {
            return None;
        }
        let entry = member.breaker.enter();
        if entry == Entry::Shut {
            telemetry::skipped(member, E::HOOK);
            self.lose(member, E::HOOK, None);
            return None;
        }
        let mut trial = TrialGuard { breaker: &member.breaker, armed: entry == Entry::Trial };
        let started = Instant::now();
        let result = self.attempt::<E>(index, member, input, started).await;
        let took = started.elapsed();
        match result {
            Ok(output) => {
                if trial.armed {
                    trial.armed = false;
                    member.breaker.recovered();
                    telemetry::recovered(member);
                }
                member.metrics.succeeded(E::HOOK, took);
                Some(output)
            }
            Err(cause) => {
                let verdict = cause.is_fault().then(|| {
                    trial.armed = false;
                    member.breaker.failed(entry)
                });
                telemetry::failed(member, E::HOOK, &cause, took, verdict);
                self.lose(member, E::HOOK, Some(cause));
                None
            }
        }
    }

    async fn attempt<E: Fields>(
        &mut self,
        index: usize,
        member: &Arc<Member>,
        input: &E::Input,
        now: Instant,
    ) -> Result<E::Output, Cause> {
        let config = &self.chain.config;
        let (left, full) = (self.deadline.saturating_duration_since(now), member.budget(E::HOOK) + config.grace);
        if left.is_zero() {
            return Err(Cause::Late);
        }
        // Taken out for the call: whatever goes wrong, or if the reader goes away in the middle, it is never used again.
        let mut live = self.live[index].take();
        let (permits, context) = (&mut self.permits, &self.context);
        let (pool, wanted) = (&self.chain.instances, self.chain.members.len());
        let work = async {
            if permits.is_none() {
                *permits = Some(reserve(pool, wanted).await?);
            }
            if live.is_none() {
                live = Some(Live::start(config, member, E::HOOK).await?);
            }
            let Some(instance) = live.as_mut() else { return Err(Cause::Busy) };
            let output = instance.call::<E>(member, context, input).await?;
            E::check(member, input, &output).map_err(Cause::BadResult)?;
            Ok(output)
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
            Ok(Ok(output)) => {
                self.live[index] = live;
                Ok(output)
            }
            Ok(Err(cause)) => Err(cause),
            Err(_) if self.permits.is_none() => Err(Cause::Busy),
            Err(_) if left < full => Err(Cause::Late),
            Err(_) => Err(Cause::Timeout(full)),
        }
    }

    fn lose(&mut self, member: &Member, hook: Hook, cause: Option<Cause>) {
        self.outcome.losses.push(Loss { plugin: member.plugin.id().to_owned(), hook, cause });
    }
}

/// All instances of the request at once: if each were reserved at its first use, requests that hold one and wait for the
/// next could wait for each other.
async fn reserve(pool: &Arc<Semaphore>, instances: usize) -> Result<OwnedSemaphorePermit, Cause> {
    let wanted = u32::try_from(instances).map_err(|_| Cause::Busy)?;
    Arc::clone(pool).acquire_many_owned(wanted).await.map_err(|_| Cause::Busy)
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
