//! The last good configuration, kept in the data folder: a site whose file is broken when the host starts is served as it was before,
//! as it is when the file breaks while the host runs.
//!
//! A site is kept as the result of its layers, and the platform as its file. They hold no secrets; configuration only names these.

use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use masthead_config::{Configuration, valid_platform};
use masthead_domain::site::Site;

/// Name of the folder in the data folder.
const FOLDER: &str = "last-good";

/// The kept configuration.
#[derive(Clone, Debug)]
pub struct LastGood {
    folder: PathBuf,
}

impl LastGood {
    /// The configuration that is kept in a data folder.
    #[must_use]
    pub fn of(data: &Path) -> Self {
        Self { folder: data.join(FOLDER) }
    }

    /// The platform's file, if one is kept.
    #[must_use]
    pub fn platform(&self) -> PathBuf {
        self.folder.join("platform.toml")
    }

    fn site(&self, sld: &str) -> PathBuf {
        self.folder.join(format!("{sld}.json"))
    }

    /// Adds the sites that have a file which cannot be used, as they were served last.
    pub fn restore(&self, sites: &Path, configuration: &mut Configuration) {
        let broken = names(sites, "toml").into_iter().filter(|sld| !configuration.sites.contains_key(sld));
        let kept: Vec<Site> =
            broken.filter_map(|sld| serde_json::from_slice(&std::fs::read(self.site(&sld)).ok()?).ok()).collect();
        let words = "the last good configuration, which is kept in the data folder, is in use";
        retain(configuration, sites, kept.into_iter().map(Arc::new), words);
    }

    /// Keeps a configuration that is in use. Blocking I/O.
    ///
    /// # Errors
    /// The first error of the file system. The copies of before stay where a new one cannot be written; the others are written.
    pub fn keep(&self, sites: &Path, configuration: &Configuration) -> io::Result<()> {
        std::fs::create_dir_all(&self.folder)?;
        let mut kept = valid_platform(sites).map_or(Ok(()), |text| replace(&self.platform(), text.as_bytes()));
        for (sld, site) in &configuration.sites {
            let written = serde_json::to_vec(&**site).map_err(io::Error::from);
            kept = kept.and(written.and_then(|bytes| replace(&self.site(sld), &bytes)));
        }
        kept?;
        let present = names(sites, "toml");
        for gone in names(&self.folder, "json").iter().filter(|sld| !present.contains(*sld)) {
            std::fs::remove_file(self.site(gone))?;
        }
        Ok(())
    }
}

/// Adds sites to a configuration that lacks them now, if their file is still there and no other site has their number or domains.
pub fn retain(configuration: &mut Configuration, sites: &Path, former: impl Iterator<Item = Arc<Site>>, words: &str) {
    for site in former {
        let sld = &site.sld;
        // At each reload, almost all sites are in the new configuration: only the others are compared with every site.
        if configuration.sites.contains_key(sld) || !sites.join(format!("{sld}.toml")).exists() {
            continue;
        }
        let domains: Vec<String> = site.domains.iter().map(|domain| domain.to_lowercase()).collect();
        let is_free = !configuration.sites.values().any(|other| {
            other.id == site.id || other.domains.iter().any(|domain| domains.contains(&domain.to_lowercase()))
        });
        if is_free {
            configuration.problems.push(format!("site {sld}: its file is rejected; {words}"));
            configuration.sites.insert(sld.clone(), Arc::clone(&site));
        }
    }
}

/// The names of the files of a folder with this extension, without it.
fn names(folder: &Path, extension: &str) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries
        .filter(|path| path.extension().is_some_and(|own| own == extension))
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect()
}

/// Writes a file as a whole, unless it is the same already.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if std::fs::read(path).is_ok_and(|known| known == bytes) {
        return Ok(());
    }
    let next = path.with_extension("new");
    std::fs::write(&next, bytes)?;
    std::fs::rename(&next, path)
}
