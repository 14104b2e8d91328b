//! Mail: letters, their addresses, and sending. The texts of letters are made in `messages`.

mod address;
mod letter;
mod smtp;
mod terminal;
#[cfg(test)]
mod tests;

use futures::future::BoxFuture;

pub use self::{
    address::EmailAddress,
    letter::{Letter, Unsubscribe},
    smtp::SmtpMailer,
    terminal::LogMailer,
};

/// Why a letter was not sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MailError {
    /// The server refuses this recipient or this letter. Sending it again leads to the same.
    #[error("the mail server refuses the recipient or the letter: {0}")]
    Refused(String),
    /// The server cannot be reached, does not follow the protocol, or takes nothing at the moment. The letter can be sent later.
    #[error("sending mail failed: {0}")]
    Failed(String),
}

/// Sends letters.
pub trait Mailer: Send + Sync {
    /// Sends a letter. It is sent when the receiving server has confirmed that it has all of it.
    fn send<'a>(&'a self, letter: &'a Letter) -> BoxFuture<'a, Result<(), MailError>>;
}
