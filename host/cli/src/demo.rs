//! `masthead demo`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::demo_content;
use crate::{Locations, installation::open_site};

/// Demo content.
#[derive(Subcommand)]
pub enum Demo {
    /// Generate fictional articles in Chinese and English; the same seed gives the same articles on every machine.
    Generate(Generate),
}

/// Generate articles and write them as JATS files, or import them into a site.
#[derive(Args)]
pub struct Generate {
    #[command(flatten)]
    locations: Locations,
    /// Number of articles.
    #[arg(long, default_value_t = 100, value_name = "N")]
    articles: usize,
    /// Seed of the random numbers; another seed gives other articles.
    #[arg(long, default_value_t = demo_content::SEED, value_name = "S")]
    seed: u64,
    /// Folder to write the files to, in one subfolder for each journal.
    #[arg(long, value_name = "DIR", required_unless_present = "site", conflicts_with = "site")]
    into: Option<PathBuf>,
    /// Number or short name of the site to import the articles into. A site gets the articles of the demo journals that its
    /// configuration lists, or all articles if it lists none.
    #[arg(long, value_name = "ID")]
    site: Option<String>,
}

impl Demo {
    pub async fn run(self) -> anyhow::Result<()> {
        let Self::Generate(generate) = self;
        match (&generate.into, &generate.site) {
            (Some(folder), _) => {
                let made = demo_content::generate_files(generate.seed, generate.articles, folder.clone()).await?;
                println!("{} articles in {}", made.len(), folder.display());
                Ok(())
            }
            (None, Some(site)) => generate.import(site).await,
            (None, None) => anyhow::bail!("no destination given: use --into DIR or --site ID"),
        }
    }
}

impl Generate {
    async fn import(&self, site: &str) -> anyhow::Result<()> {
        let (store, site) = open_site(&self.locations, site).await?;
        let folder = tempfile::tempdir()?;
        let started = std::time::Instant::now();
        let made = demo_content::generate_files(self.seed, self.articles, folder.path().to_owned()).await?;
        let mut journals = site.demo.clone();
        if !made.iter().any(|(made, _)| journals.contains(&made.journal)) {
            journals = made.iter().map(|(made, _)| made.journal.clone()).collect();
        }
        let items = demo_content::store(&store, site.id, &self.locations.data, &journals, &made).await?;
        store.close().await;
        println!("{} articles in the site {} in {:.1} s", items.len(), site.sld, started.elapsed().as_secs_f64());
        Ok(())
    }
}
