//! The engine and what all chains share.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use masthead_domain::{SiteId, plugin_use::PluginUse};
use tokio::sync::Semaphore;
use wasmtime::Engine;

use crate::{
    contract::{
        errors::{PluginError, Problem, RuntimeError},
        limits::RuntimeConfig,
        manifest::Manifest,
    },
    invocation::{host_services::Services, result_cache::Memo},
    plugin::{
        catalog::{Catalog, read_folders},
        code_cache::CodeCache,
        engine,
        loaded::{Digest, Plugin, sha256},
    },
    site::{
        admission,
        chain::Chain,
        circuit_breaker::Quarantine,
        hook_metrics::{Cost, Ledgers},
    },
};

/// Canaries are compared beside the pages that readers wait for, so few at a time.
const COMPARISONS: usize = 4;

/// Loads plugins and builds chains. Cheap to clone.
#[derive(Clone)]
pub struct Runtime(Arc<Shared>);

impl std::fmt::Debug for Runtime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Runtime").field(&self.0.config).finish()
    }
}

pub(crate) struct Shared {
    pub config: Arc<RuntimeConfig>,
    pub services: Arc<Services>,
    pub quarantine: Quarantine,
    pub ledgers: Ledgers,
    pub memo: Arc<Memo>,
    /// Below the pool's totals, so that a request waits instead of failing.
    pub instances: Arc<Semaphore>,
    /// The same for trials, and for comparisons of canaries.
    pub trials: Semaphore,
    pub comparisons: Arc<Semaphore>,
    engine: Engine,
    cache: CodeCache,
    /// What is loaded already, by manifest and component: reloading a folder compiles only what changed.
    known: Mutex<HashMap<(Digest, Digest), Weak<Plugin>>>,
}

impl Runtime {
    /// Starts the engine and its clock. `services` is what capabilities reach.
    ///
    /// # Errors
    /// [`RuntimeError`] when the folder for compiled code or the engine cannot be used.
    pub fn new(mut config: RuntimeConfig, services: Services) -> Result<Self, RuntimeError> {
        config.max_concurrent_instances = config.max_concurrent_instances.max(1);
        config.max_plugins_per_site = config.max_plugins_per_site.min(config.max_concurrent_instances as usize);
        let engine = engine::build(&config)?;
        let cache = CodeCache::open(&config.cache_dir, &engine)?;
        Ok(Self(Arc::new(Shared {
            instances: Arc::new(Semaphore::new(config.max_concurrent_instances as usize)),
            trials: Semaphore::new(engine::HEADROOM as usize),
            comparisons: Arc::new(Semaphore::new(COMPARISONS)),
            memo: Arc::new(Memo::new(config.memo_bytes)),
            config: Arc::new(config),
            services: Arc::new(services),
            quarantine: Quarantine::default(),
            ledgers: Ledgers::default(),
            engine,
            cache,
            known: Mutex::default(),
        })))
    }

    /// Loads `DIR/<id>/plugin.{toml,wasm}` of these folders, later ones over earlier ones. A bad plugin is reported in the
    /// catalog. Unchanged plugins are not compiled again, so this is also how to reload.
    pub async fn load_catalog(&self, dirs: &[PathBuf]) -> Catalog {
        let (runtime, dirs) = (self.clone(), dirs.to_vec());
        // Compiling takes milliseconds to seconds: never on a thread that serves pages.
        tokio::task::spawn_blocking(move || runtime.load_folders(&dirs)).await.unwrap_or_else(|error| {
            let mut catalog = Catalog::new();
            catalog
                .report(Problem { plugin: "*".to_owned(), message: format!("loading plugins was cut off: {error}") });
            catalog
        })
    }

    fn load_folders(&self, dirs: &[PathBuf]) -> Catalog {
        let mut catalog = Catalog::new();
        for (id, files) in read_folders(dirs) {
            let plugin = files.and_then(|(manifest, wasm)| self.load_plugin(&manifest, &wasm)).and_then(|plugin| {
                // `<id>`, or `<id>@<version>` where several versions lie side by side.
                let (name, version) =
                    id.split_once('@').map_or((id.as_str(), None), |(id, version)| (id, Some(version)));
                if plugin.id() == name && version.is_none_or(|version| plugin.manifest().version.to_string() == version)
                {
                    return Ok(plugin);
                }
                Err(PluginError::Manifest(format!(
                    "id is {:?} and version {}, but the folder is named {id:?}; name it `<id>` or `<id>@<version>`",
                    plugin.id(),
                    plugin.manifest().version
                )))
            });
            match plugin {
                Ok(plugin) => catalog.insert(plugin),
                Err(error) => {
                    tracing::warn!(plugin = id, %error, "plugin cannot be loaded");
                    catalog.report(Problem { plugin: id, message: error.to_string() });
                }
            }
        }
        catalog
    }

    /// Loads one plugin from memory. May compile: call it off the request path.
    ///
    /// # Errors
    /// [`PluginError`], which says what to change.
    pub fn load_plugin(&self, manifest_toml: &str, wasm: &[u8]) -> Result<Arc<Plugin>, PluginError> {
        let shared = &self.0;
        let manifest = Manifest::parse(manifest_toml)?;
        let limit = shared.config.max_component_bytes;
        if wasm.len() > limit {
            return Err(PluginError::TooLarge { bytes: wasm.len(), limit });
        }
        let key = (sha256(manifest_toml.as_bytes()), sha256(wasm));
        if let Some(known) = self.known().get(&key).and_then(Weak::upgrade) {
            return Ok(known);
        }
        let plugin = Arc::new(Plugin::load(&shared.engine, &shared.cache, manifest, wasm)?);
        let mut known = self.known();
        known.retain(|_, plugin| plugin.strong_count() > 0);
        known.insert(key, Arc::downgrade(&plugin));
        Ok(plugin)
    }

    /// The chain of one site, in the order given. A plugin that cannot be used is left out and listed in
    /// [`Chain::problems`]. What is the same as in the site's chain before is taken over and not tried again.
    pub async fn build_chain(
        &self,
        site: (SiteId, &str),
        catalog: &Catalog,
        enabled: &[PluginUse],
        previous: Option<&Chain>,
    ) -> Chain {
        admission::build(&self.0, site, catalog, enabled, previous).await
    }

    /// What plugins cost so far, by site, plugin, version and hook. Plugins that no chain uses any more are forgotten.
    #[must_use]
    pub fn costs(&self) -> Vec<Cost> {
        self.0.ledgers.prune();
        self.0.ledgers.rows()
    }

    /// The engine, so that the benchmarks can measure plain wasmtime under the very same settings.
    #[doc(hidden)]
    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.0.engine
    }

    fn known(&self) -> std::sync::MutexGuard<'_, HashMap<(Digest, Digest), Weak<Plugin>>> {
        self.0.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
