//! Tests of resources, the browse index, counts, removal and harvesting.

mod pages;

use std::collections::HashMap;

use masthead_domain::{
    ArticleId, Doi, SiteId,
    article::{Affiliation, Contributor, Funding, KeywordGroup},
    resource::{Comment, CommentState, News, NewsType, Picture, ResourceKind, TableSheet},
};
use masthead_store::{
    BrowseBy, CardCursor, CardQuery, ChangeAction, ChangeKind, Count, HarvestWindow, ImportedCount, NewArticle,
    Ranking, ResourceCursor, Saved, Searched, Store, Totals,
};

use super::article;

pub async fn suite(store: &Store) {
    kept_once(store).await;
    paged_by_key(store).await;
    first_of_sections(store).await;
    figures_and_tables_follow_their_article(store).await;
    many_at_once(store).await;
    browse_index(store).await;
    removed_and_back(store).await;
    changes_of_one_moment(store).await;
    articles_in_batches(store).await;
    counted(store).await;
    cards_are_paged(store).await;
    numbers_beside_articles(store).await;
    renamed(store).await;
    sections_and_names(store).await;
    pages::suite(store).await;
}

/// An article keeps its number and its counts under another source key; no two articles get the same one.
async fn renamed(store: &Store) {
    let site = store.site(SiteId(1032));
    let first = site.save_article(&article("10.5555/r.1", "First", "1")).await.unwrap().id();
    let second = site.save_article(&article("10.5555/r.2", "Second", "2")).await.unwrap().id();
    assert!(site.rename_source_key(first, "ojs:rivers/1").await.unwrap());
    assert!(site.rename_source_key(first, "ojs:rivers/1").await.unwrap(), "it has the key");
    assert_eq!(site.article_id_by_key("ojs:rivers/1").await.unwrap(), Some(first));
    assert_eq!(site.article_id_by_key("doi:10.5555/r.1").await.unwrap(), None);
    assert!(!site.rename_source_key(second, "ojs:rivers/1").await.unwrap(), "another article has the key");
    assert!(!site.rename_source_key(ArticleId(i64::MAX), "ojs:rivers/9").await.unwrap(), "there is no such article");
    assert!(!store.site(SiteId(1033)).rename_source_key(first, "x").await.unwrap(), "it is another site's");
    let count = ImportedCount { article: first, day: None, visits: 3, downloads: 0 };
    assert_eq!(site.import_article_counts(std::slice::from_ref(&count)).await.unwrap(), 1);
    assert!(site.remove_article(first).await.unwrap());
    assert_eq!(site.import_article_counts(&[count]).await.unwrap(), 1, "a removed article leaves no counts behind");
}

/// The sections of a list with their sizes, and items by kind and key.
async fn sections_and_names(store: &Store) {
    let (site, other) = (store.site(SiteId(1034)), store.site(SiteId(1035)));
    for number in 0..5 {
        let kind = if number % 2 == 0 { NewsType::Information } else { NewsType::Statement };
        let (key, date) = (format!("p{number}"), format!("2026-01-0{}", number + 1));
        site.save_resource(&News { key, kind, date, ..News::default() }).await.unwrap();
    }
    let counts = site.section_counts(ResourceKind::News).await.unwrap();
    assert_eq!(counts, [("information".to_owned(), 3), ("statement".to_owned(), 2)]);
    let kinds = [ResourceKind::News, ResourceKind::Video];
    let of_news = ["information", "statement"].map(|section| (ResourceKind::News, section.to_owned()));
    assert_eq!(site.present_sections(&kinds).await.unwrap(), of_news);
    assert!(other.present_sections(&kinds).await.unwrap().is_empty());
    assert!(site.present_sections(&[]).await.unwrap().is_empty());
    let names = [(ResourceKind::News, "p1"), (ResourceKind::Video, "p2"), (ResourceKind::News, "none")];
    let rows = site.resources_by_names(&names).await.unwrap();
    assert_eq!(rows.iter().map(|row| (row.kind, row.article)).collect::<Vec<_>>(), [(ResourceKind::News, 0)]);
    assert!(other.resources_by_names(&names).await.unwrap().is_empty(), "another site's are not found");
    site.save_article(&article("10.5555/n.1", "By its DOI", "1")).await.unwrap();
    let cards = site.cards_by_names(&["none", "doi:10.5555/N.1", "10.5555/n.1"]).await.unwrap();
    assert_eq!(cards.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["doi:10.5555/N.1", "10.5555/n.1"]);
    assert!(other.cards_by_names(&["10.5555/n.1"]).await.unwrap().is_empty());
    assert!(
        site.cards_by_names(&[]).await.unwrap().is_empty() && site.resources_by_names(&[]).await.unwrap().is_empty()
    );
}

async fn numbers_beside_articles(store: &Store) {
    let (site, other) = (store.site(SiteId(31)), store.site(SiteId(32)));
    let count =
        |day, visits, downloads| Count { site: SiteId(31), kind: "article".into(), entity: 7, day, visits, downloads };
    store.add_counts(&[count(100, 1, 0), count(130, 2, 1), count(131, 4, 0)], &[]).await.unwrap();
    let days = |since| async move {
        let days = site.daily("article", 7, since, 10).await.unwrap();
        days.iter().map(|day| (day.day, day.visits, day.downloads)).collect::<Vec<_>>()
    };
    assert_eq!(days(0).await, [(100, 1, 0), (130, 2, 1), (131, 4, 0)], "the sum over all days is not listed as a day");
    let site = store.site(SiteId(31));
    assert_eq!(site.daily("article", 7, 130, 1).await.unwrap().len(), 1);
    assert_eq!(other.daily("article", 7, 0, 10).await.unwrap(), []);
    for (key, article, state) in [
        ("a", 7, CommentState::Shown),
        ("b", 7, CommentState::Shown),
        ("c", 7, CommentState::Waiting),
        ("d", 8, CommentState::Shown),
    ] {
        let date = format!("2026-01-0{}T00:00:00Z", if key == "d" { 9 } else { 1 });
        let comment = Comment { key: key.into(), article, state, date, ..Comment::default() };
        site.save_resource(&comment).await.unwrap();
    }
    assert_eq!(site.comment_counts(&[7, 8, 9]).await.unwrap(), HashMap::from([(7, 2), (8, 1)]));
    assert_eq!(other.comment_counts(&[7]).await.unwrap(), HashMap::new());
    assert_eq!(site.most_commented("", 9).await.unwrap(), [(7, 2), (8, 1)]);
    assert_eq!(site.most_commented("2026-01-05", 9).await.unwrap(), [(8, 1)]);
    let page = |before| async move {
        let page = store.site(SiteId(31)).comments(7, CommentState::Shown, before, 1).await.unwrap();
        page.into_iter().map(|one| (one.id, one.value.key)).next()
    };
    let (first, key) = page(i64::MAX).await.unwrap();
    assert_eq!((key.as_str(), page(first).await.unwrap().1.as_str()), ("b", "a"));
    assert_eq!(other.comments(7, CommentState::Shown, i64::MAX, 9).await.unwrap(), []);
}

fn news(key: &str, date: &str, kind: NewsType) -> News {
    News { key: key.into(), date: date.into(), kind, ..News::default() }
}

/// A moment after every other one of the tests, in milliseconds since 1970.
const NOON: i64 = 4_102_444_800_000;

async fn kept_once(store: &Store) {
    let site = store.site(SiteId(21));
    let later = store.clone().with_clock(|| NOON).site(SiteId(21));
    let before = store.latest_change().await.unwrap();
    let first = news("a", "2026-01-01", NewsType::Dynamic);
    let Saved::Created(id) = site.save_resource(&first).await.unwrap() else { panic!("not added") };
    assert_eq!(site.save_resource(&first).await.unwrap(), Saved::Unchanged(id));
    let second = News { author: "Editors".into(), ..first };
    assert_eq!(later.save_resource(&second).await.unwrap(), Saved::Updated(id));
    let entity = format!("news/{id}");
    assert_eq!(site.resource_row(&entity).await.unwrap().unwrap().changed_ms, NOON);
    assert_eq!(site.save_resource(&second).await.unwrap(), Saved::Unchanged(id));
    assert_eq!(site.resource_row(&entity).await.unwrap().unwrap().changed_ms, NOON, "nothing was changed");
    assert_eq!(site.resource::<News>(id).await.unwrap().unwrap().value, second);
    assert_eq!(site.resource_by_key::<News>("a").await.unwrap().unwrap().id, id);
    let other = store.site(SiteId(22));
    assert!(other.resource::<News>(id).await.unwrap().is_none());
    assert!(site.resource::<masthead_domain::resource::Book>(id).await.unwrap().is_none(), "another kind");
    assert!(!other.remove_resource(ResourceKind::News, id).await.unwrap(), "another site removes nothing");
    assert!(site.remove_resource(ResourceKind::News, id).await.unwrap());
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
        // Many of the same day, which are ordered by number.
        site.save_resource(&news(&format!("n{number}"), &format!("2026-01-0{}", 1 + number / 10), kind)).await.unwrap();
    }
    site.save_resource(&News { position: -1, ..news("top", "2020-01-01", NewsType::Dynamic) }).await.unwrap();
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
        assert!(
            seen.is_empty() || section == "statement" || seen[0] == "top",
            "a position set by an editor comes first"
        );
    }
}

/// Runs after `paged_by_key`, whose news it reads.
async fn first_of_sections(store: &Store) {
    let site = store.site(SiteId(23));
    let first = site.first_resources(ResourceKind::News, &["statement", "dynamic", "announcement"]).await.unwrap();
    let number = async |key: &str| site.resource_by_key::<News>(key).await.unwrap().map(|one| one.id);
    assert_eq!((first.first, first.of("dynamic")), (number("top").await, number("top").await));
    assert_eq!(first.of("statement"), number("n23").await, "the newest, of one day the last");
    assert_eq!(first.of("announcement"), number("top").await, "the first of all, where a section has none");
    let other = store.site(SiteId(24)).first_resources(ResourceKind::News, &["dynamic"]).await.unwrap();
    assert_eq!(other.of("dynamic"), None, "another site's");
}

fn with_figures(figures: &[&str]) -> NewArticle {
    let mut new = article("10.5555/figures", "With figures", "1");
    new.pictures = figures.iter().map(|id| Picture { element: (*id).into(), ..Picture::default() }).collect();
    new.tables = vec![TableSheet { element: "t1".into(), rows: 3, ..TableSheet::default() }];
    new
}

async fn many_at_once(store: &Store) {
    let (site, other) = (store.site(SiteId(31)), store.site(SiteId(32)));
    for number in 0..450 {
        site.save_resource(&news(&format!("k{number}"), &format!("2026-01-{:02}", 1 + number % 28), NewsType::Dynamic))
            .await
            .unwrap();
    }
    let keys: Vec<String> = (0..460).map(|number| format!("k{number}")).collect();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    assert_eq!(site.resources_by_keys::<News>(&keys).await.unwrap().len(), 450, "more than one query holds");
    assert_eq!(site.resources_by_keys::<News>(&["k7"]).await.unwrap()["k7"].value.key, "k7");
    assert!(other.resources_by_keys::<News>(&keys).await.unwrap().is_empty(), "another site's");
    assert!(site.resources_by_keys::<News>(&[]).await.unwrap().is_empty());
    // A page by offset is the same as the page that cursors lead to.
    let first = site.resources::<News>("", None, 40).await.unwrap();
    let cursor = site.resource_cursor_at::<News>("", 20).await.unwrap().unwrap();
    assert_eq!(site.resources::<News>("dynamic", Some(&cursor), 20).await.unwrap(), first[20..]);
    assert!(site.resource_cursor_at::<News>("", 451).await.unwrap().is_none());
    assert!(site.resource_cursor_at::<News>("statement", 1).await.unwrap().is_none());
    assert!(other.resource_cursor_at::<News>("", 1).await.unwrap().is_none());
}

async fn figures_and_tables_follow_their_article(store: &Store) {
    let site = store.site(SiteId(24));
    let id = site.save_article(&with_figures(&["f1", "f2"])).await.unwrap().id();
    let figures = site.resources_of_article::<Picture>(id.0).await.unwrap();
    assert_eq!(figures.iter().map(|one| one.value.element.as_str()).collect::<Vec<_>>(), ["f1", "f2"]);
    assert_eq!((figures[0].value.article, &figures[0].value.key), (id.0, &format!("{id}/f1")));
    assert_eq!(figures[0].value.journal, "ocean-ledger");
    site.save_article(&with_figures(&["f2"])).await.unwrap();
    let after = site.resources_of_article::<Picture>(id.0).await.unwrap();
    assert_eq!(after.len(), 1);
    assert_eq!(site.resources_of_articles::<Picture>(&[id.0, 0], 10).await.unwrap(), after);
    assert!(store.site(SiteId(33)).resources_of_articles::<Picture>(&[id.0], 10).await.unwrap().is_empty());
    assert!(site.resources_of_articles::<Picture>(&[id.0], 0).await.unwrap().is_empty());
    assert_eq!(after[0].id, figures[1].id, "a figure that is still present keeps its number");
    assert_eq!(site.resource_rows(id.0, 0, 10).await.unwrap().len(), 2);
    assert_eq!(site.resource_rows(0, 0, 10).await.unwrap().len(), 0, "nothing that belongs to no article");
    assert_eq!(site.resources_of_article::<TableSheet>(id.0).await.unwrap()[0].value.rows, 3);
}

async fn browse_index(store: &Store) {
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
    let first = site.save_article(&on("10.5555/s.1", "Ada L", "salt")).await.unwrap().id().0;
    let second = site.save_article(&on("10.5555/s.2", "Ada  l", "sand")).await.unwrap().id().0;
    let named = site.article_ids_by_names(&["https://doi.org/10.5555/S.1", "10.5555/s.2", "none", ""]).await.unwrap();
    assert_eq!(named.len(), 2);
    assert_eq!((named["https://doi.org/10.5555/S.1"].0, named["10.5555/s.2"].0), (first, second));
    assert_eq!(site.browse_articles(BrowseBy::Author, "ADA L", 10).await.unwrap(), [second, first]);
    assert_eq!(site.browse_articles(BrowseBy::Organization, "institute of tides", 1).await.unwrap(), [second]);
    assert_eq!(site.browse_articles(BrowseBy::Fund, "7", 10).await.unwrap().len(), 2);
    assert_eq!(site.browse_articles(BrowseBy::Keyword, "salt", 10).await.unwrap(), [first]);
    let several = [(BrowseBy::Author, "ADA L"), (BrowseBy::Keyword, "salt"), (BrowseBy::Keyword, "no such word")];
    let mut found = site.browse_several(&several, 10).await.unwrap();
    found.sort_unstable();
    let mut expected = vec![first, first, second];
    expected.sort_unstable();
    assert_eq!(found, expected, "an article as often as it stands under the labels");
    assert_eq!(site.browse_several(&several[..1], 1).await.unwrap(), [second], "the newest");
    assert!(site.browse_several(&[], 1).await.unwrap().is_empty());
    assert!(store.site(SiteId(26)).browse_articles(BrowseBy::Keyword, "salt", 10).await.unwrap().is_empty());
    site.save_article(&on("10.5555/s.1", "Grace H", "salt")).await.unwrap();
    assert_eq!(
        site.browse_articles(BrowseBy::Author, "Ada L", 10).await.unwrap(),
        [second],
        "the index follows the article"
    );
    let labels = site.browse_labels(BrowseBy::Keyword, "", 10).await.unwrap();
    assert_eq!(labels, [("salt".to_owned(), 1), ("sand".to_owned(), 1)]);
}

async fn removed_and_back(store: &Store) {
    let site = store.site(SiteId(27));
    let id = site.save_article(&with_figures(&["f1"])).await.unwrap().id();
    let other = site.save_article(&article("10.5555/other", "Other", "2")).await.unwrap().id();
    let whole = HarvestWindow { until_ms: i64::MAX, ..HarvestWindow::default() };
    let changed = site.article_changes(&whole, 10).await.unwrap();
    assert_eq!(changed.iter().map(|one| (one.id, one.removed)).collect::<Vec<_>>(), [(id, false), (other, false)]);
    assert!(!store.site(SiteId(28)).remove_article(id).await.unwrap(), "another site removes nothing");
    let before = store.latest_change().await.unwrap();
    assert!(site.remove_article(id).await.unwrap());
    assert!(!site.remove_article(id).await.unwrap(), "it is gone already");
    let log = store.changes_after(before, 10).await.unwrap();
    assert_eq!((log.len(), log[0].action), (1, ChangeAction::Removed), "a removal without effect is not logged");
    assert!(site.article(id).await.unwrap().is_none());
    assert!(site.resources_of_article::<Picture>(id.0).await.unwrap().is_empty());
    let gone = site.removed_article(id).await.unwrap().unwrap();
    let changed = site.article_changes(&whole, 10).await.unwrap();
    assert_eq!(changed.iter().map(|one| (one.id, one.removed)).collect::<Vec<_>>(), [(other, false), (id, true)]);
    assert!(changed[0].cursor() < gone.cursor(), "ordered also where both are of one millisecond");
    let behind = HarvestWindow { after: Some(changed[0].cursor()), ..whole.clone() };
    assert_eq!(site.article_changes(&behind, 10).await.unwrap().len(), 1);
    let elsewhere = HarvestWindow { journal: "no-such".into(), ..whole };
    assert!(site.article_changes(&elsewhere, 10).await.unwrap().is_empty());
    assert_eq!(site.save_article(&with_figures(&["f1"])).await.unwrap().id(), id, "it gets its number back");
    assert!(site.removed_article(id).await.unwrap().is_none());
    assert_eq!(site.article_listing(0, 10).await.unwrap().len(), 2);
    assert!(site.earliest_change().await.unwrap().is_some());
    let mut from = article("10.5555/origin", "From bytes", "3");
    from.origin = "sha256:1".into();
    let id = site.save_article(&from).await.unwrap().id();
    assert_eq!(site.article_id_by_origin("sha256:1").await.unwrap(), Some(id));
    assert_eq!(store.site(SiteId(28)).article_id_by_origin("sha256:1").await.unwrap(), None);
    assert_eq!(site.article_id_by_key("doi:10.5555/origin").await.unwrap(), Some(id));
}

/// Fifty articles are written while the clock stands still; some are written twice and one is removed between a harvester's pages.
async fn changes_of_one_moment(store: &Store) {
    let store = store.clone().with_clock(|| NOON);
    let site = store.site(SiteId(41));
    let batch: Vec<NewArticle> = (0..30).map(|number| article(&format!("10.5555/tie.{number}"), "Tie", "1")).collect();
    let mut ids: Vec<ArticleId> = Vec::new();
    for saved in site.save_articles(&batch).await {
        ids.push(saved.unwrap().id());
    }
    for number in 30..50 {
        let new = article(&format!("10.5555/tie.{number}"), "Tie", "1");
        ids.push(site.save_article(&new).await.unwrap().id());
    }
    let window = HarvestWindow { from_ms: NOON, until_ms: NOON, ..HarvestWindow::default() };
    let whole = site.article_changes(&window, 100).await.unwrap();
    assert_eq!(whole.iter().map(|one| one.id).collect::<Vec<_>>(), ids, "in the order in which they were written");
    assert!(whole.iter().all(|one| one.changed_ms == NOON), "all changes have the same time");
    for outside in [
        HarvestWindow { until_ms: NOON - 1, ..HarvestWindow::default() },
        HarvestWindow { from_ms: NOON + 1, until_ms: i64::MAX, ..HarvestWindow::default() },
    ] {
        assert!(site.article_changes(&outside, 100).await.unwrap().is_empty());
    }
    let (mut seen, mut after) = (Vec::new(), None);
    for page in 0.. {
        let list = site.article_changes(&HarvestWindow { after, ..window.clone() }, 7).await.unwrap();
        let Some(last) = list.last() else { break };
        assert!(list.len() == 7 || page == 7, "only the last page is short");
        after = Some(last.cursor());
        seen.extend(list.into_iter().map(|one| one.id));
    }
    assert_eq!(seen, ids, "pages neither omit nor repeat an article");
    // A change within the same millisecond behind the harvester's cursor comes after it.
    let again = article("10.5555/tie.3", "Tie, corrected", "1");
    assert_eq!(site.save_article(&again).await.unwrap(), Saved::Updated(ids[3]));
    assert!(site.remove_article(ids[1]).await.unwrap());
    let rest = site.article_changes(&HarvestWindow { after, ..window.clone() }, 7).await.unwrap();
    assert_eq!(rest.iter().map(|one| (one.id, one.removed)).collect::<Vec<_>>(), [(ids[3], false), (ids[1], true)]);
    assert_eq!(site.article_changes(&window, 100).await.unwrap().len(), 50, "each article once");
}

async fn articles_in_batches(store: &Store) {
    let site = store.site(SiteId(42));
    let before = store.latest_change().await.unwrap();
    let numbered = |number: usize| {
        let mut new = article(&format!("10.5555/batch.{number}"), "Batch", &number.to_string());
        new.pictures = vec![Picture { element: "f1".into(), ..Picture::default() }];
        new.article.meta.subjects = vec![format!("Subject {}", number % 2)];
        new
    };
    let batch: Vec<NewArticle> = (0..60).map(numbered).collect();
    let saved: Vec<_> = site.save_articles(&batch).await.into_iter().map(Result::unwrap).collect();
    assert!(saved.iter().all(|one| matches!(one, Saved::Created(_))));
    let log = store.changes_after(before, 100).await.unwrap();
    assert_eq!(log.iter().map(|line| line.seq).collect::<Vec<_>>(), (before + 1..=before + 60).collect::<Vec<_>>());
    let entities: Vec<String> = saved.iter().map(|one| one.id().to_string()).collect();
    assert_eq!(log.into_iter().map(|line| line.entity).collect::<Vec<_>>(), entities);
    assert_eq!(site.journals().await.unwrap().len(), 1);
    assert_eq!(site.browse_articles(BrowseBy::Subject, "subject 1", 100).await.unwrap().len(), 30);
    for one in [&saved[0], &saved[59]] {
        assert_eq!(site.resources_of_article::<Picture>(one.id().0).await.unwrap().len(), 1);
    }
    // A batch with an article that cannot be stored, a new one, and one that is in the list twice.
    let mut mixed = vec![batch[0].clone(), numbered(60), numbered(61), batch[1].clone(), numbered(60)];
    mixed[2].article.meta.source_key = "publisher-id:other".into();
    mixed[2].article.meta.doi = Some(Doi::parse("10.5555/batch.7").unwrap());
    let outcomes = site.save_articles(&mixed).await;
    assert_eq!(*outcomes[0].as_ref().unwrap(), Saved::Unchanged(saved[0].id()));
    let Saved::Created(new) = *outcomes[1].as_ref().unwrap() else { panic!("{outcomes:?}") };
    assert!(outcomes[2].is_err(), "another article has its DOI");
    assert_eq!(*outcomes[3].as_ref().unwrap(), Saved::Unchanged(saved[1].id()));
    assert_eq!(*outcomes[4].as_ref().unwrap(), Saved::Unchanged(new), "the same article again");
    assert_eq!(site.article_count().await.unwrap(), 61, "a failing article does not affect the others");
    assert_eq!(store.latest_change().await.unwrap(), before + 61, "a transaction that failed takes no number");
    let read = site.articles(&[saved[5].id(), new, ArticleId(0)]).await.unwrap();
    assert_eq!(read.len(), 2);
    assert_eq!(read[&new].meta.source_key, "doi:10.5555/batch.60");
    assert!(store.site(SiteId(43)).articles(&[new]).await.unwrap().is_empty());
    assert_eq!(site.full_articles(&[new, ArticleId(0)]).await.unwrap()[&new].0, read[&new].meta);
    assert!(site.save_articles(&[]).await.is_empty());
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
    let searched = |day, words: &str, readers: &str| -> Vec<Searched> {
        let one = |reader: char| Searched { site: SiteId(29), day, words: words.into(), reader: reader.into() };
        readers.chars().map(one).collect()
    };
    let first = [searched(100, "tide", "ab"), searched(90, "salt", "abcde")].concat();
    store.add_counts(&[count(1, 100, 5, 0), count(2, 100, 1, 2)], &first).await.unwrap();
    // The readers a and b are known already; on another day, they cannot be told from others.
    let again = [searched(100, "tide", "aab"), searched(101, "tide", "a"), searched(102, "mine", "aaa")].concat();
    store.add_counts(&[count(2, 101, 9, 0), count(1, 90, 20, 1)], &again).await.unwrap();
    for day in 103..110 {
        store.add_counts(&[], &searched(day, "mine", "a")).await.unwrap();
    }
    assert_eq!(site.totals("article", 1).await.unwrap(), Totals { visits: 25, downloads: 1 });
    assert_eq!(site.totals("article", 3).await.unwrap(), Totals::default());
    let [one, two, three] = [1, 2, 3].map(|article| (SiteId(29), ArticleId(article)));
    let of = store.sites([SiteId(29)]).article_totals(&[one, two, three]).await.unwrap();
    assert_eq!((of.len(), of[&two]), (2, Totals { visits: 10, downloads: 2 }));
    assert_eq!(site.ranking("article", Ranking::Visits, None, 10).await.unwrap(), [(1, 25), (2, 10)]);
    assert_eq!(site.ranking("article", Ranking::Visits, Some(100), 10).await.unwrap(), [(2, 10), (1, 5)]);
    assert_eq!(site.ranking("article", Ranking::Downloads, Some(100), 10).await.unwrap(), [(2, 2)]);
    assert_eq!(site.hot_words(95, 2, 10).await.unwrap(), [("tide".to_owned(), 3)], "a text of one reader is not hot");
    assert_eq!(site.hot_words(95, 3, 10).await.unwrap(), [], "three searches of two readers");
    assert_eq!(site.hot_words(0, 2, 1).await.unwrap(), [("salt".to_owned(), 5)]);
    store.forget_searches(95).await.unwrap();
    assert_eq!(site.hot_words(0, 2, 10).await.unwrap().len(), 1);
    // Several counts of one item at once, of one day and of two.
    let video = |day, visits| Count { kind: "video".into(), ..count(7, day, visits, 1) };
    store.add_counts(&[video(101, 2), video(100, 1), video(101, 4)], &[]).await.unwrap();
    assert_eq!(site.totals("video", 7).await.unwrap(), Totals { visits: 7, downloads: 3 });
    assert_eq!(site.ranking("video", Ranking::Visits, Some(101), 10).await.unwrap(), [(7, 6)]);
    let all = async |kinds: &[&str], by| {
        let mut all = site.all_counts(kinds, by).await.unwrap();
        all.sort_unstable();
        all.into_iter().map(|(kind, number, count)| format!("{kind} {number}: {count}")).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(all(&["article", "video", "book"], Ranking::Visits).await, "article 1: 25, article 2: 10, video 7: 7");
    assert_eq!(all(&["video"], Ranking::Downloads).await, "video 7: 3");
    imported_counts(store).await;
    let secret = store.reader_secret(100, &[1; 32]).await.unwrap();
    assert_eq!(secret, [1; 32]);
    assert_eq!(store.reader_secret(100, &[2; 32]).await.unwrap(), secret, "a day has one secret");
    store.forget_readers(101).await.unwrap();
    assert_eq!(store.reader_secret(100, &[3; 32]).await.unwrap(), [3; 32], "the secret is deleted with the readers");
    assert_eq!(site.hot_words(0, 2, 10).await.unwrap(), [("tide".to_owned(), 3)], "the numbers are kept");
    assert!(store.site(SiteId(30)).ranking("article", Ranking::Visits, None, 10).await.unwrap().is_empty());
}

/// Counts of another platform are taken over once, and never reduced.
async fn imported_counts(store: &Store) {
    let site = store.site(SiteId(1031));
    let count = |article, day, visits, downloads| ImportedCount { article: ArticleId(article), day, visits, downloads };
    let totals = async || site.totals("article", 40).await.unwrap();
    let own = Count { site: SiteId(1031), kind: "article".into(), entity: 40, day: 7, visits: 1, downloads: 1 };
    store.add_counts(&[own], &[]).await.unwrap();
    let days = [count(40, Some(5), 10, 2), count(40, Some(6), 5, 0), count(41, None, 3, 3)];
    assert_eq!(site.import_article_counts(&days).await.unwrap(), 2);
    assert_eq!(totals().await, Totals { visits: 16, downloads: 3 });
    assert_eq!(site.import_article_counts(&days).await.unwrap(), 0, "the same counts add nothing");
    assert_eq!(totals().await, Totals { visits: 16, downloads: 3 });
    let report = [count(40, None, 20, 1), count(40, Some(6), 4, 0)];
    assert_eq!(site.import_article_counts(&report).await.unwrap(), 1, "a sum adds what the days did not have");
    assert_eq!(totals().await, Totals { visits: 21, downloads: 3 });
    assert_eq!(site.import_article_counts(&[count(40, Some(8), 2, 0)]).await.unwrap(), 1);
    assert_eq!(totals().await, Totals { visits: 21, downloads: 3 }, "the day is a part of the sum");
    let daily: Vec<(i64, i64)> =
        site.daily("article", 40, 0, 9).await.unwrap().iter().map(|one| (one.day, one.visits)).collect();
    assert_eq!(daily, [(5, 10), (6, 5), (7, 1), (8, 2)]);
    assert_eq!(site.ranking("article", Ranking::Visits, None, 9).await.unwrap(), [(40, 21), (41, 3)]);
}

async fn cards_are_paged(store: &Store) {
    let site = store.site(SiteId(31));
    for number in 0..7 {
        site.save_article(&article(&format!("10.5555/p.{number}"), "Page", "1")).await.unwrap();
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
        assert!(cards.iter().map(|card| card.id).eq(seen.iter().rev().copied()), "in the requested order");
    }
}
