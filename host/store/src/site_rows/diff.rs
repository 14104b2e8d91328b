//! How two copies of a site differ.

use std::collections::BTreeMap;

use masthead_domain::text::hex;
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use sqlx::AnyConnection;

use super::{CopiedTable, READING, SiteRows};
use crate::{
    ChangeKind, StoreError,
    backup::{Row, Value, begin_reading},
};

/// The table whose rows say something of an entity that another table has.
pub(super) const EXTERNAL_CITATIONS: &str = "external_citations";

/// A row in which two copies differ.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct RowChange {
    /// The row in words: the columns by which it is known.
    pub shown: String,
    #[serde(skip)]
    pub(super) key: Row,
    /// Digest of both versions of the row.
    #[serde(skip)]
    digest: [u8; 32],
    /// What the change log calls it, in both versions.
    #[serde(skip)]
    pub(super) entities: Vec<(ChangeKind, String)>,
}

/// How a table of two copies differs.
#[derive(Clone, Debug, Serialize)]
pub struct TableDiff {
    /// The table.
    pub table: &'static str,
    /// Rows that only the other copy has.
    pub new: Vec<RowChange>,
    /// Rows that differ.
    pub replaced: Vec<RowChange>,
    /// Rows that only this copy has.
    pub removed: Vec<RowChange>,
}

/// How two copies of a site differ; tables without differences are left out.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SiteDiff {
    /// The tables that differ, in the order of [`super::TABLES`].
    pub tables: Vec<TableDiff>,
}

impl SiteDiff {
    /// Whether the copies are the same.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// Whether nothing that this copy has is replaced or removed.
    #[must_use]
    pub fn only_adds(&self) -> bool {
        self.tables.iter().all(|table| table.replaced.is_empty() && table.removed.is_empty())
    }

    /// Digest of everything that differs, in hexadecimal: two diffs with the same digest change the same.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut hash = Sha256::new();
        for table in &self.tables {
            for (part, changes) in [("new", &table.new), ("replaced", &table.replaced), ("removed", &table.removed)] {
                hash.update(format!("{} {part} {}\n", table.table, changes.len()));
                for change in changes {
                    hash.update(format!("{:?}\n", change.key));
                    hash.update(change.digest);
                }
            }
        }
        hex(&hash.finalize())
    }
}

/// What is remembered of a row to compare it.
struct State {
    digest: [u8; 32],
    shown: String,
    entity: Option<(ChangeKind, String)>,
}

/// How far the rows of one of two copies have been read.
#[derive(Default)]
struct Side {
    /// Key of the last row that was read.
    last: Option<Row>,
    ended: bool,
    /// Rows whose counterpart has not been read.
    unmatched: BTreeMap<Row, State>,
}

impl SiteRows {
    /// What changes where this site becomes a copy of `other`.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn diff(&self, other: &Self) -> Result<SiteDiff, StoreError> {
        let (mut here, _) = begin_reading(&self.store.pool).await.map_err(StoreError::query(READING))?;
        let (mut there, _) = begin_reading(&other.store.pool).await.map_err(StoreError::query(READING))?;
        self.diff_within(&mut here, &mut there, other.store.site).await.map_err(StoreError::query(READING))
    }

    /// The same within transactions on both databases.
    pub(super) async fn diff_within(
        &self,
        here: &mut AnyConnection,
        there: &mut AnyConnection,
        other: i64,
    ) -> Result<SiteDiff, sqlx::Error> {
        let mut diff = SiteDiff::default();
        for table in &self.tables {
            let found = table.compared((&mut *here, self.store.site), (&mut *there, other)).await?;
            if !(found.new.is_empty() && found.replaced.is_empty() && found.removed.is_empty()) {
                diff.tables.push(found);
            }
        }
        Ok(diff)
    }
}

impl CopiedTable {
    /// How the rows of two sites differ. Rows are held in memory until their counterpart is read, and both sides are read page by page in the
    /// order of their keys: where the databases order texts alike, what is held is what differs.
    async fn compared(
        &self,
        (here, site): (&mut AnyConnection, i64),
        (there, other): (&mut AnyConnection, i64),
    ) -> Result<TableDiff, sqlx::Error> {
        let mut diff =
            TableDiff { table: self.decision.table, new: Vec::new(), replaced: Vec::new(), removed: Vec::new() };
        let (mut before, mut after) = (Side::default(), Side::default());
        while !(before.ended && after.ended) {
            let here_is_behind = after.ended || (!before.ended && before.last <= after.last);
            let (states, behind, ahead) = if here_is_behind {
                (self.next_states(here, site, &mut before).await?, &mut before, &mut after)
            } else {
                (self.next_states(there, other, &mut after).await?, &mut after, &mut before)
            };
            for (key, state) in states {
                match ahead.unmatched.remove(&key) {
                    None => _ = behind.unmatched.insert(key, state),
                    Some(counterpart) if counterpart.digest == state.digest => {}
                    Some(counterpart) => {
                        let (old, new) = if here_is_behind { (state, counterpart) } else { (counterpart, state) };
                        diff.replaced.push(changed(key, Some(old), Some(new)));
                    }
                }
            }
        }
        diff.replaced.sort_by(|one, next| one.key.cmp(&next.key));
        diff.new.extend(after.unmatched.into_iter().map(|(key, new)| changed(key, None, Some(new))));
        diff.removed.extend(before.unmatched.into_iter().map(|(key, old)| changed(key, Some(old), None)));
        Ok(diff)
    }

    /// The next page of a side; none at its end.
    async fn next_states(
        &self,
        connection: &mut AnyConnection,
        site: i64,
        side: &mut Side,
    ) -> Result<Vec<(Row, State)>, sqlx::Error> {
        let page = self.page(connection, site, side.last.as_deref()).await?;
        match page.last() {
            Some(last) => side.last = Some(self.key(last)),
            None => side.ended = true,
        }
        let state =
            |row: &Row| State { digest: self.row_digest(row), shown: self.shown(row), entity: self.entity(row) };
        Ok(page.iter().map(|row| (self.key(row), state(row))).collect())
    }

    fn row_digest(&self, row: &[Value]) -> [u8; 32] {
        let mut hash = Sha256::new();
        for (at, (value, column)) in row.iter().zip(&self.table.columns).enumerate() {
            if at == self.site || self.decision.ignored.contains(&column.name.as_str()) {
                continue;
            }
            let (kind, bytes): (u8, Vec<u8>) = match value {
                Value::Null => (0, Vec::new()),
                Value::Int(number) => (1, number.to_le_bytes().to_vec()),
                Value::Text(text) => (2, text.as_bytes().to_vec()),
                Value::Bytes(bytes) => (3, bytes.clone()),
            };
            hash.update([kind]);
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        }
        hash.finalize().into()
    }

    fn shown(&self, row: &[Value]) -> String {
        let text = |column: &&str| match self.value(row, column)? {
            Value::Null => None,
            Value::Int(number) => Some(number.to_string()),
            Value::Text(text) => Some(text.clone()),
            Value::Bytes(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
        };
        self.decision.shown.iter().filter_map(text).collect::<Vec<_>>().join(" ")
    }

    /// What the change log calls a row, for the tables of which it knows.
    fn entity(&self, row: &[Value]) -> Option<(ChangeKind, String)> {
        let text = |column: &str| match self.value(row, column) {
            Some(Value::Text(text)) => text.clone(),
            Some(Value::Int(number)) => number.to_string(),
            _ => String::new(),
        };
        match self.decision.table {
            "articles" => Some((ChangeKind::Article, text("id"))),
            EXTERNAL_CITATIONS => Some((ChangeKind::Article, text("article_id"))),
            "resources" => Some((ChangeKind::Resource, format!("{}/{}", text("kind"), text("id")))),
            "journals" | "issues" => Some((ChangeKind::Journal, text("journal"))),
            "settings" => Some((ChangeKind::Setting, text("setting"))),
            _ => None,
        }
    }
}

fn changed(key: Row, old: Option<State>, new: Option<State>) -> RowChange {
    let mut hash = Sha256::new();
    let (mut shown, mut entities) = (String::new(), Vec::new());
    for state in [old, new] {
        hash.update(state.as_ref().map_or([0; 32], |state| state.digest));
        if let Some(state) = state {
            shown = state.shown;
            entities.extend(state.entity);
        }
    }
    entities.dedup();
    RowChange { shown, key, digest: hash.finalize().into(), entities }
}
