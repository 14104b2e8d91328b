//! The plugins of one site, in order, as an immutable value: a change builds another chain, and requests in progress finish
//! with the old one.

use std::{fmt, sync::Arc, time::Duration};

use masthead_domain::SiteId;
use tokio::sync::Semaphore;

use super::{
    canary_report::{CanaryMember, CanaryStatus},
    member::Member,
    shared::SharedState,
};
use crate::{
    contract::{
        digest::sha256,
        errors::Problem,
        hook_table::{HOOKS, Hook},
        limits::RuntimeConfig,
        manifest::Vary,
    },
    invocation::result_cache::ResultCache,
};

/// The plugins of one site.
#[derive(Clone)]
pub struct Chain(pub(crate) Arc<ChainInner>);

pub(crate) struct ChainInner {
    pub site: SiteId,
    pub sld: String,
    pub slots: Vec<ChainSlot>,
    pub config: Arc<RuntimeConfig>,
    /// Permits for instances of the whole process, and of this site.
    pub instances: Arc<Semaphore>,
    pub site_instances: Arc<Semaphore>,
    /// Permits for concurrent comparisons of canaries in the whole process.
    pub comparisons: Arc<Semaphore>,
    pub result_cache: Arc<ResultCache>,
    problems: Vec<Problem>,
    fingerprint: String,
}

/// A slot of the chain: the version of a plugin in use, and its canary.
#[derive(Clone)]
pub(crate) struct ChainSlot {
    pub current: Arc<Member>,
    pub canary: Option<Arc<CanaryMember>>,
}

impl ChainSlot {
    pub(crate) fn versions(&self) -> usize {
        1 + usize::from(self.canary.is_some())
    }

    fn members(&self) -> impl Iterator<Item = &Arc<Member>> {
        std::iter::once(&self.current).chain(self.canary.as_ref().map(|canary| &canary.member))
    }
}

impl ChainInner {
    pub(crate) fn new(
        shared: &SharedState,
        (site, sld): (SiteId, &str),
        slots: Vec<ChainSlot>,
        problems: Vec<Problem>,
    ) -> Self {
        let config = Arc::clone(&shared.config);
        let share = config.max_instances_per_site.min(config.max_concurrent_instances) as usize;
        let needed = slots.iter().map(ChainSlot::versions).sum();
        Self {
            site,
            sld: sld.to_owned(),
            fingerprint: fingerprint(&slots),
            slots,
            instances: Arc::clone(&shared.instances),
            // At least enough for one request.
            site_instances: Arc::new(Semaphore::new(share.max(needed))),
            comparisons: Arc::clone(&shared.comparisons),
            result_cache: Arc::clone(&shared.result_cache),
            config,
            problems,
        }
    }

    pub(crate) fn has(&self, hook: Hook) -> bool {
        self.members().any(|member| member.plugin.has_hook(hook))
    }

    fn members(&self) -> impl Iterator<Item = &Arc<Member>> {
        self.slots.iter().flat_map(ChainSlot::members)
    }
}

/// A plugin of a chain, for the console and `/readyz`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginStatus {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: String,
    /// `sha256:...` of its component.
    pub digest: String,
    /// Its hooks.
    pub hooks: Vec<&'static str>,
    /// How long its circuit breaker stays open (zero: the next call is the probe); `None` if it is closed.
    pub open_for: Option<Duration>,
}

impl fmt::Debug for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plugins: Vec<_> = self.0.slots.iter().map(|slot| &slot.current.plugin).collect();
        f.debug_struct("Chain").field("site", &self.0.sld).field("plugins", &plugins).finish_non_exhaustive()
    }
}

impl Chain {
    /// Draws at random the plugins whose canary serves a request, one bit for each plugin. Part of a page's cache key.
    #[must_use]
    pub fn draw(&self) -> u32 {
        let mut drawn = 0;
        for (index, slot) in self.0.slots.iter().enumerate().take(32) {
            let share = slot.canary.as_ref().map_or(0, |canary| canary.share);
            if share > 0 && rand::random_range(0..100) < share {
                drawn |= 1 << index;
            }
        }
        drawn
    }

    /// What the results of this site's plugins depend on besides the page: the maximum over all plugins.
    #[must_use]
    pub fn vary(&self) -> Vary {
        self.0.members().map(|member| member.plugin.manifest().vary).max().unwrap_or_default()
    }

    /// Whether any plugin implements this hook.
    #[must_use]
    pub fn has_hook(&self, hook: Hook) -> bool {
        self.0.has(hook)
    }

    /// The ids of the plugins that implement this hook.
    #[must_use]
    pub fn with_hook(&self, hook: Hook) -> Vec<String> {
        let having = self.0.slots.iter().filter(|slot| slot.current.plugin.has_hook(hook));
        having.map(|slot| slot.current.plugin.id().to_owned()).collect()
    }

    /// Whether no plugin is in use.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.slots.is_empty()
    }

    /// Configured plugins that are not used, and upgrades that wait for a grant.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.0.problems
    }

    /// Origins that the plugins' modules may show in a frame, sorted.
    #[must_use]
    pub fn frames(&self) -> Vec<String> {
        let mut frames: Vec<_> =
            self.0.members().flat_map(|member| member.context.grants.frames.iter().cloned()).collect();
        frames.sort();
        frames.dedup();
        frames
    }

    /// The plugins in use.
    #[must_use]
    pub fn status(&self) -> Vec<PluginStatus> {
        let status = |member: &Arc<Member>| PluginStatus {
            id: member.plugin.id().to_owned(),
            version: member.plugin.manifest().version.to_string(),
            digest: member.plugin.digest(),
            hooks: member.plugin.hooks(),
            open_for: member.breaker.open_for(),
        };
        self.0.members().map(status).collect()
    }

    /// The reports on the canaries.
    #[must_use]
    pub fn canaries(&self) -> Vec<CanaryStatus> {
        let status = |slot: &ChainSlot| {
            Some((slot, slot.canary.as_ref()?))
                .map(|(slot, canary)| canary.report.status(&self.0.sld, &slot.current, canary))
        };
        self.0.slots.iter().filter_map(status).collect()
    }

    /// 16 hexadecimal digits that change exactly if plugins, their builds, settings, grants or limits change; for cache keys.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        self.0.fingerprint.clone()
    }
}

fn fingerprint(slots: &[ChainSlot]) -> String {
    let mut text = String::new();
    for member in slots.iter().flat_map(ChainSlot::members) {
        let budgets: Vec<_> =
            HOOKS.iter().map(|spec| (member.context.wait(spec.hook), member.context.ticks(spec.hook))).collect();
        // The length prefix makes the concatenation unambiguous.
        let (digest, settings, grants) = (member.plugin.digest(), &member.context.settings, &member.context.grants);
        let line = format!("{digest} {settings} {grants:?} {} {budgets:?}", member.context.memory_limit);
        text.push_str(&format!("{}:{line}", line.len()));
    }
    sha256(text.as_bytes()).hex()[..16].to_owned()
}
