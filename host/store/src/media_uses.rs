//! What uses which file of a site. It is recorded in the transaction that stores whatever uses the file, from the addresses
//! (`/media/<site>/<digest>`) in the stored text.

use std::collections::BTreeSet;

use masthead_domain::{
    ArticleId,
    resource::{ResourceKind, ResourceSource},
};
use sqlx::{Any, AnyPool, Transaction};

use crate::{
    BEFORE_ALL, LIST, ROWS, Store, StoreError, are_recorded, lock_changes, next, places, set_recorded, value_rows,
};

/// Greatest number of files that are removed in one run.
const MOST: i64 = 10_000;
const REMOVING: &str = "removing files that nothing uses";

/// The user of a file: an article with its figures and tables.
pub(crate) fn article(id: i64) -> String {
    format!("article/{id}")
}

/// The user of the files of a withdrawn article: they are kept, and served to nobody.
pub(crate) fn withdrawn(id: i64) -> String {
    format!("withdrawn/{id}")
}

/// The article that a user of a file is; `None` for others.
pub(crate) fn as_article(used_by: &str) -> Option<ArticleId> {
    used_by.strip_prefix("article/")?.parse().ok().map(ArticleId)
}

/// The user of a file: a resource of this kind. `None` for kinds that are not the editors': what readers write makes no file public, and the
/// files of figures and tables are those of their article.
pub(crate) fn resource(kind: ResourceKind, id: i64) -> Option<String> {
    (kind.source() == ResourceSource::File).then(|| format!("resource/{id}"))
}

/// The user of a file: a journal.
pub(crate) fn journal(key: &str) -> String {
    format!("journal/{key}")
}

/// The user of a file: an issue of a journal.
pub(crate) fn issue(journal: &str, year: i64, issue: &str) -> String {
    format!("issue/{journal}/{year}/{issue}")
}

/// The digests of the site's files that texts name.
fn digests<'a>(site: i64, texts: &[&'a str]) -> BTreeSet<&'a str> {
    let prefix = format!("/media/{site}/");
    let named = texts.iter().flat_map(|text| text.split(prefix.as_str()).skip(1)).filter_map(|rest| rest.get(..64));
    named.filter(|digest| digest.bytes().all(|byte| byte.is_ascii_hexdigit())).collect()
}

/// Records the files that a stored text names in place of those of its former version; `now` is the end of their use.
pub(crate) async fn replace(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    used_by: String,
    text: &str,
    now: i64,
) -> Result<(), sqlx::Error> {
    end(tx, site, std::slice::from_ref(&used_by), now).await?;
    add(tx, site, &[(used_by, vec![text])]).await
}

/// Records the files that stored texts name, by what uses the files; each user is in the list once.
pub(crate) async fn add(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    users: &[(String, Vec<&str>)],
) -> Result<(), sqlx::Error> {
    let uses: Vec<(&str, &str)> = users
        .iter()
        .flat_map(|(used_by, texts)| digests(site, texts).into_iter().map(move |digest| (digest, used_by.as_str())))
        .collect();
    for some in uses.chunks(ROWS) {
        let sql = format!(
            "INSERT INTO media_uses (site_id, digest, used_by, ended) VALUES {} \
             ON CONFLICT (site_id, digest, used_by) DO UPDATE SET ended = excluded.ended",
            value_rows(4, some.len())
        );
        let mut query = sqlx::query(sqlx::AssertSqlSafe(sql));
        for (digest, used_by) in some {
            query = query.bind(site).bind(*digest).bind(*used_by).bind(0_i64);
        }
        query.execute(&mut **tx).await?;
    }
    Ok(())
}

/// Records that these users use no file any more.
pub(crate) async fn end(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    users: &[String],
    now: i64,
) -> Result<(), sqlx::Error> {
    for some in users.chunks(LIST) {
        let sql = format!(
            "UPDATE media_uses SET ended = $1 WHERE site_id = $2 AND ended = 0 AND used_by IN ({})",
            places(3, some.len())
        );
        let mut query = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(now).bind(site);
        for used_by in some {
            query = query.bind(used_by.as_str());
        }
        query.execute(&mut **tx).await?;
    }
    Ok(())
}

/// Records that a removed article and its resources use no file any more. It is called while the resources are still stored.
pub(crate) async fn end_article(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    id: i64,
    now: i64,
) -> Result<(), sqlx::Error> {
    end(tx, site, &[article(id)], now).await?;
    sqlx::query(
        "UPDATE media_uses SET ended = $3 WHERE site_id = $1 AND ended = 0 AND used_by IN \
         (SELECT 'resource/' || CAST(id AS TEXT) FROM resources WHERE site_id = $1 AND article_id = $2)",
    )
    .bind(site)
    .bind(id)
    .bind(now)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Records the uses of the rows that versions without this table wrote; once for each database.
pub(crate) async fn record_earlier_rows(pool: &AnyPool) -> Result<(), StoreError> {
    record_all(pool).await.map_err(StoreError::query("recording which files are in use"))
}

async fn record_all(pool: &AnyPool) -> Result<(), sqlx::Error> {
    if are_recorded(pool, "media_uses").await? {
        return Ok(());
    }
    // What a transaction reads is not replaced or removed before its uses are recorded.
    earlier_articles(pool, ARTICLES, article).await?;
    earlier_articles(pool, WITHDRAWN, withdrawn).await?;
    earlier_resources(pool).await?;
    let mut tx = lock_changes(pool).await?;
    let journals: Vec<(i64, String, String)> =
        sqlx::query_as("SELECT site_id, journal, data FROM journals").fetch_all(&mut *tx).await?;
    let issues: Vec<(i64, String, i64, String, String)> =
        sqlx::query_as("SELECT site_id, journal, year, issue, data FROM issues").fetch_all(&mut *tx).await?;
    for (site, key, data) in &journals {
        add(&mut tx, *site, &[(journal(key), vec![data.as_str()])]).await?;
    }
    for (site, key, year, number, data) in &issues {
        add(&mut tx, *site, &[(issue(key, *year, number), vec![data.as_str()])]).await?;
    }
    set_recorded(&mut tx, "media_uses").await?;
    tx.commit().await
}

/// Site, number, and the texts that name files. They are read in the order of the primary key: numbers are unique on their site only, and no
/// index begins with them.
const ARTICLES: &str = "SELECT site_id, id, rendered, files, CAST('' AS TEXT) FROM articles \
     WHERE (site_id, id) > ($1, $2) ORDER BY site_id, id LIMIT 50";
const WITHDRAWN: &str = "SELECT site_id, id, rendered, files, exhibits FROM withdrawn_articles \
     WHERE (site_id, id) > ($1, $2) ORDER BY site_id, id LIMIT 50";

async fn earlier_articles(pool: &AnyPool, select: &'static str, used_by: fn(i64) -> String) -> Result<(), sqlx::Error> {
    let mut after = BEFORE_ALL;
    loop {
        let mut tx = lock_changes(pool).await?;
        let rows: Vec<(i64, i64, String, String, String)> =
            sqlx::query_as(select).bind(after.0).bind(after.1).fetch_all(&mut *tx).await?;
        let Some(last) = rows.last() else { return Ok(()) };
        after = (last.0, last.1);
        for (site, id, rendered, files, exhibits) in &rows {
            let texts = vec![rendered.as_str(), files.as_str(), exhibits.as_str()];
            add(&mut tx, *site, &[(used_by(*id), texts)]).await?;
        }
        tx.commit().await?;
    }
}

async fn earlier_resources(pool: &AnyPool) -> Result<(), sqlx::Error> {
    let mut after = BEFORE_ALL;
    loop {
        let mut tx = lock_changes(pool).await?;
        let rows: Vec<(i64, i64, String, i64, String)> = sqlx::query_as(
            "SELECT site_id, id, kind, article_id, data FROM resources WHERE (site_id, id) > ($1, $2) \
             ORDER BY site_id, id LIMIT 200",
        )
        .bind(after.0)
        .bind(after.1)
        .fetch_all(&mut *tx)
        .await?;
        let Some(last) = rows.last() else { return Ok(()) };
        after = (last.0, last.1);
        for (site, id, kind, of, data) in &rows {
            let Some(kind) = ResourceKind::parse(kind) else { continue };
            let used_by =
                if kind.source() == ResourceSource::Article { Some(article(*of)) } else { resource(kind, *id) };
            if let Some(used_by) = used_by {
                add(&mut tx, *site, &[(used_by, vec![data.as_str()])]).await?;
            }
        }
        tx.commit().await?;
    }
}

impl Store {
    /// Forgets the files that nothing has used for `age_ms` milliseconds, and calls `remove` with the digest of each that no site has
    /// any more. A file that an import has stored again in this time is kept. Returns the number of removed files.
    ///
    /// # Errors
    /// [`StoreError::Query`]. A file that `remove` cannot remove is logged, and tried again in the next run.
    pub async fn remove_unused_media(
        &self,
        age_ms: i64,
        mut remove: impl FnMut(&str) -> std::io::Result<()> + Send,
    ) -> Result<usize, StoreError> {
        let before = (self.clock)().saturating_sub(age_ms);
        let unused: Vec<(i64, String)> = sqlx::query_as(
            "SELECT u.site_id, u.digest FROM media_uses AS u \
             LEFT JOIN media AS m ON m.site_id = u.site_id AND m.digest = u.digest GROUP BY u.site_id, u.digest \
             HAVING MIN(u.ended) > 0 AND MAX(u.ended) <= $1 AND COALESCE(MAX(m.saved), 0) <= $1 \
             ORDER BY u.site_id, u.digest LIMIT $2",
        )
        .bind(before)
        .bind(MOST)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(REMOVING))?;
        let mut removed = 0;
        for (site, digest) in unused {
            match self.remove_file(site, &digest, before, &mut remove).await.map_err(StoreError::query(REMOVING))? {
                Ok(true) => removed += 1,
                Ok(false) => {}
                Err(error) => {
                    tracing::error!(%error, site, digest, "an unused file could not be removed; trying again later")
                }
            }
        }
        Ok(removed)
    }

    /// Removes one file. Whatever stores files waits for the end of the transaction, so that a file that is stored at the same time is
    /// written after it was removed, and not before.
    async fn remove_file(
        &self,
        site: i64,
        digest: &str,
        before: i64,
        remove: &mut (impl FnMut(&str) -> std::io::Result<()> + Send),
    ) -> Result<std::io::Result<bool>, sqlx::Error> {
        let mut tx = self.pool.begin().await?;
        next(&mut tx, "media").await?;
        let used: i64 = sqlx::query_scalar(
            "SELECT COUNT(*) FROM media_uses WHERE site_id = $1 AND digest = $2 AND (ended = 0 OR ended > $3)",
        )
        .bind(site)
        .bind(digest)
        .bind(before)
        .fetch_one(&mut *tx)
        .await?;
        let stored: i64 =
            sqlx::query_scalar("SELECT COUNT(*) FROM media WHERE site_id = $1 AND digest = $2 AND saved > $3")
                .bind(site)
                .bind(digest)
                .bind(before)
                .fetch_one(&mut *tx)
                .await?;
        if used > 0 || stored > 0 {
            return Ok(Ok(false));
        }
        for statement in [
            "DELETE FROM media_uses WHERE site_id = $1 AND digest = $2",
            "DELETE FROM media WHERE site_id = $1 AND digest = $2",
        ] {
            sqlx::query(statement).bind(site).bind(digest).execute(&mut *tx).await?;
        }
        let elsewhere: i64 =
            sqlx::query_scalar("SELECT COUNT(*) FROM media WHERE digest = $1").bind(digest).fetch_one(&mut *tx).await?;
        if elsewhere == 0
            && let Err(error) = remove(digest)
        {
            return Ok(Err(error));
        }
        tx.commit().await?;
        Ok(Ok(elsewhere == 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_digests_of_the_site_are_found() {
        let (one, two) = ("a".repeat(64), "0".repeat(64));
        let text = format!("<img src=\"/media/7/{one}.png\"> /media/70/{two}.png /media/7/short.png /media/7/{two}");
        assert_eq!(digests(7, &[&text, "/media/7/"]), BTreeSet::from([one.as_str(), two.as_str()]));
        assert_eq!(digests(70, &[&text]), BTreeSet::from([two.as_str()]));
        assert!(digests(8, &[&text]).is_empty());
    }

    #[test]
    fn what_is_not_of_editors_uses_no_files() {
        for kind in [ResourceKind::Comment, ResourceKind::Picture, ResourceKind::Table] {
            assert_eq!(resource(kind, 1), None, "{kind:?}");
        }
        assert_eq!(resource(ResourceKind::Book, 1).as_deref(), Some("resource/1"));
        assert_eq!(as_article(&article(3)), Some(ArticleId(3)));
        assert_eq!(as_article("resource/3"), None);
    }
}
