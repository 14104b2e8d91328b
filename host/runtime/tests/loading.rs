//! What is wrong with a plugin before it serves: it is left out with a message that its author understands, and the rest
//! is loaded all the same.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::{fs, path::Path};

use common::{begin, dist, enable, handmade, link, paths, runtime, start};
use masthead_domain::{SiteId, link::LinkKind, plugin_use::PluginUse};
use masthead_runtime::{Catalog, Runtime, RuntimeConfig, Services};
use serde_json::json;

const GOOD_TYPE: &str = "func(context: context) -> result<list<contribution>, string>";

fn put(dir: &Path, id: &str, manifest: &str, wasm: Option<&[u8]>) {
    fs::create_dir_all(dir.join(id)).unwrap();
    fs::write(dir.join(id).join("plugin.toml"), manifest).unwrap();
    if let Some(wasm) = wasm {
        fs::write(dir.join(id).join("plugin.wasm"), wasm).unwrap();
    }
}

/// Loads one component with a manifest for `layout.contribute`, expects the failure, gives its message.
fn refused(runtime: &Runtime, manifest: &str, wasm: &[u8]) -> String {
    runtime.load_plugin(manifest, wasm).expect_err("should be refused").to_string()
}

/// Loads one component, expects that its trial fails, gives the message.
async fn fails_trial(runtime: &Runtime, wasm: &[u8]) -> String {
    let mut catalog = Catalog::new();
    catalog.insert(runtime.load_plugin(&handmade::manifest("guest"), wasm).unwrap());
    let enabled = PluginUse { version: "*".into(), ..enable("guest", json!({})) };
    let chain = runtime.build_chain((SiteId(1), "demo"), &catalog, &[enabled], None).await;
    let [problem] = chain.problems() else { panic!("it should fail its trial") };
    problem.message.clone()
}

#[tokio::test]
async fn bad_folders_are_reported_and_good_ones_loaded() {
    let dir = tempfile::tempdir().unwrap();
    let good_manifest = fs::read_to_string(dist().join("hss-article/plugin.toml")).unwrap();
    let good = fs::read(dist().join("hss-article/plugin.wasm")).unwrap();
    put(dir.path(), "hss-article", &good_manifest, Some(&good));
    put(dir.path(), "no-component", &handmade::manifest("no-component"), None);
    put(dir.path(), "other-name", &good_manifest, Some(&good));
    put(dir.path(), "half", &handmade::manifest("half"), Some(&good[..good.len() / 2]));
    put(dir.path(), "empty", &handmade::manifest("empty"), Some(&[]));
    put(dir.path(), "no-toml", "id = ", Some(&good));
    fs::create_dir(dir.path().join("not-a-plugin")).unwrap();
    let runtime = runtime();
    let catalog = runtime.load_catalog(&[dir.path().to_owned(), dir.path().join("missing")]).await;
    assert_eq!(catalog.plugins().map(|plugin| plugin.id()).collect::<Vec<_>>(), ["hss-article"]);
    let message =
        |id: &str| catalog.problems().iter().find(|problem| problem.plugin.ends_with(id)).unwrap().message.clone();
    for (id, says) in [
        ("no-component", "plugin.wasm cannot be read"),
        ("other-name", "the folder is named \"other-name\""),
        ("half", "not a WebAssembly component"),
        ("empty", "not a WebAssembly component"),
        ("no-toml", "plugin.toml"),
        ("missing", "cannot be read"),
    ] {
        assert!(message(id).contains(says), "{id}: {}", message(id));
    }
    assert_eq!(catalog.problems().len(), 6);
    // A site that asks for a broken plugin hears why, not that there is none.
    assert!(catalog.find("half", "*").unwrap_err().contains("not a WebAssembly component"));
}

#[test]
fn random_and_truncated_bytes_are_no_component() {
    let runtime = runtime();
    let good = fs::read(dist().join("hss-article/plugin.wasm")).unwrap();
    let mut seed = 7_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize
    };
    for round in 0..40 {
        let mut bytes = good.clone();
        if round % 2 == 0 {
            bytes.truncate(random() % good.len());
        } else {
            (0..50).for_each(|_| bytes[random() % good.len()] = random() as u8);
        }
        // Random changes may hit a text only; what matters is that loading ends with an answer.
        let answer = runtime.load_plugin(&handmade::manifest("guest"), &bytes);
        assert!(answer.is_err(), "it exports links, the manifest says layout");
    }
    assert!(refused(&runtime, &handmade::manifest("guest"), b"<html>").contains("does not begin like WebAssembly"));
}

#[test]
fn a_component_over_the_size_limit_is_not_compiled() {
    let mut config = common::config();
    config.max_component_bytes = 1000;
    let runtime = start(config);
    assert!(
        refused(&runtime, &handmade::manifest("guest"), &[0; 1001])
            .contains("1001 bytes, the platform compiles at most 1000")
    );
}

#[test]
fn exports_and_imports_are_compared_with_the_manifest() {
    let runtime = runtime();
    let manifest = fs::read_to_string(dist().join("hss-article/plugin.toml")).unwrap();
    let wasm = fs::read(dist().join("hss-article/plugin.wasm")).unwrap();
    for (from, to, says) in [
        (
            "\"links.rewrite\"",
            "\"links.rewrite\", \"access.decide\"",
            "does not export the interface masthead:plugin/access",
        ),
        (
            "\"links.rewrite\"",
            "\"access.decide\"",
            "implements the hook links.rewrite, which plugin.toml does not name",
        ),
        (
            "settings = \"",
            "log = \"",
            "uses the capability \"settings\", which plugin.toml does not ask for; add `settings =",
        ),
        ("contract = \"0.1\"", "contract = \"0.7\"", "made for contract 0.7, this host knows 0.1"),
    ] {
        assert!(manifest.contains(from));
        let message = refused(&runtime, &manifest.replacen(from, to, 1), &wasm);
        assert!(message.contains(says), "{message} should say {says}");
    }
}

#[test]
fn a_component_of_a_future_contract_is_named_so() {
    let runtime = runtime();
    let wit = handmade::layout_wit(GOOD_TYPE).replace("@0.1.0", "@0.9.0");
    let core = "(module
        (memory (export \"memory\") 1)
        (func (export \"cabi_realloc\") (param i32 i32 i32 i32) (result i32) i32.const 1024)
        (func (export \"masthead:plugin/layout@0.9.0#contribute\") (param i64 i32 i32 i32 i32 i32 i32 i32 i32) (result i32) i32.const 16))";
    let message = refused(&runtime, &handmade::manifest("guest"), &handmade::component(&wit, core));
    assert!(message.contains("contract 0.9") && message.contains("this host knows 0.1"), "{message}");
}

#[test]
fn unknown_imports_are_named() {
    let runtime = runtime();
    let wit = "package masthead:plugin@0.1.0;
        interface teleport { go: func(); }
        world guest { import teleport; }";
    let core = "(module (import \"masthead:plugin/teleport@0.1.0\" \"go\" (func)))";
    let message = refused(&runtime, &handmade::manifest("guest"), &handmade::component(wit, core));
    assert!(message.contains("imports masthead:plugin/teleport@0.1.0, which contract 0.1 does not have"), "{message}");
    let (wit, core) = (wit.replace("masthead:plugin", "wasi:cli"), core.replace("masthead:plugin", "wasi:cli"));
    let message = refused(&runtime, &handmade::manifest("guest"), &handmade::component(&wit, &core));
    assert!(
        message.contains(
            "wasi:cli/teleport@0.1.0, which this host gives to no plugin; build it for wasm32-unknown-unknown"
        ),
        "{message}"
    );
}

#[tokio::test]
async fn a_hook_with_other_types_fails_its_trial() {
    let runtime = runtime();
    let core = "(module
        (memory (export \"memory\") 1)
        (func (export \"cabi_realloc\") (param i32 i32 i32 i32) (result i32) i32.const 1024)
        (func (export \"masthead:plugin/layout@0.1.0#contribute\") (param i32) (result i32) i32.const 16))";
    let wasm = handmade::component(&handmade::layout_wit("func(count: u32) -> u32"), core);
    let message = fails_trial(&runtime, &wasm).await;
    assert!(message.contains("layout.contribute") && message.contains("plugin-sdk"), "{message}");
}

#[tokio::test]
async fn a_hook_without_its_function_is_refused() {
    let runtime = runtime();
    let wit = handmade::layout_wit(GOOD_TYPE).replace("contribute: ", "another: ");
    let core = "(module
        (memory (export \"memory\") 1)
        (func (export \"cabi_realloc\") (param i32 i32 i32 i32) (result i32) i32.const 1024)
        (func (export \"masthead:plugin/layout@0.1.0#another\") (param i64 i32 i32 i32 i32 i32 i32 i32 i32) (result i32) i32.const 16))";
    let message = refused(&runtime, &handmade::manifest("guest"), &handmade::component(&wit, core));
    assert!(message.contains("layout.contribute does not fit the WIT"), "{message}");
}

#[tokio::test]
async fn tables_are_limited_like_memory() {
    let runtime = runtime();
    let grow = "(if (i32.eq (table.grow $t (ref.null func) (i32.const 1000000)) (i32.const -1)) (then unreachable))";
    let message = fails_trial(&runtime, &handmade::layout("(table $t 1 funcref)", grow)).await;
    assert!(message.contains("memories and tables"), "{message}");
    // Ten times a little is too much as well.
    let grow = "(loop $again (br_if $again (i32.ne (table.grow $t (ref.null func) (i32.const 1000)) (i32.const -1))) unreachable)";
    let message = fails_trial(&runtime, &handmade::layout("(table $t 1 funcref)", grow)).await;
    assert!(message.contains("memories and tables"), "{message}");
}

#[tokio::test]
async fn faults_at_the_start_are_seen_before_a_page_is() {
    let runtime = runtime();
    for (globals, says) in [
        ("(func $go unreachable) (start $go)", "trial"),
        ("(func $go (loop $l (br $l))) (start $go)", "endless loop"),
        ("(func $go (drop (memory.grow (i32.const 1000))) unreachable) (start $go)", "memory: wanted"),
    ] {
        let says = if says == "trial" { "cannot be started" } else { says };
        let message = fails_trial(&runtime, &handmade::layout(globals, "")).await;
        assert!(message.contains(says), "{message} should say {says}");
    }
    let mut catalog = common::catalog(&runtime).await;
    catalog.report(masthead_runtime::Problem { plugin: "x".into(), message: "y".into() });
    for fault in ["trial-trap", "trial-loop"] {
        let enabled = [enable("faulty", json!({ "fault": fault })), enable("hss-article", json!({}))];
        let chain = runtime.build_chain((SiteId(1), "demo"), &catalog, &enabled, None).await;
        assert!(chain.problems()[0].message.contains("trial call of links.rewrite"), "{:?}", chain.problems());
        assert_eq!(
            paths(&begin(&chain).rewrite_links(vec![link(LinkKind::ListArticle, "article/1")]).await),
            ["hssArticle/1"]
        );
    }
}

#[tokio::test]
async fn damaged_compiled_code_is_compiled_again() {
    let dir = tempfile::tempdir().unwrap();
    let cache = dir.path().join("code");
    let load = || {
        let runtime = start(RuntimeConfig { max_concurrent_instances: 4, ..RuntimeConfig::new(&cache) });
        common::plugin(&runtime, &dist().join("hss-article"));
    };
    load();
    let code = || {
        let files = fs::read_dir(&cache).unwrap().map(|entry| entry.unwrap().path());
        files.into_iter().find(|path| path.extension().is_some_and(|extension| extension == "cwasm")).unwrap()
    };
    let good = fs::read(code()).unwrap();
    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 0xff;
    for damaged in [&good[..good.len() / 2], &[], &flipped[..]] {
        fs::write(code(), damaged).unwrap();
        load();
        assert_eq!(fs::read(code()).unwrap().len(), good.len());
    }
    fs::remove_file(code().with_extension("sha256")).unwrap();
    load();
    use std::os::unix::fs::PermissionsExt;
    assert_eq!(fs::metadata(&cache).unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn a_cache_folder_that_cannot_be_used_is_said_at_the_start() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let error = Runtime::new(RuntimeConfig::new(file.path()), Services::alone()).err().unwrap().to_string();
    assert!(error.contains("cannot be used") && error.contains("set another one"), "{error}");
}
