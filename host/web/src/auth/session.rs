//! Sessions of signed-in readers. The cookie holds a signed random token; the session itself is stored by the digest of the
//! token, so that it can be ended at once, and expires.

use axum::http::HeaderMap;
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use cookie::Key;
use masthead_domain::text::hex;
use masthead_store::{Session, SiteStore, StoreError};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::cookies::{CookiePlace, SignedCookie};

/// Seconds after which a session ends, however it is used.
const MAX_AGE: u64 = 12 * 3600;
/// Milliseconds without a request after which a session ends: a reader may read an article for long.
const MAX_IDLE_MS: i64 = 2 * 3_600_000;
/// Milliseconds between two writes of the time at which a session was used.
const USE_INTERVAL_MS: i64 = 60_000;
/// The session cookie.
const SESSION: SignedCookie = SignedCookie { name: "mh_session", lifetime: Some(MAX_AGE) };
/// The cookie of a pending sign-in at an identity provider: a reader has ten minutes to sign in there.
const SIGN_IN: SignedCookie = SignedCookie { name: "mh_signin", lifetime: Some(600) };

/// A signed-in user.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// The sessions of a site, as one request reads and changes them.
pub struct Sessions<'a> {
    store: SiteStore,
    key: &'a Key,
    place: CookiePlace<'a>,
    /// Milliseconds since 1970.
    now: i64,
}

impl<'a> Sessions<'a> {
    /// The sessions of the site of `store` and `place`. `key` signs cookies.
    #[must_use]
    pub const fn new(store: SiteStore, key: &'a Key, place: CookiePlace<'a>, now: i64) -> Self {
        Self { store, key, place, now }
    }

    /// The signed-in user of a request, from the session cookie or else the `token` header.
    pub async fn user(&self, headers: &HeaderMap) -> Option<User> {
        self.find(&self.token(headers)?).await
    }

    /// The user of a signed session, which the cookie and the `token` header of calls hold in the same form.
    pub async fn user_of(&self, signed: &str) -> Option<User> {
        self.find(&self.verify(signed)?).await
    }

    /// Begins a session of a user, and ends the one of the request. Returns the `Set-Cookie` values.
    ///
    /// # Errors
    /// The store's error; no session has begun then.
    pub async fn begin(&self, user: &User, headers: &HeaderMap) -> Result<Vec<String>, StoreError> {
        self.end(headers).await?;
        let token = URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>());
        let session =
            Session { subject: user.subject.clone(), name: user.name.clone(), created: self.now, used: self.now };
        let begun = self.now.saturating_sub(max_age_ms());
        self.store.add_session(&digest(&token), &session, begun, self.now.saturating_sub(MAX_IDLE_MS)).await?;
        Ok(SESSION.headers(Some(&SESSION.sign(&token, self.key, self.place.site)), self.place))
    }

    /// Ends the session of a request. Returns the `Set-Cookie` values that remove the cookies.
    ///
    /// # Errors
    /// The store's error; the session may still be valid then.
    pub async fn end(&self, headers: &HeaderMap) -> Result<Vec<String>, StoreError> {
        if let Some(token) = self.token(headers) {
            self.store.end_session(&digest(&token)).await?;
        }
        Ok(SESSION.headers(None, self.place))
    }

    /// The pending sign-in of this reader.
    #[must_use]
    pub fn pending_sign_in(&self, headers: &HeaderMap) -> Option<PendingSignIn> {
        SIGN_IN.read(headers, self.key, self.place)
    }

    /// The `Set-Cookie` value of a pending sign-in; `None` removes it.
    #[must_use]
    pub fn sign_in_cookie(&self, pending: Option<&PendingSignIn>) -> String {
        SIGN_IN.header(pending.map(|pending| SIGN_IN.sign(pending, self.key, self.place.site)), self.place)
    }

    fn token(&self, headers: &HeaderMap) -> Option<String> {
        let of_header = || self.verify(headers.get("token")?.to_str().ok()?);
        SESSION.read(headers, self.key, self.place).or_else(of_header)
    }

    fn verify(&self, signed: &str) -> Option<String> {
        SESSION.verify(signed, self.key, self.place.site)
    }

    /// The user of a stored session that has not expired. While the store fails, nobody is signed in.
    async fn find(&self, token: &str) -> Option<User> {
        let digest = digest(token);
        let found = self.store.session(&digest).await;
        let found = found.inspect_err(|error| tracing::error!(%error, "the reader is treated as not signed in"));
        let session = found.ok()??;
        if self.now - session.created >= max_age_ms() || self.now - session.used >= MAX_IDLE_MS {
            return None;
        }
        if self.now - session.used >= USE_INTERVAL_MS
            && let Err(error) = self.store.use_session(&digest, self.now).await
        {
            tracing::error!(%error, "the use of a session is not stored; it may expire early");
        }
        Some(User { subject: session.subject, name: session.name })
    }
}

fn max_age_ms() -> i64 {
    MAX_AGE.cast_signed() * 1000
}

/// The form in which a token is stored: whoever reads the database cannot use it.
fn digest(token: &str) -> String {
    hex(&Sha256::digest(token))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use axum::http::header;
    use masthead_domain::SiteId;
    use masthead_store::Store;

    use super::*;
    use crate::auth::cookies;

    const START: i64 = 1_700_000_000_000;
    const HOUR: i64 = 3_600_000;

    fn user() -> User {
        User { subject: "u-1".into(), name: "13812345678".into() }
    }

    async fn store() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_file(&folder.path().join("a.db")).await.unwrap();
        (folder, store)
    }

    fn sessions<'a>(store: &Store, key: &'a Key, site: i64, now: i64) -> Sessions<'a> {
        Sessions::new(store.site(SiteId(site)), key, CookiePlace { site, base: "", https: true }, now)
    }

    /// Begins a session: the signed token.
    async fn begin(store: &Store, key: &Key, now: i64) -> String {
        let set = sessions(store, key, 945, now).begin(&user(), &HeaderMap::new()).await.unwrap();
        let [cookie] = &set[..] else { panic!("{set:?}") };
        cookie.split(';').next().unwrap().strip_prefix("__Host-mh_session=").unwrap().to_owned()
    }

    fn with(name: &'static str, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name.parse().unwrap(), value.parse().unwrap())])
    }

    #[tokio::test]
    async fn the_token_header_is_a_session_as_the_cookie_is() {
        let (_folder, store) = store().await;
        let key = cookies::key(&[7; 32]);
        let token = begin(&store, &key, START).await;
        let sessions = sessions(&store, &key, 945, START);
        assert_eq!(sessions.user(&with("token", &token)).await, Some(user()));
        assert_eq!(sessions.user(&with("cookie", &format!("a=b; __Host-mh_session={token}"))).await, Some(user()));
        assert_eq!(sessions.user_of(&token).await, Some(user()));
        assert_eq!(sessions.user(&HeaderMap::new()).await, None);
        assert!(!token.contains("138") && !format!("{:?}", with("token", &token)).contains("u-1"));
    }

    #[tokio::test]
    async fn a_session_belongs_to_one_site_and_one_purpose() {
        let (_folder, store) = store().await;
        let key = cookies::key(&[7; 32]);
        let token = begin(&store, &key, START).await;
        assert_eq!(sessions(&store, &key, 942, START).user_of(&token).await, None, "another site's");
        let other_key = cookies::key(&[8; 32]);
        assert_eq!(sessions(&store, &other_key, 945, START).user_of(&token).await, None, "another installation's");
        let content: String = SESSION.verify(&token, &key, 945).unwrap();
        let of_sign_in = SIGN_IN.sign(&content, &key, 945);
        assert_eq!(sessions(&store, &key, 945, START).user_of(&of_sign_in).await, None, "another purpose");
        let expired = SignedCookie { lifetime: Some(0), ..SESSION }.sign(&content, &key, 945);
        assert_eq!(sessions(&store, &key, 945, START).user_of(&expired).await, None, "an expired cookie");
        for place in [0, 43, 44, token.len() - 1] {
            let mut altered = token.clone().into_bytes();
            altered[place] = if altered[place] == b'A' { b'B' } else { b'A' };
            let altered = String::from_utf8(altered).unwrap();
            assert_eq!(sessions(&store, &key, 945, START).user_of(&altered).await, None, "{place}");
        }
    }

    #[tokio::test]
    async fn a_session_ends_when_it_is_idle_or_old() {
        let (_folder, store) = store().await;
        let key = cookies::key(&[7; 32]);
        let user_at = async |token: &str, now: i64| sessions(&store, &key, 945, now).user_of(token).await.is_some();
        let idle = begin(&store, &key, START).await;
        assert!(user_at(&idle, START + MAX_IDLE_MS - 1).await, "a use of the session begins the idle time again");
        assert!(user_at(&idle, START + 2 * MAX_IDLE_MS - 2).await);
        assert!(!user_at(&idle, START + 4 * MAX_IDLE_MS).await, "idle");
        let old = begin(&store, &key, START).await;
        for hour in 1..12 {
            assert!(user_at(&old, START + hour * HOUR).await, "{hour}");
        }
        assert!(!user_at(&old, START + 12 * HOUR).await, "twelve hours after its beginning");
    }

    #[tokio::test]
    async fn a_session_that_has_ended_is_void_wherever_its_token_is() {
        let (_folder, store) = store().await;
        let key = cookies::key(&[7; 32]);
        let (first, second) = (begin(&store, &key, START).await, begin(&store, &key, START).await);
        let sessions = sessions(&store, &key, 945, START);
        let removed = sessions.end(&with("cookie", &format!("__Host-mh_session={first}"))).await.unwrap();
        assert_eq!(removed, ["__Host-mh_session=; HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=0"]);
        assert_eq!((sessions.user_of(&first).await, sessions.user_of(&second).await), (None, Some(user())));
        let renewed = sessions.begin(&user(), &with("token", &second)).await.unwrap();
        let [cookie] = &renewed[..] else { panic!("{renewed:?}") };
        assert!(cookie.ends_with("; HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=43200"), "{cookie}");
        assert_eq!(sessions.user_of(&second).await, None, "a new sign-in ends the session before");
        let third = begin(&store, &key, START).await;
        assert_eq!(store.site(SiteId(945)).end_sessions_of("u-1").await.unwrap(), 2);
        assert_eq!(sessions.user_of(&third).await, None, "all sessions of a user were ended");
    }

    #[tokio::test]
    async fn a_pending_sign_in_is_read_from_its_own_cookie() {
        let (_folder, store) = store().await;
        let key = cookies::key(&[7; 32]);
        let sessions = sessions(&store, &key, 945, START);
        let pending = PendingSignIn { state: "s".into(), back: "/en/home/".into() };
        let set = sessions.sign_in_cookie(Some(&pending));
        let cookie = HeaderMap::from_iter([(header::COOKIE, set.split(';').next().unwrap().parse().unwrap())]);
        assert_eq!(sessions.pending_sign_in(&cookie), Some(pending));
        assert_eq!(sessions.user(&cookie).await, None);
    }

    #[test]
    fn names_are_masked_before_the_last_four() {
        assert_eq!(user().masked(), "138****5678");
        assert_eq!(User { name: "王小明".into(), ..user() }.masked(), "王小明");
        assert_eq!(User { name: "abcdef".into(), ..user() }.masked(), "**cdef");
    }
}
