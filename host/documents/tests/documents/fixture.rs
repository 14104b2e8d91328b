//! Snapshots of the import and rendering of a small article with every kind of node.

use masthead_documents::{
    html::{self, SectionKind},
    jats::{self, Limits},
};

fn imported() -> jats::Imported {
    jats::import(include_bytes!("../fixtures/all-nodes.xml"), &Limits::default()).unwrap()
}

#[test]
fn metadata() {
    insta::assert_json_snapshot!(imported().article.meta);
}

#[test]
fn pages() {
    let made = imported();
    let rendered = html::render(&made.article, &|href| href.ends_with(".png").then(|| format!("/f/{href}").into()));
    let lines: Vec<String> = rendered
        .sections
        .iter()
        .map(|section| {
            format!(
                "[{} {:?} {:?} #{}]\n{}",
                section.kind.name(),
                section.lang,
                section.title,
                section.id,
                section.html
            )
        })
        .collect();
    insta::assert_snapshot!(lines.join("\n\n"));
    insta::assert_snapshot!(
        "outline",
        rendered
            .outline
            .iter()
            .map(|entry| format!(
                "{} {} {} {:?}",
                "  ".repeat(usize::from(entry.level)),
                entry.id,
                entry.label,
                entry.title
            ))
            .collect::<Vec<_>>()
            .join("\n")
    );
    insta::assert_snapshot!("text", rendered.text);
}

#[test]
fn report_and_assets() {
    let made = imported();
    assert_eq!(made.assets, ["ga.png", "drop.png", "f1.tif", "f1.png", "data.csv"]);
    assert_eq!(made.report.unknown.into_iter().collect::<Vec<_>>(), [("unheard-of".to_owned(), 1)]);
    assert_eq!(made.report.encoding, "UTF-8");
}

#[test]
fn sections_stand_in_the_readers_order() {
    let rendered = html::render(&imported().article, &|_| None);
    let kinds: Vec<SectionKind> = rendered.sections.iter().map(|section| section.kind).collect();
    let mut sorted = kinds.clone();
    sorted.sort();
    assert_eq!(kinds, sorted);
    assert!(
        kinds.contains(&SectionKind::Ocis)
            && kinds.contains(&SectionKind::ExpertComment)
            && kinds.contains(&SectionKind::SubArticle)
    );
}
