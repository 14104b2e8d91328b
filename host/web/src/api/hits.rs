//! Hits of any kind as they are listed.

use masthead_domain::{LocalText, link::LinkKind, route::Route};
use masthead_store::ResourceRow;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::{articles::LinkedCard, envelope::Caller, types::BadgeView};
use crate::schema::{FromDomain, Journal, ResourceKind};
use crate::search_service::{FoundItems, Item};
use masthead_content::text::plain;

/// Characters kept of a summary.
const SUMMARY: usize = 320;

/// A hit.
#[derive(Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum HitView {
    /// An article.
    Article(Box<LinkedCard>),
    /// A journal.
    Publication(Box<JournalHit>),
    /// Anything else.
    Resource(Box<ResourceHit>),
}

/// A journal.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JournalHit {
    /// The journal.
    #[serde(flatten)]
    journal: Journal,
    /// Its name in the reader's language.
    name: String,
}

/// What is listed of a figure, a book, an expert and so on, in the reader's language.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResourceHit {
    /// What it is.
    #[serde(rename = "type")]
    kind: ResourceKind,
    /// Its number.
    id: i64,
    /// What identifies it among those of its kind on its site.
    key: String,
    /// Label as printed ("Figure 1"), or "".
    label: String,
    /// Title or name.
    title: String,
    /// A few lines about it, as plain text.
    summary: String,
    /// ISO date, or "".
    date: String,
    /// Address of a small picture, or "".
    picture: String,
    /// Number of the article that it belongs to, or 0.
    article: i64,
    /// Title of that article, or "".
    thesis: String,
    /// Address of that article's page, or "".
    article_href: String,
}

/// The hits of a page with their addresses.
pub async fn views(caller: &Caller, found: FoundItems) -> Vec<HitView> {
    let FoundItems { items, mut badges, .. } = found;
    let cards = items.iter().filter_map(|item| match item {
        Item::Article(card) => Some((**card).clone()),
        _ => None,
    });
    let mut linked = LinkedCard::all(caller, LinkKind::ResultArticle, cards.collect()).await.into_iter();
    let mut views = Vec::with_capacity(items.len());
    for item in items {
        views.extend(match item {
            Item::Article(_) => linked.next().map(|mut card| {
                let badges = badges.remove(&card.card.id).unwrap_or_default();
                card.badges = badges.iter().map(BadgeView::of).collect();
                HitView::Article(Box::new(card))
            }),
            Item::Publication(journal) => {
                let name = journal.title.get(caller.lang).to_owned();
                Some(HitView::Publication(Box::new(JournalHit { journal: Journal::from_domain(*journal), name })))
            }
            Item::Resource(row) => Some(HitView::Resource(Box::new(resource(caller, &row)))),
        });
    }
    views
}

fn resource(caller: &Caller, row: &ResourceRow) -> ResourceHit {
    let data: serde_json::Value = serde_json::from_str(&row.data).unwrap_or_default();
    let text = |name: &str| data[name].as_str().unwrap_or_default().to_owned();
    // The kinds name what they have by the specification's names; these stand for the same in a list.
    let local = |names: &[&str]| {
        let found = names.iter().filter_map(|name| serde_json::from_value::<LocalText>(data[*name].clone()).ok());
        found.map(|text| text.get(caller.lang).to_owned()).find(|text| !text.is_empty()).unwrap_or_default()
    };
    let first = |names: &[&str]| names.iter().map(|name| text(name)).find(|text| !text.is_empty()).unwrap_or_default();
    let drawn = ["small", "big"].iter().filter_map(|size| data["pictures"][0][*size].as_str());
    let drawn = drawn.map(str::to_owned).find(|address| !address.is_empty());
    let article_href = if row.article == 0 {
        String::new()
    } else {
        caller.addresses().route(&Route::Article(masthead_domain::ArticleId(row.article)))
    };
    ResourceHit {
        kind: ResourceKind::from_domain(row.kind),
        id: row.id,
        key: text("key"),
        label: text("label"),
        title: local(&["title", "name"]),
        summary: plain(&local(&["note", "introduction", "bio"])).chars().take(SUMMARY).collect(),
        date: first(&["date", "firstPublished"]),
        picture: drawn.unwrap_or_else(|| first(&["cover", "photo", "icon"])),
        article: row.article,
        thesis: local(&["thesis"]),
        article_href,
    }
}
