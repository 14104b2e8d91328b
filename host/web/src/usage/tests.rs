//! Tests of usage counting: which events count, when they are written, and how a flood is bounded.
#![allow(clippy::unwrap_used)]
use std::sync::atomic::{AtomicI64, Ordering};

use masthead_store::Ranking;

use crate::usage::*;

const SITE: SiteId = SiteId(7);
const NOON: i64 = 20_000 * DAY_MS + DAY_MS / 2;

fn counting() -> (Arc<AtomicI64>, Counting) {
    let time = Arc::new(AtomicI64::new(NOON));
    let clock = Arc::clone(&time);
    (time, Counting::new(Arc::new(move || clock.load(Ordering::Relaxed))))
}

fn reader(address: &str) -> Visitor {
    Visitor { address: address.into(), agent: "Mozilla/5.0 (X11; Linux) Firefox/132.0".into(), prefetch: false }
}

async fn store() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open_file(&folder.path().join("a.db")).await.unwrap();
    (folder, store)
}

#[test]
fn a_double_click_counts_once() {
    let (time, counting) = counting();
    let visit = |address: &str| counting.record(SITE, "article", 1, UsageAction::Visit, &reader(address));
    assert!(visit("192.0.2.1"));
    time.fetch_add(29_000, Ordering::Relaxed);
    assert!(!visit("192.0.2.1"));
    time.fetch_add(29_000, Ordering::Relaxed);
    assert!(!visit("192.0.2.1"), "each click restarts the half minute");
    assert!(visit("192.0.2.2"), "another visitor");
    assert!(counting.record(SITE, "article", 2, UsageAction::Visit, &reader("192.0.2.1")), "another article");
    assert!(counting.record(SITE, "article", 1, UsageAction::Download, &reader("192.0.2.1")), "another action");
    assert!(counting.record(SiteId(8), "article", 1, UsageAction::Visit, &reader("192.0.2.1")), "another site");
    time.fetch_add(30_000, Ordering::Relaxed);
    assert!(visit("192.0.2.1"));
}

#[test]
fn robots_and_prefetches_do_not_count() {
    let (_, counting) = counting();
    let bot = Visitor { agent: "Googlebot/2.1".into(), ..reader("192.0.2.1") };
    let prefetch = Visitor { prefetch: true, ..reader("192.0.2.1") };
    for visitor in [bot, prefetch, Visitor::default()] {
        assert!(!counting.record(SITE, "article", 1, UsageAction::Visit, &visitor), "{visitor:?}");
        assert!(!counting.record_search(SITE, "tides", &visitor), "{visitor:?}");
    }
}

#[tokio::test]
async fn counts_are_written_by_day_and_once() {
    let (_folder, store) = store().await;
    let (time, counting) = counting();
    counting.record(SITE, "article", 1, UsageAction::Visit, &reader("192.0.2.1"));
    counting.record(SITE, "article", 1, UsageAction::Download, &reader("192.0.2.1"));
    time.fetch_add(DAY_MS, Ordering::Relaxed);
    counting.record(SITE, "article", 1, UsageAction::Visit, &reader("192.0.2.1"));
    counting.record_search(SITE, "  Blue \n CARBON ", &reader("192.0.2.1"));
    for _ in 0..2 {
        counting.flush(&store).await.unwrap();
    }
    let site = store.site(SITE);
    let totals = site.totals("article", 1).await.unwrap();
    assert_eq!((totals.visits, totals.downloads), (2, 1));
    let days = site.daily("article", 1, 0, 10).await.unwrap();
    assert_eq!(
        days.iter().map(|day| (day.day, day.visits, day.downloads)).collect::<Vec<_>>(),
        [(20_000, 1, 1), (20_001, 1, 0)]
    );
    assert_eq!(site.ranking("article", Ranking::Visits, Some(20_001), 9).await.unwrap(), [(1, 1)]);
    assert_eq!(site.hot_words(20_001, 9).await.unwrap(), [("blue carbon".to_owned(), 1)]);
    assert_eq!(store.site(SiteId(8)).totals("article", 1).await.unwrap().visits, 0);
}

#[tokio::test]
async fn counts_that_cannot_be_written_are_written_later() {
    let (_folder, open) = store().await;
    let (_other, closed) = store().await;
    closed.close().await;
    let (_, counting) = counting();
    counting.record(SITE, "article", 1, UsageAction::Visit, &reader("192.0.2.1"));
    counting.record_search(SITE, "tides", &reader("192.0.2.1"));
    assert!(counting.flush(&closed).await.is_err());
    counting.record(SITE, "article", 1, UsageAction::Visit, &reader("192.0.2.2"));
    counting.flush(&open).await.unwrap();
    assert_eq!(open.site(SITE).totals("article", 1).await.unwrap().visits, 2);
    assert_eq!(open.site(SITE).hot_words(0, 9).await.unwrap(), [("tides".to_owned(), 1)]);
}

#[tokio::test]
async fn the_last_flush_writes_what_the_one_before_it_could_not() {
    let (_folder, store) = store().await;
    let (_, counting) = counting();
    counting.record(SITE, "article", 1, UsageAction::Visit, &reader("192.0.2.1"));
    // A flush that has taken the counts and waits for a database that will refuse them.
    let before = counting.writing.lock().await;
    let (counts, searches) = {
        let mut state = counting.state();
        (std::mem::take(&mut state.counts), std::mem::take(&mut state.searches))
    };
    let mut last = Box::pin(counting.flush(&store));
    assert!(futures::poll!(&mut last).is_pending(), "the last flush is not done before the one before it");
    counting.state().restore(counts, searches);
    drop(before);
    last.await.unwrap();
    assert_eq!(store.site(SITE).totals("article", 1).await.unwrap().visits, 1);
}

#[tokio::test]
async fn search_texts_are_deleted_after_the_retention_time() {
    let (_folder, store) = store().await;
    let (time, counting) = counting();
    counting.record_search(SITE, "old", &reader("192.0.2.1"));
    counting.flush(&store).await.unwrap();
    time.fetch_add((RETENTION_DAYS + 1) * DAY_MS, Ordering::Relaxed);
    counting.flush(&store).await.unwrap();
    assert_eq!(store.site(SITE).hot_words(0, 9).await.unwrap(), []);
}

#[test]
fn a_flood_of_events_is_bounded() {
    let (time, counting) = counting();
    for number in 0..(MAX_PENDING as i64 + 50) {
        counting.record(SITE, "article", number, UsageAction::Visit, &reader("192.0.2.1"));
    }
    assert_eq!(counting.state().counts.len(), MAX_PENDING);
    for number in 0..(MAX_WORDS + 50) {
        counting.record_search(SITE, &format!("word {number}"), &reader("192.0.2.1"));
    }
    assert_eq!(counting.state().searches.len(), MAX_WORDS);
    for number in 0..MAX_CLICKS {
        counting.record(SITE, "article", 1, UsageAction::Visit, &reader(&number.to_string()));
    }
    assert!(counting.state().clicks.len() <= MAX_CLICKS);
    assert!(!counting.record(SITE, "article", 1, UsageAction::Visit, &reader("late")));
    time.fetch_add(DAY_MS, Ordering::Relaxed);
    assert!(
        counting.record_search(SITE, "tomorrow", &reader("192.0.2.1")) || counting.state().clicks.len() == MAX_CLICKS
    );
}

#[test]
fn only_short_texts_with_letters_or_digits_are_counted() {
    assert_eq!(normalize(" Blue \t CARBON ").as_deref(), Some("blue carbon"));
    for odd in ["", "  ", "!?", "a\u{0}b", &"x".repeat(MAX_WORD_LENGTH + 1)] {
        assert_eq!(normalize(odd), None, "{odd:?}");
    }
    assert_eq!(normalize(&"海".repeat(MAX_WORD_LENGTH)).map(|words| words.chars().count()), Some(MAX_WORD_LENGTH));
}
