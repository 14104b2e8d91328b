//! Writing of updates, with the position of the log up to which they go.

use std::{collections::VecDeque, sync::PoisonError};

use masthead_domain::SiteId;
use tantivy::{IndexWriter, TantivyError, Term};

use super::{Inner, documents, positions};
use crate::{
    entry::{EntryKind, FORM, Subject, Update},
    index::{MAX_KEPT_POSITIONS, Position, SearchError},
};

pub const DOING: &str = "writing the index";

/// The database whose changes an index has, in the present form of entries. It is committed with every batch, as a text.
pub struct Payload {
    pub position: Position,
    pub database: i64,
}

impl Payload {
    /// The text to commit.
    pub fn write(&self) -> String {
        format!("{} {} {} {FORM}", self.position.change, self.position.mark, self.database)
    }

    /// Whether a committed text is of this database and of the present form of entries.
    pub fn fits(text: &str, database: i64) -> bool {
        text.splitn(3, ' ').nth(2).is_some_and(|rest| rest == format!("{database} {FORM}"))
    }
}

impl Inner {
    /// The positions that are kept, newest first.
    pub fn positions(&self) -> Vec<Position> {
        self.positions.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What was written after a position.
    pub fn written_after(&self, position: Position) -> tantivy::Result<Vec<(SiteId, Subject)>> {
        let searcher = self.reader.searcher();
        let mut all: Vec<(SiteId, Subject)> = Vec::new();
        for later in self.positions().iter().filter(|one| one.change > position.change) {
            all.extend(positions::subjects(&searcher, &self.columns, later.change)?);
        }
        let mut seen = std::collections::HashSet::new();
        all.retain(|one| seen.insert(one.clone()));
        Ok(all)
    }

    /// Writes updates and the position in one commit.
    pub fn apply(&self, batch: &[Update], position: Position) -> Result<(), SearchError> {
        let failed = |source: TantivyError| SearchError::Use { doing: DOING, source: Box::new(source) };
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(writer) = &mut *writer else {
            return Err(SearchError::Use { doing: DOING, source: "the index was closed".into() });
        };
        let mut kept = VecDeque::from(self.positions());
        let written = self.write(writer, batch, position, &mut kept);
        if let Err(source) = written {
            writer.rollback().map_err(failed)?;
            return Err(failed(source));
        }
        *self.positions.write().unwrap_or_else(PoisonError::into_inner) = kept.into();
        self.reload().map_err(failed)
    }

    /// Searches what was committed last.
    fn reload(&self) -> tantivy::Result<()> {
        self.reader.reload()?;
        self.segments.keep(&self.reader.searcher());
        Ok(())
    }

    fn write(
        &self,
        writer: &mut IndexWriter,
        batch: &[Update],
        position: Position,
        kept: &mut VecDeque<Position>,
    ) -> tantivy::Result<()> {
        for update in batch {
            writer.delete_term(self.of_subject(update));
            for entry in &update.entries {
                writer.add_document(self.columns.document(update.site, entry))?;
            }
        }
        // A position before others takes the index back.
        while let Some(later) = kept.pop_front_if(|one| one.change >= position.change) {
            writer.delete_term(positions::term(&self.columns, later.change));
        }
        while kept.len() >= MAX_KEPT_POSITIONS
            && let Some(oldest) = kept.pop_back()
        {
            writer.delete_term(positions::term(&self.columns, oldest.change));
        }
        writer.add_document(positions::document(&self.columns, position, batch))?;
        kept.push_front(position);
        let mut commit = writer.prepare_commit()?;
        commit.set_payload(&Payload { position, database: self.database }.write());
        commit.commit()?;
        Ok(())
    }

    /// The term of all entries of an update's subject.
    fn of_subject(&self, update: &Update) -> Term {
        let columns = &self.columns;
        match &update.subject {
            Subject::Article(id) => Term::from_field_text(columns.owner, &documents::owner(update.site, *id)),
            Subject::Publication(journal) => {
                Term::from_field_text(columns.key, &documents::key(update.site, EntryKind::Publication, 0, journal))
            }
            Subject::Resource(kind, id) => {
                Term::from_field_text(columns.key, &documents::key(update.site, EntryKind::Resource(*kind), *id, ""))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_of_another_database_or_form_does_not_fit() {
        let payload = Payload { position: Position { change: 7, mark: -9 }, database: 9_007_199_254_740_993 };
        assert!(Payload::fits(&payload.write(), 9_007_199_254_740_993));
        assert!(!Payload::fits(&payload.write(), 9_007_199_254_740_992));
        for former in ["41", "7 -9 5", "7 -9 5 1"] {
            assert!(!Payload::fits(former, 5), "{former} is of a version before marks, or with other entries");
        }
    }
}
