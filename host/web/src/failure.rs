//! Every failure that a reader can be told of: its HTTP status, its status in the envelope of calls, and its words. Pages and
//! calls take both from here; what happened inside goes to the log only.

use axum::http::StatusCode;
use masthead_domain::site::SiteState;

/// Declares every failure once: its documentation, HTTP status, status in the envelope, and key of the message.
macro_rules! failures {
    ($($(#[$about:meta])* $name:ident => ($status:literal, $code:literal, $key:literal),)*) => {
        /// What went wrong, as far as a reader is concerned (specification sections 4 and 8).
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Failure {
            $($(#[$about])* $name,)*
        }

        impl Failure {
            /// Every failure.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// HTTP status, status in the envelope, key of the message.
            const fn row(self) -> (u16, i32, &'static str) {
                match self {
                    $(Self::$name => ($status, $code, $key),)*
                }
            }
        }
    };
}

failures! {
    /// Address, parameters or body do not fit.
    NotUnderstood => (400, 400, "bad_request"),
    /// The address is longer than any that means something.
    AddressTooLong => (414, 414, "bad_request"),
    /// The body is longer than what is taken.
    BodyTooLarge => (413, 413, "body_too_large"),
    /// The body is of a type that is not read.
    WrongType => (415, 415, "bad_request"),
    /// The address knows other methods.
    WrongMethod => (405, 405, "bad_request"),
    /// Somebody has to sign in, or to sign in again.
    SignInNeeded => (401, 401, "sign_in_needed"),
    /// Status 10001: the site may not be looked at.
    SiteForbidden => (403, 10001, "forbidden"),
    /// The site's time is over. It is not a forbidden one: its readers are told whom to ask.
    SiteExpired => (403, 403, "site_expired"),
    /// The site is being worked on.
    SiteMaintenance => (503, 503, "maintenance"),
    /// There is no such site.
    SiteUnknown => (404, 404, "site_unknown"),
    /// There is no such page or call.
    PageUnknown => (404, 404, "page_not_found"),
    /// There is no such article on the site.
    ArticleUnknown => (404, 404, "article_missing"),
    /// There is no such thing on the site.
    NoData => (404, 404, "no_data"),
    /// 52003: the gateway does not know the user.
    TranslationUnauthorized => (403, 52003, "translation_unauthorized"),
    /// Something did not answer in time.
    TimedOut => (504, 504, "request_timed_out"),
    /// The same was asked too often.
    TooOften => (429, 429, "too_often"),
    /// Readers' accounts are kept nowhere yet.
    NoAccounts => (501, 501, "accounts_unavailable"),
    /// The connection is encrypted already: there are no keys to hand out.
    NoKeys => (501, 501, "keys_unneeded"),
    /// Readers' files are taken by nobody yet.
    NoUploads => (501, 501, "uploads_unavailable"),
    /// Something inside failed.
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

    /// Why nothing of a site is shown; `None` for one that answers.
    #[must_use]
    pub const fn of_state(state: SiteState) -> Option<Self> {
        match state {
            SiteState::Active => None,
            SiteState::Maintenance => Some(Self::SiteMaintenance),
            SiteState::Expired => Some(Self::SiteExpired),
            SiteState::Forbidden => Some(Self::SiteForbidden),
        }
    }

    /// What a refusal means that comes from before or around a handler, by its HTTP status.
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
            500.. => Self::Inside,
            _ => Self::NotUnderstood,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_domain::Lang;

    use super::*;
    use crate::i18n::Messages;

    #[test]
    fn every_failure_has_words_in_every_language() {
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
    fn the_specifications_numbers_are_kept() {
        assert_eq!((Failure::SiteForbidden.status().as_u16(), Failure::SiteForbidden.code()), (403, 10001));
        assert_eq!(Failure::TranslationUnauthorized.code(), 52003);
        assert_eq!(Failure::of_state(SiteState::Active), None);
        assert_eq!(Failure::of_refusal(StatusCode::UNPROCESSABLE_ENTITY), Failure::NotUnderstood);
        assert_eq!(Failure::of_refusal(StatusCode::BAD_GATEWAY), Failure::Inside);
    }
}
