//! Shared by the tests: a runtime, the built plugins, and sites that use them.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../../../../test-support/src/built_plugins.rs"]
pub mod built_plugins;
pub mod handmade;

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst},
    },
    time::{Duration, Instant},
};

use masthead_domain::{
    Lang, SiteId,
    link::{Link, LinkKind},
    plugin_use::PluginUse,
};
use masthead_runtime::{
    Call, Catalog, Chain, CodeKey, FirstAnswer, HostServices, MonotonicClock, Plugin, RequestContext, Runtime,
    RuntimeConfig, hook_types::RouteRequest,
};
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

/// Longest wait of a test for an expected event. It only stops a test that hangs; it is no measure of speed.
pub const HANG: Duration = Duration::from_secs(180);

/// Folder with the first-party plugins.
pub fn dist() -> PathBuf {
    built_plugins::first_party_plugins()
}

/// Folder with `faulty` and the template's example of each hook, `template-<hook>`.
pub fn test_dist() -> PathBuf {
    built_plugins::test_plugins()
}

pub fn config() -> RuntimeConfig {
    let mut config = RuntimeConfig::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("compiled-plugins"));
    // Test programs share their compiled code.
    config.code_key = CodeKey::new([7; 32]);
    config.max_concurrent_instances = 16;
    // Test machines are busy: a thread may wait long until it is scheduled.
    config.grace = HANG;
    // For the same reason 100 ms of computing for a page's hook: filling the memory alone can take the usual 5 there.
    config.budget_factor = 20.0;
    // Every call must reach the plugin.
    config.result_cache_bytes = 0;
    config
}

pub fn runtime() -> Runtime {
    start(config())
}

pub fn start(config: RuntimeConfig) -> Runtime {
    Runtime::new(config, HostServices::standalone()).unwrap()
}

/// A clock that stands still until a test advances it.
#[derive(Clone)]
pub struct ManualClock {
    start: Instant,
    millis: Arc<AtomicU64>,
}

impl ManualClock {
    pub fn new() -> Self {
        Self { start: Instant::now(), millis: Arc::default() }
    }

    pub fn advance(&self, by: Duration) {
        self.millis.fetch_add(u64::try_from(by.as_millis()).unwrap(), SeqCst);
    }

    pub fn monotonic(&self) -> MonotonicClock {
        let clock = self.clone();
        Arc::new(move || clock.start + Duration::from_millis(clock.millis.load(SeqCst)))
    }
}

/// One plugin from a folder.
pub fn plugin(runtime: &Runtime, folder: &Path) -> Arc<Plugin> {
    let manifest = std::fs::read_to_string(folder.join("plugin.toml")).unwrap();
    runtime.load_plugin(&manifest, &std::fs::read(folder.join("plugin.wasm")).unwrap()).unwrap()
}

/// The same component with a manifest in which each first text is replaced by the second.
pub fn variant(runtime: &Runtime, folder: &Path, changes: &[(&str, &str)]) -> Arc<Plugin> {
    let mut manifest = std::fs::read_to_string(folder.join("plugin.toml")).unwrap();
    for (from, to) in changes {
        assert!(manifest.contains(from), "{from}");
        manifest = manifest.replacen(from, to, 1);
    }
    runtime.load_plugin(&manifest, &std::fs::read(folder.join("plugin.wasm")).unwrap()).unwrap()
}

pub async fn catalog(runtime: &Runtime) -> Catalog {
    let mut catalog = runtime.load_catalog(&[dist()]).await;
    catalog.insert(plugin(runtime, &test_dist().join("faulty")));
    assert_eq!(catalog.problems(), []);
    catalog
}

pub fn enable(id: &str, settings: Value) -> PluginUse {
    PluginUse { id: id.to_owned(), version: "0.1".to_owned(), settings, ..PluginUse::default() }
}

/// The chain of site 448, of which no plugin may be omitted.
pub async fn chain(runtime: &Runtime, enabled: &[PluginUse]) -> Chain {
    let chain = runtime.build_chain((SiteId(448), "demo"), &catalog(runtime).await, enabled, None).await;
    assert_eq!(chain.problems(), []);
    chain
}

pub fn begin(chain: &Chain) -> Call {
    chain.begin(request(chain))
}

/// A page of the home route, with a deadline that no test reaches.
pub fn request(chain: &Chain) -> RequestContext {
    RequestContext {
        lang: Lang::Zh,
        route: "home".to_owned(),
        address: "https://demo.example.org/zh".to_owned(),
        deadline: Instant::now() + HANG,
        variant: chain.draw(),
        recording: None,
    }
}

/// A server on this machine that responds `ok` and counts connections and requests.
pub async fn server() -> (String, Arc<AtomicUsize>, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    let (connections, requests) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (opened, asked) = (Arc::clone(&connections), Arc::clone(&requests));
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            opened.fetch_add(1, SeqCst);
            let asked = Arc::clone(&asked);
            tokio::spawn(async move {
                let mut request = [0; 4096];
                while stream.read(&mut request).await.is_ok_and(|read| read > 0) {
                    asked.fetch_add(1, SeqCst);
                    let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
                    if stream.write_all(answer).await.is_err() {
                        break;
                    }
                }
            });
        }
    });
    (origin, connections, requests)
}

/// The response of `faulty` about a capability, at an address of its own.
pub async fn probe(chain: &Chain, path: &str) -> FirstAnswer<String> {
    let request = RouteRequest {
        method: "GET".to_owned(),
        path: path.to_owned(),
        query: Vec::new(),
        headers: Vec::new(),
        body: Vec::new(),
    };
    match begin(chain).handle_route("faulty", request).await {
        FirstAnswer::Answered(response) => FirstAnswer::Answered(String::from_utf8(response.body).unwrap()),
        FirstAnswer::Refused(words) => FirstAnswer::Refused(words),
        FirstAnswer::Failed => FirstAnswer::Failed,
        FirstAnswer::NoPlugin => FirstAnswer::NoPlugin,
    }
}

pub fn link(kind: LinkKind, path: &str) -> Link {
    Link { kind, path: path.to_owned(), query: vec![("index".to_owned(), "-1".to_owned())] }
}

pub fn paths(links: &[Link]) -> Vec<&str> {
    links.iter().map(|link| link.path.as_str()).collect()
}
