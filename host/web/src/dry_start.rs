//! The start of a host without serving: everything that the host reads from files, checked as it does at its start and at a reload.
//!
//! The table of sites is built by the same code as that of the running host, so that a check passes nothing that the host would report.
//! Neither the content nor the search index is opened.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use masthead_config::{Configuration, Finding, Level, Saved};
use masthead_content::{
    granted_secrets::{self, GrantedSecret},
    host_services::{MAIL_PASSWORD, Secrets},
};
use masthead_domain::{Lang, site::Site};
use masthead_runtime::{HostServices, Runtime, RuntimeConfig};

use crate::{
    app::{Folders, catalog, outgoing::mail_password_missing, runtime_config},
    auth::installation_key,
    i18n::Messages,
    page::menu,
    sites::{Generations, SiteEntry, SiteTable, TableInputs},
    ui::Ui,
};

/// The name of the check of secrets in findings.
const SECRETS: &str = "secrets";

/// What a host would serve with these folders.
pub struct DryStart {
    /// The configuration.
    pub configuration: Configuration,
    /// The table of sites; its `findings` are what the host would report.
    pub table: SiteTable,
    /// The slots that the federated modules fill, by module id.
    pub modules: BTreeMap<String, String>,
}

/// Reads the files and builds the table of sites. `saved` are the settings that administrators saved. In an existing data folder, secrets
/// and compiled plugins are read; otherwise, plugins are compiled into a temporary folder. No data folder is created.
///
/// # Errors
/// A message, if a host could not start with these files at all.
pub async fn dry_start(
    folders: &Folders,
    saved: &Saved,
    change_limits: impl FnOnce(&mut RuntimeConfig),
) -> anyhow::Result<DryStart> {
    let ui = Ui::load().map_err(anyhow::Error::msg)?.with_folders(&folders.modules, &folders.plugins);
    Messages::load().map_err(anyhow::Error::msg)?;
    let configuration = Configuration::read(&folders.sites, saved)?;
    let secrets = Arc::new(Secrets::default());
    let of_secrets = secret_findings(&configuration, &folders.data, &secrets);
    let temporary = tempfile::tempdir()?;
    let mut config = compiled(&folders.data, temporary.path())?;
    change_limits(&mut config);
    let runtime = Runtime::new(config, HostServices { secrets, ..HostServices::standalone() })?;
    let catalog = catalog(&runtime, &folders.plugins).await;
    let inputs = TableInputs { runtime: &runtime, catalog: &catalog, ui: &ui, store: None };
    let mut table = SiteTable::build(&configuration, &inputs, &mut Generations::new(), None).await?;
    table.findings.extend(of_secrets);
    let modules = ui.modules().map(|module| (module.id.clone(), module.slot.clone())).collect();
    Ok(DryStart { configuration, table, modules })
}

/// Reads the secrets of an existing data folder. What is wrong with their file, or which are granted and not set.
fn secret_findings(configuration: &Configuration, data: &Path, secrets: &Secrets) -> Vec<Finding> {
    if !data.is_dir() {
        return Vec::new();
    }
    if let Err(message) = secrets.read(data) {
        let finding = Finding::new(Level::Error, SECRETS, "", "");
        let finding = finding.says(message, "correct secrets.toml; the host does not start");
        return vec![Finding { file: data.join("secrets.toml").display().to_string(), ..finding }];
    }
    let of_site = |site: &Arc<Site>| {
        let missing = granted_secrets::missing(site, secrets).into_iter();
        let finding = |secret: GrantedSecret| {
            let message = format!("the secret {:?}, which is granted to {}, is not set", secret.name, secret.plugin);
            let fix = format!("run `masthead secrets set {} --site {}`, or remove the grant", secret.name, site.sld);
            Finding::new(Level::Warning, SECRETS, &site.sld, secret.key).says(message, fix)
        };
        missing.map(finding).collect::<Vec<_>>()
    };
    let mail = mail_password_missing(&configuration.platform.mail, secrets).then(|| {
        let message = "the password of mail.user is not set, and no mail is sent";
        let fix = format!("run `masthead secrets set {MAIL_PASSWORD} --platform`, or remove mail.user");
        Finding::new(Level::Error, SECRETS, "", "mail.user").says(message, &fix)
    });
    configuration.sites.values().flat_map(of_site).chain(mail).collect()
}

/// The runtime's configuration with the host's folder of compiled code where there is one, so that nothing is compiled twice.
fn compiled(data: &Path, temporary: &Path) -> anyhow::Result<RuntimeConfig> {
    if installation_key::exists(data) && data.join("compiled").is_dir() {
        return Ok(runtime_config(data, installation_key::read_or_create(data)?));
    }
    Ok(RuntimeConfig::new(temporary.join("compiled")))
}

/// What the checks of a site's content need to know of it besides its configuration.
pub struct SiteFacts {
    /// Interface languages, with those that plugins add.
    pub languages: Vec<Lang>,
    /// Paths of the pages of the menu, with the positions of their channels.
    pub menu: Vec<(usize, String)>,
    /// The plugins in use, with the modules that each may put into slots.
    pub plugins: Vec<(String, Vec<String>)>,
}

impl SiteFacts {
    /// The facts of a site of the table.
    #[must_use]
    pub fn of(entry: &SiteEntry, table: &SiteTable) -> Self {
        let modules = |id: &str, digest: &str| {
            let plugin = table.catalog().meeting(id, digest).into_iter().next();
            plugin.map(|plugin| plugin.manifest().ui.modules.clone()).unwrap_or_default()
        };
        let plugins = entry.chain.status().into_iter().map(|used| {
            let modules = modules(&used.id, &used.digest);
            (used.id, modules)
        });
        Self { languages: entry.languages.clone(), menu: menu::page_paths(&entry.site), plugins: plugins.collect() }
    }
}
