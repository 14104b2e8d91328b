//! The plugins of one site, in order, as an immutable value: a change builds another one, and requests in flight finish
//! on the old one.

use std::{fmt, sync::Arc, time::Duration};

use masthead_domain::SiteId;
use tokio::sync::Semaphore;

use crate::{
    contract::{errors::Problem, limits::RuntimeConfig, manifest::Vary},
    invocation::{
        hooks::{HOOKS, Hook},
        result_cache::Memo,
    },
    plugin::loaded::sha256,
    runtime::Shared,
    site::{
        call::{Call, RequestContext},
        canary::{CanaryMember, CanaryStatus},
        member::Member,
    },
};

/// The plugins of one site.
#[derive(Clone)]
pub struct Chain(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub site: SiteId,
    pub sld: String,
    pub slots: Vec<Slot>,
    pub config: Arc<RuntimeConfig>,
    /// Instances of the whole process, and of this site.
    pub instances: Arc<Semaphore>,
    pub site_instances: Arc<Semaphore>,
    /// Comparisons of canaries that run at the same time in the whole process.
    pub comparisons: Arc<Semaphore>,
    pub memo: Arc<Memo>,
    problems: Vec<Problem>,
    fingerprint: String,
}

/// A place in the chain: the version in use, and perhaps another one beside it.
#[derive(Clone)]
pub(crate) struct Slot {
    pub main: Arc<Member>,
    pub canary: Option<Arc<CanaryMember>>,
}

impl Slot {
    pub(crate) fn versions(&self) -> usize {
        1 + usize::from(self.canary.is_some())
    }

    fn members(&self) -> impl Iterator<Item = &Arc<Member>> {
        std::iter::once(&self.main).chain(self.canary.as_ref().map(|canary| &canary.member))
    }
}

impl Inner {
    pub(crate) fn new(shared: &Shared, (site, sld): (SiteId, &str), slots: Vec<Slot>, problems: Vec<Problem>) -> Self {
        let config = Arc::clone(&shared.config);
        let share = config.max_instances_per_site.min(config.max_concurrent_instances) as usize;
        let needed = slots.iter().map(Slot::versions).sum();
        Self {
            site,
            sld: sld.to_owned(),
            fingerprint: fingerprint(&slots),
            slots,
            instances: Arc::clone(&shared.instances),
            // At least one request has to fit.
            site_instances: Arc::new(Semaphore::new(share.max(needed))),
            comparisons: Arc::clone(&shared.comparisons),
            memo: Arc::clone(&shared.memo),
            config,
            problems,
        }
    }

    pub(crate) fn has(&self, hook: Hook) -> bool {
        self.members().any(|member| member.plugin.has_hook(hook))
    }

    fn members(&self) -> impl Iterator<Item = &Arc<Member>> {
        self.slots.iter().flat_map(Slot::members)
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
    /// How long it stays switched off; `None` when it is in use.
    pub quarantined: Option<Duration>,
}

impl fmt::Debug for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plugins: Vec<_> = self.0.slots.iter().map(|slot| &slot.main.plugin).collect();
        f.debug_struct("Chain").field("site", &self.0.sld).field("plugins", &plugins).finish_non_exhaustive()
    }
}

impl Chain {
    /// Starts a request. Nothing of the plugins runs yet.
    #[must_use]
    pub fn begin(&self, context: RequestContext) -> Call {
        Call::new(Arc::clone(&self.0), context)
    }

    /// Decides which plugins answer a request with their canary, one bit a plugin, by chance. Part of a page's cache key.
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

    /// What pages of this site depend on besides themselves: the most of any plugin.
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
        let having = self.0.slots.iter().filter(|slot| slot.main.plugin.has_hook(hook));
        having.map(|slot| slot.main.plugin.id().to_owned()).collect()
    }

    /// Whether no plugin is in use.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.slots.is_empty()
    }

    /// The plugins that were asked for but are left out, and what waits for an administrator.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.0.problems
    }

    /// Origins that modules of the plugins may show in a frame.
    #[must_use]
    pub fn frames(&self) -> Vec<String> {
        let mut frames: Vec<_> = self.0.members().flat_map(|member| member.grants.frames.iter().cloned()).collect();
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
            quarantined: member.breaker.remaining(),
        };
        self.0.members().map(status).collect()
    }

    /// The canaries, and how they compare.
    #[must_use]
    pub fn canaries(&self) -> Vec<CanaryStatus> {
        let status = |slot: &Slot| {
            Some((slot, slot.canary.as_ref()?))
                .map(|(slot, canary)| canary.report.status(&self.0.sld, &slot.main, canary))
        };
        self.0.slots.iter().filter_map(status).collect()
    }

    /// Changes exactly when plugins, their builds, their settings, their grants or their limits change; for cache keys.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        self.0.fingerprint.clone()
    }
}

fn fingerprint(slots: &[Slot]) -> String {
    let mut text = String::new();
    for member in slots.iter().flat_map(Slot::members) {
        let budgets: Vec<_> = HOOKS.iter().map(|spec| (member.wait(spec.hook), member.slices(spec.hook))).collect();
        // The length in front keeps two lists from reading alike.
        let (digest, settings, grants) = (member.plugin.digest(), &member.settings, &member.grants);
        let line = format!("{digest} {settings} {grants:?} {} {budgets:?}", member.memory);
        text.push_str(&format!("{}:{line}", line.len()));
    }
    sha256(text.as_bytes()).hex()[..16].to_owned()
}
