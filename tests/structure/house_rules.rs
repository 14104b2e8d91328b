//! House rules: the map names what is there, no site number stands in code, files are short and say what they are.

use std::fs;

use crate::sources::{CRATES, root, short, sources};

#[test]
fn every_path_on_the_map_exists() {
    let map = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let folders = ["host/", "plugin-sdk/", "plugins/", "sites/", "ui-shell/", "ui-modules/", "locales/", "tests/"];
    let quoted = map.split('`').skip(1).step_by(2);
    let missing: Vec<_> = quoted
        .filter(|text| folders.iter().any(|folder| text.starts_with(folder)) && !text.contains(['<', ' ']))
        .filter(|path| !root().join(path).exists())
        .collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md names what is not there: {missing:?}");
}

#[test]
fn no_site_number_stands_in_code() {
    // The specification's special sites. What they do comes from their configuration.
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
fn files_are_short_and_say_what_they_are() {
    let mut faults = Vec::new();
    for path in sources(&["rs", "ts", "tsx", "css"]) {
        let text = fs::read_to_string(&path).unwrap();
        let name = short(&path);
        let generated = text.lines().take(8).any(|line| line.contains("auto-generated"));
        if text.lines().count() > 600 && !generated && !text.contains("Long because") {
            faults.push(format!("{name}: {} lines; split it, or say in it `Long because ...`", text.lines().count()));
        }
        let inside = path.ends_with("tests.rs");
        if name.ends_with(".rs") && !inside && !text.trim_start().starts_with("//!") {
            faults.push(format!("{name}: has no `//!` line"));
        }
    }
    for name in CRATES {
        let text = fs::read_to_string(root().join("host").join(name).join("src/lib.rs")).unwrap();
        let head: Vec<_> = text.lines().take_while(|line| line.starts_with("//!")).collect();
        let said = head.join(" ");
        for word in ["What it is:", "What it is not:", "depend on it"] {
            if !said.contains(word) {
                faults.push(format!("host/{name}/src/lib.rs: its head does not say {word:?}"));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn the_readme_starts_with_the_two_commands() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let first = readme.split("```").nth(1).unwrap();
    let commands: Vec<_> = first.lines().skip(1).filter(|line| !line.trim().is_empty()).collect();
    assert!(commands[0].starts_with("make run") && commands[1].starts_with("make test"), "{commands:?}");
    let targets = readme.split("](").skip(1).map(|part| part.split(')').next().unwrap());
    for picture in targets.filter(|path| path.ends_with(".png")) {
        assert!(root().join(picture).exists(), "README shows {picture}, which is not there");
    }
}
