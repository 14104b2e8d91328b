//! Calls about resources that group other content: virtual collections, albums, topics, composite pages.

use std::sync::Arc;

use axum::{Json, extract::Path};
use masthead_domain::resource::{Album, Collection, Composite, FigureOrTable, Picture, TableSheet, Topic};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::api::{
    articles::{LinkedCard, for_reader},
    envelope::{ApiError, Caller},
    items::{self, Item},
    listing::{self, Entry, ListedResource},
    types::Envelope,
};
use crate::{
    app::App,
    routing::routes,
    schema::{self, FromDomain, LocalText},
};

/// Greatest number of figures or tables that a collection takes from its articles.
const MAX_OF_ARTICLES: usize = 200;

/// A tab with the number of its entries.
#[derive(Serialize, ToSchema)]
pub struct Tab {
    /// Code of the tab.
    code: String,
    /// Name in the reader's language.
    label: String,
    /// Number of entries.
    count: usize,
}

fn tab(caller: &Caller, code: &str, count: usize) -> Tab {
    let label = caller.app.messages.get(caller.lang, &format!("tab_{code}")).to_owned();
    Tab { code: code.to_owned(), label, count }
}

/// A special issue or virtual collection with its content.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CollectionView {
    /// The collection; `key` is its `virtualId`.
    collection: Entry<schema::Collection>,
    /// The tabs, in order.
    tabs: Vec<Tab>,
    /// Entries of the tab `paper`.
    paper: Vec<LinkedCard>,
    /// Entries of the tab `figures`: figures that the collection names, then those of its articles.
    figures: Vec<Entry<schema::Picture>>,
    /// Entries of the tab `tables`: tables that the collection names, then those of its articles.
    tables: Vec<Entry<schema::TableSheet>>,
    /// Entries of the tab `experts`.
    experts: Vec<Entry<schema::Expert>>,
    /// All other entries that the collection names, in order.
    others: Vec<Item>,
}

/// Returns a special issue or virtual collection with its articles, their figures and tables, and its experts.
#[utoipa::path(get, path = "/rc-pub/front/front-virtual/{id}", tag = "resource", operation_id = "virtualOne",
    params(("id" = String, Path, description = "Id or key (`virtualId`)")),
    responses((status = 200, body = Envelope<CollectionView>)))]
pub async fn collection(caller: Caller, Path(id): Path<String>) -> Result<Json<Envelope<CollectionView>>, ApiError> {
    let stored = listing::stored::<Collection>(&caller, &id).await?;
    let items = items::resolve(&caller, &stored.value.items).await?;
    let mut view = CollectionView {
        collection: Entry::of(&caller, stored),
        tabs: Vec::new(),
        paper: Vec::new(),
        figures: Vec::new(),
        tables: Vec::new(),
        experts: Vec::new(),
        others: Vec::new(),
    };
    for item in items {
        match item {
            Item::Article(card) => view.paper.push(card),
            Item::Picture(picture) => view.figures.push(picture),
            Item::Table(table) => view.tables.push(table),
            Item::Expert(expert) => view.experts.push(expert),
            other => view.others.push(other),
        }
    }
    let articles: Vec<i64> = view.paper.iter().map(|card| card.card.id).collect();
    add_of_articles::<Picture>(&caller, &articles, &mut view.figures).await?;
    add_of_articles::<TableSheet>(&caller, &articles, &mut view.tables).await?;
    view.tabs = vec![
        tab(&caller, "paper", view.paper.len()),
        tab(&caller, "figures", view.figures.len()),
        tab(&caller, "tables", view.tables.len()),
        tab(&caller, "experts", view.experts.len()),
    ];
    Ok(caller.ok(view))
}

/// Adds the figures or tables of the articles that are not listed yet.
async fn add_of_articles<T: ListedResource + FigureOrTable>(
    caller: &Caller,
    articles: &[i64],
    shown: &mut Vec<Entry<T::Schema>>,
) -> Result<(), ApiError> {
    let of_articles = caller.store().resources_of_articles::<T>(articles, MAX_OF_ARTICLES).await;
    for stored in for_reader(caller, of_articles.map_err(caller.store_failed())?).await? {
        if !shown.iter().any(|known| known.id == stored.id) {
            shown.push(Entry::short(caller, stored));
        }
    }
    Ok(())
}

/// An album with its content.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AlbumView {
    /// The album.
    album: Entry<schema::Album>,
    /// The tabs, in order.
    tabs: Vec<Tab>,
    /// Entries of the tab `article`.
    article: Vec<LinkedCard>,
    /// Entries of the tab `publication`.
    publication: Vec<schema::Journal>,
    /// Entries of the tab `audio`.
    audio: Vec<Entry<schema::Audio>>,
    /// Entries of the tab `video`.
    video: Vec<Entry<schema::Video>>,
    /// All other entries that the album names, in order.
    others: Vec<Item>,
}

/// Returns an album with its articles, journals, audio and video.
#[utoipa::path(get, path = "/rc-pub/front/album/{id}", tag = "resource", operation_id = "albumOne",
    params(("id" = String, Path, description = "Id or key")),
    responses((status = 200, body = Envelope<AlbumView>)))]
pub async fn album(caller: Caller, Path(id): Path<String>) -> Result<Json<Envelope<AlbumView>>, ApiError> {
    let stored = listing::stored::<Album>(&caller, &id).await?;
    let items = items::resolve(&caller, &stored.value.items).await?;
    let mut view = AlbumView {
        album: Entry::of(&caller, stored),
        tabs: Vec::new(),
        article: Vec::new(),
        publication: Vec::new(),
        audio: Vec::new(),
        video: Vec::new(),
        others: Vec::new(),
    };
    for item in items {
        match item {
            Item::Article(card) => view.article.push(card),
            Item::Publication(journal) => view.publication.push(journal),
            Item::Audio(audio) => view.audio.push(audio),
            Item::Video(video) => view.video.push(video),
            other => view.others.push(other),
        }
    }
    view.tabs = vec![
        tab(&caller, "article", view.article.len()),
        tab(&caller, "publication", view.publication.len()),
        tab(&caller, "audio", view.audio.len()),
        tab(&caller, "video", view.video.len()),
    ];
    Ok(caller.ok(view))
}

/// A topic with its content.
#[derive(Serialize, ToSchema)]
pub struct TopicView {
    /// The topic; `key` is its `topicId`.
    topic: Entry<schema::Topic>,
    /// The entries that the topic names, in order.
    content: Vec<Item>,
}

/// Returns a topic with its content.
#[utoipa::path(get, path = "/rc-pub/front/front-topic/{id}", tag = "resource", operation_id = "topicOne",
    params(("id" = String, Path, description = "Id or key (`topicId`)")),
    responses((status = 200, body = Envelope<TopicView>)))]
pub async fn topic(caller: Caller, Path(id): Path<String>) -> Result<Json<Envelope<TopicView>>, ApiError> {
    let stored = listing::stored::<Topic>(&caller, &id).await?;
    let content = items::resolve(&caller, &stored.value.items).await?;
    Ok(caller.ok(TopicView { topic: Entry::of(&caller, stored), content }))
}

/// A block of a composite page with its content.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BlockView {
    /// Heading in the reader's language, or "".
    res_name: String,
    /// Heading.
    title: LocalText,
    /// Text, as sanitized HTML.
    content: LocalText,
    /// The entries of the block, in order.
    items: Vec<Item>,
}

/// A composite page with its content.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CompositeView {
    /// Id of the page.
    id: i64,
    /// Key.
    key: String,
    /// Heading in the reader's language.
    res_name: String,
    /// Heading.
    title: LocalText,
    /// ISO date.
    date: String,
    /// The blocks, from top to bottom.
    blocks: Vec<BlockView>,
}

/// Greatest number of blocks of a composite page; each costs one query for each kind of entry in it.
const MAX_BLOCKS: usize = 24;

/// The blocks of a composite page, with their content.
pub async fn blocks(caller: &Caller, composite: &Composite) -> Result<Vec<BlockView>, ApiError> {
    let mut blocks = Vec::new();
    for block in composite.blocks.iter().take(MAX_BLOCKS) {
        blocks.push(BlockView {
            res_name: block.title.get(caller.lang).to_owned(),
            title: FromDomain::from_domain(block.title.clone()),
            content: FromDomain::from_domain(block.content.clone()),
            items: items::resolve(caller, &block.items).await?,
        });
    }
    Ok(blocks)
}

/// Returns a composite page with its blocks.
#[utoipa::path(get, path = "/rc-pub/front/front-composite/{id}", tag = "resource", operation_id = "compositeOne",
    params(("id" = String, Path, description = "Id or key")),
    responses((status = 200, body = Envelope<CompositeView>)))]
pub async fn composite(caller: Caller, Path(id): Path<String>) -> Result<Json<Envelope<CompositeView>>, ApiError> {
    let stored = listing::stored::<Composite>(&caller, &id).await?;
    let blocks = blocks(&caller, &stored.value).await?;
    let Entry { id, res_name, value } = Entry::short(&caller, stored);
    let schema::Composite { key, title, date, .. } = value;
    Ok(caller.ok(CompositeView { id, key, res_name, title, date, blocks }))
}

/// The routes of this file.
pub fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(collection))
        .routes(routes!(album))
        .routes(routes!(topic))
        .routes(routes!(composite))
}
