//! Sign-in at identity providers: OpenID Connect and ORCID, with the authorization code flow, PKCE, a state and a nonce. The answers of the
//! `identity` hook of a plugin are treated as those of a provider.

mod callback;
mod id_token;
mod membership;
mod proof;
mod provider;
mod registry;
#[cfg(test)]
mod tests;
mod transport;

pub use callback::CallbackQuery;
pub use masthead_store::Removal;
pub use membership::{IdentityOwner, arrive, bind, unbind};
pub use proof::Attempt;
pub use provider::{ExternalIdentity, Provider};
pub use registry::Providers;
pub use transport::{Sending, Transport};

/// The reason why a sign-in by a provider fails.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdentityError {
    /// The provider, or the reader there, refused; with the code of the error.
    #[error("the identity provider answers {0}")]
    Refused(String),
    /// The answer of the provider cannot be trusted.
    #[error("the answer of the identity provider is not accepted: {0}")]
    Invalid(String),
    /// The provider cannot be asked.
    #[error("the identity provider cannot be used: {0}")]
    Unavailable(String),
}
