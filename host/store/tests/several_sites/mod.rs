//! Reads of what several sites have: an entry is found by its own site and number, and by no other pair.

use std::collections::HashMap;

use masthead_domain::{
    ArticleId, SiteId,
    publication::Journal,
    resource::{Comment, CommentState, News},
};
use masthead_store::{Count, SiteArticle, SitesStore, Store, Totals};

use crate::article;

const ONE: SiteId = SiteId(1061);
const TWO: SiteId = SiteId(1062);
const OUTSIDE: SiteId = SiteId(1063);

/// An article, and a piece of news.
async fn fill(store: &Store, site: SiteId) -> (ArticleId, i64) {
    let site = store.site(site);
    let id = site.save_article(&article("10.5555/several.1", "Tides", "1")).await.unwrap().id();
    let news = News { key: "tides".into(), ..News::default() };
    (id, site.save_resource(&news).await.unwrap().id())
}

fn keys<K: Ord, V>(found: HashMap<K, V>) -> Vec<K> {
    let mut keys: Vec<K> = found.into_keys().collect();
    keys.sort();
    keys
}

pub async fn suite(store: &Store, url: &str) {
    let [one, two, outside] = [fill(store, ONE).await, fill(store, TWO).await, fill(store, OUTSIDE).await];
    let sites = store.sites([ONE, TWO]);
    by_pairs(store, &sites, [one, two, outside]).await;
    journals(store, &sites).await;
    numbers(store, &sites, [one.0, two.0, outside.0]).await;
    the_same_number_twice(store, url, one).await;
}

async fn by_pairs(store: &Store, sites: &SitesStore, [one, two, outside]: [(ArticleId, i64); 3]) {
    let own = [(ONE, one.0), (TWO, two.0)];
    let others = [(ONE, two.0), (TWO, one.0), (ONE, ArticleId(i64::MAX)), (OUTSIDE, outside.0), (ONE, outside.0)];
    let asked = [&own[..1], &own[..], &others[..]].concat();
    let cards = sites.cards_by_id(&asked).await.unwrap();
    assert_eq!(cards[&own[0]], store.site(ONE).cards_by_id(&[one.0]).await.unwrap()[0]);
    assert_eq!(keys(cards), own);
    let articles = sites.articles(&asked).await.unwrap();
    let stored = store.site(TWO).article(two.0).await.unwrap().unwrap();
    let read = &articles[&own[1]];
    assert_eq!((&read.meta, &read.rendered, read.change_seq), (&stored.meta, &stored.rendered, stored.change_seq));
    assert_eq!(keys(articles), own);
    let metas = sites.metas(&asked).await.unwrap();
    assert_eq!(metas[&own[1]], (stored.meta, stored.changed_ms));
    assert_eq!(keys(metas), own);

    let asked = [(ONE, one.1), (TWO, two.1), (ONE, two.1), (TWO, one.1), (ONE, i64::MAX), (OUTSIDE, outside.1)];
    let rows = sites.resource_rows_by_id(&asked).await.unwrap();
    assert_eq!(rows[&asked[0]], store.site(ONE).resource_rows_by_id(&[one.1]).await.unwrap()[&one.1]);
    assert_eq!(keys(rows), asked[..2]);

    assert!(sites.cards_by_id(&[]).await.unwrap().is_empty());
    let none = store.sites([]);
    assert!(none.cards_by_id(&own).await.unwrap().is_empty());
    assert!(none.resource_rows_by_id(&asked).await.unwrap().is_empty());
}

async fn journals(store: &Store, sites: &SitesStore) {
    store.site(ONE).save_journal(&Journal { key: "empty".into(), ..Journal::default() }).await.unwrap();
    let asked = [(ONE, "ocean-ledger"), (ONE, "empty"), (TWO, "none"), (OUTSIDE, "ocean-ledger")];
    let found = sites.shown_journals(&asked).await.unwrap();
    let key = (ONE, "ocean-ledger".to_owned());
    assert_eq!(found[&key], store.site(ONE).shown_journals().await.unwrap()[0]);
    assert_eq!(keys(found), [key], "readers see no journal without articles");
}

/// What is counted of articles.
async fn numbers(store: &Store, sites: &SitesStore, [one, two, outside]: [ArticleId; 3]) {
    let asked: [SiteArticle; 5] = [(ONE, one), (TWO, two), (ONE, two), (TWO, one), (OUTSIDE, outside)];
    let count = |site: SiteId, article: ArticleId, visits: i64| {
        let kind = "article".to_owned();
        Count { site, kind, entity: article.0, day: 100, visits, downloads: 1 }
    };
    store.add_counts(&[count(ONE, one, 2), count(ONE, one, 3), count(OUTSIDE, outside, 9)], &[]).await.unwrap();
    let expected = HashMap::from([((ONE, one), Totals { visits: 5, downloads: 2 })]);
    assert_eq!(sites.article_totals(&asked).await.unwrap(), expected);
    for (site, article, state) in
        [(ONE, one, CommentState::Waiting), (TWO, two, CommentState::Shown), (OUTSIDE, outside, CommentState::Shown)]
    {
        let comment = Comment { key: "c".into(), article: article.0, state, ..Comment::default() };
        store.site(site).save_resource(&comment).await.unwrap();
    }
    assert_eq!(sites.comment_counts(&asked).await.unwrap(), HashMap::from([((TWO, two), 1)]));
    assert!(store.site(ONE).save_external_citations(one, 4).await.unwrap());
    assert!(store.site(OUTSIDE).save_external_citations(outside, 7).await.unwrap());
    let cited = asked.map(|article| (article, None));
    assert_eq!(sites.citation_counts(&cited).await.unwrap(), HashMap::from([((ONE, one), 4)]));
    let named = asked.map(|article| (article, Some("10.5555/several.1".to_owned())));
    let alone = store.site(ONE).citation_counts(&[(one, named[0].1.clone())]).await.unwrap();
    assert_eq!(sites.citation_counts(&named).await.unwrap().get(&(ONE, one)), alone.get(&one));
}

/// A copy of a site keeps its numbers, so that two sites can have the same one.
async fn the_same_number_twice(store: &Store, url: &str, (article, news): (ArticleId, i64)) {
    let direct = sqlx::AnyPool::connect(url).await.unwrap();
    for sql in [
        format!(
            "INSERT INTO articles (id, site_id, source_key, digest, journal, year, issue, page_key, published, \
             first_status, card, meta, body, rendered) \
             SELECT id, {TWO}, 'copied', digest, journal, year, issue, page_key, published, first_status, \
             REPLACE(card, 'Tides', 'Ebbs'), meta, body, rendered \
             FROM articles WHERE site_id = {ONE} AND id = {article}"
        ),
        format!(
            "INSERT INTO resources (id, site_id, kind, entry, section, article_id, position, dated, data) \
             SELECT id, {TWO}, kind, 'copied', section, article_id, position, dated, REPLACE(data, 'tides', 'copied') \
             FROM resources WHERE site_id = {ONE} AND id = {news}"
        ),
    ] {
        assert_eq!(sqlx::query(sqlx::AssertSqlSafe(sql)).execute(&direct).await.unwrap().rows_affected(), 1);
    }
    direct.close().await;
    let (articles, rows) = ([(ONE, article), (TWO, article)], [(ONE, news), (TWO, news)]);
    let sites = store.sites([ONE, TWO]);
    let cards = sites.cards_by_id(&articles).await.unwrap();
    let titles = articles.map(|one| cards[&one].titles[0].plain.clone());
    assert_eq!(titles, ["Tides", "Ebbs"]);
    let found = sites.resource_rows_by_id(&rows).await.unwrap();
    let copied = rows.map(|one| found[&one].data.contains("copied"));
    assert_eq!(copied, [false, true]);
    assert_eq!(keys(store.sites([TWO]).cards_by_id(&articles).await.unwrap()), articles[1..]);
    assert_eq!(keys(store.sites([ONE]).resource_rows_by_id(&rows).await.unwrap()), rows[..1]);
}
