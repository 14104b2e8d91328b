//! What a session is to a browser and to a client, and when it ends.

use std::time::Duration;

use masthead_test_support::{Answer, PASSWORD, Portal, Setup, SignedUp};
use serde_json::{Value, json};

use super::{OTHER, PORTAL, SITE, login, sessions};

fn set_cookies(answer: &Answer) -> Vec<String> {
    answer.headers.get_all("set-cookie").iter().map(|cookie| cookie.to_str().unwrap().to_owned()).collect()
}

fn change_password(token: &str, old: &str, new: &str) -> Answer {
    let body = json!({ "oldPassword": old, "password": new });
    PORTAL.call("PUT", SITE, "/rc-pub/api/changePwd", &[("token", token)], &body)
}

#[test]
fn the_session_is_a_cookie_that_scripts_cannot_read_beside_a_name_that_they_can() {
    PORTAL.sign_up(SITE, "cookiereader", "13700000101");
    let set = set_cookies(&login("cookiereader", PASSWORD, "192.0.2.101"));
    let [session, name] = &set[..] else { panic!("{set:?}") };
    assert!(
        session.starts_with("mh_session=") && session.ends_with("; HttpOnly; SameSite=Lax; Path=/; Max-Age=43200"),
        "{session}"
    );
    assert_eq!(name, "userName=cook%2A%2A%2A%2Aader; SameSite=Lax; Path=/; Max-Age=43200");
    let https = PORTAL.call(
        "POST",
        SITE,
        "/rc-pub/api/login",
        &[("x-forwarded-for", "192.0.2.101"), ("x-forwarded-proto", "https")],
        &json!({ "userName": "cookiereader", "password": PASSWORD }),
    );
    let set = set_cookies(&https);
    assert!(set[0].starts_with("__Host-mh_session=") && set[0].contains("; Secure; Path=/;"), "{set:?}");
    assert!(!set[0].contains("Domain") && set[1].contains("; Secure;"), "{set:?}");
}

#[test]
fn signing_out_ends_the_session_in_every_tab() {
    let member = PORTAL.sign_up(SITE, "tabber", "13700000102");
    let cookies = [("cookie", member.cookies.as_str())];
    let page = || PORTAL.with(&format!("{SITE}.localhost"), "/en/home/", &cookies).text();
    assert!(page().contains("**bber"), "the page shows the masked name");
    for _ in 0..2 {
        let left = PORTAL.call("DELETE", SITE, "/rc-pub/api/logout", &cookies, &Value::Null);
        assert_eq!((left.status, &left.json()["message"]), (200, &json!("Signed out")));
        let removed = set_cookies(&left);
        for name in ["mh_session=;", "userName=;", "commonToken=;"] {
            let cookie = removed.iter().find(|cookie| cookie.starts_with(name));
            assert!(cookie.is_some_and(|cookie| cookie.contains("Max-Age=0")), "{name} {removed:?}");
        }
        assert!(!removed.iter().any(|cookie| cookie.starts_with("aesPassword")), "the key is kept: {removed:?}");
    }
    assert_eq!(sessions(&member.token).status, 401);
    assert!(!page().contains("**bber"), "the page does not know the reader any more");
}

#[test]
fn a_token_belongs_to_its_site() {
    let member = PORTAL.sign_up(SITE, "traveller", "13700000103");
    let there = PORTAL.call("GET", OTHER, "/rc-pub/api/sessions", &[("token", &member.token)], &Value::Null);
    assert_eq!(there.status, 401);
    let body = json!({ "userName": "traveller", "password": PASSWORD });
    assert_eq!(
        PORTAL.call("POST", OTHER, "/rc-pub/api/login", &[], &body).status,
        401,
        "an account belongs to one site"
    );
    PORTAL.sign_up(OTHER, "traveller", "13700000103");
}

#[test]
fn a_changed_password_gives_the_session_another_token_and_ends_the_others() {
    let member = PORTAL.sign_up(SITE, "changer", "13700000104");
    let other = SignedUp::of(&login("changer", PASSWORD, "192.0.2.104"));
    let wrong = change_password(&member.token, "Wrong7xQk", "Neap8yRm");
    assert_eq!(
        (wrong.status, &wrong.json()["message"]),
        (400, &json!("The original password is wrong, please try again."))
    );
    let same = change_password(&member.token, PASSWORD, PASSWORD);
    assert_eq!(same.json()["message"], "The new password must differ from the original one.");
    let changed = change_password(&member.token, PASSWORD, "Neap8yRm");
    assert_eq!(changed.status, 200, "{}", changed.text());
    let renewed = SignedUp::of(&changed);
    assert_ne!(renewed.token, member.token);
    assert_eq!([&member, &other, &renewed].map(|one| sessions(&one.token).status), [401, 401, 200]);
    assert_eq!(set_cookies(&changed).len(), 2, "the browser gets the new token");
}

#[test]
fn members_list_and_end_their_sessions() {
    let member = PORTAL.sign_up(SITE, "lister", "13700000105");
    let other = SignedUp::of(&login("lister", PASSWORD, "192.0.2.105"));
    let stranger = PORTAL.sign_up(SITE, "stranger", "13700000106");
    let listed = sessions(&member.token).json()["data"].as_array().unwrap().clone();
    let (own, others): (Vec<_>, Vec<_>) = listed.iter().partition(|one| one["current"] == true);
    assert_eq!((own.len(), others.len()), (1, 1), "{listed:?}");
    let end = |token: &str, query: &str| {
        PORTAL.call("DELETE", SITE, &format!("/rc-pub/api/sessions{query}"), &[("token", token)], &Value::Null).status
    };
    let query = format!("?id={}", others[0]["id"]);
    assert_eq!(end(&stranger.token, &query), 404, "a session of somebody else");
    assert_eq!(sessions(&other.token).status, 200);
    assert_eq!((end(&member.token, &query), end(&member.token, &query)), (200, 404));
    assert_eq!(sessions(&other.token).status, 401);
    let third = SignedUp::of(&login("lister", PASSWORD, "192.0.2.105"));
    assert_eq!(end(&member.token, ""), 200);
    assert_eq!([&member, &third, &stranger].map(|one| sessions(&one.token).status), [200, 401, 200]);
}

#[test]
fn a_session_ends_when_it_is_idle_or_old() {
    let portal = Portal::start("session-times", Setup { bare: true, ..Setup::default() }, |sites| {
        masthead_test_support::add_to_site(sites, SITE, "[accounts.sessions]\nidleMinutes = 30\nmaxHours = 1\n");
    });
    let valid = |member: &SignedUp| {
        portal.call("GET", SITE, "/rc-pub/api/sessions", &[("token", &member.token)], &Value::Null).status == 200
    };
    let minutes = |count: u64| portal.advance(Duration::from_secs(count * 60));
    let (idle, used) = (portal.sign_up(SITE, "idle", "13700000107"), portal.sign_up(SITE, "busy", "13700000108"));
    minutes(29);
    assert!(valid(&used));
    minutes(1);
    assert!(!valid(&idle) && valid(&used), "half an hour without a request");
    minutes(29);
    assert!(valid(&used));
    minutes(1);
    assert!(!valid(&used), "an hour after it began");
}

#[test]
fn a_new_number_needs_its_code_and_the_password() {
    let member = PORTAL.sign_up(SITE, "mover", "13700000109");
    PORTAL.send_code(SITE, masthead_domain::member::CodePurpose::Mobile, "13700000110");
    let change = |body: &Value| PORTAL.call("PUT", SITE, "/rc-pub/api/changeMobile", &[("token", &member.token)], body);
    let right = json!({ "mobile": "13700000110", "code": super::CODE, "password": PASSWORD });
    for (key, value, message) in [
        ("password", Value::Null, "Please enter the original password"),
        ("password", json!("Wrong7xQk"), "The original password is wrong, please try again."),
        ("code", json!("000000"), "The verification code is wrong or has expired, please try again."),
        ("mobile", json!("1"), "Phone number format incorrect, please try again."),
    ] {
        let mut body = right.clone();
        body[key] = value;
        let answer = change(&body);
        assert_eq!((answer.status, answer.json()["message"].as_str().unwrap()), (400, message), "{body}");
    }
    assert_eq!(change(&right).status, 200);
    assert_eq!(login("13700000110", PASSWORD, "192.0.2.109").status, 200);
    assert_eq!(login("13700000109", PASSWORD, "192.0.2.109").status, 401, "the earlier number is nobody's");
}
