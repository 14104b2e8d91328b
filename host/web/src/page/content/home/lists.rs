//! The sections of news, albums, links and words to search for.

use std::cmp::Reverse;

use masthead_domain::{
    LocalText,
    link::{self, Link, LinkKind},
    resource::{Album, Collection, FriendLink, News, ResourceKind, Stored},
    route::{Route, TextPage},
    site::HomeSection,
    text::without_tags,
};
use masthead_store::StoreError;
use maud::{Markup, html};

use super::{View, block, nothing, parts::SectionContent, view_all};
use crate::page::content::{bidi, news_destination::NewsDestination};

/// News with picture, date and summary.
pub fn news(view: &View<'_>, section: &HomeSection, part: &SectionContent, id: &str) -> Result<Markup, StoreError> {
    let lang = view.context.lang();
    let all = part.list.resources::<News>()?;
    // A section with news of one type leads to the tab of the type.
    let tab = Some(&section.news_type).filter(|kind| !kind.is_empty());
    let query = tab.map(|kind| ("newsDataType".to_owned(), kind.clone())).into_iter().collect();
    let list = Link { kind: LinkKind::Other, path: Route::Text(TextPage::News(0)).path(), query };
    let more = view_all(view, section, "news", &view.context.addresses.link(&list));
    let content = html! {
        @if all.is_empty() { (nothing(view)) } @else {
            ul.news-list {
                @for news in &all {
                    @let NewsDestination { href, leaves, jump } = NewsDestination::of(view.context, news.id, &news.value.link_value);
                    @let summary = without_tags(news.value.summary.get(lang));
                    li.news-card {
                        @if link::is_own(&news.value.cover) {
                            img src=(news.value.cover) alt="" width="320" height="200" loading="lazy";
                        }
                        div {
                            h3.news-title { a href=(href) rel=[leaves.then_some("noopener external")] data-jump=[jump] { (bidi::local(&news.value.title, lang)) } }
                            @if !news.value.date.is_empty() {
                                p.news-date { (bidi::day(&news.value.date)) }
                            }
                            @if !summary.is_empty() { p.news-summary dir="auto" { (summary) } }
                        }
                    }
                }
            }
        }
    };
    Ok(block(view, section, id, "news", &more, &content))
}

/// A special issue or an album, as the section shows it.
struct Tile<'a> {
    route: Route,
    title: &'a LocalText,
    cover: &'a str,
    /// Its place in lists: the order by hand, then the date, then the number.
    place: (i64, Reverse<&'a str>, Reverse<i64>),
}

/// Special issues and albums in the order of the page that lists both: by hand, then the newest first.
fn tiles<'a>(collections: &'a [Stored<Collection>], albums: &'a [Stored<Album>]) -> Vec<Tile<'a>> {
    let place = |position: i64, date: &'a str, id: i64| (position, Reverse(date), Reverse(id));
    let collections = collections.iter().map(|Stored { id, value }| Tile {
        route: Route::Collection(id.to_string()),
        title: &value.title,
        cover: &value.cover,
        place: place(value.position, &value.date, *id),
    });
    let albums = albums.iter().map(|Stored { id, value }| Tile {
        route: Route::Resource(ResourceKind::Album, *id),
        title: &value.title,
        cover: &value.cover,
        place: place(value.position, &value.date, *id),
    });
    let mut all: Vec<Tile<'_>> = collections.chain(albums).collect();
    all.sort_by_key(|tile| tile.place);
    all
}

/// Special issues and albums with their covers.
pub fn albums(view: &View<'_>, section: &HomeSection, part: &SectionContent, id: &str) -> Result<Markup, StoreError> {
    let (addresses, lang) = (&view.context.addresses, view.context.lang());
    let (collections, albums) = (part.list.resources::<Collection>()?, part.albums.resources::<Album>()?);
    let mut all = tiles(&collections, &albums);
    all.truncate(section.entries() as usize);
    let more = view_all(view, section, "home_albums", &addresses.route(&Route::Collections(None)));
    let content = html! {
        @if all.is_empty() { (nothing(view)) } @else {
            ul.album-grid {
                @for tile in &all {
                    li.album-card {
                        a href=(addresses.route(&tile.route)) {
                            @if link::is_own(tile.cover) {
                                img src=(tile.cover) alt="" width="600" height="400" loading="lazy";
                            }
                            span.album-name { (bidi::local(tile.title, lang)) }
                        }
                    }
                }
            }
        }
    };
    Ok(block(view, section, id, "home_albums", &more, &content))
}

/// Links to other sites.
pub fn links(view: &View<'_>, section: &HomeSection, part: &SectionContent, id: &str) -> Result<Markup, StoreError> {
    let lang = view.context.lang();
    let mut all = part.list.resources::<FriendLink>()?;
    all.retain(|one| link::is_own_or_web(&one.value.link_value));
    let content = html! {
        @if all.is_empty() { (nothing(view)) } @else {
            ul.link-list {
                @for one in &all {
                    li {
                        a href=(one.value.link_value) rel="noopener external" {
                            @if link::is_own(&one.value.logo) {
                                img src=(one.value.logo) alt="" height="32" loading="lazy";
                            }
                            (bidi::local(&one.value.title, lang))
                        }
                    }
                }
            }
        }
    };
    Ok(block(view, section, id, "home_links", &html! {}, &content))
}

/// Words to search for: those of the configuration, then those that most readers searched for.
pub fn hot_words(view: &View<'_>, section: &HomeSection, part: &SectionContent, id: &str) -> Markup {
    let (context, lang) = (view.context, view.context.lang());
    let mut words: Vec<String> =
        context.entry.site.search.hot_words.iter().map(|word| word.get(lang).to_owned()).collect();
    words.retain(|word| !word.is_empty());
    for word in part.list.names() {
        if !words.iter().any(|known| known.to_lowercase() == word) {
            words.push(word.to_owned());
        }
    }
    words.truncate(usize::try_from(section.entries()).unwrap_or(usize::MAX));
    let content = html! {
        @if words.is_empty() { (nothing(view)) } @else {
            ul.facets { @for word in &words { li { a href=(context.addresses.words(word)) rel="nofollow" { (bidi::isolated(word)) } } } }
        }
    };
    block(view, section, id, "hot_words", &html! {}, &content)
}
