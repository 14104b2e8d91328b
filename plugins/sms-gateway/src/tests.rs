//! Tests of the requests to the gateway and of the handling of its responses.

use super::*;
use masthead_plugin::{http::Form, serde_json, testing};

fn send(channel: MessageChannel, purpose: &str) -> Result<String, MessageFailure> {
    let settings = json!({
        "address": "https://sms.example.org/send", "appKey": "app", "template": "T1",
        "templates": { "register-code": "T2" }, "refusedCodes": [1001], "secret": "sms-gateway",
    });
    testing::set_settings(&settings.to_string());
    testing::put_secret("sms-gateway");
    testing::set_now(9);
    let message = Message {
        channel,
        to: "13800000000".to_owned(),
        purpose: purpose.to_owned(),
        values: vec![("code".to_owned(), "123456".to_owned())],
        text: "123456".to_owned(),
    };
    SmsGateway::send(&testing::context("zh"), message)
}

#[test]
fn the_body_is_signed_and_the_template_follows_the_purpose() {
    for (purpose, template) in [("login-code", "T1"), ("register-code", "T2")] {
        testing::on_http(move |request| {
            let body: Value = serde_json::from_slice(&request.body).unwrap();
            let params = json!({ "code": "123456" });
            assert_eq!(
                body,
                json!({ "appKey": "app", "phone": "13800000000", "template": template, "params": params, "timestamp": 9 })
            );
            let Form::Digest(digest) = &request.credentials[0].form else { panic!("{request:?}") };
            assert_eq!((digest.algorithm, &digest.parts[..]), (Algorithm::HmacSha256, &[Part::Body][..]));
            Ok(testing::answer(200, r#"{"code":0,"id":77}"#))
        });
        assert_eq!(send(MessageChannel::Sms, purpose).unwrap(), "77");
    }
}

#[test]
fn failures_are_distinguished() {
    testing::on_http(|_| Ok(testing::answer(200, r#"{"code":1001,"message":"no such number"}"#)));
    assert!(matches!(send(MessageChannel::Sms, "x"), Err(MessageFailure::Refused(words)) if words == "no such number"));
    testing::on_http(|_| Ok(testing::answer(200, r#"{"code":5}"#)));
    assert!(matches!(send(MessageChannel::Sms, "x"), Err(MessageFailure::Other(_))));
    testing::on_http(|_| Ok(testing::answer(503, "")));
    assert!(matches!(send(MessageChannel::Sms, "x"), Err(MessageFailure::Other(_))));
}

#[test]
fn mail_is_declined() {
    testing::on_http(|_| panic!("asked"));
    assert!(matches!(send(MessageChannel::Mail, "x"), Err(MessageFailure::NotMine)));
}
