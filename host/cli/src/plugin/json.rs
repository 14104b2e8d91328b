//! JSON values of the contract: comparison, conversion for TOML, and sample values for a schema.

use serde_json::{Map, Value, json};

/// The differences between an expected and an actual value, one line for each. A byte array may be expected as text, and null
/// fields may be omitted.
pub fn differences(expected: &Value, found: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    compare("", expected, found, &mut lines);
    lines
}

fn compare(at: &str, expected: &Value, found: &Value, lines: &mut Vec<String>) {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            let mut keys: Vec<_> =
                expected.keys().chain(found.keys().filter(|key| !expected.contains_key(*key))).collect();
            keys.sort();
            for key in keys {
                let path = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
                let part = |map: &Map<String, Value>| map.get(key).cloned().unwrap_or_default();
                compare(&path, &part(expected), &part(found), lines);
            }
        }
        (Value::Array(expected), Value::Array(found)) => {
            for index in 0..expected.len().max(found.len()) {
                let path = format!("{at}[{index}]");
                match (expected.get(index), found.get(index)) {
                    (Some(expected), Some(found)) => compare(&path, expected, found, lines),
                    (Some(expected), None) => lines.push(format!("{path}: expected {expected}, found nothing")),
                    (None, Some(found)) => lines.push(format!("{path}: not expected, found {found}")),
                    (None, None) => {}
                }
            }
        }
        (Value::String(expected), Value::Array(_)) if text(found).as_ref() == Some(expected) => {}
        (Value::Object(map), Value::Null) if map.is_empty() => {}
        (Value::Number(expected), Value::Number(number)) if expected.as_f64() == number.as_f64() => {}
        (expected, found) if expected == found => {}
        (expected, found) => {
            let path = if at.is_empty() { "the value" } else { at };
            let shown = text(found).filter(|_| expected.is_string()).map_or_else(|| found.clone(), Value::String);
            let name = |value: &Value| if value.is_null() { "nothing".to_owned() } else { value.to_string() };
            lines.push(format!("{path}: expected {}, found {}", name(expected), name(&shown)));
        }
    }
}

/// A JSON array of bytes as text, if it is valid UTF-8.
fn text(value: &Value) -> Option<String> {
    let bytes: Option<Vec<u8>> =
        value.as_array()?.iter().map(|byte| byte.as_u64().and_then(|byte| u8::try_from(byte).ok())).collect();
    String::from_utf8(bytes?).ok()
}

/// Converts a value of the contract for a test case: nulls, which TOML does not have, are removed, and bodies become text.
pub fn for_toml(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let fields = map.iter().filter(|(_, value)| !value.is_null()).map(|(key, value)| {
                let bytes = ["body", "value", "data"].contains(&key.as_str());
                let words = bytes.then(|| text(value)).flatten().map(Value::String);
                (key.clone(), words.unwrap_or_else(|| for_toml(value)))
            });
            Value::Object(fields.collect())
        }
        Value::Array(items) => Value::Array(items.iter().filter(|item| !item.is_null()).map(for_toml).collect()),
        other => other.clone(),
    }
}

/// A minimal sample value for a schema: the required properties without a default.
pub fn sample(schema: &Value) -> Value {
    if let Some(first) = schema["enum"].as_array().and_then(|values| values.first()) {
        return first.clone();
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.first().cloned().unwrap_or_default(),
        kind => kind.clone(),
    };
    let size = |key: &str| schema[key].as_u64().and_then(|size| usize::try_from(size).ok());
    match kind.as_str() {
        Some("object") => {
            let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let open = required.filter(|name| schema["properties"][name].get("default").is_none());
            open.map(|name| (name.to_owned(), sample(&schema["properties"][name]))).collect::<Map<_, _>>().into()
        }
        Some("array") => vec![sample(&schema["items"]); size("minItems").unwrap_or(0)].into(),
        Some("string") => {
            let text = "https://api.example.org/";
            let least = size("minLength").unwrap_or(0).max(text.len());
            text.chars()
                .chain(std::iter::repeat('x'))
                .take(least.min(size("maxLength").unwrap_or(least)))
                .collect::<String>()
                .into()
        }
        Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or(json!(1)),
        Some("boolean") => json!(false),
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_reported_with_their_path() {
        let expected = json!({ "badges": [{ "label": "Open" }, { "label": "B" }], "body": "ab", "n": 1 });
        assert_eq!(
            differences(
                &expected,
                &json!({ "badges": [{ "label": "Open", "x": null }, { "label": "B" }], "body": [97, 98], "n": 1.0 })
            ),
            [""; 0]
        );
        let found = json!({ "badges": [{ "label": "Shut" }], "body": [97], "n": 2, "more": true });
        assert_eq!(
            differences(&expected, &found),
            [
                "badges[0].label: expected \"Open\", found \"Shut\"",
                "badges[1]: expected {\"label\":\"B\"}, found nothing",
                "body: expected \"ab\", found \"a\"",
                "more: expected nothing, found true",
                "n: expected 1, found 2",
            ]
        );
        assert_eq!(differences(&json!("a"), &json!("b")), ["the value: expected \"a\", found \"b\""]);
        assert_eq!(differences(&json!({}), &Value::Null), [""; 0]);
    }

    #[test]
    fn sample_has_the_required_properties() {
        let schema = json!({ "type": "object", "required": ["a", "b", "c", "d"], "properties": {
            "a": { "type": "string", "minLength": 1, "maxLength": 8 }, "b": { "type": "integer", "default": 3 },
            "c": { "type": "array", "minItems": 1, "items": { "enum": ["x", "y"] } }, "d": { "type": "integer", "minimum": 5 },
            "e": { "type": "string" },
        } });
        assert_eq!(sample(&schema), json!({ "a": "https://", "c": ["x"], "d": 5 }));
    }

    #[test]
    fn for_toml_removes_nulls_and_decodes_text() {
        assert_eq!(
            for_toml(&json!({ "body": [97], "a": null, "b": [{ "c": null }] })),
            json!({ "body": "a", "b": [{}] })
        );
    }
}
