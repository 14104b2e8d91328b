//! Nobody finds out by asking who has an account: answers about known and unknown names are the same.

use masthead_domain::member::CodePurpose;
use masthead_test_support::{Answer, CODE, PASSWORD};
use serde_json::{Value, json};

use super::{PORTAL, SITE, login, post};

/// Everything of an answer that does not differ between two answers to the same request.
fn told(answer: &Answer) -> (u16, Vec<String>, String) {
    let differing = ["date", "x-request-id", "server-timing"];
    let headers = answer.headers.iter().filter(|(name, _)| !differing.contains(&name.as_str()));
    let mut headers: Vec<_> = headers.map(|(name, value)| format!("{name}: {}", value.to_str().unwrap())).collect();
    headers.sort();
    (answer.status, headers, answer.text())
}

#[test]
fn a_wrong_password_is_answered_like_an_unknown_name() {
    PORTAL.sign_up(SITE, "known", "13700000201");
    for (known, unknown) in
        [("known", "unknown"), ("13700000201", "13700000299"), ("known", "<script>"), ("known", "nobody@example.org")]
    {
        let answers = [known, unknown].map(|name| told(&login(name, "Wrong7xQk", &format!("192.0.2.{}", name.len()))));
        assert_eq!(answers[0], answers[1], "{unknown}");
        assert_eq!(answers[0].0, 401);
        assert!(answers[0].2.contains("Wrong account or password, please try again."));
    }
}

#[test]
fn a_wrong_code_is_answered_like_an_unknown_number() {
    PORTAL.sign_up(SITE, "coded", "13700000202");
    for purpose in [CodePurpose::Login, CodePurpose::Reset] {
        PORTAL.send_code(SITE, purpose, "13700000202");
    }
    let network = [("x-forwarded-for", "192.0.2.202")];
    type BodyOf = fn(&str) -> Value;
    let calls: [(&str, &str, BodyOf); 3] = [
        ("POST", "/rc-pub/api/loginByMessage", |number| json!({ "mobile": number, "code": "000000" })),
        (
            "PUT",
            "/rc-pub/api/setNewPwd",
            |number| json!({ "target": number, "code": "000000", "password": "Neap8yRm" }),
        ),
        (
            "POST",
            "/rc-pub/api/register",
            |number| json!({ "userName": "coder", "mobile": number, "code": "000000", "password": "Neap8yRm", "agreement": true }),
        ),
    ];
    for (method, path, body) in calls {
        let answers = ["13700000202", "13700000298"]
            .map(|number| told(&PORTAL.call(method, SITE, path, &network, &body(number))));
        assert_eq!(answers[0], answers[1], "{path}");
        assert_eq!(answers[0].0, 400, "{path}");
    }
}

#[test]
fn a_code_is_sent_to_whoever_asks_for_it() {
    PORTAL.sign_up(SITE, "mailed", "mailed@example.org");
    for purpose in ["login", "reset", "register"] {
        let answers = ["mailed@example.org", "nobody@example.org"].map(|target| {
            let body = json!({ "target": target, "purpose": purpose, "captcha": PORTAL.captcha(SITE) });
            told(&post("/rc-pub/api/sendReceiverMessage", &[("x-forwarded-for", "192.0.2.203")], &body))
        });
        // The code of the registration was sent a moment ago, whether it led to an account or not.
        if purpose != "register" {
            assert_eq!(answers[0], answers[1], "{purpose}");
            assert_eq!(answers[0].0, 200, "{purpose}: {:?}", answers[0]);
        }
    }
}

#[test]
fn whether_a_number_is_registered_is_told_to_its_owner_only() {
    PORTAL.sign_up(SITE, "owner", "13700000204");
    let ask = |query: &str| {
        let path = format!("/rc-pub/api/isRegistered?{query}");
        PORTAL.call("GET", SITE, &path, &[("x-forwarded-for", "192.0.2.204")], &Value::Null).json()["data"].clone()
    };
    for number in ["13700000204", "13700000297"] {
        let unknown = json!({ "registered": null, "acceptable": true });
        assert_eq!(ask(&format!("target={number}")), unknown);
        assert_eq!(ask(&format!("target={number}&code=000000")), unknown);
    }
    for name in ["owner", "free"] {
        assert_eq!(ask(&format!("userName={name}")), json!({ "registered": null, "acceptable": true }), "{name}");
    }
    assert_eq!(ask("userName=1x")["acceptable"], false);
    for (number, registered) in [("13700000204", true), ("13700000297", false)] {
        PORTAL.send_code(SITE, CodePurpose::Login, number);
        let query = format!("target={number}&code={CODE}&purpose=login");
        assert_eq!(ask(&query)["registered"], registered, "{number}");
    }
    assert_eq!(login("owner", PASSWORD, "192.0.2.204").status, 200);
}

#[test]
fn somebody_without_an_account_is_told_so_after_the_right_code() {
    PORTAL.send_code(SITE, CodePurpose::Login, "13700000296");
    let network = [("x-forwarded-for", "192.0.2.205")];
    let answer = post("/rc-pub/api/loginByMessage", &network, &json!({ "mobile": "13700000296", "code": CODE }));
    assert_eq!((answer.status, &answer.json()["message"]), (404, &json!("User not found, please register first")));
}
