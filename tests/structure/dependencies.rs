//! The packages that the Rust workspaces depend on are those that `deny.toml` allows: licences, banned packages, sources.
//!
//! The packages are those that `cargo metadata` lists for this machine's build of the host and for the build of the plugins, all of which
//! a build has downloaded before. cargo-deny reads the same file where it is installed (`make audit`).

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    process::Command,
};

use serde_json::Value;
use spdx::{Expression, Licensee, ParseMode};

use crate::sources::root;

/// The rules of `deny.toml`.
struct Policy {
    allowed: Vec<Licensee>,
    /// Further licences by package.
    exceptions: BTreeMap<String, Vec<Licensee>>,
    banned: BTreeSet<String>,
    /// Packages of which there may be only one version.
    single: BTreeSet<String>,
    registries: Vec<String>,
}

/// A package of a lock file.
#[derive(Debug)]
struct Package {
    name: String,
    version: String,
    /// The field `license` of its manifest, or "".
    license: String,
    /// Where it is from; "" for packages of this repository.
    source: String,
}

impl Package {
    fn new(name: &str, version: &str, license: &str, source: &str) -> Self {
        let [name, version, license, source] = [name, version, license, source].map(str::to_owned);
        Self { name, version, license, source }
    }
}

fn strings(value: &toml::Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|one| one.as_str().unwrap().to_owned()).collect()
}

fn licences(value: &toml::Value) -> Vec<Licensee> {
    strings(value).iter().map(|name| Licensee::parse(name).unwrap_or_else(|error| panic!("{name}: {error}"))).collect()
}

/// Fails if a table has a key that is not enforced here: cargo-deny would enforce it, and this test would not.
fn keys(what: &str, table: &toml::Value, known: &[&str]) {
    for key in table.as_table().unwrap().keys() {
        assert!(known.contains(&key.as_str()), "deny.toml: {what} has the key {key}, which this test does not enforce");
    }
}

fn policy() -> Policy {
    let text = fs::read_to_string(root().join("deny.toml")).unwrap();
    let file: toml::Value = toml::from_str(&text).unwrap();
    keys("the file", &file, &["graph", "licenses", "bans", "sources", "advisories"]);
    let (licenses, bans, sources) = (&file["licenses"], &file["bans"], &file["sources"]);
    keys("[licenses]", licenses, &["allow", "exceptions"]);
    keys("[bans]", bans, &["multiple-versions", "deny"]);
    keys("[sources]", sources, &["unknown-registry", "unknown-git", "allow-registry", "allow-git"]);
    assert_eq!(
        bans["multiple-versions"].as_str(),
        Some("allow"),
        "only the listed packages are checked for duplicates"
    );
    for key in ["unknown-registry", "unknown-git"] {
        assert_eq!(sources[key].as_str(), Some("deny"), "{key}");
    }
    assert_eq!(strings(&sources["allow-git"]), Vec::<String>::new(), "packages come from a registry");
    let mut policy = Policy {
        allowed: licences(&licenses["allow"]),
        exceptions: BTreeMap::new(),
        banned: BTreeSet::new(),
        single: BTreeSet::new(),
        registries: strings(&sources["allow-registry"]),
    };
    for exception in licenses["exceptions"].as_array().unwrap() {
        keys("an exception", exception, &["crate", "allow"]);
        policy.exceptions.insert(exception["crate"].as_str().unwrap().to_owned(), licences(&exception["allow"]));
    }
    for ban in bans["deny"].as_array().unwrap() {
        keys("a ban", ban, &["crate", "reason", "deny-multiple-versions"]);
        let name = ban["crate"].as_str().unwrap().to_owned();
        match ban.get("deny-multiple-versions").and_then(toml::Value::as_bool) {
            Some(true) => policy.single.insert(name),
            _ => policy.banned.insert(name),
        };
    }
    policy
}

/// The packages of a workspace for one target.
fn packages(manifest: &str, target: &str) -> Vec<Package> {
    let list = |network: &[&str]| {
        Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()))
            .args(["metadata", "--locked", "--format-version", "1", "--filter-platform", target, "--manifest-path"])
            .arg(root().join(manifest))
            .args(network)
            .output()
            .unwrap()
    };
    let mut output = list(&["--offline"]);
    if !output.status.success() {
        // Nothing on this machine has needed one of the packages yet: Cargo downloads it.
        output = list(&[]);
    }
    assert!(output.status.success(), "cargo metadata of {manifest}: {}", String::from_utf8_lossy(&output.stderr));
    let read: Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |package: &Value, key: &str| package[key].as_str().unwrap_or_default().to_owned();
    let package = |one: &Value| {
        Package::new(&text(one, "name"), &text(one, "version"), &text(one, "license"), &text(one, "source"))
    };
    read["packages"].as_array().unwrap().iter().map(package).collect()
}

/// The target that the compiler builds for by default.
fn this_machine() -> String {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let output = Command::new(rustc).arg("-vV").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().find_map(|line| line.strip_prefix("host: ")).unwrap().to_owned()
}

/// What the rules forbid about these packages, a line each.
fn faults(policy: &Policy, packages: &[Package]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in packages {
        let Package { name, version, license, source } = package;
        let named = format!("{name} {version}");
        let more = policy.exceptions.get(name).map(Vec::as_slice).unwrap_or_default();
        // Older manifests separate alternatives with a slash.
        match Expression::parse_mode(license, ParseMode::LAX) {
            Ok(expression) => {
                if !expression.evaluate(|asked| policy.allowed.iter().chain(more).any(|one| one.satisfies(asked))) {
                    faults.push(format!("{named}: the licence {license} is not allowed"));
                }
            }
            Err(error) => faults.push(format!("{named}: the licence {license:?} cannot be read: {}", error.reason)),
        }
        if policy.banned.contains(name) {
            faults.push(format!("{named}: the package is banned"));
        }
        let from = source.split_once('+').map_or(source.as_str(), |(_, address)| address);
        let listed = source.starts_with("registry+") && policy.registries.iter().any(|registry| registry == from);
        if !source.is_empty() && !listed {
            faults.push(format!("{named}: the source {source} is not allowed"));
        }
        versions.entry(name).or_default().insert(version);
    }
    for (name, versions) in versions {
        if versions.len() > 1 && policy.single.contains(name) {
            faults.push(format!("{name}: there may be one version only, but there are {versions:?}"));
        }
    }
    faults
}

#[test]
fn every_package_is_allowed_by_deny_toml() {
    let policy = policy();
    let host = packages("Cargo.toml", &this_machine());
    let plugins = packages("plugins/Cargo.toml", "wasm32-unknown-unknown");
    assert!(host.iter().any(|package| package.name == "wasmtime"), "the host's packages are listed");
    // The two are different programs, each of which may have its own version of a package.
    let found: Vec<String> = [host, plugins].iter().flat_map(|packages| faults(&policy, packages)).collect();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn forbidden_licences_packages_and_sources_are_named() {
    const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";
    let policy = policy();
    let fault = |packages: &[Package]| faults(&policy, packages);
    for fine in ["MIT", "MIT/Apache-2.0", "Apache-2.0 OR GPL-3.0-only", "(MIT OR Apache-2.0) AND Unicode-3.0"] {
        assert_eq!(fault(&[Package::new("a", "1.0.0", fine, REGISTRY)]), Vec::<String>::new(), "{fine}");
    }
    for forbidden in
        ["GPL-3.0-only", "MIT AND AGPL-3.0-only", "MPL-2.0", "SSPL-1.0", "LicenseRef-Proprietary", "", "own terms"]
    {
        assert_eq!(fault(&[Package::new("a", "1.0.0", forbidden, REGISTRY)]).len(), 1, "{forbidden}");
    }
    assert_eq!(fault(&[Package::new("cssparser", "1.0.0", "MPL-2.0", REGISTRY)]), Vec::<String>::new());
    assert!(fault(&[Package::new("openssl", "1.0.0", "MIT", REGISTRY)])[0].contains("banned"));
    for source in [
        "git+https://github.com/rust-lang/crates.io-index#0",
        "registry+https://crates.example/index",
        "sparse+https://crates.example/",
    ] {
        assert!(fault(&[Package::new("a", "1.0.0", "MIT", source)])[0].contains(source), "{source}");
    }
    let two = |name: &str| ["47.0.0", "48.0.8"].map(|version| Package::new(name, version, "MIT", REGISTRY));
    assert!(fault(&two("wasmtime"))[0].contains("one version only"));
    assert_eq!(fault(&two("syn")), Vec::<String>::new());
}
