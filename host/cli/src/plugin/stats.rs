//! `masthead plugin stats`.

use std::path::PathBuf;

use clap::Args;
use masthead_runtime::HookUsage;

use crate::plugin::admin;

/// Show calls, times and memory of plugins on a running host.
#[derive(Args)]
pub struct Stats {
    #[command(flatten)]
    filter: Filter,
}

/// Options that select a running host and some of its plugins.
#[derive(Args)]
pub struct Filter {
    /// Data folder of the running host.
    #[arg(long, default_value = "data", env = "MASTHEAD_DATA", value_name = "DIR")]
    pub data: PathBuf,
    /// Show only this site, given by its short name.
    #[arg(long, value_name = "SLD")]
    pub site: Option<String>,
    /// Show only this plugin, given by its id.
    #[arg(long, value_name = "ID")]
    pub plugin: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

impl Filter {
    /// Whether the filter selects a row.
    pub fn selects(&self, site: &str, plugin: &str) -> bool {
        self.site.as_deref().is_none_or(|wanted| wanted == site)
            && self.plugin.as_deref().is_none_or(|wanted| wanted == plugin)
    }
}

impl Stats {
    pub async fn run(self) -> anyhow::Result<()> {
        let mut costs: Vec<HookUsage> = admin::get(&self.filter.data, "/costs").await?;
        costs.retain(|cost| self.filter.selects(&cost.site, &cost.plugin));
        costs.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
        if self.filter.json {
            println!("{}", serde_json::to_string_pretty(&costs)?);
        } else if costs.is_empty() {
            println!("no plugin in use matches");
        } else {
            println!("{}", table(&costs));
        }
        Ok(())
    }
}

fn table(costs: &[HookUsage]) -> String {
    let head = ["site", "plugin", "version", "hook", "calls", "cached", "failed", "p50", "p99", "total", "memory"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for cost in costs {
        let state = if cost.circuit_open { " (off)" } else { "" };
        rows.push(vec![
            cost.site.clone(),
            format!("{}{state}", cost.plugin),
            cost.version.clone(),
            cost.hook.clone(),
            (cost.ok + cost.failures()).to_string(),
            cost.cached.to_string(),
            cost.failures().to_string(),
            time(cost.p50),
            time(cost.p99),
            time(cost.seconds),
            bytes(cost.memory_peak),
        ]);
    }
    columns(&rows, 4)
}

/// Formats rows as a table; the first `left` columns are left-aligned, the others right-aligned.
pub fn columns(rows: &[Vec<String>], left: usize) -> String {
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<_> = (0..rows.first().map_or(0, Vec::len)).map(|column| width(column).unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if column < left { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Formats a duration in seconds with a suitable unit.
pub fn time(seconds: f64) -> String {
    match seconds {
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 1e-3 => format!("{:.2} ms", s * 1e3),
        s if s > 0.0 => format!("{:.1} µs", s * 1e6),
        _ => "-".to_owned(),
    }
}

/// Formats a number of bytes as KiB or MiB.
pub fn bytes(bytes: u64) -> String {
    #[allow(clippy::cast_precision_loss, reason = "for display only")]
    let mebibytes = bytes as f64 / f64::from(1 << 20);
    if mebibytes >= 1.0 { format!("{mebibytes:.1} MiB") } else { format!("{} KiB", bytes.div_ceil(1024)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_aligns_columns() {
        let cost = HookUsage {
            site: "oceanledger".to_owned(),
            plugin: "open-badge".to_owned(),
            version: "0.1.0".to_owned(),
            hook: "article.decorate".to_owned(),
            ok: 10,
            cached: 3,
            failed: vec![("trap".to_owned(), 2)],
            seconds: 1.5,
            p50: 0.000_02,
            p99: 0.0123,
            memory_peak: 1_200_000,
            circuit_open: true,
        };
        assert_eq!(
            table(&[cost]),
            "site         plugin            version  hook              calls  cached  failed      p50       p99   total   memory\n\
             oceanledger  open-badge (off)  0.1.0    article.decorate     12       3       2  20.0 µs  12.30 ms  1.50 s  1.1 MiB"
        );
    }
}
