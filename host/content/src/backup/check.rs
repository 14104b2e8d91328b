//! A walk over everything that a backup refers to.

use std::{collections::HashSet, fs};

use masthead_store::backup::{Row, Value};
use serde::Serialize;

use super::{
    chunks::ChunkEntry,
    folder::{BackupFolder, FILES},
    manifest::{FolderFile, Manifest, TableManifest},
};
use crate::digest::{self, Digest};

/// The most problems that are described.
const MOST: usize = 100;

/// How far the parts of a backup are examined. Lists, and chunks that name files, are read in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckDepth {
    /// Not at all: only their names are of interest.
    Names,
    /// Whether they are there, with their lengths.
    Sizes,
    /// Whether their bytes are those of their digests.
    Bytes,
}

/// The result of the examination of a backup.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Checked {
    /// The backup.
    pub name: String,
    /// Chunks and lists that it has and none of the backups before it.
    pub chunks: usize,
    /// Files that it has and none of the backups before it.
    pub files: usize,
    /// The faults, a sentence each.
    pub problems: Vec<String>,
}

/// Compares every byte of the backup with this name, or of all backups, with its digest. Parts that several backups have in common are read
/// once.
///
/// # Errors
/// A message, if the folder cannot be read or has no such backup. The faults of a backup are in its result.
pub fn verify(folder: &BackupFolder, at: Option<&str>) -> anyhow::Result<Vec<Checked>> {
    let backups = folder.backups()?;
    let found: Vec<_> = backups.into_iter().filter(|(name, _)| at.is_none_or(|at| at == name)).collect();
    let root = folder.root().display();
    anyhow::ensure!(!found.is_empty(), "{root} has no backup{}", at.map(|at| format!(" {at}")).unwrap_or_default());
    let mut walk = BackupWalk::new(folder, CheckDepth::Bytes);
    let mut checked = Vec::with_capacity(found.len());
    for (name, read) in found {
        let before = (walk.chunks.len(), walk.files.len());
        match read {
            Ok(manifest) => walk.backup(&manifest),
            Err(error) => walk.problem(format!("{error:#}")),
        }
        checked.push(Checked {
            name,
            chunks: walk.chunks.len() - before.0,
            files: walk.files.len() - before.1,
            problems: std::mem::take(&mut walk.problems),
        });
    }
    Ok(checked)
}

/// Fails with a sentence if a part of a backup is missing or shorter or longer than it was.
pub fn ensure_complete(folder: &BackupFolder, manifest: &Manifest) -> anyhow::Result<()> {
    let mut walk = BackupWalk::new(folder, CheckDepth::Sizes);
    walk.backup(manifest);
    let Some(first) = walk.problems.first() else { return Ok(()) };
    anyhow::bail!(
        "the backup {} in {} is incomplete, and nothing was restored: {first}{}; restore another one with --at \
         (`masthead backup verify` shows which are complete)",
        manifest.name,
        folder.root().display(),
        if walk.problems.len() > 1 { format!(" and {} more problems", walk.problems.len() - 1) } else { String::new() }
    )
}

/// A walk over backups. It remembers the parts that it has seen: 32 bytes for each chunk and each file.
pub struct BackupWalk<'a> {
    folder: &'a BackupFolder,
    depth: CheckDepth,
    /// Chunks and lists.
    pub chunks: HashSet<Digest>,
    pub files: HashSet<Digest>,
    pub problems: Vec<String>,
    /// Chunks that are damaged, so that each backup that has them is reported.
    damaged: HashSet<Digest>,
    /// Chunks of the table of files of which every file was looked at.
    done: HashSet<Digest>,
}

impl<'a> BackupWalk<'a> {
    pub fn new(folder: &'a BackupFolder, depth: CheckDepth) -> Self {
        let (chunks, files) = (HashSet::new(), HashSet::new());
        Self { folder, depth, chunks, files, problems: Vec::new(), damaged: HashSet::new(), done: HashSet::new() }
    }

    fn problem(&mut self, sentence: String) {
        if self.problems.len() < MOST {
            self.problems.push(sentence);
        }
    }

    /// Examines a backup.
    pub fn backup(&mut self, manifest: &Manifest) {
        let missing: HashSet<&str> = manifest.missing.iter().map(String::as_str).collect();
        for table in &manifest.tables {
            self.table(table, &missing);
        }
        self.folder_files(manifest);
    }

    fn table(&mut self, table: &TableManifest, missing: &HashSet<&str>) {
        let media = MediaColumns::of(table);
        let mut rows = 0;
        for list in &table.lists {
            match self.folder.read_list(list) {
                Ok(entries) => {
                    self.chunks.extend(Digest::parse(list));
                    for entry in entries {
                        rows += entry.rows;
                        if let Err(error) = self.chunk(&entry, media, missing) {
                            self.damaged.insert(entry.chunk);
                            self.problem(format!("{error:#}"));
                        }
                    }
                }
                Err(error) => self.problem(format!("{error:#}")),
            }
        }
        if rows != table.rows && self.problems.is_empty() {
            self.problem(format!("the table {} has {rows} of {} rows", table.name, table.rows));
        }
    }

    fn chunk(
        &mut self,
        entry: &ChunkEntry,
        media: Option<MediaColumns>,
        missing: &HashSet<&str>,
    ) -> anyhow::Result<()> {
        let is_new = self.chunks.insert(entry.chunk) || self.damaged.contains(&entry.chunk);
        if is_new && self.depth >= CheckDepth::Sizes {
            let hex = entry.chunk.hex();
            anyhow::ensure!(self.folder.has_chunk(entry), "the chunk {hex} is missing, or cut off");
        }
        // Missing files differ by backup, and damaged ones are reported for each backup: the files of a chunk are looked at until all were
        // seen, and again if there is damage.
        let is_done = self.damaged.is_empty() && self.done.contains(&entry.chunk);
        if media.is_some() && !is_done || is_new && self.depth == CheckDepth::Bytes {
            let rows = self.folder.read_rows(entry)?;
            let mut all = media.is_some();
            for (digest, bytes) in rows.iter().filter_map(|row| media?.read(row)) {
                match Digest::parse(digest) {
                    _ if missing.contains(digest) => all = false,
                    Some(digest) => self.file(&digest, bytes),
                    None => {
                        all = false;
                        self.problem(format!("{digest:?} is not the digest of a file"));
                    }
                }
            }
            if all {
                self.done.insert(entry.chunk);
            }
        }
        Ok(())
    }

    fn folder_files(&mut self, manifest: &Manifest) {
        self.chunks.extend(Digest::parse(&manifest.folder_files));
        match self.folder.folder_files(manifest) {
            Ok(files) => files.iter().for_each(|FolderFile { digest, bytes, .. }| self.file(digest, *bytes)),
            Err(error) => self.problem(format!("{error:#}")),
        }
    }

    fn file(&mut self, digest: &Digest, bytes: u64) {
        if !self.files.insert(*digest) && !self.damaged.contains(digest) {
            return;
        }
        let path = self.folder.path(FILES, digest);
        let problem = match self.depth {
            CheckDepth::Names => None,
            CheckDepth::Sizes if fs::metadata(&path).is_ok_and(|found| found.len() == bytes) => None,
            // A row of the database may be wrong about the length.
            CheckDepth::Sizes | CheckDepth::Bytes => match digest::of_file(&path) {
                Ok((found, _)) if found == *digest => None,
                Ok(_) => Some("is cut off or damaged".to_owned()),
                Err(error) => Some(format!("cannot be read: {error}")),
            },
        };
        if let Some(problem) = problem {
            self.damaged.insert(*digest);
            self.problem(format!("the file {} {problem}", path.display()));
        }
    }
}

/// The columns of the table of files that a backup uses.
#[derive(Clone, Copy)]
pub struct MediaColumns {
    digest: usize,
    bytes: usize,
}

impl MediaColumns {
    /// The columns, if the table is that of the files.
    pub fn of(table: &TableManifest) -> Option<Self> {
        if table.name != "media" {
            return None;
        }
        Some(Self { digest: table.position("digest")?, bytes: table.position("bytes")? })
    }

    /// The digest and the length of the file in a row.
    pub fn read(self, row: &Row) -> Option<(&str, u64)> {
        match (row.get(self.digest), row.get(self.bytes)) {
            (Some(Value::Text(digest)), Some(Value::Int(bytes))) => Some((digest, bytes.unsigned_abs())),
            _ => None,
        }
    }
}
