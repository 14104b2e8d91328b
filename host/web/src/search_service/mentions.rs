//! Where articles mention their figures and tables.

use std::collections::{BTreeSet, HashMap};

use masthead_content::{mentions, readable_article};
use masthead_documents::html::{RenderedArticle, ids::element_id};
use masthead_domain::{ArticleId, SiteId, access::Rights, resource::ResourceKind};
use masthead_store::{ResourceRow, SiteArticle, StoredArticle};

/// A sentence of an article.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The sentence.
    pub text: String,
    /// BCP 47 tag of the article's language, or "".
    pub lang: String,
}

/// Articles of one or several sites.
pub type Articles = HashMap<SiteArticle, StoredArticle>;

/// The article of which a row is a figure or table; `None` for other resources.
#[must_use]
pub fn article_of(row: &ResourceRow) -> Option<ArticleId> {
    matches!(row.kind, ResourceKind::Picture | ResourceKind::Table).then_some(ArticleId(row.article))
}

/// The articles that may mention one of these rows of a site: those of its figures and tables that the reader may read. They are to be read for
/// [`of_rows`].
pub fn articles_of<'a>(
    site: SiteId,
    rights: &Rights,
    rows: impl IntoIterator<Item = &'a ResourceRow>,
) -> BTreeSet<SiteArticle> {
    let permitted = rows.into_iter().filter(|row| rights.read(row.article_access()).is_some());
    permitted.filter_map(|row| Some((site, article_of(row)?))).collect()
}

/// For each of these rows of a site the sentence of its article that mentions it first, if it is a figure or table and the reader may read the
/// article.
#[must_use]
pub fn of_rows(site: SiteId, rights: &Rights, rows: &[&ResourceRow], articles: &Articles) -> Vec<Option<Mention>> {
    let mut readable: HashMap<ArticleId, (&StoredArticle, RenderedArticle)> = HashMap::new();
    for of in articles_of(site, rights, rows.iter().copied()) {
        let Some(article) = articles.get(&of) else { continue };
        let Some(permit) = rights.read(article.access()) else { continue };
        match readable_article::rendered(article, Some(&permit)) {
            Ok(rendered) => _ = readable.insert(article.id, (article, rendered)),
            Err(error) => {
                tracing::warn!(%error, id = article.id.0, "an article has no readable text; import it again");
            }
        }
    }
    let mention = |row: &&ResourceRow| {
        let (article, rendered) = readable.get(&article_of(row)?)?;
        let data: serde_json::Value = serde_json::from_str(&row.data).ok()?;
        let text = mentions::of(rendered, &element_id(data["element"].as_str()?))?;
        Some(Mention { text, lang: article.meta.language.clone() })
    };
    rows.iter().map(mention).collect()
}
