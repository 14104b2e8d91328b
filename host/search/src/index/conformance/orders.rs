//! Orders of hits, and pages of them.

use super::content::{SITE, article, at, fill, put, ranked, searched, word};
use crate::{
    entry::Entry,
    index::{Index, Page, Sites},
    query::{MAX_WINDOW, Order, Search, SortKey},
};

const KEYS: [SortKey; 8] = [
    SortKey::Date,
    SortKey::PrintDate,
    SortKey::Year,
    SortKey::Issue,
    SortKey::FirstStatus,
    SortKey::References,
    SortKey::Citations,
    SortKey::Updated,
];

pub async fn hits_come_in_the_requested_order(index: &dyn Index) {
    fill(index).await;
    for (order, ids) in [
        (Order::Descending(SortKey::Date), [2, 1, 3]),
        (Order::Ascending(SortKey::Date), [3, 1, 2]),
        (Order::Descending(SortKey::Year), [2, 1, 3]),
        (Order::Ascending(SortKey::Year), [3, 2, 1]),
        (Order::Descending(SortKey::Issue), [1, 2, 3]),
        (Order::Ascending(SortKey::Issue), [2, 1, 3]),
        (Order::Descending(SortKey::References), [1, 3, 2]),
        (Order::Descending(SortKey::Citations), [2, 1, 3]),
        (Order::Ascending(SortKey::Citations), [3, 1, 2]),
        (Order::Descending(SortKey::FirstStatus), [1, 3, 2]),
        (Order::Descending(SortKey::PrintDate), [1, 3, 2]),
        (Order::Descending(SortKey::Updated), [2, 1, 3]),
        (Order::Ascending(SortKey::Updated), [1, 2, 3]),
    ] {
        assert_eq!(ranked(index, &Search { order, ..searched(None) }).await, ids, "{order:?}");
    }
}

/// Forty-seven articles, many of which are equal in every order.
async fn many(index: &dyn Index) {
    let one = |id: i64| Entry {
        year: (id % 5 != 0).then_some(2_000 + i32::try_from(id % 3).unwrap()),
        references: u32::try_from(id % 4).unwrap(),
        ..article(id, if id % 2 == 0 { "Tide" } else { "Tide and tide again" })
    };
    // In several commits, so that an index of several parts has them in several.
    for (change, ids) in [(1, 1..20), (2, 20..30), (3, 30..48)] {
        index.apply(ids.map(|id| put(SITE, vec![one(id)])).collect(), at(change)).await.unwrap();
    }
}

pub async fn pages_have_every_hit_once(index: &dyn Index) {
    many(index).await;
    let orders = KEYS.iter().flat_map(|key| [Order::Descending(*key), Order::Ascending(*key)]);
    for order in orders.chain([Order::Relevance]) {
        let search = Search { order, ..searched(word("tide")) };
        let whole = ranked(index, &search).await;
        let (mut by_key, mut by_offset) = (Vec::new(), Vec::new());
        let mut page = Page::at(0, 10);
        loop {
            let hits = index.search(Sites::one(SITE), search.clone(), page).await.unwrap();
            assert_eq!(hits.total, 47, "{order:?}");
            by_key.extend(hits.hits.iter().map(|hit| hit.id));
            let Some(key) = hits.next else { break };
            page = Page::behind(key.to_string().parse().unwrap(), 10);
        }
        for page in 0..6 {
            let hits = index.search(Sites::one(SITE), search.clone(), Page::at(page * 10, 10)).await.unwrap();
            assert_eq!(hits.next.is_some(), page < 4, "{order:?} {page}");
            by_offset.extend(hits.hits.iter().map(|hit| hit.id));
        }
        assert_eq!((&by_key, &by_offset), (&whole, &whole), "{order:?}");
        let mut ids = whole;
        ids.sort_unstable();
        assert_eq!(ids, (1..48).collect::<Vec<_>>(), "{order:?}");
    }
}

pub async fn hits_beyond_the_window_are_reached_by_key(index: &dyn Index) {
    let all = i64::try_from(MAX_WINDOW).unwrap() + 30;
    let batch = (1..=all).map(|id| put(SITE, vec![article(id, "Tide")])).collect();
    index.apply(batch, at(1)).await.unwrap();
    let search = searched(word("tide"));
    let at = |page| index.search(Sites::one(SITE), search.clone(), page);
    for page in [Page::at(MAX_WINDOW, 20), Page::at(usize::MAX, usize::MAX)] {
        let hits = at(page).await.unwrap();
        assert_eq!((hits.total, hits.hits.len(), hits.next), (MAX_WINDOW + 30, 0, None), "counted, not listed");
    }
    let last = at(Page::at(MAX_WINDOW - 10, 20)).await.unwrap();
    assert_eq!(last.hits.len(), 10);
    let behind = at(Page::behind(last.next.unwrap(), 20)).await.unwrap();
    assert_eq!(behind.hits.first().map(|hit| hit.id), Some(30), "newest first");
    assert_eq!(behind.hits.len(), 20);
    assert_eq!(at(Page::behind(behind.next.unwrap(), 20)).await.unwrap().hits.len(), 10);
}
