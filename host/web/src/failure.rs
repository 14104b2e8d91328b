//! Every failure that a reader can be told of: its HTTP status, its status in the envelope of calls, and its words. Pages and
//! calls take both from here; what happened inside goes to the log only.

use axum::http::StatusCode;
use masthead_domain::site::SiteState;

/// What went wrong, as far as a reader is concerned (specification sections 4 and 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Address, parameters or body do not fit.
    NotUnderstood,
    /// The address is longer than any that means something.
    AddressTooLong,
    /// The body is longer than what is taken.
    BodyTooLarge,
    /// The body is of a type that is not read.
    WrongType,
    /// The address knows other methods.
    WrongMethod,
    /// Somebody has to sign in, or to sign in again.
    SignInNeeded,
    /// Status 10001: the site may not be looked at.
    SiteForbidden,
    /// The site's time is over.
    SiteExpired,
    /// The site is being worked on.
    SiteMaintenance,
    /// There is no such site.
    SiteUnknown,
    /// There is no such page or call.
    PageUnknown,
    /// There is no such article on the site.
    ArticleUnknown,
    /// There is no such thing on the site.
    NoData,
    /// 52003: the gateway does not know the user.
    TranslationUnauthorized,
    /// Something did not answer in time.
    TimedOut,
    /// The same was asked too often.
    TooOften,
    /// Readers' accounts are kept nowhere yet.
    NoAccounts,
    /// The connection is encrypted already: there are no keys to hand out.
    NoKeys,
    /// Readers' files are taken by nobody yet.
    NoUploads,
    /// Something inside failed.
    Inside,
}

impl Failure {
    /// HTTP status, status in the envelope, key of the message.
    const fn row(self) -> (u16, i32, &'static str) {
        match self {
            Self::NotUnderstood => (400, 400, "bad_request"),
            Self::AddressTooLong => (414, 414, "bad_request"),
            Self::BodyTooLarge => (413, 413, "body_too_large"),
            Self::WrongType => (415, 415, "bad_request"),
            Self::WrongMethod => (405, 405, "bad_request"),
            Self::SignInNeeded => (401, 401, "sign_in_needed"),
            Self::SiteForbidden => (403, 10001, "forbidden"),
            // An expired site is no forbidden one: its readers are told whom to ask.
            Self::SiteExpired => (403, 403, "site_expired"),
            Self::SiteMaintenance => (503, 503, "maintenance"),
            Self::SiteUnknown => (404, 404, "site_unknown"),
            Self::PageUnknown => (404, 404, "page_not_found"),
            Self::ArticleUnknown => (404, 404, "article_missing"),
            Self::NoData => (404, 404, "no_data"),
            Self::TranslationUnauthorized => (403, 52003, "translation_unauthorized"),
            Self::TimedOut => (504, 504, "request_timed_out"),
            Self::TooOften => (429, 429, "too_often"),
            Self::NoAccounts => (501, 501, "accounts_unavailable"),
            Self::NoKeys => (501, 501, "keys_unneeded"),
            Self::NoUploads => (501, 501, "uploads_unavailable"),
            Self::Inside => (500, 500, "request_failed"),
        }
    }

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

    const ALL: [Failure; 20] = [
        Failure::NotUnderstood,
        Failure::AddressTooLong,
        Failure::BodyTooLarge,
        Failure::WrongType,
        Failure::WrongMethod,
        Failure::SignInNeeded,
        Failure::SiteForbidden,
        Failure::SiteExpired,
        Failure::SiteMaintenance,
        Failure::SiteUnknown,
        Failure::PageUnknown,
        Failure::ArticleUnknown,
        Failure::NoData,
        Failure::TranslationUnauthorized,
        Failure::TimedOut,
        Failure::TooOften,
        Failure::NoAccounts,
        Failure::NoKeys,
        Failure::NoUploads,
        Failure::Inside,
    ];

    #[test]
    fn every_failure_has_words_in_every_language() {
        let messages = Messages::load().unwrap();
        for failure in ALL {
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
