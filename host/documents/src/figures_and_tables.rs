//! Extraction of the figures and tables of an article as resources that are searched, listed and downloaded on their own.

use masthead_domain::{
    Lang, LocalText,
    article::{Article, LangText},
    content::{ArticleBody, Caption, Graphics, Node, Table},
    resource::{Picture, Renditions, TableSheet},
};

use masthead_domain::content::text::{children, plain};

/// Largest number of characters of the article's title and of its keywords, of which each figure and table has a copy: an article of 300
/// figures with a title of a megabyte is otherwise stored and indexed as 300 megabytes.
const MAX_COPIED: usize = 2_000;

/// A figure or table of an article.
enum FigureOrTable<'a> {
    Figure(&'a str, &'a str, &'a [Caption], &'a [Graphics], String),
    Table(&'a Table),
}

/// The figures and tables of an article in reading order. `stored` returns the files of a picture by its name in the source.
///
/// Article number, key and journal are left empty; the caller that stores the article sets them.
#[must_use]
pub fn of(article: &Article, stored: &dyn Fn(&str) -> Option<Renditions>) -> (Vec<Picture>, Vec<TableSheet>) {
    let meta = &article.meta;
    let (mut pictures, mut tables): (Vec<Picture>, Vec<TableSheet>) = (Vec::new(), Vec::new());
    let copied = |text: &str| text.chars().take(MAX_COPIED).collect::<String>();
    let keywords =
        by_language(meta.keywords.iter().map(|group| (group.lang.as_str(), copied(&group.plain.join("; ")))), meta);
    let thesis =
        by_language(meta.titles.iter().map(|LangText { lang, plain, .. }| (lang.as_str(), copied(plain))), meta);
    let files = |graphics: &[Graphics]| graphics.iter().filter_map(|one| renditions(one, stored)).collect::<Vec<_>>();
    each(&article.body, &mut |one| match one {
        FigureOrTable::Figure(id, label, captions, graphics, notes) => {
            let position = pictures.len();
            pictures.push(Picture {
                doi: meta.doi.clone(),
                element: element(id, "figure", position),
                label: label.to_owned(),
                title: by_language(captions.iter().map(|one| (one.lang.as_str(), plain(&one.title))), meta),
                note: by_language(
                    captions.iter().map(|one| (one.lang.as_str(), join(&plain(&one.nodes), &notes))),
                    meta,
                ),
                keywords: keywords.clone(),
                thesis: thesis.clone(),
                date: meta.dates.published().to_owned(),
                position: i64::try_from(position).unwrap_or(i64::MAX),
                pictures: files(graphics),
                ..Picture::default()
            });
        }
        FigureOrTable::Table(table) => {
            let position = tables.len();
            let notes = plain(&table.notes);
            let captions = &table.captions;
            tables.push(TableSheet {
                doi: meta.doi.clone(),
                element: element(&table.id, "table", position),
                label: table.label.clone(),
                title: by_language(captions.iter().map(|one| (one.lang.as_str(), plain(&one.title))), meta),
                note: by_language(
                    captions.iter().map(|one| (one.lang.as_str(), join(&plain(&one.nodes), &notes))),
                    meta,
                ),
                keywords: keywords.clone(),
                thesis: thesis.clone(),
                date: meta.dates.published().to_owned(),
                position: i64::try_from(position).unwrap_or(i64::MAX),
                rows: rows(table),
                pictures: files(&table.graphics),
                ..TableSheet::default()
            });
        }
    });
    (pictures, tables)
}

/// The files of a picture. Where the source has a version for print, that is the original.
fn renditions(graphic: &Graphics, stored: &dyn Fn(&str) -> Option<Renditions>) -> Option<Renditions> {
    let mut files = stored(&graphic.big)?;
    if let Some(print) = Some(&graphic.print).filter(|name| !name.is_empty()).and_then(|name| stored(name)) {
        files.original = print.original;
    }
    Some(files)
}

/// The table of an article whose resource, as made by [`of`], has this `element` id.
#[must_use]
pub fn table<'a>(body: &'a ArticleBody, element_id: &str) -> Option<&'a Table> {
    let (mut found, mut position) = (None, 0);
    each(body, &mut |one| {
        if let FigureOrTable::Table(table) = one {
            if found.is_none() && element(&table.id, "table", position) == element_id {
                found = Some(table);
            }
            position += 1;
        }
    });
    found
}

/// The id in the source; without one, the kind and the position, in a form that no XML id has.
fn element(id: &str, kind: &str, position: usize) -> String {
    if id.is_empty() { format!("{kind}:{}", position + 1) } else { id.to_owned() }
}

fn join(text: &str, notes: &str) -> String {
    [text, notes].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

fn rows(table: &Table) -> u32 {
    let rows = |grid: &masthead_domain::content::Grid| {
        grid.head.len() + grid.bodies.iter().map(Vec::len).sum::<usize>() + grid.foot.len()
    };
    u32::try_from(table.grids.iter().map(rows).sum::<usize>()).unwrap_or(u32::MAX)
}

/// Texts by interface language. A text without a language is in the article's. A text in a language that the interface does not
/// have is stored as English, which is the fallback for every reader.
fn by_language<'a>(
    texts: impl Iterator<Item = (&'a str, String)>,
    meta: &masthead_domain::article::ArticleMeta,
) -> LocalText {
    let mut all = LocalText::default();
    for (tag, text) in texts.filter(|(_, text)| !text.trim().is_empty()) {
        let tag = if tag.is_empty() { meta.language.as_str() } else { tag };
        let entry = all.0.entry(Lang::from_tag(tag).unwrap_or(Lang::En)).or_default();
        if !entry.is_empty() {
            entry.push(' ');
        }
        entry.push_str(&text);
    }
    all
}

fn each<'a>(body: &'a ArticleBody, found: &mut dyn FnMut(FigureOrTable<'a>)) {
    let graphics = body.abstract_graphic.iter().flat_map(|part| &part.nodes);
    let parts = [&body.supporting_data, &body.appendix, &body.supplementary];
    let parts = parts.into_iter().flatten().flat_map(|part| &part.nodes);
    for node in graphics.chain(&body.body).chain(&body.floats).chain(parts) {
        visit(node, found);
    }
}

fn visit<'a>(node: &'a Node, found: &mut dyn FnMut(FigureOrTable<'a>)) {
    match node {
        Node::Fig(fig) => {
            found(FigureOrTable::Figure(&fig.id, &fig.label, &fig.captions, &fig.graphics, plain(&fig.notes)));
            fig.nodes.iter().for_each(|node| visit(node, found));
        }
        Node::FigGroup(group) => group.nodes.iter().for_each(|node| visit(node, found)),
        // An array is a table without label and caption; it is part of the text.
        Node::Table(table) => {
            if !table.label.is_empty() || !table.captions.is_empty() || !table.id.is_empty() {
                found(FigureOrTable::Table(table));
            }
        }
        Node::List { items, .. } => {
            items.iter().flat_map(|item| &item.nodes).for_each(|node| visit(node, found));
        }
        Node::DefList { items, .. } => {
            items.iter().flat_map(|item| item.defs.iter().flatten()).for_each(|node| visit(node, found));
        }
        Node::Quote { nodes, .. }
        | Node::Speech { nodes, .. }
        | Node::Boxed { nodes, .. }
        | Node::Statement { nodes, .. } => nodes.iter().for_each(|node| visit(node, found)),
        _ => children(node).iter().for_each(|node| visit(node, found)),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::jats;

    const SOURCE: &str = r#"<article xml:lang="zh"><front><article-meta><article-id pub-id-type="doi">10.5555/x.1</article-id>
        <title-group><article-title>潮</article-title><trans-title-group xml:lang="en"><trans-title>Tide</trans-title></trans-title-group></title-group>
        <kwd-group xml:lang="en"><kwd>salt</kwd><kwd>sand</kwd></kwd-group></article-meta></front><body>
        <sec><title>One</title><p>See <xref ref-type="fig" rid="f1">1</xref>.</p>
        <fig id="f1"><label>Figure 1</label><caption><title>Levels</title><p>Hourly.</p></caption><graphic xlink:href="a.tif" xmlns:xlink="http://www.w3.org/1999/xlink"/></fig>
        <list><list-item><p>x</p><table-wrap><label>Table 1</label><table><thead><tr><th>a</th></tr></thead><tbody><tr><td>1</td></tr><tr><td>2</td></tr></tbody></table></table-wrap></list-item></list>
        </sec></body></article>"#;

    #[test]
    fn the_version_for_print_is_the_original() {
        let graphic = Graphics { big: "a.png".into(), print: "a.tif".into(), ..Graphics::default() };
        let stored = |name: &str| {
            let original = format!("/media/1/{name}");
            name.starts_with("a.").then(|| Renditions {
                original,
                big: "/media/1/a-big.png".into(),
                ..Renditions::default()
            })
        };
        let files = renditions(&graphic, &stored).unwrap();
        assert_eq!((files.big.as_str(), files.original.as_str()), ("/media/1/a-big.png", "/media/1/a.tif"));
        let alone = Graphics { print: "missing.tif".into(), ..graphic };
        assert_eq!(renditions(&alone, &stored).unwrap().original, "/media/1/a.png");
    }

    #[test]
    fn figures_and_tables_are_found_in_all_parts() {
        let article = jats::import(SOURCE.as_bytes(), &jats::Limits::default()).unwrap().article;
        let stored = |name: &str| {
            (name == "a.tif").then(|| Renditions { big: "/media/1/a.png".into(), ..Renditions::default() })
        };
        let (pictures, tables) = of(&article, &stored);
        assert_eq!(pictures.len(), 1);
        let picture = &pictures[0];
        assert_eq!((picture.element.as_str(), picture.label.as_str()), ("f1", "Figure 1"));
        assert_eq!(picture.title.get(Lang::Zh), "Levels", "a caption without a language is in the article's");
        assert_eq!(picture.note.get(Lang::Zh), "Hourly.");
        assert_eq!((picture.thesis.get(Lang::En), picture.thesis.get(Lang::Zh)), ("Tide", "潮"));
        assert_eq!(picture.keywords.get(Lang::En), "salt; sand");
        assert_eq!(picture.pictures[0].big, "/media/1/a.png");
        assert_eq!((tables.len(), tables[0].rows, tables[0].element.as_str()), (1, 3, "table:1"));
        assert_eq!(table(&article.body, "table:1").unwrap().label, "Table 1");
        assert!(table(&article.body, "f1").is_none());
    }

    #[test]
    fn a_figure_has_the_beginning_of_a_title_without_end() {
        let source = SOURCE.replace("salt", &"salt".repeat(10_000)).replace("潮", &"潮".repeat(300_000));
        let article = jats::import(source.as_bytes(), &jats::Limits::default()).unwrap().article;
        let (pictures, tables) = of(&article, &|_| None);
        for (thesis, keywords) in
            [(&pictures[0].thesis, &pictures[0].keywords), (&tables[0].thesis, &tables[0].keywords)]
        {
            assert_eq!(thesis.get(Lang::Zh).chars().count(), MAX_COPIED);
            assert_eq!(thesis.get(Lang::En), "Tide");
            assert_eq!(keywords.get(Lang::En).chars().count(), MAX_COPIED);
        }
    }
}
