//! Resources, shelves, counts, removal and what harvesters read.

use masthead_domain::{
    ArticleId, SiteId,
    article::{Affiliation, Contributor, Funding, KeywordGroup},
    resource::{News, NewsType, Picture, ResourceKind, TableSheet},
};
use masthead_store::{
    CardCursor, CardQuery, ChangeAction, ChangeKind, Count, Filed, NewArticle, Ranking, ResourceCursor, Searched,
    Shelf, Store, Totals, Window,
};

use super::article;

pub async fn suite(store: &Store) {
    kept_once(store).await;
    paged_by_key(store).await;
    exhibits_follow_their_article(store).await;
    shelves(store).await;
    removed_and_back(store).await;
    counted(store).await;
    cards_are_paged(store).await;
}

fn news(key: &str, date: &str, kind: NewsType) -> News {
    News { key: key.into(), date: date.into(), kind, ..News::default() }
}

async fn kept_once(store: &Store) {
    let site = store.site(SiteId(21));
    let before = store.latest_change().await.unwrap();
    let first = news("a", "2026-01-01", NewsType::Dynamic);
    let Filed::Added(id) = site.put_resource(&first).await.unwrap() else { panic!("not added") };
    assert_eq!(site.put_resource(&first).await.unwrap(), Filed::Same(id));
    let second = News { author: "Editors".into(), ..first };
    assert_eq!(site.put_resource(&second).await.unwrap(), Filed::Replaced(id));
    assert_eq!(site.resource::<News>(id).await.unwrap().unwrap().value, second);
    assert_eq!(site.resource_by_key::<News>("a").await.unwrap().unwrap().id, id);
    let other = store.site(SiteId(22));
    assert!(other.resource::<News>(id).await.unwrap().is_none());
    assert!(site.resource::<masthead_domain::resource::Book>(id).await.unwrap().is_none(), "another kind");
    assert!(!other.remove_resource(ResourceKind::News, id).await.unwrap(), "another site removes nothing");
    assert!(site.remove_resource(ResourceKind::News, id).await.unwrap());
    let entity = format!("news/{id}");
    assert!(site.resource_row(&entity).await.unwrap().is_none());
    let log = store.changes_after(before, 10).await.unwrap();
    let said: Vec<_> = log.iter().map(|change| (change.kind, change.action, change.entity.as_str())).collect();
    let expected = [ChangeAction::Added, ChangeAction::Replaced, ChangeAction::Removed];
    assert_eq!(said, expected.map(|action| (ChangeKind::Resource, action, entity.as_str())));
}

async fn paged_by_key(store: &Store) {
    let site = store.site(SiteId(23));
    for number in 0..25 {
        let kind = if number % 2 == 0 { NewsType::Dynamic } else { NewsType::Statement };
        // Many of one day: the number decides.
        site.put_resource(&news(&format!("n{number}"), &format!("2026-01-0{}", 1 + number / 10), kind)).await.unwrap();
    }
    site.put_resource(&News { position: -1, ..news("top", "2020-01-01", NewsType::Dynamic) }).await.unwrap();
    for (section, expected) in [("", 26), ("dynamic", 14), ("statement", 12), ("announcement", 0)] {
        let (mut seen, mut after): (Vec<String>, _) = (Vec::new(), None);
        loop {
            let page = site.resources::<News>(section, after.as_ref(), 4).await.unwrap();
            let Some(last) = page.last() else { break };
            after = ResourceCursor::parse(&ResourceCursor::behind(last).to_string());
            seen.extend(page.into_iter().map(|one| one.value.key));
        }
        let whole = site.resources::<News>(section, None, 100).await.unwrap();
        assert_eq!(seen, whole.into_iter().map(|one| one.value.key).collect::<Vec<_>>());
        assert_eq!(seen.len(), expected, "{section}");
        assert_eq!(site.resource_count(ResourceKind::News, section).await.unwrap(), expected as i64);
        assert!(seen.is_empty() || section == "statement" || seen[0] == "top", "what stands above by hand comes first");
    }
}

fn with_figures(figures: &[&str]) -> NewArticle {
    let mut new = article("10.5555/figures", "With figures", "1");
    new.pictures = figures.iter().map(|id| Picture { element: (*id).into(), ..Picture::default() }).collect();
    new.tables = vec![TableSheet { element: "t1".into(), rows: 3, ..TableSheet::default() }];
    new
}

async fn exhibits_follow_their_article(store: &Store) {
    let site = store.site(SiteId(24));
    let id = site.put_article(&with_figures(&["f1", "f2"])).await.unwrap().id();
    let figures = site.resources_of_article::<Picture>(id.0).await.unwrap();
    assert_eq!(figures.iter().map(|one| one.value.element.as_str()).collect::<Vec<_>>(), ["f1", "f2"]);
    assert_eq!((figures[0].value.article, &figures[0].value.key), (id.0, &format!("{id}/f1")));
    assert_eq!(figures[0].value.journal, "ocean-ledger");
    site.put_article(&with_figures(&["f2"])).await.unwrap();
    let after = site.resources_of_article::<Picture>(id.0).await.unwrap();
    assert_eq!(after.len(), 1);
    assert_eq!(after[0].id, figures[1].id, "what stays keeps its number");
    assert_eq!(site.resource_rows(id.0, 0, 10).await.unwrap().len(), 2);
    assert_eq!(site.resource_rows(0, 0, 10).await.unwrap().len(), 0, "nothing that belongs to no article");
    assert_eq!(site.resources_of_article::<TableSheet>(id.0).await.unwrap()[0].value.rows, 3);
}

async fn shelves(store: &Store) {
    let site = store.site(SiteId(25));
    let on = |doi: &str, author: &str, word: &str| {
        let mut new = article(doi, doi, "1");
        let meta = &mut new.article.meta;
        meta.contributors =
            vec![Contributor { role: "author".into(), collab: author.into(), ..Contributor::default() }];
        meta.affiliations = vec![Affiliation { text: "Institute of Tides".into(), ..Affiliation::default() }];
        meta.funding = vec![Funding { source: "Fund A".into(), awards: vec!["7".into()], ..Funding::default() }];
        meta.keywords = vec![KeywordGroup { plain: vec![word.into(), word.into()], ..KeywordGroup::default() }];
        new
    };
    let first = site.put_article(&on("10.5555/s.1", "Ada L", "salt")).await.unwrap().id().0;
    let second = site.put_article(&on("10.5555/s.2", "Ada  l", "sand")).await.unwrap().id().0;
    assert_eq!(site.on_shelf(Shelf::Author, "ADA L", 10).await.unwrap(), [second, first]);
    assert_eq!(site.on_shelf(Shelf::Organization, "institute of tides", 1).await.unwrap(), [second]);
    assert_eq!(site.on_shelf(Shelf::Fund, "7", 10).await.unwrap().len(), 2);
    assert_eq!(site.on_shelf(Shelf::Keyword, "salt", 10).await.unwrap(), [first]);
    assert!(store.site(SiteId(26)).on_shelf(Shelf::Keyword, "salt", 10).await.unwrap().is_empty());
    site.put_article(&on("10.5555/s.1", "Grace H", "salt")).await.unwrap();
    assert_eq!(site.on_shelf(Shelf::Author, "Ada L", 10).await.unwrap(), [second], "shelves follow the article");
    let labels = site.shelf_labels(Shelf::Keyword, "", 10).await.unwrap();
    assert_eq!(labels, [("salt".to_owned(), 1), ("sand".to_owned(), 1)]);
}

async fn removed_and_back(store: &Store) {
    let site = store.site(SiteId(27));
    let id = site.put_article(&with_figures(&["f1"])).await.unwrap().id();
    let other = site.put_article(&article("10.5555/other", "Other", "2")).await.unwrap().id();
    let whole = Window { until_ms: i64::MAX, ..Window::default() };
    let changed = site.changed_articles(&whole, 10).await.unwrap();
    assert_eq!(changed.iter().map(|one| (one.id, one.removed)).collect::<Vec<_>>(), [(id, false), (other, false)]);
    assert!(!store.site(SiteId(28)).remove_article(id).await.unwrap(), "another site removes nothing");
    let before = store.latest_change().await.unwrap();
    assert!(site.remove_article(id).await.unwrap());
    assert!(!site.remove_article(id).await.unwrap(), "it is gone already");
    let log = store.changes_after(before, 10).await.unwrap();
    assert_eq!((log.len(), log[0].action), (1, ChangeAction::Removed), "what changes nothing is not logged");
    assert!(site.article(id).await.unwrap().is_none());
    assert!(site.resources_of_article::<Picture>(id.0).await.unwrap().is_empty());
    let gone = site.removed_article(id).await.unwrap().unwrap();
    let changed = site.changed_articles(&whole, 10).await.unwrap();
    assert_eq!(changed.iter().map(|one| (one.id, one.removed)).collect::<Vec<_>>(), [(other, false), (id, true)]);
    assert!(changed[0].changed_ms <= gone.changed_ms);
    let behind = Window { after: Some((changed[0].changed_ms, changed[0].id.0)), ..whole.clone() };
    assert_eq!(site.changed_articles(&behind, 10).await.unwrap().len(), 1);
    let elsewhere = Window { journal: "no-such".into(), ..whole };
    assert!(site.changed_articles(&elsewhere, 10).await.unwrap().is_empty());
    assert_eq!(site.put_article(&with_figures(&["f1"])).await.unwrap().id(), id, "it gets its number back");
    assert!(site.removed_article(id).await.unwrap().is_none());
    assert_eq!(site.listed_articles(0, 10).await.unwrap().len(), 2);
    assert!(site.earliest_change().await.unwrap().is_some());
    let mut from = article("10.5555/origin", "From bytes", "3");
    from.origin = "sha256:1".into();
    let id = site.put_article(&from).await.unwrap().id();
    assert_eq!(site.article_id_by_origin("sha256:1").await.unwrap(), Some(id));
    assert_eq!(store.site(SiteId(28)).article_id_by_origin("sha256:1").await.unwrap(), None);
    assert_eq!(site.article_id_by_key("doi:10.5555/origin").await.unwrap(), Some(id));
}

async fn counted(store: &Store) {
    let site = store.site(SiteId(29));
    let count = |entity, day, visits, downloads| Count {
        site: SiteId(29),
        kind: "article".into(),
        entity,
        day,
        visits,
        downloads,
    };
    let searched = |day, words: &str, times| Searched { site: SiteId(29), day, words: words.into(), times };
    store
        .add_counts(&[count(1, 100, 5, 0), count(2, 100, 1, 2)], &[searched(100, "tide", 2), searched(90, "salt", 5)])
        .await
        .unwrap();
    store.add_counts(&[count(2, 101, 9, 0), count(1, 90, 20, 1)], &[searched(101, "tide", 1)]).await.unwrap();
    assert_eq!(site.totals("article", 1).await.unwrap(), Totals { visits: 25, downloads: 1 });
    assert_eq!(site.totals("article", 3).await.unwrap(), Totals::default());
    let of = site.totals_of("article", &[1, 2, 3]).await.unwrap();
    assert_eq!((of.len(), of[&2]), (2, Totals { visits: 10, downloads: 2 }));
    assert_eq!(site.ranking("article", Ranking::Visits, None, 10).await.unwrap(), [(1, 25), (2, 10)]);
    assert_eq!(site.ranking("article", Ranking::Visits, Some(100), 10).await.unwrap(), [(2, 10), (1, 5)]);
    assert_eq!(site.ranking("article", Ranking::Downloads, Some(100), 10).await.unwrap(), [(2, 2)]);
    assert_eq!(site.hot_words(95, 10).await.unwrap(), [("tide".to_owned(), 3)]);
    assert_eq!(site.hot_words(0, 1).await.unwrap(), [("salt".to_owned(), 5)]);
    store.forget_searches(95).await.unwrap();
    assert_eq!(site.hot_words(0, 10).await.unwrap().len(), 1);
    assert!(store.site(SiteId(30)).ranking("article", Ranking::Visits, None, 10).await.unwrap().is_empty());
}

async fn cards_are_paged(store: &Store) {
    let site = store.site(SiteId(31));
    for number in 0..7 {
        site.put_article(&article(&format!("10.5555/p.{number}"), "Page", "1")).await.unwrap();
    }
    let journal = CardQuery::Journal(site.journals().await.unwrap()[0].key.clone());
    for query in [CardQuery::Latest, journal] {
        let (mut seen, mut after) = (Vec::new(), None);
        loop {
            let page = site.cards(&query, after.as_ref(), 3).await.unwrap();
            let Some(last) = page.last() else { break };
            after = CardCursor::parse(&CardCursor::behind(last).to_string());
            seen.extend(page.iter().map(|card| card.id));
        }
        assert_eq!(seen.len(), 7);
        assert!(seen.windows(2).all(|pair| pair[0] > pair[1]), "newest first, none twice: {seen:?}");
        let ids: Vec<_> = seen.iter().rev().map(|id| ArticleId(*id)).collect();
        let cards = site.cards_by_id(&ids).await.unwrap();
        assert!(cards.iter().map(|card| card.id).eq(seen.iter().rev().copied()), "in the order that was asked for");
    }
}
