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
    ("accounts", &["config", "content", "domain", "formats", "runtime", "store"]),
    ("web", &["accounts", "config", "content", "documents", "domain", "formats", "runtime", "search", "store", "xml"]),
    (
        "cli",
        &[
            "accounts",
            "componentize",
            "config",
            "content",
            "documents",
            "domain",
            "formats",
            "runtime",
            "search",
            "store",
            "web",
        ],
    ),
    (
        "test-support",
        &[
            "accounts",
            "cli",
            "config",
            "content",
            "documents",
            "domain",
            "formats",
            "runtime",
            "search",
            "store",
            "web",
        ],
    ),
];

/// Libraries that only one crate may use.
const LIBRARY_OWNERS: [(&str, &str); 12] = [
    ("wasmtime", "runtime"),
    ("sqlx", "store"),
    ("tantivy", "search"),
    ("axum", "web"),
    ("utoipa", "web"),
    ("reqwest", "runtime"),
    ("roxmltree", "xml"),
    ("figment", "config"),
    ("argon2", "accounts"),
    ("lettre", "accounts"),
    ("openidconnect", "accounts"),
    ("webauthn-rs", "accounts"),
];

/// Exceptions for crates of tests.
const FOR_TESTS: [(&str, &[&str]); 2] = [
    // Serves a host on a free port and sends requests to it.
    ("host/test-support", &["axum", "reqwest"]),
    // Compares the index with the full-text search of SQLite and PostgreSQL, and with tantivy alone.
    ("tests/relevance", &["sqlx", "tantivy"]),
];

/// The crates of tests in `tests/`.
const TESTS: [&str; 4] = ["conformance", "faults", "relevance", "structure"];

/// The dependencies of a crate in these sections of its manifest.
fn listed(folder: &str, sections: &[&str]) -> Vec<String> {
    let path = root().join(folder).join("Cargo.toml");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let manifest: toml::Table = toml::from_str(&text).unwrap();
    let tables = sections.iter().filter_map(|section| manifest.get(*section)?.as_table());
    tables.flat_map(|table| table.keys().cloned()).collect()
}

fn dependencies(name: &str) -> Vec<String> {
    listed(&format!("host/{name}"), &["dependencies"])
}

/// Whether a crate may use a library.
fn may_use(folder: &str, library: &str) -> bool {
    let owns = LIBRARY_OWNERS.iter().any(|(owned, owner)| *owned == library && folder == format!("host/{owner}"));
    owns || FOR_TESTS
        .iter()
        .any(|(crate_of_tests, libraries)| *crate_of_tests == folder && libraries.contains(&library))
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
        let (folder, manifest, files) = (format!("host/{name}"), dependencies(name), imports::of_crate(name));
        for (library, owner) in LIBRARY_OWNERS.into_iter().filter(|(library, _)| !may_use(&folder, library)) {
            if manifest.iter().any(|dependency| dependency == library) {
                faults.push(format!("{folder}/Cargo.toml: only {owner} may depend on {library}"));
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

#[test]
fn crates_of_tests_use_the_large_libraries_through_the_crates_that_own_them() {
    let mut faults = Vec::new();
    for name in TESTS {
        let folder = format!("tests/{name}");
        let used = listed(&folder, &["dependencies", "dev-dependencies"]);
        for (library, owner) in LIBRARY_OWNERS.into_iter().filter(|(library, _)| !may_use(&folder, library)) {
            if used.iter().any(|dependency| dependency == library) {
                faults.push(format!("{folder}/Cargo.toml: only {owner} may depend on {library}"));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
