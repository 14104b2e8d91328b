//! Views and downloads of members. They are collected in memory and written every few seconds, so that a page view of a member costs no
//! write. A process that is killed loses only those that were not written yet. They are apart from the counts of items, which know no
//! members.

use std::{
    collections::HashMap,
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
/// Uses that are written in one transaction. Until it ends, their members can neither sign in nor change anything.
const WRITTEN: usize = 500;

/// A use of an item by a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemUse {
    /// The site.
    pub site: SiteId,
    /// The member.
    pub member: MemberId,
    /// The act of the member.
    pub act: Use,
    /// The item.
    pub item: ItemRef,
    /// The language of the title that is recorded.
    pub lang: Lang,
    /// When, in milliseconds since 1970.
    pub at: i64,
}

/// Site, member, act and item.
type Key = (SiteId, MemberId, Use, ItemRef);
/// A use with the language of the title, and its time.
type Noted = (Key, (Lang, i64));

/// Collects the uses of items by members.
#[derive(Debug, Default)]
pub struct Uses {
    pending: Mutex<HashMap<Key, (Lang, i64)>>,
    /// Held while uses are written: uses that are being written are not in `pending`, so that only a flush that waits for the one before it
    /// can promise that all are written.
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

    /// Writes the pending uses, some of them in each transaction, so that no member waits for all of them. Uses that cannot be written are
    /// kept for the next flush; items that a site does not have are left out.
    ///
    /// # Errors
    /// The store's error.
    pub async fn flush(&self, store: &Store) -> Result<(), StoreError> {
        let _writing = self.writing.lock().await;
        let mut rest = Unwritten { uses: self, noted: std::mem::take(&mut *self.pending()).into_iter().collect() };
        // Titles are read for each site and language at once.
        rest.noted.sort_unstable_by_key(|(key, (lang, _))| (key.0, *lang));
        while !rest.noted.is_empty() {
            let from = rest.noted.len().saturating_sub(WRITTEN);
            write(store, &rest.noted[from..]).await?;
            rest.noted.truncate(from);
        }
        Ok(())
    }
}

/// Uses that are being written. When a write fails, or the request that waits for it is given up, those that are not written are pending again.
struct Unwritten<'a> {
    uses: &'a Uses,
    noted: Vec<Noted>,
}

impl Drop for Unwritten<'_> {
    fn drop(&mut self) {
        let mut pending = self.uses.pending();
        for (key, value) in self.noted.drain(..) {
            pending.entry(key).or_insert(value);
        }
    }
}

/// Writes some uses, in one transaction.
async fn write(store: &Store, noted: &[Noted]) -> Result<(), StoreError> {
    store.record_member_uses(&titled(store, noted).await?).await
}

/// The uses with the titles of their items, which are read for each site and language at once.
async fn titled(store: &Store, noted: &[Noted]) -> Result<Vec<MemberUse>, StoreError> {
    let mut uses = Vec::with_capacity(noted.len());
    for some in noted.chunk_by(|(one, (lang, _)), (next, (other, _))| (one.0, lang) == (next.0, other)) {
        let Some(((site, ..), (lang, _))) = some.first() else { continue };
        let asked: Vec<ItemRef> = some.iter().map(|((.., item), _)| item.clone()).collect();
        let known = items::known(&store.site(*site), *lang, &asked).await?;
        for ((site, member, act, item), (_, at)) in some {
            let Some(found) = known.get(item) else { continue };
            let item = found.clone().listed(item.clone());
            uses.push(MemberUse { site: *site, member: *member, act: *act, item, at: *at });
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
    async fn many_uses_are_written_in_several_transactions() {
        let (_folder, store, ada, item) = store().await;
        let site = store.site(SITE);
        let uses = Uses::default();
        for number in 0..WRITTEN / 2 {
            let key = format!("v{number}");
            let id = site.save_resource(&Video { key, ..Video::default() }).await.unwrap().id();
            let item = ItemRef::new(ItemType::Resource(ResourceKind::Video), id);
            for act in [Use::View, Use::Download] {
                uses.note(ItemUse { site: SITE, member: ada, act, item: item.clone(), lang: Lang::En, at: 1 });
            }
        }
        uses.note(ItemUse { site: SITE, member: ada, act: Use::View, item, lang: Lang::Zh, at: 1 });
        assert!(uses.pending().len() > WRITTEN);
        uses.flush(&store).await.unwrap();
        assert!(uses.pending().is_empty());
        let count = async |act| site.of_member(ada).uses(act, Window::ALL).await.unwrap().total;
        assert_eq!((count(Use::View).await, count(Use::Download).await), (251, 250));
    }

    #[tokio::test]
    async fn a_flush_that_is_given_up_loses_nothing() {
        let (_folder, store, member, item) = store().await;
        let uses = Uses::default();
        uses.note(ItemUse { site: SITE, member, act: Use::View, item, lang: Lang::En, at: 7 });
        tokio::select! {
            biased;
            _ = uses.flush(&store) => panic!("the database answers at once"),
            () = std::future::ready(()) => {}
        }
        assert_eq!(uses.pending().len(), 1);
        uses.flush(&store).await.unwrap();
        let listed = store.site(SITE).of_member(member).uses(Use::View, Window::ALL).await.unwrap();
        assert_eq!(listed.entries.iter().map(|entry| entry.latest).collect::<Vec<_>>(), [7]);
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
