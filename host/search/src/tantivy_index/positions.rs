//! The positions of the log that were written, each in a document of its own with the subjects that were written with it. They are committed
//! with the entries, so that they cannot say anything else than the index has.

use masthead_domain::SiteId;
use tantivy::{
    Searcher, TantivyDocument, Term,
    collector::DocSetCollector,
    doc,
    query::TermQuery,
    schema::{IndexRecordOption, Value as _},
};

use super::{documents::SHOWN, schema::Columns};
use crate::{
    entry::{EntryKind, Subject, Update},
    index::Position,
};

/// What documents of positions have in the place of site and kind.
const KIND: &str = "position";

/// The term of all documents of positions.
pub fn all_terms(columns: &Columns) -> Term {
    Term::from_field_text(columns.kind_of_site, KIND)
}

/// The term of the document of one position.
pub fn term(columns: &Columns, change: i64) -> Term {
    Term::from_field_text(columns.key, &format!("{KIND}/{change}"))
}

/// The document of a position.
pub fn document(columns: &Columns, position: Position, batch: &[Update]) -> TantivyDocument {
    let mut document = doc!(
        columns.key => format!("{KIND}/{}", position.change),
        columns.kind_of_site => KIND,
        columns.id => position.change,
        columns.mark => position.mark,
    );
    for update in batch {
        document.add_text(columns.written, written(update.site, &update.subject));
    }
    document
}

/// The positions that an index has kept, newest first.
pub fn read(searcher: &Searcher, columns: &Columns) -> tantivy::Result<Vec<Position>> {
    let mut positions: Vec<Position> =
        documents(searcher, all_terms(columns))?.iter().map(|document| of_document(columns, document)).collect();
    positions.sort_unstable_by_key(|position| std::cmp::Reverse(position.change));
    Ok(positions)
}

/// The subjects that were written with a position.
pub fn subjects(searcher: &Searcher, columns: &Columns, change: i64) -> tantivy::Result<Vec<(SiteId, Subject)>> {
    let documents = documents(searcher, term(columns, change))?;
    let all = documents.iter().flat_map(|document| document.get_all(columns.written));
    Ok(all.filter_map(|value| subject(value.as_str()?)).collect())
}

fn documents(searcher: &Searcher, term: Term) -> tantivy::Result<Vec<TantivyDocument>> {
    let found = searcher.search(&TermQuery::new(term, IndexRecordOption::Basic), &DocSetCollector)?;
    found.into_iter().map(|address| searcher.doc(address)).collect()
}

fn of_document(columns: &Columns, document: &TantivyDocument) -> Position {
    let number = |column| document.get_first(column).and_then(|value| value.as_i64()).unwrap_or_default();
    Position { change: number(columns.id), mark: number(columns.mark) }
}

/// A subject as a text.
fn written(site: SiteId, subject: &Subject) -> String {
    let (kind, name) = match subject {
        Subject::Article(id) => (EntryKind::Article, id.to_string()),
        Subject::Publication(key) => (EntryKind::Publication, key.clone()),
        Subject::Resource(kind, id) => (EntryKind::Resource(*kind), id.to_string()),
    };
    format!("{site}{SHOWN}{}{SHOWN}{name}", kind.as_str())
}

fn subject(written: &str) -> Option<(SiteId, Subject)> {
    let mut parts = written.splitn(3, SHOWN);
    let site = SiteId(parts.next()?.parse().ok()?);
    let (kind, name) = (parts.next()?, parts.next()?);
    let subject = match EntryKind::parse(kind)? {
        EntryKind::Article => Subject::Article(name.parse().ok()?),
        EntryKind::Publication => Subject::Publication(name.to_owned()),
        EntryKind::Resource(kind) => Subject::Resource(kind, name.parse().ok()?),
    };
    Some((site, subject))
}

#[cfg(test)]
mod tests {
    use masthead_domain::resource::ResourceKind;

    use super::*;

    #[test]
    fn subjects_are_read_as_they_were_written() {
        for one in [
            Subject::Article(7),
            Subject::Publication("sea/level".into()),
            Subject::Resource(ResourceKind::Picture, i64::MAX),
        ] {
            assert_eq!(subject(&written(SiteId(31), &one)), Some((SiteId(31), one)));
        }
        for odd in ["", "1", "x\u{1f}article\u{1f}1", "1\u{1f}thesis\u{1f}1", "1\u{1f}article\u{1f}x"] {
            assert_eq!(subject(odd), None, "{odd:?}");
        }
    }
}
