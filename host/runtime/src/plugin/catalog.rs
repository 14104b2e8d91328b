//! The catalog of installed plugins, including those that no site uses.

use std::{collections::BTreeMap, sync::Arc};

use semver::VersionReq;

use super::loaded::Plugin;
use crate::contract::errors::Problem;

/// Loaded plugins by id, and those that could not be loaded.
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

    /// Adds a plugin. It replaces one with the same id and version, so that later folders take precedence.
    pub fn insert(&mut self, plugin: Arc<Plugin>) {
        let versions = self.plugins.entry(plugin.id().to_owned()).or_default();
        versions.retain(|other| other.manifest().version != plugin.manifest().version);
        versions.push(plugin);
        versions.sort_by(|a, b| b.manifest().version.cmp(&a.manifest().version));
    }

    /// Adds a plugin that could not be loaded.
    pub fn report(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// Adds the content of another catalog.
    pub fn merge(&mut self, other: Self) {
        self.problems.extend(other.problems);
        other.plugins.into_values().flatten().for_each(|plugin| self.insert(plugin));
    }

    /// All plugins, by id, the newest version first.
    pub fn plugins(&self) -> impl Iterator<Item = &Arc<Plugin>> {
        self.plugins.values().flatten()
    }

    /// Whether both have the same loaded plugins and problems. Unchanged plugins are not loaded again, so that pointers are
    /// compared.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.problems == other.problems
            && self.plugins().count() == other.plugins().count()
            && self.plugins().zip(other.plugins()).all(|(left, right)| Arc::ptr_eq(left, right))
    }

    /// The plugins that could not be loaded.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// All versions that meet a requirement, newest first; none if the requirement is malformed.
    #[must_use]
    pub fn meeting(&self, id: &str, requirement: &str) -> Vec<Arc<Plugin>> {
        let digest = requirement.starts_with("sha256:");
        let range = VersionReq::parse(requirement).ok();
        let meets = |plugin: &&Arc<Plugin>| {
            if digest {
                return plugin.digest() == requirement;
            }
            range.as_ref().is_some_and(|range| range.matches(&plugin.manifest().version))
        };
        self.plugins.get(id).into_iter().flatten().filter(meets).cloned().collect()
    }

    /// The newest plugin that meets a requirement: `0.1`, `*`, or a digest `sha256:...`.
    ///
    /// # Errors
    /// A message that lists the installed versions.
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
            let installed: Vec<_> =
                versions.iter().map(|plugin| format!("{} ({})", plugin.manifest().version, plugin.digest())).collect();
            format!("no version meets {requirement:?}; there is {}", installed.join(", "))
        })
    }
}

fn join<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
