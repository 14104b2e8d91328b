//! A site as a relying party of WebAuthn: the options for browsers, and the verification of their answers. A passkey belongs to one host
//! name; the site has to be opened under this name to use it.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use masthead_domain::text::hex;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use url::{Host, Url};
use uuid::Uuid;
use webauthn_rs::prelude::{
    CredentialID, DiscoverableAuthentication, Passkey, PasskeyRegistration, PublicKeyCredential,
    RegisterPublicKeyCredential, Webauthn, WebauthnBuilder,
};

use super::{CEREMONY, PasskeyError};

/// Longest answer of an authenticator that is looked at, in bytes: attestations with certificates have a few thousand.
const MAX_ANSWER: usize = 32 << 10;

/// A site under one of its host names.
pub(super) struct RelyingParty {
    webauthn: Webauthn,
    host: String,
}

/// A ceremony that has begun.
pub(super) struct StartedCeremony {
    /// The digest of the challenge, which comes back with the answer.
    pub(super) ticket: String,
    /// The state with which the answer is compared.
    pub(super) state: String,
    /// The options for the browser, as the JSON of WebAuthn.
    pub(super) options: Value,
}

/// A passkey as it is stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct StoredKey {
    /// The host name to which it belongs.
    pub(super) host: String,
    /// The public key with its counter.
    pub(super) key: Passkey,
}

/// The member for whom a passkey is made, as the browser shows it.
pub(super) struct PasskeyUser<'a> {
    pub(super) handle: Uuid,
    pub(super) account: &'a str,
    pub(super) name: &'a str,
}

impl RelyingParty {
    /// The site at this origin. `name` is shown by browsers.
    pub(super) fn new(origin: &str, name: &str) -> Result<Self, PasskeyError> {
        let address = Url::parse(origin).map_err(|error| PasskeyError::Unreadable(error.to_string()))?;
        let Some(Host::Domain(host)) = address.host() else { return Err(PasskeyError::NoHostName) };
        let host = host.to_owned();
        let builder = WebauthnBuilder::new(&host, &address)?.rp_name(name).timeout(CEREMONY);
        Ok(Self { webauthn: builder.build()?, host })
    }

    /// The host name to which passkeys belong.
    pub(super) fn host(&self) -> &str {
        &self.host
    }

    pub(super) fn begin_registration(
        &self,
        holder: &PasskeyUser<'_>,
        existing: Vec<CredentialID>,
    ) -> Result<StartedCeremony, PasskeyError> {
        let PasskeyUser { handle, account, name } = *holder;
        let (challenge, state) = self.webauthn.start_passkey_registration(handle, account, name, Some(existing))?;
        let ticket = ticket(&challenge.public_key.challenge);
        let mut options = written(&challenge)?;
        // No name is typed to sign in with a passkey: the authenticator has to know its owner. The library asks for less.
        options["publicKey"]["authenticatorSelection"]["residentKey"] = json!("required");
        options["publicKey"]["authenticatorSelection"]["requireResidentKey"] = json!(true);
        Ok(StartedCeremony { ticket, state: written(&state)?.to_string(), options })
    }

    pub(super) fn finish_registration(
        &self,
        answer: &RegisterPublicKeyCredential,
        state: &str,
    ) -> Result<StoredKey, PasskeyError> {
        let state: PasskeyRegistration = read(state)?;
        let key = self.webauthn.finish_passkey_registration(answer, &state)?;
        Ok(StoredKey { host: self.host.clone(), key })
    }

    pub(super) fn begin_sign_in(&self) -> Result<StartedCeremony, PasskeyError> {
        let (challenge, state) = self.webauthn.start_discoverable_authentication()?;
        let ticket = ticket(&challenge.public_key.challenge);
        let mut options = written(&challenge)?;
        // The page decides whether the browser offers passkeys in a field or in a dialog.
        if let Some(options) = options.as_object_mut() {
            options.remove("mediation");
        }
        Ok(StartedCeremony { ticket, state: written(&state)?.to_string(), options })
    }

    /// Checks the answer with the passkey that it names. Returns the passkey with its new counter.
    pub(super) fn finish_sign_in(
        &self,
        answer: &PublicKeyCredential,
        state: &str,
        stored: StoredKey,
    ) -> Result<StoredKey, PasskeyError> {
        let state: DiscoverableAuthentication = read(state)?;
        let StoredKey { host, mut key } = stored;
        if host != self.host {
            return Err(PasskeyError::Refused("the passkey belongs to another host name".to_owned()));
        }
        let result = self.webauthn.finish_discoverable_authentication_v2(answer, state, &key)?;
        if !result.user_verified() {
            return Err(PasskeyError::Refused("the authenticator did not verify its user".to_owned()));
        }
        key.update_credential(&result);
        Ok(StoredKey { host, key })
    }
}

/// The handle of the member whom an answer names.
pub(super) fn handle_in(answer: &PublicKeyCredential) -> Option<Uuid> {
    Uuid::from_slice(answer.get_user_unique_id()?).ok()
}

/// The answer of a browser.
pub(super) fn answer<T: serde::de::DeserializeOwned>(body: &[u8]) -> Result<T, PasskeyError> {
    if body.len() > MAX_ANSWER {
        return Err(PasskeyError::Unreadable(format!("the answer has more than {MAX_ANSWER} bytes")));
    }
    serde_json::from_slice(body).map_err(|error| PasskeyError::Unreadable(error.to_string()))
}

/// The ticket of the ceremony to which an answer belongs, from the data that its browser signed.
pub(super) fn ticket_in(client_data: &[u8]) -> Result<String, PasskeyError> {
    #[derive(Deserialize)]
    struct ClientData {
        challenge: String,
    }
    let unread = |error: &dyn std::error::Error| PasskeyError::Unreadable(error.to_string());
    let data: ClientData = serde_json::from_slice(client_data).map_err(|error| unread(&error))?;
    Ok(ticket(&URL_SAFE_NO_PAD.decode(data.challenge).map_err(|error| unread(&error))?))
}

fn ticket(challenge: &[u8]) -> String {
    hex(&Sha256::digest(challenge))
}

fn written(value: &impl Serialize) -> Result<Value, PasskeyError> {
    serde_json::to_value(value).map_err(|error| PasskeyError::Unreadable(error.to_string()))
}

fn read<T: serde::de::DeserializeOwned>(state: &str) -> Result<T, PasskeyError> {
    serde_json::from_str(state).map_err(|error| PasskeyError::Unreadable(error.to_string()))
}
