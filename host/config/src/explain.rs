//! `masthead config explain`: the origin of configuration values.

use figment::{Provider as _, value::Value};
use serde::Serialize;

use crate::{Layer, Layers};

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
            Explanation { value: plain(&value), from, overridden, locked_by, ignored, key }
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
