//! Messages on their way: how they are queued, and how a worker sends them. Every queued message is sent at least once, by the host that
//! takes it.

mod sealed;
#[cfg(test)]
mod tests;
mod unsubscribe;
mod worker;

use masthead_domain::{
    Lang, SiteId,
    member::{Channel, MemberName, NameKind},
};
use masthead_store::NewMessage;

pub use self::{
    sealed::{Content, SealError, open},
    unsubscribe::UnsubscribeTarget,
    worker::{MessageSender, Outcome, QueuedMessage, Sending, Worker},
};
use crate::{installation_key::InstallationKey, mail::EmailAddress, messages::Message};

/// Milliseconds after which a notice about an account is of no use any more.
const NOTICE_LIFETIME: i64 = 3 * 24 * 60 * 60 * 1000;
/// Milliseconds after which an alert is not sent any more.
const ALERT_LIFETIME: i64 = 7 * 24 * 60 * 60 * 1000;

/// Why a message cannot be queued.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueueError {
    /// The recipient is neither an e-mail address nor a number that can be sent to.
    #[error("nothing can be sent to this address or number")]
    Recipient,
    /// The message is not sent over this channel, for instance an alert to a mobile number.
    #[error("messages of this kind are not sent over this channel")]
    Channel,
    /// It cannot be encrypted.
    #[error(transparent)]
    Sealed(#[from] SealError),
}

/// The recipient of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipient {
    channel: Channel,
    address: String,
    /// The name as names are compared.
    key: String,
}

impl Recipient {
    /// The owner of a mobile number or an e-mail address.
    ///
    /// # Errors
    /// [`QueueError::Recipient`] for an account name, and for an address that no mail can be sent to.
    pub fn of(name: &MemberName) -> Result<Self, QueueError> {
        let (channel, address) = match name.kind() {
            NameKind::Email => {
                let address = EmailAddress::parse(name.shown()).ok_or(QueueError::Recipient)?;
                (Channel::Mail, address.to_string())
            }
            NameKind::Mobile => (Channel::Sms, name.shown().to_owned()),
            NameKind::Account => return Err(QueueError::Recipient),
        };
        Ok(Self { channel, address, key: name.key().to_owned() })
    }

    /// The channel of the message.
    #[must_use]
    pub const fn channel(&self) -> Channel {
        self.channel
    }
}

/// Makes messages of a site for its outbox.
#[derive(Clone, Copy, Debug)]
pub struct MessageComposer<'a> {
    key: &'a InstallationKey,
    site: SiteId,
    now: i64,
}

impl<'a> MessageComposer<'a> {
    /// A composer of messages for a site at a time.
    #[must_use]
    pub const fn new(key: &'a InstallationKey, site: SiteId, now: i64) -> Self {
        Self { key, site, now }
    }

    /// A message for the outbox; it is queued by the transaction that causes it. Codes go before everything else, and are not sent when
    /// they are not valid any more.
    ///
    /// # Errors
    /// [`QueueError`].
    pub fn message(&self, to: &Recipient, lang: Lang, message: Message) -> Result<NewMessage, QueueError> {
        if !message.fits(to.channel) {
            return Err(QueueError::Channel);
        }
        let lifetime = match &message {
            Message::Code { minutes, .. } => i64::from(*minutes) * 60_000,
            Message::Alert(_) => ALERT_LIFETIME,
            _ => NOTICE_LIFETIME,
        };
        let urgent = matches!(message, Message::Code { .. });
        let kind = message.kind().to_owned();
        let content = Content { lang, message };
        let payload = sealed::seal(self.key, rand::random(), self.site, &to.address, &content)?;
        let expires = self.now.saturating_add(lifetime);
        Ok(NewMessage {
            channel: to.channel,
            kind,
            recipient: to.address.clone(),
            address: to.key.clone(),
            payload,
            urgent,
            expires,
        })
    }
}
