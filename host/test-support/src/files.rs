//! Folders of the repository and of tests.

use std::path::{Path, PathBuf};

/// A folder of this crate's checkout.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// A folder for one test binary: emptied at the start and left behind for a look afterwards.
pub fn workspace(name: &str) -> PathBuf {
    let folder = temporary().join("workspaces").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Copies a folder with all that is in it.
pub fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.unwrap();
        let target = to.join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            std::fs::create_dir_all(&target).unwrap();
        } else {
            std::fs::copy(entry.path(), &target).unwrap();
        }
    }
}

/// Takes the demo's resources out, for tests that count their own.
pub fn without_resources(sites: &Path) {
    for folder in std::fs::read_dir(sites.join("demo")).unwrap().flatten() {
        let resources = folder.path().join("resources");
        if resources.is_dir() {
            std::fs::remove_dir_all(resources).unwrap();
        }
    }
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

/// Compiled plugins are kept over runs: compiling them anew in every test binary would take most of its time.
pub fn share_compiled(data: &Path) {
    std::fs::create_dir_all(data).unwrap();
    let shared = temporary().join("compiled-plugins");
    let link = data.join("compiled");
    if !link.exists() {
        std::fs::create_dir_all(&shared).unwrap();
        std::fs::set_permissions(&shared, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
        std::os::unix::fs::symlink(&shared, &link).unwrap();
    }
}

/// Cargo's folder for what tests write: `target/tmp`.
#[must_use]
pub fn temporary() -> PathBuf {
    let program = std::env::current_exe().unwrap();
    // target/<profile>/deps/<program>
    program.ancestors().nth(3).unwrap().join("tmp")
}
