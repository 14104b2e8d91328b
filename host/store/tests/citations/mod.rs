//! Citations, counted from the references of the articles of the installation.

use std::collections::BTreeSet;

use masthead_domain::{
    ArticleId, SiteId,
    content::{Citation, RefList, Reference},
};
use masthead_store::{NewArticle, Store};

use crate::article;

const ONE: SiteId = SiteId(141);
const OTHER: SiteId = SiteId(142);

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
    const CITED: &str = "10.5555/cited.1";
    let count = async || {
        let counts = store.citation_counts(&[CITED.to_owned(), "10.5555/nobody".to_owned()]).await.unwrap();
        assert!(!counts.contains_key("10.5555/nobody"));
        counts.get(CITED).copied().unwrap_or(0)
    };
    let cited = save(store, ONE, &citing(CITED, &[])).await;
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
}
