//! The requests of the OpenID Connect library, sent by the runtime's client, whose checks keep them out of private networks.

use std::{
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
};

use masthead_runtime::{HostFetchError, ServiceClient, ServiceRequest, ServiceResponse};
use openidconnect::{
    AsyncHttpClient, HttpRequest, HttpResponse,
    http::{self, Method, header::AUTHORIZATION},
};
use serde_json::Value;

/// A response that is on its way.
pub type Sending<'a> = Pin<Box<dyn Future<Output = Result<ServiceResponse, HostFetchError>> + Send + 'a>>;

/// Sends the requests to a provider.
pub trait Transport: Send + Sync {
    /// Sends one request.
    fn send(&self, request: ServiceRequest) -> Sending<'_>;
}

impl Transport for ServiceClient {
    fn send(&self, request: ServiceRequest) -> Sending<'_> {
        Box::pin(Self::send(self, request))
    }
}

/// A [`Transport`] as the library calls it.
pub(super) struct Http {
    transport: Arc<dyn Transport>,
    /// The ID token of a token response, if it is kept from the library.
    kept: Option<Mutex<Option<String>>>,
}

impl Http {
    /// Passes everything through.
    pub(super) fn new(transport: Arc<dyn Transport>) -> Self {
        Self { transport, kept: None }
    }

    /// Keeps the ID token of a token response from the library, which refuses the whole response for a claim of ORCID's.
    pub(super) fn keeping_id_token(transport: Arc<dyn Transport>) -> Self {
        Self { transport, kept: Some(Mutex::default()) }
    }

    /// The ID token that was kept.
    pub(super) fn kept(&self) -> Option<String> {
        self.kept.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn received(&self, mut response: ServiceResponse) -> Result<HttpResponse, HostFetchError> {
        if let Some(kept) = &self.kept
            && let Ok(Value::Object(mut fields)) = serde_json::from_slice(&response.body)
            && let Some(Value::String(token)) = fields.remove("id_token")
        {
            *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(token);
            response.body = Value::Object(fields).to_string().into_bytes();
        }
        let mut built = http::Response::builder().status(response.status);
        for (name, value) in &response.headers {
            built = built.header(name, value);
        }
        built.body(response.body).map_err(|error| HostFetchError::Failed(error.to_string()))
    }
}

impl<'c> AsyncHttpClient<'c> for Http {
    type Error = HostFetchError;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, HostFetchError>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        let request = outgoing(request);
        Box::pin(async move { self.received(self.transport.send(request).await?) })
    }
}

/// A request of the library as one of the runtime. Values that are no text are left out: the library makes none.
fn outgoing(request: HttpRequest) -> ServiceRequest {
    let (parts, body) = request.into_parts();
    let text = |value: &http::HeaderValue| value.to_str().map(str::to_owned).ok();
    let authorization = parts.headers.get(AUTHORIZATION).and_then(text).unwrap_or_default();
    let others = parts.headers.iter().filter(|(name, _)| **name != AUTHORIZATION);
    ServiceRequest {
        url: parts.uri.to_string(),
        headers: others.filter_map(|(name, value)| Some((name.as_str().to_owned(), text(value)?))).collect(),
        authorization,
        body: (parts.method == Method::POST).then_some(body),
    }
}
