//! How the host sends mail (`[mail]` of `platform.toml`), and when members are alerted (`[alerts]`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Greatest number of seconds for one message.
const MAX_TIMEOUT: u32 = 60;

/// The server that takes the installation's mail, over SMTP. The password of `user` is the secret `mail-password` of the table
/// `[platform]` in `secrets.toml` in the data folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Mail {
    /// Host name or address of the server. Without it no mail is sent, and readers cannot subscribe.
    pub server: String,
    /// Port of the server. Without it, 465 for `tls`, 587 for `starttls`, 25 for `none`.
    pub port: Option<u16>,
    /// Encryption of the connection.
    pub encryption: MailEncryption,
    /// Name with which the host signs in to the server; without it, it does not sign in.
    pub user: String,
    /// Address from which mail is sent. The name beside it is that of the site.
    pub from: String,
    /// Address to which readers answer; without it, `from`.
    pub reply_to: String,
    /// Connections to the server at the same time.
    pub connections: u32,
    /// Seconds within which the server must take a message, at most 60.
    pub timeout_seconds: u32,
}

/// Encryption of the connection to a mail server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MailEncryption {
    /// From the first byte (RFC 8314).
    #[default]
    Tls,
    /// After the command `STARTTLS`; a server without it gets no mail.
    StartTls,
    /// None. For a server on the same machine or in a network of one's own.
    None,
}

impl Default for Mail {
    fn default() -> Self {
        Self {
            server: String::new(),
            port: None,
            encryption: MailEncryption::Tls,
            user: String::new(),
            from: String::new(),
            reply_to: String::new(),
            connections: 4,
            timeout_seconds: 30,
        }
    }
}

impl Mail {
    /// Whether a server is named.
    #[must_use]
    pub const fn sends(&self) -> bool {
        !self.server.is_empty()
    }

    /// The port of the server.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port.unwrap_or(match self.encryption {
            MailEncryption::Tls => 465,
            MailEncryption::StartTls => 587,
            MailEncryption::None => 25,
        })
    }

    /// The first setting that cannot be used, with the reason.
    pub(crate) fn fault(&self) -> Option<String> {
        if self.connections == 0 || self.timeout_seconds == 0 {
            return Some("mail: with `connections` or `timeoutSeconds` of 0 nothing can be sent; leave the line out for the default".to_owned());
        }
        if self.timeout_seconds > MAX_TIMEOUT {
            return Some(format!(
                "mail.timeoutSeconds is {}; give at most {MAX_TIMEOUT}, so that other messages are sent meanwhile",
                self.timeout_seconds
            ));
        }
        if !self.sends() {
            return None;
        }
        if !is_address(&self.from) {
            return Some(format!(
                "mail.from is {:?}; give the address from which mail is sent, such as \"noreply@example.org\"",
                self.from
            ));
        }
        if !self.reply_to.is_empty() && !is_address(&self.reply_to) {
            return Some(format!("mail.replyTo is {:?}, which is no address; leave it out for `from`", self.reply_to));
        }
        let exposed = self.encryption == MailEncryption::None && !self.user.is_empty() && !is_local(&self.server);
        exposed.then(|| {
            format!(
                "mail.encryption is \"none\", and mail.user is set: the password would cross the network to {} readable; use \"tls\" or \"starttls\"",
                self.server
            )
        })
    }
}

/// Whether a text has the form of an address. What sends mail parses it again.
fn is_address(text: &str) -> bool {
    let plain = text.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>()[]\\,;:\"".contains(&byte));
    plain
        && text
            .split_once('@')
            .is_some_and(|(user, domain)| !user.is_empty() && !domain.is_empty() && !domain.contains('@'))
}

/// Whether a server is on this machine.
fn is_local(server: &str) -> bool {
    server == "localhost" || server.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// When subscribers are told of new items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Alerts {
    /// Minutes without another new item after which the new items of a site are announced, in one message to each subscriber.
    pub quiet_minutes: u32,
    /// Minutes after which new items are announced in any case, while others keep coming.
    pub longest_minutes: u32,
    /// Items that one message lists; for further ones it has a link.
    pub items: u32,
    /// Days after which an item is no news: an archive that is imported alerts nobody. 0 for no limit.
    pub new_days: u32,
}

impl Default for Alerts {
    fn default() -> Self {
        Self { quiet_minutes: 10, longest_minutes: 120, items: 50, new_days: 120 }
    }
}

impl Alerts {
    /// The first setting that cannot be used, with the reason.
    pub(crate) fn fault(&self) -> Option<String> {
        if self.items == 0 || self.items > 200 {
            return Some(format!("alerts.items is {}; a message lists 1 to 200 items", self.items));
        }
        (self.longest_minutes < self.quiet_minutes).then(|| {
            format!(
                "alerts.longestMinutes is {}, and quietMinutes is {}: nobody waits longer than the longest time",
                self.longest_minutes, self.quiet_minutes
            )
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn mail(text: &str) -> Mail {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn without_a_server_nothing_is_sent_and_nothing_is_wrong() {
        let none = mail("");
        assert!(!none.sends() && none.fault().is_none());
    }

    #[test]
    fn ports_follow_the_encryption() {
        let port = |text: &str| mail(text).port();
        assert_eq!([port(""), port("encryption = \"starttls\""), port("encryption = \"none\"")], [465, 587, 25]);
        assert_eq!(port("port = 2525"), 2525);
    }

    #[test]
    fn what_cannot_be_used_is_named() {
        let server = "server = \"smtp.example.org\"\n";
        for (text, named) in [
            ("", "mail.from"),
            ("from = \"A <a@example.org>\"", "mail.from"),
            ("from = \"a@example.org\\r\\nBcc: b@example.org\"", "mail.from"),
            ("from = \"a@example.org\"\nreplyTo = \"nobody\"", "mail.replyTo"),
            ("from = \"a@example.org\"\nuser = \"a\"\nencryption = \"none\"", "mail.encryption"),
            ("from = \"a@example.org\"\nconnections = 0", "connections"),
            ("from = \"a@example.org\"\ntimeoutSeconds = 61", "timeoutSeconds"),
        ] {
            let fault = mail(&format!("{server}{text}")).fault().unwrap_or_default();
            assert!(fault.contains(named), "{text}: {fault:?}");
        }
        assert_eq!(mail(&format!("{server}from = \"a@example.org\"\nuser = \"a\"")).fault(), None);
        let local = "server = \"127.0.0.1\"\nfrom = \"a@example.org\"\nuser = \"a\"\nencryption = \"none\"";
        assert_eq!(mail(local).fault(), None, "nothing leaves the machine");
        assert!(toml::from_str::<Mail>("sever = \"a\"").is_err(), "a misspelt setting is not ignored");
    }

    #[test]
    fn alerts_have_limits() {
        let fault = |text: &str| toml::from_str::<Alerts>(text).unwrap().fault();
        assert_eq!(fault(""), None);
        assert!(fault("items = 0").unwrap().contains("items"));
        assert!(fault("quietMinutes = 30\nlongestMinutes = 20").unwrap().contains("longestMinutes"));
    }
}
