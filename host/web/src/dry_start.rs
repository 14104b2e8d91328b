//! The start of a host without serving: everything that the host reads from files, checked as it does at its start and at a reload.
//!
//! The table of sites is built by the same code as that of the running host, so that a check passes nothing that the host would report.
//! Neither the content nor the search index is opened.

use std::{path::Path, sync::Arc};

use masthead_config::{Configuration, Diagnostic, Plugins, Saved};
use masthead_content::host_services::Secrets;
use masthead_runtime::{HostServices, Runtime, RuntimeConfig};

use crate::{
    app::{Folders, built_ui, catalog, runtime_config},
    auth::installation_key,
    examination::{self, Examination},
    i18n::Messages,
    sites::{Generations, SiteTable, TableInputs},
};

/// Reads the files and builds the table of sites. `saved` are the settings that administrators saved. In an existing data folder, secrets
/// and compiled plugins are read; otherwise, plugins are compiled into a temporary folder. No data folder is created.
///
/// # Errors
/// A message, if a host could not start with these files at all.
pub async fn dry_start(
    folders: &Folders,
    saved: &Saved,
    change_limits: impl FnOnce(&mut RuntimeConfig),
) -> anyhow::Result<Examination> {
    let ui = built_ui(folders).await?;
    Messages::load().map_err(anyhow::Error::msg)?;
    let configuration = Configuration::read(&folders.sites, saved)?;
    let secrets = Arc::new(Secrets::default());
    let others = secret_diagnostics(&configuration, &folders.data, &secrets);
    let temporary = tempfile::tempdir()?;
    let mut config = compiled(&folders.data, temporary.path(), configuration.platform.plugins)?;
    change_limits(&mut config);
    let runtime = Runtime::new(config, HostServices { secrets, ..HostServices::standalone() })?;
    let catalog = catalog(&runtime, &folders.plugins).await;
    let inputs = TableInputs { runtime: &runtime, catalog: &catalog, ui: &ui, store: None };
    let table = SiteTable::build(&configuration, &inputs, &mut Generations::new(), None).await?;
    Ok(Examination {
        sites: folders.sites.clone(),
        data: folders.data.clone(),
        configuration: Arc::new(configuration),
        table: Arc::new(table),
        modules: ui.module_slots(),
        others,
    })
}

/// Reads the secrets of an existing data folder. What is wrong with their file, or which are granted and not set.
fn secret_diagnostics(configuration: &Configuration, data: &Path, secrets: &Secrets) -> Vec<Diagnostic> {
    if !data.is_dir() {
        return Vec::new();
    }
    match secrets.read(data) {
        Ok(()) => examination::of_secrets(configuration, secrets),
        Err(message) => vec![examination::of_unreadable_secrets(data, message)],
    }
}

/// The runtime's configuration with the host's folder of compiled code where there is one, so that nothing is compiled twice.
fn compiled(data: &Path, temporary: &Path, limits: Plugins) -> anyhow::Result<RuntimeConfig> {
    let of_host = installation_key::exists(data) && data.join("compiled").is_dir();
    let (folder, key) =
        if of_host { (data, installation_key::read_or_create(data)?) } else { (temporary, rand::random()) };
    Ok(runtime_config(folder, key, limits))
}
