//! How the host sends mail (`[mail]` of `platform.toml`), and when members are alerted (`[alerts]`).

use std::path::Path;

use rustls::{
    RootCertStore,
    pki_types::{CertificateDer, pem::PemObject as _},
};
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
    /// File with the certificates, in PEM, of authorities that may have signed the certificate of the server, besides those that the system
    /// trusts: for a server with a certificate of one's own institution. The path begins at the folder of `platform.toml`, unless it is absolute.
    pub ca_file: String,
    /// What is in this file, read with the configuration; "" without one.
    #[serde(skip)]
    pub authorities: String,
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
            ca_file: String::new(),
            authorities: String::new(),
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
        if self.encryption == MailEncryption::None && !self.ca_file.is_empty() {
            return Some(
                "mail.caFile is set, and mail.encryption is \"none\", with which no certificate is looked at; use \"tls\" or \"starttls\", or leave caFile out"
                    .to_owned(),
            );
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

    /// Reads the certificates of `caFile`; `folder` is that of `platform.toml`. Returns why they cannot be used.
    pub(crate) fn read_authorities(&mut self, folder: &Path) -> Result<(), String> {
        if self.ca_file.is_empty() {
            return Ok(());
        }
        let path = folder.join(&self.ca_file);
        let refused = |problem: String| {
            format!("mail.caFile: {} {problem}; name a file with certificates of authorities in PEM", path.display())
        };
        let text = std::fs::read_to_string(&path).map_err(|error| refused(format!("cannot be read: {error}")))?;
        check_authorities(&text).map_err(refused)?;
        self.authorities = text;
        Ok(())
    }
}

/// Whether a text has certificates by which others can be checked.
fn check_authorities(text: &str) -> Result<(), String> {
    let mut authorities = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(text.as_bytes()) {
        let certificate = certificate.map_err(|error| format!("is not valid PEM: {error}"))?;
        authorities.add(certificate).map_err(|error| format!("has a certificate that cannot be read: {error}"))?;
    }
    if authorities.is_empty() { Err("has no certificate (-----BEGIN CERTIFICATE-----)".to_owned()) } else { Ok(()) }
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

    /// The certificate of an authority that signs nothing.
    const AUTHORITY: &str = "\
-----BEGIN CERTIFICATE-----\n\
MIIBijCCAS+gAwIBAgIUVsKX8FNksdzemtF/R2y2HlNVYcowCgYIKoZIzj0EAwIw\n\
GTEXMBUGA1UEAwwOVGVzdCBBdXRob3JpdHkwIBcNMjYxMTIzMjMzNjA1WhgPMjEy\n\
NjEwMzAyMzM2MDVaMBkxFzAVBgNVBAMMDlRlc3QgQXV0aG9yaXR5MFkwEwYHKoZI\n\
zj0CAQYIKoZIzj0DAQcDQgAEkBDD5N3tJaBcChMsCRPutojHaHMfMNCJJt+51FyT\n\
4H30PxnC+eOr+BRl68hhp6Tx9IFNGF0WgsAF4JFEbKOts6NTMFEwHQYDVR0OBBYE\n\
FEGOeQ/GW2R4wG4KQLYzxy/o1fq9MB8GA1UdIwQYMBaAFEGOeQ/GW2R4wG4KQLYz\n\
xy/o1fq9MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSQAwRgIhALNiE2kW\n\
xNjlipUKQLNLV9BHSVl+gObiKT5GGoyyLvEBAiEAzHvyeAmLB/aAvZiJk5s69O7z\n\
0AnEiOARN8qVJ+xdvrA=\n\
-----END CERTIFICATE-----\n\
";

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
            ("from = \"a@example.org\"\nencryption = \"none\"\ncaFile = \"ca.pem\"", "mail.caFile"),
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
    fn a_file_of_authorities_is_read_below_the_folder_and_what_is_none_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &[u8]| std::fs::write(folder.path().join(name), text).unwrap();
        write("ca.pem", AUTHORITY.as_bytes());
        write("two.pem", format!("Ours\n{AUTHORITY}\n{AUTHORITY}").as_bytes());
        write("text.pem", b"a certificate");
        write("empty.pem", b"");
        write("key.pem", AUTHORITY.replace("CERTIFICATE", "PRIVATE KEY").as_bytes());
        write("cut.pem", &AUTHORITY.as_bytes()[..120]);
        write("other.pem", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        write("binary.pem", b"\x30\x82\xff\xfe");
        let read = |name: &str| {
            let mut mail = mail(&format!("caFile = {name:?}"));
            mail.read_authorities(folder.path()).map(|()| mail.authorities)
        };
        assert_eq!(read(""), Ok(String::new()));
        assert_eq!(read("ca.pem").as_deref(), Ok(AUTHORITY));
        assert_eq!(read("two.pem").unwrap().matches("BEGIN CERTIFICATE").count(), 2);
        assert_eq!(read(folder.path().join("ca.pem").to_str().unwrap()).as_deref(), Ok(AUTHORITY), "an absolute path");
        for (name, words) in [
            ("none.pem", "cannot be read"),
            (".", "cannot be read"),
            ("text.pem", "has no certificate"),
            ("empty.pem", "has no certificate"),
            ("key.pem", "has no certificate"),
            ("cut.pem", "is not valid PEM"),
            ("other.pem", "has a certificate that cannot be read"),
            ("binary.pem", "cannot be read"),
        ] {
            let said = read(name).unwrap_err();
            assert!(said.starts_with("mail.caFile: ") && said.contains(name) && said.contains(words), "{name}: {said}");
        }
        assert!(toml::from_str::<Mail>("authorities = \"x\"").is_err(), "it is read from the file only");
    }

    #[test]
    fn alerts_have_limits() {
        let fault = |text: &str| toml::from_str::<Alerts>(text).unwrap().fault();
        assert_eq!(fault(""), None);
        assert!(fault("items = 0").unwrap().contains("items"));
        assert!(fault("quietMinutes = 30\nlongestMinutes = 20").unwrap().contains("longestMinutes"));
    }
}
