//! `masthead site load`.

use std::path::PathBuf;

use clap::Args;
use masthead_content::{
    data_folder::open_store,
    import::{Item, Outcome},
    site_bundle::{self, FileAction, LoadOptions, LoadReport, LoadState, TableSummary},
};

use crate::{Locations, records::By};

/// Load a site that was exported by another installation, with its numbers, dates, counts and settings. A site that this installation has
/// is replaced only with --replace or --confirm; without them, the differences are listed. Loading again changes nothing.
#[derive(Args)]
pub struct Load {
    #[command(flatten)]
    locations: Locations,
    /// The exported file.
    file: PathBuf,
    /// Replace what this installation has of the site. Articles that the file does not have are removed; OAI-PMH lists them as deleted.
    #[arg(long)]
    replace: bool,
    /// Replace it if the differences are those with this digest, which the command without this option prints.
    #[arg(long, value_name = "DIGEST", conflicts_with = "replace")]
    confirm: Option<String>,
    /// Leave the configuration files of a site that this installation has as they are.
    #[arg(long)]
    keep_configuration: bool,
    #[command(flatten)]
    by: By,
    /// Check the file and list the differences, but change nothing.
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl Load {
    pub async fn run(self) -> anyhow::Result<()> {
        let store = open_store(&self.locations.data, self.locations.database.as_deref()).await?;
        let (mut items, mut failed) = (0, Vec::new());
        let mut on_item = |item: Item| {
            items += 1;
            if item.outcome == Outcome::Failed {
                failed.push(item);
            }
        };
        let who = self.by.name();
        let options = LoadOptions {
            replace: self.replace,
            confirmed: self.confirm.as_deref(),
            keep_configuration: self.keep_configuration,
            dry_run: self.dry_run,
            who: &who,
        };
        let Locations { data, sites, .. } = &self.locations;
        let loaded = site_bundle::load(&store, data, sites, &self.file, options, &mut on_item).await;
        store.close().await;
        let report = LoadReport::of(loaded?, failed);
        self.print(&report)?;
        anyhow::ensure!(
            report.state != LoadState::NeedsReplace || self.confirm.is_none(),
            "the differences are not those with the digest {}; nothing is changed. The digest of those above is {}",
            self.confirm.as_deref().unwrap_or_default(),
            report.digest
        );
        anyhow::ensure!(
            report.state != LoadState::NeedsReplace,
            "this installation has the site {}; nothing is changed. To make it the site of {}, run the command again with --replace, \
             or with --confirm {}, which replaces it only if the differences are still those above",
            report.site,
            self.file.display(),
            report.digest
        );
        anyhow::ensure!(report.failed.is_empty(), "{} of {items} items were not loaded", report.failed.len());
        Ok(())
    }

    fn print(&self, report: &LoadReport) -> anyhow::Result<()> {
        if self.json {
            println!("{}", serde_json::to_string(report)?);
            return Ok(());
        }
        for item in &report.failed {
            eprintln!("{}: {}", item.path, item.error.as_deref().unwrap_or_default());
        }
        for table in &report.tables {
            let TableSummary { table, new, replaced, removed } = table;
            println!("{table}: {} new, {} replaced, {} removed", new.count, replaced.count, removed.count);
            for (what, changes) in [("new", new), ("replaced", replaced), ("removed", removed)] {
                if changes.count > 0 {
                    println!("  {what}: {}", changes.line());
                }
            }
        }
        for file in &report.configuration {
            let what = match file.action {
                FileAction::New => "new",
                FileAction::Replaced => "replaced",
                FileAction::Kept => "differs from that of the bundle and stays as it is",
            };
            println!("{}: {what}", file.path);
        }
        let state = match report.state {
            LoadState::Loaded => "loaded",
            LoadState::Unchanged => "unchanged",
            LoadState::NeedsReplace | LoadState::DryRun => "not loaded",
        };
        println!("{}: {} articles, {} resources, {state}", report.site, report.articles, report.resources);
        if report.state == LoadState::DryRun {
            println!("digest of the differences: {}", report.digest);
        }
        Ok(())
    }
}
