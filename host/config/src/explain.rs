//! `masthead config explain`: the origin of configuration values.

use std::{collections::BTreeSet, path::Path};

use figment::{Provider as _, value::Value};
use serde::Serialize;

use crate::{
    ConfigError, Layer, Layers,
    layers::covers,
    platform,
    reference::{Key, NOT_USED_YET, platform_keys, site_keys},
    shown::without_secrets,
};

/// The name of the origin of values that no layer sets.
const DEFAULT: &str = "default";

/// A configuration value with its origin.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// The dotted key.
    pub key: String,
    /// The effective value.
    pub value: serde_json::Value,
    /// The name of the layer that sets it, and its file; `default` and "" if none does.
    pub from: (String, String),
    /// The value where no layer sets the key; `None` for keys that have to be set.
    pub default: Option<serde_json::Value>,
    /// The overridden values, lowest layer first: (layer, file, value).
    pub overridden: Vec<(String, String, serde_json::Value)>,
    /// The layer that locks the key, if one does.
    pub locked_by: Option<String>,
    /// Messages about values that were ignored because of the lock.
    pub ignored: Vec<String>,
    /// The settings of this value that have no effect yet: the key itself, or keys of the entries of a list.
    pub not_used_yet: Vec<String>,
}

/// Explains the value at a dotted key and all values below it, also those that no layer sets; "" explains all values.
#[must_use]
pub fn explain(layers: &Layers, key: &str) -> Vec<Explanation> {
    explain_keys(layers, key, site_keys())
}

/// Explains the value at a dotted key of `platform.toml` in a folder and all values below it, also those that the file does not set; "" explains
/// all values. `[site]` has the keys of sites, and is left out. The file is the one source of these values: no environment variable and no
/// option of the command line overrides them.
///
/// # Errors
/// [`ConfigError`], if the file is missing or invalid.
pub fn explain_platform(folder: &Path, key: &str) -> Result<Vec<Explanation>, ConfigError> {
    let layer = platform::own_layer(&folder.join("platform.toml"), folder)?;
    let layers = Layers { all: vec![layer], ignored: Vec::new() };
    let mut explanations = explain_keys(&layers, key, platform_keys());
    for explanation in &mut explanations {
        explanation.value = without_secrets(&explanation.key, &explanation.value);
    }
    Ok(explanations)
}

/// Explains the values of layers with these keys.
fn explain_keys(layers: &Layers, key: &str, keys: Vec<Key>) -> Vec<Explanation> {
    let mut explanations = explain_set(layers, key);
    let is_asked_for = |known: &str| key.is_empty() || covers(key, known);
    let mut unset = Vec::new();
    for known in keys.into_iter().filter(|known| !known.is_of_entries()) {
        let Some(value) = known.default else { continue };
        if let Some(set) = explanations.iter_mut().find(|set| set.key == known.key) {
            set.default = Some(value);
            continue;
        }
        let is_set = |set: &Explanation| covers(&known.key, &set.key) || covers(&set.key, &known.key);
        if !is_asked_for(&known.key) || explanations.iter().any(is_set) {
            continue;
        }
        unset.push(Explanation {
            default: Some(value.clone()),
            value,
            from: (DEFAULT.to_owned(), String::new()),
            overridden: Vec::new(),
            locked_by: layers.lock_of(&known.key),
            ignored: ignored(layers, &known.key),
            not_used_yet: NOT_USED_YET.into_iter().filter(|own| *own == known.key).map(str::to_owned).collect(),
            key: known.key,
        });
    }
    explanations.extend(unset);
    explanations.sort_by(|left, right| left.key.cmp(&right.key));
    explanations
}

/// Messages about values of a key that were ignored because of a lock on it, or on a table above it.
fn ignored(layers: &Layers, key: &str) -> Vec<String> {
    layers.ignored.iter().filter(|ignored| covers(&ignored.key, key)).map(ToString::to_string).collect()
}

/// Explains the values that layers set.
fn explain_set(layers: &Layers, key: &str) -> Vec<Explanation> {
    let figment = layers.figment();
    let found = if key.is_empty() {
        figment.data().ok().and_then(|mut profiles| profiles.remove(&figment::Profile::Default)).map(Value::from)
    } else {
        figment.find_value(key).ok()
    };
    let mut leaves = Vec::new();
    if let Some(value) = found {
        collect(key, &value, &mut leaves);
    }
    leaves
        .into_iter()
        .map(|(key, value)| {
            let from = figment.find_metadata(&key).map_or_else(
                || (DEFAULT.to_owned(), String::new()),
                |data| (data.name.to_string(), data.source.as_ref().map(ToString::to_string).unwrap_or_default()),
            );
            let mut overridden: Vec<_> = layers
                .all
                .iter()
                .filter_map(|layer| Some((layer.name.clone(), layer.source.clone(), plain(lookup(layer, &key)?))))
                .collect();
            overridden.retain(|(name, _, _)| *name != from.0);
            let (locked_by, ignored) = (layers.lock_of(&key), ignored(layers, &key));
            let not_used_yet = not_used_yet(&key, &value);
            Explanation { value: plain(&value), from, default: None, overridden, locked_by, ignored, not_used_yet, key }
        })
        .collect()
}

fn collect(key: &str, value: &Value, leaves: &mut Vec<(String, Value)>) {
    match value {
        Value::Dict(_, dict) => {
            for (name, inner) in dict {
                let path = if key.is_empty() { name.clone() } else { format!("{key}.{name}") };
                collect(&path, inner, leaves);
            }
        }
        other => leaves.push((key.to_owned(), other.clone())),
    }
}

/// The settings without effect in a leaf: the key itself, or those that entries of the list contain.
fn not_used_yet(key: &str, value: &Value) -> Vec<String> {
    let entries = value.as_array().into_iter().flatten().filter_map(Value::as_dict);
    let names: BTreeSet<String> = entries.flat_map(|entry| entry.keys().map(|name| format!("{key}.{name}"))).collect();
    NOT_USED_YET.into_iter().filter(|known| *known == key || names.contains(*known)).map(str::to_owned).collect()
}

fn lookup<'a>(layer: &'a Layer, key: &str) -> Option<&'a Value> {
    let mut parts = key.split('.');
    let mut value = layer.values.get(parts.next()?)?;
    for part in parts {
        value = value.as_dict()?.get(part)?;
    }
    Some(value)
}

fn plain(value: &Value) -> serde_json::Value {
    serde_json::to_value(value).unwrap_or(serde_json::Value::Null)
}
