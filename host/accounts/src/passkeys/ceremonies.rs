//! The ceremonies of WebAuthn with the passkeys of a site's members.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use masthead_domain::member::{MemberId, MemberState};
use masthead_store::{Member, MemberStore, NewMessage, Passkey, Removal, SiteStore};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;
use webauthn_rs::prelude::{PublicKeyCredential, RegisterPublicKeyCredential};

use super::{
    CEREMONY, MAX_PASSKEYS, PasskeyError,
    relying_party::{self, PasskeyUser, RelyingParty, StartedCeremony, StoredKey},
};

/// Purposes of tickets.
const REGISTRATION: &str = "passkey-registration";
const SIGN_IN: &str = "passkey-sign-in";
/// Greatest length of the name of a passkey, in characters.
const MAX_NAME: usize = 60;

/// The passkeys of a site under one of its host names, at one time.
pub struct Passkeys {
    store: SiteStore,
    party: RelyingParty,
    now: i64,
}

/// A registration that has begun.
#[derive(Serialize, Deserialize)]
struct Registration {
    /// The member who began it; no other can finish it.
    member: i64,
    state: String,
}

impl Passkeys {
    /// The passkeys of the site that is open at this origin (scheme, host and port). `name` is shown by browsers.
    ///
    /// # Errors
    /// [`PasskeyError::NoHostName`] for an IP address.
    pub fn new(store: SiteStore, origin: &str, name: &str, now: i64) -> Result<Self, PasskeyError> {
        Ok(Self { store, party: RelyingParty::new(origin, name)?, now })
    }

    /// Begins the registration of a passkey. Returns the options for the browser.
    ///
    /// # Errors
    /// [`PasskeyError`].
    pub async fn begin_registration(&self, member: &Member) -> Result<Value, PasskeyError> {
        let handle = Uuid::parse_str(&member.handle).map_err(|error| PasskeyError::Unreadable(error.to_string()))?;
        let passkeys = self.store.of_member(member.id).passkeys().await?;
        if i64::try_from(passkeys.len()).unwrap_or(i64::MAX) >= MAX_PASSKEYS {
            return Err(PasskeyError::NotAdded);
        }
        let keys = passkeys.iter().filter_map(|passkey| stored(passkey).ok());
        let existing =
            keys.filter(|stored| stored.host == self.party.host()).map(|stored| stored.key.cred_id().clone());
        let names = [&member.account, &member.email, &member.mobile, &member.profile.name];
        let account = names.into_iter().find(|name| !name.is_empty()).map_or("", String::as_str);
        let name = if member.profile.name.is_empty() { account } else { &member.profile.name };
        let begun = self.party.begin_registration(&PasskeyUser { handle, account, name }, existing.collect())?;
        let registration = Registration { member: member.id.0, state: begun.state.clone() };
        let kept = serde_json::to_string(&registration).map_err(|error| PasskeyError::Unreadable(error.to_string()))?;
        self.keep(REGISTRATION, begun, &kept).await
    }

    /// Finishes it with the answer of the browser. `name` is the member's name for the passkey.
    ///
    /// # Errors
    /// [`PasskeyError`].
    pub async fn finish_registration(
        &self,
        member: &MemberStore,
        answer: &[u8],
        name: &str,
        messages: &[NewMessage],
    ) -> Result<(), PasskeyError> {
        let answer: RegisterPublicKeyCredential = relying_party::answer(answer)?;
        let kept = self.taken(REGISTRATION, &answer.response.client_data_json).await?;
        let registration: Registration =
            serde_json::from_str(&kept).map_err(|error| PasskeyError::Unreadable(error.to_string()))?;
        if registration.member != member.id().0 {
            return Err(PasskeyError::Refused("another member began the registration".to_owned()));
        }
        let key = self.party.finish_registration(&answer, &registration.state)?;
        let data = serde_json::to_string(&key).map_err(|error| PasskeyError::Unreadable(error.to_string()))?;
        let plain: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).take(MAX_NAME).collect();
        let passkey = Passkey {
            id: 0,
            credential: URL_SAFE_NO_PAD.encode(key.key.cred_id()),
            name: plain.trim().to_owned(),
            data,
            created: self.now,
            used: 0,
        };
        let added = member.add_passkey(&passkey, MAX_PASSKEYS, messages).await?;
        if added { Ok(()) } else { Err(PasskeyError::NotAdded) }
    }

    /// Begins a sign-in of a reader who has given no name. Returns the options for the browser, which are the same for all readers.
    ///
    /// # Errors
    /// [`PasskeyError`].
    pub async fn begin_sign_in(&self) -> Result<Value, PasskeyError> {
        let begun = self.party.begin_sign_in()?;
        let state = begun.state.clone();
        self.keep(SIGN_IN, begun, &state).await
    }

    /// Finishes it with the answer of the browser: the member who has signed in.
    ///
    /// # Errors
    /// [`PasskeyError`]. Callers answer all of them with the same message.
    pub async fn finish_sign_in(&self, answer: &[u8]) -> Result<MemberId, PasskeyError> {
        let answer: PublicKeyCredential = relying_party::answer(answer)?;
        let state = self.taken(SIGN_IN, &answer.response.client_data_json).await?;
        let refused = |why: &str| PasskeyError::Refused(why.to_owned());
        let credential = URL_SAFE_NO_PAD.encode(answer.get_credential_id());
        let owner = self.store.passkey(&credential).await?.ok_or_else(|| refused("nobody has registered it"))?;
        let handle = Uuid::parse_str(&owner.handle).ok();
        if handle.is_none() || handle != relying_party::handle_in(&answer) {
            return Err(refused("it names another member"));
        }
        let used = self.party.finish_sign_in(&answer, &state, stored(&owner.passkey)?)?;
        if owner.state != MemberState::Active {
            return Err(refused("the account is closed"));
        }
        let data = serde_json::to_string(&used).map_err(|error| PasskeyError::Unreadable(error.to_string()))?;
        let member = self.store.of_member(owner.member);
        if !member.use_passkey(owner.passkey.id, &owner.passkey.data, &data, self.now).await? {
            return Err(refused("somebody signed in with it at the same time"));
        }
        Ok(owner.member)
    }

    /// Stores the state with which the answer will be compared. Returns the options for the browser.
    async fn keep(&self, purpose: &str, begun: StartedCeremony, state: &str) -> Result<Value, PasskeyError> {
        let expires = self.now.saturating_add(i64::try_from(CEREMONY.as_millis()).unwrap_or(i64::MAX));
        self.store.put_ticket(purpose, &begun.ticket, state, expires).await?;
        Ok(begun.options)
    }

    /// The state with which an answer is compared. It is deleted, whatever the result of the comparison is.
    async fn taken(&self, purpose: &str, client_data: &[u8]) -> Result<String, PasskeyError> {
        let ticket = relying_party::ticket_in(client_data)?;
        let kept = self.store.take_ticket(purpose, &ticket, self.now).await?;
        kept.ok_or_else(|| PasskeyError::Refused("it was not asked for, was used, or took too long".to_owned()))
    }
}

/// Removes a passkey of a member, unless it is the only way in. Returns whether the member had it.
///
/// # Errors
/// [`PasskeyError::LastWay`], [`PasskeyError::Store`].
pub async fn remove(member: &MemberStore, id: i64, messages: &[NewMessage], now: i64) -> Result<bool, PasskeyError> {
    match member.remove_passkey(id, messages, now).await? {
        Removal::Removed => Ok(true),
        Removal::NotFound => Ok(false),
        Removal::LastWay => Err(PasskeyError::LastWay),
    }
}

fn stored(passkey: &Passkey) -> Result<StoredKey, PasskeyError> {
    serde_json::from_str(&passkey.data).map_err(|error| PasskeyError::Unreadable(error.to_string()))
}
