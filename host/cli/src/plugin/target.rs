//! What the commands for operators work on: a plugin of a site, the installed plugins, the audit trail.

use std::path::PathBuf;

use clap::Args;
use masthead_config::{Configuration, SAVED};
use masthead_content::plugin_entries::differing_keys;
use masthead_domain::SiteId;
use masthead_runtime::Inventory;
use masthead_store::AuditEntry;
use serde_json::Value;

use crate::{
    Locations,
    installation::{self, PluginFolders, configuration_of_files},
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
    /// A message, if the file cannot be written, or its list of plugins is not the one in use; it is unchanged then.
    pub async fn save(&self, file: &SiteFile, action: &str, before: Value, by: &By) -> anyhow::Result<()> {
        self.refuse_saved_list(file).await?;
        file.save()?;
        let (before, after) = differing_keys(before, file.entry(&self.plugin)?);
        let subject = format!("plugin/{}", self.plugin);
        let entry = AuditEntry { who: by.name(), action: action.to_owned(), subject, before, after };
        if let Some(site) = file.id() {
            installation::note(&self.locations, &[SiteId(site)], &entry).await;
        }
        Ok(())
    }

    /// Refuses a change of a file whose list of plugins has no effect, because administrators have saved another one by call.
    async fn refuse_saved_list(&self, file: &SiteFile) -> anyhow::Result<()> {
        // Where the configuration cannot be read, the change may be what corrects it.
        let Ok(configuration) = configuration_of_files(&self.locations).await else { return Ok(()) };
        let (shown, sld) = (file.display_path(), file.sld());
        anyhow::ensure!(
            list_of_plugins(&configuration, &sld).is_none_or(|(layer, _)| layer != SAVED),
            "{shown} is not changed: administrators have saved another list of the plugins of {sld}, which is in use; change that one by call, \
             or go back to the file with `masthead config unset plugins --site {sld}`"
        );
        Ok(())
    }
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
