//! The sections of news, albums, links and words to search for.

use masthead_domain::{
    link,
    resource::{Collection, FriendLink, News},
    site::HomeSection,
    text::without_tags,
};
use masthead_store::StoreError;
use maud::{Markup, html};

use super::{View, block, nothing, parts::Part};
use crate::page::content::{bidi, texts::NewsDestination};

/// News with picture, date and summary.
pub fn news(view: &View<'_>, section: &HomeSection, part: &Part, id: &str) -> Result<Markup, StoreError> {
    let (texts, lang) = (&view.context.texts, view.context.lang());
    let all = part.list.resources::<News>()?;
    let more = html! {
        a.block-more href=(view.context.addresses.path("news")) {
            (texts.get("view_all")) span.visually-hidden { ": " (super::heading(view, section, "news")) }
        }
    };
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

/// Collections with their covers.
pub fn albums(view: &View<'_>, section: &HomeSection, part: &Part, id: &str) -> Result<Markup, StoreError> {
    let (texts, lang) = (&view.context.texts, view.context.lang());
    let all = part.list.resources::<Collection>()?;
    let more = html! {
        a.block-more href=(view.context.addresses.path("collectionList")) {
            (texts.get("view_all")) span.visually-hidden { ": " (super::heading(view, section, "home_albums")) }
        }
    };
    let content = html! {
        @if all.is_empty() { (nothing(view)) } @else {
            ul.album-grid {
                @for album in &all {
                    li.album-card {
                        a href=(view.context.addresses.path(&format!("collections/{}", album.id))) {
                            @if link::is_own(&album.value.cover) {
                                img src=(album.value.cover) alt="" width="600" height="400" loading="lazy";
                            }
                            span.album-name { (bidi::local(&album.value.title, lang)) }
                        }
                    }
                }
            }
        }
    };
    Ok(block(view, section, id, "home_albums", &more, &content))
}

/// Links to other sites.
pub fn links(view: &View<'_>, section: &HomeSection, part: &Part, id: &str) -> Result<Markup, StoreError> {
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
pub fn hot_words(view: &View<'_>, section: &HomeSection, part: &Part, id: &str) -> Markup {
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
