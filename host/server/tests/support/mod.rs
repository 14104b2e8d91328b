//! The real application behind a socket, on copies of the repository's sites; and small readers of what it answers.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::Arc,
    time::{Duration, Instant},
};

use masthead_server::{
    demo, follow, http,
    state::{App, Folders},
};
use serde_json::Value;

/// How long a test waits for what has to happen: it bounds what hangs, and says nothing of speed. A busy machine takes its time.
pub const HANG: Duration = Duration::from_secs(180);

/// A folder of this crate's checkout.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// A folder for one test binary: emptied at the start and left behind for a look afterwards.
pub fn workspace(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("server").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Copies a folder with all that is in it.
pub fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.unwrap();
        let target = to.join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            std::fs::create_dir_all(&target).unwrap();
        } else {
            std::fs::copy(entry.path(), &target).unwrap();
        }
    }
}

/// Takes the demo's resources out, for tests that count their own.
pub fn without_resources(sites: &Path) {
    for folder in std::fs::read_dir(sites.join("demo")).unwrap().flatten() {
        let resources = folder.path().join("resources");
        if resources.is_dir() {
            std::fs::remove_dir_all(resources).unwrap();
        }
    }
}

/// A file of `make ui plugins`, or the sentence that says what is missing.
pub fn built(path: &str) -> PathBuf {
    let path = repository(path);
    assert!(path.exists(), "{} is missing: run `make ui plugins` first", path.display());
    path
}

/// How a portal is started.
#[derive(Default)]
pub struct Setup {
    /// Folders with further plugins.
    pub plugins: Vec<PathBuf>,
    /// Follow changes of files and of the change log, as `masthead serve` does.
    pub live: bool,
    /// Leave the store as it is: no demo content.
    pub bare: bool,
    /// A data folder that is there already.
    pub data: Option<PathBuf>,
}

/// The application, served on a port of its own, with a copy of `sites/` that a test may change.
pub struct Portal {
    pub app: Arc<App>,
    pub folder: PathBuf,
    pub address: SocketAddr,
    runtime: tokio::runtime::Runtime,
    client: reqwest::Client,
    _watcher: Option<Box<dyn Send + Sync>>,
}

/// One answer.
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
        String::from_utf8(self.bytes.clone()).expect("the answer is UTF-8")
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// The nonce of the answer's policy.
    pub fn nonce(&self) -> String {
        between(self.header("content-security-policy"), "'nonce-", "'").to_owned()
    }

    /// The cookie that the answer sets, as a browser sends it back.
    pub fn cookie(&self) -> String {
        self.header("set-cookie").split(';').next().unwrap_or_default().to_owned()
    }
}

impl Portal {
    /// Starts on a copy of the repository's sites, changed by `edit`.
    pub fn start(name: &str, setup: Setup, edit: impl FnOnce(&Path)) -> Self {
        built("dist/ui/shell/manifest.json");
        built("dist/plugins/hss-article/plugin.wasm");
        let folder = workspace(name);
        let sites = folder.join("sites");
        copy(&repository("sites"), &sites);
        edit(&sites);
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        http::install_metrics();
        let data = setup.data.unwrap_or_else(|| folder.join("data"));
        share_compiled(&data);
        let folders = Folders { sites, data, plugins: setup.plugins };
        let (app, address, watcher) = runtime.block_on(async {
            let app = App::open(folders, None).await.unwrap();
            if !setup.bare {
                demo::seed(&app).await.unwrap();
            }
            catch_up(&app).await;
            let mut watcher = None;
            if setup.live {
                watcher = Some(masthead_server::watch::start(Arc::clone(&app)).unwrap());
                tokio::spawn(follow::run(Arc::clone(&app)));
            }
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            let router = http::router(Arc::clone(&app));
            tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
            (app, address, watcher)
        });
        // An error says that another portal of this process has done so already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        // Clear text only: the machine may have no certificates to trust.
        let client = reqwest::Client::builder().tls_certs_only([]).redirect(reqwest::redirect::Policy::none());
        let client = client.build().unwrap();
        let watcher = watcher.map(|watcher| Box::new(watcher) as Box<dyn Send + Sync>);
        Self { app, folder, address, runtime, client, _watcher: watcher }
    }

    /// Runs something on the portal's own threads.
    pub fn run<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }

    /// Asks with a method, headers and a body.
    pub fn ask(&self, method: &str, host: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        self.send(method, path, &[&[("host", host)], headers].concat(), body.as_bytes().to_vec())
    }

    /// Asks with bytes, under the address itself unless a header names a host.
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Vec<u8>) -> Answer {
        let method = reqwest::Method::from_bytes(method.as_bytes()).unwrap();
        let mut request = self.client.request(method, format!("http://{}{path}", self.address));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        // A server that refuses a body without reading it closes the connection: no other request is to go out on it.
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

    /// Asks with headers.
    pub fn with(&self, host: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.ask("GET", host, path, headers, "")
    }

    /// Asks a site by its short name as a host under `localhost`.
    pub fn get(&self, site: &str, path: &str) -> Answer {
        self.with(&format!("{site}.localhost"), path, &[])
    }

    /// The text of a page that has to be there.
    pub fn page(&self, site: &str, path: &str) -> String {
        let answer = self.get(site, path);
        assert_eq!(answer.status, 200, "{site} {path}: {}", answer.text());
        answer.text()
    }

    /// The bootstrap of a page that has to be there.
    pub fn bootstrap(&self, site: &str, path: &str) -> Value {
        bootstrap(&self.page(site, path))
    }

    /// What `/readyz` says.
    pub fn ready(&self) -> Value {
        self.with("127.0.0.1", "/readyz", &[]).json()
    }

    /// The number of the article with this DOI on a site.
    pub fn article(&self, site: &str, doi: &str) -> i64 {
        let table = self.app.sites.load_full();
        let id = table.by_sld(site).expect("the site is there").site.id;
        let doi = masthead_domain::Doi::parse(doi).unwrap();
        let found = self.run(self.app.store.site(id).article_id_by_doi(&doi)).unwrap();
        found.unwrap_or_else(|| panic!("{site} has no {doi}")).0
    }

    /// Waits until something holds; what takes longer than [`HANG`] never will.
    pub fn wait(&self, what: &str, mut holds: impl FnMut() -> bool) {
        let started = Instant::now();
        while !holds() {
            assert!(started.elapsed() < HANG, "{what} did not happen; readyz: {}", self.ready());
            std::thread::sleep(Duration::from_millis(40));
        }
    }
}

/// Takes the change log over until nothing is left.
pub async fn catch_up(app: &Arc<App>) {
    let mut position = app.search.position().unwrap();
    loop {
        let next = follow::step(app, position).await.unwrap();
        if next == position {
            break;
        }
        position = next;
    }
}

/// Compiled plugins are kept over runs: compiling them anew in every test binary would take most of its time.
pub fn share_compiled(data: &Path) {
    std::fs::create_dir_all(data).unwrap();
    let shared = Path::new(env!("CARGO_TARGET_TMPDIR")).join("server-compiled");
    let link = data.join("compiled");
    if !link.exists() {
        std::fs::create_dir_all(&shared).unwrap();
        std::fs::set_permissions(&shared, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
        std::os::unix::fs::symlink(&shared, &link).unwrap();
    }
}

/// Runs `masthead` with a folder of sites and a data folder.
pub fn masthead(sites: &Path, data: &Path, arguments: &[&str]) -> Output {
    command(sites, data, arguments).output().unwrap()
}

/// `masthead`, to be started.
pub fn command(sites: &Path, data: &Path, arguments: &[&str]) -> Command {
    // Crates besides the server share this file and have no binary of their own to start.
    let mut command = Command::new(option_env!("CARGO_BIN_EXE_masthead").unwrap_or("masthead"));
    command.args(arguments).env("MASTHEAD_SITES", sites).env("MASTHEAD_DATA", data).env_remove("MASTHEAD_DATABASE");
    command
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The text between two marks; "" where they are not there.
pub fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    text.split_once(before).and_then(|(_, rest)| rest.split_once(after)).map_or("", |(inner, _)| inner)
}

/// The bootstrap of a document.
pub fn bootstrap(page: &str) -> Value {
    let json = between(page, " id=\"bootstrap\"", "</script>").split_once('>').map_or("", |(_, json)| json);
    serde_json::from_str(json).unwrap_or_else(|error| panic!("the bootstrap does not parse: {error}: {json}"))
}

/// A start tag: its name and its attributes, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    pub name: String,
    pub attributes: Vec<(String, String)>,
}

impl Tag {
    /// An attribute's value without escapes, or "".
    pub fn get(&self, name: &str) -> String {
        let value = self.attributes.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value);
        html_escape::decode_html_entities(value).into_owned()
    }

    pub fn has(&self, name: &str) -> bool {
        self.attributes.iter().any(|(key, _)| key == name)
    }
}

/// Every start tag of a document that the host wrote; what stands inside `<script>` and `<style>` is passed over.
pub fn tags(page: &str) -> Vec<Tag> {
    let mut found = Vec::new();
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        if !rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
            continue;
        }
        let mut quoted = false;
        let end = rest
            .char_indices()
            .find(|(_, c)| {
                quoted ^= *c == '"';
                *c == '>' && !quoted
            })
            .map_or(rest.len(), |(at, _)| at);
        let tag = parse(&rest[..end]);
        rest = &rest[end..];
        if matches!(tag.name.as_str(), "script" | "style") {
            let close = format!("</{}", tag.name);
            rest = rest.find(&close).map_or("", |at| &rest[at..]);
        }
        found.push(tag);
    }
    found
}

fn parse(tag: &str) -> Tag {
    let (name, mut rest) = tag.split_once(|c: char| c.is_whitespace()).unwrap_or((tag, ""));
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
        if rest.is_empty() {
            break;
        }
        let end = rest.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(rest.len());
        let key = rest[..end].to_lowercase();
        rest = &rest[end..];
        let mut value = "";
        if let Some(after) = rest.strip_prefix("=\"") {
            let close = after.find('"').unwrap_or(after.len());
            (value, rest) = (&after[..close], after.get(close + 1..).unwrap_or_default());
        } else if let Some(after) = rest.strip_prefix('=') {
            let close = after.find(char::is_whitespace).unwrap_or(after.len());
            (value, rest) = after.split_at(close);
        }
        attributes.push((key, value.to_owned()));
    }
    Tag { name: name.trim_end_matches('/').to_lowercase(), attributes }
}

/// The tags with a name.
pub fn named(page: &str, name: &str) -> Vec<Tag> {
    tags(page).into_iter().filter(|tag| tag.name == name).collect()
}

/// The addresses of the articles in a page's lists.
pub fn listed(page: &str) -> Vec<String> {
    page.split("class=\"card-title\"").skip(1).map(|rest| between(rest, "<a href=\"", "\"").to_owned()).collect()
}

/// The ids of the modules in a slot.
pub fn slot(bootstrap: &Value, name: &str) -> Vec<String> {
    let modules = bootstrap["slots"][name].as_array().cloned().unwrap_or_default();
    modules.iter().map(|module| module["module"].as_str().unwrap_or_default().to_owned()).collect()
}
