//! Cost of serving, as ratios and figures of one run; `cargo bench -p masthead-cli --bench serve`.
//!
//! A cached page is compared with a static file of the same bytes behind the same middleware. Rounds alternate between the two, so
//! that other load on the machine affects both.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod host;

use std::{
    io::{Read as _, Write as _},
    net::SocketAddr,
    os::unix::net::UnixStream,
    path::Path,
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::Bytes,
    http::{HeaderMap, header},
    routing::get,
};
use masthead_content::{
    compressed_html,
    import::{Format, Importer, Item, Outcome, collect},
};
use masthead_domain::{
    ArticleId, Doi, Lang, SiteId,
    article::{Article, ArticleMeta},
    card::ArticleCard,
};
use masthead_store::{CardQuery, NewArticle, Store};
use masthead_test_support::{Missed, Portal, Setup, between, command, edit, repository, workspace};
use masthead_web::http;

use host::{Connection, HOST, address, median, serve};

const SITE: SiteId = SiteId(448);
const CONNECTIONS: usize = 3;
const REQUESTS: usize = 1500;
const ROUNDS: usize = 11;

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

/// The throughput of two addresses in rounds that alternate, also in their order: the median of the ratio of the first to the second,
/// and the median of each in requests per second.
fn compare(first: (SocketAddr, &str), second: (SocketAddr, &str), encoding: &str) -> (f64, f64, f64) {
    let measure = |(address, path): (SocketAddr, &str)| throughput(address, path, encoding);
    measure(first);
    measure(second);
    let (mut ratios, mut firsts, mut seconds) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let (one, two) = if round % 2 == 0 {
            let one = measure(first);
            (one, measure(second))
        } else {
            let two = measure(second);
            (measure(first), two)
        };
        ratios.push(one / two);
        firsts.push(one);
        seconds.push(two);
    }
    (median(ratios), median(firsts), median(seconds))
}

fn cached_pages(portal: &Portal, path: &str, missed: &mut Missed) {
    for encoding in ["gzip", "identity"] {
        let (head, body) = Connection::open(portal.address).request(path, encoding);
        let bytes = body.len();
        let file = serve_file(portal, &head, body);
        let (ratio, page, fixed) = compare((portal.address, path), (file, "/file.html"), encoding);
        println!(
            "cached article page / file of its {bytes} bytes ({encoding}): {ratio:.2}  ({page:.0}/s and {fixed:.0}/s; {})",
            missed.verdict(&format!("cached article page / file ({encoding})"), ratio >= 0.8, ">= 0.80")
        );
    }
}

/// In-site navigation sends the same cached page as the document does.
fn navigation(portal: &Portal, path: &str, missed: &mut Missed) {
    let payload = format!("/rc-pub/front/page?path={path}");
    // Throughput of the document to that of the payload is time of the payload to that of the document.
    let (ratio, ..) = compare((portal.address, path), (portal.address, &payload), "gzip");
    println!(
        "time of in-site navigation / of the document, both cached: {ratio:.2}; {}",
        missed.verdict("in-site navigation / of the document", ratio <= 1.1, "<= 1.1")
    );
}

/// The same article twice: with its sections compressed at import, and without.
fn uncached_views(portal: &Portal, article: i64, missed: &mut Missed) {
    let site = portal.app.store.site(SITE);
    let copy = |doi: &str, compressed: bool| {
        portal.run(async {
            let id = ArticleId(article);
            let (stored, body) =
                (site.article(id).await.unwrap().unwrap(), site.body(id).await.unwrap().unwrap().unseal());
            let cards = site.cards(&CardQuery::Latest, None, 1000).await.unwrap();
            let card = cards.into_iter().find(|card| card.article_id() == id).unwrap();
            let doi = Doi::parse(doi).unwrap();
            let rendered = serde_json::from_str(stored.rendered.unsealed()).unwrap();
            let meta = ArticleMeta { source_key: format!("doi:{}", doi.key()), doi: Some(doi.clone()), ..stored.meta };
            let new = NewArticle {
                article: Article { meta, body },
                card: ArticleCard { doi: Some(doi), ..card },
                compressed_html: if compressed { compressed_html::encode(&rendered) } else { Vec::new() },
                rendered: stored.rendered.unseal(),
                ..NewArticle::default()
            };
            assert!(!compressed || !new.compressed_html.is_empty(), "the article has no long section");
            site.save_article(&new).await.unwrap().id().0
        })
    };
    let paths = [("10.5555/bench.1", true), ("10.5555/bench.2", false)]
        .map(|(doi, compressed)| format!("/en/article/{}", copy(doi, compressed)));
    for encoding in ["gzip", "br"] {
        let mut connection = Connection::open(portal.address);
        let mut seconds = [0.0, 0.0];
        // Blocks, because the system counts processor time in hundredths of a second.
        for _ in 0..12 {
            for (path, seconds) in paths.iter().zip(&mut seconds) {
                let before = processor_seconds();
                for _ in 0..100 {
                    // With a new content generation, cached pages are not used any more.
                    let table = portal.app.sites.load();
                    let entry = table.by_sld("oceanledger").unwrap();
                    entry.content_generation.fetch_add(1, std::sync::atomic::Ordering::Release);
                    connection.request(path, encoding);
                }
                *seconds += processor_seconds() - before;
            }
        }
        let [with, without] = seconds.map(|seconds| seconds * 1e6 / 1200.0);
        println!(
            "processor time of an uncached article view, sections compressed at import / with the page ({encoding}): {:.2} \
             ({with:.0} us and {without:.0} us; {})",
            with / without,
            missed.verdict(&format!("uncached article view ({encoding})"), with <= 0.5 * without, "<= 0.50")
        );
    }
}

/// Pages that are not cached: with a frame that no page had before, so that its modules are rendered, and with a remembered one.
fn frames(portal: &Portal) {
    let mut connection = Connection::open(portal.address);
    let mut ask = |path: &str| {
        let table = portal.app.sites.load();
        let entry = table.by_sld("oceanledger").unwrap();
        entry.content_generation.fetch_add(1, std::sync::atomic::Ordering::Release);
        let started = Instant::now();
        connection.request(path, "identity");
        started.elapsed().as_secs_f64() * 1e3
    };
    // Each is an entry of the menu, which its frame marks as the current one.
    let paths = ["/en/issues", "/zh/issues", "/en/justAccepted", "/zh/justAccepted"];
    let first = median(paths.iter().map(|path| ask(path)).collect());
    let remembered = median((0..50).flat_map(|_| paths).map(ask).collect());
    println!("frame of an uncached page, rendered / remembered: {first:.1} ms and {remembered:.2} ms for the page");
}

/// Processor time of this process so far, in seconds, from `/proc/self/stat` (fields 14 and 15, in hundredths of a second).
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    (fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()) / 100.0
}

fn imports(missed: &mut Missed) {
    const TIMES: i64 = 6;
    let folder = workspace("bench-import");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let files = collect(&[repository("sites/demo")]);
    let (articles, seconds, processor) = runtime.block_on(async {
        let store = Store::open_file(&folder.join("masthead.db")).await.unwrap();
        let (started, processor) = (Instant::now(), processor_seconds());
        let mut articles = 0;
        for site in 1..=TIMES {
            let mut importer = Importer::new(&store, SiteId(site), &folder, false);
            let mut on_item = |item: Item| {
                assert_eq!(item.outcome, Outcome::Created, "{item:?}");
                articles += 1;
            };
            importer.run(&files, Format::Jats, &mut on_item).await.unwrap();
        }
        (articles, started.elapsed().as_secs_f64(), processor_seconds() - processor)
    });
    let rate = f64::from(articles) / seconds;
    let ratio = seconds / processor;
    println!("import: {rate:.0} articles/s ({articles} articles of the demo with their figures)");
    let what = "import, time / its processor time";
    println!("{what}: {ratio:.2}; {}", missed.verdict(what, ratio <= 1.5, "<= 1.5"));
}

/// Records per second that a harvester gets with `ListRecords`, page after page, and the ratio to the same articles as JATS, asked for one
/// by one.
fn harvests(portal: &Portal, missed: &mut Missed) {
    for prefix in ["oai_dc", "jats"] {
        let (mut records, mut rates, mut ratios) = (0, Vec::new(), Vec::new());
        for _ in 0..15 {
            let started = Instant::now();
            let identifiers = list_records(portal, prefix);
            let seconds = started.elapsed().as_secs_f64();
            records = identifiers.len();
            let started = Instant::now();
            for number in &identifiers {
                portal.page("oceanledger", &format!("/en/article/{number}?format=jats"));
            }
            ratios.push(started.elapsed().as_secs_f64() / seconds);
            rates.push(records as f64 / seconds);
        }
        let ratio = median(ratios);
        println!(
            "ListRecords, {prefix} / the articles as JATS one by one: {ratio:.2} ({:.0} records/s, {records} records; {})",
            median(rates),
            missed.verdict(&format!("ListRecords, {prefix}"), ratio >= 2.0, ">= 2.0")
        );
    }
}

/// The numbers of the articles of all pages of a list of records.
fn list_records(portal: &Portal, prefix: &str) -> Vec<String> {
    let mut numbers = Vec::new();
    let mut next = format!("/oai?verb=ListRecords&metadataPrefix={prefix}");
    loop {
        let text = portal.page("oceanledger", &next);
        let identifiers = text.split("<identifier>").skip(1).filter_map(|rest| rest.split_once("</identifier>"));
        numbers.extend(
            identifiers
                .filter_map(|(name, _)| Some(name.rsplit_once(':')?.1.trim_start_matches("article/").to_owned())),
        );
        let token = text.split_once("<resumptionToken").and_then(|(_, rest)| rest.split_once('>'));
        match token.and_then(|(_, rest)| rest.split_once('<')) {
            Some((token, _)) if !token.is_empty() => next = format!("/oai?verb=ListRecords&resumptionToken={token}"),
            _ => return numbers,
        }
    }
}

/// Time from the start of the process to a response of `/readyz`, with content, index and compiled plugins in the data folder.
fn starts(sites: &Path, data: &Path) {
    let mut times = Vec::new();
    for _ in 0..5 {
        let started = Instant::now();
        let mut child = serve(sites, data);
        let address = address(&mut child);
        Connection::open(address).request("/readyz", "identity");
        times.push(started.elapsed().as_secs_f64() * 1e3);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    println!("start of the binary to /readyz, plugins already compiled: {:.0} ms", median(times));
}

/// Memory of the program after the views of 60,000 different pages, over several connections at a time. Every one of them is built and
/// put into the page cache, which has room for a small part of them; that none came from the cache is asserted.
fn memory(sites: &Path, missed: &mut Missed) {
    const PAGES: usize = 60_000;
    let data = workspace("bench-memory").join("data");
    edit(&sites.join("oceanledger.toml"), |text| {
        let all = format!("languages = {:?}", Lang::ALL.map(Lang::code));
        let edited = text.replace("languages = [\"zh\", \"en\"]", &all);
        assert_ne!(edited, text);
        // A site without demo content of its own gets the generated articles of all journals.
        edited.replace("demo = [\"ocean-ledger\"]", "demo = []")
    });
    let articles = PAGES.div_ceil(PAGES_OF_AN_ARTICLE).to_string();
    let import = ["demo", "generate", "--articles", &articles, "--seed", "1", "--site", "oceanledger"];
    assert!(command(sites, &data, &import).output().unwrap().status.success());
    let mut pages = article_pages(&data);
    pages.truncate(PAGES);
    assert_eq!(pages.len(), PAGES, "the site did not get the generated articles");
    let mut child = serve(sites, &data);
    let (address, pages) = (address(&mut child), &pages);
    std::thread::scope(|scope| {
        for part in 0..CONNECTIONS {
            scope.spawn(move || {
                let mut connection = Connection::open(address);
                for (host, path) in pages.iter().skip(part).step_by(CONNECTIONS) {
                    connection.request_of(host, path, "gzip");
                }
            });
        }
    });
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let resident = between(&status, "VmRSS:", "kB").trim().parse::<f64>().unwrap() / 1024.0;
    assert_eq!(pages_built(&data), PAGES, "some addresses are of the same page");
    let what = format!("memory after {PAGES} different pages");
    println!("{what}: {resident:.0} MB; {}", missed.verdict(&what, resident <= 200.0, "<= 200 MB"));
    child.kill().unwrap();
    child.wait().unwrap();
}

/// An article has a page in each language, by its number and by its DOI, with the site in the host name and in the path: all of these are
/// in the key of the page cache.
const PAGES_OF_AN_ARTICLE: usize = Lang::ALL.len() * 4;

/// The host and the path of every page of the site's articles.
fn article_pages(data: &Path) -> Vec<(&'static str, String)> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let articles = runtime.block_on(async {
        let store = Store::open_file(&data.join("masthead.db")).await.unwrap();
        let articles = store.site(SITE).article_listing(0, 1_000_000).await.unwrap();
        store.close().await;
        articles
    });
    let names = articles.iter().flat_map(|article| [article.id.to_string(), format!("doi/{}", article.doi)]);
    let paths = names.flat_map(|name| Lang::ALL.map(|lang| format!("/{lang}/article/{name}")));
    paths.flat_map(|path| [("127.0.0.1", format!("/oceanledger{path}")), (HOST, path)]).collect()
}

/// Number of pages that a running program did not find in its page cache.
fn pages_built(data: &Path) -> usize {
    let mut socket = UnixStream::connect(data.join("admin.sock")).unwrap();
    socket.write_all(b"GET /metrics HTTP/1.1\r\nhost: host\r\nconnection: close\r\n\r\n").unwrap();
    let mut metrics = String::new();
    socket.read_to_string(&mut metrics).unwrap();
    between(&metrics, "\nmasthead_page_cache_total{outcome=\"miss\"} ", "\n").parse().unwrap()
}

fn main() -> ExitCode {
    let mut missed = Missed::default();
    let portal = Portal::start("bench", Setup::default(), |_| {});
    let article = portal.article("oceanledger", "10.5555/ocl.2026.06.01.0001");
    let path = format!("/en/article/{article}");
    std::thread::sleep(Duration::from_millis(300));
    cached_pages(&portal, &path, &mut missed);
    navigation(&portal, &path, &mut missed);
    harvests(&portal, &mut missed);
    uncached_views(&portal, article, &mut missed);
    frames(&portal);
    imports(&mut missed);
    let (sites, data) = (portal.app.sites_folder.clone(), portal.app.data_folder.clone());
    // Only one process at a time can open the index for writing.
    drop(portal);
    starts(&sites, &data);
    memory(&sites, &mut missed);
    missed.exit_code()
}
