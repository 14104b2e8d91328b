//! Writing articles: as many as are given in one transaction, each with its journal, its issue, its figures and tables, its entries of the
//! browse index and its line of the change log.

use std::{
    borrow::Cow,
    collections::{BTreeSet, HashMap, HashSet},
};

use masthead_domain::{ArticleId, Doi, article::ArticleMeta, notice::NoticeMark, resource::ResourceKind, text::hex};
use sha2::{Digest as _, Sha256};
use sqlx::{Any, Transaction};

use crate::{
    ChangeAction, ChangeKind, LIST, NewArticle, ROWS, Saved, SiteStore, StoreError, StoredResource, browse_index,
    change_log, change_log::LogLine, citations, citations::Citing, edits, encode, journals::JournalDirectory, json,
    lock_changes, lookups::pairs, media_uses, next, notices, places, rewrites, rows, sections::Spellings, take,
    value_rows, withdrawn, works,
};

const READING: &str = "looking up the articles to be stored";
const WRITING: &str = "storing an article";

/// An article as text, before it has a number.
struct Encoded<'a> {
    new: &'a NewArticle,
    meta: String,
    body: String,
    files: String,
    /// The figures and the tables.
    figures: [String; 2],
    digest: String,
}

impl<'a> Encoded<'a> {
    fn of(new: &'a NewArticle) -> Result<Self, StoreError> {
        let meta = encode(&new.article.meta)?;
        let body = encode(&new.article.body)?;
        let (pictures, tables) = (json(&new.pictures)?, json(&new.tables)?);
        let files = rows::encode_files(&new.files).map_err(StoreError::damaged("the files of an article"))?;
        let digest = digest(&[&meta, &body, &new.rendered, &pictures, &tables, &files]);
        Ok(Self { new, meta, body, files, figures: [pictures, tables], digest })
    }

    fn source_key(&self) -> &'a str {
        &self.new.article.meta.source_key
    }
}

/// The values that a transaction assigns to an article.
struct Assignment<'a> {
    id: i64,
    /// The number of its change.
    seq: i64,
    /// The moment of its change, milliseconds since 1970.
    changed_ms: i64,
    /// Key of its journal.
    journal: String,
    /// Whether it replaces an article.
    replaces: bool,
    /// Its metadata with the spellings of the site's sections, and their stored form.
    meta: &'a ArticleMeta,
    encoded_meta: Cow<'a, str>,
}

impl SiteStore {
    /// Stores one article as [`SiteStore::save_articles`] does.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is stored then.
    pub async fn save_article(&self, new: &NewArticle) -> Result<Saved<ArticleId>, StoreError> {
        let saved = self.save_together(&[new]).await?;
        // A list of one article has one outcome.
        saved.into_iter().next().ok_or(StoreError::Query { doing: WRITING, source: sqlx::Error::RowNotFound })
    }

    /// Stores articles in one transaction and gives the outcome of each, in their order. If the transaction fails, each article is stored in
    /// a transaction of its own, so that one article that cannot be stored does not cost the others. If the database as a whole does not do
    /// its work ([`StoreError::outage`]), nothing more is tried.
    ///
    /// An article is recognised by its `source_key`, and by [`NewArticle::replaces`]. An equal one is not written, so that importing twice changes nothing.
    /// An article that was removed and is stored again gets its former number.
    pub async fn save_articles(&self, new: &[NewArticle]) -> Vec<Result<Saved<ArticleId>, StoreError>> {
        let mut outcomes = Vec::with_capacity(new.len());
        let mut rest = new;
        while !rest.is_empty() {
            // An article that is in the list twice is compared with what its first occurrence stored.
            let mut keys = HashSet::new();
            let count = rest.iter().take_while(|one| keys.insert(&one.article.meta.source_key)).count();
            let (batch, behind) = rest.split_at(count);
            rest = behind;
            match self.save_together(&batch.iter().collect::<Vec<_>>()).await {
                Ok(saved) => outcomes.extend(saved.into_iter().map(Ok)),
                Err(error) if error.outage().is_some() => {
                    let outage = error.outage();
                    outcomes.push(Err(error));
                    let left = new.len() - outcomes.len();
                    outcomes.extend(outage.into_iter().flat_map(|outage| {
                        std::iter::repeat_with(move || Err(StoreError::NotTried(outage))).take(left)
                    }));
                    return outcomes;
                }
                Err(error) if batch.len() == 1 => outcomes.push(Err(error)),
                Err(error) => {
                    tracing::warn!(%error, articles = batch.len(), "a batch of articles is stored one by one");
                    for one in batch {
                        outcomes.push(self.save_article(one).await);
                    }
                }
            }
        }
        outcomes
    }

    /// Stores articles with different keys in one transaction.
    async fn save_together(&self, new: &[&NewArticle]) -> Result<Vec<Saved<ArticleId>>, StoreError> {
        let all: Vec<Encoded<'_>> = new.iter().map(|one| Encoded::of(one)).collect::<Result<_, _>>()?;
        let known = self.known(all.iter().map(Encoded::source_key)).await?;
        let unchanged = |one: &Encoded<'_>| {
            known.get(one.source_key()).filter(|(_, digest)| *digest == one.digest).map(|(id, _)| ArticleId(*id))
        };
        let pending: Vec<&Encoded<'_>> = all.iter().filter(|one| unchanged(one).is_none()).collect();
        let mut written = self.write_all(&pending).await?.into_iter();
        let outcome = |one| match unchanged(one) {
            Some(id) => Some(Saved::Unchanged(id)),
            None => written.next(),
        };
        Ok(all.iter().filter_map(outcome).collect())
    }

    async fn write_all(&self, pending: &[&Encoded<'_>]) -> Result<Vec<Saved<ArticleId>>, StoreError> {
        if pending.is_empty() {
            return Ok(Vec::new());
        }
        let mut tx = self.pool.begin().await.map_err(StoreError::query(WRITING))?;
        let count = i64::try_from(pending.len()).unwrap_or(i64::MAX);
        let first_seq = take(&mut tx, "changes", count).await.map_err(StoreError::query(WRITING))?;
        let numbers = self.numbers(&mut tx, pending).await.map_err(StoreError::query(WRITING))?;
        // An article that was withdrawn after it was recognised is not stored as a new one.
        for id in pending.iter().filter_map(|one| one.new.replaces) {
            if withdrawn::is_withdrawn(&mut tx, self.site, id).await? {
                return Err(StoreError::EditedMeanwhile(id.0));
            }
        }
        // What was edited after an article was converted would be lost.
        let ids: Vec<i64> = numbers.iter().map(|(_, id)| *id).collect();
        let stamps = edits::stamps(&mut tx, self.site, &ids).await?;
        for (one, id) in pending.iter().zip(&ids) {
            if stamps.get(id).map_or("", String::as_str) != one.new.edits {
                return Err(StoreError::EditedMeanwhile(*id));
            }
        }
        let saved = self.write_numbered(&mut tx, pending, numbers, first_seq).await?;
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(saved)
    }

    /// Writes one article in a transaction that has locked the change log. Whether its edits have changed is for the caller to know.
    pub(crate) async fn write_one(&self, tx: &mut Transaction<'_, Any>, new: &NewArticle) -> Result<(), StoreError> {
        let encoded = Encoded::of(new)?;
        let seq = next(tx, "changes").await.map_err(StoreError::query(WRITING))?;
        let numbers = self.numbers(tx, &[&encoded]).await.map_err(StoreError::query(WRITING))?;
        self.write_numbered(tx, &[&encoded], numbers, seq).await?;
        Ok(())
    }

    /// Writes articles with their numbers, of which it is known whether they replace an article; `first_seq` is the first number of the
    /// change log for them.
    async fn write_numbered(
        &self,
        tx: &mut Transaction<'_, Any>,
        pending: &[&Encoded<'_>],
        numbers: Vec<(bool, i64)>,
        first_seq: i64,
    ) -> Result<Vec<Saved<ArticleId>>, StoreError> {
        let changed_ms = self.now(tx).await.map_err(StoreError::query(WRITING))?;
        let mut journals = JournalDirectory::read(tx, self.site).await?;
        let sections: Vec<&str> =
            pending.iter().flat_map(|one| one.new.article.meta.subjects.iter().map(String::as_str)).collect();
        let spellings = Spellings::record(tx, self.site, &sections).await.map_err(StoreError::query(WRITING))?;
        let names = pending.iter().flat_map(|one| &one.new.article.meta.subject_names);
        spellings.record_names(tx, self.site, names).await?;
        let (mut saved, mut lines) = (Vec::with_capacity(pending.len()), Vec::with_capacity(pending.len()));
        let (mut users, mut replaced) = (Vec::with_capacity(pending.len()), Vec::new());
        let (mut written, mut citing) = (Vec::with_capacity(pending.len()), Vec::with_capacity(pending.len()));
        for ((one, (replaces, id)), seq) in pending.iter().zip(numbers).zip(first_seq..) {
            let journal = journals.of_article(tx, &one.new.article.meta).await?;
            let corrected = spellings.corrected(&one.new.article.meta);
            let (meta, encoded_meta) = match &corrected {
                Some(meta) => (meta, Cow::Owned(encode(meta)?)),
                None => (&one.new.article.meta, Cow::Borrowed(one.meta.as_str())),
            };
            let assigned = Assignment { id, seq, changed_ms, journal, replaces, meta, encoded_meta };
            self.write_article(tx, one, &assigned).await?;
            browse_index::write(tx, self.site, id, meta, replaces).await.map_err(StoreError::query(WRITING))?;
            self.write_compressed_html(tx, one, id).await.map_err(StoreError::query(WRITING))?;
            self.write_figures_and_tables(tx, one.new, &assigned).await?;
            let [pictures, tables] = &one.figures;
            let texts = vec![one.new.rendered.as_str(), one.files.as_str(), pictures.as_str(), tables.as_str()];
            users.push((media_uses::article(id), texts));
            if replaces {
                replaced.push(media_uses::article(id));
            }
            lines.push(LogLine {
                seq,
                kind: ChangeKind::Article,
                action: ChangeAction::write(replaces),
                entity: id.to_string(),
            });
            written.push(notices::Written { id, meta: &one.new.article.meta, replaces });
            citing.push(Citing { id, source_key: one.source_key(), body: &one.new.article.body, replaces });
            saved.push(if replaces { Saved::Updated(ArticleId(id)) } else { Saved::Created(ArticleId(id)) });
        }
        media_uses::end(tx, self.site, &replaced, changed_ms).await.map_err(StoreError::query(WRITING))?;
        media_uses::add(tx, self.site, &users).await.map_err(StoreError::query(WRITING))?;
        citations::write(tx, self.site, &citing).await.map_err(StoreError::query(WRITING))?;
        let others = notices::write(tx, self.site, &written).await.map_err(StoreError::query(WRITING))?;
        let touched = notices::touch(tx, self.site, &others, changed_ms).await;
        lines.extend(touched.map_err(StoreError::query(WRITING))?);
        change_log::write(tx, self.site, &lines).await.map_err(StoreError::query(WRITING))?;
        Ok(saved)
    }

    /// Number and digest of the present articles with these keys, by key.
    async fn known(&self, keys: impl Iterator<Item = &str>) -> Result<HashMap<String, (i64, String)>, StoreError> {
        let keys: Vec<&str> = keys.collect();
        let mut known = HashMap::with_capacity(keys.len());
        for some in keys.chunks(LIST) {
            let sql = format!(
                "SELECT source_key, id, digest FROM articles WHERE site_id = $1 AND source_key IN ({})",
                places(2, some.len())
            );
            let mut query = sqlx::query_as::<_, (String, i64, String)>(sqlx::AssertSqlSafe(sql)).bind(self.site);
            for key in some {
                query = query.bind(*key);
            }
            let rows = query.fetch_all(&self.pool).await.map_err(StoreError::query(READING))?;
            known.extend(rows.into_iter().map(|(key, id, digest)| (key, (id, digest))));
        }
        Ok(known)
    }

    /// For each article whether it replaces one, and its number: the present article's, the one that it had before it was removed, or
    /// a new one. It is read inside the transaction, because another writer may have stored the article since it was looked up.
    async fn numbers(
        &self,
        tx: &mut Transaction<'_, Any>,
        pending: &[&Encoded<'_>],
    ) -> Result<Vec<(bool, i64)>, sqlx::Error> {
        const PRESENT: &str = "SELECT source_key, id FROM articles WHERE site_id = $1 AND source_key IN";
        const REMOVED: &str = "SELECT source_key, id FROM removed_articles WHERE site_id = $1 AND source_key IN";
        for one in pending {
            works::take_over(tx, self.site, one.new).await?;
        }
        let keys: Vec<&str> = pending.iter().map(|one| one.source_key()).collect();
        let present: HashMap<String, i64> = pairs(tx, self.site, PRESENT, &keys).await?.into_iter().collect();
        let absent: Vec<&str> = keys.iter().copied().filter(|key| !present.contains_key(*key)).collect();
        let removed: HashMap<String, i64> = pairs(tx, self.site, REMOVED, &absent).await?.into_iter().collect();
        for key in removed.keys() {
            sqlx::query("DELETE FROM removed_articles WHERE site_id = $1 AND source_key = $2")
                .bind(self.site)
                .bind(key)
                .execute(&mut **tx)
                .await?;
        }
        let new = absent.len() - removed.len();
        let mut fresh = if new == 0 { 0 } else { take(tx, "articles", i64::try_from(new).unwrap_or(i64::MAX)).await? };
        let number = |key: &str| {
            present.get(key).map(|id| (true, *id)).or_else(|| removed.get(key).map(|id| (false, *id))).unwrap_or_else(
                || {
                    fresh += 1;
                    (false, fresh - 1)
                },
            )
        };
        Ok(keys.into_iter().map(number).collect())
    }

    /// The time of a change, milliseconds since 1970. It never decreases, even if the clock does, so that a client that reads
    /// changes in their order misses none.
    pub(crate) async fn now(&self, tx: &mut Transaction<'_, Any>) -> Result<i64, sqlx::Error> {
        moment(tx, (self.clock)()).await
    }

    async fn write_article(
        &self,
        tx: &mut Transaction<'_, Any>,
        one: &Encoded<'_>,
        assigned: &Assignment<'_>,
    ) -> Result<(), StoreError> {
        let meta = assigned.meta;
        let mut card = one.new.card.clone();
        card.id = assigned.id;
        card.journal.clone_from(&assigned.journal);
        if meta.subjects != one.new.article.meta.subjects {
            card.subject = meta.subjects.first().cloned().unwrap_or_default();
        }
        // What is recorded of the notices about the article decides, after all articles of the transaction are stored.
        card.notice = NoticeMark::None;
        sqlx::query(
            "INSERT INTO articles (id, site_id, source_key, doi_key, digest, journal, year, issue, page_key, published, \
             first_status, card, meta, body, rendered, files, changed, change_seq, origin, work_key) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20) \
             ON CONFLICT (site_id, source_key) DO UPDATE SET doi_key = excluded.doi_key, digest = excluded.digest, \
             journal = excluded.journal, year = excluded.year, issue = excluded.issue, page_key = excluded.page_key, \
             published = excluded.published, first_status = excluded.first_status, card = excluded.card, \
             meta = excluded.meta, body = excluded.body, rendered = excluded.rendered, files = excluded.files, \
             changed = excluded.changed, change_seq = excluded.change_seq, origin = excluded.origin, \
             work_key = excluded.work_key",
        )
        .bind(assigned.id)
        .bind(self.site)
        .bind(&meta.source_key)
        .bind(meta.doi.as_ref().map(Doi::key))
        .bind(&one.digest)
        .bind(&assigned.journal)
        .bind(i64::from(meta.year.unwrap_or(0)))
        .bind(&meta.issue)
        .bind(page_key(meta))
        .bind(meta.dates.published())
        .bind(i64::from(meta.first_status))
        .bind(encode(&card)?)
        .bind(&*assigned.encoded_meta)
        .bind(&one.body)
        .bind(&one.new.rendered)
        .bind(&one.files)
        .bind(assigned.changed_ms)
        .bind(assigned.seq)
        .bind(&one.new.origin)
        .bind(one.new.work_key.clone().or_else(|| works::work_key(meta)).unwrap_or_default())
        .execute(&mut **tx)
        .await
        .map_err(StoreError::query(WRITING))?;
        Ok(())
    }

    async fn write_compressed_html(
        &self,
        tx: &mut Transaction<'_, Any>,
        one: &Encoded<'_>,
        id: i64,
    ) -> Result<(), sqlx::Error> {
        if one.new.compressed_html.is_empty() {
            return Ok(());
        }
        sqlx::query(
            "INSERT INTO compressed_html (site_id, article_id, digest, blocks) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (site_id, article_id) DO UPDATE SET digest = excluded.digest, blocks = excluded.blocks",
        )
        .bind(self.site)
        .bind(id)
        .bind(&one.digest)
        .bind(&one.new.compressed_html[..])
        .execute(&mut **tx)
        .await?;
        Ok(())
    }

    /// Writes the figures and tables of an article in place of its previous ones. A figure that is still present keeps its number.
    async fn write_figures_and_tables(
        &self,
        tx: &mut Transaction<'_, Any>,
        new: &NewArticle,
        assigned: &Assignment<'_>,
    ) -> Result<(), StoreError> {
        let mut rows: Vec<FigureRow> = Vec::with_capacity(new.pictures.len() + new.tables.len());
        let mut add =
            |row: FigureRow| match rows.iter_mut().find(|other| (other.kind, &other.key) == (row.kind, &row.key)) {
                // If the source has an id twice, the last element with it is stored.
                Some(same) => *same = row,
                None => rows.push(row),
            };
        for picture in &new.pictures {
            let mut picture = picture.clone();
            (picture.key, picture.article) = (format!("{}/{}", assigned.id, picture.element), assigned.id);
            picture.journal.clone_from(&assigned.journal);
            add(FigureRow::of(&picture)?);
        }
        for table in &new.tables {
            let mut table = table.clone();
            (table.key, table.article) = (format!("{}/{}", assigned.id, table.element), assigned.id);
            table.journal.clone_from(&assigned.journal);
            add(FigureRow::of(&table)?);
        }
        self.write_rows(tx, assigned, &rows).await.map_err(StoreError::query(WRITING))
    }

    async fn write_rows(
        &self,
        tx: &mut Transaction<'_, Any>,
        assigned: &Assignment<'_>,
        rows: &[FigureRow],
    ) -> Result<(), sqlx::Error> {
        let mut before: HashMap<(String, String), i64> = HashMap::new();
        if assigned.replaces {
            let known: Vec<(i64, String, String)> = sqlx::query_as(
                "SELECT id, kind, entry FROM resources WHERE site_id = $1 AND article_id = $2 AND kind IN ('picture', 'table')",
            )
            .bind(self.site)
            .bind(assigned.id)
            .fetch_all(&mut **tx)
            .await?;
            before.extend(known.into_iter().map(|(id, kind, key)| ((kind, key), id)));
        }
        let ids: Vec<Option<i64>> =
            rows.iter().map(|row| before.remove(&(row.kind.as_str().to_owned(), row.key.clone()))).collect();
        for id in before.into_values() {
            sqlx::query("DELETE FROM resources WHERE site_id = $1 AND id = $2")
                .bind(self.site)
                .bind(id)
                .execute(&mut **tx)
                .await?;
        }
        let new = ids.iter().filter(|id| id.is_none()).count();
        let mut fresh =
            if new == 0 { 0 } else { take(tx, "resources", i64::try_from(new).unwrap_or(i64::MAX)).await? };
        let rows: Vec<(i64, &FigureRow)> = rows
            .iter()
            .zip(ids)
            .map(|(row, id)| {
                let id = id.unwrap_or_else(|| {
                    fresh += 1;
                    fresh - 1
                });
                (id, row)
            })
            .collect();
        for some in rows.chunks(ROWS) {
            let sql = format!(
                "INSERT INTO resources (id, site_id, kind, entry, section, article_id, position, dated, data) VALUES {} \
                 ON CONFLICT (site_id, kind, entry) DO UPDATE SET section = excluded.section, \
                 article_id = excluded.article_id, position = excluded.position, dated = excluded.dated, \
                 data = excluded.data",
                value_rows(9, some.len())
            );
            let mut query = sqlx::query(sqlx::AssertSqlSafe(sql));
            for (id, row) in some {
                query = query
                    .bind(*id)
                    .bind(self.site)
                    .bind(row.kind.as_str())
                    .bind(&row.key)
                    .bind(&row.section)
                    .bind(assigned.id)
                    .bind(row.position)
                    .bind(&row.date)
                    .bind(&row.data);
            }
            query.execute(&mut **tx).await?;
        }
        Ok(())
    }

    /// Gives a present article another source key, by which later imports recognise it, and leaves the rest as it is. Returns whether the
    /// article has the key now: not if there is no such article, or another one has the key.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn rename_source_key(&self, id: ArticleId, source_key: &str) -> Result<bool, StoreError> {
        self.rename_in_transaction(id, source_key).await.map_err(StoreError::query(WRITING))
    }

    async fn rename_in_transaction(&self, id: ArticleId, source_key: &str) -> Result<bool, sqlx::Error> {
        let mut tx = lock_changes(&self.pool).await?;
        let renamed = sqlx::query(
            "UPDATE articles SET source_key = $3 WHERE site_id = $1 AND id = $2 AND NOT EXISTS \
             (SELECT 1 FROM articles WHERE site_id = $1 AND source_key = $3 AND id <> $2)",
        )
        .bind(self.site)
        .bind(id.0)
        .bind(source_key)
        .execute(&mut *tx)
        .await?
        .rows_affected()
            > 0;
        if renamed {
            rewrites::note(&mut tx, self.site, &BTreeSet::from([id.0])).await?;
        }
        tx.commit().await?;
        Ok(renamed)
    }
}

/// The time of a change, milliseconds since 1970. It never decreases, even if the clock does, so that a client that reads changes in their
/// order misses none.
pub(crate) async fn moment(tx: &mut Transaction<'_, Any>, clock_ms: i64) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "UPDATE sequences SET value = CASE WHEN value < $1 THEN $1 ELSE value END WHERE name = 'moments' RETURNING value",
    )
    .bind(clock_ms)
    .fetch_one(&mut **tx)
    .await
}

/// A figure or table as a row of the resources.
struct FigureRow {
    kind: ResourceKind,
    key: String,
    section: String,
    position: i64,
    date: String,
    data: String,
}

impl FigureRow {
    fn of<T: StoredResource>(value: &T) -> Result<Self, StoreError> {
        let keys = value.list_keys();
        Ok(Self {
            kind: T::KIND,
            key: keys.key.to_owned(),
            section: keys.section.to_owned(),
            position: keys.position,
            date: keys.date.to_owned(),
            data: encode(value)?,
        })
    }
}

fn digest(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hex(&hash.finalize())
}

/// Orders the articles of an issue: by first page as a number, then by article number, then as text.
fn page_key(meta: &ArticleMeta) -> String {
    let page = if meta.first_page.is_empty() { &meta.elocation_id } else { &meta.first_page };
    let digits: String = page.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    format!("{:0>12}{page}", digits.trim_start_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_sort_as_numbers() {
        let key = |page: &str| page_key(&ArticleMeta { first_page: page.to_owned(), ..ArticleMeta::default() });
        assert!(key("9") < key("10") && key("e9") < key("e10") && key("") < key("1"));
    }

    #[test]
    fn a_digest_depends_on_the_boundaries_of_parts() {
        assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]));
    }
}
