//! The change log, and the generation of a site's content that follows from it.

use std::collections::HashMap;

use masthead_domain::SiteId;
use sqlx::{Any, Row as _, Transaction, any::AnyRow};

use crate::{LIST, ROWS, SiteStore, Store, StoreError, places, value_rows};

/// The kind of entity that changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// An article was added, replaced or removed, with its figures and tables; the entity is its number.
    Article,
    /// A journal or an issue; the entity is the journal's key. A change of an issue is logged as [`ChangeAction::Replaced`] of its journal.
    Journal,
    /// A resource; the entity is its kind, a slash, its number ([`crate::changed_resource`]).
    Resource,
    /// A setting that an administrator saved; the entity is its key.
    Setting,
    /// A kind that this version does not know.
    Other,
}

impl ChangeKind {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Article => "article",
            Self::Journal => "journal",
            Self::Resource => "resource",
            Self::Setting => "setting",
            Self::Other => "other",
        }
    }

    pub(crate) fn read(text: &str) -> Self {
        [Self::Article, Self::Journal, Self::Resource, Self::Setting]
            .into_iter()
            .find(|kind| kind.as_str() == text)
            .unwrap_or(Self::Other)
    }
}

/// What a change did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeAction {
    /// The entity is new.
    Added,
    /// The entity was present and differs now. Changes that a version without this column logged have this action.
    Replaced,
    /// The entity was removed.
    Removed,
    /// The entity came with the site, or the version of the site, that was loaded from another installation. It is no event for plugins:
    /// the other installation has told them.
    Loaded,
    /// A number that is shown with the entity has changed, such as its citations; the entity has not. It is no event for plugins and members.
    Recounted,
    /// An action that this version does not know.
    Other,
}

impl ChangeAction {
    /// The action of writing an entity that was present, or was not.
    pub(crate) const fn write(present: bool) -> Self {
        if present { Self::Replaced } else { Self::Added }
    }

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Replaced => "replaced",
            Self::Removed => "removed",
            Self::Loaded => "loaded",
            Self::Recounted => "recounted",
            Self::Other => "other",
        }
    }

    fn read(text: &str) -> Self {
        [Self::Added, Self::Replaced, Self::Removed, Self::Loaded, Self::Recounted]
            .into_iter()
            .find(|action| action.as_str() == text)
            .unwrap_or(Self::Other)
    }
}

/// A place in the log: behind a change, or before the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LogPosition {
    /// The number of the change; 0 before the first.
    pub seq: i64,
    /// The mark of the change; 0 before the first, and for changes that were logged without marks.
    pub mark: i64,
}

/// One line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its number; numbers grow in the order of commits.
    pub seq: i64,
    /// A random number. If a database is restored or fails over, other changes may get the numbers of those that were lost, and have other
    /// marks. 0 for a change that was logged without.
    pub mark: i64,
    /// The site.
    pub site: SiteId,
    /// The kind of entity.
    pub kind: ChangeKind,
    /// What happened to it.
    pub action: ChangeAction,
    /// The entity.
    pub entity: String,
}

impl Change {
    /// The place behind this change.
    #[must_use]
    pub const fn position(&self) -> LogPosition {
        LogPosition { seq: self.seq, mark: self.mark }
    }
}

/// A line to be written.
pub(crate) struct LogLine {
    pub(crate) seq: i64,
    pub(crate) kind: ChangeKind,
    pub(crate) action: ChangeAction,
    pub(crate) entity: String,
}

/// Writes lines into the log, in the transaction that makes the changes.
pub(crate) async fn write(tx: &mut Transaction<'_, Any>, site: i64, lines: &[LogLine]) -> Result<(), sqlx::Error> {
    for some in lines.chunks(ROWS) {
        let sql = format!(
            "INSERT INTO changes (seq, mark, site_id, kind, action, entity) VALUES {}",
            value_rows(6, some.len())
        );
        let mut query = sqlx::query(sqlx::AssertSqlSafe(sql));
        for line in some {
            query = query.bind(line.seq).bind(new_mark()).bind(site);
            query = query.bind(line.kind.as_str()).bind(line.action.as_str()).bind(&line.entity);
        }
        query.execute(&mut **tx).await?;
    }
    Ok(())
}

/// A mark that no other change is likely to have, and never 0.
fn new_mark() -> i64 {
    rand::random_range(1..=i64::MAX)
}

const READING: &str = "reading the change log";

fn read(rows: &[AnyRow]) -> Result<Vec<Change>, StoreError> {
    let change = |row: &AnyRow| {
        Ok(Change {
            seq: row.try_get(0)?,
            mark: row.try_get(1)?,
            site: SiteId(row.try_get(2)?),
            kind: ChangeKind::read(row.try_get::<&str, _>(3)?),
            action: ChangeAction::read(row.try_get::<&str, _>(4)?),
            entity: row.try_get(5)?,
        })
    };
    rows.iter().map(change).collect::<Result<_, sqlx::Error>>().map_err(StoreError::query(READING))
}

impl Store {
    /// The changes after number `seq`, oldest first, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn changes_after(&self, seq: i64, limit: i64) -> Result<Vec<Change>, StoreError> {
        let rows = sqlx::query(
            "SELECT seq, mark, site_id, kind, action, entity FROM changes WHERE seq > $1 ORDER BY seq LIMIT $2",
        )
        .bind(seq)
        .bind(limit)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        read(&rows)
    }

    /// The changes behind a place of the log, oldest first, at most `limit`; `None` if the log does not have the place, because the database
    /// was restored or has failed over.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn changes_behind(&self, place: LogPosition, limit: i64) -> Result<Option<Vec<Change>>, StoreError> {
        if place == LogPosition::default() {
            return self.changes_after(0, limit).await.map(Some);
        }
        // One statement reads the place and what is behind it: the database may fail over between two.
        let mut changes = self.changes_after(place.seq - 1, limit.saturating_add(1)).await?;
        if changes.first().map(Change::position) != Some(place) {
            return Ok(None);
        }
        changes.remove(0);
        Ok(Some(changes))
    }

    /// Which of these places the log has: it has the change with this number, with this mark. It has the place before the first change always.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn known_positions(&self, asked: &[LogPosition]) -> Result<Vec<LogPosition>, StoreError> {
        let mut known = Vec::with_capacity(asked.len());
        for some in asked.chunks(LIST) {
            let sql = format!("SELECT seq, mark FROM changes WHERE seq IN ({})", places(1, some.len()));
            let mut query = sqlx::query_as(sqlx::AssertSqlSafe(sql));
            for position in some {
                query = query.bind(position.seq);
            }
            let rows: Vec<(i64, i64)> = query.fetch_all(&self.pool).await.map_err(StoreError::query(READING))?;
            let rows: HashMap<i64, i64> = rows.into_iter().collect();
            let has = |position: &&LogPosition| {
                **position == LogPosition::default() || rows.get(&position.seq) == Some(&position.mark)
            };
            known.extend(some.iter().filter(has));
        }
        Ok(known)
    }

    /// The end of the log: the place behind its last change.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn log_end(&self) -> Result<LogPosition, StoreError> {
        let last: Option<(i64, i64)> = sqlx::query_as("SELECT seq, mark FROM changes ORDER BY seq DESC LIMIT 1")
            .fetch_optional(&self.pool)
            .await
            .map_err(StoreError::query("reading the end of the change log"))?;
        Ok(last.map(|(seq, mark)| LogPosition { seq, mark }).unwrap_or_default())
    }

    /// The number of the latest change, 0 before the first.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn latest_change(&self) -> Result<i64, StoreError> {
        sqlx::query_scalar("SELECT value FROM sequences WHERE name = 'changes'")
            .fetch_one(&self.pool)
            .await
            .map_err(StoreError::query("reading the end of the change log"))
    }
}

impl SiteStore {
    /// The generation of this site's content: the number of its latest change, 0 before the first.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn generation(&self) -> Result<i64, StoreError> {
        sqlx::query_scalar("SELECT COALESCE(MAX(seq), 0) FROM changes WHERE site_id = $1")
            .bind(self.site)
            .fetch_one(&self.pool)
            .await
            .map_err(StoreError::query("reading a site's generation"))
    }
}

#[cfg(test)]
mod tests {
    use super::ChangeAction;

    #[test]
    fn actions_are_read_back_as_written() {
        for action in [
            ChangeAction::Added,
            ChangeAction::Replaced,
            ChangeAction::Removed,
            ChangeAction::Loaded,
            ChangeAction::Recounted,
            ChangeAction::Other,
        ] {
            assert_eq!(ChangeAction::read(action.as_str()), action);
        }
        assert_eq!(ChangeAction::read("merged"), ChangeAction::Other);
    }
}
