//! Cookies of requests, and cookies that only this installation can write: JSON with the purpose, the site and the time of
//! expiry, signed with HMAC-SHA-256. Over https they are `Secure` and bound to the host by their name.

use axum::http::{HeaderMap, header};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use cookie::{Cookie, CookieJar, Key, SameSite, time::Duration};
use masthead_runtime::system_clock;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::sites::scope::{Host, Scope};

/// The signing key of cookies, derived from the installation's key, so that other signatures of that key are not valid for cookies.
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

/// The site and connection for which a cookie is set and read.
#[derive(Clone, Copy, Debug)]
pub struct CookiePlace<'a> {
    /// Number of the site.
    pub site: i64,
    /// Prefix of the site's addresses: "" or `/<sld>`.
    pub base: &'a str,
    /// Whether the reader uses https.
    pub https: bool,
}

impl<'a> CookiePlace<'a> {
    /// The place of a request's cookies.
    #[must_use]
    pub fn of(scope: &'a Scope, host: &Host) -> Self {
        Self { site: scope.entry.site.id.0, base: &scope.base, https: host.is_https() }
    }

    /// The prefix of the addresses that a cookie for the site's pages is sent to.
    fn path(self) -> String {
        if self.https { "/".to_owned() } else { format!("{}/", self.base) }
    }

    /// The prefix of the addresses of the site's files, if [`Self::path`] does not contain it: over http, on a host that several
    /// sites share.
    fn files_path(self) -> Option<String> {
        (!self.https && !self.base.is_empty()).then(|| format!("/media/{}/", self.site))
    }
}

/// A kind of cookie that scripts cannot read. Its value is signed, unless it is a random token itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct SignedCookie {
    pub name: &'static str,
    /// Seconds; without them it lasts as long as the browser is open.
    pub lifetime: Option<u64>,
}

/// The signed content of a cookie. The jar of the library signs the value alone: the name is in it, so that one kind of cookie never stands
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

    /// The verified value of a request's cookie.
    pub fn read<T: DeserializeOwned>(self, headers: &HeaderMap, key: &Key, place: CookiePlace<'_>) -> Option<T> {
        self.verify(&value(headers, &self.name_in(place))?, key, place.site)
    }

    /// The value of a request's cookie as it is, for a random token.
    pub fn unsigned(self, headers: &HeaderMap, place: CookiePlace<'_>) -> Option<String> {
        value(headers, &self.name_in(place))
    }

    /// The header `Set-Cookie` for the site's pages; without a value it removes the cookie.
    pub fn header(self, value: Option<String>, place: CookiePlace<'_>) -> String {
        self.header_at(value, place, place.path())
    }

    /// The headers `Set-Cookie` for the site's pages and its files, with the same value; without a value they remove the cookies.
    pub fn headers(self, value: Option<&str>, place: CookiePlace<'_>) -> Vec<String> {
        let paths = std::iter::once(place.path()).chain(place.files_path());
        paths.map(|path| self.header_at(value.map(str::to_owned), place, path)).collect()
    }

    fn header_at(self, value: Option<String>, place: CookiePlace<'_>, path: String) -> String {
        let lifetime = if value.is_some() { self.lifetime } else { Some(0) };
        let mut cookie = Cookie::build((self.name_in(place), value.unwrap_or_default()))
            .path(path)
            .http_only(true)
            .same_site(SameSite::Lax);
        if let Some(seconds) = lifetime {
            cookie = cookie.max_age(Duration::seconds(seconds.cast_signed()));
        }
        if place.https {
            cookie = cookie.secure(true);
        }
        cookie.build().to_string()
    }

    /// The name of the cookie. Over https it begins with `__Host-`: browsers accept such a cookie from this host only, over
    /// https and for all its paths. Sites that share a host have separate cookies: by their path over http, by their name
    /// over https.
    fn name_in(self, place: CookiePlace<'_>) -> String {
        match (place.https, place.base.trim_start_matches('/')) {
            (false, _) => self.name.to_owned(),
            (true, "") => format!("__Host-{}", self.name),
            (true, sld) => format!("__Host-{}-{sld}", self.name),
        }
    }
}

/// The header `Set-Cookie` of a cookie that the site's scripts read, for display only; without a value it removes the cookie.
pub(super) fn readable(name: &'static str, value: Option<&str>, lifetime: u64, place: CookiePlace<'_>) -> String {
    let encoded =
        value.map(|value| percent_encoding::utf8_percent_encode(value, percent_encoding::NON_ALPHANUMERIC).to_string());
    let seconds = if encoded.is_some() { lifetime } else { 0 };
    Cookie::build((name, encoded.unwrap_or_default()))
        .path(format!("{}/", place.base))
        .same_site(SameSite::Lax)
        .max_age(Duration::seconds(seconds.cast_signed()))
        .secure(place.https)
        .build()
        .to_string()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const KIND: SignedCookie = SignedCookie { name: "mh_test", lifetime: Some(60) };
    const HTTP: CookiePlace<'_> = CookiePlace { site: 945, base: "", https: false };
    const HTTPS: CookiePlace<'_> = CookiePlace { site: 945, base: "", https: true };
    const SHARED: CookiePlace<'_> = CookiePlace { site: 945, base: "/north", https: true };

    #[test]
    fn cookies_over_https_belong_to_the_host_and_are_secure() {
        for (place, expected) in [
            (HTTPS, "__Host-mh_test=v; HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=60"),
            (SHARED, "__Host-mh_test-north=v; HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=60"),
            (HTTP, "mh_test=v; HttpOnly; SameSite=Lax; Path=/; Max-Age=60"),
            (CookiePlace { base: "/north", ..HTTP }, "mh_test=v; HttpOnly; SameSite=Lax; Path=/north/; Max-Age=60"),
        ] {
            assert_eq!(KIND.header(Some("v".to_owned()), place), expected);
        }
        let removed = KIND.header(None, HTTPS);
        assert_eq!(removed, "__Host-mh_test=; HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=0");
    }

    #[test]
    fn files_get_a_cookie_of_their_own_where_that_of_the_pages_does_not_reach_them() {
        // A cookie `__Host-` is sent to all paths, and so is one of a site with a host of its own.
        for place in [HTTP, HTTPS, SHARED] {
            assert_eq!(KIND.headers(Some("v"), place), [KIND.header(Some("v".to_owned()), place)]);
        }
        let shared = CookiePlace { base: "/north", ..HTTP };
        let set = KIND.headers(Some("v"), shared);
        assert_eq!(
            set,
            [
                "mh_test=v; HttpOnly; SameSite=Lax; Path=/north/; Max-Age=60",
                "mh_test=v; HttpOnly; SameSite=Lax; Path=/media/945/; Max-Age=60",
            ]
        );
        let removed = KIND.headers(None, shared);
        assert_eq!(
            removed,
            [
                "mh_test=; HttpOnly; SameSite=Lax; Path=/north/; Max-Age=0",
                "mh_test=; HttpOnly; SameSite=Lax; Path=/media/945/; Max-Age=0",
            ]
        );
    }

    #[test]
    fn a_cookie_of_another_connection_or_site_is_not_read() {
        let key = key(&[7; 32]);
        let signed = KIND.sign(&1, &key, 945);
        let read = |name: &str, place| {
            let cookie = format!("{name}={signed}").parse().unwrap();
            KIND.read::<i32>(&HeaderMap::from_iter([(header::COOKIE, cookie)]), &key, place)
        };
        assert_eq!((read("mh_test", HTTP), read("__Host-mh_test", HTTPS)), (Some(1), Some(1)));
        // Anybody on the network could have set a cookie without the prefix.
        assert_eq!((read("mh_test", HTTPS), read("__Host-mh_test", HTTP)), (None, None));
        assert_eq!((read("__Host-mh_test", SHARED), read("__Host-mh_test-north", SHARED)), (None, Some(1)));
        assert_eq!(read("__Host-mh_test", CookiePlace { site: 942, ..HTTPS }), None);
    }
}
