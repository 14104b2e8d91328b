//! The marks of changes: a follower finds its last change again, or learns that the database has another one under the same number.

use masthead_domain::SiteId;
use masthead_store::{LogPosition, Store};

const SITE: SiteId = SiteId(31);

/// Changes have marks that differ, and the log knows its own places only.
pub async fn suite(store: &Store) {
    let before = store.log_end().await.unwrap();
    for number in 0..300 {
        store.site(SITE).save_setting("a.b", Some(&serde_json::json!(number))).await.unwrap();
    }
    let log = store.changes_after(before.seq, 1000).await.unwrap();
    let places: Vec<LogPosition> = log.iter().map(masthead_store::Change::position).collect();
    let marks: std::collections::BTreeSet<i64> = places.iter().map(|place| place.mark).collect();
    assert_eq!((places.len(), marks.len()), (300, 300), "every change has a mark of its own");
    assert!(!marks.contains(&0));
    assert_eq!(store.log_end().await.unwrap(), *places.last().unwrap());

    assert_eq!(store.known_positions(&places).await.unwrap(), places, "more places than one query asks for");
    let last = *places.last().unwrap();
    let other = LogPosition { mark: last.mark ^ 1, ..last };
    let later = LogPosition { seq: last.seq + 1, ..last };
    let asked = [other, LogPosition::default(), later, last];
    assert_eq!(store.known_positions(&asked).await.unwrap(), [LogPosition::default(), last]);
    assert!(store.known_positions(&[]).await.unwrap().is_empty());

    let behind = async |place| store.changes_behind(place, 2).await.unwrap();
    assert_eq!(behind(places[0]).await, Some(log[1..3].to_vec()));
    assert_eq!(behind(last).await, Some(Vec::new()));
    assert_eq!((behind(other).await, behind(later).await), (None, None), "another change, and none, has this number");
    assert_eq!(behind(LogPosition::default()).await.unwrap().len(), 2, "the log has its beginning always");
}

/// A host of a version without marks logs changes between those that have one.
pub async fn an_older_version_still_writes(store: &Store, url: &str) {
    let older = sqlx::AnyPool::connect(url).await.unwrap();
    for statement in [
        "UPDATE sequences SET value = value + 1 WHERE name = 'changes'",
        "INSERT INTO changes (seq, site_id, kind, action, entity) \
         SELECT value, 31, 'setting', 'added', 'c.d' FROM sequences WHERE name = 'changes'",
    ] {
        sqlx::query(statement).execute(&older).await.unwrap();
    }
    older.close().await;
    let end = store.log_end().await.unwrap();
    assert_eq!(end, LogPosition { seq: store.latest_change().await.unwrap(), mark: 0 });
    assert_eq!(store.known_positions(&[end]).await.unwrap(), [end]);
}
