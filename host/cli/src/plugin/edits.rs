//! `masthead plugin promote|rollback|enable|disable`, and `masthead plugin canary start`: changes of a site's file. A host that
//! runs takes them over.

use std::path::{Path, PathBuf};

use clap::Args;
use masthead_domain::plugin_use::Grants;
use serde_json::{Map, Value};
use toml_edit::{InlineTable, Item, Table};

use crate::plugin::edit::{self, SiteFile};
use masthead_config::{Configuration, Saved};

/// Which plugin of which site.
#[derive(Args)]
struct Place {
    /// Folder of the sites' configuration.
    #[arg(long, default_value = "sites", env = "MASTHEAD_SITES", value_name = "DIR")]
    sites: PathBuf,
    /// Short name of the site.
    #[arg(long, value_name = "SLD")]
    site: String,
    /// Id of the plugin.
    plugin: String,
}

/// Put a site's canary into the place of the version in use.
#[derive(Args)]
pub struct Promote {
    #[command(flatten)]
    place: Place,
}

/// Take a site's canary away.
#[derive(Args)]
pub struct Rollback {
    #[command(flatten)]
    place: Place,
}

/// Run another version of a plugin beside the one in use.
#[derive(Args)]
pub struct Start {
    #[command(flatten)]
    place: Place,
    /// Version to try, or a digest.
    #[arg(long)]
    version: String,
    /// Percent of requests that it answers; 0 = it is only compared.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=100))]
    share: u8,
}

/// Switch a plugin on for a site.
#[derive(Args)]
pub struct Enable {
    #[command(flatten)]
    place: Place,
    /// Version requirement, or a digest.
    #[arg(long)]
    version: Option<String>,
    /// What the site gives it, such as `kv`, `content` or `http=api.example.org`; may be repeated.
    #[arg(long, value_name = "GRANT")]
    grant: Vec<String>,
    /// A setting, such as `label=Open` or `hosts=["a.example.org"]`; may be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

/// Switch a plugin off for a site.
#[derive(Args)]
pub struct Disable {
    #[command(flatten)]
    place: Place,
}

impl Promote {
    pub fn run(self) -> anyhow::Result<()> {
        let Place { sites, site, plugin } = &self.place;
        let mut file = SiteFile::open(sites, site)?;
        let shown = file.shown();
        let entry = file.plugin(plugin)?;
        let before = edit::text(entry, "version").unwrap_or("*").to_owned();
        let version = edit::promote(entry)
            .ok_or_else(|| anyhow::anyhow!("{shown}: {plugin} has no canary with a version; nothing is changed"))?;
        file.save()?;
        println!("{shown}: {plugin} is {version} now, it was {before}; its canary ended");
        Ok(())
    }
}

impl Rollback {
    pub fn run(self) -> anyhow::Result<()> {
        let Place { sites, site, plugin } = &self.place;
        let mut file = SiteFile::open(sites, site)?;
        let shown = file.shown();
        let entry = file.plugin(plugin)?;
        let version = edit::text(entry, "version").unwrap_or("*").to_owned();
        anyhow::ensure!(entry.remove("canary").is_some(), "{shown}: {plugin} has no canary; nothing is changed");
        file.save()?;
        println!("{shown}: {plugin} stays {version}; its canary ended");
        Ok(())
    }
}

impl Start {
    pub fn run(self) -> anyhow::Result<()> {
        let Place { sites, site, plugin } = &self.place;
        let mut file = SiteFile::open(sites, site)?;
        let shown = file.shown();
        let entry = file.plugin(plugin)?;
        anyhow::ensure!(
            entry.get("canary").is_none(),
            "{shown}: {plugin} has a canary already; end it with `masthead plugin promote` or `rollback`"
        );
        let mut canary = InlineTable::new();
        canary.insert("version", self.version.as_str().into());
        canary.insert("share", i64::from(self.share).into());
        entry.insert("canary", Item::Value(canary.into()));
        file.save()?;
        println!("{shown}: {plugin} {} runs as a canary; compare with `masthead plugin canary`", self.version);
        Ok(())
    }
}

impl Enable {
    pub fn run(self) -> anyhow::Result<()> {
        let Place { sites, site, plugin } = &self.place;
        let mut file = SiteFile::open(sites, site)?;
        let shown = file.shown();
        anyhow::ensure!(!file.has(plugin), "{shown} lists {plugin} already; change its entry there");
        anyhow::ensure!(
            file.lists_plugins() || !inherits(sites, site),
            "{shown} lists no plugins, but the site has some from its group or from platform.toml, which a list of its own would \
             replace; write the whole list into {shown}"
        );
        let mut entry = Table::new();
        entry.insert("id", toml_edit::value(plugin));
        if let Some(version) = &self.version {
            entry.insert("version", toml_edit::value(version));
        }
        let mut settings = Map::new();
        for pair in &self.set {
            let (key, text) =
                pair.split_once('=').ok_or_else(|| anyhow::anyhow!("--set {pair}: write it as KEY=VALUE"))?;
            let value = serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()));
            settings.insert(key.to_owned(), value);
        }
        let grants = grants(&self.grant)?;
        for (key, map) in [("settings", settings), ("grants", grants)] {
            if !map.is_empty() {
                entry.insert(key, Item::Value(edit::value(&Value::Object(map))));
            }
        }
        file.push(entry);
        file.save()?;
        println!("{shown}: {plugin} is switched on; `masthead plugin check --sites` says whether it can be used");
        Ok(())
    }
}

impl Disable {
    pub fn run(self) -> anyhow::Result<()> {
        let Place { sites, site, plugin } = &self.place;
        let mut file = SiteFile::open(sites, site)?;
        file.plugin(plugin)?;
        file.remove(plugin);
        file.save()?;
        println!("{}: {plugin} is switched off; its entry is gone", file.shown());
        Ok(())
    }
}

fn inherits(sites: &Path, sld: &str) -> bool {
    let read = Configuration::read(sites, &Saved::new());
    read.is_ok_and(|configuration| configuration.sites.get(sld).is_some_and(|site| !site.plugins.is_empty()))
}

/// `kv`, `http=a`, `http=b` -> `{ kv: true, http: [a, b] }`.
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
            "--grant: {error}; write `content`, `kv`, `http=<server>`, `secrets=<name>` or `frames=https://<server>`"
        )
    })?;
    Ok(grants)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn grants_are_switches_and_lists() {
        let given = ["kv", "http=a.example.org", "http=b.example.org"].map(str::to_owned);
        let wanted = serde_json::json!({ "kv": true, "http": ["a.example.org", "b.example.org"] });
        assert_eq!(Value::Object(grants(&given).unwrap()), wanted);
        for bad in ["teleport", "http", "kv=a"] {
            assert!(grants(&[bad.to_owned()]).is_err(), "{bad}");
        }
    }
}
