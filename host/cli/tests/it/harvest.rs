//! `masthead harvest`: a site of our own, the answers of another platform, interruptions, refusals.

use std::{
    collections::BTreeMap,
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    path::PathBuf,
    process::Output,
    sync::{Arc, Mutex},
};

use masthead_domain::{SiteId, article::Contributor, content::text::plain};
use masthead_store::SiteStore;
use masthead_test_support::{Portal, Setup, masthead, repository, stderr, stdout, workspace};
use serde_json::Value;

use crate::stored::with_store;

const SITE: SiteId = SiteId(448);
const SEAGRASS: &str = "10.5555/ocl.2026.06.01.0001";

const IDENTIFY: &str = include_str!("../fixtures/oai/identify.xml");
const FORMATS: &str = include_str!("../fixtures/oai/formats.xml");
const FIRST: &str = include_str!("../fixtures/oai/page-1.xml");
const SECOND: &str = include_str!("../fixtures/oai/page-2.xml");
const LATER: &str = include_str!("../fixtures/oai/later.xml");
const NOTHING: &str = include_str!("../fixtures/oai/nothing.xml");
const BAD_TOKEN: &str = include_str!("../fixtures/oai/bad-token.xml");
/// The query of the request for the second page.
const TOKEN: &str = "resumptionToken=b2Fp%2BfDM%3D%2F2";

/// What a harvest should keep of an article: title, authors, abstracts, number of references, number of blocks in the body.
type Kept = (String, Vec<String>, Vec<String>, u32, usize);

/// The articles of a site by DOI.
async fn articles(site: SiteStore) -> BTreeMap<String, Kept> {
    let listed = site.article_listing(0, 10_000).await.unwrap();
    let ids: Vec<_> = listed.iter().map(|one| one.id).collect();
    let all = site.full_articles(&ids).await.unwrap();
    let kept = all.into_values().map(|(meta, body)| {
        let body = body.unseal();
        let title = meta.title(&meta.language).to_owned();
        let authors = meta.authors().map(Contributor::display_name).collect();
        let abstracts = body.abstracts.iter().map(|one| plain(&one.nodes)).collect();
        let doi = meta.doi.as_ref().map_or_else(|| meta.source_key.clone(), masthead_domain::Doi::key);
        (doi, (title, authors, abstracts, meta.reference_count, body.body.len()))
    });
    kept.collect()
}

/// A data folder into which a repository is harvested.
struct Target {
    sites: PathBuf,
    data: PathBuf,
    url: String,
}

impl Target {
    fn new(name: &str, url: String) -> Self {
        Self { sites: repository("sites"), data: workspace(&format!("harvest-{name}")).join("data"), url }
    }

    fn run(&self, more: &[&str]) -> Output {
        let arguments = ["harvest", &self.url, "--site", "oceanledger", "--json"];
        masthead(&self.sites, &self.data, &[&arguments[..], more].concat())
    }

    /// Harvests; returns the report, the messages, and whether the exit code was 0.
    fn harvest(&self, more: &[&str]) -> (Value, String, bool) {
        let output = self.run(&[&["--allow-private"][..], more].concat());
        let report = serde_json::from_str(&stdout(&output))
            .unwrap_or_else(|error| panic!("{error}: {} {}", stdout(&output), stderr(&output)));
        (report, stderr(&output), output.status.success())
    }

    fn articles(&self) -> BTreeMap<String, Kept> {
        with_store(&self.data, async |store| articles(store.site(SITE)).await)
    }

    fn dois(&self) -> Vec<String> {
        self.articles().into_keys().collect()
    }
}

/// Created, updated, unchanged, removed, valid, failed.
fn numbers(report: &Value) -> [u64; 6] {
    ["created", "updated", "unchanged", "removed", "valid", "failed"].map(|name| report[name].as_u64().unwrap())
}

#[test]
fn a_site_of_ours_is_taken_over_and_follows_its_removals() {
    let portal = Portal::start("harvest-source", Setup::default(), |_| {});
    let target = Target::new("of-ours", format!("http://{}/oceanledger/oai", portal.address));
    let source = portal.run(articles(portal.app.store.site(SITE)));
    let all = u64::try_from(source.len()).unwrap();
    assert!(all > 3 && source.values().any(|(.., blocks)| *blocks > 0), "{source:#?}");

    let refused = target.run(&[]);
    assert!(!refused.status.success() && stderr(&refused).contains("--allow-private"), "{}", stderr(&refused));
    let (report, _, _) = target.harvest(&["--dry-run"]);
    assert_eq!(numbers(&report), [0, 0, 0, 0, all, 0]);
    assert_eq!(target.dois(), Vec::<String>::new(), "a dry run stores nothing");

    let (report, messages, complete) = target.harvest(&[]);
    assert!(complete, "{messages}");
    assert_eq!(numbers(&report), [all, 0, 0, 0, 0, 0]);
    assert_eq!(report["harvest"]["format"], "jats");
    assert_eq!(report["harvest"]["from"], "");
    assert_eq!(target.articles(), source);

    let removed = portal.article("oceanledger", SEAGRASS);
    assert!(portal.run(portal.app.store.site(SITE).remove_article(masthead_domain::ArticleId(removed))).unwrap());
    let (report, messages, complete) = target.harvest(&[]);
    assert!(complete, "{messages}");
    let [created, updated, _, removed, _, failed] = numbers(&report);
    assert_eq!([created, updated, removed, failed], [0, 0, 1, 0]);
    assert_ne!(report["harvest"]["from"], "", "only changes since the first harvest are asked for");
    let rest: BTreeMap<_, _> = source.into_iter().filter(|(doi, _)| doi != SEAGRASS).collect();
    assert_eq!(target.articles(), rest);
}

type Answer = Box<dyn Fn(&str) -> String + Send>;

/// A repository that answers as a test specifies, and records the queries. Without an answer it closes the connection.
struct Repository {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
    answer: Arc<Mutex<Answer>>,
}

impl Repository {
    fn start(answer: impl Fn(&str) -> String + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let answer: Arc<Mutex<Answer>> = Arc::new(Mutex::new(Box::new(answer)));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (shared, log) = (Arc::clone(&answer), Arc::clone(&asked));
        // The thread ends with the process.
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let query = query(&stream);
                log.lock().unwrap().push(query.clone());
                let answer = shared.lock().unwrap()(&query);
                // The client may have closed the connection.
                let _ = (&stream).write_all(answer.as_bytes());
            }
        });
        Self { address, asked, answer }
    }

    fn url(&self) -> String {
        format!("http://{}/index.php?page=oai", self.address)
    }

    fn answers(&self, answer: impl Fn(&str) -> String + Send + 'static) {
        *self.answer.lock().unwrap() = Box::new(answer);
    }

    /// The queries since the last call, without what all have in common.
    fn asked(&self) -> Vec<String> {
        let asked = std::mem::take(&mut *self.asked.lock().unwrap());
        asked.into_iter().map(|query| query.replace("page=oai&verb=", "")).collect()
    }
}

/// Reads the head of a request and returns its query.
fn query(mut stream: &TcpStream) -> String {
    let (mut head, mut part) = (Vec::new(), [0; 4096]);
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        match stream.read(&mut part) {
            Ok(0) | Err(_) => return String::new(),
            Ok(read) => head.extend_from_slice(&part[..read]),
        }
    }
    let head = String::from_utf8(head).unwrap();
    let target = head.split(' ').nth(1).unwrap_or_default();
    target.split_once('?').map_or(String::new(), |(_, query)| query.to_owned())
}

fn reply(status: &str, headers: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/xml\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}

fn ok(body: &str) -> String {
    reply("200 OK", "", body)
}

/// The answers to `Identify` and `ListMetadataFormats`; those to `ListRecords` are given by `list`.
fn platform(list: impl Fn(&str) -> String + Send + 'static) -> impl Fn(&str) -> String + Send + 'static {
    move |query| match query {
        _ if query.contains("verb=Identify") => ok(IDENTIFY),
        _ if query.contains("verb=ListMetadataFormats") => ok(FORMATS),
        _ => list(query),
    }
}

#[test]
fn an_interrupted_harvest_of_another_platform_goes_on_and_then_follows_changes() {
    let repository = Repository::start(platform(|query| if query.contains(TOKEN) { String::new() } else { ok(FIRST) }));
    let target = Target::new("interrupted", repository.url());
    let (report, messages, complete) = target.harvest(&[]);
    assert!(!complete && messages.contains("run the command again"), "{messages}");
    assert_eq!(numbers(&report), [2, 0, 1, 0, 0, 0], "{report:#}");
    assert_eq!(
        repository.asked()[..3],
        ["Identify", "ListMetadataFormats", "ListRecords&metadataPrefix=oai_dc"].map(str::to_owned)
    );
    assert_eq!(target.dois(), ["10.5555/tide.fx.1", "oai:tide.example:article/2"]);
    let (title, authors, abstracts, ..) = target.articles().remove("10.5555/tide.fx.1").unwrap();
    assert_eq!((title.as_str(), abstracts), ("On tides & ebbs", vec!["Water moves.".to_owned()]));
    assert_eq!(authors, ["Inês Amaro", "The Tide Group"]);

    // The repository is back, and asks to wait once. A record without a title does not stop the others.
    let busy = Mutex::new(true);
    repository.answers(platform(move |query| match query {
        _ if !query.contains(TOKEN) => ok(FIRST),
        _ if std::mem::take(&mut *busy.lock().unwrap()) => reply("503 Busy", "retry-after: 0\r\n", "busy"),
        _ => ok(SECOND),
    }));
    let (report, messages, complete) = target.harvest(&[]);
    assert!(!complete && messages.contains("1 of 2 items"), "{messages}");
    assert_eq!(numbers(&report), [1, 0, 0, 0, 0, 1], "{report:#}");
    assert_eq!(report["harvest"]["resumed"], true);
    let next = format!("ListRecords&{TOKEN}");
    assert_eq!(repository.asked(), ["Identify", next.as_str(), next.as_str()], "the first page is not read again");
    let dois = ["10.5555/tide.fx.1", "10.5555/tide.fx.5", "oai:tide.example:article/2"];
    assert_eq!(target.dois(), dois);

    // Nothing has changed since the day on which the first page was read.
    repository.answers(platform(|_| ok(NOTHING)));
    let (report, messages, complete) = target.harvest(&[]);
    assert!(complete, "{messages}");
    assert_eq!((numbers(&report), report["items"].as_array().unwrap().len()), ([0; 6], 0));
    assert_eq!(repository.asked()[2], "ListRecords&metadataPrefix=oai_dc&from=2026-03-04");
    assert_eq!(target.dois(), dois);

    // One record is deleted, and one has got a DOI.
    repository.answers(platform(|_| ok(LATER)));
    let (report, messages, complete) = target.harvest(&["--set", "tl:ART", "--from", "2026-03-04"]);
    assert!(complete, "{messages}");
    assert_eq!(numbers(&report), [1, 0, 0, 1, 0, 0], "{report:#}");
    assert_eq!(repository.asked()[2], "ListRecords&metadataPrefix=oai_dc&from=2026-03-04&set=tl%3AART");
    assert_eq!(target.dois(), ["10.5555/tide.fx.2", "10.5555/tide.fx.5"]);
}

#[test]
fn an_article_goes_with_the_last_of_its_records_also_when_one_page_deletes_all() {
    let whole = |records: &str| {
        let head = &FIRST[..FIRST.find("<o:record>").unwrap()];
        format!("{head}{records}</o:ListRecords></o:OAI-PMH>")
    };
    let record = |number: u8, status: &str, metadata: &str| {
        format!(
            "<o:record><o:header{status}><o:identifier>oai:tide.example:twin/{number}</o:identifier>\
             <o:datestamp>2026-03-04</o:datestamp></o:header>{metadata}</o:record>"
        )
    };
    let terms = "<o:metadata><oai_dc:dc xmlns:oai_dc=\"http://www.openarchives.org/OAI/2.0/oai_dc/\" \
                 xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:title>Twins</dc:title>\
                 <dc:identifier>https://doi.org/10.5555/twin</dc:identifier></oai_dc:dc></o:metadata>";
    let there = whole(&(1..=2).map(|number| record(number, "", terms)).collect::<String>());
    let gone = whole(&(1..=2).map(|number| record(number, " status=\"deleted\"", "")).collect::<String>());
    let repository = Repository::start(platform(move |_| ok(&there)));
    let target = Target::new("twins", repository.url());
    let (_, messages, complete) = target.harvest(&[]);
    assert!(complete, "{messages}");
    assert_eq!(target.dois(), ["10.5555/twin"]);
    repository.answers(platform(move |_| ok(&gone)));
    let (report, messages, complete) = target.harvest(&["--from", "2026-03-04"]);
    assert!(complete, "{messages}");
    assert_eq!(numbers(&report)[3], 1, "{report:#}");
    assert_eq!(target.dois(), Vec::<String>::new());
}

#[test]
fn a_repository_that_asks_to_wait_is_asked_again_whatever_it_says() {
    let busy = Mutex::new(true);
    let repository = Repository::start(platform(move |_| {
        if std::mem::take(&mut *busy.lock().unwrap()) {
            reply("429 Too Many Requests", "retry-after: 0\r\n", "<html>Too many requests of OAI-PMH</html>")
        } else {
            ok(NOTHING)
        }
    }));
    let (report, messages, complete) = Target::new("busy", repository.url()).harvest(&[]);
    assert!(complete, "{messages}");
    assert_eq!(numbers(&report), [0; 6]);
    let list = "ListRecords&metadataPrefix=oai_dc";
    assert_eq!(repository.asked(), ["Identify", "ListMetadataFormats", list, list]);
}

#[test]
fn an_expired_token_begins_the_list_again() {
    let expired = Mutex::new(true);
    let repository = Repository::start(platform(move |query| match query {
        _ if !query.contains(TOKEN) => ok(FIRST),
        // Some platforms send errors of the protocol with a status of HTTP.
        _ if std::mem::take(&mut *expired.lock().unwrap()) => reply("400 Bad Request", "", BAD_TOKEN),
        _ => ok(SECOND),
    }));
    let target = Target::new("expired", repository.url());
    let (report, _, _) = target.harvest(&[]);
    assert_eq!(numbers(&report)[0], 3, "{report:#}");
    let lists = repository.asked().into_iter().filter(|query| query.starts_with("ListRecords")).collect::<Vec<_>>();
    let (first, next) = ("ListRecords&metadataPrefix=oai_dc".to_owned(), format!("ListRecords&{TOKEN}"));
    assert_eq!(lists, [first.clone(), next.clone(), first, next]);

    // A repository that refuses every token is not asked for ever.
    let repository = Repository::start(platform(|query| ok(if query.contains(TOKEN) { BAD_TOKEN } else { FIRST })));
    let (_, messages, complete) = Target::new("refused", repository.url()).harvest(&[]);
    assert!(!complete && messages.contains("refuses its own resumption tokens"), "{messages}");
}

#[test]
fn metadata_replaces_no_full_text_and_its_deletion_removes_none() {
    // The first page without its token, as a whole list.
    let end = FIRST.find("<o:resumptionToken").unwrap();
    let whole = format!("{}</o:ListRecords></o:OAI-PMH>", &FIRST[..end]);
    let repository = Repository::start(platform(move |_| ok(&whole)));
    let target = Target::new("full-text", repository.url());
    let file = target.data.with_file_name("full.xml");
    std::fs::write(
        &file,
        "<article><front><article-meta><article-id pub-id-type=\"doi\">10.5555/tide.fx.1</article-id><title-group>\
         <article-title>The full text</article-title></title-group></article-meta></front><body><p>Water.</p></body></article>",
    )
    .unwrap();
    let imported = ["import", "jats", file.to_str().unwrap(), "--site", "oceanledger"];
    let imported = masthead(&target.sites, &target.data, &imported);
    assert!(imported.status.success(), "{}", stderr(&imported));

    let (report, messages, complete) = target.harvest(&[]);
    assert!(complete, "{messages}");
    assert_eq!(numbers(&report), [1, 0, 2, 0, 0, 0], "{report:#}");
    repository.answers(platform(|_| ok(LATER)));
    let (report, _, _) = target.harvest(&[]);
    assert_eq!(numbers(&report), [1, 0, 1, 0, 0, 0], "{report:#}");
    assert_eq!(target.articles()["10.5555/tide.fx.1"].0, "The full text");
}

#[test]
fn what_is_no_repository_is_refused_with_a_reason() {
    let page = Repository::start(|_| ok("<html><body>Not found</body></html>"));
    let gone = Repository::start(|_| reply("404 Not Found", "", "gone"));
    let endless = Repository::start(platform(|_| ok(FIRST)));
    for (url, more, reason) in [
        (page.url(), "", "<html>"),
        (gone.url(), "", "status 404"),
        (endless.url(), "", "same resumption token twice"),
        (endless.url(), "--from=yesterday", "is not a date"),
        ("http://169.254.169.254/oai".to_owned(), "", "never contacted"),
        ("ftp://tide.example/oai".to_owned(), "", "https and http"),
    ] {
        let more: Vec<&str> = ["--allow-private", more].into_iter().filter(|one| !one.is_empty()).collect();
        let output = Target::new("refusals", url).run(&more);
        let error = stderr(&output);
        assert!(!output.status.success() && error.contains(reason), "{reason}: {error}");
    }
}
