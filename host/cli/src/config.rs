//! `masthead config` and `masthead site`.

use std::path::{Path, PathBuf};

use clap::Subcommand;

use crate::{Places, find};
use masthead_config::{Configuration, Explanation, Saved, explain};
use masthead_content::data_folder::open_store;
use masthead_content::{
    import::{Item, Outcome},
    site_bundle,
};

/// Show where a site's settings come from, or save one.
#[derive(Subcommand)]
pub enum Config {
    /// Show a value, the layer that it comes from, and what it overrides.
    Explain {
        #[command(flatten)]
        places: Places,
        /// Number or short name of the site.
        #[arg(long)]
        site: String,
        /// Dotted key, such as `header.navStyle`; without it, every value.
        #[arg(default_value = "")]
        key: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Save a value as an administrator does; a running host takes it over.
    Set {
        #[command(flatten)]
        places: Places,
        /// Number or short name of the site.
        #[arg(long)]
        site: String,
        /// Dotted key.
        key: String,
        /// JSON, or a text.
        value: String,
    },
    /// Take a saved value back.
    Unset {
        #[command(flatten)]
        places: Places,
        /// Number or short name of the site.
        #[arg(long)]
        site: String,
        /// Dotted key.
        key: String,
    },
}

/// Check or list the sites of a folder.
#[derive(Subcommand)]
pub enum Sites {
    /// Say what is wrong with the configuration; fails if anything is.
    Check {
        #[command(flatten)]
        places: Places,
    },
    /// List the sites.
    List {
        #[command(flatten)]
        places: Places,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Write a site with its configuration, content and files into one file.
    Export {
        #[command(flatten)]
        places: Places,
        /// Number or short name of the site.
        #[arg(long, value_name = "ID")]
        site: String,
        /// File to write (tar.gz).
        #[arg(long, value_name = "FILE")]
        to: PathBuf,
    },
    /// Load a site that another installation exported. Loading again changes nothing.
    Load {
        #[command(flatten)]
        places: Places,
        /// The exported file.
        file: PathBuf,
    },
}

impl Config {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Explain { places, site, key, json } => {
                let configuration = with_saved(&places).await?;
                let sld = find(&configuration, &site)?.sld.clone();
                let layers =
                    configuration.layers.get(&sld).ok_or_else(|| anyhow::anyhow!("site {sld} has no layers"))?;
                let told = explain(layers, &key);
                anyhow::ensure!(
                    !told.is_empty(),
                    "site {sld} has no value {key:?}; without a key, every value is shown"
                );
                if json {
                    println!("{}", serde_json::to_string_pretty(&told)?);
                } else {
                    told.iter().for_each(print);
                }
                Ok(())
            }
            Self::Set { places, site, key, value } => {
                let value = serde_json::from_str(&value).unwrap_or(serde_json::Value::String(value));
                save(&places, &site, &key, Some(value)).await
            }
            Self::Unset { places, site, key } => save(&places, &site, &key, None).await,
        }
    }
}

fn print(told: &Explanation) {
    println!("{} = {}", told.key, told.value);
    println!("  from {} {}", told.from.0, told.from.1);
    for (layer, file, value) in &told.overridden {
        println!("  over {value} of {layer} {file}");
    }
    if let Some(by) = &told.locked_by {
        println!("  locked by {by}");
    }
    for ignored in &told.ignored {
        println!("  {ignored}");
    }
}

async fn with_saved(places: &Places) -> anyhow::Result<Configuration> {
    let bare = Configuration::read(&places.sites, &Saved::new())?;
    // A folder without a database has no saved settings, and explaining must not make one.
    if places.database.is_none() && !places.data.join("masthead.db").exists() {
        return Ok(bare);
    }
    let store = open_store(&places.data, places.database.as_deref()).await?;
    let mut saved = Saved::new();
    for site in bare.sites.values() {
        saved.insert(site.id.0, store.site(site.id).settings().await?);
    }
    store.close().await;
    Ok(Configuration::read(&places.sites, &saved)?)
}

/// Saves a value after trying it: what would break the site is refused before it is stored.
async fn save(places: &Places, site: &str, key: &str, value: Option<serde_json::Value>) -> anyhow::Result<()> {
    let configuration = with_saved(places).await?;
    let site = find(&configuration, site)?;
    let store = open_store(&places.data, places.database.as_deref()).await?;
    let scoped = store.site(site.id);
    let mut pairs = scoped.settings().await?;
    pairs.retain(|(known, _)| known != key);
    pairs.extend(value.clone().map(|value| (key.to_owned(), value)));
    let tried = Configuration::read(&places.sites, &Saved::from([(site.id.0, pairs)]))?;
    let about = |problem: &&String| {
        problem.starts_with(&format!("site {}: {key} in saved", site.sld))
            || problem.starts_with(&format!("site {}:", site.sld)) && problem.contains("not served")
    };
    if let Some(problem) = tried.problems.iter().find(about) {
        anyhow::bail!("{key} is not saved: {problem}");
    }
    scoped.save_setting(key, value.as_ref()).await?;
    store.close().await;
    Ok(())
}

impl Sites {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Check { places } => {
                let configuration = Configuration::read(&places.sites, &Saved::new())?;
                for problem in &configuration.problems {
                    println!("{problem}");
                }
                anyhow::ensure!(configuration.problems.is_empty(), "{} problems", configuration.problems.len());
                println!("{} sites, no problem", configuration.sites.len());
            }
            Self::List { places, json } => {
                let configuration = Configuration::read(&places.sites, &Saved::new())?;
                if json {
                    println!("{}", serde_json::to_string_pretty(&configuration.sites.values().collect::<Vec<_>>())?);
                } else {
                    for site in configuration.sites.values() {
                        println!("{:>6}  {:<20} {}", site.id, site.sld, site.name.get(masthead_domain::Lang::En));
                    }
                }
            }
            Self::Export { places, site, to } => {
                let configuration = Configuration::read(&places.sites, &Saved::new())?;
                let site = find(&configuration, &site)?;
                let store = open_store(&places.data, places.database.as_deref()).await?;
                let made = site_bundle::save(&store, &places.data, &places.sites, site, &to).await?;
                store.close().await;
                println!("{}: {} articles, {} resources", to.display(), made.articles, made.resources);
            }
            Self::Load { places, file } => load(&places, &file).await?,
        }
        Ok(())
    }
}

async fn load(places: &Places, file: &Path) -> anyhow::Result<()> {
    let store = open_store(&places.data, places.database.as_deref()).await?;
    let (mut items, mut failed) = (0, 0);
    let mut told = |item: Item| {
        items += 1;
        if item.outcome == Outcome::Failed {
            failed += 1;
            eprintln!("{}: {}", item.path, item.error.unwrap_or_default());
        }
    };
    let manifest = site_bundle::load(&store, &places.data, &places.sites, file, &mut told).await?;
    store.close().await;
    println!("{}: {} articles, {} resources", manifest.sld, manifest.articles, manifest.resources);
    anyhow::ensure!(failed == 0, "{failed} of {items} items were not loaded");
    Ok(())
}
