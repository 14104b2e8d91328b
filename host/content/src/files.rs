//! Media files (figures, covers, PDFs and others) in the data folder, stored by their SHA-256 digest.

use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use masthead_domain::text::hex;
use sha2::{Digest as _, Sha256};

/// Path of the file with this digest: `media/<first two digits>/<digest>`. It is for work of the host that shows the file to no reader,
/// such as an export by an operator; the crate `web` needs a [`FilePermit`].
pub(crate) fn path(data: &Path, digest: &str) -> PathBuf {
    data.join("media").join(digest.get(..2).unwrap_or("__")).join(digest)
}

/// The digest in an address `/media/<site>/<digest>.<extension>`; `None` for other addresses.
#[must_use]
pub fn digest(address: &str) -> Option<&str> {
    let file = address.strip_prefix("/media/")?.split_once('/')?.1;
    file.split('.').next().filter(|digest| is_digest(digest))
}

/// Whether a text has the form of a digest.
pub(crate) fn is_digest(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Number of files that this process has begun to write, for names of temporary files.
static WRITES: AtomicU64 = AtomicU64::new(0);

/// Stores bytes and returns their SHA-256 digest in hexadecimal. The write is atomic: the bytes go to a temporary file, which is
/// then renamed.
///
/// # Errors
/// The error of the file system, such as a full disk; no file is left behind then.
pub fn keep(data: &Path, bytes: &[u8]) -> io::Result<String> {
    let digest = hex(&Sha256::digest(bytes));
    let target = path(data, &digest);
    if std::fs::metadata(&target).is_ok_and(|known| known.len() == bytes.len() as u64) {
        return Ok(digest);
    }
    let folder = target.parent().unwrap_or(data);
    std::fs::create_dir_all(folder)?;
    // Several files of an import may have the same bytes at the same time; each is written under a name of its own.
    let write = WRITES.fetch_add(1, Ordering::Relaxed);
    let temporary = folder.join(format!("{digest}.{}.{write}", std::process::id()));
    let written = std::fs::File::create(&temporary)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| std::fs::rename(&temporary, &target));
    if written.is_err() {
        let _ = std::fs::remove_file(&temporary);
    }
    written.map(|()| digest)
}

/// Proof that a reader may have a file. [`crate::readable_article`] decides and makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePermit {
    digest: String,
    public: bool,
}

impl FilePermit {
    pub(crate) fn new(digest: &str, public: bool) -> Self {
        Self { digest: digest.to_owned(), public }
    }

    /// The digest of the file.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Whether everyone may have the file, so that caches may share it.
    #[must_use]
    pub const fn is_public(&self) -> bool {
        self.public
    }

    /// Path of the file in the data folder, for work that opens it on a thread of its own.
    #[must_use]
    pub fn path(&self, data: &Path) -> PathBuf {
        path(data, &self.digest)
    }
}

/// A file that was opened for reading.
#[derive(Debug)]
pub struct OpenFile {
    /// The file, at its beginning.
    pub file: tokio::fs::File,
    /// Its length in bytes.
    pub length: u64,
}

/// Opens a file for a reader who may have it. It is not read into memory, because it may be a video.
///
/// # Errors
/// The error of the file system, such as a missing file.
pub async fn open(data: &Path, permit: &FilePermit) -> io::Result<OpenFile> {
    let file = tokio::fs::File::open(permit.path(data)).await?;
    let length = file.metadata().await?.len();
    Ok(OpenFile { file, length })
}

/// Whether the bytes with this digest are stored.
pub(crate) async fn is_kept(data: &Path, digest: &str) -> bool {
    tokio::fs::try_exists(path(data, digest)).await.unwrap_or(false)
}

/// Removes the bytes with this digest; it is no error if they are not stored.
///
/// # Errors
/// The error of the file system.
pub fn remove(data: &Path, digest: &str) -> io::Result<()> {
    match std::fs::remove_file(path(data, digest)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The media type for a file name, by its extension; JavaScript and CSS with a charset. Unknown extensions get
/// `application/octet-stream`.
#[must_use]
pub fn media_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        _ => mime_guess::from_path(path).first_raw().unwrap_or("application/octet-stream"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use tokio::io::AsyncReadExt as _;

    use super::*;

    #[test]
    fn several_threads_store_the_same_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let barrier = std::sync::Barrier::new(8);
        for round in 0..20 {
            std::thread::scope(|scope| {
                for _ in 0..8 {
                    scope.spawn(|| {
                        barrier.wait();
                        keep(folder.path(), format!("figure {round}").as_bytes()).unwrap();
                    });
                }
            });
        }
        let entries = walkdir::WalkDir::new(folder.path()).into_iter().map(Result::unwrap);
        assert_eq!(entries.filter(|entry| entry.file_type().is_file()).count(), 20, "no temporary file is left");
    }

    #[tokio::test]
    async fn bytes_are_stored_and_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let digest = keep(folder.path(), b"figure").unwrap();
        assert_eq!(keep(folder.path(), b"figure").unwrap(), digest);
        let permit = FilePermit::new(&digest, true);
        let mut opened = open(folder.path(), &permit).await.unwrap();
        let mut bytes = Vec::new();
        opened.file.read_to_end(&mut bytes).await.unwrap();
        assert_eq!((&bytes[..], opened.length), (&b"figure"[..], 6));
        assert!(is_kept(folder.path(), &digest).await);
        remove(folder.path(), &digest).unwrap();
        remove(folder.path(), &digest).unwrap();
        assert!(open(folder.path(), &permit).await.is_err() && !is_kept(folder.path(), &digest).await);
        assert!(open(folder.path(), &FilePermit::new(&"0".repeat(64), true)).await.is_err());
    }

    #[test]
    fn only_media_addresses_have_a_digest() {
        let known = "ab".repeat(32);
        assert_eq!(digest(&format!("/media/1/{known}.svg")), Some(known.as_str()));
        for odd in ["", "/media/1/ab.svg", "/media/x", "https://a.example/media/1/ab.svg"] {
            assert_eq!(digest(odd), None, "{odd}");
        }
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("media"), b"in the way").unwrap();
        assert!(keep(folder.path(), b"x").is_err());
    }
}
