//! The data folder, which contains everything that the host writes, and other folders and files for the host's user alone.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _},
    path::Path,
};

use masthead_store::Store;

/// The mode of the folder: keys, secrets, the database, the search index and uploads in it are for the host's user alone.
const MODE: u32 = 0o700;
/// The bit of folders in which every user may create files, such as `/tmp`.
const STICKY: u32 = 0o1000;

/// Name of the SQLite file in the folder.
pub(crate) const DATABASE: &str = "masthead.db";
/// Name of the file with a sentence that a restore into the folder has begun and is not complete.
pub(crate) const UNFINISHED_RESTORE: &str = "restore-unfinished";

/// Creates the data folder if necessary, and opens the database at the given URL, or else the SQLite file `masthead.db` in the folder.
///
/// # Errors
/// As [`create`]; otherwise as [`Store::open`]. A folder with an unfinished restore is not opened: it has a part of an installation.
pub async fn open_store(data: &Path, database: Option<&str>) -> anyhow::Result<Store> {
    create(data)?;
    refuse_unfinished_restore(data)?;
    Ok(match database {
        Some(url) => Store::open(url).await?,
        None => Store::open_file(&data.join(DATABASE)).await?,
    })
}

fn refuse_unfinished_restore(data: &Path) -> anyhow::Result<()> {
    let mark = data.join(UNFINISHED_RESTORE);
    match fs::read_to_string(&mark) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Ok(sentence) if !sentence.trim().is_empty() => anyhow::bail!("{}", sentence.trim()),
        _ => anyhow::bail!(
            "a restore into the data folder {} was interrupted ({}); run `masthead restore` again with --replace",
            data.display(),
            mark.display()
        ),
    }
}

/// Creates the data folder as [`create_private`] does.
///
/// # Errors
/// As [`create_private`].
pub fn create(data: &Path) -> anyhow::Result<()> {
    create_private(data, "data folder", "--data")
}

/// Creates a folder for the host's user alone, whatever the umask is. The permissions of other users on an existing folder are taken away,
/// and this is logged. Messages name the folder by `what`, and the option with which another one is chosen.
///
/// # Errors
/// A message, if the folder cannot be created or restricted, or is one that all users share, such as `/tmp`.
pub(crate) fn create_private(folder: &Path, what: &str, option: &str) -> anyhow::Result<()> {
    let shown = folder.display();
    let failed = |doing: &str, error: io::Error| anyhow::anyhow!("{doing} the {what} {shown}: {error}");
    let found = match fs::metadata(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            fs::DirBuilder::new()
                .recursive(true)
                .mode(MODE)
                .create(folder)
                .map_err(|error| failed("creating", error))?;
            // The umask may have removed a permission that the host needs.
            return restrict(folder).map_err(|error| failed("restricting", error));
        }
        found => found.map_err(|error| failed("opening", error))?,
    };
    anyhow::ensure!(found.is_dir(), "the {what} {shown} is not a folder; choose another one with {option}");
    let mode = found.permissions().mode();
    if mode & 0o077 == 0 {
        return Ok(());
    }
    anyhow::ensure!(
        mode & STICKY == 0,
        "the {what} {shown} is shared by all users; choose a folder of its own with {option}"
    );
    restrict(folder).map_err(|error| failed("taking the permissions of other users from", error))?;
    tracing::warn!(
        folder = %shown, before = %format!("{:o}", mode & 0o777), now = %format!("{MODE:o}"),
        "other users could open the {what}; now only the host's user can"
    );
    Ok(())
}

fn restrict(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, fs::Permissions::from_mode(MODE))
}

/// Replaces a file as a whole, so that it is the old or the new one at every moment; only the host's user can open it. The target of a
/// symbolic link is replaced, not the link.
///
/// # Errors
/// The error of the file system, such as a full disk.
pub fn replace_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    // A new temporary file has mode 0600.
    let mut temporary = tempfile::NamedTempFile::new_in(folder)?;
    temporary.write_all(bytes)?;
    temporary.as_file().sync_all()?;
    temporary.persist(&path)?;
    sync_folder(folder)
}

/// Waits until the names of the files of a folder are on the disk.
///
/// # Errors
/// The error of the file system.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Waits until no other process has locked a file, which is created if necessary, and locks it until the returned value is dropped. A file
/// system without locks is used without.
///
/// # Errors
/// The error of the file system.
pub fn lock(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)?;
    match file.lock() {
        Err(error) if error.kind() != io::ErrorKind::Unsupported => Err(error),
        _ => Ok(file),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    #[tokio::test]
    async fn the_folder_and_the_database_are_for_the_hosts_user_alone() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("new/data");
        let store = open_store(&data, None).await.unwrap();
        assert_eq!((mode(&data), mode(&data.join("masthead.db"))), (0o700, 0o600));
        store.close().await;
        // An installation of an earlier version, made with the usual umask.
        fs::set_permissions(&data, fs::Permissions::from_mode(0o755)).unwrap();
        fs::set_permissions(data.join("masthead.db"), fs::Permissions::from_mode(0o644)).unwrap();
        open_store(&data, None).await.unwrap().close().await;
        assert_eq!((mode(&data), mode(&data.join("masthead.db"))), (0o700, 0o600));
    }

    #[test]
    fn a_folder_that_all_users_share_is_refused_and_not_changed() {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o1777)).unwrap();
        let error = create(folder.path()).unwrap_err().to_string();
        assert!(error.contains("--data") && error.contains(&folder.path().display().to_string()), "{error}");
        assert_eq!(mode(folder.path()), 0o1777);
    }

    #[test]
    fn a_file_is_replaced_behind_its_link_for_the_hosts_user_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        replace_private(&link, b"new").unwrap();
        assert_eq!((fs::read_to_string(&file).unwrap().as_str(), mode(&file)), ("new", 0o600));
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no temporary file is left");
    }

    #[test]
    fn a_file_in_its_place_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        for place in [file.clone(), file.join("data")] {
            let error = create(&place).unwrap_err().to_string();
            assert!(error.contains(&place.display().to_string()), "{error}");
        }
    }
}
