//! The names of fields, kinds and orders in a search, as addresses and calls have them.

use masthead_domain::resource::ResourceKind;
use masthead_search::{EntryKind, Order, SortKey, Target, target_of};

use crate::usage::popularity::Counter;

/// The kinds of resources that the search type `other` has.
pub const OTHER: [ResourceKind; 9] = [
    ResourceKind::Book,
    ResourceKind::Patent,
    ResourceKind::Standard,
    ResourceKind::Document,
    ResourceKind::Conference,
    ResourceKind::Tool,
    ResourceKind::Collection,
    ResourceKind::Album,
    ResourceKind::Expert,
];

/// The kinds of entries of a search type; empty for all kinds. `None` for an unknown type.
#[must_use]
pub fn kinds(name: &str) -> Option<Vec<EntryKind>> {
    let resources = |kinds: &[ResourceKind]| kinds.iter().copied().map(EntryKind::Resource).collect();
    Some(match name.trim() {
        "" | "article" | "thesis" => vec![EntryKind::Article],
        "publication" | "periodical" => vec![EntryKind::Publication],
        "onlineVideo" | "videoManuscript" => resources(&[ResourceKind::Video]),
        "other" | "mixed" => resources(&OTHER),
        "all" => Vec::new(),
        other => vec![EntryKind::parse(other)?],
    })
}

/// The order of a sort key, and the counter if it sorts by one. `None` for an unknown key.
#[must_use]
pub fn order(sort: &str, ascending: bool) -> Option<(Order, Option<(Counter, bool)>)> {
    let by = |key| (if ascending { Order::Ascending(key) } else { Order::Descending(key) }, None);
    let counter = |counter| (Order::Relevance, Some((counter, ascending)));
    Some(match sort.trim() {
        "" | "relevance" => (Order::Relevance, None),
        "visits" => counter(Counter::Visits),
        "downloads" => counter(Counter::Downloads),
        "commentCount" => counter(Counter::Comments),
        "referenceCount" => by(SortKey::Citations),
        "date" | "publishDate" => by(SortKey::Date),
        "updateTime" => by(SortKey::Updated),
        "ppubDate" => by(SortKey::PrintDate),
        "firstStatus" => by(SortKey::FirstStatus),
        "year" => by(SortKey::Year),
        "issue" => by(SortKey::Issue),
        _ => return None,
    })
}

/// The names of the specification for fields of a search, and those that the advanced search offers besides.
const FIELDS: [&str; 26] = [
    "",
    "0",
    "all",
    "resName_tic",
    "enResName_tic",
    "publicationName",
    "keyword_tic",
    "keyWords_tic",
    "keywordExt_tic",
    "authors_tic",
    "authorCompany_tic",
    "organizerUnit",
    "summary_tic",
    "noteChinese_tic",
    "thesis_tic",
    "en_Thesis_tic",
    "doi",
    "part",
    "firstPageNum",
    "lastPageNum",
    "cn",
    "issn",
    "isbn",
    "fulltext",
    "fund",
    "journal",
];

/// What a search field of the specification is in the index. `None` for an unknown field.
#[must_use]
pub fn target(field: &str) -> Option<Target> {
    if FIELDS.contains(&field.trim()) { target_of(field) } else { None }
}
