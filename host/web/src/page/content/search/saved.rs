//! What the address of a saved search asks for, outside of a page.

use std::{borrow::Cow, collections::BTreeMap};

use masthead_domain::{Lang, route::Route};
use masthead_search::{Order, SortKey};
use percent_encoding::percent_decode_str;

use super::search_state::SearchState;
use crate::search_service::SearchRequest;

/// The search of an address below the root of the site (`/en/searchlist?q=...`), with what was last stored first. `None` if the address is no
/// page of results, or searches nothing.
pub fn saved_search(
    (sld, aliases): (&str, &BTreeMap<String, String>),
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
    if !route.is_search() {
        return None;
    }
    let state = SearchState::read(&route, parameter);
    // What is new is looked for at the site alone at which the search was saved.
    if !state.site.is_empty() && state.site != sld {
        return None;
    }
    let request = state.is_search().then(|| state.request(this_year, 0, limit))?;
    let mut query = request.query;
    query.order = Order::Descending(SortKey::Updated);
    // Only what has all that was typed: what is merely near was not asked for.
    Some(SearchRequest { query, counter: None, relaxes: false, ..request })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_search::Filter;

    use super::*;

    #[test]
    fn a_saved_search_is_read_from_its_address() {
        let aliases = BTreeMap::new();
        let site = ("ledger", &aliases);
        let path = Route::Search.path();
        // `article` without an id is a page of results as well.
        let prefixes = ["/en/", "/", "/ledger/", "/ledger/zh/"];
        for (prefix, path) in prefixes.into_iter().flat_map(|prefix| [(prefix, path.as_str()), (prefix, "article")]) {
            let address = format!("{prefix}{path}?q=%E6%BD%AE%20tides&oa=0&sort=visits&page=3#top");
            let request = saved_search(site, &address, 2026, 50).unwrap();
            assert_eq!(request.query.text, "潮 tides", "{address}");
            assert_eq!(request.query.filters, [Filter::OpenAccess(true)]);
            assert_eq!((request.offset, request.limit, request.relaxes), (0, 50, false));
            assert_eq!((request.query.order, request.counter), (Order::Descending(SortKey::Updated), None));
        }
        let of_site = |name: &str| saved_search(site, &format!("/en/{path}?q=a&site={name}"), 2026, 50);
        assert!(of_site("ledger").is_some() && of_site("shelf").is_none());
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
            assert!(saved_search(site, address, 2026, 50).is_none(), "{address}");
        }
    }
}
