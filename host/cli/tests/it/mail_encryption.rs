//! Mail of a host to a server with a certificate of an authority of one's own (`mail.caFile`).

use std::path::Path;

use masthead_domain::member::CodePurpose;
use masthead_test_support::{Authority, Encrypting, MailServer, edit, masthead, share_compiled, stderr, stdout, until};

use crate::{
    editing::Desk,
    readers::{self, send_code},
    serve::Running,
    stored::with_store,
};

/// Names the file of authorities in the configuration of a desk, and how a connection is encrypted.
fn configure(desk: &Desk, port: u16, encryption: &str, file: &str) {
    readers::prepare(desk, port);
    edit(&desk.sites.join("platform.toml"), |text| {
        text.replace("encryption = \"none\"\n", &format!("encryption = {encryption:?}\ncaFile = {file:?}\n"))
    });
}

#[test]
fn a_host_sends_mail_to_a_server_of_its_own_authority_only() {
    let (authority, another) = (Authority::new(), Authority::new());
    for (encryption, at) in [("tls", Encrypting::AtOnce), ("starttls", Encrypting::AfterCommand)] {
        let server = MailServer::encrypting(at, authority.server(&["127.0.0.1"]));
        let stranger = MailServer::encrypting(at, another.server(&["127.0.0.1"]));
        let desk = Desk::new(&format!("mail-{encryption}"));
        configure(&desk, stranger.address.port(), encryption, "authorities/ours.pem");
        std::fs::create_dir(desk.sites.join("authorities")).unwrap();
        std::fs::write(desk.sites.join("authorities/ours.pem"), authority.pem()).unwrap();
        let data = desk.data();
        share_compiled(&data);
        let host = Running::start(&desk.sites, &data, &[]);
        send(&data, "first@example.org");
        until("an attempt", || (stranger.connections() > 0).then_some(()));
        let metrics = |words: &str| host.operator("/metrics").lines().any(|line| line.contains(words));
        until("a failure", || metrics("masthead_outbox{channel=\"mail\",state=\"waiting\"} 1").then_some(()));
        assert!(stranger.received().is_empty());
        let told = stranger.commands();
        assert!(told.iter().all(|line| line.starts_with("EHLO") || line == "STARTTLS"), "{encryption}: {told:?}");
        drop(host);

        edit(&desk.sites.join("platform.toml"), |text| {
            let port = |server: &MailServer| format!("port = {}\n", server.address.port());
            text.replace(&port(&stranger), &port(&server))
        });
        let _host = Running::start(&desk.sites, &data, &[]);
        send(&data, "second@example.org");
        let mut received = Vec::new();
        until("the letter", || {
            received.extend(server.received());
            received.iter().any(|letter| letter.to == ["second@example.org"]).then_some(())
        });
        assert!(received.iter().all(|letter| letter.encrypted), "{encryption}: {received:?}");
    }
}

/// Sends a code to an address.
fn send(data: &Path, address: &str) {
    with_store(data, async |store| send_code(store, data, CodePurpose::Register, address).await);
}

#[test]
fn a_file_of_authorities_that_cannot_be_used_is_named_by_the_check_and_at_the_start() {
    let desk = Desk::new("mail-authorities");
    share_compiled(&desk.data());
    configure(&desk, 465, "tls", "ours.pem");
    let file = desk.sites.join("ours.pem");
    let check = ["site", "check"];
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    let said = |arguments: &[&str]| {
        let output = masthead(&desk.sites, &desk.data(), arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", stdout(&output));
        stdout(&output) + &stderr(&output)
    };
    let is_named = |words: &str| {
        for arguments in [&check[..], &serve] {
            let said = said(arguments);
            for words in ["platform.toml", "mail.caFile", "ours.pem", words] {
                assert!(said.contains(words) && !said.contains("panicked"), "{arguments:?}: {words}: {said}");
            }
        }
    };
    is_named("cannot be read");
    std::fs::write(&file, "not a certificate").unwrap();
    is_named("has no certificate");
    std::fs::write(&file, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n").unwrap();
    is_named("has a certificate that cannot be read");
    std::fs::write(&file, Authority::new().pem()).unwrap();
    let output = masthead(&desk.sites, &desk.data(), &check);
    assert!(output.status.success(), "{}{}", stdout(&output), stderr(&output));
    edit(&desk.sites.join("platform.toml"), |text| text.replace("encryption = \"tls\"", "encryption = \"none\""));
    assert!(said(&check).contains("mail.caFile is set, and mail.encryption is \"none\""));
}
