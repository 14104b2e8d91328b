//! A backup folder on the disk.

use std::{
    fs::{self, DirBuilder, File, OpenOptions, TryLockError},
    io::{self, Read as _, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use anyhow::Context as _;
use flate2::{Compression, read::MultiGzDecoder, write::GzEncoder};
use masthead_store::backup::Row;
use serde::{Deserialize, Serialize};

use super::{
    FORMAT,
    chunks::{self, ChunkEntry},
    manifest::{FolderFile, Manifest, TableManifest},
};
use crate::{
    data_folder::{self, sync_folder},
    digest::{self, Digest},
};

const MARK: &str = "masthead-backup.json";
const LOCK: &str = "lock";
const UNFINISHED: &str = "unfinished";
const NEW: &str = "new";
const BACKUPS: &str = "backups";
pub(super) const CHUNKS: &str = "chunks";
pub(super) const FILES: &str = "files";
/// The mode of everything that is written: a backup has restricted texts, and maybe secrets.
const FILE_MODE: u32 = 0o600;
const FOLDER_MODE: u32 = 0o700;
/// Largest chunk that is read, before compression: far more than this version writes.
const LARGEST_CHUNK: u64 = 1 << 31;

/// The content of the mark.
#[derive(Serialize, Deserialize)]
struct Mark {
    format: u32,
}

/// A backup folder. While it is open for writing, no other process uses it; several processes may read it.
#[derive(Debug)]
pub struct BackupFolder {
    root: PathBuf,
    _lock: Option<File>,
    /// Whether everything in the folder was written by runs that came to their end. After a crash, a file may be there that never
    /// reached the disk, unless a manifest refers to it.
    trusted: bool,
    /// Number of files that were written, for their names.
    writes: AtomicU64,
}

/// A chunk that is stored.
pub struct Written {
    pub digest: Digest,
    /// Bytes of the compressed chunk.
    pub stored: u64,
    /// Whether it was not stored before.
    pub added: bool,
}

/// The result of adding a file of a site.
pub enum Put {
    /// It was stored before.
    Known,
    /// It is stored now.
    Added(u64),
    /// The data folder does not have it.
    Missing,
    /// The data folder has other bytes under its digest.
    Damaged,
}

impl BackupFolder {
    /// Opens a backup folder to write a backup into it, or creates it for the user of this process alone. It must not be in one of the
    /// folders `outside`, which are to be backed up.
    ///
    /// # Errors
    /// A message, if the folder cannot be used, contains other files, or is used by another process.
    pub fn open_to_write(root: &Path, outside: &[&Path]) -> anyhow::Result<Self> {
        ensure_outside(root, outside)?;
        let is_new = !root.join(MARK).exists();
        if is_new {
            ensure_unused(root)?;
        }
        data_folder::create_private(root, "backup folder", "--to")?;
        let folder = Self { root: root.to_owned(), _lock: lock(root, true)?, trusted: true, writes: AtomicU64::new(0) };
        folder.prepare(is_new).with_context(|| format!("preparing the backup folder {}", root.display()))?;
        folder.check_format()?;
        Ok(folder)
    }

    /// Opens a backup folder to read it.
    ///
    /// # Errors
    /// A message, if there is none, or if another process writes to it.
    pub fn open_to_read(root: &Path) -> anyhow::Result<Self> {
        anyhow::ensure!(
            root.join(MARK).exists(),
            "{} is no backup folder: it has no {MARK}; name the folder that `masthead backup --to` wrote",
            root.display()
        );
        let folder =
            Self { root: root.to_owned(), _lock: lock(root, false)?, trusted: false, writes: AtomicU64::new(0) };
        folder.check_format()?;
        Ok(folder)
    }

    /// The backups of a folder as [`Self::backups`] has them, also while another process writes to it; none if nothing was ever written to it.
    ///
    /// # Errors
    /// A message, if the folder cannot be read or has a newer format.
    pub fn listed(root: &Path) -> anyhow::Result<Vec<(String, anyhow::Result<Manifest>)>> {
        if !root.join(MARK).exists() || !root.join(BACKUPS).exists() {
            return Ok(Vec::new());
        }
        // Manifests are complete from the moment in which they have their names, so that no lock is needed.
        let folder = Self { root: root.to_owned(), _lock: None, trusted: false, writes: AtomicU64::new(0) };
        folder.check_format()?;
        let mut found = folder.backups()?;
        // One that was removed meanwhile is not damaged.
        found.retain(|(name, read)| read.is_ok() || folder.manifest_path(name).exists());
        Ok(found)
    }

    /// The path of the folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Removes the files that an interrupted run was writing, and creates the folders.
    fn prepare(&self, is_new: bool) -> io::Result<()> {
        match fs::remove_dir_all(self.root.join(NEW)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => private_folder(&self.root.join(NEW))?,
        }
        if is_new {
            self.write_text(&serde_json::to_string(&Mark { format: FORMAT })?, &self.root.join(MARK))?;
        }
        for name in [BACKUPS, CHUNKS, FILES] {
            private_folder(&self.root.join(name))?;
        }
        sync_folder(&self.root)
    }

    /// Writes a file, which has its name when its bytes are on the disk.
    fn write_text(&self, text: &str, target: &Path) -> io::Result<()> {
        let new = self.new_path();
        let mut file = create(&new)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(new, target)
    }

    fn check_format(&self) -> anyhow::Result<()> {
        let path = self.root.join(MARK);
        let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        let mark: Mark =
            serde_json::from_str(&text).with_context(|| format!("the mark {} is damaged", path.display()))?;
        anyhow::ensure!(
            mark.format <= FORMAT,
            "the backup folder {} has the format version {}, and this version reads at most {FORMAT}; use a newer Masthead",
            self.root.display(),
            mark.format
        );
        Ok(())
    }

    /// Marks the folder until [`Self::end`]. With `verify_all`, or if the run before this one was cut off, stored parts are used only after
    /// their bytes were read and compared with their digests.
    pub(super) fn begin(&mut self, verify_all: bool) -> io::Result<()> {
        let mark = self.root.join(UNFINISHED);
        self.trusted = !verify_all && !mark.exists();
        create(&mark)?.sync_all()?;
        sync_folder(&self.root)
    }

    /// Whether the parts that were stored before this run are used without reading them.
    pub(super) const fn is_trusted(&self) -> bool {
        self.trusted
    }

    /// Removes the mark.
    pub(super) fn end(&self) -> io::Result<()> {
        fs::remove_file(self.root.join(UNFINISHED))?;
        sync_folder(&self.root)
    }

    fn new_path(&self) -> PathBuf {
        self.root.join(NEW).join(self.writes.fetch_add(1, Ordering::Relaxed).to_string())
    }

    pub(super) fn path(&self, kind: &str, digest: &Digest) -> PathBuf {
        let name = digest.hex();
        self.root.join(kind).join(&name[..2]).join(name)
    }

    /// Gives a complete new file its name.
    fn adopt(new: &Path, target: &Path) -> io::Result<()> {
        if let Some(folder) = target.parent() {
            private_folder(folder)?;
        }
        fs::rename(new, target)
    }

    /// Stores a chunk, unless it is stored already, and reads it back.
    pub(super) fn write_chunk(&self, raw: &[u8]) -> anyhow::Result<Written> {
        let digest = Digest::of(raw);
        let target = self.path(CHUNKS, &digest);
        if let Ok(found) = fs::metadata(&target)
            && (self.trusted || self.read_chunk(&digest).is_ok())
        {
            return Ok(Written { digest, stored: found.len(), added: false });
        }
        let new = self.new_path();
        let write = || -> io::Result<u64> {
            // A fast level: the texts are compressed to a fifth by any, and the host has the processors to itself for most of the time.
            let mut encoder = GzEncoder::new(create(&new)?, Compression::new(3));
            encoder.write_all(raw)?;
            let file = encoder.finish()?;
            settle(&file)?;
            let stored = file.metadata()?.len();
            if Digest::of(&unpack(&new)?) != digest {
                return Err(io::Error::other("the file read back differs from the file written"));
            }
            Self::adopt(&new, &target)?;
            Ok(stored)
        };
        let stored = write().with_context(|| format!("writing the chunk {}", target.display()))?;
        Ok(Written { digest, stored, added: true })
    }

    /// The same folder for a thread that reads it, as long as this one keeps its lock.
    pub(super) fn for_reading(&self) -> Self {
        Self { root: self.root.clone(), _lock: None, trusted: self.trusted, writes: AtomicU64::new(0) }
    }

    /// Reads a chunk and compares it with its digest.
    pub(super) fn read_chunk(&self, digest: &Digest) -> anyhow::Result<Vec<u8>> {
        let path = self.path(CHUNKS, digest);
        let raw = match unpack(&path) {
            Ok(raw) => raw,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                anyhow::bail!("the chunk {} is missing", path.display())
            }
            Err(error) => anyhow::bail!("the chunk {} is cut off or damaged: {error}", path.display()),
        };
        anyhow::ensure!(Digest::of(&raw) == *digest, "the chunk {} is damaged", path.display());
        Ok(raw)
    }

    /// Reads the rows of a chunk.
    pub(super) fn read_rows(&self, entry: &ChunkEntry) -> anyhow::Result<Vec<Row>> {
        let rows = chunks::rows(&self.read_chunk(&entry.chunk)?)?;
        anyhow::ensure!(rows.len() as u64 == entry.rows, "the chunk {} lacks rows", entry.chunk.hex());
        Ok(rows)
    }

    /// Reads a list of chunks.
    pub(super) fn read_list(&self, list: &str) -> anyhow::Result<Vec<ChunkEntry>> {
        let digest = Digest::parse(list).with_context(|| format!("{list:?} is not the digest of a list of chunks"))?;
        Ok(postcard::from_bytes(&self.read_chunk(&digest)?)?)
    }

    /// The chunks of a table. One list at a time is in memory.
    pub(super) fn entries<'a>(
        &'a self,
        table: &'a TableManifest,
    ) -> impl Iterator<Item = anyhow::Result<ChunkEntry>> + 'a {
        table.lists.iter().flat_map(move |list| match self.read_list(list) {
            Ok(entries) => entries.into_iter().map(Ok).collect::<Vec<_>>(),
            Err(error) => vec![Err(error)],
        })
    }

    /// The files of folders in a backup.
    pub(super) fn folder_files(&self, manifest: &Manifest) -> anyhow::Result<Vec<FolderFile>> {
        let digest = Digest::parse(&manifest.folder_files).context("the list of files has no digest")?;
        Ok(postcard::from_bytes(&self.read_chunk(&digest)?)?)
    }

    /// Whether a chunk is stored, by its name and length; by its bytes if the length is another one, which a chunk may have that another
    /// version compressed again.
    pub(super) fn has_chunk(&self, entry: &ChunkEntry) -> bool {
        let length = fs::metadata(self.path(CHUNKS, &entry.chunk)).map(|found| found.len());
        length.is_ok_and(|length| length == entry.stored || self.read_chunk(&entry.chunk).is_ok())
    }

    /// Whether a file is stored: by its name and length, or by its bytes if those before this run are not trusted.
    fn has_file(&self, digest: &Digest, bytes: u64) -> bool {
        let path = self.path(FILES, digest);
        if self.trusted && fs::metadata(&path).is_ok_and(|found| found.len() == bytes) {
            return true;
        }
        digest::of_file(&path).is_ok_and(|(found, _)| found == *digest)
    }

    /// Stores a file whose digest is known.
    pub(super) fn put(&self, digest: &Digest, bytes: u64, source: &Path) -> anyhow::Result<Put> {
        if self.has_file(digest, bytes) {
            return Ok(Put::Known);
        }
        let Some((new, found, length)) = self.copy_in(source)? else { return Ok(Put::Missing) };
        if found != *digest {
            fs::remove_file(&new)?;
            return Ok(Put::Damaged);
        }
        self.adopt_file(&new, digest)?;
        Ok(Put::Added(length))
    }

    /// Stores a file; `None` if it has been removed. Returns its digest, its length, and whether it was not stored before.
    pub(super) fn add(&self, source: &Path) -> anyhow::Result<Option<(Digest, u64, bool)>> {
        let Some((new, digest, length)) = self.copy_in(source)? else { return Ok(None) };
        if self.has_file(&digest, length) {
            fs::remove_file(&new)?;
            return Ok(Some((digest, length, false)));
        }
        self.adopt_file(&new, &digest)?;
        Ok(Some((digest, length, true)))
    }

    fn copy_in(&self, source: &Path) -> anyhow::Result<Option<(PathBuf, Digest, u64)>> {
        let mut from = match File::open(source) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened.with_context(|| format!("reading {}", source.display()))?,
        };
        let new = self.new_path();
        let (digest, length) = copy_to(&mut from, &new)
            .with_context(|| format!("copying {} to the backup folder {}", source.display(), self.root.display()))?;
        Ok(Some((new, digest, length)))
    }

    /// Reads a new file back, and gives it its name.
    fn adopt_file(&self, new: &Path, digest: &Digest) -> anyhow::Result<()> {
        let target = self.path(FILES, digest);
        let (found, _) = digest::of_file(new)?;
        anyhow::ensure!(
            found == *digest,
            "writing {}: the file read back differs from the file written",
            target.display()
        );
        Self::adopt(new, &target).with_context(|| format!("writing {}", target.display()))
    }

    /// Waits until everything that was written is on the disk.
    pub(super) fn sync(&self) -> anyhow::Result<()> {
        sync_all_below(&self.root)
            .with_context(|| format!("writing the backup folder {} to the disk", self.root.display()))
    }

    fn manifest_path(&self, name: &str) -> PathBuf {
        self.root.join(BACKUPS).join(format!("{name}.json"))
    }

    /// Writes the manifest of a backup, which makes it one.
    pub(super) fn write_manifest(&self, manifest: &Manifest) -> anyhow::Result<()> {
        let (text, target) = (manifest.text()?, self.manifest_path(&manifest.name));
        let written = self.write_text(&text, &target).and_then(|()| sync_folder(&self.root.join(BACKUPS)));
        written.with_context(|| format!("writing the manifest {}", target.display()))
    }

    /// Removes the manifests of backups.
    pub(super) fn remove_manifests(&self, names: &[String]) -> anyhow::Result<()> {
        for name in names {
            let path = self.manifest_path(name);
            fs::remove_file(&path).with_context(|| format!("removing the manifest {}", path.display()))?;
        }
        Ok(sync_folder(&self.root.join(BACKUPS))?)
    }

    /// The backups: those with a readable manifest in their order, then the damaged ones with the reason.
    ///
    /// # Errors
    /// A message, if the folder cannot be read.
    pub fn backups(&self) -> anyhow::Result<Vec<(String, anyhow::Result<Manifest>)>> {
        let folder = self.root.join(BACKUPS);
        let mut found = Vec::new();
        for entry in fs::read_dir(&folder).with_context(|| format!("reading {}", folder.display()))? {
            let file = entry?.file_name();
            let Some(name) = file.to_str().and_then(|file| file.strip_suffix(".json")) else { continue };
            found.push((name.to_owned(), Manifest::read(&self.manifest_path(name), name)));
        }
        found.sort_by_key(|(name, read)| (read.as_ref().map_or(u64::MAX, |manifest| manifest.number), name.clone()));
        Ok(found)
    }

    /// The backup with this name, or else the latest one.
    ///
    /// # Errors
    /// A message, if there is none, or if it is damaged. If the latest one may be a damaged one, an earlier one has to be named.
    pub fn backup(&self, name: Option<&str>) -> anyhow::Result<Manifest> {
        let mut backups = self.backups()?;
        let root = self.root.display();
        if let Some(name) = name {
            let found = backups.into_iter().find(|(known, _)| known == name);
            let (_, manifest) = found.with_context(|| {
                format!("{root} has no backup {name}; `masthead backup list {root}` shows the names")
            })?;
            return manifest.with_context(|| format!("the backup {name} in {root} cannot be used"));
        }
        let damaged = backups.iter().rposition(|(_, read)| read.is_err());
        let latest = backups.iter().rposition(|(_, read)| read.is_ok());
        let newer_is_damaged = damaged.filter(|damaged| latest.is_none_or(|at| backups[at].0 < backups[*damaged].0));
        if let Some(at) = newer_is_damaged {
            let (name, read) = backups.swap_remove(at);
            return read.with_context(|| {
                format!("the latest backup {name} in {root} cannot be used; name an earlier one with --at")
            });
        }
        let latest = latest.with_context(|| format!("{root} has no backup yet"))?;
        backups.swap_remove(latest).1
    }
}

/// A backup folder in a folder that is backed up would contain itself.
fn ensure_outside(root: &Path, folders: &[&Path]) -> anyhow::Result<()> {
    // The folder may not be there yet.
    let existing = root.ancestors().find_map(|path| {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        fs::canonicalize(path).ok()
    });
    for folder in folders {
        let inside =
            existing.as_ref().is_some_and(|root| fs::canonicalize(folder).is_ok_and(|folder| root.starts_with(folder)));
        anyhow::ensure!(
            !inside,
            "the backup folder {} is in {}, which is to be backed up; choose another one with --to",
            root.display(),
            folder.display()
        );
    }
    Ok(())
}

/// Refuses a folder with other files than those that the start of a first backup leaves behind.
fn ensure_unused(root: &Path) -> anyhow::Result<()> {
    // Creating the folder reports its other faults.
    let Ok(entries) = fs::read_dir(root) else { return Ok(()) };
    for entry in entries {
        let name = entry.with_context(|| format!("reading the folder {}", root.display()))?.file_name();
        anyhow::ensure!(
            name == LOCK || name == NEW,
            "{} holds {} and is no backup folder; choose an empty folder with --to",
            root.display(),
            name.display()
        );
    }
    Ok(())
}

/// Locks a backup folder for this process, or for its readers.
fn lock(root: &Path, exclusive: bool) -> anyhow::Result<Option<File>> {
    let path = root.join(LOCK);
    let opened = if exclusive { open(&path) } else { File::open(&path) };
    let file = match opened {
        // A copy of a backup folder may lack it.
        Err(error) if !exclusive && error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened.with_context(|| format!("opening {}", path.display()))?,
    };
    let is_free = try_lock(&file, exclusive).with_context(|| format!("locking {}", path.display()))?;
    anyhow::ensure!(is_free, "another masthead process uses the backup folder {}; wait for its end", root.display());
    Ok(Some(file))
}

/// Locks a file for this process, or for its readers; `false` if another process has it. A file system without locks is used without.
pub(super) fn try_lock(file: &File, exclusive: bool) -> io::Result<bool> {
    let locked = if exclusive { file.try_lock() } else { file.try_lock_shared() };
    match locked {
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) if error.kind() != io::ErrorKind::Unsupported => Err(error),
        _ => Ok(true),
    }
}

/// Opens a file to write into it; a new one is for the user of this process alone.
pub(super) fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(FILE_MODE).open(path)
}

/// Creates a file for the user of this process alone, or empties it.
fn create(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(true).mode(FILE_MODE).open(path)
}

/// Copies a file for the user of this process alone. Returns its digest and its length.
pub(super) fn copy_to(from: &mut File, to: &Path) -> io::Result<(Digest, u64)> {
    let mut written = create(to)?;
    let copied = digest::copy(from, &mut written)?;
    settle(&written)?;
    Ok(copied)
}

/// Creates a folder with those above it for the user of this process alone, if it is not there.
pub(super) fn private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(path)
}

/// Waits until everything on the file system of a folder is on the disk. For many files this takes a fraction of the time of a wait for
/// each.
#[cfg(target_os = "linux")]
pub(super) fn sync_all_below(path: &Path) -> io::Result<()> {
    Ok(rustix::fs::syncfs(File::open(path)?)?)
}

/// Every file was synchronized when it was written.
#[cfg(not(target_os = "linux"))]
pub(super) fn sync_all_below(path: &Path) -> io::Result<()> {
    sync_folder(path)
}

/// Waits until a file is on the disk, where [`sync_all_below`] does not.
fn settle(file: &File) -> io::Result<()> {
    if cfg!(target_os = "linux") { Ok(()) } else { file.sync_all() }
}

fn unpack(path: &Path) -> io::Result<Vec<u8>> {
    let mut raw = Vec::new();
    MultiGzDecoder::new(File::open(path)?).take(LARGEST_CHUNK).read_to_end(&mut raw)?;
    Ok(raw)
}
