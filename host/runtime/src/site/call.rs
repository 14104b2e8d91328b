//! The hook calls of one request: an instance of each plugin, started at its first call and dropped with the request.

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

use super::{
    canary_comparison,
    chain::{Chain, ChainInner},
    circuit_breaker::{BreakerState, CircuitBreaker},
    member::Member,
    telemetry,
};
use crate::{
    contract::{
        bindings::masthead::plugin::types::Context,
        failure::FailureCause,
        hook_table::{CLASSES, Hook, HookClass, Shape},
    },
    invocation::{
        hooks::{binding::Refusal, entries::TableEntry, result::HookResult},
        memory_limiter::RequestBudget,
        recording::Recording,
        store_state::RequestScope,
    },
    plugin::instance::PluginInstance,
};

/// The page being rendered.
#[derive(Clone, Debug)]
pub struct RequestContext {
    /// Interface language.
    pub lang: Lang,
    /// Name of the route.
    pub route: String,
    /// Absolute address of the site's pages in this language, without a slash at its end.
    pub address: String,
    /// The page's deadline; it limits every call besides the call's own budget.
    pub deadline: Instant,
    /// The plugins whose canary is called, one bit for each plugin: the result of [`Chain::draw`].
    pub variant: u32,
    /// Host calls to record or to replay, in tests.
    pub recording: Option<Arc<Recording>>,
}

/// Outcome of the calls of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallOutcome {
    /// All calls without a result.
    pub failed_calls: Vec<FailedCall>,
}

impl CallOutcome {
    /// Whether no call failed. A page without a plugin's part should not be cached for long.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.failed_calls.is_empty()
    }
}

/// A call without a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedCall {
    /// The plugin's id.
    pub plugin: String,
    /// The hook.
    pub hook: Hook,
    /// The cause; `None` if the plugin's circuit breaker is open.
    pub cause: Option<FailureCause>,
}

/// A plugin's instances during one request: of the version in use, and of its canary.
#[derive(Default)]
struct PluginInstances {
    current: Option<Box<PluginInstance>>,
    canary: Option<Box<PluginInstance>>,
}

/// Permits of the site and of the process.
type Permits = (OwnedSemaphorePermit, OwnedSemaphorePermit);

/// The calls of one request on a chain; made by [`Chain::begin`]. Its hooks are in `hook_api.rs`.
pub struct Call {
    pub(crate) chain: Arc<ChainInner>,
    context: Context,
    scope: RequestScope,
    variant: u32,
    instances: Vec<PluginInstances>,
    /// Permits for instances, by class of the hooks that were called. A request of the host calls hooks of one class only.
    permits: [Option<Permits>; CLASSES.len()],
    outcome: CallOutcome,
}

impl Chain {
    /// Starts a request. No code of a plugin runs yet.
    #[must_use]
    pub fn begin(&self, context: RequestContext) -> Call {
        Call::new(Arc::clone(&self.0), context)
    }

    /// The factor of the time limits of plugins ([`RuntimeConfig::budget_factor`](crate::RuntimeConfig)), which a limit of several calls
    /// together has to have, too.
    #[must_use]
    pub fn time_factor(&self) -> f64 {
        self.0.config.budget_factor
    }
}

impl Call {
    fn new(chain: Arc<ChainInner>, request: RequestContext) -> Self {
        let RequestContext { lang, route, address, deadline, variant, recording } = request;
        let context =
            Context { site_id: chain.site.0, sld: chain.sld.clone(), lang: lang.code().to_owned(), route, address };
        let (memory, http_calls) = (chain.config.memory_per_request, chain.config.http_calls_per_request);
        let budget = Arc::new(RequestBudget::new(memory, http_calls, &chain.memory));
        let scope = RequestScope { lang, deadline, shadow: false, recording, budget };
        let instances = std::iter::repeat_with(PluginInstances::default).take(chain.slots.len()).collect();
        let permits = CLASSES.map(|_| None);
        Self { chain, context, scope, variant, instances, permits, outcome: CallOutcome::default() }
    }

    /// Ends the instances of plugins, so that others get their permits. The next hook starts new ones. A request that kept the instances of one
    /// call while another call of it waits for permits could wait for itself.
    pub fn release(&mut self) {
        self.instances.fill_with(PluginInstances::default);
        self.permits = CLASSES.map(|_| None);
    }

    /// The failed calls so far.
    #[must_use]
    pub fn outcome(&self) -> &CallOutcome {
        &self.outcome
    }

    /// Calls one hook of one plugin: of the canary if the request drew it (then, if that fails, of the version in use), else of the
    /// version in use.
    pub(crate) async fn run<E: TableEntry>(&mut self, index: usize, input: &E::Input) -> HookResult<E> {
        let chain = Arc::clone(&self.chain);
        let slot = &chain.slots[index];
        let Some(canary) = &slot.canary else { return self.run_member::<E>(index, &slot.current, false, input).await };
        let drawn = self.variant & (1 << index) != 0;
        let (first, second) = if drawn { (&canary.member, &slot.current) } else { (&slot.current, &canary.member) };
        let before = self.outcome.failed_calls.len();
        let mut result = self.run_member::<E>(index, first, drawn, input).await;
        let page_hook = matches!(E::HOOK.spec().shape, Shape::Chain | Shape::Collect);
        // A hook with side effects is not repeated, because the canary may have sent a message before it failed.
        if drawn && page_hook && matches!(result, HookResult::Failed) {
            canary.report.count_failed();
            // The version in use is called now, so that the page lacks nothing.
            self.outcome.failed_calls.truncate(before);
            result = self.run_member::<E>(index, &slot.current, false, input).await;
        } else {
            canary_comparison::compare::<E>(
                &chain,
                canary,
                second,
                drawn,
                (&self.context, &self.scope),
                input,
                &result,
            );
        }
        result
    }

    async fn run_member<E: TableEntry>(
        &mut self,
        index: usize,
        member: &Arc<Member>,
        canary: bool,
        input: &E::Input,
    ) -> HookResult<E> {
        if !member.plugin.has_hook(E::HOOK) {
            return HookResult::NotImplemented;
        }
        let cache = &self.chain.result_cache;
        let key = cache.key::<E>((member.number, member.plugin.deterministic), &self.context, input);
        if let Some(cached) = key.as_ref().and_then(|key| cache.get::<E>(key)) {
            member.metrics.served_from_cache(E::HOOK);
            return HookResult::Output(cached);
        }
        let state = member.breaker.try_call();
        if state == BreakerState::Open {
            telemetry::call_rejected(member, E::HOOK);
            self.add_failed_call(member, E::HOOK, None);
            return HookResult::Failed;
        }
        let mut probe = ProbeGuard { breaker: &member.breaker, armed: state == BreakerState::HalfOpen };
        let started = Instant::now();
        let result = self.attempt::<E>((index, canary), member, input, started).await;
        let took = started.elapsed();
        let (result, cause, counts) = match result {
            Ok((Ok(output), memory)) => {
                if probe.armed {
                    probe.armed = false;
                    member.breaker.close();
                    telemetry::circuit_closed(member);
                }
                member.metrics.succeeded(E::HOOK, took, memory);
                if let Some(key) = key {
                    self.chain.result_cache.put::<E>(key, &output);
                }
                return HookResult::Output(output);
            }
            Ok((Err(refusal), memory)) => {
                // An HTTP server without a response delays every call. This counts as a failure, although the plugin returned
                // an error.
                let unreachable = self.take_server_unreachable(index, canary);
                let Some(message) = refusal.message() else {
                    member.metrics.succeeded(E::HOOK, took, memory);
                    return HookResult::Refused(refusal);
                };
                (HookResult::Refused(refusal), FailureCause::Refused(message.chars().take(500).collect()), unreachable)
            }
            Err(cause) => {
                let counts = cause.is_fault();
                (HookResult::Failed, cause, counts)
            }
        };
        let effect = counts.then(|| {
            probe.armed = false;
            member.breaker.record_failure(state)
        });
        telemetry::call_failed(member, E::HOOK, &cause, took, effect);
        self.add_failed_call(member, E::HOOK, Some(cause));
        result
    }

    async fn attempt<E: TableEntry>(
        &mut self,
        (index, canary): (usize, bool),
        member: &Arc<Member>,
        input: &E::Input,
        now: Instant,
    ) -> Result<(Result<E::Output, E::Refusal>, usize), FailureCause> {
        let Self { chain, context, scope, instances, permits, .. } = self;
        let (config, class) = (&chain.config, E::HOOK.class());
        let permits = &mut permits[class as usize];
        let (left, full) = (scope.deadline.saturating_duration_since(now), member.context.wait(E::HOOK) + config.grace);
        if left.is_zero() {
            return Err(FailureCause::DeadlinePassed);
        }
        let place = if canary { &mut instances[index].canary } else { &mut instances[index].current };
        // Taken out for the call, so that it is not used again after a failure or if the reader disconnects in the middle.
        let mut instance = place.take();
        let work = async {
            if permits.is_none() {
                *permits = Some(reserve(chain, class).await?);
            }
            if instance.is_none() {
                instance = Some(PluginInstance::start(&member.plugin, &member.context, scope, E::HOOK).await?);
            }
            let Some(instance) = instance.as_mut() else { return Err(FailureCause::InstancesBusy) };
            let answer = instance.call::<E>(context, input, now).await?;
            if let Ok(output) = &answer {
                E::check(&member.context, input, output).map_err(FailureCause::InvalidResult)?;
            }
            Ok((answer, instance.memory()))
        };
        let result = {
            let mut work = pin!(work);
            // Most calls complete at the first poll and need no timer, which costs as much as a small call.
            match poll_fn(|task| Poll::Ready(work.as_mut().poll(task))).await {
                Poll::Ready(result) => Ok(result),
                Poll::Pending => timeout(left.min(full), work).await,
            }
        };
        match result {
            Ok(Ok(answer)) => {
                *place = instance;
                Ok(answer)
            }
            Ok(Err(cause)) => Err(cause),
            Err(_) if permits.is_none() => Err(FailureCause::InstancesBusy),
            Err(_) if left < full => Err(FailureCause::DeadlinePassed),
            Err(_) => {
                let pending_host_call = instance.as_ref().and_then(|instance| instance.pending_host_call());
                Err(FailureCause::Timeout { limit: full, pending_host_call })
            }
        }
    }

    /// Whether an HTTP server did not respond during the plugin's last call.
    fn take_server_unreachable(&mut self, index: usize, canary: bool) -> bool {
        let instances = &mut self.instances[index];
        let instance = if canary { &mut instances.canary } else { &mut instances.current };
        instance.as_mut().is_some_and(|instance| instance.take_server_unreachable())
    }

    fn add_failed_call(&mut self, member: &Member, hook: Hook, cause: Option<FailureCause>) {
        self.outcome.failed_calls.push(FailedCall { plugin: member.plugin.id().to_owned(), hook, cause });
    }

    /// The index of this plugin's slot in the chain.
    pub(crate) fn position(&self, plugin: &str) -> Option<usize> {
        self.chain.slots.iter().position(|slot| slot.current.plugin.id() == plugin)
    }
}

/// Reserves all instances that the request may need for a class of hooks at once: if each were reserved at its first use, requests
/// that hold one and wait for the next could wait for each other (a deadlock). The site's share is reserved first, so that the
/// requests of a busy site do not queue in front of those of other sites.
async fn reserve(chain: &ChainInner, class: HookClass) -> Result<Permits, FailureCause> {
    let count = u32::try_from(chain.needed(class)).map_err(|_| FailureCause::InstancesBusy)?;
    let take = async |pool: &Arc<Semaphore>| {
        Arc::clone(pool).acquire_many_owned(count).await.map_err(|_| FailureCause::InstancesBusy)
    };
    Ok((take(chain.site_instances.of(class)).await?, take(chain.instances.of(class)).await?))
}

/// Abandons the probe if the call ended as neither success nor failure, or was dropped.
struct ProbeGuard<'a> {
    breaker: &'a CircuitBreaker,
    armed: bool,
}

impl Drop for ProbeGuard<'_> {
    fn drop(&mut self) {
        if self.armed {
            self.breaker.abandon_probe();
        }
    }
}
