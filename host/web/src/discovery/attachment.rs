//! Responses that are files.

use axum::{
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use masthead_domain::Lang;
use masthead_store::StoredArticle;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::page::caching::Caching;

/// Characters that RFC 8187 leaves unencoded (`attr-char`).
const ATTRIBUTE: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'!')
    .remove(b'#')
    .remove(b'$')
    .remove(b'&')
    .remove(b'+')
    .remove(b'-')
    .remove(b'.')
    .remove(b'^')
    .remove(b'_')
    .remove(b'`')
    .remove(b'|')
    .remove(b'~');
/// Greatest length of a file name without its extension, in characters.
const MAX_STEM: usize = 120;

/// A file that browsers save under the name `stem.ending`.
pub fn attachment(content: impl IntoResponse, mime: &str, stem: &str, ending: &str, caching: Caching) -> Response {
    file("attachment", content, mime, (stem, ending), caching)
}

/// A file that browsers display, and save under the name `stem.ending`.
pub fn inline(content: impl IntoResponse, mime: &str, stem: &str, ending: &str, caching: Caching) -> Response {
    file("inline", content, mime, (stem, ending), caching)
}

fn file(
    kind: &str,
    content: impl IntoResponse,
    mime: &str,
    (stem, ending): (&str, &str),
    caching: Caching,
) -> Response {
    let mut response = content.into_response();
    let headers = response.headers_mut();
    let mime = HeaderValue::from_str(mime).unwrap_or(HeaderValue::from_static("application/octet-stream"));
    headers.insert(header::CONTENT_TYPE, mime);
    if let Ok(value) = HeaderValue::from_str(&disposition(kind, stem, ending)) {
        headers.insert(header::CONTENT_DISPOSITION, value);
    }
    caching.apply(headers);
    // Files come from imported sources: a browser must never interpret one as a page of this site.
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// The value of `Content-Disposition` (RFC 6266): an ASCII name for old clients, and the full name in the encoding of
/// RFC 8187.
fn disposition(kind: &str, stem: &str, ending: &str) -> String {
    let name = file_name(stem, ending);
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || "-_. ()".contains(c) { c } else { '_' }).collect();
    format!("{kind}; filename=\"{plain}\"; filename*=UTF-8''{}", utf8_percent_encode(&name, ATTRIBUTE))
}

/// The name of an article's file, without extension: its title in the reader's language.
pub fn stem(article: &StoredArticle, lang: Lang) -> String {
    let title = article.meta.title(lang.tag());
    if title.is_empty() { format!("article {}", article.id) } else { title.to_owned() }
}

/// A file name that is valid on every file system.
pub fn file_name(stem: &str, ending: &str) -> String {
    let clean = |text: &str| -> String {
        let text: String =
            text.chars().map(|c| if c.is_control() || "\\/:*?\"<>|".contains(c) { ' ' } else { c }).collect();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let stem: String = clean(stem).chars().take(MAX_STEM).collect();
    let stem = stem.trim_matches(['.', ' ']);
    let ending: String = ending.chars().filter(char::is_ascii_alphanumeric).take(10).collect();
    let stem = if stem.is_empty() { "file" } else { stem };
    if ending.is_empty() { stem.to_owned() } else { format!("{stem}.{ending}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_ascii_for_old_clients_and_complete_for_others() {
        assert_eq!(
            disposition("attachment", "表 1 Carbon/depth", "xls"),
            "attachment; filename=\"_ 1 Carbon depth.xls\"; filename*=UTF-8''%E8%A1%A8%201%20Carbon%20depth.xls"
        );
        for odd in ["", "..", "../../etc/passwd", "a\r\nSet-Cookie: x=1", "\"; filename=evil", &"x".repeat(9999)] {
            let header = disposition("attachment", odd, "xls");
            assert!(HeaderValue::from_str(&header).is_ok() && header.len() < 600, "{header}");
            assert!(!header.contains('/') && header.matches('"').count() == 2, "{header}");
        }
        assert_eq!(file_name("a", "x/../y"), "a.xy");
    }
}
