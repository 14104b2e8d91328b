//! Articles without identifiers stay the same articles when they are corrected.

use masthead_domain::{
    ArticleId, Doi, SiteId,
    article::{ArticleMeta, Contributor, Withdrawal},
};
use masthead_store::{
    AuditEntry, Changed, Count, ExistingArticle, NewArticle, RecordChange, Saved, SiteStore, Store, StoreError, Totals,
    edits_stamp, subjects, work_key,
};
use serde_json::{Value, json};

use super::article;

/// An article of which only the digest of its source is known.
fn unnamed(source: &str, title: &str, page: &str, author: &str) -> NewArticle {
    let mut new = article("10.5555/none", title, page);
    new.article.meta.doi = None;
    new.article.meta.source_key = format!("sha256:{source}");
    new.article.meta.contributors =
        vec![Contributor { role: "author".into(), surname: author.into(), ..Contributor::default() }];
    new
}

async fn found(site: &SiteStore, new: &NewArticle) -> ExistingArticle {
    site.recognise(&[&new.article.meta]).await.unwrap().pop().unwrap()
}

fn sameness(id: ArticleId, source_key: &str) -> ExistingArticle {
    ExistingArticle::As { id, source_key: source_key.to_owned() }
}

pub async fn suite(store: &Store) {
    corrected(store).await;
    uncertain(store).await;
    edited(store).await;
    edited_as_a_later_source(store).await;
    withdrawn(store).await;
}

async fn corrected(store: &Store) {
    let site = store.site(SiteId(55));
    let first = unnamed("a", "On tides", "7", "Pier");
    assert_eq!(found(&site, &first).await, ExistingArticle::No);
    let id = site.save_article(&first).await.unwrap().id();
    let viewed = Count { site: SiteId(55), kind: "article".into(), entity: id.0, day: 100, visits: 5, downloads: 1 };
    store.add_counts(&[viewed], &[]).await.unwrap();
    assert_eq!(found(&site, &first).await, ExistingArticle::No, "its key is known");

    let mut second = unnamed("b", "ON “TIDES”.", "007", "Pier");
    assert_eq!(found(&site, &second).await, sameness(id, "sha256:a"));
    assert_eq!(found(&store.site(SiteId(56)), &second).await, ExistingArticle::No, "of another site");
    second.replaces = Some(id);
    assert_eq!(site.save_article(&second).await.unwrap(), Saved::Updated(id));
    assert_eq!(site.article_count().await.unwrap(), 1);
    assert_eq!(site.article(id).await.unwrap().unwrap().meta.title("en"), "ON “TIDES”.");
    assert_eq!(site.totals("article", id.0).await.unwrap(), Totals { visits: 5, downloads: 1 });
    assert_eq!(site.save_article(&second).await.unwrap(), Saved::Unchanged(id));

    // It gets a DOI.
    let mut third = article("10.5555/work.1", "On tides", "7");
    assert_eq!(found(&site, &third).await, sameness(id, "sha256:b"));
    third.replaces = Some(id);
    assert_eq!(site.save_article(&third).await.unwrap(), Saved::Updated(id));
    assert_eq!(site.article_id_by_doi(&Doi::parse("10.5555/work.1").unwrap()).await.unwrap(), Some(id));

    // Now it has an identifier: another source without one may be of another article.
    let mut fourth = unnamed("c", "On tides", "7", "Pier");
    assert_eq!(found(&site, &fourth).await, ExistingArticle::Perhaps(vec![id]));
    fourth.replaces = Some(id);
    let Saved::Created(other) = site.save_article(&fourth).await.unwrap() else { panic!("not a new article") };
    assert_ne!(other, id, "an article with a DOI is not replaced by one without");
    let named = article("10.5555/work.2", "On tides", "7");
    assert_eq!(found(&site, &named).await, ExistingArticle::Perhaps(vec![id, other]));
}

async fn uncertain(store: &Store) {
    let site = store.site(SiteId(57));
    let first = unnamed("a", "Book reviews", "45", "Pier");
    let id = site.save_article(&first).await.unwrap().id();
    let perhaps = ExistingArticle::Perhaps(vec![id]);
    for (change, expected) in [
        (unnamed("b", "Book reviews", "45", "Mole"), &perhaps),
        (unnamed("b", "Book reviews", "46", "Pier"), &ExistingArticle::No),
        (unnamed("b", "Other reviews", "45", "Pier"), &ExistingArticle::No),
        (unnamed("b", "Book reviews", "", "Pier"), &ExistingArticle::No),
    ] {
        assert_eq!(found(&site, &change).await, *expected, "{:?}", change.article.meta);
    }
    let with = |edit: fn(&mut ArticleMeta)| {
        let mut new = unnamed("b", "Book reviews", "45", "Pier");
        edit(&mut new.article.meta);
        new
    };
    assert_eq!(found(&site, &with(|meta| meta.year = Some(2025))).await, perhaps);
    assert_eq!(found(&site, &with(|meta| meta.issue = "3".into())).await, ExistingArticle::No);
    let elsewhere = |meta: &mut ArticleMeta| {
        meta.journal.issn.clear();
        meta.journal.title = "Stone Ledger".into();
    };
    assert_eq!(found(&site, &with(elsewhere)).await, ExistingArticle::No, "another journal");

    // Two of a list are two articles.
    let (one, two) = (unnamed("b", "Book reviews", "45", "Pier"), unnamed("c", "Book reviews", "45", "Pier"));
    let both = site.recognise(&[&one.article.meta, &two.article.meta]).await.unwrap();
    assert_eq!(both, [perhaps.clone(), perhaps.clone()]);
    let both = site.recognise(&[&first.article.meta, &two.article.meta]).await.unwrap();
    assert_eq!(both, [ExistingArticle::No, perhaps], "the other one of the list is the known article");
    let fresh = [unnamed("x", "Notes", "9", "Pier"), unnamed("y", "Notes", "9", "Pier")];
    let both = site.recognise(&[&fresh[0].article.meta, &fresh[1].article.meta]).await.unwrap();
    assert_eq!(both, [ExistingArticle::Perhaps(vec![]), ExistingArticle::Perhaps(vec![])]);

    // As soon as there are two, neither is replaced.
    let second = site.save_article(&two).await.unwrap().id();
    assert_eq!(found(&site, &one).await, ExistingArticle::Perhaps(vec![id, second]));
    // The number of a removed article belongs to its own key.
    assert!(site.remove_article(second).await.unwrap());
    assert_eq!(found(&site, &two).await, ExistingArticle::No);
    let mut returned = two.clone();
    returned.replaces = Some(id);
    assert_eq!(site.save_article(&returned).await.unwrap(), Saved::Created(second));
    assert_eq!(site.article(id).await.unwrap().unwrap().meta.source_key, "sha256:a");
}

fn line(id: ArticleId) -> AuditEntry {
    AuditEntry {
        who: "ada".to_owned(),
        action: "changed".to_owned(),
        subject: subjects::article(id),
        before: Value::Null,
        after: Value::Null,
    }
}

/// Edits an article by hand; returns its edits.
async fn edit(site: &SiteStore, id: ArticleId, new: &NewArticle, fields: &[(&str, Value)]) -> Vec<(String, Value)> {
    let version = site.article_version(id).await.unwrap().unwrap();
    let fields: Vec<_> = fields.iter().map(|(path, value)| ((*path).to_owned(), Some(value.clone()))).collect();
    let change = RecordChange { from: Some(&version), entry: &line(id), fields: &fields };
    assert_eq!(site.edit_article(id, new, change).await.unwrap(), Changed::Made);
    site.edits(&subjects::article(id)).await.unwrap()
}

async fn edited(store: &Store) {
    let site = store.site(SiteId(58));
    let first = unnamed("a", "On tides", "7", "Pier");
    let id = site.save_article(&first).await.unwrap().id();
    let mut by_hand = unnamed("a", "On tides and ebbs", "7", "Peer");
    by_hand.article.meta.year = Some(2025);
    let fields = [("titles.en", json!("On tides and ebbs")), ("contributors", json!([])), ("year", json!(2025))];
    let edits = edit(&site, id, &by_hand, &fields).await;
    // A later source has the values of the first one, which an editor has replaced.
    let second = unnamed("b", "On tides", "7", "Pier");
    assert_eq!(found(&site, &second).await, sameness(id, "sha256:a"));
    let mut stored = by_hand.clone();
    stored.article.meta.source_key = "sha256:b".into();
    (stored.edits, stored.replaces) = (edits_stamp(&edits), Some(id));
    stored.work_key = work_key(&second.article.meta);
    assert_eq!(site.save_article(&stored).await.unwrap(), Saved::Updated(id));
    let third = unnamed("c", "On tides", "7", "Pier");
    assert_eq!(found(&site, &third).await, sameness(id, "sha256:b"), "an import keeps what the source says");

    // A moved article is recognised in its former journal by its authors, too.
    let other = unnamed("m", "On quays", "9", "Pier");
    let moved = site.save_article(&other).await.unwrap().id();
    let mut elsewhere = other.clone();
    elsewhere.article.meta.journal.issn.clear();
    elsewhere.article.meta.journal.title = "Stone Ledger".into();
    edit(&site, moved, &elsewhere, &[("journal", json!("stone-ledger"))]).await;
    assert_eq!(found(&site, &unnamed("n", "On quays", "9", "Pier")).await, sameness(moved, "sha256:m"));
    assert_eq!(found(&site, &unnamed("n", "On quays", "9", "Mole")).await, ExistingArticle::No);
}

async fn edited_as_a_later_source(store: &Store) {
    let site = store.site(SiteId(60));
    let id = site.save_article(&unnamed("a", "On tids", "7", "Pier")).await.unwrap().id();
    let corrected = unnamed("b", "On tides", "8", "Pier");
    assert_eq!(found(&site, &corrected).await, ExistingArticle::No, "before the edit");
    let mut by_hand = unnamed("a", "On tides", "8", "Pier");
    by_hand.article.meta.issue = "3".into();
    let fields = [("titles.en", json!("On tides")), ("firstPage", json!("8")), ("issue", json!("3"))];
    edit(&site, id, &by_hand, &fields).await;
    assert_eq!(found(&site, &corrected).await, ExistingArticle::No, "of another issue");
    let in_issue = |mut new: NewArticle| {
        new.article.meta.issue = "3".into();
        new
    };
    assert_eq!(found(&site, &in_issue(corrected)).await, sameness(id, "sha256:a"), "it has what the editor wrote");
    assert_eq!(found(&site, &unnamed("c", "On tids", "7", "Pier")).await, sameness(id, "sha256:a"), "as it was");
    let others = in_issue(unnamed("d", "On tides", "8", "Mole"));
    assert_eq!(found(&site, &others).await, ExistingArticle::Perhaps(vec![id]));
    assert_eq!(found(&store.site(SiteId(61)), &others).await, ExistingArticle::No, "of another site");

    // Another article that a source has in this place makes it uncertain.
    let second = site.save_article(&others).await.unwrap().id();
    let again = in_issue(unnamed("e", "On tides", "8", "Pier"));
    assert_eq!(found(&site, &again).await, ExistingArticle::Perhaps(vec![second, id]));
}

async fn withdrawn(store: &Store) {
    let site = store.site(SiteId(59));
    let id = site.save_article(&unnamed("a", "On tides", "7", "Pier")).await.unwrap().id();
    edit(&site, id, &unnamed("a", "On ebbs", "7", "Pier"), &[("titles.en", json!("On ebbs"))]).await;
    let version = site.article_version(id).await.unwrap().unwrap();
    let withdrawal = Withdrawal { date: "2026-05-01".into(), ..Withdrawal::default() };
    let fields = [("withdrawn".to_owned(), Some(json!({ "date": "2026-05-01" })))];
    let change = RecordChange { from: Some(&version), entry: &line(id), fields: &fields };
    assert_eq!(site.withdraw_article(id, &withdrawal, change).await.unwrap(), Changed::Made);

    let mut second = unnamed("b", "On tides", "7", "Pier");
    let is_withdrawn = ExistingArticle::Withdrawn { id, source_key: "sha256:a".into() };
    assert_eq!(found(&site, &second).await, is_withdrawn);
    assert_eq!(found(&site, &unnamed("b", "On tides", "7", "Mole")).await, ExistingArticle::Perhaps(vec![id]));
    assert_eq!(found(&site, &unnamed("b", "On ebbs", "7", "Pier")).await, is_withdrawn, "as it was edited");
    // It may be withdrawn after a corrected source was recognised.
    second.replaces = Some(id);
    let refused = site.save_article(&second).await.unwrap_err();
    assert!(matches!(refused, StoreError::EditedMeanwhile(number) if number == id.0), "{refused}");
    assert_eq!(site.article_count().await.unwrap(), 0);

    let version = site.withdrawn_article(id).await.unwrap().unwrap().version;
    let released = [("withdrawn".to_owned(), None::<Value>)];
    let change = RecordChange { from: Some(&version), entry: &line(id), fields: &released };
    assert_eq!(site.reinstate_article(id, change).await.unwrap(), Changed::Made);
    assert_eq!(found(&site, &second).await, sameness(id, "sha256:a"), "what the source says is kept with it");
    assert_eq!(found(&site, &unnamed("b", "On ebbs", "7", "Pier")).await, sameness(id, "sha256:a"));
}
