//! Citations, counted from the references of the articles of the installation.

use std::collections::BTreeSet;

use masthead_domain::{
    ArticleId, SiteId,
    content::{Citation, RefList, Reference},
};
use masthead_store::{ChangeAction, ChangeKind, NewArticle, Store};

use crate::article;

const ONE: SiteId = SiteId(141);
const OTHER: SiteId = SiteId(142);
const CITED: &str = "10.5555/cited.1";

fn citing(doi: &str, cited: &[&str]) -> NewArticle {
    let mut new = article(doi, doi, "1");
    let reference = |doi: &&str| {
        let citation = Citation { doi: (*doi).to_owned(), ..Citation::default() };
        Reference { citations: vec![citation.clone(), citation], ..Reference::default() }
    };
    let refs = cited.iter().map(reference).collect();
    new.article.body.reference_lists = vec![RefList { refs, ..RefList::default() }];
    new
}

async fn save(store: &Store, site: SiteId, new: &NewArticle) -> ArticleId {
    store.site(site).save_article(new).await.unwrap().id()
}

/// An article counts once for each other article of the installation that cites it, on whatever site.
pub async fn suite(store: &Store) {
    let cited = save(store, ONE, &citing(CITED, &[])).await;
    let uncited = save(store, ONE, &citing("10.5555/nobody", &[])).await;
    let count = async || {
        let articles =
            [(cited, Some(CITED.to_owned())), (uncited, Some("10.5555/nobody".to_owned())), (ArticleId(0), None)];
        let counts = store.site(ONE).citation_counts(&articles).await.unwrap();
        assert!(counts.keys().all(|id| *id == cited));
        counts.get(&cited).copied().unwrap_or(0)
    };
    let copy = save(store, OTHER, &citing(CITED, &[])).await;
    assert_eq!(count().await, 0);
    // In any form of the DOI, twice in one list, and of an article that two sites have.
    let first = save(
        store,
        ONE,
        &citing("10.5555/citing.1", &["10.5555/CITED.1", "https://doi.org/10.5555/cited.1", "no DOI"]),
    )
    .await;
    save(store, OTHER, &citing("10.5555/citing.1", &[CITED])).await;
    assert_eq!(count().await, 1);
    let second = save(store, OTHER, &citing("10.5555/citing.2", &[CITED])).await;
    assert_eq!(count().await, 2);

    let both: BTreeSet<(SiteId, i64)> = [(ONE, cited.0), (OTHER, copy.0)].into();
    let told = async |site, id: ArticleId| store.cited_articles(site, &[id.0]).await.unwrap();
    assert_eq!(told(OTHER, second).await, both);
    assert_eq!(told(ONE, cited).await, BTreeSet::new());

    // A new version that cites something else, and one that is removed, still tell whose count has changed.
    save(store, OTHER, &citing("10.5555/citing.2", &["10.5555/else"])).await;
    assert_eq!((count().await, told(OTHER, second).await), (1, both.clone()));
    save(store, OTHER, &citing("10.5555/citing.2", &[CITED])).await;
    assert_eq!(count().await, 2);
    store.site(OTHER).remove_article(second).await.unwrap();
    assert_eq!((count().await, told(OTHER, second).await), (1, both.clone()));
    store.site(ONE).remove_article(first).await.unwrap();
    assert_eq!(count().await, 1, "the other site still has the citing article");

    external(store, cited, copy).await;
}

/// What a service knows of an article counts on the site that imported it, if it knows more than the installation does.
async fn external(store: &Store, cited: ArticleId, copy: ArticleId) {
    let site = store.site(ONE);
    let count = async |site, id| {
        let counts = store.site(site).citation_counts(&[(id, Some(CITED.to_owned()))]).await.unwrap();
        counts.get(&id).copied().unwrap_or(0)
    };
    let end = store.latest_change().await.unwrap();
    assert!(site.save_external_citations(cited, 41).await.unwrap());
    assert!(!site.save_external_citations(cited, 41).await.unwrap(), "the same number again");
    assert_eq!((count(ONE, cited).await, count(OTHER, copy).await), (41, 1));
    let changes = store.changes_after(end, 9).await.unwrap();
    let [change] = changes.as_slice() else { panic!("{changes:?}") };
    let expected = (ONE, ChangeKind::Article, ChangeAction::Recounted, cited.to_string());
    assert_eq!((change.site, change.kind, change.action, change.entity.clone()), expected);
    // Fewer than the installation knows of.
    assert!(site.save_external_citations(cited, 0).await.unwrap());
    assert_eq!(count(ONE, cited).await, 1);
    assert!(site.save_external_citations(cited, u32::MAX).await.unwrap());
    assert_eq!(count(ONE, cited).await, u32::MAX);
    assert!(
        !site.save_external_citations(ArticleId(999_999), 3).await.unwrap(),
        "an article that the site does not have"
    );
    site.remove_article(cited).await.unwrap();
    assert_eq!(count(ONE, cited).await, 1, "the number goes with the article");
}
