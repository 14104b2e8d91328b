//! One identity provider of a site: its endpoints and keys, and the identity of a reader who comes back from it.

use std::{error::Error, pin::Pin, sync::Arc};

use masthead_domain::site::{IdentityProvider, ProviderKind};
use openidconnect::{
    AdditionalProviderMetadata, AuthType, AuthorizationCode, ClaimsVerificationError, ClientId, ClientSecret,
    CsrfToken, DiscoveryError, EndpointMaybeSet, EndpointNotSet, EndpointSet, IssuerUrl, Nonce,
    OAuth2TokenResponse as _, PkceCodeChallenge, PkceCodeVerifier, ProviderMetadata, RedirectUrl, RequestTokenError,
    Scope, SignatureVerificationError, SubjectIdentifier, TokenResponse as _, UserInfoError,
    core::{
        CoreAuthDisplay, CoreAuthenticationFlow, CoreClaimName, CoreClaimType, CoreClient, CoreClientAuthMethod,
        CoreErrorResponseType, CoreGrantType, CoreJsonWebKey, CoreJweContentEncryptionAlgorithm,
        CoreJweKeyManagementAlgorithm, CoreResponseMode, CoreResponseType, CoreSubjectIdentifierType,
        CoreTokenResponse, CoreUserInfoClaims,
    },
};
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;
use url::Url;

use super::{
    IdentityError,
    callback::CallbackQuery,
    id_token::{self, IdTokenClaims},
    proof::Attempt,
    transport::{Http, Transport},
};

/// Milliseconds for which the endpoints and keys of a provider are used without reading them again.
const FRESH: i64 = 3_600_000;
/// Milliseconds for which they are used while the provider cannot be read.
const STALE: i64 = 24 * FRESH;
/// Milliseconds between two readings because of an unknown key: any request can cause one.
const KEY_INTERVAL: i64 = 60_000;
/// Milliseconds after a failed reading in which no other one is tried: requests that wait would otherwise try one after the other.
const RETRY: i64 = 10_000;

/// The fields of the metadata that the library does not read.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct MoreMetadata {
    /// Whether every response names its issuer (RFC 9207).
    #[serde(default)]
    authorization_response_iss_parameter_supported: bool,
}

impl AdditionalProviderMetadata for MoreMetadata {}

type Metadata = ProviderMetadata<
    MoreMetadata,
    CoreAuthDisplay,
    CoreClientAuthMethod,
    CoreClaimName,
    CoreClaimType,
    CoreGrantType,
    CoreJweContentEncryptionAlgorithm,
    CoreJweKeyManagementAlgorithm,
    CoreJsonWebKey,
    CoreResponseMode,
    CoreResponseType,
    CoreSubjectIdentifierType,
>;

pub(super) type Client =
    CoreClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointMaybeSet, EndpointMaybeSet>;

/// A request of the library with its response. Its futures are boxed where their lifetimes are known, without which the compiler cannot
/// show that a handler's future is `Send`.
type Exchange<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The identity of a reader at a provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExternalIdentity {
    /// Name of the provider in the configuration of the site.
    pub provider: String,
    /// The identifier of the reader at the provider, which never changes.
    pub subject: String,
    /// Name to show.
    pub name: String,
}

/// An identity provider, with a cache of its endpoints and keys.
pub struct Provider {
    name: String,
    settings: IdentityProvider,
    transport: Arc<dyn Transport>,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    metadata: Option<Arc<Metadata>>,
    /// When it was read.
    read: i64,
    /// When it could last not be read, and why.
    failed: Option<(i64, IdentityError)>,
}

impl Provider {
    /// The provider of this name and these settings. Nothing is read before the first sign-in.
    #[must_use]
    pub fn new(name: &str, settings: IdentityProvider, transport: Arc<dyn Transport>) -> Self {
        Self { name: name.to_owned(), settings, transport, known: Mutex::default() }
    }

    /// Its settings.
    #[must_use]
    pub const fn settings(&self) -> &IdentityProvider {
        &self.settings
    }

    /// The address to send the reader to.
    ///
    /// # Errors
    /// [`IdentityError::Unavailable`].
    pub async fn begin(&self, attempt: &Attempt<'_>, now: i64) -> Result<Url, IdentityError> {
        let metadata = self.metadata(now, FRESH).await?;
        let client = self.client(&metadata, None, attempt)?;
        let verifier = PkceCodeVerifier::new(attempt.verifier.clone());
        let (state, nonce) = (CsrfToken::new(attempt.state.to_owned()), Nonce::new(attempt.nonce.clone()));
        let request = client.authorize_url(CoreAuthenticationFlow::AuthorizationCode, move || state, move || nonce);
        let (address, _, _) = request
            .add_scopes(self.scopes())
            .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier))
            .url();
        Ok(address)
    }

    /// Completes a sign-in: returns the identity of the reader who came back. `secret` is the client's, if it has one.
    ///
    /// # Errors
    /// [`IdentityError`].
    pub async fn complete(
        &self,
        attempt: &Attempt<'_>,
        returned: &CallbackQuery,
        secret: Option<&str>,
        now: i64,
    ) -> Result<ExternalIdentity, IdentityError> {
        let metadata = self.metadata(now, FRESH).await?;
        check_issuer(&metadata, returned)?;
        let client = self.client(&metadata, secret, attempt)?;
        let http = match self.settings.kind {
            ProviderKind::Orcid => Http::keeping_id_token(Arc::clone(&self.transport)),
            ProviderKind::Openid | ProviderKind::Plugin => Http::new(Arc::clone(&self.transport)),
        };
        let request = client.exchange_code(AuthorizationCode::new(returned.code.clone())).map_err(misconfigured)?;
        let request = request.set_pkce_verifier(PkceCodeVerifier::new(attempt.verifier.clone()));
        let exchange: Exchange<'_, _> = Box::pin(async move { (request.request_async(&http).await, http.kept()) });
        let (tokens, kept) = exchange.await;
        let tokens = tokens.map_err(code_refused)?;
        let claimed = match self.verified(&client, &metadata, &tokens, kept.as_deref(), attempt, now) {
            // The provider has other keys by now.
            Err(ClaimsVerificationError::SignatureVerification(SignatureVerificationError::NoMatchingKey)) => {
                let metadata = self.metadata(now, KEY_INTERVAL).await?;
                let client = self.client(&metadata, secret, attempt)?;
                self.verified(&client, &metadata, &tokens, kept.as_deref(), attempt, now)
            }
            verified => verified,
        };
        let claimed = claimed.map_err(|error| IdentityError::Invalid(with_causes(&error)))?;
        let claimed = self.with_name(&client, &tokens, claimed).await?;
        let subject = claimed.subject;
        let name = claimed.name.unwrap_or_else(|| subject.clone());
        Ok(ExternalIdentity { provider: self.name.clone(), subject, name })
    }

    /// The claims of the ID token, if it can be trusted.
    fn verified(
        &self,
        client: &Client,
        metadata: &Metadata,
        tokens: &CoreTokenResponse,
        kept: Option<&str>,
        attempt: &Attempt<'_>,
        now: i64,
    ) -> Result<IdTokenClaims, ClaimsVerificationError> {
        let missing = || ClaimsVerificationError::Other("the provider sent no ID token".to_owned());
        let expected = id_token::Expected { client_id: &self.settings.client_id, nonce: &attempt.nonce, now };
        match self.settings.kind {
            ProviderKind::Orcid => {
                let (issuer, keys) = (metadata.issuer().clone(), metadata.jwks().clone());
                id_token::of_orcid(kept.ok_or_else(missing)?, issuer, keys, &expected)
            }
            ProviderKind::Openid | ProviderKind::Plugin => {
                let token = tokens.id_token().ok_or_else(missing)?;
                id_token::standard(token, client, tokens.access_token(), &expected)
            }
        }
    }

    /// Adds the name from the provider's user information where the ID token has none. A name is a courtesy: without an answer, the sign-in
    /// goes on.
    async fn with_name(
        &self,
        client: &Client,
        tokens: &CoreTokenResponse,
        claimed: IdTokenClaims,
    ) -> Result<IdTokenClaims, IdentityError> {
        let subject = SubjectIdentifier::new(claimed.subject.clone());
        let request = client.user_info(tokens.access_token().clone(), Some(subject));
        let (None, Ok(request)) = (&claimed.name, request) else { return Ok(claimed) };
        let http = Http::new(Arc::clone(&self.transport));
        let told: Exchange<'_, Result<CoreUserInfoClaims, _>> =
            Box::pin(async move { request.request_async(&http).await });
        match told.await {
            Ok(told) => Ok(IdTokenClaims { name: id_token::name_in(told.standard_claims()), ..claimed }),
            Err(UserInfoError::ClaimsVerification(error)) => Err(IdentityError::Invalid(with_causes(&error))),
            Err(error) => {
                tracing::warn!(provider = %self.name, error = %with_causes(&error), "the provider tells no name");
                Ok(claimed)
            }
        }
    }

    fn scopes(&self) -> Vec<Scope> {
        let asked = self.settings.scopes.iter().map(String::as_str).filter(|scope| *scope != "openid");
        let mut asked: Vec<Scope> = asked.map(|scope| Scope::new(scope.to_owned())).collect();
        if asked.is_empty() && self.settings.kind == ProviderKind::Openid {
            asked.push(Scope::new("profile".to_owned()));
        }
        asked
    }

    fn client(
        &self,
        metadata: &Metadata,
        secret: Option<&str>,
        attempt: &Attempt<'_>,
    ) -> Result<Client, IdentityError> {
        let callback = RedirectUrl::new(attempt.callback.to_owned()).map_err(misconfigured)?;
        let id = ClientId::new(self.settings.client_id.clone());
        let secret = secret.map(|secret| ClientSecret::new(secret.to_owned()));
        let methods = metadata.token_endpoint_auth_methods_supported();
        let in_body = methods.is_some_and(|methods| {
            methods.contains(&CoreClientAuthMethod::ClientSecretPost)
                && !methods.contains(&CoreClientAuthMethod::ClientSecretBasic)
        });
        let kind = if in_body { AuthType::RequestBody } else { AuthType::BasicAuth };
        Ok(CoreClient::from_provider_metadata(metadata.clone(), id, secret)
            .set_redirect_uri(callback)
            .set_auth_type(kind))
    }

    /// The endpoints and keys, at most `age` old, or older ones while the provider cannot be read.
    async fn metadata(&self, now: i64, age: i64) -> Result<Arc<Metadata>, IdentityError> {
        let mut known = self.known.lock().await;
        let within = |time: i64, limit: i64| (0..limit).contains(&(now - time));
        let read = known.read;
        if let Some(metadata) = known.metadata.as_ref().filter(|_| within(read, age)) {
            return Ok(Arc::clone(metadata));
        }
        let stale = known.metadata.clone().filter(|_| within(read, STALE));
        if let Some((at, error)) = &known.failed
            && within(*at, RETRY)
        {
            return stale.ok_or_else(|| error.clone());
        }
        match self.discover().await {
            Ok(metadata) => {
                let metadata = Arc::new(metadata);
                *known = Known { metadata: Some(Arc::clone(&metadata)), read: now, failed: None };
                Ok(metadata)
            }
            Err(error) => {
                tracing::warn!(provider = %self.name, %error, "the identity provider cannot be read");
                known.failed = Some((now, error.clone()));
                stale.ok_or(error)
            }
        }
    }

    async fn discover(&self) -> Result<Metadata, IdentityError> {
        let issuer = IssuerUrl::new(self.settings.issuer().to_owned()).map_err(misconfigured)?;
        let http = Http::new(Arc::clone(&self.transport));
        let read: Exchange<'_, _> = Box::pin(async move { Metadata::discover_async(issuer, &http).await });
        let found = read.await.map_err(|error| match error {
            // Its text would be the whole response.
            DiscoveryError::Response(status, _, why) => {
                IdentityError::Unavailable(format!("its configuration cannot be read: {why} (status {status})"))
            }
            error => IdentityError::Unavailable(with_causes(&error)),
        })?;
        if !leads_safely(found.authorization_endpoint().url()) {
            let address = found.authorization_endpoint().as_str();
            return Err(IdentityError::Unavailable(format!("its sign-in page {address} is not reached over https")));
        }
        Ok(found)
    }
}

/// Whether the reader, who brings the code back, may be sent there.
fn leads_safely(address: &Url) -> bool {
    let loopback = match address.host() {
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        _ => false,
    };
    address.scheme() == "https" || (address.scheme() == "http" && loopback)
}

/// A response of another provider, of which the reader is a user too, is not passed on to this one (RFC 9207).
fn check_issuer(metadata: &Metadata, returned: &CallbackQuery) -> Result<(), IdentityError> {
    let named = metadata.additional_metadata().authorization_response_iss_parameter_supported;
    match &returned.issuer {
        Some(issuer) if issuer == metadata.issuer().as_str() => Ok(()),
        None if !named => Ok(()),
        _ => Err(IdentityError::Invalid("the response is of another identity provider: iss does not match".to_owned())),
    }
}

fn misconfigured(error: impl Error) -> IdentityError {
    IdentityError::Unavailable(with_causes(&error))
}

/// The reason why there are no tokens, without the texts of the provider, which may repeat secrets that it was sent.
fn code_refused<E: Error + 'static>(
    error: RequestTokenError<E, openidconnect::StandardErrorResponse<CoreErrorResponseType>>,
) -> IdentityError {
    match error {
        RequestTokenError::ServerResponse(response) => match response.error() {
            CoreErrorResponseType::InvalidGrant => {
                IdentityError::Invalid("the provider does not accept the code: it was used, or has expired".to_owned())
            }
            CoreErrorResponseType::InvalidClient | CoreErrorResponseType::UnauthorizedClient => {
                IdentityError::Unavailable("it does not accept the client id and secret of this site".to_owned())
            }
            _ => IdentityError::Unavailable("it answers the code with an error".to_owned()),
        },
        RequestTokenError::Parse(error, _) => IdentityError::Unavailable(format!("its answer cannot be read: {error}")),
        error => IdentityError::Unavailable(with_causes(&error)),
    }
}

/// An error with its causes, which the library's texts leave out.
fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}
