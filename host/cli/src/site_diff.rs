//! The differences between two copies of a site, in short: counts and examples.

use masthead_store::site_rows::{Decision, RowChange, SiteDiff, TABLES};
use serde::Serialize;

/// Examples that are shown of each kind of difference.
const EXAMPLES: usize = 5;

/// The differences in one table.
#[derive(Debug, Serialize)]
pub struct TableSummary {
    pub table: &'static str,
    pub new: Summary,
    pub replaced: Summary,
    pub removed: Summary,
}

/// How many rows, and some of them.
#[derive(Debug, Serialize)]
pub struct Summary {
    pub count: usize,
    pub examples: Vec<String>,
}

impl Summary {
    fn of(changes: &[RowChange]) -> Self {
        let examples = changes.iter().take(EXAMPLES).map(|change| change.shown.clone()).collect();
        Self { count: changes.len(), examples }
    }

    /// The examples in one line; "" if there are none.
    pub fn line(&self) -> String {
        let more = if self.count > self.examples.len() { ", ..." } else { "" };
        format!("{}{more}", self.examples.join(", "))
    }
}

/// The tables that differ. Those that are made from others are left out while others differ: they say the same again.
pub fn summary(diff: &SiteDiff) -> Vec<TableSummary> {
    let is_kept =
        |table: &str| TABLES.iter().any(|decision| decision.table == table && decision.decision == Decision::Kept);
    let any_kept = diff.tables.iter().any(|table| is_kept(table.table));
    let shown = diff.tables.iter().filter(|table| !any_kept || is_kept(table.table));
    shown
        .map(|table| TableSummary {
            table: table.table,
            new: Summary::of(&table.new),
            replaced: Summary::of(&table.replaced),
            removed: Summary::of(&table.removed),
        })
        .collect()
}
