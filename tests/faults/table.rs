//! The rows of the fault matrix. The tests in the other files run for every row.

use masthead_runtime::Hook;

use crate::guests::{self, Handmade};

/// A fault of a plugin in use.
pub struct Fault {
    /// Its name.
    pub name: &'static str,
    /// The plugin that fails.
    pub guest: Guest,
    /// The hook that is called.
    pub hook: Hook,
    /// The outcome in the hook metrics; `ok` if the plugin survives the fault.
    pub outcome: &'static str,
    /// A part of the message.
    pub says: &'static str,
}

/// A faulty plugin.
pub enum Guest {
    /// `plugins/tests/faulty` with this fault.
    Faulty(&'static str),
    /// The same, with this path of the test server as its address.
    Asking(&'static str, &'static str),
    /// A handmade component, for faults that no compiler produces.
    Made(Handmade),
}

use Guest::{Asking, Faulty, Made};
use Hook::{Access, Events, Layout, Links, Routes, Translate};

const fn row(name: &'static str, guest: Guest, hook: Hook, outcome: &'static str, says: &'static str) -> Fault {
    Fault { name, guest, hook, outcome, says }
}

/// Faults of plugins in a chain.
#[rustfmt::skip]
pub const SERVING: &[Fault] = &[
    row("trap", Faulty("trap"), Links, "trap", "unreachable (a panic in Rust)"),
    row("trap at access", Faulty("trap"), Access, "trap", "unreachable (a panic in Rust)"),
    row("trap at layout", Faulty("trap"), Layout, "trap", "unreachable (a panic in Rust)"),
    row("trap at an address of its own", Faulty("trap"), Routes, "trap", "unreachable (a panic in Rust)"),
    row("trap at an event", Faulty("trap"), Events, "trap", "unreachable (a panic in Rust)"),
    row("trap at translating", Faulty("trap"), Translate, "trap", "unreachable (a panic in Rust)"),
    row("division by zero", Made(Handmade::Body("(drop (i32.div_u (i32.const 1) (i32.const 0)))")), Layout, "trap", "divide by zero"),
    row("call of nothing", Made(Handmade::Body("(call_indirect (type $none) (i32.const 0))")), Layout, "trap", "uninitialized element"),
    row("address out of memory", Made(Handmade::Body("(drop (i32.load (i32.const 0x7fffffff)))")), Layout, "trap", "out of bounds memory access"),

    row("endless loop", Faulty("loop"), Links, "loop", "endless loop: stopped after 100ms of computing"),
    row("endless loop at access", Faulty("loop"), Access, "loop", "endless loop: stopped after 100ms"),
    row("endless loop at layout", Faulty("loop"), Layout, "loop", "endless loop: stopped after 100ms"),
    row("endless loop around log.write", Faulty("loop-log"), Links, "loop", "endless loop"),
    row("endless loop around random.bytes", Faulty("loop-random"), Links, "loop", "endless loop"),
    row("endless loop around kv.get", Faulty("loop-kv"), Links, "loop", "endless loop"),
    row("endless loop around settings.get", Faulty("loop-settings"), Links, "loop", "endless loop"),
    row("endless loop while the host writes", Made(Handmade::Realloc("(loop $again (br $again)) i32.const 0")), Layout, "loop", "endless loop"),
    row("endless loop after its answer", Made(Handmade::After("(loop $again (br $again))")), Layout, "loop", "endless loop"),

    row("memory bomb", Faulty("memory"), Links, "memory", "memory: wanted 16"),
    row("memory bomb at access", Faulty("memory"), Access, "memory", "allowed are 16384 KiB"),
    row("memory bomb in one go", Made(Handmade::Body("(if (i32.eq (memory.grow (i32.const 0xffff)) (i32.const -1)) (then unreachable))")), Layout, "memory", "allowed are 16384 KiB"),
    row("no room for an answer of the host", Faulty("room"), Links, "memory", "allowed are 16384 KiB"),
    row("table bomb", Made(Handmade::Body("(if (i32.eq (table.grow $t (ref.null func) (i32.const 1000000)) (i32.const -1)) (then unreachable))")), Layout, "memory", "wanted a table of 1000001 elements, allowed are 20000"),
    row("table bomb by drops", Made(Handmade::Body("(loop $again (br_if $again (i32.ne (table.grow $t (ref.null func) (i32.const 1000)) (i32.const -1)))) unreachable")), Layout, "memory", "wanted a table of 20001 elements, allowed are 20000"),
    row("recursion", Faulty("recursion"), Links, "trap", "mostly a recursion without end"),
    row("recursion without memory", Faulty("recursion-lean"), Links, "recursion", "call stack exhausted"),
    row("recursion at layout", Made(Handmade::Body("call $deeper")), Layout, "recursion", "call stack exhausted"),

    row("megabytes as a link", Faulty("output"), Links, "too_much_data", "more data than the host takes"),
    row("megabytes as properties", Faulty("output"), Layout, "too_much_data", "more data than the host takes"),
    row("megabytes to the log", Faulty("flood-host"), Links, "too_much_data", "more data than the host takes"),
    row("a list of very many", Made(Handmade::Body("(drop (memory.grow (i32.const 64))) (i32.store (i32.const 20) (i32.const 65536)) (i32.store (i32.const 24) (i32.const 150000))")), Layout, "too_much_data", "more data than the host takes"),
    row("a large translation", Faulty("output"), Translate, "bad_result", "the translation has 300000 bytes, allowed are 131072"),
    row("a large page of its own", Faulty("output"), Routes, "bad_result", "a body of 614400 bytes, allowed are 524288"),
    row("large properties", Faulty("big-props"), Layout, "bad_result", "have 100008 bytes, allowed are 32768"),

    row("text that is not UTF-8", Made(Handmade::Body("(i32.store (i32.const 64) (i32.const 0xfffefdfc)) (i32.store8 (i32.const 16) (i32.const 1)) (i32.store (i32.const 20) (i32.const 64)) (i32.store (i32.const 24) (i32.const 4))")), Layout, "trap", "cannot be read: invalid utf-8"),
    row("text that ends in the middle of a character", Made(Handmade::Body("(i32.store (i32.const 64) (i32.const 0x8ce5)) (i32.store8 (i32.const 16) (i32.const 1)) (i32.store (i32.const 20) (i32.const 64)) (i32.store (i32.const 24) (i32.const 2))")), Layout, "trap", "utf-8"),
    row("a case that does not exist", Made(Handmade::Body("(i32.store8 (i32.const 16) (i32.const 7))")), Layout, "trap", "cannot be read: invalid expected discriminant"),
    row("a list longer than memory", Made(Handmade::Body("(i32.store (i32.const 24) (i32.const 0xffffffff))")), Layout, "trap", "out of bounds"),
    row("a text longer than memory", Made(Handmade::Body("(i32.store8 (i32.const 16) (i32.const 1)) (i32.store (i32.const 20) (i32.const 64)) (i32.store (i32.const 24) (i32.const 0xfffffff0))")), Layout, "trap", "out of bounds"),
    row("a list outside memory", Made(Handmade::Body("(i32.store (i32.const 20) (i32.const 0xfffffffc)) (i32.store (i32.const 24) (i32.const 1))")), Layout, "trap", "out of bounds"),
    row("an unaligned pointer", Made(Handmade::Body("(i32.store (i32.const 20) (i32.const 33)) (i32.store (i32.const 24) (i32.const 1))")), Layout, "trap", "align"),
    row("a result outside memory", Made(Handmade::Body("(return (i32.const 0xfffffff0))")), Layout, "trap", "out of bounds"),
    row("an unaligned result", Made(Handmade::Body("(return (i32.const 17))")), Layout, "trap", "align"),
    row("an allocation outside memory", Made(Handmade::Realloc("i32.const 0xfffffff0")), Layout, "trap", "realloc"),
    row("a trap while the host writes", Made(Handmade::Realloc("unreachable")), Layout, "trap", "unreachable"),
    row("a trap after its answer", Made(Handmade::After("unreachable")), Layout, "trap", "unreachable"),

    row("more links than given", Faulty("many"), Links, "bad_result", "100 links came back for 2"),
    row("fewer links than given", Faulty("fewer"), Links, "bad_result", "0 links came back for 2"),
    row("a link with a scheme", Faulty("scheme"), Links, "bad_result", "\"javascript:alert(1)\" has a scheme"),
    row("a link to another server", Faulty("absolute"), Links, "bad_result", "begins with a slash"),
    row("a link that climbs out", Faulty("dots"), Links, "bad_result", "climbs out"),
    row("a long link", Faulty("long"), Links, "bad_result", "is too long"),
    row("a link with a line break", Faulty("control"), Links, "bad_result", "control characters"),
    row("a link with a thousand parameters", Faulty("query"), Links, "bad_result", "1000 query parameters, allowed are 32"),
    row("properties that are not JSON", Faulty("not-json"), Layout, "bad_result", "not JSON"),
    row("properties that are no object", Faulty("not-object"), Layout, "bad_result", "not a JSON object"),
    row("properties nested without end", Faulty("deep-json"), Layout, "bad_result", "not JSON: recursion limit"),
    row("another plugin's module", Faulty("unlisted"), Layout, "bad_result", "\"somebody-elses\" is not listed under ui.modules"),
    row("a slot with markup", Faulty("bad-slot"), Layout, "bad_result", "not the name of a slot"),
    row("a crowd of modules", Faulty("crowd"), Layout, "bad_result", "1000 contributions, allowed are 16"),
    row("status 101", Faulty("status"), Routes, "bad_result", "101 is not between 200 and 599"),
    row("a cookie", Faulty("cookie"), Routes, "bad_result", "\"set-cookie\" is not one of"),
    row("a split header", Faulty("split"), Routes, "bad_result", "not printable ASCII"),
    row("a redirect to another server", Faulty("elsewhere"), Routes, "bad_result", "must be inside the site"),

    row("log flood", Faulty("log-flood"), Links, "ok", ""),
    row("forged log lines", Faulty("log-forged"), Links, "ok", ""),
    row("random flood", Faulty("random-flood"), Links, "trap", "random.bytes: 4294967295 bytes, allowed are 1024 at once"),
    row("random drip", Faulty("random-drip"), Links, "trap", "random.bytes: 1024 bytes, allowed are 1024 at once and 0 more"),
    row("kv flood", Faulty("kv-flood"), Links, "refused", "no room is left"),
    row("a large value", Faulty("kv-value"), Links, "refused", "a value of 100000 bytes, allowed are 65536"),
    row("a long key", Faulty("kv-key"), Links, "refused", "a key of 1000 bytes, allowed are 256"),
    row("a database that fails", Faulty("kv-broken"), Links, "refused", "the disk is on fire"),
    row("a database that hangs", Faulty("kv-hang"), Links, "timeout", "still waiting for kv.get"),
    row("content that is not granted", Faulty("content"), Links, "refused", "does not grant content; `content = true`"),
    row("a secret that is not granted", Faulty("secret"), Links, "refused", "does not grant the secret \"key\""),

    row("HTTP that hangs", Asking("http", "/hang"), Links, "refused", "no answer in time"),
    row("HTTP that hangs at translating", Asking("http", "/hang"), Translate, "refused", "no answer in time"),
    row("HTTP that drips", Asking("http", "/drip"), Links, "refused", "no answer in time"),
    row("HTTP that nobody serves", Asking("http", "closed"), Translate, "refused", "connection"),
    row("HTTP that breaks off", Asking("http", "/break"), Translate, "refused", "connection"),
    row("HTTP that is no HTTP", Asking("http", "/garbage"), Translate, "refused", "connection"),
    row("HTTP that has no end", Asking("http", "/large"), Translate, "refused", "too much: http"),
    row("HTTP that goes in circles", Asking("http", "/circle"), Translate, "refused", "redirects"),
    row("HTTP that leads elsewhere", Asking("http", "/elsewhere"), Translate, "refused", "not granted"),
    row("HTTP that is not granted", Asking("http", "ungranted"), Translate, "refused", "not among what the site grants"),
    row("HTTP to the metadata service", Asking("http", "metadata"), Translate, "refused", "which cannot be granted"),
    row("twenty requests", Asking("http-many", "/ok"), Translate, "refused", "5 HTTP requests"),
    row("a large request", Asking("http-large", "/ok"), Translate, "refused", "the body of the request has more than 262144 bytes"),
    row("no URL", Asking("http", "garbage"), Translate, "refused", "URL cannot be read"),

    row("refusal in words", Faulty("refuse"), Links, "refused", "it declined: not today"),
    row("a refusal of megabytes", Made(Handmade::Body("(drop (memory.grow (i32.const 100))) (i32.store8 (i32.const 16) (i32.const 1)) (i32.store (i32.const 20) (i32.const 64)) (i32.store (i32.const 24) (i32.const 3000000))")), Layout, "too_much_data", "more data than the host takes"),
];

/// A plugin that cannot be added to a chain.
pub struct Unfit {
    /// The fault's name.
    pub name: &'static str,
    /// Its component.
    pub wasm: fn() -> Vec<u8>,
    /// A part of the message.
    pub says: &'static str,
}

const fn unfit(name: &'static str, wasm: fn() -> Vec<u8>, says: &'static str) -> Unfit {
    Unfit { name, wasm, says }
}

/// Faults that are detected before the plugin is used.
#[rustfmt::skip]
pub const UNFIT: &[Unfit] = &[
    unfit("an empty file", Vec::new, "does not begin like WebAssembly"),
    unfit("a web page", || b"<html>".to_vec(), "does not begin like WebAssembly"),
    unfit("half a component", guests::half, "not a WebAssembly component"),
    unfit("a module that is no component", guests::bare_module, "not a WebAssembly component"),
    unfit("zeros after the header", || [b"\0asm\x0d\0\x01\0".to_vec(), vec![0; 1000]].concat(), "plugin.wasm"),
    unfit("a component of nothing", || b"\0asm\x0d\0\x01\0".to_vec(), "does not export the interface masthead:plugin/layout"),
    unfit("wrong types", guests::wrong_types, "layout.contribute does not fit the WIT of contract 0.1"),
    unfit("a missing function", guests::missing_function, "layout.contribute does not fit the WIT of contract 0.1"),
    unfit("a hook under another name", guests::another_interface, "not a hook of contract 0.1"),
    unfit("a contract of the future", guests::future, "made for contract 0.9"),
    unfit("an unknown import", guests::unknown_import, "which contract 0.1 does not have"),
    unfit("interfaces of the system that nobody gets", guests::system_import, "which no plugin may import"),
    unfit("a capability that it does not ask for", guests::unasked, "which plugin.toml does not ask for; add `kv ="),
    unfit("a capability with other types", guests::other_import, "masthead:plugin/log"),
    unfit("a trap at the start", || guests::layout(&Handmade::Start("unreachable")), "it cannot be started: unreachable"),
    unfit("an endless loop at the start", || guests::layout(&Handmade::Start("(loop $again (br $again))")), "endless loop"),
    unfit("a memory bomb at the start", || guests::layout(&Handmade::Start("(drop (memory.grow (i32.const 1000))) unreachable")), "memory: wanted"),
    unfit("more memory than allowed at once", || guests::layout(&Handmade::Pages(2000)), "needs more than the platform gives to any plugin: memory has a minimum byte size"),
    unfit("more memory than the pool has", || guests::layout(&Handmade::Pages(60_000)), "needs more than the platform gives to any plugin: memory has a minimum byte size"),
    unfit("a trap at its trial", || guests::layout(&Handmade::Trial("unreachable")), "its trial call of layout.contribute failed: trap"),
    unfit("an endless loop at its trial", || guests::layout(&Handmade::Trial("(loop $again (br $again))")), "its trial call of layout.contribute failed: endless loop"),
];
