//! What the address of a saved search asks for, outside of a page.

use std::{borrow::Cow, collections::BTreeMap};

use masthead_domain::{Lang, SiteId, route::Route};
use masthead_search::{Order, SortKey};
use percent_encoding::percent_decode_str;

use super::search_state::SearchState;
use crate::search_service::{Nearest, SearchRequest, SearchScope};

/// The search of an address below the root of the site (`/en/searchlist?q=...`), with what was last stored first, in the sites that its page of
/// results lists. `offered` is the number of a site that a reader can choose there, by its short name. `None` if the address is no page of
/// results, or searches nothing.
pub fn saved_search(
    (sld, aliases): (&str, &BTreeMap<String, String>),
    offered: impl Fn(&str) -> Option<SiteId>,
    address: &str,
    this_year: i32,
    limit: usize,
) -> Option<SearchRequest> {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let segments: Vec<String> = path
        .split('/')
        .filter(|segment| !segment.is_empty())
        .map(|segment| percent_decode_str(segment).decode_utf8().ok().map(Cow::into_owned))
        .collect::<Option<_>>()?;
    let mut rest: Vec<&str> = segments.iter().map(String::as_str).collect();
    if rest.first() == Some(&sld) {
        rest.remove(0);
    }
    if rest.first().is_some_and(|segment| segment.parse::<Lang>().is_ok()) {
        rest.remove(0);
    }
    let query = query.split('#').next().unwrap_or_default();
    let parameters: Vec<(String, String)> = url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    let parameter =
        |wanted: &str| parameters.iter().find(|(name, _)| name == wanted).map_or("", |(_, value)| value.as_str());
    let route = Route::parse(&rest, aliases)?.searched(rest.len(), |name| !parameter(name).is_empty());
    let route = route.with_words(parameter("q").trim(), parameter("type").trim());
    if !route.is_search() {
        return None;
    }
    let state = SearchState::read(&route, parameter);
    let scope = match state.site.as_str() {
        "" => SearchScope::Group,
        // A site that was closed has nothing new, and what other sites have was not asked for.
        chosen => SearchScope::OneOfGroup(offered(chosen)?),
    };
    let request = state.is_search().then(|| state.request(this_year, 0, limit))?;
    let mut query = request.query;
    query.order = Order::Descending(SortKey::Updated);
    // Only what has all that was typed: what is merely near was not asked for.
    Some(SearchRequest { query, scope, counter: None, nearest: Nearest::Unused, ..request })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_domain::resource::ResourceKind;
    use masthead_search::{EntryKind, Filter};

    use super::*;

    #[test]
    fn a_saved_search_is_read_from_its_address() {
        let aliases = BTreeMap::new();
        let site = ("ledger", &aliases);
        let offered = |sld: &str| match sld {
            "ledger" => Some(SiteId(448)),
            "shelf" => Some(SiteId(905)),
            _ => None,
        };
        let path = Route::Search.path();
        // `article` without an id is a page of results as well.
        let prefixes = ["/en/", "/", "/ledger/", "/ledger/zh/"];
        for (prefix, path) in prefixes.into_iter().flat_map(|prefix| [(prefix, path.as_str()), (prefix, "article")]) {
            let address = format!("{prefix}{path}?q=%E6%BD%AE%20tides&oa=0&sort=visits&page=3#top");
            let request = saved_search(site, offered, &address, 2026, 50).unwrap();
            assert_eq!(request.query.text, "潮 tides", "{address}");
            assert_eq!(request.query.filters, [Filter::OpenAccess(true)]);
            assert_eq!((request.offset, request.limit, request.nearest), (0, 50, Nearest::Unused));
            assert_eq!((request.query.order, request.counter), (Order::Descending(SortKey::Updated), None));
            assert_eq!(request.scope, SearchScope::Group);
        }
        let of_site = |name: &str| saved_search(site, offered, &format!("/en/{path}?q=a&site={name}"), 2026, 50);
        assert_eq!(of_site("ledger").unwrap().scope, SearchScope::OneOfGroup(SiteId(448)));
        assert_eq!(of_site("shelf").unwrap().scope, SearchScope::OneOfGroup(SiteId(905)));
        assert!(of_site("closed").is_none(), "no site that can be chosen");
        // So is a list of resources with words.
        let kinds = |address: &str| Some(saved_search(site, offered, address, 2026, 50)?.query.kinds);
        let of = |kind: ResourceKind| Some(vec![EntryKind::Resource(kind)]);
        assert_eq!(kinds("/en/textList?q=a&type=picture"), of(ResourceKind::Picture));
        assert_eq!(kinds("/en/bookList?q=a"), of(ResourceKind::Book));
        assert_eq!(kinds("/en/textList?type=picture"), None);
        assert_eq!(kinds("/en/othersList?q=a&type=science"), None, "it is searched as a list");
        let none = format!("/en/{path}");
        for address in [
            "",
            "/en/home/",
            "https://example.org/",
            "//example.org/x",
            "/en/article/7/",
            "/en/article",
            none.as_str(),
            "/%FF?q=a",
        ] {
            assert!(saved_search(site, offered, address, 2026, 50).is_none(), "{address}");
        }
    }
}
