//! The names of fields, kinds and orders in a search, as addresses and calls have them.

use masthead_domain::resource::ResourceKind;
use masthead_search::{EntryKind, ExactField, Field, Order, SortKey, Target};

use super::Counter;

/// The kinds of entries of a search type; empty for all kinds. `None` for an unknown type.
#[must_use]
pub fn kinds(name: &str) -> Option<Vec<EntryKind>> {
    let resources = |kinds: &[ResourceKind]| kinds.iter().copied().map(EntryKind::Resource).collect();
    Some(match name.trim() {
        "" | "article" | "thesis" => vec![EntryKind::Article],
        "publication" | "periodical" => vec![EntryKind::Publication],
        "onlineVideo" | "videoManuscript" => resources(&[ResourceKind::Video]),
        "other" | "mixed" => {
            resources(&[ResourceKind::Patent, ResourceKind::Standard, ResourceKind::Document, ResourceKind::Tool])
        }
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

/// What a search field of the specification is in the index. `None` for an unknown field.
#[must_use]
pub fn target(field: &str) -> Option<Target> {
    Some(match field.trim() {
        "" | "0" | "all" => Target::Everything,
        "resName_tic" | "enResName_tic" | "publicationName" => Target::Part(Field::Title),
        "keyword_tic" | "keyWords_tic" | "keywordExt_tic" => Target::Part(Field::Keywords),
        "authors_tic" => Target::Part(Field::Authors),
        "authorCompany_tic" | "organizerUnit" => Target::Company,
        "summary_tic" | "noteChinese_tic" => Target::Part(Field::Summary),
        "thesis_tic" | "en_Thesis_tic" => Target::Part(Field::Body),
        "doi" => Target::Doi,
        "part" => Target::Exact(ExactField::Part),
        "firstPageNum" => Target::Exact(ExactField::FirstPage),
        "lastPageNum" => Target::Exact(ExactField::LastPage),
        "cn" => Target::Exact(ExactField::Cn),
        "issn" => Target::Exact(ExactField::Issn),
        "isbn" => Target::Exact(ExactField::Isbn),
        _ => return None,
    })
}
