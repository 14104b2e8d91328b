//! Wraps a core WebAssembly module into the component that the host loads.
//!
//! What it is: the last step of building a plugin, where its imports shrink to the capabilities that it really calls.
//! What it is not: it compiles nothing and checks no manifest.
//! Who may depend on it: its own program (for build scripts) and `masthead plugin`.

use std::{fs, io, path::Path};

use anyhow::{Context, Result, bail};
use wit_component::{ComponentEncoder, DecodedWasm};

/// Makes the component of a core module that was built with an SDK.
///
/// # Errors
/// Says what the module lacks.
pub fn componentize(module: &[u8]) -> Result<Vec<u8>> {
    ComponentEncoder::default()
        .module(module)
        .context("its interface description is missing or damaged: does the crate call masthead_plugin::register!?")?
        .validate(true)
        .encode()
        .context("is it built for wasm32-unknown-unknown with crate-type = [\"cdylib\"]?")
}

/// What a component imports and exports, such as `masthead:plugin/links@0.1.0`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interfaces {
    /// What it imports.
    pub imports: Vec<String>,
    /// What it exports.
    pub exports: Vec<String>,
}

/// Reads what a component imports and exports.
///
/// # Errors
/// When the bytes are no component.
pub fn inspect(component: &[u8]) -> Result<Interfaces> {
    let DecodedWasm::Component(resolve, world) = wit_component::decode(component)? else {
        bail!("it is a WIT package, not a component")
    };
    let world = &resolve.worlds[world];
    let imports = world.imports.keys().map(|key| resolve.name_world_key(key)).collect();
    let exports = world.exports.keys().map(|key| resolve.name_world_key(key)).collect();
    Ok(Interfaces { imports, exports })
}

/// Writes a file beside its place and renames it there: a host that watches the folder never sees half a file.
///
/// # Errors
/// As the file system says.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(".tmp");
    fs::write(&beside, bytes)?;
    fs::rename(&beside, path)
}
