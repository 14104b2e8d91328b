//! Updates, positions of the log, and the limits of sites.

use masthead_domain::{ArticleId, resource::ResourceKind};

use super::content::{OTHER, PICTURE, SITE, article, at, fill, found, put, searched, word};
use crate::{
    entry::{EntryKind, Subject, Update},
    index::{Facet, Index, Like, PageOfHits, Position, SimilarityRequest, Sites, Suggest},
    query::{Expansion, Search},
};

pub async fn an_update_replaces_all_entries_of_its_subject(index: &dyn Index) {
    fill(index).await;
    let everything = Search { kinds: vec![], ..searched(word("carbon")) };
    assert_eq!(found(index, &everything).await, [0, 1, 2, 7, 8]);
    index.apply(vec![put(SITE, vec![article(2, "Carbon again")])], at(6)).await.unwrap();
    assert_eq!(found(index, &everything).await, [0, 1, 2, 7], "its figure is gone");
    assert_eq!(found(index, &searched(word("loss"))).await, [0; 0]);
    let gone = |subject| Update { site: SITE, subject, entries: vec![] };
    index.apply(vec![gone(Subject::Article(1))], at(7)).await.unwrap();
    assert_eq!(found(index, &everything).await, [0, 2]);
    index.apply(vec![gone(Subject::Publication("coast".into()))], at(8)).await.unwrap();
    assert_eq!(found(index, &everything).await, [2]);
    let own = Update {
        site: SITE,
        subject: Subject::Resource(ResourceKind::Picture, 70),
        entries: vec![crate::entry::Entry { kind: PICTURE, id: 70, ..article(70, "Carbon by night") }],
    };
    index.apply(vec![own], at(9)).await.unwrap();
    assert_eq!(found(index, &everything).await, [2, 70]);
    index.apply(vec![gone(Subject::Resource(ResourceKind::Picture, 70))], at(10)).await.unwrap();
    assert_eq!(found(index, &everything).await, [2]);
    let there = index.search(Sites::one(OTHER), everything, PageOfHits::at(0, 9)).await.unwrap();
    assert_eq!(there.total, 2, "another site's entries stay");
}

pub async fn positions_are_kept_with_what_was_written(index: &dyn Index) {
    assert_eq!(index.position().await.unwrap(), Position::default());
    assert_eq!(index.positions().await.unwrap(), []);
    fill(index).await;
    index.apply(vec![put(SITE, vec![article(2, "Again")])], at(6)).await.unwrap();
    index.apply(vec![], at(9)).await.unwrap();
    assert_eq!(index.position().await.unwrap(), at(9));
    assert_eq!(index.positions().await.unwrap(), [at(9), at(6), at(5)]);
    assert_eq!(index.written_after(at(9)).await.unwrap(), []);
    assert_eq!(index.written_after(at(5)).await.unwrap(), [(SITE, Subject::Article(2))]);
    let all = index.written_after(Position::default()).await.unwrap();
    assert_eq!(all.len(), 5, "each subject once: {all:?}");
    assert!(all.contains(&(OTHER, Subject::Article(4))) && all.contains(&(SITE, Subject::Publication("coast".into()))));
}

pub async fn an_index_is_taken_back(index: &dyn Index) {
    fill(index).await;
    index.apply(vec![put(SITE, vec![article(10, "Carbon of a lost change")])], at(6)).await.unwrap();
    index.apply(vec![put(SITE, vec![article(11, "Carbon of another")])], at(7)).await.unwrap();
    let lost = index.written_after(at(5)).await.unwrap();
    let anew = lost.into_iter().map(|(site, subject)| Update { site, subject, entries: vec![] }).collect();
    index.apply(anew, at(5)).await.unwrap();
    assert_eq!(index.position().await.unwrap(), at(5));
    assert_eq!(index.positions().await.unwrap(), [at(5)]);
    assert_eq!(found(index, &searched(word("carbon"))).await, [1, 2]);
    let other = Position { mark: 1, ..at(6) };
    index.apply(vec![put(SITE, vec![article(10, "Carbon of the log")])], other).await.unwrap();
    assert_eq!(index.positions().await.unwrap(), [other, at(5)]);
    assert_eq!(found(index, &searched(word("carbon"))).await, [1, 2, 10]);
}

pub async fn entries_of_a_site_are_found_there_only(index: &dyn Index) {
    fill(index).await;
    let secret = crate::entry::Entry {
        people: vec!["Zed Quagmire".into()],
        authors: "Zed Quagmire".into(),
        keywords: "quagmires".into(),
        ..article(20, "Quagmires of carbon")
    };
    index.apply(vec![put(OTHER, vec![secret])], at(6)).await.unwrap();
    let all = Search { kinds: vec![], ..searched(None) };
    for (sites, total) in [
        (Sites::one(SITE), 6),
        (Sites::one(OTHER), 3),
        (Sites::several([SITE, OTHER, SITE]), 9),
        (Sites::several([]), 0),
        (Sites::one(masthead_domain::SiteId(99)), 0),
    ] {
        let hits = index.search(sites.clone(), all.clone(), PageOfHits::at(0, 50)).await.unwrap();
        assert_eq!((hits.total, hits.hits.len()), (total, total), "{sites:?}");
        assert!(hits.hits.iter().all(|hit| sites.as_slice().contains(&hit.site)));
        let clusters = index.clusters(sites.clone(), all.clone(), Facet::ALL.to_vec()).await.unwrap();
        assert_eq!(clusters.total, total);
        let told = clusters.of(Facet::Author).iter().any(|(name, _)| name == "Zed Quagmire");
        assert_eq!(told, sites.as_slice().contains(&OTHER));
    }
    let typed = |sites| Suggest { sites, kinds: vec![], text: "quag".into(), limit: 10 };
    assert_eq!(index.suggest(typed(Sites::one(SITE))).await.unwrap(), []);
    assert_eq!(index.suggest(typed(Sites::several([SITE, OTHER]))).await.unwrap().len(), 3);
    let words = |sites| index.words(sites, vec![("quagmirs".into(), Expansion::Near(1))], 10);
    assert_eq!(words(Sites::one(SITE)).await.unwrap(), [[]]);
    assert!(!words(Sites::one(OTHER)).await.unwrap()[0].is_empty());
    let like = |sites| Like {
        sites,
        site: SITE,
        article: ArticleId(1),
        likeness: SimilarityRequest { title: "Carbon in seagrass meadows".into(), ..SimilarityRequest::default() },
        limit: 10,
    };
    let alike = index.like(like(Sites::one(SITE))).await.unwrap();
    assert!(!alike.is_empty() && alike.iter().all(|hit| hit.site == SITE && hit.kind == EntryKind::Article));
    let alike = index.like(like(Sites::several([SITE, OTHER]))).await.unwrap();
    assert!(alike.iter().any(|hit| hit.site == OTHER));
}
