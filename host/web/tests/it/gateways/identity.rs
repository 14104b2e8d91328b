//! Sign-in at an identity provider with the authorization code flow of OAuth 2.0.

use std::sync::{LazyLock, Mutex};

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use masthead_domain::SiteId;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use masthead_test_support::{
    Answer, Fake, Portal, RecordedRequest, Reply, Setup, assert_not_leaked, data_with_secrets, listen_to_log,
    trust_local_proxy,
};

const SECRET: &str = "client-secret-3Zt";
const NORTH: &str = "northcampus.localhost";
const CALLBACK: &str = "http://northcampus.localhost/en/login/callback";

/// An identity provider whose codes are valid once, for the client and the callback that requested them.
fn provider() -> impl Fn(&RecordedRequest) -> Reply + Send {
    let used = Mutex::new(Vec::new());
    move |seen| match (seen.method.as_str(), seen.path.as_str()) {
        ("POST", "/token") => {
            let right = format!("Basic {}", STANDARD.encode(format!("masthead-demo:{SECRET}")));
            let (code, mut used) = (seen.field("code"), used.lock().unwrap());
            let fits = seen.header("authorization") == right
                && seen.field("grant_type") == "authorization_code"
                && seen.field("redirect_uri").ends_with("/login/callback");
            if !fits || !code.starts_with("code-") || used.contains(&code) {
                return Reply { status: 400, ..Reply::ok(json!({ "error": "invalid_grant" })) };
            }
            used.push(code.clone());
            Reply::ok(json!({ "access_token": format!("token-{code}"), "token_type": "Bearer" }))
        }
        ("POST", "/user") => match seen.field("access_token").as_str() {
            "token-code-nobody" => Reply::ok(json!({ "name": "Somebody" })),
            "token-code-odd" => Reply::ok(json!({ "sub": 77, "name": "<script>alert(1)</script>" })),
            "token-code-broken" => Reply::ok("<html>"),
            "token-code-ended" => Reply::ok(json!({ "sub": "u-ended", "name": "Somebody else" })),
            "token-code-late" => Reply::status(500),
            token if token.starts_with("token-") => Reply::ok(json!({ "sub": "u-1", "name": "13812345678" })),
            _ => Reply::status(401),
        },
        _ => Reply::status(404),
    }
}

struct Environment {
    provider: Fake,
    portal: Portal,
}

static ENVIRONMENT: LazyLock<Environment> = LazyLock::new(|| {
    listen_to_log();
    let provider = Fake::start(provider());
    let secrets = format!(
        "[942]\nidentity-client = \"{SECRET}\"\n[945]\nidentity-client = \"{SECRET}\"\n[979]\nidentity-client = \"wrong-secret-1\"\n"
    );
    let setup = Setup { data: Some(data_with_secrets("identity", &secrets)), ..Setup::default() };
    let portal = Portal::start("identity", setup, |sites| {
        trust_local_proxy(sites);
        // A group of sites changes to another identity provider by its address and grant alone.
        let file = sites.join("groups/campuses.toml");
        let text = std::fs::read_to_string(&file).unwrap();
        let text = text.replace("https://login.example.org", &provider.origin());
        let text =
            text.replace("http = [\"login.example.org\"]", &format!("privateHttp = [\"{}\"]", provider.origin()));
        std::fs::write(&file, text).unwrap();
    });
    assert_eq!(portal.ready()["problems"], json!([]));
    Environment { provider, portal }
});

/// The cookies that a response sets.
fn cookies(answer: &Answer) -> Vec<String> {
    answer.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap().to_owned()).collect()
}

fn pair(cookie: &str) -> &str {
    cookie.split(';').next().unwrap()
}

/// Starts a sign-in: the state in the redirect address, and the cookie of the pending sign-in.
fn start_sign_in(host: &str, path: &str) -> (String, String) {
    let away = ENVIRONMENT.portal.with(host, path, &[]);
    assert_eq!(away.status, 303, "{path}: {}", away.text());
    assert_eq!(away.header("cache-control"), "no-store");
    let address = url::Url::parse(away.header("location")).unwrap();
    let state = address.query_pairs().find(|(name, _)| name == "state").unwrap().1.into_owned();
    (state, pair(&cookies(&away)[0]).to_owned())
}

fn back(query: &str, cookie: &str) -> Answer {
    ENVIRONMENT.portal.with(
        NORTH,
        &format!("/en/login/callback?{query}"),
        &[("cookie", cookie), ("accept-language", "en")],
    )
}

fn session(cookie: &str) -> serde_json::Value {
    let page = ENVIRONMENT.portal.with(NORTH, "/en/issues", &[("cookie", cookie)]).text();
    masthead_test_support::bootstrap(&page)["session"].clone()
}

fn assert_not_signed_in(answer: &Answer) {
    assert!(cookies(answer).iter().all(|cookie| !cookie.starts_with("mh_session")), "{:?}", cookies(answer));
}

#[test]
fn a_reader_signs_in_and_out() {
    let Environment { provider, portal } = &*ENVIRONMENT;
    let away = portal.with(NORTH, "/en/login/external?url=%2Fen%2Fissues%3Fjournal%3Da", &[]);
    let address = away.header("location");
    let (before, query) = address.split_once('?').unwrap();
    assert_eq!((away.status, before), (303, format!("{}/authorize", provider.origin()).as_str()));
    let query: Vec<(String, String)> = url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    let of = |name: &str| query.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.as_str());
    assert_eq!((of("response_type"), of("client_id"), of("redirect_uri")), ("code", "masthead-demo", CALLBACK));
    assert!(of("state").len() >= 32 && of("scope") == "openid profile", "{query:?}");
    let set = &cookies(&away)[0];
    assert!(
        set.contains("; HttpOnly; SameSite=Lax") && set.contains("; Path=/;") && set.contains("Max-Age=600"),
        "{set}"
    );
    assert!(!set.contains(of("state")), "the state is sealed");

    let done = back(&format!("code=code-1&state={}", of("state")), pair(set));
    assert_eq!((done.status, done.header("location")), (303, "/en/issues?journal=a"), "{}", done.text());
    let both = cookies(&done);
    let cookie = both.iter().find(|cookie| cookie.starts_with("mh_session=")).unwrap();
    assert!(cookie.contains("; HttpOnly; SameSite=Lax") && !cookie.contains("13812345678"), "{cookie}");
    assert!(both.iter().any(|cookie| cookie.starts_with("mh_signin=;") && cookie.contains("Max-Age=0")), "{both:?}");
    assert!(!done.header("location").contains("code") && !done.header("location").contains("token"));
    let seen = provider.seen();
    let challenge = |seen: &RecordedRequest| URL_SAFE_NO_PAD.encode(Sha256::digest(seen.field("code_verifier")));
    assert_eq!(of("code_challenge_method"), "S256");
    assert!(
        seen.iter().any(|seen| seen.path == "/token"
            && seen.field("redirect_uri") == CALLBACK
            && challenge(seen) == of("code_challenge")),
        "the code is exchanged with the verifier of the challenge"
    );

    let cookie = pair(cookie).to_owned();
    assert_eq!(session(&cookie), json!({ "signedIn": true, "userName": "138****5678" }));
    let page = portal.with(NORTH, "/en/issues", &[("cookie", cookie.as_str())]);
    assert!(!page.text().contains("13812345678") && page.header("cache-control").contains("private"));
    assert_eq!(
        session("a=b"),
        json!({ "signedIn": false, "userName": "" }),
        "the page of a signed-in reader is not cached"
    );
    let other = portal.with("southcampus.localhost", "/en/issues", &[("cookie", cookie.as_str())]).text();
    assert_eq!(
        masthead_test_support::bootstrap(&other)["session"]["signedIn"],
        false,
        "a session is valid on one site"
    );

    let foreign = [("cookie", cookie.as_str()), ("sec-fetch-site", "cross-site")];
    let left = portal.with(NORTH, "/en/logout", &foreign);
    assert!(left.status == 303 && cookies(&left).is_empty(), "another site cannot sign the reader out");
    let left = portal.with(NORTH, "/en/logout", &[("cookie", cookie.as_str()), ("sec-fetch-site", "same-origin")]);
    assert_eq!((left.status, left.header("location")), (303, "/en/home/"));
    assert!(cookies(&left)[0].starts_with("mh_session=;") && cookies(&left)[0].contains("Max-Age=0"));
    assert_eq!(session(&cookie)["signedIn"], false, "a copy of the cookie is void after the reader signed out");
    assert_not_leaked(portal, SECRET);
}

#[test]
fn all_sessions_of_a_user_can_be_ended() {
    let portal = &ENVIRONMENT.portal;
    let (state, cookie) = start_sign_in(NORTH, "/en/login/external");
    let done = back(&format!("code=code-ended&state={state}"), &cookie);
    let cookie = cookies(&done).into_iter().find(|cookie| cookie.starts_with("mh_session=")).unwrap();
    assert_eq!(session(pair(&cookie))["signedIn"], true);
    let site = portal.app.sites.load().by_sld("northcampus").unwrap().site.id;
    let store = portal.app.store.site(site);
    let member = portal.run(store.member_by_identity("plugin", "u-ended")).unwrap().expect("who signs in is a member");
    let ended =
        |site: SiteId| portal.run(portal.app.store.site(site).of_member(member).end_sessions_but(None)).unwrap();
    assert_eq!(ended(SiteId(site.0 + 1)), 0, "of another site");
    assert_eq!(session(pair(&cookie))["signedIn"], true);
    assert_eq!(ended(site), 1);
    assert_eq!(session(pair(&cookie))["signedIn"], false);
    let token = [("token", pair(&cookie).split_once('=').unwrap().1), ("language", "en")];
    let call = portal.with(NORTH, "/rc-pub/front/frontMembers/info", &token);
    assert_eq!(call.status, 401, "the token of calls is the same session");
}

#[test]
fn over_https_cookies_are_secure_and_belong_to_the_host() {
    let portal = &ENVIRONMENT.portal;
    let proxied = |cookie: &str, host: &str, path: &str| {
        portal.with(host, path, &[("x-forwarded-proto", "https"), ("x-forwarded-for", "192.0.2.1"), ("cookie", cookie)])
    };
    for (host, base, name) in [(NORTH, "", ""), ("127.0.0.1", "/northcampus", "-northcampus")] {
        let away = proxied("", host, &format!("{base}/en/login/external"));
        let address = url::Url::parse(away.header("location")).unwrap();
        let of = |name: &str| address.query_pairs().find(|(key, _)| key == name).unwrap().1.into_owned();
        assert_eq!(of("redirect_uri"), format!("https://{host}{base}/en/login/callback"));
        let begun = &cookies(&away)[0];
        assert!(begun.starts_with(&format!("__Host-mh_signin{name}=")), "{begun}");
        assert!(begun.ends_with("; HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=600"), "{begun}");
        let path = format!("{base}/en/login/callback?code=code-https{name}&state={}", of("state"));
        let plain = pair(begun).replace("__Host-", "");
        assert_eq!(proxied(&plain, host, &path).status, 400, "a cookie without the prefix may be set by anybody");
        let done = proxied(pair(begun), host, &path);
        assert_eq!(done.status, 303, "{}", done.text());
        let names = cookies(&done);
        let names: Vec<_> = names.iter().map(|cookie| cookie.split('=').next().unwrap()).collect();
        let (session, sign_in) = (format!("__Host-mh_session{name}"), format!("__Host-mh_signin{name}"));
        assert_eq!(names, [session.as_str(), "userName", sign_in.as_str()]);
        let cookie = cookies(&done).into_iter().find(|cookie| cookie.starts_with("__Host-mh_session")).unwrap();
        assert!(cookie.starts_with(&format!("__Host-mh_session{name}=")), "{cookie}");
        assert!(cookie.ends_with("; HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=43200"), "{cookie}");
        let signed_in = |cookie: &str| {
            let page = proxied(cookie, host, &format!("{base}/en/issues")).text();
            masthead_test_support::bootstrap(&page)["session"]["signedIn"] == true
        };
        assert!(signed_in(pair(&cookie)) && !signed_in(&pair(&cookie).replace("__Host-", "")));
    }
}

#[test]
fn the_state_must_match_the_browser_that_started_the_sign_in() {
    let (state, cookie) = start_sign_in(NORTH, "/en/login/external");
    let (other_state, other_cookie) = start_sign_in(NORTH, "/en/login/external");
    assert_ne!(state, other_state);
    let forged = format!("{}x", &cookie[..cookie.len() - 1]);
    for (query, cookie) in [
        (format!("code=code-a&state={state}"), ""),
        (format!("code=code-a&state={state}"), other_cookie.as_str()),
        (format!("code=code-a&state={state}"), forged.as_str()),
        (format!("code=code-a&state={}x", &state[1..]), cookie.as_str()),
        ("code=code-a&state=".to_owned(), cookie.as_str()),
        ("code=code-a".to_owned(), cookie.as_str()),
        (String::new(), cookie.as_str()),
    ] {
        let answer = back(&query, cookie);
        assert_eq!(answer.status, 400, "{query} {cookie}");
        assert!(answer.text().contains("Signing in failed"), "{}", answer.text());
        assert_not_signed_in(&answer);
    }
    // A sign-in that started on one site cannot be completed on another.
    let (state, cookie) = start_sign_in("southcampus.localhost", "/en/login/external");
    assert_not_signed_in(&back(&format!("code=code-b&state={state}"), &cookie));
}

#[test]
fn a_sign_in_returns_to_the_same_site_only() {
    for (at, (requested, place)) in [
        ("%2Fzh%2Farticle%2F17", "/zh/article/17"),
        ("https%3A%2F%2Fevil.example%2F", "/en/home/"),
        ("%2F%2Fevil.example%2F", "/en/home/"),
        ("%2F%5Cevil.example", "/en/home/"),
        ("%2F%09%2Fevil.example", "/en/home/"),
        ("javascript%3Aalert(1)", "/en/home/"),
        ("", "/en/home/"),
    ]
    .into_iter()
    .enumerate()
    {
        let (state, cookie) = start_sign_in(NORTH, &format!("/en/login/external?url={requested}"));
        let done = back(&format!("code=code-inside-{at}&state={state}"), &cookie);
        assert_eq!((done.status, done.header("location")), (303, place), "{requested}");
    }
}

#[test]
fn on_the_shared_host_a_session_is_limited_to_the_sites_pages_and_files() {
    let Environment { portal, .. } = &*ENVIRONMENT;
    let away = portal.with("127.0.0.1", "/northcampus/en/login/external?url=%2Foceanledger%2Fen%2F", &[]);
    assert!(cookies(&away)[0].contains("; Path=/northcampus/;"), "{:?}", cookies(&away));
    let address = url::Url::parse(away.header("location")).unwrap();
    let state = address.query_pairs().find(|(name, _)| name == "state").unwrap().1.into_owned();
    let path = format!("/northcampus/en/login/callback?code=code-path&state={state}");
    let done = portal.with("127.0.0.1", &path, &[("cookie", pair(&cookies(&away)[0]))]);
    assert_eq!((done.status, done.header("location")), (303, "/northcampus/en/home/"), "{}", done.text());
    let site = portal.app.sites.load().by_sld("northcampus").unwrap().site.id;
    let files = format!("; Path=/media/{site}/;");
    let set = cookies(&done);
    let [of_pages, of_files, name, of_sign_in] = &set[..] else { panic!("{set:?}") };
    assert!(of_pages.starts_with("mh_session=") && of_pages.contains("; Path=/northcampus/;"), "{of_pages}");
    assert!(of_files.contains(&files) && pair(of_files) == pair(of_pages), "the same session: {set:?}");
    assert!(of_sign_in.starts_with("mh_signin=;") && of_sign_in.contains("; Path=/northcampus/;"), "{of_sign_in}");
    assert!(name.starts_with("userName=") && name.contains("; Path=/northcampus/;"), "{name}");
    let left = portal.with("127.0.0.1", "/northcampus/en/logout", &[("cookie", pair(of_pages))]);
    let removed = cookies(&left);
    assert!(removed.iter().all(|cookie| cookie.contains("=;") && cookie.contains("Max-Age=0")), "{removed:?}");
    assert!(removed[..2].iter().all(|cookie| cookie.starts_with("mh_session=;")), "{removed:?}");
    assert!(removed[0].contains("; Path=/northcampus/;") && removed[1].contains(&files), "{removed:?}");
    let page = portal.with("127.0.0.1", "/northcampus/en/issues", &[("cookie", pair(of_files))]).text();
    assert_eq!(masthead_test_support::bootstrap(&page)["session"]["signedIn"], false, "the session has ended for both");
}

#[test]
fn a_refused_sign_in_is_reported_and_creates_no_session() {
    let Environment { portal, .. } = &*ENVIRONMENT;
    let again = |code: &str| {
        let (state, cookie) = start_sign_in(NORTH, "/en/login/external");
        back(&format!("code={code}&state={state}"), &cookie)
    };
    assert_eq!(again("code-once").status, 303);
    for code in ["code-once", "unknown", "code-nobody", "code-broken", "code-late", ""] {
        let answer = again(code);
        assert!(matches!(answer.status, 403 | 502), "{code}: {}", answer.status);
        assert!(answer.text().contains("Signing in failed"), "{code}: {}", answer.text());
        assert_not_signed_in(&answer);
    }
    let (state, cookie) = start_sign_in(NORTH, "/en/login/external");
    let reason = "error=access_denied&error_description=%3Cscript%3Ealert(1)%3C%2Fscript%3E";
    let answer = back(&format!("{reason}&state={state}"), &cookie);
    assert_eq!(answer.status, 403);
    assert!(answer.text().contains("&lt;script&gt;") && !answer.text().contains("<script>"), "{}", answer.text());
    assert_not_signed_in(&answer);

    // A hostile name is escaped.
    let odd = again("code-odd");
    let cookie = cookies(&odd).into_iter().find(|cookie| cookie.starts_with("mh_session=")).unwrap();
    let page = portal.with(NORTH, "/en/home", &[("cookie", pair(&cookie))]).text();
    assert!(!page.contains("<script>alert"), "the name is escaped");

    // A site with a wrong client secret.
    let host = "islandcampus.localhost";
    let (state, cookie) = start_sign_in(host, "/en/login/external");
    let path = format!("/en/login/callback?code=code-island&state={state}");
    let answer = portal.with(host, &path, &[("cookie", cookie.as_str())]);
    assert_eq!(answer.status, 403);
    assert_not_signed_in(&answer);
    assert!(!answer.text().contains("wrong-secret-1"));
    for site in ["plainpress", "oceanledger"] {
        for path in ["/en/login/external", "/en/login/callback?code=x&state=y"] {
            let answer = portal.get(site, path);
            assert!(matches!(answer.status, 400 | 404), "{site} {path}: {}", answer.status);
            assert_not_signed_in(&answer);
        }
    }
    assert_not_leaked(portal, "wrong-secret-1");
}
