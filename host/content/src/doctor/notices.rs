//! Corrections, retractions and comments that are not linked with the article that they are about.

use masthead_domain::{
    Doi,
    article::{ArticleMeta, RelatedArticle},
};
use masthead_store::{SiteStore, StoreError};

use super::Notes;

const CHECK: &str = "notices";
/// Number of articles that are read at once.
const PAGE: i64 = 200;
/// JATS `@related-article-type` of the article that a notice is about.
const SUBJECTS: [&str; 6] = [
    "corrected-article",
    "retracted-article",
    "commentary-article",
    "updated-article",
    "addended-article",
    "object-of-concern",
];

/// The notices of a site.
pub async fn check(content: &SiteStore, notes: &mut Notes<'_>) -> Result<(), StoreError> {
    let mut after = 0;
    loop {
        let listing = content.article_listing(after, PAGE).await?;
        let Some(last) = listing.last() else { return Ok(()) };
        after = last.id.0;
        let ids: Vec<_> = listing.iter().map(|article| article.id).collect();
        let mut metas: Vec<_> = content.metas(&ids).await?.into_iter().collect();
        metas.sort_by_key(|(id, _)| id.0);
        for (id, (meta, _)) in metas {
            for related in meta.related.iter().filter(|related| SUBJECTS.contains(&related.kind.as_str())) {
                if let Some((message, fix)) = fault(content, &meta, related).await? {
                    notes.warning(CHECK, format!("article/{id} {}", related.kind), message, &fix);
                }
            }
        }
    }
}

/// What is wrong with the link of a notice, and the fix.
async fn fault(
    content: &SiteStore,
    notice: &ArticleMeta,
    related: &RelatedArticle,
) -> Result<Option<(String, String)>, StoreError> {
    let Ok(about) = Doi::parse(&related.href) else {
        // An address of another server may be that of the article; a notice without any is about nothing.
        let message = "the notice names no article by its DOI".to_owned();
        let fix = "import the notice again with the DOI of the article".to_owned();
        return Ok(related.href.is_empty().then_some((message, fix)));
    };
    let Some(id) = content.article_id_by_doi(&about).await? else {
        let fix = "import the article that the notice is about, or correct the DOI in the notice".to_owned();
        return Ok(Some((format!("the notice is about {about}, which is not on this site"), fix)));
    };
    let Some(own) = &notice.doi else { return Ok(None) };
    let subject = content.metas(&[id]).await?.remove(&id);
    let names = |link: &RelatedArticle| Doi::parse(&link.href).is_ok_and(|doi| doi == *own);
    if subject.is_some_and(|(meta, _)| meta.related.iter().any(names)) {
        return Ok(None);
    }
    let fix = format!("import the article {id} again with a related-article that names {own}");
    Ok(Some((format!("the article {id} ({about}), which it is about, does not link back to it"), fix)))
}
