//! Verification codes by text message, through an SMS gateway that accepts signed JSON.

use std::{sync::LazyLock, time::Duration};

use masthead_domain::member::Channel;
use masthead_store::{MessageState, MessageStatus};
use serde_json::{Value, json};

use masthead_test_support::{
    Answer, Fake, Portal, RecordedRequest, Reply, Setup, add_to_site, assert_not_leaked, data_with_secrets, hmac,
    listen_to_log, trust_local_proxy,
};

const SECRET: &str = "message-secret-9Kd";
const CALL: &str = "/rc-pub/api/sendReceiverMessage";

fn gateway(seen: &RecordedRequest) -> Reply {
    if seen.header("x-signature") != hmac(SECRET, &seen.body) {
        return Reply::ok(json!({ "code": 401, "message": "bad signature" }));
    }
    match seen.json()["phone"].as_str().unwrap() {
        "13900001001" => Reply::ok(json!({ "code": 1001, "message": "no such number" })),
        "13900000500" => Reply::status(500),
        "13900000005" => Reply::ok(json!({ "code": 5, "message": "no money left on account 77" })),
        _ => Reply::ok(json!({ "code": 0, "id": "m-1" })),
    }
}

struct Environment {
    gateway: Fake,
    portal: Portal,
}

static ENVIRONMENT: LazyLock<Environment> = LazyLock::new(|| {
    listen_to_log();
    let gateway = Fake::start(gateway);
    let secrets = format!("[448]\nsms-gateway = \"{SECRET}\"\n");
    let setup = Setup { data: Some(data_with_secrets("messages", &secrets)), ..Setup::default() };
    let origin = gateway.origin();
    let usage = format!(
        "[[plugins]]\nid = \"sms-gateway\"\ngrants = {{ privateHttp = [\"{origin}\"], secrets = [\"sms-gateway\"] }}\n\
         settings = {{ address = \"{origin}/send\", appKey = \"key-1\", template = \"T1\", templates = {{ login-code = \"T2\" }}, refusedCodes = [1001] }}\n"
    );
    let portal = Portal::start("messages", setup, |sites| {
        trust_local_proxy(sites);
        add_to_site(sites, "oceanledger", &usage);
        // This site has no secret in the file.
        add_to_site(sites, "scriptstone", &usage);
    });
    Environment { gateway, portal }
});

/// Requests a code with the right answer of a captcha.
fn send(site: &str, target: &str, language: &str) -> (u16, Value) {
    let captcha = ENVIRONMENT.portal.captcha(site);
    let body = json!({ "target": target, "purpose": "login", "captcha": captcha });
    let answer = send_from("192.0.2.1", site, language, &body);
    (answer.status, answer.json())
}

fn send_from(address: &str, site: &str, language: &str, body: &Value) -> Answer {
    let headers = [("language", language), ("x-forwarded-for", address)];
    ENVIRONMENT.portal.ask("POST", &format!("{site}.localhost"), CALL, &headers, &body.to_string())
}

/// Sends what is in the outbox. Returns how many messages were sent, and what the gateway got.
fn post() -> (usize, Vec<RecordedRequest>) {
    let Environment { gateway, portal } = &*ENVIRONMENT;
    let sending = portal.run(portal.app.send_messages(Channel::Sms)).unwrap();
    (sending.sent, gateway.seen())
}

/// Asserts that nothing is to be sent.
fn assert_idle(why: &str) {
    let (sent, seen) = post();
    assert!(sent == 0 && seen.is_empty(), "{why}: {seen:?}");
}

/// The messages of a site that are in the outbox: attempts, whether they are set aside, and the last error.
fn outbox(site: &str) -> Vec<(i64, bool, String)> {
    let portal = &ENVIRONMENT.portal;
    let messages = portal.run(portal.app.store.site(portal.site_id(site)).messages(10)).unwrap();
    let state = |status: MessageStatus| (status.attempts, status.state == MessageState::Aside, status.error);
    messages.into_iter().map(state).collect()
}

#[test]
fn codes_go_through_the_gateway_of_the_site() {
    let Environment { portal, .. } = &*ENVIRONMENT;
    let (status, answer) = send("oceanledger", "138-0000 0001", "en");
    assert_eq!((status, &answer["data"]), (200, &json!({ "resendAfter": 60, "expires": 600 })), "{answer}");
    assert!(ENVIRONMENT.gateway.seen().is_empty(), "the answer does not wait for the gateway");
    let (sent, seen) = post();
    assert_eq!((sent, seen.len(), seen[0].path.as_str()), (1, 1, "/send"));
    let body = seen[0].json();
    assert_eq!(
        (&body["appKey"], &body["phone"], &body["template"]),
        (&json!("key-1"), &json!("13800000001"), &json!("T2"))
    );
    let code = body["params"]["code"].as_str().unwrap();
    assert!(code.len() == 6 && code.bytes().all(|digit| digit.is_ascii_digit()), "{body}");
    assert_eq!(body["params"]["minutes"], "10");
    assert!(!answer.to_string().contains(code), "the code is sent to the phone only");
    let log = masthead_test_support::log();
    // The time at the beginning of a line may contain the same digits by chance.
    let leaked = log.lines().filter_map(|line| line.split_once('Z')).find(|(_, text)| text.contains(code));
    assert_eq!(leaked, None, "the code is not logged");
    assert_idle("it is sent once");

    for (mobile, language, message) in [
        ("13800000001", "en", "A code was sent a moment ago. Please wait before requesting another one."),
        ("138 0000-0001", "zh", "验证码刚刚发送，请稍后再获取。"),
    ] {
        let (status, answer) = send("oceanledger", mobile, language);
        assert_eq!((status, &answer["message"], &answer["data"]), (429, &json!(message), &Value::Null));
    }
    for bad in ["", "12", "abcdefgh", "+", "1380000000a", "138000000011111111", "13800000000,13800000001"] {
        let (status, answer) = send("oceanledger", bad, "en");
        let message = answer["message"].as_str().unwrap();
        assert_eq!((status, message), (400, "Phone number format incorrect, please try again."), "{bad}");
    }
    let (status, answer) = send("plainpress", "13800000004", "en");
    assert_eq!((status, answer["message"].as_str().unwrap()), (404, "This site does not send messages."));

    // A number that the gateway refuses is not asked for again; what the gateway cannot do now is tried later.
    assert_eq!(send("oceanledger", "13900001001", "zh").0, 200, "nothing is said about the number");
    assert_eq!(post().0, 0);
    assert_eq!(outbox("oceanledger"), [(1, true, "no such number".to_owned())]);
    for number in ["13900000500", "13900000005"] {
        assert_eq!(send("oceanledger", number, "zh").0, 200);
    }
    assert_eq!(post().1.len(), 2);
    assert!(
        outbox("oceanledger")
            .iter()
            .skip(1)
            .all(|(attempts, aside, error)| *attempts == 1 && !aside && !error.is_empty())
    );
    portal.advance(Duration::from_secs(20));
    assert_eq!(post().1.len(), 2, "a second attempt");
    // Without its secret nothing is sent, and no unsigned message leaves the host.
    assert_eq!(send("scriptstone", "13800000003", "en").0, 200);
    assert_idle("the secret is missing");
    assert_eq!(outbox("scriptstone").len(), 1);
    portal.advance(Duration::from_secs(601));
    assert_idle("the codes are not valid any more");
    assert!(outbox("scriptstone").is_empty());
    assert_not_leaked(portal, SECRET);
}

#[test]
fn a_client_that_requested_many_codes_does_not_stop_others() {
    let client = |address: &str, number: u32| {
        let body = json!({ "target": format!("+1 555 010 {number:04}"), "purpose": "login" });
        send_from(address, "scriptstone", "en", &body)
    };
    let first = (0..200).find(|number| client("198.51.100.1", *number).status == 429).unwrap();
    let refused = client("198.51.100.1", 200);
    assert_eq!(refused.status, 429);
    assert_eq!(refused.json()["message"], "Too many requests. Please try again later.");
    assert!(first > 60, "what has no captcha uses up nothing of the codes of the site: {first}");
    assert_eq!(client("198.51.100.2", 201).status, 428, "another client");
}
