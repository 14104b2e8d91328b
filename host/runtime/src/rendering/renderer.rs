//! Renders the modules of a slot: each time in an instance of its own, which begins with the memory that it had when the modules were loaded.
//!
//! Nothing of one rendering is in another: the instance ends with it. What modules do when they are loaded stays among the modules of the
//! same slot, and is the same for every site.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use bytes::Bytes;
use moka::sync::Cache;
use tokio::{sync::Semaphore, time::timeout};
use wasmtime::{Config, Engine, InstancePre};

use super::{
    image::Image,
    sandbox::{InstanceLimits, Sandbox, State, link},
};
use crate::{
    contract::{
        digest::sha256,
        errors::{RuntimeError, one_line},
        limits::RuntimeConfig,
    },
    plugin::{clock, code_cache::CodeCache},
};

/// Bytes of the memory of one instance. React and a module need about 4.3 MB.
const MEMORY: usize = 32 << 20;
/// Computing time for the script of the renderer, and for loading the modules of a slot.
const LOAD: Duration = Duration::from_secs(3);
/// Computing time for one rendering, which takes about 30 ms.
const RENDER: Duration = Duration::from_millis(500);
/// Renderings at the same time: they compute only, and pages whose frame is remembered need none.
const CONCURRENT: usize = 2;
/// Time for which a page waits for its turn.
const WAIT: Duration = Duration::from_secs(2);
/// Bytes of kept memories of loaded modules; one is about 3.2 MB.
const IMAGES: u64 = 96 << 20;

/// A module that fills a slot.
#[derive(Clone, Debug)]
pub struct RenderModule {
    /// Its id.
    pub id: String,
    /// The slot that it fills.
    pub slot: String,
    /// Digest of its script.
    pub digest: String,
    /// The script: the module-federation container that browsers load.
    pub script: Bytes,
}

/// What the modules of a slot rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendering {
    /// The markup.
    pub html: String,
    /// Whether a module has read what differs between pages, so that the markup is for this page only.
    pub of_page: bool,
}

/// Why there is no rendering.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RenderFailure {
    /// A module threw an exception, or its script is not a module. The same happens again with the same properties.
    #[error("the module failed: {0}")]
    Threw(String),
    /// The module exceeded its time limit.
    #[error("the module exceeded its time limit")]
    Time,
    /// The module exceeded its memory limit.
    #[error("the module exceeded its memory limit")]
    Memory,
    /// The engine stopped it.
    #[error("the engine stopped the module: {0}")]
    Trap(String),
    /// Too many others were rendering.
    #[error("other modules were being rendered for too long")]
    Busy,
}

/// Renders UI modules. Cheap to clone.
#[derive(Clone)]
pub struct Renderer(Arc<Inner>);

struct Inner {
    pre: InstancePre<State>,
    script: String,
    /// The memory with the renderer's script, made when it is first needed.
    base: OnceLock<Image>,
    /// The memory with the modules of a slot, too, by their digests.
    images: Cache<String, Arc<Image>>,
    permits: Arc<Semaphore>,
    tick: Duration,
    factor: f64,
}

impl std::fmt::Debug for Renderer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Renderer").field("images", &self.0.images.entry_count()).finish_non_exhaustive()
    }
}

impl Renderer {
    /// `wasm` is QuickJS, `script` what it runs before the modules. May compile.
    pub(crate) fn new(config: &RuntimeConfig, wasm: &[u8], script: &[u8]) -> Result<Self, RuntimeError> {
        let unusable = |error: wasmtime::Error| RuntimeError::Renderer(one_line(&error));
        let script = String::from_utf8(script.to_vec()).map_err(|error| RuntimeError::Renderer(error.to_string()))?;
        let engine = engine().map_err(unusable)?;
        clock::add(&engine, config.tick)?;
        let cache = CodeCache::open(&config.cache_dir, config.code_key, &engine)?;
        let module = cache.module(&engine, wasm, sha256(wasm)).map_err(unusable)?;
        let weigh = |_: &String, image: &Arc<Image>| u32::try_from(image.weight()).unwrap_or(u32::MAX);
        Ok(Self(Arc::new(Inner {
            pre: link(&engine, &module).map_err(unusable)?,
            script,
            base: OnceLock::new(),
            images: Cache::builder().weigher(weigh).max_capacity(IMAGES).build(),
            permits: Arc::new(Semaphore::new(CONCURRENT)),
            tick: config.tick,
            factor: config.budget_factor,
        })))
    }

    /// Renders the modules of a slot. `job` is what the renderer's script expects (`ui-renderer/src/render.tsx`), as JSON.
    ///
    /// # Errors
    /// [`RenderFailure`].
    pub async fn render(&self, modules: Vec<RenderModule>, job: String) -> Result<Rendering, RenderFailure> {
        let turn = timeout(WAIT, Arc::clone(&self.0.permits).acquire_owned()).await;
        let Ok(Ok(permit)) = turn else { return Err(RenderFailure::Busy) };
        let inner = Arc::clone(&self.0);
        // It computes for milliseconds without a pause, which must not block a thread that serves pages.
        let rendered = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            inner.render(&modules, &job)
        });
        rendered.await.unwrap_or_else(|error| Err(RenderFailure::Trap(error.to_string())))
    }
}

impl Inner {
    fn render(&self, modules: &[RenderModule], job: &str) -> Result<Rendering, RenderFailure> {
        let image = self.image(modules)?;
        let mut sandbox = Sandbox::start(&self.pre, Some(&image), self.limits(RENDER))?;
        let text = sandbox.text(&format!("mastheadRender({})", literal(job)))?;
        match text.split_at_checked(1) {
            Some((mark, html)) => Ok(Rendering { html: html.to_owned(), of_page: mark == "p" }),
            None => Err(RenderFailure::Threw("it returned nothing".to_owned())),
        }
    }

    /// The memory in which these modules are loaded.
    fn image(&self, modules: &[RenderModule]) -> Result<Arc<Image>, RenderFailure> {
        let key: String =
            modules.iter().map(|module| format!("{} {} {}\n", module.slot, module.id, module.digest)).collect();
        if let Some(image) = self.images.get(&key) {
            return Ok(image);
        }
        let base = match self.base.get() {
            Some(base) => base,
            None => {
                let made = self.start()?;
                self.base.get_or_init(|| made)
            }
        };
        let mut sandbox = Sandbox::start(&self.pre, Some(base), self.limits(LOAD))?;
        for module in modules {
            sandbox.evaluate_module(&module.script, "mastheadEvaluated")?;
            let (id, slot) = (literal(&module.id), literal(&module.slot));
            sandbox.run(&format!("mastheadTake({id},{slot},mastheadEvaluated)"))?;
            sandbox.run_jobs()?;
            let failure = sandbox.text("mastheadFailure()")?;
            if !failure.is_empty() {
                return Err(RenderFailure::Threw(failure));
            }
        }
        let image = Arc::new(sandbox.image());
        self.images.insert(key, Arc::clone(&image));
        Ok(image)
    }

    fn start(&self) -> Result<Image, RenderFailure> {
        let mut sandbox = Sandbox::start(&self.pre, None, self.limits(LOAD))?;
        sandbox.run(&self.script)?;
        Ok(sandbox.image())
    }

    fn limits(&self, time: Duration) -> InstanceLimits {
        let ticks = time.mul_f64(self.factor.max(1.0)).as_nanos() / self.tick.as_nanos().max(1);
        InstanceLimits { memory: MEMORY, ticks: u32::try_from(ticks).unwrap_or(u32::MAX).max(1) }
    }
}

/// An engine of its own, without the pool of the plugins: an instance here is larger, and there are few.
fn engine() -> wasmtime::Result<Engine> {
    let mut settings = Config::new();
    settings
        .epoch_interruption(true)
        .concurrency_support(false)
        .wasm_memory64(false)
        .memory_reservation(MEMORY as u64)
        .memory_guard_size(64 << 10)
        .memory_init_cow(true);
    Engine::new(&settings)
}

/// A text as a literal of JavaScript: JSON is a part of it.
fn literal(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
