//! The items of alerts as messages show them. Thousands of subscribers get the same items, which are read once.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
    time::Duration,
};

use masthead_accounts::messages::Item;
use masthead_domain::{
    ArticleId, Lang, LocalText, SiteId,
    card::ArticleCard,
    member::{ItemRef, ItemType},
    notice::NoticeMark,
    publication::Journal,
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
    /// The items of a list that are published, in a language; `origin` begins the addresses of those of the site itself.
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
    let own = entry.site.id;
    let placed = |item: &ItemRef| item.place(own).map(|(site, id)| (site, item.kind, id));
    let placed: Vec<(SiteId, ItemType, i64)> = wanted.iter().filter_map(placed).collect();
    let sites: BTreeSet<SiteId> = placed.iter().map(|(site, ..)| *site).collect();
    let table = app.sites.load_full();
    let mut entries: HashMap<SiteId, Entries> = HashMap::new();
    for site in sites {
        let addresses = if site == own {
            Addresses { base: origin.to_owned(), lang }
        } else {
            // A site that was closed or left the group is not told of any more.
            let mut others = table.others_of_group(&entry.site);
            let Some(there) = others.find(|there| there.site.id == site) else { continue };
            Addresses { base: app.origin(there), lang: there.lang_or_default(Some(lang)) }
        };
        let of_site = placed.iter().filter(|(of, ..)| *of == site);
        let of_site: Vec<(ItemType, i64)> = of_site.map(|(_, kind, id)| (*kind, *id)).collect();
        entries.insert(site, Entries::read(app, site, addresses, &of_site).await?);
    }
    let item = |(site, kind, id): (SiteId, ItemType, i64)| entries.get(&site)?.item(app, lang, kind, id);
    Ok(placed.into_iter().filter_map(item).collect())
}

/// The entries of one site that are items of a list.
struct Entries {
    cards: HashMap<i64, ArticleCard>,
    rows: HashMap<i64, ResourceRow>,
    journals: Vec<Journal>,
    /// The addresses of the site. Their language may be another one than that of the message.
    addresses: Addresses,
}

impl Entries {
    async fn read(
        app: &App,
        site: SiteId,
        addresses: Addresses,
        wanted: &[(ItemType, i64)],
    ) -> Result<Self, StoreError> {
        let store = app.store.site(site);
        let articles = wanted.iter().filter(|(kind, _)| *kind == ItemType::Article).map(|(_, id)| ArticleId(*id));
        let cards = store.cards_by_id(&articles.collect::<Vec<_>>()).await?;
        let resources = wanted.iter().filter(|(kind, _)| matches!(kind, ItemType::Resource(_))).map(|(_, id)| *id);
        let rows = store.resource_rows_by_id(&resources.collect::<Vec<_>>()).await?;
        let journals = store.shown_journals().await?;
        Ok(Self { cards: cards.into_iter().map(|card| (card.id, card)).collect(), rows, journals, addresses })
    }

    /// An item as a message in a language shows it.
    fn item(&self, app: &App, lang: Lang, kind: ItemType, id: i64) -> Option<Item> {
        match kind {
            ItemType::Article => {
                let card = self.cards.get(&id).filter(|card| card.notice != NoticeMark::Retracted)?;
                let journal = self.journals.iter().find(|journal| journal.key == card.journal);
                let journal = journal.map(|journal| journal.title.get(lang).to_owned()).unwrap_or_default();
                Some(of_card(app, card, lang, &self.addresses, journal))
            }
            ItemType::Resource(kind) => of_row(self.rows.get(&id)?, kind, lang, &self.addresses),
            ItemType::Publication => None,
        }
    }
}

fn of_card(app: &App, card: &ArticleCard, lang: Lang, addresses: &Addresses, journal: String) -> Item {
    let title = card.title(lang.tag());
    let mut authors = card.authors_for(lang.tag()).iter().take(AUTHORS).cloned().collect::<Vec<_>>().join(", ");
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

fn of_row(row: &ResourceRow, kind: ResourceKind, lang: Lang, addresses: &Addresses) -> Option<Item> {
    if row.kind != kind {
        return None;
    }
    let route = Route::of_resource(row.kind, row.id)?;
    let data: serde_json::Value = serde_json::from_str(&row.data).unwrap_or_default();
    let named = ["title", "name", "caption"].iter().find_map(|name| data.get(*name));
    let title = named.and_then(|text| serde_json::from_value::<LocalText>(text.clone()).ok())?;
    Some(Item {
        title: title.get(lang).to_owned(),
        lang: lang.tag().to_owned(),
        address: addresses.route(&route),
        ..Item::default()
    })
}
