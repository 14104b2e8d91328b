//! Changes of the ways by which a member signs in: the permission for them, and the message about them.

use axum::body::Bytes;
use masthead_accounts::{keys::SecretText, messages::AccountChange};
use masthead_store::NewMessage;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    fields::PasswordField,
    refusals::{in_session, opened_or_none},
};
use crate::api::{envelope::ApiError, signed_in::SignedIn};

/// The password with which a member confirms a change.
#[derive(Default, Deserialize, ToSchema)]
pub struct Confirmation {
    /// The password, as text or encrypted; it is not needed shortly after a sign-in.
    #[serde(default)]
    #[schema(value_type = Option<PasswordField>)]
    password: Option<SecretText>,
}

impl Confirmation {
    /// Reads the body of a call, which may be empty.
    ///
    /// # Errors
    /// 400 for another body.
    pub fn read(signed_in: &SignedIn, body: &Bytes) -> Result<Self, ApiError> {
        if body.is_empty() { Ok(Self::default()) } else { signed_in.caller.json(body) }
    }

    /// Checks that the member may make the change.
    ///
    /// # Errors
    /// 401 if the member has to sign in again; the refusals of a password.
    pub async fn check(self, signed_in: &SignedIn) -> Result<(), ApiError> {
        let caller = &signed_in.caller;
        let password = opened_or_none(caller, self.password, Some(&signed_in.session().digest))?;
        let store = caller.store();
        let checked = caller.accounts(&store).confirm(signed_in.session(), &password).await;
        in_session(caller, checked).await
    }
}

/// The message to the member about a change.
#[must_use]
pub fn notices(signed_in: &SignedIn, change: AccountChange) -> Vec<NewMessage> {
    let (of, store) = (&signed_in.session().of, signed_in.caller.store());
    signed_in.caller.accounts(&store).notices(of.lang, &[&of.email], change)
}
