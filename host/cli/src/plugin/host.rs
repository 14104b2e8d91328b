//! A plugin runtime for one command, with the limits of a host, but without content and sites.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use anyhow::Context as _;
use masthead_domain::SiteId;
use masthead_runtime::{Catalog, CodeKey, HostServices, Runtime, RuntimeConfig, SecretSource};
use tempfile::TempDir;

/// Number of files with compiled code that a project keeps.
const MAX_COMPILED_FILES: usize = 8;

/// A runtime and its folder of compiled code.
pub struct Host {
    pub runtime: Runtime,
    /// The folder of compiled code.
    pub compiled: PathBuf,
    _temporary: Option<TempDir>,
}

impl Host {
    /// Starts a runtime with the configuration changed by `adjust`. Compiled code is kept in `compiled`, or in a temporary folder.
    ///
    /// # Errors
    /// A message, if the runtime cannot be created.
    pub fn open(compiled: Option<PathBuf>, adjust: impl FnOnce(&mut RuntimeConfig)) -> anyhow::Result<Self> {
        let temporary = match compiled {
            Some(_) => None,
            None => Some(tempfile::tempdir().context("making a temporary folder for compiled plugins")?),
        };
        let own = || temporary.as_ref().map(|folder| folder.path().join("compiled"));
        let compiled = compiled.or_else(own).unwrap_or_default();
        prune(&compiled);
        let mut config = RuntimeConfig::new(&compiled);
        // Without a key of the user, everything is compiled again, which takes time only.
        config.code_key = user_key().map_or_else(CodeKey::random, CodeKey::new);
        // The wall-clock limit is longer than in a host, because compilers keep an author's machine busy. Endless loops are
        // still detected by the compute budget, which is not changed.
        config.grace = Duration::from_secs(5);
        config.circuit_breaker.failures = usize::MAX;
        adjust(&mut config);
        let services = HostServices { secrets: Arc::new(EnvironmentSecrets), ..HostServices::standalone() };
        let runtime = Runtime::new(config, services)?;
        Ok(Self { runtime, compiled, _temporary: temporary })
    }

    /// The catalog of the plugins embedded in this host and of those in the folders.
    pub async fn catalog(&self, folders: &[PathBuf]) -> Catalog {
        masthead_web::app::catalog(&self.runtime, folders).await
    }

    /// Total size of the compiled code in the folder, in bytes.
    pub fn compiled_bytes(&self) -> u64 {
        files(&self.compiled).iter().filter_map(|path| fs::metadata(path).ok()).map(|data| data.len()).sum()
    }
}

/// The key of compiled code: of the user, and outside of any project, because a project may come from somebody else, together with
/// a folder of compiled code.
fn user_key() -> Option<[u8; 32]> {
    let state = std::env::var_os("XDG_STATE_HOME").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/state"));
    let folder = state.or_else(home)?.join("masthead");
    fs::create_dir_all(&folder).ok()?;
    masthead_web::auth::installation_key::read_or_create(&folder).ok()
}

/// Secrets for recording test cases, from environment variables: `gateway-key` is `MASTHEAD_SECRET_GATEWAY_KEY`.
struct EnvironmentSecrets;

impl SecretSource for EnvironmentSecrets {
    fn secret(&self, _: SiteId, name: &str) -> Option<String> {
        std::env::var(format!("MASTHEAD_SECRET_{}", name.replace('-', "_").to_uppercase())).ok()
    }
}

/// Deletes the compiled code in a folder.
pub fn clear(compiled: &Path) {
    files(compiled).iter().for_each(|path| drop(fs::remove_file(path)));
}

/// Deletes all but the latest files of compiled code: each build leaves one, and older ones are rarely used again.
fn prune(compiled: &Path) {
    let mut files = files(compiled);
    files.sort_by_key(|path| fs::metadata(path).and_then(|data| data.modified()).ok());
    let old = files.len().saturating_sub(MAX_COMPILED_FILES);
    files.iter().take(old).for_each(|path| drop(fs::remove_file(path)));
}

fn files(compiled: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(compiled).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|ending| ending == "cwasm")).collect()
}
