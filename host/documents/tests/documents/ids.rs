//! Ids of rendered articles: every one has the prefix, whatever the ids of the source are, and every link still leads to its place.

use std::collections::{BTreeMap, BTreeSet};

use masthead_documents::{
    html::{
        self, RenderedArticle,
        ids::{PREFIX, element_id},
    },
    jats::{self, ExportOptions, Imported, Limits},
};
use proptest::{collection::vec, prelude::*, sample::select};

/// Ids of the host's documents, of the sections that plugins add, of the shell and of modules, and a name that every object of a
/// script has.
const OURS: &[&str] = &["bootstrap", "app", "main", "search-hot-words", "p-plugin-section", "__proto__"];

/// Ids that resemble those that the renderer makes of other ids.
const ALIKE: &[&str] =
    &["a-main", "a-", "a-a-main", "section-body", "sec-1", "fig-1", "table-1-caption", "x-1", "1", "x-2"];

/// Elements of the body that cross-references point to.
const IN_BODY: &[&str] = &[
    "<sec id='ID'><title>Results</title><p>Text</p></sec>",
    "<p id='ID'>Text</p>",
    "<fig id='ID'><label>Figure</label><graphic xlink:href='a.png'/></fig>",
    "<table-wrap id='ID'><label>Table</label><table><tbody><tr><td>1</td></tr></tbody></table></table-wrap>",
    "<table-wrap><label>Table</label><table><tbody><tr><td id='ID'>1</td></tr></tbody></table></table-wrap>",
    "<disp-formula id='ID'><mml:math id='ID'><mml:mi id='main'>x</mml:mi></mml:math></disp-formula>",
    "<boxed-text id='ID'><p>Text</p></boxed-text>",
    "<list id='ID'><list-item><p>Text</p></list-item></list>",
    "<p>Text<fn id='ID'><p>Note</p></fn></p>",
    "<p><named-content id='ID'>Text</named-content></p>",
];

/// Elements behind the body.
const IN_BACK: &[&str] = &[
    "<app-group><app id='ID'><title>Tables</title><p>Text</p></app></app-group>",
    "<fn-group><fn id='ID'><p>Text</p></fn></fn-group>",
    "<ref-list><ref id='ID'><mixed-citation>Text</mixed-citation></ref></ref-list>",
];

fn id() -> impl Strategy<Value = String> {
    prop_oneof![
        select(OURS).prop_map(str::to_owned),
        select(ALIKE).prop_map(str::to_owned),
        "[A-Za-z][A-Za-z0-9._-]{0,6}",
        "[!-~刊]{1,6}",
    ]
}

fn import(source: &str) -> Imported {
    jats::import(source.as_bytes(), &Limits::default()).unwrap()
}

/// An article with one element for each id, of the kind with this number, and with a link to each.
fn article(targets: &BTreeMap<String, usize>) -> String {
    let (mut links, mut body, mut back) = (String::new(), String::new(), String::new());
    for (id, kind) in targets {
        let id = id.replace('&', "&amp;").replace('<', "&lt;").replace('\'', "&apos;");
        links.push_str(&format!("<xref ref-type='other' rid='{id}'>see</xref> and "));
        match IN_BODY.get(*kind) {
            Some(element) => body.push_str(&element.replace("ID", &id)),
            None => back.push_str(&IN_BACK[kind - IN_BODY.len()].replace("ID", &id)),
        }
    }
    format!(
        "<article xmlns:xlink='http://www.w3.org/1999/xlink' xmlns:mml='http://www.w3.org/1998/Math/MathML'>\
         <body><p>{links}</p>{body}</body><back>{back}</back></article>"
    )
}

/// The values of an attribute in all sections.
fn values(rendered: &RenderedArticle, attribute: &str) -> Vec<String> {
    let start = format!(" {attribute}=\"");
    let html = rendered.sections.iter().flat_map(|section| section.html.split(start.as_str()).skip(1));
    html.filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
}

/// The ids of all elements of the page that are made from the article.
fn ids(rendered: &RenderedArticle) -> Vec<String> {
    let mut ids = values(rendered, "id");
    ids.extend(rendered.sections.iter().map(|section| section.id.clone()));
    ids
}

proptest! {
    #[test]
    fn no_id_of_a_source_equals_one_of_ours(
        targets in vec((id(), 0..IN_BODY.len() + IN_BACK.len()), 1..12)
    ) {
        let targets: BTreeMap<String, usize> = targets.into_iter().collect();
        let rendered = html::render(&import(&article(&targets)).article, &|_| None);
        let all = ids(&rendered);
        for id in &all {
            prop_assert!(id.starts_with(PREFIX) && !OURS.contains(&id.as_str()), "{id}");
        }
        let unique: BTreeSet<&String> = all.iter().collect();
        prop_assert_eq!(unique.len(), all.len(), "{:?}", all);
        for attribute in ["data-fig", "data-table", "aria-labelledby"] {
            for reference in values(&rendered, attribute) {
                prop_assert!(unique.contains(&reference), "{attribute} {reference}");
            }
        }
        for entry in &rendered.outline {
            prop_assert!(unique.contains(&entry.id), "{entry:?}");
        }
        let mut links = values(&rendered, "href");
        links.retain(|href| href.starts_with('#'));
        let mut wanted: Vec<String> = targets.keys().map(|id| format!("#{}", element_id(id))).collect();
        links.sort();
        wanted.sort();
        prop_assert_eq!(&links, &wanted);
        for link in links {
            prop_assert!(unique.contains(&link[1..].to_owned()), "{link} leads nowhere");
        }
    }
}

#[test]
fn several_ids_of_one_link_have_the_prefix() {
    let source = "<article><body><p><xref ref-type='bibr' rid='app main nowhere'>1, 2</xref></p></body>\
                  <back><ref-list><ref id='app'/><ref id='main'/></ref-list></back></article>";
    let rendered = html::render(&import(source).article, &|_| None);
    assert_eq!(values(&rendered, "data-rids"), ["a-app a-main"]);
}

#[test]
fn ids_that_are_used_several_times_are_numbered() {
    let body = "<p id='x'>1</p><p id='x-2'>2</p><p id='x'>3</p><p id='x'>4</p><p id='x-2'>5</p>";
    let rendered = html::render(&import(&format!("<article><body>{body}</body></article>")).article, &|_| None);
    assert_eq!(values(&rendered, "id"), ["a-x", "a-x-2", "a-x-3", "a-x-4", "a-x-2-2"]);
    let many = format!("<article><body>{}</body></article>", "<p id='x'>1</p>".repeat(20_000));
    let rendered = html::render(&import(&many).article, &|_| None);
    assert_eq!(values(&rendered, "id").last().map(String::as_str), Some("a-x-20000"));
}

#[test]
fn content_nodes_and_exports_keep_the_ids_of_the_source() {
    let targets = BTreeMap::from([("bootstrap".to_owned(), 2)]);
    let imported = import(&article(&targets));
    let exported = jats::export(&imported.article, &ExportOptions { portable: true, ..ExportOptions::default() });
    for kept in ["id=\"bootstrap\"", "rid=\"bootstrap\""] {
        assert!(exported.contains(kept), "{kept}: {exported}");
    }
    assert!(!exported.contains(&format!("\"{PREFIX}")), "{exported}");
    let (figures, _) = masthead_documents::figures_and_tables::of(&imported.article, &|_| None);
    assert_eq!(figures[0].element, "bootstrap");
}
