//! Clients over HTTP: their shares of what a site may do, and the forwarded headers of proxies.

use std::{sync::LazyLock, time::Duration};

use masthead_test_support::{Answer, Portal, Setup, trust_local_proxy};
use serde_json::Value;

const ASSISTANT: &str = "/rc-pub/front/front-article/aiqa/verify/generateSecureParams";
const TRANSLATION: &str = "/rc-pub/front/front-article/translate/getAiTranslateResult";
const SITE: &str = "tidesdesk.localhost";

fn bare() -> Setup {
    Setup { bare: true, ..Setup::default() }
}

/// A portal behind a proxy on this machine.
static PROXIED: LazyLock<Portal> = LazyLock::new(|| Portal::start("proxied", bare(), trust_local_proxy));
/// A portal that trusts no proxy.
static DIRECT: LazyLock<Portal> = LazyLock::new(|| Portal::start("direct", bare(), |_| {}));

type Request = (&'static str, &'static str, &'static str, &'static str);

/// Requests of every limited kind but messages and comments, which need a gateway and a session: method, host, path, body.
const REQUESTS: [Request; 5] = [
    ("GET", "northcampus.localhost", "/en/login/external", ""),
    ("POST", SITE, ASSISTANT, "{}"),
    ("POST", SITE, TRANSLATION, "{\"to\":\"en\",\"q\":\"x\"}"),
    ("GET", SITE, "/en/plugins/none/x", ""),
    ("GET", SITE, "/rc-pub/admin/import", ""),
];

fn ask(portal: &Portal, (method, host, path, body): Request, address: &str) -> Answer {
    let (forwarded, agent) = (format!("for={address}"), format!("Mozilla/5.0 {address}"));
    let headers = [
        ("language", "en"),
        ("token", ""),
        ("x-forwarded-for", address),
        ("forwarded", forwarded.as_str()),
        ("user-agent", agent.as_str()),
    ];
    portal.ask(method, host, path, &headers, body)
}

#[test]
fn one_client_uses_up_its_share_and_others_are_served() {
    for request in REQUESTS {
        let path = request.2;
        assert_ne!(ask(&PROXIED, request, "192.0.2.1").status, 429, "{path}");
        let refused = (0..1000).map(|_| ask(&PROXIED, request, "192.0.2.1")).find(|answer| answer.status == 429);
        let refused = refused.unwrap_or_else(|| panic!("{path}: no limit"));
        assert_eq!(refused.header("retry-after"), "60", "{path}");
        assert!(refused.text().contains("Too many requests. Please try again later."), "{path}: {}", refused.text());
        assert_ne!(ask(&PROXIED, request, "192.0.2.2").status, 429, "{path}: another client");
        assert_eq!(ask(&PROXIED, request, "198.51.100.9, 192.0.2.1").status, 429, "{path}: a forged first address");
    }
    PROXIED.advance(Duration::from_secs(60));
    for request in REQUESTS {
        assert_ne!(ask(&PROXIED, request, "192.0.2.1").status, 429, "{}: a new minute", request.2);
    }
}

#[test]
fn without_trusted_proxies_forwarded_headers_change_nothing() {
    let request = REQUESTS[4];
    let mut numbers = 0..100;
    let limited = numbers.any(|number| ask(&DIRECT, request, &format!("192.0.2.{number}")).status == 429);
    assert!(limited, "all requests are of one client");
    let plain = DIRECT.with(SITE, "/en/home", &[]);
    let page = |portal: &Portal, host: &str| {
        let forged = [("x-forwarded-proto", "https"), ("x-forwarded-host", "hssxiv.localhost")];
        let page = portal.with(host, "/en/home", &forged).text();
        let canonical =
            masthead_test_support::named(&page, "link").into_iter().find(|link| link.get("rel") == "canonical");
        canonical.unwrap().get("href")
    };
    assert_eq!(plain.status, 200);
    assert!(page(&DIRECT, SITE).starts_with("http://tidesdesk.localhost/"), "{}", page(&DIRECT, SITE));
    assert!(page(&PROXIED, SITE).starts_with("https://hssxiv.localhost/"), "{}", page(&PROXIED, SITE));
}

#[test]
fn the_own_origin_has_the_host_that_a_trusted_proxy_reports() {
    let post = |portal: &Portal, origin: &str| {
        let headers = [("cookie", "language=en"), ("origin", origin), ("x-forwarded-host", "hssxiv.localhost")];
        let body = r#"{"module":"nav-default","reason":"x"}"#;
        portal.ask("POST", SITE, "/rc-pub/front/ui-failure", &headers, body).status
    };
    let (reported, of_request) = ("https://hssxiv.localhost", "http://tidesdesk.localhost");
    assert_eq!((post(&PROXIED, reported), post(&PROXIED, of_request)), (200, 403));
    assert_eq!((post(&DIRECT, reported), post(&DIRECT, of_request)), (403, 200));
}

#[test]
fn all_cookies_are_secure_where_the_platform_is_served_over_https() {
    let portal = Portal::start("https", bare(), |sites| {
        let file = sites.join("platform.toml");
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.contains("\n[public]\n"));
        std::fs::write(&file, text.replace("\n[public]\n", "\n[public]\nscheme = \"https\"\n")).unwrap();
    });
    // The visit's cookie, whatever the request says of its scheme.
    let table = portal.app.sites.load_full();
    let site = table.iter().find(|entry| entry.site.plugins.iter().any(|plugin| plugin.id == "referrer-access"));
    let host = format!("{}.localhost", site.unwrap().site.sld);
    let answer = portal.with(&host, "/en/home", &[("x-forwarded-proto", "http")]);
    let cookie = answer.header("set-cookie");
    assert!(
        cookie.starts_with("__Host-mh_visit=") && cookie.ends_with("; HttpOnly; SameSite=Lax; Secure; Path=/"),
        "{cookie}"
    );
    let left = portal.with(&host, "/en/logout", &[]);
    assert!(left.header("set-cookie").starts_with("__Host-mh_session=; HttpOnly; SameSite=Lax; Secure; Path=/;"));
    assert_eq!(portal.ready()["problems"], Value::Array(Vec::new()));
}
