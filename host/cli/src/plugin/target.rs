//! What the commands for operators work on: a plugin of a site, the installed plugins, the audit trail.

use std::path::PathBuf;

use clap::Args;
use masthead_config::Configuration;
use masthead_domain::SiteId;
use masthead_runtime::Inventory;
use masthead_store::AuditEntry;
use serde_json::{Map, Value};

use crate::{
    Locations,
    installation::{self, PluginFolders},
    plugin::{admin, site_file::SiteFile},
    records::By,
};

/// A plugin of a site.
#[derive(Args)]
pub struct SitePlugin {
    #[command(flatten)]
    pub locations: Locations,
    /// Number or short name of the site.
    #[arg(long, value_name = "ID")]
    pub site: String,
    /// Id of the plugin.
    pub plugin: String,
}

impl SitePlugin {
    /// The file of the site.
    ///
    /// # Errors
    /// A message, if there is no such site, or its file cannot be read.
    pub fn file(&self) -> anyhow::Result<SiteFile> {
        let sites = &self.locations.sites;
        SiteFile::open(sites, &installation::short_name(sites, &self.site)?)
    }

    /// Writes the changed file and, if the installation has a database, the line of the audit trail. `before` is the entry of the plugin
    /// as it was.
    ///
    /// # Errors
    /// A message, if the file cannot be written; it is unchanged then.
    pub async fn save(&self, file: &SiteFile, action: &str, before: Value, by: &By) -> anyhow::Result<()> {
        file.save()?;
        let (before, after) = differences(before, file.entry(&self.plugin)?);
        let subject = format!("plugin/{}", self.plugin);
        let entry = AuditEntry { who: by.name(), action: action.to_owned(), subject, before, after };
        if let Some(site) = file.id() {
            installation::note(&self.locations, &[SiteId(site)], &entry).await;
        }
        Ok(())
    }
}

/// The keys of two entries that differ; the whole where there is only one.
fn differences(mut before: Value, mut after: Value) -> (Value, Value) {
    if let (Value::Object(before), Value::Object(after)) = (&mut before, &mut after) {
        let same: Vec<String> =
            before.iter().filter(|(key, value)| after.get(*key) == Some(*value)).map(|(key, _)| key.clone()).collect();
        let drop_same = |entry: &mut Map<String, Value>| entry.retain(|key, _| !same.contains(key));
        drop_same(before);
        drop_same(after);
    }
    (before, after)
}

/// The installed plugins: those that are built in, and those of the given folders, or else of the folders of the host that runs with
/// the data folder.
pub async fn inventory(folders: &PluginFolders, locations: &Locations) -> Inventory {
    let mut all = Inventory::new(folders.override_plugin.iter().cloned().collect());
    for (manifest, wasm) in masthead_web::ui::plugins() {
        all.add_built_in(&manifest, &wasm);
    }
    let mut dirs = folders.plugins.clone();
    if dirs.is_empty() {
        // Without a host that runs there are no such folders.
        dirs = admin::get::<Vec<PathBuf>>(&locations.data, "/plugin-folders").await.unwrap_or_default();
    }
    all.add_folders(&dirs);
    all
}

/// The layer whose list of plugins a site uses, and its file; `None` if no layer has one.
pub fn list_of_plugins(configuration: &Configuration, sld: &str) -> Option<(String, String)> {
    let (layer, _) = configuration.layers.get(sld)?.place("plugins")?;
    Some((layer.name.clone(), layer.source.clone()))
}

/// Refuses a command with all that is wrong with it.
///
/// # Errors
/// The faults, if there are any.
pub fn refuse(what: &str, faults: &[String]) -> anyhow::Result<()> {
    anyhow::ensure!(faults.is_empty(), "{what}; nothing is changed:\n  {}", faults.join("\n  "));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_line_of_the_audit_trail_has_what_differs() {
        let before = json!({ "id": "a", "version": "0.1", "canary": { "version": "0.2" } });
        let after = json!({ "id": "a", "version": "0.2" });
        let expected = (json!({ "version": "0.1", "canary": { "version": "0.2" } }), json!({ "version": "0.2" }));
        assert_eq!(differences(before.clone(), after), expected);
        assert_eq!(differences(before.clone(), Value::Null), (before, Value::Null));
    }
}
