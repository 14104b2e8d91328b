//! Every way in which rows of articles are written: the next backup has them, whatever it takes over from the one before.

use masthead_domain::{
    ArticleId, Lang, LocalText,
    article::{RelatedArticle, Withdrawal},
};
use masthead_store::{
    AuditEntry, Changed, NewArticle, RecordChange, Saved, Store,
    backup::Value,
    site_rows::{Replaced, Replacement, SiteDiff, SiteRow, SiteRows},
};

use super::{Desk, SITE, new_article, rows};

/// Takes a backup, restores it, and compares all rows with those of the source.
async fn is_followed(desk: &Desk, what: &str) {
    let saved = desk.save(false, false).await.manifest;
    desk.restore(what, Some(&saved.name), false).await.unwrap();
    assert_eq!(desk.restored_rows(what).await, rows(&desk.store).await, "{what}");
}

/// An installation with a backup of sixty articles, and the numbers of these.
async fn desk() -> (Desk, Vec<ArticleId>) {
    let desk = Desk::new().await;
    let mut ids = Vec::new();
    for number in 0..60 {
        ids.push(ArticleId(desk.article(number, 1).await));
    }
    desk.save(false, false).await;
    (desk, ids)
}

/// An article of which only the digest of its source is known.
fn unnamed(source: &str, version: usize) -> NewArticle {
    let mut new = new_article(80, version);
    new.article.meta.doi = None;
    new.article.meta.source_key = format!("sha256:{source}");
    new
}

#[tokio::test]
async fn imports_are_followed() {
    let (desk, ids) = desk().await;
    let site = desk.store.site(SITE);
    assert!(site.rename_source_key(ids[3], "ojs:tides/3").await.unwrap());
    is_followed(&desk, "another source key").await;
    let first = site.save_article(&unnamed("a", 1)).await.unwrap().id();
    is_followed(&desk, "a new article").await;
    let corrected = NewArticle { replaces: Some(first), ..unnamed("b", 2) };
    assert_eq!(site.save_article(&corrected).await.unwrap(), Saved::Updated(first));
    is_followed(&desk, "a corrected article without identifiers").await;
    let mut notice = new_article(81, 1);
    notice.article.meta.article_type = "retraction".into();
    let (kind, href) = ("retracted-article".to_owned(), "10.5555/backup.7".to_owned());
    notice.article.meta.related = vec![RelatedArticle { kind, href, text: String::new() }];
    let notice = site.save_article(&notice).await.unwrap().id();
    is_followed(&desk, "a notice about another article").await;
    assert!(site.remove_article(notice).await.unwrap());
    is_followed(&desk, "a notice that is gone").await;
    assert!(site.remove_article(ids[11]).await.unwrap());
    assert_eq!(desk.article(11, 1).await, ids[11].0, "it has its former number");
    is_followed(&desk, "an article that came back").await;
}

#[tokio::test]
async fn changes_by_hand_are_followed() {
    let (desk, ids) = desk().await;
    let (site, id) = (desk.store.site(SITE), ids[20]);
    let entry = AuditEntry { who: "ada".to_owned(), ..AuditEntry::default() };
    let version = site.article_version(id).await.unwrap();
    let change = RecordChange { from: version.as_deref(), entry: &entry, fields: &[] };
    assert_eq!(site.edit_article(id, &new_article(20, 5), change).await.unwrap(), Changed::Made);
    is_followed(&desk, "an edited article").await;
    let version = site.article_version(id).await.unwrap();
    let change = RecordChange { from: version.as_deref(), ..change };
    let withdrawal = Withdrawal { date: "2026-05-01".into(), reason: LocalText::of(Lang::En, "Salt in the data") };
    assert_eq!(site.withdraw_article(id, &withdrawal, change).await.unwrap(), Changed::Made);
    is_followed(&desk, "a withdrawn article").await;
    let version = site.withdrawn_article(id).await.unwrap().unwrap().version;
    let change = RecordChange { from: Some(&version), ..change };
    let later = Withdrawal { date: "2026-05-02".into(), ..withdrawal };
    assert_eq!(site.edit_withdrawal(id, &later, change).await.unwrap(), Changed::Made);
    is_followed(&desk, "another reason").await;
    let version = site.withdrawn_article(id).await.unwrap().unwrap().version;
    let change = RecordChange { from: Some(&version), ..change };
    assert_eq!(site.reinstate_article(id, change).await.unwrap(), Changed::Made);
    is_followed(&desk, "a reinstated article").await;
    let version = site.article_version(id).await.unwrap();
    let change = RecordChange { from: version.as_deref(), ..change };
    assert_eq!(site.remove_article_record(id, change).await.unwrap(), Changed::Made);
    is_followed(&desk, "an article removed by hand").await;
}

/// Makes the site a copy of itself in which rows were changed on the way, with the moments that they had.
async fn load(desk: &Desk, name: &str, change: impl Fn(&str, &mut SiteRow)) {
    let here = SiteRows::of(desk.store.site(SITE)).await.unwrap();
    let store = Store::open_file(&desk.path(name)).await.unwrap();
    let copy = SiteRows::of(store.site(SITE)).await.unwrap();
    let tables: Vec<&str> = here.kept().chain(["compressed_html"]).collect();
    for table in tables {
        let mut after: Option<SiteRow> = None;
        loop {
            let mut read = here.rows(table, after.as_ref()).await.unwrap();
            let Some(last) = read.last().cloned() else { break };
            after = Some(last);
            read.iter_mut().for_each(|row| change(table, row));
            copy.add(table, &read).await.unwrap();
        }
    }
    copy.record_uses().await.unwrap();
    let allowed = |_: &SiteDiff| true;
    let mut keep = |_: &str| std::io::Result::Ok(());
    let line = AuditEntry { who: "ada".into(), action: "loaded".into(), ..AuditEntry::default() };
    let replacement =
        Replacement { allowed: &allowed, folder: "sites", configuration: &[], audit: &line, keep_file: &mut keep };
    let Replaced::Done(diff) = here.replace(&copy, replacement).await.unwrap() else { panic!("refused") };
    assert!(!diff.is_empty(), "{name} changes nothing");
    store.close().await;
}

#[tokio::test]
async fn loaded_sites_are_followed() {
    let (desk, ids) = desk().await;
    let is_one = |row: &SiteRow, column: &str| row.get(column) == Some(&Value::Int(ids[31].0));
    load(&desk, "rendered.db", |table, row| {
        if table == "articles" && is_one(row, "id") {
            row.insert("rendered".to_owned(), Value::Text("{\"text\":\"another\"}".to_owned()));
        }
    })
    .await;
    is_followed(&desk, "an article with other content and the same moment").await;
    load(&desk, "blocks.db", |table, row| {
        if table == "compressed_html" && is_one(row, "article_id") {
            row.insert("blocks".to_owned(), Value::Bytes(vec![1, 2, 3]));
        }
    })
    .await;
    is_followed(&desk, "an article that was compressed in another way").await;
}
