//! The folder of the search index: one index that is searched, and one that may be built beside it.
//!
//! Every index has a folder of its own, with a number. The file `live` names the one that is searched, and is replaced as a whole: whenever a
//! process is killed, the former index is live or the new one. Whoever has an index open holds a lock, which ends with the process.

use std::{
    error::Error,
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use crate::{index::SearchError, tantivy_index::SearchIndex};

/// The file that names the live index.
const LIVE: &str = "live";
/// End of the names of locks.
const LOCK: &str = ".lock";
/// Beginning of the name of a folder that was set aside.
const ASIDE: &str = "damaged-";
/// The lock of a version that had one index, whose files were in the folder itself.
const EARLIER_LOCK: &str = ".tantivy-writer.lock";
const IN_USE: &str = "another masthead process has it open; end that process first";
const UNUSABLE: &str = "check the folder's permissions and the space on its disk";

/// The folder of all indexes of a data folder.
#[derive(Clone, Debug)]
pub struct IndexFolder {
    root: PathBuf,
    database: i64,
}

/// An index that this process has open; no other process can open it meanwhile.
pub struct OpenIndex {
    /// The index.
    pub index: SearchIndex,
    /// Its number.
    pub number: u64,
    /// What was wrong with the index that was live before, if it was damaged and this one, which is empty, was made live in its place.
    pub damage: Option<String>,
    /// Released behind the index, which is declared before it.
    pub lock: IndexLock,
}

/// The lock of an index, until it is dropped.
#[derive(Debug)]
pub struct IndexLock {
    _file: File,
}

impl IndexFolder {
    /// The folder `root`, for the database with this identity (0 for one that was never restored from a backup).
    #[must_use]
    pub fn new(root: &Path, database: i64) -> Self {
        Self { root: root.to_owned(), database }
    }

    /// Opens the live index; the first one is created. If it is damaged, it is set aside, and an empty one is made live: it is complete when it
    /// has followed the change log from its start.
    ///
    /// # Errors
    /// [`SearchError::Open`], also when another process has the index open.
    pub fn open(&self) -> Result<OpenIndex, SearchError> {
        fs::create_dir_all(&self.root).map_err(|error| self.failed(error, UNUSABLE))?;
        self.remove_earlier_version()?;
        let number = match self.live() {
            Some(number) => number,
            None => self.create()?,
        };
        let lock = self.lock(number)?;
        match self.index(number) {
            Ok(index) => Ok(OpenIndex { index, number, damage: None, lock }),
            Err(error) => {
                self.set_aside(number)?;
                drop(lock);
                let number = self.create()?;
                let lock = self.lock(number)?;
                Ok(OpenIndex { index: self.index(number)?, number, damage: Some(error.to_string()), lock })
            }
        }
    }

    /// The number of the live index; `None` if there is none yet.
    #[must_use]
    pub fn live(&self) -> Option<u64> {
        fs::read_to_string(self.root.join(LIVE)).ok()?.trim().parse().ok()
    }

    /// Opens the index that is built beside the live one: the one that an interrupted build has left, or a new one.
    ///
    /// # Errors
    /// [`SearchError::Open`], also when another process builds one.
    pub fn open_next(&self) -> Result<OpenIndex, SearchError> {
        fs::create_dir_all(&self.root).map_err(|error| self.failed(error, UNUSABLE))?;
        let live = self.live().unwrap_or(0);
        let unfinished = self.numbers()?.into_iter().filter(|number| *number > live).max();
        if let Some(number) = unfinished {
            let lock = self.lock(number)?;
            if let Ok(index) = self.index_to_fill(number) {
                return Ok(OpenIndex { index, number, damage: None, lock });
            }
            self.remove(number);
        }
        let number = self.unused()?;
        let lock = self.lock(number)?;
        Ok(OpenIndex { index: self.index_to_fill(number)?, number, damage: None, lock })
    }

    /// Removes an index that is built beside the live one, and opens a new one in its place.
    ///
    /// # Errors
    /// [`SearchError::Open`].
    pub fn begin_again(&self, open: OpenIndex) -> Result<OpenIndex, SearchError> {
        let OpenIndex { index, number, lock, .. } = open;
        index.close()?;
        drop(index);
        // The lock stays: nobody else begins one meanwhile.
        fs::remove_dir_all(self.path(number)).map_err(|error| self.failed(error, UNUSABLE))?;
        Ok(OpenIndex { index: self.index_to_fill(number)?, number, damage: None, lock })
    }

    /// Merges the files of an index that this process has locked and closed, so that it is searched faster.
    ///
    /// # Errors
    /// [`SearchError::Open`]; the index is as it was then.
    pub fn merge(&self, number: u64) -> Result<(), SearchError> {
        SearchIndex::merge(&self.path(number))
    }

    /// Makes an index live. The process that serves opens it in the place of the former one; this process has closed it.
    ///
    /// # Errors
    /// [`SearchError::Open`]; the former index is live then.
    pub fn make_live(&self, number: u64) -> Result<(), SearchError> {
        let new = self.root.join("live.new");
        let write = || {
            let mut file = File::create(&new)?;
            writeln!(file, "{number}")?;
            file.sync_all()?;
            fs::rename(&new, self.root.join(LIVE))?;
            File::open(&self.root)?.sync_all()
        };
        write().map_err(|error| self.failed(error, UNUSABLE))
    }

    /// Removes the indexes before the live one. What cannot be removed, or is open in another process, stays until the next time.
    pub fn remove_former(&self) {
        let Some(live) = self.live() else { return };
        for number in self.numbers().unwrap_or_default().into_iter().filter(|number| *number < live) {
            if self.lock(number).is_ok() {
                self.remove(number);
            }
        }
    }

    /// The folder of an index.
    #[must_use]
    pub fn path(&self, number: u64) -> PathBuf {
        self.root.join(number.to_string())
    }

    fn index(&self, number: u64) -> Result<SearchIndex, SearchError> {
        SearchIndex::open(&self.path(number), self.database)
    }

    fn index_to_fill(&self, number: u64) -> Result<SearchIndex, SearchError> {
        SearchIndex::open_to_fill(&self.path(number), self.database)
    }

    /// Makes an index live that does not exist yet.
    fn create(&self) -> Result<u64, SearchError> {
        let number = self.unused()?;
        self.make_live(number)?;
        Ok(number)
    }

    /// The numbers of all indexes.
    fn numbers(&self) -> Result<Vec<u64>, SearchError> {
        let failed = |error| self.failed(error, UNUSABLE);
        let mut numbers = Vec::new();
        for entry in fs::read_dir(&self.root).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            if entry.path().is_dir() {
                numbers.extend(entry.file_name().to_str().and_then(|name| name.parse::<u64>().ok()));
            }
        }
        Ok(numbers)
    }

    fn unused(&self) -> Result<u64, SearchError> {
        let highest = self.numbers()?.into_iter().chain(self.live()).max().unwrap_or(0);
        Ok(highest + 1)
    }

    fn lock(&self, number: u64) -> Result<IndexLock, SearchError> {
        self.lock_file(&self.root.join(format!("{number}{LOCK}")))
    }

    fn lock_file(&self, path: &Path) -> Result<IndexLock, SearchError> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let file = file.map_err(|error| self.failed(error, UNUSABLE))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(self.failed(io::Error::from(io::ErrorKind::WouldBlock), IN_USE)),
            // A file system without locks is used without.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(IndexLock { _file: file }),
        }
    }

    /// Renames a damaged index, so that an operator can look at it. Those that were set aside before are removed.
    fn set_aside(&self, number: u64) -> Result<(), SearchError> {
        let failed = |error| self.failed(error, UNUSABLE);
        for entry in fs::read_dir(&self.root).map_err(failed)?.flatten() {
            if entry.file_name().to_string_lossy().starts_with(ASIDE) {
                fs::remove_dir_all(entry.path()).map_err(failed)?;
            }
        }
        match fs::rename(self.path(number), self.root.join(format!("{ASIDE}{number}"))) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(error)),
            _ => Ok(()),
        }
    }

    /// Removes an index that this process has locked.
    fn remove(&self, number: u64) {
        // What is left is removed the next time.
        let _ = fs::remove_dir_all(self.path(number));
        let _ = fs::remove_file(self.root.join(format!("{number}{LOCK}")));
    }

    /// Removes the files of a version that had one index in the folder itself.
    fn remove_earlier_version(&self) -> Result<(), SearchError> {
        let lock = self.root.join(EARLIER_LOCK);
        if !lock.exists() {
            return Ok(());
        }
        let _lock = self.lock_file(&lock)?;
        let failed = |error| self.failed(error, UNUSABLE);
        for entry in fs::read_dir(&self.root).map_err(failed)?.flatten() {
            let name = entry.file_name();
            let own = name == LIVE || name.to_string_lossy().ends_with(LOCK);
            if entry.path().is_file() && !own {
                fs::remove_file(entry.path()).map_err(failed)?;
            }
        }
        fs::remove_file(&lock).map_err(failed)
    }

    fn failed(&self, source: impl Into<Box<dyn Error + Send + Sync>>, remedy: &'static str) -> SearchError {
        SearchError::Open { folder: self.root.display().to_string(), source: source.into(), remedy }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    fn folder() -> (tempfile::TempDir, IndexFolder) {
        let root = tempfile::tempdir().unwrap();
        let folder = IndexFolder::new(root.path(), 0);
        (root, folder)
    }

    #[test]
    fn an_index_is_opened_by_one_process_and_built_beside_by_one() {
        let (_root, folder) = folder();
        let live = folder.open().unwrap();
        assert_eq!((live.number, folder.live()), (1, Some(1)));
        let error = folder.open().err().unwrap().to_string();
        assert!(error.contains("another masthead process"), "{error}");
        let next = folder.open_next().unwrap();
        assert_eq!((next.number, folder.live()), (2, Some(1)), "the live one stays live");
        assert!(folder.open_next().is_err(), "it is being built");
        drop(next);
        let next = folder.open_next().unwrap();
        assert_eq!(next.number, 2, "an interrupted build is continued");
        let next = folder.begin_again(next).unwrap();
        assert!(next.number == 2 && folder.open_next().is_err(), "the new one is locked as the former was");
        drop(next);
        folder.make_live(2).unwrap();
        folder.remove_former();
        assert!(folder.path(1).exists(), "it is still open");
        drop(live);
        folder.remove_former();
        assert!(!folder.path(1).exists());
        assert_eq!(folder.open().unwrap().number, 2);
    }

    #[test]
    fn a_damaged_index_is_set_aside_and_an_empty_one_is_live() {
        let (root, folder) = folder();
        for round in 1..=2 {
            let number = folder.open().unwrap().number;
            fs::write(folder.path(number).join("meta.json"), "{").unwrap();
            let opened = folder.open().unwrap();
            assert!(opened.damage.is_some() && opened.number > number, "round {round}");
            assert_eq!(folder.live(), Some(opened.number));
            assert!(root.path().join(format!("{ASIDE}{number}")).exists());
        }
        let kept = fs::read_dir(root.path()).unwrap().flatten();
        let kept = kept.filter(|entry| entry.file_name().to_string_lossy().starts_with(ASIDE)).count();
        assert_eq!(kept, 1, "the disk does not fill with them");
        assert!(folder.open().unwrap().damage.is_none(), "once");
    }

    #[test]
    fn whatever_names_the_live_index_one_is_opened() {
        let (root, folder) = folder();
        drop(folder.open().unwrap());
        for text in ["", "x", "-1", "99999999999999999999999", "7"] {
            fs::write(root.path().join(LIVE), text).unwrap();
            let opened = folder.open().unwrap();
            assert_eq!(folder.live(), Some(opened.number), "{text:?}");
        }
    }

    #[test]
    fn the_files_of_an_earlier_version_are_removed() {
        let (root, folder) = folder();
        for name in ["meta.json", ".managed.json", "0a.idx", EARLIER_LOCK] {
            fs::write(root.path().join(name), "x").unwrap();
        }
        let opened = folder.open().unwrap();
        assert!(opened.damage.is_none());
        let files = fs::read_dir(root.path()).unwrap().flatten().map(|entry| entry.file_name().into_string().unwrap());
        let mut files: Vec<String> = files.collect();
        files.sort();
        assert_eq!(files, ["1", "1.lock", "live"]);
    }
}
