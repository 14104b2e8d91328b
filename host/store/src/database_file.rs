//! The files of an SQLite database, which only the host's user may open: they contain the full text of restricted articles, comments
//! that are not published, and the data of plugins.

use std::{
    fs, io,
    os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

/// The mode of the files.
const MODE: u32 = 0o600;

/// Creates an empty file, which SQLite takes for a new database, if there is none. SQLite gives its other files the mode of this one.
pub fn create(path: &Path) -> io::Result<()> {
    match fs::OpenOptions::new().write(true).create_new(true).mode(MODE).open(path) {
        // The process's umask may have removed a permission that the host needs.
        Ok(file) => file.set_permissions(fs::Permissions::from_mode(MODE)),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

/// Takes the permissions of other users away from the files of a database, where they have any.
pub fn restrict(path: &Path) -> io::Result<()> {
    for suffix in ["", "-wal", "-shm", "-journal"] {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        let file = PathBuf::from(name);
        let mode = match fs::metadata(&file) {
            Ok(found) => found.permissions().mode() & 0o777,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        if mode & 0o077 != 0 {
            fs::set_permissions(&file, fs::Permissions::from_mode(MODE))?;
            tracing::warn!(
                file = %file.display(), before = %format!("{mode:o}"), now = %format!("{MODE:o}"),
                "other users could open a file of the database; now only the host's user can"
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::Store;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    fn files(folder: &Path) -> Vec<(String, u32)> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut found: Vec<_> =
            entries.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), mode(&path))).collect();
        found.sort();
        found
    }

    #[tokio::test]
    async fn a_new_database_and_its_other_files_belong_to_the_hosts_user_alone() {
        for by_url in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a.db");
            let opened = if by_url {
                Store::open(&format!("sqlite://{}?mode=rwc", path.display())).await
            } else {
                Store::open_file(&path).await
            };
            let store = opened.unwrap();
            // The write-ahead log and its index exist while the database is open.
            let expected = ["a.db", "a.db-shm", "a.db-wal"].map(|name| (name.to_owned(), 0o600_u32));
            assert_eq!(files(folder.path()), expected, "by URL: {by_url}");
            store.close().await;
        }
    }

    #[tokio::test]
    async fn an_existing_database_is_restricted_by_its_path_and_by_its_url() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        Store::open_file(&path).await.unwrap().close().await;
        let log = folder.path().join("a.db-wal");
        for by_url in [false, true] {
            fs::write(&log, "").unwrap();
            for file in [&path, &log] {
                fs::set_permissions(file, fs::Permissions::from_mode(0o644)).unwrap();
            }
            restrict(&path).unwrap();
            assert_eq!((mode(&path), mode(&log)), (0o600, 0o600));
            fs::set_permissions(&path, fs::Permissions::from_mode(0o664)).unwrap();
            let opened = if by_url {
                Store::open(&format!("sqlite://{}", path.display())).await
            } else {
                Store::open_file(&path).await
            };
            opened.unwrap().close().await;
            assert_eq!(mode(&path), 0o600, "by URL: {by_url}");
        }
    }

    #[test]
    fn only_the_owner_is_left_whatever_others_could_do() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        create(&path).unwrap();
        create(&path).unwrap();
        for before in [0o600, 0o640, 0o604, 0o666, 0o777] {
            fs::set_permissions(&path, fs::Permissions::from_mode(before)).unwrap();
            restrict(&path).unwrap();
            assert_eq!(mode(&path), 0o600, "{before:o}");
        }
        restrict(&folder.path().join("none.db")).unwrap();
    }
}
