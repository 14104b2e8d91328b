//! Media files (figures, covers, PDFs and others) in the data folder, stored by their SHA-256 digest.

use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use masthead_domain::text::hex;
use sha2::{Digest as _, Sha256};

/// Path of the file with this digest: `media/<first two digits>/<digest>`.
#[must_use]
pub fn path(data: &Path, digest: &str) -> PathBuf {
    data.join("media").join(digest.get(..2).unwrap_or("__")).join(digest)
}

/// The digest in an address `/media/<site>/<digest>.<extension>`; `None` for other addresses.
#[must_use]
pub fn digest(address: &str) -> Option<&str> {
    let file = address.strip_prefix("/media/")?.split_once('/')?.1;
    file.split('.').next().filter(|digest| digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()))
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

/// A file that was opened for reading.
#[derive(Debug)]
pub struct OpenFile {
    /// The file, at its beginning.
    pub file: tokio::fs::File,
    /// Its length in bytes.
    pub length: u64,
}

/// Opens the file with this digest. It is not read into memory, because it may be a video.
///
/// # Errors
/// The error of the file system, such as a missing file.
pub async fn open(data: &Path, digest: &str) -> io::Result<OpenFile> {
    let file = tokio::fs::File::open(path(data, digest)).await?;
    let length = file.metadata().await?.len();
    Ok(OpenFile { file, length })
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
        let mut opened = open(folder.path(), &digest).await.unwrap();
        let mut bytes = Vec::new();
        opened.file.read_to_end(&mut bytes).await.unwrap();
        assert_eq!((&bytes[..], opened.length), (&b"figure"[..], 6));
        assert!(open(folder.path(), &"0".repeat(64)).await.is_err());
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
