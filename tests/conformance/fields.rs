//! Verification of an entity: every field of the specification is present in the responses, with content in at least one of them.

use std::rc::Rc;

use serde_json::Value;

use crate::{
    context::Context,
    row::{CheckResult, Part, here},
};

/// A field of the specification, and its path in the payload: a JSON pointer in which `*` matches any element, and `[key=value]` any
/// nested object with that value.
pub type Field = (&'static str, &'static str);

/// A part about an entity; `read` returns the payloads to check.
pub fn entity(
    what: &str,
    read: impl Fn(&Context) -> Result<Vec<Rc<Value>>, String> + 'static,
    map: &'static [Field],
) -> Part {
    here(what, move |context| complete(&read(context)?, map))
}

/// Checks that every field is present, and has content in at least one payload.
pub fn complete(payloads: &[Rc<Value>], map: &[Field]) -> CheckResult {
    let mut wrong = Vec::new();
    for (name, pointer) in map {
        let found: Vec<&Value> = payloads.iter().flat_map(|payload| find(payload, pointer)).collect();
        if found.is_empty() {
            wrong.push(format!("{name} is missing ({pointer})"));
        } else if found.iter().all(|value| is_empty(value)) {
            wrong.push(format!("{name} is empty everywhere ({pointer})"));
        }
    }
    if wrong.is_empty() {
        Ok(format!("{} fields with content in {} payloads", map.len(), payloads.len()))
    } else {
        Err(wrong.join("; "))
    }
}

/// Checks that each of these values occurs at the pointer.
pub fn values(payloads: &[Rc<Value>], pointer: &str, wanted: &[&str]) -> CheckResult {
    let found: Vec<&str> =
        payloads.iter().flat_map(|payload| find(payload, pointer)).filter_map(Value::as_str).collect();
    let missing: Vec<&&str> = wanted.iter().filter(|value| !found.contains(value)).collect();
    if missing.is_empty() { Ok(wanted.join(", ")) } else { Err(format!("{pointer} never has the values {missing:?}")) }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(object) => object.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// All values at a pointer.
pub fn find<'a>(value: &'a Value, pointer: &str) -> Vec<&'a Value> {
    let mut found = vec![value];
    for step in pointer.split('/').skip(1) {
        found = found.into_iter().flat_map(|value| below(value, step)).collect();
    }
    found
}

fn below<'a>(value: &'a Value, step: &str) -> Vec<&'a Value> {
    if let Some((key, wanted)) = step.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')?.split_once('=')) {
        let mut found = Vec::new();
        inside(value, &mut |object| {
            if object[key] == wanted {
                found.push(object);
            }
        });
        return found;
    }
    match value {
        Value::Array(list) if step == "*" => list.iter().collect(),
        Value::Object(object) if step == "*" => object.values().collect(),
        Value::Array(list) => step.parse().ok().and_then(|index: usize| list.get(index)).into_iter().collect(),
        Value::Object(object) => object.get(step).into_iter().collect(),
        _ => Vec::new(),
    }
}

fn inside<'a>(value: &'a Value, see: &mut impl FnMut(&'a Value)) {
    match value {
        Value::Array(list) => list.iter().for_each(|value| inside(value, see)),
        Value::Object(object) => {
            see(value);
            object.values().for_each(|value| inside(value, see));
        }
        _ => {}
    }
}

#[test]
fn pointers_are_resolved() {
    let value =
        serde_json::json!({ "a": [{ "type": "x", "b": { "c": "1" } }, { "n": [{ "type": "x", "b": "2" }] }], "e": [] });
    assert_eq!(find(&value, "/a/*/b/c"), [&serde_json::json!("1")]);
    assert_eq!(find(&value, "/[type=x]/b").len(), 2);
    let payloads = [Rc::new(value)];
    assert!(complete(&payloads, &[("c", "/a/0/b/c")]).is_ok());
    assert!(complete(&payloads, &[("e", "/e")]).unwrap_err().contains("empty everywhere"));
    assert!(complete(&payloads, &[("z", "/z")]).unwrap_err().contains("is missing"));
}
