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
    let NewArticle { mut article, pictures, tables, mut files, origin, replaces, .. } = new;
    // Later sources have the values that this one has.
    let work_key = work_key(&article.meta);
    let of_site = with_files_of_site(media_writer, edits, item).await?;
    let (kept, faults) =
        article_fields::keep(&mut article, &mut files, &of_site, &media_writer.store.journals().await?);
    item.warnings.extend(kept_by_hand(&kept));
    item.warnings.extend(faults.iter().map(|fault| format!("a field that was edited by hand is not kept: {fault}")));
    let pictures = pictures.into_iter().map(|one| one.pictures);
    let renditions: Vec<Renditions> = pictures.chain(tables.into_iter().map(|one| one.pictures)).flatten().collect();
    let again = rendered_again(media_writer, article, &files, &renditions).await?;
    Ok(NewArticle { origin, edits: edits_stamp(edits), work_key, replaces, ..again })
}

/// The edits without those that name a file which the site does not have: a bundle brings whatever somebody has written into it.
async fn with_files_of_site(
    media_writer: &MediaWriter,
    edits: &[(String, Value)],
    item: &mut Item,
) -> Result<Edits, StoreError> {
    let mut kept = Edits::with_capacity(edits.len());
    'edits: for (path, value) in edits {
        for address in article_fields::addresses(path, value) {
            if media_writer.stored(address).await?.is_none() {
                item.warnings.push(format!(
                    "a field that was edited by hand is not kept: {path}: the site has no file {address:?}"
                ));
                continue 'edits;
            }
        }
        kept.push((path.clone(), value.clone()));
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_domain::SiteId;
    use masthead_store::Store;
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn a_field_that_names_a_file_of_another_site_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_file(&folder.path().join("a.db")).await.unwrap();
        let [own, other] = [SiteId(1), SiteId(2)].map(|site| MediaWriter {
            store: store.site(site),
            site,
            data: folder.path().to_owned(),
        });
        let keep = async |media_writer: &MediaWriter, name: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, name).unwrap();
            media_writer.keep(&path).await.unwrap()
        };
        let (address, elsewhere) = (keep(&own, "a.pdf").await, keep(&other, "b.csv").await);
        let list = |address: &str| json!([{ "name": "b.csv", "file": address }]);
        let edits = [
            ("pdf".to_owned(), json!(address)),
            ("files".to_owned(), list(&elsewhere)),
            ("otherAbstracts".to_owned(), list(&elsewhere.replace("/media/2/", "/media/1/"))),
            ("titles.en".to_owned(), json!("Tides")),
        ];
        let mut item = Item::of("a.xml".to_owned(), "article");
        let kept = with_files_of_site(&own, &edits, &mut item).await.unwrap();
        assert_eq!(kept, [edits[0].clone(), edits[3].clone()]);
        assert_eq!(item.warnings.len(), 2, "{:?}", item.warnings);
        assert!(item.warnings[0].contains(&format!("not kept: files: the site has no file {elsewhere:?}")));
        store.close().await;
    }
}
