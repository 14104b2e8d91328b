//! `masthead plugin canary`.

use clap::{Args, Subcommand};
use masthead_runtime::CanaryStatus;

use crate::plugin::{admin, site_edits, stats::Filter};

/// Show the comparison of canary versions on a running host, or start a canary.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Canary {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    filter: Filter,
}

#[derive(Subcommand)]
enum Action {
    /// Run a second version of a plugin alongside the version in use.
    Start(site_edits::Start),
}

impl Canary {
    pub async fn run(self) -> anyhow::Result<()> {
        if let Some(Action::Start(start)) = self.action {
            return start.run().await;
        }
        let mut canaries: Vec<CanaryStatus> = admin::get(&self.filter.data, "/canaries").await?;
        canaries.retain(|canary| self.filter.selects(&canary.site, &canary.plugin));
        if self.filter.json {
            println!("{}", serde_json::to_string_pretty(&canaries)?);
        } else if canaries.is_empty() {
            println!("no canary matches");
        }
        for canary in canaries.iter().filter(|_| !self.filter.json) {
            print!("{}", summary(canary));
        }
        Ok(())
    }
}

fn summary(canary: &CanaryStatus) -> String {
    let CanaryStatus { site, plugin, current, canary: other, share, compared, differed, skipped, failed, latest } =
        canary;
    let role = if *share == 0 { "compared only".to_owned() } else { format!("serves {share} % of requests") };
    let mut text = format!("site {site}: {plugin} {other} alongside {current}, {role}\n");
    text += &format!("  {compared} compared, {differed} differed, {failed} failed, {skipped} skipped (host busy)\n");
    for difference in latest {
        text += &format!("  {} with input {}\n", difference.hook, difference.input);
        text += &format!("    {current}: {}\n    {other}: {}\n", difference.current, difference.canary);
    }
    text + &match (*compared, differed + failed) {
        (0, _) => "  nothing compared yet\n".to_owned(),
        (_, 0) => format!("  no differences; to use this version: masthead plugin promote --site {site} {plugin}\n"),
        _ => format!("  to end the canary: masthead plugin rollback --site {site} {plugin}\n"),
    }
}
