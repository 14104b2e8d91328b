//! Chunks of rows, and lists of chunks.

use std::mem;

use masthead_store::backup::{ArticleKey, ArticleVersion, Row, Table, Value};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{
    folder::BackupFolder,
    manifest::{Added, TableManifest},
};
use crate::digest::Digest;

/// Bytes that a chunk has on average before compression. A changed row costs a chunk; each chunk costs a file.
const TARGET: u64 = 256 << 10;
/// One of so many chunks is the last of its list, on average.
const LIST: u8 = 64;
/// The most chunks of a list.
const LONGEST_LIST: usize = 1024;

/// A chunk in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChunkEntry {
    /// Digest of the uncompressed chunk.
    pub chunk: Digest,
    /// Bytes of the compressed chunk.
    pub stored: u64,
    /// Number of rows.
    pub rows: u64,
    /// For a table of articles: the articles whose rows it has.
    pub range: Option<Range>,
}

/// The articles from the first to the last of a chunk, and the digest of their versions: the chunk has the rows that they have now if the
/// digest of their versions is this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Range {
    pub first: ArticleKey,
    pub last: ArticleKey,
    pub versions: Digest,
}

impl Range {
    /// The range of a chunk whose rows are of the articles from `first` to `last`. It takes the versions up to `last` from `pending`, or all
    /// of them if the chunk is the last one.
    pub fn take(pending: &mut &[ArticleVersion], first: ArticleKey, last: ArticleKey, is_end: bool) -> Self {
        let count = if is_end { pending.len() } else { pending.partition_point(|version| version.key <= last) };
        let (covered, rest) = pending.split_at(count);
        *pending = rest;
        Self {
            first: covered.first().map_or(first, |version| version.key.min(first)),
            last: covered.last().map_or(last, |version| version.key.max(last)),
            versions: of_versions(covered),
        }
    }
}

/// The digest of the versions of articles.
pub fn of_versions(versions: &[ArticleVersion]) -> Digest {
    let mut hash = Sha256::new();
    for version in versions {
        for number in [version.key.0, version.key.1, version.changed, version.change, version.rewrite] {
            hash.update(number.to_le_bytes());
        }
    }
    Digest(hash.finalize().into())
}

/// The site and the number of the article that a row of a table of articles belongs to.
pub fn article_key(table: &Table, row: &Row) -> anyhow::Result<ArticleKey> {
    match (table.key.first().and_then(|at| row.get(*at)), table.key.get(1).and_then(|at| row.get(*at))) {
        (Some(Value::Int(site)), Some(Value::Int(article))) => Ok((*site, *article)),
        _ => anyhow::bail!("a row of the table {} does not say of which article it is", table.name),
    }
}

/// Rows of a chunk that is being filled.
#[derive(Default)]
pub struct RowBuffer {
    raw: Vec<u8>,
    rows: u64,
}

impl RowBuffer {
    /// Adds a row. Returns its length in bytes, and whether it is the last one of the chunk: this depends on the row alone, with the
    /// probability that makes chunks as long as they should be on average, unless the chunk has become too long.
    pub fn add(&mut self, table: &Table, row: &Row) -> anyhow::Result<(u64, bool)> {
        let before = self.raw.len();
        self.raw = postcard::to_extend(row, mem::take(&mut self.raw))?;
        self.rows += 1;
        let length = (self.raw.len() - before) as u64;
        let key: Vec<&Value> = table.key.iter().filter_map(|at| row.get(*at)).collect();
        let [a, b, c, d, ..] = Digest::of(&postcard::to_stdvec(&key)?).0;
        let draw = u64::from(u32::from_le_bytes([a, b, c, d])) % TARGET;
        Ok((length, draw < length || self.raw.len() as u64 >= 4 * TARGET))
    }

    /// The chunk and the number of its rows; `None` without rows. The buffer is empty then.
    pub fn take(&mut self) -> Option<(Vec<u8>, u64)> {
        let rows = mem::take(&mut self.rows);
        let raw = mem::take(&mut self.raw);
        (rows > 0).then_some((raw, rows))
    }
}

/// The rows of a chunk.
pub fn rows(raw: &[u8]) -> anyhow::Result<Vec<Row>> {
    let (mut rows, mut rest) = (Vec::new(), raw);
    while !rest.is_empty() {
        let (row, behind) = postcard::take_from_bytes::<Row>(rest)?;
        rows.push(row);
        rest = behind;
    }
    Ok(rows)
}

/// Writes the chunks of a table, and the lists of them.
pub struct TableWriter<'a> {
    folder: &'a BackupFolder,
    entries: Vec<ChunkEntry>,
    lists: Vec<String>,
    rows: u64,
    chunks: u64,
    stored: u64,
    added: Added,
}

impl<'a> TableWriter<'a> {
    pub fn new(folder: &'a BackupFolder) -> Self {
        Self { folder, entries: Vec::new(), lists: Vec::new(), rows: 0, chunks: 0, stored: 0, added: Added::default() }
    }

    /// Writes a chunk.
    pub fn write(&mut self, raw: &[u8], rows: u64, range: Option<Range>) -> anyhow::Result<()> {
        let written = self.folder.write_chunk(raw)?;
        self.added.chunk(&written);
        self.push(ChunkEntry { chunk: written.digest, stored: written.stored, rows, range })
    }

    /// Lists a chunk that is stored.
    pub fn push(&mut self, entry: ChunkEntry) -> anyhow::Result<()> {
        self.rows += entry.rows;
        self.chunks += 1;
        self.stored += entry.stored;
        let ends = entry.chunk.0[0].is_multiple_of(LIST);
        self.entries.push(entry);
        if ends || self.entries.len() >= LONGEST_LIST { self.end_list() } else { Ok(()) }
    }

    fn end_list(&mut self) -> anyhow::Result<()> {
        let list = self.folder.write_chunk(&postcard::to_stdvec(&mem::take(&mut self.entries))?)?;
        self.added.chunk(&list);
        self.lists.push(list.digest.hex());
        Ok(())
    }

    /// Number of rows so far.
    pub const fn rows(&self) -> u64 {
        self.rows
    }

    /// The table in the manifest, and the data that was written for it.
    pub fn finish(mut self, table: &Table) -> anyhow::Result<(TableManifest, Added)> {
        if !self.entries.is_empty() {
            self.end_list()?;
        }
        let Self { lists, rows, chunks, stored, added, .. } = self;
        let (name, columns) = (table.name.clone(), table.columns.clone());
        Ok((TableManifest { name, columns, rows, chunks, stored, lists }, added))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    /// A chunk is found by its digest, also by later versions: each row has one encoding.
    #[test]
    fn rows_keep_their_encoding() {
        let row = vec![Value::Null, Value::Int(-2), Value::Text("ü".into()), Value::Bytes(vec![0, 0xff, 0x80])];
        let encoded = postcard::to_stdvec(&row).unwrap();
        assert_eq!(encoded, [4, 0, 1, 3, 2, 2, 0xc3, 0xbc, 3, 3, 0, 0xff, 0x80]);
        assert_eq!(rows(&[encoded.as_slice(), &encoded].concat()).unwrap(), [row.clone(), row]);
    }
}
