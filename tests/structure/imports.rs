//! The imports of each source file, parsed from its text: `use` declarations, and paths in the code.

use std::{collections::BTreeMap, fs, path::Path};

use crate::sources::{root, short};

/// A source file of a crate with its imports. Test modules in the file are ignored.
pub struct SourceFile {
    /// Path from the repository's root.
    pub path: String,
    /// Path of the module from the crate's root; empty for the root.
    pub module: Vec<String>,
    /// Imported modules of the same crate, as the file's path from the repository's root.
    pub own: Vec<String>,
    /// Imported paths that begin with another crate's name.
    pub foreign: Vec<String>,
}

/// The source files of `host/<name>`.
pub fn of_crate(name: &str) -> Vec<SourceFile> {
    let source = root().join("host").join(name).join("src");
    let mut files: BTreeMap<Vec<String>, String> = BTreeMap::new();
    for entry in walkdir::WalkDir::new(&source).sort_by_file_name().into_iter().flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|ending| ending == "rs") && !is_test(&source, path) {
            files.insert(module(&source, path), short(path));
        }
    }
    let read = |(module, path): (&Vec<String>, &String)| {
        let text = without_tests(&fs::read_to_string(root().join(path)).unwrap());
        let (mut own, mut foreign) = (Vec::new(), Vec::new());
        for segments in paths(&text) {
            match resolve(module, &segments) {
                Some(target) => own.extend(file_of(&files, &target).filter(|file| *file != path).cloned()),
                None => foreign.push(segments.join("::")),
            }
        }
        own.sort();
        own.dedup();
        SourceFile { path: path.clone(), module: module.clone(), own, foreign }
    };
    files.iter().map(read).collect()
}

fn is_test(source: &Path, path: &Path) -> bool {
    let inside = path.strip_prefix(source).unwrap();
    let stem = path.file_stem().unwrap().to_str().unwrap();
    inside.components().any(|part| part.as_os_str() == "tests") || stem == "tests" || stem.ends_with("_tests")
}

fn module(source: &Path, path: &Path) -> Vec<String> {
    let inside = path.strip_prefix(source).unwrap().with_extension("");
    let mut segments: Vec<String> = inside.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    if segments.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
        segments.pop();
    }
    segments
}

/// The text without comments, and without the items after `#[cfg(test)]` that have a body.
fn without_tests(text: &str) -> String {
    let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let code = code.join("\n");
    let (mut kept, mut rest) = (String::with_capacity(code.len()), code.as_str());
    while let Some((before, item)) = rest.split_once("#[cfg(test)]") {
        kept.push_str(before);
        let opens = item.find('{').filter(|at| !item[..*at].contains(';'));
        let Some(opens) = opens else {
            rest = item;
            continue;
        };
        let mut depth = 0;
        let closes = item[opens..].char_indices().find(|(_, character)| {
            depth += i32::from(*character == '{') - i32::from(*character == '}');
            depth == 0
        });
        rest = closes.map_or("", |(at, _)| &item[opens + at + 1..]);
    }
    kept.push_str(rest);
    kept
}

/// All paths of `use` declarations, and all paths with two or more segments in the code.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find("use ") {
        let before = rest[..at].chars().next_back();
        let (declaration, after) = rest[at + 4..].split_once(';').unwrap_or((&rest[at + 4..], ""));
        if before.is_none_or(|character| character.is_whitespace()) {
            expand(&[], declaration, &mut found);
        }
        rest = after;
    }
    let is_part = |character: char| character.is_alphanumeric() || character == '_' || character == ':';
    // `crate::` alone is the head of a `use` tree, which is expanded above: it names no item of the root.
    let words = code.split(|character| !is_part(character)).filter(|word| word.contains("::"));
    for word in words.filter(|word| !["crate::", "self::", "super::"].contains(word)) {
        found.push(word.split("::").filter(|segment| !segment.is_empty()).map(str::to_owned).collect());
    }
    found.retain(|path| !path.is_empty());
    found
}

/// Expands a `use` tree such as `a::{b, c::{self, D}}` to its paths.
fn expand(prefix: &[String], tree: &str, found: &mut Vec<Vec<String>>) {
    let tree = tree.trim();
    let (head, inner) = match tree.split_once('{') {
        Some((head, rest)) => (head, Some(rest.rsplit_once('}').map_or(rest, |(inner, _)| inner))),
        None => (tree.split(" as ").next().unwrap_or_default(), None),
    };
    let segments = head.split("::").map(str::trim).filter(|segment| !segment.is_empty() && *segment != "self");
    let mut path = prefix.to_vec();
    // A leading `self` is kept, because it marks a path relative to the module.
    path.extend((prefix.is_empty() && head.trim().starts_with("self")).then(|| "self".to_owned()));
    path.extend(segments.map(str::to_owned));
    let Some(inner) = inner else {
        found.push(path);
        return;
    };
    let (mut depth, mut start) = (0, 0);
    for (at, character) in inner.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                expand(&path, &inner[start..at], found);
                start = at + 1;
            }
            _ => {}
        }
    }
    if !inner[start..].trim().is_empty() {
        expand(&path, &inner[start..], found);
    }
}

/// Resolves a path to a path from the crate's root; `None` if it starts with another crate.
fn resolve(module: &[String], path: &[String]) -> Option<Vec<String>> {
    match path[0].as_str() {
        "crate" => Some(path[1..].to_vec()),
        "self" => Some([module, &path[1..]].concat()),
        "super" => {
            let up = path.iter().take_while(|segment| *segment == "super").count();
            let base = &module[..module.len().saturating_sub(up)];
            Some([base, &path[up..]].concat())
        }
        _ => None,
    }
}

/// The file of the longest prefix of a path that is a module.
fn file_of<'a>(files: &'a BTreeMap<Vec<String>, String>, path: &[String]) -> Option<&'a String> {
    (0..=path.len()).rev().find_map(|length| files.get(&path[..length]))
}

#[test]
fn test_items_are_ignored() {
    let code = "use a::B;\n#[cfg(test)]\nfn c() { if true { d::e() } }\nfn f() {}\n#[cfg(test)]\nmod tests;\nuse g::H;";
    let kept = without_tests(code);
    assert!(!kept.contains("d::e") && kept.contains("fn f()") && kept.contains("use g::H"), "{kept}");
}

#[test]
fn use_trees_are_expanded() {
    let mut found = Vec::new();
    expand(&[], "crate::{a::{self, B as C}, d}", &mut found);
    let found: Vec<_> = found.iter().map(|path| path.join("::")).collect();
    assert_eq!(found, ["crate::a", "crate::a::B", "crate::d"]);
    let module = ["page".to_owned(), "content".to_owned()];
    let path = |text: &str| text.split("::").map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(resolve(&module, &path("super::head::Link")), Some(path("page::head::Link")));
    assert_eq!(resolve(&module, &path("axum::Router")), None);
}
