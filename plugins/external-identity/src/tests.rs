//! Tests of the sign-in: redirect to the service, code exchange, user data.

use super::*;
use masthead_plugin::{
    http::{Form, Place},
    serde_json, testing,
};
use sha2::{Digest as _, Sha256};

fn set(more: &[(&str, &str)]) {
    let mut settings = json!({
        "signInAddress": "https://id.example.org/in?theme=plain",
        "tokenAddress": "https://id.example.org/token",
        "userAddress": "https://id.example.org/user",
        "clientId": "journals", "secret": "identity-client", "scope": "openid profile", "issuer": "",
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
    let query = [query, &[("state", "s&1")]].concat();
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
    let begin = |state: &str| {
        let callback = "https://journals.example.org/back?x=1".to_owned();
        ExternalIdentity::begin(&testing::context("zh"), IdentityStart { callback, state: state.to_owned() }).unwrap()
    };
    let Proof { verifier, nonce } = Proof::of("identity-client", "s&1").unwrap();
    let challenge = masthead_plugin::base64_url(&Sha256::digest(verifier.as_bytes()));
    let address = begin("s&1");
    assert_eq!(
        address,
        format!(
            "https://id.example.org/in?theme=plain&response_type=code&client_id=journals\
             &redirect_uri=https%3A%2F%2Fjournals.example.org%2Fback%3Fx%3D1&scope=openid%20profile&state=s%261\
             &code_challenge={challenge}&code_challenge_method=S256&nonce={nonce}"
        )
    );
    assert!(challenge.len() == 43 && verifier.len() == 64 && !address.contains(&verifier) && nonce != verifier);
    assert!(!begin("s&2").contains(&challenge), "each sign-in has its own");
    set(&[("scope", "profile")]);
    assert!(!begin("s&1").contains("nonce="), "only OpenID Connect has a nonce");
}

/// An ID token with these claims. Its signature is not checked.
fn id_token(claims: &Value) -> String {
    format!("e30.{}.c2ln", masthead_plugin::base64_url(claims.to_string().as_bytes()))
}

#[test]
fn the_code_is_sent_with_its_verifier() {
    set(&[]);
    testing::on_http(|request| {
        let body = String::from_utf8(request.body.clone()).unwrap();
        let Proof { verifier, .. } = Proof::of("identity-client", "s&1").unwrap();
        assert!(body.ends_with(&format!("&code_verifier={verifier}")), "{body}");
        Ok(testing::answer(400, ""))
    });
    assert!(come_back(&[("code", "c 1")]).is_err());
}

#[test]
fn an_id_token_must_be_of_the_issuer_for_this_client_and_sign_in() {
    let nonce = {
        set(&[]);
        Proof::of("identity-client", "s&1").unwrap().nonce
    };
    let right = json!({ "iss": "https://id.example.org", "aud": "journals", "nonce": nonce, "sub": "u-1" });
    let with = |name: &str, value: Value| {
        let mut claims = right.clone();
        claims[name] = value;
        Some(id_token(&claims))
    };
    let sign_in = |issuer: &str, token: Option<String>| {
        set(&[("issuer", issuer)]);
        testing::on_http(move |request| {
            let answer = if request.url.ends_with("/token") {
                json!({ "access_token": "t", "id_token": token })
            } else {
                json!({ "sub": "u-1", "name": "Ada" })
            };
            Ok(testing::answer(200, &answer.to_string()))
        });
        come_back(&[("code", "c 1"), ("iss", "https://id.example.org")]).map(|user| user.subject)
    };
    let issuer = "https://id.example.org";
    for claims in
        [right.clone(), json!({ "aud": ["others", "journals"], "iss": issuer, "nonce": right["nonce"], "sub": "u-1" })]
    {
        assert_eq!(sign_in(issuer, Some(id_token(&claims))), Ok("u-1".to_owned()));
    }
    assert_eq!(sign_in("", None), Ok("u-1".to_owned()), "a service without ID tokens");
    for (token, word) in [
        (with("iss", json!("https://other.example")), "iss"),
        (with("aud", json!("others")), "aud"),
        (with("aud", json!([])), "aud"),
        (with("nonce", json!("x")), "nonce"),
        (with("nonce", Value::Null), "nonce"),
        (with("sub", json!("u-2")), "another user"),
        (with("sub", Value::Null), "no subject"),
        (Some("x".to_owned()), "cannot be read"),
        (None, "no ID token"),
    ] {
        let error = sign_in(issuer, token.clone()).unwrap_err();
        assert!(error.contains(word), "{token:?}: {error}");
    }
    assert!(sign_in("", with("nonce", json!("x"))).is_err(), "an ID token is checked whenever there is one");
    assert!(
        sign_in("https://other.example", with("sub", json!("u-1"))).unwrap_err().contains("another identity service")
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
