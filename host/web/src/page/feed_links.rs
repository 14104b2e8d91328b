//! The links in the head of every page to the site's feeds and to its search description (OpenSearch).

use masthead_domain::route::Route;
use serde::Deserialize;

use crate::page::{context::Context, head::Link};

/// The selection of articles in a feed.
#[derive(Default, Deserialize)]
pub struct FeedSelection {
    /// Key of a journal, or "" for all journals.
    #[serde(default)]
    pub journal: String,
    /// "" for the latest articles, `justAccepted`, or `onlineFirst`.
    #[serde(default)]
    pub list: String,
}

/// The address of a feed with the given selection.
#[must_use]
pub fn feed_address(address: &str, selection: &FeedSelection) -> String {
    let given = [("journal", &selection.journal), ("list", &selection.list)];
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(given.into_iter().filter(|(_, value)| !value.is_empty()));
    let query = query.finish();
    if query.is_empty() { address.to_owned() } else { format!("{address}?{query}") }
}

/// Links to the feeds and to the search description.
#[must_use]
pub fn links(context: &Context<'_>, route: Option<&Route>) -> Vec<Link> {
    let (site, lang) = (&context.entry.site, context.lang());
    let name = site.name.get(lang);
    let mut links = vec![Link {
        rel: "search",
        media_type: "application/opensearchdescription+xml",
        title: name.to_owned(),
        href: context.addresses.path("opensearch.xml"),
    }];
    if !site.library.feeds {
        return links;
    }
    let list = match route {
        Some(Route::JustAccepted) => Some(("just_accepted", "justAccepted")),
        Some(Route::OnlineFirst) => Some(("online_first", "onlineFirst")),
        _ => None,
    };
    let lists = std::iter::once(("latest_articles", "")).chain(list);
    for (key, list) in lists {
        let title = format!("{name} – {}", context.texts.get(key));
        let selection = FeedSelection { journal: String::new(), list: list.to_owned() };
        for (file, media_type) in [("feed.rss", "application/rss+xml"), ("feed.atom", "application/atom+xml")] {
            let href = feed_address(&context.addresses.path(file), &selection);
            links.push(Link { rel: "alternate", media_type, title: title.clone(), href });
        }
    }
    links
}
