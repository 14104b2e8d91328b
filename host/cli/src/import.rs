//! `masthead import`.

use std::{io::IsTerminal as _, path::PathBuf};

use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use crate::{Locations, find_site};
use masthead_config::{Configuration, Saved};
use masthead_content::data_folder::open_store;
use masthead_content::import::{Format, Importer, Item, Outcome};

/// Import content into a site. To resume an interrupted import, run the command again: items that were imported are skipped.
#[derive(Args)]
pub struct Import {
    /// Format of the files.
    #[arg(value_parser = formats())]
    format: Format,
    #[command(flatten)]
    locations: Locations,
    /// Files, folders, or packages (zip, tar, tar.gz) that contain articles with their images.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Number or short name of the site.
    #[arg(long, value_name = "ID")]
    site: String,
    /// DOI of the article that the references belong to (format `references` only).
    #[arg(long, value_name = "DOI")]
    article: Option<String>,
    /// Convert the files and print the report, but store nothing.
    #[arg(long)]
    dry_run: bool,
    /// Print the report as one JSON object.
    #[arg(long)]
    json: bool,
}

/// Parses the name of a format; `--help` lists the names with their descriptions.
fn formats() -> impl TypedValueParser<Value = Format> {
    let names = Format::ALL.map(|(_, name, about)| PossibleValue::new(name).help(about));
    // `PossibleValuesParser` accepts these names only.
    PossibleValuesParser::new(names).map(|name| Format::named(&name).unwrap_or_default())
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    created: usize,
    updated: usize,
    unchanged: usize,
    valid: usize,
    failed: usize,
    seconds: f64,
    items: Vec<Item>,
}

impl Import {
    pub async fn run(self) -> anyhow::Result<()> {
        let configuration = Configuration::read(&self.locations.sites, &Saved::new())?;
        let site = find_site(&configuration, &self.site)?.id;
        for path in &self.paths {
            anyhow::ensure!(path.exists(), "{} does not exist", path.display());
        }
        anyhow::ensure!(self.format.finds_any(&self.paths), "there is nothing to import in the given paths");
        let store = open_store(&self.locations.data, self.locations.database.as_deref()).await?;
        let mut importer = Importer::new(&store, site, &self.locations.data, self.dry_run);
        let progress = progress(self.json);
        let started = std::time::Instant::now();
        let mut report = Report::default();
        let mut on_item = |item: Item| {
            count(&mut report, &item);
            if item.outcome == Outcome::Failed && !self.json {
                progress.suspend(|| eprintln!("{}", failure(&item)));
            }
            progress.set_message(item.path.rsplit('/').next().unwrap_or_default().to_owned());
            progress.inc(1);
            report.items.push(item);
        };
        match (&self.article, self.format) {
            (Some(article), Format::References) => on_item(importer.references(article, &self.paths[0]).await),
            (None, Format::References) => {
                anyhow::bail!("references belong to an article: name it with --article DOI")
            }
            _ => importer.run(&self.paths, self.format, &mut on_item).await,
        }
        progress.finish_and_clear();
        report.seconds = started.elapsed().as_secs_f64();
        store.close().await;
        if self.json {
            println!("{}", serde_json::to_string(&report)?);
        } else {
            summary(&report);
        }
        anyhow::ensure!(report.failed == 0, "{} of {} items were not imported", report.failed, report.items.len());
        Ok(())
    }
}

fn progress(json: bool) -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if json || !std::io::stderr().is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    if let Ok(style) = ProgressStyle::with_template("{spinner} {pos} done, {per_sec} {msg}") {
        bar.set_style(style);
    }
    bar
}

fn count(report: &mut Report, item: &Item) {
    let counter = match item.outcome {
        Outcome::Created => &mut report.created,
        Outcome::Updated => &mut report.updated,
        Outcome::Unchanged => &mut report.unchanged,
        Outcome::Valid => &mut report.valid,
        Outcome::Failed => &mut report.failed,
    };
    *counter += 1;
}

/// The message for a failed item as `path:line:column: reason`, a form that editors and terminals turn into a link.
fn failure(item: &Item) -> String {
    let reason = item.error.as_deref().unwrap_or_default();
    match (item.line, item.column) {
        (Some(line), Some(column)) => format!("{}:{line}:{column}: {reason}", item.path),
        _ => format!("{}: {reason}", item.path),
    }
}

fn summary(report: &Report) {
    let warned = report.items.iter().filter(|item| !item.warnings.is_empty()).count();
    let mut unknown = std::collections::BTreeMap::<&str, u32>::new();
    for (name, number) in report.items.iter().flat_map(|item| &item.unknown) {
        *unknown.entry(name).or_default() += number;
    }
    println!(
        "{} items in {:.1} s: {} created, {} updated, {} unchanged, {} valid, {} failed; {warned} with warnings",
        report.items.len(),
        report.seconds,
        report.created,
        report.updated,
        report.unchanged,
        report.valid,
        report.failed
    );
    if !unknown.is_empty() {
        let list: Vec<_> = unknown.iter().map(|(name, number)| format!("{name} ({number})")).collect();
        println!("unknown elements, text kept: {}", list.join(", "));
    }
    let left_out: u64 = report.items.iter().flat_map(|item| &item.left_out).map(|one| u64::from(one.texts)).sum();
    if left_out > 0 {
        println!("{left_out} texts left out on purpose; --json lists them with the reasons");
    }
}
