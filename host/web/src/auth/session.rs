//! Sessions: the signed-in user in a signed cookie that is valid for twelve hours.

use axum::http::HeaderMap;
use cookie::Key;
use serde::{Deserialize, Serialize};

use super::cookies::{self, SignedCookie};

/// The session cookie.
const SESSION: SignedCookie = SignedCookie { name: "mh_session", lifetime: Some(12 * 3600) };
/// The cookie of a pending sign-in at an identity provider: a reader has ten minutes to sign in there.
const SIGN_IN: SignedCookie = SignedCookie { name: "mh_signin", lifetime: Some(600) };

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

/// The signed-in user of a request, from the session cookie or else the `token` header.
#[must_use]
pub fn user(headers: &HeaderMap, key: &Key, site: i64) -> Option<User> {
    let token = headers.get("token").and_then(|token| token.to_str().ok());
    let cookie = cookies::value(headers, SESSION.name);
    cookie.as_deref().or(token).and_then(|signed| of_token(signed, key, site))
}

/// The user of a signed session, which the cookie and the `token` header of calls hold in the same form.
#[must_use]
pub fn of_token(token: &str, key: &Key, site: i64) -> Option<User> {
    SESSION.verify(token, key, site)
}

/// The pending sign-in of this reader.
#[must_use]
pub fn pending_sign_in(headers: &HeaderMap, key: &Key, site: i64) -> Option<PendingSignIn> {
    SIGN_IN.verify(&cookies::value(headers, SIGN_IN.name)?, key, site)
}

/// The `Set-Cookie` value of a session; `None` ends the session. `base` is the prefix of the site's addresses.
#[must_use]
pub fn cookie(user: Option<&User>, key: &Key, site: i64, base: &str, secure: bool) -> String {
    SESSION.header(user.map(|user| SESSION.sign(user, key, site)), base, secure)
}

/// The `Set-Cookie` value of a pending sign-in; `None` removes it. `base` is the prefix of the site's addresses.
#[must_use]
pub fn state_cookie(pending: Option<&PendingSignIn>, key: &Key, site: i64, base: &str, secure: bool) -> String {
    SIGN_IN.header(pending.map(|pending| SIGN_IN.sign(pending, key, site)), base, secure)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn user() -> User {
        User { subject: "u-1".into(), name: "13812345678".into() }
    }

    /// A user, signed for so many seconds.
    fn signed(kind: SignedCookie, lifetime: u64, key: u8, site: i64) -> String {
        SignedCookie { lifetime: Some(lifetime), ..kind }.sign(&user(), &cookies::key(&[key; 32]), site)
    }

    #[test]
    fn the_token_header_is_a_session_as_the_cookie_is() {
        let session = signed(SESSION, 60, 7, 945);
        let headers =
            |name: &'static str, value: String| HeaderMap::from_iter([(name.parse().unwrap(), value.parse().unwrap())]);
        let of = |headers: HeaderMap| super::user(&headers, &cookies::key(&[7; 32]), 945);
        assert_eq!(of(headers("token", session.clone())), Some(user()));
        assert_eq!(of(headers("cookie", format!("a=b; mh_session={session}"))), Some(user()));
        assert_eq!(of(headers("token", signed(SESSION, 60, 7, 942))), None, "another site's");
        assert_eq!(of(headers("token", signed(SIGN_IN, 60, 7, 945))), None, "another purpose");
    }

    #[test]
    fn a_session_belongs_to_one_site_and_one_purpose() {
        let key = cookies::key(&[7; 32]);
        let session = signed(SESSION, 60, 7, 945);
        assert_eq!(of_token(&session, &key, 945), Some(user()));
        assert_eq!(of_token(&session, &key, 942), None);
        assert_eq!(of_token(&session, &cookies::key(&[8; 32]), 945), None);
        assert_eq!(SIGN_IN.verify::<User>(&session, &key, 945), None);
        assert_eq!(of_token(&signed(SESSION, 0, 7, 945), &key, 945), None, "expired");
        for place in [0, 43, 44, session.len() - 1] {
            let mut altered = session.clone().into_bytes();
            altered[place] = if altered[place] == b'A' { b'B' } else { b'A' };
            assert_eq!(of_token(&String::from_utf8(altered).unwrap(), &key, 945), None, "{place}");
        }
        let set = cookie(Some(&user()), &key, 945, "/s", true);
        assert!(set.ends_with("; HttpOnly; SameSite=Lax; Secure; Path=/s/; Max-Age=43200"), "{set}");
        let removed = cookie(None, &key, 945, "", false);
        assert_eq!(removed, "mh_session=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0");
    }

    #[test]
    fn names_are_masked_before_the_last_four() {
        assert_eq!(user().masked(), "138****5678");
        assert_eq!(User { name: "王小明".into(), ..user() }.masked(), "王小明");
        assert_eq!(User { name: "abcdef".into(), ..user() }.masked(), "**cdef");
    }
}
