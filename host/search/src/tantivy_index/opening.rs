//! Opening of an index: the one in the folder if it fits, an empty one otherwise; an error if it is damaged.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, RwLock},
};

use tantivy::{
    Directory as _, Index, IndexSettings, IndexWriter, ReloadPolicy, TantivyError,
    directory::{INDEX_WRITER_LOCK, MmapDirectory},
    indexer::{LogMergePolicy, NoMergePolicy},
    schema::Schema,
};

use super::{Inner, SearchIndex, positions, schema, segments::Segments, tokenizer, writing::Payload};
use crate::index::SearchError;

/// Memory of one thread of the writer in bytes, after which it writes a segment.
pub const WRITER_BYTES: usize = 50_000_000;
/// The same while an index is filled: larger segments are merged less often.
const FILLING_BYTES: usize = 120_000_000;
/// Greatest number of threads that fill an index.
const MAX_WRITERS: usize = 8;
/// Size in bytes up to which all files are compared with their checksums when an index is opened, which takes a fraction of a second.
const VERIFIED_BYTES: u64 = 256 << 20;
/// Part of the entries of a segment that may be deleted before it is written anew.
const DELETED: f32 = 0.25;
const REMEDY: &str = "if another masthead process that serves from this data folder has it open, end that one; if none is running, the folder is \
                      damaged: remove it, the index is rebuilt from the database";

/// How many threads write.
#[derive(Clone, Copy)]
pub enum Writers {
    One,
    All,
}

impl Writers {
    fn of(self, index: &Index) -> tantivy::Result<IndexWriter> {
        let writer = match self {
            Self::One => index.writer_with_num_threads(1, WRITER_BYTES)?,
            Self::All => {
                let threads = std::thread::available_parallelism().map_or(1, usize::from).min(MAX_WRITERS);
                index.writer_with_num_threads(threads, threads * FILLING_BYTES)?
            }
        };
        let mut policy = LogMergePolicy::default();
        policy.set_del_docs_ratio_before_merge(DELETED);
        writer.set_merge_policy(Box::new(policy));
        Ok(writer)
    }
}

/// The damage of these files, as an error.
pub fn damage(files: &HashSet<PathBuf>) -> SearchError {
    let mut names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    names.sort_unstable();
    let source = format!("these files differ from what was written: {}", names.join(", "));
    SearchError::Use { doing: "checking the files of the index", source: source.into() }
}

/// Opens the index of a database in a folder.
pub fn open(folder: &Path, database: i64, writers: Writers) -> Result<SearchIndex, SearchError> {
    let inner = open_inner(folder, database, writers).map_err(|source| failed(folder, source))?;
    if size(folder) <= VERIFIED_BYTES {
        let damaged = inner.index.validate_checksum().map_err(|source| failed(folder, source))?;
        if !damaged.is_empty() {
            return Err(failed(folder, damage(&damaged)));
        }
    }
    Ok(SearchIndex { inner: Arc::new(inner) })
}

/// Merges all segments of an index into one. No writer has merged them in part meanwhile, because none is open.
pub fn merge(folder: &Path) -> Result<(), SearchError> {
    let merged = || -> tantivy::Result<()> {
        let index = Index::open(MmapDirectory::open(folder)?)?;
        let mut writer: IndexWriter = index.writer_with_num_threads(1, WRITER_BYTES)?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        let segments = index.searchable_segment_ids()?;
        if segments.len() > 1 {
            writer.merge(&segments).wait()?;
            writer.garbage_collect_files().wait()?;
        }
        writer.wait_merging_threads()
    };
    merged().map_err(|source| failed(folder, source))
}

fn failed(folder: &Path, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> SearchError {
    SearchError::Open { folder: folder.display().to_string(), source: source.into(), remedy: REMEDY }
}

fn open_inner(folder: &Path, database: i64, writers: Writers) -> tantivy::Result<Inner> {
    std::fs::create_dir_all(folder)?;
    let (schema, columns) = schema::schema();
    let directory = MmapDirectory::open(folder)?;
    let index = if Index::exists(&directory)? {
        let index = Index::open(directory.clone())?;
        if index.schema() == schema && belongs_to(&index, database)? {
            index
        } else {
            // A process of an older version may still be writing. The new index replaces the old one at once, in one file; the
            // old segments are deleted with the first commit.
            let _alone =
                directory.acquire_lock(&INDEX_WRITER_LOCK).map_err(|error| TantivyError::LockFailure(error, None))?;
            create(directory.clone(), schema)?
        }
    } else {
        create(directory, schema)?
    };
    tokenizer::register(&index);
    let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
    let writer = Mutex::new(Some(writers.of(&index)?));
    let positions = RwLock::new(positions::read(&reader.searcher(), &columns)?);
    Ok(Inner { index, reader, writer, positions, columns, segments: Segments::default(), database })
}

fn create(directory: MmapDirectory, schema: Schema) -> tantivy::Result<Index> {
    Index::create(directory, schema, IndexSettings::default())
}

/// Whether an index has changes of this database in the present form of entries, or none at all.
fn belongs_to(index: &Index, database: i64) -> tantivy::Result<bool> {
    let payload = index.load_metas()?.payload;
    Ok(payload.is_none_or(|payload| Payload::fits(&payload, database)))
}

/// The size of the files in a folder; those that cannot be read are not counted.
fn size(folder: &Path) -> u64 {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter_map(|file| file.metadata().ok()).map(|data| data.len()).sum()
}
