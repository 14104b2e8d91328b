//! The plugins that `make test-plugins` has built, for tests. A test never builds them: it fails with the command to run when a
//! component is missing or older than its sources.
//!
//! The tests of `masthead-runtime` and `tests/faults` include this file by its path, because this crate depends on the runtime;
//! it therefore uses the standard library only.

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
    time::SystemTime,
};

/// `dist/plugins`: the first-party plugins, one folder each, with `plugin.toml` and `plugin.wasm`.
pub fn first_party_plugins() -> PathBuf {
    require();
    root().join("dist/plugins")
}

/// `plugins/target/tests`: `faulty`, `printer`, the TypeScript plugins, and the template's example of each hook as
/// `template-<hook>`.
pub fn test_plugins() -> PathBuf {
    require();
    root().join("plugins/target/tests")
}

/// Checks the components once in each test program.
fn require() {
    static PROBLEM: OnceLock<Option<String>> = OnceLock::new();
    if let Some(problem) = PROBLEM.get_or_init(|| problem(&root())) {
        panic!("{problem}: run `make test-plugins` first");
    }
}

/// The checkout.
fn root() -> PathBuf {
    // Every crate that includes this file lies two folders below the root.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().unwrap_or(root)
}

/// The first component that is missing or older than what it is built from, as in `plugins/Makefile`.
fn problem(root: &Path) -> Option<String> {
    let plugins = root.join("plugins");
    let tests = plugins.join("target/tests");
    let release = plugins.join("target/wasm32-unknown-unknown/release");
    let module = |name: &str| release.join(format!("{}.wasm", name.replace('-', "_")));
    let mut found = Vec::new();
    for (manifest, id) in manifests(&plugins) {
        found.push(of_module(&root.join("dist/plugins").join(&id), &manifest, &module(&id)));
    }
    for (manifest, id) in manifests(&plugins.join("tests")) {
        // The guest that speaks WASI is a component as Cargo makes it, and is copied only when its bytes changed.
        let module =
            if id == "printer" { plugins.join("target/wasm32-wasip2/release/printer.wasm") } else { module(&id) };
        found.push(of_module(&tests.join(&id), &manifest, &module));
    }
    for source in entries(&root.join("plugin-sdk/template/hooks")) {
        if source.extension() == Some(OsStr::new("rs")) {
            let hook = name(source.with_extension("").as_path());
            let module = release.join("examples").join(format!("{hook}.wasm"));
            let folder = tests.join(format!("template-{hook}"));
            // Cargo compiles a copy of the template, which keeps the times of its files.
            found.push(of_module(&folder, &source.with_extension("toml"), &module).or_else(|| newer(&module, &source)));
        }
    }
    let typescript = manifests(&plugins.join("typescript"));
    let template = (root.join("plugin-sdk/template-typescript/plugin.toml"), "template-typescript".to_owned());
    for (manifest, id) in typescript.into_iter().chain([template]) {
        let folder = tests.join(&id);
        let mut sources = entries(&manifest.with_file_name("src"));
        sources.retain(|path| path.is_file());
        found.push(of_manifest(&folder, &manifest).or_else(|| newest(&folder.join("plugin.wasm"), &sources)));
    }
    found.into_iter().flatten().next()
}

/// A component that is made of a module which Cargo has compiled: Cargo's `.d` file names the sources of the module.
fn of_module(folder: &Path, manifest: &Path, module: &Path) -> Option<String> {
    let component = folder.join("plugin.wasm");
    let sources = fs::read_to_string(module.with_extension("d")).unwrap_or_default();
    // A space inside a path is escaped, the one between two paths is not.
    let sources = sources.trim_end().replace("\\ ", "\0");
    let mut sources: Vec<_> = sources.split(' ').skip(1).map(|path| PathBuf::from(path.replace('\0', " "))).collect();
    // A target folder that was copied from another checkout names the sources of that one.
    sources.retain(|path| path.starts_with(root()));
    let same = || fs::read(&component).ok().is_some_and(|bytes| fs::read(module).is_ok_and(|module| module == bytes));
    of_manifest(folder, manifest)
        .or_else(|| newest(module, &sources))
        .or_else(|| newer(&component, module).filter(|_| !same()))
}

/// The component has to be there, with the manifest of the sources.
fn of_manifest(folder: &Path, manifest: &Path) -> Option<String> {
    let (component, built) = (folder.join("plugin.wasm"), folder.join("plugin.toml"));
    if let Some(missing) = [&component, &built].into_iter().find(|path| !path.exists()) {
        return Some(format!("{} is missing", missing.display()));
    }
    (fs::read(&built).ok() != fs::read(manifest).ok())
        .then(|| format!("{} differs from {}", built.display(), manifest.display()))
}

fn newest(built: &Path, sources: &[PathBuf]) -> Option<String> {
    sources.iter().find_map(|source| newer(built, source))
}

/// Says so when a source is newer than what was built from it. What is not there is not compared: a checkout may have been
/// given the built plugins alone.
fn newer(built: &Path, source: &Path) -> Option<String> {
    (changed(source)? > changed(built)?).then(|| format!("{} is older than {}", built.display(), source.display()))
}

fn changed(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|file| file.modified()).ok()
}

/// The manifests of the plugins of a folder, each with the plugin's id.
fn manifests(folder: &Path) -> Vec<(PathBuf, String)> {
    let folders = entries(folder).into_iter().map(|plugin| (plugin.join("plugin.toml"), name(&plugin)));
    folders.filter(|(manifest, _)| manifest.exists()).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    found.sort();
    found
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
