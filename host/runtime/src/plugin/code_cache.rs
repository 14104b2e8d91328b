//! The cache of compiled code on disk. With it, a plugin is loaded in milliseconds at start-up.
//!
//! Compiled code is trusted like the host's own. Therefore only the host's user can access the folder, and a file begins with a keyed
//! digest (HMAC-SHA-256) of the engine, the component and the code: only who knows the key of the installation can write code that is
//! loaded, wherever the folder comes from. A file without a matching digest is compiled again.

use std::{
    fs,
    hash::{Hash, Hasher},
    io::Write,
    os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use wasmtime::{Engine, Module, component::Component};

use crate::contract::{
    digest::Digest,
    errors::{PluginError, RuntimeError, one_line},
    limits::CodeKey,
};

/// Bytes of the keyed digest at the beginning of a file.
const TAG: usize = 32;

/// What the key is used for. The installation's key also signs other things.
const PURPOSE: &[u8] = b"masthead: compiled plugin code\0";

pub(crate) struct CodeCache {
    dir: PathBuf,
    engine_key: String,
    /// The digest of the purpose and the engine, which that of a file continues.
    mac: Hmac<Sha256>,
}

impl CodeCache {
    pub(crate) fn open(dir: &Path, key: CodeKey, engine: &Engine) -> Result<Self, RuntimeError> {
        let unusable = |reason| RuntimeError::CacheDir { path: dir.to_owned(), reason };
        claim(dir).map_err(unusable)?;
        let engine_key = engine_key(engine);
        let mut mac = Hmac::<Sha256>::new_from_slice(key.bytes()).map_err(|error| unusable(error.to_string()))?;
        mac.update(PURPOSE);
        mac.update(engine_key.as_bytes());
        Ok(Self { dir: dir.to_owned(), engine_key, mac })
    }

    /// The component with these bytes: from the cache if its file is intact, else compiled and stored.
    pub(crate) fn component(&self, engine: &Engine, wasm: &[u8], digest: Digest) -> Result<Component, PluginError> {
        let code = self.code(engine, wasm, digest, Engine::precompile_component, deserialize_component);
        code.map_err(|error| not_compiled(&error))
    }

    /// The same for a module that is not a component.
    pub(crate) fn module(&self, engine: &Engine, wasm: &[u8], digest: Digest) -> wasmtime::Result<Module> {
        self.code(engine, wasm, digest, Engine::precompile_module, deserialize_module)
    }

    fn code<T>(
        &self,
        engine: &Engine,
        wasm: &[u8],
        digest: Digest,
        precompile: fn(&Engine, &[u8]) -> wasmtime::Result<Vec<u8>>,
        deserialize: fn(&Engine, &[u8]) -> wasmtime::Result<T>,
    ) -> wasmtime::Result<T> {
        let code = self.dir.join(format!("{}-{}.cwasm", self.engine_key, digest.hex()));
        if let Some(loaded) = self.load(engine, &code, digest, deserialize) {
            return Ok(loaded);
        }
        let bytes = precompile(engine, wasm)?;
        let loaded = deserialize(engine, &bytes)?;
        if let Err(error) = self.store(&code, digest, &bytes) {
            tracing::warn!(path = %code.display(), %error, "compiled code cannot be stored; it is compiled again at every start");
        }
        Ok(loaded)
    }

    /// `None` if the file is missing, or is not what this installation wrote for this code and engine; it is then compiled again.
    fn load<T>(
        &self,
        engine: &Engine,
        code: &Path,
        digest: Digest,
        deserialize: fn(&Engine, &[u8]) -> wasmtime::Result<T>,
    ) -> Option<T> {
        let file = fs::read(code).ok()?;
        let trusted = file.split_at_checked(TAG).filter(|(tag, bytes)| self.is_ours(digest, tag, bytes));
        let Some((_, bytes)) = trusted else {
            tracing::warn!(path = %code.display(), "compiled plugin code is damaged or was not written by this installation; it is compiled again");
            return None;
        };
        match deserialize(engine, bytes) {
            Ok(loaded) => Some(loaded),
            Err(error) => {
                tracing::warn!(path = %code.display(), error = %one_line(&error), "compiled plugin code was made for another engine; it is compiled again");
                None
            }
        }
    }

    /// Stores code with its digest. The write is atomic, so that a file is complete or missing; a temporary file has mode 0600.
    fn store(&self, code: &Path, digest: Digest, bytes: &[u8]) -> std::io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(&self.dir)?;
        file.write_all(&self.digest_of(digest, bytes).finalize().into_bytes())?;
        file.write_all(bytes)?;
        file.persist(code)?;
        Ok(())
    }

    fn is_ours(&self, digest: Digest, tag: &[u8], bytes: &[u8]) -> bool {
        self.digest_of(digest, bytes).verify_slice(tag).is_ok()
    }

    /// The keyed digest of code. The parts before the code have fixed lengths, so that their concatenation is unambiguous.
    fn digest_of(&self, digest: Digest, bytes: &[u8]) -> Hmac<Sha256> {
        let mut mac = self.mac.clone();
        mac.update(digest.hex().as_bytes());
        mac.update(bytes);
        mac
    }
}

/// Creates the folder for this user only, or restricts it to this user if it belongs to them.
fn claim(dir: &Path) -> Result<(), String> {
    let words = |error: std::io::Error| error.to_string();
    if !dir.exists() {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(dir).map_err(words)?;
    }
    let probe = tempfile::NamedTempFile::new_in(dir).map_err(words)?;
    let (owner, user) = (fs::metadata(dir).map_err(words)?.uid(), probe.as_file().metadata().map_err(words)?.uid());
    if owner != user {
        return Err(format!("it belongs to user {owner}, the host runs as user {user}"));
    }
    fs::set_permissions(dir, fs::Permissions::from_mode(0o700)).map_err(words)
}

#[allow(unsafe_code, reason = "one of the two places where compiled code is trusted")]
fn deserialize_component(engine: &Engine, code: &[u8]) -> wasmtime::Result<Component> {
    // SAFETY: these very bytes, which wasmtime copies, are the output of `precompile_component`: either of this process, or of one
    // that knew the installation's key, whose digest of them was compared (`is_ours`).
    unsafe { Component::deserialize(engine, code) }
}

#[allow(unsafe_code, reason = "one of the two places where compiled code is trusted")]
fn deserialize_module(engine: &Engine, code: &[u8]) -> wasmtime::Result<Module> {
    // SAFETY: the same, of `precompile_module`.
    unsafe { Module::deserialize(engine, code) }
}

fn engine_key(engine: &Engine) -> String {
    // SipHash with fixed keys is the same in every process of one host build. Another build may miss the cache.
    let mut hasher = std::hash::DefaultHasher::new();
    engine.precompile_compatibility_hash().hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn not_compiled(error: &wasmtime::Error) -> PluginError {
    let text = one_line(error);
    // The error's type is private to wasmtime.
    if text.contains("pooling allocator") {
        return PluginError::NeedsTooMuch(error.root_cause().to_string());
    }
    PluginError::NotAComponent(text)
}
