//! Folders, manifests and compiled code. Faults of components are tested in the fault matrix, `tests/faults`.

use std::{
    collections::BTreeSet,
    fs,
    os::unix::fs::{MetadataExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

use crate::common::{self, dist, handmade, runtime, start};
use masthead_runtime::{Catalog, CodeKey, HostServices, Runtime, RuntimeConfig};

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
    let half = catalog.problems().iter().find(|problem| problem.plugin == "half").unwrap();
    assert_eq!(half.source, dir.path().join("half").display().to_string());
    assert!(half.to_string().starts_with(&format!("plugin half ({}): ", half.source)), "{half}");
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

/// A folder of compiled code.
struct Code {
    dir: tempfile::TempDir,
}

impl Code {
    fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    fn folder(&self) -> PathBuf {
        self.dir.path().join("code")
    }

    /// Loads a plugin in a new runtime with this key, and returns the file of its code.
    fn load(&self, plugin: &str, key: CodeKey) -> PathBuf {
        let config = RuntimeConfig { max_concurrent_instances: 4, code_key: key, ..RuntimeConfig::new(self.folder()) };
        let plugin = common::plugin(&start(config), &dist().join(plugin));
        let digest = plugin.digest().replace("sha256:", "");
        let files = fs::read_dir(self.folder()).unwrap().map(|entry| entry.unwrap().path());
        files.into_iter().find(|path| path.to_str().unwrap().ends_with(&format!("{digest}.cwasm"))).unwrap()
    }
}

/// The file's number, which differs from that of the file that it replaced.
fn number(file: &Path) -> u64 {
    fs::metadata(file).unwrap().ino()
}

const KEY: CodeKey = CodeKey::new([1; 32]);

#[test]
fn damaged_compiled_code_is_compiled_again() {
    let code = Code::new();
    let file = code.load("hss-article", KEY);
    let good = fs::read(&file).unwrap();
    let (mut flipped, mut other_tag) = (good.clone(), good.clone());
    flipped[good.len() / 2] ^= 0xff;
    other_tag[0] ^= 1;
    for damaged in [&good[..good.len() / 2], &good[..10], &[], &flipped[..], &other_tag[..], &good[32..]] {
        fs::write(&file, damaged).unwrap();
        let before = number(&file);
        assert_eq!(code.load("hss-article", KEY), file);
        assert_ne!(number(&file), before, "the damaged file was used");
        assert_eq!(fs::read(&file).unwrap().len(), good.len());
    }
}

#[test]
fn compiled_code_is_used_again_with_the_same_key_only() {
    let code = Code::new();
    let file = code.load("hss-article", KEY);
    let first = number(&file);
    code.load("hss-article", KEY);
    assert_eq!(number(&file), first, "the code was compiled again");
    // Who can write the folder, but does not know the key, cannot give the host code.
    code.load("hss-article", CodeKey::new([2; 32]));
    assert_ne!(number(&file), first, "code with a digest of another key was used");
    code.load("hss-article", CodeKey::random());
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&code.folder()), mode(&file)), (0o700, 0o600));
}

#[test]
fn compiled_code_of_another_plugin_is_not_used() {
    let code = Code::new();
    let (one, other) = (code.load("hss-article", KEY), code.load("referrer-access", KEY));
    fs::write(&one, fs::read(&other).unwrap()).unwrap();
    let before = number(&one);
    code.load("hss-article", KEY);
    assert_ne!(number(&one), before, "the code of another component was used");
    assert_ne!(fs::read(&one).unwrap(), fs::read(&other).unwrap());
}

/// A folder with one build of hss-article; a build with a mark has another digest, and does the same.
fn build_of(mark: Option<u8>) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let manifest = fs::read_to_string(dist().join("hss-article/plugin.toml")).unwrap();
    let mut wasm = fs::read(dist().join("hss-article/plugin.wasm")).unwrap();
    // A custom section, which has no meaning.
    wasm.extend(mark.into_iter().flat_map(|mark| [0, 2, 1, mark]));
    put(dir.path(), "hss-article", &manifest, Some(&wasm));
    dir
}

fn serving(catalog: &Catalog) -> (String, String) {
    let plugin = catalog.find("hss-article", "*").unwrap();
    let (version, digest) = (plugin.manifest().version.to_string(), plugin.digest());
    let source = catalog.source("hss-article", &version, &digest).unwrap().to_owned();
    (digest, source)
}

#[tokio::test]
async fn the_first_of_two_builds_of_a_version_serves_and_both_are_named() {
    let runtime = runtime();
    let (first, second) = (build_of(None), build_of(Some(b'x')));
    let paths = [&first, &second].map(|dir| dir.path().to_owned());
    let [(digest, source), (other_digest, other_source)] =
        [serving(&runtime.load_catalog(&paths[..1]).await), serving(&runtime.load_catalog(&paths[1..]).await)];
    assert_ne!(digest, other_digest);
    assert_eq!(source, first.path().join("hss-article").display().to_string());

    let both = runtime.load_catalog(&paths).await;
    assert_eq!(serving(&both), (digest.clone(), source.clone()));
    assert_eq!(both.source("hss-article", "0.1.0", &other_digest), None);
    let [problem] = both.problems() else { panic!("{:?}", both.problems()) };
    let named = [&digest, &source, &other_digest, &other_source].map(String::as_str);
    for part in named.into_iter().chain(["0.1.0", "--override-plugin hss-article"]) {
        assert!(problem.message.contains(part), "{problem} should say {part}");
    }
    // The built-in plugins come before all folders.
    let mut catalog = Catalog::new();
    catalog.insert_built_in(common::plugin(&runtime, &paths[0].join("hss-article")));
    catalog.merge(runtime.load_catalog(&paths[1..]).await);
    assert_eq!(serving(&catalog), (digest.clone(), "built in".to_owned()));
    assert!(catalog.problems()[0].message.contains("built in (sha256:"), "{:?}", catalog.problems());
    // Equal files are no conflict.
    let copy = build_of(None);
    let equal = runtime.load_catalog(&[paths[0].clone(), copy.path().to_owned()]).await;
    assert_eq!((serving(&equal), equal.problems()), ((digest, source), &[][..]));
}

#[tokio::test]
async fn versions_with_equal_components_have_their_own_folders() {
    let (first, second) = (build_of(None), tempfile::tempdir().unwrap());
    let read = |file: &str| fs::read(first.path().join("hss-article").join(file)).unwrap();
    let manifest = String::from_utf8(read("plugin.toml")).unwrap().replace("0.1.0", "0.2.0");
    put(second.path(), "hss-article", &manifest, Some(&read("plugin.wasm")));
    let catalog = runtime().load_catalog(&[&first, &second].map(|dir| dir.path().to_owned())).await;
    let (digest, _) = serving(&catalog);
    for (version, dir) in [("0.1.0", &first), ("0.2.0", &second)] {
        let folder = dir.path().join("hss-article").display().to_string();
        assert_eq!(catalog.source("hss-article", version, &digest), Some(folder.as_str()));
    }
    assert_eq!(catalog.problems(), []);
}

#[tokio::test]
async fn an_override_lets_a_later_build_serve() {
    let mut config = common::config();
    config.plugin_overrides = BTreeSet::from(["hss-article".to_owned()]);
    let runtime = start(config);
    let (first, second) = (build_of(None), build_of(Some(b'x')));
    let later = second.path().join("hss-article").display().to_string();
    let loaded = runtime.load_catalog(&[first.path().to_owned(), second.path().to_owned()]).await;
    assert_eq!((serving(&loaded).1, loaded.problems()), (later.clone(), &[][..]));
    let mut catalog = Catalog::new();
    catalog.insert_built_in(common::plugin(&runtime, &first.path().join("hss-article")));
    catalog.merge(runtime.load_catalog(&[second.path().to_owned()]).await);
    assert_eq!((serving(&catalog).1, catalog.problems()), (later, &[][..]));
}

#[test]
fn an_unusable_cache_folder_is_reported_at_the_start() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let error = Runtime::new(RuntimeConfig::new(file.path()), HostServices::standalone()).err().unwrap().to_string();
    assert!(error.contains("cannot be used") && error.contains("set another one"), "{error}");
}
