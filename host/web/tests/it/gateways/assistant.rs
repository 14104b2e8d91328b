//! The assistant: the plugin's own answers, and an external assistant whose frame carries a signed token.

use std::sync::LazyLock;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use masthead_runtime::system_clock;
use serde_json::{Value, json};

use masthead_test_support::{
    Answer, Portal, Setup, add_to_site, assert_not_leaked, between, data_with_secrets, hmac, listen_to_log, slot,
};

const SECRET: &str = "assistant-secret-2Lm";
const CALL: &str = "/rc-pub/front/front-article/aiqa/verify/generateSecureParams";

static PORTAL: LazyLock<Portal> = LazyLock::new(|| {
    listen_to_log();
    let secrets = format!("[101]\nassistant-key = \"{SECRET}\"\n");
    let setup = Setup { data: Some(data_with_secrets("assistant", &secrets)), ..Setup::default() };
    let usage = "[[plugins]]\nid = \"ai-assistant\"\n\
        grants = { content = true, secrets = [\"assistant-key\"], frames = [\"https://assistant.example.org\"] }\n\
        settings = { appCode = \"app-1\", frameAddress = \"https://assistant.example.org/qa?token={token}\" }\n";
    Portal::start("assistant", setup, |sites| {
        add_to_site(sites, "plainpress", usage);
        // The same without the secret in the file, and without the granted origin.
        add_to_site(sites, "quietcircuits", &usage.replace(", frames = [\"https://assistant.example.org\"]", ""));
    })
});

fn parameters(site: &str, body: &str, language: &str) -> Answer {
    PORTAL.ask("POST", &format!("{site}.localhost"), CALL, &[("language", language)], body)
}

fn frame_sources(site: &str, path: &str) -> String {
    let answer = PORTAL.get(site, path);
    between(answer.header("content-security-policy"), "frame-src ", ";").to_owned()
}

#[test]
fn the_token_of_an_external_assistant_is_verifiable() {
    let page = PORTAL.bootstrap("plainpress", "/en/home");
    let module = &page["slots"]["page.floating"][0];
    assert_eq!(
        (&module["module"], &module["props"]["frame"]),
        (&json!("assistant-panel"), &json!("https://assistant.example.org/qa?token={token}"))
    );
    let mut tokens = std::collections::BTreeSet::new();
    let seconds = || i64::try_from(system_clock() / 1000).unwrap();
    let before = seconds();
    for language in ["en", "zh"] {
        let answer = parameters("plainpress", r#"{"query":"What is a tide?","content":""}"#, language).json();
        let token = answer["data"].as_str().unwrap().to_owned();
        let (claims, signature) = token.split_once('.').unwrap();
        assert_eq!(signature, hmac(SECRET, claims.as_bytes()));
        let claims: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).unwrap()).unwrap();
        assert_eq!(
            (&claims["code"], &claims["siteId"], &claims["lang"]),
            (&json!("app-1"), &json!(101), &json!(language))
        );
        assert_eq!((&claims["host"], &claims["query"]), (&json!("plainpress.localhost"), &json!("What is a tide?")));
        assert!(claims["content"].is_null(), "{claims}");
        assert!((before..=seconds()).contains(&claims["iat"].as_i64().unwrap()), "{claims}");
        assert!(tokens.insert(token), "each token is unique");
    }
    // Without its secret there is no token, and the call fails.
    let answer = parameters("quietcircuits", "{}", "en");
    assert_eq!((answer.status, answer.json()["data"].clone()), (502, Value::Null));
    assert!(!answer.text().contains("assistant-key"), "{}", answer.text());
    for (body, status) in [("", 400), ("{\"query\":7}", 400)] {
        assert_eq!(parameters("plainpress", body, "en").status, status, "{body}");
    }
    let long = format!("{{\"query\":\"{}\"}}", "x".repeat(5000));
    assert_eq!(parameters("plainpress", &long, "en").status, 400);
    // The plugin's own answers need no token.
    assert_eq!(parameters("tidesdesk", "{}", "en").json()["data"], "");
    assert_not_leaked(&PORTAL, SECRET);
}

#[test]
fn only_the_granting_site_allows_frames_of_the_external_origin() {
    for path in ["/en/home", "/zh/issues", "/en/nowhere"] {
        assert_eq!(frame_sources("plainpress", path), "'self' https://assistant.example.org", "{path}");
        for site in ["tidesdesk", "quietcircuits", "oceanledger"] {
            assert_eq!(frame_sources(site, path), "'self'", "{site} {path}");
        }
    }
}

#[test]
fn answers_of_the_site_itself_cite_their_articles() {
    let home = PORTAL.bootstrap("tidesdesk", "/en/home");
    assert_eq!(slot(&home, "page.floating"), ["assistant-panel"]);
    assert_eq!(home["slots"]["page.floating"][0]["props"]["frame"], "plugins/ai-assistant/frame");
    let page = PORTAL.page(
        "tidesdesk",
        "/en/plugins/ai-assistant/ask?q=How%20much%20carbon%20does%20a%20seagrass%20meadow%20store%3F",
    );
    let cited: Vec<_> = page.split("<a href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(!cited.is_empty(), "{page}");
    for address in cited {
        let path = address.strip_prefix("http://tidesdesk.localhost").unwrap_or_else(|| panic!("{address}"));
        let article = PORTAL.page("tidesdesk", path);
        assert_eq!(masthead_test_support::bootstrap(&article)["page"]["kind"], "article");
    }
    assert!(page.matches("target=\"_top\"").count() == page.matches("<a ").count() && page.contains("<blockquote"));
    let quotes: Vec<_> = page.split("<blockquote").skip(1).map(|rest| between(rest, ">", "</blockquote>")).collect();
    assert!(quotes.iter().any(|quote| quote.to_lowercase().contains("carbon")), "{quotes:?}");

    // On the shared host, addresses stay below the site's path.
    let shared =
        PORTAL.with("127.0.0.1", "/tidesdesk/zh/plugins/ai-assistant/ask?q=%E7%A2%B3%E6%94%B6%E6%94%AF", &[]).text();
    assert!(shared.contains("href=\"http://127.0.0.1/tidesdesk/zh/article/"), "{shared}");
    assert!(shared.contains("lang=\"zh\""));

    // Articles of other sites are not cited; hostile input is escaped.
    let nothing = PORTAL.page("tidesdesk", "/en/plugins/ai-assistant/ask?q=reverberation");
    assert!(nothing.contains("nothing on this site answers that"), "{nothing}");
    let attack = PORTAL.page("tidesdesk", "/en/plugins/ai-assistant/ask?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E");
    assert!(!attack.contains("<script") && attack.contains("&lt;script&gt;"), "{attack}");
}

#[test]
fn closed_articles_are_cited_from_their_abstracts_only() {
    // The site's full texts are reserved for partners' readers; the plugin answers everybody.
    let page = PORTAL.page("fieldnotes", "/en/plugins/ai-assistant/ask?q=classroom");
    assert!(page.contains("/en/article/"), "{page}");
    for quote in page.split("<blockquote").skip(1).map(|rest| between(rest, ">", "</blockquote>")) {
        assert!(quote.chars().count() < 2000, "{quote}");
    }
}
