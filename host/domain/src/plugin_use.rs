//! Use of a plugin by a site: version, settings and grants.

use serde::{Deserialize, Serialize};

/// An entry of `plugins` in a site's file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PluginUse {
    /// The plugin's id.
    pub id: String,
    /// Version requirement (`"0.1"`), or a digest (`"sha256:..."`).
    #[serde(default = "any_version")]
    pub version: String,
    /// Settings; checked against the plugin's schema.
    #[serde(default = "empty_object")]
    pub settings: serde_json::Value,
    /// What the site gives the plugin. What its manifest does not ask for is never given.
    #[serde(default)]
    pub grants: Grants,
    /// Limits tighter than the platform's.
    #[serde(default)]
    pub limits: PluginLimits,
    /// Another version that runs beside this one.
    #[serde(default)]
    pub canary: Option<Canary>,
}

fn any_version() -> String {
    "*".to_owned()
}

fn empty_object() -> serde_json::Value {
    serde_json::Value::Object(serde_json::Map::new())
}

/// Limits of a plugin on one site.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct PluginLimits {
    /// Linear memory in mebibytes.
    pub memory_mib: Option<u32>,
    /// Time of one call in milliseconds.
    pub budget_ms: Option<u32>,
}

/// What a site gives a plugin.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Grants {
    /// Reading what the site has published.
    pub content: bool,
    /// Personal fields of that content, one by one: `author.email`, `author.orcid`.
    pub personal: Vec<String>,
    /// Keeping values.
    pub kv: bool,
    /// Servers that may be asked: `api.example.org` (https), `https://api.example.org:8443`, `http://...`. Their names have to
    /// lead to public addresses.
    pub http: Vec<String>,
    /// The same, for servers inside the operator's network: their names may lead to private addresses.
    pub private_http: Vec<String>,
    /// Secrets that may be used, by name.
    pub secrets: Vec<String>,
    /// Origins that its modules may show in a frame: `https://assistant.example.org`.
    pub frames: Vec<String>,
}

impl Grants {
    /// Whether the site grants this capability; capabilities that need no grant are always granted.
    #[must_use]
    pub fn gives(&self, capability: &str) -> bool {
        match capability {
            "content" => self.content,
            "kv" => self.kv,
            "http" => !self.http.is_empty() || !self.private_http.is_empty(),
            "secrets" => !self.secrets.is_empty(),
            "frames" => !self.frames.is_empty(),
            _ => true,
        }
    }
}

/// Another version of a plugin, tried out beside the one in use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Canary {
    /// Version requirement or digest.
    pub version: String,
    /// Percent of requests that it answers; 0 = none, it runs in the shadow of the version in use and is only compared.
    #[serde(default)]
    pub share: u8,
    /// Its settings, where they differ from those of the version in use.
    #[serde(default)]
    pub settings: Option<serde_json::Value>,
    /// What it is given, where that differs.
    #[serde(default)]
    pub grants: Option<Grants>,
}
