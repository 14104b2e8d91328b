//! Folders of the repository and of the tests.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// A path in the repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// An empty folder for a test. It is kept after the test, so that it can be inspected, and emptied at the next run.
pub fn workspace(name: &str) -> PathBuf {
    let folder = temporary().join("workspaces").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Copies a folder recursively: its folders and files. Links (to compiled plugins) and the socket of a host are left out.
pub fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.unwrap();
        let target = to.join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            std::fs::create_dir_all(&target).unwrap();
        } else if entry.file_type().is_file() {
            std::fs::copy(entry.path(), &target).unwrap();
        }
    }
}

/// The contents of all files below a folder, by their paths in it.
#[must_use]
pub fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = walkdir::WalkDir::new(folder).into_iter().map(Result::unwrap);
    let files = entries.filter(|entry| entry.file_type().is_file());
    let read = |path: &Path| (path.strip_prefix(folder).unwrap().to_owned(), std::fs::read(path).unwrap());
    files.map(|entry| read(entry.path())).collect()
}

/// Whether [`without_resources`] removes a file, of which this is the path in `sites/demo`.
#[must_use]
pub fn is_of_resources(path: &Path) -> bool {
    path.components().nth(1).is_some_and(|folder| folder.as_os_str() == "resources")
}

/// Removes the resources of the demo content, for tests that count their own resources.
pub fn without_resources(sites: &Path) {
    for folder in std::fs::read_dir(sites.join("demo")).unwrap().flatten() {
        let resources = folder.path().join("resources");
        if resources.is_dir() {
            std::fs::remove_dir_all(resources).unwrap();
        }
    }
}

/// Makes the host trust the forwarded headers of this machine, so that a test can be several clients.
pub fn trust_local_proxy(sites: &Path) {
    let file = sites.join("platform.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("\ntrusted = []\n"), "{text}");
    std::fs::write(&file, text.replace("\ntrusted = []\n", "\ntrusted = [\"127.0.0.1\"]\n")).unwrap();
}

/// Adds plugins to a site's file.
pub fn add_to_site(sites: &Path, site: &str, plugins: &str) {
    let file = sites.join(format!("{site}.toml"));
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("{text}\n{plugins}")).unwrap();
}

/// A file that `make ui` writes, or the sentence that says what is missing.
pub fn built(path: &str) -> PathBuf {
    let path = repository(path);
    assert!(path.exists(), "{} is missing: run `make ui` first", path.display());
    path
}

/// Makes a data folder share its cache of compiled plugins with all tests and runs: compiling them in every test program would take
/// most of its time. Compiled code is trusted by a digest with the installation's key, so that the folders share a key too.
pub fn share_compiled(data: &Path) {
    std::fs::create_dir_all(data).unwrap();
    let key = data.join("cookie.key");
    if !key.exists() {
        std::fs::write(&key, [7; 32]).unwrap();
        std::fs::set_permissions(&key, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    }
    let shared = temporary().join("compiled-plugins");
    let link = data.join("compiled");
    if !link.exists() {
        std::fs::create_dir_all(&shared).unwrap();
        std::fs::set_permissions(&shared, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
        std::os::unix::fs::symlink(&shared, &link).unwrap();
    }
}

/// The folder for temporary files of tests: `target/tmp`.
#[must_use]
pub fn temporary() -> PathBuf {
    let program = std::env::current_exe().unwrap();
    // target/<profile>/deps/<program>
    program.ancestors().nth(3).unwrap().join("tmp")
}
