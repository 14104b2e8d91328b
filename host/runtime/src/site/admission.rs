//! Admission of plugins into a chain: chooses the version, compares requested capabilities with the site's grants, checks the
//! settings, runs a trial of the plugin.

use std::sync::Arc;

use masthead_domain::{
    SiteId,
    plugin_use::{Grants, OnFailure, PluginUse},
};

use super::{
    canary_report::CanaryMember,
    chain::{Chain, ChainInner, ChainSlot, MissingPlugin},
    member::Member,
    shared::SharedState,
    trial::try_out,
};
use crate::{
    contract::{
        digest::sha256,
        errors::Problem,
        hook_table::{HOOKS, Hook},
        settings_schema,
    },
    invocation::{
        fetch::{AllowedOrigins, GrantedSecrets},
        site_context::{SiteContext, SiteContextParts},
    },
    plugin::{catalog::Catalog, loaded::Plugin},
};

/// Number of bits in a request's canary variant, one for each plugin.
const CANARY_BITS: usize = 32;

/// Builds the chain of a site. Members that are unchanged since `previous` are taken over, with their connections and without
/// another trial.
pub(crate) async fn build(
    shared: &SharedState,
    site: (SiteId, &str),
    catalog: &Catalog,
    enabled: &[PluginUse],
    previous: Option<&Chain>,
) -> Chain {
    let (mut slots, mut problems, mut closed_by) = (Vec::<ChainSlot>::new(), Vec::new(), Vec::new());
    let most = shared.config.max_plugins_per_site.min(CANARY_BITS);
    for usage in enabled {
        let twice = slots.iter().any(|slot| slot.current.plugin.id() == usage.id);
        let slot = match (twice, slots.len() < most) {
            (true, _) => Err("it is listed twice; only the first entry counts".to_owned()),
            (_, false) => Err(format!("the site already uses {most} plugins, the platform's limit")),
            _ => admit(shared, site, catalog, usage, previous, &mut problems).await,
        };
        match slot {
            Ok(slot) => slots.push(slot),
            Err(mut message) => {
                let manifest_denies = manifest_denies(catalog, usage, previous);
                let denies = usage.on_failure.map_or(manifest_denies, |on_failure| on_failure == OnFailure::Deny);
                if !twice && denies {
                    message.push_str("; until it is used, readers have no permissions, as its onFailure says");
                    closed_by.push(MissingPlugin { id: usage.id.clone(), manifest_denies });
                }
                tracing::warn!(site = site.1, plugin = usage.id, "plugin left out: {message}");
                problems.push(Problem { plugin: usage.id.clone(), message, ..Problem::default() });
            }
        }
    }
    Chain(Arc::new(ChainInner::new(shared, site, slots, problems, closed_by)))
}

/// Whether the manifest of a plugin that is not used denies access on failure. The manifest of a plugin that cannot be loaded is
/// unknown; if the plugin was in use before, the manifest in use then counts.
fn manifest_denies(catalog: &Catalog, usage: &PluginUse, previous: Option<&Chain>) -> bool {
    let denied = Some(OnFailure::Deny);
    let installed = catalog.meeting(&usage.id, &usage.version);
    installed.iter().any(|plugin| plugin.manifest().on_failure == denied)
        || previous.is_some_and(|chain| chain.0.manifest_denies(&usage.id))
}

async fn admit(
    shared: &SharedState,
    site: (SiteId, &str),
    catalog: &Catalog,
    usage: &PluginUse,
    previous: Option<&Chain>,
    problems: &mut Vec<Problem>,
) -> Result<ChainSlot, String> {
    let serving: Vec<_> = previous.iter().flat_map(|chain| &chain.0.slots).map(|slot| &slot.current).collect();
    let (plugin, waiting) = choose(catalog, &serving, usage, &usage.version, &usage.grants, site.1)?;
    if let Some(message) = waiting {
        tracing::warn!(site = site.1, plugin = usage.id, "{message}");
        problems.push(Problem { plugin: usage.id.clone(), message, ..Problem::default() });
    }
    let current = enlist(shared, site, plugin, (usage, &usage.settings, &usage.grants), previous).await?;
    let Some(requested) = &usage.canary else { return Ok(ChainSlot { current, canary: None }) };
    let (settings, grants) =
        (requested.settings.as_ref().unwrap_or(&usage.settings), requested.grants.as_ref().unwrap_or(&usage.grants));
    // A canary that cannot be used is reported; the version in use is admitted regardless.
    let canary = match choose(catalog, &[], usage, &requested.version, grants, site.1) {
        Ok((plugin, _)) if plugin.raw_digest() == current.plugin.raw_digest() && settings == &usage.settings => {
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
            Some(Arc::new(CanaryMember { member, share: requested.share.min(100), report }))
        }
        Err(message) => {
            let message = format!("its canary {} is not used: {message}", requested.version);
            tracing::warn!(site = site.1, plugin = usage.id, "{message}");
            problems.push(Problem { plugin: usage.id.clone(), message, ..Problem::default() });
            None
        }
    };
    Ok(ChainSlot { current, canary })
}

/// The newest version that meets the requirement and whose required capabilities are granted, and a message if a newer version
/// waits for a grant.
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
    let needs = describe_missing(&missing, &usage.id, sld);
    let older = catalog.meeting(&usage.id, version).into_iter();
    // A version whose file was replaced is no longer in the catalog, but the serving chain still has it.
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

fn describe_missing(missing: &[(&str, &str)], id: &str, sld: &str) -> String {
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

/// Configures a version of a plugin and runs its trial, or takes over an equal member.
async fn enlist(
    shared: &SharedState,
    site: (SiteId, &str),
    plugin: Arc<Plugin>,
    (usage, settings, grants): (&PluginUse, &serde_json::Value, &Grants),
    previous: Option<&Chain>,
) -> Result<Arc<Member>, String> {
    let manifest = plugin.shared_manifest();
    let settings = settings_schema::complete(&manifest.settings, settings)
        .map_err(|message| format!("its settings on this site: {message}"))?
        .to_string();
    let grants = manifest.effective(grants);
    let allowed_origins = AllowedOrigins::parse(&grants.http, &grants.private_http)
        .map_err(|message| format!("its grants: {message}"))?;
    let secrets =
        GrantedSecrets::bind(&grants.secrets, &allowed_origins).map_err(|message| format!("its grants: {message}"))?;
    if usage.on_failure.is_some() && !plugin.has_hook(Hook::Access) {
        return Err("its onFailure: it does not implement access.decide, so that its failure denies nothing; remove \
                    onFailure from its entry"
            .to_owned());
    }
    let on_failure = usage.on_failure.or(manifest.on_failure).unwrap_or_default();
    let limits = &usage.limits;
    let same = |member: &Arc<Member>| {
        Arc::ptr_eq(&member.plugin, &plugin)
            && member.context.settings == settings
            && member.context.grants == grants
            && member.limits == *limits
            && member.on_failure == on_failure
    };
    let old = previous.iter().flat_map(|chain| &chain.0.slots);
    let old =
        old.flat_map(|slot| std::iter::once(&slot.current).chain(slot.canary.as_ref().map(|canary| &canary.member)));
    if let Some(member) = old.into_iter().find(|member| same(member)) {
        return Ok(Arc::clone(member));
    }
    let breaker = shared.breakers.get(site.0, plugin.raw_digest(), sha256(settings.as_bytes()));
    let hooks = HOOKS.iter().map(|spec| spec.hook).filter(|hook| plugin.has_hook(*hook));
    let metrics = shared.metrics.open(site, plugin.id(), manifest.version.to_string(), hooks);
    let context = || {
        SiteContext::new(SiteContextParts {
            site,
            manifest: Arc::clone(&manifest),
            settings: settings.clone(),
            grants: grants.clone(),
            allowed_origins: allowed_origins.clone(),
            secrets: secrets.clone(),
            limits,
            services: Arc::clone(&shared.services),
            config: Arc::clone(&shared.config),
        })
    };
    try_out(shared, &plugin, &Arc::new(context().with_trial_budgets())).await?;
    metrics.set_circuit_open(breaker.open_for().is_some());
    Ok(Arc::new(Member::new(plugin, Arc::new(context()), (limits.clone(), on_failure), breaker, metrics)))
}
