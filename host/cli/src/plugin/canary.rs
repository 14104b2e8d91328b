//! `masthead plugin canary`.

use clap::{Args, Subcommand};
use masthead_runtime::CanaryStatus;

use crate::plugin::{admin, edits, stats::Filter};

/// Show how canaries compare on a running host, or begin one.
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
    /// Run another version of a plugin beside the one in use.
    Start(edits::Start),
}

impl Canary {
    pub async fn run(self) -> anyhow::Result<()> {
        if let Some(Action::Start(start)) = self.action {
            return start.run();
        }
        let mut canaries: Vec<CanaryStatus> = admin::get(&self.filter.data, "/canaries").await?;
        canaries.retain(|canary| self.filter.takes(&canary.site, &canary.plugin));
        if self.filter.json {
            println!("{}", serde_json::to_string_pretty(&canaries)?);
        } else if canaries.is_empty() {
            println!("no canary of this kind runs");
        }
        for canary in canaries.iter().filter(|_| !self.filter.json) {
            print!("{}", words(canary));
        }
        Ok(())
    }
}

fn words(canary: &CanaryStatus) -> String {
    let CanaryStatus { site, plugin, current, canary: other, share, compared, differed, skipped, failed, latest } =
        canary;
    let role = if *share == 0 { "in the shadow".to_owned() } else { format!("answers {share} % of requests") };
    let mut text = format!("site {site}: {plugin} {other} beside {current}, {role}\n");
    text += &format!("  {compared} compared, {differed} differed, {failed} failed, {skipped} not compared (busy)\n");
    for difference in latest {
        text += &format!("  {} of {}\n", difference.hook, difference.input);
        text += &format!("    {current}: {}\n    {other}: {}\n", difference.current, difference.canary);
    }
    text + &match (*compared, differed + failed) {
        (0, _) => "  nothing to compare yet\n".to_owned(),
        (_, 0) => format!("  no difference; take it with: masthead plugin promote --site {site} {plugin}\n"),
        _ => format!("  end it with: masthead plugin rollback --site {site} {plugin}\n"),
    }
}
