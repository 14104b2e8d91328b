//! The reasons why a sign-in at an identity provider fails, and the messages about them. Faults between host and provider are only logged.

use axum::http::StatusCode;
use masthead_accounts::identities::IdentityError;
use masthead_domain::Lang;
use masthead_store::StoreError;

use crate::{app::App, failure::Failure};

/// Why there is no sign-in.
#[derive(Debug)]
pub enum Refusal {
    /// The site has no such provider.
    NoProvider,
    /// It is not the sign-in that this browser began.
    State,
    /// The plugin's provider refuses, for the reason that the plugin gives.
    Reason(String),
    /// The plugin cannot begin, for the reason that it gives.
    Unavailable(String),
    /// The plugin fails.
    PluginFailed,
    /// The client secret of the provider is not set.
    NoSecret,
    /// The provider refuses, or cannot be used, or its answer is not accepted.
    Provider(IdentityError),
    /// The account is closed.
    Closed,
    /// The identity belongs to another member.
    Taken,
    /// The member has another identity at the provider.
    HasAnother,
    /// The store fails.
    Store(StoreError),
}

impl From<IdentityError> for Refusal {
    fn from(error: IdentityError) -> Self {
        Self::Provider(error)
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Refusal {
    /// The status, and the message in a language. The details are logged.
    #[must_use]
    pub fn told(&self, app: &App, lang: Lang) -> (StatusCode, String) {
        let message = |key: &str, reason: &str| app.messages.format(lang, key, &[("reason", reason)]);
        let (status, key, reason) = match self {
            Self::NoProvider => (StatusCode::NOT_FOUND, "sign_in_unavailable", ""),
            Self::State => (StatusCode::BAD_REQUEST, "sign_in_failed", "state"),
            Self::Reason(reason) => (StatusCode::FORBIDDEN, "sign_in_failed", reason.as_str()),
            Self::Unavailable(reason) => (StatusCode::BAD_GATEWAY, "sign_in_failed", reason.as_str()),
            Self::PluginFailed => (StatusCode::BAD_GATEWAY, "plugin_failed", ""),
            Self::NoSecret => {
                tracing::error!("a provider's client secret is not set: `masthead secrets list` names what is missing");
                (StatusCode::BAD_GATEWAY, "identity_unavailable", "")
            }
            Self::Provider(error) => {
                tracing::warn!(%error, "nobody is signed in");
                match error {
                    IdentityError::Refused(code) => (StatusCode::FORBIDDEN, "identity_refused", code.as_str()),
                    IdentityError::Invalid(_) => (StatusCode::FORBIDDEN, "identity_invalid", ""),
                    IdentityError::Unavailable(_) => (StatusCode::BAD_GATEWAY, "identity_unavailable", ""),
                }
            }
            Self::Closed => (StatusCode::FORBIDDEN, "account_closed", ""),
            Self::Taken => (StatusCode::CONFLICT, "identity_taken", ""),
            Self::HasAnother => (StatusCode::CONFLICT, "identity_another", ""),
            Self::Store(error) => {
                tracing::error!(%error, "nobody is signed in");
                let failure = Failure::of_store(error);
                (failure.status(), failure.key(), "")
            }
        };
        (status, message(key, reason))
    }
}
