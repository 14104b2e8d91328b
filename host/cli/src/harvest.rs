//! `masthead harvest`.

use clap::Args;
use masthead_content::import::harvest::{HarvestRequest, Harvester};

use crate::{Locations, import_report::Reporter, installation::open_site};

/// Take over the articles of another platform over OAI-PMH: full texts where it offers JATS, otherwise metadata in Dublin Core.
/// Articles whose records are deleted there are removed. To resume an interrupted harvest, or to take over later changes, run the
/// command again.
#[derive(Args)]
pub struct Harvest {
    #[command(flatten)]
    locations: Locations,
    /// Address of the repository, as https://journal.example/oai.
    #[arg(value_name = "URL")]
    url: String,
    /// Number or short name of the site.
    #[arg(long, value_name = "ID")]
    site: String,
    /// Harvest the records of this set only.
    #[arg(long, value_name = "SET", default_value = "", hide_default_value = true)]
    set: String,
    /// Ask for changes since this day (2026-05-17) or moment (2026-05-17T08:30:00Z). Without it, harvest what has changed since the
    /// latest complete harvest, or everything.
    #[arg(long, value_name = "DATE")]
    from: Option<String>,
    /// Permit a repository with an address in a private network, or on this machine.
    #[arg(long)]
    allow_private: bool,
    /// Read all records and print the report, but store nothing.
    #[arg(long)]
    dry_run: bool,
    /// Print the report as one JSON object.
    #[arg(long)]
    json: bool,
}

impl Harvest {
    pub async fn run(self) -> anyhow::Result<()> {
        let (store, site) = open_site(&self.locations, &self.site).await?;
        let request = HarvestRequest {
            url: self.url,
            set: self.set,
            from: self.from,
            allow_private: self.allow_private,
            dry_run: self.dry_run,
        };
        let mut harvester = Harvester::new(&store, site.id, &self.locations.data, request)?;
        let mut reporter = Reporter::new(self.json);
        let outcome = harvester.run(&mut |item| reporter.add(item)).await;
        store.close().await;
        match outcome {
            Ok(harvested) => reporter.finish(Some(harvested)),
            Err(error) => {
                // What was stored before is reported too; the error of the harvest is the more important one.
                let _ = reporter.finish(None);
                Err(error.context("the harvest was interrupted; run the command again to resume it"))
            }
        }
    }
}
