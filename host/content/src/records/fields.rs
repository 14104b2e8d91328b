//! The fields of a record as an editor names and writes them: paths in its JSON form (`title.en`, `items.0`), checked against a template
//! that has every field of the kind.
//!
//! In a template, a text, a number, a truth value and a list stand for their kind, an object for its fields, an empty object for texts by
//! interface language, and null for anything. The entry of a list stands for its entries. An object with the key [`ANY_LANGUAGE`] or
//! [`ANY_NAME`] stands for one whose keys are language tags, or names that sources give.

use masthead_domain::{Lang, text::nearest};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::article_fields::{ANY_LANGUAGE, ANY_NAME, IDS, is_name, is_tag, same_language_key};

/// A field that a change gives another value; null stands for none.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FieldChange {
    /// Path of the field.
    pub key: String,
    /// Its value before.
    pub before: Value,
    /// Its value after.
    pub after: Value,
}

static TEXT: Value = Value::String(String::new());
static ANYTHING: Value = Value::Null;
/// The place behind the last entry of a list.
const NEXT: &str = "+";
/// Greatest number of names in a path: records are walked by functions that call themselves for each.
const DEEPEST: usize = 32;

/// What stands at a path of a template.
#[derive(Clone, Copy)]
struct Slot<'a> {
    template: &'a Value,
    /// Whether it is one of texts by language or by name: an empty one is none.
    is_one_of: bool,
}

fn slot<'a>(template: &'a Value, path: &str) -> Result<Slot<'a>, String> {
    if path.split('.').nth(DEEPEST).is_some() {
        let begin: String = path.chars().take(60).collect();
        return Err(format!("{begin}...: no field is more than {DEEPEST} names deep"));
    }
    let mut at = Slot { template, is_one_of: false };
    let mut walked = String::new();
    for name in path.split('.') {
        at = below(at.template, &walked, name)?;
        walked = joined(&walked, name);
    }
    Ok(at)
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn below<'a>(template: &'a Value, path: &str, name: &str) -> Result<Slot<'a>, String> {
    let field = |template| Slot { template, is_one_of: false };
    match template {
        Value::Object(fields) if fields.is_empty() => match name.parse::<Lang>() {
            Ok(_) => Ok(Slot { template: &TEXT, is_one_of: true }),
            Err(error) => Err(match Lang::from_tag(name) {
                Some(lang) => format!("{path}: {name:?} is not a language code; do you mean {:?}?", lang.code()),
                None => format!("{path}: {error}"),
            }),
        },
        Value::Object(fields) => match (fields.get(ANY_LANGUAGE), fields.get(ANY_NAME), fields.get(name)) {
            (Some(template), ..) if is_tag(name) => Ok(Slot { template, is_one_of: true }),
            (Some(_), ..) => Err(format!("{path}: {name:?} is not a language tag such as en or zh-Hans")),
            (None, Some(template), _) if is_name(name) => Ok(Slot { template, is_one_of: true }),
            (None, Some(_), _) => Err(format!("{path}: {name:?} is not a name such as pmid or publisher-id")),
            (None, None, Some(template)) => Ok(field(template)),
            (None, None, None) => Err(unknown(path, name, fields)),
        },
        Value::Array(entries) if name == NEXT || name.parse::<usize>().is_ok() => {
            Ok(field(entries.first().unwrap_or(&ANYTHING)))
        }
        Value::Array(_) => Err(format!("{path} is a list: name an entry by its place from 0, or {NEXT} for a new one")),
        Value::Null => Ok(field(&ANYTHING)),
        Value::String(_) | Value::Number(_) | Value::Bool(_) => {
            Err(format!("{path} is {}: it has no parts", noun(template)))
        }
    }
}

/// The message about an unknown key, with the nearest known one.
fn unknown(path: &str, name: &str, fields: &Map<String, Value>) -> String {
    let known: Vec<&str> = fields.keys().map(String::as_str).collect();
    let place = if path.is_empty() { String::new() } else { format!("{path}: ") };
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("{place}there is no key {name:?}; do you mean {near:?}?"),
        None => format!("{place}there is no key {name:?}; the keys are {}", known.join(", ")),
    }
}

fn noun(template: &Value) -> &'static str {
    match template {
        Value::String(_) => "a text",
        Value::Number(_) => "a number",
        Value::Bool(_) => "true or false",
        Value::Array(_) => "a list",
        Value::Object(_) => "a group of keys",
        Value::Null => "a value",
    }
}

/// The value that a text given on a command line (`KEY=VALUE`) has at a path. Nothing behind `=` takes the field away, or empties a text.
pub(super) fn typed(template: &Value, path: &str, text: &str) -> Result<Value, String> {
    let slot = slot(template, path)?;
    let expected = |example: &str| format!("{path} is {}, such as {example}; {text:?} is none", noun(slot.template));
    let json: Option<Value> = serde_json::from_str(text).ok();
    if text.is_empty() && (slot.is_one_of || !slot.template.is_string()) {
        return Ok(Value::Null);
    }
    match slot.template {
        Value::String(_) => Ok(Value::String(text.to_owned())),
        Value::Number(_) => json.filter(Value::is_i64).ok_or_else(|| expected("3")),
        Value::Bool(_) => {
            json.filter(Value::is_boolean).ok_or_else(|| format!("{path} is true or false, not {text:?}"))
        }
        Value::Array(_) => {
            let list = json.filter(Value::is_array).ok_or_else(|| expected("'[\"one\", \"two\"]' in JSON"))?;
            checked(slot, path, list)
        }
        Value::Object(_) => {
            let parts = json.filter(Value::is_object).ok_or_else(|| {
                format!("{path} has parts: write {path}.PART=VALUE, or all of them as a JSON object; {text:?} is none")
            })?;
            checked(slot, path, parts)
        }
        Value::Null => Ok(json.unwrap_or_else(|| Value::String(text.to_owned()))),
    }
}

/// A list or an object of a command line, whose keys and values are those of the template.
fn checked(slot: Slot<'_>, path: &str, value: Value) -> Result<Value, String> {
    let mut faults = Vec::new();
    walk(slot, path, &value, &mut Vec::new(), &mut faults);
    if faults.is_empty() { Ok(value) } else { Err(faults.join("; ")) }
}

/// The fields that an object of a file or a call sets, each at its path. Faults are collected, so that all are reported at once.
pub(super) fn flattened(template: &Value, given: &Value) -> Result<Vec<(String, Value)>, Vec<String>> {
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    if given.is_object() {
        walk(Slot { template, is_one_of: false }, "", given, &mut found, &mut faults);
    } else {
        faults.push("a record is an object of keys and values".to_owned());
    }
    if faults.is_empty() { Ok(found) } else { Err(faults) }
}

fn walk(slot: Slot<'_>, path: &str, given: &Value, found: &mut Vec<(String, Value)>, faults: &mut Vec<String>) {
    match (slot.template, given) {
        (_, Value::Null) => found.push((path.to_owned(), Value::Null)),
        (Value::Object(_), Value::Object(fields)) => {
            for (name, value) in fields {
                // A key of a call may be a path.
                match self::slot(slot.template, name).or_else(|_| below(slot.template, path, name)) {
                    Ok(inner) => walk(inner, &joined(path, name), value, found, faults),
                    Err(fault) => faults.push(fault),
                }
            }
        }
        (Value::Array(entries), Value::Array(values)) => {
            for (at, value) in values.iter().enumerate() {
                let inner = Slot { template: entries.first().unwrap_or(&ANYTHING), is_one_of: false };
                walk(inner, &joined(path, &at.to_string()), value, &mut Vec::new(), faults);
            }
            found.push((path.to_owned(), given.clone()));
        }
        (Value::String(_), Value::String(text)) if text.is_empty() && slot.is_one_of => {
            found.push((path.to_owned(), Value::Null));
        }
        (Value::String(_), Value::String(_)) | (Value::Bool(_), Value::Bool(_)) | (Value::Null, _) => {
            found.push((path.to_owned(), given.clone()));
        }
        (Value::Number(_), Value::Number(number)) if number.is_i64() => found.push((path.to_owned(), given.clone())),
        (template, _) => faults.push(format!("{path} is {}; {given} is none", noun(template))),
    }
}

/// Sets the value at a path that the template has; null takes it away.
pub(super) fn set(record: &mut Value, path: &str, value: Value) -> Result<(), String> {
    if let Some((texts, tag)) = path.rsplit_once('.')
        && texts != IDS
        && !value.is_null()
        && let Some(known) = same_language_key(masthead_store::field(record, texts), tag)
        && known.contains('-') != tag.contains('-')
        && masthead_store::field(record, path).is_null()
    {
        return Err(format!("{texts} has the language {known:?} already: write {texts}.{known}"));
    }
    let names: Vec<&str> = path.split('.').collect();
    put(record, &names, path, value)
}

fn put(target: &mut Value, names: &[&str], path: &str, value: Value) -> Result<(), String> {
    let Some((name, rest)) = names.split_first() else {
        *target = value;
        return Ok(());
    };
    let place = name.parse::<usize>().ok();
    if target.is_null() && (place.is_some() || *name == NEXT) {
        *target = Value::Array(Vec::new());
    }
    if let Value::Array(entries) = target {
        let at = place.unwrap_or(entries.len());
        if at > entries.len() {
            return Err(format!("{path}: the list has {} entries, counted from 0", entries.len()));
        }
        if rest.is_empty() && value.is_null() {
            if at < entries.len() {
                entries.remove(at);
            }
            return Ok(());
        }
        if at == entries.len() {
            entries.push(Value::Null);
        }
        return put(&mut entries[at], rest, path, value);
    }
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Some(fields) = target.as_object_mut() else { return Ok(()) };
    if rest.is_empty() && value.is_null() {
        fields.remove(*name);
        return Ok(());
    }
    put(fields.entry(*name).or_insert(Value::Null), rest, path, value)
}

/// Whether a template has a path.
pub(super) fn known(template: &Value, path: &str) -> Result<(), String> {
    slot(template, path).map(|_| ())
}

/// The fields in which two records differ, by their paths. Lists are compared as a whole.
pub(super) fn differences(before: &Value, after: &Value) -> Vec<FieldChange> {
    differing(before, after, true)
}

/// The same of settings, of which a group that is there on one side only is one value, as an empty one says something, too.
pub(crate) fn setting_differences(before: &Value, after: &Value) -> Vec<FieldChange> {
    differing(before, after, false)
}

fn differing(before: &Value, after: &Value, has_empty_groups: bool) -> Vec<FieldChange> {
    let mut found = Vec::new();
    compare("", (before, after), has_empty_groups, &mut found);
    found.sort_by(|one, other| one.key.cmp(&other.key));
    found
}

/// `has_empty_groups`: whether a missing group is an empty one.
fn compare(path: &str, (before, after): (&Value, &Value), has_empty_groups: bool, found: &mut Vec<FieldChange>) {
    let group = |value: &Value| value.is_object() || (has_empty_groups && value.is_null());
    if (before.is_object() || after.is_object()) && group(before) && group(after) {
        let keys =
            |value: &Value| value.as_object().into_iter().flatten().map(|(key, _)| key.clone()).collect::<Vec<_>>();
        let mut names = keys(before);
        names.extend(keys(after).into_iter().filter(|key| before.get(key).is_none()));
        for name in names {
            let (was, is) = (before.get(&name).unwrap_or(&Value::Null), after.get(&name).unwrap_or(&Value::Null));
            compare(&joined(path, &name), (was, is), has_empty_groups, found);
        }
    } else if before != after {
        found.push(FieldChange { key: path.to_owned(), before: before.clone(), after: after.clone() });
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::json;

    use super::*;

    fn template() -> Value {
        json!({
            "key": "", "title": {}, "position": 0, "shown": false, "startYear": null, "databases": [], "items": [{ "kind": "" }],
            "titles": { ANY_LANGUAGE: "" }, "ids": { ANY_NAME: "" },
        })
    }

    #[test]
    fn texts_of_a_command_line_have_the_kind_of_their_field() {
        let template = template();
        let read = |path: &str, text: &str| typed(&template, path, text);
        assert_eq!(read("title.en", "3"), Ok(json!("3")));
        assert_eq!(read("title.en", ""), Ok(Value::Null), "an empty text in a language is none");
        assert_eq!(read("key", ""), Ok(json!("")));
        assert_eq!((read("position", "-3"), read("shown", "true")), (Ok(json!(-3)), Ok(json!(true))));
        assert_eq!((read("startYear", "1999"), read("startYear", "")), (Ok(json!(1999)), Ok(Value::Null)));
        assert_eq!(read("databases", "[\"A\"]"), Ok(json!(["A"])));
        assert_eq!(read("items.+", "{\"kind\":\"book\"}"), Ok(json!({ "kind": "book" })));
        assert_eq!(read("items", "[{\"kind\":\"book\"}]"), Ok(json!([{ "kind": "book" }])));
        assert_eq!(read("titles.zh-Hans", "潮"), Ok(json!("潮")));
        assert_eq!((read("ids.pmid", "12"), read("ids.pmid", "")), (Ok(json!("12")), Ok(Value::Null)));
        let deep = format!("startYear{}", ".a".repeat(100_000));
        for (path, text, part) in [
            ("position", "first", "position is a number"),
            ("shown", "yes", "true or false"),
            ("databases", "A, B", "in JSON"),
            ("title", "Tides", "title.PART=VALUE"),
            ("titel", "x", "do you mean \"title\"?"),
            ("title.fr", "x", "do you mean \"fra\"?"),
            ("title.klingon", "x", "not a language code"),
            ("titles.1", "x", "not a language tag"),
            ("ids.a b", "x", "ids: \"a b\" is not a name such as pmid"),
            ("ids.a.b", "x", "it has no parts"),
            ("items", "[{\"kind\":\"a\"},{\"knd\":\"b\"}]", "items.1: there is no key \"knd\""),
            ("items.+", "{\"kind\":3}", "items.+.kind is a text"),
            ("key.en", "x", "it has no parts"),
            ("databases.first", "x", "is a list"),
            ("items.0.knd", "x", "do you mean \"kind\"?"),
            ("", "x", "there is no key"),
            ("wholly-different", "x", "the keys are"),
            (deep.as_str(), "x", "names deep"),
        ] {
            let fault = read(path, text).unwrap_err();
            assert!(fault.contains(part), "{path}: {fault}");
        }
    }

    #[test]
    fn all_faults_of_an_object_are_reported() {
        let given =
            json!({ "titel": { "en": "x" }, "position": "1", "items": [{ "kind": "a" }, { "knd": "b" }], "key": "k" });
        let faults = flattened(&template(), &given).unwrap_err();
        assert_eq!(faults.len(), 3, "{faults:?}");
        let given = json!({ "title": { "en": "x", "zh": "" }, "databases": ["A"], "title.fra": "y" });
        let found = flattened(&template(), &given).unwrap();
        let expected = [
            ("title.en", json!("x")),
            ("title.zh", Value::Null),
            ("databases", json!(["A"])),
            ("title.fra", json!("y")),
        ];
        assert_eq!(found.len(), expected.len());
        for (path, value) in expected {
            assert!(found.contains(&(path.to_owned(), value)), "{path}: {found:?}");
        }
        assert!(flattened(&template(), &json!([])).is_err());
    }

    #[test]
    fn values_are_set_in_objects_and_lists() {
        let mut record = json!({
            "title": { "en": "a", "zh": "b" }, "items": ["x"], "titles": { "zh-Hans": "潮" }, "ids": { "pmc-uid": "1" },
        });
        let mut set = |path: &str, value: Value| set(&mut record, path, value);
        set("title.zh", Value::Null).unwrap();
        set("items.+", json!("y")).unwrap();
        set("items.0", json!("z")).unwrap();
        set("databases.+", json!("A")).unwrap();
        assert!(set("items.7", json!("far")).unwrap_err().contains("has 2 entries"));
        set("ids.pmc", json!("2")).unwrap();
        assert!(set("titles.zh", json!("x")).unwrap_err().contains("titles.zh-Hans"));
        let expected = json!({
            "title": { "en": "a" }, "items": ["z", "y"], "titles": { "zh-Hans": "潮" }, "databases": ["A"],
            "ids": { "pmc-uid": "1", "pmc": "2" },
        });
        assert_eq!(record, expected);
    }

    #[test]
    fn differences_are_named_by_their_paths() {
        let before = json!({ "title": { "en": "a", "zh": "b" }, "items": ["x"], "date": "2026" });
        let after =
            json!({ "title": { "en": "c" }, "items": ["x", "y"], "date": "2026", "withdrawn": { "date": "2026" } });
        let found = differences(&before, &after);
        let keys: Vec<&str> = found.iter().map(|one| one.key.as_str()).collect();
        assert_eq!(keys, ["items", "title.en", "title.zh", "withdrawn.date"]);
        assert_eq!((&found[1].before, &found[1].after), (&json!("a"), &json!("c")));
        assert!(differences(&after, &after).is_empty());
        assert!(differences(&json!({ "title": {} }), &json!({})).is_empty());
    }

    #[test]
    fn a_group_of_settings_that_comes_or_goes_is_one_value() {
        let (before, after) =
            (json!({ "a": 1, "t": { "x": 1, "y": 2 }, "g": { "x": 1 } }), json!({ "t": { "x": 3, "y": 2 }, "l": {} }));
        let found = setting_differences(&before, &after);
        let keys: Vec<&str> = found.iter().map(|one| one.key.as_str()).collect();
        assert_eq!(keys, ["a", "g", "l", "t.x"]);
        assert_eq!(
            (&found[0].after, &found[1].before, &found[2].after),
            (&Value::Null, &json!({ "x": 1 }), &json!({}))
        );
    }
}
