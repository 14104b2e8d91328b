//! The test host: one plugin on its own, with host calls from a recording.

use crate::common::{dist, runtime, test_dist};
use masthead_domain::{Lang, plugin_use::Grants};
use masthead_runtime::{Hook, HookAnswer, RecordedCall, Runtime, TestHost};
use serde_json::{Value, json};

fn host(runtime: &Runtime, folder: &std::path::Path) -> TestHost {
    let manifest = std::fs::read_to_string(folder.join("plugin.toml")).unwrap();
    TestHost::open(runtime, &manifest, &std::fs::read(folder.join("plugin.wasm")).unwrap()).unwrap()
}

fn recorded(call: &str, args: Value, result: Value) -> RecordedCall {
    RecordedCall { call: call.to_owned(), args, result: Some(result), error: None }
}

#[tokio::test]
async fn a_hook_is_called_with_json() {
    let runtime = runtime();
    let host = host(&runtime, &dist().join("hss-article"));
    let links = json!([{ "kind": "ListArticle", "path": "article/1", "query": [] }]);
    let answered = host.call(Hook::Links, &links).await.unwrap();
    let HookAnswer::Output(output) = answered else { panic!("{answered:?}") };
    assert_eq!(output, json!([{ "kind": "ListArticle", "path": "hssArticle/1", "query": [] }]));
    let host = host.settings(json!({ "path": "paper" })).page(Lang::En, "results");
    let HookAnswer::Output(output) = host.call(Hook::Links, &links).await.unwrap() else { panic!("an output") };
    assert_eq!(output[0]["path"], "paper/1");
    assert!(host.call(Hook::Access, &Value::Null).await.unwrap_err().contains("does not implement access.decide"));
    let error = host.call(Hook::Links, &json!([{ "path": 1 }])).await.unwrap_err();
    assert!(error.contains("the input does not fit links.rewrite"), "{error}");
    let error = host.settings(json!({ "paht": "x" })).call(Hook::Links, &links).await.unwrap_err();
    assert!(error.contains("paht is not a setting; known are path"), "{error}");
}

#[tokio::test]
async fn host_calls_are_replayed_and_differences_reported() {
    let runtime = runtime();
    let host = host(&runtime, &test_dist().join("template-translate"))
        .settings(json!({ "address": "https://translate.example.org/" }));
    let input = json!({ "text": "海", "source": "zh", "target": "en" });
    let answer = |status: u16, body: &str| {
        let args = json!({ "method": "Post", "url": "https://translate.example.org/" });
        recorded("http.fetch", args, json!({ "status": status, "headers": [], "body": body }))
    };
    let good = host.clone().replay([answer(200, "{\"text\":\"sea\"}")]);
    assert_eq!(
        good.call(Hook::Translate, &input).await.unwrap(),
        HookAnswer::Output(json!({ "text": "sea", "source": "zh" }))
    );
    assert_eq!((good.recording().unwrap().calls(), good.recording().unwrap().problems()), (vec![], vec![]));
    let refused = host.clone().replay([answer(401, "")]);
    assert_eq!(refused.call(Hook::Translate, &input).await.unwrap(), HookAnswer::Refusal(json!("Unauthorized")));
    // A failure of the host.
    let error = RecordedCall { result: None, error: Some(json!("Timeout")), ..answer(0, "") };
    let slow = host.clone().replay([error]);
    let HookAnswer::Refusal(words) = slow.call(Hook::Translate, &input).await.unwrap() else { panic!("a refusal") };
    assert!(words["Other"].as_str().unwrap().contains("no answer in time"), "{words}");
    // A call that is missing in the recording, or another call.
    for (calls, expected) in [
        (vec![], "the plugin called http.fetch with"),
        (vec![recorded("clock.now", json!({}), json!(1))], "called http.fetch, where the recording has clock.now"),
        (
            vec![recorded("http.fetch", json!({ "url": "https://other.example/" }), json!({}))],
            "the recording has {\"url\"",
        ),
        (vec![recorded("http.fetch", json!({}), json!("nonsense"))], "the recorded result of http.fetch does not fit"),
    ] {
        let host = host.clone().replay(calls);
        let answered = host.call(Hook::Translate, &input).await.unwrap();
        assert!(matches!(answered, HookAnswer::Refusal(_)), "{answered:?}");
        let problems = host.recording().unwrap().problems();
        assert!(problems.len() == 1 && problems[0].contains(expected), "{problems:?} should say {expected}");
    }
}

#[tokio::test]
async fn real_calls_are_recorded() {
    let runtime = runtime();
    let host = host(&runtime, &test_dist().join("faulty")).settings(json!({ "fault": "probe" })).record();
    let chain = host.chain().await.unwrap();
    let ask = async |path: &str| {
        let input = json!({ "method": "GET", "path": path, "query": [], "headers": [], "body": "" });
        host.begin(&chain).call_json(Hook::Routes, "faulty", &input).await.unwrap()
    };
    let HookAnswer::Output(first) = ask("kv").await else { panic!("an output") };
    let calls = host.recording().unwrap().calls();
    assert_eq!(calls.iter().map(|call| call.call.as_str()).collect::<Vec<_>>(), ["kv.get", "kv.set"]);
    assert_eq!(calls[1].args, json!({ "key": "count", "value": [1] }));
    // The replay has the same result, though the value exists by now.
    let host = host.replay(calls);
    let input = json!({ "method": "GET", "path": "kv", "query": [], "headers": [], "body": "" });
    let again = host.begin(&chain).call_json(Hook::Routes, "faulty", &input).await.unwrap();
    assert_eq!(again, HookAnswer::Output(first));
    assert_eq!(host.recording().unwrap().problems(), Vec::<String>::new());
}

#[tokio::test]
async fn failures_are_reported_as_answers() {
    let runtime = runtime();
    let host = host(&runtime, &test_dist().join("faulty"));
    let links = json!([{ "kind": "Other", "path": "a", "query": [] }]);
    let call = async |fault: &str| host.clone().settings(json!({ "fault": fault })).call(Hook::Links, &links).await;
    let HookAnswer::Failure(words) = call("trap").await.unwrap() else { panic!("a failure") };
    assert!(words.contains("unreachable"), "{words}");
    assert_eq!(call("refuse").await.unwrap(), HookAnswer::Refusal(json!("not today")));
    let error = call("trial-trap").await.unwrap_err();
    assert!(error.contains("its trial call of links.rewrite failed"), "{error}");
    let without = host.clone().settings(json!({ "fault": "kv-key" })).grants(Grants::default());
    let answered = without.call(Hook::Links, &links).await.unwrap();
    let HookAnswer::Refusal(words) = answered else { panic!("a refusal") };
    assert!(words.as_str().unwrap().contains("does not grant kv"), "{words}");
}
