//! Passkeys by calls, with a software authenticator.

use std::time::Duration;

use masthead_test_support::Authenticator;

use super::*;

const ORIGIN: &str = "http://plainpress.localhost";
const SITE: &str = "plainpress";

fn begin(browser: &mut Browser, what: &str) -> Value {
    let begun = browser.call("POST", &format!("/rc-pub/api/passkeys/{what}/begin"), &json!({}));
    assert_eq!(begun.status, 200, "{}", begun.text());
    begun.json()["data"].clone()
}

fn finish(browser: &mut Browser, what: &str, answer: &Value) -> Answer {
    browser.call("POST", &format!("/rc-pub/api/passkeys/{what}/finish"), answer)
}

#[test]
fn a_member_adds_a_passkey_signs_in_with_it_and_removes_it() {
    let portal = Portal::start("passkeys", Setup { bare: true, ..Setup::default() }, |_| {});
    let ada = portal.sign_up(SITE, "ada", "13800000201");
    let mut browser = Browser::new(&portal, SITE).with(&ada.cookies);
    let mut device = Authenticator::default();
    let options = begin(&mut browser, "register");
    assert_eq!(options["publicKey"]["rp"]["id"], "plainpress.localhost");
    let mut answer = device.create(&options, ORIGIN);
    answer["name"] = json!("Key <b>of</b> Ada");
    let added = finish(&mut browser, "register", &answer);
    assert_eq!((added.status, &added.json()["data"]), (200, &json!(true)), "{}", added.text());
    assert_eq!(finish(&mut browser, "register", &answer).status, 400, "a second time");
    let listed = browser.call("GET", "/rc-pub/api/passkeys", &Value::Null).json()["data"].clone();
    assert_eq!((&listed[0]["name"], &listed[0]["used"]), (&json!("Key <b>of</b> Ada"), &Value::Null));

    let mut other = Browser::new(&portal, SITE);
    let options = begin(&mut other, "login");
    let answer = device.get(&options, ORIGIN);
    let signed_in = finish(&mut other, "login", &answer);
    assert_eq!((signed_in.status, &signed_in.json()["message"]), (200, &json!("Login successful")));
    assert!(other.has("mh_session") && other.cookie("mh_session") != browser.cookie("mh_session"));
    let replayed = finish(&mut Browser::new(&portal, SITE), "login", &answer);
    assert_eq!(replayed.status, 401, "an answer is used once: {}", replayed.text());
    let mut phished = Browser::new(&portal, SITE);
    let options = begin(&mut phished, "login");
    let answer = device.get(&options, "http://plainpress.localhost.evil.example");
    assert_eq!(finish(&mut phished, "login", &answer).status, 401);
    assert_eq!(finish(&mut phished, "login", &json!({ "id": 1 })).status, 400);
    let stranger = Browser::new(&portal, SITE).call("POST", "/rc-pub/api/passkeys/register/begin", &json!({}));
    assert_eq!(stranger.status, 401);
    // A site of another publisher on this installation.
    let mut foreign = Browser::new(&portal, ASKS);
    let options = begin(&mut foreign, "login");
    assert_eq!(options["publicKey"]["rpId"], "oceanledger.localhost");
    let by_address = portal.send("POST", "/plainpress/rc-pub/api/passkeys/login/begin", &[], Vec::new());
    assert_eq!(by_address.status, 400, "passkeys belong to names: {}", by_address.text());

    // Somebody who has found an old session adds and removes nothing.
    portal.advance(Duration::from_secs(16 * 60));
    let wrong = browser.call("POST", "/rc-pub/api/passkeys/register/begin", &json!({ "password": "Wrong7xQk" }));
    assert_eq!(wrong.status, 400, "{}", wrong.text());
    let confirmed = browser.call("POST", "/rc-pub/api/passkeys/register/begin", &json!({ "password": PASSWORD }));
    assert_eq!(confirmed.status, 200, "{}", confirmed.text());
    // The session ends with the request to sign in again, or the sign-in page would have no form.
    let path = format!("/rc-pub/api/passkeys?id={}", listed[0]["id"]);
    assert_eq!(browser.call("GET", "/rc-pub/api/passkeys", &Value::Null).status, 200);
    let late = browser.call("DELETE", &path, &Value::Null);
    assert_eq!(late.status, 401, "{}", late.text());
    assert_eq!(browser.call("GET", "/rc-pub/api/passkeys", &Value::Null).status, 401);
    let options = begin(&mut other, "login");
    let answer = device.get(&options, ORIGIN);
    assert_eq!(finish(&mut other, "login", &answer).status, 200);
    let removed = other.call("DELETE", &path, &Value::Null);
    assert_eq!(removed.status, 200, "{}", removed.text());
    assert_eq!(other.call("DELETE", &path, &Value::Null).status, 404);
    let options = begin(&mut other, "login");
    let answer = device.get(&options, ORIGIN);
    assert_eq!(finish(&mut other, "login", &answer).status, 401, "a removed passkey signs nobody in");
}
