//! Cost of serving, as ratios and figures of one run; `cargo bench -p masthead-cli --bench serve`.
//!
//! A cached page is compared with a static file of the same bytes behind the same middleware. Rounds alternate between the two, so
//! that other load on the machine affects both.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::Bytes,
    http::{HeaderMap, header},
    routing::get,
};
use masthead_content::import::{Format, Importer, Item, Outcome, collect};
use masthead_domain::SiteId;
use masthead_store::Store;
use masthead_test_support::{Portal, Setup, command, repository, workspace};
use masthead_web::http;

const HOST: &str = "oceanledger.localhost";
const CONNECTIONS: usize = 3;
const REQUESTS: usize = 1500;
const ROUNDS: usize = 11;

/// A keep-alive connection, like that of a reverse proxy.
struct Connection(BufReader<TcpStream>);

impl Connection {
    fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        Self(BufReader::with_capacity(1 << 17, stream))
    }

    /// Sends a request and reads the response: the status line with the headers, and the body.
    fn request(&mut self, path: &str, encoding: &str) -> (String, Vec<u8>) {
        let request = format!("GET {path} HTTP/1.1\r\nhost: {HOST}\r\naccept-encoding: {encoding}\r\n\r\n");
        self.0.get_mut().write_all(request.as_bytes()).unwrap();
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(self.0.read_line(&mut head).unwrap() > 0, "the connection was closed: {head}");
        }
        let length = head
            .lines()
            .find_map(|line| line.to_lowercase().strip_prefix("content-length:")?.trim().parse().ok())
            .unwrap_or_else(|| panic!("the response has no content-length: {head}"));
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).unwrap();
        assert!(head.starts_with("HTTP/1.1 200"), "{path}: {head}");
        (head, body)
    }
}

/// Requests per second over [`CONNECTIONS`] connections.
fn throughput(address: SocketAddr, path: &str, encoding: &str) -> f64 {
    let mut connections: Vec<_> = (0..CONNECTIONS).map(|_| Connection::open(address)).collect();
    let started = Instant::now();
    std::thread::scope(|scope| {
        for connection in &mut connections {
            scope.spawn(move || {
                for _ in 0..REQUESTS {
                    connection.request(path, encoding);
                }
            });
        }
    });
    (CONNECTIONS * REQUESTS) as f64 / started.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Serves the same bytes with the same headers from memory, behind the same middleware.
fn serve_file(portal: &Portal, head: &str, body: Vec<u8>) -> SocketAddr {
    let mut headers = HeaderMap::new();
    let value_of = |name: &str| {
        let line = head.lines().find(|line| line.to_lowercase().starts_with(&format!("{name}:")))?;
        Some(line.split_once(':')?.1.trim().parse().unwrap())
    };
    for name in [header::CONTENT_TYPE, header::CONTENT_ENCODING, header::CACHE_CONTROL, header::VARY] {
        if let Some(value) = value_of(name.as_str()) {
            headers.insert(name, value);
        }
    }
    let body = Bytes::from(body);
    let file = Router::new().route("/file.html", get(async move || (headers.clone(), body.clone())));
    let router = http::stack(Arc::clone(&portal.app), file);
    portal.run(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        address
    })
}

fn cached_pages(portal: &Portal, path: &str) {
    for encoding in ["gzip", "identity"] {
        let (head, body) = Connection::open(portal.address).request(path, encoding);
        let bytes = body.len();
        let file = serve_file(portal, &head, body);
        throughput(portal.address, path, encoding);
        throughput(file, "/file.html", encoding);
        let (mut pages, mut files, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for round in 0..ROUNDS {
            // The order alternates as well.
            let (page, fixed) = if round % 2 == 0 {
                let page = throughput(portal.address, path, encoding);
                (page, throughput(file, "/file.html", encoding))
            } else {
                let fixed = throughput(file, "/file.html", encoding);
                (throughput(portal.address, path, encoding), fixed)
            };
            ratios.push(page / fixed);
            pages.push(page);
            files.push(fixed);
        }
        let ratio = median(ratios);
        println!(
            "cached article page / file of its {bytes} bytes ({encoding}): {ratio:.2}  ({:.0}/s and {:.0}/s; needed >= 0.80: {})",
            median(pages),
            median(files),
            if ratio >= 0.8 { "met" } else { "NOT MET" }
        );
    }
}

fn uncached_views(portal: &Portal, path: &str) {
    let mut connection = Connection::open(portal.address);
    let mut times = Vec::new();
    for _ in 0..150 {
        // A new content generation, so that the cached page is not used.
        let table = portal.app.sites.load();
        let entry = table.by_sld("oceanledger").unwrap();
        entry.content_generation.fetch_add(1, std::sync::atomic::Ordering::Release);
        let started = Instant::now();
        connection.request(path, "gzip");
        times.push(started.elapsed().as_secs_f64() * 1e6);
    }
    println!("uncached article page: {:.0} us", median(times));
}

fn imports() {
    const TIMES: i64 = 6;
    let folder = workspace("bench-import");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let files = collect(&[repository("sites/demo")]);
    let (articles, seconds) = runtime.block_on(async {
        let store = Store::open_file(&folder.join("masthead.db")).await.unwrap();
        let started = Instant::now();
        let mut articles = 0;
        for site in 1..=TIMES {
            let mut importer = Importer::new(&store, SiteId(site), &folder, false);
            let mut on_item = |item: Item| {
                assert_eq!(item.outcome, Outcome::Created, "{item:?}");
                articles += 1;
            };
            importer.run(&files, Format::Jats, &mut on_item).await;
        }
        (articles, started.elapsed().as_secs_f64())
    });
    let rate = f64::from(articles) / seconds;
    println!("import: {rate:.0} articles/s ({articles} articles of the demo with their figures)");
}

/// Records per second that a harvester gets with `ListRecords`, page after page.
fn harvests(portal: &Portal) {
    for prefix in ["oai_dc", "jats"] {
        let (mut records, mut rates) = (0, Vec::new());
        for _ in 0..15 {
            let started = Instant::now();
            records = 0;
            let mut next = format!("/oai?verb=ListRecords&metadataPrefix={prefix}");
            loop {
                let text = portal.page("oceanledger", &next);
                records += text.matches("<record>").count();
                let token = text.split_once("<resumptionToken").and_then(|(_, rest)| rest.split_once('>'));
                match token.and_then(|(_, rest)| rest.split_once('<')) {
                    Some((token, _)) if !token.is_empty() => {
                        next = format!("/oai?verb=ListRecords&resumptionToken={token}");
                    }
                    _ => break,
                }
            }
            rates.push(records as f64 / started.elapsed().as_secs_f64());
        }
        println!("ListRecords, {prefix}: {:.0} records/s ({records} records)", median(rates));
    }
}

/// Time from the start of the process to a response of `/readyz`, with content, index and compiled plugins in the data folder.
fn starts(sites: &Path, data: &Path) {
    let mut times = Vec::new();
    for _ in 0..5 {
        let started = Instant::now();
        let mut child = command(sites, data, &["serve", "--listen", "127.0.0.1:0"])
            .env("MASTHEAD_LOG", "error")
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        let address: SocketAddr = masthead_test_support::between(&line, "http://", "/").parse().unwrap();
        Connection::open(address).request("/readyz", "identity");
        times.push(started.elapsed().as_secs_f64() * 1e3);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    println!("start of the binary to /readyz, plugins already compiled: {:.0} ms", median(times));
}

fn main() {
    let portal = Portal::start("bench", Setup::default(), |_| {});
    let path = format!("/en/article/{}", portal.article("oceanledger", "10.5555/ocl.2026.06.01.0001"));
    std::thread::sleep(Duration::from_millis(300));
    cached_pages(&portal, &path);
    harvests(&portal);
    uncached_views(&portal, &path);
    imports();
    let (sites, data) = (portal.app.sites_folder.clone(), portal.app.data_folder.clone());
    // Only one process at a time can open the index for writing.
    drop(portal);
    starts(&sites, &data);
}
