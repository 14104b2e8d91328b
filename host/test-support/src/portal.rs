//! The real application on a local port, with a copy of the repository's sites.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::{
        Arc, LazyLock,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use masthead_cli::demo_content;
use masthead_config::Connections;
use masthead_domain::SiteId;
use masthead_web::{
    app::{App, Folders, watch},
    auth::admin_tokens::{self, NewToken, Role, Sites},
    http,
    usage::Counting,
};
use serde_json::Value;

use crate::{
    built_plugins::first_party_plugins,
    files::{built, contents, copy, is_of_resources, repository, share_compiled, without_resources, workspace},
    html::{between, bootstrap},
};

/// Longest wait of a test for an expected event. It only stops a test that hangs; it is no measure of speed, because a busy machine
/// may be slow.
pub const HANG: Duration = Duration::from_secs(180);

/// Waits until there is something; panics after [`HANG`].
pub fn until<T>(what: &str, mut seen: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(seen) = seen() {
            return seen;
        }
        assert!(started.elapsed() < HANG, "{what} did not happen");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Limits under which a correct plugin does its work on a busy machine, too: a thread may wait long for its turn there, and a tick
/// of computing may pass while it waits.
fn patient(limits: &mut masthead_runtime::RuntimeConfig) {
    limits.grace = HANG;
    limits.budget_factor = 20.0;
}

/// Limits of connections that no test reaches.
const UNLIMITED: Connections = {
    let seconds = HANG.as_secs() as u32;
    Connections {
        max: 4096,
        header_seconds: seconds,
        idle_seconds: seconds,
        stall_seconds: seconds,
        drain_seconds: seconds,
    }
};

/// Opens the application, with the demo of the sites that have no articles yet.
async fn open(folders: Folders, database: Option<&str>, demo: bool, time: Arc<AtomicI64>) -> Arc<App> {
    let clock = Arc::new(move || time.load(Ordering::Relaxed));
    let app = App::open(folders, database, Counting::new(clock), patient).await.unwrap();
    if demo {
        demo_content::seed(&app).await.unwrap();
    }
    app.change_log_follower().catch_up().await.unwrap();
    app
}

/// The data folder of a host with the sites of the repository and their demo, made once for all hosts of a program: importing the demo for
/// each would take most of their time.
static DEMO: LazyLock<PathBuf> = LazyLock::new(|| imported("demo", |_| {}));
/// The same without the resources of the demo.
static DEMO_WITHOUT_RESOURCES: LazyLock<PathBuf> =
    LazyLock::new(|| imported("demo-without-resources", without_resources));

/// The data folder of a host that has imported and indexed the demo, changed by `edit`, and was stopped.
fn imported(name: &str, edit: impl FnOnce(&Path)) -> PathBuf {
    built("dist/ui/shell/manifest.json");
    first_party_plugins();
    let program = std::env::current_exe().unwrap();
    let folder = workspace(&format!("{name}-of-{}", program.file_name().unwrap().display()));
    let (sites, data) = (folder.join("sites"), folder.join("data"));
    copy(&repository("sites"), &sites);
    edit(&sites);
    share_compiled(&data);
    let folders = Folders { sites, data: data.clone(), plugins: Vec::new(), modules: Vec::new() };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let app = runtime.block_on(open(folders, None, true, Arc::new(AtomicI64::new(now()))));
    runtime.block_on(app.store.close());
    // Files that are merged in the background would change while they are copied.
    app.served_index.close().unwrap();
    drop(app);
    runtime.shutdown_timeout(HANG);
    // Each portal has its own link to the compiled plugins.
    std::fs::remove_file(data.join("compiled")).unwrap();
    data
}

/// The data folder with the imported demo of these sites. None if a test has changed the demo: their host imports it.
fn demo_of(sites: &Path) -> Option<&'static Path> {
    let (mut whole, own) = (contents(&repository("sites/demo")), contents(&sites.join("demo")));
    if own == whole {
        return Some(DEMO.as_path());
    }
    whole.retain(|path, _| !is_of_resources(path));
    (own == whole).then(|| DEMO_WITHOUT_RESOURCES.as_path())
}

/// Fills a data folder with the demo of the repository's sites, which nobody has read yet.
pub fn seed_demo(data: &Path) {
    copy(&DEMO, data);
    share_compiled(data);
}

fn now() -> i64 {
    i64::try_from(masthead_runtime::system_clock()).unwrap()
}

/// Options for starting a portal.
#[derive(Default)]
pub struct Setup {
    /// Folders with additional plugins.
    pub plugins: Vec<PathBuf>,
    /// Folders with additional federated modules.
    pub modules: Vec<PathBuf>,
    /// Whether to follow changes of files and of the change log, as `masthead serve` does.
    pub live: bool,
    /// Whether to start without demo content.
    pub bare: bool,
    /// An existing data folder to use.
    pub data: Option<PathBuf>,
    /// The URL of a PostgreSQL database to use in place of a file.
    pub database: Option<String>,
}

/// The application, served on a free port, with a copy of `sites/` that a test may change.
pub struct Portal {
    pub app: Arc<App>,
    pub folder: PathBuf,
    pub address: SocketAddr,
    /// The operator's listener.
    pub operator: SocketAddr,
    /// The clock of what is counted and limited, in milliseconds since 1970. It stands still: no midnight, and no half minute
    /// between two clicks, comes into a test that does not set it.
    pub time: Arc<AtomicI64>,
    runtime: tokio::runtime::Runtime,
    client: reqwest::Client,
    _watcher: Option<Box<dyn Send + Sync>>,
}

/// A response.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    pub bytes: Vec<u8>,
}

impl Answer {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.bytes.clone()).expect("the response is UTF-8")
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// The nonce in the content security policy of the response.
    pub fn nonce(&self) -> String {
        between(self.header("content-security-policy"), "'nonce-", "'").to_owned()
    }

    /// The cookie that the response sets, as `name=value`.
    pub fn cookie(&self) -> String {
        self.header("set-cookie").split(';').next().unwrap_or_default().to_owned()
    }
}

impl Portal {
    /// Starts a portal on a copy of the repository's sites, changed by `edit`.
    pub fn start(name: &str, setup: Setup, edit: impl FnOnce(&Path)) -> Self {
        built("dist/ui/shell/manifest.json");
        first_party_plugins();
        let folder = workspace(name);
        let sites = folder.join("sites");
        copy(&repository("sites"), &sites);
        edit(&sites);
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        http::install_metrics();
        let data = setup.data.unwrap_or_else(|| folder.join("data"));
        let with_demo = !setup.bare && setup.database.is_none() && !data.join("masthead.db").exists();
        if with_demo && let Some(demo) = demo_of(&sites) {
            copy(demo, &data);
        }
        share_compiled(&data);
        let folders = Folders { sites, data, plugins: setup.plugins, modules: setup.modules };
        let time = Arc::new(AtomicI64::new(now()));
        let (app, address, operator, watcher) = runtime.block_on(async {
            let app = open(folders, setup.database.as_deref(), !setup.bare, Arc::clone(&time)).await;
            let store = app.store.clone();
            tokio::spawn(async move { store.watch_availability().await });
            let mut watcher = None;
            if setup.live {
                watcher = Some(watch::start(Arc::clone(&app)).unwrap());
                tokio::spawn(app.change_log_follower().run());
            }
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            tokio::spawn(http::serve(Arc::clone(&app), listener, UNLIMITED, std::future::pending()));
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            let operator = listener.local_addr().unwrap();
            tokio::spawn(http::serve_operator(Arc::clone(&app), listener));
            (app, address, operator, watcher)
        });
        // Fails if another portal of this process has installed the provider already, which is fine.
        let _ = rustls::crypto::ring::default_provider().install_default();
        // The client uses plain HTTP only; without this, it would load root certificates, which the machine may not have.
        let client = reqwest::Client::builder().tls_certs_only([]).redirect(reqwest::redirect::Policy::none());
        let client = client.build().unwrap();
        let watcher = watcher.map(|watcher| Box::new(watcher) as Box<dyn Send + Sync>);
        Self { app, folder, address, operator, time, runtime, client, _watcher: watcher }
    }

    /// Sets the portal's clock forward.
    pub fn advance(&self, time: Duration) {
        self.time.fetch_add(i64::try_from(time.as_millis()).unwrap(), Ordering::Relaxed);
    }

    /// Runs a future on the portal's runtime.
    pub fn run<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }

    /// Sends a request with a method, headers and a text body, which is JSON unless a header says otherwise.
    pub fn ask(&self, method: &str, host: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut headers = [&[("host", host)], headers].concat();
        if !body.is_empty() && !headers.iter().any(|(name, _)| *name == "content-type") {
            headers.push(("content-type", "application/json"));
        }
        self.send(method, path, &headers, body.as_bytes().to_vec())
    }

    /// Sends a request with a binary body. The host is the portal's IP address, unless a header sets it.
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Vec<u8>) -> Answer {
        self.send_to(self.address, method, path, headers, body)
    }

    fn send_to(
        &self,
        address: SocketAddr,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Vec<u8>,
    ) -> Answer {
        let method = reqwest::Method::from_bytes(method.as_bytes()).unwrap();
        let mut request = self.client.request(method, format!("http://{address}{path}"));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        // A server that rejects a body without reading it closes the connection, so the connection must not be reused.
        if !body.is_empty() {
            request = request.header("connection", "close").body(body);
        }
        self.run(async {
            let response = request.send().await.unwrap_or_else(|error| panic!("{path}: {error:?}"));
            let (status, headers) = (response.status().as_u16(), response.headers().clone());
            let bytes = response.bytes().await.unwrap().to_vec();
            Answer { status, headers, bytes }
        })
    }

    /// Sends a GET request with headers.
    pub fn with(&self, host: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.ask("GET", host, path, headers, "")
    }

    /// Sends a GET request to `<site>.localhost`.
    pub fn get(&self, site: &str, path: &str) -> Answer {
        self.with(&format!("{site}.localhost"), path, &[])
    }

    /// The text of a page; panics if the status is not 200.
    pub fn page(&self, site: &str, path: &str) -> String {
        let answer = self.get(site, path);
        assert_eq!(answer.status, 200, "{site} {path}: {}", answer.text());
        answer.text()
    }

    /// The bootstrap JSON of a page; panics if the status is not 200.
    pub fn bootstrap(&self, site: &str, path: &str) -> Value {
        bootstrap(&self.page(site, path))
    }

    /// Sends a GET request to the operator's listener.
    pub fn operator(&self, path: &str) -> Answer {
        self.send_to(self.operator, "GET", path, &[], Vec::new())
    }

    /// A new token of administrators without an end, for these sites, or for all of them.
    pub fn token(&self, name: &str, role: Role, sites: &[i64]) -> String {
        let some = Sites::Only(sites.iter().copied().map(SiteId).collect());
        let sites = if sites.is_empty() { Sites::All } else { some };
        let new = NewToken { name: name.to_owned(), role, sites, expires: None };
        admin_tokens::create(&self.app.data_folder, new, self.app.counting.now()).unwrap().0
    }

    /// The operator's `/readyz`.
    pub fn ready(&self) -> Value {
        self.operator("/readyz").json()
    }

    /// The operator's `/metrics`.
    pub fn metrics(&self) -> String {
        self.operator("/metrics").text()
    }

    /// The number of the article with this DOI on a site.
    pub fn article(&self, site: &str, doi: &str) -> i64 {
        let table = self.app.sites.load_full();
        let id = table.by_sld(site).expect("the site exists").site.id;
        let doi = masthead_domain::Doi::parse(doi).unwrap();
        let found = self.run(self.app.store.site(id).article_id_by_doi(&doi)).unwrap();
        found.unwrap_or_else(|| panic!("{site} has no {doi}")).0
    }

    /// Waits until a condition holds; panics after [`HANG`].
    pub fn wait(&self, what: &str, mut holds: impl FnMut() -> bool) {
        let started = Instant::now();
        while !holds() {
            assert!(started.elapsed() < HANG, "{what} did not happen; readyz: {}", self.ready());
            std::thread::sleep(Duration::from_millis(40));
        }
    }
}
