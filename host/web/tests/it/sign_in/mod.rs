//! Signing in, by the calls of a running portal.

mod attacks;
mod enumeration;
mod sessions;

use std::sync::LazyLock;

use masthead_domain::member::CodePurpose;
use masthead_test_support::{Answer, CODE, PASSWORD, Portal, Setup, SignedUp, listen_to_log, trust_local_proxy};
use serde_json::{Value, json};

const SITE: &str = "oceanledger";
const OTHER: &str = "plainpress";

static PORTAL: LazyLock<Portal> = LazyLock::new(|| {
    listen_to_log();
    let portal = Portal::start("sign-in", Setup::default(), |sites| {
        trust_local_proxy(sites);
        let without =
            "id = 9312\nname = { en = \"Without\" }\ndemo = [\"ocean-ledger\"]\naccounts = { enabled = false }\n";
        std::fs::write(sites.join("without.toml"), without).unwrap();
    });
    // Messages are accepted as where there is a mail server; nothing takes them out of the outbox.
    portal.app.outbox_workers.show_in_log();
    portal
});

fn post(path: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
    PORTAL.call("POST", SITE, path, headers, body)
}

fn login(name: &str, password: &str, network: &str) -> Answer {
    post("/rc-pub/api/login", &[("x-forwarded-for", network)], &json!({ "userName": name, "password": password }))
}

fn sessions(token: &str) -> Answer {
    PORTAL.call("GET", SITE, "/rc-pub/api/sessions", &[("token", token)], &Value::Null)
}

#[test]
fn a_reader_registers_and_signs_in_by_password_and_by_code() {
    let member = PORTAL.sign_up(SITE, "walker", "13700000001");
    assert_eq!(sessions(&member.token).json()["data"].as_array().unwrap().len(), 1);
    let answer = login("walker", PASSWORD, "192.0.2.10");
    let data = &answer.json()["data"];
    assert_eq!((answer.status, &answer.json()["message"]), (200, &json!("Login successful")), "{}", answer.text());
    assert_eq!(data["userName"], "**lker", "the four characters before the last four, as far as there are any");
    PORTAL.send_code(SITE, CodePurpose::Login, "13700000001");
    let by_code = post("/rc-pub/api/loginByMessage", &[], &json!({ "mobile": "+86 137 0000 0001", "code": CODE }));
    assert_eq!(by_code.status, 200, "{}", by_code.text());
    let listed = sessions(SignedUp::of(&by_code).token.as_str()).json();
    let methods: Vec<_> =
        listed["data"].as_array().unwrap().iter().map(|one| one["method"].as_str().unwrap()).collect();
    assert_eq!(methods.len(), 3, "{listed}");
    for method in ["registration", "password", "code"] {
        assert!(methods.contains(&method), "{methods:?}");
    }
}

#[test]
fn every_rule_of_a_registration_has_its_message() {
    PORTAL.send_code(SITE, CodePurpose::Register, "13700000002");
    let right =
        json!({ "userName": "ruler", "mobile": "13700000002", "code": CODE, "password": PASSWORD, "agreement": true });
    for (key, value, status, message) in [
        ("agreement", json!(false), 400, "Please click to accept the user agreement first"),
        ("mobile", json!("137"), 400, "Phone number format incorrect, please try again."),
        ("password", json!("short"), 400, "The password must have 8 to 20 characters."),
        ("password", json!("Tide 7xQk"), 400, "The password must not contain spaces."),
        ("password", json!("tide7xqk"), 400, "The password must contain digits, uppercase and lowercase letters."),
        ("password", json!("Ruler7xQk"), 400, "The password must not be or contain the account name."),
        ("password", json!("Password1"), 400, "This password is too common, please choose another one."),
        ("code", json!(""), 400, "Please enter the verification code."),
        ("code", json!("000000"), 400, "The verification code is wrong or has expired, please try again."),
        (
            "userName",
            json!("<b>x</b>"),
            400,
            "An account name has 2 to 40 letters, digits, dots, underscores or hyphens, and begins with a letter.",
        ),
        ("userName", json!(7), 400, "The request is invalid"),
    ] {
        let mut body = right.clone();
        body[key] = value;
        let answer = post("/rc-pub/api/register", &[("x-forwarded-for", "192.0.2.20")], &body);
        assert_eq!((answer.status, answer.json()["message"].as_str().unwrap()), (status, message), "{body}");
        assert!(answer.headers.get("set-cookie").is_none(), "{body}");
    }
    let mut by_mail = right.clone();
    by_mail["mobile"] = json!("");
    by_mail["email"] = json!("nobody@nowhere");
    assert_eq!(
        post("/rc-pub/api/register", &[("x-forwarded-for", "192.0.2.20")], &by_mail).json()["message"],
        "E-mail format is incorrect"
    );
    let answer = post("/rc-pub/api/register", &[("x-forwarded-for", "192.0.2.20")], &right);
    assert_eq!((answer.status, &answer.json()["message"]), (200, &json!("registered")), "{}", answer.text());
}

#[test]
fn a_forgotten_password_is_reset_with_a_code() {
    let member = PORTAL.sign_up(SITE, "forgetter", "13700000003");
    PORTAL.send_code(SITE, CodePurpose::Reset, "13700000003");
    let body = json!({ "target": "13700000003", "code": CODE, "password": "Neap8yRm" });
    let answer = PORTAL.call("PUT", SITE, "/rc-pub/api/setNewPwd", &[], &body);
    assert_eq!((answer.status, &answer.json()["message"]), (200, &json!("Password Reset Successfully")));
    assert_eq!(sessions(&member.token).status, 401, "all sessions have ended");
    assert_eq!(login("forgetter", PASSWORD, "192.0.2.11").status, 401);
    assert_eq!(login("13700000003", "Neap8yRm", "192.0.2.11").status, 200);
}

#[test]
fn codes_need_a_captcha_and_wait_a_minute() {
    let send = |body: &Value| post("/rc-pub/api/sendReceiverMessage", &[("x-forwarded-for", "192.0.2.12")], body);
    let mut body = json!({ "target": "reader@example.org", "purpose": "login" });
    let without = send(&body);
    assert_eq!((without.status, &without.json()["message"]), (428, &json!("Please solve the captcha.")));
    body["captcha"] = json!({ "id": "x", "text": "AAAAA" });
    assert_eq!(send(&body).status, 400);
    body["captcha"] = PORTAL.captcha(SITE);
    let sent = send(&body);
    assert_eq!(
        (sent.status, &sent.json()["data"]),
        (200, &json!({ "resendAfter": 60, "expires": 600 })),
        "{}",
        sent.text()
    );
    assert_eq!(send(&body).status, 400, "a captcha is used once");
    body["captcha"] = PORTAL.captcha(SITE);
    let again = send(&body);
    let message = "A code was sent a moment ago. Please wait before requesting another one.";
    assert_eq!((again.status, again.header("retry-after"), &again.json()["message"]), (429, "60", &json!(message)));
    body["captcha"] = PORTAL.captcha(OTHER);
    body["target"] = json!("other@example.org");
    assert_eq!(send(&body).status, 400, "another site's captcha");
}

#[test]
fn the_picture_of_a_captcha_is_served_on_its_own() {
    let host = format!("{SITE}.localhost");
    let named = PORTAL.call("GET", SITE, "/rc-pub/api/captcha", &[], &Value::Null).json();
    let id = named["data"]["id"].as_str().unwrap();
    assert!(named["data"]["image"].as_str().unwrap().starts_with("data:image/png;base64,iVBOR"));
    let picture = PORTAL.with(&host, &format!("/rc-pub/index/login/captcha.do?id={id}"), &[]);
    assert_eq!((picture.status, picture.header("content-type"), picture.header("captcha")), (200, "image/png", id));
    assert!(picture.bytes.starts_with(b"\x89PNG") && picture.header("cache-control").contains("no-store"));
    let new = PORTAL.with(&host, "/rc-pub/index/login/captcha.do", &[]);
    assert!(new.status == 200 && new.header("captcha").len() > 60);
    assert_eq!(PORTAL.with(&host, "/rc-pub/index/login/captcha.do?id=x", &[]).status, 404);
}

#[test]
fn a_site_without_accounts_says_so() {
    for (method, path, body) in [
        ("POST", "/rc-pub/api/login", json!({ "userName": "a", "password": "b" })),
        ("GET", "/rc-pub/api/captcha", Value::Null),
        ("GET", "/rc-pub/api/sessions", Value::Null),
        ("GET", "/rc-pub/front/files/getPublicKey", Value::Null),
    ] {
        let answer = PORTAL.call(method, "without", path, &[], &body);
        assert_eq!(
            (answer.status, &answer.json()["message"]),
            (404, &json!("This site has no reader accounts.")),
            "{path}"
        );
    }
}

#[test]
fn keys_are_given_in_the_forms_of_webcrypto() {
    let public = PORTAL.call("GET", SITE, "/rc-pub/front/files/getPublicKey", &[], &Value::Null).json();
    assert_eq!(
        (&public["data"]["algorithm"], public["data"]["publicKey"].as_str().unwrap().len()),
        (&json!("ECDH-P256"), 88)
    );
    let path = "/rc-pub/front/files/getAesKey";
    assert_eq!(PORTAL.call("GET", SITE, path, &[], &Value::Null).status, 401);
    let member = PORTAL.sign_up(SITE, "keyholder", "13700000004");
    let own = PORTAL.call("GET", SITE, path, &[("token", &member.token)], &Value::Null).json();
    assert_eq!((&own["data"]["algorithm"], own["data"]["key"].as_str().unwrap().len()), (&json!("AES-GCM"), 44));
    let expired = json!({ "encrypted": { "keyId": "p1", "publicKey": "BA==", "iv": "AA==", "data": "AA==" } });
    let answer = post("/rc-pub/api/login", &[], &json!({ "userName": "keyholder", "password": expired }));
    assert_eq!(answer.json()["message"], "The encryption key has expired, please try again.");
}
