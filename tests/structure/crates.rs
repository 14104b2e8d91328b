//! Each crate depends only on crates below it, and each large library is used in one crate only.

use std::{collections::BTreeMap, fs};

use crate::{
    imports,
    sources::{CRATES, root},
};

/// The crates of the host that each crate may depend on, as in the diagram in ARCHITECTURE.md.
const BELOW: [(&str, &[&str]); CRATES.len()] = [
    ("domain", &[]),
    ("citation-formats", &[]),
    ("xml", &["domain"]),
    ("documents", &["domain", "xml"]),
    ("formats", &["citation-formats", "domain", "xml"]),
    ("store", &["domain"]),
    ("search", &["domain"]),
    ("runtime", &["domain"]),
    ("config", &["domain"]),
    ("content", &["config", "documents", "domain", "formats", "runtime", "search", "store", "xml"]),
    ("web", &["config", "content", "documents", "domain", "formats", "runtime", "search", "store", "xml"]),
    (
        "cli",
        &["componentize", "config", "content", "documents", "domain", "formats", "runtime", "search", "store", "web"],
    ),
    (
        "test-support",
        &["cli", "config", "content", "documents", "domain", "formats", "runtime", "search", "store", "web"],
    ),
];

/// Libraries that only one crate may use.
const LIBRARY_OWNERS: [(&str, &str); 8] = [
    ("wasmtime", "runtime"),
    ("sqlx", "store"),
    ("tantivy", "search"),
    ("axum", "web"),
    ("utoipa", "web"),
    ("reqwest", "runtime"),
    ("roxmltree", "xml"),
    ("figment", "config"),
];

/// Exceptions for tests, which serve a host on a free port and send requests to it.
const TEST_SUPPORT: (&str, [&str; 2]) = ("test-support", ["axum", "reqwest"]);

fn dependencies(name: &str) -> Vec<String> {
    let path = root().join("host").join(name).join("Cargo.toml");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let manifest: toml::Table = toml::from_str(&text).unwrap();
    manifest["dependencies"].as_table().unwrap().keys().cloned().collect()
}

#[test]
fn each_crate_depends_only_on_those_below_it() {
    let mut faults = Vec::new();
    for (name, below) in BELOW {
        for dependency in dependencies(name) {
            if let Some(other) = dependency.strip_prefix("masthead-")
                && !below.contains(&other)
            {
                faults.push(format!("host/{name}/Cargo.toml: {name} must not depend on {other}"));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn no_source_file_imports_a_crate_above_it() {
    let below: BTreeMap<_, _> = BELOW.into_iter().collect();
    let mut faults = Vec::new();
    for name in CRATES {
        for file in imports::of_crate(name) {
            for path in &file.foreign {
                let Some(other) = path.strip_prefix("masthead_") else { continue };
                let other = other.split("::").next().unwrap_or_default().replace('_', "-");
                if other != name && !below[name].contains(&other.as_str()) {
                    faults.push(format!("{}: imports {path}; {name} must not know {other}", file.path));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn each_large_library_is_used_in_one_crate() {
    let mut faults = Vec::new();
    for name in CRATES {
        let (manifest, files) = (dependencies(name), imports::of_crate(name));
        for (library, owner) in LIBRARY_OWNERS.into_iter().filter(|(_, owner)| *owner != name) {
            if name == TEST_SUPPORT.0 && TEST_SUPPORT.1.contains(&library) {
                continue;
            }
            if manifest.iter().any(|dependency| dependency == library) {
                faults.push(format!("host/{name}/Cargo.toml: only {owner} may depend on {library}"));
            }
            for file in &files {
                if file.foreign.iter().any(|path| path.split("::").next() == Some(library)) {
                    faults.push(format!("{}: only {owner} may import {library}", file.path));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
