//! Settings of plugins as an operator writes them: `label=Open`, `title.en=Open`, `links.0.address=...`, `links.+={...}`. The schema of the
//! plugin says which type a value has.

use masthead_domain::text::nearest;
use serde_json::{Map, Value};

/// The place behind the last entry of a list.
const NEXT: &str = "+";

/// `KEY=VALUE`.
pub struct Pair {
    /// The path of the setting.
    pub key: String,
    /// Its value.
    pub text: String,
}

/// Splits pairs; `option` stands before them in messages. Those without `=` are added to `faults`.
pub fn pairs(given: &[String], option: &str, faults: &mut Vec<String>) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for one in given {
        match one.split_once('=').filter(|(key, _)| !key.is_empty()) {
            Some((key, text)) => pairs.push(Pair { key: key.to_owned(), text: text.to_owned() }),
            None => faults.push(format!("{option}{one}: expected KEY=VALUE")),
        }
    }
    pairs
}

/// Sets a value. Where the settings have nothing above it, what the schema has as default is there.
///
/// # Errors
/// A message about a path that the schema does not have, with the nearest key.
pub fn set(schema: &Value, settings: &mut Value, key: &str, text: &str) -> Result<(), String> {
    let path: Vec<&str> = key.split('.').collect();
    let part = part_of(schema, &path, key)?;
    put(schema, settings, &path, key, typed(part, text))
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

/// The value of a text for a schema: a text stays as it is where only texts are allowed; elsewhere JSON is read.
fn typed(schema: &Value, text: &str) -> Value {
    let json = serde_json::from_str::<Value>(text).ok();
    let is_text = schema["type"] == "string";
    let value = json.filter(|value| !is_text || value.is_string());
    value.unwrap_or_else(|| Value::String(text.to_owned()))
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
    #![allow(clippy::unwrap_used)]
    use serde_json::json;

    use super::*;

    fn schema() -> Value {
        json!({
            "type": "object", "additionalProperties": false,
            "properties": {
                "code": { "type": "string" },
                "size": { "type": "integer", "default": 3 },
                "any": {},
                "title": { "type": "object", "default": { "zh": "题" }, "additionalProperties": { "type": "string" } },
                "links": { "type": "array", "items": {
                    "type": "object", "additionalProperties": false,
                    "properties": { "name": { "type": "string" }, "rank": { "type": "integer" } },
                } },
            },
        })
    }

    fn settings(given: &[(&str, &str)]) -> Result<Value, String> {
        let mut settings = json!({});
        given.iter().try_for_each(|(key, text)| set(&schema(), &mut settings, key, text)).map(|()| settings)
    }

    #[test]
    fn the_schema_says_what_a_value_is() {
        let given = [("code", "0123"), ("size", "7"), ("any", "[1, \"a\"]"), ("title.en", "true"), ("links", "[]")];
        let expected = json!({
            "code": "0123", "size": 7, "any": [1, "a"], "title": { "zh": "题", "en": "true" }, "links": [],
        });
        assert_eq!(settings(&given), Ok(expected));
        assert_eq!(settings(&[("code", "\"quoted\"")]), Ok(json!({ "code": "quoted" })));
        assert_eq!(settings(&[("size", "wide")]), Ok(json!({ "size": "wide" })), "the check of the schema refuses it");
    }

    #[test]
    fn entries_of_lists_are_set_and_added() {
        let given = [("links.+.name", "a"), ("links.+", "{\"name\": \"b\"}"), ("links.0.rank", "2")];
        let expected = json!({ "links": [{ "name": "a", "rank": 2 }, { "name": "b" }] });
        assert_eq!(settings(&given), Ok(expected.clone()));
        let error = settings(&[("links.+.name", "a"), ("links.1.name", "b")]).unwrap_err();
        assert!(error.contains("links.1.name: the list has 1 entries"), "{error}");
        let mut left = expected;
        unset(&mut left, "links.0.rank").unwrap();
        unset(&mut left, "links.1").unwrap();
        assert_eq!(left, json!({ "links": [{ "name": "a" }] }));
        for key in ["links.1", "links.0.rank", "links.x", "size", "size.x", ""] {
            assert_eq!(unset(&mut left, key), Err(format!("settings: {key} is not set")));
        }
    }

    #[test]
    fn unknown_paths_have_the_nearest_key() {
        for (key, words) in [
            ("sise", "settings: sise is not a setting; do you mean size?"),
            ("links.+.nmae", "settings: links.+.nmae is not a setting; do you mean name?"),
            ("colour", "settings: colour is not a setting; known are any, code, links, size, title"),
        ] {
            assert_eq!(settings(&[(key, "1")]), Err(words.to_owned()));
        }
        let free = json!({ "type": "object" });
        let mut settings = json!({});
        set(&free, &mut settings, "a.b", "1").unwrap();
        assert_eq!(settings, json!({ "a": { "b": 1 } }));
    }
}
