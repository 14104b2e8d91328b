//! Requests over real sockets, all of them on this machine.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::{
    collections::HashMap,
    future::{Future, pending},
    io,
    net::{IpAddr, Ipv4Addr},
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpSocket, TcpStream},
};

use super::*;

const SECRET: &str = "s3cr3t-of-the-site";

/// Waits that have to be long enough for a busy machine, and those that a test sits out.
const LONG: Duration = Duration::from_secs(20);
const SHORT: Duration = Duration::from_millis(300);

struct OneSecret;

impl Secrets for OneSecret {
    fn get(&self, name: &str) -> Option<String> {
        (name == "key" || name == "other").then(|| SECRET.to_owned())
    }
}

/// Answers from a table; a name with several answers gives them in turn, and the last one again and again.
#[derive(Default)]
struct Table(Mutex<HashMap<&'static str, Vec<Vec<IpAddr>>>>);

impl Table {
    fn new(names: &[(&'static str, &[&[&str]])]) -> Arc<Self> {
        let addresses = |answer: &&[&str]| answer.iter().map(|address| address.parse().unwrap()).collect();
        let names = names.iter().map(|(name, answers)| (*name, answers.iter().map(addresses).collect()));
        Arc::new(Self(Mutex::new(names.collect())))
    }
}

impl Resolver for Table {
    fn resolve<'a>(&'a self, host: &'a str) -> Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>> {
        let mut names = self.0.lock().unwrap();
        let answer = match names.get_mut(host) {
            Some(answers) if answers.len() > 1 => Ok(answers.remove(0)),
            Some(answers) => Ok(answers[0].clone()),
            None => Err(io::Error::new(io::ErrorKind::NotFound, "no such name")),
        };
        Box::pin(async move { answer })
    }
}

/// A server that closes each connection after one answer and remembers what it read.
struct Server {
    port: u16,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Server {
    async fn start(answer: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        Self::on(listener, None, answer)
    }

    fn on(
        listener: TcpListener,
        tls: Option<tokio_rustls::TlsAcceptor>,
        answer: impl Fn(&str) -> String + Send + Sync + 'static,
    ) -> Self {
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (log, answer) = (Arc::clone(&seen), Arc::new(answer));
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let (log, answer, tls) = (Arc::clone(&log), Arc::clone(&answer), tls.clone());
                tokio::spawn(async move {
                    match tls {
                        None => reply(stream, &log, answer.as_ref()).await,
                        Some(tls) => match tls.accept(stream).await {
                            Ok(stream) => reply(stream, &log, answer.as_ref()).await,
                            Err(_) => None,
                        },
                    }
                });
            }
        });
        Self { port, seen }
    }

    fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }

    fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

/// A request in full, with its body.
async fn read_request(stream: &mut (impl AsyncRead + Unpin)) -> Option<String> {
    let mut read = Vec::new();
    loop {
        if stream.read_buf(&mut read).await.ok()? == 0 {
            return None;
        }
        let text = String::from_utf8_lossy(&read).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
            return Some(text);
        }
    }
}

async fn reply(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    log: &Mutex<Vec<String>>,
    answer: &(impl Fn(&str) -> String + ?Sized),
) -> Option<()> {
    let request = read_request(&mut stream).await?;
    let text = answer(&request);
    log.lock().unwrap().push(request);
    stream.write_all(text.as_bytes()).await.ok()?;
    stream.shutdown().await.ok()
}

fn ok(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len())
}

fn redirect(status: u16, location: &str) -> String {
    format!("HTTP/1.1 {status} Moved\r\nlocation: {location}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
}

fn limits() -> HttpLimits {
    HttpLimits { timeout: LONG, connect_timeout: LONG, calls: 100, ..HttpLimits::default() }
}

fn fetcher(public: &[&str], private: &[&str], limits: HttpLimits, resolver: Arc<dyn Resolver>) -> Fetcher {
    let own = |entries: &[&str]| entries.iter().map(|&entry| entry.to_owned()).collect::<Vec<_>>();
    Fetcher::new(Gate::parse(&own(public), &own(private)).unwrap(), vec!["key".to_owned()], limits, resolver)
}

fn local(origins: &[&str]) -> Fetcher {
    fetcher(&[], origins, limits(), Table::new(&[]))
}

fn get(url: impl Into<String>) -> Request {
    Request {
        method: Method::Get,
        url: url.into(),
        headers: Vec::new(),
        body: Vec::new(),
        credentials: Vec::new(),
        timeout: None,
    }
}

fn post(url: impl Into<String>, body: &str) -> Request {
    Request { method: Method::Post, body: body.as_bytes().to_vec(), ..get(url) }
}

fn with(place: Place, form: Form, request: Request) -> Request {
    let credential = Credential { secret: "key".to_owned(), place, form };
    Request { credentials: vec![credential], ..request }
}

fn bearer(request: Request) -> Request {
    with(Place::Header("authorization".to_owned()), Form::Plain { prefix: "Bearer ".to_owned() }, request)
}

fn query(request: Request) -> Request {
    with(Place::Query("api_key".to_owned()), Form::Plain { prefix: String::new() }, request)
}

async fn fetch(fetcher: &Fetcher, request: Request) -> Result<Response, FetchError> {
    let result = fetcher.fetch(request, &OneSecret, &mut Meter::default()).await;
    if let Err(error) = &result {
        let text = format!("{error} {error:?}");
        assert!(!text.contains(SECRET) && !text.contains("api_key"), "{text}");
    }
    result
}

async fn refused(fetcher: &Fetcher, url: &str) -> FetchError {
    fetch(fetcher, get(url)).await.expect_err(url)
}

#[tokio::test]
async fn a_private_host_granted_by_name_answers() {
    let server = Server::start(|_| ok("hello")).await;
    let fetcher = local(&[&server.origin()]);
    let mut request = get(format!("{}/a?b=c#d", server.origin()));
    request.headers.push(("X-Own".to_owned(), "1".to_owned()));
    let response = fetch(&fetcher, request).await.unwrap();
    assert_eq!((response.status, response.body.as_slice()), (200, b"hello".as_slice()));
    let seen = server.seen();
    assert!(seen[0].starts_with("GET /a?b=c HTTP/1.1\r\n"), "{seen:?}");
    let agent = format!("user-agent: Masthead/{}\r\n", env!("CARGO_PKG_VERSION"));
    assert!(seen[0].contains(&agent) && seen[0].contains("x-own: 1\r\n"), "{seen:?}");
    assert!(!seen[0].contains("accept-encoding") && !seen[0].contains("referer"), "{seen:?}");
}

#[tokio::test]
async fn a_private_name_is_resolved_and_its_trailing_dot_left_out() {
    let server = Server::start(|_| ok("")).await;
    let origin = format!("http://intranet.test:{}", server.port);
    let fetcher = fetcher(&[], &[&origin], limits(), Table::new(&[("intranet.test", &[&["127.0.0.1"]])]));
    let response = fetch(&fetcher, get(format!("http://INTRANET.test.:{}/", server.port))).await.unwrap();
    assert_eq!(response.status, 200);
    assert!(server.seen()[0].contains(&format!("host: intranet.test:{}\r\n", server.port)), "{:?}", server.seen());
}

#[tokio::test]
async fn what_is_not_granted_is_not_tried() {
    let server = Server::start(|_| ok("")).await;
    let port = server.port;
    let names = Table::new(&[("good.test", &[&["127.0.0.1"]]), ("evil.test", &[&["127.0.0.1"]])]);
    let fetcher = fetcher(&["https://good.test"], &[&format!("http://good.test:{port}")], limits(), names);
    for url in [
        format!("http://evil.test:{port}/"),
        format!("http://good.test:{}/", port ^ 1),
        format!("https://good.test:{port}/"),
        format!("http://127.0.0.1:{port}/"),
        format!("http://2130706433:{port}/"),
        format!("http://[::ffff:127.0.0.1]:{port}/"),
        "http://good.test/".to_owned(),
    ] {
        assert!(matches!(refused(&fetcher, &url).await, FetchError::NotGranted(_)), "{url}");
    }
    for url in ["http://[::ffff:169.254.169.254]/latest", "http://169.254.169.254/", "http://2852039166/"] {
        assert!(matches!(refused(&fetcher, url).await, FetchError::AddressRefused(_)), "{url}");
    }
    for url in ["/relative", "ftp://good.test/", &format!("http://u:p@good.test:{port}/"), "http://good.test:0/", ""] {
        assert!(matches!(refused(&fetcher, url).await, FetchError::Invalid(_)), "{url}");
    }
    assert_eq!(server.seen(), Vec::<String>::new());
}

#[tokio::test]
async fn a_public_name_that_leads_inward_is_refused_at_connecting() {
    let server = Server::start(|_| ok("")).await;
    let origin = format!("http://api.test:{}", server.port);
    for answer in [&["127.0.0.1"][..], &["8.8.8.8", "127.0.0.1"], &["127.0.0.1", "8.8.8.8"], &["::ffff:127.0.0.1"]] {
        let fetcher = fetcher(&[&origin], &[], limits(), Table::new(&[("api.test", &[answer])]));
        let error = refused(&fetcher, &format!("{origin}/?api_key=x")).await;
        assert!(matches!(error, FetchError::AddressRefused(_)), "{answer:?}: {error}");
        assert!(error.to_string().contains("a loopback address"), "{error}");
    }
    assert_eq!(server.seen(), Vec::<String>::new());
}

#[tokio::test]
async fn a_private_name_that_turns_to_the_metadata_service_is_refused() {
    let server = Server::start(|_| ok("")).await;
    let origin = format!("http://intranet.test:{}", server.port);
    let names = Table::new(&[("intranet.test", &[&["127.0.0.1"], &["169.254.169.254"]])]);
    let fetcher = fetcher(&[], &[&origin], limits(), names);
    assert_eq!(fetch(&fetcher, get(&origin)).await.unwrap().status, 200);
    let error = refused(&fetcher, &origin).await;
    assert!(matches!(&error, FetchError::AddressRefused(text) if text.contains("which no grant opens")), "{error}");
}

#[tokio::test]
async fn a_grant_for_another_port_lends_no_reach() {
    let server = Server::start(|_| ok("")).await;
    let (public, private) = (format!("http://h.test:{}", server.port), "http://h.test:1");
    let fetcher = fetcher(&[&public], &[private], limits(), Table::new(&[("h.test", &[&["127.0.0.1"]])]));
    assert!(matches!(refused(&fetcher, &public).await, FetchError::AddressRefused(_)));
}

#[tokio::test]
async fn redirects_are_followed_within_the_grants() {
    let server = Server::start(|request| match request.split(' ').nth(1).unwrap() {
        "/a/start" => redirect(302, "next?x=1#part"),
        "/a/next?x=1" => redirect(308, "/end"),
        "/end" => ok("end"),
        other => panic!("{other}"),
    })
    .await;
    let fetcher = local(&[&server.origin()]);
    assert_eq!(fetch(&fetcher, get(format!("{}/a/start", server.origin()))).await.unwrap().body, b"end");
}

#[tokio::test]
async fn redirects_out_of_the_grants_are_refused() {
    let inner = Server::start(|_| ok("inner")).await;
    for (location, address) in [
        ("http://evil.test/".to_owned(), false),
        (inner.origin(), false),
        ("//127.0.0.1:1/".to_owned(), false),
        ("http://10.0.0.1/".to_owned(), false),
        ("http://169.254.169.254/latest/meta-data/".to_owned(), true),
        ("http://[::ffff:a9fe:a9fe]/".to_owned(), true),
        ("http://0xa9fea9fe/".to_owned(), true),
    ] {
        let server = Server::start({
            let location = location.clone();
            move |_| redirect(302, &location)
        })
        .await;
        let error = refused(&local(&[&server.origin()]), &server.origin()).await;
        let fits = if address {
            matches!(error, FetchError::AddressRefused(_))
        } else {
            matches!(error, FetchError::NotGranted(_))
        };
        assert!(fits && error.to_string().contains(&server.origin()), "{location}: {error}");
    }
    // Granted, but as a public host.
    let server = Server::start(|_| redirect(307, "http://api.test:1/")).await;
    let names = Table::new(&[("api.test", &[&["127.0.0.1"]])]);
    let fetcher = fetcher(&["http://api.test:1"], &[&server.origin()], limits(), names);
    assert!(matches!(refused(&fetcher, &server.origin()).await, FetchError::AddressRefused(_)));
    for location in ["file:///etc/passwd", "http://user@127.0.0.1/", "javascript:1"] {
        let server = Server::start(move |_| redirect(302, location)).await;
        let error = refused(&local(&[&server.origin()]), &server.origin()).await;
        assert!(matches!(error, FetchError::Invalid(_)), "{location}: {error}");
    }
    assert_eq!(inner.seen(), Vec::<String>::new());
}

#[tokio::test]
async fn a_redirect_loop_ends() {
    let server = Server::start(|_| redirect(302, "/again")).await;
    let fetcher = local(&[&server.origin()]);
    assert_eq!(refused(&fetcher, &server.origin()).await, FetchError::TooManyRedirects(3));
    assert_eq!(server.seen().len(), 4);
}

#[tokio::test]
async fn a_redirect_changes_the_method_as_browsers_do() {
    for (status, method, wanted) in [
        (301, Method::Post, "GET"),
        (302, Method::Post, "GET"),
        (303, Method::Post, "GET"),
        (303, Method::Put, "GET"),
        (303, Method::Head, "HEAD"),
        (302, Method::Put, "PUT"),
        (307, Method::Post, "POST"),
        (308, Method::Post, "POST"),
    ] {
        let server = Server::start(move |request| match request.split(' ').nth(1).unwrap() {
            "/" => redirect(status, "/to"),
            _ => ok(""),
        })
        .await;
        let mut request = post(server.origin(), if method == Method::Head { "" } else { "body" });
        request.method = method;
        request.headers.push(("content-type".to_owned(), "text/plain".to_owned()));
        fetch(&local(&[&server.origin()]), request).await.unwrap();
        let second = server.seen()[1].clone();
        assert!(second.starts_with(&format!("{wanted} /to ")), "{status} {method:?}: {second}");
        let kept = !matches!(wanted, "GET" | "HEAD");
        assert_eq!(second.ends_with("\r\n\r\nbody"), kept, "{status} {method:?}: {second}");
        assert_eq!(second.contains("text/plain"), wanted != "GET", "{status} {method:?}: {second}");
    }
}

#[tokio::test]
async fn responses_and_headers_have_caps() {
    let small = HttpLimits { response_bytes: 1000, header_bytes: 500, request_bytes: 100, ..limits() };
    let server = Server::start(|request| match request.split(' ').nth(1).unwrap() {
        "/exact" => ok(&"x".repeat(1000)),
        "/announced" => ok(&"x".repeat(1001)),
        "/chunked" => {
            let chunk = format!("100\r\n{}\r\n", "x".repeat(256));
            format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{}0\r\n\r\n", chunk.repeat(4))
        }
        "/endless" => format!("HTTP/1.1 200 OK\r\n\r\n{}", "x".repeat(5000)),
        "/head" => format!("HTTP/1.1 200 OK\r\nx-big: {}\r\ncontent-length: 0\r\n\r\n", "x".repeat(500)),
        "/huge" => format!("HTTP/1.1 200 OK\r\nx-big: {}\r\ncontent-length: 0\r\n\r\n", "x".repeat(600_000)),
        "/away" => redirect(302, &format!("/{}", "x".repeat(500))),
        other => panic!("{other}"),
    })
    .await;
    let fetcher = fetcher(&[], &[&server.origin()], small, Table::new(&[]));
    let url = |path: &str| format!("{}{path}", server.origin());
    assert_eq!(fetch(&fetcher, get(url("/exact"))).await.unwrap().body.len(), 1000);
    for path in ["/announced", "/chunked", "/endless", "/head", "/away"] {
        assert!(matches!(refused(&fetcher, &url(path)).await, FetchError::TooLarge(_)), "{path}");
    }
    assert!(matches!(refused(&fetcher, &url("/huge")).await, FetchError::Connect(_)));
    // A length without a body.
    let head = Request { method: Method::Head, ..get(url("/announced")) };
    assert_eq!(fetch(&fetcher, head).await.unwrap().body, b"");

    let sent = server.seen().len();
    let too_large = fetch(&fetcher, post(url("/exact"), &"x".repeat(101))).await;
    assert!(matches!(too_large, Err(FetchError::TooLarge(_))));
    assert!(matches!(refused(&fetcher, &url(&format!("/{}", "x".repeat(500)))).await, FetchError::TooLarge(_)));
    assert_eq!(server.seen().len(), sent);
}

#[tokio::test]
async fn an_instance_has_so_many_calls_and_bytes() {
    let server = Server::start(|_| ok(&"x".repeat(300))).await;
    let few = HttpLimits { calls: 2, ..limits() };
    let limited = fetcher(&[], &[&server.origin()], few, Table::new(&[]));
    let mut meter = Meter::default();
    for _ in 0..2 {
        limited.fetch(get(server.origin()), &OneSecret, &mut meter).await.unwrap();
    }
    let third = limited.fetch(get(server.origin()), &OneSecret, &mut meter).await;
    assert_eq!(third, Err(FetchError::TooManyCalls(2)));
    assert!(meter.calls == 2 && (600..1000).contains(&meter.bytes), "{meter:?}");

    // Refused ones count: a plugin cannot search for open doors without end.
    let mut meter = Meter::default();
    for _ in 0..2 {
        limited.fetch(get("http://evil.test/"), &OneSecret, &mut meter).await.unwrap_err();
    }
    let third = limited.fetch(get(server.origin()), &OneSecret, &mut meter).await;
    assert_eq!(third, Err(FetchError::TooManyCalls(2)));

    let little = HttpLimits { total_bytes: 1000, ..limits() };
    let limited = fetcher(&[], &[&server.origin()], little, Table::new(&[]));
    let mut meter = Meter::default();
    let mut results = Vec::new();
    for _ in 0..4 {
        results.push(limited.fetch(get(server.origin()), &OneSecret, &mut meter).await);
    }
    assert!(results[0].is_ok() && matches!(results[3], Err(FetchError::TooLarge(_))), "{results:?}");
}

/// A server that says as much as given, in answer to a request, and then nothing.
async fn stalling(text: &'static str) -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        let mut held = Vec::new();
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            if !text.is_empty() {
                read_request(&mut stream).await.unwrap();
                stream.write_all(text.as_bytes()).await.unwrap();
            }
            held.push(stream);
        }
    });
    port
}

#[tokio::test]
async fn slow_headers_and_bodies_meet_the_deadline() {
    for text in ["", "HTTP/1.1 200 OK\r\nx-a: 1", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx"] {
        let origin = format!("http://127.0.0.1:{}", stalling(text).await);
        let limited = fetcher(&[], &[&origin], HttpLimits { timeout: SHORT, ..limits() }, Table::new(&[]));
        let start = Instant::now();
        assert_eq!(refused(&limited, &origin).await, FetchError::Timeout(SHORT));
        assert!(start.elapsed() < LONG / 2);
        // A plugin may want to wait less, not more.
        let generous = HttpLimits { timeout: LONG, ..limits() };
        let generous = fetcher(&[], &[&origin], generous, Table::new(&[]));
        let impatient = Request { timeout: Some(SHORT), ..get(&origin) };
        assert_eq!(fetch(&generous, impatient).await, Err(FetchError::Timeout(SHORT)));
        let patient = Request { timeout: Some(LONG), ..get(&origin) };
        assert_eq!(fetch(&limited, patient).await, Err(FetchError::Timeout(SHORT)));
    }
}

#[tokio::test]
async fn redirects_share_one_deadline() {
    let stalled = format!("http://127.0.0.1:{}", stalling("").await);
    let server = Server::start({
        let stalled = stalled.clone();
        move |_| redirect(302, &stalled)
    })
    .await;
    let limits = HttpLimits { timeout: SHORT, ..limits() };
    let fetcher = fetcher(&[], &[&server.origin(), &stalled], limits, Table::new(&[]));
    assert_eq!(refused(&fetcher, &server.origin()).await, FetchError::Timeout(SHORT));
}

struct Silent;

impl Resolver for Silent {
    fn resolve<'a>(&'a self, _: &'a str) -> Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>> {
        Box::pin(pending())
    }
}

#[tokio::test]
async fn a_hanging_connection_meets_the_limit_for_connecting() {
    let limits = || HttpLimits { connect_timeout: SHORT, ..limits() };
    let names = fetcher(&["http://api.test"], &[], limits(), Arc::new(Silent));
    assert_eq!(refused(&names, "http://api.test/").await, FetchError::Timeout(SHORT));

    // The TLS handshake never ends.
    let origin = format!("https://127.0.0.1:{}", stalling("").await);
    let handshake = trusting(fetcher(&[], &[&origin], limits(), Table::new(&[])), &certificate("other.test").0);
    assert_eq!(refused(&handshake, &origin).await, FetchError::Timeout(SHORT));

    // The listener takes no connection, and its queue is full.
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
    let listener = socket.listen(1).unwrap();
    let address = listener.local_addr().unwrap();
    let mut queue = Vec::new();
    while let Ok(stream) = tokio::time::timeout(SHORT, TcpStream::connect(address)).await {
        queue.push(stream.unwrap());
        assert!(queue.len() < 100, "the queue takes connections without end");
    }
    let origin = format!("http://{address}");
    let connecting = fetcher(&[], &[&origin], limits(), Table::new(&[]));
    assert_eq!(refused(&connecting, &origin).await, FetchError::Timeout(SHORT));
}

#[tokio::test]
async fn a_closed_port_and_an_unknown_name_are_said() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let fetcher = fetcher(&["http://nowhere.test"], &[&origin], limits(), Table::new(&[]));
    let error = fetch(&fetcher, query(get(format!("{origin}/path")))).await.unwrap_err();
    assert!(
        matches!(&error, FetchError::Connect(text) if text.contains("refused") && text.contains(&origin)),
        "{error}"
    );
    let error = fetch(&fetcher, query(get("http://nowhere.test/path"))).await.unwrap_err();
    assert!(matches!(&error, FetchError::Connect(text) if text.contains("no such name")), "{error}");
}

#[tokio::test]
async fn only_so_many_requests_are_under_way() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    let (active, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let counted = Arc::clone(&most);
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let (active, most) = (Arc::clone(&active), Arc::clone(&counted));
            tokio::spawn(async move {
                read_request(&mut stream).await.unwrap();
                most.fetch_max(active.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis(50)).await;
                active.fetch_sub(1, Ordering::SeqCst);
                stream.write_all(ok("").as_bytes()).await.unwrap();
            });
        }
    });
    let limits = HttpLimits { concurrent_per_site: 2, ..limits() };
    let fetcher = Arc::new(fetcher(&[], &[&origin], limits, Table::new(&[])));
    let tasks: Vec<_> = (0..8)
        .map(|_| {
            let (fetcher, origin) = (Arc::clone(&fetcher), origin.clone());
            tokio::spawn(async move { fetch(&fetcher, get(origin)).await.unwrap() })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(most.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn credentials_arrive() {
    let server = Server::start(|_| ok("")).await;
    let fetcher = local(&[&server.origin()]);
    fetch(&fetcher, bearer(get(server.origin()))).await.unwrap();
    let basic = Form::Basic { user: "journal".to_owned() };
    fetch(&fetcher, with(Place::Header("Authorization".to_owned()), basic, get(server.origin()))).await.unwrap();
    fetch(&fetcher, query(get(format!("{}/?q=1", server.origin())))).await.unwrap();
    let plain = Form::Plain { prefix: String::new() };
    fetch(&fetcher, with(Place::FormField("password".to_owned()), plain, post(server.origin(), "a=1"))).await.unwrap();
    let seen = server.seen();
    assert!(seen[0].contains(&format!("\r\nauthorization: Bearer {SECRET}\r\n")), "{}", seen[0]);
    assert!(seen[1].contains("\r\nauthorization: Basic am91cm5hbDpzM2NyM3Qtb2YtdGhlLXNpdGU=\r\n"), "{}", seen[1]);
    assert!(seen[2].starts_with(&format!("GET /?q=1&api_key={SECRET} HTTP/1.1\r\n")), "{}", seen[2]);
    assert!(seen[3].ends_with(&format!("\r\n\r\na=1&password={SECRET}")), "{}", seen[3]);
}

#[tokio::test]
async fn digests_arrive() {
    let server = Server::start(|_| ok("")).await;
    let fetcher = local(&[&server.origin()]);
    // As a translation gateway wants it: the MD5 of app id, text, salt and secret.
    let text = |text: &str| Part::Text(text.to_owned());
    let (encoding, prefix) = (Encoding::Hex, String::new());
    let parts = vec![text("appid"), text("apple"), text("1435660288"), Part::Secret];
    let sign = Form::Digest { algorithm: Algorithm::Md5, parts, encoding, prefix };
    let url = format!("{}/?q=apple&salt=1435660288", server.origin());
    fetch(&fetcher, with(Place::Query("sign".to_owned()), sign, get(url))).await.unwrap();

    let (encoding, prefix) = (Encoding::Base64, "sha256=".to_owned());
    let sign = Form::Digest { algorithm: Algorithm::HmacSha256, parts: vec![Part::Body], encoding, prefix };
    let request = post(server.origin(), r#"{"to":"1"}"#);
    fetch(&fetcher, with(Place::Header("x-signature".to_owned()), sign, request)).await.unwrap();
    let seen = server.seen();
    assert!(
        seen[0].starts_with("GET /?q=apple&salt=1435660288&sign=1237c5b973d1d0d184b7c2459ae07be6 HTTP/1.1"),
        "{}",
        seen[0]
    );
    assert!(
        seen[1].contains("\r\nx-signature: sha256=DQazoZ34zsDQi4iDkSzNsBjGiRQ2ylR+qbFfLgnx9to=\r\n"),
        "{}",
        seen[1]
    );
}

#[tokio::test]
async fn only_granted_secrets_are_used() {
    let server = Server::start(|_| ok("")).await;
    let fetcher = local(&[&server.origin()]);
    let mut request = bearer(get(server.origin()));
    request.credentials[0].secret = "other".to_owned();
    assert_eq!(fetch(&fetcher, request).await, Err(FetchError::SecretNotGranted("other".to_owned())));
    struct None_;
    impl Secrets for None_ {
        fn get(&self, _: &str) -> Option<String> {
            None
        }
    }
    let result = fetcher.fetch(bearer(get(server.origin())), &None_, &mut Meter::default()).await;
    assert_eq!(result, Err(FetchError::UnknownSecret("key".to_owned())));
    assert_eq!(server.seen(), Vec::<String>::new());
}

#[tokio::test]
async fn a_redirect_to_another_origin_goes_without_credentials() {
    let other = Server::start(|_| ok("")).await;
    let server = Server::start({
        let other = other.origin();
        // It repeats the query, as many do.
        move |request| redirect(307, &format!("{other}{}", request.split(' ').nth(1).unwrap()))
    })
    .await;
    let fetcher = local(&[&server.origin(), &other.origin()]);
    fetch(&fetcher, bearer(get(server.origin()))).await.unwrap();
    fetch(&fetcher, query(get(format!("{}/?q=1", server.origin())))).await.unwrap();
    let plain = Form::Plain { prefix: String::new() };
    fetch(&fetcher, with(Place::FormField("key".to_owned()), plain, post(server.origin(), "a=1"))).await.unwrap();
    assert!(server.seen().iter().all(|seen| seen.contains(SECRET)), "{:?}", server.seen());
    let seen = other.seen();
    assert!(
        seen.len() == 3 && seen.iter().all(|seen| !seen.contains(SECRET) && !seen.contains("authorization")),
        "{seen:?}"
    );
    assert!(seen[1].starts_with("GET /?q=1 HTTP/1.1\r\n") && seen[2].ends_with("\r\n\r\na=1"), "{seen:?}");
}

#[tokio::test]
async fn a_redirect_to_another_port_and_back_goes_without_credentials() {
    let back = Arc::new(Mutex::new(String::new()));
    let other = Server::start({
        let back = Arc::clone(&back);
        move |_| redirect(302, &format!("{}/chosen", back.lock().unwrap()))
    })
    .await;
    let server = Server::start({
        let other = other.origin();
        move |request| if request.starts_with("GET /chosen") { ok("") } else { redirect(302, &other) }
    })
    .await;
    *back.lock().unwrap() = server.origin();
    fetch(&local(&[&server.origin(), &other.origin()]), bearer(get(server.origin()))).await.unwrap();
    let seen = server.seen();
    assert!(seen[0].contains(SECRET) && !seen[1].contains(SECRET), "{seen:?}");
}

#[tokio::test]
async fn a_redirect_within_the_origin_keeps_credentials_once() {
    let server = Server::start(|request| match request.split(' ').nth(1).unwrap() {
        path if path.starts_with("/to") => ok(""),
        path => redirect(307, &format!("/to{path}")),
    })
    .await;
    let fetcher = local(&[&server.origin()]);
    fetch(&fetcher, query(get(format!("{}/a?q=1", server.origin())))).await.unwrap();
    assert!(
        server.seen()[1].starts_with(&format!("GET /to/a?q=1&api_key={SECRET} HTTP/1.1\r\n")),
        "{:?}",
        server.seen()
    );
    // A body that is gone takes its fields with it.
    let found = Server::start(|request| if request.starts_with("POST") { redirect(303, "/") } else { ok("") }).await;
    let plain = Form::Plain { prefix: String::new() };
    let request = with(Place::FormField("key".to_owned()), plain, post(found.origin(), "a=1"));
    fetch(&local(&[&found.origin()]), request).await.unwrap();
    assert!(found.seen()[0].contains(SECRET) && !found.seen()[1].contains(SECRET), "{:?}", found.seen());
}

/// A certificate that is its own authority, and what a server needs to use it.
fn certificate(name: &str) -> (rustls::pki_types::CertificateDer<'static>, tokio_rustls::TlsAcceptor) {
    let made = rcgen::generate_simple_self_signed([name.to_owned()]).unwrap();
    let certificate = made.cert.der().clone();
    let key = rustls::pki_types::PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.clone()], key)
        .unwrap();
    (certificate, tokio_rustls::TlsAcceptor::from(Arc::new(config)))
}

fn trusting(mut fetcher: Fetcher, authority: &rustls::pki_types::CertificateDer<'static>) -> Fetcher {
    fetcher.trusted = Some(tls::only(authority.clone()).unwrap());
    fetcher
}

#[tokio::test]
async fn https_is_spoken_and_not_given_up() {
    let (authority, acceptor) = certificate("secure.test");
    let clear = Server::start(|_| ok("clear")).await;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let down = clear.origin();
    let server = Server::on(listener, Some(acceptor), move |request| {
        if request.starts_with("GET /down") { redirect(301, &down) } else { ok("secret talk") }
    });
    let names = || Table::new(&[("secure.test", &[&["127.0.0.1"]]), ("wrong.test", &[&["127.0.0.1"]])]);
    let (origin, wrong) =
        (format!("https://secure.test:{}", server.port), format!("https://wrong.test:{}", server.port));
    let grants = [origin.as_str(), wrong.as_str(), &clear.origin()].map(str::to_owned);
    let make = || fetcher(&[], &grants.each_ref().map(String::as_str), limits(), names());

    let trusted = trusting(make(), &authority);
    assert_eq!(fetch(&trusted, bearer(get(&origin))).await.unwrap().body, b"secret talk");
    let error = refused(&trusted, &format!("{origin}/down")).await;
    assert!(matches!(&error, FetchError::NotGranted(text) if text.contains("no encryption")), "{error}");
    let error = refused(&trusted, &wrong).await;
    assert!(matches!(&error, FetchError::Connect(text) if text.contains("certificate")), "{error}");
    // The machine's own trust store does not know this authority; without any store it says so.
    let error = refused(&make(), &origin).await;
    assert!(matches!(&error, FetchError::Connect(text) if text.contains("certificate")), "{error}");
    assert_eq!((server.seen().len(), clear.seen().len()), (2, 0));
}

#[tokio::test]
async fn cookies_are_neither_kept_nor_shown() {
    let server = Server::start(|_| {
        "HTTP/1.1 200 OK\r\nset-cookie: a=b\r\nx-kept: 1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_owned()
    })
    .await;
    let fetcher = local(&[&server.origin()]);
    for _ in 0..2 {
        let headers = fetch(&fetcher, get(server.origin())).await.unwrap().headers;
        assert!(headers.iter().all(|(name, _)| name != "set-cookie" && name != "connection"), "{headers:?}");
        assert!(headers.contains(&("x-kept".to_owned(), "1".to_owned())));
    }
    assert!(server.seen().iter().all(|seen| !seen.contains("cookie")), "{:?}", server.seen());
}
