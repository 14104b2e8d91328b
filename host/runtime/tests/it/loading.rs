//! Folders, manifests and compiled code. Faults of components are tested in the fault matrix, `tests/faults`.

use std::{fs, path::Path};

use crate::common::{self, dist, handmade, runtime, start};
use masthead_runtime::{HostServices, Runtime, RuntimeConfig};

fn put(dir: &Path, id: &str, manifest: &str, wasm: Option<&[u8]>) {
    fs::create_dir_all(dir.join(id)).unwrap();
    fs::write(dir.join(id).join("plugin.toml"), manifest).unwrap();
    if let Some(wasm) = wasm {
        fs::write(dir.join(id).join("plugin.wasm"), wasm).unwrap();
    }
}

/// Loads one component with a manifest for `layout.contribute`, expects a failure and returns its message.
fn refused(runtime: &Runtime, manifest: &str, wasm: &[u8]) -> String {
    runtime.load_plugin(manifest, wasm).expect_err("should be refused").to_string()
}

#[tokio::test]
async fn bad_folders_are_reported_and_good_ones_loaded() {
    let dir = tempfile::tempdir().unwrap();
    let good_manifest = fs::read_to_string(dist().join("hss-article/plugin.toml")).unwrap();
    let good = fs::read(dist().join("hss-article/plugin.wasm")).unwrap();
    put(dir.path(), "hss-article", &good_manifest, Some(&good));
    put(dir.path(), "no-component", &handmade::manifest("no-component"), None);
    put(dir.path(), "other-name", &good_manifest, Some(&good));
    put(dir.path(), "half", &handmade::manifest("half"), Some(&good[..good.len() / 2]));
    put(dir.path(), "empty", &handmade::manifest("empty"), Some(&[]));
    put(dir.path(), "no-toml", "id = ", Some(&good));
    fs::create_dir(dir.path().join("not-a-plugin")).unwrap();
    let runtime = runtime();
    let catalog = runtime.load_catalog(&[dir.path().to_owned(), dir.path().join("missing")]).await;
    assert_eq!(catalog.plugins().map(|plugin| plugin.id()).collect::<Vec<_>>(), ["hss-article"]);
    let message =
        |id: &str| catalog.problems().iter().find(|problem| problem.plugin.ends_with(id)).unwrap().message.clone();
    for (id, expected) in [
        ("no-component", "plugin.wasm cannot be read"),
        ("other-name", "the folder is named \"other-name\""),
        ("half", "not a WebAssembly component"),
        ("empty", "not a WebAssembly component"),
        ("no-toml", "plugin.toml"),
        ("missing", "cannot be read"),
    ] {
        assert!(message(id).contains(expected), "{id}: {}", message(id));
    }
    assert_eq!(catalog.problems().len(), 6);
    // A site that uses a plugin which failed to load gets the reason, not the message that there is no such plugin.
    assert!(catalog.find("half", "*").unwrap_err().contains("not a WebAssembly component"));
}

#[test]
fn a_component_over_the_size_limit_is_not_compiled() {
    let mut config = common::config();
    config.max_component_bytes = 1000;
    let runtime = start(config);
    assert!(
        refused(&runtime, &handmade::manifest("guest"), &[0; 1001])
            .contains("1001 bytes, the platform compiles at most 1000")
    );
}

#[test]
fn exports_and_imports_are_compared_with_the_manifest() {
    let runtime = runtime();
    let manifest = fs::read_to_string(dist().join("hss-article/plugin.toml")).unwrap();
    let wasm = fs::read(dist().join("hss-article/plugin.wasm")).unwrap();
    for (from, to, expected) in [
        (
            "\"links.rewrite\"",
            "\"links.rewrite\", \"access.decide\"",
            "does not export the interface masthead:plugin/access",
        ),
        (
            "\"links.rewrite\"",
            "\"access.decide\"",
            "implements the hook links.rewrite, which plugin.toml does not name",
        ),
        (
            "settings = \"",
            "log = \"",
            "uses the capability \"settings\", which plugin.toml does not ask for; add `settings =",
        ),
        ("contract = \"0.1\"", "contract = \"0.7\"", "made for contract 0.7, this host knows 0.1"),
    ] {
        assert!(manifest.contains(from));
        let message = refused(&runtime, &manifest.replacen(from, to, 1), &wasm);
        assert!(message.contains(expected), "{message} should say {expected}");
    }
}

#[tokio::test]
async fn damaged_compiled_code_is_compiled_again() {
    let dir = tempfile::tempdir().unwrap();
    let cache = dir.path().join("code");
    let load = || {
        let runtime = start(RuntimeConfig { max_concurrent_instances: 4, ..RuntimeConfig::new(&cache) });
        common::plugin(&runtime, &dist().join("hss-article"));
    };
    load();
    let code = || {
        let files = fs::read_dir(&cache).unwrap().map(|entry| entry.unwrap().path());
        files.into_iter().find(|path| path.extension().is_some_and(|extension| extension == "cwasm")).unwrap()
    };
    let good = fs::read(code()).unwrap();
    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 0xff;
    for damaged in [&good[..good.len() / 2], &[], &flipped[..]] {
        fs::write(code(), damaged).unwrap();
        load();
        assert_eq!(fs::read(code()).unwrap().len(), good.len());
    }
    fs::remove_file(code().with_extension("sha256")).unwrap();
    load();
    use std::os::unix::fs::PermissionsExt;
    assert_eq!(fs::metadata(&cache).unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn an_unusable_cache_folder_is_reported_at_the_start() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let error = Runtime::new(RuntimeConfig::new(file.path()), HostServices::standalone()).err().unwrap().to_string();
    assert!(error.contains("cannot be used") && error.contains("set another one"), "{error}");
}
