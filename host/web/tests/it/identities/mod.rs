//! Sign-in at an OpenID Connect provider, which runs on a port of this machine, and binding to accounts.

mod browser;
mod passkeys;

use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock, atomic::Ordering},
};

use masthead_domain::member::CodePurpose;
use masthead_test_support::{
    Answer, Fake, Portal, RecordedRequest, Reply, Setup, add_to_site, assert_not_leaked, data_with_secrets,
    listen_to_log,
    members::{CODE, PASSWORD},
    openid::{self, Account, Misbehaviour},
};
use serde_json::{Value, json};

use self::browser::Browser;

const SECRET: &str = "client-secret-5Kd";
/// A site that asks readers whom it does not know to bind their identity, and one that makes them members.
const ASKS: &str = "oceanledger";
const CREATES: &str = "scriptstone";

struct Environment {
    provider: openid::Provider,
    portal: Portal,
}

static ENVIRONMENT: LazyLock<Environment> = LazyLock::new(|| {
    listen_to_log();
    let server = Fake::start(|_| Reply::status(404));
    let secrets = format!("[448]\ncampus = \"{SECRET}\"\n[905]\ncampus = \"{SECRET}\"\n");
    let setup = Setup { data: Some(data_with_secrets("identities", &secrets)), ..Setup::default() };
    let portal = Portal::start("identities", setup, |sites| {
        for (site, new) in [(ASKS, "bind"), (CREATES, "create")] {
            let provider = format!(
                "[accounts.providers.campus]\nissuer = \"{}\"\nclientId = \"journal\"\nsecret = \"campus\"\nprivateNetwork = true\n\
                 newMembers = \"{new}\"\nname = {{ en = \"Campus\" }}\n",
                server.origin()
            );
            add_to_site(sites, site, &provider);
        }
    });
    let time = Arc::clone(&portal.time);
    let provider = openid::Provider::new(&server.origin(), "journal", SECRET, move || time.load(Ordering::Relaxed));
    let answering = provider.clone();
    server.answer(move |seen: &RecordedRequest| {
        let body = String::from_utf8(seen.body.clone()).unwrap();
        let (status, answer) = answering.answer(&seen.method, &seen.path, seen.header("authorization"), &body);
        Reply { status, ..Reply::ok(answer) }
    });
    assert_eq!(portal.ready()["problems"], json!([]));
    Environment { provider, portal }
});

fn account(subject: &str) -> Account {
    Account { subject: subject.to_owned(), claims: json!({ "name": "Ada Lovelace" }) }
}

/// Signs in at the provider from a page of a site: the answer of the page that the provider sends the reader back to.
fn sign_in(browser: &mut Browser, subject: &str, url: &str) -> Answer {
    let provider = &ENVIRONMENT.provider;
    let away = browser.get(&format!("/en/login/external?provider=campus&url={url}"));
    assert_eq!(away.status, 303, "{}", away.text());
    let back = provider.sign_in(away.header("location"), account(subject));
    browser.get(&browser.path_of(&back))
}

fn bind(browser: &mut Browser, body: &Value) -> Answer {
    browser.call("POST", "/rc-pub/api/thirdBind", body)
}

#[test]
fn a_reader_binds_an_identity_to_an_account_and_signs_in_with_it() {
    let portal = &ENVIRONMENT.portal;
    portal.sign_up(ASKS, "binds-ada", "13800000101");
    let mut browser = Browser::new(portal, ASKS);
    let back = sign_in(&mut browser, "binds-1", "%2Fen%2Fissues");
    assert_eq!((back.status, back.header("location")), (303, "/en/accountBinding?url=%2Fen%2Fissues"));
    assert!(browser.has("mh_binding") && !browser.has("mh_session") && !browser.has("mh_signin"));
    let wrong = bind(&mut browser, &json!({ "userName": "binds-ada", "password": "Wrong7xQk" }));
    assert_eq!(wrong.status, 401, "{}", wrong.text());
    let bound = bind(&mut browser, &json!({ "userName": "binds-ada", "password": PASSWORD }));
    assert_eq!(bound.status, 200, "{}", bound.text());
    assert_eq!(bound.json()["data"]["userName"], "b****-ada");
    assert!(browser.has("mh_session") && !browser.has("mh_binding"));
    assert_eq!(bind(&mut browser, &json!({})).status, 400, "the identity no longer waits");

    let mut elsewhere = Browser::new(portal, ASKS);
    let back = sign_in(&mut elsewhere, "binds-1", "%2Fen%2Fissues");
    assert_eq!((back.status, back.header("location")), (303, "/en/issues"));
    let listed = elsewhere.call("GET", "/rc-pub/api/identities", &Value::Null).json()["data"].clone();
    let identity = &listed[0];
    assert_eq!((&identity["provider"], &identity["subject"]), (&json!("campus"), &json!("binds-1")));
    assert_eq!((&identity["title"], &identity["name"]), (&json!("Campus"), &json!("Ada Lovelace")));

    // The same identity is nobody's on the other site until it is a member's there.
    let mut other = Browser::new(portal, CREATES);
    let back = sign_in(&mut other, "binds-1", "%2Fen%2Fissues");
    assert_eq!((back.status, back.header("location")), (303, "/en/issues"));
    let listed = other.call("GET", "/rc-pub/api/identities", &Value::Null).json()["data"].clone();
    assert_eq!(listed[0]["subject"], "binds-1");
    let removed = other.call("DELETE", "/rc-pub/api/identities?provider=campus", &Value::Null);
    assert_eq!(removed.status, 409, "the only way in stays: {}", removed.text());
    assert_not_leaked(portal, SECRET);
}

#[test]
fn an_identity_is_bound_to_a_new_account_or_by_a_code() {
    let portal = &ENVIRONMENT.portal;
    let mut browser = Browser::new(portal, ASKS);
    sign_in(&mut browser, "new-1", "");
    portal.send_code(ASKS, CodePurpose::Register, "13800000102");
    let register = json!({ "userName": "new-bea", "mobile": "13800000102", "code": CODE, "password": PASSWORD });
    let refused = bind(&mut browser, &json!({ "register": register }));
    assert_eq!(refused.json()["message"], "Please click to accept the user agreement first");
    let mut register = register;
    register["agreement"] = json!(true);
    let bound = bind(&mut browser, &json!({ "register": register }));
    assert_eq!(bound.status, 200, "{}", bound.text());

    portal.sign_up(ASKS, "new-eve", "13800000103");
    let mut browser = Browser::new(portal, ASKS);
    sign_in(&mut browser, "new-2", "");
    portal.send_code(ASKS, CodePurpose::Bind, "13800000104");
    let unknown = bind(&mut browser, &json!({ "mobile": "13800000104", "code": CODE }));
    assert_eq!((unknown.status, &unknown.json()["message"]), (404, &json!("User not found, please register first")));
    let guessed = bind(&mut browser, &json!({ "mobile": "13800000103", "code": "000000" }));
    assert_eq!(guessed.status, 400);
    portal.send_code(ASKS, CodePurpose::Bind, "13800000103");
    let bound = bind(&mut browser, &json!({ "mobile": "13800000103", "code": CODE }));
    assert_eq!(bound.status, 200, "{}", bound.text());
    assert_eq!(bound.json()["data"]["userName"], "***-eve");
}

#[test]
fn a_client_signs_in_by_calls() {
    let Environment { provider, portal } = &*ENVIRONMENT;
    let begin = |browser: &mut Browser| {
        let asked = browser.call("GET", "/rc-pub/api/getUmtLoginUrl?url=%2Fen%2Fissues", &Value::Null);
        assert_eq!(asked.status, 200, "{}", asked.text());
        asked.json()["data"]["address"].as_str().unwrap().to_owned()
    };
    let mut browser = Browser::new(portal, CREATES);
    let address = begin(&mut browser);
    let query = |back: &str| -> BTreeMap<String, String> {
        url::Url::parse(back).unwrap().query_pairs().into_owned().collect()
    };
    let back = query(&provider.sign_in(&address, account("calls-1")));
    let done =
        browser.call("POST", "/rc-pub/api/loginByThirdLoginUrl", &json!({ "provider": "campus", "query": back }));
    assert_eq!((done.status, &done.json()["message"]), (200, &json!("Login successful")), "{}", done.text());
    let token = done.json()["data"]["token"].as_str().unwrap().to_owned();
    let listed = portal.call("GET", CREATES, "/rc-pub/api/identities", &[("token", &token)], &Value::Null);
    assert_eq!(listed.json()["data"][0]["subject"], "calls-1");
    let again = browser.call("POST", "/rc-pub/api/loginByThirdLoginUrl", &json!({ "query": back }));
    assert_eq!(again.status, 400, "the sign-in is over: {}", again.text());

    let mut browser = Browser::new(portal, ASKS);
    let back = query(&provider.sign_in(&begin(&mut browser), account("calls-2")));
    let unknown = browser.call("POST", "/rc-pub/api/loginByThirdLoginUrl", &json!({ "query": back }));
    assert_eq!((unknown.status, &unknown.json()["message"]), (404, &json!("User not found, please bind first")));
    assert!(browser.has("mh_binding") && !browser.has("mh_session"));
    let nowhere = portal.call("GET", ASKS, "/rc-pub/api/getUmtLoginUrl?provider=nobody", &[], &Value::Null);
    assert_eq!(nowhere.status, 404);
}

#[test]
fn a_member_binds_and_removes_identities_in_the_account() {
    let portal = &ENVIRONMENT.portal;
    let (ada, eve) = (portal.sign_up(ASKS, "adds-ada", "13800000105"), portal.sign_up(ASKS, "adds-eve", "13800000106"));
    let mut browser = Browser::new(portal, ASKS).with(&ada.cookies);
    let before = browser.cookie("mh_session");
    let back = sign_in(&mut browser, "adds-1", "%2Fen%2Fpersonal");
    assert_eq!((back.status, back.header("location")), (303, "/en/personal"), "{}", back.text());
    assert_ne!(browser.cookie("mh_session"), before, "the session has another token");
    let another = sign_in(&mut browser, "adds-2", "");
    assert_eq!(another.status, 409, "{}", another.text());
    let mut of_eve = Browser::new(portal, ASKS).with(&eve.cookies);
    let taken = sign_in(&mut of_eve, "adds-1", "");
    assert_eq!(taken.status, 409, "{}", taken.text());

    // Somebody else has signed in on the same browser before the reader comes back.
    let away = of_eve.get("/en/login/external?provider=campus");
    let back = ENVIRONMENT.provider.sign_in(away.header("location"), account("adds-3"));
    let mut switched = of_eve.with(&ada.cookies.replace(&before, &browser.cookie("mh_session")));
    let refused = switched.get(&switched.path_of(&back));
    assert_eq!(refused.status, 400, "{}", refused.text());

    let removed = browser.call("DELETE", "/rc-pub/api/identities?provider=campus", &Value::Null);
    assert_eq!(removed.status, 200, "{}", removed.text());
    let listed = browser.call("GET", "/rc-pub/api/identities", &Value::Null).json()["data"].clone();
    assert_eq!((&listed[0]["provider"], &listed[0]["since"]), (&json!("campus"), &Value::Null));
    let none = browser.call("DELETE", "/rc-pub/api/identities?provider=campus", &Value::Null);
    assert_eq!(none.status, 404);
    let stranger = portal.call("GET", ASKS, "/rc-pub/api/identities", &[], &Value::Null);
    assert_eq!(stranger.status, 401);
    let other_site = portal.call("GET", CREATES, "/rc-pub/api/identities", &[("token", &ada.token)], &Value::Null);
    assert_eq!(other_site.status, 401, "a session holds for one site");
}

#[test]
fn a_link_of_another_site_binds_nothing() {
    let Environment { provider, portal } = &*ENVIRONMENT;
    let ada = portal.sign_up(ASKS, "links-ada", "13800000107");
    let mut browser = Browser::new(portal, ASKS).with(&ada.cookies);
    let away = browser.send("GET", "/en/login/external?provider=campus", &[("sec-fetch-site", "cross-site")], "");
    let back = provider.sign_in(away.header("location"), account("links-1"));
    let done = browser.get(&browser.path_of(&back));
    assert!(done.header("location").starts_with("/en/accountBinding"), "{}", done.header("location"));
    let waiting = browser.send(
        "POST",
        "/rc-pub/api/thirdBind",
        &[("sec-fetch-site", "cross-site"), ("content-type", "application/json")],
        "{}",
    );
    assert_eq!(waiting.status, 403, "{}", waiting.text());
}

#[test]
fn what_comes_back_has_to_be_what_this_browser_began() {
    let Environment { provider, portal } = &*ENVIRONMENT;
    let mut browser = Browser::new(portal, CREATES);
    let away = browser.get("/en/login/external");
    let back = browser.path_of(&provider.sign_in(away.header("location"), account("begun-1")));
    let mut stranger = Browser::new(portal, CREATES);
    assert_eq!(stranger.get(&back).status, 400, "another browser");
    assert_eq!(browser.get(&back.replace("state=", "state=x")).status, 400, "another state");
    assert_eq!(browser.get(&format!("{back}&state=x")).status, 400, "two states");
    let mut moved = Browser::new(portal, ASKS);
    moved.set("mh_signin", &browser.cookie("mh_signin"));
    assert_eq!(moved.get(&back).status, 400, "another site");
    let elsewhere = browser.get(&back.replace("code=", "code=x&code="));
    assert_eq!(elsewhere.status, 403, "two codes: {}", elsewhere.text());
    assert_eq!(browser.get(&back).status, 400, "a sign-in that failed is over");
    let away = browser.get("/en/login/external?url=https%3A%2F%2Fevil.example%2F");
    let back = provider.sign_in(away.header("location"), account("begun-1"));
    assert_eq!(browser.get(&browser.path_of(&back)).header("location"), "/en/home/");
    let away = browser.get("/en/login/external");
    let state = url::Url::parse(away.header("location")).unwrap();
    let state = state.query_pairs().find(|(name, _)| name == "state").unwrap().1.into_owned();
    let script = "error=%3Cscript%3Ealert(1)%3C%2Fscript%3E&error_description=call%20us";
    let refused = browser.get(&format!("/en/login/callback?{script}&state={state}"));
    assert_eq!(refused.status, 403);
    assert!(!refused.text().contains("alert(1)") && !refused.text().contains("call us"), "{}", refused.text());
}

/// One provider for all tests, so that what it does wrong is tested in a portal of its own.
#[test]
fn a_provider_that_lies_or_is_away_signs_nobody_in() {
    let server = Fake::start(|_| Reply::status(503));
    let data = data_with_secrets("identities-lies", &format!("[448]\ncampus = \"{SECRET}\"\n"));
    let portal =
        Portal::start("identities-lies", Setup { bare: true, data: Some(data), ..Setup::default() }, |sites| {
            let provider =
                |name: &str, rest: &str| format!("[accounts.providers.{name}]\nclientId = \"journal\"\n{rest}\n");
            let own = format!("issuer = \"{}\"\nprivateNetwork = true\nnewMembers = \"create\"", server.origin());
            add_to_site(sites, ASKS, &provider("campus", &format!("{own}\nsecret = \"campus\"")));
            add_to_site(sites, ASKS, &provider("unset", &format!("{own}\nsecret = \"unset\"")));
            add_to_site(sites, ASKS, &provider("private", "issuer = \"https://127.0.0.1:9\""));
        });
    let time = Arc::clone(&portal.time);
    let provider = openid::Provider::new(&server.origin(), "journal", SECRET, move || time.load(Ordering::Relaxed));
    let mut browser = Browser::new(&portal, ASKS);
    for name in ["campus", "private"] {
        let away = browser.get(&format!("/en/login/external?provider={name}"));
        assert_eq!(away.status, 502, "{name}: {}", away.text());
        assert!(away.text().contains("cannot be reached"), "{}", away.text());
    }
    portal.advance(std::time::Duration::from_secs(11));
    let answering = provider.clone();
    server.answer(move |seen: &RecordedRequest| {
        let body = String::from_utf8(seen.body.clone()).unwrap();
        let (status, answer) = answering.answer(&seen.method, &seen.path, seen.header("authorization"), &body);
        Reply { status, ..Reply::ok(answer) }
    });
    let try_at = |browser: &mut Browser, name: &str| {
        let away = browser.get(&format!("/en/login/external?provider={name}"));
        assert_eq!(away.status, 303, "{}", away.text());
        let back = provider.sign_in(away.header("location"), account("lies-1"));
        browser.get(&browser.path_of(&back))
    };
    provider.lie(Misbehaviour { foreign_key: true, ..Misbehaviour::default() });
    let refused = try_at(&mut browser, "campus");
    assert_eq!(refused.status, 403, "{}", refused.text());
    assert!(refused.text().contains("not accepted") && !browser.has("mh_session"), "{}", refused.text());
    provider.lie(Misbehaviour::default());
    assert_eq!(try_at(&mut browser, "unset").status, 502, "the client secret is not set");
    assert_eq!(try_at(&mut browser, "campus").status, 303);
    assert!(browser.has("mh_session"));
}
