//! Packages of files, zip and tar (plain or gzip): unpacked into a folder that the caller provides, or refused with a reason.
//!
//! A package is untrusted input: its names, sizes and types of entries are checked before they are used.

mod name;
mod tar_reader;
mod zip_reader;

use std::{
    collections::HashSet,
    fs::{self, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::Path,
};

/// Limits on the content of a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackageLimits {
    /// Number of files and folders.
    pub max_entries: usize,
    /// Size of one unpacked file in bytes.
    pub max_entry_bytes: u64,
    /// Size of all unpacked files together in bytes.
    pub max_total_bytes: u64,
    /// Unpacked bytes per packed byte. The first mebibyte of an entry is exempt, because small texts compress well.
    pub max_ratio: u64,
}

impl Default for PackageLimits {
    fn default() -> Self {
        Self { max_entries: 20_000, max_entry_bytes: 2 << 30, max_total_bytes: 8 << 30, max_ratio: 200 }
    }
}

/// Unpacked bytes of an entry that are exempt from the ratio.
const FREE_BYTES: u64 = 1 << 20;

/// The result of unpacking.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unpacked {
    /// The files, in the order of the package.
    pub files: Vec<UnpackedFile>,
    /// Names of entries that were skipped because operating systems leave them behind (`__MACOSX/`, `.DS_Store`, `Thumbs.db`).
    pub skipped: Vec<String>,
    /// Size of all files together in bytes.
    pub bytes: u64,
}

/// One unpacked file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnpackedFile {
    /// Path within the folder, with `/` as separator.
    pub name: String,
    /// Size in bytes.
    pub bytes: u64,
}

/// Why a package was not unpacked. The folder is emptied in this case.
#[derive(Debug, thiserror::Error)]
pub enum PackageError {
    /// Neither zip nor tar.
    #[error("the file is neither a zip nor a tar or tar.gz package (it begins with {start:?}): pack the files as zip")]
    NotAPackage {
        /// First characters of the file.
        start: String,
    },
    /// The package cannot be read to its end.
    #[error("the package is damaged or cut off{}: {reason}; upload it again, or pack it anew", at(.entry))]
    Damaged {
        /// Name of the entry being read, or "".
        entry: String,
        /// Message of the reader.
        reason: String,
    },
    /// An entry that could do harm and that no regular package has.
    #[error("the entry {entry:?} was refused: {reason}; pack the files anew without it")]
    Refused {
        /// Name as in the package, truncated to 200 characters.
        entry: String,
        /// Why the entry is refused.
        reason: String,
    },
    /// More files and folders than the limit.
    #[error("the package has more than {limit} entries: divide it")]
    TooMany {
        /// The limit.
        limit: usize,
    },
    /// One file exceeds the limit.
    #[error("the entry {entry:?} has more than {limit} bytes: leave it out, or ask the operator to raise the limit")]
    EntryTooLarge {
        /// Name of the entry.
        entry: String,
        /// The limit.
        limit: u64,
    },
    /// All files together exceed the limit.
    #[error("the package unpacks to more than {limit} bytes (at the entry {entry:?}): divide it")]
    TooLarge {
        /// Name of the entry that exceeded the limit.
        entry: String,
        /// The limit.
        limit: u64,
    },
    /// An entry exceeds the compression ratio, as a decompression bomb does.
    #[error(
        "the entry {entry:?} unpacks to more than {limit} times its packed size; refused as an attack: pack the files anew"
    )]
    Ratio {
        /// Name of the entry, or "".
        entry: String,
        /// The limit.
        limit: u64,
    },
    /// The folder to unpack into is not empty.
    #[error("the folder {folder} to unpack into is not empty: give an empty one")]
    NotEmpty {
        /// The folder.
        folder: String,
    },
    /// A file or folder could not be written.
    #[error("writing {entry:?} failed: {source}; check the space and the rights of the data folder")]
    Io {
        /// The entry or the folder.
        entry: String,
        /// Error of the operating system.
        source: io::Error,
    },
}

fn at(entry: &str) -> String {
    if entry.is_empty() { String::new() } else { format!(" at the entry {entry:?}") }
}

/// Unpacks a zip, tar or tar.gz package, recognized by its first bytes, into an empty folder.
///
/// Names of entries are decoded as UTF-8 or GBK. Permissions in the package are ignored; files get those of new files.
///
/// # Errors
/// [`PackageError`]; the folder is empty again in this case.
pub fn unpack<R: Read + Seek>(mut reader: R, limits: &PackageLimits, into: &Path) -> Result<Unpacked, PackageError> {
    let folder = || into.display().to_string();
    let mut entries = fs::read_dir(into).map_err(|source| PackageError::Io { entry: folder(), source })?;
    if entries.next().is_some() {
        return Err(PackageError::NotEmpty { folder: folder() });
    }
    let head = head(&mut reader).map_err(|error| damaged("", &error))?;
    let mut sink = Sink { into, limits, names: HashSet::new(), entries: 0, done: Unpacked::default() };
    let result = match package_format(&head) {
        Some(PackageFormat::Zip) => zip_reader::read(reader, &mut sink),
        Some(PackageFormat::Gzip) => tar_reader::read_gzip(reader, &mut sink),
        Some(PackageFormat::Tar) => tar_reader::read(reader, &mut sink),
        None => {
            let start = String::from_utf8_lossy(head.get(..head.len().min(12)).unwrap_or_default()).into_owned();
            Err(PackageError::NotAPackage { start })
        }
    };
    match result {
        Ok(()) => Ok(sink.done),
        Err(error) => {
            clear(into);
            Err(error)
        }
    }
}

/// Formats of packages, recognized by the first bytes of a file.
enum PackageFormat {
    Zip,
    Gzip,
    Tar,
}

fn head<R: Read + Seek>(reader: &mut R) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(512);
    reader.seek(SeekFrom::Start(0))?;
    reader.by_ref().take(512).read_to_end(&mut head)?;
    reader.seek(SeekFrom::Start(0))?;
    Ok(head)
}

fn package_format(head: &[u8]) -> Option<PackageFormat> {
    if [&b"PK\x03\x04"[..], b"PK\x05\x06"].iter().any(|start| head.starts_with(start)) {
        return Some(PackageFormat::Zip);
    }
    if head.starts_with(&[0x1f, 0x8b]) {
        return Some(PackageFormat::Gzip);
    }
    tar_reader::is_header(head).then_some(PackageFormat::Tar)
}

/// Removes the files unpacked before an error. A failure to remove one is logged only, so that the caller gets the first error.
fn clear(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        if let Err(error) = removed {
            tracing::warn!(path = %path.display(), %error, "a file of a refused package could not be removed");
        }
    }
}

fn damaged(entry: &str, error: &dyn std::fmt::Display) -> PackageError {
    PackageError::Damaged { entry: short(entry), reason: error.to_string() }
}

fn refused(entry: &str, reason: impl Into<String>) -> PackageError {
    PackageError::Refused { entry: short(entry), reason: reason.into() }
}

fn short(name: &str) -> String {
    name.chars().take(200).collect()
}

/// The state of one unpacking: the folder, the limits and the totals so far.
struct Sink<'a> {
    into: &'a Path,
    limits: &'a PackageLimits,
    names: HashSet<String>,
    entries: usize,
    done: Unpacked,
}

impl Sink<'_> {
    /// Counts an entry of any type against the limit, before it is processed.
    fn count(&mut self) -> Result<(), PackageError> {
        self.entries += 1;
        if self.entries > self.limits.max_entries {
            return Err(PackageError::TooMany { limit: self.limits.max_entries });
        }
        Ok(())
    }

    /// The checked path of an entry; `None` for an entry to skip.
    fn accept(&mut self, raw: &str) -> Result<Option<String>, PackageError> {
        let name = name::safe(raw).map_err(|reason| refused(raw, reason))?;
        if name::is_leftover(&name) {
            self.done.skipped.push(name);
            return Ok(None);
        }
        Ok(Some(name))
    }

    fn folder(&self, name: &str) -> Result<(), PackageError> {
        fs::create_dir_all(self.into.join(name)).map_err(|source| blocked(name, source))
    }

    /// Writes one file. `packed` is its packed size in bytes, if the format declares it.
    fn file(&mut self, name: String, packed: Option<u64>, mut content: impl Read) -> Result<(), PackageError> {
        if !self.names.insert(name.clone()) {
            return Err(refused(&name, "the package holds two files of this name"));
        }
        let path = self.into.join(&name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|source| blocked(&name, source))?;
        }
        let mut file =
            OpenOptions::new().write(true).create_new(true).open(&path).map_err(|source| blocked(&name, source))?;
        let mut buffer = vec![0_u8; 64 << 10];
        let mut bytes = 0_u64;
        loop {
            let read = match content.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(tar_reader::limit_of(&error, &name).unwrap_or_else(|| damaged(&name, &error))),
            };
            bytes += read as u64;
            self.check(&name, bytes, packed)?;
            let part = buffer.get(..read).unwrap_or_default();
            file.write_all(part).map_err(|source| PackageError::Io { entry: short(&name), source })?;
        }
        self.done.bytes += bytes;
        self.done.files.push(UnpackedFile { name, bytes });
        Ok(())
    }

    fn check(&self, name: &str, bytes: u64, packed: Option<u64>) -> Result<(), PackageError> {
        let limits = self.limits;
        let ratio = |packed: u64| bytes > FREE_BYTES && bytes / packed.max(1) > limits.max_ratio;
        if bytes > limits.max_entry_bytes {
            return Err(PackageError::EntryTooLarge { entry: short(name), limit: limits.max_entry_bytes });
        }
        if self.done.bytes.saturating_add(bytes) > limits.max_total_bytes {
            return Err(PackageError::TooLarge { entry: short(name), limit: limits.max_total_bytes });
        }
        if packed.is_some_and(ratio) {
            return Err(PackageError::Ratio { entry: short(name), limit: limits.max_ratio });
        }
        Ok(())
    }
}

/// A file in place of a folder, or the reverse, is a fault of the package; other errors are those of the operating system.
fn blocked(name: &str, source: io::Error) -> PackageError {
    match source.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory | io::ErrorKind::IsADirectory => {
            refused(name, "another entry has the same path, as a file or as a folder")
        }
        _ => PackageError::Io { entry: short(name), source },
    }
}

#[cfg(test)]
mod tests;
