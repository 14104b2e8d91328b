//! Tests of usage counting: which events count, when they are written, and how a flood is bounded.
#![allow(clippy::unwrap_used)]
use std::{
    net::{IpAddr, Ipv4Addr},
    sync::atomic::{AtomicI64, Ordering},
};

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
    let client = address.parse::<IpAddr>().unwrap().into();
    Visitor { client, agent: "Mozilla/5.0 (X11; Linux) Firefox/132.0".into(), prefetch: false }
}

/// A visitor with an address of its own.
fn numbered(number: usize) -> Visitor {
    reader(&Ipv4Addr::from_bits(u32::try_from(number).unwrap()).to_string())
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
fn user_agents_of_one_client_do_not_multiply_its_views() {
    let (time, counting) = counting();
    let visit = |address: &str, number: usize| {
        let agent = format!("Mozilla/5.0 (X11; Linux; rv:{number}) Firefox/132.0");
        counting.record(SITE, "article", 1, UsageAction::Visit, &Visitor { agent, ..reader(address) })
    };
    assert_eq!((0..100).filter(|number| visit("192.0.2.1", *number)).count(), 1, "at once");
    let network = |number: usize| format!("2001:db8:0:1::{number:x}");
    assert_eq!((0..100).filter(|number| visit(&network(*number), *number)).count(), 1, "addresses of one IPv6 network");
    assert!(counting.state().clicks.len() <= 4, "user agents that do not count use no memory");
    let counted = (0..100).filter(|number| {
        time.fetch_add(DOUBLE_CLICK_MS, Ordering::Relaxed);
        visit("192.0.2.1", *number)
    });
    assert_eq!(counted.count() + 1, usize::from(MAX_OF_CLIENT), "during a day");
    assert!(visit("192.0.2.2", 1), "another client still counts");
    assert!(
        counting.record(SITE, "article", 2, UsageAction::Visit, &reader("192.0.2.1")),
        "another article still counts"
    );
    time.fetch_add(DAY_MS, Ordering::Relaxed);
    assert!(visit("192.0.2.1", 1), "another day");
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
async fn days_begin_at_midnight_of_the_sites_time_zone() {
    let (_folder, store) = store().await;
    let (time, counting) = counting();
    let (shanghai, new_york, utc) = (SiteId(1), SiteId(2), SiteId(3));
    let zones = [(shanghai, "Asia/Shanghai"), (new_york, "America/New_York"), (utc, "No/Such_Zone")];
    counting.set_zones(zones.into_iter());
    // 17:30 UTC is 01:30 of the next day in Shanghai and 13:30 in New York; 02:00 UTC is 22:00 of the day before there.
    for (hour, minute, address) in [(17, 30, "192.0.2.1"), (26, 0, "192.0.2.2")] {
        time.store(20_000 * DAY_MS + (hour * 60 + minute) * 60_000, Ordering::Relaxed);
        for site in [shanghai, new_york, utc] {
            assert!(counting.record(site, "article", 1, UsageAction::Visit, &reader(address)));
            assert!(counting.record_search(site, "tides", &reader(address)));
        }
        counting.flush(&store).await.unwrap();
    }
    let days = async |site| {
        let days = store.site(site).daily("article", 1, 0, 9).await.unwrap();
        days.iter().map(|day| (day.day, day.visits)).collect::<Vec<_>>()
    };
    assert_eq!(days(shanghai).await, [(20_001, 2)]);
    assert_eq!(days(new_york).await, [(20_000, 2)]);
    assert_eq!(days(utc).await, [(20_000, 1), (20_001, 1)]);
    let searched_since = async |site, day| store.site(site).hot_words(day, 2, 9).await.unwrap();
    assert_eq!(searched_since(shanghai, 20_001).await, [("tides".to_owned(), 2)]);
    assert_eq!(searched_since(new_york, 20_000).await, [("tides".to_owned(), 2)]);
    assert_eq!(searched_since(new_york, 20_001).await, []);
    assert_eq!(searched_since(utc, 20_000).await, [], "one reader on each of two days");
    assert_eq!((counting.today_of(shanghai), counting.today_of(new_york)), (20_001, 20_000));
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
    counting.record_search(SITE, "blue carbon", &reader("192.0.2.2"));
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
    assert_eq!(site.hot_words(20_001, 2, 9).await.unwrap(), [("blue carbon".to_owned(), 2)]);
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
    counting.record_search(SITE, "tides", &reader("192.0.2.2"));
    counting.flush(&open).await.unwrap();
    assert_eq!(open.site(SITE).totals("article", 1).await.unwrap().visits, 2);
    assert_eq!(open.site(SITE).hot_words(0, 2, 9).await.unwrap(), [("tides".to_owned(), 2)]);
}

#[tokio::test]
async fn a_search_text_is_hot_after_several_readers_of_one_day() {
    let (_folder, store) = store().await;
    let (time, counting) = counting();
    let hot = async || store.site(SITE).hot_words(0, 3, 9).await.unwrap();
    // One reader, with many user agents, over a restart and on several days.
    for number in 0..8 {
        let restarted = Counting::new(counting.clock());
        let agent = format!("Mozilla/5.0 (X11; Linux; rv:{number}) Firefox/132.0");
        assert!(restarted.record_search(SITE, "tides", &Visitor { agent, ..reader("192.0.2.1") }));
        restarted.flush(&store).await.unwrap();
        time.fetch_add(DAY_MS / 3, Ordering::Relaxed);
    }
    assert_eq!(hot().await, []);
    for number in 2..=3 {
        assert_eq!(hot().await, [], "{number}");
        for _ in 0..2 {
            counting.record_search(SITE, "tides", &numbered(number));
        }
        counting.flush(&store).await.unwrap();
    }
    assert_eq!(hot().await, [], "two readers today, and one of other days");
    counting.record_search(SITE, "tides", &reader("192.0.2.1"));
    counting.flush(&store).await.unwrap();
    let found = hot().await;
    assert_eq!((found.len(), found[0].0.as_str()), (1, "tides"));
}

#[tokio::test]
async fn no_address_is_stored_with_a_search() {
    let (folder, store) = store().await;
    let (_, counting) = counting();
    counting.record_search(SITE, "tides", &reader("203.0.113.77"));
    counting.flush(&store).await.unwrap();
    store.close().await;
    for file in std::fs::read_dir(folder.path()).unwrap().flatten() {
        let bytes = std::fs::read(file.path()).unwrap();
        assert!(!bytes.windows(12).any(|part| part == b"203.0.113.77"), "{:?}", file.path());
    }
    let (secret, words) = ([7; 32], "tides");
    let of = |secret: &[u8], words: &str, address: &str| super::reader(secret, SITE, words, reader(address).client);
    assert_eq!(of(&secret, words, "192.0.2.1"), of(&secret, words, "192.0.2.1"));
    assert_ne!(of(&secret, words, "192.0.2.1"), of(&secret, words, "192.0.2.2"));
    assert_ne!(of(&secret, words, "192.0.2.1"), of(&[8; 32], words, "192.0.2.1"), "another day");
    assert_ne!(of(&secret, words, "192.0.2.1"), of(&secret, "salt", "192.0.2.1"), "another text");
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

/// Counts with a stored search text that has just expired.
async fn with_expired_text(store: &Store) -> Counting {
    let (time, counting) = counting();
    for number in 0..2 {
        counting.record_search(SITE, "old", &numbered(number));
    }
    counting.flush(store).await.unwrap();
    assert_eq!(store.site(SITE).hot_words(0, 2, 9).await.unwrap().len(), 1);
    time.fetch_add((RETENTION_DAYS + 1) * DAY_MS, Ordering::Relaxed);
    counting
}

#[tokio::test]
async fn search_texts_are_deleted_after_the_retention_time() {
    let (_folder, store) = store().await;
    let counting = with_expired_text(&store).await;
    counting.flush(&store).await.unwrap();
    assert_eq!(store.site(SITE).hot_words(0, 2, 9).await.unwrap(), []);
}

#[tokio::test]
async fn search_texts_that_could_not_be_deleted_are_deleted_by_the_next_flush() {
    let (_folder, open) = store().await;
    let (_other, closed) = store().await;
    closed.close().await;
    let counting = with_expired_text(&open).await;
    assert!(counting.flush(&closed).await.is_err());
    counting.flush(&open).await.unwrap();
    assert_eq!(open.site(SITE).hot_words(0, 2, 9).await.unwrap(), []);
}

#[test]
fn a_flood_of_events_is_bounded() {
    let (time, counting) = counting();
    for number in 0..(MAX_PENDING as i64 + 50) {
        counting.record(SITE, "article", number, UsageAction::Visit, &reader("192.0.2.1"));
    }
    assert_eq!(counting.state().counts.len(), MAX_PENDING);
    let words: Vec<String> = (0..MAX_WORDS + 50).map(|number| format!("word {number}")).collect();
    let of_one = words.iter().filter(|words| counting.record_search(SITE, words, &reader("192.0.2.1"))).count();
    assert_eq!(of_one, usize::from(MAX_WORDS_OF_CLIENT), "one client cannot fill the table of a site");
    for (number, words) in words.iter().enumerate() {
        counting.record_search(SITE, words, &numbered(number));
    }
    assert_eq!(counting.state().words.1[&SITE].len(), MAX_WORDS);
    // Each leaves two clicks, and the articles above have left most of them.
    for number in 0..MAX_CLICKS / 4 {
        counting.record(SITE, "article", 1, UsageAction::Visit, &numbered(number));
    }
    assert!(counting.state().clicks.len() <= MAX_CLICKS);
    assert!(!counting.record(SITE, "article", 1, UsageAction::Visit, &reader("203.0.113.1")));
    time.fetch_add(DAY_MS, Ordering::Relaxed);
    assert!(counting.record_search(SITE, "tomorrow", &reader("192.0.2.1")));
}
