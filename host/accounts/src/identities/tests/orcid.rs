//! ORCID, whose ID tokens have a text where OpenID Connect has a list.

use openidconnect::{
    JsonWebKeyId, PrivateSigningKey as _,
    core::{CoreJwsSigningAlgorithm, CoreRsaPrivateSigningKey},
};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};

use super::*;

/// A key that was made for these tests.
const KEY: &str = include_str!("../../../tests/data/provider-key.pem");
const ORCID: &str = "https://orcid.org";

/// ORCID with one reader, who comes back with any code.
struct Orcid {
    key: CoreRsaPrivateSigningKey,
    /// The claims of the next ID token.
    claims: Value,
}

impl Transport for Orcid {
    fn send(&self, request: ServiceRequest) -> Sending<'_> {
        let body = String::from_utf8(request.body.unwrap_or_default()).unwrap();
        let answer = match request.url.strip_prefix(ORCID).unwrap() {
            "/.well-known/openid-configuration" => json!({
                "issuer": ORCID,
                "authorization_endpoint": format!("{ORCID}/oauth/authorize"),
                "token_endpoint": format!("{ORCID}/oauth/token"),
                "userinfo_endpoint": format!("{ORCID}/oauth/userinfo"),
                "jwks_uri": format!("{ORCID}/oauth/jwks"),
                "token_endpoint_auth_methods_supported": ["client_secret_post"],
                "response_types_supported": ["code"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256"],
            }),
            "/oauth/jwks" => json!({ "keys": [self.key.as_verification_key()] }),
            "/oauth/token" => {
                assert!(body.contains("client_secret=s-orcid") && request.authorization.is_empty(), "{body}");
                let token = json!({
                    "access_token": "a-1", "token_type": "bearer", "expires_in": 631_138_518, "scope": "openid",
                    "name": "Josiah Carberry", "orcid": "0000-0002-1825-0097", "id_token": self.token(),
                });
                return Box::pin(async move { Ok(response(200, &token)) });
            }
            "/oauth/userinfo" => json!({ "sub": "0000-0002-1825-0097", "given_name": "Josiah" }),
            other => panic!("{other}"),
        };
        Box::pin(async move { Ok(response(200, &answer)) })
    }
}

impl Orcid {
    fn token(&self) -> String {
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let header = json!({ "alg": "RS256", "kid": "orcid-1" });
        let signed = format!("{}.{}", part(&header), part(&self.claims));
        let signature = self.key.sign(&CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256, signed.as_bytes()).unwrap();
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
    }
}

fn attempt_at_orcid() -> Attempt<'static> {
    Attempt::new(&InstallationKey::new([7; 32]), SiteId(1), "orcid", CALLBACK, "state-1")
}

/// Signs in with an ID token of ORCID's in which one claim is another.
async fn sign_in(name: &str, value: Value) -> Result<ExternalIdentity, IdentityError> {
    let now = START / 1000;
    let mut claims = json!({
        "iss": ORCID, "aud": "APP-1", "sub": "0000-0002-1825-0097", "iat": now, "exp": now + 300, "auth_time": now,
        "amr": "mfa", "jti": "j", "nonce": attempt_at_orcid().nonce, "given_name": "Josiah", "family_name": "Carberry",
    });
    claims[name] = value;
    let key = CoreRsaPrivateSigningKey::from_pem(KEY, Some(JsonWebKeyId::new("orcid-1".to_owned()))).unwrap();
    let settings = IdentityProvider { kind: ProviderKind::Orcid, client_id: "APP-1".to_owned(), ..Default::default() };
    let provider = Provider::new("orcid", settings, Arc::new(Orcid { key, claims }));
    let address = provider.begin(&attempt_at_orcid(), START).await.unwrap();
    assert!(address.as_str().starts_with("https://orcid.org/oauth/authorize?"), "{address}");
    assert!(address.query_pairs().any(|(name, value)| name == "scope" && value == "openid"), "{address}");
    let returned = CallbackQuery::read(&[("code".to_owned(), "c".to_owned())]).unwrap();
    provider.complete(&attempt_at_orcid(), &returned, Some("s-orcid"), START).await
}

#[tokio::test]
async fn a_researcher_is_identified_by_the_orcid_id() {
    let who = sign_in("amr", json!("pwd")).await.unwrap();
    let (provider, subject) = ("orcid".to_owned(), "0000-0002-1825-0097".to_owned());
    assert_eq!(who, ExternalIdentity { provider, subject, name: "Josiah Carberry".to_owned() });
}

#[tokio::test]
async fn tokens_of_orcid_are_checked_as_those_of_others() {
    let now = START / 1000;
    for (name, value) in [
        ("iss", json!("https://sandbox.orcid.org")),
        ("aud", json!("APP-2")),
        ("nonce", json!("another")),
        ("nonce", Value::Null),
        ("exp", json!(now - 61)),
        ("exp", Value::Null),
        ("iat", json!(now - 601)),
        ("sub", json!("0000-0002-1825-0098")),
        ("sub", json!("ada")),
    ] {
        let refused = sign_in(name, value.clone()).await;
        assert!(matches!(refused, Err(IdentityError::Invalid(_))), "{name} {value}: {refused:?}");
    }
}
