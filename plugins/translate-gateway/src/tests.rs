//! Tests of the requests to the gateway and of the handling of its responses.

use super::*;
use masthead_plugin::{http::Form, testing};

fn set(enabled: u8) {
    let settings = format!(
        r#"{{"enabled":{enabled},"address":"https://fanyi.example.org/","appId":"app","secret":"translate-gateway"}}"#
    );
    testing::set_settings(&settings);
    testing::put_secret("translate-gateway");
    testing::set_now(7);
}

fn translate(target: &str) -> Result<Translation, TranslateFailure> {
    let request = TranslateRequest { text: "海".to_owned(), source: "auto".to_owned(), target: target.to_owned() };
    TranslateGateway::translate(&testing::context("zh"), request)
}

#[test]
fn lines_are_translated_to_lines() {
    set(1);
    testing::on_http(|request| {
        assert_eq!(request.body, b"from=auto&to=en&q=%E6%B5%B7&appid=app&salt=7");
        let sign = &request.credentials[0];
        assert_eq!(sign.place, Place::Form("sign".to_owned()));
        let Form::Digest(digest) = &sign.form else { panic!("{sign:?}") };
        assert_eq!(digest.parts, [Part::Text("app海7".to_owned()), Part::Secret]);
        Ok(testing::answer(200, r#"{"from":"zh","trans_result":[{"src":"a","dst":"Sea"},{"src":"b","dst":"Salt"}]}"#))
    });
    assert_eq!(translate("en").unwrap(), Translation { text: "Sea\nSalt".to_owned(), source: "zh".to_owned() });
}

#[test]
fn failures_are_distinguished() {
    set(1);
    for (body, unauthorized) in [
        (r#"{"error_code":"52003","error_msg":"UNAUTHORIZED USER"}"#, true),
        (r#"{"error_code":52003}"#, true),
        (r#"{"error_code":"54003"}"#, false),
        ("{}", false),
        ("<html>", false),
    ] {
        testing::on_http(move |_| Ok(testing::answer(200, body)));
        let failure = translate("en").unwrap_err();
        assert_eq!(matches!(failure, TranslateFailure::Unauthorized), unauthorized, "{body}");
        assert!(!matches!(failure, TranslateFailure::Off));
    }
    testing::on_http(|_| Err(http::Failure::Timeout));
    assert!(matches!(translate("en"), Err(TranslateFailure::Other(_))));
}

#[test]
fn no_request_is_sent_if_disabled_or_unsupported() {
    set(0);
    testing::on_http(|_| panic!("asked"));
    assert!(matches!(translate("en"), Err(TranslateFailure::Off)));
    set(1);
    assert!(matches!(translate("xx"), Err(TranslateFailure::Other(_))));
}
