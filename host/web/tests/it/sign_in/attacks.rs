//! What attackers try, and what they get.

use std::path::Path;

use masthead_domain::member::CodePurpose;
use masthead_test_support::{CODE, PASSWORD, SignedUp, log};
use serde_json::{Value, json};

use super::{PORTAL, SITE, login, post, sessions};

#[test]
fn passwords_are_not_found_by_trying_and_nobody_is_locked_out() {
    PORTAL.sign_up(SITE, "target", "13700000301");
    let tried: Vec<_> = (0..8).map(|_| login("target", "Wrong7xQk", "203.0.113.1").status).collect();
    assert_eq!(tried, [401, 401, 401, 401, 401, 429, 429, 429]);
    let refused = login("target", PASSWORD, "203.0.113.1");
    assert_eq!((refused.status, refused.header("retry-after")), (429, "2"), "not even the right one");
    assert_eq!(login("target", PASSWORD, "192.0.2.31").status, 200, "the member comes from another network");
    // From many networks: a captcha is asked for, and is enough.
    for network in 2..4 {
        (0..5).for_each(|_| drop(login("target", "Wrong7xQk", &format!("203.0.113.{network}"))));
    }
    let asked = login("target", PASSWORD, "192.0.2.32");
    assert_eq!((asked.status, &asked.json()["message"]), (428, &json!("Please solve the captcha.")));
    let body = json!({ "userName": "target", "password": PASSWORD, "captcha": PORTAL.captcha(SITE) });
    let solved = post("/rc-pub/api/login", &[("x-forwarded-for", "192.0.2.32")], &body);
    assert_eq!(solved.status, 200, "{}", solved.text());
}

#[test]
fn codes_are_not_found_by_trying() {
    PORTAL.sign_up(SITE, "guessed", "13700000302");
    PORTAL.send_code(SITE, CodePurpose::Login, "13700000302");
    let network = [("x-forwarded-for", "203.0.113.21")];
    let guess = |code: &str| {
        post("/rc-pub/api/loginByMessage", &network, &json!({ "mobile": "13700000302", "code": code })).status
    };
    for number in 0..5 {
        assert_eq!(guess(&format!("00000{number}")), 400);
    }
    assert_eq!(guess(CODE), 400, "the right one comes too late");
    let limited = (0..40).map(|_| guess("000009")).find(|status| *status == 429);
    assert_eq!(limited, Some(429), "and a client may try so often only");
}

#[test]
fn a_page_of_another_site_does_nothing_with_a_readers_cookies() {
    let member = PORTAL.sign_up(SITE, "rider", "13700000303");
    let body = json!({ "oldPassword": PASSWORD, "password": "Neap8yRm" });
    for headers in
        [[("sec-fetch-site", "cross-site")], [("sec-fetch-site", "same-site")], [("origin", "https://evil.example")]]
    {
        let cookie = ("cookie", member.cookies.as_str());
        let forged = [cookie, headers[0]];
        assert_eq!(PORTAL.call("PUT", SITE, "/rc-pub/api/changePwd", &forged, &body).status, 403, "{headers:?}");
        assert_eq!(PORTAL.call("DELETE", SITE, "/rc-pub/api/logout", &forged, &Value::Null).status, 403, "{headers:?}");
    }
    let form = PORTAL.ask(
        "POST",
        &format!("{SITE}.localhost"),
        "/rc-pub/api/login",
        &[("content-type", "application/x-www-form-urlencoded")],
        "userName=rider&password=x",
    );
    assert_eq!(form.status, 415, "a form is no JSON");
    assert_eq!(sessions(&member.token).status, 200);
}

#[test]
fn nobody_chooses_the_session_of_somebody_else() {
    let planted = PORTAL.sign_up(SITE, "planter", "13700000304");
    PORTAL.sign_up(SITE, "victim", "13700000305");
    let body = json!({ "userName": "victim", "password": PASSWORD });
    let headers = [("cookie", planted.cookies.as_str()), ("x-forwarded-for", "192.0.2.33")];
    let own = SignedUp::of(&post("/rc-pub/api/login", &headers, &body));
    assert_ne!(own.token, planted.token);
    assert_eq!(sessions(&planted.token).status, 401, "the planted session has ended");
    for made_up in ["A".repeat(43), "../../etc/passwd".to_owned()] {
        let headers = [("cookie", format!("mh_session={made_up}"))];
        let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
        let answer = post("/rc-pub/api/login", &[headers[0], ("x-forwarded-for", "192.0.2.33")], &body);
        assert!(!SignedUp::of(&answer).token.contains(&made_up));
    }
}

#[test]
fn scripts_in_fields_come_back_nowhere() {
    let script = "<script>alert(1)</script>";
    for (path, body) in [
        ("/rc-pub/api/login", json!({ "userName": script, "password": script })),
        ("/rc-pub/api/loginByMessage", json!({ "mobile": script, "code": script })),
        (
            "/rc-pub/api/register",
            json!({ "userName": script, "mobile": script, "code": script, "password": script, "agreement": true }),
        ),
        ("/rc-pub/api/sendReceiverMessage", json!({ "target": script, "purpose": "login" })),
    ] {
        let answer = post(path, &[("x-forwarded-for", "192.0.2.34")], &body);
        assert!(answer.status >= 400 && !answer.text().contains("script"), "{path}: {}", answer.text());
        assert!(answer.header("content-type").starts_with("application/json"), "{path}");
    }
}

#[test]
fn a_header_cannot_be_made_of_a_name() {
    for target in ["a@example.org\r\nBcc: all@example.org", "a@example.org\nx", "13700000306\r\n1"] {
        let body = json!({ "target": target, "purpose": "login", "captcha": { "id": "x", "number": 1 } });
        let answer = post("/rc-pub/api/sendReceiverMessage", &[("x-forwarded-for", "192.0.2.35")], &body);
        assert_eq!(answer.status, 400, "{target:?}");
    }
}

/// Whether a file of a folder contains the text.
fn holds(folder: &Path, text: &str) -> bool {
    let files =
        walkdir::WalkDir::new(folder).into_iter().filter_map(Result::ok).filter(|file| file.file_type().is_file());
    let mut bytes = files.filter_map(|file| std::fs::read(file.path()).ok());
    bytes.any(|bytes| bytes.windows(text.len()).any(|part| part == text.as_bytes()))
}

#[test]
fn neither_the_log_nor_the_data_folder_has_a_secret() {
    let member = PORTAL.sign_up(SITE, "secretive", "13700000307");
    let password = "Unguessable7xQk";
    let changed = PORTAL.call(
        "PUT",
        SITE,
        "/rc-pub/api/changePwd",
        &[("token", &member.token)],
        &json!({ "oldPassword": PASSWORD, "password": password }),
    );
    let token = SignedUp::of(&changed).token;
    assert_eq!(login("secretive", password, "192.0.2.36").status, 200);
    assert_eq!(login("secretive", "Unguessable8xQk", "192.0.2.36").status, 401);
    PORTAL.send_code(SITE, CodePurpose::Login, "13700000308");
    let query = format!("/rc-pub/api/isRegistered?target=13700000308&code={CODE}&purpose=login");
    assert_eq!(PORTAL.call("GET", SITE, &query, &[], &Value::Null).status, 200);
    let log = log();
    for secret in [password, "Unguessable8xQk", token.as_str(), member.token.as_str(), "13700000308"] {
        assert!(!log.contains(secret), "the log has {secret}");
    }
    let data = PORTAL.folder.join("data");
    assert!(holds(&data, "secretive"), "the search of the test finds what is there");
    for secret in [password, token.as_str(), member.token.as_str()] {
        assert!(!holds(&data, secret), "the data folder has {secret}");
    }
}
