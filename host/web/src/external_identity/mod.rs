//! Sign-in at an identity provider, as pages and calls have it in common: OpenID Connect and ORCID by `masthead_accounts::identities`, others by
//! the `identity` hook of a plugin. From the answer of the provider on, all go the same way: to a member, to a new member, or to an identity that
//! waits to be bound.

mod refusal;

use std::time::Duration;

use axum::http::HeaderMap;
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use masthead_accounts::{
    identities::{self, Attempt, CallbackQuery, ExternalIdentity, IdentityOwner},
    messages::AccountChange,
    service::AccountService,
    sign_in_methods,
};
use masthead_domain::{
    Lang,
    member::MemberId,
    site::{IdentityProvider, ProviderKind},
};
use masthead_runtime::{
    FirstAnswer, SecretSource as _,
    hook_types::{ExternalUser, SignInReturn, SignInStart},
};
use masthead_store::{IdentityBinding, StoreError};

pub use refusal::Refusal;

use crate::{
    app::App,
    auth::{
        pending::{PendingBinding, PendingSignIn},
        session::StartedSession,
    },
    page::reader,
    sites::{
        SiteEntry,
        addresses::Addresses,
        identity_providers,
        scope::{Host, Scope},
    },
};

/// Time limit of a plugin's requests to its identity provider.
const PLUGIN_TIMEOUT: Duration = Duration::from_secs(6);

/// A reader of a site who signs in elsewhere.
#[derive(Clone, Copy)]
pub struct SignInVisit<'a> {
    /// The application.
    pub app: &'a App,
    /// The site.
    pub scope: &'a Scope,
    /// The host under which it is open.
    pub host: &'a Host,
    /// The reader's language.
    pub lang: Lang,
    /// The headers of the request.
    pub headers: &'a HeaderMap,
    /// The user agent.
    pub agent: &'a str,
}

/// Where a reader is sent, and the cookie that waits for the return.
pub struct ProviderRedirect {
    /// The address at the provider.
    pub address: String,
    /// The `Set-Cookie` value.
    pub cookie: String,
}

/// A reader who came back, and whom the provider has identified.
pub struct ProviderReturn {
    /// The identity.
    pub who: ExternalIdentity,
    /// Where the sign-in began.
    pub pending: PendingSignIn,
    settings: IdentityProvider,
}

/// The outcome of a sign-in.
pub enum Outcome {
    /// A session has begun; the identity is the member's.
    SignedIn(StartedSession),
    /// The identity has no owner: the cookie keeps it until it is bound to an account.
    ToBind(String),
}

/// The providers of a site with their settings, in the order in which readers see them.
#[must_use]
pub fn providers(entry: &SiteEntry) -> Vec<(&str, IdentityProvider)> {
    entry.identity_providers()
}

/// The name of a provider for readers.
#[must_use]
pub fn title(app: &App, entry: &SiteEntry, name: &str, lang: Lang) -> String {
    let known = entry.site.accounts.providers.get(name).and_then(|settings| identity_providers::title(settings, lang));
    known.unwrap_or_else(|| app.messages.get(lang, "identity_service").to_owned())
}

impl SignInVisit<'_> {
    /// Begins a sign-in at the provider of this name, or at the first one of the site without a name. `url` is the address to return to; `member`
    /// the member to whom the identity is to be bound.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn begin(
        &self,
        provider: &str,
        url: &str,
        member: Option<MemberId>,
    ) -> Result<ProviderRedirect, Refusal> {
        let (name, settings) = self.provider(provider)?;
        let state = URL_SAFE_NO_PAD.encode(rand::random::<[u8; 24]>());
        let callback = self.callback(&settings);
        let address = match settings.kind {
            ProviderKind::Plugin => self.begin_at_plugin(&callback, &state).await?,
            ProviderKind::Openid | ProviderKind::Orcid => {
                let provider = self.app.providers.of(self.scope.entry.site.id, &name, &settings)?;
                let attempt = self.attempt(&name, &callback, &state);
                provider.begin(&attempt, self.app.counting.now()).await?.to_string()
            }
        };
        let back = Addresses { base: self.scope.base.clone(), lang: self.lang }.return_path(url);
        let pending = PendingSignIn { provider: name, state, callback, back, lang: self.lang, member };
        Ok(ProviderRedirect { address, cookie: self.app.pending(self.scope, self.host).sign_in_cookie(Some(&pending)) })
    }

    /// The member who signed in here a short time ago.
    pub async fn recent_member(&self) -> Option<MemberId> {
        let current = self.app.sessions(self.scope, self.host).current(self.headers).await;
        let current = current.inspect_err(|error| tracing::error!(%error, "the reader is treated as not signed in"));
        let current = current.ok()??;
        sign_in_methods::is_recent(&current, self.app.counting.now()).then_some(current.of.member)
    }

    /// The sign-in that this browser began with the state in `query`. Any other one could be an attacker's, who signs the reader in to the
    /// attacker's account.
    #[must_use]
    pub fn pending(&self, query: &[(String, String)]) -> Option<PendingSignIn> {
        let mut states = query.iter().filter(|(name, _)| name == "state").map(|(_, value)| value.as_str());
        let (state, None) = (states.next()?, states.next()) else { return None };
        self.app.pending(self.scope, self.host).sign_in(self.headers).filter(|pending| pending.state == state)
    }

    /// Asks the provider for the identity of the reader who came back.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn identify(
        &self,
        pending: PendingSignIn,
        query: Vec<(String, String)>,
    ) -> Result<ProviderReturn, Refusal> {
        let (name, settings) = self.provider(&pending.provider)?;
        let who = match settings.kind {
            ProviderKind::Plugin => self.identify_by_plugin(&pending.callback, query).await?,
            ProviderKind::Openid | ProviderKind::Orcid => {
                let site = self.scope.entry.site.id;
                let returned = CallbackQuery::read(&query)?;
                let provider = self.app.providers.of(site, &name, &settings)?;
                let secret = Some(&settings.secret).filter(|name| !name.is_empty());
                let secret = match secret {
                    Some(name) => Some(self.app.secrets.secret(site, name).ok_or(Refusal::NoSecret)?),
                    None => None,
                };
                let attempt = self.attempt(&name, &pending.callback, &pending.state);
                provider.complete(&attempt, &returned, secret.as_deref(), self.app.counting.now()).await?
            }
        };
        Ok(ProviderReturn { who, pending, settings })
    }

    /// Signs the reader in as the member to whom the identity belongs, or binds it to the member who began it.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn settle(&self, back: ProviderReturn) -> Result<Outcome, Refusal> {
        let ProviderReturn { who, pending, settings } = back;
        if let Some(member) = pending.member {
            let current = self.app.sessions(self.scope, self.host).current(self.headers).await?;
            // The member who began it has signed out, or another one has signed in.
            if current.map(|current| current.of.member) != Some(member) {
                return Err(Refusal::State);
            }
            return self.bind(member, &who).await.map(Outcome::SignedIn);
        }
        let store = self.app.store.site(self.scope.entry.site.id);
        let now = self.app.counting.now();
        match identities::arrive(&store, &who, settings.new_members, pending.lang, now).await? {
            IdentityOwner::Member(member) => Ok(Outcome::SignedIn(self.sign_in(member, &who.provider).await?)),
            IdentityOwner::Closed => Err(Refusal::Closed),
            IdentityOwner::Unknown => {
                let binding = PendingBinding { identity: who, back: pending.back };
                Ok(Outcome::ToBind(self.app.pending(self.scope, self.host).binding_cookie(Some(&binding))))
            }
        }
    }

    /// Binds an identity to a member who was authenticated, and begins a session: its token from before is void.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn bind(&self, member: MemberId, who: &ExternalIdentity) -> Result<StartedSession, Refusal> {
        let (store, now) = (self.app.store.site(self.scope.entry.site.id), self.app.counting.now());
        let mine = store.of_member(member);
        let accounts = AccountService {
            store: &store,
            key: &self.app.installation,
            passwords: &self.app.passwords,
            rules: &self.scope.entry.site.accounts,
            network: "",
            lang: self.lang,
            now,
        };
        let told = mine.member().await?;
        let told = told.map(|member| accounts.notices(member.lang, &[&member.email], AccountChange::IdentityBound));
        match identities::bind(&mine, who, &told.unwrap_or_default(), now).await? {
            IdentityBinding::Bound => self.sign_in(member, &who.provider).await,
            IdentityBinding::Taken => Err(Refusal::Taken),
            IdentityBinding::HasAnother => Err(Refusal::HasAnother),
        }
    }

    async fn sign_in(&self, member: MemberId, provider: &str) -> Result<StartedSession, Refusal> {
        let sessions = self.app.sessions(self.scope, self.host);
        let begun: Result<Option<StartedSession>, StoreError> =
            sessions.begin(member, provider, self.agent, self.headers).await;
        begun?.ok_or(Refusal::Closed)
    }

    fn provider(&self, name: &str) -> Result<(String, IdentityProvider), Refusal> {
        let mut all = providers(&self.scope.entry).into_iter();
        let found = all.find(|(known, _)| name.is_empty() || *known == name);
        found.map(|(name, settings)| (name.to_owned(), settings)).ok_or(Refusal::NoProvider)
    }

    fn attempt<'a>(&self, provider: &str, callback: &'a str, state: &'a str) -> Attempt<'a> {
        Attempt::new(&self.app.installation, self.scope.entry.site.id, provider, callback, state)
    }

    /// The address that the provider sends the reader back to. A provider knows one for each host of the site, and not one for each language
    /// as well; plugins have always been given the reader's language.
    fn callback(&self, settings: &IdentityProvider) -> String {
        let lang = match settings.kind {
            ProviderKind::Plugin => self.lang,
            ProviderKind::Openid | ProviderKind::Orcid => self.scope.entry.site.default_lang(),
        };
        format!("{}{}/{lang}/login/callback", self.host.origin, self.scope.base)
    }

    async fn begin_at_plugin(&self, callback: &str, state: &str) -> Result<String, Refusal> {
        let start = SignInStart { callback: callback.to_owned(), state: state.to_owned() };
        let mut call = reader::plugin_call_within(self.scope, self.host, self.lang, "login", 0, PLUGIN_TIMEOUT);
        answered(call.begin_identity(start).await, Refusal::Unavailable)
    }

    async fn identify_by_plugin(
        &self,
        callback: &str,
        query: Vec<(String, String)>,
    ) -> Result<ExternalIdentity, Refusal> {
        let answer = SignInReturn { callback: callback.to_owned(), query };
        let mut call = reader::plugin_call_within(self.scope, self.host, self.lang, "login", 0, PLUGIN_TIMEOUT);
        let ExternalUser { subject, name } = answered(call.complete_identity(answer).await, Refusal::Reason)?;
        Ok(ExternalIdentity { provider: IdentityProvider::PLUGIN.to_owned(), subject, name })
    }
}

/// The answer of a plugin. `refused` is what its refusal means.
fn answered<T>(answer: FirstAnswer<T>, refused: impl FnOnce(String) -> Refusal) -> Result<T, Refusal> {
    match answer {
        FirstAnswer::Answered(answer) => Ok(answer),
        FirstAnswer::NoPlugin => Err(Refusal::NoProvider),
        FirstAnswer::Refused(reason) => Err(refused(reason)),
        FirstAnswer::Failed => Err(Refusal::PluginFailed),
    }
}
