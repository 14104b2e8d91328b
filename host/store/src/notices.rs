//! Notices between the articles of a site. The source of one of the two articles says that there is one; it is recorded in the transaction
//! that stores this article, and linked with the other article as soon as the site has both.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use masthead_domain::{
    ArticleId,
    article::ArticleMeta,
    card::ArticleCard,
    notice::{self, Notice, NoticeKind, NoticeMark, NoticeSide},
};
use sqlx::{Any, AnyConnection, AnyPool, Transaction};

use crate::{
    BEFORE_ALL, ChangeAction, ChangeKind, LIST, ROWS, SiteStore, StoreError, StoredForm as _, are_recorded,
    change_log::LogLine, edits, lock_changes, lookups::pairs, places, set_recorded, take, value_rows,
};

const READING: &str = "reading the notices of articles";
/// Articles of an earlier version that are read at a time.
const EARLIER: i64 = 50;

/// An article that a transaction stores.
pub(crate) struct Written<'a> {
    pub(crate) id: i64,
    pub(crate) meta: &'a ArticleMeta,
    /// Whether it replaces an article.
    pub(crate) replaces: bool,
}

/// A row of `article_notices`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    article: i64,
    kind: String,
    side: String,
    target: String,
    target_id: i64,
    address: String,
    label: String,
}

impl Row {
    /// The articles at both ends, as far as the site has them.
    fn ends(&self) -> impl Iterator<Item = i64> + use<> {
        [self.article, self.target_id].into_iter().filter(|id| *id != 0)
    }

    /// The mark of an article by this notice.
    fn mark_of(&self, article: i64) -> NoticeMark {
        let affected = match NoticeSide::parse(&self.side) {
            Some(NoticeSide::Affected) => self.article,
            Some(NoticeSide::Notice) => self.target_id,
            None => 0,
        };
        NoticeKind::parse(&self.kind).filter(|_| affected == article).map_or(NoticeMark::None, NoticeKind::mark)
    }

    /// The notice as the article at one of the ends sees it; `None` for a kind that this version does not know.
    fn seen_from(&self, article: i64) -> Option<Notice> {
        let (kind, side) = (NoticeKind::parse(&self.kind)?, NoticeSide::parse(&self.side)?);
        Some(if self.article == article {
            Notice {
                kind,
                side,
                article: Some(ArticleId(self.target_id)).filter(|id| id.0 != 0),
                target: self.target.clone(),
                address: self.address.clone(),
                label: self.label.clone(),
                stated: true,
            }
        } else {
            Notice {
                kind,
                side: side.other(),
                article: Some(ArticleId(self.article)),
                target: String::new(),
                address: String::new(),
                label: String::new(),
                stated: false,
            }
        })
    }
}

/// Records the notices that the sources of articles name, in place of those of their former versions, and links them with the articles of the
/// site. Returns the other articles whose notices have changed by this.
pub(crate) async fn write(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    articles: &[Written<'_>],
) -> Result<BTreeSet<i64>, sqlx::Error> {
    let ids: Vec<i64> = articles.iter().map(|one| one.id).collect();
    let replaced: Vec<i64> = articles.iter().filter(|one| one.replaces).map(|one| one.id).collect();
    let before = rows(&mut *tx, site, &replaced).await?;
    let mut targets = forget(tx, site, &replaced, &before).await?;
    let (mut notices, mut identifiers) = (Vec::new(), Vec::new());
    for one in articles {
        for (place, notice) in notice::stated(one.meta) {
            notices.push((one.id, i64::try_from(place).unwrap_or(i64::MAX), notice));
        }
        for identifier in notice::identifiers(one.meta) {
            // The articles themselves have a column for the DOI.
            if !identifier.starts_with("doi:") {
                identifiers.push((one.id, identifier.clone()));
            }
            targets.insert(identifier);
        }
    }
    targets.extend(notices.iter().map(|(.., notice)| notice.target.clone()).filter(|target| !target.is_empty()));
    insert(tx, site, &notices, &identifiers).await?;
    let linked = resolve(tx, site, &targets).await?;
    if before.is_empty() && notices.is_empty() && linked.is_empty() {
        return Ok(BTreeSet::new());
    }
    let after = rows(&mut *tx, site, &ids).await?;
    let (links_before, links_after) = (links(&before), links(&after));
    let differing = links_before.symmetric_difference(&links_after);
    let mut touched: BTreeSet<i64> = differing.flat_map(Row::ends).collect();
    // A link to an article that has lost its identifier may lead to one that none of these rows name.
    let present: BTreeSet<i64> = after.iter().flat_map(Row::ends).collect();
    touched.extend(linked.difference(&present));
    mark(tx, site, &ids.iter().copied().filter(|id| present.contains(id)).chain(touched.iter().copied()).collect())
        .await?;
    touched.retain(|id| !ids.contains(id));
    Ok(touched)
}

/// The rows without what is printed on the page of their own article alone.
fn links(rows: &BTreeSet<Row>) -> BTreeSet<Row> {
    rows.iter().map(|row| Row { address: String::new(), label: String::new(), ..row.clone() }).collect()
}

/// Removes the notices that the source of a removed article names, and the links of other notices to it. It is called when the article is
/// not stored any more. Returns the other articles whose notices have changed by this.
pub(crate) async fn remove(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    article: i64,
) -> Result<BTreeSet<i64>, sqlx::Error> {
    let before = rows(&mut *tx, site, &[article]).await?;
    let targets = forget(tx, site, &[article], &before).await?;
    let mut touched = resolve(tx, site, &targets).await?;
    touched.extend(before.iter().flat_map(Row::ends));
    touched.remove(&article);
    mark(tx, site, &touched).await?;
    Ok(touched)
}

/// Gives articles whose notices have changed a new moment and number of change, by which caches, feeds and harvesters recognise it. Returns the
/// lines for the change log.
pub(crate) async fn touch(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    articles: &BTreeSet<i64>,
    changed_ms: i64,
) -> Result<Vec<LogLine>, sqlx::Error> {
    if articles.is_empty() {
        return Ok(Vec::new());
    }
    let first = take(tx, "changes", i64::try_from(articles.len()).unwrap_or(i64::MAX)).await?;
    let mut lines = Vec::with_capacity(articles.len());
    for (seq, id) in (first..).zip(articles) {
        sqlx::query("UPDATE articles SET changed = $3, change_seq = $4 WHERE site_id = $1 AND id = $2")
            .bind(site)
            .bind(*id)
            .bind(changed_ms)
            .bind(seq)
            .execute(&mut **tx)
            .await?;
        let (kind, action) = (ChangeKind::Article, ChangeAction::Replaced);
        lines.push(LogLine { seq, kind, action, entity: id.to_string() });
    }
    Ok(lines)
}

/// The rows at one end of which one of these articles stands.
async fn rows(connection: &mut AnyConnection, site: i64, ids: &[i64]) -> Result<BTreeSet<Row>, sqlx::Error> {
    Ok(rows_in_order(connection, site, ids).await?.into_iter().collect())
}

/// The same, each article's own in the order of its source.
async fn rows_in_order(connection: &mut AnyConnection, site: i64, ids: &[i64]) -> Result<Vec<Row>, sqlx::Error> {
    let mut found = Vec::new();
    for column in ["article_id", "target_id"] {
        for some in ids.chunks(LIST) {
            let sql = format!(
                "SELECT article_id, kind, side, target, target_id, address, label FROM article_notices \
                 WHERE site_id = $1 AND {column} IN ({}) ORDER BY article_id, position",
                places(2, some.len())
            );
            let mut query =
                sqlx::query_as::<_, (i64, String, String, String, i64, String, String)>(sqlx::AssertSqlSafe(sql))
                    .bind(site);
            for id in some {
                query = query.bind(*id);
            }
            let rows = query.fetch_all(&mut *connection).await?;
            found.extend(rows.into_iter().map(|(article, kind, side, target, target_id, address, label)| Row {
                article,
                kind,
                side,
                target,
                target_id,
                address,
                label,
            }));
        }
    }
    Ok(found)
}

/// Deletes what is recorded of articles, and the links to them. `rows` are the rows at one end of which they stand. Returns the identifiers of
/// the deleted links, by which another article may now be found.
async fn forget(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    ids: &[i64],
    rows: &BTreeSet<Row>,
) -> Result<BTreeSet<String>, sqlx::Error> {
    for some in ids.chunks(LIST) {
        for statement in [
            "DELETE FROM article_notices WHERE site_id = $1 AND article_id IN",
            "DELETE FROM article_identifiers WHERE site_id = $1 AND article_id IN",
            "UPDATE article_notices SET target_id = 0 WHERE site_id = $1 AND target_id IN",
        ] {
            let sql = format!("{statement} ({})", places(2, some.len()));
            let mut query = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(site);
            for id in some {
                query = query.bind(*id);
            }
            query.execute(&mut **tx).await?;
        }
    }
    Ok(rows.iter().filter(|row| ids.contains(&row.target_id)).map(|row| row.target.clone()).collect())
}

/// Inserts notices (article, place in its source, notice), not linked yet, and identifiers of articles.
async fn insert(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    notices: &[(i64, i64, Notice)],
    identifiers: &[(i64, String)],
) -> Result<(), sqlx::Error> {
    for some in notices.chunks(ROWS) {
        let sql = format!(
            "INSERT INTO article_notices (site_id, article_id, position, kind, side, target, target_id, address, label) \
             VALUES {}",
            value_rows(9, some.len())
        );
        let mut query = sqlx::query(sqlx::AssertSqlSafe(sql));
        for (article, place, notice) in some {
            query = query
                .bind(site)
                .bind(*article)
                .bind(*place)
                .bind(notice.kind.as_str())
                .bind(notice.side.as_str())
                .bind(&notice.target)
                .bind(0_i64)
                .bind(&notice.address)
                .bind(&notice.label);
        }
        query.execute(&mut **tx).await?;
    }
    for some in identifiers.chunks(ROWS) {
        let sql = format!(
            "INSERT INTO article_identifiers (site_id, identifier, article_id) VALUES {}",
            value_rows(3, some.len())
        );
        let mut query = sqlx::query(sqlx::AssertSqlSafe(sql));
        for (article, identifier) in some {
            query = query.bind(site).bind(identifier).bind(*article);
        }
        query.execute(&mut **tx).await?;
    }
    Ok(())
}

/// Links the notices that name one of these identifiers and are not linked yet. Returns the articles at both ends of the new links.
async fn resolve(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    targets: &BTreeSet<String>,
) -> Result<BTreeSet<i64>, sqlx::Error> {
    let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
    let mut open = BTreeMap::<String, Vec<i64>>::new();
    let sql = "SELECT target, article_id FROM article_notices WHERE site_id = $1 AND target_id = 0 AND target IN";
    for (target, article) in pairs(tx, site, sql, &targets).await? {
        open.entry(target).or_default().push(article);
    }
    if open.is_empty() {
        return Ok(BTreeSet::new());
    }
    let known = articles_by_identifier(tx, site, open.keys().map(String::as_str).collect()).await?;
    let mut linked = BTreeSet::new();
    for (target, notices) in open {
        let Some(id) = known.get(&target) else { continue };
        // A notice is never linked with itself, whatever identifiers two articles share.
        let done = sqlx::query(
            "UPDATE article_notices SET target_id = $3 \
             WHERE site_id = $1 AND target = $2 AND target_id = 0 AND article_id <> $3",
        )
        .bind(site)
        .bind(&target)
        .bind(*id)
        .execute(&mut **tx)
        .await?;
        if done.rows_affected() > 0 {
            linked.insert(*id);
            linked.extend(notices);
        }
    }
    Ok(linked)
}

/// The numbers of the present articles with these identifiers. If several articles share one, it is the first of them.
async fn articles_by_identifier(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    identifiers: Vec<&str>,
) -> Result<HashMap<String, i64>, sqlx::Error> {
    let (mut dois, mut others) = (Vec::new(), Vec::new());
    for identifier in identifiers {
        match identifier.strip_prefix("doi:") {
            Some(doi) => dois.push(doi),
            None => others.push(identifier),
        }
    }
    let mut found = HashMap::new();
    let sql = "SELECT doi_key, id FROM articles WHERE site_id = $1 AND doi_key IN";
    for (doi, id) in pairs(tx, site, sql, &dois).await? {
        found.insert(format!("doi:{doi}"), id);
    }
    if dois.len() > found.len() {
        // Another article of the site may name one by the DOI that it had before an editor changed it.
        let earlier = edits::earlier_dois(&mut **tx, site).await?;
        for doi in dois {
            let target = format!("doi:{doi}");
            let Some(id) = earlier.get(doi).filter(|_| !found.contains_key(&target)) else { continue };
            // It may be withdrawn.
            let present: Option<i64> = sqlx::query_scalar("SELECT id FROM articles WHERE site_id = $1 AND id = $2")
                .bind(site)
                .bind(*id)
                .fetch_optional(&mut **tx)
                .await?;
            found.extend(present.map(|id| (target, id)));
        }
    }
    let sql = "SELECT identifier, article_id FROM article_identifiers WHERE site_id = $1 AND identifier IN";
    for (identifier, id) in pairs(tx, site, sql, &others).await? {
        found.entry(identifier).and_modify(|first: &mut i64| *first = id.min(*first)).or_insert(id);
    }
    Ok(found)
}

/// Writes into the cards of articles how lists mark them.
async fn mark(tx: &mut Transaction<'_, Any>, site: i64, articles: &BTreeSet<i64>) -> Result<(), sqlx::Error> {
    let ids: Vec<i64> = articles.iter().copied().collect();
    let notices = rows(&mut *tx, site, &ids).await?;
    for id in ids {
        let mark = notices.iter().map(|row| row.mark_of(id)).max().unwrap_or_default();
        let card: Option<String> = sqlx::query_scalar("SELECT card FROM articles WHERE site_id = $1 AND id = $2")
            .bind(site)
            .bind(id)
            .fetch_optional(&mut **tx)
            .await?;
        let Some(card) = card else { continue };
        let damaged = |error: serde_json::Error| sqlx::Error::Decode(Box::new(error));
        let card = ArticleCard::decode(&card).map_err(damaged)?;
        if card.notice == mark {
            continue;
        }
        let card = ArticleCard { notice: mark, ..card }.encode().map_err(damaged)?;
        sqlx::query("UPDATE articles SET card = $3 WHERE site_id = $1 AND id = $2")
            .bind(site)
            .bind(id)
            .bind(card)
            .execute(&mut **tx)
            .await?;
    }
    Ok(())
}

/// Records the notices in the rows that versions without these tables wrote; once for each database.
pub(crate) async fn record_earlier_rows(pool: &AnyPool) -> Result<(), StoreError> {
    record_all(pool).await.map_err(StoreError::query("recording the notices of stored articles"))
}

async fn record_all(pool: &AnyPool) -> Result<(), sqlx::Error> {
    if are_recorded(pool, "notices").await? {
        return Ok(());
    }
    let mut after = BEFORE_ALL;
    loop {
        let mut tx = lock_changes(pool).await?;
        let articles: Vec<(i64, i64, String)> = sqlx::query_as(
            "SELECT site_id, id, meta FROM articles WHERE (site_id, id) > ($1, $2) ORDER BY site_id, id LIMIT $3",
        )
        .bind(after.0)
        .bind(after.1)
        .bind(EARLIER)
        .fetch_all(&mut *tx)
        .await?;
        let Some(last) = articles.last() else {
            set_recorded(&mut tx, "notices").await?;
            return tx.commit().await;
        };
        after = (last.0, last.1);
        let mut by_site = BTreeMap::<i64, Vec<(i64, ArticleMeta)>>::new();
        for (site, id, meta) in &articles {
            match ArticleMeta::decode(meta) {
                Ok(meta) => by_site.entry(*site).or_default().push((*id, meta)),
                Err(error) => tracing::error!(%error, site, id, "the notices of a damaged article are not recorded"),
            }
        }
        for (site, articles) in &by_site {
            // As if they were replaced: a host that was interrupted may have recorded some of them.
            let written: Vec<Written<'_>> =
                articles.iter().map(|(id, meta)| Written { id: *id, meta, replaces: true }).collect();
            write(&mut tx, *site, &written).await?;
        }
        tx.commit().await?;
    }
}

impl SiteStore {
    /// The notices of these articles, by article: those that it is about and those that are about it, whichever source names them, the
    /// weightiest first. Articles without any are left out.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn notices(&self, ids: &[ArticleId]) -> Result<HashMap<ArticleId, Vec<Notice>>, StoreError> {
        // 0 stands for an article that the site does not have.
        let numbers: Vec<i64> = ids.iter().map(|id| id.0).filter(|id| *id != 0).collect();
        let mut connection = self.pool.acquire().await.map_err(StoreError::query(READING))?;
        let rows = rows_in_order(&mut connection, self.site, &numbers).await.map_err(StoreError::query(READING))?;
        let asked: BTreeSet<i64> = numbers.into_iter().collect();
        let mut found = HashMap::<ArticleId, Vec<Notice>>::new();
        let mut known = HashSet::new();
        // The own rows of an article come before those of others, so that what its own source says is kept of two equal ones.
        for own in [true, false] {
            for row in &rows {
                let article = if own { row.article } else { row.target_id };
                let Some(notice) = row.seen_from(article).filter(|_| asked.contains(&article)) else { continue };
                // Where the site has the other article, two sources may name it in different ways.
                let named = notice.article.is_none().then_some((&row.target, &row.address));
                if known.insert((article, notice.kind, notice.side, notice.article, named)) {
                    found.entry(ArticleId(article)).or_default().push(notice);
                }
            }
        }
        found.values_mut().for_each(|notices| notices.sort_by_key(|notice| notice.kind));
        Ok(found)
    }

    /// Notices whose other article the site does not have, with the articles whose sources name them, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn unlinked_notices(&self, limit: i64) -> Result<Vec<(ArticleId, Notice)>, StoreError> {
        let rows: Vec<(i64, String, String, String, String, String)> = sqlx::query_as(
            "SELECT article_id, kind, side, target, address, label FROM article_notices \
             WHERE site_id = $1 AND target_id = 0 ORDER BY article_id, position LIMIT $2",
        )
        .bind(self.site)
        .bind(limit)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        let read = |(article, kind, side, target, address, label)| {
            let row = Row { article, kind, side, target, target_id: 0, address, label };
            Some((ArticleId(article), row.seen_from(article)?))
        };
        Ok(rows.into_iter().filter_map(read).collect())
    }
}
