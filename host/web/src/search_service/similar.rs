//! Articles that are like another: those that share rare words with it and, if these are few, those with common key words.

use std::{cmp::Reverse, collections::BTreeMap};

use masthead_documents::html::{RenderedArticle, SectionKind};
use masthead_domain::{ArticleId, SiteId, article::Contributor, text::without_tags};
use masthead_search::{Like, SimilarityRequest};
use masthead_store::{BrowseBy, SiteStore, StoreError, StoredArticle};

use super::{SearchFailure, nothing_is_missed};
use crate::app::App;

/// Key words of an article that are looked up.
const MAX_KEYWORDS: usize = 10;
/// Newest articles that are looked at for each key word.
const MAX_OF_KEYWORD: u32 = 20;

/// At most `limit` articles like one of a site, the most similar first. `rendered` is what any reader may read of it.
///
/// # Errors
/// [`SearchFailure`], when the index or the database fails, or the index is being rebuilt and there is no article with common key words.
pub async fn similar(
    app: &App,
    site: SiteId,
    article: &StoredArticle,
    rendered: &RenderedArticle,
    limit: usize,
) -> Result<Vec<ArticleId>, SearchFailure> {
    let like = Like { sites: site.into(), site, article: article.id, likeness: likeness(article, rendered), limit };
    let mut found: Vec<ArticleId> = app.search.like(like).await?.into_iter().map(|hit| ArticleId(hit.id)).collect();
    if found.len() < limit {
        let more = with_common_labels(&app.store.site(site), article, limit).await?;
        found.extend(more.into_iter().filter(|id| !found.contains(id)).collect::<Vec<_>>());
        found.truncate(limit);
    }
    nothing_is_missed(app, found.len())?;
    Ok(found)
}

/// The articles, at most `limit`, that have the most key words, or the first author, in common with an article.
///
/// # Errors
/// [`StoreError`].
pub async fn with_common_labels(
    store: &SiteStore,
    article: &StoredArticle,
    limit: usize,
) -> Result<Vec<ArticleId>, StoreError> {
    let first_author = article.meta.authors().next().map(Contributor::display_name).unwrap_or_default();
    let mut labels: Vec<(BrowseBy, &str)> = Vec::new();
    for word in article.meta.keywords.iter().flat_map(|group| &group.plain).take(MAX_KEYWORDS) {
        let label = (BrowseBy::Keyword, word.as_str());
        if !word.trim().is_empty() && !labels.contains(&label) {
            labels.push(label);
        }
    }
    if !first_author.is_empty() {
        labels.push((BrowseBy::Author, first_author.as_str()));
    }
    let mut found = most_alike(store.browse_several(&labels, MAX_OF_KEYWORD).await?, article.id);
    found.truncate(limit);
    Ok(found)
}

/// The articles that were found most often, the newest of them first, without the article itself.
fn most_alike(found: Vec<i64>, own: ArticleId) -> Vec<ArticleId> {
    let mut often: BTreeMap<i64, usize> = BTreeMap::new();
    for id in found.into_iter().filter(|id| *id != own.0) {
        *often.entry(id).or_default() += 1;
    }
    let mut ranked: Vec<(i64, usize)> = often.into_iter().collect();
    ranked.sort_by_key(|(id, count)| Reverse((*count, *id)));
    ranked.into_iter().map(|(id, _)| ArticleId(id)).collect()
}

/// Titles, key words and abstracts in all languages.
fn likeness(article: &StoredArticle, rendered: &RenderedArticle) -> SimilarityRequest {
    let titles = article.meta.titles.iter().map(|title| title.plain.as_str());
    let keywords = article.meta.keywords.iter().flat_map(|group| &group.plain).map(String::as_str);
    let abstracts = rendered.sections.iter().filter(|section| section.kind == SectionKind::Abstract);
    SimilarityRequest {
        title: titles.collect::<Vec<_>>().join("\n"),
        keywords: keywords.collect::<Vec<_>>().join("\n"),
        summary: abstracts.map(|section| without_tags(&section.html)).collect::<Vec<_>>().join("\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shares_most_comes_first_and_the_article_itself_never() {
        let ids =
            |found: &[i64]| most_alike(found.to_vec(), ArticleId(7)).into_iter().map(|id| id.0).collect::<Vec<_>>();
        assert_eq!(ids(&[1, 7, 2, 2, 7, 3, 7]), [2, 3, 1]);
        assert_eq!(ids(&[7, 7]), [0_i64; 0]);
        assert_eq!(ids(&[1, 2, 3, 4, 5, 6]), [6, 5, 4, 3, 2, 1]);
    }
}
