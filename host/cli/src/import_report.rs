//! The report of an import or a harvest, and its progress on a terminal.

use std::{collections::BTreeMap, io::IsTerminal as _, time::Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use masthead_content::import::{Item, Outcome, harvest::Harvested};
use serde::Serialize;

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    created: usize,
    updated: usize,
    unchanged: usize,
    removed: usize,
    valid: usize,
    failed: usize,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    harvest: Option<Harvested>,
    /// Why the import was stopped before its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
    items: Vec<Item>,
}

/// Collects the items of a run.
pub struct Reporter {
    report: Report,
    progress: ProgressBar,
    started: Instant,
    json: bool,
}

impl Reporter {
    /// A report, as JSON or for people.
    pub fn new(json: bool) -> Self {
        Self { report: Report::default(), progress: progress(json), started: Instant::now(), json }
    }

    /// Adds an item, and shows it.
    pub fn add(&mut self, item: Item) {
        let counter = match item.outcome {
            Outcome::Created => &mut self.report.created,
            Outcome::Updated => &mut self.report.updated,
            Outcome::Unchanged => &mut self.report.unchanged,
            Outcome::Removed => &mut self.report.removed,
            Outcome::Valid => &mut self.report.valid,
            Outcome::Failed => &mut self.report.failed,
        };
        *counter += 1;
        if item.outcome == Outcome::Failed && !self.json {
            self.progress.suspend(|| eprintln!("{}", failure(&item)));
        }
        self.progress.set_message(item.path.rsplit('/').next().unwrap_or_default().to_owned());
        self.progress.inc(1);
        self.report.items.push(item);
    }

    /// Notes why the import was stopped before its end.
    pub fn stop(&mut self, reason: String) {
        self.report.stopped = Some(reason);
    }

    /// Prints the report; an error if an item failed, or the import was stopped.
    pub fn finish(mut self, harvest: Option<Harvested>) -> anyhow::Result<()> {
        self.progress.finish_and_clear();
        self.report.seconds = self.started.elapsed().as_secs_f64();
        self.report.harvest = harvest;
        let report = self.report;
        if self.json {
            println!("{}", serde_json::to_string(&report)?);
        } else {
            summary(&report);
        }
        if let Some(reason) = report.stopped {
            anyhow::bail!(reason);
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
    let mut unknown = BTreeMap::<&str, u32>::new();
    for (name, number) in report.items.iter().flat_map(|item| &item.unknown) {
        *unknown.entry(name).or_default() += number;
    }
    let removed = if report.removed > 0 { format!("{} removed, ", report.removed) } else { String::new() };
    println!(
        "{} items in {:.1} s: {} created, {} updated, {} unchanged, {removed}{} valid, {} failed; {warned} with warnings",
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
    let articles = report.items.iter().filter(|item| item.kind == "article");
    let left_out: u64 = articles.flat_map(|item| &item.left_out).map(|one| u64::from(one.texts)).sum();
    if left_out > 0 {
        println!("{left_out} texts left out on purpose; --json lists them with the reasons");
    }
    report.items.iter().filter(|item| item.kind != "article").for_each(exported);
    if let Some(harvest) = &report.harvest {
        let since = if harvest.from.is_empty() { String::new() } else { format!(" since {}", harvest.from) };
        let resumed = if harvest.resumed { ", continued" } else { "" };
        println!("harvested {} as {}{since}: {} pages{resumed}", harvest.repository, harvest.format, harvest.pages);
        harvest.warnings.iter().for_each(|warning| println!("{warning}"));
    }
}

/// What an export of another platform has besides its articles, and what of it is left out.
fn exported(item: &Item) {
    match (item.kind, item.number) {
        ("redirects", Some(number)) => println!("{number} old addresses lead to what is here now"),
        ("counts", Some(number)) => println!("usage counts: {number} lines"),
        _ => {}
    }
    item.left_out.iter().for_each(|one| println!("left out: {} {}: {}", one.texts, one.path, one.reason));
    if item.kind == "export" {
        item.warnings.iter().for_each(|warning| println!("{warning}"));
    }
}
