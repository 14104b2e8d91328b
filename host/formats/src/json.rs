//! Lenient accessors for JSON of external sources, which omit or null the members that they do not know.

use serde_json::Value;

use crate::FormatError;

/// Limit on the size of a file in bytes.
const MAX_BYTES: usize = 64 << 20;

/// Parses a whole document. The parser limits its depth to 128.
pub(crate) fn read(format: &'static str, bytes: &[u8]) -> Result<Value, FormatError> {
    if bytes.len() > MAX_BYTES {
        let reason = format!("the file has {} bytes, more than {MAX_BYTES}: divide it", bytes.len());
        return Err(FormatError::new(format, reason));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(FormatError::new(format, "the file is empty"));
    }
    serde_json::from_slice(bytes).map_err(|error| {
        let reason = format!("the file is not valid JSON ({error}); download it again, in UTF-8");
        FormatError::new(format, reason).line(error.line())
    })
}

/// The text of a member: a string, a number, or the first of a list; "" for anything else. White space is trimmed.
pub(crate) fn text(value: &Value, key: &str) -> String {
    scalar(&value[key])
}

pub(crate) fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Array(list) => list.first().filter(|first| !first.is_array()).map(scalar).unwrap_or_default(),
        _ => String::new(),
    }
}

/// The elements of a list; a single value is a list of one, null an empty list.
pub(crate) fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    match &value[key] {
        Value::Array(list) => list,
        Value::Null => &[],
        one => std::slice::from_ref(one),
    }
}

/// `{"date-parts": [[2015, 7, 21]]}` as ISO 8601, or "".
pub(crate) fn date_parts(value: &Value) -> String {
    let first = &value["date-parts"][0];
    let part = |at: usize| scalar(&first[at]);
    let exact = crate::date::of(&part(0), &part(1), &part(2));
    if !exact.is_empty() {
        return exact;
    }
    [&value["raw"], &value["literal"], &value["date-time"]]
        .into_iter()
        .map(|text| crate::date::iso(&scalar(text)))
        .find(|date| !date.is_empty())
        .unwrap_or_default()
}
