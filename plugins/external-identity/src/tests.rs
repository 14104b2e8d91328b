//! Tests of the sign-in: redirect to the service, code exchange, user data.

use super::*;
use masthead_plugin::{
    http::{Form, Place},
    serde_json, testing,
};

fn set(more: &[(&str, &str)]) {
    let mut settings = json!({
        "signInAddress": "https://id.example.org/in?theme=plain",
        "tokenAddress": "https://id.example.org/token",
        "userAddress": "https://id.example.org/user",
        "clientId": "journals", "secret": "identity-client", "scope": "openid profile",
        "clientSecretIn": "basic", "accessTokenIn": "form",
        "subjectField": "sub", "nameField": "name", "label": { "zh": "登录", "en": "Sign in" },
    });
    for (name, value) in more {
        settings[*name] = json!(value);
    }
    testing::set_settings(&settings.to_string());
    testing::put_secret("identity-client");
}

fn come_back(query: &[(&str, &str)]) -> Result<User, String> {
    let query = query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let callback = "https://journals.example.org/back".to_owned();
    ExternalIdentity::complete(&testing::context("zh"), IdentityAnswer { callback, query })
}

/// Fakes the token endpoint, and the user endpoint with this response.
fn serve(user: &'static str) {
    testing::on_http(move |request| {
        let body = String::from_utf8(request.body.clone()).unwrap();
        if request.url.ends_with("/token") {
            assert!(body.starts_with("grant_type=authorization_code&code=c%201&redirect_uri=https%3A%2F%2Fjournals"));
            return Ok(testing::answer(200, r#"{"access_token":"t","token_type":"Bearer"}"#));
        }
        assert!(request.url.contains("access_token=t") || body == "access_token=t", "{}", request.url);
        Ok(testing::answer(200, user))
    });
}

#[test]
fn the_redirect_has_state_and_callback() {
    set(&[]);
    let start = IdentityStart { callback: "https://journals.example.org/back?x=1".to_owned(), state: "s&1".to_owned() };
    let address = ExternalIdentity::begin(&testing::context("zh"), start).unwrap();
    assert_eq!(
        address,
        "https://id.example.org/in?theme=plain&response_type=code&client_id=journals\
         &redirect_uri=https%3A%2F%2Fjournals.example.org%2Fback%3Fx%3D1&scope=openid%20profile&state=s%261"
    );
}

#[test]
fn the_user_has_an_id_and_a_name() {
    for settings in [&[][..], &[("accessTokenIn", "query"), ("clientSecretIn", "form")][..]] {
        set(settings);
        serve(r#"{"sub":"u-1","name":"Ada"}"#);
        assert_eq!(come_back(&[("code", "c 1")]), Ok(User { subject: "u-1".to_owned(), name: "Ada".to_owned() }));
    }
}

#[test]
fn the_client_secret_is_sent_as_configured() {
    for (place, wanted) in [
        ("basic", (Place::Header("authorization".to_owned()), Form::Basic("journals".to_owned()))),
        ("form", (Place::Form("client_secret".to_owned()), Form::Plain(String::new()))),
    ] {
        set(&[("clientSecretIn", place)]);
        testing::on_http(move |request| {
            let credential = &request.credentials[0];
            assert_eq!((credential.place.clone(), credential.form.clone()), wanted);
            Ok(testing::answer(401, ""))
        });
        assert_eq!(come_back(&[("code", "c 1")]), Err("the server answered with status 401".to_owned()));
    }
}

#[test]
fn the_user_fields_are_configurable() {
    set(&[("subjectField", "id"), ("nameField", "nick")]);
    serve(r#"{"id":42}"#);
    assert_eq!(come_back(&[("code", "c 1")]), Ok(User { subject: "42".to_owned(), name: "42".to_owned() }));
    serve(r#"{"sub":"u-1"}"#);
    assert!(come_back(&[("code", "c 1")]).unwrap_err().contains("\"id\""));
}

#[test]
fn a_refusal_of_the_service_is_returned() {
    set(&[]);
    assert_eq!(come_back(&[("error", "access_denied"), ("error_description", "No.")]), Err("No.".to_owned()));
    assert!(come_back(&[]).unwrap_err().contains("no code"));
}

#[test]
fn the_account_icon_has_its_label() {
    set(&[]);
    let modules = ExternalIdentity::contribute(&testing::context("zh")).unwrap();
    assert_eq!((modules[0].slot.as_str(), modules[0].module.as_str()), ("header.account", "account-link"));
    let props: Value = serde_json::from_str(&modules[0].props).unwrap();
    assert_eq!(props, json!({ "label": { "zh": "登录", "en": "Sign in" } }));
}
