//! What is installed, as the manifests say: for commands that list plugins and check a site's entry, and call none. Nothing is compiled.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use masthead_domain::{plugin_use::Grants, text::nearest};
use semver::VersionReq;

use super::{
    catalog::check_requirement,
    loader::{Folder, check_folder_name, read_folders},
};
use crate::contract::{
    digest::sha256,
    errors::{PluginError, Problem},
    manifest::Manifest,
};

/// The source of plugins that are part of the host.
const BUILT_IN: &str = "built in";

/// An installed version of a plugin.
#[derive(Clone, Debug)]
pub struct InstalledVersion {
    /// Its manifest.
    pub manifest: Manifest,
    /// `sha256:...` of its component.
    pub digest: String,
    /// The place that it comes from: its folder, or `built in`.
    pub source: String,
}

/// The installed plugins by id, the newest version first, and those whose files cannot be used.
#[derive(Clone, Debug, Default)]
pub struct Inventory {
    plugins: BTreeMap<String, Vec<InstalledVersion>>,
    problems: Vec<Problem>,
    /// Ids of plugins of which a later source replaces an earlier one.
    overrides: BTreeSet<String>,
}

impl Inventory {
    /// An empty inventory, in which later folders may replace versions of these plugins.
    #[must_use]
    pub fn new(overrides: BTreeSet<String>) -> Self {
        Self { overrides, ..Self::default() }
    }

    /// Adds a plugin that is part of the host.
    pub fn add_built_in(&mut self, manifest_toml: &str, wasm: &[u8]) {
        match Manifest::parse(manifest_toml) {
            Ok(manifest) => self.add(manifest, wasm, BUILT_IN.to_owned()),
            Err(error) => {
                let plugin = format!("({BUILT_IN})");
                self.problems.push(Problem { plugin, message: error.to_string(), ..Problem::default() });
            }
        }
    }

    /// Adds the plugins in these folders, `DIR/<id>/plugin.{toml,wasm}`.
    pub fn add_folders(&mut self, dirs: &[PathBuf]) {
        for Folder { id, path, files } in read_folders(dirs) {
            let read = files.and_then(|(manifest, wasm)| {
                let manifest = Manifest::parse(&manifest)?;
                check_folder_name(&id, &manifest)?;
                Ok::<_, PluginError>((manifest, wasm))
            });
            let source = path.display().to_string();
            match read {
                Ok((manifest, wasm)) => self.add(manifest, &wasm, source),
                Err(error) => self.problems.push(Problem { plugin: id, source, message: error.to_string() }),
            }
        }
    }

    /// Of two builds of one version the first one serves, unless the plugin may be overridden, as in a catalog.
    fn add(&mut self, manifest: Manifest, wasm: &[u8], source: String) {
        let id = manifest.id.clone();
        let later = InstalledVersion { manifest, digest: format!("sha256:{}", sha256(wasm).hex()), source };
        let versions = self.plugins.entry(id.clone()).or_default();
        match versions.iter_mut().find(|other| other.manifest.version == later.manifest.version) {
            Some(earlier) if self.overrides.contains(&id) => *earlier = later,
            Some(_) => {}
            None => {
                versions.push(later);
                versions.sort_by(|a, b| b.manifest.version.cmp(&a.manifest.version));
            }
        }
    }

    /// All plugins by id, each with its versions, the newest first.
    pub fn plugins(&self) -> impl Iterator<Item = (&str, &[InstalledVersion])> {
        self.plugins.iter().map(|(id, versions)| (id.as_str(), versions.as_slice()))
    }

    /// The plugins whose files cannot be used.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The version that a site with this requirement and these grants uses: the newest that meets the requirement and asks for no more
    /// than is granted, otherwise the newest that meets the requirement.
    ///
    /// # Errors
    /// A message about an unknown plugin, with the nearest known one, or about a requirement that no version meets.
    pub fn select(&self, id: &str, requirement: &str, grants: &Grants) -> Result<&InstalledVersion, String> {
        let Some(versions) = self.plugins.get(id) else { return Err(self.unknown(id)) };
        check_requirement(requirement)?;
        let range = VersionReq::parse(requirement).ok();
        let meets = |listed: &&InstalledVersion| {
            listed.digest == requirement || range.as_ref().is_some_and(|range| range.matches(&listed.manifest.version))
        };
        let is_granted = |listed: &&InstalledVersion| listed.manifest.missing(grants).is_empty();
        let mut meeting = versions.iter().filter(meets);
        let newest = meeting.clone().next();
        meeting.find(is_granted).or(newest).ok_or_else(|| {
            let known: Vec<_> =
                versions.iter().map(|listed| format!("{} ({})", listed.manifest.version, listed.digest)).collect();
            format!("no version of {id} meets {requirement:?}; there is {}", known.join(", "))
        })
    }

    fn unknown(&self, id: &str) -> String {
        let named = |problem: &&Problem| problem.plugin.split('@').next() == Some(id);
        if let Some(problem) = self.problems.iter().find(named) {
            return format!("the plugin {id} ({}) cannot be used: {}", problem.source, problem.message);
        }
        let known = || self.plugins.keys().map(String::as_str);
        let hint = match nearest(id, known()) {
            Some(near) => format!("do you mean {near:?}?"),
            None => format!("there are {}", known().collect::<Vec<_>>().join(", ")),
        };
        format!("there is no plugin {id:?}; {hint}")
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn manifest(id: &str, version: &str, more: &str) -> String {
        format!(
            "id='{id}'\nversion='{version}'\ncontract='0.1'\nhooks=['links.rewrite']\nname={{zh='甲',en='A'}}\n{more}"
        )
    }

    fn inventory() -> Inventory {
        let mut inventory = Inventory::new(BTreeSet::new());
        inventory.add_built_in(&manifest("badge", "0.1.0", ""), b"one");
        inventory.add_built_in(&manifest("badge", "0.2.0", "capabilities={kv='Counts.'}\n"), b"two");
        inventory.add_built_in(&manifest("badge", "0.1.0", ""), b"another build");
        inventory
    }

    #[test]
    fn the_newest_version_that_is_granted_is_selected() {
        let inventory = inventory();
        let version = |requirement: &str, grants: &Grants| {
            inventory.select("badge", requirement, grants).map(|listed| listed.manifest.version.to_string())
        };
        let (none, kv) = (Grants::default(), Grants { kv: true, ..Grants::default() });
        assert_eq!(version("*", &none).as_deref(), Ok("0.1.0"));
        assert_eq!(version("*", &kv).as_deref(), Ok("0.2.0"));
        assert_eq!(version("0.2", &none).as_deref(), Ok("0.2.0"), "its missing grant is told to the caller");
        let first = inventory.select("badge", "0.1", &none).unwrap();
        assert_eq!(first.digest, format!("sha256:{}", sha256(b"one").hex()), "the first build of a version serves");
        assert_eq!(version(&first.digest, &none).as_deref(), Ok("0.1.0"));
    }

    #[test]
    fn what_is_not_installed_is_refused_with_what_is() {
        let inventory = inventory();
        let error = |id: &str, requirement: &str| inventory.select(id, requirement, &Grants::default()).unwrap_err();
        assert_eq!(error("bagde", "*"), "there is no plugin \"bagde\"; do you mean \"badge\"?");
        assert_eq!(error("translation", "*"), "there is no plugin \"translation\"; there are badge");
        assert!(error("badge", "3").starts_with("no version of badge meets \"3\"; there is 0.2.0 (sha256:"));
        assert!(error("badge", "new").contains("\"new\" cannot be read"));
    }

    #[test]
    fn a_folder_that_cannot_be_used_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let add = |name: &str, text: &str| {
            std::fs::create_dir(folder.path().join(name)).unwrap();
            std::fs::write(folder.path().join(name).join("plugin.toml"), text).unwrap();
            std::fs::write(folder.path().join(name).join("plugin.wasm"), name).unwrap();
        };
        add("mark", &manifest("mark", "1.0.0", ""));
        add("other", &manifest("mark", "2.0.0", ""));
        add("torn", "id =");
        let mut inventory = Inventory::new(BTreeSet::new());
        inventory.add_folders(&[folder.path().to_owned()]);
        let known: Vec<_> = inventory.plugins().map(|(id, versions)| (id, versions.len())).collect();
        assert_eq!(known, [("mark", 1)]);
        let path = |name: &str| folder.path().join(name).display().to_string();
        let problems: Vec<_> =
            inventory.problems().iter().map(|problem| (problem.plugin.as_str(), problem.source.clone())).collect();
        assert_eq!(problems, [("other", path("other")), ("torn", path("torn"))]);
        let error = inventory.select("torn", "*", &Grants::default()).unwrap_err();
        assert!(
            error.starts_with(&format!("the plugin torn ({}) cannot be used: plugin.toml", path("torn"))),
            "{error}"
        );
    }
}
