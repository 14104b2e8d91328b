//! The failures that are reported to readers: HTTP status, status in the envelope of API calls, and message. Pages and calls
//! share this table; internal causes are only logged.

use axum::http::StatusCode;
use masthead_domain::{
    ArticleId,
    access::{ArticleAccess, Refusal, Rights},
    site::SiteState,
};
use masthead_store::{SiteStore, StoreError};

/// Declares each failure once: documentation, HTTP status, status in the envelope, and key of the message. `ALL` is derived
/// from the same list, so that it cannot miss a variant.
macro_rules! failures {
    ($($(#[$about:meta])* $name:ident => ($status:literal, $code:literal, $key:literal),)*) => {
        /// A failure that is reported to a reader (specification sections 4 and 8).
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Failure {
            $($(#[$about])* $name,)*
        }

        impl Failure {
            /// Every failure.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// HTTP status, status in the envelope, and key of the message.
            const fn row(self) -> (u16, i32, &'static str) {
                match self {
                    $(Self::$name => ($status, $code, $key),)*
                }
            }
        }
    };
}

failures! {
    /// Address, parameters or body are invalid.
    NotUnderstood => (400, 400, "bad_request"),
    /// The address is too long.
    AddressTooLong => (414, 414, "bad_request"),
    /// The body is too large.
    BodyTooLarge => (413, 413, "body_too_large"),
    /// The content type of the body is not supported.
    WrongType => (415, 415, "bad_request"),
    /// The address does not support the method.
    WrongMethod => (405, 405, "bad_request"),
    /// A page of another origin sent a request with the reader's cookies.
    OtherOrigin => (403, 403, "bad_request"),
    /// The reader has to sign in, or to sign in again.
    SignInNeeded => (401, 401, "sign_in_needed"),
    /// Status 10001: access to the site is forbidden.
    SiteForbidden => (403, 10001, "forbidden"),
    /// The site has expired. This differs from a forbidden site: the message names a contact.
    SiteExpired => (403, 403, "site_expired"),
    /// The site is in maintenance.
    SiteMaintenance => (503, 503, "maintenance"),
    /// The site does not exist.
    SiteUnknown => (404, 404, "site_unknown"),
    /// The page or call does not exist.
    PageUnknown => (404, 404, "page_not_found"),
    /// The article does not exist on the site.
    ArticleUnknown => (404, 404, "article_missing"),
    /// The article was removed from the site.
    ArticleRemoved => (410, 410, "article_removed"),
    /// The article was withdrawn; its page says why.
    ArticleWithdrawn => (410, 410, "article_withdrawn"),
    /// The resource does not exist on the site.
    NoData => (404, 404, "no_data"),
    /// Status 52003: the translation gateway does not authorize the user.
    TranslationUnauthorized => (403, 52003, "translation_unauthorized"),
    /// A time limit was exceeded.
    TimedOut => (504, 504, "request_timed_out"),
    /// A rate limit was exceeded.
    TooOften => (429, 429, "too_often"),
    /// The site has no accounts of readers.
    AccountsOff => (404, 404, "accounts_off"),
    /// The account is closed.
    AccountClosed => (403, 403, "account_closed"),
    /// The database does not answer, or cannot be written.
    Unavailable => (503, 503, "unavailable"),
    /// The search index is being rebuilt, and has nothing for a search yet.
    IndexIncomplete => (503, 503, "search_incomplete"),
    /// An internal error.
    Inside => (500, 500, "request_failed"),
}

impl Failure {
    /// The HTTP status.
    #[must_use]
    pub fn status(self) -> StatusCode {
        StatusCode::from_u16(self.row().0).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// The status in the envelope.
    #[must_use]
    pub const fn code(self) -> i32 {
        self.row().1
    }

    /// The key of the message.
    #[must_use]
    pub const fn key(self) -> &'static str {
        self.row().2
    }

    /// The failure that readers are told when the store fails.
    #[must_use]
    pub fn of_store(error: &StoreError) -> Self {
        match error {
            // A member who was erased meanwhile is nobody any more.
            StoreError::MemberGone(_) => Self::SignInNeeded,
            error if error.outage().is_some() => Self::Unavailable,
            _ => Self::Inside,
        }
    }

    /// The failure for an article that a site does not have: it was withdrawn or removed, or it never was.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn of_absent_article(store: &SiteStore, id: ArticleId) -> Result<Self, StoreError> {
        if store.withdrawn_article(id).await?.is_some() {
            return Ok(Self::ArticleWithdrawn);
        }
        let removed = store.removed_article(id).await?.is_some();
        Ok(if removed { Self::ArticleRemoved } else { Self::ArticleUnknown })
    }

    /// Seconds after which the request can be repeated, if that is known.
    #[must_use]
    pub const fn retry_after(self) -> Option<u64> {
        match self {
            Self::Unavailable => Some(5),
            Self::IndexIncomplete => Some(60),
            _ => None,
        }
    }

    /// The failure of requests to a site in the given state; `None` for an active site.
    #[must_use]
    pub const fn of_state(state: SiteState) -> Option<Self> {
        match state {
            SiteState::Active => None,
            SiteState::Maintenance => Some(Self::SiteMaintenance),
            SiteState::Expired => Some(Self::SiteExpired),
            SiteState::Forbidden => Some(Self::SiteForbidden),
        }
    }

    /// The failure that corresponds to an HTTP error status which was set outside the handlers.
    #[must_use]
    pub const fn of_refusal(status: StatusCode) -> Self {
        match status.as_u16() {
            401 => Self::SignInNeeded,
            404 => Self::PageUnknown,
            405 => Self::WrongMethod,
            408 | 504 => Self::TimedOut,
            413 => Self::BodyTooLarge,
            414 | 431 => Self::AddressTooLong,
            415 => Self::WrongType,
            429 => Self::TooOften,
            503 => Self::Unavailable,
            500.. => Self::Inside,
            _ => Self::NotUnderstood,
        }
    }
}

/// The key of the message for a reader who may not read the full text of an article: it asks to sign in, unless the reader has. A reader
/// whose session could not be looked up is asked to come back.
#[must_use]
pub const fn read_denied(rights: &Rights) -> &'static str {
    match rights.refusal() {
        Refusal::Unknown => Failure::Unavailable.key(),
        Refusal::SignIn => "read_full_text_denied",
        Refusal::Account => "read_full_text_not_included",
    }
}

/// The key of the message for a reader who may not download an article: because it cannot be read, or although it can.
#[must_use]
pub const fn download_denied(rights: &Rights, article: ArticleAccess) -> &'static str {
    match rights.refusal() {
        _ if rights.downloads(article) => read_denied(rights),
        Refusal::Unknown => Failure::Unavailable.key(),
        Refusal::SignIn => "download_denied",
        Refusal::Account => "download_not_included",
    }
}

/// The same for a file that may belong to several articles.
#[must_use]
pub const fn download_denied_of_file(rights: &Rights) -> &'static str {
    match rights.refusal() {
        _ if rights.permissions().download_power => read_denied(rights),
        Refusal::Unknown => Failure::Unavailable.key(),
        Refusal::SignIn => "download_denied",
        Refusal::Account => "download_not_included",
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_domain::Lang;

    use super::*;
    use crate::i18n::Messages;

    #[test]
    fn every_failure_has_a_message_in_every_language() {
        let messages = Messages::load().unwrap();
        for &failure in Failure::ALL {
            for lang in Lang::ALL {
                assert_ne!(messages.get(lang, failure.key()), failure.key(), "{failure:?} in {lang}");
            }
            assert!(failure.status().is_client_error() || failure.status().is_server_error(), "{failure:?}");
            assert_ne!(failure.code(), 0, "{failure:?}: 0 is success");
        }
    }

    #[test]
    fn failures_have_the_status_codes_of_the_specification() {
        assert_eq!((Failure::SiteForbidden.status().as_u16(), Failure::SiteForbidden.code()), (403, 10001));
        assert_eq!(Failure::TranslationUnauthorized.code(), 52003);
        assert_eq!(Failure::of_state(SiteState::Active), None);
        assert_eq!(Failure::of_refusal(StatusCode::UNPROCESSABLE_ENTITY), Failure::NotUnderstood);
        assert_eq!(Failure::of_refusal(StatusCode::BAD_GATEWAY), Failure::Inside);
    }
}
