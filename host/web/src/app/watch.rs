//! Watches the folders of sites, plugins and modules, and reloads the configuration when a file in them changes.

use std::{
    path::{Path, PathBuf, absolute},
    sync::Arc,
    time::Duration,
};

use notify::{RecursiveMode, Watcher as _};
use tokio::sync::mpsc;

use crate::app::App;

/// Editors write a file in several steps; the configuration is reloaded when no event has arrived for this long.
const QUIET: Duration = Duration::from_millis(60);

/// Watches until the process ends.
///
/// # Errors
/// A message, when the system cannot watch a folder.
pub fn start(app: Arc<App>) -> anyhow::Result<notify::RecommendedWatcher> {
    let (sender, mut receiver) = mpsc::channel(1);
    let watched = Watched::of(&app);
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        let relevant = event
            .as_ref()
            .is_ok_and(|event| !event.kind.is_access() && event.paths.iter().any(|path| watched.is_relevant(path)));
        if relevant {
            // A full channel already holds a pending notification.
            let _ = sender.try_send(());
        }
    })?;
    let groups = app.sites_folder.join("groups");
    for folder in std::iter::once(&app.sites_folder).chain([&groups]).filter(|folder| folder.is_dir()) {
        watcher
            .watch(folder, RecursiveMode::NonRecursive)
            .map_err(|error| anyhow::anyhow!("watching {}: {error}", folder.display()))?;
    }
    for folder in app.plugin_folders.iter().chain(&app.module_folders).filter(|folder| folder.is_dir()) {
        watcher
            .watch(folder, RecursiveMode::Recursive)
            .map_err(|error| anyhow::anyhow!("watching {}: {error}", folder.display()))?;
    }
    tokio::spawn(async move {
        while receiver.recv().await.is_some() {
            while tokio::time::timeout(QUIET, receiver.recv()).await.is_ok_and(|event| event.is_some()) {}
            app.reload().await;
        }
    });
    Ok(watcher)
}

/// The folders in which more than the configuration and components of plugins matters. Events have absolute paths.
struct Watched {
    plugins: Vec<PathBuf>,
    modules: Vec<PathBuf>,
}

impl Watched {
    fn of(app: &App) -> Self {
        let all = |folders: &[PathBuf]| -> Vec<PathBuf> {
            folders.iter().map(|one| absolute(one).unwrap_or_else(|_| one.clone())).collect()
        };
        Self { plugins: all(&app.plugin_folders), modules: all(&app.module_folders) }
    }

    /// Whether the host reads the file or folder at a path: files of the configuration, components, and everything in folders of modules,
    /// also a folder that is moved there as a whole.
    fn is_relevant(&self, path: &Path) -> bool {
        let beside_plugin = |folder: &PathBuf| {
            path.strip_prefix(folder).is_ok_and(|rest| rest.iter().nth(1).is_some_and(|name| name == "modules"))
        };
        path.extension().is_some_and(|ending| ending == "toml" || ending == "wasm")
            || self.modules.iter().any(|folder| path.starts_with(folder))
            || self.plugins.iter().any(beside_plugin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_modules_are_watched_in_their_folders_only() {
        let watched = Watched { plugins: vec!["/srv/plugins".into()], modules: vec!["/srv/modules".into()] };
        for path in [
            "/srv/sites/ocean.toml",
            "/srv/plugins/badges/plugin.wasm",
            "/srv/plugins/badges/modules/badge/assets/badge.js",
            "/srv/plugins/badges/modules",
            "/srv/modules/harbour-nav",
            "/srv/modules/harbour-nav/preload.json",
        ] {
            assert!(watched.is_relevant(Path::new(path)), "{path}");
        }
        for path in ["/srv/sites/ocean.toml.swp", "/srv/plugins/badges/notes.js", "/srv/modules-old/a/preload.json"] {
            assert!(!watched.is_relevant(Path::new(path)), "{path}");
        }
    }
}
