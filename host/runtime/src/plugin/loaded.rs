//! A plugin that was compiled and compared with its manifest. Any number of sites can use it.

use std::{fmt, sync::Arc};

use wasmtime::{
    Engine,
    component::{Component, InstancePre, Linker},
};

use super::code_cache::CodeCache;
use crate::{
    contract::{
        capabilities::CAPABILITIES,
        comparison,
        digest::Digest,
        errors::{PluginError, one_line},
        hook_table::{HOOKS, Hook},
        manifest::Manifest,
    },
    invocation::{capabilities, hooks::entries::HookExports, store_state::StoreState},
};

/// A plugin that can be put into chains.
pub struct Plugin {
    manifest: Arc<Manifest>,
    digest: Digest,
    size: usize,
    /// Whether its results depend on its settings and a hook's input only.
    pub(crate) deterministic: bool,
    pub(crate) pre: InstancePre<StoreState>,
    pub(crate) exports: HookExports,
}

impl Plugin {
    /// Compiles the component with this digest (or loads it from the cache) and compares it with the manifest. Runs no code of the
    /// plugin.
    pub(crate) fn load(
        engine: &Engine,
        cache: &CodeCache,
        manifest: Manifest,
        (wasm, digest): (&[u8], Digest),
    ) -> Result<Self, PluginError> {
        if !wasm.starts_with(b"\0asm") {
            return Err(PluginError::NotAComponent("it does not begin like WebAssembly".to_owned()));
        }
        let component = cache.component(engine, wasm, digest)?;
        comparison::compare(engine, &component, &manifest)?;
        let pre = link(engine, &component, &manifest)?;
        let exports =
            HookExports::find(&pre, &manifest).map_err(|(hook, error)| comparison::wrong_types(hook, &error))?;
        let deterministic = comparison::is_deterministic(engine, &component);
        Ok(Self { manifest: Arc::new(manifest), digest, size: wasm.len(), deterministic, pre, exports })
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.manifest.id
    }

    /// Its manifest.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    pub(crate) fn shared_manifest(&self) -> Arc<Manifest> {
        Arc::clone(&self.manifest)
    }

    /// SHA-256 of `plugin.wasm`, as `sha256:<hex>`. A site may require it as the version.
    #[must_use]
    pub fn digest(&self) -> String {
        format!("sha256:{}", self.digest.hex())
    }

    /// Bytes of `plugin.wasm`.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The names of the hooks that it implements.
    #[must_use]
    pub fn hooks(&self) -> Vec<&'static str> {
        HOOKS.iter().filter(|spec| self.has_hook(spec.hook)).map(|spec| spec.name).collect()
    }

    /// Whether it implements this hook.
    #[must_use]
    pub fn has_hook(&self, hook: Hook) -> bool {
        self.exports.has(hook)
    }

    pub(crate) fn raw_digest(&self) -> Digest {
        self.digest
    }
}

impl fmt::Debug for Plugin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Plugin({} {} {})", self.id(), self.manifest.version, self.digest.hex())
    }
}

fn link(engine: &Engine, component: &Component, manifest: &Manifest) -> Result<InstancePre<StoreState>, PluginError> {
    let mut linker = Linker::new(engine);
    let message = |error: wasmtime::Error| comparison::mismatch(one_line(&error));
    for spec in CAPABILITIES.iter().filter(|spec| manifest.capabilities.contains_key(spec.name)) {
        capabilities::add_to_linker(spec.capability, &mut linker).map_err(message)?;
    }
    if comparison::imports_wasi(engine, component) {
        capabilities::add_wasi_to_linker(&mut linker).map_err(message)?;
    }
    linker.instantiate_pre(component).map_err(message)
}
