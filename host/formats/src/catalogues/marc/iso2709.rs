//! Reader of ISO 2709: leader, directory, fields. Many files have wrong lengths, line ends or encodings; a record is read as
//! far as its structure is unambiguous.

use std::io::{BufReader, Read};

use super::{FORMAT, Field, Record, marc8};
use crate::FormatError;
use masthead_domain::content::text::fold;

const RECORD_END: u8 = 0x1d;
const FIELD_END: u8 = 0x1e;
const SUBFIELD: u8 = 0x1f;
/// Limit on the size of a record in bytes. The leader can declare at most 99,999, but records with a wrong length may be longer.
const MAX_BYTES: u64 = 1 << 20;

pub(super) struct Records<R> {
    source: BufReader<R>,
    done: bool,
    any: bool,
}

impl<R: Read> Records<R> {
    pub fn new(source: R) -> Self {
        Self { source: BufReader::new(source), done: false, any: false }
    }

    fn end(&mut self, reason: impl Into<String>) -> Option<Result<Record, FormatError>> {
        self.done = true;
        Some(Err(FormatError::new(FORMAT, reason)))
    }
}

impl<R: Read> Iterator for Records<R> {
    type Item = Result<Record, FormatError>;

    /// A record ends at its terminator, because the length in the leader counts characters in some files and is wrong in others.
    fn next(&mut self) -> Option<Self::Item> {
        use std::io::BufRead;
        if self.done {
            return None;
        }
        loop {
            let mut bytes = Vec::new();
            if let Err(error) = self.source.by_ref().take(MAX_BYTES).read_until(RECORD_END, &mut bytes) {
                return self.end(format!("the file cannot be read: {error}"));
            }
            let ended = bytes.last() == Some(&RECORD_END);
            if !ended && bytes.len() as u64 >= MAX_BYTES {
                return self
                    .end(format!("no record ends within {MAX_BYTES} bytes: the file is not MARC 21 (ISO 2709)"));
            }
            // Some files have line ends between records.
            let start = bytes.iter().position(|byte| !matches!(byte, b'\n' | b'\r' | b' ' | 0 | 0x1a));
            let Some(body) = start.and_then(|start| bytes.get(start..)) else {
                self.done = true;
                return (!self.any).then(|| Err(FormatError::new(FORMAT, "the file is empty")));
            };
            if !ended {
                self.done = true;
                let reason = if self.any || leader(body).is_some() {
                    "the file ends within this record: it is cut off; download it again"
                } else {
                    "the file is not MARC 21 (ISO 2709): it has no record terminator"
                };
                return Some(Err(FormatError::new(FORMAT, reason)));
            }
            self.any = true;
            if body == [RECORD_END] {
                continue;
            }
            return Some(record(body));
        }
    }
}

fn leader(body: &[u8]) -> Option<&str> {
    let leader = std::str::from_utf8(body.get(..24)?).ok()?;
    leader.bytes().take(5).all(|byte| byte.is_ascii_digit() || byte == b' ').then_some(leader)
}

fn record(body: &[u8]) -> Result<Record, FormatError> {
    let wrong = |reason: &str| FormatError::new(FORMAT, reason.to_owned());
    let leader = leader(body)
        .ok_or_else(|| wrong("its leader is not 24 characters that begin with the length; it was left out"))?;
    let mut record = Record { leader: leader.to_owned(), ..Record::default() };
    let directory_end = body
        .iter()
        .position(|byte| *byte == FIELD_END)
        .ok_or_else(|| wrong("its directory has no end; it was left out"))?;
    let directory = body.get(24..directory_end).unwrap_or_default();
    let utf8 = leader.as_bytes().get(9) == Some(&b'a');
    let base = leader.get(12..17).and_then(|base| base.trim().parse::<usize>().ok()).unwrap_or(0);
    // Line ends inserted into the record are not part of the directory.
    let directory: Vec<u8> = directory.iter().copied().filter(|byte| !matches!(byte, b'\n' | b'\r')).collect();
    if !directory.len().is_multiple_of(12) {
        record.warnings.push(
            "the length of its directory is not a multiple of 12; the fields were read in their order".to_owned(),
        );
    }
    let entries: Vec<&[u8]> = directory.chunks_exact(12).collect();
    // Each field ends with a terminator, so that the order of the fields is sufficient if the offsets are wrong.
    let in_order: Vec<&[u8]> =
        body.get(directory_end + 1..).unwrap_or_default().split(|byte| *byte == FIELD_END).collect();
    let by_offset = |entry: &[u8]| -> Option<&[u8]> {
        let number = |range: std::ops::Range<usize>| std::str::from_utf8(entry.get(range)?).ok()?.parse::<usize>().ok();
        let (length, start) = (number(3..7)?, number(7..12)?);
        let field = body.get(base.checked_add(start)?..base.checked_add(start)?.checked_add(length)?)?;
        let inner = field.strip_suffix(&[FIELD_END])?;
        (!inner.contains(&FIELD_END)).then_some(inner)
    };
    let offsets: Option<Vec<&[u8]>> = entries.iter().map(|entry| by_offset(entry)).collect();
    let fields = offsets.unwrap_or_else(|| {
        record.warnings.push("the lengths in its directory are wrong; the fields were read in their order".to_owned());
        in_order
    });
    let mut lost = false;
    for (entry, bytes) in entries.iter().zip(fields) {
        let tag: String = entry.iter().take(3).map(|byte| char::from(*byte)).collect();
        let mut text = |bytes: &[u8]| {
            let (text, incomplete) = characters(bytes, utf8);
            lost |= incomplete;
            text
        };
        if tag.starts_with("00") {
            record.control.push((tag, text(bytes)));
        } else {
            let mut parts = bytes.split(|byte| *byte == SUBFIELD);
            let indicators = parts.next().unwrap_or_default();
            let indicator = |at: usize| indicators.get(at).map_or(' ', |byte| char::from(*byte));
            record.data.push(Field {
                indicators: [indicator(0), indicator(1)],
                subfields: parts
                    .filter_map(|part| {
                        let (code, value) = part.split_first()?;
                        Some((char::from(*code), fold(&text(value))))
                    })
                    .collect(),
                tag,
            });
        }
    }
    if lost {
        record.warnings.push(
            "some characters have no counterpart in Unicode or are not MARC-8: export the record in UTF-8".to_owned(),
        );
    }
    Ok(record)
}

fn characters(bytes: &[u8], utf8: bool) -> (String, bool) {
    // Records in UTF-8 without the flag are common, and MARC-8 text is hardly ever valid UTF-8 by chance.
    match std::str::from_utf8(bytes) {
        Ok(text) if utf8 || (!text.is_ascii() && !bytes.contains(&0x1b)) => (text.to_owned(), false),
        Err(_) if utf8 => (String::from_utf8_lossy(bytes).into_owned(), true),
        _ => marc8::decode(bytes),
    }
}
