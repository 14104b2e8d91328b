//! Each crate depends only on crates below it, and each large library is used in one crate only.

use std::{collections::BTreeMap, fs};

use crate::{
    imports::{self, SourceFile},
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

/// The imports in source files of a crate of crates that are not below it.
fn imports_from_above(name: &str, files: &[SourceFile]) -> Vec<String> {
    let below: BTreeMap<_, _> = BELOW.into_iter().collect();
    let mut faults = Vec::new();
    for file in files {
        for path in &file.foreign {
            let Some(other) = path.strip_prefix("masthead_") else { continue };
            let other = other.split("::").next().unwrap_or_default().replace('_', "-");
            if other != name && !below[name].contains(&other.as_str()) {
                faults.push(format!("{}: imports {path}; {name} must not know {other}", file.path));
            }
        }
    }
    faults
}

#[test]
fn no_source_file_imports_a_crate_above_it() {
    let faults: Vec<String> =
        CRATES.into_iter().flat_map(|name| imports_from_above(name, &imports::of_crate(name))).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

/// The uses of large libraries in a crate that does not own them, in its dependencies and in its source files.
fn foreign_libraries(name: &str, dependencies: &[String], files: &[SourceFile]) -> Vec<String> {
    let (folder, mut faults) = (format!("host/{name}"), Vec::new());
    for (library, owner) in LIBRARY_OWNERS.into_iter().filter(|(library, _)| !may_use(&folder, library)) {
        if dependencies.iter().any(|dependency| dependency == library) {
            faults.push(format!("{folder}/Cargo.toml: only {owner} may depend on {library}"));
        }
        for file in files {
            if file.foreign.iter().any(|path| path.split("::").next() == Some(library)) {
                faults.push(format!("{}: only {owner} may import {library}", file.path));
            }
        }
    }
    faults
}

#[test]
fn each_large_library_is_used_in_one_crate() {
    let of_crate = |name| foreign_libraries(name, &dependencies(name), &imports::of_crate(name));
    let faults: Vec<String> = CRATES.into_iter().flat_map(of_crate).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

/// A source file of no crate with these imports.
fn importing(path: &str, foreign: &[&str]) -> SourceFile {
    let foreign = foreign.iter().map(|import| (*import).to_owned()).collect();
    SourceFile { path: path.to_owned(), module: Vec::new(), own: Vec::new(), foreign }
}

#[test]
fn imports_from_above_are_found_and_those_from_below_are_not() {
    let wrong = importing("wrong.rs", &["masthead_domain::Doi", "masthead_citation_formats::ris::write"]);
    let right = importing("right.rs", &["masthead_domain::Doi", "masthead_xml::Element", "std::fs::read"]);
    assert_eq!(
        imports_from_above("documents", &[wrong, right]),
        ["wrong.rs: imports masthead_citation_formats::ris::write; documents must not know citation-formats"]
    );
    let allowed = importing("right.rs", &["masthead_citation_formats::ris::write", "masthead_formats::archive"]);
    assert!(imports_from_above("formats", &[allowed]).is_empty());
}

#[test]
fn large_libraries_are_found_outside_of_the_crates_that_own_them() {
    let uses = |name: &str, library: &str| {
        let files = [importing("first.rs", &["sqlx::Row"]), importing("second.rs", &["serde::Serialize"])];
        foreign_libraries(name, &[library.to_owned(), "serde".to_owned()], &files)
    };
    assert_eq!(
        uses("content", "sqlx"),
        ["host/content/Cargo.toml: only store may depend on sqlx", "first.rs: only store may import sqlx"]
    );
    assert_eq!(uses("content", "anyhow"), ["first.rs: only store may import sqlx"]);
    assert!(uses("store", "sqlx").is_empty());
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
