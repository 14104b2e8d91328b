//! What became of a bundle, in short: the differences as counts and examples, as commands and calls report them.

use masthead_store::site_rows::{Decision, RowChange, SiteDiff, TABLES};
use serde::Serialize;

use super::{ChangedRecord, FileChange, LoadState, Loaded};
use crate::import::Item;

/// Examples that are shown of each kind of difference.
pub(super) const EXAMPLES: usize = 5;

/// The differences in one table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableSummary {
    /// The table.
    pub table: &'static str,
    /// Rows that only the other copy has.
    pub new: RowsSummary,
    /// Rows that differ.
    pub replaced: RowsSummary,
    /// Rows that only this copy has.
    pub removed: RowsSummary,
    /// What differs in the examples of replaced rows, of at most 20 fields of a table; nothing where the rows are no records, and of a bundle
    /// that was loaded.
    pub changed: Vec<ChangedRecord>,
}

/// How many rows, and some of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RowsSummary {
    /// Number of rows.
    pub count: usize,
    /// The first of them, in words.
    pub examples: Vec<String>,
}

impl RowsSummary {
    fn of(changes: &[RowChange]) -> Self {
        let examples = changes.iter().take(EXAMPLES).map(|change| change.shown.clone()).collect();
        Self { count: changes.len(), examples }
    }

    /// The examples in one line; "" if there are none.
    #[must_use]
    pub fn line(&self) -> String {
        let more = if self.count > self.examples.len() { ", ..." } else { "" };
        format!("{}{more}", self.examples.join(", "))
    }
}

/// The tables that differ. Those that are made from others are left out while others differ: they say the same again.
#[must_use]
pub fn summary(diff: &SiteDiff) -> Vec<TableSummary> {
    let is_kept =
        |table: &str| TABLES.iter().any(|decision| decision.table == table && decision.decision == Decision::Kept);
    let any_kept = diff.tables.iter().any(|table| is_kept(table.table));
    let shown = diff.tables.iter().filter(|table| !any_kept || is_kept(table.table));
    shown
        .map(|table| TableSummary {
            table: table.table,
            new: RowsSummary::of(&table.new),
            replaced: RowsSummary::of(&table.replaced),
            removed: RowsSummary::of(&table.removed),
            changed: Vec::new(),
        })
        .collect()
}

/// What became of a bundle.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LoadReport {
    /// Short name of the site.
    pub site: String,
    /// What was done.
    pub state: LoadState,
    /// Number of articles in the bundle.
    pub articles: u64,
    /// Number of its resources other than figures and tables.
    pub resources: u64,
    /// Digest of the differences, by which somebody who has seen them confirms them.
    pub digest: String,
    /// The differences of the content.
    pub tables: Vec<TableSummary>,
    /// The configuration files that differ.
    pub configuration: Vec<FileChange>,
    /// What was left out of the bundle, with the reasons.
    pub failed: Vec<Item>,
}

impl LoadReport {
    /// The report of a bundle of which these items were left out.
    #[must_use]
    pub fn of(loaded: Loaded, failed: Vec<Item>) -> Self {
        let digest = loaded.diff.digest();
        let mut tables = summary(&loaded.diff.site);
        let Loaded { manifest, diff, state, mut changed } = loaded;
        for table in &mut tables {
            table.changed = changed.remove(table.table).unwrap_or_default();
        }
        Self {
            site: manifest.sld,
            state,
            articles: manifest.articles,
            resources: manifest.resources,
            digest,
            tables,
            configuration: diff.configuration,
            failed,
        }
    }
}
