//! Counts of hits by value.

use super::content::{SITE, article, at, fill, put, searched, word};
use crate::{
    entry::{Entry, EntryKind},
    index::{Clusters, Facet, Index, PageOfHits, Sites},
    query::{Filter, Search},
};

async fn counted(index: &dyn Index, search: &Search) -> Clusters {
    index.clusters(Sites::one(SITE), search.clone(), Facet::ALL.to_vec()).await.unwrap()
}

fn filter(facet: Facet, value: &str) -> Vec<Filter> {
    let year = || value.parse().unwrap();
    match facet {
        Facet::Kind => vec![],
        Facet::Year => vec![Filter::YearFrom(year()), Filter::YearTo(year())],
        Facet::Column => vec![Filter::Column(value.into())],
        Facet::Journal => vec![Filter::Journal(value.into())],
        Facet::ArticleType => vec![Filter::ArticleType(value.into())],
        Facet::Author => vec![Filter::Author(value.into())],
        Facet::Fund => vec![Filter::Fund(value.into())],
        Facet::Language => vec![Filter::Language(value.into())],
        Facet::Access => vec![Filter::OpenAccess(value == "true")],
        Facet::OnlineFirst => vec![Filter::OnlineFirst(value == "true")],
    }
}

pub async fn a_count_is_the_number_of_hits_with_the_filter(index: &dyn Index) {
    fill(index).await;
    for search in [
        searched(None),
        searched(word("carbon")),
        Search { kinds: vec![], ..searched(None) },
        Search { filters: vec![Filter::Column("review".into())], ..searched(None) },
    ] {
        let clusters = counted(index, &search).await;
        for facet in Facet::ALL {
            assert!(!clusters.of(facet).is_empty(), "{facet:?} {search:?}");
            for (value, count) in clusters.of(facet) {
                let mut with = search.clone();
                with.filters.extend(filter(facet, value));
                if facet == Facet::Kind {
                    with.kinds = vec![EntryKind::parse(value).unwrap()];
                }
                let hits = index.search(Sites::one(SITE), with, PageOfHits::at(0, 0)).await.unwrap();
                assert_eq!(hits.total as u64, *count, "{facet:?} {value} {search:?}");
            }
        }
    }
    let some = index.clusters(Sites::one(SITE), searched(None), vec![Facet::Year, Facet::Year]).await.unwrap();
    assert_eq!(*some.of(Facet::Year), [("2024".to_owned(), 2), ("2021".to_owned(), 1)]);
    assert_eq!((some.total, some.of(Facet::Journal).len()), (3, 0), "what was not asked for is not counted");
    let none = counted(index, &searched(word("xyzzy"))).await;
    assert_eq!(none, Clusters::default());
}

pub async fn forms_of_a_value_are_counted_together(index: &dyn Index) {
    let one = |id, columns: &[&str], people: &[&str]| Entry {
        columns: columns.iter().map(|name| (*name).into()).collect(),
        people: people.iter().map(|name| (*name).into()).collect(),
        ..article(id, "Tide")
    };
    let first = vec![
        put(SITE, vec![one(1, &["Case Report", "CASE REPORT"], &["Ada Ellingham"])]),
        put(SITE, vec![one(2, &["Case Reports"], &["Ada  ellingham"])]),
    ];
    let second = vec![
        put(SITE, vec![one(3, &["case report"], &["Ada Ellingham"])]),
        put(SITE, vec![one(4, &["Case Report"], &[])]),
    ];
    index.apply(first, at(1)).await.unwrap();
    index.apply(second, at(2)).await.unwrap();
    let clusters = counted(index, &searched(None)).await;
    let named = |values: &[(String, u64)]| values.to_vec();
    assert_eq!(named(clusters.of(Facet::Column)), [("Case Report".to_owned(), 3), ("Case Reports".to_owned(), 1)]);
    assert_eq!(named(clusters.of(Facet::Author)), [("Ada Ellingham".to_owned(), 3)]);
    let many = (10..200).map(|id| put(SITE, vec![one(id, &[], &[&format!("Author {}", id % 97)])])).collect();
    index.apply(many, at(3)).await.unwrap();
    let clusters = counted(index, &searched(None)).await;
    assert_eq!(clusters.of(Facet::Author).len(), 50, "the most frequent ones");
    assert!(clusters.of(Facet::Author).windows(2).all(|pair| pair[0].1 >= pair[1].1));
}
