//! Verification codes through an SMS gateway that accepts signed JSON.

use std::sync::LazyLock;

use serde_json::{Value, json};

use masthead_test_support::{
    Answer, Fake, Portal, Reply, Seen, Setup, add_to_site, assert_not_leaked, data_with_secrets, hmac, listen_to_log,
    trust_local_proxy,
};

const SECRET: &str = "message-secret-9Kd";
const CALL: &str = "/rc-pub/api/sendReceiverMessage";

fn gateway(seen: &Seen) -> Reply {
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

fn send(site: &str, mobile: &str, language: &str) -> (u16, Value) {
    let answer = send_from("192.0.2.1", site, mobile, language);
    (answer.status, answer.json())
}

fn send_from(address: &str, site: &str, mobile: &str, language: &str) -> Answer {
    let body = json!({ "mobile": mobile }).to_string();
    let headers = [("language", language), ("x-forwarded-for", address)];
    ENVIRONMENT.portal.ask("POST", &format!("{site}.localhost"), CALL, &headers, &body)
}

#[test]
fn a_code_can_be_sent_once_a_minute() {
    let Environment { gateway, portal } = &*ENVIRONMENT;
    let (status, answer) = send("oceanledger", "138-0000 0001", "en");
    assert_eq!((status, &answer["data"]), (200, &json!({ "resendAfter": 60 })), "{answer}");
    let seen = gateway.seen();
    assert_eq!((seen.len(), seen[0].path.as_str()), (1, "/send"));
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

    for (mobile, language, message) in [
        ("13800000001", "en", "A code was sent a moment ago. Please wait before requesting another one."),
        ("138 0000-0001", "zh", "验证码刚刚发送，请稍后再获取。"),
    ] {
        let (status, answer) = send("oceanledger", mobile, language);
        assert_eq!((status, &answer["message"], &answer["data"]), (429, &json!(message), &Value::Null));
    }
    assert!(gateway.seen().is_empty());
    assert_eq!(send("oceanledger", "13800000002", "en").0, 200, "the limit is per number");
    gateway.seen();

    for bad in
        ["", "12", "abcdefgh", "+", "1380000000a", "138000000011111111", "13800000000,13800000001", "＋1380000000"]
    {
        let (status, answer) = send("oceanledger", bad, "en");
        assert_eq!(
            (status, answer["message"].as_str().unwrap()),
            (400, "Phone number format incorrect, please try again."),
            "{bad}"
        );
    }
    assert!(gateway.seen().is_empty(), "the gateway was not called");

    for (mobile, expected, message) in [
        ("13900001001", 400, "手机号码格式有误，请重新输入。"),
        ("13900000500", 502, "消息发送失败，请稍后再试。"),
        ("13900000005", 502, "消息发送失败，请稍后再试。"),
    ] {
        let (status, answer) = send("oceanledger", mobile, "zh");
        assert_eq!((status, answer["message"].as_str().unwrap()), (expected, message), "{mobile}");
    }
    assert_eq!(gateway.seen().len(), 3);

    // Without its secret or without the plugin nothing is sent.
    assert_eq!(send("scriptstone", "13800000003", "en").0, 502);
    // A number has its codes over all sites, from whatever address and however it is written.
    let elsewhere = send_from("192.0.2.2", "oceanledger", "+86 138 0000 0003", "en");
    assert_eq!((elsewhere.status, elsewhere.header("retry-after")), (429, "60"), "{}", elsewhere.text());
    assert!(gateway.seen().is_empty(), "no unsigned message is sent");
    let (status, answer) = send("plainpress", "13800000004", "en");
    assert_eq!((status, answer["message"].as_str().unwrap()), (404, "This site does not send messages."));
    assert_not_leaked(portal, SECRET);
}

#[test]
fn a_client_that_requested_many_codes_does_not_stop_others() {
    let client =
        |address: &str, number: u32| send_from(address, "scriptstone", &format!("+1 555 010 {number:04}"), "en");
    let first = (0..100).find(|number| client("198.51.100.1", *number).status == 429).unwrap();
    let refused = client("198.51.100.1", 200);
    assert_eq!((refused.status, refused.header("retry-after")), (429, "60"));
    assert_eq!(refused.json()["message"], "Too many requests. Please try again later.");
    assert!(first < 60, "the share of a client is less than the limit of the site: {first}");
    assert_ne!(client("198.51.100.2", 201).status, 429, "another client");
}
