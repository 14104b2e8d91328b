//! Sign-in at a provider in memory, which tells the truth and lies.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod membership;
#[path = "../../../../test-support/src/openid.rs"]
mod openid;
mod orcid;

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicI64, Ordering},
    },
};

use masthead_domain::{
    SiteId,
    site::{IdentityProvider, ProviderKind},
};
use masthead_runtime::{HostFetchError, ServiceRequest, ServiceResponse};
use serde_json::{Value, json};

use self::openid::{Account, Misbehaviour};
use super::*;
use crate::installation_key::InstallationKey;

const ISSUER: &str = "https://login.example.org";
const CALLBACK: &str = "https://journal.example.org/en/login/callback";
const SECRET: &str = "client-secret-8Qw";
const START: i64 = 1_700_000_000_000;
const MINUTE: i64 = 60_000;

/// A site's readers at a provider.
struct World {
    clock: Arc<AtomicI64>,
    openid: openid::Provider,
    seen: Arc<Mutex<Vec<String>>>,
    provider: Provider,
}

/// Passes requests to a provider in memory.
struct Memory {
    openid: openid::Provider,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Transport for Memory {
    fn send(&self, request: ServiceRequest) -> Sending<'_> {
        let ServiceRequest { url, authorization, body, .. } = request;
        let method = if body.is_some() { "POST" } else { "GET" };
        let body = String::from_utf8(body.unwrap_or_default()).unwrap();
        self.seen.lock().unwrap().push(format!("{method} {url} {authorization} {body}"));
        Box::pin(async move {
            let path = url.strip_prefix(ISSUER).ok_or_else(|| HostFetchError::Private(url.clone()))?;
            let (status, answer) = self.openid.answer(method, path, &authorization, &body);
            Ok(response(status, &answer))
        })
    }
}

fn response(status: u16, answer: &Value) -> ServiceResponse {
    let headers = vec![("content-type".to_owned(), "application/json;charset=UTF-8".to_owned())];
    ServiceResponse { status, headers, body: answer.to_string().into_bytes() }
}

fn settings() -> IdentityProvider {
    let (issuer, client_id) = (ISSUER.to_owned(), "journal".to_owned());
    IdentityProvider {
        kind: ProviderKind::Openid,
        issuer,
        client_id,
        secret: "campus".to_owned(),
        ..Default::default()
    }
}

impl World {
    fn new() -> Self {
        let clock = Arc::new(AtomicI64::new(START));
        let time = Arc::clone(&clock);
        let openid = openid::Provider::new(ISSUER, "journal", SECRET, move || time.load(Ordering::Relaxed));
        let seen = Arc::new(Mutex::default());
        let memory = Memory { openid: openid.clone(), seen: Arc::clone(&seen) };
        Self { clock, openid, seen, provider: Provider::new("campus", settings(), Arc::new(memory)) }
    }

    fn now(&self) -> i64 {
        self.clock.load(Ordering::Relaxed)
    }

    fn advance(&self, milliseconds: i64) {
        self.clock.fetch_add(milliseconds, Ordering::Relaxed);
    }

    fn requests_for(&self, path: &str) -> usize {
        let line = format!("{ISSUER}{path} ");
        self.seen.lock().unwrap().iter().filter(|seen| seen.contains(&line)).count()
    }

    /// Sends a reader to the provider, where they sign in: the query with which they come back.
    async fn away(&self, state: &str, account: Account) -> Vec<(String, String)> {
        let address = self.provider.begin(&attempt(state), self.now()).await.unwrap();
        query_of(&self.openid.sign_in(address.as_str(), account))
    }

    async fn back(&self, state: &str, query: &[(String, String)]) -> Result<ExternalIdentity, IdentityError> {
        let returned = CallbackQuery::read(query)?;
        self.provider.complete(&attempt(state), &returned, Some(SECRET), self.now()).await
    }

    async fn sign_in(&self, account: Account) -> Result<ExternalIdentity, IdentityError> {
        let query = self.away("state-1", account).await;
        self.back("state-1", &query).await
    }
}

fn attempt(state: &str) -> Attempt<'_> {
    Attempt::new(&InstallationKey::new([7; 32]), SiteId(1), "campus", CALLBACK, state)
}

fn query_of(address: &str) -> Vec<(String, String)> {
    url::Url::parse(address).unwrap().query_pairs().into_owned().collect()
}

fn ada() -> Account {
    Account { subject: "u-1".to_owned(), claims: json!({ "name": "Ada Lovelace", "email": "ada@example.org" }) }
}

fn invalid(result: &Result<ExternalIdentity, IdentityError>, why: &str) -> bool {
    matches!(result, Err(IdentityError::Invalid(said)) if said.contains(why))
}

#[tokio::test]
async fn a_reader_is_identified_by_the_id_token() {
    let world = World::new();
    let address = world.provider.begin(&attempt("state-1"), world.now()).await.unwrap();
    let query: BTreeMap<String, String> = address.query_pairs().into_owned().collect();
    assert_eq!(query["scope"], "openid profile");
    assert_eq!((query["redirect_uri"].as_str(), query["state"].as_str()), (CALLBACK, "state-1"));
    assert!(query["nonce"].len() == 43 && query["code_challenge"].len() == 43 && query["response_type"] == "code");
    let verifier = attempt("state-1").verifier;
    assert!(!address.as_str().contains(&verifier), "the verifier stays with the host until the code is there");

    let who = world.sign_in(ada()).await.unwrap();
    let expected = ExternalIdentity { provider: "campus".into(), subject: "u-1".into(), name: "Ada Lovelace".into() };
    assert_eq!(who, expected);
    assert_eq!((world.requests_for("/keys"), world.requests_for("/user")), (1, 0));
    let seen = world.seen.lock().unwrap().clone();
    let token = seen.iter().find(|line| line.contains("/token")).unwrap();
    assert!(token.contains("Basic ") && token.contains(&format!("code_verifier={verifier}")), "{token}");
}

#[tokio::test]
async fn the_name_comes_from_the_user_information_of_the_same_user() {
    let world = World::new();
    let unnamed = Account { subject: "u-2".to_owned(), claims: Value::Null };
    assert_eq!(world.sign_in(unnamed.clone()).await.unwrap().name, "Name by user information");
    world.openid.lie(Misbehaviour { user: Some(json!({ "sub": "u-3", "name": "Eve" })), ..Misbehaviour::default() });
    let other = world.sign_in(unnamed.clone()).await;
    assert!(invalid(&other, "subject"), "{other:?}");
    world.openid.lie(Misbehaviour { user: Some(json!("nonsense")), ..Misbehaviour::default() });
    assert_eq!(world.sign_in(unnamed).await.unwrap().name, "u-2", "a name is no condition of a sign-in");
}

#[tokio::test]
async fn id_tokens_that_lie_are_refused() {
    let world = World::new();
    let (now, key) = (START / 1000, json!("key-1"));
    let claim = |name: &str, value: Value| Misbehaviour {
        claims: BTreeMap::from([(name.to_owned(), value)]),
        ..Misbehaviour::default()
    };
    let header = |header: Value| Misbehaviour { header: Some(header), ..Misbehaviour::default() };
    for (what, lies) in [
        ("another issuer", claim("iss", json!("https://evil.example"))),
        ("another audience", claim("aud", json!("another"))),
        ("a further audience", claim("aud", json!(["journal", "another"]))),
        ("another party", claim("azp", json!("another"))),
        ("another nonce", claim("nonce", json!("n"))),
        ("no nonce", claim("nonce", Value::Null)),
        ("expired", claim("exp", json!(now - 61))),
        ("issued long ago", claim("iat", json!(now - 601))),
        ("issued in the future", claim("iat", json!(now + 61))),
        ("another access token", claim("at_hash", json!("AAAAAAAAAAAAAAAAAAAAAA"))),
        ("no subject", claim("sub", json!(" "))),
        ("a long subject", claim("sub", json!("x".repeat(256)))),
        ("a foreign signature", Misbehaviour { foreign_key: true, ..Misbehaviour::default() }),
        ("an unknown key", header(json!({ "alg": "ES256", "kid": "key-9" }))),
        ("no signature", header(json!({ "alg": "none" }))),
        ("a shared secret", header(json!({ "alg": "HS256", "kid": key }))),
        ("an odd type", header(json!({ "alg": "ES256", "kid": key, "typ": "at+jwt" }))),
        ("unknown demands", header(json!({ "alg": "ES256", "kid": key, "crit": ["b64"] }))),
        ("no ID token", Misbehaviour { no_id_token: true, ..Misbehaviour::default() }),
    ] {
        world.openid.lie(lies);
        let refused = world.sign_in(ada()).await;
        assert!(matches!(refused, Err(IdentityError::Invalid(_))), "{what}: {refused:?}");
    }
    world.openid.lie(claim("exp", json!(now - 30)));
    assert!(world.sign_in(ada()).await.is_ok(), "clocks may differ a little");
}

#[tokio::test]
async fn a_code_is_for_one_use_in_the_attempt_that_asked_for_it() {
    let world = World::new();
    let query = world.away("state-1", ada()).await;
    // Somebody else's code, brought into an attempt of one's own.
    let stolen = world.back("state-2", &query).await;
    assert!(invalid(&stolen, "code"), "{stolen:?}");
    let query = world.away("state-1", ada()).await;
    assert!(world.back("state-1", &query).await.is_ok());
    let again = world.back("state-1", &query).await;
    assert!(invalid(&again, "code") && !format!("{again:?}").contains("code-"), "{again:?}");
    assert_eq!(
        world.back("state-1", &[("error".to_owned(), "access_denied".to_owned())]).await,
        Err(IdentityError::Refused("access_denied".to_owned()))
    );
}

#[tokio::test]
async fn a_response_of_another_provider_is_not_passed_on() {
    let world = World::new();
    let mut query = world.away("state-1", ada()).await;
    query.push(("iss".to_owned(), "https://evil.example".to_owned()));
    assert!(invalid(&world.back("state-1", &query).await, "iss"));
    assert_eq!(world.requests_for("/token"), 0);
    query.pop();
    query.push(("iss".to_owned(), ISSUER.to_owned()));
    assert!(world.back("state-1", &query).await.is_ok());

    let world = World::new();
    let named = ("authorization_response_iss_parameter_supported".to_owned(), json!(true));
    world.openid.lie(Misbehaviour { configuration: BTreeMap::from([named]), ..Misbehaviour::default() });
    let unnamed = world.sign_in(ada()).await;
    assert!(invalid(&unnamed, "iss"), "who says that it names itself has to: {unnamed:?}");
}

#[tokio::test]
async fn new_keys_of_a_provider_are_read_but_not_for_everybody_who_asks() {
    let world = World::new();
    world.sign_in(ada()).await.unwrap();
    world.openid.rotate_keys();
    assert!(world.sign_in(ada()).await.is_err(), "read a moment ago");
    world.advance(MINUTE);
    assert!(world.sign_in(ada()).await.is_ok());
    assert_eq!(world.requests_for("/keys"), 2);
    let unknown = Misbehaviour { header: Some(json!({ "alg": "ES256", "kid": "key-9" })), ..Misbehaviour::default() };
    world.openid.lie(unknown);
    for _ in 0..5 {
        assert!(world.sign_in(ada()).await.is_err());
    }
    assert_eq!(world.requests_for("/keys"), 2, "forged tokens cause no requests");
}

#[tokio::test]
async fn a_provider_that_does_not_answer_is_asked_again_after_a_while() {
    let world = World::new();
    world.openid.lie(Misbehaviour { status: Some(503), ..Misbehaviour::default() });
    for _ in 0..5 {
        let failed = world.provider.begin(&attempt("s"), world.now()).await;
        assert!(matches!(failed, Err(IdentityError::Unavailable(_))), "{failed:?}");
    }
    assert_eq!(world.requests_for("/.well-known/openid-configuration"), 1);
    world.openid.lie(Misbehaviour::default());
    world.advance(10_000);
    assert!(world.sign_in(ada()).await.is_ok());
    world.openid.lie(Misbehaviour { status: Some(500), ..Misbehaviour::default() });
    world.advance(2 * 60 * MINUTE);
    assert!(world.provider.begin(&attempt("s"), world.now()).await.is_ok(), "with what is known of it");
    world.advance(24 * 60 * MINUTE);
    assert!(world.provider.begin(&attempt("s"), world.now()).await.is_err(), "which is not true for ever");
    world.openid.lie(Misbehaviour::default());
    world.advance(-48 * 60 * MINUTE);
    assert!(world.provider.begin(&attempt("s"), world.now()).await.is_ok(), "the clock was set back");
}

#[tokio::test]
async fn a_provider_with_a_false_configuration_is_not_used() {
    for (name, value) in [
        ("issuer", json!("https://evil.example")),
        ("authorization_endpoint", json!("http://login.example.org/authorize")),
        ("authorization_endpoint", json!("javascript:alert(1)")),
        ("jwks_uri", json!("http://169.254.169.254/latest")),
        ("token_endpoint", json!("http://10.0.0.1/token")),
    ] {
        let world = World::new();
        let configuration = BTreeMap::from([(name.to_owned(), value.clone())]);
        world.openid.lie(Misbehaviour { configuration, ..Misbehaviour::default() });
        let begun = world.provider.begin(&attempt("state-1"), world.now()).await;
        let failed = match begun {
            Ok(address) => {
                let query = query_of(&world.openid.sign_in(address.as_str(), ada()));
                world.back("state-1", &query).await.err()
            }
            Err(error) => Some(error),
        };
        assert!(matches!(failed, Some(IdentityError::Unavailable(_))), "{name} {value}: {failed:?}");
    }
}

#[tokio::test]
async fn the_clients_secret_goes_where_the_provider_takes_it_and_into_no_message() {
    let world = World::new();
    let methods = ("token_endpoint_auth_methods_supported".to_owned(), json!(["client_secret_post"]));
    world.openid.lie(Misbehaviour { configuration: BTreeMap::from([methods]), ..Misbehaviour::default() });
    assert!(world.sign_in(ada()).await.is_ok());
    let seen = world.seen.lock().unwrap().clone();
    let token = seen.iter().find(|line| line.contains("/token")).unwrap();
    assert!(token.contains(&format!("client_secret={SECRET}")) && !token.contains("Basic "), "{token}");

    let world = World::new();
    let query = world.away("state-1", ada()).await;
    let returned = CallbackQuery::read(&query).unwrap();
    let wrong = world.provider.complete(&attempt("state-1"), &returned, Some("wrong-secret-77"), START).await;
    let text = format!("{wrong:?}");
    assert!(matches!(wrong, Err(IdentityError::Unavailable(_))) && !text.contains("wrong-secret-77"), "{text}");
}
