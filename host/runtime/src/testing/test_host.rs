//! The test kit: one plugin, run as the host runs it, with inputs and outputs as JSON and host calls from a tape. It is what
//! `masthead plugin test` and `masthead plugin bench` use, whatever language the plugin was written in.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use masthead_domain::{
    Lang, SiteId,
    plugin_use::{Grants, PluginUse},
};
use serde_json::Value;

use crate::{
    contract::errors::PluginError,
    invocation::{
        hooks::{Binding, Fields, Hook, HookEntry, by_hook},
        recording::{Recorded, Tape},
    },
    plugin::{catalog::Catalog, loaded::Plugin},
    runtime::Runtime,
    site::{
        call::{Call, Ran, RequestContext},
        chain::Chain,
    },
};

/// A plugin on a site of its own.
#[derive(Clone)]
pub struct Kit {
    runtime: Runtime,
    plugin: Arc<Plugin>,
    usage: PluginUse,
    site: (SiteId, String),
    lang: Lang,
    route: String,
    address: String,
    tape: Option<Arc<Tape>>,
}

/// What a plugin answered.
#[derive(Clone, Debug, PartialEq)]
pub enum Answered {
    /// A result, which the host accepts.
    Output(Value),
    /// A refusal in the plugin's own words.
    Refusal(Value),
    /// No answer: the host's reason, as it would stand in the log.
    Failure(String),
}

impl Kit {
    /// Opens a plugin with everything granted that it asks for. Nothing real is behind these grants: host calls come from the tape.
    ///
    /// # Errors
    /// [`PluginError`], as for a site.
    pub fn open(runtime: &Runtime, manifest: &str, wasm: &[u8]) -> Result<Self, PluginError> {
        let plugin = runtime.load_plugin(manifest, wasm)?;
        let asks = |name: &str| plugin.manifest().capabilities.contains_key(name);
        let list = |name: &str, value: &str| if asks(name) { vec![value.to_owned()] } else { Vec::new() };
        let grants = Grants {
            content: asks("content"),
            personal: Vec::new(),
            kv: asks("kv"),
            http: list("http", "https://api.example.org"),
            private_http: Vec::new(),
            secrets: list("secrets", "secret"),
            frames: list("frames", "https://frame.example.org"),
        };
        let id = plugin.id().to_owned();
        let usage =
            PluginUse { id, version: "*".to_owned(), grants, settings: serde_json::json!({}), ..PluginUse::default() };
        Ok(Self {
            runtime: runtime.clone(),
            plugin,
            usage,
            site: (SiteId(1), "test".to_owned()),
            lang: Lang::En,
            route: "home".to_owned(),
            address: "https://test.example.org/en".to_owned(),
            tape: None,
        })
    }

    /// With these settings.
    #[must_use]
    pub fn settings(mut self, settings: Value) -> Self {
        self.usage.settings = settings;
        self
    }

    /// With exactly these grants.
    #[must_use]
    pub fn grants(mut self, grants: Grants) -> Self {
        self.usage.grants = grants;
        self
    }

    /// On a page in this language, with this route's name.
    #[must_use]
    pub fn page(mut self, lang: Lang, route: &str) -> Self {
        (self.lang, self.route) = (lang, route.to_owned());
        self.address = format!("https://{}.example.org/{lang}", self.site.1);
        self
    }

    /// On this site.
    #[must_use]
    pub fn site(mut self, id: i64, sld: &str) -> Self {
        self.site = (SiteId(id), sld.to_owned());
        self.address = format!("https://{sld}.example.org/{}", self.lang);
        self
    }

    /// With pages at this address.
    #[must_use]
    pub fn address(mut self, address: &str) -> Self {
        address.clone_into(&mut self.address);
        self
    }

    /// With host calls that are played from these records; a call that is not among them fails.
    #[must_use]
    pub fn replay(mut self, calls: impl IntoIterator<Item = Recorded>) -> Self {
        self.tape = Some(Arc::new(Tape::playing(calls)));
        self
    }

    /// With host calls that really happen and are recorded.
    #[must_use]
    pub fn record(mut self) -> Self {
        self.tape = Some(Arc::new(Tape::recording()));
        self
    }

    /// The tape, if there is one.
    #[must_use]
    pub fn tape(&self) -> Option<&Tape> {
        self.tape.as_deref()
    }

    /// The chain with this one plugin.
    ///
    /// # Errors
    /// What an administrator would read.
    pub async fn chain(&self) -> Result<Chain, String> {
        let mut catalog = Catalog::new();
        catalog.insert(Arc::clone(&self.plugin));
        let site = (self.site.0, self.site.1.as_str());
        let chain = self.runtime.build_chain(site, &catalog, std::slice::from_ref(&self.usage), None).await;
        match chain.problems().first() {
            Some(problem) => Err(problem.message.clone()),
            None => Ok(chain),
        }
    }

    /// Begins a request on a chain of [`Self::chain`].
    #[must_use]
    pub fn begin(&self, chain: &Chain) -> Call {
        chain.begin(RequestContext {
            lang: self.lang,
            route: self.route.clone(),
            address: self.address.clone(),
            deadline: Instant::now() + Duration::from_secs(60),
            variant: 0,
            tape: self.tape.clone(),
        })
    }

    /// One call of a hook. Fields of the input that are left out are those of the emptiest input.
    ///
    /// # Errors
    /// When the plugin does not get into a chain, has no such hook, or the input does not fit the contract.
    pub async fn call(&self, hook: Hook, input: &Value) -> Result<Answered, String> {
        let chain = self.chain().await?;
        self.begin(&chain).ask(hook, self.plugin.id(), input).await
    }
}

impl Call {
    /// Asks one hook of one plugin, with JSON instead of the contract's records (field names in snake case, cases in camel case
    /// with a capital).
    ///
    /// # Errors
    /// When the plugin has no such hook, or the input does not fit it.
    pub async fn ask(&mut self, hook: Hook, plugin: &str, input: &Value) -> Result<Answered, String> {
        let index = self.position(plugin).ok_or_else(|| format!("the chain has no plugin {plugin}"))?;
        by_hook!(hook, |E| self.ask_as::<E>(index, input).await)
    }

    async fn ask_as<E: Fields>(&mut self, index: usize, given: &Value) -> Result<Answered, String> {
        let input = read::<E>(given)?;
        let answered = match self.run::<E>(index, &input).await {
            Ran::Absent => return Err(format!("the plugin does not implement {}", E::HOOK.name())),
            Ran::Gave(output) => Answered::Output(json(&output)),
            Ran::Refused(refusal) => Answered::Refusal(json(&refusal)),
            Ran::Lost => {
                let cause = self.outcome().losses.last().and_then(|loss| loss.cause.clone());
                Answered::Failure(cause.map_or_else(|| "it is in quarantine".to_owned(), |cause| cause.to_string()))
            }
        };
        Ok(answered)
    }
}

fn read<E: Fields>(given: &Value) -> Result<<E as Binding>::Input, String> {
    let mut input = <E as HookEntry>::trial_input().map_or(Value::Null, |input| json(&input));
    match (&mut input, given) {
        (Value::Object(base), Value::Object(given)) => {
            base.extend(given.iter().map(|(name, value)| (name.clone(), value.clone())));
        }
        (_, Value::Null) => {}
        (input, given) => *input = given.clone(),
    }
    serde_json::from_value(crate::invocation::recording::bytes(input))
        .map_err(|error| format!("the input does not fit {}: {error}", E::HOOK.name()))
}

fn json(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_else(|error| Value::String(error.to_string()))
}
