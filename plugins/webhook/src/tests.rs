//! Who is told what, and when the host has to try again.

use super::*;
use masthead_plugin::{
    http::{Form, Request},
    serde_json, testing,
};
use std::{cell::RefCell, rc::Rc};

/// Tells one event; the second address fails if it is to.
fn tell(kinds: &[&str], fails: bool) -> (Result<(), String>, Vec<Request>) {
    let addresses = ["https://a.example.org/hook", "https://b.example.org/hook"];
    testing::set_settings(&json!({ "addresses": addresses, "kinds": kinds, "secret": "webhook" }).to_string());
    testing::put_secret("webhook");
    let told = Rc::new(RefCell::new(Vec::new()));
    let seen = told.clone();
    testing::on_http(move |request| {
        seen.borrow_mut().push(request.clone());
        Ok(testing::answer(if fails && request.url.contains("//a.") { 503 } else { 204 }, ""))
    });
    let event = Event {
        id: "e-1".to_owned(),
        kind: "article.published".to_owned(),
        time: "2026-01-01T00:00:00Z".to_owned(),
        subject: "17".to_owned(),
        article: Some(testing::article(17)),
        attempt: 2,
    };
    let result = Webhook::notify(&testing::context("en"), event);
    (result, told.take())
}

#[test]
fn every_address_gets_the_signed_event() {
    let (result, told) = tell(&[], false);
    assert_eq!((result, told.len()), (Ok(()), 2));
    let body: Value = serde_json::from_slice(&told[0].body).unwrap();
    assert_eq!(body["article"]["address"], "https://journals.example.org/test/en/article/17");
    assert_eq!((body["kind"].as_str(), body["site"]["sld"].as_str()), (Some("article.published"), Some("test")));
    let header = |name: &str| told[0].headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    assert_eq!((header("x-masthead-event"), header("x-masthead-attempt")), (Some("e-1"), Some("2")));
    let Form::Digest(digest) = &told[0].credentials[0].form else { panic!("{told:?}") };
    assert_eq!((digest.prefix.as_str(), &digest.parts[..]), ("sha256=", &[Part::Body][..]));
    assert_eq!(told[0].credentials[0].place, Place::Header("x-masthead-signature".to_owned()));
}

#[test]
fn a_failure_names_its_address_and_the_others_are_told_all_the_same() {
    let (result, told) = tell(&["article.published"], true);
    assert_eq!(result, Err("https://a.example.org/hook: the server answered with status 503".to_owned()));
    assert_eq!(told.len(), 2);
}

#[test]
fn other_kinds_are_not_told() {
    let (result, told) = tell(&["article.removed"], true);
    assert_eq!((result, told.len()), (Ok(()), 0));
}
