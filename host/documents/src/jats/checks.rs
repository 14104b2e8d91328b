//! Faults of an article as a whole: one that says nothing is refused; what can be imported all the same is a warning with its place,
//! cause and remedy.

use std::collections::{HashMap, HashSet};

use masthead_domain::article::ArticleMeta;
use masthead_xml::Tree;

use super::{
    dates,
    error::ImportError,
    meta::dois,
    report::Report,
    xml::{X, attr, name, path},
};

/// Refuses an article without title, identifier and text.
pub(super) fn refuse_nothing(tree: &Tree, article: X, meta: &ArticleMeta) -> Result<(), ImportError> {
    let named = !meta.titles.is_empty() || meta.doi.is_some() || !meta.ids.is_empty();
    if named || article.descendants().any(is_text_of_article) {
        return Ok(());
    }
    let (line, column) = tree.position(article);
    Err(ImportError::Nothing { line, column })
}

/// Whether a node is text that a reader reads, and not metadata.
fn is_text_of_article(node: X) -> bool {
    if !node.is_text() || node.text().unwrap_or_default().trim().is_empty() {
        return false;
    }
    let around = node.ancestors().find(|up| {
        matches!(name(*up), "abstract" | "trans-abstract" | "notes" | "front" | "front-stub" | "processing-meta")
    });
    around.is_none_or(|up| !matches!(name(up), "front" | "front-stub" | "processing-meta"))
}

/// Warns of faults that do not prevent the import.
pub(super) fn warn(tree: &Tree, article: X, report: &mut Report) {
    let mut warnings = Warnings { tree, report };
    if let Some(front) = path(article, &["front", "article-meta"]) {
        several_dois(front, &mut warnings);
        impossible_dates(front, &mut warnings);
    }
    ids(article, &mut warnings);
}

struct Warnings<'r, 'a, 'i> {
    tree: &'r Tree<'a, 'i>,
    report: &'r mut Report,
}

impl Warnings<'_, '_, '_> {
    fn add(&mut self, x: X, cause: &str, remedy: &str) {
        // Finding a place takes time; a warning that will not be listed needs none.
        if !self.report.is_full() {
            let (line, column) = self.tree.position(x);
            self.report.warn(format!("line {line}, column {column}: {cause}: {remedy}"));
        }
    }
}

fn several_dois(front: X, warnings: &mut Warnings) {
    let mut all = dois(front);
    let Some((_, first)) = all.next() else { return };
    for (id, doi) in all.filter(|(_, doi)| *doi != first) {
        warnings.add(
            id,
            &format!("the article has a second DOI, {doi}, beside {first}; the first is used"),
            "keep the DOI that is registered for this article, and give that of another version another pub-id-type",
        );
    }
}

fn impossible_dates(front: X, warnings: &mut Warnings) {
    for date in front.descendants().filter(|node| matches!(name(*node), "date" | "pub-date")) {
        if let Some(fault) = dates::impossible(date) {
            let read = dates::date(date);
            let kind = ["date-type", "pub-type"].into_iter().map(|key| attr(date, key)).find(|kind| !kind.is_empty());
            let used = if read.is_empty() { "it is left out".to_owned() } else { format!("{read} is used") };
            warnings.add(
                date,
                &format!("no calendar has the {fault} of the date \"{}\"; {used}", kind.unwrap_or(name(date))),
                "correct the day, month or year",
            );
        }
    }
}

/// Ids of several elements, and cross-references to ids of none.
fn ids(article: X, warnings: &mut Warnings) {
    let mut known: HashMap<&str, X> = HashMap::new();
    for x in article.descendants().filter(|node| node.is_element()) {
        let id = attr(x, "id");
        if id.is_empty() {
            continue;
        }
        if let Some(first) = known.get(id) {
            warnings.add(
                x,
                &format!(
                    "the id \"{id}\" of this <{}> is also that of a <{}> before it; links lead to the first",
                    name(x),
                    name(*first)
                ),
                "give each element an id of its own",
            );
        } else {
            known.insert(id, x);
        }
    }
    let mut dangling: HashSet<&str> = HashSet::new();
    for xref in article.descendants().filter(|node| name(*node) == "xref") {
        for rid in attr(xref, "rid").split_whitespace() {
            if !known.contains_key(rid) && dangling.insert(rid) {
                warnings.add(
                    xref,
                    &format!(
                        "the cross-reference to \"{rid}\" leads nowhere, as no element has this id; its text is shown without a link"
                    ),
                    "correct its rid, or give the element that it means this id",
                );
            }
        }
    }
}
