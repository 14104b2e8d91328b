//! The attributes by which the reader's tools find the parts of an article: those that the shell declares are in the rendered content.

use masthead_documents::{
    html::{self, StoredFile},
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
    let stored = |href: &str| StoredFile {
        url: format!("/f/{href}.png"),
        small: format!("/f/{href}-small.png"),
        original: format!("/f/{href}"),
        ..StoredFile::default()
    };
    let rendered = html::render(&made.article, &|href| Some(stored(href)));
    let whole: String = rendered.sections.iter().map(|section| section.html.as_str()).collect();
    let declared = attributes("CONTENT_PARTS");
    assert!(declared.len() > 10, "{declared:?}");
    for attribute in declared.into_iter().chain(attributes("TRANSLATION_PARTS")).chain(attributes("PICTURE_PARTS")) {
        assert!(whole.contains(&format!(" {attribute}=\"")), "no element has {attribute}");
    }
}

#[test]
fn the_original_of_a_picture_is_the_version_for_print_as_it_came() {
    let made = jats::import(include_bytes!("../fixtures/all-nodes.xml"), &Limits::default()).unwrap();
    let stored = |href: &str| match href {
        "f1.tif" => StoredFile { url: "/f/1-big.png".into(), original: "/f/1.tif".into(), ..StoredFile::default() },
        "f1.png" => StoredFile { url: "/f/2.png".into(), small: "/f/2-small.png".into(), ..StoredFile::default() },
        other => format!("/f/{other}").into(),
    };
    let rendered = html::render(&made.article, &|href| Some(stored(href)));
    let whole: String = rendered.sections.iter().map(|section| section.html.as_str()).collect();
    let image = |source: &str| {
        let (_, rest) = whole.split_once(&format!(" src=\"{source}\"")).expect(source);
        rest.split_once('>').unwrap().0.to_owned()
    };
    let figure = image("/f/2.png");
    assert!(figure.contains(" data-original=\"/f/1.tif\""), "{figure}");
    assert!(figure.contains(" data-small=\"/f/2-small.png\""), "{figure}");
    assert!(!image("/f/ga.png").contains("data-"), "a picture without other versions names none");
}
