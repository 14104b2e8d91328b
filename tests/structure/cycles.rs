//! Finds cycles, for the checks of imports.

use std::collections::{BTreeMap, BTreeSet};

/// The cycles of a graph: its strongly connected components with more than one node (Tarjan's algorithm).
pub fn cycles<'a>(edges: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> Vec<Vec<&'a str>> {
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
