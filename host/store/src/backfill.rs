//! Rows of versions that knew neither the sections of a site nor work keys: both are recorded once for each database, when it is opened.

use masthead_domain::{article::ArticleMeta, card::ArticleCard};
use sqlx::{Any, AnyPool, Transaction};

use crate::{
    BEFORE_ALL, ChangeAction, ChangeKind, StoreError, StoredForm, are_recorded, article_writer::moment, browse_index,
    lock_changes, log, next, sections::Spellings, set_recorded, system_clock, works::work_key,
};

const RECORDING: &str = "recording the sections of the articles of earlier versions";

/// An article as it is stored.
struct Earlier {
    id: i64,
    site: i64,
    meta: ArticleMeta,
    card: String,
}

/// Records the sections and work keys of the articles that earlier versions wrote. The first spelling of a section is that of the oldest
/// article; articles with another one are corrected.
pub(crate) async fn record(pool: &AnyPool) -> Result<(), StoreError> {
    if are_recorded(pool, "sections").await.map_err(StoreError::query(RECORDING))? {
        return Ok(());
    }
    let mut after = BEFORE_ALL;
    loop {
        // What is read here is not replaced before it is recorded.
        let mut tx = lock_changes(pool).await.map_err(StoreError::query(RECORDING))?;
        let rows: Vec<(i64, i64, String, String)> = sqlx::query_as(
            "SELECT site_id, id, meta, card FROM articles WHERE (site_id, id) > ($1, $2) \
             ORDER BY site_id, id LIMIT 50",
        )
        .bind(after.0)
        .bind(after.1)
        .fetch_all(&mut *tx)
        .await
        .map_err(StoreError::query(RECORDING))?;
        let Some(last) = rows.last().map(|row| (row.0, row.1)) else {
            set_recorded(&mut tx, "sections").await.map_err(StoreError::query(RECORDING))?;
            return tx.commit().await.map_err(StoreError::query(RECORDING));
        };
        after = last;
        for (site, id, meta, card) in rows {
            // A damaged row must not keep the database from being opened; whoever reads it is told.
            let Ok(meta) = ArticleMeta::decode(&meta) else { continue };
            record_article(&mut tx, &Earlier { id, site, meta, card }).await?;
        }
        tx.commit().await.map_err(StoreError::query(RECORDING))?;
    }
}

async fn record_article(tx: &mut Transaction<'_, Any>, article: &Earlier) -> Result<(), StoreError> {
    let Earlier { id, site, meta, card } = article;
    sqlx::query("UPDATE articles SET work_key = $3 WHERE site_id = $1 AND id = $2")
        .bind(*site)
        .bind(*id)
        .bind(work_key(meta).unwrap_or_default())
        .execute(&mut **tx)
        .await
        .map_err(StoreError::query(RECORDING))?;
    let names: Vec<&str> = meta.subjects.iter().map(String::as_str).collect();
    let spellings = Spellings::record(tx, *site, &names).await.map_err(StoreError::query(RECORDING))?;
    let (Some(corrected), Ok(mut card)) = (spellings.corrected(meta), ArticleCard::decode(card)) else {
        return Ok(());
    };
    card.subject = corrected.subjects.first().cloned().unwrap_or_default();
    let seq = next(tx, "changes").await.map_err(StoreError::query(RECORDING))?;
    let changed = moment(tx, system_clock()).await.map_err(StoreError::query(RECORDING))?;
    sqlx::query(
        "UPDATE articles SET meta = $3, card = $4, changed = $5, change_seq = $6 WHERE site_id = $1 AND id = $2",
    )
    .bind(*site)
    .bind(*id)
    .bind(crate::encode(&corrected)?)
    .bind(crate::encode(&card)?)
    .bind(changed)
    .bind(seq)
    .execute(&mut **tx)
    .await
    .map_err(StoreError::query(RECORDING))?;
    browse_index::write(tx, *site, *id, &corrected, true).await.map_err(StoreError::query(RECORDING))?;
    log(tx, *site, seq, ChangeKind::Article, ChangeAction::Replaced, &id.to_string())
        .await
        .map_err(StoreError::query(RECORDING))
}
