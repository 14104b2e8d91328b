//! Pointers to other content, followed on the same site in a number of queries that does not grow with their length.

use std::collections::BTreeMap;

use masthead_domain::{
    link::LinkKind,
    resource::{Album, Audio, Book, Expert, FriendLink, ItemKind, ItemRef, News, Picture, TableSheet, Video, Wechat},
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::{
    articles::LinkedCard,
    envelope::{ApiError, Caller},
    listing::{Entry, Shown},
};
use crate::schema::{self, FromDomain};

/// Pointers that are followed at most; what comes behind is left out.
pub const FOLLOWED: usize = 500;

/// What a pointer leads to.
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

type Found = BTreeMap<(ItemKind, String), Item>;

/// Follows pointers, in their order. What the site does not have is left out, and so is what was named before.
pub async fn resolve(caller: &Caller, items: &[ItemRef]) -> Result<Vec<Item>, ApiError> {
    let items = &items[..items.len().min(FOLLOWED)];
    let mut keys: BTreeMap<ItemKind, Vec<&str>> = BTreeMap::new();
    for item in items {
        keys.entry(item.kind).or_default().push(&item.key);
    }
    let mut found = Found::new();
    for (kind, keys) in &keys {
        match kind {
            ItemKind::Article => articles(caller, keys, &mut found).await?,
            ItemKind::Publication => publications(caller, keys, &mut found).await?,
            ItemKind::Link => entries::<FriendLink>(caller, *kind, keys, &mut found, Item::Link).await?,
            ItemKind::Wechat => entries::<Wechat>(caller, *kind, keys, &mut found, Item::Wechat).await?,
            ItemKind::News => entries::<News>(caller, *kind, keys, &mut found, Item::News).await?,
            ItemKind::Album => entries::<Album>(caller, *kind, keys, &mut found, Item::Album).await?,
            ItemKind::Picture => entries::<Picture>(caller, *kind, keys, &mut found, Item::Picture).await?,
            ItemKind::Table => entries::<TableSheet>(caller, *kind, keys, &mut found, Item::Table).await?,
            ItemKind::Audio => entries::<Audio>(caller, *kind, keys, &mut found, Item::Audio).await?,
            ItemKind::Video => entries::<Video>(caller, *kind, keys, &mut found, Item::Video).await?,
            ItemKind::Book => entries::<Book>(caller, *kind, keys, &mut found, Item::Book).await?,
            ItemKind::Expert => entries::<Expert>(caller, *kind, keys, &mut found, Item::Expert).await?,
        }
    }
    Ok(items.iter().filter_map(|item| found.remove(&(item.kind, item.key.clone()))).collect())
}

async fn entries<T: Shown>(
    caller: &Caller,
    kind: ItemKind,
    keys: &[&str],
    found: &mut Found,
    wrap: fn(Entry<T::Schema>) -> Item,
) -> Result<(), ApiError> {
    let there = caller.store().resources_by_keys::<T>(keys).await.map_err(caller.store_failed())?;
    found.extend(there.into_iter().map(|(key, stored)| ((kind, key), wrap(Entry::short(caller, stored)))));
    Ok(())
}

async fn articles(caller: &Caller, keys: &[&str], found: &mut Found) -> Result<(), ApiError> {
    let (store, failed) = (caller.store(), caller.store_failed());
    let names = store.article_ids_by_names(keys).await.map_err(&failed)?;
    let ids: Vec<_> = names.values().copied().collect();
    let cards = store.cards_by_id(&ids).await.map_err(&failed)?;
    let linked = LinkedCard::all(caller, LinkKind::ListArticle, cards).await;
    let mut by_id: BTreeMap<i64, LinkedCard> = linked.into_iter().map(|card| (card.card.id, card)).collect();
    for (name, id) in names {
        // An article under two names is shown once.
        if let Some(card) = by_id.remove(&id.0) {
            found.insert((ItemKind::Article, name), Item::Article(card));
        }
    }
    Ok(())
}

async fn publications(caller: &Caller, keys: &[&str], found: &mut Found) -> Result<(), ApiError> {
    let journals = caller.store().journals().await.map_err(caller.store_failed())?;
    let named = journals.into_iter().filter(|journal| keys.contains(&journal.key.as_str()));
    found.extend(named.map(|journal| {
        let key = journal.key.clone();
        ((ItemKind::Publication, key), Item::Publication(FromDomain::from_domain(journal)))
    }));
    Ok(())
}
