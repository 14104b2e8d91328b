//! Lists of references as reference managers write them: BibTeX, RIS, EndNote, Web of Science, CSL-JSON.

pub mod article;
mod bibtex;
mod csl;
mod tagged;

use encoding_rs::{Encoding, GB18030, UTF_8};

use crate::{FormatError, Records, Work};

pub use bibtex::bibtex;
pub use csl::csl_json;
pub use tagged::{endnote, ris};

/// Limit on the size of a file in bytes.
const MAX_BYTES: usize = 32 << 20;
/// Limit on the number of works in a file.
const MAX_WORKS: usize = 100_000;

/// Reads a file of any of these formats, recognized by its beginning.
///
/// # Errors
/// [`FormatError`] if the file has none of these formats, or is malformed.
pub fn read(bytes: &[u8]) -> Result<Records<Work>, FormatError> {
    const FORMAT: &str = "references";
    let head = String::from_utf8_lossy(bytes.get(..bytes.len().min(4096)).unwrap_or_default()).into_owned();
    let head = head.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    let line = |start: &str| head.lines().take(40).any(|line| line.trim_start().starts_with(start));
    if head.starts_with(['[', '{']) {
        csl_json(bytes)
    } else if head.lines().take(40).any(tagged::begins_ris) || line("TY  -") {
        ris(bytes)
    } else if line("%0 ") || line("FN ") || line("PT ") || head.starts_with("FN") {
        endnote(bytes)
    } else if head.contains('@') {
        bibtex(bytes)
    } else if head.is_empty() {
        Err(FormatError::new(FORMAT, "the file is empty"))
    } else {
        Err(FormatError::new(
            FORMAT,
            "the file is none of BibTeX, RIS, EndNote and CSL-JSON: export it as one of these",
        ))
    }
}

/// Decodes a file: by its byte order mark, else as UTF-8, else as GBK.
fn characters(format: &'static str, bytes: &[u8]) -> Result<String, FormatError> {
    if bytes.len() > MAX_BYTES {
        let reason = format!("the file has {} bytes, more than {MAX_BYTES}: divide it", bytes.len());
        return Err(FormatError::new(format, reason));
    }
    let (marked, skip) = Encoding::for_bom(bytes).unwrap_or((UTF_8, 0));
    let body = bytes.get(skip..).unwrap_or_default();
    let decoded = marked
        .decode_without_bom_handling_and_without_replacement(body)
        .or_else(|| (skip == 0).then(|| GB18030.decode_without_bom_handling_and_without_replacement(body)).flatten());
    decoded.map(std::borrow::Cow::into_owned).ok_or_else(|| {
        let good = std::str::from_utf8(body).map_or_else(|error| error.valid_up_to(), str::len);
        let line = body.iter().take(good).filter(|byte| **byte == b'\n').count() + 1;
        FormatError::new(format, "the bytes are neither UTF-8 nor GBK: save the file as UTF-8").line(line)
    })
}

#[cfg(test)]
mod tests;
