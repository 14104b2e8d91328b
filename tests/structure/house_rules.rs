//! House rules: ARCHITECTURE.md is short and its paths exist, code contains no site numbers, files are short and start with a description.

use std::{collections::BTreeMap, fs, path::Path};

use crate::sources::{CRATES, root, short, sources};

/// The pages about single parts of the architecture, to which ARCHITECTURE.md leads, with their texts.
fn pages_of_the_architecture() -> BTreeMap<String, String> {
    let folder = root().join("docs/architecture");
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.map(|path| (short(&path), fs::read_to_string(&path).unwrap())).collect()
}

#[test]
fn every_path_in_the_documents_of_the_structure_exists() {
    let mut documents = pages_of_the_architecture();
    assert!(documents.len() > 10, "the pages of docs/architecture were not found: {:?}", documents.keys());
    for name in ["ARCHITECTURE.md", "SECURITY.md"] {
        documents.insert(name.to_owned(), fs::read_to_string(root().join(name)).unwrap());
    }
    let folders = [
        "docs/",
        "host/",
        "plugin-sdk/",
        "plugins/",
        "sites/",
        "ui-shell/",
        "ui-renderer/",
        "ui-modules/",
        "locales/",
        "tests/",
    ];
    let mut missing = Vec::new();
    for (name, document) in &documents {
        let quoted = document.split('`').skip(1).step_by(2);
        let paths =
            quoted.filter(|text| folders.iter().any(|folder| text.starts_with(folder)) && !text.contains(['<', ' ']));
        missing.extend(paths.filter(|path| !root().join(path).exists()).map(|path| format!("{name}: {path}")));
    }
    // The drawing of the crates has no backticks around each path.
    let architecture = &documents["ARCHITECTURE.md"];
    let drawing = architecture.split("```").nth(1).unwrap();
    let drawn: Vec<_> = drawing.lines().filter_map(|line| line.split_whitespace().next()).collect();
    missing.extend(drawn.iter().filter(|path| !root().join(path).is_dir()).map(|path| format!("the drawing: {path}")));
    for name in CRATES.into_iter().filter(|name| *name != "test-support") {
        let path = format!("host/{name}");
        if !drawn.contains(&path.as_str()) {
            missing.push(format!("the drawing has no {path}"));
        }
    }
    assert!(missing.is_empty(), "paths that do not exist: {missing:#?}");
}

/// Its title promises five minutes: details belong in `docs/architecture`.
#[test]
fn architecture_md_is_short_and_leads_to_every_page_of_its_parts() {
    let architecture = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let words = architecture.split_whitespace().count();
    assert!(words <= 1500, "ARCHITECTURE.md has {words} words: move details to docs/architecture");
    let mut faults = Vec::new();
    for (name, text) in pages_of_the_architecture() {
        if !architecture.contains(&format!("({name})")) {
            faults.push(format!("ARCHITECTURE.md does not link {name}"));
        }
        let opening = text.split("\n\n").nth(1).unwrap_or_default();
        if !opening.starts_with("This page describes") || !opening.contains("](../../ARCHITECTURE.md)") {
            faults.push(format!("{name} does not open with the sentence that says what it describes and links back"));
        }
        for target in text.split("](").skip(1).map(|part| part.split(')').next().unwrap()) {
            if !root().join("docs/architecture").join(target).exists() {
                faults.push(format!("{name} links {target}, which does not exist"));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn code_contains_no_site_numbers() {
    // The special sites of the specification; their behaviour must come from their configuration.
    let special = ["448", "905", "950", "988", "502", "763", "945", "942", "979", "665"];
    let mut found = Vec::new();
    for path in sources(&["rs", "ts", "tsx", "wit"]) {
        let name = short(&path);
        if ["tests/", "/test", "/benches/", "/fixtures/"].iter().any(|part| name.contains(part))
            || name.ends_with("tests.rs")
        {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap();
        for (number, line) in code.lines().enumerate() {
            let said = line.trim_start();
            if said.starts_with("//") || said.starts_with('*') || said.starts_with("/*") {
                continue;
            }
            let words = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '#');
            found.extend(
                words.filter(|word| special.contains(word)).map(|word| format!("{name}:{}: {word}", number + 1)),
            );
        }
    }
    assert!(found.is_empty(), "site numbers in code: {found:#?}");
}

#[test]
fn files_are_short_and_start_with_a_description() {
    let mut faults = Vec::new();
    for path in sources(&["rs", "ts", "tsx", "css"]) {
        let text = fs::read_to_string(&path).unwrap();
        let name = short(&path);
        let generated = text.lines().take(8).any(|line| line.contains("auto-generated"));
        if text.lines().count() > 600 && !generated && !text.contains("Long because") {
            faults.push(format!(
                "{name}: {} lines; split it, or give the reason in a comment `Long because ...`",
                text.lines().count()
            ));
        }
        let inside = path.ends_with("tests.rs");
        if name.ends_with(".rs") && !inside && !text.trim_start().starts_with("//!") {
            faults.push(format!("{name}: no `//!` comment"));
        }
    }
    for name in CRATES {
        let text = fs::read_to_string(root().join("host").join(name).join("src/lib.rs")).unwrap();
        let head: Vec<_> = text.lines().take_while(|line| line.starts_with("//!")).collect();
        let said = head.join(" ");
        for word in ["What it is:", "What it is not:", "depend on it"] {
            if !said.contains(word) {
                faults.push(format!("host/{name}/src/lib.rs: the `//!` comment lacks {word:?}"));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// The OpenAPI document has one schema for a name: a second type with it would be described as the first.
/// Lines of a Rust source that begin a code block in documentation which `cargo test --doc` would run.
fn examples_in_documentation(text: &str) -> Vec<usize> {
    let mut is_open = false;
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let said = line.trim_start();
        let Some(said) = said.strip_prefix("///").or_else(|| said.strip_prefix("//!")) else { continue };
        let Some(language) = said.trim_start().strip_prefix("```") else { continue };
        is_open = !is_open;
        if is_open && ["", "rust", "should_panic", "no_run", "compile_fail"].contains(&language.trim()) {
            found.push(number);
        }
    }
    found
}

#[test]
fn no_documentation_has_an_example_that_no_test_runs() {
    // `make test` does not collect examples from documentation, which compiles every crate once more.
    let of_workspace = |path: &Path| ["host/", "tests/"].iter().any(|folder| short(path).starts_with(folder));
    let mut found = Vec::new();
    for path in sources(&["rs"]).iter().filter(|path| of_workspace(path)) {
        let text = fs::read_to_string(path).unwrap();
        found.extend(examples_in_documentation(&text).iter().map(|number| format!("{}:{number}", short(path))));
    }
    assert!(found.is_empty(), "make a unit test of these examples, or name another language than Rust: {found:#?}");
}

#[test]
fn examples_in_documentation_are_found_by_their_language() {
    let text = "//! ```toml\n//! a = 1\n//! ```\n/// ```\n/// assert!(true);\n/// ```\nfn a() {}\n    /// ```rust\n    /// ```\n// ```\n";
    assert_eq!(examples_in_documentation(text), [4, 8]);
}

#[test]
fn schemas_of_the_api_have_names_of_their_own() {
    let mut places = BTreeMap::<String, Vec<String>>::new();
    for path in sources(&["rs"]) {
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let derives = |line: &&str| line.contains("ToSchema") && line.starts_with("#[derive(");
        for (number, _) in lines.iter().enumerate().filter(|(_, line)| derives(line)) {
            let declared = lines[number..].iter().find_map(|line| {
                let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
                let at = words.iter().position(|word| matches!(*word, "struct" | "enum"))?;
                (!line.starts_with("//") && !line.starts_with('#')).then(|| words[at + 1].to_owned())
            });
            places.entry(declared.unwrap()).or_default().push(short(&path));
        }
    }
    assert!(places.len() > 100, "{}", places.len());
    places.retain(|_, files| files.len() > 1);
    assert!(places.is_empty(), "{places:#?}");
}

/// Another index can stand behind the trait of the search: one folder has all that is of tantivy.
#[test]
fn only_one_folder_of_the_search_names_tantivy() {
    let mut found = Vec::new();
    let mut read = 0;
    for path in sources(&["rs"]).into_iter().filter(|path| short(path).starts_with("host/search/src/")) {
        let name = short(&path);
        if name.starts_with("host/search/src/tantivy_index/") {
            continue;
        }
        read += 1;
        let text = fs::read_to_string(&path).unwrap();
        let code = text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
        let of_tantivy = |line: &str| line.contains("tantivy::") && !line.contains("use crate::tantivy_index");
        found.extend(code.filter(|(_, line)| of_tantivy(line)).map(|(number, _)| format!("{name}:{}", number + 1)));
    }
    assert!(read > 20, "the sources of the crate were not found");
    assert!(found.is_empty(), "only `host/search/src/tantivy_index` may name tantivy: {found:#?}");
}

/// Full texts open for a permit only. Work of the host that shows them to no reader is in other crates than the one that answers readers.
#[test]
fn no_door_opens_full_texts_without_a_permit() {
    let doors = sources(&["rs"]).into_iter().filter(|path| short(path).starts_with("host/web/src/"));
    let mut found = Vec::new();
    let mut read = 0;
    for path in doors {
        let text = fs::read_to_string(&path).unwrap();
        read += 1;
        for (number, line) in text.lines().enumerate() {
            if line.contains(".unsealed()") || line.contains(".unseal()") || line.contains("data_folder.join(\"media") {
                found.push(format!("{}:{}: {}", short(&path), number + 1, line.trim()));
            }
        }
    }
    assert!(read > 50, "the sources of the crate were not found");
    assert!(found.is_empty(), "ask `masthead_domain::access::Rights` for a permit instead: {found:#?}");
}

#[test]
fn the_readme_starts_with_the_two_commands() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let first = readme.split("```").nth(1).unwrap();
    let commands: Vec<_> = first.lines().skip(1).filter(|line| !line.trim().is_empty()).collect();
    assert!(commands[0].starts_with("make run") && commands[1].starts_with("make test"), "{commands:?}");
    let targets = readme.split("](").skip(1).map(|part| part.split(')').next().unwrap());
    for picture in targets.filter(|path| path.ends_with(".png")) {
        assert!(root().join(picture).exists(), "README.md shows {picture}, which does not exist");
    }
}
