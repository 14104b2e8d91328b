//! List entries of search hits of any kind.

use masthead_domain::{ArticleId, LocalText, link::LinkKind, resource::ResourceKind as Kind, route::Route};
use masthead_store::ResourceRow;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::{
    articles::{self, LinkedCard},
    envelope::Caller,
    types::BadgeView,
};
use crate::schema::{FromDomain, Journal, ResourceKind};
use crate::search_service::{ResultItem, SearchResults};
use masthead_domain::text::without_tags;

/// Greatest length of a summary, in characters.
const MAX_SUMMARY: usize = 320;

/// A hit.
#[derive(Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum HitView {
    /// An article.
    Article(Box<LinkedCard>),
    /// A journal.
    Publication(Box<JournalHit>),
    /// A resource of any other kind.
    Resource(Box<ResourceHit>),
}

/// A journal.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JournalHit {
    /// The journal.
    #[serde(flatten)]
    journal: Journal,
    /// The journal's name in the reader's language.
    name: String,
}

/// A hit that is a figure, a book, an expert or another resource, in the reader's language.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResourceHit {
    /// Kind of the resource.
    #[serde(rename = "type")]
    kind: ResourceKind,
    /// Id of the resource.
    id: i64,
    /// Key of the resource, unique among the resources of its kind on the site.
    key: String,
    /// Label as printed ("Figure 1"), or "".
    label: String,
    /// Title or name.
    title: String,
    /// A short description, as plain text.
    summary: String,
    /// ISO date, or "".
    date: String,
    /// Address of a small picture, or "".
    picture: String,
    /// Id of the article to which the resource belongs, or 0.
    article: i64,
    /// Title of that article, or "".
    thesis: String,
    /// Address of that article's page, or "".
    article_href: String,
}

/// Converts the hits of a page to list entries, with their addresses.
pub async fn views(caller: &Caller, found: SearchResults) -> Vec<HitView> {
    let SearchResults { items, mut badges, .. } = found;
    let cards = items.iter().filter_map(|item| match item {
        ResultItem::Article(card) => Some((**card).clone()),
        _ => None,
    });
    let mut linked = LinkedCard::all(caller, LinkKind::ResultArticle, cards.collect()).await.into_iter();
    let exhibits = items.iter().filter_map(|item| match item {
        ResultItem::Resource(row) => article_of(row),
        _ => None,
    });
    // Without an answer, which is logged, all are hidden.
    let readable = articles::readable(caller, exhibits.collect()).await.unwrap_or_default();
    let mut views = Vec::with_capacity(items.len());
    for item in items {
        views.extend(match item {
            ResultItem::Article(_) => linked.next().map(|mut card| {
                let badges = badges.remove(&card.card.id).unwrap_or_default();
                card.badges = badges.iter().map(BadgeView::of).collect();
                HitView::Article(Box::new(card))
            }),
            ResultItem::Publication(journal) => {
                let name = journal.title.get(caller.lang).to_owned();
                Some(HitView::Publication(Box::new(JournalHit { journal: Journal::from_domain(*journal), name })))
            }
            ResultItem::Resource(row) => {
                let hidden = article_of(&row).is_some_and(|article| !readable.contains(&article));
                let hit = resource(caller, &row);
                let hit =
                    if hidden { ResourceHit { summary: String::new(), picture: String::new(), ..hit } } else { hit };
                Some(HitView::Resource(Box::new(hit)))
            }
        });
    }
    views
}

/// The article whose full text a figure or table is part of; `None` for other resources.
fn article_of(row: &ResourceRow) -> Option<ArticleId> {
    matches!(row.kind, Kind::Picture | Kind::Table).then_some(ArticleId(row.article))
}

fn resource(caller: &Caller, row: &ResourceRow) -> ResourceHit {
    let data: serde_json::Value = serde_json::from_str(&row.data).unwrap_or_default();
    let text = |name: &str| data[name].as_str().unwrap_or_default().to_owned();
    // The kinds use the specification's field names, which differ; these fields have the same role in a list.
    let local = |names: &[&str]| {
        let found = names.iter().filter_map(|name| serde_json::from_value::<LocalText>(data[*name].clone()).ok());
        found.map(|text| text.get(caller.lang).to_owned()).find(|text| !text.is_empty()).unwrap_or_default()
    };
    let first = |names: &[&str]| names.iter().map(|name| text(name)).find(|text| !text.is_empty()).unwrap_or_default();
    let rendition = ["small", "big"].iter().filter_map(|size| data["pictures"][0][*size].as_str());
    let rendition = rendition.map(str::to_owned).find(|address| !address.is_empty());
    let article_href = if row.article == 0 {
        String::new()
    } else {
        caller.addresses().route(&Route::Article(ArticleId(row.article)))
    };
    ResourceHit {
        kind: ResourceKind::from_domain(row.kind),
        id: row.id,
        key: text("key"),
        label: text("label"),
        title: local(&["title", "name"]),
        summary: without_tags(&local(&["note", "introduction", "bio"])).chars().take(MAX_SUMMARY).collect(),
        date: first(&["date", "firstPublished"]),
        picture: rendition.unwrap_or_else(|| first(&["cover", "photo", "icon"])),
        article: row.article,
        thesis: local(&["thesis"]),
        article_href,
    }
}
