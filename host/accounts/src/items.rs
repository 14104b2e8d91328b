//! Titles and addresses of the items that members collect, view and download.

use std::collections::{BTreeSet, HashMap};

use masthead_domain::{
    ArticleId, Lang, LocalText,
    member::{ItemRef, ItemType, ListedItem},
    notice::NoticeMark,
    resource::ResourceKind,
    route::{Route, TextPage},
};
use masthead_store::{SiteStore, StoreError};

/// An item that a site has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExistingItem {
    /// Its title in a language, or "".
    pub title: String,
    /// Its page.
    pub route: Route,
    /// How lists mark it: an article may be retracted after a member has collected it.
    pub notice: NoticeMark,
}

impl ExistingItem {
    /// The item as lists keep it.
    #[must_use]
    pub fn listed(self, item: ItemRef) -> ListedItem {
        ListedItem { item, title: self.title, address: format!("/{}", self.route.path()) }
    }
}

/// Those of the items that the site has and that have a page, by a number of queries that does not depend on the number of items.
///
/// # Errors
/// [`StoreError`].
pub async fn known(
    store: &SiteStore,
    lang: Lang,
    items: &[ItemRef],
) -> Result<HashMap<ItemRef, ExistingItem>, StoreError> {
    let mut found = HashMap::with_capacity(items.len());
    let articles: Vec<ArticleId> =
        numbered(items, |kind| kind == ItemType::Article).map(|(_, id)| ArticleId(id)).collect();
    if !articles.is_empty() {
        for card in store.cards_by_id(&articles).await? {
            let title = card.title(lang.tag()).map_or_else(String::new, |title| title.plain.clone());
            let route = Route::Article(card.article_id());
            let item = ItemRef::new(ItemType::Article, card.id);
            found.insert(item, ExistingItem { title, route, notice: card.notice });
        }
    }
    let resources: BTreeSet<(i64, ResourceKind)> = numbered(items, |kind| matches!(kind, ItemType::Resource(_)))
        .filter_map(|(kind, id)| if let ItemType::Resource(kind) = kind { Some((id, kind)) } else { None })
        .collect();
    if !resources.is_empty() {
        let ids: Vec<i64> = resources.iter().map(|(id, _)| *id).collect();
        for row in store.resource_rows_by_id(&ids).await?.into_values() {
            let route = Route::of_resource(row.kind, row.id).filter(|_| resources.contains(&(row.id, row.kind)));
            let Some(route) = route else { continue };
            let item = ItemRef::new(ItemType::Resource(row.kind), row.id);
            found.insert(item, ExistingItem { title: title_of(lang, &row.data), route, notice: NoticeMark::None });
        }
    }
    if items.iter().any(|item| item.kind == ItemType::Publication) {
        for journal in store.shown_journals().await? {
            let item = ItemRef::new(ItemType::Publication, &journal.key);
            let title = journal.title.get(lang).to_owned();
            let route = Route::Text(TextPage::Journal(journal.key));
            found.insert(item, ExistingItem { title, route, notice: NoticeMark::None });
        }
    }
    Ok(found)
}

/// The numbers of the items of some types.
fn numbered(items: &[ItemRef], is: impl Fn(ItemType) -> bool) -> impl Iterator<Item = (ItemType, i64)> {
    let named = items.iter().filter(move |item| is(item.kind));
    named.filter_map(|item| Some((item.kind, item.id.parse().ok()?)))
}

/// The title of a resource, with the label of a figure or table before it. The kinds call it `title` or `name`.
fn title_of(lang: Lang, data: &str) -> String {
    let data: serde_json::Value = serde_json::from_str(data).unwrap_or_default();
    let local = |name: &str| serde_json::from_value::<LocalText>(data[name].clone()).unwrap_or_default();
    let texts = ["title", "name"].map(local);
    let title = texts.iter().map(|text| text.get(lang)).find(|text| !text.is_empty()).unwrap_or_default();
    let label = data["label"].as_str().unwrap_or_default();
    [label, title].join(" ").trim().to_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_domain::{
        SiteId,
        resource::{Expert, FriendLink, Video},
    };
    use masthead_store::Store;

    use super::*;

    fn text(en: &str) -> LocalText {
        serde_json::from_value(serde_json::json!({ "en": en })).unwrap()
    }

    #[tokio::test]
    async fn items_of_another_type_or_site_are_not_known() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_file(&folder.path().join("a.db")).await.unwrap();
        let site = store.site(SiteId(1));
        let video = Video { key: "v".into(), title: text("Tides"), ..Video::default() };
        let expert = Expert { key: "e".into(), name: text("Ada"), ..Expert::default() };
        let link = FriendLink { key: "l".into(), title: text("Elsewhere"), ..FriendLink::default() };
        let video = site.save_resource(&video).await.unwrap().id();
        let expert = site.save_resource(&expert).await.unwrap().id();
        let link = site.save_resource(&link).await.unwrap().id();
        let of = |kind, id: i64| ItemRef::new(ItemType::Resource(kind), id);
        let asked = [
            of(ResourceKind::Video, video),
            of(ResourceKind::Audio, video),
            of(ResourceKind::Expert, expert),
            of(ResourceKind::Link, link),
            ItemRef::new(ItemType::Article, 1),
            ItemRef::new(ItemType::Publication, "x"),
        ];
        let found = known(&site, Lang::En, &asked).await.unwrap();
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[&asked[0]].title, "Tides");
        assert_eq!(found[&asked[2]].clone().listed(asked[2].clone()).address, format!("/scholar/{expert}"));
        assert!(known(&store.site(SiteId(2)), Lang::En, &asked).await.unwrap().is_empty(), "another site's");
    }
}
