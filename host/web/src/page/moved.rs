//! Where an address leads that has no page: to the entity that a redirect of the site names, at the address that it has now.

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use masthead_content::redirects;
use masthead_documents::html::ids::element_id;
use masthead_domain::{
    Lang,
    publication::Journal,
    route::{Address, Route},
    site::Site,
};
use masthead_store::{RedirectTarget, SiteStore, StoreError};
use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::{
    app::App,
    sites::{addresses::Addresses, scope::Scope},
};

/// What the value of a parameter cannot hold: all but the unreserved characters of RFC 3986.
const IN_PARAMETER: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
/// What a header cannot hold of a path that an operator wrote: `utf8_percent_encode` adds all that is not ASCII.
const UNSAFE: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>');

/// Where harvesters ask. Their requests are queries, which a redirect keeps.
const OAI: &str = "/oai";

/// The address, beginning with a slash, to which a redirect of the site sends readers of an address without a page. Its path is below the
/// site's prefix, as the request spells it; a language in it may be missing in the redirect. Of its query, the journal of an issue counts;
/// requests of harvesters keep theirs.
/// `None` if no redirect is saved for it.
///
/// # Errors
/// [`StoreError`].
pub async fn target(
    app: &App,
    scope: &Scope,
    lang: Lang,
    (path, query): (&str, Option<&str>),
) -> Result<Option<String>, StoreError> {
    let site = &scope.entry.site;
    let Some(to) = redirects::found(&app.store, site.id, path, query).await? else { return Ok(None) };
    let addresses = Addresses { base: scope.base.clone(), lang };
    let harvested = query.filter(|_| to == RedirectTarget::Path(OAI.to_owned()));
    let found = address(&app.store.site(site.id), site, &addresses, to).await?;
    // A redirect whose target is missing too would lead to itself.
    let own = format!("{}{}", scope.base, path.trim_end_matches('/'));
    let found = found.filter(|found| found.split(['?', '#']).next() != Some(own.as_str()));
    Ok(found.map(|found| match harvested {
        Some(query) => in_header(&format!("{found}?{query}")),
        None => found,
    }))
}

/// The present address of a target; `None` for a journal that the site does not have any more.
async fn address(
    store: &SiteStore,
    site: &Site,
    addresses: &Addresses,
    to: RedirectTarget,
) -> Result<Option<String>, StoreError> {
    Ok(match to {
        RedirectTarget::Article(id) => Some(addresses.route(&Route::Article(id))),
        RedirectTarget::Path(path) => Some(of_path(&path, site, addresses)),
        RedirectTarget::Journal(key) => {
            let shown = store.shown_journals().await?;
            let is_meant = |journal: &Journal| journal.key == key;
            if shown.len() > 1 && shown.iter().any(is_meant) {
                Some(format!("{}#{}", addresses.route(&Route::Issues), element_id(&key)))
            } else {
                // The list of issues has no entry for the only journal, nor for one that readers are not shown yet.
                let is_there = store.journals().await?.iter().any(is_meant);
                is_there.then(|| addresses.route(&Route::Home))
            }
        }
        RedirectTarget::Issue { journal, year, issue } => {
            // As in the addresses that pages link to. The issue of a journal that is not shown must not lead to that of another journal.
            let several = store.shown_journals().await?.iter().any(|shown| shown.key != journal);
            let page = addresses.route(&Route::Issue { journal: String::new(), which: Some((year, issue)) });
            let journal = utf8_percent_encode(&journal, IN_PARAMETER);
            Some(if several { format!("{page}?journal={journal}") } else { page })
        }
    })
}

/// The address of another path of the site: with the reader's language if it is a page's path without one.
fn of_path(path: &str, site: &Site, addresses: &Addresses) -> String {
    let segments = path.split(['?', '#']).next().unwrap_or_default().split('/').filter(|part| !part.is_empty());
    let segments: Vec<&str> = segments.collect();
    let address = Address::split(&segments, false);
    let is_page = address.lang.is_none() && Route::of_site(&address.rest, site).is_some();
    let whole =
        if is_page { addresses.path(path.trim_start_matches('/')) } else { format!("{}{path}", addresses.base) };
    in_header(&whole)
}

/// An address with everything encoded that a header cannot hold.
#[must_use]
pub fn in_header(address: &str) -> String {
    utf8_percent_encode(address, UNSAFE).to_string()
}

/// The address of a page in a language, for an address without one. `rest` is the path without its language segment.
pub fn in_language(scope: &Scope, lang: Lang, rest: &str, query: Option<&str>) -> String {
    let rest = if rest.is_empty() { "home/" } else { rest };
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    format!("{}/{lang}/{rest}{query}", scope.base)
}

/// The response 301 (Moved Permanently). Browsers and shared caches ask again after an hour, because an operator may correct it.
pub fn permanently(location: &str) -> Response {
    let mut response = StatusCode::MOVED_PERMANENTLY.into_response();
    let headers = response.headers_mut();
    headers.extend(HeaderValue::try_from(location).map(|location| (header::LOCATION, location)));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("max-age=3600"));
    response
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_path_gets_the_prefix_and_the_language_where_it_needs_one() {
        let value = serde_json::json!({
            "id": 1, "sld": "s", "name": { "en": "S" }, "colorId": 1, "languages": ["en"], "header": {},
        });
        let site: Site = serde_json::from_value(value).unwrap();
        let addresses = Addresses { base: "/s".into(), lang: Lang::Zh };
        for (path, expected) in [
            ("/about", "/s/zh/about"),
            ("/en/about", "/s/en/about"),
            ("/search?q=a", "/s/zh/search?q=a"),
            ("/media/1/ab.pdf", "/s/media/1/ab.pdf"),
            ("/oai", "/s/oai"),
            ("/期刊 1", "/s/%E6%9C%9F%E5%88%8A%201"),
        ] {
            assert_eq!(of_path(path, &site, &addresses), expected, "{path}");
        }
    }
}
