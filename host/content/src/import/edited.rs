//! Articles that are imported again after somebody has edited or withdrawn them. The import looks for the edits after it has found the article
//! that is meant, because the source of an article without identifiers has another key than before.

use masthead_domain::{ArticleId, resource::Renditions};
use masthead_store::{Edits, NewArticle, SiteStore, StoreError, edits_stamp, subjects, work_key};
use serde_json::Value;

use crate::{
    article_fields,
    import::{
        Item, MediaWriter, Outcome,
        article::{kept_by_hand, rendered_again},
    },
};

/// The line of the report about a withdrawn article.
pub(super) const STAYS_WITHDRAWN: &str = "the article is withdrawn and stays so; `masthead article set` puts it back";

/// Puts the fields that were edited by hand into articles that are about to be stored. Their items, those of `items` with `true`, in the same
/// order, say which fields differed. What is not to be stored is taken out of `articles`, and its item gets its outcome.
pub(super) async fn keep_edits(
    media_writer: &MediaWriter,
    articles: &mut Vec<NewArticle>,
    items: &mut [(Item, bool)],
) -> Result<(), StoreError> {
    let items: Vec<&mut (Item, bool)> = items.iter_mut().filter(|one| one.1).collect();
    let all = std::mem::take(articles);
    for (new, (item, is_stored)) in all.into_iter().zip(items) {
        let Some((id, edits)) = edits_of(&media_writer.store, &new).await? else {
            articles.push(new);
            continue;
        };
        if edits.iter().any(|(path, _)| article_fields::is_withdrawal(path)) {
            // It was withdrawn while it was converted.
            item.warnings.push(STAYS_WITHDRAWN.to_owned());
            (item.outcome, item.article, *is_stored) = (Outcome::Unchanged, Some(id.0), false);
            continue;
        }
        match with_edits(media_writer, new, &edits, item).await {
            Ok(new) => articles.push(new),
            Err(error) => (*item, *is_stored) = (item.clone().fail(&error), false),
        }
    }
    Ok(())
}

/// The number and the edits of the article that this one replaces, if it has any.
async fn edits_of(store: &SiteStore, new: &NewArticle) -> Result<Option<(ArticleId, Edits)>, StoreError> {
    let Some(id) = new.replaces else { return store.edits_of_article(&new.article.meta.source_key).await };
    let edits = store.edits(&subjects::article(id)).await?;
    Ok((!edits.is_empty()).then_some((id, edits)))
}

/// The article with the edits, rendered again.
async fn with_edits(
    media_writer: &MediaWriter,
    new: NewArticle,
    edits: &[(String, Value)],
    item: &mut Item,
) -> anyhow::Result<NewArticle> {
    let NewArticle { mut article, pictures, tables, files, origin, replaces, .. } = new;
    // Later sources have the values that this one has.
    let work_key = work_key(&article.meta);
    let (kept, faults) = article_fields::keep(&mut article, edits, &media_writer.store.journals().await?);
    item.warnings.extend(kept_by_hand(&kept));
    item.warnings.extend(faults.iter().map(|fault| format!("a field that was edited by hand is not kept: {fault}")));
    let pictures = pictures.into_iter().map(|one| one.pictures);
    let renditions: Vec<Renditions> = pictures.chain(tables.into_iter().map(|one| one.pictures)).flatten().collect();
    let again = rendered_again(media_writer, article, &files, &renditions).await?;
    Ok(NewArticle { origin, edits: edits_stamp(edits), work_key, replaces, ..again })
}
