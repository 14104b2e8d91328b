//! `masthead site load`.

use std::path::PathBuf;

use clap::Args;
use masthead_content::{
    data_folder::open_store,
    import::{Item, Outcome},
    site_bundle::{self, FieldChanges, FileAction, LoadOptions, LoadReport, LoadState, TableSummary},
};

use crate::{
    Locations,
    records::{By, shown},
};

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
        report.tables.iter().for_each(print_table);
        for file in &report.configuration {
            let what = match file.action {
                FileAction::New => "new",
                FileAction::Replaced => "replaced",
                FileAction::Kept => "differs from that of the bundle and stays as it is",
            };
            println!("{}: {what}", file.path);
            print_fields("  ", &file.changes);
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

/// The rows of a table that differ, and what differs in records that are replaced.
fn print_table(differences: &TableSummary) {
    let TableSummary { table, new, replaced, removed, changed } = differences;
    println!("{table}: {} new, {} replaced, {} removed", new.count, replaced.count, removed.count);
    for (what, rows) in [("new", new), ("replaced", replaced), ("removed", removed)] {
        if rows.count > 0 {
            println!("  {what}: {}", rows.line());
        }
        for record in changed.iter().filter(|_| what == "replaced") {
            println!("    {}", record.name);
            print_fields("      ", &record.changes);
        }
    }
}

/// Fields with their values before and after.
fn print_fields(indent: &str, changes: &FieldChanges) {
    for change in &changes.fields {
        println!("{indent}{}: {} -> {}", change.key, shown(&change.before), shown(&change.after));
    }
    if changes.more > 0 {
        println!("{indent}and {} more", changes.more);
    }
}
