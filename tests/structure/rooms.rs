//! There are no import cycles between rooms. A room is a folder directly in a crate's `src`, or a file directly in it. A folder that has folders
//! has rooms, too: these folders, and the files beside them.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    cycles::cycles,
    imports::{self, SourceFile},
    sources::CRATES,
};

/// The room of a file among those of a folder. The folder's own file, which lists the rooms, belongs to none.
fn room<'a>(folder: &[String], file: &'a SourceFile) -> Option<&'a str> {
    file.module.strip_prefix(folder)?.first().map(String::as_str)
}

/// The folders of a crate that have rooms, as paths of modules: the crate itself, and every folder with a folder in it. The files of a folder
/// without folders are one room: they may use each other.
fn folders(files: &[SourceFile]) -> BTreeSet<&[String]> {
    let depths = |file: &SourceFile| 1..file.module.len().saturating_sub(1);
    let above = files.iter().flat_map(|file| depths(file).map(move |depth| &file.module[..depth]));
    above.chain(std::iter::once(<&[String]>::default())).collect()
}

/// The imports of a crate that are part of a cycle between the rooms of a folder.
fn cycles_between_rooms(name: &str, folder: &[String], files: &[SourceFile]) -> Vec<String> {
    let rooms: BTreeMap<&str, &str> =
        files.iter().filter_map(|file| Some((file.path.as_str(), room(folder, file)?))).collect();
    let mut imports = Vec::new();
    for (file, from) in files.iter().filter_map(|file| Some((file, room(folder, file)?))) {
        for target in &file.own {
            let to = rooms.get(target.as_str()).copied().filter(|to| *to != from);
            imports.extend(to.map(|to| (from, to, format!("{} -> {target}", file.path))));
        }
    }
    let mut edges: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (from, to, _) in &imports {
        edges.entry(*from).or_default().insert(*to);
    }
    let place: Vec<&str> = std::iter::once(name).chain(folder.iter().map(String::as_str)).collect();
    let place = place.join("/");
    let mut found = Vec::new();
    for cycle in cycles(&edges) {
        let inside = imports.iter().filter(|(from, to, _)| cycle.contains(from) && cycle.contains(to));
        found.extend(inside.map(|(_, _, import)| format!("{place}, cycle between {cycle:?}: {import}")));
    }
    found
}

/// The same of all folders of a crate.
fn cycles_at_every_depth(name: &str, files: &[SourceFile]) -> Vec<String> {
    folders(files).into_iter().flat_map(|folder| cycles_between_rooms(name, folder, files)).collect()
}

#[test]
fn there_are_no_import_cycles_between_rooms() {
    let faults: Vec<String> =
        CRATES.into_iter().flat_map(|name| cycles_at_every_depth(name, &imports::of_crate(name))).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn there_are_no_import_cycles_across_folders() {
    let mut faults = Vec::new();
    for name in CRATES {
        let files = imports::of_crate(name);
        let edges: BTreeMap<&str, BTreeSet<&str>> =
            files.iter().map(|file| (file.path.as_str(), file.own.iter().map(String::as_str).collect())).collect();
        for cycle in cycles(&edges) {
            let folders: BTreeSet<_> =
                cycle.iter().map(|path| path.rsplit_once('/').map_or("", |(at, _)| at)).collect();
            // Cycles within one folder are allowed.
            if folders.len() > 1 {
                faults.push(format!("{name}: {cycle:?}"));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// A source file of no crate that imports these files.
fn importing(module: &str, own: &[&str]) -> SourceFile {
    let own = own.iter().map(|target| format!("{target}.rs")).collect();
    let segments = module.split('/').map(str::to_owned).collect();
    SourceFile { path: format!("{module}.rs"), module: segments, own, foreign: Vec::new() }
}

#[test]
fn cycles_between_rooms_are_found_at_every_depth() {
    let below = [
        importing("page/content/home/hero", &["page/content/list"]),
        importing("page/content/list", &["page/content/texts/news"]),
        importing("page/content/texts/news", &["page/content/home/parts", "page/content/bidi"]),
        importing("page/content/home/parts", &["page/content/bidi"]),
        importing("page/content/bidi", &[]),
    ];
    let expected = [
        "page/content/home/hero.rs -> page/content/list.rs",
        "page/content/list.rs -> page/content/texts/news.rs",
        "page/content/texts/news.rs -> page/content/home/parts.rs",
    ];
    let between = "web/page/content, cycle between [\"home\", \"list\", \"texts\"]";
    assert_eq!(cycles_at_every_depth("web", &below), expected.map(|import| format!("{between}: {import}")));
    let top = [importing("page/head", &["sites"]), importing("sites", &["page/menu"]), importing("page/menu", &[])];
    let expected = ["page/head.rs -> sites.rs", "sites.rs -> page/menu.rs"];
    let between = "web, cycle between [\"page\", \"sites\"]";
    assert_eq!(cycles_at_every_depth("web", &top), expected.map(|import| format!("{between}: {import}")));
}

#[test]
fn chains_of_rooms_and_cycles_of_files_in_one_room_are_not_found() {
    let files = [
        importing("page", &["page/content/texts/news"]),
        importing("page/content/texts/news", &["page/content/texts/side", "page/content/home/parts", "page"]),
        importing("page/content/texts/side", &["page/content/texts/news"]),
        importing("page/content/home/parts", &["page/content/bidi"]),
        importing("page/content/bidi", &["sites"]),
        importing("sites", &[]),
    ];
    assert_eq!(cycles_at_every_depth("web", &files), [""; 0]);
}
