//! The items that a composed page names: articles, news, links, recordings, books, experts.

use std::collections::{HashMap, HashSet};

use masthead_domain::{
    Lang, LocalText,
    card::ArticleCard,
    link::{LinkKind, is_own, is_own_or_web},
    publication::Journal,
    resource::{ItemKind, ItemRef, ResourceKind},
    route::{Route, TextPage},
    text::without_tags,
};
use masthead_runtime::Call;
use masthead_store::ResourceRow;
use maud::{Markup, html};
use serde::Deserialize;

use crate::page::{
    content::{bidi, list, news_destination::NewsDestination},
    context::{Context, PageError},
    cover,
};

/// Characters of a summary.
const MAX_SUMMARY: usize = 160;

/// The items of a page, read in two queries.
pub struct Items {
    articles: HashMap<String, (ArticleCard, String)>,
    rows: HashMap<(ResourceKind, String), (ResourceRow, Shown)>,
}

/// What a list shows of a resource of any kind. The kinds use the specification's field names, which differ.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Shown {
    key: String,
    title: LocalText,
    name: LocalText,
    summary: LocalText,
    introduction: LocalText,
    organization: LocalText,
    cover: String,
    photo: String,
    logo: String,
    link_value: String,
}

impl Shown {
    fn title(&self) -> &LocalText {
        if self.title.is_empty() { &self.name } else { &self.title }
    }

    fn summary(&self, lang: Lang) -> String {
        let texts = [&self.summary, &self.introduction, &self.organization];
        let text = texts.into_iter().find(|text| !text.is_empty()).map(|text| without_tags(text.get(lang)));
        text.unwrap_or_default().chars().take(MAX_SUMMARY).collect()
    }

    fn picture(&self) -> Option<&str> {
        [&self.cover, &self.photo, &self.logo].into_iter().map(String::as_str).find(|address| is_own(address))
    }
}

/// The kind of resource that an item points to; `None` for articles and journals.
const fn resource_kind(kind: ItemKind) -> Option<ResourceKind> {
    Some(match kind {
        ItemKind::Article | ItemKind::Publication => return None,
        ItemKind::Link => ResourceKind::Link,
        ItemKind::Wechat => ResourceKind::Wechat,
        ItemKind::News => ResourceKind::News,
        ItemKind::Album => ResourceKind::Album,
        ItemKind::Picture => ResourceKind::Picture,
        ItemKind::Table => ResourceKind::Table,
        ItemKind::Audio => ResourceKind::Audio,
        ItemKind::Video => ResourceKind::Video,
        ItemKind::Book => ResourceKind::Book,
        ItemKind::Expert => ResourceKind::Expert,
    })
}

/// Kinds and keys of items, each once and in their order: of very many, the first are read.
fn distinct<'a>(items: &[&'a ItemRef]) -> Vec<(ItemKind, &'a str)> {
    let mut seen = HashSet::new();
    items.iter().map(|item| (item.kind, item.key.as_str())).filter(|item| seen.insert(*item)).collect()
}

impl Items {
    /// Reads what these items point to.
    pub async fn read(context: &Context<'_>, call: &mut Call, items: &[&ItemRef]) -> Result<Self, PageError> {
        let unique = distinct(items);
        let names: Vec<&str> =
            unique.iter().filter(|(kind, _)| *kind == ItemKind::Article).map(|(_, key)| *key).collect();
        let (names, cards): (Vec<String>, Vec<ArticleCard>) =
            context.store.cards_by_names(&names).await?.into_iter().unzip();
        let hrefs = context.addresses.cards(call, LinkKind::ListArticle, &cards).await;
        let articles = names.into_iter().zip(cards.into_iter().zip(hrefs)).collect();
        let wanted: Vec<(ResourceKind, &str)> =
            unique.iter().filter_map(|(kind, key)| Some((resource_kind(*kind)?, *key))).collect();
        let rows = context.store.resources_by_names(&wanted).await?;
        let rows = rows.into_iter().map(|row| {
            let shown: Shown = serde_json::from_str(&row.data).unwrap_or_default();
            ((row.kind, shown.key.clone()), (row, shown))
        });
        Ok(Self { articles, rows: rows.collect() })
    }

    /// The articles among these items as a list, then the rest as cards, each in its order.
    pub fn shown(&self, context: &Context<'_>, journals: &[Journal], items: &[ItemRef]) -> Markup {
        let articles = items.iter().filter(|item| item.kind == ItemKind::Article);
        let (cards, hrefs): (Vec<ArticleCard>, Vec<String>) =
            articles.filter_map(|item| self.articles.get(&item.key).cloned()).unzip();
        let others: Vec<Markup> = items.iter().filter_map(|item| self.other(context, journals, item)).collect();
        html! {
            @if !cards.is_empty() { (list::articles(context, journals, &cards, &hrefs)) }
            @if !others.is_empty() { ul.item-cards { @for other in &others { li { (other) } } } }
        }
    }

    fn other(&self, context: &Context<'_>, journals: &[Journal], item: &ItemRef) -> Option<Markup> {
        let lang = context.lang();
        if item.kind == ItemKind::Publication {
            let journal = journals.iter().find(|journal| journal.key == item.key)?;
            let href = context.addresses.route(&Route::Text(TextPage::Journal(journal.key.clone())));
            let cover = cover::of_journal(context, journal);
            return Some(card(&href, None, Some(&cover), &bidi::local(&journal.title, lang), ""));
        }
        let (row, shown) = self.rows.get(&(resource_kind(item.kind)?, item.key.clone()))?;
        let (href, jump) = destination(context, row, shown)?;
        Some(card(&href, jump, shown.picture(), &bidi::local(shown.title(), lang), &shown.summary(lang)))
    }
}

/// `jump` is what the shell asks for when the title is followed, because the host decides then where it leads.
fn card(href: &str, jump: Option<String>, picture: Option<&str>, title: &Markup, summary: &str) -> Markup {
    html! {
        @if let Some(picture) = picture { img.item-picture src=(picture) alt="" width="96" height="96" loading="lazy"; }
        div {
            a href=(href) rel=[(!href.starts_with('/')).then_some("noopener")] data-jump=[jump] { (title) }
            @if !summary.is_empty() { p dir="auto" { (summary) } }
        }
    }
}

/// Where an item leads, and what the shell asks for when it is followed; `None` for one without an address.
fn destination(context: &Context<'_>, row: &ResourceRow, shown: &Shown) -> Option<(String, Option<String>)> {
    match row.kind {
        ResourceKind::Link | ResourceKind::Wechat => {
            let link = Some(shown.link_value.trim()).filter(|link| is_own_or_web(link))?;
            Some((link.to_owned(), None))
        }
        ResourceKind::News => {
            let NewsDestination { href, jump, .. } = NewsDestination::of(context, row.id, &shown.link_value);
            Some((href, jump))
        }
        kind => Some((context.addresses.route(&Route::of_resource(kind, row.id)?), None)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_read_once_and_in_their_order() {
        let item = |kind, key: &str| ItemRef { kind, key: key.to_owned() };
        let items = [
            item(ItemKind::Book, "b"),
            item(ItemKind::Article, "b"),
            item(ItemKind::Book, "a"),
            item(ItemKind::Book, "b"),
        ];
        let all: Vec<&ItemRef> = items.iter().collect();
        assert_eq!(distinct(&all), [(ItemKind::Book, "b"), (ItemKind::Article, "b"), (ItemKind::Book, "a")]);
    }
}
