//! What counts, when it is written, and what a flood does.
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
    Visitor { address: address.into(), agent: "Mozilla/5.0 (X11; Linux) Firefox/132.0".into(), ahead: false }
}

async fn store() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open_file(&folder.path().join("a.db")).await.unwrap();
    (folder, store)
}

#[test]
fn a_double_click_counts_once() {
    let (time, counting) = counting();
    let visit = |address: &str| counting.act(SITE, "article", 1, Act::Visit, &reader(address));
    assert!(visit("192.0.2.1"));
    time.fetch_add(29_000, Ordering::Relaxed);
    assert!(!visit("192.0.2.1"));
    time.fetch_add(29_000, Ordering::Relaxed);
    assert!(!visit("192.0.2.1"), "each click begins the half minute anew");
    assert!(visit("192.0.2.2"), "somebody else");
    assert!(counting.act(SITE, "article", 2, Act::Visit, &reader("192.0.2.1")), "something else");
    assert!(counting.act(SITE, "article", 1, Act::Download, &reader("192.0.2.1")), "another act");
    assert!(counting.act(SiteId(8), "article", 1, Act::Visit, &reader("192.0.2.1")), "another site");
    time.fetch_add(30_000, Ordering::Relaxed);
    assert!(visit("192.0.2.1"));
}

#[test]
fn robots_and_prefetches_do_not_count() {
    let (_, counting) = counting();
    let bot = Visitor { agent: "Googlebot/2.1".into(), ..reader("192.0.2.1") };
    let ahead = Visitor { ahead: true, ..reader("192.0.2.1") };
    for visitor in [bot, ahead, Visitor::default()] {
        assert!(!counting.act(SITE, "article", 1, Act::Visit, &visitor), "{visitor:?}");
        assert!(!counting.search(SITE, "tides", &visitor), "{visitor:?}");
    }
}

#[tokio::test]
async fn counts_are_written_by_day_and_once() {
    let (_folder, store) = store().await;
    let (time, counting) = counting();
    counting.act(SITE, "article", 1, Act::Visit, &reader("192.0.2.1"));
    counting.act(SITE, "article", 1, Act::Download, &reader("192.0.2.1"));
    time.fetch_add(DAY_MS, Ordering::Relaxed);
    counting.act(SITE, "article", 1, Act::Visit, &reader("192.0.2.1"));
    counting.search(SITE, "  Blue \n CARBON ", &reader("192.0.2.1"));
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
async fn what_cannot_be_written_waits_for_the_next_time() {
    let (_folder, open) = store().await;
    let (_other, closed) = store().await;
    closed.close().await;
    let (_, counting) = counting();
    counting.act(SITE, "article", 1, Act::Visit, &reader("192.0.2.1"));
    counting.search(SITE, "tides", &reader("192.0.2.1"));
    assert!(counting.flush(&closed).await.is_err());
    counting.act(SITE, "article", 1, Act::Visit, &reader("192.0.2.2"));
    counting.flush(&open).await.unwrap();
    assert_eq!(open.site(SITE).totals("article", 1).await.unwrap().visits, 2);
    assert_eq!(open.site(SITE).hot_words(0, 9).await.unwrap(), [("tides".to_owned(), 1)]);
}

#[tokio::test]
async fn old_words_are_forgotten() {
    let (_folder, store) = store().await;
    let (time, counting) = counting();
    counting.search(SITE, "old", &reader("192.0.2.1"));
    counting.flush(&store).await.unwrap();
    time.fetch_add((KEPT_DAYS + 1) * DAY_MS, Ordering::Relaxed);
    counting.flush(&store).await.unwrap();
    assert_eq!(store.site(SITE).hot_words(0, 9).await.unwrap(), []);
}

#[test]
fn a_flood_is_bounded_and_passes() {
    let (time, counting) = counting();
    for number in 0..(WAITING as i64 + 50) {
        counting.act(SITE, "article", number, Act::Visit, &reader("192.0.2.1"));
    }
    assert_eq!(counting.state().counts.len(), WAITING);
    for number in 0..(WORDS + 50) {
        counting.search(SITE, &format!("word {number}"), &reader("192.0.2.1"));
    }
    assert_eq!(counting.state().searches.len(), WORDS);
    for number in 0..CLICKS {
        counting.act(SITE, "article", 1, Act::Visit, &reader(&number.to_string()));
    }
    assert!(counting.state().clicks.len() <= CLICKS);
    assert!(!counting.act(SITE, "article", 1, Act::Visit, &reader("late")));
    time.fetch_add(DAY_MS, Ordering::Relaxed);
    assert!(counting.search(SITE, "tomorrow", &reader("192.0.2.1")) || counting.state().clicks.len() == CLICKS);
}

#[test]
fn only_words_of_readers_are_counted() {
    assert_eq!(fold(" Blue \t CARBON ").as_deref(), Some("blue carbon"));
    for odd in ["", "  ", "!?", "a\u{0}b", &"x".repeat(WORD_LENGTH + 1)] {
        assert_eq!(fold(odd), None, "{odd:?}");
    }
    assert_eq!(fold(&"海".repeat(WORD_LENGTH)).map(|words| words.chars().count()), Some(WORD_LENGTH));
}
