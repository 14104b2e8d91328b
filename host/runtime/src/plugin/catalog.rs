//! The plugins that are there, whether a site uses them or not.

use std::{collections::BTreeMap, fs, path::Path, sync::Arc};

use semver::VersionReq;

use crate::{
    contract::errors::{PluginError, Problem},
    plugin::loaded::Plugin,
};

/// Loaded plugins by id, and what could not be loaded.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    plugins: BTreeMap<String, Vec<Arc<Plugin>>>,
    problems: Vec<Problem>,
}

impl Catalog {
    /// An empty catalog.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a plugin. The same version again replaces the one that was there: folders that come later win.
    pub fn insert(&mut self, plugin: Arc<Plugin>) {
        let versions = self.plugins.entry(plugin.id().to_owned()).or_default();
        versions.retain(|other| other.manifest().version != plugin.manifest().version);
        versions.push(plugin);
        versions.sort_by(|a, b| b.manifest().version.cmp(&a.manifest().version));
    }

    /// Adds what could not be loaded.
    pub fn report(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// Takes over everything of another catalog.
    pub fn merge(&mut self, other: Self) {
        self.problems.extend(other.problems);
        other.plugins.into_values().flatten().for_each(|plugin| self.insert(plugin));
    }

    /// All plugins, by id, the newest version first.
    pub fn plugins(&self) -> impl Iterator<Item = &Arc<Plugin>> {
        self.plugins.values().flatten()
    }

    /// Whether both hold the very same plugins and problems: plugins that did not change are not loaded twice.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.problems == other.problems
            && self.plugins().count() == other.plugins().count()
            && self.plugins().zip(other.plugins()).all(|(left, right)| Arc::ptr_eq(left, right))
    }

    /// What could not be loaded.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// All versions that meet a requirement, the newest first; none if it cannot be read.
    #[must_use]
    pub fn meeting(&self, id: &str, requirement: &str) -> Vec<Arc<Plugin>> {
        let digest = requirement.starts_with("sha256:");
        let wanted = VersionReq::parse(requirement).ok();
        let meets = |plugin: &&Arc<Plugin>| {
            if digest {
                return plugin.digest() == requirement;
            }
            wanted.as_ref().is_some_and(|wanted| wanted.matches(&plugin.manifest().version))
        };
        self.plugins.get(id).into_iter().flatten().filter(meets).cloned().collect()
    }

    /// The newest plugin that meets a requirement: `0.1`, `*`, or a digest `sha256:...`.
    ///
    /// # Errors
    /// Says what there is instead.
    pub fn find(&self, id: &str, requirement: &str) -> Result<Arc<Plugin>, String> {
        let Some(versions) = self.plugins.get(id) else {
            let broken = self.problems.iter().find(|problem| problem.plugin == id);
            return Err(broken.map_or_else(
                || format!("there is no such plugin; there are {}", join(self.plugins.keys().map(String::as_str))),
                |problem| problem.message.clone(),
            ));
        };
        if !requirement.starts_with("sha256:")
            && let Err(error) = VersionReq::parse(requirement)
        {
            return Err(format!(
                "the version requirement {requirement:?} cannot be read: {error}; write \"0.1\" or \"sha256:...\""
            ));
        }
        self.meeting(id, requirement).into_iter().next().ok_or_else(|| {
            let there: Vec<_> =
                versions.iter().map(|plugin| format!("{} ({})", plugin.manifest().version, plugin.digest())).collect();
            format!("no version meets {requirement:?}; there is {}", there.join(", "))
        })
    }
}

fn join<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// A folder's name, and its manifest and component if they can be read.
pub(crate) type Folder = (String, Result<(String, Vec<u8>), PluginError>);

/// The two files of every plugin folder below these, in order; a folder with neither file is none of ours.
pub(crate) fn read_folders(dirs: &[impl AsRef<Path>]) -> Vec<Folder> {
    let mut found = Vec::new();
    for dir in dirs.iter().map(AsRef::as_ref) {
        let entries = match fs::read_dir(dir) {
            Ok(entries) => entries,
            Err(error) => {
                found.push((dir.display().to_string(), Err(file_error(dir, &error))));
                continue;
            }
        };
        let mut folders: Vec<_> = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
        folders.sort();
        for folder in
            folders.iter().filter(|folder| ["plugin.toml", "plugin.wasm"].iter().any(|file| folder.join(file).exists()))
        {
            let id = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            found.push((id, read_folder(folder)));
        }
    }
    found
}

fn read_folder(folder: &Path) -> Result<(String, Vec<u8>), PluginError> {
    let (toml, wasm) = (folder.join("plugin.toml"), folder.join("plugin.wasm"));
    let manifest = fs::read_to_string(&toml).map_err(|error| file_error(&toml, &error))?;
    let component = fs::read(&wasm).map_err(|error| file_error(&wasm, &error))?;
    Ok((manifest, component))
}

fn file_error(path: &Path, error: &std::io::Error) -> PluginError {
    PluginError::File { path: path.to_owned(), reason: error.to_string() }
}
