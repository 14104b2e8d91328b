//! Host calls of plugins, recorded and played back: with a tape, a plugin's test needs neither database nor network, and a
//! failure on a site can be looked at again on a desk.

use std::{
    collections::VecDeque,
    future::Future,
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

/// One host call: its name, what the plugin gave and what it got.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recorded {
    /// Capability and function, such as `http.fetch`.
    pub call: String,
    /// What the plugin gave. For playing back, a part is enough: what is left out is not compared.
    #[serde(default)]
    pub args: Value,
    /// What it got; for functions that can fail, in the case of success.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    /// The failure that it got.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Value>,
}

/// A tape, either recording or playing.
#[derive(Debug)]
pub struct Tape(Mutex<Inner>);

#[derive(Debug)]
struct Inner {
    recording: bool,
    calls: VecDeque<Recorded>,
    problems: Vec<String>,
}

impl Tape {
    /// A tape that records what really happens.
    #[must_use]
    pub fn recording() -> Self {
        Self(Mutex::new(Inner { recording: true, calls: VecDeque::new(), problems: Vec::new() }))
    }

    /// A tape that plays these calls, in this order.
    #[must_use]
    pub fn playing(calls: impl IntoIterator<Item = Recorded>) -> Self {
        Self(Mutex::new(Inner { recording: false, calls: calls.into_iter().collect(), problems: Vec::new() }))
    }

    /// What was recorded, or what was not yet played.
    #[must_use]
    pub fn calls(&self) -> Vec<Recorded> {
        self.lock().calls.iter().cloned().collect()
    }

    /// Calls that were not on the tape, or differed from it.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        self.lock().problems.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn play<T: DeserializeOwned>(&self, call: &str, args: &Value, fallible: bool) -> Result<T, String> {
        let mut inner = self.lock();
        let outcome = next(&mut inner.calls, call, args).and_then(|recorded| {
            let value = match (fallible, recorded.result, recorded.error) {
                (true, _, Some(error)) => serde_json::json!({ "Err": error }),
                (true, result, None) => serde_json::json!({ "Ok": bytes(result.unwrap_or_default()) }),
                (false, result, _) => bytes(result.unwrap_or_default()),
            };
            serde_json::from_value(value)
                .map_err(|error| format!("the recorded result of {call} does not fit: {error}"))
        });
        if let Err(problem) = &outcome {
            inner.problems.push(problem.clone());
        }
        outcome
    }

    fn record(&self, call: &str, args: Value, value: Value, fallible: bool) {
        let (mut result, mut error) = (Some(value), None);
        if let (true, Some(Value::Object(outcome))) = (fallible, &result) {
            (result, error) = (outcome.get("Ok").cloned(), outcome.get("Err").cloned());
        }
        self.lock().calls.push_back(Recorded { call: call.to_owned(), args, result, error });
    }
}

/// Passes a host call through the tape, if there is one. `Err` when the tape does not have it.
pub(crate) async fn through<T: Serialize + DeserializeOwned>(
    tape: Option<&Tape>,
    call: &str,
    args: impl FnOnce() -> Value,
    fallible: bool,
    real: impl Future<Output = T>,
) -> Result<T, String> {
    let Some(tape) = tape else { return Ok(real.await) };
    let args = args();
    let recording = tape.lock().recording;
    if !recording {
        return tape.play(call, &args, fallible);
    }
    let value = real.await;
    tape.record(call, args, serde_json::to_value(&value).unwrap_or_default(), fallible);
    Ok(value)
}

fn next(calls: &mut VecDeque<Recorded>, call: &str, args: &Value) -> Result<Recorded, String> {
    let Some(expected) = calls.pop_front() else {
        return Err(format!("the plugin called {call} with {args}, which is not on the tape"));
    };
    if expected.call != call {
        return Err(format!("the plugin called {call}, where the tape has {}", expected.call));
    }
    if !covers(&bytes(expected.args.clone()), args) {
        return Err(format!("the plugin called {call} with {args}, the tape has {}", expected.args));
    }
    Ok(expected)
}

/// Whether everything that is expected is there; objects may hold more.
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

/// Bodies and values may be written as text instead of a list of numbers.
pub(crate) fn bytes(mut value: Value) -> Value {
    if let Value::Object(fields) = &mut value {
        for (key, field) in fields {
            match field {
                Value::String(text) if key == "body" || key == "value" || key == "data" => {
                    *field = text.bytes().map(Value::from).collect();
                }
                other => *other = bytes(other.take()),
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

    fn recorded(call: &str, args: Value, result: Value) -> Recorded {
        Recorded { call: call.to_owned(), args, result: Some(result), error: None }
    }

    #[tokio::test]
    async fn what_is_recorded_plays_back() {
        let tape = Tape::recording();
        let real = async { Ok::<_, String>(Some(vec![1_u8])) };
        through(Some(&tape), "kv.get", || json!({ "key": "a" }), true, real).await.unwrap().unwrap();
        let tape = Tape::playing(tape.calls());
        let real = async { unreachable!("the tape answers") };
        let played: Result<Option<Vec<u8>>, String> =
            through(Some(&tape), "kv.get", || json!({ "key": "a" }), true, real).await.unwrap();
        assert_eq!(played, Ok(Some(vec![1])));
        assert!(tape.problems().is_empty() && tape.calls().is_empty());
    }

    #[tokio::test]
    async fn what_differs_is_said() {
        let tape = Tape::playing([recorded("kv.get", json!({ "key": "a" }), json!(null))]);
        let played = through(Some(&tape), "kv.get", || json!({ "key": "b" }), false, async { 1 }).await;
        assert!(played.is_err() && tape.problems()[0].contains("the tape has"), "{:?}", tape.problems());
        assert!(through(Some(&tape), "clock.now", || json!({}), false, async { 1 }).await.is_err());
    }

    #[test]
    fn a_part_of_the_arguments_is_enough_and_text_stands_for_bytes() {
        assert!(covers(&json!({ "url": "x" }), &json!({ "url": "x", "body": [1] })));
        assert!(!covers(&json!({ "url": "y" }), &json!({ "url": "x" })));
        assert_eq!(bytes(json!({ "body": "ab" })), json!({ "body": [97, 98] }));
    }
}
