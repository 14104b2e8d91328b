//! The change log, and the generation of a site's content that follows from it.

use masthead_domain::SiteId;
use sqlx::Row as _;

use crate::{SiteStore, Store, StoreError};

/// What a change is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// An article was added, replaced or removed, with its figures and tables; the entity is its number.
    Article,
    /// A journal or an issue; the entity is the journal's key. An issue, added or not, replaces its journal.
    Journal,
    /// A resource; the entity is its kind, a slash, its number ([`crate::changed_resource`]).
    Resource,
    /// A setting that an administrator saved; the entity is its key.
    Setting,
    /// A kind that a newer version wrote.
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

    fn read(text: &str) -> Self {
        [Self::Article, Self::Journal, Self::Resource, Self::Setting]
            .into_iter()
            .find(|kind| kind.as_str() == text)
            .unwrap_or(Self::Other)
    }
}

/// What a change did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeAction {
    /// The entity was not there before.
    Added,
    /// It was, and differs now; also what is said of every change that an older version wrote.
    Replaced,
    /// It is no more.
    Removed,
    /// Something that a newer version does.
    Other,
}

impl ChangeAction {
    /// What writing does to an entity that was there, or was not.
    pub(crate) const fn write(there: bool) -> Self {
        if there { Self::Replaced } else { Self::Added }
    }

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Replaced => "replaced",
            Self::Removed => "removed",
            Self::Other => "other",
        }
    }

    fn read(text: &str) -> Self {
        [Self::Added, Self::Replaced, Self::Removed]
            .into_iter()
            .find(|action| action.as_str() == text)
            .unwrap_or(Self::Other)
    }
}

/// One line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its number; numbers grow in the order of commits.
    pub seq: i64,
    /// The site.
    pub site: SiteId,
    /// What it is about.
    pub kind: ChangeKind,
    /// What it did.
    pub action: ChangeAction,
    /// Which one.
    pub entity: String,
}

impl Store {
    /// The changes after number `seq`, oldest first, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn changes_after(&self, seq: i64, limit: i64) -> Result<Vec<Change>, StoreError> {
        let rows =
            sqlx::query("SELECT seq, site_id, kind, action, entity FROM changes WHERE seq > $1 ORDER BY seq LIMIT $2")
                .bind(seq)
                .bind(limit)
                .fetch_all(&self.pool)
                .await
                .map_err(StoreError::query("reading the change log"))?;
        rows.iter()
            .map(|row| {
                Ok(Change {
                    seq: row.try_get(0)?,
                    site: SiteId(row.try_get(1)?),
                    kind: ChangeKind::read(row.try_get::<&str, _>(2)?),
                    action: ChangeAction::read(row.try_get::<&str, _>(3)?),
                    entity: row.try_get(4)?,
                })
            })
            .collect::<Result<_, sqlx::Error>>()
            .map_err(StoreError::query("reading the change log"))
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
    fn an_action_reads_as_it_was_written() {
        for action in [ChangeAction::Added, ChangeAction::Replaced, ChangeAction::Removed, ChangeAction::Other] {
            assert_eq!(ChangeAction::read(action.as_str()), action);
        }
        assert_eq!(ChangeAction::read("merged"), ChangeAction::Other);
    }
}
