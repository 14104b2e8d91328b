//! `masthead demo`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::demo_content;
use crate::{Places, find};
use masthead_config::{Configuration, Saved};
use masthead_content::data_folder::open_store;

/// Content for trying things out.
#[derive(Subcommand)]
pub enum Demo {
    /// Make articles: invented, in Chinese and English, the same for the same seed everywhere.
    Generate(Generate),
}

/// Make articles and write them as JATS, or import them.
#[derive(Args)]
pub struct Generate {
    #[command(flatten)]
    places: Places,
    /// How many.
    #[arg(long, default_value_t = 100, value_name = "N")]
    articles: usize,
    /// Where the numbers come from; another seed, other articles.
    #[arg(long, default_value_t = demo_content::SEED, value_name = "S")]
    seed: u64,
    /// Folder to write the files to, one folder for each journal.
    #[arg(long, value_name = "DIR", required_unless_present = "site", conflicts_with = "site")]
    into: Option<PathBuf>,
    /// Number or short name of the site to import them into: those of the demo journals that it names, or all if it names none.
    #[arg(long, value_name = "ID")]
    site: Option<String>,
}

impl Demo {
    pub async fn run(self) -> anyhow::Result<()> {
        let Self::Generate(generate) = self;
        match (&generate.into, &generate.site) {
            (Some(folder), _) => {
                let made = demo_content::make(generate.seed, generate.articles, folder.clone()).await?;
                println!("{} articles in {}", made.len(), folder.display());
                Ok(())
            }
            (None, Some(site)) => generate.import(site).await,
            (None, None) => anyhow::bail!("say where the articles go: --into DIR or --site ID"),
        }
    }
}

impl Generate {
    async fn import(&self, site: &str) -> anyhow::Result<()> {
        let configuration = Configuration::read(&self.places.sites, &Saved::new())?;
        let site = find(&configuration, site)?;
        let store = open_store(&self.places.data, self.places.database.as_deref()).await?;
        let folder = tempfile::tempdir()?;
        let started = std::time::Instant::now();
        let made = demo_content::make(self.seed, self.articles, folder.path().to_owned()).await?;
        let mut journals = site.demo.clone();
        if !made.iter().any(|(made, _)| journals.contains(&made.journal)) {
            journals = made.iter().map(|(made, _)| made.journal.clone()).collect();
        }
        let items = demo_content::store(&store, site.id, &self.places.data, &journals, &made).await?;
        store.close().await;
        println!("{} articles in the site {} in {:.1} s", items.len(), site.sld, started.elapsed().as_secs_f64());
        Ok(())
    }
}
