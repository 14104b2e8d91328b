//! The pages of a site that its sitemaps list, as paths after the language.

use std::collections::HashSet;

use masthead_domain::{
    publication::Issue,
    resource::ResourceKind,
    route::{OWN_PAGES, ResourceList, Route, TextPage},
    site::Site,
};
use masthead_store::{ListQuery, SiteStore, StoreError};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::page::menu;

/// The kinds of resources whose pages are listed. Figures and tables are parts of articles, whose pages show them.
pub fn listed_kinds() -> Vec<ResourceKind> {
    let is_part = |kind: ResourceKind| matches!(kind, ResourceKind::Picture | ResourceKind::Table);
    let has_page = |kind: &ResourceKind| !is_part(*kind) && Route::of_resource(*kind, 1).is_some();
    ResourceKind::ALL.into_iter().filter(has_page).collect()
}

/// The page of a resource; `None` for a text whose number is that of a channel, which has the address.
pub fn of_resource(site: &Site, kind: ResourceKind, id: i64) -> Option<Route> {
    let is_channel = kind == ResourceKind::Information && site.channels.iter().any(|channel| channel.id == id);
    Route::of_resource(kind, id).filter(|_| !is_channel)
}

/// All pages other than articles and resources: lists that have entries, journals, issues, and the pages of channels. Each once.
pub async fn of_pages(store: &SiteStore, site: &Site) -> Result<Vec<String>, StoreError> {
    let numbers = store.lists(&[ListQuery::Numbers(ResourceKind::ALL.to_vec())]).await?;
    let present: HashSet<&str> = numbers.iter().flat_map(|list| list.names()).collect();
    let routes = [Route::Home, Route::Issues, Route::JustAccepted, Route::OnlineFirst, Route::Text(TextPage::About(0))];
    let mut paths: Vec<String> = routes.iter().map(Route::path).collect();
    paths.extend(lists(&present));
    let channels = menu::page_paths(site).into_iter().map(|(_, path)| path);
    paths.extend(channels.filter(|path| is_listed(path, site)));
    let journals = store.shown_journals().await?;
    if journals.len() > 1 {
        paths.push(Route::Text(TextPage::Journal(String::new())).path());
    }
    paths.extend(journals.iter().map(|journal| Route::Text(TextPage::Journal(journal.key.clone())).path()));
    let issues = store.archive().await?;
    let shown = issues.iter().filter(|(issue, _)| journals.iter().any(|journal| journal.key == issue.journal));
    paths.extend(shown.map(|(issue, _)| of_issue(issue, journals.len() > 1)));
    let mut seen = HashSet::new();
    paths.retain(|path| seen.insert(path.clone()));
    Ok(paths)
}

/// The lists that have entries of these kinds.
fn lists(present: &HashSet<&str>) -> Vec<String> {
    let has = |kinds: &[ResourceKind]| kinds.iter().any(|kind| present.contains(kind.as_str()));
    let pages = [
        (&[ResourceKind::Information][..], Route::Text(TextPage::Texts)),
        (&[ResourceKind::News], Route::Text(TextPage::News(0))),
        (&[ResourceKind::Board, ResourceKind::Expert], Route::Text(TextPage::Board(0, 0))),
        (&[ResourceKind::Expert], Route::Text(TextPage::Experts)),
        (&[ResourceKind::Link], Route::Text(TextPage::Links)),
        (&[ResourceKind::Collection, ResourceKind::Album], Route::Collections(None)),
    ];
    let pages = pages.into_iter().filter(|(kinds, _)| has(kinds)).map(|(_, route)| route.path());
    // Albums are listed with special issues.
    let with_list = OWN_PAGES.into_iter().filter(|kind| *kind != ResourceKind::Album);
    let of_kind =
        |kind: ResourceKind| format!("{}?type={}", Route::Resources(ResourceList::of_kind(kind)).path(), kind.as_str());
    pages.chain(with_list.filter(|kind| has(&[*kind])).map(of_kind)).collect()
}

/// Whether a path of the menu is listed as it is: pages of accounts and searches are not for search engines, and the lists of resources are
/// listed by what they list.
fn is_listed(path: &str, site: &Site) -> bool {
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    match Route::of_site(&segments, site) {
        Some(Route::Account(_) | Route::Resources(_) | Route::ArticleMissing) | None => false,
        Some(route) => !route.is_search(),
    }
}

/// The path of an issue. With several journals on a site, year and number are ambiguous and the journal's key is added.
fn of_issue(issue: &Issue, several: bool) -> String {
    let path = Route::Issue { journal: String::new(), which: Some((issue.year, issue.issue.clone())) }.path();
    let journal = utf8_percent_encode(&issue.journal, NON_ALPHANUMERIC);
    if several { format!("{path}?journal={journal}") } else { path }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn site() -> Site {
        serde_json::from_value(serde_json::json!({
            "id": 1, "sld": "s", "name": { "en": "S" }, "colorId": 1, "languages": ["en"], "header": {},
            "channels": [{ "id": 7, "code": "newItem", "enable": "1", "enName": "Ethics" }],
        }))
        .unwrap()
    }

    #[test]
    fn lists_without_entries_are_left_out() {
        assert!(lists(&HashSet::new()).is_empty());
        let some = lists(&HashSet::from(["book", "expert", "table"]));
        assert_eq!(some, ["editorial-board", "scholarList", "textList?type=table", "bookList?type=book"]);
    }

    #[test]
    fn figures_tables_and_what_has_no_page_are_not_listed() {
        let kinds = listed_kinds();
        for kind in [ResourceKind::Picture, ResourceKind::Table, ResourceKind::Comment, ResourceKind::Tool] {
            assert!(!kinds.contains(&kind), "{kind:?}");
        }
        for kind in [ResourceKind::News, ResourceKind::Expert, ResourceKind::Collection, ResourceKind::Album] {
            assert!(kinds.contains(&kind), "{kind:?}");
        }
    }

    #[test]
    fn a_text_with_the_number_of_a_channel_has_no_page_at_it() {
        assert_eq!(of_resource(&site(), ResourceKind::Information, 7), None);
        assert_eq!(of_resource(&site(), ResourceKind::Information, 8), Some(Route::Information(8)));
        assert_eq!(of_resource(&site(), ResourceKind::Book, 7), Some(Route::Resource(ResourceKind::Book, 7)));
    }

    #[test]
    fn pages_of_accounts_and_searches_are_not_listed() {
        for (path, listed) in [
            ("info/7", true),
            ("newItem", true),
            ("login", false),
            ("search", false),
            ("bookList", false),
            ("x", false),
        ] {
            assert_eq!(is_listed(path, &site()), listed, "{path}");
        }
    }
}
