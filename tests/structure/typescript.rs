//! TypeScript files of the shell, the SDK and the modules do not import values from each other in a circle: at the first import of a file in a
//! circle, the values of another one are not there yet.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use crate::{
    cycles::cycles,
    sources::{short, sources},
};

/// The folders whose files are checked, besides `ui-modules/*/src`.
const FOLDERS: [&str; 4] = ["ui-shell/src/", "ui-renderer/src/", "plugin-sdk/ui/src/", "plugin-sdk/typescript/src/"];

fn is_checked(name: &str) -> bool {
    let module = name.strip_prefix("ui-modules/").and_then(|rest| rest.split('/').nth(1));
    module == Some("src") || FOLDERS.iter().any(|folder| name.starts_with(folder))
}

/// The relative paths from which a file imports when it is loaded. `import type` and `export type` are gone then, and `import()` comes later.
/// An import whose names are all marked as types stays, because TypeScript keeps such a line here (`verbatimModuleSyntax`).
fn imports(text: &str) -> Vec<&str> {
    let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
    let statements = starts.map(|at| &text[at..]).filter(|rest| {
        let heads = ["import ", "export {", "export *"];
        heads.iter().any(|head| rest.starts_with(head)) && !rest.starts_with("import type ")
    });
    let quoted = statements.filter_map(|rest| rest.split(';').next()?.split(['\'', '"']).nth(1));
    quoted.filter(|path| path.starts_with('.')).collect()
}

/// The path of an imported file from the repository's root; `name` is the file that imports it.
fn resolved(name: &str, import: &str) -> String {
    let mut segments: Vec<&str> = name.split('/').collect();
    segments.pop();
    for part in import.split('/') {
        match part {
            "." => {}
            ".." => {
                segments.pop();
            }
            below => segments.push(below),
        }
    }
    segments.join("/")
}

/// The files that a file imports when it is loaded.
fn imported(name: &str, text: &str) -> Vec<String> {
    imports(text).into_iter().map(|path| resolved(name, path)).collect()
}

/// The imports that are part of a circle, of files with their texts.
fn circles(files: &BTreeMap<String, String>) -> Vec<String> {
    let targets: BTreeMap<&str, Vec<String>> =
        files.iter().map(|(name, text)| (name.as_str(), imported(name, text))).collect();
    let edges: BTreeMap<&str, BTreeSet<&str>> =
        targets.iter().map(|(name, targets)| (*name, targets.iter().map(String::as_str).collect())).collect();
    let mut found = Vec::new();
    for circle in cycles(&edges) {
        for name in &circle {
            let inside = edges[name].iter().filter(|target| circle.contains(target));
            found.extend(inside.map(|target| format!("{name} -> {target}")));
        }
    }
    found
}

#[test]
fn typescript_files_do_not_import_each_other_in_a_circle() {
    let paths = sources(&["ts", "tsx"]).into_iter().filter(|path| is_checked(&short(path)));
    let files: BTreeMap<String, String> = paths.map(|path| (short(&path), fs::read_to_string(path).unwrap())).collect();
    let targets = files.iter().flat_map(|(name, text)| imported(name, text));
    let between = targets.filter(|target| files.contains_key(target)).count();
    assert!(files.len() > 150 && between > 250, "{} files with {between} imports were read", files.len());
    let faults = circles(&files);
    assert!(faults.is_empty(), "move what both need to a file of its own: {faults:#?}");
}

/// Three invented files: the first imports the second, which imports the third, with this text.
fn invented(last: &str) -> BTreeMap<String, String> {
    let first = "import { useState } from 'react';\nimport { second } from './below/second.tsx';\n";
    let second = "import './second.css';\nexport {\n  third,\n  type Third,\n} from \"../third.ts\";\n";
    let files = [("first.ts", first), ("below/second.tsx", second), ("third.ts", last)];
    BTreeMap::from(files.map(|(name, text)| (format!("ui-shell/src/{name}"), text.to_owned())))
}

#[test]
fn circles_of_values_are_found() {
    for last in [
        "import { first } from './first.ts';\n",
        "// The text.\nimport {\n  first,\n  type First,\n} from './first.ts';\nexport const third = first;\n",
        "import './first.ts';\n",
        "import { type First } from './first.ts';\n",
        "export * from './first.ts';\n",
        "export { first } from '../src/first.ts';\n",
    ] {
        assert_eq!(
            circles(&invented(last)),
            [
                "ui-shell/src/below/second.tsx -> ui-shell/src/third.ts",
                "ui-shell/src/third.ts -> ui-shell/src/first.ts",
                "ui-shell/src/first.ts -> ui-shell/src/below/second.tsx",
            ],
            "{last}"
        );
    }
}

#[test]
fn circles_of_types_and_of_later_imports_are_not_found() {
    for last in [
        "import type { First } from './first.ts';\n",
        "export type { First } from './first.ts';\n",
        "export const third = () => import('./first.ts');\n",
        "// import { first } from './first.ts';\n",
        "import { first } from '@masthead/first';\nexport const path = './first.ts';\n",
    ] {
        assert_eq!(circles(&invented(last)), [""; 0], "{last}");
    }
}
