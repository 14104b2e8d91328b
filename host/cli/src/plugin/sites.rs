//! `masthead plugin check --sites`: the plugins that sites could not use with this host. Operators run it with a new binary before
//! they switch to that.

use std::{
    collections::BTreeMap,
    fmt, fs,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use masthead_domain::{plugin_use::PluginUse, site::Site};
use masthead_runtime::{Catalog, Chain};
use serde::Serialize;

use crate::plugin::{
    compare::{self, UnusablePlugin},
    contract::HostContract,
    host::Host,
    report::{grant, plural},
};
use masthead_config::{Configuration, Saved};

/// The result of checking all sites.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Sites {
    /// Version of the host that the sites were checked against.
    host: String,
    /// Problems of the configuration and of all plugins, including those that no site uses.
    problems: Vec<String>,
    sites: Vec<Row>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    site: String,
    in_use: Vec<String>,
    lost: Vec<UnusablePlugin>,
    waiting: Vec<Waiting>,
    notes: Vec<String>,
}

/// A newer version that is not used, because it requests capabilities that the site does not grant.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Waiting {
    plugin: String,
    version: String,
    in_use: String,
    /// The missing capabilities and the reasons given for them.
    asks_for: Vec<(String, String)>,
    /// The grants to add to the site's file.
    grants: String,
}

/// Hooks listed in manifests, by plugin id and version. The manifests are not validated, because they may name hooks that this host
/// does not know.
type ManifestHooks = BTreeMap<String, BTreeMap<String, Vec<String>>>;

/// The plugins besides those that are built in.
pub struct Folders<'a> {
    /// Folders with plugins.
    pub plugins: &'a [PathBuf],
    /// Ids of plugins that these folders may override.
    pub overrides: &'a [String],
}

pub async fn check(folder: &Path, plugins: Folders<'_>, against: Option<&Path>, json: bool) -> anyhow::Result<()> {
    let configuration = Configuration::read(folder, &Saved::new())?;
    let host_contract = against.map(read_host_contract).transpose()?;
    let Folders { plugins, overrides } = plugins;
    let host = Host::open(None, |config| config.plugin_overrides = overrides.iter().cloned().collect())?;
    let catalog = host.catalog(plugins).await;
    let manifest_hooks = manifest_hooks(plugins);
    let mut problems = configuration.problems.clone();
    problems.extend(catalog.problems().iter().map(ToString::to_string));
    let mut sites = Vec::new();
    for (sld, site) in &configuration.sites {
        let chain = host.runtime.build_chain((site.id, sld), &catalog, &site.plugins, None).await;
        sites.push(row(site, &chain, &catalog, &manifest_hooks, host_contract.as_ref()));
    }
    let version =
        host_contract.map_or_else(|| env!("CARGO_PKG_VERSION").to_owned(), |host_contract| host_contract.host);
    let report = Sites { host: version, problems, sites };
    if json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print!("{report}");
    }
    let lost: usize = report.sites.iter().map(|row| row.lost.len()).sum();
    let broken = configuration.problems.len();
    anyhow::ensure!(
        lost == 0 && broken == 0,
        "with host {} the sites would lose {lost} plugin use{}; {broken} configuration problem{}",
        report.host,
        plural(lost),
        plural(broken)
    );
    Ok(())
}

fn read_host_contract(path: &Path) -> anyhow::Result<HostContract> {
    let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| {
        anyhow::anyhow!("{} is not the output of `masthead plugin contract --json`: {error}", path.display())
    })
}

fn row(
    site: &Site,
    chain: &Chain,
    catalog: &Catalog,
    manifest_hooks: &ManifestHooks,
    host_contract: Option<&HostContract>,
) -> Row {
    let status = chain.status();
    let mut row =
        Row { site: site.sld.clone(), in_use: Vec::new(), lost: Vec::new(), waiting: Vec::new(), notes: Vec::new() };
    for usage in &site.plugins {
        let id = &usage.id;
        let messages =
            chain.problems().iter().filter(|problem| problem.plugin == *id).map(|problem| problem.message.clone());
        let listed = manifest_hooks.get(id);
        // The first status is the version in use; that of a canary follows it.
        let Some(status) = status.iter().find(|status| status.id == *id) else {
            let newest = listed.and_then(|versions| versions.values().next_back());
            let (hooks, reason) = (newest.cloned().unwrap_or_default(), messages.collect::<Vec<_>>().join("; "));
            row.lost.push(UnusablePlugin { plugin: id.clone(), hooks, reason });
            continue;
        };
        row.in_use.push(format!("{id} {}", status.version));
        let hooks = listed.and_then(|versions| versions.get(&status.version)).into_iter().flatten();
        let unused: Vec<_> = hooks.filter(|hook| !status.hooks.contains(&hook.as_str())).cloned().collect();
        if !unused.is_empty() {
            let reason = "plugin.toml lists these hooks, but this host does not call them".to_owned();
            row.lost.push(UnusablePlugin { plugin: id.clone(), hooks: unused, reason });
        }
        match waiting(usage, &status.version, catalog) {
            Some(waiting) => row.waiting.push(waiting),
            None => row.notes.extend(messages.map(|message| format!("{id}: {message}"))),
        }
        if let (Some(host_contract), Some(plugin)) = (host_contract, catalog.meeting(id, &status.digest).first()) {
            let (lost, notes) = compare::against(host_contract, plugin);
            row.lost.extend(lost);
            row.notes.extend(notes);
        }
    }
    if let Some(most) = host_contract
        .map(|host_contract| host_contract.limits.plugins_per_site)
        .filter(|most| site.plugins.len() > *most)
    {
        for usage in &site.plugins[most..] {
            let reason = format!("that host allows {most} plugins per site");
            row.lost.push(UnusablePlugin { plugin: usage.id.clone(), hooks: Vec::new(), reason });
        }
    }
    row
}

fn waiting(usage: &PluginUse, in_use: &str, catalog: &Catalog) -> Option<Waiting> {
    let newest = catalog.meeting(&usage.id, &usage.version).into_iter().next()?;
    let (manifest, version) = (newest.manifest(), newest.manifest().version.to_string());
    let missing = manifest.missing(&usage.grants);
    (version != in_use && !missing.is_empty()).then(|| Waiting {
        plugin: usage.id.clone(),
        version,
        in_use: in_use.to_owned(),
        grants: missing.iter().map(|(name, _)| grant(name)).collect::<Vec<_>>().join(", "),
        asks_for: missing.into_iter().map(|(name, reason)| (name.to_owned(), reason.to_owned())).collect(),
    })
}

fn manifest_hooks(folders: &[PathBuf]) -> ManifestHooks {
    let own = masthead_web::ui::plugins().into_iter().map(|(manifest, _)| manifest);
    let entries = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let others = entries.filter_map(|entry| fs::read_to_string(entry.path().join("plugin.toml")).ok());
    let mut manifest_hooks = ManifestHooks::new();
    for table in own.chain(others).filter_map(|text| toml::from_str::<toml::Table>(&text).ok()) {
        let text = |key: &str| table.get(key).and_then(toml::Value::as_str).unwrap_or_default().to_owned();
        let hooks = table.get("hooks").and_then(toml::Value::as_array).into_iter().flatten();
        let hooks = hooks.filter_map(|hook| hook.as_str().map(str::to_owned)).collect();
        manifest_hooks.entry(text("id")).or_default().insert(text("version"), hooks);
    }
    manifest_hooks
}

impl fmt::Display for Sites {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.problems.iter().try_for_each(|problem| writeln!(f, "problem: {problem}"))?;
        for row in &self.sites {
            let site = &row.site;
            for UnusablePlugin { plugin, hooks, reason } in &row.lost {
                let hooks = if hooks.is_empty() { String::new() } else { format!(" ({})", hooks.join(", ")) };
                writeln!(f, "site {site} would LOSE {plugin}{hooks}: {reason}")?;
            }
            for Waiting { plugin, version, in_use, asks_for, grants } in &row.waiting {
                writeln!(
                    f,
                    "site {site}: {plugin} {version} needs more grants; {in_use} stays in use. It also requests"
                )?;
                asks_for.iter().try_for_each(|(name, reason)| writeln!(f, "    {name}: {reason}"))?;
                writeln!(f, "  to use it, add to its grants: {grants}")?;
            }
            row.notes.iter().try_for_each(|note| writeln!(f, "site {site}: {note}"))?;
        }
        let uses: usize = self.sites.iter().map(|row| row.in_use.len()).sum();
        writeln!(f, "host {}: {} sites, {uses} plugin uses checked", self.host, self.sites.len())
    }
}
