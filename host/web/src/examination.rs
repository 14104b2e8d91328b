//! The examination of an installation: what the host reports of its configuration, and the checks of [`masthead_content::doctor`], as
//! `masthead doctor`, `masthead site check` and the administrators' call make it.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};

use masthead_config::{Configuration, Diagnostic, Level, Locator};
use masthead_content::{
    doctor::{self, Installation, Subject},
    granted_secrets::{self, GrantedSecret},
    host_services::{MAIL_PASSWORD, Secrets},
};
use masthead_domain::site::Site;
use masthead_store::Store;
use serde::Serialize;
use tokio::runtime::Handle;

use crate::{
    app::outbox_workers::mail_password_missing,
    i18n::Messages,
    page::menu,
    sites::{SiteEntry, SiteTable},
};

/// The name of the check of secrets in diagnostics.
pub const SECRETS: &str = "secrets";

/// What is examined.
pub struct Examination {
    /// Folder with the configuration of the sites.
    pub sites: PathBuf,
    /// Folder with the data of the host.
    pub data: PathBuf,
    /// The configuration.
    pub configuration: Arc<Configuration>,
    /// The table of sites that is made of it; its `diagnostics` are what the host reports.
    pub table: Arc<SiteTable>,
    /// The slots that the federated modules fill, by module id.
    pub modules: BTreeMap<String, String>,
    /// Diagnostics that are found besides, such as those of [`of_secrets`].
    pub others: Vec<Diagnostic>,
}

/// The result of an examination.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Number of sites that were examined.
    pub sites: usize,
    /// Whether stored content was examined.
    pub content: bool,
    /// Number of errors.
    pub errors: usize,
    /// Number of warnings.
    pub warnings: usize,
    /// What is wrong, ordered by site, file, line and key.
    pub diagnostics: Vec<Diagnostic>,
}

impl Report {
    /// Leaves the diagnostics about the whole installation out.
    pub fn keep_sites_only(&mut self) {
        self.diagnostics.retain(|diagnostic| !diagnostic.site.is_empty());
        self.count();
    }

    fn count(&mut self) {
        self.errors = self.diagnostics.iter().filter(|diagnostic| diagnostic.level == Level::Error).count();
        self.warnings = self.diagnostics.len() - self.errors;
    }
}

impl Examination {
    /// Examines the site with the short name `only`, or all sites. Stored content is examined where there is a store. The files are read on
    /// a thread that may block.
    ///
    /// # Errors
    /// A message, if the content cannot be read.
    pub async fn report(self, store: Option<Store>, only: Option<String>) -> anyhow::Result<Report> {
        let handle = Handle::current();
        let examine = move || handle.block_on(self.examine(store.as_ref(), only.as_deref()));
        tokio::task::spawn_blocking(examine).await?
    }

    async fn examine(&self, store: Option<&Store>, only: Option<&str>) -> anyhow::Result<Report> {
        let is_meant = |sld: &str| only.is_none_or(|only| only == sld);
        let installation = Installation {
            folder: &self.sites,
            platform: &self.table.platform,
            sites: self.table.iter().map(|entry| entry.site.sld.clone()).collect(),
            modules: self.modules.clone(),
            catalogues: Messages::catalogue_keys().map_err(anyhow::Error::msg)?,
        };
        let mut subjects = Vec::new();
        for entry in self.table.iter().filter(|entry| is_meant(&entry.site.sld)) {
            subjects.push(subject(entry, &self.table, store).await?);
        }
        let mut diagnostics = [self.table.diagnostics.as_slice(), &self.others].concat();
        diagnostics.extend(doctor::of_files(&installation, &subjects));
        if let Some(store) = store {
            for subject in &subjects {
                diagnostics.extend(doctor::of_content(&installation, subject, store, &self.data).await?);
            }
        }
        diagnostics.retain(|diagnostic| diagnostic.site.is_empty() || is_meant(&diagnostic.site));
        let mut locator = Locator::new(&self.configuration, &self.sites);
        diagnostics.iter_mut().for_each(|diagnostic| locator.locate(diagnostic));
        diagnostics.sort_by(|left, right| {
            let place = |one: &Diagnostic| (one.site.clone(), one.file.clone(), one.line, one.key.clone());
            place(left).cmp(&place(right))
        });
        let (sites, content) = (subjects.len(), store.is_some());
        let mut report = Report { sites, content, errors: 0, warnings: 0, diagnostics };
        report.count();
        Ok(report)
    }
}

/// What the checks need to know of a site.
async fn subject<'a>(
    entry: &'a SiteEntry,
    table: &SiteTable,
    store: Option<&Store>,
) -> Result<Subject<'a>, masthead_store::StoreError> {
    let modules = |id: &str, digest: &str| {
        let plugin = table.catalog().meeting(id, digest).into_iter().next();
        plugin.map(|plugin| plugin.manifest().ui.modules.clone()).unwrap_or_default()
    };
    let plugins = entry.chain.status().into_iter().map(|used| {
        let modules = modules(&used.id, &used.digest);
        (used.id, modules)
    });
    let redirects = match store {
        Some(store) => store.redirects(entry.site.id).await?.into_iter().map(|redirect| redirect.from).collect(),
        None => BTreeSet::new(),
    };
    Ok(Subject {
        site: &entry.site,
        languages: entry.languages.clone(),
        menu: menu::page_paths(&entry.site),
        plugins: plugins.collect(),
        redirects,
    })
}

/// The diagnostic about a file of secrets that cannot be read.
#[must_use]
pub fn of_unreadable_secrets(data: &Path, message: String) -> Diagnostic {
    let diagnostic = Diagnostic::new(Level::Error, SECRETS, "", "");
    let diagnostic = diagnostic.says(message, "correct secrets.toml; the host does not start");
    Diagnostic { file: data.join("secrets.toml").display().to_string(), ..diagnostic }
}

/// The secrets that are granted to plugins, or needed to send mail, and are not set.
#[must_use]
pub fn of_secrets(configuration: &Configuration, secrets: &Secrets) -> Vec<Diagnostic> {
    let of_site = |site: &Arc<Site>| {
        let missing = granted_secrets::missing(site, secrets).into_iter();
        let diagnostic = |secret: GrantedSecret| {
            let message = format!("the secret {:?}, which is granted to {}, is not set", secret.name, secret.plugin);
            let fix = format!("run `masthead secrets set {} --site {}`, or remove the grant", secret.name, site.sld);
            Diagnostic::new(Level::Warning, SECRETS, &site.sld, secret.key).says(message, fix)
        };
        missing.map(diagnostic).collect::<Vec<_>>()
    };
    let mail = mail_password_missing(&configuration.platform.mail, secrets).then(|| {
        let message = "the password of mail.user is not set, and no mail is sent";
        let fix = format!("run `masthead secrets set {MAIL_PASSWORD} --platform`, or remove mail.user");
        Diagnostic::new(Level::Error, SECRETS, "", "mail.user").says(message, &fix)
    });
    configuration.sites.values().flat_map(of_site).chain(mail).collect()
}
