//! Tests of the queue of events for plugins.

use std::collections::BTreeSet;

use masthead_domain::SiteId;
use masthead_store::{DeliveryState, NewDelivery, Store};

const A: SiteId = SiteId(31);
const B: SiteId = SiteId(32);
const LEASE: i64 = 60_000;

pub async fn suite(store: &Store) {
    events_are_queued_once(store).await;
    a_reader_never_moves_back(store).await;
    a_lease_holds_and_ends(store).await;
    what_failed_is_tried_again_or_set_aside(store).await;
    events_are_counted_and_dropped_by_site_and_plugin(store).await;
    readers_at_once_queue_once(store).await;
    each_event_is_taken_by_one(store).await;
}

fn event(site: SiteId, plugin: &str, key: &str) -> NewDelivery {
    NewDelivery {
        site,
        plugin: plugin.into(),
        event: "article.published".into(),
        payload: format!("{{\"article\":\"{key} 海\"}}"),
        key: key.into(),
    }
}

async fn drain(store: &Store) {
    for delivery in store.claim_deliveries(i64::MAX - LEASE, LEASE, 1_000).await.unwrap() {
        store.delivered(delivery.id).await.unwrap();
    }
    assert!(store.claim_deliveries(i64::MAX, LEASE, 1_000).await.unwrap().is_empty());
}

async fn events_are_queued_once(store: &Store) {
    let [one, two] = [event(A, "mail", "1"), event(A, "mail", "2")];
    let others = [event(B, "mail", "1"), event(A, "feed", "1")];
    assert_eq!(store.enqueue("once", 1, &[one.clone(), one.clone()], 1_000).await.unwrap(), 1);
    assert_eq!(store.enqueue("once", 2, &[one.clone(), two], 2_000).await.unwrap(), 1);
    assert_eq!(
        store.enqueue("once", 3, &others, 3_000).await.unwrap(),
        2,
        "keys are separate for each site and plugin"
    );
    let taken = store.claim_deliveries(3_000, LEASE, 10).await.unwrap();
    let seen: Vec<_> = taken.iter().map(|d| (d.site, d.plugin.as_str(), d.created_ms, d.attempts)).collect();
    assert_eq!(seen, [(A, "mail", 1_000, 1), (A, "mail", 2_000, 1), (B, "mail", 3_000, 1), (A, "feed", 3_000, 1)]);
    assert_eq!((&taken[0].event, &taken[0].payload), (&one.event, &one.payload));
    assert!(taken.windows(2).all(|pair| pair[0].id < pair[1].id));
    assert_eq!(
        store.enqueue("once", 4, std::slice::from_ref(&one), 4_000).await.unwrap(),
        0,
        "an event being delivered is still in the queue"
    );
    for delivery in taken {
        store.delivered(delivery.id).await.unwrap();
        store.delivered(delivery.id).await.unwrap();
    }
    assert_eq!(
        store.enqueue("once", 5, &[one], 5_000).await.unwrap(),
        1,
        "the key of a delivered event can be used again"
    );
    drain(store).await;
}

async fn a_reader_never_moves_back(store: &Store) {
    assert_eq!(store.position("events").await.unwrap(), 0);
    assert_eq!(
        store.enqueue("events", 0, &[event(A, "mail", "p0")], 1).await.unwrap(),
        0,
        "the reader is at position 0 already"
    );
    assert_eq!(store.enqueue("events", 7, &[], 1).await.unwrap(), 0);
    assert_eq!(store.position("events").await.unwrap(), 7, "the position advances without events");
    for position in [7, 6] {
        assert_eq!(store.enqueue("events", position, &[event(A, "mail", "p")], 1).await.unwrap(), 0);
        assert_eq!(store.position("events").await.unwrap(), 7);
    }
    assert_eq!(store.enqueue("events", 8, &[event(A, "mail", "p")], 1).await.unwrap(), 1);
    assert_eq!(store.position("events").await.unwrap(), 8);
    assert_eq!(store.position("others").await.unwrap(), 0);
    assert_eq!(
        store.enqueue("others", 2, &[event(A, "mail", "q")], 1).await.unwrap(),
        1,
        "readers have separate positions"
    );
    drain(store).await;
}

async fn a_lease_holds_and_ends(store: &Store) {
    let events: Vec<_> = (0..3).map(|number| event(A, "lease", &number.to_string())).collect();
    store.enqueue("lease", 1, &events, 1_000).await.unwrap();
    assert!(store.claim_deliveries(999, LEASE, 10).await.unwrap().is_empty(), "none is due yet");
    let first = store.claim_deliveries(1_000, LEASE, 2).await.unwrap();
    assert_eq!(first.len(), 2);
    let rest = store.claim_deliveries(1_000, LEASE, 10).await.unwrap();
    assert_eq!(rest.len(), 1);
    assert!(rest[0].id > first[1].id, "the oldest go first");
    assert!(store.claim_deliveries(1_000 + LEASE - 1, LEASE, 10).await.unwrap().is_empty());
    store.delivered(rest[0].id).await.unwrap();
    let again = store.claim_deliveries(1_000 + LEASE, LEASE, 10).await.unwrap();
    assert_eq!(again.iter().map(|d| (d.id, d.attempts)).collect::<Vec<_>>(), [(first[0].id, 2), (first[1].id, 2)]);
    drain(store).await;
}

async fn what_failed_is_tried_again_or_set_aside(store: &Store) {
    let (a, b) = (store.site(A), store.site(B));
    store.enqueue("aside", 1, &[event(A, "mail", "x"), event(A, "mail", "y")], 1_000).await.unwrap();
    let ids: Vec<_> = store.claim_deliveries(1_000, LEASE, 10).await.unwrap().iter().map(|d| d.id).collect();
    store.retry_delivery(ids[0], 5_000, &"错".repeat(600)).await.unwrap();
    store.set_aside(ids[1], "bad\0address").await.unwrap();
    store.retry_delivery(ids[1], 5_000, "too late").await.unwrap();
    assert!(store.claim_deliveries(4_999, LEASE, 10).await.unwrap().is_empty());
    let list = a.deliveries(10).await.unwrap();
    assert_eq!(list.len(), 2);
    assert_eq!((list[0].id, list[0].state, list[0].attempts), (ids[1], DeliveryState::Aside, 1), "set aside: first");
    assert_eq!(list[0].error, "bad\u{fffd}address");
    assert_eq!((list[1].id, list[1].state, list[1].next_at_ms), (ids[0], DeliveryState::Waiting, 5_000));
    assert_eq!((list[1].plugin.as_str(), list[1].event.as_str()), ("mail", "article.published"));
    assert_eq!(list[1].error, "错".repeat(500));
    assert_eq!(a.deliveries(1).await.unwrap().len(), 1);
    assert!(b.deliveries(10).await.unwrap().is_empty());
    assert!(!b.requeue_delivery(ids[1], 6_000).await.unwrap(), "the event belongs to another site");
    assert!(!a.requeue_delivery(ids[0], 6_000).await.unwrap(), "the event is waiting already");
    let taken = store.claim_deliveries(i64::MAX - LEASE, LEASE, 10).await.unwrap();
    assert_eq!(
        taken.iter().map(|d| (d.id, d.attempts)).collect::<Vec<_>>(),
        [(ids[0], 2)],
        "an event set aside is not claimed"
    );
    assert_eq!(store.enqueue("aside", 2, &[event(A, "mail", "y")], 1).await.unwrap(), 0, "an event set aside is kept");
    assert!(a.requeue_delivery(ids[1], 6_000).await.unwrap());
    assert!(!a.requeue_delivery(ids[1], 6_000).await.unwrap());
    assert!(store.claim_deliveries(5_999, LEASE, 10).await.unwrap().is_empty());
    let taken = store.claim_deliveries(6_000, LEASE, 10).await.unwrap();
    assert_eq!(taken.iter().map(|d| (d.id, d.attempts)).collect::<Vec<_>>(), [(ids[1], 1)], "counted anew");
    for id in ids {
        store.delivered(id).await.unwrap();
    }
}

async fn events_are_counted_and_dropped_by_site_and_plugin(store: &Store) {
    assert!(store.delivery_counts().await.unwrap().is_empty());
    let events = [
        event(A, "mail", "1"),
        event(A, "mail", "2"),
        event(A, "mail", "3"),
        event(A, "feed", "1"),
        event(B, "mail", "1"),
    ];
    store.enqueue("counts", 1, &events, 1_000).await.unwrap();
    let first = store.claim_deliveries(1_000, LEASE, 1).await.unwrap();
    store.set_aside(first[0].id, "no").await.unwrap();
    let counts = [(A, "feed".to_owned(), 1, 0), (A, "mail".to_owned(), 2, 1), (B, "mail".to_owned(), 1, 0)];
    assert_eq!(store.delivery_counts().await.unwrap(), counts);
    assert_eq!(store.site(A).drop_deliveries("mail").await.unwrap(), 3);
    assert_eq!(store.site(A).drop_deliveries("mail").await.unwrap(), 0);
    assert_eq!(store.delivery_counts().await.unwrap(), [counts[0].clone(), counts[2].clone()]);
    drain(store).await;
}

async fn readers_at_once_queue_once(store: &Store) {
    let readers = (0..4).map(|_| {
        let store = store.clone();
        tokio::spawn(async move {
            let mut added = 0;
            for position in 1..=10 {
                let event = event(A, "mail", &format!("r{position}"));
                added += store.enqueue("at once", position, &[event], 1_000).await.unwrap();
            }
            added
        })
    });
    let mut added = 0;
    for reader in readers.collect::<Vec<_>>() {
        added += reader.await.unwrap();
    }
    assert!((1..=10).contains(&added));
    assert_eq!(store.position("at once").await.unwrap(), 10);
    assert_eq!(store.claim_deliveries(1_000, LEASE, 100).await.unwrap().len(), added);
    drain(store).await;
}

async fn each_event_is_taken_by_one(store: &Store) {
    let events: Vec<_> = (0..100).map(|number| event(A, "mail", &format!("c{number}"))).collect();
    assert_eq!(store.enqueue("claims", 1, &events, 1_000).await.unwrap(), 100);
    let takers = (0..4).map(|_| {
        let store = store.clone();
        tokio::spawn(async move {
            let mut taken = Vec::new();
            while let batch = store.claim_deliveries(1_000, LEASE, 7).await.unwrap()
                && !batch.is_empty()
            {
                taken.extend(batch.into_iter().map(|delivery| delivery.id));
            }
            taken
        })
    });
    let mut taken = Vec::new();
    for taker in takers.collect::<Vec<_>>() {
        taken.extend(taker.await.unwrap());
    }
    assert_eq!(taken.len(), 100);
    assert_eq!(taken.iter().collect::<BTreeSet<_>>().len(), 100);
    drain(store).await;
}
