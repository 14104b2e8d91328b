//! Letters through a local mail server, which also refuses, hangs and lies.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::{sync::mpsc, time::Duration};

use masthead_config::{Mail, MailEncryption};

use super::*;

/// The server is shared with the tests of other crates. It is read here as source, because the crate that has it depends on this one.
#[path = "../../../test-support/src/smtp.rs"]
#[allow(dead_code, missing_docs)]
mod smtp;

#[path = "../../../test-support/src/certificates.rs"]
#[allow(missing_docs)]
mod certificates;

mod encryption;

use smtp::{Act, MailServer, Received};

/// Seconds for a letter that no machine needs: a server that answers is waited for.
const PATIENT: u32 = 180;
/// Seconds for a letter that is not sent, however fast the machine is: a test waits for their end.
const IMPATIENT: u32 = 1;

fn config(server: &MailServer) -> Mail {
    Mail {
        server: "127.0.0.1".to_owned(),
        port: Some(server.address.port()),
        encryption: MailEncryption::None,
        from: "noreply@masthead.example".to_owned(),
        timeout_seconds: PATIENT,
        ..Mail::default()
    }
}

fn letter(to: &str) -> Letter {
    Letter {
        from_name: "海洋学报 Ocean Ledger".to_owned(),
        from: "noreply@masthead.example".to_owned(),
        reply_to: String::new(),
        to: EmailAddress::parse(to).unwrap(),
        subject: "Ваш код".to_owned(),
        text: "Привет\n.\nконец\n".to_owned(),
        html: "<!doctype html><html lang=\"ru\"><body><p>Привет</p></body></html>".to_owned(),
        language: "ru",
        id: "site-448-7".to_owned(),
        written: 1_700_000_000_000,
        unsubscribe: None,
    }
}

async fn send(server: &MailServer, letter: &Letter) -> Result<(), MailError> {
    SmtpMailer::new(config(server), None).send(letter).await
}

/// A mailer for a server that does not answer as it should.
fn impatient(server: &MailServer) -> SmtpMailer {
    SmtpMailer::new(Mail { timeout_seconds: IMPATIENT, ..config(server) }, None)
}

#[tokio::test]
async fn a_letter_arrives_as_it_was_written() {
    let server = MailServer::start();
    let mut sent = letter("li.wei@example.org");
    sent.reply_to = "editors@masthead.example".to_owned();
    let address = format!("https://ledger.example/rc-pub/front/frontMembers/unsubscribe?t={}", "a".repeat(120));
    sent.unsubscribe = Some(Unsubscribe { address: address.clone() });
    send(&server, &sent).await.unwrap();
    let [got]: [Received; 1] = server.received().try_into().unwrap();
    assert_eq!(
        (got.from.as_str(), got.to.as_slice()),
        ("noreply@masthead.example", &["li.wei@example.org".to_owned()][..])
    );
    assert_eq!(got.subject(), "Ваш код");
    // A line that is a single dot ends a letter unless it is written with two.
    assert_eq!(got.text().trim_end(), "Привет\n.\nконец");
    assert_eq!(got.html().trim_end(), sent.html);
    assert_eq!(got.header("Message-ID"), "<site-448-7@masthead.example>");
    assert_eq!(got.header("Date"), "Tue, 14 Nov 2023 22:13:20 +0000");
    assert_eq!(got.header("Reply-To"), "editors@masthead.example");
    assert_eq!((got.header("Auto-Submitted"), got.header("Content-Language")), ("auto-generated".into(), "ru".into()));
    assert_eq!(got.header("List-Unsubscribe"), format!("<{address}>"), "in one piece");
    assert_eq!(got.header("List-Unsubscribe-Post"), "List-Unsubscribe=One-Click");
    assert!(got.data.is_ascii() && got.data.lines().all(|line| line.len() <= 998), "every server takes it");
    assert!(got.header("From").ends_with("<noreply@masthead.example>"));
}

#[tokio::test]
async fn texts_of_readers_and_editors_add_no_header_and_no_recipient() {
    let server = MailServer::start();
    let plain = letter("a@example.org");
    send(&server, &plain).await.unwrap();
    let expected = server.received()[0].header_names();
    for evil in [
        "x\r\nBcc: victim@example.org",
        "x\nBcc: victim@example.org",
        "x\rBcc: victim@example.org",
        "x\u{85}Bcc: victim@example.org",
        "x\u{2028}Bcc: victim@example.org",
        "x\r\n\r\n<script>alert(1)</script>",
        "x\" <victim@example.org>, \"y",
        "=?utf-8?q?x=0d=0aBcc:_victim@example.org?=",
        "x\0\u{1b}[31mBcc: victim@example.org",
        "\r\n.\r\nMAIL FROM:<victim@example.org>\r\nRCPT TO:<victim@example.org>\r\nDATA\r\n",
    ] {
        let mut sent = plain.clone();
        sent.from_name = evil.to_owned();
        sent.subject = evil.to_owned();
        sent.text = evil.to_owned();
        sent.html = evil.to_owned();
        sent.id = evil.to_owned();
        server.commands();
        send(&server, &sent).await.unwrap();
        let all = server.received();
        let [got] = &all[..] else { panic!("{evil:?}: {all:?}") };
        assert_eq!(got.header_names(), expected, "{evil:?}");
        assert_eq!(got.to, ["a@example.org"], "{evil:?}");
        let commands = server.commands();
        assert_eq!(commands.iter().filter(|line| line.starts_with("RCPT")).count(), 1, "{evil:?}: {commands:?}");
        assert!(!got.subject().contains(['\r', '\n', '\0', '\u{1b}']), "{evil:?}: {:?}", got.subject());
        // A program that decodes the words of the subject finds none that the text brought.
        assert!(!evil.starts_with("=?") || got.header("Subject").contains("= ?utf-8"), "{evil:?}");
    }
}

#[tokio::test]
async fn an_address_of_the_configuration_that_is_none_is_named() {
    let server = MailServer::start();
    for change in [
        (|letter: &mut Letter| letter.from = "noreply@masthead.example\r\nBcc: victim@example.org".to_owned())
            as fn(&mut Letter),
        |letter| letter.reply_to = "nobody".to_owned(),
    ] {
        let mut sent = letter("a@example.org");
        change(&mut sent);
        let error = send(&server, &sent).await.unwrap_err();
        assert!(matches!(&error, MailError::Failed(message) if message.contains("[mail]")), "{error}");
    }
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn a_connection_serves_many_letters_and_is_replaced_when_the_server_closes_it() {
    let server = MailServer::start();
    let mailer = SmtpMailer::new(config(&server), None);
    for _ in 0..5 {
        mailer.send(&letter("a@example.org")).await.unwrap();
    }
    assert_eq!((server.received().len(), server.connections()), (5, 1));
    server.behave(|line| if line.starts_with("MAIL") { Act::Close } else { Act::Usual });
    assert!(matches!(mailer.send(&letter("a@example.org")).await, Err(MailError::Failed(_))));
    assert_eq!(server.connections(), 2, "the second connection was closed as well");
    server.behave(|_| Act::Usual);
    mailer.send(&letter("a@example.org")).await.unwrap();
    assert_eq!((server.received().len(), server.connections()), (1, 3));
}

#[tokio::test]
async fn what_the_recipient_is_refused_for_is_told_from_what_the_server_lacks() {
    let refused = |line: &'static str, answer: &'static str| {
        MailServer::with(move |said| if said.starts_with(line) { Act::Say(answer.to_owned()) } else { Act::Usual })
    };
    for (at, answer, is_refused) in [
        ("RCPT", "550 5.1.1 no such user", true),
        ("RCPT", "450 4.2.0 greylisted, come back", false),
        ("RCPT", "452 4.2.2 mailbox full", false),
        (".", "554 5.7.1 spam", true),
        (".", "451 4.3.0 try again", false),
        ("DATA", "421 4.3.2 shutting down", false),
        // The sender and the connection are not the fault of this recipient.
        ("MAIL", "550 5.7.1 sender rejected", false),
        ("greeting", "554 5.3.2 go away", false),
        ("EHLO", "550 no", false),
    ] {
        let server = refused(at, answer);
        let error = send(&server, &letter("a@example.org")).await.unwrap_err();
        assert_eq!(matches!(error, MailError::Refused(_)), is_refused, "{at}: {answer}: {error}");
        assert!(server.received().is_empty(), "{at}: {answer}");
    }
}

#[tokio::test]
async fn a_server_that_is_silent_costs_a_limited_time() {
    for at in ["greeting", "EHLO", "MAIL", "RCPT", "DATA", "."] {
        let server = MailServer::with(move |said| if said.starts_with(at) { Act::Silent } else { Act::Usual });
        // The server never answers, so that only the mailer's own limit ends this. The limit here ends a test that hangs.
        let hang = Duration::from_secs(u64::from(PATIENT));
        let ended = tokio::time::timeout(hang, impatient(&server).send(&letter("a@example.org"))).await;
        let error = ended.unwrap_or_else(|_| panic!("{at}: the mailer waits without end")).unwrap_err();
        assert!(matches!(error, MailError::Failed(_)), "{at}: {error}");
    }
}

#[tokio::test]
async fn an_answer_that_comes_too_late_is_not_taken_for_the_next_letter() {
    let (reached, waits) = mpsc::channel();
    let server = MailServer::with(move |said| {
        if said == "." {
            reached.send(()).unwrap();
            Act::Silent
        } else {
            Act::Usual
        }
    });
    let mut mailer = impatient(&server);
    // A slow machine may need more than the time of a letter until the server is to answer it: it begins again then.
    loop {
        assert!(mailer.send(&letter("first@example.org")).await.is_err());
        if waits.try_recv().is_ok() {
            break;
        }
    }
    let before = server.connections();
    server.behave(|_| Act::Usual);
    mailer.config.timeout_seconds = PATIENT;
    mailer.send(&letter("second@example.org")).await.unwrap();
    let received = server.received();
    assert_eq!(received.len(), 1);
    assert_eq!(received[0].to, ["second@example.org"]);
    assert_eq!(server.connections(), before + 1, "the connection on which it waited is not used again");
}

#[tokio::test]
async fn a_server_that_lies_is_not_believed() {
    for (at, lie) in [
        ("greeting", "hello there"),
        ("greeting", "HTTP/1.1 200 OK"),
        ("MAIL", "354 go on"),
        ("RCPT", "354 go on"),
        // It would read the letter as commands.
        ("DATA", "250 taken"),
        (".", "354 go on"),
        (".", "220 ready"),
        ("MAIL", "250-never ends\r\n250-never ends"),
        ("MAIL", "999 what"),
        ("MAIL", "\0\0\0"),
    ] {
        let server =
            MailServer::with(move |said| if said.starts_with(at) { Act::Say(lie.to_owned()) } else { Act::Usual });
        // Some of it is no whole answer, of which the end never comes.
        let outcome = impatient(&server).send(&letter("a@example.org")).await;
        assert!(matches!(outcome, Err(MailError::Failed(_))), "{at}: {lie}: {outcome:?}");
    }
    let endless = "250-".to_owned() + &"x".repeat(1 << 20);
    let server =
        MailServer::with(move |said| if said.starts_with("EHLO") { Act::Say(endless.clone()) } else { Act::Usual });
    let outcome = impatient(&server).send(&letter("a@example.org")).await;
    assert!(matches!(outcome, Err(MailError::Failed(_))), "{outcome:?}");
}

#[tokio::test]
async fn a_letter_that_was_taken_without_an_answer_has_the_same_id_when_it_comes_again() {
    let server = MailServer::with(|said| if said == "." { Act::DoAndClose } else { Act::Usual });
    let sent = letter("a@example.org");
    assert!(matches!(send(&server, &sent).await, Err(MailError::Failed(_))), "nobody said that it was taken");
    server.behave(|_| Act::Usual);
    send(&server, &sent).await.unwrap();
    let ids: Vec<_> = server.received().iter().map(|got| got.header("Message-ID")).collect();
    assert_eq!(ids, ["<site-448-7@masthead.example>"; 2]);
}

#[tokio::test]
async fn a_password_is_sent_only_as_configured() {
    let server = MailServer::start();
    let with_user = Mail { user: "masthead".to_owned(), ..config(&server) };
    SmtpMailer::new(with_user.clone(), Some("secret".to_owned())).send(&letter("a@example.org")).await.unwrap();
    assert!(server.commands().iter().any(|line| line.starts_with("AUTH")));
    let error = SmtpMailer::new(with_user.clone(), None).send(&letter("a@example.org")).await.unwrap_err();
    assert!(error.to_string().contains("masthead secrets set mail-password"), "{error}");
    server.behave(|said| if said.starts_with("AUTH") { Act::Say("535 5.7.8 no".to_owned()) } else { Act::Usual });
    let refused = SmtpMailer::new(with_user.clone(), Some("secret".to_owned())).send(&letter("a@example.org")).await;
    let refused = refused.unwrap_err();
    assert!(matches!(refused, MailError::Failed(_)) && !refused.to_string().contains("secret"), "{refused}");
    // Somebody on the way took the server's offer of encryption out of its answer.
    server.behave(|_| Act::Usual);
    server.commands();
    for encryption in [MailEncryption::StartTls, MailEncryption::Tls] {
        let encrypted = Mail { encryption, timeout_seconds: IMPATIENT, ..with_user.clone() };
        let outcome = SmtpMailer::new(encrypted, Some("secret".to_owned())).send(&letter("a@example.org")).await;
        assert!(matches!(outcome, Err(MailError::Failed(_))), "{outcome:?}");
    }
    let commands = server.commands();
    assert!(!commands.iter().any(|line| line.starts_with("AUTH") || line.starts_with("MAIL")), "{commands:?}");
}

#[tokio::test]
async fn letters_to_a_developer_are_checked_like_all_others() {
    LogMailer.send(&letter("a@example.org")).await.unwrap();
    let wrong = Letter { reply_to: "nobody".to_owned(), ..letter("a@example.org") };
    assert!(LogMailer.send(&wrong).await.is_err());
}

#[tokio::test]
async fn a_clock_that_is_far_off_breaks_no_letter() {
    let server = MailServer::start();
    for written in [i64::MIN, -1, 0, i64::MAX] {
        let sent = Letter { written, ..letter("a@example.org") };
        send(&server, &sent).await.unwrap();
    }
    assert_eq!(server.received().len(), 4);
}
