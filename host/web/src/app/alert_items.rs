//! The items of alerts as messages show them. Thousands of subscribers get the same items, which are read once.

use std::{collections::HashMap, sync::Arc, time::Duration};

use masthead_accounts::messages::Item;
use masthead_domain::{
    ArticleId, Lang, LocalText, SiteId,
    card::ArticleCard,
    member::{ItemRef, ItemType},
    notice::NoticeMark,
    resource::ResourceKind,
    route::Route,
};
use masthead_store::{ResourceRow, StoreError};
use moka::future::Cache;

use crate::{
    app::App,
    sites::{SiteEntry, addresses::Addresses},
};

/// Lists of items that are remembered.
const LISTS: u64 = 1_000;
/// Time for which they are: long enough for the subscribers of one issue, too short for a correction to be missed.
const REMEMBERED: Duration = Duration::from_secs(60);
/// Authors that are named.
const AUTHORS: usize = 6;

type Key = (SiteId, Lang, Vec<ItemRef>);

/// Remembered items.
pub(super) struct ItemCache(Cache<Key, Arc<[Item]>>);

impl Default for ItemCache {
    fn default() -> Self {
        Self(Cache::builder().max_capacity(LISTS).time_to_live(REMEMBERED).build())
    }
}

impl ItemCache {
    /// The items of a list that are published, in a language; `origin` begins their addresses.
    pub(super) async fn of(
        &self,
        app: &App,
        entry: &SiteEntry,
        (lang, origin): (Lang, &str),
        wanted: &[ItemRef],
    ) -> Result<Arc<[Item]>, Arc<StoreError>> {
        let key = (entry.site.id, lang, wanted.to_vec());
        let read = async { read(app, entry, (lang, origin), wanted).await.map(Arc::from) };
        // Several messages that need the same list at once wait for one reader.
        self.0.try_get_with(key, read).await
    }
}

async fn read(
    app: &App,
    entry: &SiteEntry,
    (lang, origin): (Lang, &str),
    wanted: &[ItemRef],
) -> Result<Vec<Item>, StoreError> {
    let store = app.store.site(entry.site.id);
    let number = |item: &ItemRef| item.id.parse::<i64>().ok();
    let articles = wanted.iter().filter(|item| item.kind == ItemType::Article).filter_map(number).map(ArticleId);
    let cards = store.cards_by_id(&articles.collect::<Vec<_>>()).await?;
    let cards: HashMap<i64, ArticleCard> = cards.into_iter().map(|card| (card.id, card)).collect();
    let resources = wanted.iter().filter(|item| matches!(item.kind, ItemType::Resource(_))).filter_map(number);
    let rows = store.resource_rows_by_id(&resources.collect::<Vec<_>>()).await?;
    let addresses = Addresses { base: origin.to_owned(), lang };
    let journals = store.shown_journals().await?;
    let journal = |key: &str| {
        let found = journals.iter().find(|journal| journal.key == key);
        found.map(|journal| journal.title.get(lang).to_owned()).unwrap_or_default()
    };
    let item = |item: &ItemRef| match item.kind {
        ItemType::Article => {
            let card = cards.get(&number(item)?).filter(|card| card.notice != NoticeMark::Retracted)?;
            Some(of_card(app, card, &addresses, journal(&card.journal)))
        }
        ItemType::Resource(kind) => of_row(rows.get(&number(item)?)?, kind, &addresses),
        ItemType::Publication => None,
    };
    Ok(wanted.iter().filter_map(item).collect())
}

fn of_card(app: &App, card: &ArticleCard, addresses: &Addresses, journal: String) -> Item {
    let lang = addresses.lang;
    let title = card.title(lang.tag());
    let mut authors = card.authors.iter().take(AUTHORS).cloned().collect::<Vec<_>>().join(", ");
    if card.author_count > AUTHORS {
        authors.push_str(", …");
    }
    let mut source = vec![journal];
    if !card.issue.is_empty() && card.year > 0 {
        let year = card.year.to_string();
        source.push(app.messages.format(lang, "issue_title", &[("year", &year), ("issue", &card.issue)]));
    }
    source.extend([card.pages.clone(), card.published.clone()]);
    source.retain(|part| !part.is_empty());
    Item {
        // Some sources have no title.
        title: title.map_or_else(|| card.id.to_string(), |title| title.plain.clone()),
        lang: title.map(|title| title.lang.clone()).unwrap_or_default(),
        authors,
        source: source.join(" · "),
        address: addresses.route(&Route::Article(card.article_id())),
    }
}

fn of_row(row: &ResourceRow, kind: ResourceKind, addresses: &Addresses) -> Option<Item> {
    if row.kind != kind {
        return None;
    }
    let route = Route::of_resource(row.kind, row.id)?;
    let data: serde_json::Value = serde_json::from_str(&row.data).unwrap_or_default();
    let named = ["title", "name", "caption"].iter().find_map(|name| data.get(*name));
    let title = named.and_then(|text| serde_json::from_value::<LocalText>(text.clone()).ok())?;
    Some(Item {
        title: title.get(addresses.lang).to_owned(),
        lang: addresses.lang.tag().to_owned(),
        address: addresses.route(&route),
        ..Item::default()
    })
}
