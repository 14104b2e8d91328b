//! `masthead session end`, beside a host that serves the same data folder.

use masthead_domain::SiteId;
use masthead_test_support::{Portal, Setup, masthead, stderr, stdout};
use masthead_web::auth::{
    cookies::CookiePlace,
    session::{Sessions, User},
};
use serde_json::{Value, json};

#[test]
fn the_sessions_of_a_user_are_ended_beside_a_running_host() {
    let portal = Portal::start("session-end", Setup { bare: true, ..Setup::default() }, |_| {});
    let (sites, data) = (portal.folder.join("sites"), portal.folder.join("data"));
    let app = &portal.app;
    let begin = |subject: &str| {
        let place = CookiePlace { site: 448, base: "", https: false };
        let sessions = Sessions::new(app.store.site(SiteId(448)), &app.cookie_key, place, app.counting.now());
        let user = User { subject: subject.into(), name: "Ada".into() };
        let cookies = portal.run(sessions.begin(&user, &axum::http::HeaderMap::new())).unwrap();
        cookies[0].split(';').next().unwrap().split_once('=').unwrap().1.to_owned()
    };
    // Accounts are not implemented: 501 is the answer to a reader who is signed in.
    let info = |token: &str| {
        let path = "/rc-pub/front/frontMembers/info";
        portal.with("oceanledger.localhost", path, &[("token", token)]).status
    };
    let (first, second, other) = (begin("u-1"), begin("u-1"), begin("u-2"));
    assert_eq!([info(&first), info(&second), info(&other)], [501; 3]);
    let end = |site: &str| masthead(&sites, &data, &["session", "end", "--site", site, "--subject", "u-1"]);
    assert!(stdout(&end("scriptstone")).contains("ended 0 sessions"));
    let ended = end("oceanledger");
    assert!(stdout(&ended).contains("ended 2 sessions"), "{}", stderr(&ended));
    assert_eq!([info(&first), info(&second), info(&other)], [401, 401, 501]);
    let audit = masthead(&sites, &data, &["audit", "list", "--subject", "session/u-1", "--json"]);
    let lines: Value = serde_json::from_str(&stdout(&audit)).unwrap();
    let line = &lines[0];
    assert_eq!(lines.as_array().unwrap().len(), 1, "ending no session leaves no line: {lines}");
    assert_eq!((&line["siteId"], &line["action"]), (&json!(448), &json!("ended")));
    assert_eq!(line["before"], json!({ "sessions": 2 }));
    let missing = end("nowhere");
    assert!(!missing.status.success() && stderr(&missing).contains("nowhere"), "{}", stderr(&missing));
}
