//! The page with a failing plugin is the same as without it, and a message for the author describes the fault.

use std::{
    future::{Future, poll_fn},
    pin::pin,
    sync::Arc,
    time::{Duration, Instant},
};

use masthead_domain::{SiteId, access::AccessRequest, link::LinkKind, plugin_use::PluginUse};
use masthead_runtime::{
    Call, Catalog, Chain, Hook, HookUsage, HostServices, MemoryValueStore, RequestContext, Runtime, RuntimeConfig,
    ServiceFuture, ValueStore, WriteOutcome,
    hook_types::{PluginEvent, RouteRequest, TranslationRequest},
};
use serde_json::json;

use crate::{
    common::{self, config, enable, handmade, link},
    guests::{ROUTE, usage},
    server::Server,
    table::{Fault, Guest, SERVING},
};

/// How often a plugin that computes until it is stopped gives way: once a tick, in a budget of 100 ms.
const TICKS: usize = 101;

/// A key-value store that hangs or fails for certain keys.
#[derive(Default)]
struct Values(MemoryValueStore);

impl ValueStore for Values {
    fn get<'a>(&'a self, site: SiteId, plugin: &'a str, key: String) -> ServiceFuture<'a, Option<Vec<u8>>> {
        match key.as_str() {
            "hang" => Box::pin(std::future::pending()),
            "broken" => Box::pin(async { Err("the disk is on fire".to_owned()) }),
            _ => self.0.get(site, plugin, key),
        }
    }
    fn set<'a>(
        &'a self,
        site: SiteId,
        plugin: &'a str,
        key: String,
        value: Vec<u8>,
    ) -> ServiceFuture<'a, WriteOutcome> {
        self.0.set(site, plugin, key, value)
    }
    fn delete<'a>(&'a self, site: SiteId, plugin: &'a str, key: String) -> ServiceFuture<'a, bool> {
        self.0.delete(site, plugin, key)
    }
    fn keys<'a>(
        &'a self,
        site: SiteId,
        plugin: &'a str,
        prefix: String,
        after: String,
    ) -> ServiceFuture<'a, Vec<String>> {
        self.0.keys(site, plugin, prefix, after)
    }
}

/// Limits under which a plugin fails by what it does, and never because the machine is busy.
pub fn limits() -> RuntimeConfig {
    let mut config = config();
    config.grace = common::HANG;
    config.http.timeout = common::HANG;
    config.http.connect_timeout = common::HANG;
    config
}

/// The limits for one row. Only a host call that never ends is ended by the clock: those rows wait for as long as `grace` says.
pub fn limits_of(fault: &Fault, grace: Duration) -> RuntimeConfig {
    let mut config = limits();
    if fault.outcome == "timeout" {
        config.grace = grace;
    }
    config
}

/// Does the work, and reports each time that it gives way to other tasks.
pub async fn at_each_yield<T>(work: impl Future<Output = T>, mut yielded: impl FnMut()) -> T {
    let mut work = pin!(work);
    poll_fn(|task| {
        let poll = work.as_mut().poll(task);
        if poll.is_pending() {
            yielded();
        }
        poll
    })
    .await
}

pub fn start(config: RuntimeConfig) -> Runtime {
    Runtime::new(config, services()).unwrap()
}

/// Host services without content and secrets, with a key-value store that hangs or fails on demand.
pub fn services() -> HostServices {
    HostServices { values: Arc::new(Values::default()), ..HostServices::standalone() }
}

pub fn healthy() -> [PluginUse; 3] {
    let friendship_links = json!({ "links": [{ "name": { "en": "A" }, "address": "https://a.example/" }] });
    [
        enable("hss-article", json!({})),
        enable("friendship-links", friendship_links),
        enable("referrer-access", json!({ "hosts": ["a.example"] })),
    ]
}

/// The chain of a site with healthy plugins before and after the failing one.
pub async fn site(runtime: &Runtime, catalog: &Catalog, fault: Option<&Fault>, server: &Server) -> Chain {
    let mut catalog = catalog.clone();
    let mut enabled = healthy().to_vec();
    if let Some(fault) = fault {
        let (usage, wasm) = usage(fault, server);
        if let Some(wasm) = wasm {
            catalog.insert(runtime.load_plugin(&handmade::manifest("guest"), &wasm).unwrap());
        }
        enabled.insert(1, usage);
    }
    let chain = runtime.build_chain((SiteId(1), "demo"), &catalog, &enabled, None).await;
    assert_eq!(chain.problems(), [], "{:?}", fault.map(|fault| fault.name));
    chain
}

pub fn begin(chain: &Chain, route: &str) -> Call {
    chain.begin(RequestContext { route: route.to_owned(), ..common::request(chain) })
}

/// The result of a hook, as text.
pub async fn result(call: &mut Call, hook: Hook) -> String {
    match hook {
        Hook::Links => {
            let given = vec![link(LinkKind::ListArticle, "article/1"), link(LinkKind::Menu, "about/2")];
            format!("{:?}", call.rewrite_links(given).await)
        }
        Hook::Access => {
            let referrer = "https://a.example/".to_owned();
            format!("{:?}", call.decide_access(AccessRequest { referrer, ..AccessRequest::default() }).await)
        }
        Hook::Layout => format!("{:?}", call.contribute_layout().await),
        Hook::Translate => {
            let (text, source, target) = ("海".to_owned(), "zh".to_owned(), "en".to_owned());
            absent(call.translate(TranslationRequest { text, source, target }).await.given())
        }
        Hook::Routes => {
            let (method, path) = ("GET".to_owned(), "x".to_owned());
            let request = RouteRequest { method, path, query: vec![], headers: vec![], body: vec![] };
            absent(call.handle_route("faulty", request).await.given())
        }
        Hook::Events => {
            let text = String::from;
            let (id, kind, time, subject) =
                (text("e"), text("article.published"), text("2026-01-01T00:00:00Z"), text("1"));
            let event = PluginEvent { id, kind, time, subject, article: None, attempt: 1 };
            absent(call.notify("faulty", event).await.given())
        }
        other => panic!("no row uses {other:?}"),
    }
}

fn absent<T: std::fmt::Debug>(given: Option<T>) -> String {
    given.map_or_else(|| "nothing".to_owned(), |given| format!("{given:?}"))
}

trait Given<T> {
    fn given(self) -> Option<T>;
}

impl<T, R> Given<T> for masthead_runtime::FirstAnswer<T, R> {
    fn given(self) -> Option<T> {
        match self {
            Self::Answered(value) => Some(value),
            _ => None,
        }
    }
}

fn counted(before: &[HookUsage], after: &[HookUsage], hook: Hook) -> Vec<(String, u64)> {
    let of = |rows: &[HookUsage]| {
        let row = rows.iter().find(|row| ["faulty", "guest"].contains(&row.plugin.as_str()) && row.hook == hook.name());
        row.map(|row| row.failed.clone()).unwrap_or_default()
    };
    let before = of(before);
    let was = |name: &str| before.iter().find(|(known, _)| known == name).map_or(0, |(_, count)| *count);
    of(after).into_iter().map(|(name, count)| (name.clone(), count - was(&name))).filter(|(_, n)| *n > 0).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_fault_affects_its_own_contribution_only_and_is_reported() {
    let mut wrong = Vec::new();
    println!("{:<46} {:<20} {:<14} {:>7}  message", "fault", "hook", "outcome", "ms");
    let (ended_by_the_clock, others): (Vec<_>, Vec<_>) = SERVING.iter().partition(|fault| fault.outcome == "timeout");
    for faults in [ended_by_the_clock, others] {
        let mut config = limits_of(faults[0], Duration::from_millis(1500));
        config.circuit_breaker.failures = usize::MAX;
        wrong.extend(fault_by_fault(&start(config), &faults).await);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

async fn fault_by_fault(runtime: &Runtime, faults: &[&Fault]) -> Vec<String> {
    let mut wrong = Vec::new();
    let (catalog, server) = (common::catalog(runtime).await, Server::start().await);
    let without = site(runtime, &catalog, None, &server).await;
    for &fault in faults {
        let chain = site(runtime, &catalog, Some(fault), &server).await;
        let expected = result(&mut begin(&without, ROUTE), fault.hook).await;
        let before = runtime.hook_usage();
        let mut call = begin(&chain, ROUTE);
        let (started, mut yields) = (Instant::now(), 0);
        let page = at_each_yield(result(&mut call, fault.hook), || yields += 1).await;
        let took = started.elapsed();
        let failed_calls = &call.outcome().failed_calls;
        let message = match &failed_calls[..] {
            [] => String::new(),
            [loss] => loss.cause.as_ref().map(ToString::to_string).unwrap_or_default(),
            more => panic!("{}: one loss at most: {more:?}", fault.name),
        };
        let outcome = match &counted(&before, &runtime.hook_usage(), fault.hook)[..] {
            [] => "ok".to_owned(),
            [(outcome, 1)] => outcome.clone(),
            more => format!("{more:?}"),
        };
        println!(
            "{:<46} {:<20} {outcome:<14} {:>7.1}  {message}",
            fault.name,
            fault.hook.name(),
            took.as_secs_f64() * 1e3
        );
        if outcome != fault.outcome || !message.contains(fault.says) {
            wrong.push(format!("{}: {outcome}, {message:?}; wanted {}, {:?}", fault.name, fault.outcome, fault.says));
        }
        if page != expected {
            wrong.push(format!("{}: the page is {page}, without the plugin {expected}", fault.name));
        }
        if message.chars().count() > 400 || message.contains('\n') {
            wrong.push(format!("{}: the message is not a single line: {message}", fault.name));
        }
        // The page waits for no more than the budgets of its four plugins, counted in ticks: on a slow machine a tick takes longer.
        if !matches!(fault.guest, Guest::Asking(..)) && yields > 4 * TICKS {
            wrong.push(format!("{}: the page computed for {yields} ticks", fault.name));
        }
    }
    wrong
}
