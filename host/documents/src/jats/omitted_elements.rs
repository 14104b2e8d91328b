//! What is left out of the page on purpose: one table of elements with the reason, for the report of an import and for readers of
//! the code. A text that neither the page shows nor this table names is a fault of the importer.

use std::{
    collections::{BTreeMap, HashMap},
    sync::LazyLock,
};

use masthead_domain::text::letters;
use serde::Serialize;

use super::{
    back::{heading_of_notes_is_dropped, heading_of_wrapper_is_dropped},
    dates,
    meta::{NOTE_REFERENCES, dois, license_is_shown},
    people::{is_other_person_id, is_repeated},
    refs::{INTERNAL_IDS, is_written},
    xml::{X, attr, child_text, children, elements, lang, name, text},
};

/// Texts of one kind that were left out of an article.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Omission {
    /// The element, with as many of the elements around it as tell it from others (`title-group/alt-title`).
    pub path: &'static str,
    /// Why it is left out.
    pub reason: &'static str,
    /// Number of texts in such elements.
    pub texts: u32,
}

/// An element that is left out with all that it contains.
struct Rule {
    path: &'static str,
    reason: &'static str,
    /// Whether the rule holds for an element at this path.
    holds: fn(X) -> bool,
}

const fn always(path: &'static str, reason: &'static str) -> Rule {
    Rule { path, reason, holds: |_| true }
}

const fn when(path: &'static str, reason: &'static str, holds: fn(X) -> bool) -> Rule {
    Rule { path, reason, holds }
}

const PRODUCTION: &str = "production data of the publisher or of a repository";
const CATALOGUE: &str = "key in a catalogue, which the API gives; the page shows the DOI";
const PERSON_ID: &str = "identifier of a person that is no ORCID iD";
const INSTITUTION_ID: &str = "identifier of an institution, which the API gives; the page shows the name";
const OTHER_FORM: &str = "the same content in another form that is shown";
const OTHER_DATE: &str = "date of another event than receipt, last revision, acceptance and publication";
const EARLIER: &str = "account of an earlier version of the article";
const OF_ISSUE: &str = "property of the issue, which the issue's page shows";
const OF_WHOLE: &str = "metadata of a part; the page shows those of the whole article";
const DESCRIPTION: &str =
    "description for those who do not see a picture; it is read with the picture where that is shown";
const MARK_OF_NOTE: &str = "mark of a note in a title, which would be a part of the title in lists";
const OWN_PLACE: &str = "heading of parts that are shown in places of their own";

/// The table. A path matches an element by its name and those of the elements around it; the first rule that holds counts.
const RULES: &[Rule] = &[
    // Journal and issue.
    always("journal-meta/journal-id", "key of the journal in a catalogue; the page shows its title"),
    always(
        "journal-title-group/trans-title-group",
        "title of the journal in another language than the one that the page shows",
    ),
    always("journal-meta/contrib-group", "editors of the journal, whom the journal's page shows"),
    always("journal-meta/aff", "affiliations of the editors of the journal"),
    always("journal-meta/notes", "notes on the journal, which the journal's page shows"),
    always("journal-meta/self-uri", "address of the journal, which the journal's page shows"),
    always("journal-meta/custom-meta-group", PRODUCTION),
    always(
        "abbrev-journal-title",
        "short title of the journal, which the tags for citations give; the page shows the title",
    ),
    when("journal-meta/issn", "number that is no ISSN", |x| letters(&text(x)).len() != 8),
    always("publisher/publisher-loc", "place of the publisher; the page names the publisher"),
    always("article-meta/issue-id", OF_ISSUE),
    always("article-meta/volume-id", OF_ISSUE),
    always("article-meta/volume-series", OF_ISSUE),
    always("article-meta/volume-issue-group", OF_ISSUE),
    always("article-meta/issue-title", OF_ISSUE),
    always("article-meta/issue-title-group", OF_ISSUE),
    always("article-meta/issue-sponsor", OF_ISSUE),
    always("article-meta/supplement", OF_ISSUE),
    always("article-meta/isbn", OF_ISSUE),
    always("article-meta/conference", "conference at which the article was presented, which its issue names"),
    // Identifiers and versions.
    when("article-meta/article-id", CATALOGUE, is_other_id),
    when("front-stub/article-id", CATALOGUE, is_other_id),
    always("article-version", "stage of the copy in a repository"),
    always("article-version-alternatives", "stage of the copy in a repository"),
    always("article-meta/self-uri", "address of a copy of the article"),
    always("front-stub/self-uri", "address of a copy of the article"),
    when("contrib/contrib-id", PERSON_ID, is_other_person_id),
    always("collab/contrib-id", PERSON_ID),
    always("principal-award-recipient/contrib-id", PERSON_ID),
    always("principal-investigator/contrib-id", PERSON_ID),
    always("aff/institution-id", INSTITUTION_ID),
    always("aff/institution-wrap/institution-id", INSTITUTION_ID),
    always("collab/institution-wrap/institution-id", INSTITUTION_ID),
    always("funding-source/institution-id", INSTITUTION_ID),
    always("funding-source/institution-wrap/institution-id", INSTITUTION_ID),
    always("support-source/institution-wrap/institution-id", INSTITUTION_ID),
    when("pub-id", CATALOGUE, |x| {
        INTERNAL_IDS.contains(&attr(x, "pub-id-type").to_ascii_lowercase().as_str())
            && x.parent().is_some_and(|citation| !is_written(citation))
    }),
    always("object-id", "identifier of a part (DOI of a figure)"),
    // Titles.
    always("title-group/alt-title", "short form of the title or the authors for the heads of printed pages"),
    when("article-title/xref", MARK_OF_NOTE, marks_note),
    when("article-title/sup", MARK_OF_NOTE, |x| children(x, "xref").any(marks_note)),
    when("trans-title/xref", MARK_OF_NOTE, marks_note),
    when("trans-title/sup", MARK_OF_NOTE, |x| children(x, "xref").any(marks_note)),
    when("subtitle/xref", MARK_OF_NOTE, marks_note),
    when("abstract/label", "label of an abstract that has a heading", has_title),
    when("trans-abstract/label", "label of an abstract that has a heading", has_title),
    // People.
    when("aff/addr-line", OTHER_FORM, of_repeated),
    when("aff/country", OTHER_FORM, of_repeated),
    when("aff/city", OTHER_FORM, of_repeated),
    when("aff/state", OTHER_FORM, of_repeated),
    when("aff/postal-code", OTHER_FORM, of_repeated),
    when("aff/named-content", OTHER_FORM, of_repeated),
    when("aff/institution-wrap", OTHER_FORM, of_repeated),
    when("aff/institution", OTHER_FORM, |x| of_repeated(x) && attr(x, "content-type") != "original"),
    when("contrib/xref", "mark of an affiliation or note of a part", in_part),
    when("aff/label", "label of an affiliation of a part, which its authors are shown without", in_part),
    // Dates.
    always("pub-date/season", OF_ISSUE),
    when("pub-date/month", OF_ISSUE, |x| x.parent().is_some_and(|date| dates::date(date).len() == 4)),
    when("article-meta/pub-date", OTHER_DATE, dates::unread),
    when("pub-date/day", OTHER_DATE, |x| text(x).parse::<u8>().is_err()),
    when("history/date", OTHER_DATE, |x| in_part(x) || dates::unread(x)),
    when("event/date", OTHER_DATE, dates::unread),
    always("event/event-desc", EARLIER),
    always("event/notes", EARLIER),
    always("event/article-id", EARLIER),
    always("event/self-uri", EARLIER),
    // Licence and money.
    when("article-meta/permissions/license", "a further licence, or the licence in another language", |x| {
        !license_is_shown(x)
    }),
    always("license/license_ref", "address of the licence, which its name links to"),
    always("permissions/license_ref", "address of the licence, which its name links to"),
    when("front-stub/funding-group/award-group", OF_WHOLE, in_part),
    // Parts with front matter of their own.
    when("article-categories", OF_WHOLE, in_part),
    when("pub-date", OF_WHOLE, in_part),
    when("history", OF_WHOLE, in_part),
    when("front-stub/permissions", OF_WHOLE, in_part),
    when("article-meta/permissions", OF_WHOLE, in_part),
    when("article-meta/volume", OF_WHOLE, in_part),
    when("article-meta/issue", OF_WHOLE, in_part),
    when("article-meta/fpage", OF_WHOLE, in_part),
    when("article-meta/lpage", OF_WHOLE, in_part),
    when("article-meta/elocation-id", OF_WHOLE, in_part),
    when("front-stub/volume", OF_WHOLE, in_part),
    when("front-stub/issue", OF_WHOLE, in_part),
    when("front-stub/fpage", OF_WHOLE, in_part),
    when("front-stub/lpage", OF_WHOLE, in_part),
    when("front-stub/elocation-id", OF_WHOLE, in_part),
    when("journal-meta", OF_WHOLE, in_part),
    when("trans-title-group", "translated title of a part, which is shown under its own title", in_part),
    // Body and back matter.
    always("abstract-alternatives", "repeats the abstract in another form"),
    always("alt-text", DESCRIPTION),
    always("long-desc", DESCRIPTION),
    when("alternatives/textual-form", OTHER_FORM, has_sibling),
    when("alternatives/code", OTHER_FORM, has_sibling),
    when("alternatives/preformat", OTHER_FORM, has_sibling),
    when("alternatives/media", OTHER_FORM, has_sibling),
    when("alternatives/graphic", OTHER_FORM, has_sibling),
    when("alternatives/inline-graphic", OTHER_FORM, has_sibling),
    when("citation-alternatives/element-citation", OTHER_FORM, |x| {
        let other = |sibling: X| name(sibling) == "mixed-citation" && lang(sibling) == lang(x);
        x.parent().is_some_and(|up| elements(up).any(other))
    }),
    when("name-alternatives/name", "the name in another script or form", is_later_name_of_citation),
    when("name-alternatives/string-name", "the name in another script or form", is_later_name_of_citation),
    always("annotation", "source of a formula in another notation, beside its MathML"),
    always("annotation-xml", "meaning of a formula, beside its MathML"),
    always("back/title", "heading of the back matter, whose parts have their own"),
    always("back/label", "label of the back matter, whose parts have their own"),
    when("fn-group/title", OWN_PLACE, heading_of_notes_is_dropped),
    when("sec/title", OWN_PLACE, heading_of_wrapper_is_dropped),
    when("notes/title", OWN_PLACE, heading_of_wrapper_is_dropped),
    always("glyph-data", "bitmap of a character, beside the character"),
    always("glyph-ref", "points to a bitmap of a character"),
    always("index-term", "entry of an index, set beside the text that it indexes"),
    always("index-term-range-end", "end of a range for an index"),
    always("treatment-meta", "metadata of a taxonomic treatment"),
    always("sec-meta", "metadata of a section: its authors and keywords"),
    // Production.
    always("counts", "counts of pages and figures, for the publisher"),
    always("custom-meta", PRODUCTION),
    always("custom-meta-group", PRODUCTION),
    always("processing-meta", PRODUCTION),
];

/// Elements that are no text of the article at their place because they are read from elsewhere, or have no text: name and reason.
const READ_ELSEWHERE: &[(&str, &str)] = &[
    ("article-id", "read into the metadata"),
    ("milestone-start", "mark without text"),
    ("milestone-end", "mark without text"),
    ("tex-math", "source of a formula, read with it"),
];

/// Whether elements with this name are passed over in the text of an article: they are left out wherever they stand, or read from
/// elsewhere.
#[must_use]
pub fn is_no_text(element: &str) -> bool {
    READ_ELSEWHERE.iter().any(|(known, _)| *known == element) || EVERYWHERE.contains(&element)
}

/// Elements of [`RULES`] that may stand among the text of an article and are left out there.
const EVERYWHERE: &[&str] = &[
    "alt-text",
    "long-desc",
    "abstract-alternatives",
    "annotation",
    "annotation-xml",
    "counts",
    "custom-meta-group",
    "custom-meta",
    "glyph-data",
    "glyph-ref",
    "index-term",
    "index-term-range-end",
    "object-id",
    "processing-meta",
    "sec-meta",
    "treatment-meta",
];

/// Why this element is left out of the page with all that it contains; `None` if it is not.
#[must_use]
pub fn reason_to_leave_out(x: X) -> Option<&'static str> {
    rule(x).map(|rule| rule.reason)
}

/// The rules by the name of their element, in the order of the table: each element of an article is looked up.
static BY_NAME: LazyLock<HashMap<&str, Vec<&Rule>>> = LazyLock::new(|| {
    let mut by_name: HashMap<&str, Vec<&Rule>> = HashMap::new();
    for rule in RULES {
        by_name.entry(rule.path.rsplit('/').next().unwrap_or_default()).or_default().push(rule);
    }
    by_name
});

fn rule(x: X) -> Option<&'static Rule> {
    BY_NAME.get(name(x))?.iter().copied().find(|rule| is_at(x, rule.path) && (rule.holds)(x))
}

fn is_at(x: X, path: &str) -> bool {
    let mut at = Some(x);
    path.rsplit('/').all(|part| {
        let found = at.is_some_and(|x| name(x) == part);
        at = at.and_then(|x| x.parent());
        found
    })
}

/// What is left out of an article, in the order of the paths.
pub(super) fn collect(article: X) -> Vec<Omission> {
    let mut found = BTreeMap::new();
    visit(article, &mut found);
    found.into_iter().map(|((path, reason), texts)| Omission { path, reason, texts }).collect()
}

/// The recursion is as deep as the XML, which the parser limits.
fn visit(x: X, found: &mut BTreeMap<(&'static str, &'static str), u32>) {
    for part in elements(x) {
        let Some(rule) = rule(part) else {
            visit(part, found);
            continue;
        };
        let texts =
            part.descendants().filter(|node| node.is_text() && !node.text().unwrap_or_default().trim().is_empty());
        let count = u32::try_from(texts.count()).unwrap_or(u32::MAX);
        if count > 0 {
            let sum = found.entry((rule.path, rule.reason)).or_default();
            *sum = sum.saturating_add(count);
        }
    }
}

/// Whether an identifier is not the DOI that the page shows.
fn is_other_id(x: X) -> bool {
    x.parent().and_then(|front| dois(front).next()).map(|(id, _)| id) != Some(x)
}

fn marks_note(x: X) -> bool {
    NOTE_REFERENCES.contains(&attr(x, "ref-type"))
}

fn has_title(x: X) -> bool {
    x.parent().is_some_and(|up| !child_text(up, "title").is_empty())
}

/// Whether an element belongs to an affiliation that has its whole text beside its parts.
fn of_repeated(x: X) -> bool {
    x.parent().is_some_and(is_repeated)
}

/// Whether an element belongs to a part with front matter of its own (a translation, a report).
fn in_part(x: X) -> bool {
    x.ancestors().any(|up| matches!(name(up), "sub-article" | "response"))
}

fn has_sibling(x: X) -> bool {
    x.parent().is_some_and(|up| elements(up).nth(1).is_some())
}

/// Whether a name is another one than the first of its alternatives in a citation; those of contributors are all kept.
fn is_later_name_of_citation(x: X) -> bool {
    let of_contributor = x.ancestors().any(|up| name(up) == "contrib");
    !of_contributor && x.parent().and_then(|up| elements(up).next()) != Some(x)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn reasons(source: &str) -> Vec<(&'static str, u32)> {
        let document = masthead_xml::Document::parse(source).unwrap();
        collect(document.root_element()).into_iter().map(|one| (one.path, one.texts)).collect()
    }

    #[test]
    fn the_table_decides_by_path_and_condition() {
        let found = reasons(
            "<article><front><article-meta><article-id pub-id-type='doi'>10.5555/1</article-id>\
             <article-id pub-id-type='pmid'>1</article-id><article-id pub-id-type='doi'>10.5555/2</article-id>\
             <title-group><article-title>T<sup><xref ref-type='fn'>*</xref></sup></article-title><alt-title>S <i>x</i></alt-title>\
             </title-group></article-meta></front><body><sec><title>Kept</title><p>Text</p></sec></body></article>",
        );
        assert_eq!(found, [("article-meta/article-id", 2), ("article-title/sup", 1), ("title-group/alt-title", 2)]);
    }

    #[test]
    fn every_name_that_text_passes_over_has_a_rule_of_its_own() {
        for element in EVERYWHERE {
            let rule = RULES.iter().find(|rule| rule.path == *element);
            assert!(rule.is_some() && is_no_text(element), "{element} has no rule");
        }
        assert!(!is_no_text("alt-title") && !is_no_text("p"));
    }
}
