//! Reader of tar, plain or gzip. Headers are read raw, so that extensions take effect only after they are checked.

use std::{
    cell::Cell,
    io::{self, Read},
    rc::Rc,
};

use flate2::read::MultiGzDecoder;
use tar::{Archive, Entry, EntryType, PaxExtensions};

use super::{FREE_BYTES, PackageError, Sink, damaged, name, refused, short};

/// Limit on the size of an extended header (names and times) in bytes.
const MAX_EXTENSION: u64 = 64 << 10;

/// Whether a block of 512 bytes is a tar header, by its checksum.
pub(super) fn is_header(block: &[u8]) -> bool {
    let (Some(sum), 512) = (block.get(148..156), block.len()) else { return false };
    let digits: String = sum.iter().map(|byte| char::from(*byte)).filter(char::is_ascii_digit).collect();
    let all: u64 = block.iter().map(|byte| u64::from(*byte)).sum();
    let own: u64 = sum.iter().map(|byte| u64::from(*byte)).sum();
    u64::from_str_radix(&digits, 8).is_ok_and(|declared| declared == all - own + 8 * 32)
}

pub(super) fn read_gzip(reader: impl Read, sink: &mut Sink) -> Result<(), PackageError> {
    let packed_bytes = Rc::new(Cell::new(0));
    let packed = Counted { inner: reader, count: Rc::clone(&packed_bytes) };
    // Headers and padding are added to the size of the files.
    let headers = (sink.limits.max_entries as u64).saturating_mul(2048);
    let mut unpacked = Bounded {
        inner: MultiGzDecoder::new(io::BufReader::new(packed)),
        packed_bytes,
        unpacked_bytes: 0,
        max: sink.limits.max_total_bytes.saturating_add(headers),
        max_ratio: sink.limits.max_ratio,
    };
    let mut first = Vec::with_capacity(512);
    unpacked.by_ref().take(512).read_to_end(&mut first).map_err(|error| damaged("", &error))?;
    if !is_header(&first) {
        return Err(PackageError::NotAPackage { start: "a gzip file that holds no tar".to_owned() });
    }
    read(io::Cursor::new(first).chain(unpacked), sink)
}

pub(super) fn read(reader: impl Read, sink: &mut Sink) -> Result<(), PackageError> {
    let mut archive = Archive::new(reader);
    let failed = |error: io::Error, sink: &Sink| {
        limit_of(&error, "")
            .map_or_else(|| damaged("", &error), |limit| with_configured_limit(limit, sink.limits.max_total_bytes))
    };
    let entries = archive.entries().map_err(|error| failed(error, sink))?.raw(true);
    let mut long_name: Option<String> = None;
    for entry in entries {
        let mut entry = entry.map_err(|error| failed(error, sink))?;
        sink.count()?;
        match entry.header().entry_type() {
            EntryType::XGlobalHeader => {
                extension(&mut entry)?;
            }
            EntryType::GNULongName => {
                let mut bytes = extension(&mut entry)?;
                bytes.retain(|byte| *byte != 0);
                long_name = Some(text(&bytes)?);
            }
            EntryType::XHeader => long_name = pax_name(&extension(&mut entry)?)?.or(long_name),
            _ => {
                let raw = match long_name.take() {
                    Some(name) => name,
                    None => text(&entry.path_bytes())?,
                };
                one(&mut entry, &raw, sink)?;
            }
        }
    }
    Ok(())
}

fn one(entry: &mut Entry<impl Read>, raw: &str, sink: &mut Sink) -> Result<(), PackageError> {
    let reason = match entry.header().entry_type() {
        EntryType::Regular | EntryType::Continuous => "",
        EntryType::Directory => {
            // The entry of the root itself ("./") is skipped.
            return match raw.trim_matches(['.', '/']) {
                "" => Ok(()),
                _ => sink.accept(raw)?.map_or(Ok(()), |name| sink.folder(&name)),
            };
        }
        EntryType::Symlink => "it is a symbolic link",
        EntryType::Link | EntryType::GNULongLink => "it is a link",
        EntryType::Char | EntryType::Block | EntryType::Fifo => "it is a device or a pipe",
        EntryType::GNUSparse => "it is a sparse file",
        _ => "it is neither a file nor a folder",
    };
    if !reason.is_empty() {
        return Err(refused(raw, reason));
    }
    let size = entry.size();
    let Some(name) = sink.accept(raw)? else { return Ok(()) };
    if raw.ends_with('/') {
        return sink.folder(&name);
    }
    sink.check(&name, size, None)?;
    let written = sink.done.bytes;
    sink.file(name, None, &mut *entry)?;
    if sink.done.bytes - written == size { Ok(()) } else { Err(damaged(raw, &"the package ends within it")) }
}

fn extension(entry: &mut Entry<impl Read>) -> Result<Vec<u8>, PackageError> {
    let size = entry.size();
    if size > MAX_EXTENSION {
        return Err(refused("", format!("an extended header has {size} bytes, more than {MAX_EXTENSION}")));
    }
    let mut bytes = Vec::new();
    entry.read_to_end(&mut bytes).map_err(|error| damaged("", &error))?;
    Ok(bytes)
}

/// The name in an extended header. A size there is refused, because it would contradict the size in the header already read.
fn pax_name(bytes: &[u8]) -> Result<Option<String>, PackageError> {
    let mut found = None;
    for record in PaxExtensions::new(bytes) {
        let record = record.map_err(|error| damaged("", &error))?;
        match record.key_bytes() {
            b"path" => found = Some(text(record.value_bytes())?),
            b"size" => return Err(refused(&found.unwrap_or_default(), "it gives its size in an extended header")),
            key if key.starts_with(b"GNU.sparse") => {
                return Err(refused(&found.unwrap_or_default(), "it is a sparse file"));
            }
            _ => {}
        }
    }
    Ok(found)
}

fn text(bytes: &[u8]) -> Result<String, PackageError> {
    name::decode(bytes).ok_or_else(|| {
        refused(&String::from_utf8_lossy(bytes), "its name cannot be read; pack the files with names in UTF-8")
    })
}

/// Reader that counts the packed bytes.
struct Counted<R> {
    inner: R,
    count: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.count.set(self.count.get() + read as u64);
        Ok(read)
    }
}

/// Reader that fails once the unpacked bytes exceed their limit or the compression ratio.
struct Bounded<R> {
    inner: R,
    packed_bytes: Rc<Cell<u64>>,
    unpacked_bytes: u64,
    max: u64,
    max_ratio: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.unpacked_bytes += read as u64;
        if self.unpacked_bytes > self.max {
            return Err(io::Error::other(LimitExceeded::Total(self.max)));
        }
        if self.unpacked_bytes > FREE_BYTES && self.unpacked_bytes / self.packed_bytes.get().max(1) > self.max_ratio {
            return Err(io::Error::other(LimitExceeded::Ratio(self.max_ratio)));
        }
        Ok(read)
    }
}

#[derive(Clone, Copy, Debug, thiserror::Error)]
enum LimitExceeded {
    #[error("more than {0} bytes")]
    Total(u64),
    #[error("more than {0} times the packed size")]
    Ratio(u64),
}

/// The error for a limit that a [`Bounded`] reader reported; `None` for other errors.
pub(super) fn limit_of(error: &io::Error, entry: &str) -> Option<PackageError> {
    let mut inner: Option<&(dyn std::error::Error + 'static)> = error.get_ref().map(|inner| inner as _);
    while let Some(found) = inner {
        match found.downcast_ref::<LimitExceeded>() {
            Some(LimitExceeded::Total(limit)) => {
                return Some(PackageError::TooLarge { entry: short(entry), limit: *limit });
            }
            Some(LimitExceeded::Ratio(limit)) => {
                return Some(PackageError::Ratio { entry: short(entry), limit: *limit });
            }
            None => {}
        }
        inner = match found.downcast_ref::<io::Error>() {
            Some(io) => io.get_ref().map(|inner| inner as _),
            None => found.source(),
        };
    }
    None
}

/// Replaces the limit of the stream, which includes headers, by the configured limit.
fn with_configured_limit(limit: PackageError, max_total_bytes: u64) -> PackageError {
    match limit {
        PackageError::TooLarge { entry, .. } => PackageError::TooLarge { entry, limit: max_total_bytes },
        other => other,
    }
}
