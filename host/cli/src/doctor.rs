//! `masthead doctor`, and the checks of `masthead site check`.

use std::time::Duration;

use clap::Args;
use masthead_config::{Configuration, Saved};
use masthead_store::Store;
use masthead_web::{app::Folders, dry_start::dry_start, examination::Report};

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
        print(&report, self.json)?;
        let Report { sites, errors, warnings, .. } = report;
        if !self.json {
            println!(
                "{sites} site{}: {errors} error{}, {warnings} warning{}",
                plural(sites),
                plural(errors),
                plural(warnings)
            );
        }
        anyhow::ensure!(errors == 0, "{errors} error{}", plural(errors));
        Ok(())
    }
}

/// `masthead site check`: everything that the host would report at its start or at a reload, and the checks of [`Doctor`], those of stored
/// content where there is a database.
pub async fn check(
    locations: &Locations,
    plugins: &PluginFolders,
    modules: &ModuleFolders,
    json: bool,
) -> anyhow::Result<()> {
    let store = existing_store(locations).await?;
    let report = examine(locations, (plugins, modules), None, store.as_ref()).await;
    if let Some(store) = store {
        store.close().await;
    }
    let report = report?;
    print(&report, json)?;
    let Report { sites, errors, warnings, .. } = report;
    anyhow::ensure!(errors == 0, "{errors} problem{}", plural(errors));
    if !json {
        let also = if warnings == 0 { String::new() } else { format!(", {warnings} warning{}", plural(warnings)) };
        println!("{sites} site{}, no problems{also}", plural(sites));
    }
    Ok(())
}

/// Prints the whole report as JSON, or the text of each diagnostic.
fn print(report: &Report, json: bool) -> anyhow::Result<()> {
    if json {
        println!("{}", serde_json::to_string_pretty(report)?);
    } else {
        report.diagnostics.iter().for_each(|diagnostic| println!("{diagnostic}"));
    }
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
    let examination = dry_start(&folders, &saved, |config| {
        config.plugin_overrides = plugins.override_plugin.iter().cloned().collect();
        config.grace = GRACE;
    })
    .await?;
    let only = site.map(|site| short_name(&examination.configuration, locations, site)).transpose()?;
    examination.report(store.cloned(), only).await
}

/// The short name of a site, also of one whose file is so wrong that it is not served.
fn short_name(configuration: &Configuration, locations: &Locations, site: &str) -> anyhow::Result<String> {
    let is_name = !site.contains(['/', '\\', '.']) && site != "platform";
    if is_name && locations.sites.join(format!("{site}.toml")).is_file() {
        return Ok(site.to_owned());
    }
    find_site(configuration, site).map(|site| site.sld.clone())
}
