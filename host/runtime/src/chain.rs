//! The plugins of one site, in order, as an immutable value: a change builds another one, and requests in flight finish
//! on the old one.

use std::{fmt, sync::Arc, time::Duration};

use masthead_domain::{SiteId, site::PluginUse};
use tokio::sync::Semaphore;

use crate::{
    bindings::masthead::plugin::types::Context,
    call::{Call, RequestContext},
    catalog::Catalog,
    config::RuntimeConfig,
    error::Problem,
    hooks::{HOOKS, Hook, trial},
    live::Live,
    manifest::Vary,
    member::{Limits, Member},
    plugin::{Plugin, sha256},
    runtime::Shared,
    schema,
};

/// Wall-clock bound of trying a plugin.
const TRIAL: Duration = Duration::from_secs(10);

/// The plugins of one site.
#[derive(Clone)]
pub struct Chain(Arc<Inner>);

pub(crate) struct Inner {
    pub site: SiteId,
    pub sld: String,
    pub members: Vec<Arc<Member>>,
    pub config: Arc<RuntimeConfig>,
    pub instances: Arc<Semaphore>,
    problems: Vec<Problem>,
    fingerprint: String,
}

impl Inner {
    pub(crate) fn has(&self, hook: Hook) -> bool {
        self.members.iter().any(|member| member.plugin.has_hook(hook))
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
        let plugins: Vec<_> = self.0.members.iter().map(|member| &member.plugin).collect();
        f.debug_struct("Chain").field("site", &self.0.sld).field("plugins", &plugins).finish_non_exhaustive()
    }
}

impl Chain {
    /// Starts a request. Nothing of the plugins runs yet.
    #[must_use]
    pub fn begin(&self, context: RequestContext) -> Call {
        Call::new(Arc::clone(&self.0), context)
    }

    /// What pages of this site depend on besides themselves: the most of any plugin.
    #[must_use]
    pub fn vary(&self) -> Vary {
        self.0.members.iter().map(|member| member.plugin.manifest().vary).max().unwrap_or_default()
    }

    /// Whether any plugin implements this hook.
    #[must_use]
    pub fn has_hook(&self, hook: Hook) -> bool {
        self.0.has(hook)
    }

    /// Whether no plugin is in use.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.members.is_empty()
    }

    /// The plugins that were asked for but are left out, and why.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.0.problems
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
        self.0.members.iter().map(status).collect()
    }

    /// Changes exactly when plugins, their builds, their settings or their limits change; for cache keys.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        self.0.fingerprint.clone()
    }
}

pub(crate) async fn build(shared: &Shared, site: SiteId, sld: &str, catalog: &Catalog, enabled: &[PluginUse]) -> Chain {
    let (mut members, mut problems) = (Vec::<Arc<Member>>::new(), Vec::new());
    for usage in enabled {
        let room = members.len() < shared.config.max_plugins_per_site;
        let twice = members.iter().any(|member| member.plugin.id() == usage.id);
        let member = match (twice, room) {
            (true, _) => Err("it is listed twice; only the first entry counts".to_owned()),
            (_, false) => Err(format!("the site already uses {} plugins, the platform's limit", members.len())),
            _ => admit(shared, site, sld, catalog, usage).await,
        };
        match member {
            Ok(member) => members.push(Arc::new(member)),
            Err(message) => {
                tracing::warn!(site = sld, plugin = usage.id, "plugin left out: {message}");
                problems.push(Problem { plugin: usage.id.clone(), message });
            }
        }
    }
    let fingerprint = fingerprint(&members);
    let (config, instances) = (Arc::clone(&shared.config), Arc::clone(&shared.instances));
    Chain(Arc::new(Inner { site, sld: sld.to_owned(), members, config, instances, problems, fingerprint }))
}

/// Finds, configures and tries one plugin.
async fn admit(
    shared: &Shared,
    site: SiteId,
    sld: &str,
    catalog: &Catalog,
    usage: &PluginUse,
) -> Result<Member, String> {
    let plugin = catalog.find(&usage.id, &usage.version)?;
    let settings = schema::complete(&plugin.manifest().settings, &usage.settings)
        .map_err(|message| format!("its settings on this site: {message}"))?
        .to_string();
    let breaker =
        shared.quarantine.breaker(shared.config.quarantine, site, plugin.raw_digest(), sha256(settings.as_bytes()));
    let limits = Limits { memory_mib: usage.limits.memory_mib, budget_ms: usage.limits.budget_ms };
    let make = |plugin: &Arc<Plugin>| {
        Member::new(&shared.config, (site, sld), Arc::clone(plugin), settings.clone(), &limits, Arc::clone(&breaker))
    };
    try_out(shared, Arc::new(make(&plugin).patient()), sld).await?;
    let member = make(&plugin);
    member.metrics.quarantined(member.breaker.remaining().is_some());
    Ok(member)
}

/// Wrong types show only in an instance, wrong settings mostly only in a call: better now than on a page.
async fn try_out(shared: &Shared, member: Arc<Member>, sld: &str) -> Result<(), String> {
    let Some(first) = HOOKS.iter().find(|spec| member.plugin.has_hook(spec.hook)) else {
        return Err("it implements no hook".to_owned());
    };
    let _turn = shared.trials.acquire().await.map_err(|_| "the host is shutting down".to_owned())?;
    let context =
        Context { site_id: member.site_id.0, sld: sld.to_owned(), lang: "en".to_owned(), route: String::new() };
    let work = async {
        let mut live = Live::start(&shared.config, &member, first.hook).await.map_err(|cause| cause.to_string())?;
        trial(&mut live, &member, &context)
            .await
            .map_err(|(hook, cause)| format!("its trial call of {} failed: {cause}", hook.name()))
    };
    tokio::time::timeout(TRIAL, work).await.unwrap_or_else(|_| Err(format!("its trial took longer than {TRIAL:?}")))
}

fn fingerprint(members: &[Arc<Member>]) -> String {
    let mut text = String::new();
    for member in members {
        let budgets: Vec<_> = HOOKS.iter().map(|spec| member.budget(spec.hook)).collect();
        // The length in front keeps two lists from reading alike.
        let line = format!("{} {} {} {budgets:?}", member.plugin.digest(), member.settings, member.memory);
        text.push_str(&format!("{}:{line}", line.len()));
    }
    sha256(text.as_bytes()).hex()[..16].to_owned()
}
