//! The test host: one plugin in the same environment as in the host, with inputs and outputs as JSON and host calls from a
//! recording. `masthead plugin test` and `masthead plugin bench` use it, for plugins in any language.

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
    contract::{errors::PluginError, hook_table::Hook},
    invocation::{
        hooks::{
            binding::{Binding, HookEntry},
            entries::{TableEntry, by_hook},
            result::HookResult,
        },
        recording::{RecordedCall, Recording, text_to_bytes},
    },
    plugin::{catalog::Catalog, loaded::Plugin},
    runtime::Runtime,
    site::{
        call::{Call, RequestContext},
        chain::Chain,
    },
};

/// A plugin on a site of its own.
#[derive(Clone)]
pub struct TestHost {
    runtime: Runtime,
    plugin: Arc<Plugin>,
    usage: PluginUse,
    site: (SiteId, String),
    lang: Lang,
    route: String,
    address: String,
    recording: Option<Arc<Recording>>,
}

/// The answer of a plugin.
#[derive(Clone, Debug, PartialEq)]
pub enum HookAnswer {
    /// A result, which the host accepts.
    Output(Value),
    /// An error that the plugin returned.
    Refusal(Value),
    /// No answer; the cause, as in the log.
    Failure(String),
}

impl TestHost {
    /// Opens a plugin and grants everything that it requests. While host calls are replayed, the grants give access to nothing real.
    ///
    /// # Errors
    /// [`PluginError`], as for a site.
    pub fn open(runtime: &Runtime, manifest: &str, wasm: &[u8]) -> Result<Self, PluginError> {
        let plugin = runtime.load_plugin(manifest, wasm)?;
        let requests = |name: &str| plugin.manifest().capabilities.contains_key(name);
        let list = |name: &str, value: &str| if requests(name) { vec![value.to_owned()] } else { Vec::new() };
        let grants = Grants {
            content: requests("content"),
            personal: Vec::new(),
            kv: requests("kv"),
            http: list("http", "https://api.example.org"),
            private_http: Vec::new(),
            secrets: if requests("secrets") { vec!["secret".into()] } else { Vec::new() },
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
            recording: None,
        })
    }

    /// Sets the settings.
    #[must_use]
    pub fn settings(mut self, settings: Value) -> Self {
        self.usage.settings = settings;
        self
    }

    /// Sets the grants.
    #[must_use]
    pub fn grants(mut self, grants: Grants) -> Self {
        self.usage.grants = grants;
        self
    }

    /// Sets the page: language and name of the route.
    #[must_use]
    pub fn page(mut self, lang: Lang, route: &str) -> Self {
        (self.lang, self.route) = (lang, route.to_owned());
        self.address = format!("https://{}.example.org/{lang}", self.site.1);
        self
    }

    /// Sets the site: number and short name.
    #[must_use]
    pub fn site(mut self, id: i64, sld: &str) -> Self {
        self.site = (SiteId(id), sld.to_owned());
        self.address = format!("https://{sld}.example.org/{}", self.lang);
        self
    }

    /// Sets the absolute address of the site's pages.
    #[must_use]
    pub fn address(mut self, address: &str) -> Self {
        address.clone_into(&mut self.address);
        self
    }

    /// Replays these host calls. Any other call fails.
    #[must_use]
    pub fn replay(mut self, calls: impl IntoIterator<Item = RecordedCall>) -> Self {
        self.recording = Some(Arc::new(Recording::replay(calls)));
        self
    }

    /// Makes real host calls and records them.
    #[must_use]
    pub fn record(mut self) -> Self {
        self.recording = Some(Arc::new(Recording::record()));
        self
    }

    /// The recording, if there is one.
    #[must_use]
    pub fn recording(&self) -> Option<&Recording> {
        self.recording.as_deref()
    }

    /// Builds a chain with this plugin only.
    ///
    /// # Errors
    /// The message of [`Chain::problems`].
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

    /// Starts a request on a chain of [`Self::chain`].
    #[must_use]
    pub fn begin(&self, chain: &Chain) -> Call {
        chain.begin(RequestContext {
            lang: self.lang,
            route: self.route.clone(),
            address: self.address.clone(),
            deadline: Instant::now() + Duration::from_secs(60),
            variant: 0,
            recording: self.recording.clone(),
        })
    }

    /// Calls a hook once. Fields missing in the input are taken from the trial input.
    ///
    /// # Errors
    /// If the plugin is not admitted or does not implement the hook, or the input does not match the contract.
    pub async fn call(&self, hook: Hook, input: &Value) -> Result<HookAnswer, String> {
        let chain = self.chain().await?;
        self.begin(&chain).call_json(hook, self.plugin.id(), input).await
    }
}

impl Call {
    /// Calls one hook of one plugin with JSON instead of the contract's records: fields in snake case, cases in upper camel case.
    ///
    /// # Errors
    /// If the plugin does not implement the hook, or the input does not match it.
    pub async fn call_json(&mut self, hook: Hook, plugin: &str, input: &Value) -> Result<HookAnswer, String> {
        let index = self.position(plugin).ok_or_else(|| format!("the chain has no plugin {plugin}"))?;
        by_hook!(hook, |E| self.call_json_as::<E>(index, input).await)
    }

    async fn call_json_as<E: TableEntry>(&mut self, index: usize, given: &Value) -> Result<HookAnswer, String> {
        let input = read::<E>(given)?;
        let answered = match self.run::<E>(index, &input).await {
            HookResult::NotImplemented => return Err(format!("the plugin does not implement {}", E::HOOK.name())),
            HookResult::Output(output) => HookAnswer::Output(json(&output)),
            HookResult::Refused(refusal) => HookAnswer::Refusal(json(&refusal)),
            HookResult::Failed => {
                let cause = self.outcome().failed_calls.last().and_then(|failed| failed.cause.clone());
                HookAnswer::Failure(
                    cause.map_or_else(|| "its circuit breaker is open".to_owned(), |cause| cause.to_string()),
                )
            }
        };
        Ok(answered)
    }
}

fn read<E: TableEntry>(given: &Value) -> Result<<E as Binding>::Input, String> {
    let mut input = <E as HookEntry>::trial_input().map_or(Value::Null, |input| json(&input));
    match (&mut input, given) {
        (Value::Object(base), Value::Object(given)) => {
            base.extend(given.iter().map(|(name, value)| (name.clone(), value.clone())));
        }
        (_, Value::Null) => {}
        (input, given) => *input = given.clone(),
    }
    serde_json::from_value(text_to_bytes(input))
        .map_err(|error| format!("the input does not fit {}: {error}", E::HOOK.name()))
}

fn json(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_else(|error| Value::String(error.to_string()))
}
