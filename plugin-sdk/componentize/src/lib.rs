//! Converts a core WebAssembly module into the component that the host loads.
//!
//! What it is: the last step of building a plugin, in which imports of capabilities that are never called are removed.
//! What it is not: it does not compile sources or check manifests.
//! Who may depend on it: its own program (for build scripts) and `masthead plugin`.

use std::{fs, io, path::Path};

use anyhow::{Context, Result, bail};
use wit_component::{ComponentEncoder, DecodedWasm};

/// Converts a core module that was built with an SDK into a component.
///
/// # Errors
/// A message that says what is missing in the module.
pub fn componentize(module: &[u8]) -> Result<Vec<u8>> {
    ComponentEncoder::default()
        .module(module)
        .context("the interface description is missing or damaged; does the crate call masthead_plugin::register!?")?
        .validate(true)
        .encode()
        .context("the module must be built for wasm32-unknown-unknown with crate-type = [\"cdylib\"]")
}

/// The interfaces that a component imports and exports, such as `masthead:plugin/links@0.1.0`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interfaces {
    /// Imported interfaces.
    pub imports: Vec<String>,
    /// Exported interfaces.
    pub exports: Vec<String>,
}

/// Reads the imports and exports of a component.
///
/// # Errors
/// A message, if the bytes are not a component.
pub fn inspect(component: &[u8]) -> Result<Interfaces> {
    let DecodedWasm::Component(resolve, world) = wit_component::decode(component)? else {
        bail!("the file is a WIT package, not a component")
    };
    let world = &resolve.worlds[world];
    let imports = world.imports.keys().map(|key| resolve.name_world_key(key)).collect();
    let exports = world.exports.keys().map(|key| resolve.name_world_key(key)).collect();
    Ok(Interfaces { imports, exports })
}

/// Writes a file atomically, with a temporary file and a rename: a host that watches the folder never reads a part of it.
///
/// # Errors
/// The error of the file system.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".tmp");
    fs::write(&temporary, bytes)?;
    fs::rename(&temporary, path)
}
