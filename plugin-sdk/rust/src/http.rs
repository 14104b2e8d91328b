//! HTTP requests to the servers that the site grants: `http::get(url).send()?`. Needs the capability `http` in `plugin.toml`, and
//! `secrets` for credentials.

pub use crate::bindings::capabilities::masthead::plugin::http::{
    Algorithm, Credential, Digest, Encoding, Failure, Form, Method, Part, Place, Request, Response,
};

#[cfg(target_arch = "wasm32")]
use crate::bindings::capabilities::masthead::plugin::http as host;
#[cfg(not(target_arch = "wasm32"))]
use crate::testing::host::http as host;

use serde::{Serialize, de::DeserializeOwned};

use crate::encode::{query_string, with_query};

/// A GET request.
#[must_use]
pub fn get(url: &str) -> Request {
    Request::new(Method::Get, url)
}

/// A POST request without a body.
#[must_use]
pub fn post(url: &str) -> Request {
    Request::new(Method::Post, url)
}

/// A POST request with a form.
#[must_use]
pub fn post_form(url: &str, fields: &[(&str, &str)]) -> Request {
    post(url).header("content-type", "application/x-www-form-urlencoded").body(query_string(fields.iter().copied()))
}

/// A POST request with a value as JSON.
///
/// # Errors
/// If the value cannot be serialized to JSON.
pub fn post_json(url: &str, value: &impl Serialize) -> Result<Request, Failure> {
    let body = serde_json::to_vec(value).map_err(|error| Failure::Invalid(format!("serializing the body: {error}")))?;
    Ok(post(url).header("content-type", "application/json").body(body))
}

impl Request {
    /// Creates a request without headers and body.
    #[must_use]
    pub fn new(method: Method, url: &str) -> Self {
        Self {
            method,
            url: url.to_owned(),
            headers: Vec::new(),
            body: Vec::new(),
            credentials: Vec::new(),
            timeout_ms: None,
        }
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    /// Adds a query parameter.
    #[must_use]
    pub fn query(mut self, name: &str, value: &str) -> Self {
        self.url = with_query(&self.url, [(name, value)]);
        self
    }

    /// Sets the body.
    #[must_use]
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    /// Adds a credential, which the host fills in with the secret.
    #[must_use]
    pub fn credential(mut self, credential: Credential) -> Self {
        self.credentials.push(credential);
        self
    }

    /// Sets a timeout shorter than the host's, in milliseconds.
    #[must_use]
    pub fn timeout_ms(mut self, milliseconds: u32) -> Self {
        self.timeout_ms = Some(milliseconds);
        self
    }

    /// Sends the request. Returns the response whatever its status.
    ///
    /// # Errors
    /// The reason why there is no response.
    pub fn send(&self) -> Result<Response, Failure> {
        host::fetch(self)
    }
}

impl Response {
    /// Whether the status is 200 to 299.
    #[must_use]
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Returns this response if its status is 200 to 299.
    ///
    /// # Errors
    /// A message with the status.
    pub fn success(self) -> Result<Self, String> {
        if self.is_success() { Ok(self) } else { Err(format!("the server answered with status {}", self.status)) }
    }

    /// The first header of this name, in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        crate::values::find(&self.headers, name)
    }

    /// The body as text; invalid UTF-8 becomes U+FFFD.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Deserializes the body from JSON.
    ///
    /// # Errors
    /// The message of serde, without the body.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, String> {
        serde_json::from_slice(&self.body).map_err(|error| format!("the response of the server: {error}"))
    }
}

impl Credential {
    /// `Authorization: Bearer <secret>`.
    #[must_use]
    pub fn bearer(secret: &str) -> Self {
        Self::plain(secret, Place::Header("authorization".to_owned()), "Bearer ")
    }

    /// `Authorization: Basic ...` with this user name and the secret as password.
    #[must_use]
    pub fn basic(user: &str, secret: &str) -> Self {
        Self {
            secret: secret.to_owned(),
            place: Place::Header("authorization".to_owned()),
            form: Form::Basic(user.to_owned()),
        }
    }

    /// The secret itself with a prefix, at any place of the request.
    #[must_use]
    pub fn plain(secret: &str, place: Place, prefix: &str) -> Self {
        Self { secret: secret.to_owned(), place, form: Form::Plain(prefix.to_owned()) }
    }

    /// A digest over these parts in order, in lower-case hexadecimal.
    #[must_use]
    pub fn digest(secret: &str, place: Place, algorithm: Algorithm, parts: Vec<Part>) -> Self {
        let digest = Digest { algorithm, parts, encoding: Encoding::Hex, prefix: String::new() };
        Self { secret: secret.to_owned(), place, form: Form::Digest(digest) }
    }

    /// The same digest after a prefix, such as `sha256=`. Other forms stay as they are.
    #[must_use]
    pub fn with_prefix(mut self, prefix: &str) -> Self {
        if let Form::Digest(digest) = &mut self.form {
            prefix.clone_into(&mut digest.prefix);
        }
        self
    }

    /// The same digest written as Base64. Other forms stay as they are.
    #[must_use]
    pub fn in_base64(mut self) -> Self {
        if let Form::Digest(digest) = &mut self.form {
            digest.encoding = Encoding::Base64;
        }
        self
    }
}

impl From<Failure> for String {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::NotGranted(what) => format!("not granted: {what}"),
            Failure::AddressRefused(what) => format!("address refused: {what}"),
            Failure::Invalid(what) => format!("invalid request: {what}"),
            Failure::TooMuch(what) => format!("too much: {what}"),
            Failure::Timeout => "no answer in time".to_owned(),
            Failure::Connection(what) => format!("connection failed: {what}"),
        }
    }
}
