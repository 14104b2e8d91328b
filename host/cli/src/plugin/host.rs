//! A runtime for one command: the limits of a host, no content and no sites.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use anyhow::Context as _;
use masthead_domain::SiteId;
use masthead_runtime::{Catalog, HostServices, Runtime, RuntimeConfig, SecretSource};
use tempfile::TempDir;

/// Files of compiled code that a project keeps.
const KEPT: usize = 8;

/// A runtime, and the folder that goes with it.
pub struct Host {
    pub runtime: Runtime,
    /// Folder of compiled code.
    pub compiled: PathBuf,
    _temporary: Option<TempDir>,
}

impl Host {
    /// Starts one. Compiled code is kept in `compiled`, or nowhere.
    pub fn open(compiled: Option<PathBuf>, adjust: impl FnOnce(&mut RuntimeConfig)) -> anyhow::Result<Self> {
        let temporary = match compiled {
            Some(_) => None,
            None => Some(tempfile::tempdir().context("making a temporary folder for compiled plugins")?),
        };
        let own = || temporary.as_ref().map(|folder| folder.path().join("compiled"));
        let compiled = compiled.or_else(own).unwrap_or_default();
        prune(&compiled);
        let mut config = RuntimeConfig::new(&compiled);
        // An author's machine is busy with compilers; endless loops are found by computing time, which stays as it is.
        config.grace = Duration::from_secs(5);
        config.circuit_breaker.failures = usize::MAX;
        adjust(&mut config);
        let services = HostServices { secrets: Arc::new(Environment), ..HostServices::standalone() };
        let runtime = Runtime::new(config, services)?;
        Ok(Self { runtime, compiled, _temporary: temporary })
    }

    /// The plugins of this host and of these folders.
    pub async fn catalog(&self, folders: &[PathBuf]) -> Catalog {
        let mut catalog = Catalog::new();
        for (manifest, wasm) in masthead_web::ui::plugins() {
            match self.runtime.load_plugin(&manifest, &wasm) {
                Ok(plugin) => catalog.insert(plugin),
                Err(error) => catalog.report(masthead_runtime::Problem {
                    plugin: "(of the host)".to_owned(),
                    message: error.to_string(),
                }),
            }
        }
        catalog.merge(self.runtime.load_catalog(folders).await);
        catalog
    }

    /// Bytes of the compiled code in the folder.
    pub fn compiled_bytes(&self) -> u64 {
        files(&self.compiled).iter().filter_map(|path| fs::metadata(path).ok()).map(|data| data.len()).sum()
    }
}

/// Secrets of whoever records a test case: `gateway-key` is `MASTHEAD_SECRET_GATEWAY_KEY`.
struct Environment;

impl SecretSource for Environment {
    fn secret(&self, _: SiteId, name: &str) -> Option<String> {
        std::env::var(format!("MASTHEAD_SECRET_{}", name.replace('-', "_").to_uppercase())).ok()
    }
}

/// Empties a folder of compiled code.
pub fn forget(compiled: &Path) {
    files(compiled).iter().for_each(|path| drop(fs::remove_file(path)));
}

/// Every build is compiled once and then of no more use than the latest few.
fn prune(compiled: &Path) {
    let mut files = files(compiled);
    files.sort_by_key(|path| fs::metadata(path).and_then(|data| data.modified()).ok());
    let old = files.len().saturating_sub(KEPT);
    files.iter().take(old).for_each(|path| drop(fs::remove_file(path)));
}

fn files(compiled: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(compiled).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|ending| ending == "cwasm")).collect()
}
