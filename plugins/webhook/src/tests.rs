//! Tests of the requests, their signature, and failures.

use super::*;
use masthead_plugin::{
    http::{Form, Request},
    serde_json, testing,
};
use std::{cell::RefCell, rc::Rc};

/// Sends one event; the first address fails if `fails` is set.
fn notify(kinds: &[&str], fails: bool) -> (Result<(), String>, Vec<Request>) {
    let addresses = ["https://a.example.org/hook", "https://b.example.org/hook"];
    testing::set_settings(&json!({ "addresses": addresses, "kinds": kinds, "secret": "webhook" }).to_string());
    testing::put_secret("webhook");
    let requests = Rc::new(RefCell::new(Vec::new()));
    let seen = requests.clone();
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
    (result, requests.take())
}

#[test]
fn every_address_gets_the_signed_event() {
    let (result, requests) = notify(&[], false);
    assert_eq!((result, requests.len()), (Ok(()), 2));
    let body: Value = serde_json::from_slice(&requests[0].body).unwrap();
    assert_eq!(body["article"]["address"], "https://journals.example.org/test/en/article/17");
    assert_eq!((body["kind"].as_str(), body["site"]["sld"].as_str()), (Some("article.published"), Some("test")));
    let header = |name: &str| requests[0].headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    assert_eq!((header("x-masthead-event"), header("x-masthead-attempt")), (Some("e-1"), Some("2")));
    let Form::Digest(digest) = &requests[0].credentials[0].form else { panic!("{requests:?}") };
    assert_eq!((digest.prefix.as_str(), &digest.parts[..]), ("sha256=", &[Part::Body][..]));
    assert_eq!(requests[0].credentials[0].place, Place::Header("x-masthead-signature".to_owned()));
}

#[test]
fn a_failure_names_its_address_and_the_others_get_the_event() {
    let (result, requests) = notify(&["article.published"], true);
    assert_eq!(result, Err("https://a.example.org/hook: the server answered with status 503".to_owned()));
    assert_eq!(requests.len(), 2);
}

#[test]
fn events_of_other_kinds_are_not_sent() {
    let (result, requests) = notify(&["article.removed"], true);
    assert_eq!((result, requests.len()), (Ok(()), 0));
}
