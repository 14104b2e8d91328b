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
        let (sql, journal) = statement(query);
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

/// The statement for a page of a list, and the key of the journal whose articles it lists, "" for those of all journals. The total is the row's own
/// where there is a row, and a row of its own behind the last page.
fn statement(query: &CardQuery) -> (String, &str) {
    let and = query.condition();
    let (of_journal, journal) = match query {
        CardQuery::Journal(journal) => ("journal = $2", journal.as_str()),
        _ => ("$2 = ''", ""),
    };
    let sql = format!(
        "SELECT page.card, counted.total FROM (SELECT COUNT(*) AS total FROM articles WHERE site_id = $1 AND {of_journal}{and}) counted \
         LEFT JOIN (SELECT card, published, id FROM articles WHERE site_id = $1 AND {of_journal}{and} \
         ORDER BY published DESC, id DESC LIMIT $3 OFFSET $4) page ON 1 = 1 ORDER BY page.published DESC, page.id DESC"
    );
    (sql, journal)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use masthead_domain::{
        SiteId,
        article::{Article, ArticleMeta},
    };

    use super::*;
    use crate::{NewArticle, Store};

    fn article(key: &str, issue: &str, first_status: i32) -> NewArticle {
        let meta =
            ArticleMeta { source_key: key.to_owned(), issue: issue.to_owned(), first_status, ..ArticleMeta::default() };
        let article = Article { meta, ..Article::default() };
        let card = ArticleCard::of(&article, &[], &[]);
        NewArticle { article, card, rendered: "{}".to_owned(), ..NewArticle::default() }
    }

    #[tokio::test]
    async fn articles_online_first_are_counted_by_their_index() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_file(&folder.path().join("a.db")).await.unwrap();
        let site = store.site(SiteId(448));
        for (key, issue, first_status) in [("key:1", "", 0), ("key:2", "2", 0), ("key:3", "", -1), ("key:4", "", 0)] {
            site.save_article(&article(key, issue, first_status)).await.unwrap();
        }
        store.site(SiteId(905)).save_article(&article("key:1", "", 0)).await.unwrap();
        let page = site.card_page(&CardQuery::OnlineFirst, 0, 1).await.unwrap();
        assert_eq!((page.total, page.cards.len()), (2, 1));

        let (sql, journal) = statement(&CardQuery::OnlineFirst);
        let plan: Vec<(i64, i64, i64, String)> =
            sqlx::query_as(sqlx::AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}")))
                .bind(448_i64)
                .bind(journal)
                .bind(1_i64)
                .bind(0_i64)
                .fetch_all(&store.pool)
                .await
                .unwrap();
        let counted = |(_, _, _, step): &(i64, i64, i64, String)| {
            step.contains("COVERING INDEX articles_online_first (site_id=?)")
        };
        assert!(plan.iter().any(counted), "{plan:?}");
    }
}
