//! The entry point of the crate: loads plugins and builds chains.

use std::{path::PathBuf, sync::Arc};

use masthead_domain::{SiteId, plugin_use::PluginUse};
use wasmtime::Engine;

use crate::{
    contract::{
        errors::{PluginError, Problem, RuntimeError},
        limits::RuntimeConfig,
    },
    invocation::{host_services::HostServices, memory_limiter::MemoryUsage},
    plugin::{catalog::Catalog, loaded::Plugin, loader::PluginLoader},
    rendering::renderer::Renderer,
    site::{admission, chain::Chain, hook_metrics::HookUsage, shared::SharedState},
};

/// Loads plugins and builds chains. Cheap to clone.
#[derive(Clone)]
pub struct Runtime(Arc<Inner>);

struct Inner {
    loader: PluginLoader,
    shared: SharedState,
}

impl std::fmt::Debug for Runtime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Runtime").field(&self.0.shared.config).finish()
    }
}

impl Runtime {
    /// Starts the engine and the thread that measures computing time. `services` are used by the capabilities of plugins. Blocks on
    /// the file system, so that it must be called at start-up or on a blocking thread.
    ///
    /// # Errors
    /// [`RuntimeError`] if the folder for compiled code or the engine cannot be used.
    pub fn new(mut config: RuntimeConfig, services: HostServices) -> Result<Self, RuntimeError> {
        config.max_concurrent_instances = config.max_concurrent_instances.max(1);
        config.max_concurrent_instances_of_others = config.max_concurrent_instances_of_others.max(1);
        config.max_plugins_per_site = config.max_plugins_per_site.min(config.max_concurrent_instances as usize);
        let loader = PluginLoader::new(&config)?;
        Ok(Self(Arc::new(Inner { loader, shared: SharedState::new(config, services) })))
    }

    /// Loads `DIR/<id>/plugin.{toml,wasm}` of these folders. Where several have the same version of a plugin, the first one serves
    /// and the others are reported, unless [`RuntimeConfig::plugin_overrides`] names the plugin. A plugin that cannot be loaded is
    /// reported in the catalog. Unchanged plugins are not compiled again, so that this is used for reloading too.
    pub async fn load_catalog(&self, dirs: &[PathBuf]) -> Catalog {
        let (runtime, dirs) = (self.clone(), dirs.to_vec());
        // Compiling takes milliseconds to seconds and must not block a thread that serves pages.
        let loaded = tokio::task::spawn_blocking(move || runtime.0.loader.load_folders(&dirs)).await;
        loaded.unwrap_or_else(|error| {
            let mut catalog = Catalog::new();
            let message = format!("the loading of plugins was interrupted: {error}");
            catalog.report(Problem { plugin: "*".to_owned(), message, ..Problem::default() });
            catalog
        })
    }

    /// Loads one plugin from memory. It may compile, so that it must be called on a blocking thread.
    ///
    /// # Errors
    /// [`PluginError`], with the necessary change.
    pub fn load_plugin(&self, manifest_toml: &str, wasm: &[u8]) -> Result<Arc<Plugin>, PluginError> {
        self.0.loader.load(manifest_toml, wasm)
    }

    /// Starts the renderer of UI modules. `wasm` is its engine and `script` what that runs first, both from `ui-renderer`. It may compile,
    /// so that it must be called on a blocking thread.
    ///
    /// # Errors
    /// [`RuntimeError`].
    pub fn renderer(&self, wasm: &[u8], script: &[u8]) -> Result<Renderer, RuntimeError> {
        Renderer::new(&self.0.shared.config, wasm, script)
    }

    /// Builds the chain of one site (number and short name), in the order of `enabled`. A plugin that cannot be used is omitted and
    /// listed in [`Chain::problems`]. A plugin that is unchanged since `previous` is taken over without another trial.
    pub async fn build_chain(
        &self,
        site: (SiteId, &str),
        catalog: &Catalog,
        enabled: &[PluginUse],
        previous: Option<&Chain>,
    ) -> Chain {
        admission::build(&self.0.shared, site, catalog, enabled, previous).await
    }

    /// Counters of hook calls by site, plugin, version and hook. Removes the counters of plugins that no chain uses any more.
    #[must_use]
    pub fn hook_usage(&self) -> Vec<HookUsage> {
        self.0.shared.metrics.prune();
        self.0.shared.metrics.rows()
    }

    /// Memory of all plugin instances together.
    #[must_use]
    pub fn memory_usage(&self) -> MemoryUsage {
        self.0.shared.memory.usage()
    }

    /// The engine, for benchmarks of plain wasmtime with the same settings.
    #[doc(hidden)]
    #[must_use]
    pub fn engine(&self) -> &Engine {
        self.0.loader.engine()
    }
}
