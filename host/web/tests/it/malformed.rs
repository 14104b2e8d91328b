//! Malformed requests: each is rejected in the envelope with a 4xx status and without internals.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    sync::LazyLock,
};

use masthead_test_support::{Answer, Portal, Setup};

static PORTAL: LazyLock<Portal> = LazyLock::new(|| Portal::start("malformed", Setup::default(), |_| {}));
const SITE: &str = "oceanledger.localhost";

/// Words that reveal internals and must not occur in messages to readers.
const INTERNALS: &[&str] = &[
    "deserialize",
    "missing field",
    "invalid digit",
    "invalid type",
    "sql",
    "rust",
    "panicked",
    ".rs",
    "serde",
    "expected",
    "query string",
    "axum",
    "line 1",
    "column",
    "unsupported",
    "limit exceeded",
    "/work",
];

fn assert_rejected(answer: &Answer, what: &str) {
    assert!((400..500).contains(&answer.status), "{what}: {} {}", answer.status, answer.text());
    assert!(answer.header("content-type").starts_with("application/json"), "{what}: {}", answer.text());
    let envelope = answer.json();
    assert_eq!(envelope["status"], u64::from(answer.status), "{what}: {envelope}");
    assert!(envelope["data"].is_null() && envelope.as_object().unwrap().len() == 3, "{what}: {envelope}");
    let message = envelope["message"].as_str().unwrap().to_lowercase();
    assert!(!message.is_empty() && !INTERNALS.iter().any(|word| message.contains(word)), "{what}: {message}");
}

#[test]
fn invalid_parameters_are_rejected_in_the_envelope() {
    for call in [
        "front/front-news/list?page=-1",
        "front/front-news/list?page=x",
        "front/front-news/list?size=4294967296",
        "front/front-news/list?after=nonsense",
        "front/front-news/list?after=1~2",
        "front/front-news/list?after=1~2~%00",
        "front/front-column/list?journal=%00",
        "front/front-news/list?type=novel",
        "front/front-news/list?page=4294967295",
        "front/front-news/list?page=101&size=100",
        "front/science-document/list?type=poem",
        "front/vod/video/list?type=film",
        "front/front-standard/list?standing=odd",
        "front/front-news/getJumpUrl",
        "front/front-news/getJumpUrl?id=",
        "front/front-news/getJumpUrl?id=999999999",
        "front/front-news/0",
        "front/front-news/-1",
        "front/front-news/99999999999999999999999",
        "front/front-news/%00",
        "front/front-news/%ff%fe",
        "front/front-news/..%2f..%2fetc",
        "front/front-news/'%20OR%201=1",
        "front/front-expert/x",
        "front/front-expert/list?size=x",
        "front/front-expert/boards?page=x",
        "front/front-expert/boards/none",
        "front/album/none",
        "front/front-virtual/none",
        "front/front-topic/none",
        "front/front-composite/none",
        "front/rc-book/getBookInfo/none",
        "front/vod/video/none",
        "front/vod/audio/none",
        "front/tools/none",
        "front/site/getModuleList",
        "front/site/getModuleList?channelId=9e9",
        "front/site/getChannelList?filter=2",
        "front/site/findBySiteId",
        "front/site/findBySiteId?siteId=",
        "front/site/findBySld",
        "front/site/448/search-conditions",
        "front/site/448/search-conditions?type=",
        "front/site/4%2048/search-conditions?type=book",
        "front/site/0/search-config",
        "front/site/-448/search-config",
        "",
        "front",
        "front/",
        "api",
        "front/site/",
    ] {
        for language in ["en", "zh", "xx"] {
            let answer = PORTAL.with(SITE, &format!("/rc-pub/{call}"), &[("language", language)]);
            assert_rejected(&answer, call);
        }
    }
    assert_rejected(&PORTAL.with(SITE, "/rc-pub", &[]), "the folder itself");
    assert_rejected(&PORTAL.with("127.0.0.1", "/oceanledger/rc-pub/front/nothing", &[]), "behind a site's name");
    assert_rejected(&PORTAL.with("nobody.localhost", "/rc-pub/front/front-news/list", &[]), "no site");
}

#[test]
fn invalid_bodies_are_rejected_in_the_envelope() {
    let calls = [
        "/rc-pub/front/ui-failure",
        "/rc-pub/api/sendReceiverMessage",
        "/rc-pub/front/front-article/translate/getAiTranslateResult",
        "/rc-pub/front/front-article/aiqa/verify/generateSecureParams",
    ];
    let deep = "[".repeat(20_000);
    for call in calls {
        for body in
            ["{", "[]", "null", "7", "\"x\"", "{\"q\":", "{\"q\":{}}", "\u{0}", "<xml/>", "a=b&c=d", deep.as_str()]
        {
            assert_rejected(
                &PORTAL.ask("POST", SITE, call, &[("language", "en")], body),
                &format!("{call} {body:.20}"),
            );
        }
        for kind in [
            "application/xml",
            "multipart/form-data; boundary=x",
            "image/png",
            "application/x-www-form-urlencoded",
            "text/plain",
        ] {
            let answer = PORTAL.ask("POST", SITE, call, &[("content-type", kind), ("language", "en")], "{}");
            assert_eq!(answer.status, 415, "{call} {kind}");
            assert_rejected(&answer, kind);
        }
    }
}

#[test]
fn a_body_that_is_too_large_is_rejected_in_the_envelope() {
    let body = format!("{{\"reason\":\"{}\"}}", "x".repeat(2 << 20));
    let answer = PORTAL.ask("POST", SITE, "/rc-pub/front/ui-failure", &[("language", "en")], &body);
    assert_eq!(answer.status, 413);
    assert_rejected(&answer, "two mebibytes");
}

#[test]
fn an_address_that_is_too_long_is_rejected_in_the_envelope() {
    for path in [
        format!("/rc-pub/front/search?q={}", "a".repeat(9000)),
        format!("/rc-pub/front/front-news/{}", "a".repeat(9000)),
    ] {
        let answer = PORTAL.with(SITE, &path, &[("language", "en")]);
        assert_eq!(answer.status, 414);
        assert_rejected(&answer, "a long address");
    }
}

#[test]
fn unsupported_methods_are_rejected_in_the_envelope() {
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "MADEUP"] {
        for call in ["/rc-pub/front/front-news/list", "/rc-pub/front/album/1", "/rc-pub/front/site/findBySld?sld=x"] {
            assert_rejected(&PORTAL.ask(method, SITE, call, &[("language", "en")], ""), &format!("{method} {call}"));
        }
    }
}

#[test]
fn headers_that_are_not_text_are_ignored() {
    // Client libraries do not send such headers: the requests are written directly to the connection.
    for header in [
        "language: \u{ff}\u{fe}",
        "token: \u{ff}",
        "siteId: \u{ff}",
        "cookie: language=\u{ff}; ;;=",
        "language: en, zh;q=1",
    ] {
        let mut stream = TcpStream::connect(PORTAL.address).unwrap();
        let request = format!(
            "GET /rc-pub/front/site/getFooterConfig HTTP/1.1\r\nhost: {SITE}\r\n{header}\r\nconnection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("\"status\":0"), "{header}: {answer:.200}");
    }
}
