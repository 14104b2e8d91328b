//! Faulty plugins.

use masthead_domain::plugin_use::{Grants, PluginLimits, PluginUse};
use serde_json::json;

use crate::{
    common::{dist, enable, handmade},
    server::Server,
    table::{Fault, Guest},
};

const GOOD_TYPE: &str = "func(context: context) -> result<list<contribution>, string>";
/// The route on which handmade guests fail. They recognize it by its length, which no other text of the context has.
pub const ROUTE: &str = "a-route-of-which-the-length-is-41-letters";

/// The code that fails in a handmade guest. All but the last three variants fail only on [`ROUTE`].
pub enum Handmade {
    /// In the hook. The result is at address 16: case, then pointer and length.
    Body(&'static str),
    /// In `cabi_realloc`, when the host allocates memory for the name of the route.
    Realloc(&'static str),
    /// In the post-return function, after the host has read the result.
    After(&'static str),
    /// In the start function.
    Start(&'static str),
    /// In the hook, during the trial call.
    Trial(&'static str),
    /// No code fails, but the module requires this number of memory pages.
    Pages(u32),
}

/// A component that implements `layout.contribute` with this fault.
pub fn layout(fault: &Handmade) -> Vec<u8> {
    let (mut body, mut realloc, mut after, mut start, mut trial, mut pages) = ("", "i32.const 1024", "", "", "", 1);
    match fault {
        Handmade::Body(code) => body = code,
        Handmade::Realloc(code) => realloc = code,
        Handmade::After(code) => after = code,
        Handmade::Start(code) => start = code,
        Handmade::Trial(code) => trial = code,
        Handmade::Pages(count) => pages = *count,
    }
    let length = ROUTE.len();
    let core = format!(
        "(module
            (type $none (func))
            (memory (export \"memory\") {pages})
            (table $t 1 funcref)
            (global $now (mut i32) (i32.const 0))
            (func $deeper (call $deeper) (call $deeper))
            (func $start {start})
            (start $start)
            (func (export \"cabi_realloc\") (param i32 i32 i32 i32) (result i32)
                (if (result i32) (i32.eq (local.get 3) (i32.const {length})) (then {realloc}) (else i32.const 1024)))
            (func (export \"cabi_post_masthead:plugin/layout@0.1.0#contribute\") (param i32)
                (if (global.get $now) (then {after})))
            (func (export \"masthead:plugin/layout@0.1.0#contribute\")
                (param i64 i32 i32 i32 i32 i32 i32 i32 i32) (result i32)
                (i64.store (i32.const 16) (i64.const 0))
                (i64.store (i32.const 24) (i64.const 0))
                (if (i32.eqz (local.get 6)) (then {trial}))
                (global.set $now (i32.eq (local.get 6) (i32.const {length})))
                (if (global.get $now) (then {body}))
                i32.const 16))"
    );
    handmade::component(&handmade::layout_wit(GOOD_TYPE), &core)
}

/// The site's entry for the plugin of a row, and the component if it is handmade.
pub fn usage(fault: &Fault, server: &Server) -> (PluginUse, Option<Vec<u8>>) {
    let grants = Grants { kv: true, private_http: vec![server.origin()], ..Grants::default() };
    let faulty = |settings| PluginUse { grants: grants.clone(), ..enable("faulty", settings) };
    match &fault.guest {
        Guest::Faulty(name) => (faulty(json!({ "fault": name })), None),
        Guest::Asking(name, place) => {
            let usage = faulty(json!({ "fault": name, "address": server.address(place) }));
            // A translation may wait for eight seconds: too long for a test of a server that does not answer. Where it does
            // answer, the answer has to come in time on a busy machine, too.
            let budget_ms = ["/hang", "/drip"].contains(place).then_some(1000);
            (PluginUse { limits: PluginLimits { budget_ms, memory_mib: None }, ..usage }, None)
        }
        Guest::Made(code) => (enable("guest", json!({})), Some(layout(code))),
    }
}

/// The first half of a valid component.
pub fn half() -> Vec<u8> {
    let good = good();
    good[..good.len() / 2].to_vec()
}

/// A valid component.
pub fn good() -> Vec<u8> {
    std::fs::read(dist().join("hss-article/plugin.wasm")).unwrap()
}

/// A core module that was not converted to a component.
pub fn bare_module() -> Vec<u8> {
    wat::parse_str("(module (func (export \"contribute\")))").unwrap()
}

fn exporting(function: &str, parameters: &str) -> String {
    format!(
        "(module (memory (export \"memory\") 1)
            (func (export \"cabi_realloc\") (param i32 i32 i32 i32) (result i32) i32.const 1024)
            (func (export \"{function}\") (param {parameters}) (result i32) i32.const 16))"
    )
}

const CONTEXT: &str = "i64 i32 i32 i32 i32 i32 i32 i32 i32";

/// A component that exports `contribute` with another signature.
pub fn wrong_types() -> Vec<u8> {
    let core = exporting("masthead:plugin/layout@0.1.0#contribute", "i32");
    handmade::component(&handmade::layout_wit("func(count: u32) -> u32"), &core)
}

/// A component whose interface lacks the function.
pub fn missing_function() -> Vec<u8> {
    let wit = handmade::layout_wit(GOOD_TYPE).replace("contribute: ", "another: ");
    handmade::component(&wit, &exporting("masthead:plugin/layout@0.1.0#another", CONTEXT))
}

/// A component with an interface that is not a hook.
pub fn another_interface() -> Vec<u8> {
    let wit = handmade::layout_wit(GOOD_TYPE).replace("interface layout", "interface outlay");
    let core = exporting("masthead:plugin/outlay@0.1.0#contribute", CONTEXT);
    handmade::component(&wit.replace("export layout", "export outlay"), &core)
}

/// A component for a later version of the contract.
pub fn future() -> Vec<u8> {
    let wit = handmade::layout_wit(GOOD_TYPE).replace("@0.1.0", "@0.9.0");
    handmade::component(&wit, &exporting("masthead:plugin/layout@0.9.0#contribute", CONTEXT))
}

fn importing(package: &str, interface: &str, function: &str, signature: &str) -> Vec<u8> {
    let wit = format!(
        "package {package}@0.1.0; interface {interface} {{ {function}; }} world guest {{ import {interface}; }}"
    );
    let name = function.split(':').next().unwrap();
    let core = format!("(module (import \"{package}/{interface}@0.1.0\" \"{name}\" (func {signature})))");
    handmade::component(&wit, &core)
}

/// A component that imports an unknown capability.
pub fn unknown_import() -> Vec<u8> {
    importing("masthead:plugin", "teleport", "go: func()", "")
}

/// A component that imports WASI.
pub fn system_import() -> Vec<u8> {
    importing("wasi:http", "exit", "exit: func(status: u32)", "(param i32)")
}

/// A component that imports a capability that the manifest does not request.
pub fn unasked() -> Vec<u8> {
    importing("masthead:plugin", "kv", "count: func() -> u32", "(result i32)")
}

/// A component that imports a requested capability with a function that the host does not have.
pub fn other_import() -> Vec<u8> {
    let wit = handmade::layout_wit(GOOD_TYPE)
        .replace("world guest {", "interface log { shout: func(loud: u32); } world guest { import log;");
    let core = exporting("masthead:plugin/layout@0.1.0#contribute", CONTEXT);
    let import = "(module (import \"masthead:plugin/log@0.1.0\" \"shout\" (func (param i32)))";
    handmade::component(&wit, &core.replacen("(module", import, 1))
}
