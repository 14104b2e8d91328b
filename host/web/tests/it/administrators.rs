//! Administrators' accounts: from the invitation to the session, what each role reaches, and where a session has no effect.

use std::{collections::BTreeSet, sync::LazyLock, time::Duration};

use masthead_accounts::administrators::{self, Invitation};
use masthead_domain::{
    SiteId,
    member::{MemberName, Role, RoleScope},
};
use masthead_test_support::{Answer, Portal, Setup};
use serde_json::{Value, json};

const CONSOLE: &str = "console.localhost";
const SITE: &str = "oceanledger.localhost";
const HERE: i64 = 448;
const THERE: i64 = 502;
const PASSWORD: &str = "spring tide at the pier";
const SIGN_IN: &str = "/rc-pub/admin/sign-in";
const PEOPLE: &str = "/rc-pub/admin/people";

static PORTAL: LazyLock<Portal> =
    LazyLock::new(|| Portal::start("administrators", Setup { bare: true, ..Setup::default() }, |_| {}));

fn invite(email: &str, scope: RoleScope, role: Role) -> String {
    // All tests are one client, which may try to sign in so often in a minute.
    PORTAL.advance(Duration::from_secs(61));
    let (store, now) = (&PORTAL.app.store, PORTAL.app.counting.now());
    let name = MemberName::email(email).unwrap();
    let invitation = Invitation { email: &name, scope, role, days: 1 };
    PORTAL.run(administrators::invite(store, &invitation, "tests", now)).unwrap().text
}

fn post(host: &str, path: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
    let headers: Vec<_> =
        [("language", "en"), ("content-type", "application/json")].iter().chain(headers).copied().collect();
    PORTAL.ask("POST", host, path, &headers, &body.to_string())
}

fn accept(token: &str) -> Answer {
    let body = json!({ "token": token, "name": "Ada", "password": PASSWORD });
    post(CONSOLE, "/rc-pub/admin/invitation", &[], &body)
}

fn sign_in(email: &str, password: &str) -> Answer {
    post(CONSOLE, SIGN_IN, &[], &json!({ "email": email, "password": password }))
}

/// The cookie of an administrator who was invited, accepted and signed in.
fn administrator(email: &str, scope: RoleScope, role: Role) -> String {
    assert_eq!(accept(&invite(email, scope, role)).status, 200);
    let signed_in = sign_in(email, PASSWORD);
    assert_eq!(signed_in.status, 200, "{}", signed_in.text());
    signed_in.cookie()
}

fn message(answer: &Answer) -> String {
    answer.json()["message"].as_str().unwrap_or_default().to_owned()
}

fn get(path: &str, cookie: &str) -> Answer {
    PORTAL.with(CONSOLE, path, &[("cookie", cookie), ("language", "en")])
}

#[test]
fn an_invitation_leads_to_an_account_and_the_account_to_a_session() {
    let token = invite("first@example.org", RoleScope::Installation, Role::PlatformAdministrator);
    assert_eq!(accept("x").status, 404);
    let weak = json!({ "token": token, "name": "Ada", "password": "short" });
    assert_eq!(post(CONSOLE, "/rc-pub/admin/invitation", &[], &weak).status, 400);
    let accepted = accept(&token);
    assert_eq!((accepted.status, accepted.header("set-cookie")), (200, ""), "an invitation signs nobody in");
    let again = accept(&token);
    assert_eq!((again.status, message(&again).contains("expired or was used")), (404, true), "{}", again.text());

    let signed_in = sign_in("First@Example.org", PASSWORD);
    let set = signed_in.header("set-cookie").to_owned();
    assert!(set.starts_with("mh_admin=") && set.ends_with("; HttpOnly; SameSite=Strict; Path=/rc-pub/admin"), "{set}");
    assert_eq!(signed_in.json()["data"]["roles"], json!([{ "siteId": null, "role": "platform-administrator" }]));
    let cookie = signed_in.cookie();
    assert_eq!(get("/rc-pub/admin/me", &cookie).json()["data"]["name"], "first@example.org");
    assert_eq!(get("/rc-pub/admin/audit", &cookie).status, 200);

    let out = PORTAL.ask("DELETE", CONSOLE, SIGN_IN, &[("cookie", &cookie)], "");
    assert!(out.status == 200 && out.header("set-cookie").contains("Max-Age=0"), "{:?}", out.headers);
    assert_eq!(get("/rc-pub/admin/me", &cookie).status, 401);
}

#[test]
fn wrong_names_and_passwords_are_told_alike() {
    administrator("known@example.org", RoleScope::Site(SiteId(HERE)), Role::Editor);
    let answers: Vec<_> =
        [("known@example.org", "wrong"), ("unknown@example.org", PASSWORD), ("", ""), ("no address", "x")]
            .into_iter()
            .map(|(email, password)| sign_in(email, password))
            .map(|answer| (answer.status, message(&answer), answer.header("set-cookie").to_owned()))
            .collect();
    let expected = (401, "The e-mail address or the password is wrong".to_owned(), String::new());
    assert!(answers.iter().all(|answer| *answer == expected), "{answers:?}");
}

#[test]
fn a_session_has_an_effect_at_the_administrators_host_alone() {
    let cookie = administrator("apart@example.org", RoleScope::Installation, Role::PlatformAdministrator);
    assert_eq!(get("/rc-pub/admin/me", &cookie).status, 200);
    for host in [SITE, "127.0.0.1"] {
        let headers = [("cookie", cookie.as_str()), ("language", "en")];
        assert_eq!(PORTAL.with(host, "/rc-pub/admin/me", &headers).status, 401, "{host}");
        let there = post(host, SIGN_IN, &[], &json!({ "email": "apart@example.org", "password": PASSWORD }));
        assert_eq!((there.status, there.header("set-cookie")), (403, ""), "{host}");
        assert!(message(&there).contains(CONSOLE), "{}", there.text());
    }
    // A session of an administrator is none of a reader, and the host serves no site.
    assert_eq!(PORTAL.with(CONSOLE, "/en/home", &[("cookie", &cookie)]).status, 404);
    // Pages of others cannot use it.
    let body = json!({ "email": "eve@example.org", "role": "platform-administrator" });
    for from in
        [("sec-fetch-site", "cross-site"), ("sec-fetch-site", "same-site"), ("origin", "http://oceanledger.localhost")]
    {
        assert_eq!(post(CONSOLE, PEOPLE, &[("cookie", &cookie), from], &body).status, 403, "{from:?}");
    }
}

#[test]
fn each_call_is_open_to_its_role_and_the_roles_above_it() {
    let roles = [Role::Reader, Role::Editor, Role::SiteAdministrator];
    let cookies =
        roles.map(|role| administrator(&format!("{}@example.org", role.as_str()), RoleScope::Site(SiteId(HERE)), role));
    for (method, path, least) in [
        ("GET", "/rc-pub/admin/records?siteId=448&type=journal", Role::Reader),
        ("GET", "/rc-pub/admin/comments?siteId=448", Role::Reader),
        ("GET", "/rc-pub/admin/redirects?siteId=448", Role::Reader),
        ("GET", "/rc-pub/admin/institutions?siteId=448", Role::Reader),
        ("GET", "/rc-pub/admin/import", Role::Reader),
        ("POST", "/rc-pub/admin/comments/1/approve?siteId=448", Role::Editor),
        ("GET", "/rc-pub/admin/crossref?siteId=448", Role::Editor),
        ("PUT", "/rc-pub/admin/redirect?siteId=448&from=/x", Role::Editor),
        ("DELETE", "/rc-pub/admin/redirect?siteId=448&from=/x", Role::Editor),
        ("PATCH", "/rc-pub/admin/record?siteId=448&type=journal&name=x", Role::Editor),
        ("GET", "/rc-pub/admin/audit?siteId=448", Role::Editor),
        ("GET", "/rc-pub/admin/settings?siteId=448", Role::SiteAdministrator),
        ("GET", "/rc-pub/admin/plugins?siteId=448", Role::SiteAdministrator),
        ("GET", "/rc-pub/admin/secrets?siteId=448", Role::SiteAdministrator),
        ("GET", "/rc-pub/admin/doctor?siteId=448", Role::SiteAdministrator),
        ("GET", "/rc-pub/admin/people?siteId=448", Role::SiteAdministrator),
        ("POST", "/rc-pub/admin/people?siteId=448", Role::SiteAdministrator),
        ("PUT", "/rc-pub/admin/institution?siteId=448", Role::SiteAdministrator),
        ("DELETE", "/rc-pub/admin/institution?siteId=448&key=x", Role::SiteAdministrator),
        ("PUT", "/rc-pub/admin/institution/member?siteId=448", Role::SiteAdministrator),
    ] {
        for (role, cookie) in roles.iter().zip(&cookies) {
            let ask = |path: &str| {
                let headers = [("cookie", cookie.as_str()), ("language", "en"), ("content-type", "application/json")];
                PORTAL.ask(method, CONSOLE, path, &headers, if method == "GET" { "" } else { "{}" })
            };
            let refused = ask(path);
            let by_role = refused.status == 403 && message(&refused).contains("needs the role");
            assert_eq!(by_role, *role < least, "{method} {path} {role:?}: {}", refused.text());
            if path.contains("siteId=448") {
                let elsewhere = ask(&path.replace("siteId=448", &format!("siteId={THERE}")));
                let named = message(&elsewhere).contains("has no role on site 502");
                assert_eq!((elsewhere.status, named), (403, true), "{method} {path} {role:?}: {}", elsewhere.text());
            }
        }
    }
}

#[test]
fn calls_about_the_installation_are_refused_to_every_role_on_a_site() {
    let cookie = administrator("site-only@example.org", RoleScope::Site(SiteId(HERE)), Role::SiteAdministrator);
    for (method, path) in [
        ("GET", "/rc-pub/admin/bundle?siteId=448"),
        ("GET", "/rc-pub/admin/bundle/loaded"),
        ("POST", "/rc-pub/admin/bundle?apply=true"),
        ("GET", "/rc-pub/admin/backups"),
        ("POST", "/rc-pub/admin/backups"),
        ("POST", "/rc-pub/admin/backups/verify"),
        ("GET", "/rc-pub/admin/reindex"),
        ("POST", "/rc-pub/admin/reindex"),
    ] {
        let headers = [("cookie", cookie.as_str()), ("language", "en")];
        let refused = PORTAL.ask(method, CONSOLE, path, &headers, "");
        assert_eq!(refused.status, 403, "{method} {path}: {}", refused.text());
        assert!(message(&refused).contains("whole installation"), "{method} {path}: {}", refused.text());
    }
}

#[test]
fn a_changed_password_gives_another_session() {
    let cookie = administrator("changer@example.org", RoleScope::Site(SiteId(HERE)), Role::Reader);
    let change = |cookie: &str, old: &str, new: &str| {
        let body = json!({ "oldPassword": old, "password": new }).to_string();
        PORTAL.ask("PUT", CONSOLE, "/rc-pub/admin/password", &[("cookie", cookie), ("language", "en")], &body)
    };
    let new = "neap tide at the pier";
    assert_eq!([change(&cookie, "x", new).status, change(&cookie, PASSWORD, "short").status], [400, 400]);
    let changed = change(&cookie, PASSWORD, new);
    assert_eq!(changed.status, 200, "{}", changed.text());
    assert_eq!(
        (get("/rc-pub/admin/me", &cookie).status, get("/rc-pub/admin/me", &changed.cookie()).status),
        (401, 200)
    );
    assert_eq!(
        [sign_in("changer@example.org", PASSWORD).status, sign_in("changer@example.org", new).status],
        [401, 200]
    );
}

#[test]
fn nobody_gives_more_than_they_have() {
    let manager = administrator("manager@example.org", RoleScope::Site(SiteId(HERE)), Role::SiteAdministrator);
    let invite = |site: &str, role: &str| {
        let body = json!({ "email": "new@example.org", "role": role });
        post(CONSOLE, &format!("{PEOPLE}{site}"), &[("cookie", &manager)], &body)
    };
    for (site, role, expected) in [
        ("?siteId=448", "editor", 200),
        ("?siteId=448", "site-administrator", 200),
        ("?siteId=448", "platform-administrator", 403),
        ("?siteId=502", "reader", 403),
        ("", "reader", 403),
        ("?siteId=448", "owner", 400),
    ] {
        let answer = invite(site, role);
        assert_eq!(answer.status, expected, "{site} {role}: {}", answer.text());
    }
    let made = invite("?siteId=448", "reader").json();
    assert_eq!(accept(made["data"]["token"].as_str().unwrap()).status, 200);
    let people = get(&format!("{PEOPLE}?siteId=448"), &manager).json();
    let new = people["data"].as_array().unwrap().iter().find(|one| one["email"] == "new@example.org").unwrap().clone();
    assert_eq!(new["roles"], json!([{ "siteId": 448, "role": "reader" }]), "the last invitation replaced the others");
}

#[test]
fn tokens_are_created_by_platform_administrators_from_their_own_host_alone() {
    let platform = administrator("tokens@example.org", RoleScope::Installation, Role::PlatformAdministrator);
    let manager = administrator("no-tokens@example.org", RoleScope::Site(SiteId(HERE)), Role::SiteAdministrator);
    let body = json!({ "name": "import", "role": "editor", "sites": [HERE] });
    let create = |cookie: &str, more: &[(&str, &str)]| {
        post(CONSOLE, "/rc-pub/admin/tokens", &[&[("cookie", cookie)], more].concat(), &body)
    };
    let refused = create(&manager, &[]);
    assert!(refused.status == 403 && message(&refused).contains("whole installation"), "{}", refused.text());
    assert_eq!(create(&platform, &[("sec-fetch-site", "same-site")]).status, 403, "a page of another site sends it");
    let created = create(&platform, &[]);
    assert_eq!(created.status, 200, "{}", created.text());
    let token = created.json()["data"]["token"].as_str().unwrap().to_owned();
    let records = format!("/rc-pub/admin/records?siteId={HERE}&type=journal");
    assert_eq!(PORTAL.with(SITE, &records, &[("token", &token)]).status, 200);
    let audit = get(&format!("/rc-pub/admin/audit?siteId={HERE}&subject=token/import"), &platform).json();
    assert_eq!(audit["data"][0]["who"], "tokens@example.org", "{audit}");
    let revoked = PORTAL.ask("DELETE", CONSOLE, "/rc-pub/admin/tokens?name=import", &[("cookie", &platform)], "");
    assert_eq!((revoked.status, PORTAL.with(SITE, &records, &[("token", &token)]).status), (200, 401));
}

#[test]
fn a_role_that_is_taken_away_ends_the_sessions_and_has_its_line() {
    let platform = administrator("root@example.org", RoleScope::Installation, Role::PlatformAdministrator);
    let cookie = administrator("gone@example.org", RoleScope::Site(SiteId(HERE)), Role::Editor);
    let records = "/rc-pub/admin/records?siteId=448&type=journal";
    assert_eq!(get(records, &cookie).status, 200);
    let id = |email: &str| {
        let people = get(PEOPLE, &platform).json();
        let people = people["data"].as_array().unwrap().clone();
        people.iter().find(|one| one["email"] == email).unwrap()["id"].as_i64().unwrap()
    };
    let revoke =
        |query: &str| PORTAL.ask("DELETE", CONSOLE, &format!("{PEOPLE}?{query}"), &[("cookie", &platform)], "").status;
    let gone = id("gone@example.org");
    assert_eq!((revoke(&format!("siteId=502&id={gone}")), revoke(&format!("siteId=448&id={gone}"))), (404, 200));
    assert_eq!(get(records, &cookie).status, 401, "the session has ended");
    assert_eq!((revoke(&format!("id={gone}")), sign_in("gone@example.org", PASSWORD).status), (200, 401), "closed");
    let audit = get("/rc-pub/admin/audit?size=500", &platform).json();
    let lines = audit["data"].as_array().unwrap();
    let of = |action: &str| {
        let subject = format!("administrator/{gone}");
        lines.iter().any(|line| {
            line["subject"] == subject.as_str() && line["action"] == action && line["who"] == "root@example.org"
        })
    };
    assert!(of("revoked") && of("closed"), "{audit}");
}

#[test]
fn institutions_are_kept_by_administrators_of_the_site() {
    let cookie = administrator("library@example.org", RoleScope::Site(SiteId(HERE)), Role::SiteAdministrator);
    let put = |path: &str, body: &Value| {
        let headers = [("cookie", cookie.as_str()), ("language", "en"), ("content-type", "application/json")];
        PORTAL.ask("PUT", CONSOLE, path, &headers, &body.to_string())
    };
    let path = "/rc-pub/admin/institution?siteId=448";
    for (body, expected) in [
        (json!({ "key": "lagoon", "name": "Lagoon", "networks": ["192.0.2.0/24"] }), 200),
        (json!({ "key": "lagoon", "name": "Lagoon Library", "networks": [], "until": "2030-01-01T00:00:00Z" }), 200),
        (json!({ "key": "Lagoon", "name": "Lagoon" }), 400),
        (json!({ "key": "delta", "name": "" }), 400),
        (json!({ "key": "delta", "name": "Delta", "networks": ["0.0.0.0/0"] }), 400),
        (json!({ "key": "delta", "name": "Delta", "until": "soon" }), 400),
        (json!({ "name": "Delta" }), 400),
    ] {
        let answer = put(path, &body);
        assert_eq!(answer.status, expected, "{body}: {}", answer.text());
    }
    let listed = get("/rc-pub/admin/institutions?siteId=448", &cookie).json();
    let keys: BTreeSet<&str> =
        listed["data"].as_array().unwrap().iter().filter_map(|one| one["key"].as_str()).collect();
    assert_eq!(keys, BTreeSet::from(["lagoon"]));
    let member = put("/rc-pub/admin/institution/member?siteId=448", &json!({ "key": "lagoon", "member": "nobody" }));
    assert_eq!(member.status, 404, "no such member");
    let remove = |key: &str| {
        let path = format!("{path}&key={key}");
        PORTAL.ask("DELETE", CONSOLE, &path, &[("cookie", &cookie)], "").status
    };
    assert_eq!((remove("lagoon"), remove("lagoon"), remove("%00")), (200, 404, 404));
}
