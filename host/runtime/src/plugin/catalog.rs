//! The catalog of installed plugins, including those that no site uses.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use semver::VersionReq;

use super::loaded::Plugin;
use crate::contract::errors::Problem;

/// Loaded plugins by id, and those that could not be loaded.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    plugins: BTreeMap<String, Vec<Installed>>,
    problems: Vec<Problem>,
    /// Ids of plugins of which a later source replaces an earlier one.
    overrides: BTreeSet<String>,
}

/// A plugin and the place that it was loaded from.
#[derive(Clone, Debug)]
struct Installed {
    plugin: Arc<Plugin>,
    source: Arc<str>,
}

impl Installed {
    fn describe(&self) -> String {
        format!("{} ({})", self.source, self.plugin.digest())
    }
}

/// The source of plugins that are part of the host.
const BUILT_IN: &str = "built in";

impl Catalog {
    /// An empty catalog.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty catalog, in which later folders may replace versions of these plugins.
    pub(crate) fn with_overrides(overrides: BTreeSet<String>) -> Self {
        Self { overrides, ..Self::default() }
    }

    /// Adds a plugin from memory, in place of one with the same id and version.
    pub fn insert(&mut self, plugin: Arc<Plugin>) {
        let versions = self.plugins.entry(plugin.id().to_owned()).or_default();
        versions.retain(|other| other.plugin.manifest().version != plugin.manifest().version);
        self.install(plugin, "memory".into());
    }

    /// Adds a plugin that is part of the host.
    pub fn insert_built_in(&mut self, plugin: Arc<Plugin>) {
        self.install(plugin, BUILT_IN.into());
    }

    /// Adds a plugin. Where the catalog has another build with the same id and version, the earlier one serves, and the later one
    /// is reported: a copied folder must not silently replace what sites use. Overrides reverse this.
    pub(crate) fn install(&mut self, plugin: Arc<Plugin>, source: Arc<str>) {
        let (id, version) = (plugin.id().to_owned(), plugin.manifest().version.clone());
        let later = Installed { plugin, source };
        let versions = self.plugins.entry(id.clone()).or_default();
        let Some(earlier) = versions.iter_mut().find(|other| other.plugin.manifest().version == version) else {
            versions.push(later);
            versions.sort_by(|a, b| b.plugin.manifest().version.cmp(&a.plugin.manifest().version));
            return;
        };
        // Equal files are loaded once.
        if Arc::ptr_eq(&earlier.plugin, &later.plugin) {
            return;
        }
        if self.overrides.contains(&id) {
            let (serving, replaced) = (later.describe(), earlier.describe());
            tracing::info!(plugin = id, %version, serving, replaced, "a later build of a plugin replaces an earlier one");
            *earlier = later;
            return;
        }
        let message = format!(
            "version {version} is installed twice: {} serves, {} does not; remove one, give the second another version, or start \
             the host with --override-plugin {id}",
            earlier.describe(),
            later.describe()
        );
        self.problems.push(Problem { plugin: id, source: later.source.to_string(), message });
    }

    /// Adds a plugin that could not be loaded.
    pub fn report(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// Adds the content of a later catalog.
    pub fn merge(&mut self, other: Self) {
        self.problems.extend(other.problems);
        self.overrides.extend(other.overrides);
        for Installed { plugin, source } in other.plugins.into_values().flatten() {
            self.install(plugin, source);
        }
    }

    /// All plugins, by id, the newest version first.
    pub fn plugins(&self) -> impl Iterator<Item = &Arc<Plugin>> {
        self.plugins.values().flatten().map(|installed| &installed.plugin)
    }

    /// The place that a plugin was loaded from: its folder, or `built in`. `None` if it is no longer installed. Versions may have
    /// equal components, so that the digest alone does not identify it.
    #[must_use]
    pub fn source(&self, id: &str, version: &str, digest: &str) -> Option<&str> {
        let mut versions = self.plugins.get(id).into_iter().flatten();
        let wanted = |Installed { plugin, .. }: &&Installed| {
            plugin.manifest().version.to_string() == version && plugin.digest() == digest
        };
        versions.find(wanted).map(|installed| &*installed.source)
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
        self.plugins.get(id).into_iter().flatten().map(|installed| &installed.plugin).filter(meets).cloned().collect()
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
        check_requirement(requirement)?;
        self.meeting(id, requirement).into_iter().next().ok_or_else(|| {
            let describe =
                |Installed { plugin, .. }: &Installed| format!("{} ({})", plugin.manifest().version, plugin.digest());
            let installed: Vec<_> = versions.iter().map(describe).collect();
            format!("no version meets {requirement:?}; there is {}", installed.join(", "))
        })
    }
}

/// Whether a version requirement can be read.
pub(super) fn check_requirement(requirement: &str) -> Result<(), String> {
    if requirement.starts_with("sha256:") {
        return Ok(());
    }
    VersionReq::parse(requirement).map(drop).map_err(|error| {
        format!("the version requirement {requirement:?} cannot be read: {error}; write \"0.1\" or \"sha256:...\"")
    })
}

fn join<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
