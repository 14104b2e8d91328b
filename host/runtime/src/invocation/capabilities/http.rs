//! Asking the servers that a site grants. The work is done in [`crate::invocation::fetch`]; here are the types of the contract.

use std::time::{Duration, Instant};

use super::secrets::SiteSecrets;
use crate::{
    contract::bindings::masthead::plugin::http::{self as wit, Host},
    invocation::{
        fetch::{Algorithm, Credential, Encoding, FetchError, Form, Method, Part, Place, Request},
        recording::through,
        store_state::State,
    },
};

impl Host for State {
    async fn fetch(&mut self, request: wit::Request) -> Result<wit::Response, wit::Failure> {
        if !self.member.plugin.manifest().capabilities.contains_key("secrets") && !request.credentials.is_empty() {
            let reason = "plugin.toml does not ask for the capability secrets, which credentials need";
            return Err(wit::Failure::NotGranted(reason.to_owned()));
        }
        let args = self.args(|| serde_json::to_value(&request).unwrap_or_default());
        self.waiting = Some("http.fetch");
        let Self { member, frame, meter, until, unreachable, .. } = self;
        let real = async {
            if frame.shadow {
                return Err(wit::Failure::Connection("not sent: this call only runs for comparison".to_owned()));
            }
            if !frame.purse.take_http_call() {
                return Err(wit::Failure::TooMuch(
                    "the plugins of this request have made enough HTTP calls".to_owned(),
                ));
            }
            let left = until.saturating_duration_since(Instant::now());
            let secrets = SiteSecrets(&*member.services.secrets, member.site_id);
            let answer = member.fetcher().fetch(from_wit(request, left), &secrets, meter).await;
            *unreachable |= matches!(answer, Err(FetchError::Timeout(_) | FetchError::Connect(_)));
            answer.map(to_wit).map_err(failure)
        };
        let answer = through(frame.tape.as_deref(), "http.fetch", || args, true, real).await;
        self.waiting = None;
        answer.unwrap_or_else(|problem| Err(wit::Failure::Invalid(problem)))
    }
}

fn from_wit(request: wit::Request, left: Duration) -> Request {
    let wit::Request { method, url, headers, body, credentials, timeout_ms } = request;
    let method = match method {
        wit::Method::Get => Method::Get,
        wit::Method::Head => Method::Head,
        wit::Method::Post => Method::Post,
        wit::Method::Put => Method::Put,
        wit::Method::Patch => Method::Patch,
        wit::Method::Delete => Method::Delete,
    };
    let timeout = timeout_ms.map_or(left, |ms| left.min(Duration::from_millis(ms.into())));
    let credentials = credentials.into_iter().map(credential).collect();
    Request { method, url, headers, body, credentials, timeout: Some(timeout) }
}

fn credential(credential: wit::Credential) -> Credential {
    let place = match credential.place {
        wit::Place::Header(name) => Place::Header(name),
        wit::Place::Query(name) => Place::Query(name),
        wit::Place::Form(name) => Place::FormField(name),
    };
    let form = match credential.form {
        wit::Form::Plain(prefix) => Form::Plain { prefix },
        wit::Form::Basic(user) => Form::Basic { user },
        wit::Form::Digest(wit::Digest { algorithm, parts, encoding, prefix }) => Form::Digest {
            algorithm: match algorithm {
                wit::Algorithm::Md5 => Algorithm::Md5,
                wit::Algorithm::Sha1 => Algorithm::Sha1,
                wit::Algorithm::Sha256 => Algorithm::Sha256,
                wit::Algorithm::HmacSha1 => Algorithm::HmacSha1,
                wit::Algorithm::HmacSha256 => Algorithm::HmacSha256,
            },
            parts: parts
                .into_iter()
                .map(|part| match part {
                    wit::Part::Text(text) => Part::Text(text),
                    wit::Part::Secret => Part::Secret,
                    wit::Part::Body => Part::Body,
                })
                .collect(),
            encoding: match encoding {
                wit::Encoding::Hex => Encoding::Hex,
                wit::Encoding::Base64 => Encoding::Base64,
            },
            prefix,
        },
    };
    Credential { secret: credential.secret, place, form }
}

fn to_wit(response: crate::invocation::fetch::Response) -> wit::Response {
    let crate::invocation::fetch::Response { status, headers, body } = response;
    wit::Response { status, headers, body }
}

fn failure(error: FetchError) -> wit::Failure {
    // The case says already what the whole sentence would begin with.
    let words = error.to_string();
    match error {
        FetchError::NotGranted(what) => wit::Failure::NotGranted(what),
        FetchError::SecretNotGranted(_) | FetchError::UnknownSecret(_) => wit::Failure::NotGranted(words),
        FetchError::AddressRefused(what) => wit::Failure::AddressRefused(what),
        FetchError::Invalid(what) => wit::Failure::Invalid(what),
        FetchError::TooLarge(what) => wit::Failure::TooMuch(what),
        FetchError::TooManyCalls(_) | FetchError::TooManyRedirects(_) => wit::Failure::TooMuch(words),
        FetchError::Timeout(_) => wit::Failure::Timeout,
        FetchError::Connect(what) => wit::Failure::Connection(what),
    }
}
