//! `masthead plugin promote|rollback|enable|disable` and `masthead plugin canary start`: edits of a site's configuration file,
//! which a running host reloads.

use std::path::{Path, PathBuf};

use clap::Args;
use masthead_domain::plugin_use::Grants;
use serde_json::{Map, Value};
use toml_edit::{InlineTable, Item, Table};

use crate::plugin::site_file::{self, SiteFile};
use masthead_config::{Configuration, Saved};

/// A plugin of a site.
#[derive(Args)]
struct SitePlugin {
    /// Folder with the configuration of the sites.
    #[arg(long, default_value = "sites", env = "MASTHEAD_SITES", value_name = "DIR")]
    sites: PathBuf,
    /// Short name of the site.
    #[arg(long, value_name = "SLD")]
    site: String,
    /// Id of the plugin.
    plugin: String,
}

/// Make the canary of a plugin the version in use.
#[derive(Args)]
pub struct Promote {
    #[command(flatten)]
    target: SitePlugin,
}

/// Remove the canary of a plugin; the version in use stays.
#[derive(Args)]
pub struct Rollback {
    #[command(flatten)]
    target: SitePlugin,
}

/// Run a second version of a plugin alongside the version in use.
#[derive(Args)]
pub struct Start {
    #[command(flatten)]
    target: SitePlugin,
    /// Version requirement or digest of the second version.
    #[arg(long)]
    version: String,
    /// Percentage of requests that it serves; with 0, its results are only compared.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=100))]
    share: u8,
}

/// Enable a plugin on a site.
#[derive(Args)]
pub struct Enable {
    #[command(flatten)]
    target: SitePlugin,
    /// Version requirement or digest.
    #[arg(long)]
    version: Option<String>,
    /// Capability that the site grants, such as `kv`, `content` or `http=api.example.org`; may be repeated.
    #[arg(long, value_name = "GRANT")]
    grant: Vec<String>,
    /// Setting, such as `label=Open` or `hosts=["a.example.org"]`; may be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

/// Disable a plugin on a site.
#[derive(Args)]
pub struct Disable {
    #[command(flatten)]
    target: SitePlugin,
}

impl Promote {
    pub fn run(self) -> anyhow::Result<()> {
        let SitePlugin { sites, site, plugin } = &self.target;
        let mut file = SiteFile::open(sites, site)?;
        let shown = file.display_path();
        let entry = file.plugin(plugin)?;
        let before = site_file::text(entry, "version").unwrap_or("*").to_owned();
        let version = site_file::promote(entry)
            .ok_or_else(|| anyhow::anyhow!("{shown}: {plugin} has no canary with a version; the file is unchanged"))?;
        file.save()?;
        println!("{shown}: {plugin} is now at {version} (was {before})");
        Ok(())
    }
}

impl Rollback {
    pub fn run(self) -> anyhow::Result<()> {
        let SitePlugin { sites, site, plugin } = &self.target;
        let mut file = SiteFile::open(sites, site)?;
        let shown = file.display_path();
        let entry = file.plugin(plugin)?;
        let version = site_file::text(entry, "version").unwrap_or("*").to_owned();
        anyhow::ensure!(entry.remove("canary").is_some(), "{shown}: {plugin} has no canary; the file is unchanged");
        file.save()?;
        println!("{shown}: {plugin} stays at {version}; the canary is removed");
        Ok(())
    }
}

impl Start {
    pub fn run(self) -> anyhow::Result<()> {
        let SitePlugin { sites, site, plugin } = &self.target;
        let mut file = SiteFile::open(sites, site)?;
        let shown = file.display_path();
        let entry = file.plugin(plugin)?;
        anyhow::ensure!(
            entry.get("canary").is_none(),
            "{shown}: {plugin} already has a canary; end it with `masthead plugin promote` or `rollback`"
        );
        let mut canary = InlineTable::new();
        canary.insert("version", self.version.as_str().into());
        canary.insert("share", i64::from(self.share).into());
        entry.insert("canary", Item::Value(canary.into()));
        file.save()?;
        println!(
            "{shown}: {plugin} {} runs as a canary; show the comparison with `masthead plugin canary`",
            self.version
        );
        Ok(())
    }
}

impl Enable {
    pub fn run(self) -> anyhow::Result<()> {
        let SitePlugin { sites, site, plugin } = &self.target;
        let mut file = SiteFile::open(sites, site)?;
        let shown = file.display_path();
        anyhow::ensure!(!file.has(plugin), "{shown} already lists {plugin}; edit its entry there");
        anyhow::ensure!(
            file.lists_plugins() || !inherits(sites, site),
            "{shown} lists no plugins, but the site inherits some from its group or from platform.toml, and a list in {shown} would \
             replace them; write the whole list there"
        );
        let mut entry = Table::new();
        entry.insert("id", toml_edit::value(plugin));
        if let Some(version) = &self.version {
            entry.insert("version", toml_edit::value(version));
        }
        let mut settings = Map::new();
        for pair in &self.set {
            let (key, text) =
                pair.split_once('=').ok_or_else(|| anyhow::anyhow!("--set {pair}: expected KEY=VALUE"))?;
            let value = serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()));
            settings.insert(key.to_owned(), value);
        }
        let grants = grants(&self.grant)?;
        for (key, map) in [("settings", settings), ("grants", grants)] {
            if !map.is_empty() {
                entry.insert(key, Item::Value(site_file::value(&Value::Object(map))));
            }
        }
        file.push(entry);
        file.save()?;
        println!("{shown}: {plugin} is enabled; check that the host can use it with `masthead plugin check --sites`");
        Ok(())
    }
}

impl Disable {
    pub fn run(self) -> anyhow::Result<()> {
        let SitePlugin { sites, site, plugin } = &self.target;
        let mut file = SiteFile::open(sites, site)?;
        file.plugin(plugin)?;
        file.remove(plugin);
        file.save()?;
        println!("{}: {plugin} is disabled; its entry is removed", file.display_path());
        Ok(())
    }
}

/// Whether a site gets plugins from its group or from `platform.toml`; only asked where its own file lists none.
fn inherits(sites: &Path, sld: &str) -> bool {
    let read = Configuration::read(sites, &Saved::new());
    read.is_ok_and(|configuration| configuration.sites.get(sld).is_some_and(|site| !site.plugins.is_empty()))
}

/// Parses grants of the command line: `kv`, `http=a`, `http=b` -> `{ kv: true, http: [a, b] }`.
fn grants(given: &[String]) -> anyhow::Result<Map<String, Value>> {
    let mut grants = Map::new();
    for grant in given {
        match grant.split_once('=') {
            None => drop(grants.insert(grant.clone(), Value::Bool(true))),
            Some((name, value)) => {
                let list = grants.entry(name).or_insert_with(|| Value::Array(Vec::new()));
                if let Some(list) = list.as_array_mut() {
                    list.push(Value::String(value.to_owned()));
                }
            }
        }
    }
    serde_json::from_value::<Grants>(Value::Object(grants.clone())).map_err(|error| {
        anyhow::anyhow!(
            "--grant: {error}; expected `content`, `kv`, `http=<server>`, `secrets=<name>` or `frames=https://<server>`"
        )
    })?;
    Ok(grants)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn grants_parse_to_flags_and_lists() {
        let given = ["kv", "http=a.example.org", "http=b.example.org"].map(str::to_owned);
        let wanted = serde_json::json!({ "kv": true, "http": ["a.example.org", "b.example.org"] });
        assert_eq!(Value::Object(grants(&given).unwrap()), wanted);
        for bad in ["teleport", "http", "kv=a"] {
            assert!(grants(&[bad.to_owned()]).is_err(), "{bad}");
        }
    }
}
