//! Cookies of requests, and cookies that only this installation can write: JSON with the purpose, the site and the time of
//! expiry, signed with HMAC-SHA-256.

use axum::http::{HeaderMap, header};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use cookie::{Cookie, CookieJar, Key, SameSite, time::Duration};
use masthead_runtime::system_clock;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// The signing key of cookies, derived from the installation's key: what else that key signs is no cookie.
#[must_use]
pub fn key(installation: &[u8; 32]) -> Key {
    Key::derive_from(installation)
}

/// The value of a request's cookie.
#[must_use]
pub fn value(headers: &HeaderMap, name: &str) -> Option<String> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut cookies = cookies.flat_map(Cookie::split_parse).flatten();
    cookies.find(|cookie| cookie.name() == name).map(|cookie| cookie.value().to_owned())
}

/// The prefixes of the addresses that a site's cookies are sent to. On a host that several sites share, the site's files are outside
/// the prefix `base` of its pages.
pub fn paths(site: i64, base: &str) -> impl Iterator<Item = String> {
    let files = (!base.is_empty()).then(|| format!("/media/{site}"));
    std::iter::once(base.to_owned()).chain(files)
}

/// A kind of signed cookie.
#[derive(Clone, Copy, Debug)]
pub(super) struct SignedCookie {
    pub name: &'static str,
    /// Seconds; without them it lasts as long as the browser is open.
    pub lifetime: Option<u64>,
}

/// What is signed. The jar of the library signs the value alone: the name is in it, so that one kind of cookie never stands
/// for another, and the site, because several sites may share a host.
#[derive(Serialize, Deserialize)]
struct Signed<T> {
    name: String,
    site: i64,
    /// Seconds since 1970.
    until: Option<u64>,
    value: T,
}

impl SignedCookie {
    /// The signed value.
    pub fn sign<T: Serialize>(self, value: &T, key: &Key, site: i64) -> String {
        let until = self.lifetime.map(|lifetime| system_clock() / 1000 + lifetime);
        let signed = Signed { name: self.name.to_owned(), site, until, value };
        let content = URL_SAFE_NO_PAD.encode(serde_json::to_vec(&signed).unwrap_or_default());
        let mut jar = CookieJar::new();
        jar.signed_mut(key).add((self.name, content));
        jar.get(self.name).map(|cookie| cookie.value().to_owned()).unwrap_or_default()
    }

    /// The value, if this installation signed it for this site and purpose and it has not expired.
    pub fn verify<T: DeserializeOwned>(self, signed: &str, key: &Key, site: i64) -> Option<T> {
        let cookie = CookieJar::new().signed(key).verify(Cookie::new(self.name, signed.to_owned()))?;
        let signed: Signed<T> = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(cookie.value()).ok()?).ok()?;
        let lasts = signed.until.is_none_or(|until| until > system_clock() / 1000);
        (signed.name == self.name && signed.site == site && lasts).then_some(signed.value)
    }

    /// The header `Set-Cookie`; without a value it removes the cookie. `base` is the prefix of the site's addresses: under a
    /// shared host, each site has cookies of its own.
    pub fn header(self, value: Option<String>, base: &str, secure: bool) -> String {
        let lifetime = if value.is_some() { self.lifetime } else { Some(0) };
        let mut cookie = Cookie::build((self.name, value.unwrap_or_default()))
            .path(format!("{base}/"))
            .http_only(true)
            .same_site(SameSite::Lax);
        if let Some(seconds) = lifetime {
            cookie = cookie.max_age(Duration::seconds(seconds.cast_signed()));
        }
        if secure {
            cookie = cookie.secure(true);
        }
        cookie.build().to_string()
    }
}
