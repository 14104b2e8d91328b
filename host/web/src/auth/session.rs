//! Sessions: the signed-in user in a signed cookie that is valid for twelve hours.

use axum::http::HeaderMap;
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit as _, Mac as _};
use masthead_runtime::system_clock;
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use crate::auth::referrer;

/// Name of the cookie.
pub const COOKIE: &str = "mh_session";
/// Name of the cookie that holds a pending sign-in at an identity provider.
pub const STATE_COOKIE: &str = "mh_signin";
/// Lifetime of a session, in seconds.
const SESSION_SECONDS: u64 = 12 * 3600;
/// Time that a reader has to sign in at the identity provider, in seconds.
const PENDING_SECONDS: u64 = 600;

/// A signed-in user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct User {
    /// Identifies the user, together with the plugin that authenticated them.
    pub subject: String,
    /// Name to show.
    pub name: String,
}

impl User {
    /// The name with the four characters before the last four masked (specification section 5).
    #[must_use]
    pub fn masked(&self) -> String {
        let characters: Vec<char> = self.name.chars().collect();
        let (from, to) = (characters.len().saturating_sub(8), characters.len().saturating_sub(4));
        characters.iter().enumerate().map(|(index, c)| if (from..to).contains(&index) { '*' } else { *c }).collect()
    }
}

/// A pending sign-in: the expected state, and the path to return to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingSignIn {
    /// The state that the identity provider has to send back.
    pub state: String,
    /// Path on this site to return to after the sign-in.
    pub back: String,
}

#[derive(Serialize, Deserialize)]
struct Sealed<T> {
    until: u64,
    site: i64,
    value: T,
}

/// The signed-in user of a request, from the session cookie or else the `token` header.
#[must_use]
pub fn user(headers: &HeaderMap, key: &[u8; 32], site: i64) -> Option<User> {
    let token = headers.get("token").and_then(|token| token.to_str().ok());
    let cookie = referrer::cookie(headers, COOKIE);
    cookie.as_deref().or(token).and_then(|sealed| of_token(sealed, key, site))
}

/// The user of a sealed session, which the cookie and the `token` header of calls hold in the same form.
#[must_use]
pub fn of_token(token: &str, key: &[u8; 32], site: i64) -> Option<User> {
    open(token, key, COOKIE, site)
}

/// The pending sign-in of this reader.
#[must_use]
pub fn pending_sign_in(headers: &HeaderMap, key: &[u8; 32], site: i64) -> Option<PendingSignIn> {
    open(&referrer::cookie(headers, STATE_COOKIE)?, key, STATE_COOKIE, site)
}

/// The `Set-Cookie` value of a session; `None` ends the session. `base` is the prefix of the site's addresses.
#[must_use]
pub fn cookie(user: Option<&User>, key: &[u8; 32], site: i64, base: &str, secure: bool) -> String {
    set(COOKIE, user, SESSION_SECONDS, key, site, base, secure)
}

/// The `Set-Cookie` value of a pending sign-in; `None` removes it. `base` is the prefix of the site's addresses.
#[must_use]
pub fn state_cookie(pending: Option<&PendingSignIn>, key: &[u8; 32], site: i64, base: &str, secure: bool) -> String {
    set(STATE_COOKIE, pending, PENDING_SECONDS, key, site, base, secure)
}

fn set<T: Serialize>(
    name: &str,
    value: Option<&T>,
    seconds: u64,
    key: &[u8; 32],
    site: i64,
    base: &str,
    secure: bool,
) -> String {
    let secure = if secure { "; Secure" } else { "" };
    let (content, age) = match value {
        Some(value) => (seal(value, seconds, key, name, site), seconds),
        None => (String::new(), 0),
    };
    format!("{name}={content}; Path={base}/; Max-Age={age}; HttpOnly; SameSite=Lax{secure}")
}

fn mac(content: &str, key: &[u8; 32], name: &str) -> Option<Hmac<Sha256>> {
    // The cookie's name is signed too, so that a session cookie is never accepted as a sign-in cookie or the reverse.
    let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    mac.update(name.as_bytes());
    mac.update(content.as_bytes());
    Some(mac)
}

fn seal<T: Serialize>(value: &T, seconds: u64, key: &[u8; 32], name: &str, site: i64) -> String {
    let sealed = Sealed { until: system_clock() / 1000 + seconds, site, value };
    let content = URL_SAFE_NO_PAD.encode(serde_json::to_vec(&sealed).unwrap_or_default());
    let tag = mac(&content, key, name).map(|mac| mac.finalize().into_bytes()).unwrap_or_default();
    format!("{content}.{}", URL_SAFE_NO_PAD.encode(tag))
}

fn open<T: for<'a> Deserialize<'a>>(sealed: &str, key: &[u8; 32], name: &str, site: i64) -> Option<T> {
    let (content, tag) = sealed.split_once('.')?;
    mac(content, key, name)?.verify_slice(&URL_SAFE_NO_PAD.decode(tag).ok()?).ok()?;
    let sealed: Sealed<T> = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(content).ok()?).ok()?;
    (sealed.site == site && sealed.until > system_clock() / 1000).then_some(sealed.value)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn user() -> User {
        User { subject: "u-1".into(), name: "13812345678".into() }
    }

    #[test]
    fn the_token_header_is_a_session_as_the_cookie_is() {
        let sealed = seal(&user(), 60, &[7; 32], COOKIE, 945);
        let headers =
            |name: &'static str, value: String| HeaderMap::from_iter([(name.parse().unwrap(), value.parse().unwrap())]);
        let of = |headers: HeaderMap| super::user(&headers, &[7; 32], 945);
        assert_eq!(of(headers("token", sealed.clone())), Some(user()));
        assert_eq!(of(headers("cookie", format!("{COOKIE}={sealed}"))), Some(user()));
        assert_eq!(of(headers("token", seal(&user(), 60, &[7; 32], COOKIE, 942))), None, "another site's");
        assert_eq!(of(headers("token", seal(&user(), 60, &[7; 32], STATE_COOKIE, 945))), None, "another purpose");
    }

    #[test]
    fn a_session_belongs_to_one_site_and_one_purpose() {
        let sealed = seal(&user(), 60, &[7; 32], COOKIE, 945);
        assert_eq!(open::<User>(&sealed, &[7; 32], COOKIE, 945), Some(user()));
        assert_eq!(open::<User>(&sealed, &[7; 32], COOKIE, 942), None);
        assert_eq!(open::<User>(&sealed, &[8; 32], COOKIE, 945), None);
        assert_eq!(open::<User>(&sealed, &[7; 32], STATE_COOKIE, 945), None);
        assert_eq!(open::<User>(&seal(&user(), 0, &[7; 32], COOKIE, 945), &[7; 32], COOKIE, 945), None);
        assert!(cookie(Some(&user()), &[7; 32], 945, "/s", true).ends_with("HttpOnly; SameSite=Lax; Secure"));
        assert!(cookie(None, &[7; 32], 945, "", false).contains("Max-Age=0"));
    }

    #[test]
    fn names_are_masked_before_the_last_four() {
        assert_eq!(user().masked(), "138****5678");
        assert_eq!(User { name: "王小明".into(), ..user() }.masked(), "王小明");
        assert_eq!(User { name: "abcdef".into(), ..user() }.masked(), "**cdef");
    }
}
