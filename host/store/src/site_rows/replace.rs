//! A site becomes a copy of another one, in one transaction: whoever reads sees the old site or the new one.

use std::collections::BTreeSet;

use sqlx::{Any, Transaction};

use super::{
    CopiedTable, RowChange, SiteDiff, SiteRows, TableDiff, WRITING, decisions::AbsentRows, diff::EXTERNAL_CITATIONS,
};
use crate::{
    AuditEntry, ChangeAction, ChangeKind, Store, StoreError, audit,
    backup::{Row, Value, begin_reading, bind},
    change_log::{self, LogLine},
    lock_changes, next, rewrites, take,
};

/// A file of the folder of the sites that belongs to a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigurationFile {
    /// Path within the folder.
    pub path: String,
    /// Its bytes.
    pub content: Vec<u8>,
}

/// How a site is replaced.
pub struct Replacement<'a> {
    /// Whether the site may be replaced by what differs. The diff is made within the transaction, so that nothing changes after it.
    pub allowed: &'a (dyn Fn(&SiteDiff) -> bool + Sync),
    /// The folder of the sites.
    pub folder: &'a str,
    /// Files that are to be written to this folder after the transaction ([`Store::loaded_configuration`]).
    pub configuration: &'a [ConfigurationFile],
    /// The line of the audit trail, which is written if anything changes.
    pub audit: &'a AuditEntry,
    /// Called with the digest of each file that comes into use: it is stored in the data folder, and is stored again if it is missing there.
    pub keep_file: &'a mut (dyn FnMut(&str) -> std::io::Result<()> + Send),
}

/// What became of a replacement.
#[derive(Debug)]
pub enum Replaced {
    /// The site is a copy now; this is what changed.
    Done(SiteDiff),
    /// It is not allowed, and nothing was changed; this would change.
    Refused(SiteDiff),
}

impl SiteDiff {
    /// The digests of the files that come into use.
    pub fn new_files(&self) -> impl Iterator<Item = &str> {
        let media = self.tables.iter().filter(|table| table.table == "media");
        media.flat_map(|table| table.new.iter().chain(&table.replaced)).filter_map(|change| match change.key.first() {
            Some(Value::Text(digest)) => Some(digest.as_str()),
            _ => None,
        })
    }

    /// The numbers of the articles that differ, or whose compressed HTML does.
    fn articles(&self) -> BTreeSet<i64> {
        let tables = self.tables.iter().filter(|table| ["articles", "compressed_html"].contains(&table.table));
        let changes = tables.flat_map(|table| table.new.iter().chain(&table.replaced).chain(&table.removed));
        let number = |change: &RowChange| match change.key.first() {
            Some(Value::Int(number)) => Some(*number),
            _ => None,
        };
        changes.filter_map(number).collect()
    }

    /// What replacing a site by the copy changes: rows that stay because they are not the copy's to remove are left out.
    fn for_replacement(mut self) -> Self {
        for table in &mut self.tables {
            let decision = super::TABLES.iter().find(|decision| decision.table == table.table);
            if decision.is_some_and(|decision| decision.gone == AbsentRows::Retained) {
                table.removed.clear();
            }
        }
        self.tables.retain(|table| !(table.new.is_empty() && table.replaced.is_empty() && table.removed.is_empty()));
        self
    }
}

impl SiteRows {
    /// What [`Self::replace`] would change.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn replacement(&self, source: &Self) -> Result<SiteDiff, StoreError> {
        Ok(self.diff(source).await?.for_replacement())
    }

    /// Makes this site a copy of `source`, with the same numbers and datestamps. Articles that the copy does not have become tombstones, and
    /// nobody belongs any more to an institution that it does not have.
    ///
    /// # Errors
    /// [`StoreError`], also where `keep_file` fails; nothing is changed then.
    pub async fn replace(&self, source: &Self, replacement: Replacement<'_>) -> Result<Replaced, StoreError> {
        let (mut from, _) = begin_reading(&source.store.pool).await.map_err(StoreError::query(WRITING))?;
        let mut tx = lock_changes(&self.store.pool).await.map_err(StoreError::query(WRITING))?;
        let diff = self
            .diff_within(&mut tx, &mut from, source.store.site)
            .await
            .map_err(StoreError::query(WRITING))?
            .for_replacement();
        // A transaction that is dropped is rolled back.
        if !(replacement.allowed)(&diff) {
            return Ok(Replaced::Refused(diff));
        }
        if diff.is_empty() && replacement.configuration.is_empty() {
            return Ok(Replaced::Done(diff));
        }
        self.write(&mut tx, &mut from, source, &diff).await.map_err(StoreError::query(WRITING))?;
        self.write_configuration(&mut tx, &replacement).await.map_err(StoreError::query(WRITING))?;
        for digest in diff.new_files() {
            (replacement.keep_file)(digest).map_err(|error| StoreError::Unfit {
                doing: format!("checking that the file {digest} is stored"),
                problem: error.to_string(),
            })?;
        }
        audit::append(&mut tx, self.store.site, (self.store.clock)(), replacement.audit).await?;
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(Replaced::Done(diff))
    }

    /// Copies `source` into this site, which has nothing, in a database of its own. Unlike [`Self::replace`], it compares nothing: a page of
    /// rows is in memory at a time.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is copied then.
    pub async fn fill(&self, source: &Self) -> Result<(), StoreError> {
        self.copy_all(source).await.map_err(StoreError::query(WRITING))
    }

    async fn copy_all(&self, source: &Self) -> Result<(), sqlx::Error> {
        let (mut from, _) = begin_reading(&source.store.pool).await?;
        let mut tx = self.store.pool.begin().await?;
        for table in &self.tables {
            let mut after: Option<Row> = None;
            loop {
                let page = table.page(&mut from, source.store.site, after.as_deref()).await?;
                let Some(last) = page.last() else { break };
                after = Some(table.key(last));
                table.write(&mut tx, self.store.site, &page).await?;
            }
        }
        self.raise_sequences(&mut tx).await?;
        tx.commit().await
    }

    async fn write(
        &self,
        tx: &mut Transaction<'_, Any>,
        from: &mut Transaction<'_, Any>,
        source: &Self,
        diff: &SiteDiff,
    ) -> Result<(), sqlx::Error> {
        // From here on no file is removed from the data folder.
        next(tx, "media").await?;
        let now = self.store.now(tx).await?;
        let lines = self.log(tx, diff).await?;
        // All rows that go are deleted first: a number or key may pass from one row to another.
        for changes in &diff.tables {
            if let Some(table) = self.tables.iter().find(|table| table.decision.table == changes.table) {
                self.delete(tx, table, changes, now, lines).await?;
            }
        }
        for changes in &diff.tables {
            if let Some(table) = self.tables.iter().find(|table| table.decision.table == changes.table) {
                self.insert(tx, from, source, table, changes, now).await?;
            }
        }
        sqlx::query(
            "DELETE FROM removed_articles WHERE site_id = $1 AND EXISTS (SELECT 1 FROM articles AS a WHERE a.site_id = $1 \
             AND (a.id = removed_articles.id OR a.source_key = removed_articles.source_key))",
        )
        .bind(self.store.site)
        .execute(&mut **tx)
        .await?;
        // The articles have the moments and numbers of changes of the copy, which rows of another content may have had here.
        rewrites::note(tx, self.store.site, &diff.articles()).await?;
        self.raise_sequences(tx).await
    }

    /// Writes the lines of the change log, and returns the number of the last one.
    async fn log(&self, tx: &mut Transaction<'_, Any>, diff: &SiteDiff) -> Result<i64, sqlx::Error> {
        // An issue is logged as its journal, so that one entity may be in several rows.
        let entities = |changes: &mut dyn Iterator<Item = &RowChange>| -> BTreeSet<(&'static str, String)> {
            changes.flat_map(|change| &change.entities).map(|(kind, entity)| (kind.as_str(), entity.clone())).collect()
        };
        let tables = || diff.tables.iter();
        // These rows only say something of an article, which may stay when they go, and go when they stay.
        let counts = |table: &&TableDiff| table.table == EXTERNAL_CITATIONS;
        let others = || tables().filter(|table| !counts(table));
        let written = entities(&mut others().flat_map(|table| table.new.iter().chain(&table.replaced)));
        let removed = entities(&mut others().flat_map(|table| &table.removed));
        let mut changed =
            tables().filter(counts).flat_map(|table| table.new.iter().chain(&table.replaced).chain(&table.removed));
        let recounted = entities(&mut changed);
        let written = &written | &(&recounted - &removed);
        let mut lines: Vec<(&str, ChangeAction, String)> = removed
            .into_iter()
            .filter(|entity| !written.contains(entity))
            .map(|(kind, entity)| (kind, ChangeAction::Removed, entity))
            .collect();
        lines.extend(written.into_iter().map(|(kind, entity)| (kind, ChangeAction::Loaded, entity)));
        if lines.is_empty() {
            // Something that pages depend on may have changed, although the log has no name for it.
            lines.push((ChangeKind::Other.as_str(), ChangeAction::Loaded, String::new()));
        }
        let first = take(tx, "changes", i64::try_from(lines.len()).unwrap_or(i64::MAX)).await?;
        let numbered: Vec<LogLine> = lines
            .into_iter()
            .zip(first..)
            .map(|((kind, action, entity), seq)| LogLine { seq, kind: ChangeKind::read(kind), action, entity })
            .collect();
        change_log::write(tx, self.store.site, &numbered).await?;
        Ok(numbered.last().map_or(first, |line| line.seq))
    }

    async fn delete(
        &self,
        tx: &mut Transaction<'_, Any>,
        table: &CopiedTable,
        changes: &TableDiff,
        now: i64,
        seq: i64,
    ) -> Result<(), sqlx::Error> {
        if table.decision.table == "articles" {
            for change in &changes.removed {
                // A removed article is a tombstone, so that harvesters are told, and its number stays taken.
                let query = sqlx::query(
                    "INSERT INTO removed_articles (site_id, id, source_key, journal, changed, change_seq) \
                     SELECT site_id, id, source_key, journal, $3, $4 FROM articles WHERE site_id = $1 AND id = $2 \
                     ON CONFLICT DO NOTHING",
                );
                let Some(Value::Int(id)) = change.key.first() else { continue };
                query.bind(self.store.site).bind(*id).bind(now).bind(seq).execute(&mut **tx).await?;
            }
        }
        if table.decision.table == "institutions" {
            self.end_memberships(tx, changes).await?;
        }
        let condition: String =
            table.key_columns().enumerate().map(|(at, name)| format!(" AND \"{name}\" = ${}", at + 2)).collect();
        let ended = table.decision.gone == AbsentRows::Ended;
        let verb = if ended {
            format!("UPDATE \"{}\" SET ended = {now}", table.decision.table)
        } else {
            format!("DELETE FROM \"{}\"", table.decision.table)
        };
        let sql = format!("{verb} WHERE site_id = $1{condition}");
        // What stays in spite of the copy is not replaced by deleting it either: it is written over.
        let replaced =
            if ended || table.decision.gone == AbsentRows::Retained { &[][..] } else { &changes.replaced[..] };
        for change in replaced.iter().chain(&changes.removed) {
            let mut query = sqlx::query(sqlx::AssertSqlSafe(sql.clone())).bind(self.store.site);
            for (value, column) in change.key.iter().zip(&table.key) {
                query = bind(query, value, table.table.columns[*column].kind);
            }
            query.execute(&mut **tx).await?;
        }
        Ok(())
    }

    /// Ends that members of this installation belong to institutions that go, as where an administrator removes one.
    async fn end_memberships(&self, tx: &mut Transaction<'_, Any>, changes: &TableDiff) -> Result<(), sqlx::Error> {
        for change in &changes.removed {
            let Some(Value::Text(institution)) = change.key.first() else { continue };
            sqlx::query("DELETE FROM institution_members WHERE site_id = $1 AND institution = $2")
                .bind(self.store.site)
                .bind(institution.as_str())
                .execute(&mut **tx)
                .await?;
        }
        Ok(())
    }

    async fn insert(
        &self,
        tx: &mut Transaction<'_, Any>,
        from: &mut Transaction<'_, Any>,
        source: &Self,
        table: &CopiedTable,
        changes: &TableDiff,
        now: i64,
    ) -> Result<(), sqlx::Error> {
        let wanted: BTreeSet<&Row> = changes.new.iter().chain(&changes.replaced).map(|change| &change.key).collect();
        if wanted.is_empty() {
            return Ok(());
        }
        let saved = table.table.position("saved").filter(|_| table.decision.table == "media");
        let mut after: Option<Row> = None;
        loop {
            let page = table.page(from, source.store.site, after.as_deref()).await?;
            let Some(last) = page.last() else { return Ok(()) };
            after = Some(table.key(last));
            let mut rows: Vec<Row> = page.into_iter().filter(|row| wanted.contains(&table.key(row))).collect();
            for row in &mut rows {
                if let Some(value) = saved.and_then(|column| row.get_mut(column)) {
                    *value = Value::Int(now);
                }
            }
            if table.decision.table == "removed_articles" {
                self.make_room_for_tombstones(tx, table, &rows).await?;
            }
            table.write(tx, self.store.site, &rows).await?;
        }
    }

    /// Deletes the site's own tombstones of the same articles under other numbers.
    async fn make_room_for_tombstones(
        &self,
        tx: &mut Transaction<'_, Any>,
        table: &CopiedTable,
        rows: &[Row],
    ) -> Result<(), sqlx::Error> {
        for row in rows {
            let (Some(Value::Int(id)), Some(Value::Text(key))) =
                (table.value(row, "id"), table.value(row, "source_key"))
            else {
                continue;
            };
            sqlx::query("DELETE FROM removed_articles WHERE site_id = $1 AND source_key = $2 AND id <> $3")
                .bind(self.store.site)
                .bind(key.as_str())
                .bind(*id)
                .execute(&mut **tx)
                .await?;
        }
        Ok(())
    }

    /// Raises the sequences above the numbers of the site, so that no number is given twice on it, and the time of changes behind its
    /// datestamps, so that the next change comes behind them for harvesters.
    async fn raise_sequences(&self, tx: &mut Transaction<'_, Any>) -> Result<(), sqlx::Error> {
        for (sequence, value, table) in [
            ("articles", "MAX(id)", "articles"),
            ("articles", "MAX(id)", "removed_articles"),
            ("resources", "MAX(id)", "resources"),
            ("moments", "MAX(changed) + 1", "articles"),
            ("moments", "MAX(changed) + 1", "removed_articles"),
        ] {
            let sql = format!(
                "UPDATE sequences SET value = (SELECT {value} FROM {table} WHERE site_id = $1) \
                 WHERE name = '{sequence}' AND value < (SELECT COALESCE({value}, 0) FROM {table} WHERE site_id = $1)"
            );
            sqlx::query(sqlx::AssertSqlSafe(sql)).bind(self.store.site).execute(&mut **tx).await?;
        }
        Ok(())
    }

    async fn write_configuration(
        &self,
        tx: &mut Transaction<'_, Any>,
        replacement: &Replacement<'_>,
    ) -> Result<(), sqlx::Error> {
        for file in replacement.configuration {
            sqlx::query(
                "INSERT INTO loaded_configuration (site_id, folder, path, content) VALUES ($1, $2, $3, $4) \
                 ON CONFLICT (site_id, folder, path) DO UPDATE SET content = excluded.content",
            )
            .bind(self.store.site)
            .bind(replacement.folder)
            .bind(file.path.as_str())
            .bind(&file.content[..])
            .execute(&mut **tx)
            .await?;
        }
        Ok(())
    }
}

impl Store {
    /// Files of sites that were loaded and have yet to be written to this folder.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn loaded_configuration(&self, folder: &str) -> Result<Vec<ConfigurationFile>, StoreError> {
        let rows: Vec<(String, Vec<u8>)> =
            sqlx::query_as("SELECT path, content FROM loaded_configuration WHERE folder = $1 ORDER BY site_id, path")
                .bind(folder)
                .fetch_all(&self.pool)
                .await
                .map_err(StoreError::query("reading the configuration of a loaded site"))?;
        Ok(rows.into_iter().map(|(path, content)| ConfigurationFile { path, content }).collect())
    }

    /// Records that a file is written.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn configuration_is_written(&self, folder: &str, file: &ConfigurationFile) -> Result<(), StoreError> {
        // A later load may have stored another version, which is still to be written.
        sqlx::query("DELETE FROM loaded_configuration WHERE folder = $1 AND path = $2 AND content = $3")
            .bind(folder)
            .bind(&file.path)
            .bind(&file.content[..])
            .execute(&self.pool)
            .await
            .map_err(StoreError::query("recording that a configuration file is written"))?;
        Ok(())
    }
}
