//! The manifest of a plugin, `plugin.toml`.

use std::collections::BTreeMap;

use masthead_domain::{
    LocalText,
    plugin_use::{Grants, OnFailure},
};
use semver::Version;
use serde::Deserialize;
use serde_json::Value;

use super::{
    capabilities::CAPABILITIES,
    errors::PluginError,
    hook_table::{HOOKS, Hook},
    settings_schema,
};

/// The contract that this host implements: the minor version of the WIT package.
pub const CONTRACT: &str = "0.1";

/// The manifest of a plugin.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Its id: lower-case letters, digits and hyphens, the name of its folder.
    pub id: String,
    /// Its version.
    pub version: Version,
    /// The contract that it was made for, such as `0.1`.
    pub contract: String,
    /// Its name.
    pub name: LocalText,
    /// What it does, in a sentence.
    #[serde(default)]
    pub description: LocalText,
    /// The hooks that it implements, such as `links.rewrite`.
    pub hooks: Vec<String>,
    /// The capabilities that it requests, each with the reason that an administrator reads.
    #[serde(default)]
    pub capabilities: BTreeMap<String, CapabilityNeed>,
    /// Memory that it needs in mebibytes, if the platform's default is not sufficient.
    #[serde(default)]
    pub memory_mib: Option<u32>,
    /// JSON Schema of the settings of one site, with defaults.
    #[serde(default = "any_object")]
    pub settings: Value,
    /// UI modules that it may contribute.
    #[serde(default)]
    pub ui: UiModules,
    /// What its results depend on besides the page.
    #[serde(default)]
    pub vary: Vary,
    /// What readers may do while its hook `access.decide` fails. A site may decide otherwise.
    #[serde(default, rename = "onFailure")]
    pub on_failure: Option<OnFailure>,
    /// Its licence.
    #[serde(default)]
    pub licence: String,
}

/// A requested capability: the reason, and whether it is optional.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum CapabilityNeed {
    /// `http = "asks the gateway"`.
    Required(String),
    /// `http = { reason = "asks the gateway", optional = true }`.
    Detailed {
        /// The reason.
        reason: String,
        /// Whether the plugin works without it, with fewer features.
        #[serde(default)]
        optional: bool,
    },
}

impl CapabilityNeed {
    /// The reason that an administrator reads.
    #[must_use]
    pub fn reason(&self) -> &str {
        match self {
            Self::Required(reason) | Self::Detailed { reason, .. } => reason,
        }
    }

    /// Whether the plugin works without it.
    #[must_use]
    pub fn optional(&self) -> bool {
        matches!(self, Self::Detailed { optional: true, .. })
    }
}

/// UI modules of a plugin.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UiModules {
    /// Their ids.
    #[serde(default)]
    pub modules: Vec<String>,
}

/// What a result depends on besides the page. Each value includes those before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Vary {
    /// The same for everybody.
    #[default]
    Nothing,
    /// The referrer of the visit.
    Referrer,
    /// The reader: such a page is never shared between readers.
    Reader,
}

fn any_object() -> Value {
    serde_json::json!({ "type": "object" })
}

impl Manifest {
    /// Reads and checks a manifest.
    ///
    /// # Errors
    /// [`PluginError::Manifest`] or [`PluginError::Contract`], which name the faulty key.
    pub fn parse(text: &str) -> Result<Self, PluginError> {
        // The contract is checked first, because the manifest of a later contract may have keys that this host does not know.
        let table: toml::Table = toml::from_str(text).map_err(|error| wrong(error.to_string().trim()))?;
        let contract = table.get("contract").and_then(toml::Value::as_str).unwrap_or_default();
        if contract != CONTRACT {
            let required = if contract.is_empty() { "(none)" } else { contract }.to_owned();
            return Err(PluginError::Contract { required, known: CONTRACT.to_owned() });
        }
        let manifest: Self = toml::from_str(text).map_err(|error| wrong(error.to_string().trim()))?;
        manifest.check().map_err(|message| wrong(&message))?;
        Ok(manifest)
    }

    fn check(&self) -> Result<(), String> {
        if !is_id(&self.id) {
            return Err(format!("id {:?} has to be lower-case letters, digits and hyphens, at most 64", self.id));
        }
        if self.hooks.is_empty() {
            return Err("hooks is empty; name at least one".to_owned());
        }
        for name in &self.hooks {
            Hook::by_name(name).ok_or_else(|| {
                let known: Vec<_> = HOOKS.iter().map(|spec| spec.name).collect();
                format!("hooks: {name:?} is not a hook of contract {CONTRACT}; known are {}", known.join(", "))
            })?;
        }
        if self.on_failure.is_some() && !self.has_hook(Hook::Access) {
            return Err("onFailure is about the hook access.decide, which hooks does not name; remove it".to_owned());
        }
        for (name, need) in &self.capabilities {
            if !CAPABILITIES.iter().any(|capability| capability.name == name) {
                let known: Vec<_> = CAPABILITIES.iter().map(|capability| capability.name).collect();
                return Err(format!(
                    "capabilities: {name:?} is not a capability of contract {CONTRACT}; known are {}",
                    known.join(", ")
                ));
            }
            if need.reason().trim().is_empty() {
                return Err(format!("capabilities.{name}: say why the plugin needs it"));
            }
        }
        if let Some(module) = self.ui.modules.iter().find(|module| !is_id(module)) {
            return Err(format!("ui.modules: {module:?} is not a module id"));
        }
        settings_schema::check_schema(&self.settings).map_err(|message| format!("settings: {message}"))
    }

    /// The required capabilities that these grants lack, each with the manifest's reason.
    #[must_use]
    pub fn missing(&self, grants: &Grants) -> Vec<(&str, &str)> {
        let needed = self.capabilities.iter().filter(|(name, need)| !need.optional() && !grants.gives(name));
        needed.map(|(name, need)| (name.as_str(), need.reason())).collect()
    }

    /// The part of these grants that the manifest requests.
    #[must_use]
    pub fn effective(&self, grants: &Grants) -> Grants {
        let requests = |name: &str| self.capabilities.contains_key(name);
        let list = |name: &str, list: &[String]| if requests(name) { list.to_vec() } else { Vec::new() };
        Grants {
            content: grants.content && requests("content"),
            personal: list("content", &grants.personal),
            kv: grants.kv && requests("kv"),
            http: list("http", &grants.http),
            private_http: list("http", &grants.private_http),
            secrets: if requests("secrets") { grants.secrets.clone() } else { Vec::new() },
            frames: list("frames", &grants.frames),
        }
    }

    /// Whether it names this hook.
    #[must_use]
    pub fn has_hook(&self, hook: Hook) -> bool {
        self.hooks.iter().any(|name| name == hook.spec().name)
    }
}

fn wrong(message: &str) -> PluginError {
    PluginError::Manifest(message.to_owned())
}

/// Lower-case letters, digits and hyphens.
pub(crate) fn is_id(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 64
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    const GOOD: &str = "id='a'\nversion='1.2.3'\ncontract='0.1'\nhooks=['links.rewrite']\nname={zh='甲',en='A'}\n";

    #[test]
    fn a_small_manifest_is_enough() {
        let manifest = Manifest::parse(GOOD).unwrap();
        assert_eq!((manifest.vary, manifest.version.minor), (Vary::Nothing, 2));
    }

    #[test]
    fn a_plugin_that_decides_on_access_may_deny_it_on_failure() {
        let denying = GOOD.replace("['links.rewrite']", "['access.decide']\nonFailure='deny'");
        assert_eq!(Manifest::parse(&denying).unwrap().on_failure, Some(OnFailure::Deny));
        assert_eq!(Manifest::parse(GOOD).unwrap().on_failure, None);
    }

    #[test]
    fn faulty_keys_are_named() {
        for (change, to, expected) in [
            ("'a'", "'../a'", "id"),
            ("'0.1'", "'0.9'", "contract 0.9"),
            ("links.rewrite", "links.write", "known are links.rewrite"),
            ("name=", "nmae=", "nmae"),
            ("hooks=", "capabilities={teleport='x'}\nhooks=", "teleport"),
            ("hooks=", "capabilities={log=' '}\nhooks=", "capabilities.log"),
            ("hooks=", "settings={type='object',pattern='x'}\nhooks=", "pattern"),
            ("1.2.3", "one", "version"),
            ("hooks=", "onFailure='deny'\nhooks=", "onFailure is about the hook access.decide"),
            ("hooks=['links.rewrite']", "onFailure='closed'\nhooks=['access.decide']", "`allow` or `deny`"),
        ] {
            let error = Manifest::parse(&GOOD.replacen(change, to, 1)).unwrap_err().to_string();
            assert!(error.contains(expected), "{error} should mention {expected}");
        }
    }
}
