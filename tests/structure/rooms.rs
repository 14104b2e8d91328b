//! There are no import cycles between rooms. A room is a folder directly in a crate's `src`, or a file directly in it.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    imports::{self, SourceFile},
    sources::CRATES,
};

/// The room of a file: the first segment of its module path. The crate's root, which only lists the rooms, belongs to none.
fn room(file: &SourceFile) -> Option<&str> {
    file.module.first().map(String::as_str)
}

#[test]
fn there_are_no_import_cycles_between_rooms() {
    let mut faults = Vec::new();
    for name in CRATES {
        let files = imports::of_crate(name);
        let rooms: BTreeMap<&str, &str> =
            files.iter().filter_map(|file| Some((file.path.as_str(), room(file)?))).collect();
        let mut edges: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for file in files.iter().filter(|file| !file.module.is_empty()) {
            let targets = file.own.iter().filter_map(|target| rooms.get(target.as_str()).copied());
            let from = rooms[file.path.as_str()];
            edges.entry(from).or_default().extend(targets.filter(|target| *target != from));
        }
        for cycle in cycles(&edges) {
            let inside: BTreeSet<&str> = cycle.iter().copied().collect();
            for file in files.iter().filter(|file| room(file).is_some_and(|room| inside.contains(room))) {
                for target in &file.own {
                    let (from, to) = (rooms[file.path.as_str()], rooms.get(target.as_str()).copied());
                    if to.is_some_and(|to| to != from && inside.contains(to)) {
                        faults.push(format!("{name}, cycle between {cycle:?}: {} -> {target}", file.path));
                    }
                }
            }
        }
    }
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

/// The cycles of a graph: its strongly connected components with more than one node (Tarjan's algorithm).
fn cycles<'a>(edges: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> Vec<Vec<&'a str>> {
    struct Walk<'a, 'b> {
        edges: &'b BTreeMap<&'a str, BTreeSet<&'a str>>,
        number: BTreeMap<&'a str, usize>,
        low: BTreeMap<&'a str, usize>,
        stack: Vec<&'a str>,
        found: Vec<Vec<&'a str>>,
    }
    impl<'a> Walk<'a, '_> {
        fn visit(&mut self, node: &'a str) {
            let number = self.number.len();
            self.number.insert(node, number);
            self.low.insert(node, number);
            self.stack.push(node);
            for &next in self.edges.get(node).into_iter().flatten() {
                let reached = match self.number.get(next).copied() {
                    None => {
                        self.visit(next);
                        self.low[next]
                    }
                    Some(number) if self.stack.contains(&next) => number,
                    Some(_) => continue,
                };
                let low = self.low[node].min(reached);
                self.low.insert(node, low);
            }
            if self.low[node] == number {
                let at = self.stack.iter().position(|one| *one == node).unwrap();
                let component = self.stack.split_off(at);
                self.found.extend((component.len() > 1).then_some(component));
            }
        }
    }
    let mut walk = Walk { edges, number: BTreeMap::new(), low: BTreeMap::new(), stack: Vec::new(), found: Vec::new() };
    for &node in edges.keys() {
        if !walk.number.contains_key(node) {
            walk.visit(node);
        }
    }
    walk.found
}

#[test]
fn cycles_are_found_and_chains_are_not() {
    let edges = BTreeMap::from([
        ("a", BTreeSet::from(["b"])),
        ("b", BTreeSet::from(["c"])),
        ("c", BTreeSet::from(["b", "d"])),
        ("d", BTreeSet::new()),
    ]);
    assert_eq!(cycles(&edges), [["b", "c"]]);
}
