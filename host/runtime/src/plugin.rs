//! A plugin that was compiled and compared with its manifest, ready to be used by any number of sites.

use std::fmt;

use sha2::{Digest as _, Sha256};
use wasmtime::{
    Engine,
    component::{Component, InstancePre, Linker},
};

use crate::{
    cache::{CodeCache, one_line},
    capabilities::CAPABILITIES,
    contract,
    error::PluginError,
    hooks::{Found, Hook},
    manifest::Manifest,
    state::State,
};

/// SHA-256 of some bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Digest([u8; 32]);

impl Digest {
    pub(crate) fn hex(self) -> String {
        masthead_domain::text::hex(&self.0)
    }
}

pub(crate) fn sha256(bytes: &[u8]) -> Digest {
    Digest(Sha256::digest(bytes).into())
}

/// A plugin that can be put into chains.
pub struct Plugin {
    manifest: Manifest,
    digest: Digest,
    size: usize,
    /// Whether nothing but its settings and a hook's input can change what it answers.
    pub(crate) pure: bool,
    pub(crate) pre: InstancePre<State>,
    pub(crate) found: Found,
}

impl Plugin {
    /// Compiles (or takes from the cache), then compares with the manifest. It runs nothing of the plugin.
    pub(crate) fn load(
        engine: &Engine,
        cache: &CodeCache,
        manifest: Manifest,
        wasm: &[u8],
    ) -> Result<Self, PluginError> {
        if !wasm.starts_with(b"\0asm") {
            return Err(PluginError::NotAComponent("it does not begin like WebAssembly".to_owned()));
        }
        let digest = sha256(wasm);
        let component = cache.component(engine, wasm, digest)?;
        contract::compare(engine, &component, &manifest)?;
        let pre = link(engine, &component, &manifest)?;
        let found = Found::find(&pre, &manifest).map_err(|(hook, error)| contract::wrong_types(hook, &error))?;
        let pure = contract::is_pure(engine, &component);
        Ok(Self { manifest, digest, size: wasm.len(), pure, pre, found })
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.manifest.id
    }

    /// What it says about itself.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// SHA-256 of `plugin.wasm`, as `sha256:<hex>`; a site may pin it.
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
        crate::HOOKS.iter().filter(|spec| self.has_hook(spec.hook)).map(|spec| spec.name).collect()
    }

    /// Whether it implements this hook.
    #[must_use]
    pub fn has_hook(&self, hook: Hook) -> bool {
        self.found.has(hook)
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

fn link(engine: &Engine, component: &Component, manifest: &Manifest) -> Result<InstancePre<State>, PluginError> {
    let mut linker = Linker::new(engine);
    let words = |error: wasmtime::Error| contract::mismatch(one_line(&error));
    for capability in CAPABILITIES.iter().filter(|capability| manifest.capabilities.contains_key(capability.name)) {
        if let Some(add) = capability.add {
            add(&mut linker).map_err(words)?;
        }
    }
    if contract::speaks_wasi(engine, component) {
        crate::wasi::add_to_linker(&mut linker).map_err(words)?;
    }
    linker.instantiate_pre(component).map_err(words)
}
