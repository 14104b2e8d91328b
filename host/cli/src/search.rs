//! `masthead search`.

use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use masthead_content::{
    change_log_follower::{Built, reindex},
    data_folder::open_store,
    served_index,
};
use serde_json::json;

use crate::Locations;

/// Time between two lines about the progress.
const INTERVAL: Duration = Duration::from_secs(1);

/// Build the search index again.
#[derive(Subcommand)]
pub enum Search {
    /// Build the search index again from the database, beside the one that is searched, and put it in its place. A running host goes on
    /// answering searches, and uses the new index at once. A command that is interrupted changes nothing; the next one continues its work.
    Reindex(Reindex),
}

/// Options of the command.
#[derive(Args)]
pub struct Reindex {
    #[command(flatten)]
    locations: Locations,
    /// Print the result as JSON; lines about the progress are written to standard error in both cases.
    #[arg(long)]
    json: bool,
}

impl Search {
    pub async fn run(self) -> anyhow::Result<()> {
        let Self::Reindex(reindex) = self;
        reindex.run().await
    }
}

impl Reindex {
    async fn run(self) -> anyhow::Result<()> {
        let Locations { data, database, .. } = self.locations;
        let store = open_store(&data, database.as_deref()).await?;
        let folder = served_index::folder_of(&data, store.restored().await?);
        let started = Instant::now();
        let mut said = None;
        let built = reindex(&store, &folder, |built| {
            if said.is_none_or(|moment: Instant| moment.elapsed() >= INTERVAL) {
                said = Some(Instant::now());
                eprintln!("{}", progress(built));
            }
        })
        .await?;
        store.close().await;
        let seconds = started.elapsed().as_secs_f64();
        if self.json {
            println!("{}", json!({ "index": built.index, "changes": built.changes, "seconds": seconds }));
        } else {
            println!(
                "The search index was built from {} changes in {seconds:.1} s. A running host uses it now, and others from their start on.",
                built.changes
            );
        }
        Ok(())
    }
}

/// A line about the progress.
fn progress(built: Built) -> String {
    let percent = if built.of == 0 { 100 } else { built.changes.saturating_mul(100) / built.of };
    format!("{} of {} changes ({percent} %)", built.changes, built.of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_said_in_changes_and_percent() {
        let built = |changes, of| progress(Built { index: 2, changes, of });
        assert_eq!(built(0, 0), "0 of 0 changes (100 %)");
        assert_eq!(built(500, 2_000), "500 of 2000 changes (25 %)");
    }
}
