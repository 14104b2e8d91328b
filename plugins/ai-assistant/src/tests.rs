//! Tests of the panel, the token and the plugin's own answers.

use super::*;
use masthead_plugin::{
    Text,
    serde_json::{self, Value},
    testing,
};

fn set(app_code: &str, frame_address: &str) {
    let settings = json!({
        "title": { "zh": "智能问答", "en": "Ask" }, "appCode": app_code, "frameAddress": frame_address,
        "secret": "assistant-key", "width": 400, "height": 600,
    });
    testing::set_settings(&settings.to_string());
}

fn panel(route: &str) -> Option<Value> {
    let context = Context { route: route.to_owned(), ..testing::context("en") };
    let modules = AiAssistant::contribute(&context).unwrap();
    modules.first().map(|module| serde_json::from_str(&module.props).unwrap())
}

fn ask(lang: &str, path: &str, question: &str) -> String {
    let query = vec![("q".to_owned(), question.to_owned())];
    let request =
        RouteRequest { method: "GET".to_owned(), path: path.to_owned(), query, headers: vec![], body: vec![] };
    let answer = AiAssistant::handle(&testing::context(lang), request).unwrap();
    assert_eq!((answer.status, answer.headers[0].1.as_str()), (200, "text/html; charset=utf-8"));
    String::from_utf8(answer.body).unwrap()
}

fn token() -> Result<String, String> {
    let request = AssistantRequest {
        host: "journals.example.org".to_owned(),
        query: "tides?".to_owned(),
        content: String::new(),
        signed_in: false,
    };
    AiAssistant::secure_parameters(&testing::context("en"), request)
}

#[test]
fn the_panel_is_on_the_home_page_only() {
    set("", "");
    assert_eq!(panel("article"), None);
    let props = panel("home").unwrap();
    assert_eq!((&props["frame"], &props["width"]), (&json!("plugins/ai-assistant/frame"), &json!(400)));
    assert_eq!(token(), Ok(String::new()));
    set("app", "https://ai.example.org/?t={token}");
    assert_eq!(panel("home").unwrap()["frame"], "https://ai.example.org/?t={token}");
    assert!(token().unwrap_err().contains("assistant-key"));
}

#[test]
fn the_token_is_signed_and_has_a_nonce() {
    set("app", "https://ai.example.org/?t={token}");
    testing::put_secret("assistant-key");
    let (one, other) = (token().unwrap(), token().unwrap());
    assert_ne!(one, other);
    let (claims, signature) = one.split_once('.').unwrap();
    assert_eq!(Ok(signature.to_owned()), masthead_plugin::secrets::sign("assistant-key", claims));
    let wanted = json!({
        "code": "app", "s": 2, "host": "journals.example.org", "siteId": 1, "lang": "en", "query": "tides?",
        "iat": 1_767_225_600, "nonce": "0102030405060708090a0b0c0d0e0f10",
    });
    assert_eq!(claims, masthead_plugin::base64_url(wanted.to_string().as_bytes()));
}

#[test]
fn passages_are_cited_and_escaped() {
    let mut article = testing::article(17);
    article.titles = vec![Text { lang: "en".to_owned(), value: "<b>Tides</b> & \"eels\"".to_owned() }];
    testing::set_articles(vec![article]);
    let page = ask("en", "ask", "What are <script>tides?");
    assert!(page.contains(r#"<a href="https://journals.example.org/test/en/article/17" target="_top">"#), "{page}");
    assert!(page.contains("&lt;b&gt;Tides&lt;/b&gt; &amp; &quot;eels&quot;</a>"));
    assert!(page.contains(r#"value="What are &lt;script&gt;tides?""#));
    assert!(!page.contains("<script") && !page.contains("<b>"));
}

#[test]
fn passages_with_any_word_are_found() {
    testing::set_articles(vec![testing::article(17)]);
    assert!(ask("en", "ask", "How do basalt tides form?").contains("article/17"));
}

#[test]
fn an_empty_result_is_reported_in_the_page_language() {
    for (lang, html, words) in
        [("zh", "lang=\"zh\"", "抱歉"), ("ara", "lang=\"ar\" dir=\"rtl\"", "عذراً"), ("xx", "lang=\"en\"", "Sorry")]
    {
        let page = ask(lang, "ask", "basalt");
        assert!(page.contains(html) && page.contains(words), "{page}");
    }
}

#[test]
fn the_page_has_only_the_form_before_a_question() {
    for path in ["frame", "ask"] {
        let page = ask("en", path, " ");
        assert!(page.contains("<form action=\"ask\"") && page.contains("The answers are passages"), "{page}");
        assert!(!page.contains("role=\"status\""));
    }
}

#[test]
fn an_incomplete_configuration_is_rejected() {
    for (code, address, fits) in [
        ("", "", true),
        ("app", "https://ai.example.org/{token}", true),
        ("app", "", false),
        ("", "https://ai.example.org/{token}", false),
        ("app", "http://ai.example.org/{token}", false),
        ("app", "https://ai.example.org/", false),
    ] {
        set(code, address);
        assert_eq!(AiAssistant::check(&testing::context("en")).is_ok(), fits, "{code} {address}");
    }
}
