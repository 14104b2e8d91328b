//! Opening a database of an earlier version records what its rows have, also where many sites have articles with the same number.

use masthead_domain::{
    SiteId,
    article::RelatedArticle,
    content::{Citation, RefList, Reference},
};
use masthead_store::Store;

use crate::article;

const FIRST_SITE: i64 = 8000;
/// More than are read at a time.
const SITES: i64 = 60;

async fn count(database: &sqlx::AnyPool, condition: &'static str) -> i64 {
    let sql = format!("SELECT COUNT(*) FROM {condition} AND site_id BETWEEN 8000 AND 8059");
    sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_one(database).await.unwrap()
}

pub async fn suite(store: &Store, url: &str) {
    let digest = "9c".repeat(32);
    for site in FIRST_SITE..FIRST_SITE + SITES {
        let mut new = article("10.5555/same-number", "Same number", "7");
        new.rendered = format!("{{\"html\":\"<img src='/media/{site}/{digest}.png'>\"}}");
        new.article.meta.article_type = "correction".into();
        new.article.meta.related =
            vec![RelatedArticle { kind: "corrected-article".into(), href: "10.9999/x".into(), text: String::new() }];
        let citation = Citation { doi: "10.9999/cited".into(), ..Citation::default() };
        let reference = Reference { citations: vec![citation], ..Reference::default() };
        new.article.body.reference_lists = vec![RefList { refs: vec![reference], ..RefList::default() }];
        store.site(SiteId(site)).save_article(&new).await.unwrap();
    }
    let earlier = sqlx::AnyPool::connect(url).await.unwrap();
    for statement in [
        "UPDATE articles SET id = 990001, work_key = '' WHERE site_id BETWEEN 8000 AND 8059",
        "DELETE FROM article_notices WHERE site_id BETWEEN 8000 AND 8059",
        "DELETE FROM media_uses WHERE site_id BETWEEN 8000 AND 8059",
        "DELETE FROM citations WHERE site_id BETWEEN 8000 AND 8059",
        "UPDATE sequences SET value = 0 WHERE name IN ('sections', 'notices', 'media_uses', 'citations')",
    ] {
        sqlx::query(statement).execute(&earlier).await.unwrap();
    }
    Store::open(url).await.unwrap().close().await;
    for condition in [
        "articles WHERE id = 990001 AND work_key <> ''",
        "article_notices WHERE article_id = 990001",
        "media_uses WHERE used_by = 'article/990001' AND ended = 0",
        "citations WHERE article_id = 990001 AND cited = '10.9999/cited' AND gone = 0",
    ] {
        assert_eq!(count(&earlier, condition).await, SITES, "{condition}");
    }
    earlier.close().await;
}
