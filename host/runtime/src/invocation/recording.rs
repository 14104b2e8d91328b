//! Recordings of host calls. With one, the test of a plugin needs neither database nor network, and the failure of a plugin on a
//! site can be reproduced elsewhere.

use std::{
    collections::VecDeque,
    future::Future,
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

/// One host call: its name, arguments and result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedCall {
    /// Capability and function, such as `http.fetch`.
    pub call: String,
    /// The arguments. In a replay, missing fields are not compared.
    #[serde(default)]
    pub args: Value,
    /// The result on success, for functions that can fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    /// The error on failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Value>,
}

/// A list of host calls that is either recorded or replayed.
#[derive(Debug)]
pub struct Recording(Mutex<Inner>);

#[derive(Debug)]
struct Inner {
    recording: bool,
    calls: VecDeque<RecordedCall>,
    problems: Vec<String>,
}

impl Recording {
    /// Makes real calls and records them.
    #[must_use]
    pub fn record() -> Self {
        Self(Mutex::new(Inner { recording: true, calls: VecDeque::new(), problems: Vec::new() }))
    }

    /// Replays these calls, in this order.
    #[must_use]
    pub fn replay(calls: impl IntoIterator<Item = RecordedCall>) -> Self {
        Self(Mutex::new(Inner { recording: false, calls: calls.into_iter().collect(), problems: Vec::new() }))
    }

    /// The recorded calls, or those not yet replayed.
    #[must_use]
    pub fn calls(&self) -> Vec<RecordedCall> {
        self.lock().calls.iter().cloned().collect()
    }

    /// A message for each call that the recording did not have or that differed from it.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        self.lock().problems.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn replay_call<T: DeserializeOwned>(&self, call: &str, args: &Value, fallible: bool) -> Result<T, String> {
        let mut inner = self.lock();
        let outcome = next(&mut inner.calls, call, args).and_then(|recorded| {
            let value = match (fallible, recorded.result, recorded.error) {
                (true, _, Some(error)) => serde_json::json!({ "Err": error }),
                (true, result, None) => serde_json::json!({ "Ok": text_to_bytes(result.unwrap_or_default()) }),
                (false, result, _) => text_to_bytes(result.unwrap_or_default()),
            };
            serde_json::from_value(value)
                .map_err(|error| format!("the recorded result of {call} does not fit: {error}"))
        });
        if let Err(problem) = &outcome {
            inner.problems.push(problem.clone());
        }
        outcome
    }

    fn record_call(&self, call: &str, args: Value, value: Value, fallible: bool) {
        let (mut result, mut error) = (Some(value), None);
        if let (true, Some(Value::Object(outcome))) = (fallible, &result) {
            (result, error) = (outcome.get("Ok").cloned(), outcome.get("Err").cloned());
        }
        self.lock().calls.push_back(RecordedCall { call: call.to_owned(), args, result, error });
    }
}

/// Makes a host call and records it, or replays it; without a recording, makes it only. `Err` if a replay does not have the call.
pub(crate) async fn record_or_replay<T: Serialize + DeserializeOwned>(
    recording: Option<&Recording>,
    call: &str,
    args: impl FnOnce() -> Value,
    fallible: bool,
    real: impl Future<Output = T>,
) -> Result<T, String> {
    let Some(recording) = recording else { return Ok(real.await) };
    let args = args();
    if !recording.lock().recording {
        return recording.replay_call(call, &args, fallible);
    }
    let value = real.await;
    recording.record_call(call, args, serde_json::to_value(&value).unwrap_or_default(), fallible);
    Ok(value)
}

fn next(calls: &mut VecDeque<RecordedCall>, call: &str, args: &Value) -> Result<RecordedCall, String> {
    let Some(expected) = calls.pop_front() else {
        return Err(format!("the plugin called {call} with {args}, which is not in the recording"));
    };
    if expected.call != call {
        return Err(format!("the plugin called {call}, where the recording has {}", expected.call));
    }
    if !covers(&text_to_bytes(expected.args.clone()), args) {
        return Err(format!("the plugin called {call} with {args}, the recording has {}", expected.args));
    }
    Ok(expected)
}

/// Whether `found` contains everything that is expected; objects may have further members.
fn covers(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::Null, _) => true,
        (Value::Object(expected), Value::Object(found)) => {
            expected.iter().all(|(key, value)| found.get(key).is_some_and(|found| covers(value, found)))
        }
        (Value::Array(expected), Value::Array(found)) => {
            expected.len() == found.len() && expected.iter().zip(found).all(|(a, b)| covers(a, b))
        }
        (expected, found) => expected == found,
    }
}

/// Replaces texts by lists of bytes where the contract has bytes: in the fields `body`, `value` and `data`.
pub(crate) fn text_to_bytes(mut value: Value) -> Value {
    if let Value::Object(fields) = &mut value {
        for (key, field) in fields {
            match field {
                Value::String(text) if key == "body" || key == "value" || key == "data" => {
                    *field = text.bytes().map(Value::from).collect();
                }
                other => *other = text_to_bytes(other.take()),
            }
        }
    }
    value
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::json;

    use super::*;

    fn recorded(call: &str, args: Value, result: Value) -> RecordedCall {
        RecordedCall { call: call.to_owned(), args, result: Some(result), error: None }
    }

    #[tokio::test]
    async fn recorded_calls_are_replayed() {
        let recording = Recording::record();
        let real = async { Ok::<_, String>(Some(vec![1_u8])) };
        record_or_replay(Some(&recording), "kv.get", || json!({ "key": "a" }), true, real).await.unwrap().unwrap();
        let recording = Recording::replay(recording.calls());
        let real = async { unreachable!("the recording answers") };
        let played: Result<Option<Vec<u8>>, String> =
            record_or_replay(Some(&recording), "kv.get", || json!({ "key": "a" }), true, real).await.unwrap();
        assert_eq!(played, Ok(Some(vec![1])));
        assert!(recording.problems().is_empty() && recording.calls().is_empty());
    }

    #[tokio::test]
    async fn differences_are_reported() {
        let recording = Recording::replay([recorded("kv.get", json!({ "key": "a" }), json!(null))]);
        let played = record_or_replay(Some(&recording), "kv.get", || json!({ "key": "b" }), false, async { 1 }).await;
        assert!(played.is_err() && recording.problems()[0].contains("the recording has"), "{:?}", recording.problems());
        assert!(record_or_replay(Some(&recording), "clock.now", || json!({}), false, async { 1 }).await.is_err());
    }

    #[test]
    fn missing_arguments_are_not_compared_and_text_matches_bytes() {
        assert!(covers(&json!({ "url": "x" }), &json!({ "url": "x", "body": [1] })));
        assert!(!covers(&json!({ "url": "y" }), &json!({ "url": "x" })));
        assert_eq!(text_to_bytes(json!({ "body": "ab" })), json!({ "body": [97, 98] }));
    }
}
