//! The source files of the project.

use std::path::{Path, PathBuf};

/// The crates of the host: folders in `host/`.
pub const CRATES: [&str; 14] = [
    "domain",
    "citation-formats",
    "xml",
    "documents",
    "formats",
    "store",
    "search",
    "runtime",
    "config",
    "content",
    "accounts",
    "web",
    "cli",
    "test-support",
];

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// All files of the project with one of these extensions, without build output and installed packages.
pub fn sources(endings: &[&str]) -> Vec<PathBuf> {
    let built = ["target", "node_modules", "dist", ".git", "data"];
    walkdir::WalkDir::new(root())
        .into_iter()
        .filter_entry(|entry| !built.contains(&entry.file_name().to_str().unwrap_or_default()))
        .flatten()
        .filter(|entry| entry.file_type().is_file())
        .map(walkdir::DirEntry::into_path)
        .filter(|path| path.extension().is_some_and(|ending| endings.contains(&ending.to_str().unwrap_or_default())))
        .collect()
}

pub fn short(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().display().to_string()
}
