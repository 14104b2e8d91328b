//! `masthead article`.

use clap::{Args, Subcommand};
use masthead_domain::{ArticleId, Doi};
use masthead_store::SiteStore;
use serde::Serialize;

use crate::{Locations, find_site};
use masthead_config::{Configuration, Saved};
use masthead_content::data_folder::open_store;

/// Remove articles from a site.
#[derive(Subcommand)]
pub enum Articles {
    /// Remove articles. OAI-PMH lists them as deleted; an article that is imported again gets its former number.
    Remove(Remove),
}

/// Remove articles.
#[derive(Args)]
pub struct Remove {
    #[command(flatten)]
    locations: Locations,
    /// Number or short name of the site.
    #[arg(long, value_name = "ID")]
    site: String,
    /// DOI of an article; may be repeated.
    #[arg(long, value_name = "DOI", required_unless_present = "id")]
    doi: Vec<String>,
    /// Number of an article on the site; may be repeated.
    #[arg(long, value_name = "NUMBER")]
    id: Vec<i64>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Default, Serialize)]
struct Report {
    removed: Vec<i64>,
    missing: Vec<String>,
}

impl Articles {
    pub async fn run(self) -> anyhow::Result<()> {
        let Self::Remove(remove) = self;
        remove.run().await
    }
}

impl Remove {
    async fn run(self) -> anyhow::Result<()> {
        let configuration = Configuration::read(&self.locations.sites, &Saved::new())?;
        let site = find_site(&configuration, &self.site)?;
        let dois = self.doi.iter().map(|doi| Doi::parse(doi)).collect::<Result<Vec<_>, _>>()?;
        let store = open_store(&self.locations.data, self.locations.database.as_deref()).await?;
        let report = remove(&store.site(site.id), &dois, &self.id).await?;
        store.close().await;
        if self.json {
            println!("{}", serde_json::to_string(&report)?);
        } else {
            report.removed.iter().for_each(|id| println!("removed article {id} from {}", site.sld));
        }
        let missing = report.missing.join(", ");
        anyhow::ensure!(report.missing.is_empty(), "site {} has no article {missing}", site.sld);
        Ok(())
    }
}

async fn remove(store: &SiteStore, dois: &[Doi], ids: &[i64]) -> anyhow::Result<Report> {
    let mut report = Report::default();
    let mut to_remove = Vec::new();
    for doi in dois {
        match store.article_id_by_doi(doi).await? {
            Some(id) => to_remove.push(id),
            None => report.missing.push(doi.to_string()),
        }
    }
    to_remove.extend(ids.iter().map(|id| ArticleId(*id)));
    to_remove.sort_unstable();
    to_remove.dedup();
    for id in to_remove {
        if store.remove_article(id).await? {
            report.removed.push(id.0);
        } else {
            report.missing.push(id.to_string());
        }
    }
    Ok(report)
}
