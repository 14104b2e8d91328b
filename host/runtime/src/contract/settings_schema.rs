//! The settings of plugins and their JSON Schema. A plugin is refused at loading if its schema has an unsupported keyword or a
//! keyword with a value of the wrong type, so that no part of a schema is silently ignored.

use masthead_domain::text::nearest;
use serde_json::{Map, Value};

/// A keyword that settings are checked against.
struct Keyword {
    name: &'static str,
    /// Whether a value of the keyword is well-formed; subschemas are checked separately.
    is_valid: fn(&Value) -> bool,
    /// Completes "it has to be ...".
    expected: &'static str,
}

const fn keyword(name: &'static str, is_valid: fn(&Value) -> bool, expected: &'static str) -> Keyword {
    Keyword { name, is_valid, expected }
}

const KEYWORDS: [Keyword; 12] = [
    keyword("type", is_type, "the name of a JSON type, or a list of such names"),
    keyword("properties", Value::is_object, "a table of schemas"),
    keyword("required", is_list_of_strings, "a list of strings"),
    keyword("additionalProperties", is_schema_or_boolean, "a schema, true or false"),
    keyword("items", is_schema_or_boolean, "a schema, true or false"),
    keyword("enum", is_filled_list, "a list with one value at least"),
    keyword("minLength", Value::is_u64, "a whole number from 0 up"),
    keyword("maxLength", Value::is_u64, "a whole number from 0 up"),
    keyword("minItems", Value::is_u64, "a whole number from 0 up"),
    keyword("maxItems", Value::is_u64, "a whole number from 0 up"),
    keyword("minimum", Value::is_number, "a number"),
    keyword("maximum", Value::is_number, "a number"),
];
/// Keywords that describe a setting without effect on the check.
const ANNOTATIONS: [&str; 4] = ["default", "title", "description", "examples"];
const TYPES: [&str; 7] = ["object", "array", "string", "boolean", "number", "integer", "null"];
const MAX_DEPTH: usize = 16;

fn is_type(value: &Value) -> bool {
    let is_name = |value: &Value| value.as_str().is_some_and(|name| TYPES.contains(&name));
    is_name(value) || value.as_array().is_some_and(|names| !names.is_empty() && names.iter().all(is_name))
}

fn is_list_of_strings(value: &Value) -> bool {
    value.as_array().is_some_and(|names| names.iter().all(Value::is_string))
}

fn is_filled_list(value: &Value) -> bool {
    value.as_array().is_some_and(|values| !values.is_empty())
}

fn is_schema_or_boolean(value: &Value) -> bool {
    value.is_object() || value.is_boolean()
}

/// Checks the schema of a manifest.
///
/// # Errors
/// The first unknown or malformed keyword, with its position.
pub(crate) fn check_schema(schema: &Value) -> Result<(), String> {
    check_schema_at(schema, "", 0)?;
    if schema["type"] == "object" { Ok(()) } else { Err("the schema's type has to be \"object\"".to_owned()) }
}

fn check_schema_at(schema: &Value, at: &str, depth: usize) -> Result<(), String> {
    let Value::Object(keys) = schema else { return Err(format!("{} is not a table", place(at))) };
    if depth > MAX_DEPTH {
        return Err(format!("{} is nested deeper than {MAX_DEPTH} levels", place(at)));
    }
    for (name, value) in keys.iter().filter(|(name, _)| !ANNOTATIONS.contains(&name.as_str())) {
        let Some(known) = KEYWORDS.iter().find(|known| known.name == name) else {
            let names: Vec<_> = KEYWORDS.iter().map(|known| known.name).collect();
            return Err(format!("{}: the keyword {name:?} is not supported; use {}", place(at), names.join(", ")));
        };
        if !(known.is_valid)(value) {
            return Err(format!("{}: {name} is {}; it has to be {}", place(at), short(value), known.expected));
        }
    }
    for (name, part) in keys.get("properties").and_then(Value::as_object).into_iter().flatten() {
        check_schema_at(part, &format!("{at}.{name}"), depth + 1)?;
    }
    for key in ["items", "additionalProperties"] {
        if let Some(part) = keys.get(key).filter(|part| !part.is_boolean()) {
            check_schema_at(part, &format!("{at}[]"), depth + 1)?;
        }
    }
    Ok(())
}

/// Fills in the defaults of the schema, then checks the settings.
///
/// # Errors
/// The first setting that does not match, with its value and the schema's requirement.
pub(crate) fn complete(schema: &Value, settings: &Value) -> Result<Value, String> {
    let complete = with_defaults(schema, settings);
    let mut faults = Vec::new();
    check(schema, &complete, "", &mut faults);
    faults.into_iter().next().map_or(Ok(complete), Err)
}

/// Everything in the settings that does not match the schema, where [`complete`] stops at the first.
pub(crate) fn faults(schema: &Value, settings: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    check(schema, &with_defaults(schema, settings), "", &mut faults);
    faults
}

/// Everything in the properties that a site gives a federated module that does not match the module's JSON Schema (`propsSchema`), or what is
/// wrong with the schema.
#[must_use]
pub fn property_faults(schema: &Value, properties: &Value) -> Vec<String> {
    match check_schema(schema) {
        Ok(()) => faults(schema, properties),
        Err(fault) => vec![format!("propsSchema: {fault}")],
    }
}

/// The settings of a site with the defaults of the schema where they say nothing.
#[must_use]
pub fn with_defaults(schema: &Value, settings: &Value) -> Value {
    let mut complete = if settings.is_null() { Value::Object(Map::new()) } else { settings.clone() };
    fill(schema, &mut complete);
    complete
}

fn fill(schema: &Value, value: &mut Value) {
    match value {
        Value::Object(map) => {
            for (name, part) in schema["properties"].as_object().into_iter().flatten() {
                if let (false, Some(default)) = (map.contains_key(name), part.get("default")) {
                    map.insert(name.clone(), default.clone());
                }
                if let Some(inner) = map.get_mut(name) {
                    fill(part, inner);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| fill(&schema["items"], item)),
        _ => {}
    }
}

fn check(schema: &Value, value: &Value, at: &str, faults: &mut Vec<String>) {
    if let Some(fault) = type_fault(&schema["type"], value, at) {
        faults.push(fault);
        return;
    }
    if let Some(allowed) = schema["enum"].as_array()
        && !allowed.contains(value)
    {
        faults.push(format!("{} is {value}; allowed are {}", place(at), schema["enum"]));
        return;
    }
    let size = match value {
        Value::Array(items) => outside(schema, ("minItems", "maxItems"), items.len() as f64, at, "entries"),
        Value::String(text) => {
            outside(schema, ("minLength", "maxLength"), text.chars().count() as f64, at, "characters")
        }
        Value::Number(number) => {
            outside(schema, ("minimum", "maximum"), number.as_f64().unwrap_or_default(), at, "as its value")
        }
        _ => None,
    };
    faults.extend(size);
    match value {
        Value::Object(map) => check_object(schema, map, at, faults),
        Value::Array(items) if schema["items"].is_object() => {
            for (index, item) in items.iter().enumerate() {
                check(&schema["items"], item, &format!("{at}[{index}]"), faults);
            }
        }
        _ => {}
    }
}

fn check_object(schema: &Value, map: &Map<String, Value>, at: &str, faults: &mut Vec<String>) {
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !map.contains_key(name) {
            faults.push(format!("{} is missing", place(&format!("{at}.{name}"))));
        }
    }
    for (name, value) in map {
        let at = format!("{at}.{name}");
        match (schema["properties"].get(name), &schema["additionalProperties"]) {
            (Some(part), _) => check(part, value, &at, faults),
            (None, Value::Bool(false)) => faults.push(unknown(schema, name, &place(&at))),
            (None, part) if part.is_object() => check(part, value, &at, faults),
            _ => {}
        }
    }
}

/// The message about a setting that the schema does not have, with the nearest one that it has.
fn unknown(schema: &Value, name: &str, place: &str) -> String {
    let known: Vec<&str> =
        schema["properties"].as_object().into_iter().flat_map(Map::keys).map(String::as_str).collect();
    let hint = nearest(name, known.iter().copied()).map_or_else(String::new, |near| format!("; do you mean {near}?"));
    format!("{place} is not a setting; known are {}{hint}", known.join(", "))
}

fn type_fault(types: &Value, value: &Value, at: &str) -> Option<String> {
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "null" => value.is_null(),
        _ => false,
    };
    let fits = match types {
        Value::String(name) => is(name),
        Value::Array(names) => names.iter().filter_map(Value::as_str).any(is),
        _ => true,
    };
    (!fits).then(|| format!("{} is {}; it has to be {types}", place(at), short(value)))
}

fn outside(schema: &Value, (min, max): (&str, &str), found: f64, at: &str, unit: &str) -> Option<String> {
    if schema[min].as_f64().is_some_and(|min| found < min) {
        return Some(format!("{} has {found} {unit}; at least {} are required", place(at), schema[min]));
    }
    if schema[max].as_f64().is_some_and(|max| found > max) {
        return Some(format!("{} has {found} {unit}; at most {} are allowed", place(at), schema[max]));
    }
    None
}

fn place(at: &str) -> String {
    if at.is_empty() { "the whole".to_owned() } else { at.trim_start_matches('.').to_owned() }
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() > 60 { format!("{}...", text.chars().take(60).collect::<String>()) } else { text }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde_json::json;

    fn schema() -> Value {
        json!({
            "type": "object", "required": ["hosts"], "additionalProperties": false,
            "properties": {
                "hosts": { "type": "array", "minItems": 1, "items": { "type": "string", "minLength": 1 } },
                "size": { "type": "integer", "default": 3, "minimum": 1, "maximum": 9 },
                "title": { "type": "object", "default": { "zh": "题" }, "additionalProperties": { "type": "string" } },
                "side": { "enum": ["left", "right"], "default": "left" },
            },
        })
    }

    #[test]
    fn defaults_are_filled_in() {
        check_schema(&schema()).unwrap();
        let settings = complete(&schema(), &json!({ "hosts": ["a"] })).unwrap();
        assert_eq!(settings, json!({ "hosts": ["a"], "size": 3, "title": { "zh": "题" }, "side": "left" }));
    }

    #[test]
    fn the_wrong_key_is_named() {
        for (settings, says) in [
            (json!({}), "hosts is missing"),
            (json!({ "hosts": [] }), "hosts has 0 entries; at least 1"),
            (json!({ "hosts": [1] }), "hosts[0] is 1; it has to be \"string\""),
            (json!({ "hosts": ["a"], "size": 10 }), "size has 10"),
            (json!({ "hosts": ["a"], "size": 1.5 }), "size is 1.5"),
            (json!({ "hosts": ["a"], "title": { "en": 1 } }), "title.en is 1"),
            (json!({ "hosts": ["a"], "side": "up" }), "side is \"up\"; allowed are"),
            (json!({ "hosts": ["a"], "color": 1 }), "color is not a setting; known are hosts"),
            (json!([]), "the whole is []"),
        ] {
            let message = complete(&schema(), &settings).unwrap_err();
            assert!(message.contains(says), "{message} should contain {says}");
        }
    }

    #[test]
    fn all_faults_are_named_and_a_mistyped_key_has_its_nearest_one() {
        let settings = json!({ "sizes": 4, "size": 10, "side": "up", "title": { "en": 1 } });
        let expected = [
            "hosts is missing",
            "side is \"up\"; allowed are [\"left\",\"right\"]",
            "size has 10 as its value; at most 9 are allowed",
            "sizes is not a setting; known are hosts, side, size, title; do you mean size?",
            "title.en is 1; it has to be \"string\"",
        ];
        let mut found = faults(&schema(), &settings);
        found.sort();
        assert_eq!(found, expected);
        assert_eq!(faults(&schema(), &json!({ "hosts": ["a"] })), Vec::<String>::new());
    }

    #[test]
    fn properties_are_not_compared_with_a_schema_that_is_wrong() {
        assert_eq!(property_faults(&schema(), &json!({ "hosts": [1] })), ["hosts[0] is 1; it has to be \"string\""]);
        let wrong = json!({ "type": "object", "properties": { "hosts": { "pattern": "x" } } });
        let [fault] = &property_faults(&wrong, &json!({ "hosts": 1 }))[..] else { unreachable!("one fault") };
        assert!(fault.starts_with("propsSchema: hosts: the keyword \"pattern\" is not supported"), "{fault}");
    }

    #[test]
    fn unknown_keywords_are_refused() {
        assert!(check_schema(&json!({ "type": "object", "$ref": "x" })).unwrap_err().contains("$ref"));
        let nested = json!({ "type": "object", "properties": { "hosts": { "items": { "patern": "x" } } } });
        let message = check_schema(&nested).unwrap_err();
        assert!(message.contains("hosts[]: the keyword \"patern\" is not supported"), "{message}");
        assert!(check_schema(&json!({ "type": "array" })).is_err());
    }

    #[test]
    fn malformed_keywords_are_refused() {
        for (part, says) in [
            (json!({ "type": "strnig" }), "size: type is \"strnig\"; it has to be the name of a JSON type"),
            (json!({ "type": [] }), "size: type is []"),
            (json!({ "properties": [] }), "size: properties is []; it has to be a table"),
            (json!({ "required": "hosts" }), "size: required is \"hosts\"; it has to be a list of strings"),
            (json!({ "required": [1] }), "size: required is [1]"),
            (json!({ "additionalProperties": "no" }), "size: additionalProperties is \"no\""),
            (json!({ "items": [{}] }), "size: items is [{}]"),
            (json!({ "enum": "a" }), "size: enum is \"a\"; it has to be a list"),
            (json!({ "enum": [] }), "size: enum is []"),
            (json!({ "minLength": -1 }), "size: minLength is -1; it has to be a whole number"),
            (json!({ "maxItems": 1.5 }), "size: maxItems is 1.5"),
            (json!({ "minimum": "1" }), "size: minimum is \"1\"; it has to be a number"),
        ] {
            let message = check_schema(&json!({ "type": "object", "properties": { "size": part } })).unwrap_err();
            assert!(message.contains(says), "{message} should contain {says}");
        }
    }
}
