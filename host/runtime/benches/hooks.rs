//! Measures the cost of the host's hook calls relative to plain wasmtime. Both alternate in one run, so that the ratios hold on
//! any machine.
//!
//! `cargo bench -p masthead-runtime`. Three plugins: one that does nothing (which measures the host alone), and hss-article
//! with one link and with twenty. Then a page with eight plugins, a thousand sites, and swaps under load.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../tests/it/common/mod.rs"]
mod common;
#[path = "hooks/sites.rs"]
mod sites;

use std::{
    future::Future,
    time::{Duration, Instant},
};

use common::{begin, enable, handmade};
use masthead_domain::{SiteId, link::LinkKind};
use masthead_runtime::{Catalog, Chain, Runtime};
use raw::exports::masthead::plugin::{layout, links};
use raw::masthead::plugin::{log, settings, types::Context};
use serde_json::json;
use wasmtime::{
    Store, UpdateDeadline,
    component::{Component, HasSelf, InstancePre, Linker},
};

mod raw {
    wasmtime::component::bindgen!({ path: "../../plugin-sdk/wit", world: "host", exports: { default: async } });
}

struct RawState;

impl log::Host for RawState {
    fn write(&mut self, _: log::Level, _: String) {}
}

impl settings::Host for RawState {
    fn get(&mut self) -> String {
        "{\"path\":\"hssArticle\"}".to_owned()
    }
}

fn raw_pre(runtime: &Runtime, wasm: &[u8]) -> InstancePre<RawState> {
    let mut linker = Linker::<RawState>::new(runtime.engine());
    log::add_to_linker::<_, HasSelf<RawState>>(&mut linker, |state| state).unwrap();
    settings::add_to_linker::<_, HasSelf<RawState>>(&mut linker, |state| state).unwrap();
    linker.instantiate_pre(&Component::new(runtime.engine(), wasm).unwrap()).unwrap()
}

fn raw_store(runtime: &Runtime) -> Store<RawState> {
    let mut store = Store::new(runtime.engine(), RawState);
    store.set_epoch_deadline(1);
    store.epoch_deadline_callback(|_| Ok(UpdateDeadline::Continue(1)));
    store
}

fn raw_context() -> Context {
    Context {
        site_id: 448,
        sld: "demo".into(),
        lang: "zh".into(),
        route: "home".into(),
        address: "https://demo.example.org/zh".into(),
    }
}

/// Runs two functions alternately and returns the best time of each per call, because noise of the machine only adds time.
async fn in_turns<A: Future, B: Future>(
    calls: u32,
    mut a: impl FnMut() -> A,
    mut b: impl FnMut() -> B,
) -> (Duration, Duration) {
    let (mut best_a, mut best_b) = (Duration::MAX, Duration::MAX);
    for _ in 0..40 {
        best_a = best_a.min(time(calls, &mut a).await);
        best_b = best_b.min(time(calls, &mut b).await);
    }
    (best_a, best_b)
}

async fn time<F: Future>(calls: u32, mut call: impl FnMut() -> F) -> Duration {
    let started = Instant::now();
    for _ in 0..calls {
        call().await;
    }
    started.elapsed() / calls
}

fn report(name: &str, what: &str, (raw, ours): (Duration, Duration)) {
    let ratio = ours.as_secs_f64() / raw.as_secs_f64();
    println!("ratio {what}, {name}: {ratio:.2}  (plain wasmtime {raw:?}, through the host {ours:?})");
}

async fn chain(runtime: &Runtime, manifest: &str, wasm: &[u8], id: &str) -> Chain {
    let mut catalog = Catalog::new();
    catalog.insert(runtime.load_plugin(manifest, wasm).unwrap());
    let chain = runtime.build_chain((SiteId(448), "demo"), &catalog, &[enable(id, json!({}))], None).await;
    assert_eq!(chain.problems(), []);
    chain
}

async fn bench_layout(runtime: &Runtime) {
    let wasm = handmade::layout("", "");
    let pre = raw_pre(runtime, &wasm);
    let indices = layout::GuestIndices::new(&pre).unwrap();
    let chain = chain(runtime, &handmade::manifest("guest"), &wasm, "guest").await;
    let context = raw_context();
    let fresh_raw = async || {
        let mut store = raw_store(runtime);
        let instance = pre.instantiate_async(&mut store).await.unwrap();
        let guest = indices.load(&mut store, &instance).unwrap();
        guest.call_contribute(&mut store, &context).await.unwrap().unwrap()
    };
    let fresh = in_turns(500, &fresh_raw, async || begin(&chain).contribute_layout().await).await;

    let mut store = raw_store(runtime);
    let instance = pre.instantiate_async(&mut store).await.unwrap();
    let guest = indices.load(&mut store, &instance).unwrap();
    let mut call = begin(&chain);
    let (mut raw, mut ours) = (Duration::MAX, Duration::MAX);
    for _ in 0..60 {
        let started = Instant::now();
        for _ in 0..3000 {
            guest.call_contribute(&mut store, &context).await.unwrap().unwrap();
        }
        raw = raw.min(started.elapsed() / 3000);
        let started = Instant::now();
        for _ in 0..3000 {
            call.contribute_layout().await;
        }
        ours = ours.min(started.elapsed() / 3000);
    }
    assert!(call.outcome().is_complete());
    report("empty plugin", "warm hook / raw call", (raw, ours));
    report("empty plugin", "fresh hook / raw call", fresh);
}

async fn bench_links(runtime: &Runtime, count: usize) {
    let folder = common::dist().join("hss-article");
    let wasm = std::fs::read(folder.join("plugin.wasm")).unwrap();
    let manifest = std::fs::read_to_string(folder.join("plugin.toml")).unwrap();
    let pre = raw_pre(runtime, &wasm);
    let indices = links::GuestIndices::new(&pre).unwrap();
    let chain = chain(runtime, &manifest, &wasm, "hss-article").await;
    let context = raw_context();
    let ours_given: Vec<_> =
        (0..count).map(|number| common::link(LinkKind::ListArticle, &format!("article/{number}"))).collect();
    let to_raw = |link: &masthead_domain::link::Link| links::Link {
        kind: links::LinkKind::ListArticle,
        path: link.path.clone(),
        query: link.query.clone(),
    };
    // Both sides include a copy of the batch, because a page makes its links anew for each request.
    let raw_batch = || ours_given.iter().map(to_raw).collect::<Vec<_>>();
    let fresh_raw = async || {
        let mut store = raw_store(runtime);
        let instance = pre.instantiate_async(&mut store).await.unwrap();
        let guest = indices.load(&mut store, &instance).unwrap();
        guest.call_rewrite(&mut store, &context, &raw_batch()).await.unwrap().unwrap()
    };
    let fresh = in_turns(300, &fresh_raw, async || begin(&chain).rewrite_links(ours_given.clone()).await).await;

    let mut store = raw_store(runtime);
    let instance = pre.instantiate_async(&mut store).await.unwrap();
    let guest = indices.load(&mut store, &instance).unwrap();
    let mut call = begin(&chain);
    let (mut raw, mut ours) = (Duration::MAX, Duration::MAX);
    for _ in 0..60 {
        let started = Instant::now();
        for _ in 0..1000 {
            guest.call_rewrite(&mut store, &context, &raw_batch()).await.unwrap().unwrap();
        }
        raw = raw.min(started.elapsed() / 1000);
        let started = Instant::now();
        for _ in 0..1000 {
            call.rewrite_links(ours_given.clone()).await;
        }
        ours = ours.min(started.elapsed() / 1000);
    }
    assert!(call.outcome().is_complete());
    let name = format!("hss-article with {count} link(s)");
    report(&name, "warm hook / raw call", (raw, ours));
    report(&name, "fresh hook / raw call", fresh);
}

fn main() {
    let tokio = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    tokio.block_on(async {
        // Its results are not cached (see `common::config`), so that calls are measured.
        let runtime = common::runtime();
        bench_layout(&runtime).await;
        bench_links(&runtime, 1).await;
        bench_links(&runtime, 20).await;
        sites::page().await;
        sites::thousand().await;
    });
    let tokio = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    tokio.block_on(sites::swaps());
}
