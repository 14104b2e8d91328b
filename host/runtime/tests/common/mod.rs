//! What the tests share: a runtime, the built plugins, and sites that use them.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod handmade;

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::{Arc, Once},
    time::{Duration, Instant},
};

use masthead_domain::{
    Lang, SiteId,
    link::{Link, LinkKind},
    plugin_use::PluginUse,
};
use masthead_runtime::{Call, Catalog, Chain, Plugin, RequestContext, Runtime, RuntimeConfig, Services};
use serde_json::Value;

static BUILT: Once = Once::new();

fn plugins_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plugins").canonicalize().unwrap()
}

/// Builds the plugins as `make` would, so that no test runs on an old component, or on none.
fn build_plugins() {
    BUILT.call_once(|| {
        let status = Command::new("make").arg("-C").arg(plugins_dir()).status();
        let built = status.is_ok_and(|status| status.success());
        assert!(built, "`make -C plugins` failed: these tests run the real components, so it has to work first");
    });
}

/// Folder with the first-party plugins.
pub fn dist() -> PathBuf {
    build_plugins();
    plugins_dir().join("dist")
}

/// Folder with `faulty` and the template's example of each hook, `template-<hook>`.
pub fn test_dist() -> PathBuf {
    build_plugins();
    plugins_dir().join("target/tests")
}

pub fn config() -> RuntimeConfig {
    let mut config = RuntimeConfig::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("plugin-code"));
    config.max_concurrent_instances = 16;
    // Test machines are busy: a thread may wait long for its turn.
    config.grace = Duration::from_secs(5);
    // Every call is to reach the plugin.
    config.memo_bytes = 0;
    config
}

pub fn runtime() -> Runtime {
    start(config())
}

pub fn start(config: RuntimeConfig) -> Runtime {
    Runtime::new(config, Services::alone()).unwrap()
}

/// One plugin out of a folder.
pub fn plugin(runtime: &Runtime, folder: &Path) -> Arc<Plugin> {
    let manifest = std::fs::read_to_string(folder.join("plugin.toml")).unwrap();
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

/// The chain of site 448, of which nothing may be left out.
pub async fn chain(runtime: &Runtime, enabled: &[PluginUse]) -> Chain {
    let chain = runtime.build_chain((SiteId(448), "demo"), &catalog(runtime).await, enabled, None).await;
    assert_eq!(chain.problems(), []);
    chain
}

pub fn begin(chain: &Chain) -> Call {
    chain.begin(request(chain))
}

/// A page of the home route, with 30 seconds of time.
pub fn request(chain: &Chain) -> RequestContext {
    RequestContext {
        lang: Lang::Zh,
        route: "home".to_owned(),
        address: "https://demo.example.org/zh".to_owned(),
        deadline: Instant::now() + Duration::from_secs(30),
        variant: chain.draw(),
        tape: None,
    }
}

pub fn link(kind: LinkKind, path: &str) -> Link {
    Link { kind, path: path.to_owned(), query: vec![("index".to_owned(), "-1".to_owned())] }
}

pub fn paths(links: &[Link]) -> Vec<&str> {
    links.iter().map(|link| link.path.as_str()).collect()
}
