//! Where articles mention their figures and tables.

use std::collections::{BTreeSet, HashMap};

use masthead_content::{mentions, readable_article};
use masthead_documents::html::{RenderedArticle, ids::element_id};
use masthead_domain::{ArticleId, access::Rights, resource::ResourceKind};
use masthead_store::{ResourceRow, SiteStore, StoreError};

/// A sentence of an article.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The sentence.
    pub text: String,
    /// BCP 47 tag of the article's language, or "".
    pub lang: String,
}

/// The article of which a row is a figure or table; `None` for other resources.
#[must_use]
pub fn article_of(row: &ResourceRow) -> Option<ArticleId> {
    matches!(row.kind, ResourceKind::Picture | ResourceKind::Table).then_some(ArticleId(row.article))
}

/// For each of these rows the sentence of its article that mentions it first, if it is a figure or table and the reader may read the article;
/// the articles are read by one statement, or none.
///
/// # Errors
/// [`StoreError`].
pub async fn of_rows(
    store: &SiteStore,
    rights: &Rights,
    rows: &[&ResourceRow],
) -> Result<Vec<Option<Mention>>, StoreError> {
    let permitted = rows.iter().filter(|row| rights.read(row.article_access()).is_some());
    let ids: BTreeSet<ArticleId> = permitted.filter_map(|row| article_of(row)).collect();
    let articles = store.articles(&ids.into_iter().collect::<Vec<_>>()).await?;
    let mut readable: HashMap<ArticleId, RenderedArticle> = HashMap::new();
    for (id, article) in &articles {
        let Some(permit) = rights.read(article.access()) else { continue };
        match readable_article::rendered(article, Some(&permit)) {
            Ok(rendered) => _ = readable.insert(*id, rendered),
            Err(error) => tracing::warn!(%error, id = id.0, "an article has no readable text; import it again"),
        }
    }
    let mention = |row: &&ResourceRow| {
        let id = article_of(row)?;
        let data: serde_json::Value = serde_json::from_str(&row.data).ok()?;
        let text = mentions::of(readable.get(&id)?, &element_id(data["element"].as_str()?))?;
        Some(Mention { text, lang: articles.get(&id)?.meta.language.clone() })
    };
    Ok(rows.iter().map(mention).collect())
}
