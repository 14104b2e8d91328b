//! Letters over TLS: to a server that shows by its certificate to be the configured one, and to no other.

use std::sync::Arc;

use rustls::ServerConfig;

use super::{
    certificates::{Authority, self_signed_server},
    smtp::Encrypting,
    *,
};

const BOTH: [(MailEncryption, Encrypting); 2] =
    [(MailEncryption::Tls, Encrypting::AtOnce), (MailEncryption::StartTls, Encrypting::AfterCommand)];

/// The configuration for a server, with a user and an authority in PEM.
fn encrypted(server: &MailServer, encryption: MailEncryption, authorities: &str) -> Mail {
    let authorities = authorities.to_owned();
    Mail { encryption, authorities, user: "masthead".to_owned(), ..config(server) }
}

fn mailer(config: Mail) -> SmtpMailer {
    SmtpMailer::new(config, Some("secret".to_owned()))
}

fn words(commands: &[String]) -> Vec<&str> {
    commands.iter().map(|line| line.split([' ', ':']).next().unwrap()).collect()
}

#[tokio::test]
async fn a_letter_is_delivered_to_a_server_whose_authority_is_known() {
    let (authority, another) = (Authority::new(), Authority::new());
    // A file may have several authorities.
    let known = another.pem() + &authority.pem();
    for (encryption, at) in BOTH {
        let server = MailServer::encrypting(at, authority.server(&["127.0.0.1", "localhost"]));
        let mailer = mailer(encrypted(&server, encryption, &known));
        for _ in 0..2 {
            mailer.send(&letter("a@example.org")).await.unwrap();
        }
        let received = server.received();
        assert_eq!(received.len(), 2, "{encryption:?}");
        for got in &received {
            assert!(got.encrypted && got.subject() == "Ваш код", "{encryption:?}: {got:?}");
        }
        let commands = server.commands();
        let before: &[&str] = if at == Encrypting::AtOnce { &[] } else { &["EHLO", "STARTTLS"] };
        let rest = ["EHLO", "AUTH", "MAIL", "RCPT", "DATA", "MAIL", "RCPT", "DATA"];
        assert_eq!(words(&commands), [before, &rest[..]].concat(), "the password is sent on the encrypted connection");
        assert_eq!(server.connections(), 1, "{encryption:?}");
    }
}

#[tokio::test]
async fn a_server_is_known_by_the_name_that_is_configured() {
    let authority = Authority::new();
    for (encryption, at) in BOTH {
        let server = MailServer::encrypting(at, authority.server(&["localhost"]));
        let by_name = Mail { server: "localhost".to_owned(), ..encrypted(&server, encryption, &authority.pem()) };
        mailer(by_name).send(&letter("a@example.org")).await.unwrap();
        assert!(server.received()[0].encrypted);
    }
}

/// A letter to a server with this certificate is refused, and nothing is told to the server.
async fn is_refused(what: &str, server: &Arc<ServerConfig>, authorities: &str) {
    for (encryption, at) in BOTH {
        let server = MailServer::encrypting(at, Arc::clone(server));
        let mailer = mailer(encrypted(&server, encryption, authorities));
        let error = mailer.send(&letter("a@example.org")).await.unwrap_err();
        // It is sent when the certificate or the configuration has been corrected.
        assert!(matches!(error, MailError::Failed(_)), "{what}, {encryption:?}: {error}");
        let said = error.to_string();
        assert!(said.contains("certificate") && !said.contains("secret"), "{what}, {encryption:?}: {said}");
        assert!(server.received().is_empty(), "{what}, {encryption:?}");
        let expected: &[&str] = if at == Encrypting::AtOnce { &[] } else { &["EHLO", "STARTTLS"] };
        assert_eq!(words(&server.commands()), expected, "{what}, {encryption:?}");
        assert_eq!(server.connections(), 1, "{what}, {encryption:?}: there is no second attempt without encryption");
    }
}

#[tokio::test]
async fn a_server_that_cannot_show_to_be_the_configured_one_gets_nothing() {
    let (authority, another) = (Authority::new(), Authority::new());
    let right = ["127.0.0.1", "localhost"];
    is_refused("another authority", &authority.server(&right), &another.pem()).await;
    is_refused("no authority but those of the system", &authority.server(&right), "").await;
    is_refused("nobody's signature", &self_signed_server(&right), &authority.pem()).await;
    is_refused("another name", &authority.server(&["mail.example"]), &authority.pem()).await;
    is_refused("another address", &authority.server(&["127.0.0.2"]), &authority.pem()).await;
    is_refused("a certificate that has expired", &authority.expired_server(&right), &authority.pem()).await;
}

#[tokio::test]
async fn a_server_that_refuses_to_encrypt_gets_nothing() {
    let authority = Authority::new();
    for (at, answer) in [
        ("STARTTLS", "454 4.7.0 TLS not available"),
        ("STARTTLS", "502 unknown command"),
        ("STARTTLS", "220 go ahead\r\n250 go on as you are"),
        ("EHLO", "250 mail.example"),
    ] {
        let server = MailServer::encrypting(Encrypting::AfterCommand, authority.server(&["127.0.0.1"]));
        server.behave(move |said| if said.starts_with(at) { Act::Say(answer.to_owned()) } else { Act::Usual });
        let patient = encrypted(&server, MailEncryption::StartTls, &authority.pem());
        let mailer = mailer(Mail { timeout_seconds: IMPATIENT, ..patient });
        let outcome = mailer.send(&letter("a@example.org")).await;
        assert!(matches!(outcome, Err(MailError::Failed(_))), "{answer}: {outcome:?}");
        assert!(server.received().is_empty(), "{answer}");
        let commands = server.commands();
        let told = |word: &&str| ["AUTH", "MAIL", "RCPT", "DATA"].contains(word);
        assert!(!words(&commands).iter().any(told), "{answer}: {commands:?}");
    }
}

#[tokio::test]
async fn what_is_no_certificate_is_said_and_nothing_is_sent() {
    let server = MailServer::encrypting(Encrypting::AtOnce, Authority::new().server(&["127.0.0.1"]));
    let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    let outcome = mailer(encrypted(&server, MailEncryption::Tls, broken)).send(&letter("a@example.org")).await;
    assert!(matches!(outcome, Err(MailError::Failed(_))), "{outcome:?}");
    assert_eq!(server.connections(), 0);
}
