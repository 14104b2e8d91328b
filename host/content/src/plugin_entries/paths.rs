//! Settings of plugins by their paths: `label`, `title.en`, `links.0.address`, `links.+`. The schema of the plugin says which there are.

use masthead_domain::text::nearest;
use serde_json::{Map, Value};

/// The place behind the last entry of a list.
const NEXT: &str = "+";
/// Greatest number of parts of a path. Each part is a level of the settings.
const MOST_PARTS: usize = 32;

/// Sets the value that `value` makes for the schema of its place. Where the settings have nothing above it, what the schema has as default is
/// there.
///
/// # Errors
/// A message about a path that the schema does not have, with the nearest key.
pub fn set(schema: &Value, settings: &mut Value, key: &str, value: impl FnOnce(&Value) -> Value) -> Result<(), String> {
    let path: Vec<&str> = key.split('.').take(MOST_PARTS + 1).collect();
    if path.len() > MOST_PARTS {
        return Err(format!("settings: a key has at most {MOST_PARTS} parts"));
    }
    let value = value(part_of(schema, &path, key)?);
    put(schema, settings, &path, key, value)
}

/// Removes a value.
///
/// # Errors
/// A message, if it is not set.
pub fn unset(settings: &mut Value, key: &str) -> Result<(), String> {
    let missing = || format!("settings: {key} is not set");
    let (above, last) = key.rsplit_once('.').map_or(("", key), |(above, last)| (above, last));
    let mut container = settings;
    for name in above.split('.').filter(|name| !name.is_empty()) {
        container = match container {
            Value::Object(map) => map.get_mut(name),
            Value::Array(list) => name.parse().ok().and_then(|at: usize| list.get_mut(at)),
            _ => None,
        }
        .ok_or_else(missing)?;
    }
    match container {
        Value::Object(map) => map.remove(last).map(drop).ok_or_else(missing),
        Value::Array(list) => match last.parse().ok().filter(|at: &usize| *at < list.len()) {
            Some(at) => {
                list.remove(at);
                Ok(())
            }
            None => Err(missing()),
        },
        _ => Err(missing()),
    }
}

/// The schema of the value at a path; null where the schema allows anything.
fn part_of<'s>(schema: &'s Value, path: &[&str], key: &str) -> Result<&'s Value, String> {
    let mut part = schema;
    for name in path {
        if part["items"].is_object() && (*name == NEXT || name.parse::<usize>().is_ok()) {
            part = &part["items"];
            continue;
        }
        let properties = part["properties"].as_object();
        part = match (properties.and_then(|known| known.get(*name)), &part["additionalProperties"]) {
            (Some(inner), _) => inner,
            (None, inner) if inner.is_object() => inner,
            // A schema that lists settings and says nothing of others means these.
            (None, others) if properties.is_some_and(|known| !known.is_empty()) && *others != Value::Bool(true) => {
                return Err(unknown(key, name, properties.into_iter().flat_map(Map::keys).map(String::as_str)));
            }
            (None, Value::Bool(false)) => return Err(unknown(key, name, std::iter::empty())),
            _ => &Value::Null,
        };
    }
    Ok(part)
}

fn unknown<'a>(key: &str, name: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    let hint = match nearest(name, known.clone()) {
        Some(near) => format!("do you mean {near}?"),
        None => match known.collect::<Vec<_>>() {
            known if known.is_empty() => "there are none here".to_owned(),
            known => format!("known are {}", known.join(", ")),
        },
    };
    format!("settings: {key} is not a setting; {hint}")
}

fn put(schema: &Value, target: &mut Value, path: &[&str], key: &str, value: Value) -> Result<(), String> {
    let [name, rest @ ..] = path else {
        *target = value;
        return Ok(());
    };
    match target {
        Value::Object(map) => {
            let part = [&schema["properties"][*name], &schema["additionalProperties"]];
            let part = part.into_iter().find(|part| part.is_object()).unwrap_or(&Value::Null);
            let inner = map.entry(*name).or_insert_with(|| part.get("default").cloned().unwrap_or_else(|| blank(rest)));
            put(part, inner, rest, key, value)
        }
        Value::Array(list) => {
            let length = list.len();
            if *name == NEXT {
                list.push(blank(rest));
            }
            let at = if *name == NEXT { Some(length) } else { name.parse().ok() };
            let inner = at.and_then(|at: usize| list.get_mut(at)).ok_or_else(|| {
                format!("settings: {key}: the list has {length} entries; name one from 0, or {NEXT} for a new one")
            })?;
            put(&schema["items"], inner, rest, key, value)
        }
        _ => Err(format!("settings: {key}: {target} has no parts")),
    }
}

/// What holds the rest of a path.
fn blank(rest: &[&str]) -> Value {
    match rest.first() {
        None => Value::Null,
        Some(&NEXT) => Value::Array(Vec::new()),
        Some(_) => Value::Object(Map::new()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_path_has_a_bounded_number_of_parts() {
        let schema = json!({ "type": "object" });
        let made = |parts: usize| {
            let mut settings = json!({});
            set(&schema, &mut settings, &vec!["a"; parts].join("."), |_| json!(1)).map(|()| settings)
        };
        assert!(made(MOST_PARTS).is_ok_and(|settings| settings.to_string().contains("{\"a\":1}")));
        assert_eq!(made(MOST_PARTS + 1), Err("settings: a key has at most 32 parts".to_owned()));
        assert!(made(1 << 20).is_err());
    }
}
