//! Requests that a plugin answers on behalf of the site: translation, the assistant, sign-in, messages, its own addresses, events.

use super::article::Article;

/// A text to translate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TranslationRequest {
    /// The text, at most 8,000 characters; "" to find out whether translation is switched on.
    pub text: String,
    /// The specification's code of the text's language, or `auto`.
    pub source: String,
    /// Language to translate into: zh, en, ru, ara, fra, spa or de.
    pub target: String,
}

/// A translation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translation {
    /// The translated text.
    pub text: String,
    /// The detected language of the given text, or the requested one.
    pub source: String,
}

/// Why a text was not translated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TranslationFailure {
    /// Translation is not switched on here.
    Off,
    /// The gateway does not accept this host as a user (its error 52003).
    Unauthorized,
    /// Another reason, for the log.
    Other(String),
}

/// The opening of the assistant's frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssistantRequest {
    /// Host name of the site.
    pub host: String,
    /// A question to begin with, or "".
    pub query: String,
    /// The text that the question is about, or "".
    pub content: String,
    /// Whether the reader is signed in.
    pub signed_in: bool,
}

/// The start of a sign-in at an identity provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignInStart {
    /// Absolute address to which the provider has to send the reader back.
    pub callback: String,
    /// Value that has to come back unchanged; the host checks it.
    pub state: String,
}

/// The return of a reader from an identity provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignInReturn {
    /// Address to which the reader was sent back.
    pub callback: String,
    /// Query parameters of the request; the state was checked.
    pub query: Vec<(String, String)>,
}

/// A user of an identity provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalUser {
    /// The provider's permanent identifier of the user.
    pub subject: String,
    /// Display name.
    pub name: String,
}

/// The channel of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageChannel {
    /// To a mobile phone.
    Sms,
    /// By e-mail.
    Mail,
}

/// A message to a reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutgoingMessage {
    /// The channel.
    pub channel: MessageChannel,
    /// Phone number or e-mail address.
    pub to: String,
    /// The purpose: `login-code`, `register-code`, ...
    pub purpose: String,
    /// Values for the gateway's template, such as `("code", "123456")`.
    pub values: Vec<(String, String)>,
    /// The whole text, for gateways without templates.
    pub text: String,
}

/// Why a message was not sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MessageFailure {
    /// The plugin does not send over this channel.
    NotMine,
    /// The gateway refuses this number or address.
    Refused(String),
    /// Another reason, for the log.
    Other(String),
}

/// A request to an address below `plugins/<id>/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RouteRequest {
    /// `GET`, `HEAD` or `POST`.
    pub method: String,
    /// Path after `plugins/<id>/`, decoded.
    pub path: String,
    /// Query parameters in order, decoded.
    pub query: Vec<(String, String)>,
    /// `accept`, `accept-language` and `content-type`, where sent.
    pub headers: Vec<(String, String)>,
    /// Body, at most 64 KiB.
    pub body: Vec<u8>,
}

/// The response of a plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RouteResponse {
    /// 200 to 599.
    pub status: u16,
    /// Headers of the list that the contract allows.
    pub headers: Vec<(String, String)>,
    /// Body, at most 512 KiB.
    pub body: Vec<u8>,
}

/// A change of the site's content or settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginEvent {
    /// The same at every attempt.
    pub id: String,
    /// `article.published`, `article.updated`, `article.removed`, `settings.changed`.
    pub kind: String,
    /// When, as ISO 8601 in UTC.
    pub time: String,
    /// Number or key of the changed resource.
    pub subject: String,
    /// The changed article, in its present state.
    pub article: Option<Article>,
    /// Number of the attempt, from 1.
    pub attempt: u32,
}
