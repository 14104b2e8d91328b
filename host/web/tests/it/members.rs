//! The calls of the specification for members: all of them exist, are described, and answer in the envelope.

use std::sync::LazyLock;

use masthead_test_support::{Portal, Setup};
use serde_json::{Value, json};

static PORTAL: LazyLock<Portal> = LazyLock::new(|| Portal::start("members", Setup::default(), |_| {}));
const SITE: &str = "oceanledger.localhost";

/// The specification's paths, independently of the table in the code.
const PATHS: &[&str] = &[
    "/api/login",
    "/api/logout",
    "/api/register",
    "/api/isRegistered",
    "/api/loginByMessage",
    "/api/setNewPwd",
    "/api/changePwd",
    "/api/changeMobile",
    "/api/thirdBind",
    "/api/loginByThirdLoginUrl",
    "/api/getUmtLoginUrl",
    "/index/login/captcha.do",
    "/api/captcha",
    "/front/frontMembers/info",
    "/front/frontMembers/saveInfo",
    "/front/frontMembers/collect",
    "/front/frontMembers/collects",
    "/front/frontMembers/isCollect",
    "/front/frontMembers/unCollectByIdAndType",
    "/front/frontMembers/subscribe",
    "/front/frontMembers/isSubscribe",
    "/front/frontMembers/unSubscribe",
    "/front/frontMembers/subscribeList",
    "/front/frontMembers/downloads",
    "/front/frontMembers/historys",
    "/front/personalAlbum/search",
    "/front/personalAlbum/saveAlbum",
    "/front/personalAlbum/editAlbum",
    "/front/personalAlbum/delete",
    "/front/personalAlbum/info",
    "/front/personalAlbum/res/addList",
    "/front/personalAlbum/res/delete",
    "/front/personalAlbum/res/search",
    "/front/files/fileUpload",
    "/front/files/getAesKey",
    "/front/files/getPublicKey",
];

#[test]
fn every_member_call_is_described_and_answers_in_the_readers_language() {
    let document = PORTAL.with(SITE, "/openapi.json", &[]).json();
    for path in PATHS {
        let path = format!("/rc-pub{path}");
        let item = document["paths"][&path].as_object().unwrap_or_else(|| panic!("{path} is not described"));
        let (method, call) = item.iter().next().unwrap();
        assert!(call["summary"].is_string(), "{path}");
        let mut messages = Vec::new();
        for language in ["en", "zh"] {
            let answer = PORTAL.ask(&method.to_uppercase(), SITE, &path, &[("language", language)], "");
            assert!(answer.status < 500 && call["responses"]["501"].is_null(), "{path}: {}", answer.status);
            if answer.header("content-type").starts_with("image/") || answer.status == 200 {
                continue;
            }
            let envelope = answer.json();
            assert_eq!((&envelope["status"], &envelope["data"]), (&json!(answer.status), &Value::Null), "{path}");
            messages.push(envelope["message"].as_str().unwrap().to_owned());
        }
        if let [english, chinese] = &messages[..] {
            assert!(english.is_ascii() && english != chinese, "{path}: {messages:?}");
        }
    }
}

#[test]
fn signing_out_is_a_delete_and_other_methods_are_rejected() {
    for (language, message) in [("en", "Signed out"), ("zh", "退出成功")] {
        let answer = PORTAL.ask("DELETE", SITE, "/rc-pub/api/logout", &[("language", language)], "");
        let envelope = answer.json();
        assert_eq!((answer.status, &envelope["data"], &envelope["message"]), (200, &json!(true), &json!(message)));
    }
    for (method, path) in
        [("GET", "/rc-pub/api/logout"), ("GET", "/rc-pub/api/login"), ("POST", "/rc-pub/front/frontMembers/info")]
    {
        let answer = PORTAL.ask(method, SITE, path, &[("language", "en")], "");
        assert_eq!((answer.status, answer.json()["status"].clone()), (405, json!(405)), "{method} {path}");
        assert!(!answer.header("allow").is_empty(), "{path}: the header Allow is kept");
    }
}

#[test]
fn a_stale_token_requires_a_new_sign_in() {
    let ask = |token: &str| PORTAL.with(SITE, "/rc-pub/api/sessions", &[("language", "en"), ("token", token)]);
    for token in ["x", "a.b", "eyJ9.AAAA", "%00", "", &"A".repeat(43)] {
        let answer = ask(token);
        assert_eq!((answer.status, answer.json()["message"].clone()), (401, json!("Please sign in again")), "{token}");
    }
}

#[test]
fn the_headers_of_the_specification_are_optional() {
    let headers = [("token", ""), ("language", "tlh"), ("siteId", "448"), ("captcha", "abcd"), ("identifyHeader", "x")];
    let answer = PORTAL.with(SITE, "/rc-pub/front/site/getFooterConfig?timestamps=1732200000000", &headers);
    assert_eq!((answer.status, answer.json()["status"].clone()), (200, json!(0)));
    assert!(
        answer.json()["data"]["copyright"].as_str().unwrap().contains("海洋账簿"),
        "an unknown language falls back to the site's default"
    );
    let cookie = [("language", "tlh"), ("cookie", "language=en")];
    let answer = PORTAL.with(SITE, "/rc-pub/front/site/getFooterConfig", &cookie);
    assert!(
        answer.json()["data"]["copyright"].as_str().unwrap().contains("Ocean Ledger"),
        "the cookie comes before the site's default"
    );
}
