//! Watches the folders of sites and plugins, and reloads the configuration when a file in them changes.

use std::{sync::Arc, time::Duration};

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
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        let relevant = event.as_ref().is_ok_and(|event| {
            !event.kind.is_access()
                && event
                    .paths
                    .iter()
                    .any(|path| path.extension().is_some_and(|ending| ending == "toml" || ending == "wasm"))
        });
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
    for folder in app.plugin_folders.iter().filter(|folder| folder.is_dir()) {
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
