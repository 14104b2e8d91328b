//! The plugins of one site, in order, as an immutable value: a change builds another chain, and requests in progress finish
//! with the old one.

use std::{fmt, sync::Arc, time::Duration};

use masthead_domain::{SiteId, plugin_use::OnFailure};
use tokio::sync::Semaphore;

use super::{
    canary_report::{CanaryMember, CanaryStatus},
    member::Member,
    permits::InstancePermits,
    shared::SharedState,
};
use crate::{
    contract::{
        digest::sha256,
        errors::Problem,
        hook_table::{CLASSES, HOOKS, Hook, HookClass},
        limits::RuntimeConfig,
        manifest::Vary,
    },
    invocation::{memory_limiter::ProcessMemory, result_cache::ResultCache},
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
    pub instances: Arc<InstancePermits>,
    pub site_instances: InstancePermits,
    /// Instances that one request may need, by class of the hook.
    needed: [usize; CLASSES.len()],
    /// The memory of all instances of the process.
    pub memory: Arc<ProcessMemory>,
    /// Plugins that are not used and without which access is denied.
    closed_by: Vec<MissingPlugin>,
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

/// A plugin that is not used and without which access is denied.
#[derive(Debug)]
pub(crate) struct MissingPlugin {
    pub id: String,
    /// Whether its manifest denies access on failure; otherwise, the site's entry alone does.
    pub manifest_denies: bool,
}

impl ChainSlot {
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
        closed_by: Vec<MissingPlugin>,
    ) -> Self {
        let config = Arc::clone(&shared.config);
        // No request waits for more instances than the process has.
        let needed = CLASSES.map(|class| instances_needed(&slots, class).min(config.instances(class)));
        Self {
            site,
            sld: sld.to_owned(),
            fingerprint: fingerprint(&slots, &closed_by),
            slots,
            instances: Arc::clone(&shared.instances),
            // At least enough for one request.
            site_instances: InstancePermits::new(|class| config.site_instances(class).max(needed[class as usize])),
            needed,
            memory: Arc::clone(&shared.memory),
            closed_by,
            comparisons: Arc::clone(&shared.comparisons),
            result_cache: Arc::clone(&shared.result_cache),
            config,
            problems,
        }
    }

    pub(crate) fn has(&self, hook: Hook) -> bool {
        self.members().any(|member| member.plugin.has_hook(hook))
    }

    /// Instances that one request may need for the hooks of this class.
    pub(crate) fn needed(&self, class: HookClass) -> usize {
        self.needed[class as usize]
    }

    /// Whether access is denied because a plugin is not used.
    pub(crate) fn is_closed(&self) -> bool {
        !self.closed_by.is_empty()
    }

    /// Whether the manifest of the plugin with this id, in use or when it last was, denies access on failure.
    pub(crate) fn manifest_denies(&self, id: &str) -> bool {
        let mut serving = self.slots.iter().map(|slot| &slot.current.plugin);
        serving.any(|plugin| plugin.id() == id && plugin.manifest().on_failure == Some(OnFailure::Deny))
            || self.closed_by.iter().any(|missing| missing.id == id && missing.manifest_denies)
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
    /// What readers may do while it fails; `None` if it does not decide on access.
    pub on_failure: Option<OnFailure>,
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

    /// Whether the permissions of readers may differ from the site's own: a plugin decides on them, or they are denied because such
    /// a plugin is not used.
    #[must_use]
    pub fn decides_access(&self) -> bool {
        self.0.has(Hook::Access) || self.0.is_closed()
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
            on_failure: member.plugin.has_hook(Hook::Access).then_some(member.on_failure),
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

    /// 16 hexadecimal digits that change exactly if plugins, their builds, settings, grants, limits or the effect of their failures
    /// change; for cache keys.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        self.0.fingerprint.clone()
    }
}

/// Instances that one request may need for the hooks of a class: one of each version that implements one of them.
fn instances_needed(slots: &[ChainSlot], class: HookClass) -> usize {
    let needs = |member: &&Arc<Member>| {
        HOOKS.iter().any(|spec| spec.hook.class() == class && member.plugin.has_hook(spec.hook))
    };
    slots.iter().flat_map(ChainSlot::members).filter(needs).count()
}

fn fingerprint(slots: &[ChainSlot], closed_by: &[MissingPlugin]) -> String {
    let mut text = format!("{closed_by:?}");
    for member in slots.iter().flat_map(ChainSlot::members) {
        let budgets: Vec<_> =
            HOOKS.iter().map(|spec| (member.context.wait(spec.hook), member.context.ticks(spec.hook))).collect();
        // The length prefix makes the concatenation unambiguous.
        let (digest, settings, grants) = (member.plugin.digest(), &member.context.settings, &member.context.grants);
        let (memory, on_failure) = (member.context.memory_limit, member.on_failure);
        let line = format!("{digest} {settings} {grants:?} {memory} {budgets:?} {on_failure:?}");
        text.push_str(&format!("{}:{line}", line.len()));
    }
    sha256(text.as_bytes()).hex()[..16].to_owned()
}
