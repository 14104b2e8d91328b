//! The sessions of administrators, as requests and responses have them: a cookie of their own, which is read and set at the administrators'
//! host alone. `masthead_accounts::administrators` defines a session and its end.

use axum::http::HeaderMap;
use cookie::{Cookie, SameSite, time::Duration};
use masthead_accounts::{administrators, sessions::Token};
use masthead_store::{Store, StoreError};

use super::{cookies, principal::Principal};

/// Name of the cookie.
const NAME: &str = "mh_admin";
/// The addresses that the cookie is sent to over http. Over https its name asks for all of the host, which has nothing else.
const PATH: &str = "/rc-pub/admin";

/// Marks a request to the host at which administrators sign in.
#[derive(Clone, Copy, Debug)]
pub struct Console {
    /// Whether the administrator uses https.
    pub https: bool,
}

impl Console {
    const fn name(self) -> &'static str {
        if self.https { "__Host-mh_admin" } else { NAME }
    }

    /// The token in the cookie of a request.
    #[must_use]
    pub fn token(self, headers: &HeaderMap) -> Option<String> {
        cookies::value(headers, self.name())
    }

    /// The signed-in administrator.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn principal(
        self,
        store: &Store,
        headers: &HeaderMap,
        now: i64,
    ) -> Result<Option<Principal>, StoreError> {
        let Some(token) = self.token(headers) else { return Ok(None) };
        let found = administrators::find(store, &token, now).await?;
        Ok(found.map(|session| {
            let roles = session.grants.iter().map(|grant| (grant.scope, grant.role)).collect();
            Principal::of_administrator(session.administrator, session.email, roles)
        }))
    }

    /// The `Set-Cookie` value of a session; without one it removes the cookie.
    #[must_use]
    pub fn cookie(self, token: Option<&Token>) -> String {
        let value = token.map(|token| token.text.clone()).unwrap_or_default();
        let mut cookie = Cookie::build((self.name(), value))
            .path(if self.https { "/" } else { PATH })
            .http_only(true)
            .secure(self.https)
            .same_site(SameSite::Strict);
        if token.is_none() {
            cookie = cookie.max_age(Duration::ZERO);
        }
        cookie.build().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cookie_is_for_the_administrators_host_alone() {
        let token = Token { text: "t".repeat(43), expires: 1 };
        let of = |https: bool| Console { https }.cookie(Some(&token));
        let value = &token.text;
        assert_eq!(of(true), format!("__Host-mh_admin={value}; HttpOnly; SameSite=Strict; Secure; Path=/"));
        assert_eq!(of(false), format!("mh_admin={value}; HttpOnly; SameSite=Strict; Path=/rc-pub/admin"));
        let removed = Console { https: true }.cookie(None);
        assert_eq!(removed, "__Host-mh_admin=; HttpOnly; SameSite=Strict; Secure; Path=/; Max-Age=0");
    }
}
