//! References to other content of the same site, resolved with a number of queries that does not depend on the number
//! of references.

use std::collections::BTreeMap;

use masthead_domain::{
    link::LinkKind,
    resource::{
        Album, Audio, Book, Expert, FriendLink, ItemKind, ItemRef, News, Picture, Stored, TableSheet, Video, Wechat,
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
            ItemKind::Link => add(caller, *kind, stored::<FriendLink>(caller, keys).await?, &mut found, Item::Link),
            ItemKind::Wechat => add(caller, *kind, stored::<Wechat>(caller, keys).await?, &mut found, Item::Wechat),
            ItemKind::News => add(caller, *kind, stored::<News>(caller, keys).await?, &mut found, Item::News),
            ItemKind::Album => add(caller, *kind, stored::<Album>(caller, keys).await?, &mut found, Item::Album),
            ItemKind::Picture => {
                let stored = for_reader(caller, stored::<Picture>(caller, keys).await?).await?;
                add(caller, *kind, stored, &mut found, Item::Picture);
            }
            ItemKind::Table => {
                let stored = for_reader(caller, stored::<TableSheet>(caller, keys).await?).await?;
                add(caller, *kind, stored, &mut found, Item::Table);
            }
            ItemKind::Audio => add(caller, *kind, stored::<Audio>(caller, keys).await?, &mut found, Item::Audio),
            ItemKind::Video => add(caller, *kind, stored::<Video>(caller, keys).await?, &mut found, Item::Video),
            ItemKind::Book => add(caller, *kind, stored::<Book>(caller, keys).await?, &mut found, Item::Book),
            ItemKind::Expert => add(caller, *kind, stored::<Expert>(caller, keys).await?, &mut found, Item::Expert),
        }
    }
    Ok(items.iter().filter_map(|item| found.remove(&(item.kind, item.key.clone()))).collect())
}

async fn stored<T: ListedResource>(caller: &Caller, keys: &[&str]) -> Result<Vec<Stored<T>>, ApiError> {
    let stored = caller.store().resources_by_keys::<T>(keys).await.map_err(caller.store_failed())?;
    Ok(stored.into_values().collect())
}

fn add<T: ListedResource>(
    caller: &Caller,
    kind: ItemKind,
    stored: Vec<Stored<T>>,
    found: &mut ItemsByKey,
    wrap: fn(Entry<T::Schema>) -> Item,
) {
    found.extend(stored.into_iter().map(|stored| {
        let key = stored.value.list_keys().key.to_owned();
        ((kind, key), wrap(Entry::short(caller, stored)))
    }));
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
    let journals = caller.store().shown_journals().await.map_err(caller.store_failed())?;
    let named = journals.into_iter().filter(|journal| keys.contains(&journal.key.as_str()));
    found.extend(named.map(|journal| {
        let key = journal.key.clone();
        ((ItemKind::Publication, key), Item::Publication(FromDomain::from_domain(journal)))
    }));
    Ok(())
}
