//! An OpenID Connect provider in memory, which signs its tokens with ES256. It answers requests; a test serves it on a port or passes requests
//! to it directly. What it says can be changed, so that it lies as a broken or hostile provider would.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use p256::ecdsa::{Signature, SigningKey, signature::Signer as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// Somebody who signs in at the provider.
#[derive(Clone, Debug, Default)]
pub struct Account {
    pub subject: String,
    /// Claims besides the subject.
    pub claims: Value,
}

/// An authorization code that was given out, with what the request for it said.
struct Granted {
    account: Account,
    callback: String,
    challenge: String,
    nonce: String,
}

/// How the provider behaves, where it is not as it should be.
#[derive(Clone, Default)]
pub struct Misbehaviour {
    /// Claims that the ID token has instead of the true ones; `null` leaves one out.
    pub claims: BTreeMap<String, Value>,
    /// The header of the ID token instead of the true one.
    pub header: Option<Value>,
    /// Signs with a key that is not among those that it publishes.
    pub foreign_key: bool,
    /// Sends no ID token.
    pub no_id_token: bool,
    /// What the user information says instead.
    pub user: Option<Value>,
    /// Fields of the configuration instead of the true ones.
    pub configuration: BTreeMap<String, Value>,
    /// The status of all answers.
    pub status: Option<u16>,
}

struct State {
    key: SigningKey,
    key_id: String,
    codes: BTreeMap<String, Granted>,
    tokens: BTreeMap<String, Account>,
    lies: Misbehaviour,
}

/// The provider. Clones are the same one.
#[derive(Clone)]
pub struct Provider {
    issuer: String,
    client_id: String,
    secret: String,
    clock: Arc<dyn Fn() -> i64 + Send + Sync>,
    state: Arc<Mutex<State>>,
}

impl Provider {
    /// A provider with one client. `clock` gives milliseconds since 1970.
    pub fn new(issuer: &str, client_id: &str, secret: &str, clock: impl Fn() -> i64 + Send + Sync + 'static) -> Self {
        let state = State {
            key: new_key(),
            key_id: "key-1".to_owned(),
            codes: BTreeMap::new(),
            tokens: BTreeMap::new(),
            lies: Misbehaviour::default(),
        };
        Self {
            issuer: issuer.to_owned(),
            client_id: client_id.to_owned(),
            secret: secret.to_owned(),
            clock: Arc::new(clock),
            state: Arc::new(Mutex::new(state)),
        }
    }

    pub fn lie(&self, lies: Misbehaviour) {
        self.state.lock().unwrap().lies = lies;
    }

    /// Signs with another key from now on, and publishes that one only.
    pub fn rotate_keys(&self) {
        let mut state = self.state.lock().unwrap();
        (state.key, state.key_id) = (new_key(), format!("{}-next", state.key_id));
    }

    /// Somebody opens the sign-in page at this address and signs in there: the address to which the provider sends them back.
    pub fn sign_in(&self, address: &str, account: Account) -> String {
        let (page, query) = address.split_once('?').unwrap();
        assert_eq!(page, format!("{}/authorize", self.issuer));
        let query = fields(query);
        let of = |name: &str| query.get(name).cloned().unwrap_or_default();
        assert_eq!((of("response_type"), of("client_id")), ("code".to_owned(), self.client_id.clone()));
        assert_eq!(of("code_challenge_method"), "S256");
        let code = format!("code-{}", URL_SAFE_NO_PAD.encode(rand::random::<[u8; 12]>()));
        let granted =
            Granted { account, callback: of("redirect_uri"), challenge: of("code_challenge"), nonce: of("nonce") };
        let back = format!("{}?code={code}&state={}", granted.callback, of("state"));
        self.state.lock().unwrap().codes.insert(code, granted);
        back
    }

    /// Answers a request: the status and the JSON.
    pub fn answer(&self, method: &str, path: &str, authorization: &str, body: &str) -> (u16, Value) {
        let mut state = self.state.lock().unwrap();
        if let Some(status) = state.lies.status {
            return (status, json!({ "error": "server_error" }));
        }
        match (method, path) {
            ("GET", "/.well-known/openid-configuration") => (200, self.configuration(&state)),
            ("GET", "/keys") => (200, json!({ "keys": [public(&state.key, &state.key_id)] })),
            ("POST", "/token") => self.tokens(&mut state, authorization, &fields(body)),
            ("GET", "/user") => {
                let account = authorization.strip_prefix("Bearer ").and_then(|token| state.tokens.get(token));
                let Some(account) = account else { return (401, json!({ "error": "invalid_token" })) };
                let told =
                    merged(json!({ "sub": account.subject, "name": "Name by user information" }), &account.claims);
                (200, state.lies.user.clone().unwrap_or(told))
            }
            _ => (404, Value::Null),
        }
    }

    fn configuration(&self, state: &State) -> Value {
        let mut configuration = json!({
            "issuer": self.issuer,
            "authorization_endpoint": format!("{}/authorize", self.issuer),
            "token_endpoint": format!("{}/token", self.issuer),
            "userinfo_endpoint": format!("{}/user", self.issuer),
            "jwks_uri": format!("{}/keys", self.issuer),
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["ES256", "HS256", "none"],
        });
        replace(&mut configuration, &state.lies.configuration);
        configuration
    }

    fn tokens(&self, state: &mut State, authorization: &str, form: &BTreeMap<String, String>) -> (u16, Value) {
        let of = |name: &str| form.get(name).map_or("", String::as_str);
        let basic = format!("Basic {}", STANDARD.encode(format!("{}:{}", self.client_id, self.secret)));
        let in_body = of("client_id") == self.client_id && of("client_secret") == self.secret;
        if authorization != basic && !in_body {
            return (401, json!({ "error": "invalid_client" }));
        }
        // A code is for one use, and for who proves to have asked for it.
        let granted = state.codes.remove(of("code"));
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(of("code_verifier")));
        let fits = |granted: &Granted| granted.callback == of("redirect_uri") && granted.challenge == challenge;
        let Some(granted) = granted.filter(fits).filter(|_| of("grant_type") == "authorization_code") else {
            return (400, json!({ "error": "invalid_grant", "error_description": of("code") }));
        };
        let access = format!("access-{}", URL_SAFE_NO_PAD.encode(rand::random::<[u8; 12]>()));
        let token = self.id_token(state, &granted, &access);
        state.tokens.insert(access.clone(), granted.account);
        let mut answer = json!({ "access_token": access, "token_type": "Bearer", "expires_in": 300 });
        if !state.lies.no_id_token {
            answer["id_token"] = json!(token);
        }
        (200, answer)
    }

    fn id_token(&self, state: &State, granted: &Granted, access: &str) -> String {
        let now = (self.clock)() / 1000;
        let mut claims = merged(
            json!({
                "iss": self.issuer,
                "aud": self.client_id,
                "sub": granted.account.subject,
                "iat": now,
                "exp": now + 300,
                "nonce": granted.nonce,
                "at_hash": URL_SAFE_NO_PAD.encode(&Sha256::digest(access)[..16]),
            }),
            &granted.account.claims,
        );
        replace(&mut claims, &state.lies.claims);
        let header = json!({ "alg": "ES256", "typ": "JWT", "kid": state.key_id });
        let header = state.lies.header.clone().unwrap_or(header);
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = format!("{}.{}", part(&header), part(&claims));
        let foreign = new_key();
        let key = if state.lies.foreign_key { &foreign } else { &state.key };
        let signature: Signature = key.sign(signed.as_bytes());
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature.to_bytes()))
    }
}

fn new_key() -> SigningKey {
    SigningKey::from_slice(&rand::random::<[u8; 32]>()).unwrap()
}

fn public(key: &SigningKey, id: &str) -> Value {
    let point = key.verifying_key().to_sec1_point(false);
    let part = |from: usize| URL_SAFE_NO_PAD.encode(&point.as_bytes()[from..from + 32]);
    json!({ "kty": "EC", "use": "sig", "alg": "ES256", "crv": "P-256", "kid": id, "x": part(1), "y": part(33) })
}

/// The fields of a query or form.
fn fields(text: &str) -> BTreeMap<String, String> {
    url::form_urlencoded::parse(text.as_bytes()).into_owned().collect()
}

fn merged(mut value: Value, more: &Value) -> Value {
    for (name, more) in more.as_object().into_iter().flatten() {
        value[name] = more.clone();
    }
    value
}

fn replace(value: &mut Value, lies: &BTreeMap<String, Value>) {
    for (name, lie) in lies {
        if lie.is_null() {
            value.as_object_mut().unwrap().remove(name);
        } else {
            value[name] = lie.clone();
        }
    }
}
