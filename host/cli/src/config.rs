//! `masthead config` and `masthead site`.

use std::path::PathBuf;

use clap::Subcommand;

use crate::{
    Locations, doctor, find_site,
    installation::{self, ModuleFolders, PluginFolders},
    records::By,
    site_compare, site_load,
};
use masthead_config::{Configuration, Explanation, Saved, explain, explain_platform};
use masthead_content::data_folder::open_store;
use masthead_content::saved_settings::{self, SettingChange};
use masthead_content::site_bundle;
use serde_json::Value;

/// Show where settings come from; save or delete an override of a site's.
#[derive(Subcommand)]
pub enum Config {
    /// Show a value, its default, the configuration layer that sets it, and the values that it overrides.
    Explain {
        #[command(flatten)]
        locations: Locations,
        /// Number or short name of the site. Without it, the keys are those of `platform.toml`.
        #[arg(long)]
        site: Option<String>,
        /// Dotted key, such as `header.navStyle`; shows all values if omitted.
        #[arg(default_value = "")]
        key: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Save a value that overrides the configuration files; a running host applies it immediately.
    Set {
        #[command(flatten)]
        locations: Locations,
        /// Number or short name of the site.
        #[arg(long)]
        site: String,
        /// Dotted key.
        key: String,
        /// Value as JSON; anything that is not valid JSON is taken as a string.
        value: String,
        #[command(flatten)]
        by: By,
    },
    /// Delete a saved value, so that the configuration files apply again.
    Unset {
        #[command(flatten)]
        locations: Locations,
        /// Number or short name of the site.
        #[arg(long)]
        site: String,
        /// Dotted key.
        key: String,
        #[command(flatten)]
        by: By,
    },
    /// Print the reference of all keys; `make reference` writes it to docs/configuration.md.
    #[command(hide = true)]
    Reference,
}

/// Check, list, export, load or compare sites.
#[derive(Subcommand)]
pub enum Sites {
    /// Check the configuration, and stored content where there is a database, and print everything that the host would report and readers
    /// would miss; fails if something does not work.
    Check {
        #[command(flatten)]
        locations: Locations,
        #[command(flatten)]
        plugins: PluginFolders,
        #[command(flatten)]
        modules: ModuleFolders,
        /// Print JSON, as `masthead doctor --json` does: level, file, line, key, message and fix of everything that is wrong.
        #[arg(long)]
        json: bool,
    },
    /// List the sites.
    List {
        #[command(flatten)]
        locations: Locations,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Export a site with its configuration, content and files to one file.
    Export {
        #[command(flatten)]
        locations: Locations,
        /// Number or short name of the site.
        #[arg(long, value_name = "ID")]
        site: String,
        /// File to write (tar.gz).
        #[arg(long, value_name = "FILE")]
        to: PathBuf,
    },
    /// Load a site that was exported by another installation.
    Load(site_load::Load),
    /// Compare a site in two installations.
    Compare(site_compare::Compare),
}

impl Config {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Explain { locations, site, key, json } => {
                let explanations = match &site {
                    Some(site) => explained(&locations, site, &key).await?,
                    None => explained_platform(&locations, &key)?,
                };
                if json {
                    println!("{}", serde_json::to_string_pretty(&explanations)?);
                } else {
                    explanations.iter().for_each(print);
                }
                Ok(())
            }
            Self::Set { locations, site, key, value, by } => {
                let value = serde_json::from_str(&value).unwrap_or(Value::String(value));
                save(&locations, &site, (key.as_str(), Some(value)), &by).await
            }
            Self::Unset { locations, site, key, by } => save(&locations, &site, (key.as_str(), None), &by).await,
            Self::Reference => {
                print!("{}", masthead_config::markdown());
                Ok(())
            }
        }
    }
}

/// The values of a site.
async fn explained(locations: &Locations, site: &str, key: &str) -> anyhow::Result<Vec<Explanation>> {
    let configuration = installation::configuration(locations).await?;
    let sld = find_site(&configuration, site)?.sld.clone();
    let layers = configuration.layers.get(&sld).ok_or_else(|| anyhow::anyhow!("site {sld} has no layers"))?;
    let explanations = explain(layers, key);
    anyhow::ensure!(
        !explanations.is_empty(),
        "site {sld} has no value {key:?}; run the command without a key to list all values"
    );
    Ok(explanations)
}

/// The values of `platform.toml`.
fn explained_platform(locations: &Locations, key: &str) -> anyhow::Result<Vec<Explanation>> {
    let explanations = explain_platform(&locations.sites, key)?;
    anyhow::ensure!(
        !explanations.is_empty(),
        "platform.toml has no value {key:?}; run the command without a key to list all values, and give --site for the keys of a site"
    );
    Ok(explanations)
}

fn print(explanation: &Explanation) {
    println!("{} = {}", explanation.key, explanation.value);
    println!("  from {}", format!("{} {}", explanation.from.0, explanation.from.1).trim_end());
    if let Some(default) = explanation.default.as_ref().filter(|default| **default != explanation.value) {
        println!("  default {default}");
    }
    for (layer, file, value) in &explanation.overridden {
        println!("  overrides {value} of {layer} {file}");
    }
    if let Some(by) = &explanation.locked_by {
        println!("  locked by {by}");
    }
    for ignored in &explanation.ignored {
        println!("  {ignored}");
    }
    for key in &explanation.not_used_yet {
        println!("  not used yet: the interface receives {key} and does not act on it");
    }
}

/// Saves a value; `None` deletes it.
async fn save(locations: &Locations, site: &str, (key, value): (&str, Option<Value>), by: &By) -> anyhow::Result<()> {
    let (store, site) = installation::open_site(locations, site).await?;
    let who = by.name();
    let change = SettingChange { key, value, who: &who, dry_run: false };
    let done = saved_settings::change(&store, &locations.sites, &site, change).await;
    store.close().await;
    done?;
    Ok(())
}

impl Sites {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Check { locations, plugins, modules, json } => {
                doctor::check(&locations, &plugins, &modules, json).await?;
            }
            Self::List { locations, json } => {
                let configuration = Configuration::read(&locations.sites, &Saved::new())?;
                if json {
                    println!("{}", serde_json::to_string_pretty(&configuration.sites.values().collect::<Vec<_>>())?);
                } else {
                    for site in configuration.sites.values() {
                        println!("{:>6}  {:<20} {}", site.id, site.sld, site.name.get(masthead_domain::Lang::En));
                    }
                }
            }
            Self::Export { locations, site, to } => {
                let store = open_store(&locations.data, locations.database.as_deref()).await?;
                site_bundle::finish_loading(&store, &locations.sites).await?;
                let configuration = Configuration::read(&locations.sites, &Saved::new())?;
                let site = find_site(&configuration, &site)?;
                let made = site_bundle::save(&store, &locations.data, &locations.sites, site, &to).await?;
                store.close().await;
                println!("{}: {} articles, {} resources", to.display(), made.articles, made.resources);
            }
            Self::Load(load) => load.run().await?,
            Self::Compare(compare) => compare.run().await?,
        }
        Ok(())
    }
}
