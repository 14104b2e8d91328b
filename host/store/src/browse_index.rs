//! The browse index: the articles by author, institution, funder, keyword and subject. It is written with the article.

use std::collections::BTreeSet;

use masthead_domain::article::ArticleMeta;
use sqlx::{Any, Transaction};

use crate::{ROWS, SiteStore, StoreError, value_rows};

/// What the browse index lists articles by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BrowseBy {
    /// Authors, by name or ORCID iD.
    Author,
    /// Institutions.
    Organization,
    /// Funders and award numbers.
    Fund,
    /// Keywords.
    Keyword,
    /// Subject headings (columns of the journal).
    Subject,
}

impl BrowseBy {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Author => "author",
            Self::Organization => "organization",
            Self::Fund => "fund",
            Self::Keyword => "keyword",
            Self::Subject => "subject",
        }
    }
}

/// Characters of a label that are compared and stored.
const LABEL: usize = 200;

/// The form in which labels are stored and compared: lower case, white space folded, at most 200 characters.
#[must_use]
pub fn browse_label(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase().chars().take(LABEL).collect()
}

/// The entries of an article in the browse index, each once.
#[must_use]
pub fn browse_entries(meta: &ArticleMeta) -> Vec<(BrowseBy, String)> {
    let mut all = BTreeSet::new();
    let mut add = |by, text: &str| {
        let label = browse_label(text);
        if !label.is_empty() {
            all.insert((by, label));
        }
    };
    for person in meta.authors() {
        add(BrowseBy::Author, &person.display_name());
        add(BrowseBy::Author, &person.orcid);
        person.alternatives.iter().for_each(|(_, name)| add(BrowseBy::Author, name));
    }
    meta.affiliations.iter().for_each(|affiliation| add(BrowseBy::Organization, &affiliation.text));
    for fund in &meta.funding {
        add(BrowseBy::Fund, &fund.source);
        fund.awards.iter().for_each(|award| add(BrowseBy::Fund, award));
    }
    meta.keywords.iter().flat_map(|group| &group.plain).for_each(|word| add(BrowseBy::Keyword, word));
    meta.subjects.iter().for_each(|subject| add(BrowseBy::Subject, subject));
    all.into_iter().collect()
}

/// Writes the entries of an article; with `replace` those that it had before are deleted first.
pub(crate) async fn write(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    article: i64,
    meta: &ArticleMeta,
    replace: bool,
) -> Result<(), sqlx::Error> {
    if replace {
        sqlx::query("DELETE FROM article_shelves WHERE site_id = $1 AND article_id = $2")
            .bind(site)
            .bind(article)
            .execute(&mut **tx)
            .await?;
    }
    for some in browse_entries(meta).chunks(ROWS) {
        let sql = format!(
            "INSERT INTO article_shelves (site_id, shelf, label, published, article_id) VALUES {}",
            value_rows(5, some.len())
        );
        let mut query = sqlx::query(sqlx::AssertSqlSafe(sql));
        for (by, label) in some {
            query = query.bind(site).bind(by.as_str()).bind(label.as_str()).bind(meta.dates.published()).bind(article);
        }
        query.execute(&mut **tx).await?;
    }
    Ok(())
}

impl SiteStore {
    /// The numbers of the articles with a label, newest first, at most `limit`. The label's case and spacing do not matter.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn browse_articles(&self, by: BrowseBy, label: &str, limit: i64) -> Result<Vec<i64>, StoreError> {
        // Articles are listed under the site's spelling of a section.
        let spelled = if by == BrowseBy::Subject { self.section(label).await? } else { None };
        let label = spelled.as_deref().unwrap_or(label);
        sqlx::query_scalar(
            "SELECT article_id FROM article_shelves WHERE site_id = $1 AND shelf = $2 AND label = $3 \
             ORDER BY published DESC, article_id DESC LIMIT $4",
        )
        .bind(self.site)
        .bind(by.as_str())
        .bind(browse_label(label))
        .bind(limit)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query("reading articles of the browse index"))
    }

    /// The numbers of the newest articles under each of several labels, at most `each` under one: an article as often as it stands under
    /// them. Not for sections, which have spellings.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn browse_several(&self, labels: &[(BrowseBy, &str)], each: u32) -> Result<Vec<i64>, StoreError> {
        if labels.is_empty() {
            return Ok(Vec::new());
        }
        let newest = |at: usize| {
            let [site, shelf, label] = [1, 2, 3].map(|place| 3 * at + place);
            format!(
                "SELECT article_id FROM (SELECT article_id FROM article_shelves \
                 WHERE site_id = ${site} AND shelf = ${shelf} AND label = ${label} \
                 ORDER BY published DESC, article_id DESC LIMIT {each}) AS newest_{at}"
            )
        };
        let sql = (0..labels.len()).map(newest).collect::<Vec<_>>().join(" UNION ALL ");
        let mut query = sqlx::query_scalar::<_, i64>(sqlx::AssertSqlSafe(sql));
        for (by, label) in labels {
            query = query.bind(self.site).bind(by.as_str()).bind(browse_label(label));
        }
        query.fetch_all(&self.pool).await.map_err(StoreError::query("reading articles of the browse index"))
    }

    /// The labels of the browse index with the number of articles of each, in the order of labels behind label `after`.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn browse_labels(&self, by: BrowseBy, after: &str, limit: i64) -> Result<Vec<(String, i64)>, StoreError> {
        sqlx::query_as(
            "SELECT label, COUNT(*) FROM article_shelves WHERE site_id = $1 AND shelf = $2 AND label > $3 \
             GROUP BY label ORDER BY label LIMIT $4",
        )
        .bind(self.site)
        .bind(by.as_str())
        .bind(after)
        .bind(limit)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query("reading labels of the browse index"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_compare_without_case_and_spacing() {
        assert_eq!(browse_label("  Ada \n LOVELACE "), "ada lovelace");
        assert_eq!(browse_label(&"字".repeat(500)).chars().count(), LABEL);
    }
}
