//! Reader of zip with stored and deflated entries.

use std::{
    collections::HashSet,
    io::{self, Read, Seek, SeekFrom},
};

use zip::{CompressionMethod, ZipArchive, result::ZipError};

use super::{PackageError, Sink, damaged, name, refused};

/// Mask of the file type in a Unix mode.
const TYPE: u32 = 0o170_000;

pub(super) fn read<R: Read + Seek>(mut reader: R, sink: &mut Sink) -> Result<(), PackageError> {
    // The directory is read into memory as a whole, so that the number of entries is checked first.
    let declared = declared_entries(&mut reader).map_err(|error| damaged("", &error))?;
    if declared > sink.limits.max_entries as u64 {
        return Err(PackageError::TooMany { limit: sink.limits.max_entries });
    }
    let mut archive = ZipArchive::new(reader).map_err(|error| broken("", &error))?;
    if archive.has_duplicate_names() {
        let start = archive.central_directory_start();
        let name = repeated(archive.into_inner(), start, declared).unwrap_or_default();
        return Err(refused(&name, "the package holds two entries of this name"));
    }
    if archive.has_overlapping_files().map_err(|error| broken("", &error))? {
        return Err(refused("", "several entries share the same packed bytes"));
    }
    for index in 0..archive.len() {
        sink.count()?;
        entry(&mut archive, index, sink)?;
    }
    Ok(())
}

fn entry<R: Read + Seek>(archive: &mut ZipArchive<R>, index: usize, sink: &mut Sink) -> Result<(), PackageError> {
    let about = archive.by_index_data(index).map_err(|error| broken("", &error))?;
    let raw = name::decode(about.name_raw())
        .or_else(|| about.name().ok().map(std::borrow::Cow::into_owned))
        .ok_or_else(|| refused("", "its name cannot be read; pack the files with names in UTF-8"))?;
    if about.encrypted() {
        return Err(refused(&raw, "it is encrypted"));
    }
    if !matches!(about.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
        return Err(refused(&raw, "it is packed in a way that is not deflate"));
    }
    let folder = raw.ends_with('/');
    match about.unix_mode().unwrap_or_default() & TYPE {
        0o120_000 => return Err(refused(&raw, "it is a symbolic link")),
        0 | 0o100_000 | 0o040_000 => {}
        _ => return Err(refused(&raw, "it is a device, a pipe or a socket")),
    }
    let packed = about.compressed_size();
    let Some(name) = sink.accept(&raw)? else { return Ok(()) };
    if folder {
        return sink.folder(&name);
    }
    sink.check(&name, about.size(), Some(packed))?;
    let content = archive.by_index(index).map_err(|error| broken(&raw, &error))?;
    sink.file(name, Some(packed), content)
}

fn broken(entry: &str, error: &ZipError) -> PackageError {
    damaged(entry, error)
}

/// The number of entries that the end-of-central-directory record declares; the largest if several records are found.
fn declared_entries<R: Read + Seek>(reader: &mut R) -> io::Result<u64> {
    let length = reader.seek(SeekFrom::End(0))?;
    let start = length.saturating_sub(65_557 + 20);
    reader.seek(SeekFrom::Start(start))?;
    let mut tail = Vec::new();
    reader.by_ref().take(65_557 + 20).read_to_end(&mut tail)?;
    let mut most = 0;
    for (at, window) in tail.windows(22).enumerate() {
        if !window.starts_with(b"PK\x05\x06") {
            continue;
        }
        let count = u64::from(u16::from_le_bytes([window[10], window[11]]));
        // 0xffff refers to the Zip64 record, which has the number in eight bytes.
        let wide = (count == 0xffff).then(|| at.checked_sub(20).and_then(|from| tail.get(from..at))).flatten();
        most = most.max(match wide.filter(|locator| locator.starts_with(b"PK\x06\x07")) {
            Some(locator) => wide_entries(reader, little(locator.get(8..16)))?,
            None => count,
        });
    }
    reader.seek(SeekFrom::Start(0))?;
    Ok(most)
}

fn wide_entries<R: Read + Seek>(reader: &mut R, at: u64) -> io::Result<u64> {
    let mut record = Vec::new();
    reader.seek(SeekFrom::Start(at))?;
    reader.by_ref().take(56).read_to_end(&mut record)?;
    Ok(little(record.get(32..40)))
}

fn little(bytes: Option<&[u8]>) -> u64 {
    bytes.and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_le_bytes)
}

/// The first name that occurs twice in the central directory. The library keeps only one entry of each name.
fn repeated<R: Read + Seek>(mut reader: R, start: u64, entries: u64) -> Option<String> {
    reader.seek(SeekFrom::Start(start)).ok()?;
    let mut reader = io::BufReader::new(reader);
    let mut seen = HashSet::new();
    for _ in 0..entries {
        let mut fixed = [0_u8; 46];
        reader.read_exact(&mut fixed).ok()?;
        let length = |at: usize| Some(u64::from(u16::from_le_bytes([*fixed.get(at)?, *fixed.get(at + 1)?])));
        let mut name = Vec::new();
        reader.by_ref().take(length(28)?).read_to_end(&mut name).ok()?;
        io::copy(&mut reader.by_ref().take(length(30)? + length(32)?), &mut io::sink()).ok()?;
        if !seen.insert(name.clone()) {
            return Some(String::from_utf8_lossy(&name).into_owned());
        }
    }
    None
}
