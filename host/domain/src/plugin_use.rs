//! Use of a plugin by a site: version, settings and grants.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An entry of `plugins` in a site's file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// What readers may do while its hook `access.decide` fails; by default what its manifest says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_failure: Option<OnFailure>,
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

/// What readers may do while a plugin that decides on access fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OnFailure {
    /// What they may do without the plugin.
    #[default]
    Allow,
    /// Nothing that needs a permission.
    Deny,
}

impl OnFailure {
    /// Its name in manifests and answers.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Deny => "deny",
        }
    }
}

/// Limits of a plugin on one site.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct PluginLimits {
    /// Linear memory in mebibytes.
    pub memory_mib: Option<u32>,
    /// Time of one call in milliseconds.
    pub budget_ms: Option<u32>,
}

/// What a site gives a plugin.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
    /// Secrets that may be used, and the servers that they may be sent to.
    pub secrets: Vec<SecretGrant>,
    /// Origins that its modules may show in a frame: `https://assistant.example.org`.
    pub frames: Vec<String>,
}

/// A secret that a plugin may use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, deny_unknown_fields)]
pub enum SecretGrant {
    /// `"gateway-key"`: it may be sent to the server that the site grants, of which there must not be several.
    Name(String),
    /// `{ name = "gateway-key", origins = ["https://api.example.org"] }`
    Bound {
        /// The name of the secret.
        name: String,
        /// The servers that it may be sent to, all of them granted under `http` or `privateHttp`; empty for a secret that
        /// only signs.
        origins: Vec<String>,
    },
}

impl SecretGrant {
    /// The name of the secret.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Name(name) | Self::Bound { name, .. } => name,
        }
    }
}

impl From<&str> for SecretGrant {
    fn from(name: &str) -> Self {
        Self::Name(name.to_owned())
    }
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_secret_is_granted_by_name_or_with_its_servers() {
        let json = r#"{ "secrets": ["a", { "name": "b", "origins": ["https://api.example.org"] }] }"#;
        let grants: Grants = serde_json::from_str(json).unwrap();
        assert_eq!(grants.secrets.iter().map(SecretGrant::name).collect::<Vec<_>>(), ["a", "b"]);
        let again: Grants = serde_json::from_str(&serde_json::to_string(&grants).unwrap()).unwrap();
        assert_eq!(again, grants);
        for bad in [r#"{ "name": "b" }"#, r#"{ "name": "b", "origins": [], "origin": "x" }"#, "1"] {
            assert!(serde_json::from_str::<SecretGrant>(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_failure_allows_or_denies() {
        let of = |text: &str| serde_json::from_str::<PluginUse>(&format!(r#"{{ "id": "a"{text} }}"#));
        assert_eq!(of("").unwrap().on_failure, None);
        assert_eq!(of(r#", "onFailure": "deny""#).unwrap().on_failure, Some(OnFailure::Deny));
        let error = of(r#", "onFailure": "closed""#).unwrap_err().to_string();
        assert!(error.contains("`allow` or `deny`"), "{error}");
    }
}
