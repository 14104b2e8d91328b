//! The lists of resources, and the resources that have a page of their own.

use crate::resource::ResourceKind;

/// A list of resources; its query parameter `type` selects what it lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResourceList {
    /// `textList`: figures and tables.
    Text,
    /// `audioList`: audio and video.
    Audio,
    /// `othersList`: documents, sheet music, local history, patents, standards, tools.
    Others,
    /// `informationList`: news and WeChat posts.
    Information,
    /// `currencyList`: the channels of the common codes.
    Currency,
    /// `bookList`: books.
    Books,
}

impl ResourceList {
    /// All lists.
    pub const ALL: [Self; 6] = [Self::Text, Self::Audio, Self::Others, Self::Information, Self::Currency, Self::Books];

    /// The name in addresses.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "textList",
            Self::Audio => "audioList",
            Self::Others => "othersList",
            Self::Information => "informationList",
            Self::Currency => "currencyList",
            Self::Books => "bookList",
        }
    }

    /// The list with this name in addresses.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|list| list.name() == name)
    }

    /// The list that resources of a kind are on.
    #[must_use]
    pub const fn of_kind(kind: ResourceKind) -> Self {
        match kind {
            ResourceKind::Picture | ResourceKind::Table => Self::Text,
            ResourceKind::Audio | ResourceKind::Video => Self::Audio,
            ResourceKind::Book => Self::Books,
            ResourceKind::News | ResourceKind::Wechat => Self::Information,
            _ => Self::Currency,
        }
    }

    /// Whether words with this type are searched on the page of results. It has no tab for these sections of the documents.
    #[must_use]
    pub fn has_results(self, kind: &str) -> bool {
        !(self == Self::Others && ["science", "music", "chronicle"].contains(&kind))
    }

    /// The query parameters that its page reads.
    pub(super) const fn parameters(self) -> &'static [&'static str] {
        match self {
            Self::Text => &["type", "journal", "q", "issearch", "index", "columnId", "styleId", "sort", "page"],
            Self::Currency => &["type", "code", "q", "issearch", "index", "columnId", "styleId", "sort", "page"],
            Self::Audio | Self::Others | Self::Information | Self::Books => {
                &["type", "q", "issearch", "index", "columnId", "styleId", "sort", "page"]
            }
        }
    }
}

/// The kinds of resources whose pages are at `KIND/:id`.
pub const OWN_PAGES: [ResourceKind; 10] = [
    ResourceKind::Picture,
    ResourceKind::Table,
    ResourceKind::Audio,
    ResourceKind::Video,
    ResourceKind::Book,
    ResourceKind::Patent,
    ResourceKind::Standard,
    ResourceKind::Document,
    ResourceKind::Conference,
    ResourceKind::Album,
];

/// The kind and number of the resource whose page is at `KIND/:id`.
pub(super) fn parse_own_page(kind: &str, id: &str) -> Option<(ResourceKind, i64)> {
    let kind = ResourceKind::parse(kind).filter(|kind| has_own_page(*kind))?;
    Some((kind, id.parse().ok().filter(|id| *id > 0)?))
}

/// Whether the pages of a kind are at `KIND/:id`.
pub(super) fn has_own_page(kind: ResourceKind) -> bool {
    OWN_PAGES.contains(&kind)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::route::Route;

    fn parse(path: &str) -> Option<Route> {
        Route::parse(&path.split('/').collect::<Vec<_>>(), &BTreeMap::new())
    }

    #[test]
    fn lists_are_parsed_by_name() {
        for list in ResourceList::ALL {
            assert_eq!(parse(list.name()), Some(Route::Resources(list)));
            assert_eq!(Route::Resources(list).path(), list.name());
            assert!(Route::Resources(list).parameters().contains(&"page"), "{list:?}");
        }
        assert_eq!(parse("textList/1"), None);
    }

    #[test]
    fn a_list_with_words_is_the_page_of_results() {
        for list in ResourceList::ALL {
            let of = |words: &str, kind: &str| Route::Resources(list).with_words(words, kind);
            let results = Route::ResourceResults(list);
            for kind in ["", "picture", "made-up"] {
                assert_eq!(of("tide", kind), results, "{list:?} {kind}");
                assert_eq!(of("", kind), Route::Resources(list), "{list:?} {kind}");
            }
            assert!(results.is_search() && !Route::Resources(list).is_search(), "{list:?}");
            assert_eq!(results.path(), list.name());
            let read = results.parameters();
            for name in Route::Resources(list).parameters().iter().chain(Route::Search.parameters()) {
                assert!(read.contains(name), "{list:?} {name}");
            }
        }
        for kind in ["science", "music", "chronicle"] {
            let others = Route::Resources(ResourceList::Others);
            assert_eq!(others.clone().with_words("tide", kind), others, "{kind}");
        }
        assert_eq!(Route::OnlineFirst.with_words("tide", ""), Route::OnlineFirst);
    }

    #[test]
    fn kinds_with_a_page_have_an_address_by_number() {
        for kind in OWN_PAGES {
            let route = Route::Resource(kind, 12);
            assert_eq!(parse(&route.path()), Some(route.clone()), "{kind:?}");
            assert_eq!(Route::of_resource(kind, 12), Some(route));
        }
        for path in ["book/0", "book/x", "book", "link/3", "comment/3", "article/book/3"] {
            assert!(!matches!(parse(path), Some(Route::Resource(..))), "{path}");
        }
        assert_eq!(Route::of_resource(ResourceKind::News, 4), Some(Route::NewsDetails(4)));
        assert_eq!(Route::of_resource(ResourceKind::Comment, 4), None);
    }

    #[test]
    fn collections_are_named_by_number_or_key() {
        assert_eq!(parse("collectionList"), Some(Route::Collections(None)));
        assert_eq!(parse("collections"), Some(Route::Collections(None)));
        assert_eq!(parse("collectionList/7"), Some(Route::Collections(Some(7))));
        assert_eq!(parse("collectionList/x"), None);
        for name in ["12", "spring special", "a&b"] {
            let route = Route::Collection(name.to_owned());
            assert_eq!(parse(&format!("collections/{name}")), Some(route.clone()));
            assert_eq!(route.path().matches('/').count(), 1, "{name}");
        }
    }
}
