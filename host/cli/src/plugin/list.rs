//! `masthead plugin list`: what is installed, and where it is enabled.

use std::{collections::BTreeMap, fmt::Write as _};

use clap::Args;
use masthead_config::Configuration;
use masthead_domain::{Lang, plugin_use::OnFailure};
use masthead_runtime::{InstalledVersion, Inventory, Manifest};
use serde::{Deserialize, Serialize};

use crate::{
    Locations,
    installation::{self, PluginFolders, configuration_of_files},
    plugin::{
        admin,
        target::{inventory, list_of_plugins},
    },
};

/// Show the installed plugins with their versions, what they ask for, and the sites that have them enabled. A host that runs with the data
/// folder adds what is in use.
#[derive(Args)]
pub struct ListPlugins {
    #[command(flatten)]
    locations: Locations,
    #[command(flatten)]
    folders: PluginFolders,
    /// Show only the plugins that this site has enabled; given by number or short name.
    #[arg(long, value_name = "ID")]
    site: Option<String>,
    /// Show only this plugin, given by its id.
    #[arg(long, value_name = "ID")]
    plugin: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// The plugins of a site, as the running host describes them.
#[derive(Deserialize)]
struct Running {
    plugins: Vec<InUse>,
    problems: Vec<String>,
}

#[derive(Clone, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
struct InUse {
    #[serde(skip_serializing)]
    plugin: String,
    version: String,
    digest: String,
    /// Its folder, or `built in`; nothing if it was removed from there.
    source: Option<String>,
    /// What readers may do while it fails; nothing if it does not decide on access.
    on_failure: Option<String>,
    quarantined_for_seconds: Option<u64>,
}

/// A plugin.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    plugin: String,
    name: String,
    /// What it does, in a sentence.
    description: String,
    /// The installed versions, the newest first.
    versions: Vec<Version>,
    /// The sites that have it enabled.
    sites: Vec<Use>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Version {
    version: String,
    /// `built in`, or its folder.
    origin: String,
    digest: String,
    hooks: Vec<String>,
    capabilities: Vec<Asked>,
    on_failure: Option<OnFailure>,
}

/// A capability that a plugin asks for.
#[derive(Serialize)]
struct Asked {
    name: String,
    reason: String,
    optional: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Use {
    site: String,
    /// The version requirement of its entry.
    version: String,
    /// The file with the entry.
    file: String,
    canary: Option<Canary>,
    /// What the running host uses; nothing if it does not use the plugin, or no host runs.
    in_use: Option<InUse>,
}

#[derive(Serialize)]
struct Canary {
    version: String,
    share: u8,
}

impl ListPlugins {
    pub async fn run(self) -> anyhow::Result<()> {
        let configuration = configuration_of_files(&self.locations).await?;
        let site =
            self.site.as_deref().map(|site| installation::short_name(&self.locations.sites, site)).transpose()?;
        let installed = inventory(&self.folders, &self.locations).await;
        // Without a host that runs there, only files are read.
        let running: Option<BTreeMap<String, Running>> = admin::get(&self.locations.data, "/plugins").await.ok();
        let mut rows = rows(&installed, &configuration, running.as_ref());
        rows.retain(|row| self.plugin.as_ref().is_none_or(|id| row.plugin == *id));
        if let Some(site) = &site {
            rows.iter_mut().for_each(|row| row.sites.retain(|used| used.site == *site));
            rows.retain(|row| !row.sites.is_empty());
        }
        if self.json {
            println!("{}", serde_json::to_string_pretty(&rows)?);
            return Ok(());
        }
        if rows.is_empty() {
            println!("no plugin matches");
        }
        rows.iter().for_each(|row| print!("{}", text(row, running.is_some())));
        installed.problems().iter().for_each(|problem| println!("problem: {problem}"));
        for (name, host) in running.iter().flatten().filter(|(name, _)| site.as_ref().is_none_or(|site| site == *name))
        {
            host.problems.iter().for_each(|problem| println!("problem on {name}: {problem}"));
        }
        Ok(())
    }
}

/// A row for every plugin that is installed or that a site has enabled.
fn rows(installed: &Inventory, configuration: &Configuration, running: Option<&BTreeMap<String, Running>>) -> Vec<Row> {
    let mut rows: BTreeMap<String, Row> =
        installed.plugins().map(|(id, versions)| (id.to_owned(), row(id, versions))).collect();
    for (sld, site) in &configuration.sites {
        let host = running.and_then(|running| running.get(sld));
        let (_, file) = list_of_plugins(configuration, sld).unwrap_or_default();
        for entry in &site.plugins {
            let used = Use {
                site: sld.clone(),
                version: entry.version.clone(),
                file: file.clone(),
                canary: entry
                    .canary
                    .as_ref()
                    .map(|canary| Canary { version: canary.version.clone(), share: canary.share }),
                in_use: host.and_then(|host| host.plugins.iter().find(|own| own.plugin == entry.id).cloned()),
            };
            rows.entry(entry.id.clone()).or_insert_with(|| row(&entry.id, &[])).sites.push(used);
        }
    }
    rows.into_values().collect()
}

fn row(id: &str, versions: &[InstalledVersion]) -> Row {
    let newest = versions.first().map(|listed| &listed.manifest);
    let english = |text: fn(&Manifest) -> &str| newest.map(text).unwrap_or_default().to_owned();
    Row {
        plugin: id.to_owned(),
        name: english(|manifest| manifest.name.get(Lang::En)),
        description: english(|manifest| manifest.description.get(Lang::En)),
        versions: versions.iter().map(version).collect(),
        sites: Vec::new(),
    }
}

fn version(listed: &InstalledVersion) -> Version {
    let manifest = &listed.manifest;
    let asked = manifest.capabilities.iter().map(|(name, need)| Asked {
        name: name.clone(),
        reason: need.reason().to_owned(),
        optional: need.optional(),
    });
    Version {
        version: manifest.version.to_string(),
        origin: listed.source.clone(),
        digest: listed.digest.clone(),
        hooks: manifest.hooks.clone(),
        capabilities: asked.collect(),
        on_failure: manifest.on_failure,
    }
}

fn text(row: &Row, host_runs: bool) -> String {
    let mut text = row.plugin.clone();
    let title = if row.description.is_empty() { &row.name } else { &row.description };
    let _ = writeln!(text, "{}{title}", if title.is_empty() { "" } else { ": " });
    if row.versions.is_empty() {
        text += "  not installed\n";
    }
    for Version { version, origin, hooks, capabilities, on_failure, .. } in &row.versions {
        let _ = writeln!(text, "  {version} ({origin})");
        let _ = writeln!(text, "    hooks: {}", hooks.join(", "));
        let name = |asked: &Asked| format!("{}{}", asked.name, if asked.optional { " (optional)" } else { "" });
        let names: Vec<_> = capabilities.iter().map(name).collect();
        let _ =
            writeln!(text, "    asks for: {}", if names.is_empty() { "nothing".to_owned() } else { names.join(", ") });
        if *on_failure == Some(OnFailure::Deny) {
            text += "    readers have no permissions while it fails\n";
        }
    }
    for used in &row.sites {
        let _ = writeln!(text, "  enabled on {} ({}): {}", used.site, used.file, use_text(used, host_runs));
    }
    if row.sites.is_empty() {
        text += "  enabled on no site\n";
    }
    text
}

/// The versions of an entry and, beside a running host, what serves.
fn use_text(used: &Use, host_runs: bool) -> String {
    let mut parts =
        vec![if used.version == "*" { "any version".to_owned() } else { format!("version {}", used.version) }];
    parts.extend(used.canary.as_ref().map(|canary| match canary.share {
        0 => format!("canary {} is compared", canary.version),
        share => format!("canary {} for {share} %", canary.version),
    }));
    match &used.in_use {
        Some(InUse { version, digest, source, on_failure, quarantined_for_seconds, .. }) => {
            let source = source.as_deref().unwrap_or("removed");
            parts.push(format!("{version} serves ({source}, {digest})"));
            parts.extend(on_failure.as_ref().map(|what| format!("on failure {what}")));
            parts.extend(quarantined_for_seconds.map(|left| format!("switched off after failures for {left} s")));
        }
        None if host_runs => parts.push("the running host does not use it".to_owned()),
        None => {}
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::collections::BTreeSet;

    use masthead_config::Saved;

    use super::*;

    const PLATFORM: &str = include_str!("../../../../sites/platform.toml");
    const RUNNING: &str = r#"{ "one": { "plugins": [
        { "plugin": "badge", "version": "0.1.0", "digest": "sha256:1", "source": "built in", "onFailure": "deny", "hooks": [],
          "quarantinedForSeconds": 3 }
    ], "problems": [] } }"#;

    fn inventory() -> Inventory {
        let mut inventory = Inventory::new(BTreeSet::new());
        let manifest = |id: &str, more: &str| {
            format!(
                "id='{id}'\nversion='0.1.0'\ncontract='0.1'\nhooks=['access.decide']\nname={{zh='甲',en='A'}}\n{more}"
            )
        };
        let more = "description={en='Shows a badge.'}\nonFailure='deny'\ncapabilities={kv='Counts.',http={reason='Asks.',optional=true}}\n";
        inventory.add_built_in(&manifest("badge", more), b"one");
        inventory.add_built_in(&manifest("other", ""), b"two");
        inventory
    }

    #[test]
    fn the_list_says_what_is_installed_and_what_is_enabled_where() {
        let folder = tempfile::tempdir().unwrap();
        let site = "id = 1\nname = { en = \"One\" }\n[[plugins]]\nid = \"badge\"\ncanary = { version = \"0.2\", share = 5 }\n\
                    [[plugins]]\nid = \"gone\"\nversion = \"3\"\n";
        std::fs::write(folder.path().join("platform.toml"), PLATFORM).unwrap();
        std::fs::write(folder.path().join("one.toml"), site).unwrap();
        let configuration = Configuration::read(folder.path(), &Saved::new()).unwrap();
        let running: BTreeMap<String, Running> = serde_json::from_str(RUNNING).unwrap();
        let all = rows(&inventory(), &configuration, Some(&running));
        let file = folder.path().join("one.toml").display().to_string();
        let expected = [
            format!(
                "badge: Shows a badge.\n  0.1.0 (built in)\n    hooks: access.decide\n    asks for: http (optional), kv\n    \
                 readers have no permissions while it fails\n  enabled on one ({file}): any version, canary 0.2 for 5 %, 0.1.0 \
                 serves (built in, sha256:1), on failure deny, switched off after failures for 3 s\n"
            ),
            format!("gone\n  not installed\n  enabled on one ({file}): version 3, the running host does not use it\n"),
            "other: A\n  0.1.0 (built in)\n    hooks: access.decide\n    asks for: nothing\n  enabled on no site\n"
                .to_owned(),
        ];
        assert_eq!(all.iter().map(|row| text(row, true)).collect::<Vec<_>>(), expected);
        let alone = rows(&inventory(), &configuration, None);
        assert!(text(&alone[0], false).ends_with("any version, canary 0.2 for 5 %\n"));
    }
}
