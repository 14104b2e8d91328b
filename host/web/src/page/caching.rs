//! Who may keep an answer, and for how long (`Cache-Control`), and on which headers of the request it depends (`Vary`).

use std::convert::Infallible;

use axum::{
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponseParts, ResponseParts},
};
use masthead_content::files::FilePermit;
use masthead_domain::{
    access::{ReadPermit, Rights},
    route::Route,
};

use crate::page::request::PageRequest;

/// Headers by which a call names the language and the site, and by which its caller proves who they are.
const OF_CALLS: [HeaderName; 5] = [
    header::ACCEPT_ENCODING,
    header::COOKIE,
    HeaderName::from_static("language"),
    HeaderName::from_static("siteid"),
    HeaderName::from_static("token"),
];

/// Who may keep an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caching {
    /// Everyone may keep it for a minute: it is the same for all readers, and changes when the article is imported again.
    Shared,
    /// Everyone may keep it: a file that everyone may have, under an address that contains its digest. Browsers keep it for a year; shared
    /// caches ask again after a day, because the article may be removed, or its site closed.
    SharedFile,
    /// Nobody may keep it: this reader got it, and another one might not.
    Reader,
}

impl Caching {
    /// What the permit to read allows.
    #[must_use]
    pub const fn of(permit: &ReadPermit) -> Self {
        Self::shared(permit.is_public())
    }

    /// What the permit for a file allows, under an address that contains the digest.
    #[must_use]
    pub const fn of_file(permit: &FilePermit) -> Self {
        if permit.is_public() { Self::SharedFile } else { Self::Reader }
    }

    /// Shared if the answer is the same for all readers.
    #[must_use]
    pub const fn shared(same_for_all: bool) -> Self {
        if same_for_all { Self::Shared } else { Self::Reader }
    }

    const fn value(self) -> &'static str {
        match self {
            Self::Shared => "public, max-age=60",
            Self::SharedFile => "public, max-age=31536000, s-maxage=86400, immutable",
            Self::Reader => "private, no-store",
        }
    }

    /// Sets the headers.
    pub fn apply(self, headers: &mut HeaderMap) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(self.value()));
        if self == Self::Reader {
            vary(headers, &[header::COOKIE, header::REFERER, HeaderName::from_static("token")]);
        }
    }
}

impl IntoResponseParts for Caching {
    type Error = Infallible;

    fn into_response_parts(self, mut parts: ResponseParts) -> Result<ResponseParts, Infallible> {
        self.apply(parts.headers_mut());
        Ok(parts)
    }
}

/// The value of `Cache-Control` for pages, as documents and for in-site navigation. A page has a nonce of its own and the name of a
/// signed-in reader, so that it must not be shared or shown again without revalidation. An article that shows more than everyone may read is
/// not kept at all, and neither is a page of a reader's account: nobody sees it by going back after the sign-out.
#[must_use]
pub fn of_page(rights: &Rights, request: &PageRequest) -> HeaderValue {
    let is_kept_nowhere = match &request.route {
        Some(Route::Account(_)) => true,
        _ => request.article().is_some() && rights.is_privileged(),
    };
    HeaderValue::from_static(if is_kept_nowhere { "private, no-store" } else { "private, no-cache" })
}

/// Completes the headers of a call: an answer without `Cache-Control` must not be stored, because it may depend on the reader, and changes
/// whenever content is published.
pub fn complete(status: StatusCode, headers: &mut HeaderMap) {
    let default = if status.is_success() { "private, no-store" } else { "no-store" };
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static(default));
    vary(headers, &OF_CALLS);
}

/// Whether the query of a request has a time stamp (`timestamps`), which differs in every request.
#[must_use]
pub fn is_stamped(query: Option<&str>) -> bool {
    url::form_urlencoded::parse(query.unwrap_or_default().as_bytes()).any(|(name, _)| name == "timestamps")
}

/// Forbids shared caches to keep an answer that they could: at an address with a time stamp it is never asked for again, and would only take
/// room. What a browser alone may keep says so already.
pub fn keep_nowhere(headers: &mut HeaderMap) {
    let public = headers.get(header::CACHE_CONTROL).is_some_and(|value| value.as_bytes().starts_with(b"public"));
    if public {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    }
}

/// Adds names to the header `Vary`.
pub fn vary(headers: &mut HeaderMap, names: &[HeaderName]) {
    let known = headers.get_all(header::VARY).iter().filter_map(|value| value.to_str().ok());
    let mut all: Vec<String> = known.flat_map(|value| value.split(',')).map(|name| name.trim().to_owned()).collect();
    for name in names {
        if !all.iter().any(|known| known.eq_ignore_ascii_case(name.as_str())) {
            all.push(name.to_string());
        }
    }
    if let Ok(value) = HeaderValue::try_from(all.join(", ")) {
        headers.insert(header::VARY, value);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn vary_is_one_header_without_duplicates() {
        let mut headers = HeaderMap::new();
        headers.append(header::VARY, HeaderValue::from_static("Accept, Accept-Encoding"));
        headers.append(header::VARY, HeaderValue::from_static("origin"));
        vary(&mut headers, &[header::ACCEPT, header::COOKIE]);
        let all: Vec<&str> = headers.get_all(header::VARY).iter().map(|value| value.to_str().unwrap()).collect();
        assert_eq!(all, ["Accept, Accept-Encoding, origin, cookie"]);
    }

    #[test]
    fn a_time_stamp_is_found_by_its_name() {
        assert!(is_stamped(Some("id=1&timestamps=1790000000000")) && is_stamped(Some("timestamps")));
        assert!(!is_stamped(None) && !is_stamped(Some("id=timestamps&Timestamps=1")));
        let mut headers = HeaderMap::new();
        for (before, after) in [
            ("public, max-age=60", "private, no-store"),
            ("private, no-cache", "private, no-cache"),
            ("no-store", "no-store"),
        ] {
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(before));
            keep_nowhere(&mut headers);
            assert_eq!(headers[header::CACHE_CONTROL], after);
        }
    }

    #[test]
    fn what_a_handler_says_about_caching_is_kept() {
        let mut headers = HeaderMap::new();
        Caching::Reader.apply(&mut headers);
        complete(StatusCode::OK, &mut headers);
        assert_eq!(headers[header::CACHE_CONTROL], "private, no-store");
        let mut refused = HeaderMap::new();
        complete(StatusCode::FORBIDDEN, &mut refused);
        assert_eq!(refused[header::CACHE_CONTROL], "no-store");
        assert!(refused[header::VARY].to_str().unwrap().contains("language"));
    }
}
