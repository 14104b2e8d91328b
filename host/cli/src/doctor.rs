//! `masthead doctor`, and the checks of `masthead site check`.

use std::{collections::BTreeSet, time::Duration};

use clap::Args;
use masthead_config::{Finding, Level, Locator, Saved};
use masthead_content::doctor::{self, Installation, Subject};
use masthead_store::Store;
use masthead_web::{
    app::Folders,
    dry_start::{DryStart, SiteFacts, dry_start},
    i18n::Messages,
};
use serde::Serialize;

use crate::{
    Locations, find_site,
    installation::{ModuleFolders, PluginFolders, existing_store},
    plugin::plural,
};

/// Longest wait for a plugin's trial call besides its computing time: a check may run beside a busy host.
const GRACE: Duration = Duration::from_secs(5);

/// Check configuration and content, and name the fix of everything that is wrong; fails if there is an error.
#[derive(Args)]
pub struct Doctor {
    #[command(flatten)]
    locations: Locations,
    #[command(flatten)]
    plugins: PluginFolders,
    #[command(flatten)]
    modules: ModuleFolders,
    /// Number or short name of a site; all sites are checked if omitted.
    #[arg(long, value_name = "ID")]
    site: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// The result of a check.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    /// Number of sites that would be served.
    sites: usize,
    /// Whether stored content was checked.
    content: bool,
    errors: usize,
    warnings: usize,
    findings: Vec<Finding>,
}

impl Doctor {
    pub async fn run(self) -> anyhow::Result<()> {
        let store = existing_store(&self.locations).await?;
        if store.is_none() {
            let data = self.locations.data.display();
            eprintln!("there is no database in {data}: the stored content is not checked");
        }
        let additions = (&self.plugins, &self.modules);
        let report = examine(&self.locations, additions, self.site.as_deref(), store.as_ref()).await;
        if let Some(store) = store {
            store.close().await;
        }
        let report = report?;
        if self.json {
            println!("{}", serde_json::to_string_pretty(&report)?);
        } else {
            report.findings.iter().for_each(|finding| println!("{finding}"));
            let Report { sites, errors, warnings, .. } = report;
            println!(
                "{sites} site{}: {errors} error{}, {warnings} warning{}",
                plural(sites),
                plural(errors),
                plural(warnings)
            );
        }
        anyhow::ensure!(report.errors == 0, "{} error{}", report.errors, plural(report.errors));
        Ok(())
    }
}

/// `masthead site check`: everything that the host would report at its start or at a reload, and the checks of [`Doctor`], those of stored
/// content where there is a database.
pub async fn check(locations: &Locations, plugins: &PluginFolders, modules: &ModuleFolders) -> anyhow::Result<()> {
    let store = existing_store(locations).await?;
    let report = examine(locations, (plugins, modules), None, store.as_ref()).await;
    if let Some(store) = store {
        store.close().await;
    }
    let Report { sites, errors, warnings, findings, .. } = report?;
    findings.iter().for_each(|finding| println!("{finding}"));
    anyhow::ensure!(errors == 0, "{errors} problem{}", plural(errors));
    let also = if warnings == 0 { String::new() } else { format!(", {warnings} warning{}", plural(warnings)) };
    println!("{sites} site{}, no problems{also}", plural(sites));
    Ok(())
}

async fn examine(
    locations: &Locations,
    (plugins, modules): (&PluginFolders, &ModuleFolders),
    site: Option<&str>,
    store: Option<&Store>,
) -> anyhow::Result<Report> {
    let saved = match store {
        Some(store) => store.all_settings().await?,
        None => Saved::new(),
    };
    let folders = Folders {
        sites: locations.sites.clone(),
        data: locations.data.clone(),
        plugins: plugins.plugins.clone(),
        modules: modules.modules.clone(),
    };
    let start = dry_start(&folders, &saved, |config| {
        config.plugin_overrides = plugins.override_plugin.iter().cloned().collect();
        config.grace = GRACE;
    })
    .await?;
    let only = site.map(|site| short_name(&start, locations, site)).transpose()?;
    let is_meant = |sld: &str| only.as_deref().is_none_or(|only| only == sld);
    let installation = Installation {
        folder: &locations.sites,
        platform: &start.table.platform,
        modules: start.modules.clone(),
        catalogues: Messages::catalogue_keys().map_err(anyhow::Error::msg)?,
    };
    let mut subjects: Vec<Subject<'_>> = Vec::new();
    for entry in start.table.iter().filter(|entry| is_meant(&entry.site.sld)) {
        let SiteFacts { languages, menu, plugins } = SiteFacts::of(entry, &start.table);
        let redirects = match store {
            Some(store) => store.redirects(entry.site.id).await?.into_iter().map(|redirect| redirect.from).collect(),
            None => BTreeSet::new(),
        };
        subjects.push(Subject { site: &entry.site, languages, menu, plugins, redirects });
    }
    let mut findings = start.table.findings.clone();
    findings.extend(doctor::of_files(&installation, &subjects));
    if let Some(store) = store {
        for subject in &subjects {
            findings.extend(doctor::of_content(&installation, subject, store, &locations.data).await?);
        }
    }
    findings.retain(|finding| finding.site.is_empty() || is_meant(&finding.site));
    let mut locator = Locator::new(&start.configuration, &locations.sites);
    findings.iter_mut().for_each(|finding| locator.locate(finding));
    findings.sort_by(|left, right| {
        let place = |finding: &Finding| (finding.site.clone(), finding.file.clone(), finding.line, finding.key.clone());
        place(left).cmp(&place(right))
    });
    let errors = findings.iter().filter(|finding| finding.level == Level::Error).count();
    Ok(Report { sites: subjects.len(), content: store.is_some(), errors, warnings: findings.len() - errors, findings })
}

/// The short name of a site, also of one whose file is so wrong that it is not served.
fn short_name(start: &DryStart, locations: &Locations, site: &str) -> anyhow::Result<String> {
    let is_name = !site.contains(['/', '\\', '.']) && site != "platform";
    if is_name && locations.sites.join(format!("{site}.toml")).is_file() {
        return Ok(site.to_owned());
    }
    find_site(&start.configuration, site).map(|site| site.sld.clone())
}
