//! The services that decisions about the accounts of one site need, and the reasons of refusals.

use masthead_domain::{
    Lang,
    member::{MemberName, NotAName},
    site::Accounts,
};
use masthead_store::{NewMessage, SiteStore, StoreError};

use crate::{
    codes::Codes,
    installation_key::InstallationKey,
    messages::{AccountChange, Message},
    outbox::{MessageComposer, Recipient},
    password::{PasswordError, PasswordFault, Passwords},
};

/// The services and rules that decisions about the accounts of one site need.
#[derive(Clone, Copy, Debug)]
pub struct AccountService<'a> {
    /// The store of the site.
    pub store: &'a SiteStore,
    /// The key of the installation.
    pub key: &'a InstallationKey,
    /// The digests of passwords.
    pub passwords: &'a Passwords,
    /// The site's rules.
    pub rules: &'a Accounts,
    /// The client's network, by which failures are counted; "" if it is not known.
    pub network: &'a str,
    /// The language of the reader.
    pub lang: Lang,
    /// Milliseconds since 1970.
    pub now: i64,
}

/// The reason why a request of a reader is refused.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The name or the password is wrong; which one is not revealed.
    #[error("the name or the password is wrong")]
    Wrong,
    /// The account is closed.
    #[error("the account is closed")]
    Closed,
    /// A captcha has to be solved.
    #[error("a captcha has to be solved")]
    CaptchaNeeded,
    /// The next attempt can be made after this number of milliseconds.
    #[error("the next attempt can be made in {0} milliseconds")]
    Wait(i64),
    /// The code is wrong, has expired or was used.
    #[error("the code is wrong, has expired or was used")]
    CodeWrong,
    /// No account has the number or address, which the reader has proved to own.
    #[error("no account has this number or address")]
    UserUnknown,
    /// A name, number or address does not have the form of one.
    #[error(transparent)]
    Name(#[from] NotAName),
    /// Another member has the account name.
    #[error("another member has this account name")]
    NameTaken,
    /// Another member has the number or address, which the reader has proved to own.
    #[error("another member has this number or address")]
    TargetTaken,
    /// The new password breaks a rule.
    #[error("the new password is not accepted: {0:?}")]
    Password(PasswordFault),
    /// The new password is the old one.
    #[error("the new password is the old one")]
    SamePassword,
    /// The present password is needed.
    #[error("the present password is needed")]
    OldPasswordNeeded,
    /// The present password is wrong.
    #[error("the present password is wrong")]
    OldPasswordWrong,
    /// The member signed in too long ago for this change.
    #[error("the member has to sign in again for this change")]
    SignInAgain,
    /// The user agreement was not accepted.
    #[error("the user agreement was not accepted")]
    AgreementNeeded,
    /// Readers cannot register on this site.
    #[error("readers cannot register on this site")]
    RegistrationOff,
    /// The digest of a password could not be computed.
    #[error(transparent)]
    Digest(#[from] PasswordError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl<'a> AccountService<'a> {
    /// The codes of the site.
    pub(crate) const fn codes(&self) -> Codes<'a> {
        Codes::new(self.key, self.store, self.network, self.now)
    }

    /// The messages about a change to the owner of an account: by mail, to every address that is given. Without an address there is none:
    /// text messages cost money, and have codes only.
    #[must_use]
    pub fn notices(&self, lang: Lang, addresses: &[&str], change: AccountChange) -> Vec<NewMessage> {
        let composer = MessageComposer::new(self.key, self.store.id(), self.now);
        let notice = |address: &&str| {
            let to = Recipient::of(&MemberName::email(address).ok()?).ok()?;
            let message = composer.message(&to, lang, Message::Changed { change });
            message.inspect_err(|error| tracing::error!(%error, ?change, "a member is not told of a change")).ok()
        };
        addresses.iter().filter(|address| !address.is_empty()).filter_map(notice).collect()
    }
}
