//! What stands between clients and handlers: security headers of every response, the check of requests that may change something,
//! the length of addresses, and what the readers' listener does not tell.

use std::sync::LazyLock;

use masthead_test_support::{Portal, Setup, named};
use serde_json::json;

static PORTAL: LazyLock<Portal> = LazyLock::new(|| Portal::start("boundary", Setup::default(), |_| {}));
const SITE: &str = "oceanledger.localhost";
const CALL: &str = "/rc-pub/front/ui-failure";

#[test]
fn responses_of_every_layer_have_the_security_headers() {
    let long = format!("/en/home?a={}", "a".repeat(9000));
    let large = "x".repeat(2 << 20);
    for (method, path, body, status) in [
        ("GET", "/en/home", "", 200),
        ("GET", "/", "", 307),
        ("GET", "/en/nowhere", "", 404),
        ("GET", "/assets/none.js", "", 404),
        ("GET", "/healthz", "", 200),
        ("GET", "/readyz", "", 200),
        ("GET", "/openapi.json", "", 200),
        ("GET", "/robots.txt", "", 200),
        ("GET", "/rc-pub/front/site/getFooterConfig", "", 200),
        ("GET", "/rc-pub/front/nothing", "", 404),
        ("GET", "/rc-pub/admin/import", "", 401),
        ("POST", "/en/home", "", 405),
        ("POST", CALL, "{}", 400),
        ("POST", CALL, &large, 413),
        ("GET", &long, "", 414),
    ] {
        let answer = PORTAL.ask(method, SITE, path, &[], body);
        assert_eq!(answer.status, status, "{method} {path:.60}");
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "strict-origin-when-cross-origin"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("strict-transport-security", ""),
        ] {
            assert_eq!(answer.header(name), value, "{method} {path:.60} {name}");
        }
        assert!(answer.header("content-security-policy").contains("default-src 'none'"), "{method} {path:.60}");
    }
}

#[test]
fn a_host_that_is_reached_over_https_says_so() {
    let portal = Portal::start("boundary-https", Setup { bare: true, ..Setup::default() }, |sites| {
        let file = sites.join("platform.toml");
        let text = std::fs::read_to_string(&file).unwrap();
        let changed = text.replacen("ports = []", "scheme = \"https\"\nports = [9443]", 1);
        assert_ne!(changed, text);
        std::fs::write(file, changed).unwrap();
    });
    for path in ["/en/issues", "/rc-pub/front/nothing", "/assets/none.js"] {
        let answer = portal.with("plainpress.localhost", path, &[]);
        assert!(answer.header("strict-transport-security").starts_with("max-age="), "{path}");
    }
    for (host, forwarded, origin) in [
        ("plainpress.localhost", "http", "https://plainpress.localhost"),
        ("plainpress.localhost:9443", "https", "https://plainpress.localhost:9443"),
        ("plainpress.localhost:9444", "https", "https://plainpress.localhost"),
    ] {
        let page = portal.with(host, "/en/issues", &[("x-forwarded-proto", forwarded)]).text();
        let link = named(&page, "link").into_iter().find(|tag| tag.get("rel") == "canonical").unwrap();
        assert_eq!(link.get("href"), format!("{origin}/en/issues"), "{host} {forwarded}");
    }
}

#[test]
fn a_page_of_another_origin_cannot_use_the_readers_cookies() {
    let status = |headers: &[(&str, &str)]| {
        let answer = PORTAL.ask("POST", SITE, CALL, headers, r#"{"module":"nav-default","reason":"x"}"#);
        (answer.status, answer.json()["status"].as_i64())
    };
    let cookie = ("cookie", "language=en");
    for other in [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("origin", "http://quietcircuits.localhost"),
        ("origin", "null"),
    ] {
        assert_eq!(status(&[cookie, other]), (403, Some(403)), "{other:?}");
        assert_eq!(status(&[other]), (200, Some(0)), "{other:?}: nothing of the reader's is in the request");
    }
    for own in
        [("sec-fetch-site", "same-origin"), ("origin", "http://oceanledger.localhost"), ("user-agent", "a program")]
    {
        assert_eq!(status(&[cookie, own]), (200, Some(0)), "{own:?}");
    }
    let read = PORTAL.with(SITE, "/rc-pub/front/site/getFooterConfig", &[cookie, ("sec-fetch-site", "cross-site")]);
    assert_eq!(read.status, 200, "a call that changes nothing is not checked");
}

#[test]
fn every_call_rejects_bodies_that_a_form_can_send() {
    let document = PORTAL.with(SITE, "/openapi.json", &[]).json();
    let mut calls = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in ["post", "put", "patch", "delete"].into_iter().filter(|method| item.get(*method).is_some()) {
            calls += 1;
            for kind in ["text/plain", "text/plain; x=application/json", "application/x-www-form-urlencoded", ""] {
                let headers = [("content-type", kind), ("language", "en")];
                let answer = PORTAL.ask(&method.to_uppercase(), SITE, path, &headers, "{}");
                // Mail programs send a form there (RFC 8058): what it does is signed in its address, and it reads no cookie.
                if path == "/rc-pub/front/frontMembers/unsubscribe" && kind == "application/x-www-form-urlencoded" {
                    assert_eq!(answer.status, 404, "without a token it does nothing");
                    continue;
                }
                assert_eq!((answer.status, &answer.json()["status"]), (415, &json!(415)), "{method} {path} {kind}");
            }
        }
    }
    assert!(calls > 20, "{calls}");
}

#[test]
fn an_address_of_a_page_that_is_too_long_is_rejected() {
    for path in [format!("/en/article/{}", "1".repeat(9000)), format!("/en/home?{}", "a".repeat(9000))] {
        let answer = PORTAL.with(SITE, &path, &[("accept-language", "en")]);
        assert_eq!(answer.status, 414);
        assert!(answer.header("content-type").starts_with("text/html"), "{}", answer.header("content-type"));
        assert!(answer.text().contains("The request is invalid"), "{}", answer.text());
    }
    assert_eq!(PORTAL.with(SITE, &format!("/en/home?{}", "a".repeat(8000)), &[]).status, 200);
}

#[test]
fn readers_do_not_see_what_the_operator_sees() {
    let answer = PORTAL.with(SITE, "/readyz", &[]);
    assert_eq!((answer.status, answer.json()), (200, json!({ "ready": true })));
    assert_ne!(PORTAL.with("127.0.0.1", "/metrics", &[]).status, 200);
    let ready = PORTAL.ready();
    assert!(ready["ready"] == true && ready["plugins"].is_array() && ready["problems"].is_array(), "{ready}");
    assert!(PORTAL.metrics().contains("masthead_http_requests_total"));
}
