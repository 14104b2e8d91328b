//! Settings of plugins as an operator writes them: `label=Open`, `title.en=Open`, `links.0.address=...`, `links.+={...}`. The schema of the
//! plugin says which type a value has.

use masthead_content::plugin_entries;
use serde_json::Value;

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

/// Sets a value that is given as a text.
///
/// # Errors
/// As [`plugin_entries::set`].
pub fn set(schema: &Value, settings: &mut Value, key: &str, text: &str) -> Result<(), String> {
    plugin_entries::set(schema, settings, key, |part| typed(part, text))
}

/// The value of a text for a schema: a text stays as it is where only texts are allowed; elsewhere JSON is read.
fn typed(schema: &Value, text: &str) -> Value {
    let json = serde_json::from_str::<Value>(text).ok();
    let is_text = schema["type"] == "string";
    let value = json.filter(|value| !is_text || value.is_string());
    value.unwrap_or_else(|| Value::String(text.to_owned()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_content::plugin_entries::unset;
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
