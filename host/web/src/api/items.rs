//! References to other content of the same site, resolved with a number of queries that does not depend on the number
//! of references.

use std::collections::BTreeMap;

use masthead_domain::{
    link::LinkKind,
    resource::{
        Album, ArticleExhibit, Audio, Book, Expert, FriendLink, ItemKind, ItemRef, News, Picture, TableSheet, Video,
        Wechat,
    },
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::{
    articles::{LinkedCard, for_reader},
    envelope::{ApiError, Caller},
    listing::{Entry, ListedResource},
};
use crate::schema::{self, FromDomain};

/// Greatest number of references that are resolved; further ones are ignored.
pub const MAX_ITEMS: usize = 500;

/// The content to which a reference leads.
#[derive(Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Item {
    /// An article.
    Article(LinkedCard),
    /// A journal.
    Publication(schema::Journal),
    /// A link.
    Link(Entry<schema::FriendLink>),
    /// A WeChat post.
    Wechat(Entry<schema::Wechat>),
    /// News.
    News(Entry<schema::News>),
    /// An album.
    Album(Entry<schema::Album>),
    /// A figure.
    Picture(Entry<schema::Picture>),
    /// A table.
    Table(Entry<schema::TableSheet>),
    /// Audio.
    Audio(Entry<schema::Audio>),
    /// Video.
    Video(Entry<schema::Video>),
    /// A book.
    Book(Entry<schema::Book>),
    /// An expert.
    Expert(Entry<schema::Expert>),
}

type ItemsByKey = BTreeMap<(ItemKind, String), Item>;

/// Resolves references, in their order. References to content that the site does not have are dropped, and so are
/// duplicates.
pub async fn resolve(caller: &Caller, items: &[ItemRef]) -> Result<Vec<Item>, ApiError> {
    let items = &items[..items.len().min(MAX_ITEMS)];
    let mut keys: BTreeMap<ItemKind, Vec<&str>> = BTreeMap::new();
    for item in items {
        keys.entry(item.kind).or_default().push(&item.key);
    }
    let mut found = ItemsByKey::new();
    for (kind, keys) in &keys {
        match kind {
            ItemKind::Article => articles(caller, keys, &mut found).await?,
            ItemKind::Publication => publications(caller, keys, &mut found).await?,
            ItemKind::Link => entries::<FriendLink>(caller, *kind, keys, &mut found, Item::Link).await?,
            ItemKind::Wechat => entries::<Wechat>(caller, *kind, keys, &mut found, Item::Wechat).await?,
            ItemKind::News => entries::<News>(caller, *kind, keys, &mut found, Item::News).await?,
            ItemKind::Album => entries::<Album>(caller, *kind, keys, &mut found, Item::Album).await?,
            ItemKind::Picture => exhibits::<Picture>(caller, *kind, keys, &mut found, Item::Picture).await?,
            ItemKind::Table => exhibits::<TableSheet>(caller, *kind, keys, &mut found, Item::Table).await?,
            ItemKind::Audio => entries::<Audio>(caller, *kind, keys, &mut found, Item::Audio).await?,
            ItemKind::Video => entries::<Video>(caller, *kind, keys, &mut found, Item::Video).await?,
            ItemKind::Book => entries::<Book>(caller, *kind, keys, &mut found, Item::Book).await?,
            ItemKind::Expert => entries::<Expert>(caller, *kind, keys, &mut found, Item::Expert).await?,
        }
    }
    Ok(items.iter().filter_map(|item| found.remove(&(item.kind, item.key.clone()))).collect())
}

async fn entries<T: ListedResource>(
    caller: &Caller,
    kind: ItemKind,
    keys: &[&str],
    found: &mut ItemsByKey,
    wrap: fn(Entry<T::Schema>) -> Item,
) -> Result<(), ApiError> {
    let stored = caller.store().resources_by_keys::<T>(keys).await.map_err(caller.store_failed())?;
    found.extend(stored.into_iter().map(|(key, stored)| ((kind, key), wrap(Entry::short(caller, stored)))));
    Ok(())
}

/// Figures or tables, as the reader may see them.
async fn exhibits<T: ListedResource + ArticleExhibit>(
    caller: &Caller,
    kind: ItemKind,
    keys: &[&str],
    found: &mut ItemsByKey,
    wrap: fn(Entry<T::Schema>) -> Item,
) -> Result<(), ApiError> {
    let stored = caller.store().resources_by_keys::<T>(keys).await.map_err(caller.store_failed())?;
    for stored in for_reader(caller, stored.into_values().collect()).await? {
        let key = stored.value.list_keys().key.to_owned();
        found.insert((kind, key), wrap(Entry::short(caller, stored)));
    }
    Ok(())
}

async fn articles(caller: &Caller, keys: &[&str], found: &mut ItemsByKey) -> Result<(), ApiError> {
    let (store, failed) = (caller.store(), caller.store_failed());
    let names = store.article_ids_by_names(keys).await.map_err(&failed)?;
    let ids: Vec<_> = names.values().copied().collect();
    let cards = store.cards_by_id(&ids).await.map_err(&failed)?;
    let linked = LinkedCard::all(caller, LinkKind::ListArticle, cards).await;
    let mut by_id: BTreeMap<i64, LinkedCard> = linked.into_iter().map(|card| (card.card.id, card)).collect();
    for (name, id) in names {
        // An article that is referenced under two names is listed once.
        if let Some(card) = by_id.remove(&id.0) {
            found.insert((ItemKind::Article, name), Item::Article(card));
        }
    }
    Ok(())
}

async fn publications(caller: &Caller, keys: &[&str], found: &mut ItemsByKey) -> Result<(), ApiError> {
    let journals = caller.store().journals().await.map_err(caller.store_failed())?;
    let named = journals.into_iter().filter(|journal| keys.contains(&journal.key.as_str()));
    found.extend(named.map(|journal| {
        let key = journal.key.clone();
        ((ItemKind::Publication, key), Item::Publication(FromDomain::from_domain(journal)))
    }));
    Ok(())
}
