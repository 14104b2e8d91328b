//! Sessions of signed-in members, as requests and responses have them: a cookie that scripts cannot read, or the header `token` of clients that
//! keep none, and beside it the cookie `userName`, which is for display only (specification section 4). What a session is, and when it
//! ends, is in `masthead_accounts::sessions`.

use axum::http::HeaderMap;
use masthead_accounts::sessions::{self, Current, SessionStart, Token};
use masthead_domain::{
    member::{MemberId, masked},
    site::SessionTimes,
};
use masthead_store::{SiteStore, StoreError};

use super::cookies::{self, CookiePlace, SignedCookie};

/// Name of the session cookie.
const SESSION: &str = "mh_session";
/// The cookie with the masked name, which only pages read.
const USER_NAME: &str = "userName";
/// A cookie of the specification's client with a token that scripts can read. The host never sets it, and removes it.
const COMMON_TOKEN: &str = "commonToken";

/// A signed-in member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The member.
    pub member: MemberId,
    /// The name to show: the account name, else the mobile number, the e-mail address or the name of the person.
    pub name: String,
}

impl User {
    fn of(current: &Current) -> Self {
        Self { member: current.of.member, name: current.of.shown().to_owned() }
    }

    /// The name with the four characters before the last four masked (specification section 5).
    #[must_use]
    pub fn masked(&self) -> String {
        masked(&self.name)
    }
}

/// A session that has begun, or whose token has changed.
#[derive(Clone, Debug)]
pub struct StartedSession {
    /// The token, for clients that keep no cookies, and when it expires.
    pub token: Token,
    /// The name to show, masked.
    pub user_name: String,
    /// The `Set-Cookie` values.
    pub cookies: Vec<String>,
}

/// The sessions of a site, as one request reads and changes them.
pub struct Sessions<'a> {
    sessions: sessions::Sessions,
    times: SessionTimes,
    place: CookiePlace<'a>,
    now: i64,
}

impl<'a> Sessions<'a> {
    /// The sessions of the site of `store` and `place`; `now` is in milliseconds since 1970.
    #[must_use]
    pub fn new(store: SiteStore, times: SessionTimes, place: CookiePlace<'a>, now: i64) -> Self {
        Self { sessions: sessions::Sessions::new(store, times, now), times, place, now }
    }

    /// The session of a request, from the session cookie or else the `token` header.
    ///
    /// # Errors
    /// [`StoreError`], if it could not be read.
    pub async fn current(&self, headers: &HeaderMap) -> Result<Option<Current>, StoreError> {
        match self.token(headers) {
            Some(token) => self.sessions.find(&token).await,
            None => Ok(None),
        }
    }

    /// The signed-in member of a request.
    ///
    /// # Errors
    /// [`StoreError`], if it is not known whether the session of the request lasts.
    pub async fn user(&self, headers: &HeaderMap) -> Result<Option<User>, StoreError> {
        Ok(self.current(headers).await?.as_ref().map(User::of))
    }

    /// Whether a request names a session, which may have ended.
    #[must_use]
    pub fn is_named(&self, headers: &HeaderMap) -> bool {
        self.token(headers).is_some()
    }

    /// Begins a session of a member who was authenticated by `method` (`masthead_accounts::sessions::method`, or the name of an identity
    /// provider), and ends the session of the request. `None` if the account is closed.
    ///
    /// # Errors
    /// The store's error; no session has begun then.
    pub async fn begin(
        &self,
        member: MemberId,
        method: &str,
        agent: &str,
        headers: &HeaderMap,
    ) -> Result<Option<StartedSession>, StoreError> {
        let replaced = self.token(headers);
        let beginning = SessionStart { member, method, agent, replaces: replaced.as_deref() };
        let Some(token) = self.sessions.begin(&beginning).await? else { return Ok(None) };
        let found = self.sessions.find(&token.text).await?;
        Ok(found.map(|current| self.begun(token, &masked(current.of.shown()))))
    }

    /// The session with another token.
    #[must_use]
    pub fn renewed(&self, current: &Current, token: Token) -> StartedSession {
        self.begun(token, &masked(current.of.shown()))
    }

    /// Ends the session of a request. Returns the `Set-Cookie` values that remove the cookies.
    ///
    /// # Errors
    /// The store's error; the session may still be valid then.
    pub async fn end(&self, headers: &HeaderMap) -> Result<Vec<String>, StoreError> {
        if let Some(token) = self.token(headers) {
            self.sessions.end(&token).await?;
        }
        Ok(self.removed())
    }

    /// The `Set-Cookie` values that remove the cookies of a session.
    #[must_use]
    pub fn removed(&self) -> Vec<String> {
        let readable = [USER_NAME, COMMON_TOKEN].map(|name| cookies::readable(name, None, 0, self.place));
        self.cookie().headers(None, self.place).into_iter().chain(readable).collect()
    }

    /// The sessions, without cookies.
    #[must_use]
    pub const fn stored(&self) -> &sessions::Sessions {
        &self.sessions
    }

    fn begun(&self, token: Token, user_name: &str) -> StartedSession {
        // The cookies end with the session, which may have begun earlier than its token.
        let seconds = u64::try_from((token.expires - self.now) / 1000).unwrap_or_default();
        let cookie = SignedCookie { lifetime: Some(seconds), ..self.cookie() };
        let mut cookies = cookie.headers(Some(&token.text), self.place);
        cookies.push(cookies::readable(USER_NAME, Some(user_name), seconds, self.place));
        StartedSession { token, user_name: user_name.to_owned(), cookies }
    }

    fn cookie(&self) -> SignedCookie {
        SignedCookie { name: SESSION, lifetime: Some(u64::from(self.times.max_hours) * 3600) }
    }

    fn token(&self, headers: &HeaderMap) -> Option<String> {
        let of_header = || headers.get("token")?.to_str().ok().map(str::to_owned);
        self.cookie().unsigned(headers, self.place).or_else(of_header).filter(|token| !token.is_empty())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use masthead_accounts::sessions::method;
    use masthead_domain::{
        Lang, SiteId,
        member::{MemberName, Profile},
    };
    use masthead_store::{Created, NewMember, Store};

    use super::*;

    const START: i64 = 1_700_000_000_000;
    const HTTPS: CookiePlace<'_> = CookiePlace { site: 945, base: "", https: true };

    async fn store() -> (tempfile::TempDir, Store, MemberId) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_file(&folder.path().join("a.db")).await.unwrap();
        let names = [MemberName::mobile("13812345678").unwrap()];
        let profile = Profile::default();
        let new =
            NewMember { handle: "h", names: &names, password: "", identity: None, lang: Lang::En, profile: &profile };
        let Created::Member(member) = store.site(SiteId(945)).create_member(&new, START).await.unwrap() else {
            panic!("the name is taken")
        };
        (folder, store, member)
    }

    fn sessions<'a>(store: &Store, place: CookiePlace<'a>, now: i64) -> Sessions<'a> {
        Sessions::new(store.site(SiteId(place.site)), SessionTimes::default(), place, now)
    }

    fn with(name: &'static str, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name.parse().unwrap(), value.parse().unwrap())])
    }

    async fn begin(sessions: &Sessions<'_>, member: MemberId, headers: &HeaderMap) -> StartedSession {
        sessions.begin(member, method::CODE, "", headers).await.unwrap().unwrap()
    }

    #[tokio::test]
    async fn the_token_header_is_a_session_as_the_cookie_is() {
        let (_folder, store, member) = store().await;
        let sessions = sessions(&store, HTTPS, START);
        let token = begin(&sessions, member, &HeaderMap::new()).await.token.text;
        let user = User { member, name: "13812345678".to_owned() };
        let cookie = format!("a=b; __Host-mh_session={token}");
        for headers in [with("token", &token), with("cookie", &cookie)] {
            assert_eq!(sessions.user(&headers).await.unwrap(), Some(user.clone()));
            assert!(sessions.is_named(&headers));
        }
        let elsewhere = format!("mh_session={token}");
        for headers in [HeaderMap::new(), with("token", ""), with("token", "x"), with("cookie", &elsewhere)] {
            assert_eq!(sessions.user(&headers).await.unwrap(), None, "{headers:?}");
        }
        assert_eq!(user.masked(), "138****5678");
        store.close().await;
        assert!(sessions.user(&with("token", &token)).await.is_err(), "whether the session lasts is not known");
        assert_eq!(sessions.user(&HeaderMap::new()).await.unwrap(), None, "a request without a session is nobody's");
    }

    #[tokio::test]
    async fn the_cookies_of_a_session_last_as_long_as_it_does() {
        let (_folder, store, member) = store().await;
        let first = begin(&sessions(&store, HTTPS, START), member, &HeaderMap::new()).await;
        let token = &first.token.text;
        assert_eq!(
            first.cookies,
            [
                format!("__Host-mh_session={token}; HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=43200"),
                "userName=138%2A%2A%2A%2A5678; SameSite=Lax; Secure; Path=/; Max-Age=43200".to_owned(),
            ]
        );
        // An hour later, the session lasts for eleven more, whatever its token.
        let later = sessions(&store, HTTPS, START + 3_600_000);
        let current = later.current(&with("token", token)).await.unwrap().unwrap();
        let renewed = later.renewed(&current, first.token.clone());
        assert!(renewed.cookies.iter().all(|cookie| cookie.ends_with("Max-Age=39600")), "{:?}", renewed.cookies);
    }

    #[tokio::test]
    async fn a_session_on_a_shared_host_is_that_of_its_site() {
        let (_folder, store, member) = store().await;
        let shared = CookiePlace { base: "/north", https: false, ..HTTPS };
        let begun = begin(&sessions(&store, shared, START), member, &HeaderMap::new()).await;
        let paths: Vec<_> = begun
            .cookies
            .iter()
            .map(|cookie| cookie.split("; ").find(|part| part.starts_with("Path")).unwrap())
            .collect();
        assert_eq!(paths, ["Path=/north/", "Path=/media/945/", "Path=/north/"]);
    }

    #[tokio::test]
    async fn a_session_that_has_ended_is_void_wherever_its_token_is() {
        let (_folder, store, member) = store().await;
        let sessions = sessions(&store, HTTPS, START);
        let (first, second) =
            (begin(&sessions, member, &HeaderMap::new()).await, begin(&sessions, member, &HeaderMap::new()).await);
        let removed = sessions.end(&with("cookie", &format!("__Host-mh_session={}", first.token.text))).await.unwrap();
        assert_eq!(
            removed,
            [
                "__Host-mh_session=; HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=0",
                "userName=; SameSite=Lax; Secure; Path=/; Max-Age=0",
                "commonToken=; SameSite=Lax; Secure; Path=/; Max-Age=0",
            ]
        );
        assert_eq!(sessions.user(&with("token", &first.token.text)).await.unwrap(), None);
        assert!(sessions.user(&with("token", &second.token.text)).await.unwrap().is_some());
        let third = begin(&sessions, member, &with("token", &second.token.text)).await;
        assert_eq!(
            sessions.user(&with("token", &second.token.text)).await.unwrap(),
            None,
            "a new sign-in ends the session before"
        );
        assert!(sessions.user(&with("token", &third.token.text)).await.unwrap().is_some());
    }
}
