//! `masthead config explain`: the origin of configuration values.

use std::collections::BTreeSet;

use figment::{Provider as _, value::Value};
use serde::Serialize;

use crate::{Layer, Layers};

/// Settings that the interface receives (in the bootstrap or in an API call) and does not act on yet. A setting leaves this list
/// with the change that makes the interface act on it; a test searches the interface for their names.
pub const NOT_USED_YET: [&str; 13] = [
    "channels.bannerId",
    "channels.newsDataType",
    "channels.styleId",
    "header.advSearch",
    "header.ceiling",
    "header.groupEntrance",
    "header.navDistribution",
    "header.resourceSearch",
    "logo1",
    "pictureUrl",
    "search.resourceType.isOpenConfig",
    "templateId",
    "umtFlag",
];

/// A configuration value with its origin.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// The dotted key.
    pub key: String,
    /// The effective value.
    pub value: serde_json::Value,
    /// The name of the layer that sets it, and its file.
    pub from: (String, String),
    /// The overridden values, lowest layer first: (layer, file, value).
    pub overridden: Vec<(String, String, serde_json::Value)>,
    /// The layer that locks the key, if one does.
    pub locked_by: Option<String>,
    /// Messages about values that were ignored because of the lock.
    pub ignored: Vec<String>,
    /// The settings of this value that have no effect yet: the key itself, or keys of the entries of a list.
    pub not_used_yet: Vec<String>,
}

/// Explains the value at a dotted key and all values below it; "" explains all values.
#[must_use]
pub fn explain(layers: &Layers, key: &str) -> Vec<Explanation> {
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
                || ("(default)".to_owned(), String::new()),
                |data| (data.name.to_string(), data.source.as_ref().map(ToString::to_string).unwrap_or_default()),
            );
            let mut overridden: Vec<_> = layers
                .all
                .iter()
                .filter_map(|layer| Some((layer.name.clone(), layer.source.clone(), plain(lookup(layer, &key)?))))
                .collect();
            overridden.retain(|(name, _, _)| *name != from.0);
            let covers = |lock: &str| key == *lock || key.starts_with(&format!("{lock}."));
            let locked_by = layers
                .all
                .iter()
                .find(|layer| layer.locked.iter().any(|lock| covers(lock)))
                .map(|layer| layer.name.clone());
            let ignored = layers.ignored.iter().filter(|text| text.starts_with(&format!("{key} "))).cloned().collect();
            let not_used_yet = not_used_yet(&key, &value);
            Explanation { value: plain(&value), from, overridden, locked_by, ignored, not_used_yet, key }
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
