//! Temporary folders below the data folder, because the system's folder for temporary files may be in memory: for unpacked packages and
//! copies of sites.
//!
//! The user of such a folder holds a lock on a file in it, which ends with the process. The start of a host removes the folders of
//! processes that were killed, and no other: a command may be importing at the same time.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
};

use tempfile::TempDir;

/// The file in a temporary folder that is locked as long as the folder is in use.
const LOCK: &str = "lock";
/// The folder for the user's files in a temporary folder.
const FILES: &str = "files";
/// How many times a folder is made while others are removed.
const ATTEMPTS: usize = 10;

/// A temporary folder in use. It is removed when it is dropped.
#[derive(Debug)]
pub struct Scratch {
    files: PathBuf,
    // The folder is removed before the lock is given up.
    _folder: TempDir,
    _lock: File,
}

impl Scratch {
    /// Makes an empty folder below `root`, which is created if necessary. `prefix` is the beginning of its name, for the operator.
    ///
    /// # Errors
    /// The error of the file system.
    pub fn new(root: &Path, prefix: &str) -> io::Result<Self> {
        fs::create_dir_all(root)?;
        for _ in 0..ATTEMPTS {
            let folder = tempfile::Builder::new().prefix(prefix).tempdir_in(root)?;
            // A host that starts may have taken the folder away before it was locked.
            let Some(lock) = locked(folder.path())? else { continue };
            let files = folder.path().join(FILES);
            fs::create_dir(&files)?;
            return Ok(Self { files, _folder: folder, _lock: lock });
        }
        Err(io::Error::other(format!("the new folders in {} are removed by another process", root.display())))
    }

    /// The folder for the files of its user.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.files
    }
}

/// Locks a temporary folder; `None` if another process has locked or removed it. No other process removes it as long as the lock is held.
fn locked(folder: &Path) -> io::Result<Option<File>> {
    let path = folder.join(LOCK);
    let lock = match OpenOptions::new().create(true).truncate(false).write(true).open(&path) {
        Ok(lock) => lock,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    // The former holder of the lock may have removed the folder with this file.
    Ok(path.try_exists()?.then_some(lock))
}

/// The folder below the data folder in which temporary folders are made.
#[must_use]
pub fn root(data: &Path) -> PathBuf {
    data.join("unpacked")
}

/// Removes the temporary folders below `root` that no process uses. Folders that cannot be removed stay until the next time.
pub fn clean(root: &Path) {
    for entry in fs::read_dir(root).into_iter().flatten().flatten() {
        let path = entry.path();
        let removed = match locked(&path) {
            // The lock is held until the folder is gone.
            Ok(Some(_lock)) => fs::remove_dir_all(&path),
            Ok(None) => continue,
            Err(error) => Err(error),
        };
        if let Err(error) = removed {
            tracing::warn!(folder = %path.display(), %error, "a temporary folder of an earlier process cannot be removed");
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn folders_in_use_are_kept_and_those_of_killed_processes_removed() {
        let top = tempfile::tempdir().unwrap();
        let root = root(top.path());
        let used = Scratch::new(&root, "package-").unwrap();
        fs::write(used.path().join("a.xml"), "<a/>").unwrap();
        // A killed process leaves a lock file without a lock; an earlier version made folders without one.
        for (folder, file) in [("package-killed", LOCK), ("package-earlier", "a.xml")] {
            fs::create_dir(root.join(folder)).unwrap();
            fs::write(root.join(folder).join(file), "").unwrap();
        }
        clean(&root);
        assert_eq!(fs::read_dir(&root).unwrap().count(), 1, "the two folders that nobody uses are gone");
        assert_eq!(fs::read_to_string(used.path().join("a.xml")).unwrap(), "<a/>");
        drop(used);
        assert_eq!(fs::read_dir(&root).unwrap().count(), 0, "a folder is removed with its user");
        clean(&top.path().join("nowhere"));
    }

    #[test]
    fn a_folder_that_is_taken_away_before_its_lock_is_held_is_not_used() {
        let top = tempfile::tempdir().unwrap();
        let folder = top.path().join("a");
        assert!(locked(&folder).unwrap().is_none(), "it is gone");
        fs::create_dir(&folder).unwrap();
        let first = locked(&folder).unwrap();
        assert!(first.is_some() && locked(&folder).unwrap().is_none(), "one process has it");
        drop(first);
        assert!(locked(&folder).unwrap().is_some());
    }
}
