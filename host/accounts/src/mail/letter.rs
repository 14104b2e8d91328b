//! A letter as bytes: headers, a text and the same as HTML (RFC 5322, RFC 2046).

use std::time::{Duration, UNIX_EPOCH};

use lettre::{
    Address, Message,
    message::{
        Mailbox, MultiPart, SinglePart,
        header::{Header, HeaderName, HeaderValue},
    },
};

use super::{EmailAddress, MailError};

/// Longest name or subject, in characters.
const MAX_LINE: usize = 200;

/// The last time that a header can name (9999-12-31), in milliseconds since 1970: a clock may be far ahead.
const LATEST: u64 = 253_402_300_799_000;

/// A letter to one reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// Name of the sender: that of the site.
    pub from_name: String,
    /// Address of the sender.
    pub from: String,
    /// Address for answers, or "".
    pub reply_to: String,
    /// The reader.
    pub to: EmailAddress,
    /// The subject, in one line.
    pub subject: String,
    /// The text.
    pub text: String,
    /// The same as an HTML document.
    pub html: String,
    /// BCP 47 tag of its language.
    pub language: &'static str,
    /// Identifies the letter: if it is sent twice, because an answer of the server was lost, both have the same `Message-ID`.
    pub id: String,
    /// When it was written, in milliseconds since 1970.
    pub written: i64,
    /// How its recipient ends further letters of this kind; nothing for letters about the account.
    pub unsubscribe: Option<Unsubscribe>,
}

/// How a recipient unsubscribes: with a page, and with one `POST` request that mail programs send (RFC 8058).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsubscribe {
    /// The address, for both.
    pub address: String,
}

/// Declares a header of unstructured text. `HeaderValue::new` encodes all characters but printable ASCII, line breaks too.
macro_rules! header {
    ($(#[$meta:meta])* $name:ident, $header:literal) => {
        $(#[$meta])*
        #[derive(Clone)]
        struct $name(String);

        impl Header for $name {
            fn name() -> HeaderName {
                HeaderName::new_from_ascii_str($header)
            }

            fn parse(text: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
                Ok(Self(text.to_owned()))
            }

            fn display(&self) -> HeaderValue {
                HeaderValue::new(Self::name(), self.0.clone())
            }
        }
    };
}

header!(
    /// No program should answer this letter (RFC 3834).
    AutoSubmitted, "Auto-Submitted"
);
header!(
    /// The language of both parts.
    ContentLanguage, "Content-Language"
);
header!(
    /// The address behind a program's button for unsubscribing (RFC 2369).
    ListUnsubscribe, "List-Unsubscribe"
);
header!(
    /// One request is enough to unsubscribe (RFC 8058).
    ListUnsubscribePost, "List-Unsubscribe-Post"
);

impl Letter {
    /// The message that is sent.
    ///
    /// # Errors
    /// [`MailError::Refused`] for a letter that cannot be written, [`MailError::Failed`] for an address of the configuration that cannot be
    /// used.
    pub(super) fn message(&self) -> Result<Message, MailError> {
        let from = mailbox(Some(one_line(&self.from_name)), &self.from)?;
        let domain = from.email.domain().to_owned();
        let to = self.to.as_str().parse::<Address>().map_err(|error| refused(&error))?;
        let written = UNIX_EPOCH + Duration::from_millis(u64::try_from(self.written).unwrap_or_default().min(LATEST));
        let mut message = Message::builder()
            .from(from)
            .to(Mailbox::new(None, to))
            .subject(one_line(&self.subject))
            .date(written)
            .message_id(Some(format!("<{}@{domain}>", token(&self.id))))
            .header(AutoSubmitted("auto-generated".to_owned()))
            .header(ContentLanguage(self.language.to_owned()));
        if !self.reply_to.is_empty() {
            message = message.reply_to(mailbox(None, &self.reply_to)?);
        }
        if let Some(Unsubscribe { address }) = &self.unsubscribe {
            let address = url::Url::parse(address).map_err(|error| refused(&error))?;
            message = message
                .header(ListUnsubscribe(format!("<{address}>")))
                .header(ListUnsubscribePost("List-Unsubscribe=One-Click".to_owned()));
        }
        let parts = MultiPart::alternative()
            .singlepart(SinglePart::plain(clean(&self.text)))
            .singlepart(SinglePart::html(clean(&self.html)));
        message.multipart(parts).map_err(|error| refused(&error))
    }
}

fn refused(error: &dyn std::error::Error) -> MailError {
    MailError::Refused(format!("the letter cannot be written: {error}"))
}

fn mailbox(name: Option<String>, address: &str) -> Result<Mailbox, MailError> {
    let email = address.parse::<Address>().map_err(|error| {
        MailError::Failed(format!("the address {address:?} under [mail] of platform.toml cannot be used: {error}"))
    })?;
    Ok(Mailbox::new(name.filter(|name| !name.is_empty()), email))
}

/// A text in one line: characters that end a line or control a terminal become spaces, parts that would be read as an encoded word (RFC
/// 2047) are separated, and the end of a long text is cut.
fn one_line(text: &str) -> String {
    let ends = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{85}');
    let line: String = text.chars().map(|c| if ends(c) { ' ' } else { c }).collect();
    let folded = line.split_whitespace().collect::<Vec<_>>().join(" ").replace("=?", "= ?");
    if folded.chars().count() <= MAX_LINE {
        return folded;
    }
    let mut cut: String = folded.chars().take(MAX_LINE - 1).collect();
    cut.push('…');
    cut
}

/// A text of several lines without other control characters.
fn clean(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
}

/// The characters of a text that a `Message-ID` may contain.
fn token(text: &str) -> String {
    text.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.')).collect()
}
