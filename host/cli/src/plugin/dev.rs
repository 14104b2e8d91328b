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

/// Editors write a file in several steps; it is built when they have been quiet for this long.
const QUIET: Duration = Duration::from_millis(200);
/// How long a running host may take to notice.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long, where no site has used the plugin so far.
const BREATH: Duration = Duration::from_secs(2);

/// Build at every change and put the result into the plugin folder of a running host.
#[derive(Args)]
pub struct Dev {
    /// Folder of the project.
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// Folder that `masthead serve --plugins FOLDER` watches.
    #[arg(long, value_name = "FOLDER")]
    into: PathBuf,
    /// Data folder of the running host: print after each change what it says.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Build and put in place once, then end.
    #[arg(long)]
    once: bool,
}

impl Dev {
    pub async fn run(self) -> anyhow::Result<()> {
        let project = Project::open(&self.dir)?;
        anyhow::ensure!(project.lang.is_some(), "{} holds a built plugin, and no sources", project.dir.display());
        if self.once {
            return self.round(&project.dir).await;
        }
        let (sender, mut receiver) = mpsc::channel(1);
        let dir = project.dir.clone();
        let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            let source = |event: notify::Event| event.paths.iter().any(|path| is_source(&dir, path));
            if event.is_ok_and(|event| !event.kind.is_access() && source(event)) {
                // A full channel says already what this would say.
                let _ = sender.try_send(());
            }
        })?;
        watch(&mut watcher, &project.dir)?;
        loop {
            if let Err(error) = self.round(&project.dir).await {
                eprintln!("masthead: {error:#}");
            }
            println!("waiting for changes in {}; Ctrl-C ends", project.dir.display());
            anyhow::ensure!(receiver.recv().await.is_some(), "watching {} ended", project.dir.display());
            while tokio::time::timeout(QUIET, receiver.recv()).await.is_ok_and(|event| event.is_some()) {}
        }
    }

    /// Builds, checks, puts in place.
    async fn round(&self, dir: &Path) -> anyhow::Result<()> {
        // Its id may have changed, too.
        let project = Project::open(dir)?;
        let started = Instant::now();
        build::build(&project)?;
        let report = report::report(&project).await?;
        for line in report.problems.iter().chain(&report.notes) {
            eprintln!("{}: {line}", project.id);
        }
        report.verdict()?;
        let place = self.into.join(&project.id);
        // The component first: a host that looks in between sees the old manifest, and looks again.
        for name in ["plugin.wasm", "plugin.toml"] {
            let bytes = fs::read(project.built().join(name))?;
            masthead_componentize::write_whole(&place.join(name), &bytes)
                .with_context(|| format!("writing {}", place.join(name).display()))?;
        }
        let took = time(started.elapsed().as_secs_f64());
        println!("{} {} is in {} after {took}", project.id, report.version, place.display());
        match &self.data {
            Some(data) => told(data, &project.id, &report.digest).await,
            None => Ok(()),
        }
    }
}

/// Watches what is a source. Files at the top are watched through their folder: editors put a new file into their place.
fn watch(watcher: &mut notify::RecommendedWatcher, dir: &Path) -> anyhow::Result<()> {
    let folders = ["src", "sdk"].map(|name| (dir.join(name), RecursiveMode::Recursive));
    let all =
        folders.into_iter().filter(|(path, _)| path.is_dir()).chain([(dir.to_owned(), RecursiveMode::NonRecursive)]);
    for (path, mode) in all {
        watcher.watch(&path, mode).map_err(|error| anyhow::anyhow!("watching {}: {error}", path.display()))?;
    }
    Ok(())
}

/// Whether a change is one of a source: what a build writes would have it build for ever.
fn is_source(dir: &Path, path: &Path) -> bool {
    let Ok(inside) = path.strip_prefix(dir) else { return false };
    if inside.starts_with("src") || inside.starts_with("sdk") {
        return true;
    }
    ["plugin.toml", "Cargo.toml", "package.json", "tsconfig.json"].iter().any(|name| inside == Path::new(name))
}

/// What the running host made of it.
async fn told(data: &Path, id: &str, digest: &str) -> anyhow::Result<()> {
    let started = Instant::now();
    loop {
        let sites: Map<String, Value> = admin::get(data, "/plugins").await?;
        let (users, others, problems) = uses(&sites, id, digest);
        let waited = started.elapsed() > PATIENCE || (users.is_empty() && others == 0 && started.elapsed() > BREATH);
        if !waited && (users.is_empty() || others > 0) {
            tokio::time::sleep(QUIET).await;
            continue;
        }
        problems.iter().for_each(|problem| println!("{problem}"));
        match users.as_slice() {
            [] => println!(
                "no site of the host uses this build; `masthead plugin enable --site SLD {id}` enables it on one"
            ),
            users => println!("the host uses it on {}", users.join(", ")),
        }
        return Ok(());
    }
}

/// Sites that use this build, how many use another one, and what the host says against it.
fn uses(sites: &Map<String, Value>, id: &str, digest: &str) -> (Vec<String>, usize, Vec<String>) {
    let (mut users, mut others, mut problems) = (Vec::new(), 0, Vec::new());
    for (site, told) in sites {
        let plugins = told["plugins"].as_array().into_iter().flatten().filter(|plugin| plugin["plugin"] == id);
        for plugin in plugins {
            if plugin["digest"] == digest { users.push(site.clone()) } else { others += 1 }
        }
        let said = told["problems"].as_array().into_iter().flatten().filter_map(Value::as_str);
        problems.extend(
            said.filter(|words| words.starts_with(&format!("plugin {id}:")))
                .map(|words| format!("site {site}: {words}")),
        );
    }
    (users, others, problems)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn builds_are_no_changes() {
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
    fn the_host_says_who_uses_which_build() {
        let sites = serde_json::json!({
            "one": { "plugins": [{ "plugin": "a", "digest": "new" }], "problems": [] },
            "two": { "plugins": [{ "plugin": "a", "digest": "old" }, { "plugin": "b", "digest": "x" }], "problems": ["plugin a: it waits", "plugin b: x"] },
        });
        let told = uses(sites.as_object().unwrap(), "a", "new");
        assert_eq!(told, (vec!["one".to_owned()], 1, vec!["site two: plugin a: it waits".to_owned()]));
    }
}
