//! What OJS says of articles and their authors besides what the import reads. It is counted, so that the report names it.

use super::Imported;
use crate::xml::Element;

/// What is left out, and why.
type What = (&'static str, &'static str);

const NO_FIELD: &str = "an article has no such field here";
const NO_FIELD_OF_AUTHORS: &str = "an author has no such field here";

/// Elements of an article, or of a version of it, that are read, or counted where they are left out. Those of OJS 2 are among them.
const OF_ARTICLES: [&str; 30] = [
    "id",
    "title",
    "prefix",
    "subtitle",
    "abstract",
    "licenseUrl",
    "license_url",
    "permissions",
    "copyrightHolder",
    "copyrightYear",
    "keywords",
    "subjects",
    "indexing",
    "authors",
    "author",
    "citations",
    "pages",
    "date_published",
    "issue_identification",
    "covers",
    "issue_covers",
    "cover",
    "article_galley",
    "galley",
    "htmlgalley",
    "xmlgalley",
    "supplemental_file",
    "submission_file",
    "artwork_file",
    "supplementary_file",
];
const UNREAD_OF_ARTICLES: [(&str, What); 9] = [
    ("coverage", ("places and times that articles are about", NO_FIELD)),
    ("rights", ("statements of rights of articles", "the licence and the holder of the copyright are imported")),
    ("source", ("sources of articles", NO_FIELD)),
    ("type", ("types of articles", "the type of an article is that of its JATS galley")),
    ("disciplines", DISCIPLINES),
    ("discipline", DISCIPLINES),
    ("agencies", AGENCIES),
    ("agency", AGENCIES),
    ("sponsor", AGENCIES),
];
const DISCIPLINES: What = ("disciplines of articles", NO_FIELD);
const AGENCIES: What = ("agencies that supported articles", NO_FIELD);
const OTHERS: What = ("other metadata of articles", NO_FIELD);

/// Elements of an author that are read.
const OF_AUTHORS: [&str; 9] =
    ["givenname", "familyname", "firstname", "middlename", "lastname", "affiliation", "biography", "email", "orcid"];
const UNREAD_OF_AUTHORS: [(&str, What); 2] = [
    ("country", ("countries of authors", NO_FIELD_OF_AUTHORS)),
    ("url", ("home pages of authors", NO_FIELD_OF_AUTHORS)),
];
const OTHERS_OF_AUTHORS: What = ("other details of authors", NO_FIELD_OF_AUTHORS);
const ONE_LANGUAGE: &str = "it is imported in one language";
const LANGUAGES: [(&str, What); 2] = [
    ("affiliation", ("affiliations of authors in further languages", ONE_LANGUAGE)),
    ("biography", ("biographies of authors in further languages", ONE_LANGUAGE)),
];

/// Counts what is not read of an article that is imported with the metadata in `current`.
pub(super) fn count(current: &Element, made: &mut Imported) {
    let unread = current.elements().filter(|one| !OF_ARTICLES.contains(&one.name.as_str()));
    // OJS 2 has some of them in an element of their own, whose subjects are read.
    let indexed = current.all("indexing").flat_map(Element::elements).filter(|one| one.name != "subject");
    for element in unread.chain(indexed) {
        made.leave_out(what(element, &UNREAD_OF_ARTICLES, OTHERS), number(element));
    }
    for author in current.child("authors").unwrap_or(current).all("author") {
        for element in author.elements().filter(|one| !OF_AUTHORS.contains(&one.name.as_str())) {
            made.leave_out(what(element, &UNREAD_OF_AUTHORS, OTHERS_OF_AUTHORS), number(element));
        }
        for (name, further) in LANGUAGES {
            let written = author.all(name).filter(|one| !one.text().is_empty()).count();
            made.leave_out(further, written.saturating_sub(1));
        }
    }
}

fn what(element: &Element, named: &[(&str, What)], others: What) -> What {
    named.iter().find(|(name, _)| *name == element.name).map_or(others, |(_, what)| *what)
}

/// How many things an element is: a list has its entries.
fn number(element: &Element) -> usize {
    let entries = element.elements().filter(|one| !one.text().is_empty()).count();
    if entries > 0 { entries } else { usize::from(!element.text().is_empty()) }
}
