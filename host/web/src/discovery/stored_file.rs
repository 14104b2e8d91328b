//! Stored files as responses: read from the disk while they are sent, whole or in a range (RFC 9110, section 14), so that no file is
//! in memory as a whole.

use std::io::{self, SeekFrom};

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use masthead_content::files::OpenFile;
use tokio::{
    fs::File,
    io::{AsyncReadExt as _, AsyncSeekExt as _},
};

use super::is_current;

/// Bytes that are read at a time.
const CHUNK: usize = 64 << 10;

/// What a request wants of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// Nothing, because it has the file.
    Nothing,
    /// All of it.
    Whole,
    /// The bytes from `start` to `end`, both included.
    Part { start: u64, end: u64 },
    /// A part that the file does not have.
    Impossible,
}

/// The response with a stored file, or with the range of it that the request asks for. The digest is its entity tag.
///
/// # Errors
/// The error of the file system.
pub async fn stored(opened: OpenFile, digest: &str, mime: &str, request: &HeaderMap) -> io::Result<Response> {
    let OpenFile { mut file, length } = opened;
    let tag = entity_tag(digest, mime);
    let mut response = match wanted(request, &tag, length) {
        Wanted::Nothing => StatusCode::NOT_MODIFIED.into_response(),
        Wanted::Whole => streamed(file, length),
        Wanted::Part { start, end } => {
            file.seek(SeekFrom::Start(start)).await?;
            let mut response = streamed(file, end - start + 1);
            *response.status_mut() = StatusCode::PARTIAL_CONTENT;
            add(response.headers_mut(), header::CONTENT_RANGE, &format!("bytes {start}-{end}/{length}"));
            response
        }
        Wanted::Impossible => {
            let mut response = StatusCode::RANGE_NOT_SATISFIABLE.into_response();
            add(response.headers_mut(), header::CONTENT_RANGE, &format!("bytes */{length}"));
            response
        }
    };
    let headers = response.headers_mut();
    add(headers, header::CONTENT_TYPE, mime);
    add(headers, header::ETAG, &tag);
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    Ok(response)
}

/// The response with the next `length` bytes of a file.
pub fn streamed(file: File, length: u64) -> Response {
    let chunks = futures::stream::try_unfold(file.take(length), |mut rest| async move {
        let mut chunk = Vec::with_capacity(CHUNK);
        let read = rest.read_buf(&mut chunk).await?;
        Ok::<_, io::Error>((read > 0).then(|| (Bytes::from(chunk), rest)))
    });
    let mut response = Body::from_stream(chunks).into_response();
    response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    response
}

/// Whether a response with a stored file counts as a download: readers of PDF ask for a file in many ranges, of which the first
/// counts.
pub fn begins(response: &Response) -> bool {
    match response.status() {
        StatusCode::OK | StatusCode::NOT_MODIFIED => true,
        StatusCode::PARTIAL_CONTENT => {
            let range = response.headers().get(header::CONTENT_RANGE).and_then(|range| range.to_str().ok());
            range.is_some_and(|range| range.starts_with("bytes 0-"))
        }
        _ => false,
    }
}

/// Whether a response may be compressed on its way. A strong entity tag stands for exactly the bytes of the file, and packages are
/// compressed already.
pub fn may_be_compressed(headers: &HeaderMap) -> bool {
    let is_exact = headers.get(header::ETAG).is_some_and(|tag| !tag.as_bytes().starts_with(b"W/"));
    let is_package = headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/zip");
    !is_exact && !is_package
}

fn add(headers: &mut HeaderMap, name: header::HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}

/// Texts are compressed on their way, so that their tag is weak; other formats are compressed already.
fn entity_tag(digest: &str, mime: &str) -> String {
    let kind = mime.split(';').next().unwrap_or_default().trim();
    let text = kind.starts_with("text/") || kind.ends_with("xml") || kind.ends_with("json");
    format!("{}\"{digest}\"", if text { "W/" } else { "" })
}

fn wanted(request: &HeaderMap, tag: &str, length: u64) -> Wanted {
    if is_current(request, tag, None) {
        return Wanted::Nothing;
    }
    let value = |name| request.get(name).map(|value: &HeaderValue| value.to_str().unwrap_or_default());
    // A range of another version of the file is of no use. A weak tag matches no range.
    let same = value(header::IF_RANGE).is_none_or(|known| known == tag && !tag.starts_with("W/"));
    match value(header::RANGE) {
        Some(range) if same => part(range, length).unwrap_or(Wanted::Whole),
        _ => Wanted::Whole,
    }
}

/// The part that a single range asks for. `None` for other units, several ranges and malformed ones, which a server may ignore.
fn part(range: &str, length: u64) -> Option<Wanted> {
    let (first, last) = range.trim().strip_prefix("bytes=")?.split_once('-')?;
    let number = |text: &str| -> Option<u64> {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        // A number that is too large for the type is beyond the end of every file.
        digits.then(|| text.parse().unwrap_or(u64::MAX))
    };
    let (first, last) = (first.trim(), last.trim());
    let (start, end) = match (first, last) {
        ("", last) => (length.saturating_sub(number(last)?), u64::MAX),
        (first, "") => (number(first)?, u64::MAX),
        (first, last) => (number(first)?, number(last)?),
    };
    if start > end {
        return None;
    }
    Some(if start >= length { Wanted::Impossible } else { Wanted::Part { start, end: end.min(length - 1) } })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::io::Write as _;

    use futures::TryStreamExt as _;

    use super::*;

    const DIGEST: &str = "abc";

    fn headers(pairs: &[(header::HeaderName, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.clone(), HeaderValue::from_str(value).unwrap())).collect()
    }

    #[test]
    fn a_range_is_read_as_the_standard_says() {
        for (range, length, expected) in [
            ("bytes=0-0", 10, Some(Wanted::Part { start: 0, end: 0 })),
            ("bytes=2-5", 10, Some(Wanted::Part { start: 2, end: 5 })),
            ("bytes=2-", 10, Some(Wanted::Part { start: 2, end: 9 })),
            ("bytes=9-99", 10, Some(Wanted::Part { start: 9, end: 9 })),
            ("bytes=-3", 10, Some(Wanted::Part { start: 7, end: 9 })),
            ("bytes=-99", 10, Some(Wanted::Part { start: 0, end: 9 })),
            ("bytes=0-99999999999999999999999", 10, Some(Wanted::Part { start: 0, end: 9 })),
            ("bytes=10-", 10, Some(Wanted::Impossible)),
            ("bytes=99999999999999999999999-", 10, Some(Wanted::Impossible)),
            ("bytes=-0", 10, Some(Wanted::Impossible)),
            ("bytes=0-", 0, Some(Wanted::Impossible)),
            ("bytes=5-2", 10, None),
            ("bytes=0-1,3-4", 10, None),
            ("bytes=-", 10, None),
            ("bytes=a-b", 10, None),
            ("bytes=+1-2", 10, None),
            ("lines=0-1", 10, None),
            ("", 10, None),
        ] {
            assert_eq!(part(range, length), expected, "{range} of {length}");
        }
    }

    #[test]
    fn a_tag_decides_whether_a_file_or_a_range_is_sent() {
        let (strong, weak) =
            (entity_tag(DIGEST, "application/pdf"), entity_tag(DIGEST, "image/svg+xml; charset=utf-8"));
        assert_eq!((strong.as_str(), weak.as_str()), ("\"abc\"", "W/\"abc\""));
        let part = Wanted::Part { start: 0, end: 1 };
        let (known, range, if_range) = (header::IF_NONE_MATCH, header::RANGE, header::IF_RANGE);
        for (pairs, of_strong, of_weak) in [
            (vec![], Wanted::Whole, Wanted::Whole),
            (vec![(known.clone(), "\"abc\"")], Wanted::Nothing, Wanted::Nothing),
            (vec![(known.clone(), "\"x\", W/\"abc\"")], Wanted::Nothing, Wanted::Nothing),
            (vec![(known.clone(), "*")], Wanted::Nothing, Wanted::Nothing),
            (vec![(known, "\"x\"")], Wanted::Whole, Wanted::Whole),
            (vec![(range.clone(), "bytes=0-1")], part, part),
            (vec![(range.clone(), "bytes=0-1"), (if_range.clone(), "\"abc\"")], part, Wanted::Whole),
            (vec![(range.clone(), "bytes=0-1"), (if_range.clone(), "W/\"abc\"")], Wanted::Whole, Wanted::Whole),
            (vec![(range, "bytes=0-1"), (if_range, "\"old\"")], Wanted::Whole, Wanted::Whole),
        ] {
            let request = headers(&pairs);
            assert_eq!(wanted(&request, &strong, 10), of_strong, "{pairs:?}");
            assert_eq!(wanted(&request, &weak, 10), of_weak, "{pairs:?}");
        }
    }

    #[tokio::test]
    async fn a_file_is_sent_in_pieces() {
        let content: Vec<u8> = (0..=250).cycle().take(300_000).collect();
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&content).unwrap();
        let send = async |pairs: &[(header::HeaderName, &str)]| {
            let length = content.len() as u64;
            let opened = OpenFile { file: File::open(file.path()).await.unwrap(), length };
            let response = stored(opened, DIGEST, "application/pdf", &headers(pairs)).await.unwrap();
            let (parts, body) = response.into_parts();
            let pieces: Vec<Bytes> = body.into_data_stream().try_collect().await.unwrap();
            assert!(pieces.iter().all(|piece| piece.len() <= 2 * CHUNK), "a piece is as large as the file");
            (parts, pieces.concat())
        };
        let (parts, body) = send(&[]).await;
        assert_eq!(parts.status, StatusCode::OK);
        assert_eq!(parts.headers[header::CONTENT_LENGTH], "300000");
        assert!(body == content, "the file arrives as it is");
        let (parts, body) = send(&[(header::RANGE, "bytes=100000-199999")]).await;
        assert_eq!(parts.status, StatusCode::PARTIAL_CONTENT);
        assert_eq!(parts.headers[header::CONTENT_RANGE], "bytes 100000-199999/300000");
        assert_eq!(parts.headers[header::CONTENT_LENGTH], "100000");
        assert!(body == content[100_000..200_000], "the range arrives as it is");
        let (parts, body) = send(&[(header::RANGE, "bytes=300000-")]).await;
        assert_eq!((parts.status, body.len()), (StatusCode::RANGE_NOT_SATISFIABLE, 0));
        assert_eq!(parts.headers[header::CONTENT_RANGE], "bytes */300000");
        let (parts, body) = send(&[(header::IF_NONE_MATCH, "\"abc\"")]).await;
        assert_eq!((parts.status, body.len()), (StatusCode::NOT_MODIFIED, 0));
    }

    #[test]
    fn only_the_beginning_of_a_file_is_a_download() {
        let of = |status: StatusCode, range: &str| {
            let mut response = status.into_response();
            add(response.headers_mut(), header::CONTENT_RANGE, range);
            begins(&response)
        };
        assert!(of(StatusCode::OK, "") && of(StatusCode::NOT_MODIFIED, ""));
        assert!(
            of(StatusCode::PARTIAL_CONTENT, "bytes 0-9/100") && !of(StatusCode::PARTIAL_CONTENT, "bytes 10-19/100")
        );
        assert!(!of(StatusCode::RANGE_NOT_SATISFIABLE, "bytes */100"));
    }
}
