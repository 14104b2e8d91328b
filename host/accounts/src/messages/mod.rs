//! The content of messages: the kinds of messages, and their texts in the language of the reader, as mail and as text message.

mod html;
mod render;
mod texts;

use masthead_domain::{
    Lang,
    member::{Channel, CodePurpose, ItemRef, SubscriptionType},
};
use serde::{Deserialize, Serialize};

pub use self::render::{Rendered, render};

/// A message to a member or subscriber, as it waits to be sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "message", rename_all = "camelCase")]
pub enum Message {
    /// A verification code.
    Code {
        /// The purpose of the code.
        purpose: CodePurpose,
        /// The code.
        code: String,
        /// How long it is valid.
        minutes: u32,
    },
    /// The account has changed in a way that its owner has to know of.
    Changed {
        /// The change.
        change: AccountChange,
    },
    /// New items.
    Alert(Alert),
}

/// A change of an account of which its owner gets a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AccountChange {
    /// The password is another one.
    Password,
    /// The mobile number is another one.
    Mobile,
    /// The e-mail address is another one.
    Email,
    /// A passkey was added.
    PasskeyAdded,
    /// A passkey was removed.
    PasskeyRemoved,
    /// An account at an identity provider was bound.
    IdentityBound,
    /// An account at an identity provider is bound no more.
    IdentityRemoved,
    /// The account and everything in it was erased.
    Erased,
}

impl AccountChange {
    /// All changes.
    pub const ALL: [Self; 8] = [
        Self::Password,
        Self::Mobile,
        Self::Email,
        Self::PasskeyAdded,
        Self::PasskeyRemoved,
        Self::IdentityBound,
        Self::IdentityRemoved,
        Self::Erased,
    ];

    /// The key of its text.
    const fn key(self) -> &'static str {
        match self {
            Self::Password => "changed_password",
            Self::Mobile => "changed_mobile",
            Self::Email => "changed_email",
            Self::PasskeyAdded => "changed_passkey_added",
            Self::PasskeyRemoved => "changed_passkey_removed",
            Self::IdentityBound => "changed_identity_bound",
            Self::IdentityRemoved => "changed_identity_removed",
            Self::Erased => "changed_erased",
        }
    }
}

/// The subscription or saved search that an alert belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "follows", rename_all = "camelCase")]
pub enum Followed {
    /// A subscription.
    Subscription {
        /// Its number.
        id: i64,
        /// The type of the subscription.
        about: SubscriptionType,
    },
    /// A saved search.
    Search {
        /// Its number.
        id: i64,
    },
}

/// New items for a subscriber.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Alert {
    /// The subscription or saved search that has the new entries.
    #[serde(flatten)]
    pub followed: Followed,
    /// The name of the column or of the search, or the keywords; "" without them.
    pub label: String,
    /// The items, at most as many as a message lists. Those of a saved search of a group may be of other sites ([`ItemRef::at`]).
    pub items: Vec<ItemRef>,
    /// Whether there are more than those.
    pub more: bool,
    /// The path where all of them are, below the root of the site and without the language; "" for the home page.
    pub list: String,
}

/// The site that a message is from, and how it reaches the reader.
#[derive(Clone, Debug)]
pub struct Setting<'a> {
    /// The language of the message.
    pub lang: Lang,
    /// The site's name in it.
    pub site: &'a str,
    /// The address of the site's pages in it.
    pub home: &'a str,
    /// The address or number of the reader.
    pub recipient: &'a str,
    /// Where the reader ends such messages; "" for messages that cannot be ended.
    pub unsubscribe: &'a str,
    /// The items of an alert that are published now.
    pub items: &'a [Item],
}

/// An item of an alert, as the message shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Item {
    /// Its title.
    pub title: String,
    /// BCP 47 tag of the title.
    pub lang: String,
    /// The authors.
    pub authors: String,
    /// Where and when it appeared.
    pub source: String,
    /// The address of its page.
    pub address: String,
}

impl Message {
    /// The word for its kind in the store, in metrics, and for gateways of text messages.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Code { purpose, .. } => match purpose {
                CodePurpose::Login => "login-code",
                CodePurpose::Register => "register-code",
                CodePurpose::Reset => "reset-code",
                CodePurpose::Mobile => "mobile-code",
                CodePurpose::Email => "email-code",
                CodePurpose::Subscribe => "subscribe-code",
                CodePurpose::Bind => "bind-code",
                CodePurpose::Erase => "erase-code",
            },
            Self::Changed { .. } => "account-changed",
            Self::Alert(_) => "alert",
        }
    }

    /// The values that a gateway of text messages puts into a template of its own.
    #[must_use]
    pub fn values(&self) -> Vec<(String, String)> {
        match self {
            Self::Code { code, minutes, .. } => {
                vec![("code".to_owned(), code.clone()), ("minutes".to_owned(), minutes.to_string())]
            }
            _ => Vec::new(),
        }
    }

    /// Whether it can go over a channel: alerts are too long for text messages.
    #[must_use]
    pub const fn fits(&self, channel: Channel) -> bool {
        matches!((self, channel), (_, Channel::Mail) | (Self::Code { .. } | Self::Changed { .. }, _))
    }
}
