//! Shelves: the articles of an author, an institution, a funder, with a key word, under a subject. They are written with the article.

use std::collections::BTreeSet;

use masthead_domain::article::ArticleMeta;
use sqlx::{Any, Transaction};

use crate::{SiteStore, StoreError};

/// What a shelf gathers articles by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shelf {
    /// Authors, by name or ORCID iD.
    Author,
    /// Institutions.
    Organization,
    /// Funders and award numbers.
    Fund,
    /// Key words.
    Keyword,
    /// Subject headings (columns of the journal).
    Subject,
}

impl Shelf {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Author => "author",
            Self::Organization => "organization",
            Self::Fund => "fund",
            Self::Keyword => "keyword",
            Self::Subject => "subject",
        }
    }
}

/// Characters of a label that count.
const LABEL: usize = 200;

/// The form in which labels compare: lower case, white space folded, at most 200 characters.
#[must_use]
pub fn label(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase().chars().take(LABEL).collect()
}

/// The shelves that an article stands on, each once.
#[must_use]
pub fn shelves(meta: &ArticleMeta) -> Vec<(Shelf, String)> {
    let mut all = BTreeSet::new();
    let mut add = |shelf, text: &str| {
        let label = label(text);
        if !label.is_empty() {
            all.insert((shelf, label));
        }
    };
    for person in meta.authors() {
        add(Shelf::Author, &person.display_name());
        add(Shelf::Author, &person.orcid);
        person.alternatives.iter().for_each(|(_, name)| add(Shelf::Author, name));
    }
    meta.affiliations.iter().for_each(|place| add(Shelf::Organization, &place.text));
    for fund in &meta.funding {
        add(Shelf::Fund, &fund.source);
        fund.awards.iter().for_each(|award| add(Shelf::Fund, award));
    }
    meta.keywords.iter().flat_map(|group| &group.plain).for_each(|word| add(Shelf::Keyword, word));
    meta.subjects.iter().for_each(|subject| add(Shelf::Subject, subject));
    all.into_iter().collect()
}

pub(crate) async fn write(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    article: i64,
    meta: &ArticleMeta,
) -> Result<(), sqlx::Error> {
    clear(tx, site, article).await?;
    for (shelf, label) in shelves(meta) {
        sqlx::query(
            "INSERT INTO article_shelves (site_id, shelf, label, published, article_id) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(site)
        .bind(shelf.as_str())
        .bind(label)
        .bind(meta.dates.published())
        .bind(article)
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}

pub(crate) async fn clear(tx: &mut Transaction<'_, Any>, site: i64, article: i64) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM article_shelves WHERE site_id = $1 AND article_id = $2")
        .bind(site)
        .bind(article)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

impl SiteStore {
    /// The numbers of the articles on a shelf, newest first, at most `limit`; `label` in any case and spacing.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn on_shelf(&self, shelf: Shelf, text: &str, limit: i64) -> Result<Vec<i64>, StoreError> {
        sqlx::query_scalar(
            "SELECT article_id FROM article_shelves WHERE site_id = $1 AND shelf = $2 AND label = $3 \
             ORDER BY published DESC, article_id DESC LIMIT $4",
        )
        .bind(self.site)
        .bind(shelf.as_str())
        .bind(label(text))
        .bind(limit)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query("reading a shelf of articles"))
    }

    /// The labels of a kind of shelf with the number of their articles, in the order of labels, behind `after`.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn shelf_labels(&self, shelf: Shelf, after: &str, limit: i64) -> Result<Vec<(String, i64)>, StoreError> {
        sqlx::query_as(
            "SELECT label, COUNT(*) FROM article_shelves WHERE site_id = $1 AND shelf = $2 AND label > $3 \
             GROUP BY label ORDER BY label LIMIT $4",
        )
        .bind(self.site)
        .bind(shelf.as_str())
        .bind(after)
        .bind(limit)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query("reading the labels of shelves"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_compare_without_case_and_spacing() {
        assert_eq!(label("  Ada \n LOVELACE "), "ada lovelace");
        assert_eq!(label(&"字".repeat(500)).chars().count(), LABEL);
    }
}
