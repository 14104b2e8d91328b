//! Decoding of XML bytes to text: byte order mark, XML declaration, UTF-16, GBK, Latin-1. An encoding is never guessed, because
//! a wrong guess garbles text silently.

use std::borrow::Cow;

use encoding_rs::{DecoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE};

use crate::error::XmlError;

/// Decoded text of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// The text, without a byte order mark; the bytes themselves if they are UTF-8, so that a long file is in memory once.
    pub text: Cow<'a, str>,
    /// Name of the encoding that was used.
    pub encoding: String,
    /// A warning if the declared encoding is wrong but the actual one is certain.
    pub warning: Option<String>,
}

/// Decodes a file: by its byte order mark, else by its XML declaration, else as UTF-8.
///
/// # Errors
/// [`XmlError::UnknownEncoding`] if the declared encoding is not known, [`XmlError::Encoding`] if the bytes are not valid in it.
pub fn decode(bytes: &[u8]) -> Result<Decoded<'_>, XmlError> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return with(encoding, bytes.get(mark..).unwrap_or_default());
    }
    match bytes.get(..4) {
        Some([b'<', 0, b'?', 0]) => return with(UTF_16LE, bytes),
        Some([0, b'<', 0, b'?']) => return with(UTF_16BE, bytes),
        _ => {}
    }
    let Some(label) = declared(bytes) else { return with(UTF_8, bytes) };
    let lower = label.to_ascii_lowercase();
    // The WHATWG standard maps "ascii" to windows-1252; a file that declares ASCII and has other bytes is UTF-8 or broken.
    if matches!(lower.as_str(), "ascii" | "us-ascii" | "iso646-us" | "ansi_x3.4-1968") {
        let mut decoded = with(UTF_8, bytes)?;
        if !bytes.is_ascii() {
            decoded.warning = Some(format!("the file declares {label} but holds UTF-8; it was read as UTF-8"));
        }
        return Ok(decoded);
    }
    let encoding = Encoding::for_label(lower.as_bytes()).ok_or(XmlError::UnknownEncoding { label: label.clone() })?;
    // A declaration that is readable byte by byte rules out UTF-16, whatever it declares.
    if encoding == UTF_16LE || encoding == UTF_16BE {
        let mut decoded = with(UTF_8, bytes)?;
        decoded.warning = Some(format!("the file declares {label} but holds UTF-8; it was read as UTF-8"));
        return Ok(decoded);
    }
    with(encoding, bytes)
}

/// The name of the encoding in the XML declaration, as written; `None` if there is no declaration or it names none.
#[must_use]
pub fn declared(bytes: &[u8]) -> Option<String> {
    let head = bytes.get(..bytes.len().min(400))?;
    let start = head.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let head: String = head.get(start..)?.iter().map(|byte| char::from(*byte)).collect();
    let declaration = head.strip_prefix("<?xml")?.split_once("?>")?.0;
    let after = declaration.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let label = after.get(1..)?.split_once(quote)?.0.trim();
    (!label.is_empty()).then(|| label.to_owned())
}

fn with<'a>(encoding: &'static Encoding, bytes: &'a [u8]) -> Result<Decoded<'a>, XmlError> {
    let decoded = |text| Decoded { text, encoding: encoding.name().to_owned(), warning: None };
    if encoding == UTF_8
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return Ok(decoded(Cow::Borrowed(text)));
    }
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let capacity = decoder.max_utf8_buffer_length_without_replacement(bytes.len()).unwrap_or(bytes.len());
    let mut text = String::with_capacity(capacity);
    match decoder.decode_to_string_without_replacement(bytes, &mut text, true).0 {
        DecoderResult::InputEmpty => Ok(decoded(Cow::Owned(text))),
        _ => {
            let (line, column) = end_of(&text);
            Err(XmlError::Encoding { encoding: encoding.name().to_owned(), line, column })
        }
    }
}

/// Line and column, from 1, of the position behind the last character.
pub(crate) fn end_of(text: &str) -> (u32, u32) {
    let line = text.bytes().filter(|byte| *byte == b'\n').count() + 1;
    let column = text.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn text(bytes: &[u8]) -> String {
        decode(bytes).unwrap().text.into_owned()
    }

    #[test]
    fn reads_marks_declarations_and_utf16() {
        assert_eq!(text(b"\xEF\xBB\xBF<a/>"), "<a/>");
        assert_eq!(text("<a>刊</a>".as_bytes()), "<a>刊</a>");
        let gbk = b"<?xml version='1.0' encoding='GBK'?><a>\xbf\xaf</a>";
        assert!(text(gbk).ends_with("<a>刊</a>"));
        let latin = b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>\xe9</a>";
        assert!(text(latin).ends_with("<a>é</a>"));
        for little in [true, false] {
            for mark in ["\u{feff}", ""] {
                let units = format!("{mark}<?xml version='1.0'?><a>刊</a>");
                let bytes: Vec<u8> = units
                    .encode_utf16()
                    .flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() })
                    .collect();
                assert!(text(&bytes).ends_with("<a>刊</a>"), "{little} {mark:?}");
            }
        }
    }

    #[test]
    fn invalid_bytes_are_reported_with_their_position() {
        let error = decode(b"<a>\n\xE5\x88\x8A \xFF</a>").err().unwrap();
        assert_eq!(error.position(), Some((2, 3)), "{error}");
        let error = decode(b"<?xml version='1.0' encoding='klingon'?><a/>").err().unwrap();
        assert!(matches!(error, XmlError::UnknownEncoding { .. }));
    }

    #[test]
    fn utf8_declared_as_ascii_is_read_with_a_warning() {
        let decoded = decode("<?xml version='1.0' encoding='ASCII'?><a>刊</a>".as_bytes()).unwrap();
        assert!(decoded.text.ends_with("<a>刊</a>") && decoded.warning.is_some());
    }
}
