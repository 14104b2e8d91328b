//! A name means one type: few public types of the host share theirs with another.

use std::{collections::BTreeMap, fs};

use crate::sources::{short, sources};

/// As many public types may have the same name.
const MOST: usize = 4;

/// The name of the public type that a line declares. A type of the API that stands for one of another crate (`pub struct Part of domain::Part`)
/// shares its name on purpose, and is left out.
fn public_type(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub")?;
    let rest = if let Some(within) = rest.strip_prefix('(') { within.split_once(')')?.1 } else { rest };
    let (keyword, rest) = rest.strip_prefix(' ')?.split_once(' ')?;
    if !["struct", "enum", "trait", "type"].contains(&keyword) {
        return None;
    }
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    let (name, behind) = rest.split_at(end);
    (!name.is_empty() && !behind.starts_with(" of ")).then_some(name)
}

/// Whether a file is one of a crate of the host, and none of its tests beside the crate.
fn is_of_a_crate(name: &str) -> bool {
    let mut folders = name.split('/');
    folders.next() == Some("host") && folders.nth(1) == Some("src")
}

/// A reader who meets a name should know which type is meant. Where many types have it, each is found only through the imports of the file.
#[test]
fn few_public_types_share_a_name() {
    let mut places = BTreeMap::<String, Vec<String>>::new();
    for path in sources(&["rs"]) {
        let file = short(&path);
        if !is_of_a_crate(&file) {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for name in text.lines().filter_map(public_type) {
            places.entry(name.to_owned()).or_default().push(file.clone());
        }
    }
    assert!(places.len() > 1000, "the types of the host were not found: {}", places.len());
    places.retain(|_, files| files.len() > MOST);
    assert!(
        places.is_empty(),
        "more than {MOST} public types have these names; say in the name what the type is: {places:#?}"
    );
}

#[test]
fn public_types_are_known_by_their_declarations() {
    let declared = [
        ("pub struct Entry {", Some("Entry")),
        ("    pub(super) enum Place {", Some("Place")),
        ("pub(in crate::page) trait Kept: Send {", Some("Kept")),
        ("pub(crate) type Row = (i64, String);", Some("Row")),
        ("pub struct Page<T> {", Some("Page")),
        ("pub struct Mark;", Some("Mark")),
        ("    pub struct Part of domain::Part {", None),
        ("    pub enum Format of ImportFormat {", None),
        ("        pub struct $name {", None),
        ("struct Row {", None),
        ("pub fn entry(&self) -> Entry {", None),
        ("/// pub struct Entry", None),
        ("pub use write::Entry;", None),
    ];
    for (line, name) in declared {
        assert_eq!(public_type(line), name, "{line}");
    }
}
