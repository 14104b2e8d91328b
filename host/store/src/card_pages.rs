//! Lists of articles by page number, with the number of all articles of the list.

use masthead_domain::card::ArticleCard;

use crate::{CardQuery, SiteStore, StoreError, StoredForm};

const PAGING: &str = "listing a page of articles";

/// A page of a list of articles.
#[derive(Clone, Debug, Default)]
pub struct CardPage {
    /// Number of articles on all pages.
    pub total: u64,
    /// The articles of this page.
    pub cards: Vec<ArticleCard>,
}

impl SiteStore {
    /// The part of a list of articles behind `offset`, at most `limit`, and the number of all of its articles, in one statement. Issues have an
    /// order of their own and are read whole.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn card_page(&self, query: &CardQuery, offset: u64, limit: u32) -> Result<CardPage, StoreError> {
        let offset = i64::try_from(offset).unwrap_or(i64::MAX);
        if let CardQuery::Issue { .. } = query {
            let all = self.cards(query, None, i64::MAX).await?;
            let start = usize::try_from(offset).unwrap_or(usize::MAX);
            let total = all.len() as u64;
            return Ok(CardPage { total, cards: all.into_iter().skip(start).take(limit as usize).collect() });
        }
        let and = query.condition();
        let (of_journal, journal) = match query {
            CardQuery::Journal(journal) => ("journal = $2", journal.as_str()),
            _ => ("$2 = ''", ""),
        };
        // The total is the row's own where there is a row, and a row of its own behind the last page.
        let sql = format!(
            "SELECT page.card, counted.total FROM (SELECT COUNT(*) AS total FROM articles WHERE site_id = $1 AND {of_journal}{and}) counted \
             LEFT JOIN (SELECT card, published, id FROM articles WHERE site_id = $1 AND {of_journal}{and} \
             ORDER BY published DESC, id DESC LIMIT $3 OFFSET $4) page ON 1 = 1 ORDER BY page.published DESC, page.id DESC"
        );
        let rows: Vec<(Option<String>, i64)> = sqlx::query_as(sqlx::AssertSqlSafe(sql))
            .bind(self.site)
            .bind(journal)
            .bind(i64::from(limit))
            .bind(offset)
            .fetch_all(&self.pool)
            .await
            .map_err(StoreError::query(PAGING))?;
        let total = rows.first().map_or(0, |(_, total)| u64::try_from(*total).unwrap_or(0));
        let cards = rows.iter().filter_map(|(card, _)| card.as_deref());
        let cards = cards.map(|card| ArticleCard::decode(card).map_err(StoreError::damaged("an article's card")));
        Ok(CardPage { total, cards: cards.collect::<Result<_, _>>()? })
    }
}
