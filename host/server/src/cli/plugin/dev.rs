//! `masthead plugin dev`.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::Context as _;
use clap::Args;
use notify::{RecursiveMode, Watcher as _};
use serde_json::Value;
use tokio::sync::mpsc;

use super::{admin, build, project::Project, report, stats::time};

/// Editors write a file in several steps; it is built when they have been quiet for this long.
const QUIET: Duration = Duration::from_millis(200);
/// How long a running host may take to notice.
const PATIENCE: Duration = Duration::from_secs(10);

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
        let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            if event.is_ok_and(|event| !event.kind.is_access()) {
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
            // Building touches no source, but Cargo may write its lock file.
            while receiver.try_recv().is_ok() {}
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

/// Watches what is a source: the compiler's output would keep it awake.
fn watch(watcher: &mut notify::RecommendedWatcher, dir: &Path) -> anyhow::Result<()> {
    let fail = |path: &Path, error: notify::Error| anyhow::anyhow!("watching {}: {error}", path.display());
    for name in ["plugin.toml", "Cargo.toml", "package.json", "tsconfig.json", "src", "sdk"] {
        let path = dir.join(name);
        if path.exists() {
            watcher.watch(&path, RecursiveMode::Recursive).map_err(|error| fail(&path, error))?;
        }
    }
    Ok(())
}

/// What the running host made of it.
async fn told(data: &Path, id: &str, digest: &str) -> anyhow::Result<()> {
    let started = Instant::now();
    loop {
        let sites: serde_json::Map<String, Value> = admin::get(data, "/plugins").await?;
        let mut uses = Vec::new();
        for (site, plugins) in &sites {
            let own = plugins.as_array().into_iter().flatten().filter(|plugin| plugin["id"] == id);
            uses.extend(own.map(|plugin| (site, plugin)));
        }
        let current = |(_, plugin): &&(&String, &Value)| plugin["digest"] == digest;
        if !uses.is_empty() && uses.iter().filter(current).count() == uses.len() {
            let names: Vec<_> = uses.iter().map(|(site, _)| site.as_str()).collect();
            println!("the host uses it on {}", names.join(", "));
            return Ok(());
        }
        if started.elapsed() > PATIENCE || (uses.is_empty() && started.elapsed() > Duration::from_secs(2)) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    println!(
        "no site of the host uses this build; add [[plugins]] with id = \"{id}\" to a site's file, or see the host's log"
    );
    Ok(())
}
