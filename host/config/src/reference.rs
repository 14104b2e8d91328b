//! The keys of the configuration, from the types that they are read into: `docs/configuration.md`, and the defaults of `config explain`.

use std::fmt::Write as _;

use masthead_domain::site::Site;
use schemars::{JsonSchema, schema_for};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::Platform;

/// Settings that the interface receives (in the bootstrap or in an API call) and does not act on yet. A setting leaves this list
/// with the change that makes the interface act on it; a test searches the interface for their names. `masthead doctor` warns of a site
/// that sets one of them.
pub const NOT_USED_YET: [&str; 4] = ["channels.bannerId", "logo1", "templateId", "umtFlag"];

/// Types that are shown as one value, with the words for them: what is inside is not a key of its own.
const WHOLE: [(&str, &str); 2] = [("LocalText", "text by language"), ("SecretGrant", "string or table")];
/// Deepest nesting of keys; the types are not recursive.
const MAX_DEPTH: usize = 10;

/// A key of the configuration.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Key {
    /// The dotted key. `[]` stands for the entries of a list, `<name>` for any name in a table.
    pub key: String,
    /// The type of its values.
    pub kind: String,
    /// The value where no layer sets the key; `None` for keys that have to be set, and for keys within lists and tables.
    pub default: Option<Value>,
    /// The values that it may have, where they are listed.
    pub allowed: Vec<String>,
    /// What it is for.
    pub description: String,
}

impl Key {
    /// Whether the key is within the entries of a list or of a table by name.
    #[must_use]
    pub fn is_of_entries(&self) -> bool {
        self.key.contains(['[', '<'])
    }
}

/// The keys of a site, in alphabetical order.
#[must_use]
pub fn site_keys() -> Vec<Key> {
    keys::<Site>()
}

/// The keys of `platform.toml` besides `[site]`, in alphabetical order.
#[must_use]
pub fn platform_keys() -> Vec<Key> {
    keys::<Platform>()
}

fn keys<T: JsonSchema>() -> Vec<Key> {
    let schema = Value::from(schema_for!(T));
    let mut walk = Walk { definitions: &schema["$defs"], keys: Vec::new() };
    walk.object(&schema, "", None, 0);
    let mut keys = walk.keys;
    // The order of a JSON object depends on features that other crates switch on.
    keys.sort_by(|left, right| left.key.cmp(&right.key));
    keys
}

struct Walk<'a> {
    definitions: &'a Value,
    keys: Vec<Key>,
}

/// A schema behind its reference.
struct Resolved<'a> {
    /// The name of the type, or "" for one without a name.
    name: &'a str,
    schema: &'a Value,
}

impl<'a> Walk<'a> {
    fn resolve(&self, schema: &'a Value) -> Resolved<'a> {
        if let Some(reference) = schema["$ref"].as_str() {
            let name = reference.rsplit('/').next().unwrap_or_default();
            return Resolved { name, ..self.resolve(&self.definitions[name]) };
        }
        // An optional value is the type or null.
        let parts: Vec<&'a Value> = schema["anyOf"].as_array().into_iter().flatten().collect();
        match parts[..] {
            [part, null] if null["type"] == "null" => self.resolve(part),
            _ => Resolved { name: "", schema },
        }
    }

    /// The keys of a table with known names. `default` is the default of the whole table, where it has one.
    fn object(&mut self, schema: &'a Value, prefix: &str, default: Option<&'a Value>, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let key = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
            let default = default.and_then(|table| table.get(name)).or_else(|| property.get("default"));
            self.property(property, key, default, depth);
        }
    }

    fn property(&mut self, property: &'a Value, key: String, default: Option<&'a Value>, depth: usize) {
        let resolved = self.resolve(property);
        if is_table(&resolved) {
            self.object(resolved.schema, &key, default, depth + 1);
            return;
        }
        let of_entries = key.contains(['[', '<']);
        let description = property["description"].as_str().or_else(|| resolved.schema["description"].as_str());
        self.keys.push(Key {
            kind: self.kind(&resolved),
            default: default.filter(|_| !of_entries).cloned(),
            allowed: self.allowed(resolved.schema),
            description: description.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" "),
            key: key.clone(),
        });
        if is_whole(resolved.name).is_none() {
            self.entries(resolved.schema, &key, depth);
        }
    }

    /// The keys of the entries of a list, or of a table with any names.
    fn entries(&mut self, schema: &'a Value, key: &str, depth: usize) {
        for (part, suffix) in [("items", "[]"), ("additionalProperties", ".<name>")] {
            let Some(entry) = schema.get(part).filter(|entry| entry.is_object()) else { continue };
            let resolved = self.resolve(entry);
            let key = format!("{key}{suffix}");
            if is_table(&resolved) {
                self.object(resolved.schema, &key, None, depth + 1);
            } else if is_whole(resolved.name).is_none() {
                self.entries(resolved.schema, &key, depth + 1);
            }
        }
    }

    /// The words for a type.
    fn kind(&self, resolved: &Resolved<'a>) -> String {
        let Resolved { name, schema } = resolved;
        if let Some(words) = is_whole(name) {
            return words.to_owned();
        }
        let types = match &schema["type"] {
            Value::String(name) => vec![name.as_str()],
            Value::Array(names) => names.iter().filter_map(Value::as_str).filter(|name| *name != "null").collect(),
            _ => Vec::new(),
        };
        match types.first().copied() {
            Some("array") => format!("list of {}", self.entry_kind(&schema["items"])),
            Some("object") if schema["additionalProperties"].is_object() => {
                format!("table of {} by name", self.entry_kind(&schema["additionalProperties"]))
            }
            Some("object") => "table".to_owned(),
            Some("boolean") => "true or false".to_owned(),
            Some("integer") => "whole number".to_owned(),
            Some(other) => other.to_owned(),
            None if !allowed(schema).is_empty() => "string".to_owned(),
            None => "any value".to_owned(),
        }
    }

    /// The words for the entries of a list or table.
    fn entry_kind(&self, schema: &'a Value) -> String {
        let resolved = self.resolve(schema);
        if is_table(&resolved) {
            return "tables".to_owned();
        }
        match self.kind(&resolved).as_str() {
            "text by language" => "texts by language".to_owned(),
            "string or table" => "strings or tables".to_owned(),
            one @ ("string" | "whole number" | "number") => format!("{one}s"),
            other => other.replacen("list of", "lists of", 1),
        }
    }

    /// The values of an enumeration, or of the entries of a list of them.
    fn allowed(&self, schema: &'a Value) -> Vec<String> {
        let own = allowed(schema);
        match schema.get("items").filter(|_| own.is_empty()) {
            Some(items) => allowed(self.resolve(items).schema),
            None => own,
        }
    }
}

fn is_whole(name: &str) -> Option<&'static str> {
    WHOLE.iter().find(|(whole, _)| *whole == name).map(|(_, words)| *words)
}

/// Whether a type is a table with known names, whose keys are listed instead of it.
fn is_table(resolved: &Resolved<'_>) -> bool {
    is_whole(resolved.name).is_none() && resolved.schema["properties"].is_object()
}

/// The values of an enumeration, as a list or with a description each.
fn allowed(schema: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let listed = schema["enum"].as_array().into_iter().flatten().filter_map(text);
    let described = schema["oneOf"].as_array().into_iter().flatten().flat_map(|part| {
        let constant = part.get("const").and_then(text);
        let names = part["enum"].as_array().into_iter().flatten().filter_map(text).collect::<Vec<_>>();
        constant.into_iter().chain(names)
    });
    listed.chain(described).collect()
}

/// The reference of all keys as Markdown, the content of `docs/configuration.md`.
#[must_use]
pub fn markdown() -> String {
    let mut text = INTRODUCTION.to_owned();
    for (heading, keys) in [("Keys of a site", site_keys()), ("Keys of `platform.toml`", platform_keys())] {
        // Writing to a string does not fail.
        let _ = write!(text, "\n## {heading}\n\n| Key | Type | Default | Description |\n|---|---|---|---|\n");
        for key in keys {
            let _ = writeln!(text, "{}", row(&key));
        }
    }
    text
}

const INTRODUCTION: &str = "\
# Configuration keys

<!-- Written by `make reference` from the types in host/domain/src/site and host/config/src; a test compares it with them. -->

The value of a key of a site is set by layers, each overriding the one before: `[site]` in `platform.toml`, the file of the site's group
in `groups/`, the site's own file, environment variables `MASTHEAD_SITE__<sld>__<key>` (`__` for the dots), and settings saved with
`masthead config set`. Tables are merged key by key; a list replaces the list of the layers before. A layer can lock keys against later
layers with `locked = [\"header.showLogin\"]` at the top of its file. `masthead config explain --site ID` shows every key with its value and
the layer that sets it. Without `--site` it shows the keys of `platform.toml`, which this file alone sets.

`[]` stands for the entries of a list, `<name>` for any name in a table. A key without a default within no list has to be set by some layer.
A text by language is a table such as `{ zh = \"...\", en = \"...\" }` with the codes of `languages`.
";

fn row(key: &Key) -> String {
    let cell = |text: &str| text.replace('|', "\\|");
    let mut description = key.description.clone();
    if !key.allowed.is_empty() {
        let values: Vec<_> = key.allowed.iter().map(|value| format!("`{value}`")).collect();
        let _ = write!(description, " Allowed: {}.", values.join(", "));
    }
    // The list names the keys of entries without their brackets.
    if NOT_USED_YET.contains(&key.key.replace("[]", "").as_str()) {
        description.push_str(" Not used yet: the interface receives it and does not act on it.");
    }
    let default = match &key.default {
        Some(Value::Null) | None => String::new(),
        Some(value) => format!("`{}`", sorted(value)),
    };
    format!("| `{}` | {} | {} | {} |", key.key, cell(&key.kind), cell(&default), cell(description.trim()))
}

/// The value with the keys of its objects in alphabetical order.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let mut names: Vec<_> = fields.iter().collect();
            names.sort_by(|left, right| left.0.cmp(right.0));
            Value::Object(names.into_iter().map(|(name, inner)| (name.clone(), sorted(inner))).collect::<Map<_, _>>())
        }
        Value::Array(entries) => Value::Array(entries.iter().map(sorted).collect()),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::path::Path;

    use super::*;

    fn find(keys: &[Key], key: &str) -> Key {
        keys.iter().find(|known| known.key == key).unwrap_or_else(|| unreachable!("{key} is not listed")).clone()
    }

    #[test]
    fn keys_have_the_descriptions_defaults_and_values_of_their_types() {
        let keys = site_keys();
        let style = find(&keys, "header.navStyle");
        assert_eq!((style.kind.as_str(), style.default), ("whole number", Some(Value::from(0))));
        assert!(style.description.starts_with("Style id of the header"), "{}", style.description);
        let state = find(&keys, "state");
        assert_eq!(state.allowed, ["active", "maintenance", "expired", "forbidden"]);
        assert_eq!(state.default, Some(Value::from("active")));
        assert_eq!(find(&keys, "timeZone").default, Some(Value::from("Asia/Shanghai")));
        assert_eq!(find(&keys, "library.oai").default, Some(Value::from(true)));
        assert_eq!(find(&keys, "permissions.visitPower").default, Some(Value::from(true)), "that of the whole table");
        assert_eq!(find(&keys, "languages").allowed.len(), 9);
        assert_eq!(find(&keys, "name").kind, "text by language");
        assert_eq!(find(&keys, "channels").kind, "list of tables");
        assert_eq!(find(&keys, "channels[].names").default, None, "keys of entries have no default of the site");
        assert_eq!(find(&keys, "slots.<name>[].module").kind, "string");
        assert_eq!(find(&keys, "plugins[].onFailure").allowed, ["allow", "deny"]);
        assert_eq!(find(&keys, "id").default, None);
        let platform = platform_keys();
        assert_eq!(find(&platform, "connections.max").default, Some(Value::from(800)));
        assert_eq!(find(&platform, "proxies.trusted").kind, "list of strings");
        assert_eq!(find(&platform, "public.scheme").allowed, ["http", "https"]);
        assert_eq!(find(&platform, "styles.nav").kind, "table of strings by name");
    }

    #[test]
    fn every_key_is_described() {
        for key in site_keys().into_iter().chain(platform_keys()) {
            assert!(!key.description.is_empty(), "{} has no docstring", key.key);
            assert!(!key.kind.is_empty(), "{} has no type", key.key);
        }
    }

    #[test]
    fn the_reference_in_the_documentation_is_up_to_date() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/configuration.md");
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(written == markdown(), "docs/configuration.md differs from the types; run `make reference`");
    }
}
