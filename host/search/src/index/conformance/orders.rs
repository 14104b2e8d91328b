//! Orders of hits, and pages of them.

use std::{collections::HashMap, sync::Arc};

use masthead_domain::SiteId;

use super::content::{OTHER, PICTURE, SITE, article, at, fill, put, ranked, searched, word};
use crate::{
    entry::{Entry, EntryKind},
    index::{ExternalOrder, Index, PageOfHits, Sites},
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
        let mut page = PageOfHits::at(0, 10);
        loop {
            let hits = index.search(Sites::one(SITE), search.clone(), page).await.unwrap();
            assert_eq!(hits.total, 47, "{order:?}");
            by_key.extend(hits.hits.iter().map(|hit| hit.id));
            let Some(key) = hits.next else { break };
            page = PageOfHits::behind(key.to_string().parse().unwrap(), 10);
        }
        for page in 0..6 {
            let hits = index.search(Sites::one(SITE), search.clone(), PageOfHits::at(page * 10, 10)).await.unwrap();
            assert_eq!(hits.next.is_some(), page < 4, "{order:?} {page}");
            by_offset.extend(hits.hits.iter().map(|hit| hit.id));
        }
        assert_eq!((&by_key, &by_offset), (&whole, &whole), "{order:?}");
        let mut ids = whole;
        ids.sort_unstable();
        assert_eq!(ids, (1..48).collect::<Vec<_>>(), "{order:?}");
    }
}

/// What only the caller knows orders the hits of several sites and kinds.
pub async fn hits_are_ordered_by_values_of_the_caller(index: &dyn Index) {
    fill(index).await;
    let of = |kind, values: &[(i64, i64)]| (kind, values.iter().copied().collect::<HashMap<_, _>>());
    let own = HashMap::from([of(EntryKind::Article, &[(1, 4), (3, 9)]), of(PICTURE, &[(7, 6), (1, 100)])]);
    let other = HashMap::from([of(EntryKind::Article, &[(4, 5), (3, 100)])]);
    let values = HashMap::from([(SITE, Arc::new(own)), (OTHER, Arc::new(other))]);
    let order = |ascending| ExternalOrder { values: values.clone(), ascending };
    let found = async |sites: &[SiteId], kinds: &[EntryKind], ascending, page| {
        let search = Search { kinds: kinds.to_vec(), order: Order::Descending(SortKey::Year), ..searched(None) };
        let sites = Sites::several(sites.iter().copied());
        let hits = index.search_ordered(sites, search, order(ascending), page).await.unwrap();
        (hits.hits.iter().map(|hit| hit.id).collect::<Vec<_>>(), hits.total, hits.next)
    };
    let (articles, both) = ([EntryKind::Article], [EntryKind::Article, PICTURE]);
    let page = PageOfHits::at(0, 20);
    // The second article has no value, which is 0.
    assert_eq!(found(&[SITE], &articles, false, page).await, (vec![3, 1, 2], 3, None));
    assert_eq!(found(&[SITE], &articles, true, page).await, (vec![2, 1, 3], 3, None));
    assert_eq!(found(&[SITE, OTHER], &articles, false, page).await, (vec![3, 4, 1, 2], 4, None));
    assert_eq!(found(&[SITE, OTHER], &both, false, page).await, (vec![3, 7, 4, 1, 9, 8, 2], 7, None));
    let (first, total, next) = found(&[SITE, OTHER], &both, false, PageOfHits::at(1, 2)).await;
    assert_eq!((first, total), (vec![7, 4], 7));
    assert_eq!(found(&[SITE, OTHER], &both, false, PageOfHits::behind(next.unwrap(), 9)).await.0, [1, 9, 8, 2]);
}

pub async fn pages_by_values_of_the_caller_have_every_hit_once(index: &dyn Index) {
    many(index).await;
    let values: HashMap<i64, i64> = (1..40).map(|id| (id, id * 7 % 5)).collect();
    let site = Arc::new(HashMap::from([(EntryKind::Article, values.clone())]));
    for ascending in [false, true] {
        let order = ExternalOrder { values: HashMap::from([(SITE, Arc::clone(&site))]), ascending };
        let mut page = PageOfHits::at(0, 9);
        let mut seen = Vec::new();
        loop {
            let search = searched(word("tide"));
            let hits = index.search_ordered(Sites::one(SITE), search, order.clone(), page).await.unwrap();
            assert_eq!(hits.total, 47);
            seen.extend(hits.hits.iter().map(|hit| hit.id));
            let Some(key) = hits.next else { break };
            page = PageOfHits::behind(key.to_string().parse().unwrap(), 9);
        }
        let mut expected: Vec<i64> = (1..48).rev().collect();
        let value = |id: &i64| values.get(id).copied().unwrap_or(0);
        expected.sort_by_key(|id| if ascending { value(id) } else { -value(id) });
        assert_eq!(seen, expected);
    }
}

pub async fn hits_beyond_the_window_are_reached_by_key(index: &dyn Index) {
    let all = i64::try_from(MAX_WINDOW).unwrap() + 30;
    let batch = (1..=all).map(|id| put(SITE, vec![article(id, "Tide")])).collect();
    index.apply(batch, at(1)).await.unwrap();
    let search = searched(word("tide"));
    let at = |page| index.search(Sites::one(SITE), search.clone(), page);
    for page in [PageOfHits::at(MAX_WINDOW, 20), PageOfHits::at(usize::MAX, usize::MAX)] {
        let hits = at(page).await.unwrap();
        assert_eq!((hits.total, hits.hits.len(), hits.next), (MAX_WINDOW + 30, 0, None), "counted, not listed");
    }
    let last = at(PageOfHits::at(MAX_WINDOW - 10, 20)).await.unwrap();
    assert_eq!(last.hits.len(), 10);
    let behind = at(PageOfHits::behind(last.next.unwrap(), 20)).await.unwrap();
    assert_eq!(behind.hits.first().map(|hit| hit.id), Some(30), "newest first");
    assert_eq!(behind.hits.len(), 20);
    assert_eq!(at(PageOfHits::behind(behind.next.unwrap(), 20)).await.unwrap().hits.len(), 10);
}
