//! The cache of compiled code on disk. With it, a plugin is loaded in milliseconds at start-up.
//!
//! Compiled code is trusted like the host's own. Therefore only the host's user can access the folder, a file's name identifies the
//! engine and the component, and its checksum is compared before the code is loaded.

use std::{
    fs,
    hash::{Hash, Hasher},
    io::Write,
    os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};

use wasmtime::{Engine, component::Component};

use crate::contract::{
    digest::{Digest, sha256},
    errors::{PluginError, RuntimeError, one_line},
};

pub(crate) struct CodeCache {
    dir: PathBuf,
    engine_key: String,
}

impl CodeCache {
    pub(crate) fn open(dir: &Path, engine: &Engine) -> Result<Self, RuntimeError> {
        claim(dir).map_err(|reason| RuntimeError::CacheDir { path: dir.to_owned(), reason })?;
        Ok(Self { dir: dir.to_owned(), engine_key: engine_key(engine) })
    }

    /// The component with these bytes: from the cache if its file is intact, else compiled and stored.
    pub(crate) fn component(&self, engine: &Engine, wasm: &[u8], digest: Digest) -> Result<Component, PluginError> {
        let code = self.dir.join(format!("{}-{}.cwasm", self.engine_key, digest.hex()));
        if let Some(component) = load(engine, &code) {
            return Ok(component);
        }
        let bytes = engine.precompile_component(wasm).map_err(|error| not_compiled(&error))?;
        if let Err(error) = self.store(&code, &bytes) {
            tracing::warn!(path = %code.display(), %error, "compiled plugin code cannot be stored; it is compiled again at every start");
        } else if let Some(component) = load(engine, &code) {
            return Ok(component);
        }
        Component::from_binary(engine, wasm).map_err(|error| not_compiled(&error))
    }

    fn store(&self, code: &Path, bytes: &[u8]) -> std::io::Result<()> {
        // The code is written first, because a checksum without its code is only a miss.
        for (path, content) in [(code, bytes), (&checksum_path(code), sha256(bytes).hex().as_bytes())] {
            let mut file = tempfile::NamedTempFile::new_in(&self.dir)?;
            file.write_all(content)?;
            file.persist(path)?;
        }
        Ok(())
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

fn checksum_path(code: &Path) -> PathBuf {
    code.with_extension("sha256")
}

/// `None` if the file is missing, damaged or made for another engine; the component is then compiled again.
fn load(engine: &Engine, code: &Path) -> Option<Component> {
    let bytes = fs::read(code).ok()?;
    let expected = fs::read_to_string(checksum_path(code)).ok()?;
    if sha256(&bytes).hex() != expected.trim() {
        tracing::warn!(path = %code.display(), "compiled plugin code is damaged; it is compiled again");
        return None;
    }
    match deserialize(engine, code) {
        Ok(component) => Some(component),
        Err(error) => {
            tracing::warn!(path = %code.display(), error = %one_line(&error), "compiled plugin code was made for another engine; it is compiled again");
            None
        }
    }
}

#[allow(unsafe_code, reason = "the one place where compiled code is trusted")]
fn deserialize(engine: &Engine, code: &Path) -> wasmtime::Result<Component> {
    // SAFETY: the file was written by this host's own `precompile_component` (its checksum was compared just before), in a
    // folder that only the host's user can write (`claim`), and it is never changed in place: `store` renames over it.
    unsafe { Component::deserialize_file(engine, code) }
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
