//! Capability `http`: converts between the types of the contract and those of [`crate::invocation::fetch`], which sends the
//! requests.

use std::time::{Duration, Instant};

use super::secrets::SiteSecrets;
use crate::{
    contract::bindings::masthead::plugin::http::{self as wit, Host},
    invocation::{
        fetch::{Algorithm, Credential, CredentialPlace, DigestPart, Encoding, FetchError, Form, Method, Request},
        recording::record_or_replay,
        store_state::StoreState,
    },
};

impl Host for StoreState {
    async fn fetch(&mut self, request: wit::Request) -> Result<wit::Response, wit::Failure> {
        if !self.site.manifest.capabilities.contains_key("secrets") && !request.credentials.is_empty() {
            let reason = "plugin.toml does not ask for the capability secrets, which credentials need";
            return Err(wit::Failure::NotGranted(reason.to_owned()));
        }
        let args = self.recorded_args(|| serde_json::to_value(&request).unwrap_or_default());
        self.pending_host_call = Some("http.fetch");
        let Self { site, request: scope, fetch_usage, call_deadline, server_unreachable, .. } = self;
        let real = async {
            if scope.shadow {
                return Err(wit::Failure::Connection("not sent: this call only runs for comparison".to_owned()));
            }
            if !scope.budget.take_http_call() {
                return Err(wit::Failure::TooMuch(
                    "the plugins of this request have used up their HTTP calls".to_owned(),
                ));
            }
            let left = call_deadline.saturating_duration_since(Instant::now());
            let secrets = SiteSecrets(&*site.services.secrets, site.site_id);
            let answer = site.fetcher.fetch(from_wit(request, left), &secrets, fetch_usage).await;
            *server_unreachable |= matches!(answer, Err(FetchError::Timeout(_) | FetchError::Connect(_)));
            answer.map(to_wit).map_err(failure)
        };
        let answer = record_or_replay(scope.recording.as_deref(), "http.fetch", || args, true, real).await;
        self.pending_host_call = None;
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
        wit::Place::Header(name) => CredentialPlace::Header(name),
        wit::Place::Query(name) => CredentialPlace::Query(name),
        wit::Place::Form(name) => CredentialPlace::FormField(name),
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
                    wit::Part::Text(text) => DigestPart::Text(text),
                    wit::Part::Secret => DigestPart::Secret,
                    wit::Part::Body => DigestPart::Body,
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
    // For some variants, the message would repeat what the contract's case expresses.
    let words = error.to_string();
    match error {
        FetchError::NotGranted(what) => wit::Failure::NotGranted(what),
        FetchError::SecretNotGranted(_) | FetchError::SecretNotBound { .. } | FetchError::UnknownSecret(_) => {
            wit::Failure::NotGranted(words)
        }
        FetchError::AddressRefused(what) => wit::Failure::AddressRefused(what),
        FetchError::Invalid(what) => wit::Failure::Invalid(what),
        FetchError::TooLarge(what) => wit::Failure::TooMuch(what),
        FetchError::TooManyCalls(_) | FetchError::TooManyRedirects(_) => wit::Failure::TooMuch(words),
        FetchError::Timeout(_) => wit::Failure::Timeout,
        FetchError::Connect(what) => wit::Failure::Connection(what),
    }
}
