//! UI modules in the sandbox: what they render, and what stops them.

use std::{fs, path::Path};

use masthead_runtime::{HostServices, RenderFailure, RenderModule, Renderer, Rendering, Runtime};
use serde_json::json;

use crate::common;

fn renderer() -> Renderer {
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dist/ui/renderer");
    let read = |name: &str| fs::read(built.join(name)).unwrap_or_else(|error| panic!("{name}: {error}; run `make ui`"));
    let mut config = common::config();
    // A loop ends after a second here, and what begins with it after six.
    config.budget_factor = 2.0;
    let runtime = Runtime::new(config, HostServices::standalone()).unwrap();
    runtime.renderer(&read("quickjs.wasm"), &read("renderer.js")).unwrap()
}

/// A module of the slot `header`, as its build writes it; `component` is the body of its function of `props`, with `h` to make elements.
fn module(component: &str) -> RenderModule {
    let script = format!(
        "let h, bad;
         export async function init(scope) {{ h = Object.values(scope.react)[0].lib().createElement; }}
         export async function get() {{
           const Component = (props) => {{ {component} }};
           return () => ({{ default: {{ $type: 'masthead.ui-module', id: 'nav', slot: 'header', contract: 1, Component }} }});
         }}"
    );
    let digest = script.clone();
    RenderModule { id: "nav".to_owned(), slot: "header".to_owned(), digest, script: script.into_bytes().into() }
}

/// A page of a site with this name.
fn job(name: &str) -> String {
    let bootstrap = json!({
        "contract": 1, "site": { "name": name }, "lang": "en", "base": "", "languages": [], "menu": [], "header": {},
        "session": {}, "slots": { "header": [{ "module": "nav", "props": {} }] },
    });
    json!({ "slot": "header", "path": "/en/", "page": { "kind": "home" }, "bootstrap": bootstrap }).to_string()
}

async fn rendered(renderer: &Renderer, component: &str, name: &str) -> Result<Rendering, RenderFailure> {
    renderer.render(vec![module(component)], job(name)).await
}

async fn html(renderer: &Renderer, component: &str, name: &str) -> String {
    rendered(renderer, component, name).await.unwrap().html
}

#[tokio::test]
async fn a_module_renders_what_it_is_given_and_texts_are_escaped() {
    let renderer = renderer();
    let component = "return h('p', { title: props.site.name }, props.site.name)";
    assert_eq!(html(&renderer, component, "海洋").await, "<p title=\"海洋\">海洋</p>");
    let hostile = "</script><img src=x onerror=alert(1)>\"'\u{2028}\u{0}";
    let escaped = html(&renderer, component, hostile).await;
    assert!(!escaped.contains("<img") && !escaped.contains("</script"), "{escaped}");
}

#[tokio::test]
async fn markup_that_reads_the_path_is_of_one_page() {
    let renderer = renderer();
    assert!(!rendered(&renderer, "return h('p', null, props.site.name)", "A").await.unwrap().of_page);
    let of_path = rendered(&renderer, "return h('p', null, props.path)", "A").await.unwrap();
    assert_eq!(of_path, Rendering { html: "<p>/en/</p>".to_owned(), of_page: true });
}

#[tokio::test]
async fn nothing_of_one_rendering_is_in_the_next() {
    let renderer = renderer();
    let component = "const before = globalThis.kept ?? 'nothing';
        globalThis.kept = props.site.name; Array.prototype.join = () => 'changed';
        return h('p', null, before, ['a', 'b'].toString())";
    let first = html(&renderer, component, "secret").await;
    assert!(first.contains("nothing"), "{first}");
    assert_eq!(html(&renderer, component, "secret").await, first);
}

#[tokio::test]
async fn a_module_that_throws_or_is_none_says_why() {
    let renderer = renderer();
    let threw = |failure: RenderFailure, part: &str| match failure {
        RenderFailure::Threw(message) => assert!(message.contains(part), "{message}"),
        other => panic!("{other}"),
    };
    for (component, part) in [
        ("throw new Error('on purpose')", "on purpose"),
        ("return document.title", "document"),
        ("return h('p', null, String(Date.now()))", "the time differs"),
        ("return h('p', null, String(new Date()))", "the time differs"),
        ("return h('p', null, String(Math.random()))", "a random number differs"),
        ("return h('p', null, String(fetch('/')))", "fetch"),
    ] {
        threw(rendered(&renderer, component, "A").await.unwrap_err(), part);
    }
    for (script, part) in [
        ("export const x = ;", ""),
        ("import 'elsewhere';", ""),
        ("export const x = 1;", "nav: "),
        (
            "export async function init() {} export async function get() { return () => ({ default: {} }) }",
            "defineModule",
        ),
        (
            "export async function init() { await new Promise(() => {}) } export async function get() {}",
            "does not come",
        ),
    ] {
        let module =
            RenderModule { digest: script.to_owned(), script: script.as_bytes().to_vec().into(), ..module("") };
        threw(renderer.render(vec![module], job("A")).await.unwrap_err(), part);
    }
    assert_eq!(html(&renderer, "return 'the next works'", "A").await, "the next works");
}

#[tokio::test]
async fn loops_memory_and_recursion_have_an_end() {
    let renderer = renderer();
    assert_eq!(rendered(&renderer, "for (;;) {}", "A").await, Err(RenderFailure::Time));
    let hoard = "const kept = []; for (;;) kept.push(new Uint8Array(1 << 20))";
    assert_eq!(rendered(&renderer, hoard, "A").await, Err(RenderFailure::Memory));
    let deep = "const again = () => again() + 1; return h('p', null, again())";
    assert!(matches!(rendered(&renderer, deep, "A").await, Err(RenderFailure::Threw(_) | RenderFailure::Trap(_))));
    let endless = RenderModule { script: b"for (;;) {}".to_vec().into(), digest: "endless".to_owned(), ..module("") };
    assert_eq!(renderer.render(vec![endless], job("A")).await, Err(RenderFailure::Time));
    assert_eq!(html(&renderer, "return 'the next works'", "A").await, "the next works");
}

#[tokio::test]
async fn another_script_of_the_same_module_is_another_module() {
    let renderer = renderer();
    assert_eq!(html(&renderer, "return 'before'", "A").await, "before");
    assert_eq!(html(&renderer, "return 'after'", "A").await, "after");
}
