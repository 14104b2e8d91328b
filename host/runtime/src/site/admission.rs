//! Takes plugins into a chain: finds the version, compares its needs with the site's grants, checks its settings, tries it.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use masthead_domain::{
    Lang, SiteId,
    plugin_use::{Grants, PluginUse},
};

use crate::{
    contract::{bindings::masthead::plugin::types::Context, errors::Problem, settings_schema},
    invocation::{
        fetch::Gate,
        hooks::{HOOKS, trial},
        store_state::{Frame, Purse},
    },
    plugin::{
        catalog::Catalog,
        instance::Live,
        loaded::{Plugin, sha256},
    },
    runtime::Shared,
    site::{
        canary::CanaryMember,
        chain::{Chain, Inner, Slot},
        member::{Member, Parts},
    },
};

/// Wall-clock bound of trying a plugin.
const TRIAL: Duration = Duration::from_secs(10);
/// Canaries of one site: one bit each in a request's draw.
const PLACES: usize = 32;

/// Builds the chain of a site. What is the same as in `previous` is taken over, with its connections, and not tried again.
pub(crate) async fn build(
    shared: &Shared,
    site: (SiteId, &str),
    catalog: &Catalog,
    enabled: &[PluginUse],
    previous: Option<&Chain>,
) -> Chain {
    let (mut slots, mut problems) = (Vec::<Slot>::new(), Vec::new());
    let most = shared.config.max_plugins_per_site.min(PLACES);
    for usage in enabled {
        let twice = slots.iter().any(|slot| slot.main.plugin.id() == usage.id);
        let slot = match (twice, slots.len() < most) {
            (true, _) => Err("it is listed twice; only the first entry counts".to_owned()),
            (_, false) => Err(format!("the site already uses {most} plugins, the platform's limit")),
            _ => admit(shared, site, catalog, usage, previous, &mut problems).await,
        };
        match slot {
            Ok(slot) => slots.push(slot),
            Err(message) => {
                tracing::warn!(site = site.1, plugin = usage.id, "plugin left out: {message}");
                problems.push(Problem { plugin: usage.id.clone(), message });
            }
        }
    }
    Chain(Arc::new(Inner::new(shared, site, slots, problems)))
}

async fn admit(
    shared: &Shared,
    site: (SiteId, &str),
    catalog: &Catalog,
    usage: &PluginUse,
    previous: Option<&Chain>,
    problems: &mut Vec<Problem>,
) -> Result<Slot, String> {
    let serving: Vec<_> = previous.iter().flat_map(|chain| &chain.0.slots).map(|slot| &slot.main).collect();
    let (plugin, waiting) = choose(catalog, &serving, usage, &usage.version, &usage.grants, site.1)?;
    if let Some(message) = waiting {
        tracing::warn!(site = site.1, plugin = usage.id, "{message}");
        problems.push(Problem { plugin: usage.id.clone(), message });
    }
    let main = enlist(shared, site, plugin, (usage, &usage.settings, &usage.grants), previous).await?;
    let Some(wanted) = &usage.canary else { return Ok(Slot { main, canary: None }) };
    let (settings, grants) =
        (wanted.settings.as_ref().unwrap_or(&usage.settings), wanted.grants.as_ref().unwrap_or(&usage.grants));
    // A canary that cannot be used is a problem; the version in use is not touched by it.
    let canary = match choose(catalog, &[], usage, &wanted.version, grants, site.1) {
        Ok((plugin, _)) if plugin.raw_digest() == main.plugin.raw_digest() && settings == &usage.settings => {
            Err("it is the very version in use".to_owned())
        }
        Ok((plugin, _)) => enlist(shared, site, plugin, (usage, settings, grants), previous).await,
        Err(message) => Err(message),
    };
    let canary = match canary {
        Ok(member) => {
            let kept = previous.iter().flat_map(|chain| &chain.0.slots).filter_map(|slot| slot.canary.as_ref());
            let kept = kept.into_iter().find(|old| Arc::ptr_eq(&old.member, &member));
            let report = kept.map(|old| Arc::clone(&old.report)).unwrap_or_default();
            Some(Arc::new(CanaryMember { member, share: wanted.share.min(100), report }))
        }
        Err(message) => {
            let message = format!("its canary {} is not used: {message}", wanted.version);
            tracing::warn!(site = site.1, plugin = usage.id, "{message}");
            problems.push(Problem { plugin: usage.id.clone(), message });
            None
        }
    };
    Ok(Slot { main, canary })
}

/// The newest version that meets the requirement and whose needs are granted. A newer one that asks for more waits, and the
/// message says for what.
fn choose(
    catalog: &Catalog,
    serving: &[&Arc<Member>],
    usage: &PluginUse,
    version: &str,
    grants: &Grants,
    sld: &str,
) -> Result<(Arc<Plugin>, Option<String>), String> {
    let newest = catalog.find(&usage.id, version)?;
    let missing = newest.manifest().missing(grants);
    if missing.is_empty() {
        return Ok((newest, None));
    }
    let needs = describe(&missing, &usage.id, sld);
    let older = catalog.meeting(&usage.id, version).into_iter();
    // A file that was replaced in place is no longer in the catalog, but the chain that serves still has it.
    let serving = serving.iter().map(|member| &member.plugin).filter(|plugin| plugin.id() == usage.id).cloned();
    let fallback = older.chain(serving).find(|plugin| plugin.manifest().missing(grants).is_empty());
    let version = &newest.manifest().version;
    match fallback {
        Some(plugin) => {
            let current = &plugin.manifest().version;
            let message = format!(
                "version {version} waits, {current} stays in use: it asks for more than {current} did. {needs}"
            );
            Ok((plugin, Some(message)))
        }
        None => Err(format!("version {version} needs what this site does not grant. {needs}")),
    }
}

fn describe(missing: &[(&str, &str)], id: &str, sld: &str) -> String {
    let example = |name: &str| match name {
        "content" => "content = true".to_owned(),
        "kv" => "kv = true".to_owned(),
        "http" => "http = [\"<server>\"]".to_owned(),
        other => format!("{other} = [\"...\"]"),
    };
    let reasons: Vec<_> = missing.iter().map(|(name, reason)| format!("{name} ({reason})")).collect();
    let examples: Vec<_> = missing.iter().map(|(name, _)| example(name)).collect();
    format!(
        "Missing: {}. To give it, add `grants = {{ {} }}` to the plugin {id} in sites/{sld}.toml",
        reasons.join("; "),
        examples.join(", ")
    )
}

/// Configures and tries one version of a plugin, or takes over the member that is the same.
async fn enlist(
    shared: &Shared,
    (site, sld): (SiteId, &str),
    plugin: Arc<Plugin>,
    (usage, settings, grants): (&PluginUse, &serde_json::Value, &Grants),
    previous: Option<&Chain>,
) -> Result<Arc<Member>, String> {
    let manifest = plugin.manifest();
    let settings = settings_schema::complete(&manifest.settings, settings)
        .map_err(|message| format!("its settings on this site: {message}"))?
        .to_string();
    let grants = manifest.effective(grants);
    let gate = Gate::parse(&grants.http, &grants.private_http).map_err(|message| format!("its grants: {message}"))?;
    let limits = &usage.limits;
    let same = |member: &Arc<Member>| {
        Arc::ptr_eq(&member.plugin, &plugin)
            && member.settings == settings
            && member.grants == grants
            && member.limits == *limits
    };
    let old = previous.iter().flat_map(|chain| &chain.0.slots);
    let old = old.flat_map(|slot| std::iter::once(&slot.main).chain(slot.canary.as_ref().map(|canary| &canary.member)));
    if let Some(member) = old.into_iter().find(|member| same(member)) {
        return Ok(Arc::clone(member));
    }
    let breaker =
        shared.quarantine.breaker(shared.config.quarantine, site, plugin.raw_digest(), sha256(settings.as_bytes()));
    let hooks = HOOKS.iter().map(|spec| spec.hook).filter(|hook| plugin.has_hook(*hook));
    let ledger = shared.ledgers.open((site, sld), plugin.id(), manifest.version.to_string(), hooks);
    let make = || {
        Member::new(Parts {
            config: &shared.config,
            services: &shared.services,
            site: (site, sld),
            plugin: Arc::clone(&plugin),
            settings: settings.clone(),
            grants: grants.clone(),
            gate: gate.clone(),
            limits,
            breaker: Arc::clone(&breaker),
            ledger: Arc::clone(&ledger),
        })
    };
    try_out(shared, Arc::new(make().patient()), sld).await?;
    let member = make();
    member.ledger.quarantine(member.breaker.remaining().is_some());
    Ok(Arc::new(member))
}

/// Wrong types show only in an instance, wrong settings mostly only in a call: better now than on a page.
async fn try_out(shared: &Shared, member: Arc<Member>, sld: &str) -> Result<(), String> {
    let Some(first) = HOOKS.iter().find(|spec| member.plugin.has_hook(spec.hook)) else {
        return Err("it implements no hook".to_owned());
    };
    let _turn = shared.trials.acquire().await.map_err(|_| "the host is shutting down".to_owned())?;
    let context = Context {
        site_id: member.site_id.0,
        sld: sld.to_owned(),
        lang: "en".to_owned(),
        route: String::new(),
        address: format!("https://{sld}.example.org/en"),
    };
    let purse = Arc::new(Purse::new(shared.config.memory_per_request, 0));
    let frame = Frame { lang: Lang::En, deadline: Instant::now() + TRIAL, shadow: true, tape: None, purse };
    let work = async {
        let live = Live::start(&shared.config, &member, &frame, first.hook).await;
        let mut live = live.map_err(|cause| cause.to_string())?;
        trial(&mut live, &member, &context)
            .await
            .map_err(|(hook, cause)| format!("its trial call of {} failed: {cause}", hook.name()))
    };
    tokio::time::timeout(TRIAL, work).await.unwrap_or_else(|_| Err(format!("its trial took longer than {TRIAL:?}")))
}
