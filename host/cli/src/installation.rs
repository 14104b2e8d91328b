//! The installation that a command works on: its configuration, its database if it has one, and its audit trail.

use std::{
    fs,
    path::{Path, PathBuf},
};

use clap::Args;
use masthead_config::{Configuration, Saved};
use masthead_content::data_folder::open_store;
use masthead_domain::{SiteId, site::Site, text::nearest};
use masthead_store::{AuditEntry, Store};

use crate::{Locations, find_site};

/// The plugins besides those that are built in, as for `masthead serve`.
#[derive(Args)]
pub struct PluginFolders {
    /// Folder with additional plugins, as for `masthead serve`; may be repeated.
    #[arg(long, value_name = "DIR")]
    pub plugins: Vec<PathBuf>,
    /// Id of a plugin that these folders may override, as for `masthead serve`; may be repeated.
    #[arg(long, value_name = "ID")]
    pub override_plugin: Vec<String>,
}

/// The federated modules besides those that are built in, as for `masthead serve`.
#[derive(Args)]
pub struct ModuleFolders {
    /// Folder with additional federated modules, as for `masthead serve`; may be repeated.
    #[arg(long, value_name = "DIR")]
    pub modules: Vec<PathBuf>,
}

/// The store, if there is a database: a check must not create one.
pub async fn existing_store(locations: &Locations) -> anyhow::Result<Option<Store>> {
    if locations.database.is_none() && !locations.data.join("masthead.db").exists() {
        return Ok(None);
    }
    open_store(&locations.data, locations.database.as_deref()).await.map(Some)
}

/// The open store, which is created if necessary, and the site that is given by short name or number.
pub async fn open_site(locations: &Locations, site: &str) -> anyhow::Result<(Store, Site)> {
    let configuration = Configuration::read(&locations.sites, &Saved::new())?;
    let site = find_site(&configuration, site)?.clone();
    let store = open_store(&locations.data, locations.database.as_deref()).await?;
    Ok((store, site))
}

/// The configuration, with the saved settings of the database if there is one.
pub async fn configuration(locations: &Locations) -> anyhow::Result<Configuration> {
    Ok(Configuration::read(&locations.sites, &saved(locations).await?)?)
}

/// The same for commands that have to work while the database is away: then without the saved settings, which is said.
pub async fn configuration_of_files(locations: &Locations) -> anyhow::Result<Configuration> {
    let saved = saved(locations).await.unwrap_or_else(|error| {
        eprintln!("the settings that administrators saved are not read: {error:#}");
        Saved::new()
    });
    Ok(Configuration::read(&locations.sites, &saved)?)
}

async fn saved(locations: &Locations) -> anyhow::Result<Saved> {
    // A data folder without a database has no saved settings.
    let Some(store) = existing_store(locations).await? else { return Ok(Saved::new()) };
    let saved = store.all_settings().await;
    store.close().await;
    Ok(saved?)
}

/// Writes the line about a change of a file into the audit trail of each of these sites, if the installation has a database. That the line
/// cannot be written does not undo the change, and is said.
pub async fn note(locations: &Locations, sites: &[SiteId], entry: &AuditEntry) {
    if let Err(error) = write_note(locations, sites, entry).await {
        eprintln!("the change is made, but has no line in the audit trail: {error:#}");
    }
}

async fn write_note(locations: &Locations, sites: &[SiteId], entry: &AuditEntry) -> anyhow::Result<()> {
    let Some(store) = existing_store(locations).await? else { return Ok(()) };
    let mut written = Ok(());
    for site in sites {
        written = written.and(store.site(*site).note_audit(entry).await);
    }
    store.close().await;
    Ok(written?)
}

/// The short name of the site that is given by short name or number, also of one whose file has faults.
///
/// # Errors
/// A message with the nearest short name.
pub fn short_name(sites: &Path, given: &str) -> anyhow::Result<String> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    anyhow::ensure!(
        !given.is_empty() && given.bytes().all(plain) && given != "platform",
        "{given:?} is not the short name of a site, and not its number"
    );
    let path = sites.join(format!("{given}.toml"));
    if path.is_file() {
        return Ok(given.to_owned());
    }
    let known = short_names(sites);
    let number = given.parse::<i64>().ok();
    let has_number = |sld: &&String| number.is_some() && id_of(&sites.join(format!("{sld}.toml"))) == number;
    if let Some(sld) = known.iter().find(has_number) {
        return Ok(sld.clone());
    }
    let hint = match nearest(given, known.iter().map(String::as_str)) {
        Some(near) => format!("do you mean {near:?}?"),
        None => format!("there are {}.", known.join(", ")),
    };
    anyhow::bail!("there is no site {given:?}, no {}; {hint} Give the folder of sites with --sites", path.display())
}

/// The names of the files of sites.
fn short_names(sites: &Path) -> Vec<String> {
    let entries = fs::read_dir(sites).into_iter().flatten().flatten().map(|entry| entry.path());
    let files = entries.filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
    let mut names: Vec<String> = files.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect();
    names.retain(|name| name != "platform");
    names.sort();
    names
}

/// The number in the file of a site.
fn id_of(path: &Path) -> Option<i64> {
    let table: toml::Table = toml::from_str(&fs::read_to_string(path).ok()?).ok()?;
    table.get("id")?.as_integer()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_site_is_found_by_short_name_and_by_number() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("platform.toml", "id = 1");
        write("tides.toml", "id = 7001\nname = 3");
        write("torn.toml", "id = ");
        let of = |given: &str| short_name(folder.path(), given).map_err(|error| error.to_string());
        assert_eq!(of("tides").as_deref(), Ok("tides"));
        assert_eq!(of("7001").as_deref(), Ok("tides"));
        assert_eq!(of("torn").as_deref(), Ok("torn"), "it may be corrected by command");
        assert!(of("tide").unwrap_err().contains("do you mean \"tides\"?"));
        assert!(of("7002").unwrap_err().contains("7002.toml; there are tides, torn"));
        for given in ["", "platform", "../tides", "Tides"] {
            assert!(of(given).unwrap_err().contains("is not the short name of a site"), "{given}");
        }
    }
}
