//! The attributes by which the reader's tools find the parts of an article: those that the shell declares are in the rendered content.

use masthead_documents::{
    html,
    jats::{self, Limits},
};

/// Where the shell declares them.
const DECLARED: &str = include_str!("../../../../ui-shell/src/reader/parts.ts");

/// The attributes of one table of the declaration.
fn attributes(table: &str) -> Vec<&'static str> {
    let (_, rest) = DECLARED.split_once(&format!("export const {table} = {{")).expect("the table");
    let (lines, _) = rest.split_once("} as const;").expect("the end of the table");
    lines.lines().filter_map(|line| line.trim().strip_suffix("',")?.split_once(": '").map(|(_, name)| name)).collect()
}

#[test]
fn every_declared_part_of_the_content_is_rendered() {
    let made = jats::import(include_bytes!("../fixtures/all-nodes.xml"), &Limits::default()).unwrap();
    let rendered = html::render(&made.article, &|href| Some(format!("/f/{href}").into()));
    let whole: String = rendered.sections.iter().map(|section| section.html.as_str()).collect();
    let declared = attributes("CONTENT_PARTS");
    assert!(declared.len() > 10, "{declared:?}");
    for attribute in declared.into_iter().chain(attributes("TRANSLATION_PARTS")) {
        assert!(whole.contains(&format!(" {attribute}=\"")), "no element has {attribute}");
    }
}
