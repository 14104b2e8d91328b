//! Declarative cases run by the real runtime: for the template's examples in Rust and in TypeScript, for the frozen components
//! of the published contract, and for a guest that uses WASI.

use std::path::{Path, PathBuf};

use crate::common;
use masthead_domain::Lang;
use masthead_runtime::{Hook, HookAnswer, RecordedCall, Runtime, TestHost};
use serde_json::{Value, json};

fn sdk() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plugin-sdk")
}

fn kit(runtime: &Runtime, folder: &Path) -> TestHost {
    let manifest = std::fs::read_to_string(folder.join("plugin.toml")).unwrap();
    let wasm = std::fs::read(folder.join("plugin.wasm")).unwrap();
    TestHost::open(runtime, &manifest, &wasm).unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
}

/// Runs one case file (its format is described in `docs/plugins.md`).
async fn run(kit: TestHost, file: &Path) {
    let text = std::fs::read_to_string(file).unwrap();
    let case: Value = serde_json::to_value(toml::from_str::<toml::Table>(&text).unwrap()).unwrap();
    let word = |name: &str, otherwise: &str| case["context"][name].as_str().unwrap_or(otherwise).to_owned();
    let calls: Vec<RecordedCall> = serde_json::from_value(case.get("calls").cloned().unwrap_or(json!([]))).unwrap();
    let lang: Lang = word("lang", "en").parse().unwrap();
    let kit = kit
        .settings(case.get("settings").cloned().unwrap_or(json!({})))
        .page(lang, &word("route", "home"))
        .address(&word("address", &format!("https://test.example.org/{lang}")))
        .replay(calls);
    let hook = Hook::by_name(case["hook"].as_str().unwrap()).unwrap();
    let answered = match kit.call(hook, &case["input"]).await {
        Ok(answered) => answered,
        // Settings are checked when a chain is built, where a refusal excludes the plugin.
        Err(message) if hook == Hook::SettingsCheck => HookAnswer::Refusal(Value::String(message)),
        Err(message) => panic!("{}: {message}", file.display()),
    };
    let recording = kit.recording().unwrap();
    assert_eq!(recording.problems(), Vec::<String>::new(), "{}", file.display());
    assert_eq!(recording.calls(), [], "{}: recorded calls were not made", file.display());
    let expect = &case["expect"];
    match &answered {
        HookAnswer::Output(output) if expect.get("output").is_some() => {
            // TOML has no null, so that fields missing in the expectation are not compared.
            assert!(covers(&expect["output"], output), "{}: {output}\ninstead of {}", file.display(), expect["output"]);
        }
        // A hook whose output has no data.
        HookAnswer::Output(Value::Null) if expect.get("refusal").is_none() => {}
        HookAnswer::Refusal(refusal) => {
            let expected_text =
                expect["refusal"].as_str().unwrap_or_else(|| panic!("{}: refused {refusal}", file.display()));
            assert!(refusal.to_string().contains(expected_text), "{}: {refusal}", file.display());
        }
        other => panic!("{}: {other:?} instead of {expect}", file.display()),
    }
}

fn covers(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            expected.iter().all(|(key, value)| covers(value, found.get(key).unwrap_or(&Value::Null)))
        }
        (Value::Array(expected), Value::Array(found)) => {
            expected.len() == found.len() && expected.iter().zip(found).all(|(a, b)| covers(a, b))
        }
        (Value::String(text), Value::Array(bytes)) => text.bytes().map(Value::from).eq(bytes.iter().cloned()),
        (expected, found) => expected == found,
    }
}

fn folders(under: &Path, prefix: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(under).unwrap().map(|entry| entry.unwrap().path());
    let named = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with(prefix);
    let mut found: Vec<_> = entries.filter(|path| path.join("plugin.wasm").exists() && named(path)).collect();
    found.sort();
    found
}

#[tokio::test]
async fn the_templates_examples_pass_their_cases() {
    let (runtime, dist) = (common::runtime(), common::test_dist());
    let mut hooks = 0;
    for folder in folders(&dist, "template-") {
        let cases = folder.join("tests");
        // The TypeScript template uses the cases of the Rust examples.
        let cases = if cases.exists() { cases } else { sdk().join("template/tests") };
        let manifest: toml::Table =
            toml::from_str(&std::fs::read_to_string(folder.join("plugin.toml")).unwrap()).unwrap();
        for file in std::fs::read_dir(cases).unwrap().map(|entry| entry.unwrap().path()) {
            let case: toml::Table = toml::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
            if manifest["hooks"].as_array().unwrap().contains(&case["hook"]) {
                run(kit(&runtime, &folder), &file).await;
                hooks += 1;
            }
        }
    }
    assert!(hooks >= masthead_runtime::HOOKS.len(), "{hooks} cases: one of each hook in Rust, and TypeScript's");
}

#[tokio::test]
async fn components_of_the_published_contract_still_pass_their_cases() {
    let runtime = common::runtime();
    let frozen = folders(&sdk().join("frozen/0.1"), "");
    assert!(frozen.len() >= 16, "{frozen:?}");
    for folder in frozen {
        run(kit(&runtime, &folder), &folder.join("case.toml")).await;
    }
}

#[test]
fn the_published_contract_does_not_change() {
    // Documentation may be corrected, but the types may not change: that requires a new minor version with an adapter.
    let read = |folder: &str| {
        let mut files: Vec<_> =
            std::fs::read_dir(sdk().join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        let mut text = String::new();
        for file in files {
            let content = std::fs::read_to_string(file).unwrap();
            text.extend(content.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")));
        }
        text
    };
    assert!(read("wit") == read("frozen/0.1/wit"), "plugin-sdk/wit differs from plugin-sdk/frozen/0.1/wit");
}

#[tokio::test]
async fn refusals_traps_and_loops_of_typescript_are_handled() {
    let (runtime, folder) = (common::runtime(), common::test_dist().join("link-source"));
    let links = json!([{ "kind": "ResultArticle", "path": "article/1", "query": [] }]);
    let ask =
        async |from: &str| kit(&runtime, &folder).settings(json!({ "from": from })).call(Hook::Links, &links).await;
    let Ok(HookAnswer::Output(output)) = ask("here").await else { panic!("it works") };
    assert_eq!(output[0]["query"], json!([["from", "here"]]));
    assert!(matches!(ask("refuse").await, Ok(HookAnswer::Refusal(_)) | Err(_)));
    assert!(matches!(ask("throw").await, Ok(HookAnswer::Refusal(_)) | Err(_)));
    let looped = ask("loop").await;
    let text = format!("{looped:?}");
    assert!(text.contains("endless loop"), "{text}");
}

#[tokio::test]
async fn wasi_gives_no_access_and_output_goes_to_the_log() {
    let (runtime, folder) = (common::runtime(), common::test_dist().join("printer"));
    for input in [json!([]), json!([["flood", "1"]])] {
        let answered = kit(&runtime, &folder).call(Hook::Statistics, &input).await.unwrap();
        let HookAnswer::Output(Value::Array(found)) = answered else { panic!("{answered:?}") };
        let found: Vec<_> = found.into_iter().filter(|pair| pair[0] != "flood").collect();
        assert_eq!(json!(found), json!([["environment", "0"], ["arguments", "0"], ["files", "0"]]));
    }
}
