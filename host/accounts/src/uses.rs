//! What members view and download. It is collected in memory and written every few seconds, so that a page view of a member costs no write.
//! A process that is killed loses what was not written yet, and nothing else. It is apart from the counts of items, which know no members.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Mutex, MutexGuard, PoisonError},
};

use masthead_domain::{
    Lang, SiteId,
    member::{ItemRef, MemberId, Use},
};
use masthead_store::{MemberUse, Store, StoreError};

use crate::items;

/// Greatest number of uses that wait to be written: about 16 MB. Further ones are lost (metric `masthead_uncounted_total`).
const MAX_PENDING: usize = 50_000;

/// A use of an item by a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemUse {
    /// The site.
    pub site: SiteId,
    /// The member.
    pub member: MemberId,
    /// What the member did.
    pub act: Use,
    /// The item.
    pub item: ItemRef,
    /// The language of the title that is recorded.
    pub lang: Lang,
    /// When, in milliseconds since 1970.
    pub at: i64,
}

/// Site, member, what was done with what.
type Key = (SiteId, MemberId, Use, ItemRef);

/// Collects the uses of items by members.
#[derive(Debug, Default)]
pub struct Uses {
    pending: Mutex<HashMap<Key, (Lang, i64)>>,
    /// Held while uses are written: what is being written is not in `pending`, so that only a flush that waits for the one before it can
    /// promise that everything is written.
    writing: tokio::sync::Mutex<()>,
}

impl Uses {
    fn pending(&self) -> MutexGuard<'_, HashMap<Key, (Lang, i64)>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a use. Several uses of an item before it is written are one.
    pub fn note(&self, used: ItemUse) {
        let key = (used.site, used.member, used.act, used.item);
        let mut pending = self.pending();
        if pending.len() >= MAX_PENDING && !pending.contains_key(&key) {
            metrics::counter!("masthead_uncounted_total").increment(1);
            return;
        }
        pending.insert(key, (used.lang, used.at));
    }

    /// Forgets what a member did and is not written yet, because the member is being erased.
    pub fn forget(&self, site: SiteId, member: MemberId) {
        self.pending().retain(|(of, by, ..), _| !(*of == site && *by == member));
    }

    /// Writes what was noted. What cannot be written is retained for the next flush; items that a site does not have are left out.
    ///
    /// # Errors
    /// The store's error.
    pub async fn flush(&self, store: &Store) -> Result<(), StoreError> {
        let _writing = self.writing.lock().await;
        let noted = std::mem::take(&mut *self.pending());
        if noted.is_empty() {
            return Ok(());
        }
        let written = match titled(store, &noted).await {
            Ok(uses) => store.record_member_uses(&uses).await,
            Err(error) => Err(error),
        };
        if written.is_err() {
            let mut pending = self.pending();
            for (key, value) in noted {
                pending.entry(key).or_insert(value);
            }
        }
        written
    }
}

/// The uses with the titles of their items, which are read for each site and language at once.
async fn titled(store: &Store, noted: &HashMap<Key, (Lang, i64)>) -> Result<Vec<MemberUse>, StoreError> {
    let mut groups: BTreeMap<(SiteId, Lang), Vec<&Key>> = BTreeMap::new();
    for (key, (lang, _)) in noted {
        groups.entry((key.0, *lang)).or_default().push(key);
    }
    let mut uses = Vec::with_capacity(noted.len());
    for ((site, lang), keys) in groups {
        for some in keys.chunks(500) {
            let asked: Vec<ItemRef> = some.iter().map(|(.., item)| item.clone()).collect();
            let known = items::known(&store.site(site), lang, &asked).await?;
            for &key in some {
                let (_, member, act, item) = key;
                let (Some(found), Some((_, at))) = (known.get(item), noted.get(key)) else { continue };
                let item = found.clone().listed(item.clone());
                uses.push(MemberUse { site, member: *member, act: *act, item, at: *at });
            }
        }
    }
    Ok(uses)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use masthead_domain::{
        LocalText,
        member::ItemType,
        resource::{ResourceKind, Video},
    };
    use masthead_store::Window;

    use super::*;
    use crate::testing::{self, SITE};

    async fn store() -> (tempfile::TempDir, Store, MemberId, ItemRef) {
        let (folder, store) = testing::store().await;
        let title: LocalText = serde_json::from_value(serde_json::json!({ "en": "Tides", "zh": "潮汐" })).unwrap();
        let video = Video { key: "v".into(), title, ..Video::default() };
        let id = store.site(SITE).save_resource(&video).await.unwrap().id();
        let member = testing::member(&store.site(SITE), "ada", "").await;
        (folder, store, member, ItemRef::new(ItemType::Resource(ResourceKind::Video), id))
    }

    #[tokio::test]
    async fn uses_are_written_once_with_the_title_of_their_language() {
        let (_folder, store, member, item) = store().await;
        let uses = Uses::default();
        let used =
            |item: &ItemRef, lang, at| ItemUse { site: SITE, member, act: Use::View, item: item.clone(), lang, at };
        uses.note(used(&item, Lang::Zh, 5));
        uses.note(used(&item, Lang::En, 6));
        uses.note(used(&ItemRef::new(ItemType::Article, 99), Lang::En, 6));
        uses.flush(&store).await.unwrap();
        uses.flush(&store).await.unwrap();
        let listed = store.site(SITE).of_member(member).uses(Use::View, Window::ALL).await.unwrap();
        let [only] = &listed.entries[..] else { panic!("{listed:?}") };
        assert_eq!((only.item.title.as_str(), only.times, only.latest), ("Tides", 1, 6), "an unknown item is left out");
        assert!(store.site(SITE).of_member(member).uses(Use::Download, Window::ALL).await.unwrap().entries.is_empty());
    }

    #[tokio::test]
    async fn what_is_forgotten_is_not_written() {
        let (_folder, store, member, item) = store().await;
        let uses = Uses::default();
        let count = async |act| store.site(SITE).of_member(member).uses(act, Window::ALL).await.unwrap().total;
        let note = |act| uses.note(ItemUse { site: SITE, member, act, item: item.clone(), lang: Lang::En, at: 1 });
        note(Use::Download);
        uses.forget(SiteId(8), member);
        uses.flush(&store).await.unwrap();
        assert_eq!((count(Use::View).await, count(Use::Download).await), (0, 1));
        note(Use::View);
        uses.forget(SITE, member);
        uses.flush(&store).await.unwrap();
        assert_eq!(count(Use::View).await, 0);
    }

    #[tokio::test]
    async fn the_memory_is_bounded_and_a_failure_loses_nothing() {
        let (_folder, store, member, item) = store().await;
        let uses = Uses::default();
        for id in 0..MAX_PENDING + 10 {
            let item = ItemRef::new(ItemType::Article, id + 1);
            uses.note(ItemUse { site: SITE, member, act: Use::View, item, lang: Lang::En, at: 1 });
        }
        assert_eq!(uses.pending().len(), MAX_PENDING);
        uses.pending().clear();
        uses.note(ItemUse { site: SITE, member, act: Use::View, item, lang: Lang::En, at: 1 });
        store.close().await;
        assert!(uses.flush(&store).await.is_err());
        assert_eq!(uses.pending().len(), 1);
    }
}
