//! Decoding of HTML pages to text.

use encoding_rs::{Encoding, UTF_8};

use crate::FormatError;

const FORMAT: &str = "HTML";
/// Where browsers look for the declaration of the encoding.
const HEAD: usize = 1024;

/// Decodes a page: by its byte order mark, else as its `meta` element declares, else as UTF-8. An encoding is never guessed.
///
/// # Errors
/// [`FormatError`] if the declared encoding is not known, or the bytes are not valid in it.
pub fn decode(bytes: &[u8]) -> Result<String, FormatError> {
    let (encoding, start) = match Encoding::for_bom(bytes) {
        Some(found) => found,
        None => (declared(bytes)?, 0),
    };
    let content = bytes.get(start..).unwrap_or_default();
    let text = encoding.decode_without_bom_handling_and_without_replacement(content);
    text.map(std::borrow::Cow::into_owned).ok_or_else(|| {
        let reason = format!("the page is not valid {}: save it in UTF-8", encoding.name());
        FormatError::new(FORMAT, reason)
    })
}

/// The encoding after `charset=` in the head of the page.
fn declared(bytes: &[u8]) -> Result<&'static Encoding, FormatError> {
    let head: String = bytes.iter().take(HEAD).map(|byte| char::from(*byte).to_ascii_lowercase()).collect();
    let Some((_, after)) = head.split_once("charset=") else { return Ok(UTF_8) };
    let label: String = after
        .trim_start_matches(['"', '\'', ' '])
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || "-_:.".contains(*c))
        .collect();
    let known = Encoding::for_label(label.as_bytes());
    let known = known.ok_or_else(|| FormatError::new(FORMAT, format!("the encoding {label:?} is not known")))?;
    // A declaration that is readable byte by byte rules out UTF-16, whatever it declares.
    Ok(known.output_encoding())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_declared_encoding_is_used_and_none_is_guessed() {
        assert_eq!(decode("<p>rivière</p>".as_bytes()).unwrap(), "<p>rivière</p>");
        let latin = b"<meta http-equiv='Content-Type' content='text/html; charset=ISO-8859-1'><p>rivi\xe8re</p>";
        assert!(decode(latin).unwrap().ends_with("<p>rivière</p>"));
        assert!(decode(b"\xef\xbb\xbf<p>a</p>").unwrap().starts_with("<p>"));
        assert!(decode(b"<meta charset=\"utf-16\"><p>a</p>").unwrap().ends_with("<p>a</p>"));
        assert!(decode(b"<p>rivi\xe8re</p>").unwrap_err().reason.contains("UTF-8"));
        assert!(decode(b"<meta charset='klingon'>").unwrap_err().reason.contains("klingon"));
    }
}
