//! `masthead plugin dev`.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::Context as _;
use clap::Args;
use notify::{RecursiveMode, Watcher as _};
use serde_json::{Map, Value};
use tokio::sync::mpsc;

use crate::plugin::{admin, build, project::Project, report, stats::time};

/// Editors save a file in several steps; a build starts after this time without further changes.
const QUIET: Duration = Duration::from_millis(200);
/// Longest wait for a running host to load the build.
const LOAD_TIMEOUT: Duration = Duration::from_secs(10);
/// Longest wait if no site used the plugin before.
const UNUSED_TIMEOUT: Duration = Duration::from_secs(2);

/// Build the plugin at every change and install it in the plugin folder of a running host.
#[derive(Args)]
pub struct Dev {
    /// Folder of the project.
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// Folder that `masthead serve --plugins FOLDER` watches.
    #[arg(long, value_name = "FOLDER")]
    into: PathBuf,
    /// Data folder of the running host: print after each build which sites use it, and the problems that the host reports.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Build and install once, then exit.
    #[arg(long)]
    once: bool,
}

impl Dev {
    pub async fn run(self) -> anyhow::Result<()> {
        let project = Project::open(&self.dir)?;
        anyhow::ensure!(project.lang.is_some(), "{} contains a built plugin, but no sources", project.dir.display());
        if self.once {
            return self.round(&project.dir).await;
        }
        let (sender, mut receiver) = mpsc::channel(1);
        let dir = project.dir.clone();
        let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            let source = |event: notify::Event| event.paths.iter().any(|path| is_source(&dir, path));
            if event.is_ok_and(|event| !event.kind.is_access() && source(event)) {
                // If the channel is full, a build is already scheduled.
                let _ = sender.try_send(());
            }
        })?;
        watch(&mut watcher, &project.dir)?;
        loop {
            if let Err(error) = self.round(&project.dir).await {
                eprintln!("masthead: {error:#}");
            }
            println!("waiting for changes in {}; press Ctrl-C to exit", project.dir.display());
            anyhow::ensure!(receiver.recv().await.is_some(), "the file watcher for {} stopped", project.dir.display());
            while tokio::time::timeout(QUIET, receiver.recv()).await.is_ok_and(|event| event.is_some()) {}
        }
    }

    /// Builds, checks and installs the plugin once.
    async fn round(&self, dir: &Path) -> anyhow::Result<()> {
        // Opened again: the id may have changed.
        let project = Project::open(dir)?;
        let started = Instant::now();
        build::build(&project)?;
        let report = report::report(&project).await?;
        for line in report.problems.iter().chain(&report.notes) {
            eprintln!("{}: {line}", project.id);
        }
        report.verdict()?;
        let target = self.into.join(&project.id);
        // The component is written first: a host that reads the folder in between finds the old manifest, and reads it again when
        // the new manifest is written.
        for name in ["plugin.wasm", "plugin.toml"] {
            let bytes = fs::read(project.built().join(name))?;
            masthead_componentize::write_whole(&target.join(name), &bytes)
                .with_context(|| format!("writing {}", target.join(name).display()))?;
        }
        let took = time(started.elapsed().as_secs_f64());
        println!("installed {} {} in {} ({took})", project.id, report.version, target.display());
        match &self.data {
            Some(data) => print_status(data, &project.id, &report.digest).await,
            None => Ok(()),
        }
    }
}

/// Watches the sources. The files at the top level are watched through their folder, because editors replace them with new files.
fn watch(watcher: &mut notify::RecommendedWatcher, dir: &Path) -> anyhow::Result<()> {
    let folders = ["src", "sdk"].map(|name| (dir.join(name), RecursiveMode::Recursive));
    let all =
        folders.into_iter().filter(|(path, _)| path.is_dir()).chain([(dir.to_owned(), RecursiveMode::NonRecursive)]);
    for (path, mode) in all {
        watcher.watch(&path, mode).map_err(|error| anyhow::anyhow!("watching {}: {error}", path.display()))?;
    }
    Ok(())
}

/// Whether a path is a source. Changes of build outputs must be ignored, or each build would trigger the next.
fn is_source(dir: &Path, path: &Path) -> bool {
    let Ok(inside) = path.strip_prefix(dir) else { return false };
    if inside.starts_with("src") || inside.starts_with("sdk") {
        return true;
    }
    ["plugin.toml", "Cargo.toml", "package.json", "tsconfig.json"].iter().any(|name| inside == Path::new(name))
}

/// Waits until the running host uses the build, and prints the sites that use it and the problems that the host reports.
async fn print_status(data: &Path, id: &str, digest: &str) -> anyhow::Result<()> {
    let started = Instant::now();
    loop {
        let sites: Map<String, Value> = admin::get(data, "/plugins").await?;
        let (users, others, problems) = uses(&sites, id, digest);
        let waited =
            started.elapsed() > LOAD_TIMEOUT || (users.is_empty() && others == 0 && started.elapsed() > UNUSED_TIMEOUT);
        if !waited && (users.is_empty() || others > 0) {
            tokio::time::sleep(QUIET).await;
            continue;
        }
        problems.iter().for_each(|problem| println!("{problem}"));
        match users.as_slice() {
            [] => {
                println!("no site of the host uses this build; enable it with `masthead plugin enable --site SLD {id}`")
            }
            users => println!("in use on {}", users.join(", ")),
        }
        return Ok(());
    }
}

/// The sites that use this build, the number of sites that use another build, and the problems that the host reports.
fn uses(sites: &Map<String, Value>, id: &str, digest: &str) -> (Vec<String>, usize, Vec<String>) {
    let (mut users, mut others, mut problems) = (Vec::new(), 0, Vec::new());
    for (site, state) in sites {
        let plugins = state["plugins"].as_array().into_iter().flatten().filter(|plugin| plugin["plugin"] == id);
        for plugin in plugins {
            if plugin["digest"] == digest { users.push(site.clone()) } else { others += 1 }
        }
        let reported = state["problems"].as_array().into_iter().flatten().filter_map(Value::as_str);
        problems.extend(
            reported
                .filter(|problem| problem.starts_with(&format!("plugin {id}:")))
                .map(|problem| format!("site {site}: {problem}")),
        );
    }
    (users, others, problems)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn build_outputs_are_not_sources() {
        let dir = Path::new("/a");
        for (path, source) in [
            ("/a/src/lib.rs", true),
            ("/a/sdk/wit/links.wit", true),
            ("/a/plugin.toml", true),
            ("/a/Cargo.lock", false),
            ("/a/dist", false),
            ("/a/target", false),
            ("/a/tests/links.toml", false),
        ] {
            assert_eq!(is_source(dir, Path::new(path)), source, "{path}");
        }
    }

    #[test]
    fn uses_lists_sites_and_problems_of_a_build() {
        let sites = serde_json::json!({
            "one": { "plugins": [{ "plugin": "a", "digest": "new" }], "problems": [] },
            "two": { "plugins": [{ "plugin": "a", "digest": "old" }, { "plugin": "b", "digest": "x" }], "problems": ["plugin a: it waits", "plugin b: x"] },
        });
        let found = uses(sites.as_object().unwrap(), "a", "new");
        assert_eq!(found, (vec!["one".to_owned()], 1, vec!["site two: plugin a: it waits".to_owned()]));
    }
}
