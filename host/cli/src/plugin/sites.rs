//! `masthead plugin check --sites`: what the sites would lose with this host. Run the new binary so before switching to it.

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
    compare,
    contract::Offer,
    host::Host,
    report::{grant, plural},
};
use masthead_config::{Configuration, Saved};

/// All sites, looked at.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Sites {
    /// Version of the host that they were checked for.
    host: String,
    /// What is wrong with the configuration or with plugins, whether a site uses them or not.
    problems: Vec<String>,
    sites: Vec<Row>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    site: String,
    in_use: Vec<String>,
    lost: Vec<Lost>,
    waiting: Vec<Waiting>,
    notes: Vec<String>,
}

/// What a site would go without.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Lost {
    pub plugin: String,
    /// Its hooks, as its plugin.toml promises them.
    pub hooks: Vec<String>,
    pub reason: String,
}

/// A newer version that asks for more than the site grants.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Waiting {
    plugin: String,
    version: String,
    in_use: String,
    /// Capability and reason.
    asks_for: Vec<(String, String)>,
    /// What the site's file has to say besides.
    grants: String,
}

/// What manifests promise, by id and version: read without judging, since a host may know less than they say.
type Promises = BTreeMap<String, BTreeMap<String, Vec<String>>>;

pub async fn check(folder: &Path, plugins: &[PathBuf], against: Option<&Path>, json: bool) -> anyhow::Result<()> {
    let configuration = Configuration::read(folder, &Saved::new())?;
    let offer = against.map(read_offer).transpose()?;
    let host = Host::open(None, |_| ())?;
    let catalog = host.catalog(plugins).await;
    let promises = promises(plugins);
    let mut problems = configuration.problems.clone();
    problems.extend(catalog.problems().iter().map(ToString::to_string));
    let mut sites = Vec::new();
    for (sld, site) in &configuration.sites {
        let chain = host.runtime.build_chain((site.id, sld), &catalog, &site.plugins, None).await;
        sites.push(row(site, &chain, &catalog, &promises, offer.as_ref()));
    }
    let version = offer.map_or_else(|| env!("CARGO_PKG_VERSION").to_owned(), |offer| offer.host);
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
        "with host {} the sites would lose {lost} plugin use{}; {broken} problem{} of configuration",
        report.host,
        plural(lost),
        plural(broken)
    );
    Ok(())
}

fn read_offer(path: &Path) -> anyhow::Result<Offer> {
    let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| {
        anyhow::anyhow!("{} is not what `masthead plugin contract --json` prints: {error}", path.display())
    })
}

fn row(site: &Site, chain: &Chain, catalog: &Catalog, promises: &Promises, offer: Option<&Offer>) -> Row {
    let status = chain.status();
    let mut row =
        Row { site: site.sld.clone(), in_use: Vec::new(), lost: Vec::new(), waiting: Vec::new(), notes: Vec::new() };
    for usage in &site.plugins {
        let id = &usage.id;
        let said =
            chain.problems().iter().filter(|problem| problem.plugin == *id).map(|problem| problem.message.clone());
        let promised = promises.get(id);
        // A canary of the same plugin comes after the version in use.
        let Some(status) = status.iter().find(|status| status.id == *id) else {
            let newest = promised.and_then(|versions| versions.values().next_back());
            let (hooks, reason) = (newest.cloned().unwrap_or_default(), said.collect::<Vec<_>>().join("; "));
            row.lost.push(Lost { plugin: id.clone(), hooks, reason });
            continue;
        };
        row.in_use.push(format!("{id} {}", status.version));
        let hooks = promised.and_then(|versions| versions.get(&status.version)).into_iter().flatten();
        let gone: Vec<_> = hooks.filter(|hook| !status.hooks.contains(&hook.as_str())).cloned().collect();
        if !gone.is_empty() {
            let reason = "plugin.toml promises them, this host does not call them".to_owned();
            row.lost.push(Lost { plugin: id.clone(), hooks: gone, reason });
        }
        match waiting(usage, &status.version, catalog) {
            Some(waiting) => row.waiting.push(waiting),
            None => row.notes.extend(said.map(|message| format!("{id}: {message}"))),
        }
        if let (Some(offer), Some(plugin)) = (offer, catalog.meeting(id, &status.digest).first()) {
            let (lost, notes) = compare::against(offer, plugin);
            row.lost.extend(lost);
            row.notes.extend(notes);
        }
    }
    if let Some(most) = offer.map(|offer| offer.limits.plugins_per_site).filter(|most| site.plugins.len() > *most) {
        for usage in &site.plugins[most..] {
            let reason = format!("that host takes {most} plugins a site");
            row.lost.push(Lost { plugin: usage.id.clone(), hooks: Vec::new(), reason });
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

fn promises(folders: &[PathBuf]) -> Promises {
    let own = masthead_web::ui::plugins().into_iter().map(|(manifest, _)| manifest);
    let entries = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let others = entries.filter_map(|entry| fs::read_to_string(entry.path().join("plugin.toml")).ok());
    let mut promises = Promises::new();
    for table in own.chain(others).filter_map(|text| toml::from_str::<toml::Table>(&text).ok()) {
        let text = |key: &str| table.get(key).and_then(toml::Value::as_str).unwrap_or_default().to_owned();
        let hooks = table.get("hooks").and_then(toml::Value::as_array).into_iter().flatten();
        let hooks = hooks.filter_map(|hook| hook.as_str().map(str::to_owned)).collect();
        promises.entry(text("id")).or_default().insert(text("version"), hooks);
    }
    promises
}

impl fmt::Display for Sites {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.problems.iter().try_for_each(|problem| writeln!(f, "problem: {problem}"))?;
        for row in &self.sites {
            let site = &row.site;
            for Lost { plugin, hooks, reason } in &row.lost {
                let hooks = if hooks.is_empty() { String::new() } else { format!(" ({})", hooks.join(", ")) };
                writeln!(f, "site {site} would LOSE {plugin}{hooks}: {reason}")?;
            }
            for Waiting { plugin, version, in_use, asks_for, grants } in &row.waiting {
                writeln!(f, "site {site}: {plugin} {version} waits, {in_use} stays in use; it asks besides for")?;
                asks_for.iter().try_for_each(|(name, reason)| writeln!(f, "    {name}: {reason}"))?;
                writeln!(f, "  to give it, add to its grants: {grants}")?;
            }
            row.notes.iter().try_for_each(|note| writeln!(f, "site {site}: {note}"))?;
        }
        let uses: usize = self.sites.iter().map(|row| row.in_use.len()).sum();
        writeln!(f, "host {}: {} sites, {uses} plugin uses checked", self.host, self.sites.len())
    }
}
