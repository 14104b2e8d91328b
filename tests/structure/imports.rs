//! The imports of each source file, parsed from its text: `use` declarations, and paths in the code.

use std::{collections::BTreeMap, fs, path::Path};

use crate::sources::{root, short};

/// A source file of a crate with its imports. Test modules in the file are ignored.
pub struct SourceFile {
    /// Path from the repository's root.
    pub path: String,
    /// Path of the module from the crate's root; empty for the root.
    pub module: Vec<String>,
    /// Imported modules of the same crate, as the file's path from the repository's root. An item that a module passes on (`pub use`) is
    /// imported from the module that has it, too.
    pub own: Vec<String>,
    /// Imported paths that begin with another crate's name.
    pub foreign: Vec<String>,
}

/// What modules pass on by `pub use`: by module and by the name that an item has there, where it is from.
type PassedOn = BTreeMap<Vec<String>, BTreeMap<String, Vec<String>>>;

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
    let text = |path: &String| without_tests(&fs::read_to_string(root().join(path)).unwrap());
    let texts: BTreeMap<&Vec<String>, String> = files.iter().map(|(module, path)| (module, text(path))).collect();
    let passed_on: PassedOn =
        texts.iter().map(|(module, text)| ((*module).clone(), passes_on(&files, module, text))).collect();
    let read = |(module, path): (&Vec<String>, &String)| {
        let (mut own, mut foreign) = (Vec::new(), Vec::new());
        for segments in paths(&texts[module]) {
            match resolve(module, &segments) {
                Some(target) => {
                    let through = files_of(&files, &passed_on, target);
                    own.extend(through.into_iter().filter(|file| *file != path).cloned());
                }
                None => foreign.push(segments.join("::")),
            }
        }
        own.sort();
        own.dedup();
        SourceFile { path: path.clone(), module: module.clone(), own, foreign }
    };
    files.iter().map(read).collect()
}

/// What a module passes on.
fn passes_on(files: &BTreeMap<Vec<String>, String>, module: &[String], code: &str) -> BTreeMap<String, Vec<String>> {
    let mut found = Vec::new();
    for (_, tree) in declarations(code).into_iter().filter(|(is_public, _)| *is_public) {
        expand(&[], tree, &mut found);
    }
    // A path may begin with the name of a module below, as `write` in `pub use write::export`.
    let below = |path: &[String]| files.contains_key(&[module, &path[..1]].concat()).then(|| [module, path].concat());
    let own = |(path, name): (Vec<String>, String)| Some((name, resolve(module, &path).or_else(|| below(&path))?));
    found.into_iter().filter(|(path, _)| !path.is_empty()).filter_map(own).collect()
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

/// The trees of the `use` declarations, and whether each passes on what it imports (`pub use`).
fn declarations(code: &str) -> Vec<(bool, &str)> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find("use ") {
        let before = &rest[..at];
        let (tree, after) = rest[at + 4..].split_once(';').unwrap_or((&rest[at + 4..], ""));
        if before.chars().next_back().is_none_or(char::is_whitespace) {
            let line = before.rsplit('\n').next().unwrap_or_default();
            found.push((line.trim_start().starts_with("pub"), tree));
        }
        rest = after;
    }
    found
}

/// All paths of `use` declarations, and all paths with two or more segments in the code.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut trees = Vec::new();
    for (_, tree) in declarations(code) {
        expand(&[], tree, &mut trees);
    }
    let mut found: Vec<Vec<String>> = trees.into_iter().map(|(path, _)| path).collect();
    let is_part = |character: char| character.is_alphanumeric() || character == '_' || character == ':';
    // `crate::` alone is the head of a `use` tree, which is expanded above: it names no item of the root.
    let words = code.split(|character| !is_part(character)).filter(|word| word.contains("::"));
    for word in words.filter(|word| !["crate::", "self::", "super::"].contains(word)) {
        found.push(word.split("::").filter(|segment| !segment.is_empty()).map(str::to_owned).collect());
    }
    found.retain(|path| !path.is_empty());
    found
}

/// Expands a `use` tree such as `a::{b, c::{self, D}}` to its paths, each with the name that the item has behind it.
fn expand(prefix: &[String], tree: &str, found: &mut Vec<(Vec<String>, String)>) {
    let tree = tree.trim();
    let (head, inner) = match tree.split_once('{') {
        Some((head, rest)) => (head, Some(rest.rsplit_once('}').map_or(rest, |(inner, _)| inner))),
        None => (tree, None),
    };
    let (head, renamed) = head.split_once(" as ").map_or((head, None), |(head, name)| (head, Some(name.trim())));
    let segments = head.split("::").map(str::trim).filter(|segment| !segment.is_empty() && *segment != "self");
    let mut path = prefix.to_vec();
    // A leading `self` is kept, because it marks a path relative to the module.
    path.extend((prefix.is_empty() && head.trim().starts_with("self")).then(|| "self".to_owned()));
    path.extend(segments.map(str::to_owned));
    let Some(inner) = inner else {
        let name = renamed.or(path.last().map(String::as_str)).unwrap_or_default().to_owned();
        found.push((path, name));
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

/// The files that a path leads through: that of its longest prefix that is a module, and where that one only passes the item on, the file that
/// the item is from.
fn files_of<'a>(
    files: &'a BTreeMap<Vec<String>, String>,
    passed_on: &PassedOn,
    mut path: Vec<String>,
) -> Vec<&'a String> {
    let mut found = Vec::new();
    // More modules do not pass an item on to each other, unless in a circle.
    for _ in 0..8 {
        let Some(length) = (0..=path.len()).rev().find(|length| files.contains_key(&path[..*length])) else { break };
        let (module, rest) = path.split_at(length);
        found.push(&files[module]);
        let Some(origin) = rest.first().and_then(|name| passed_on.get(module)?.get(name)) else { break };
        path = [origin.as_slice(), &rest[1..]].concat();
    }
    found
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
    let found: Vec<_> = found.iter().map(|(path, name)| format!("{} {name}", path.join("::"))).collect();
    assert_eq!(found, ["crate::a a", "crate::a::B C", "crate::d d"]);
    let module = ["page".to_owned(), "content".to_owned()];
    let path = |text: &str| text.split("::").map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(resolve(&module, &path("super::head::Link")), Some(path("page::head::Link")));
    assert_eq!(resolve(&module, &path("axum::Router")), None);
}

#[test]
fn items_that_a_module_passes_on_are_imported_from_their_own() {
    let path = |text: &str| text.split("::").map(str::to_owned).collect::<Vec<_>>();
    let modules = ["home", "home::hero", "home::parts"];
    let files = BTreeMap::from(modules.map(|module| (path(module), format!("{module}.rs"))));
    let code = "pub(super) use self::hero::{facts, grid as covers};\npub use parts::Part;\nuse self::parts::Choice;";
    let passed_on = PassedOn::from([(path("home"), passes_on(&files, &path("home"), code))]);
    for (imported, through) in [
        ("home::facts", &["home.rs", "home::hero.rs"][..]),
        ("home::covers", &["home.rs", "home::hero.rs"]),
        ("home::Part::default", &["home.rs", "home::parts.rs"]),
        ("home::Choice", &["home.rs"]),
        ("home::hero::facts", &["home::hero.rs"]),
    ] {
        assert_eq!(files_of(&files, &passed_on, path(imported)), through, "{imported}");
    }
}
