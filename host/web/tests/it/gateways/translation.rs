//! Machine translation through a gateway that accepts signed forms.

use std::sync::LazyLock;

use md5::{Digest as _, Md5};
use serde_json::{Value, json};

use masthead_domain::text::hex;
use masthead_test_support::{
    Answer, Fake, Portal, RecordedRequest, Reply, Setup, add_to_site, assert_not_leaked, data_with_secrets,
    listen_to_log,
};

const SECRET: &str = "translation-secret-7Qx";
const CALL: &str = "/rc-pub/front/front-article/translate/getAiTranslateResult";
const TIMED_OUT: [(&str, &str); 2] =
    [("en", "The request timed out. Please try again later."), ("zh", "请求超时，请稍后再试。")];

/// A gateway that follows its documentation: requests without a valid signature are rejected.
fn gateway(seen: &RecordedRequest) -> Reply {
    let all = format!("{}{}{}{SECRET}", seen.field("appid"), seen.field("q"), seen.field("salt"));
    if seen.method != "POST" || seen.path != "/api/trans" || seen.field("sign") != hex(&Md5::digest(all.as_bytes())) {
        return Reply::ok(json!({ "error_code": "54001", "error_msg": "Invalid Sign" }));
    }
    let lines: Vec<_> =
        seen.field("q").lines().map(|line| json!({ "src": line, "dst": format!("<{line}>") })).collect();
    Reply::ok(json!({ "from": "zh", "to": seen.field("to"), "trans_result": lines }))
}

struct Environment {
    gateway: Fake,
    portal: Portal,
}

fn usage(gateway: &Fake, more: &str, limits: &str) -> String {
    let origin = gateway.origin();
    format!(
        "[[plugins]]\nid = \"translate-gateway\"\ngrants = {{ privateHttp = [\"{origin}\"], secrets = [\"translate-gateway\"] }}\n\
         settings = {{ address = \"{origin}/api/trans\", appId = \"app-1\"{more} }}\n{limits}"
    )
}

static ENVIRONMENT: LazyLock<Environment> = LazyLock::new(|| {
    listen_to_log();
    let gateway = Fake::start(gateway);
    let secrets = format!(
        "[448]\ntranslate-gateway = \"{SECRET}\"\n[905]\ntranslate-gateway = \"{SECRET}\"\n\
         [502]\ntranslate-gateway = \"another-secret\"\n[101]\ntranslate-gateway = \"{SECRET}\"\n"
    );
    let setup = Setup { data: Some(data_with_secrets("translation", &secrets)), ..Setup::default() };
    let portal = Portal::start("translation", setup, |sites| {
        add_to_site(sites, "oceanledger", &usage(&gateway, "", ""));
        add_to_site(sites, "scriptstone", &usage(&gateway, ", enabled = 0", ""));
        add_to_site(sites, "quietcircuits", &usage(&gateway, "", ""));
        // A site with a shorter time limit.
        add_to_site(sites, "plainpress", &usage(&gateway, "", "limits = { budgetMs = 700 }"));
        // A site that does not grant the private address.
        add_to_site(sites, "hssxiv", &usage(&gateway, "", "").replace("privateHttp", "http"));
    });
    Environment { gateway, portal }
});

fn translate(site: &str, language: &str, body: &Value) -> Answer {
    let headers = [("language", language), ("content-type", "application/json")];
    ENVIRONMENT.portal.ask("POST", &format!("{site}.localhost"), CALL, &headers, &body.to_string())
}

// All checks share one gateway, whose behaviour changes between them: they run in a single test.
#[test]
fn texts_are_translated_through_the_gateway() {
    let Environment { gateway: fake, portal } = &*ENVIRONMENT;
    assert_eq!(
        portal.bootstrap("oceanledger", "/en/home")["translate"],
        json!(["zh", "en", "ru", "ara", "fra", "spa", "de"])
    );
    assert!(fake.seen().is_empty(), "the gateway is not called to find out whether a site translates");
    let answer =
        translate("oceanledger", "en", &json!({ "from": "auto", "to": "ara", "salt": 1, "q": "海与盐 & 草\n第二行" }));
    let (status, answer) = (answer.status, answer.json());
    assert_eq!((status, &answer["status"], &answer["message"]), (200, &json!(0), &json!("")), "{answer}");
    let data = &answer["data"];
    assert_eq!((&data["from"], data.get("error_code")), (&json!("zh"), None));
    assert_eq!(data["trans_result"], json!([{ "src": "海与盐 & 草\n第二行", "dst": "<海与盐 & 草>\n<第二行>" }]));
    let seen = fake.seen();
    assert_eq!(seen.len(), 1);
    let field = |name: &str| seen[0].field(name);
    assert_eq!((field("from"), field("to"), field("q")), ("auto".into(), "ara".into(), "海与盐 & 草\n第二行".into()));
    assert!(field("salt").parse::<u64>().unwrap() > 1_600_000_000_000 && field("appid") == "app-1");
    assert!(!String::from_utf8_lossy(&seen[0].body).contains(SECRET));

    unauthorized_users_get_their_own_error(fake);
    all_other_failures_are_reported_as_a_time_out(fake);
    fake.answer(gateway);
    invalid_requests_are_rejected(fake);
    sites_without_translation_are_not_found(fake, portal);

    // With a wrong secret, neither the gateway's error nor the secret is revealed.
    let wrong = translate("quietcircuits", "en", &json!({ "to": "en", "q": "错" })).json();
    assert_eq!(wrong["data"]["error_code"], "52001", "{wrong}");
    assert!(!wrong.to_string().contains("54001"), "{wrong}");
    for secret in [SECRET, "another-secret"] {
        assert_not_leaked(portal, secret);
    }
}

fn unauthorized_users_get_their_own_error(fake: &Fake) {
    for (code, language, message) in [
        (json!("52003"), "en", "You are not authorised to use machine translation."),
        (json!(52003), "zh", "您没有使用机器翻译的权限。"),
    ] {
        fake.answer(move |_| Reply::ok(json!({ "error_code": code, "error_msg": "UNAUTHORIZED USER" })));
        let answer = translate("oceanledger", language, &json!({ "to": "en", "q": format!("无权 {language}") })).json();
        assert_eq!((&answer["data"]["error_code"], &answer["message"]), (&json!("52003"), &json!(message)));
        assert_eq!((&answer["status"], answer["data"].get("trans_result")), (&json!(0), None));
    }
}

fn all_other_failures_are_reported_as_a_time_out(fake: &Fake) {
    let bodies = [
        "",
        "<html>",
        "{}",
        "[]",
        "{\"trans_result\":7}",
        "{\"error_code\":\"54003\"}",
        "\u{0}\u{1}",
        "{\"trans_result\":",
    ];
    for (at, body) in bodies.into_iter().enumerate() {
        fake.answer(move |_| Reply::ok(body));
        assert_timed_out(at, "oceanledger");
    }
    for status in [500, 404, 429, 302] {
        fake.answer(move |seen| Reply { status, ..gateway(seen) });
        assert_timed_out(usize::from(status), "oceanledger");
    }
    fake.answer(|_| Reply::never());
    // The gateway never answers, so that any answer of the host is one of its own time limit.
    assert_timed_out(9999, "plainpress");
    // Pages of a site do not call its gateway, and therefore do not wait for one that hangs.
    fake.seen();
    ENVIRONMENT.portal.page("plainpress", "/en/home");
    assert!(fake.seen().is_empty());
}

/// Translates a text of its own in both languages: translations are cached, failures are not.
fn assert_timed_out(number: usize, site: &str) {
    for (language, message) in TIMED_OUT {
        if number == 9999 && language == "zh" {
            continue;
        }
        let answer = translate(site, language, &json!({ "to": "en", "q": format!("海 {number}") }));
        let (status, answer) = (answer.status, answer.json());
        assert_eq!((status, &answer["message"]), (200, &json!(message)), "{number}: {answer}");
        assert_eq!(
            (&answer["data"]["error_code"], answer["data"].get("trans_result")),
            (&json!("52001"), None),
            "{number}"
        );
    }
}

fn invalid_requests_are_rejected(fake: &Fake) {
    fake.seen();
    for body in [
        json!({ "to": "en" }),
        json!({ "to": "kor", "q": "x" }),
        json!({ "to": "", "q": "x" }),
        json!({ "to": "xx", "q": "x" }),
        json!({ "to": "en", "q": "x".repeat(8001) }),
        json!({ "to": "en", "q": "x", "from": "a language" }),
        json!([1]),
    ] {
        let answer = translate("oceanledger", "en", &body);
        assert_eq!((answer.status, &answer.json()["data"]), (400, &Value::Null), "{body}");
    }
    assert!(fake.seen().is_empty(), "the gateway was not called");
    let longest = translate("oceanledger", "en", &json!({ "to": "en", "q": "海".repeat(8000) })).json();
    assert!(longest["data"]["trans_result"].is_array(), "{}", longest["message"]);
    let again = translate("oceanledger", "en", &json!({ "to": "en", "q": "海".repeat(8000) })).json();
    assert_eq!(again["data"], longest["data"]);
}

fn sites_without_translation_are_not_found(fake: &Fake, portal: &Portal) {
    fake.seen();
    for site in ["scriptstone", "fieldnotes"] {
        assert_eq!(portal.bootstrap(site, "/zh/home")["translate"], json!([]), "{site}");
        let answer = translate(site, "en", &json!({ "to": "en", "q": "海" }));
        assert_eq!((answer.status, answer.json()["status"].clone()), (404, json!(404)), "{site}");
    }
    // A private address has to be granted as one; otherwise the plugin is not loaded.
    assert_eq!(portal.bootstrap("hssxiv", "/zh/home")["translate"], json!([]));
    let problems = portal.ready()["problems"].to_string();
    assert!(problems.contains("hssxiv") && problems.contains("private"), "{problems}");
    assert!(fake.seen().is_empty());
}
