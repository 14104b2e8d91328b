//! Machine translation through a gateway that takes signed forms.

use std::sync::LazyLock;

use md5::{Digest as _, Md5};
use serde_json::{Value, json};

use masthead_test_support::{
    Answer, Fake, Portal, Reply, Seen, Setup, add_to_site, data_with_secrets, hex, listen_to_log, stays_secret,
};

const SECRET: &str = "translation-secret-7Qx";
const CALL: &str = "/rc-pub/front/front-article/translate/getAiTranslateResult";
const TIMED_OUT: [(&str, &str); 2] =
    [("en", "The request timed out. Please try again later."), ("zh", "请求超时，请稍后再试。")];

/// As the gateway's documentation has it: without a right signature, nothing.
fn gateway(seen: &Seen) -> Reply {
    let all = format!("{}{}{}{SECRET}", seen.field("appid"), seen.field("q"), seen.field("salt"));
    if seen.method != "POST" || seen.path != "/api/trans" || seen.field("sign") != hex(&Md5::digest(all.as_bytes())) {
        return Reply::ok(json!({ "error_code": "54001", "error_msg": "Invalid Sign" }));
    }
    let lines: Vec<_> =
        seen.field("q").lines().map(|line| json!({ "src": line, "dst": format!("<{line}>") })).collect();
    Reply::ok(json!({ "from": "zh", "to": seen.field("to"), "trans_result": lines }))
}

struct World {
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

static WORLD: LazyLock<World> = LazyLock::new(|| {
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
        // A site that waits less.
        add_to_site(sites, "plainpress", &usage(&gateway, "", "limits = { budgetMs = 700 }"));
        // Not granted on this one.
        add_to_site(sites, "hssxiv", &usage(&gateway, "", "").replace("privateHttp", "http"));
    });
    World { gateway, portal }
});

fn translate(site: &str, language: &str, body: &Value) -> Answer {
    let headers = [("language", language), ("content-type", "application/json")];
    WORLD.portal.ask("POST", &format!("{site}.localhost"), CALL, &headers, &body.to_string())
}

// The gateway is one for all: its behaviour changes within a single test only.
#[test]
fn texts_are_translated_through_the_gateway() {
    let World { gateway: fake, portal } = &*WORLD;
    assert_eq!(
        portal.bootstrap("oceanledger", "/en/home")["translate"],
        json!(["zh", "en", "ru", "ara", "fra", "spa", "de"])
    );
    assert!(fake.seen().is_empty(), "whether a site translates is known without asking the gateway");
    let answer =
        translate("oceanledger", "en", &json!({ "from": "auto", "to": "ara", "salt": 1, "q": "海与盐 & 草\n第二行" }));
    let (status, answer) = (answer.status, answer.json());
    assert_eq!((status, &answer["status"], &answer["message"]), (200, &json!(0), &json!("")), "{answer}");
    let data = &answer["data"];
    assert_eq!((&data["from"], &data["errorCode"]), (&json!("zh"), &json!("")));
    assert_eq!(data["transResult"], json!([{ "src": "海与盐 & 草\n第二行", "dst": "<海与盐 & 草>\n<第二行>" }]));
    let seen = fake.seen();
    assert_eq!(seen.len(), 1);
    let field = |name: &str| seen[0].field(name);
    assert_eq!((field("from"), field("to"), field("q")), ("auto".into(), "ara".into(), "海与盐 & 草\n第二行".into()));
    assert!(field("salt").parse::<u64>().unwrap() > 1_600_000_000_000 && field("appid") == "app-1");
    assert!(!String::from_utf8_lossy(&seen[0].body).contains(SECRET));

    unauthorized_is_told_as_such(fake);
    everything_else_is_a_time_out(fake);
    fake.answer(gateway);
    what_cannot_be_translated_is_refused(fake);
    sites_without_translation_say_so(fake, portal);

    // A secret that the gateway does not know: its error reaches nobody, nor does the secret.
    let wrong = translate("quietcircuits", "en", &json!({ "to": "en", "q": "错" })).json();
    assert_eq!(wrong["data"]["errorCode"], "52001", "{wrong}");
    assert!(!wrong.to_string().contains("54001"), "{wrong}");
    for secret in [SECRET, "another-secret"] {
        stays_secret(portal, secret);
    }
}

fn unauthorized_is_told_as_such(fake: &Fake) {
    for (code, language, message) in [
        (json!("52003"), "en", "You are not authorised to use machine translation."),
        (json!(52003), "zh", "您没有使用机器翻译的权限。"),
    ] {
        fake.answer(move |_| Reply::ok(json!({ "error_code": code, "error_msg": "UNAUTHORIZED USER" })));
        let answer = translate("oceanledger", language, &json!({ "to": "en", "q": format!("无权 {language}") })).json();
        assert_eq!((&answer["data"]["errorCode"], &answer["message"]), (&json!("52003"), &json!(message)));
        assert_eq!((&answer["status"], &answer["data"]["transResult"]), (&json!(0), &json!([])));
    }
}

fn everything_else_is_a_time_out(fake: &Fake) {
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
        refused(at, "oceanledger");
    }
    for status in [500, 404, 429, 302] {
        fake.answer(move |seen| Reply { status, ..gateway(seen) });
        refused(usize::from(status), "oceanledger");
    }
    fake.answer(|_| Reply::never());
    // The gateway never answers, so that any answer of the host is one of its own time limit.
    refused(9999, "plainpress");
    // The pages of a site whose gateway hangs do not ask it.
    fake.seen();
    WORLD.portal.page("plainpress", "/en/home");
    assert!(fake.seen().is_empty());
}

/// Every call has a text of its own, and is made in both languages: translations are remembered, failures are not.
fn refused(number: usize, site: &str) {
    for (language, message) in TIMED_OUT {
        if number == 9999 && language == "zh" {
            continue;
        }
        let answer = translate(site, language, &json!({ "to": "en", "q": format!("海 {number}") }));
        let (status, answer) = (answer.status, answer.json());
        assert_eq!((status, &answer["message"]), (200, &json!(message)), "{number}: {answer}");
        assert_eq!(
            (&answer["data"]["errorCode"], &answer["data"]["transResult"]),
            (&json!("52001"), &json!([])),
            "{number}"
        );
    }
}

fn what_cannot_be_translated_is_refused(fake: &Fake) {
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
    assert!(fake.seen().is_empty(), "the gateway was not asked");
    let longest = translate("oceanledger", "en", &json!({ "to": "en", "q": "海".repeat(8000) })).json();
    assert_eq!(longest["data"]["errorCode"], "", "{}", longest["message"]);
    let again = translate("oceanledger", "en", &json!({ "to": "en", "q": "海".repeat(8000) })).json();
    assert_eq!(again["data"], longest["data"]);
}

fn sites_without_translation_say_so(fake: &Fake, portal: &Portal) {
    fake.seen();
    for site in ["scriptstone", "fieldnotes"] {
        assert_eq!(portal.bootstrap(site, "/zh/home")["translate"], json!([]), "{site}");
        let answer = translate(site, "en", &json!({ "to": "en", "q": "海" }));
        assert_eq!((answer.status, answer.json()["status"].clone()), (404, json!(404)), "{site}");
    }
    // A private address has to be granted as one: else the plugin is not even taken into use.
    assert_eq!(portal.bootstrap("hssxiv", "/zh/home")["translate"], json!([]));
    let problems = portal.ready()["problems"].to_string();
    assert!(problems.contains("hssxiv") && problems.contains("private"), "{problems}");
    assert!(fake.seen().is_empty());
}
