//! The signed cookies of a sign-in at an identity provider: the place where it began, and afterwards the identity that is to be bound to an
//! account.

use axum::http::HeaderMap;
use cookie::Key;
use masthead_accounts::identities::ExternalIdentity;
use masthead_domain::{Lang, member::MemberId};
use serde::{Deserialize, Serialize};

use super::cookies::{CookiePlace, SignedCookie};

/// The cookie of a pending sign-in: a reader has ten minutes to sign in at the provider.
const SIGN_IN: SignedCookie = SignedCookie { name: "mh_signin", lifetime: Some(600) };
/// The cookie of an identity that waits to be bound: ten minutes to sign in or register here.
const BINDING: SignedCookie = SignedCookie { name: "mh_binding", lifetime: Some(600) };

/// A pending sign-in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingSignIn {
    /// The provider's name in the configuration of the site.
    pub provider: String,
    /// The state that the provider has to send back.
    pub state: String,
    /// The address that the provider sends the reader back to.
    pub callback: String,
    /// Path on this site to return to after the sign-in.
    pub back: String,
    /// The language in which the reader reads.
    pub lang: Lang,
    /// The member to whom the identity is to be bound; `None` for a sign-in.
    pub member: Option<MemberId>,
}

/// An identity that waits to be bound to an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingBinding {
    /// The identity.
    pub identity: ExternalIdentity,
    /// Path on this site to return to afterwards.
    pub back: String,
}

/// The pending sign-ins of a site's readers.
#[derive(Clone, Copy)]
pub struct Pending<'a> {
    key: &'a Key,
    place: CookiePlace<'a>,
}

impl<'a> Pending<'a> {
    /// Those of the site of `place`. `key` signs cookies.
    #[must_use]
    pub const fn new(key: &'a Key, place: CookiePlace<'a>) -> Self {
        Self { key, place }
    }

    /// The pending sign-in of this reader.
    #[must_use]
    pub fn sign_in(self, headers: &HeaderMap) -> Option<PendingSignIn> {
        SIGN_IN.read(headers, self.key, self.place)
    }

    /// The `Set-Cookie` value of a pending sign-in; `None` removes it.
    #[must_use]
    pub fn sign_in_cookie(self, pending: Option<&PendingSignIn>) -> String {
        SIGN_IN.header(pending.map(|pending| SIGN_IN.sign(pending, self.key, self.place.site)), self.place)
    }

    /// The identity of this reader that waits to be bound.
    #[must_use]
    pub fn binding(self, headers: &HeaderMap) -> Option<PendingBinding> {
        BINDING.read(headers, self.key, self.place)
    }

    /// The `Set-Cookie` value of an identity that waits to be bound; `None` removes it.
    #[must_use]
    pub fn binding_cookie(self, pending: Option<&PendingBinding>) -> String {
        BINDING.header(pending.map(|pending| BINDING.sign(pending, self.key, self.place.site)), self.place)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use axum::http::header;

    use super::*;
    use crate::auth::cookies;

    const HERE: CookiePlace<'_> = CookiePlace { site: 945, base: "", https: true };

    fn sent(set: &str) -> HeaderMap {
        HeaderMap::from_iter([(header::COOKIE, set.split(';').next().unwrap().parse().unwrap())])
    }

    #[test]
    fn each_kind_is_read_from_its_own_cookie_on_its_own_site() {
        let key = cookies::key(&[7; 32]);
        let pending = Pending::new(&key, HERE);
        let sign_in = PendingSignIn {
            provider: "campus".into(),
            state: "s".into(),
            callback: "https://a.example/en/login/callback".into(),
            back: "/en/home/".into(),
            lang: Lang::En,
            member: Some(MemberId(7)),
        };
        let identity = ExternalIdentity { provider: "campus".into(), subject: "u-1".into(), name: "Ada".into() };
        let binding = PendingBinding { identity, back: "/en/home/".into() };
        let (of_sign_in, of_binding) =
            (sent(&pending.sign_in_cookie(Some(&sign_in))), sent(&pending.binding_cookie(Some(&binding))));
        assert_eq!((pending.sign_in(&of_sign_in), pending.binding(&of_binding)), (Some(sign_in), Some(binding)));
        assert_eq!((pending.sign_in(&of_binding), pending.binding(&of_sign_in)), (None, None));
        let other = Pending::new(&key, CookiePlace { site: 942, ..HERE });
        assert_eq!((other.sign_in(&of_sign_in), other.binding(&of_binding)), (None, None));
        // The value of one cookie under the name of the other.
        let moved = of_sign_in[header::COOKIE].to_str().unwrap().replace("mh_signin", "mh_binding");
        assert_eq!(pending.binding(&sent(&moved)), None);
        for removed in [pending.sign_in_cookie(None), pending.binding_cookie(None)] {
            assert!(removed.ends_with("; HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=0"), "{removed}");
        }
    }
}
