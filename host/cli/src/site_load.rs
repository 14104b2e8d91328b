//! `masthead site load`.

use std::path::PathBuf;

use clap::Args;
use masthead_content::{
    data_folder::open_store,
    import::{Item, Outcome},
    site_bundle::{self, FileAction, FileChange, LoadOptions, LoadState, Loaded},
};
use serde::Serialize;

use crate::{
    Locations,
    records::By,
    site_diff::{self, TableSummary},
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

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'a> {
    site: &'a str,
    state: LoadState,
    articles: u64,
    resources: u64,
    digest: &'a str,
    tables: Vec<TableSummary>,
    configuration: &'a [FileChange],
    failed: &'a [Item],
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
        let loaded = loaded?;
        let digest = loaded.diff.digest();
        self.print(&loaded, &digest, &failed)?;
        anyhow::ensure!(
            loaded.state != LoadState::NeedsReplace || self.confirm.is_none(),
            "the differences are not those with the digest {}; nothing is changed. The digest of those above is {digest}",
            self.confirm.as_deref().unwrap_or_default()
        );
        anyhow::ensure!(
            loaded.state != LoadState::NeedsReplace,
            "this installation has the site {}; nothing is changed. To make it the site of {}, run the command again with --replace, \
             or with --confirm {digest}, which replaces it only if the differences are still those above",
            loaded.manifest.sld,
            self.file.display()
        );
        anyhow::ensure!(failed.is_empty(), "{} of {items} items were not loaded", failed.len());
        Ok(())
    }

    fn print(&self, loaded: &Loaded, digest: &str, failed: &[Item]) -> anyhow::Result<()> {
        let tables = site_diff::summary(&loaded.diff.site);
        if self.json {
            let report = Report {
                site: &loaded.manifest.sld,
                state: loaded.state,
                articles: loaded.manifest.articles,
                resources: loaded.manifest.resources,
                digest,
                tables,
                configuration: &loaded.diff.configuration,
                failed,
            };
            println!("{}", serde_json::to_string(&report)?);
            return Ok(());
        }
        for item in failed {
            eprintln!("{}: {}", item.path, item.error.as_deref().unwrap_or_default());
        }
        for table in &tables {
            let TableSummary { table, new, replaced, removed } = table;
            println!("{table}: {} new, {} replaced, {} removed", new.count, replaced.count, removed.count);
            for (what, changes) in [("new", new), ("replaced", replaced), ("removed", removed)] {
                if changes.count > 0 {
                    println!("  {what}: {}", changes.line());
                }
            }
        }
        for file in &loaded.diff.configuration {
            let what = match file.action {
                FileAction::New => "new",
                FileAction::Replaced => "replaced",
                FileAction::Kept => "differs from that of the bundle and stays as it is",
            };
            println!("{}: {what}", file.path);
        }
        let manifest = &loaded.manifest;
        let state = match loaded.state {
            LoadState::Loaded => "loaded",
            LoadState::Unchanged => "unchanged",
            LoadState::NeedsReplace | LoadState::DryRun => "not loaded",
        };
        println!("{}: {} articles, {} resources, {state}", manifest.sld, manifest.articles, manifest.resources);
        if loaded.state == LoadState::DryRun {
            println!("digest of the differences: {digest}");
        }
        Ok(())
    }
}
