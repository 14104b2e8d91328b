//! Sessions of members. A session is a random token of 256 bits; only its digest is stored, so that a copy of the database is of no use to
//! sign in. It ends after some time without use, after some time whatever its use, and whenever the member or a changed password ends it.

mod agent;
#[cfg(test)]
mod tests;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use masthead_domain::{member::MemberId, site::SessionTimes};
use masthead_store::{MemberSession, MemberStore, NewSession, SessionMember, SessionRotation, SiteStore, StoreError};

use crate::installation_key::token_digest;

pub use agent::describe;

/// Milliseconds between two writes of the time at which a session was used.
const USE_INTERVAL: i64 = 60_000;
/// Milliseconds by which the clocks of two hosts may differ. A session that began later than that after now is one from before a clock was set
/// back: it would last longer than the times allow.
const CLOCK_DIFFERENCE: i64 = 5 * 60_000;
/// Length of a token: 32 bytes in base64url.
const TOKEN_LENGTH: usize = 43;

/// The methods by which members are authenticated, as the list of sessions shows them. An identity provider is named by its own name.
pub mod method {
    /// By a password.
    pub const PASSWORD: &str = "password";
    /// By a code that was sent to a phone or mailbox.
    pub const CODE: &str = "code";
    /// By a passkey.
    pub const PASSKEY: &str = "passkey";
    /// By registering.
    pub const REGISTRATION: &str = "registration";
}

/// A session that begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionStart<'a> {
    /// The member.
    pub member: MemberId,
    /// One of [`method`], or the name of an identity provider.
    pub method: &'a str,
    /// The user agent of the browser.
    pub agent: &'a str,
    /// The token of the session that it replaces: a token from before a sign-in is void after it.
    pub replaces: Option<&'a str>,
}

/// A token that was given out.
#[derive(Clone, PartialEq, Eq)]
pub struct Token {
    /// The token: the only copy.
    pub text: String,
    /// When the session ends, however it is used; in milliseconds since 1970.
    pub expires: i64,
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Token").field("expires", &self.expires).finish_non_exhaustive()
    }
}

/// Another token for a session.
#[derive(Clone, Debug)]
pub struct Renewal {
    /// The token.
    pub token: Token,
    from: String,
    to: String,
}

impl Renewal {
    /// The digest that the store replaces, with the new one.
    #[must_use]
    pub fn rotation(&self) -> SessionRotation<'_> {
        SessionRotation { from: &self.from, to: &self.to }
    }
}

/// A session in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Current {
    /// The session and its member.
    pub of: SessionMember,
    /// The digest of its token.
    pub digest: String,
    /// When it ends, however it is used.
    pub expires: i64,
}

/// The sessions of a site at one time.
#[derive(Clone, Debug)]
pub struct Sessions {
    store: SiteStore,
    times: SessionTimes,
    now: i64,
}

impl Sessions {
    /// The sessions of the store's site.
    #[must_use]
    pub const fn new(store: SiteStore, times: SessionTimes, now: i64) -> Self {
        Self { store, times, now }
    }

    /// The session of a token, if it has not ended. Its use is noted.
    ///
    /// # Errors
    /// [`StoreError`], if the session could not be read.
    pub async fn find(&self, token: &str) -> Result<Option<Current>, StoreError> {
        if !is_token(token) {
            return Ok(None);
        }
        let digest = token_digest(token);
        let Some(of) = self.store.member_session(&digest).await? else { return Ok(None) };
        let MemberSession { created, used, .. } = of.session;
        // A clock that was set back makes no session older than it is, and none younger than the times allow.
        let ahead = created - self.now > CLOCK_DIFFERENCE;
        if ahead || self.now - created >= self.times.max_ms() || self.now - used >= self.times.idle_ms() {
            return Ok(None);
        }
        if self.now - used >= USE_INTERVAL
            && let Err(error) = self.store.use_session(&digest, self.now).await
        {
            tracing::error!(%error, "the use of a session is not stored; it may expire early");
        }
        Ok(Some(Current { of, digest, expires: created + self.times.max_ms() }))
    }

    /// Begins a session; `None` if the account is closed.
    ///
    /// # Errors
    /// [`StoreError`]; no session has begun then.
    pub async fn begin(&self, beginning: &SessionStart<'_>) -> Result<Option<Token>, StoreError> {
        let token = new_token();
        let replaced = beginning.replaces.filter(|token| is_token(token)).map(token_digest);
        let session = NewSession {
            digest: &token_digest(&token),
            replaces: replaced.as_deref(),
            method: beginning.method,
            client: &describe(beginning.agent),
        };
        let begun = self.store.of_member(beginning.member).begin_session(&session, self.now).await?;
        Ok(begun.map(|_| Token { text: token, expires: self.now + self.times.max_ms() }))
    }

    /// Another token for a session, as after a change of the member's credentials. It is of use once the change has stored its digest
    /// ([`Renewal::rotation`]); the session does not last longer by it.
    #[must_use]
    pub fn renew(&self, current: &Current) -> Renewal {
        let token = Token { text: new_token(), expires: current.expires };
        Renewal { from: current.digest.clone(), to: token_digest(&token.text), token }
    }

    /// Ends the session of a token.
    ///
    /// # Errors
    /// [`StoreError`]; the session may still be valid then.
    pub async fn end(&self, token: &str) -> Result<(), StoreError> {
        if is_token(token) { self.store.end_session(&token_digest(token)).await } else { Ok(()) }
    }

    /// The sessions of a member that have not ended, latest use first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn of_member(&self, member: &MemberStore) -> Result<Vec<MemberSession>, StoreError> {
        // One millisecond later than the latest that has ended.
        let (created, used) = (self.now - self.times.max_ms() + 1, self.now - self.times.idle_ms() + 1);
        member.sessions(created, used).await
    }
}

pub(crate) fn new_token() -> String {
    URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>())
}

/// Whether a text has the form of a token: for other texts the database is not queried.
pub(crate) fn is_token(text: &str) -> bool {
    text.len() == TOKEN_LENGTH && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}
