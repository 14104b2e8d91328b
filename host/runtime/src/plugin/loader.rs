//! Loads plugins from folders and from memory. An unchanged plugin is not compiled again.

use std::{
    collections::{BTreeSet, HashMap},
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use wasmtime::Engine;

use super::{catalog::Catalog, code_cache::CodeCache, engine, loaded::Plugin};
use crate::contract::{
    digest::{Digest, sha256},
    errors::{PluginError, Problem, RuntimeError},
    limits::RuntimeConfig,
    manifest::Manifest,
};

/// The engine, the folder of compiled code, and the plugins in use.
pub(crate) struct PluginLoader {
    engine: Engine,
    cache: CodeCache,
    max_component_bytes: usize,
    overrides: BTreeSet<String>,
    /// Plugins in use, by manifest and component, so that reloading a folder compiles only changed ones.
    loaded: Mutex<HashMap<(Digest, Digest), Weak<Plugin>>>,
}

impl PluginLoader {
    pub(crate) fn new(config: &RuntimeConfig) -> Result<Self, RuntimeError> {
        let engine = engine::build(config)?;
        let cache = CodeCache::open(&config.cache_dir, config.code_key, &engine)?;
        let (max_component_bytes, overrides) = (config.max_component_bytes, config.plugin_overrides.clone());
        Ok(Self { engine, cache, max_component_bytes, overrides, loaded: Mutex::default() })
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Loads all plugin folders below `dirs`; earlier ones take precedence. Reads files and may compile.
    pub(crate) fn load_folders(&self, dirs: &[PathBuf]) -> Catalog {
        let mut catalog = Catalog::with_overrides(self.overrides.clone());
        for Folder { id, path, files } in read_folders(dirs) {
            let plugin = files
                .and_then(|(manifest, wasm)| self.load(&manifest, &wasm))
                .and_then(|plugin| check_folder_name(&id, plugin.manifest()).map(|()| plugin));
            match plugin {
                Ok(plugin) => catalog.install(plugin, path.display().to_string().into()),
                Err(error) => {
                    let source = path.display().to_string();
                    tracing::warn!(plugin = id, source, %error, "plugin cannot be loaded");
                    catalog.report(Problem { plugin: id, source, message: error.to_string() });
                }
            }
        }
        catalog
    }

    /// Loads one plugin. May compile.
    pub(crate) fn load(&self, manifest_toml: &str, wasm: &[u8]) -> Result<Arc<Plugin>, PluginError> {
        let manifest = Manifest::parse(manifest_toml)?;
        let limit = self.max_component_bytes;
        if wasm.len() > limit {
            return Err(PluginError::TooLarge { bytes: wasm.len(), limit });
        }
        let digest = sha256(wasm);
        let key = (sha256(manifest_toml.as_bytes()), digest);
        if let Some(plugin) = self.loaded().get(&key).and_then(Weak::upgrade) {
            return Ok(plugin);
        }
        let plugin = Arc::new(Plugin::load(&self.engine, &self.cache, manifest, (wasm, digest))?);
        let mut loaded = self.loaded();
        loaded.retain(|_, plugin| plugin.strong_count() > 0);
        loaded.insert(key, Arc::downgrade(&plugin));
        Ok(plugin)
    }

    fn loaded(&self) -> MutexGuard<'_, HashMap<(Digest, Digest), Weak<Plugin>>> {
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A folder is named `<id>`, or `<id>@<version>` for several versions side by side.
pub(super) fn check_folder_name(folder: &str, manifest: &Manifest) -> Result<(), PluginError> {
    let (name, version) = folder.split_once('@').map_or((folder, None), |(id, version)| (id, Some(version)));
    if manifest.id == name && version.is_none_or(|version| manifest.version.to_string() == version) {
        return Ok(());
    }
    Err(PluginError::Manifest(format!(
        "id is {:?} and version {}, but the folder is named {folder:?}; name it `<id>` or `<id>@<version>`",
        manifest.id, manifest.version
    )))
}

/// A plugin folder.
pub(super) struct Folder {
    /// Its name.
    pub(super) id: String,
    pub(super) path: PathBuf,
    /// The manifest and the component, or the reason for which they cannot be read.
    pub(super) files: Result<(String, Vec<u8>), PluginError>,
}

/// Reads the two files of every plugin folder below `dirs`, in order. A folder with neither file is not a plugin folder.
pub(super) fn read_folders(dirs: &[PathBuf]) -> Vec<Folder> {
    let mut found = Vec::new();
    for dir in dirs {
        let entries = match fs::read_dir(dir) {
            Ok(entries) => entries,
            Err(error) => {
                let (id, files) = (dir.display().to_string(), Err(file_error(dir, &error)));
                found.push(Folder { id, path: dir.clone(), files });
                continue;
            }
        };
        let mut folders: Vec<_> = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
        folders.sort();
        let has_files = |folder: &PathBuf| ["plugin.toml", "plugin.wasm"].iter().any(|file| folder.join(file).exists());
        for path in folders.into_iter().filter(has_files) {
            let id = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let files = read_folder(&path);
            found.push(Folder { id, path, files });
        }
    }
    found
}

fn read_folder(folder: &Path) -> Result<(String, Vec<u8>), PluginError> {
    let (toml, wasm) = (folder.join("plugin.toml"), folder.join("plugin.wasm"));
    let manifest = fs::read_to_string(&toml).map_err(|error| file_error(&toml, &error))?;
    let component = fs::read(&wasm).map_err(|error| file_error(&wasm, &error))?;
    Ok((manifest, component))
}

fn file_error(path: &Path, error: &std::io::Error) -> PluginError {
    PluginError::File { path: path.to_owned(), reason: error.to_string() }
}
