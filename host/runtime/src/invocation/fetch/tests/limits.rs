//! Limits on size, time and number of requests.

use futures::{StreamExt as _, stream::FuturesUnordered};

use super::*;

#[tokio::test]
async fn responses_and_headers_are_limited_in_size() {
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
async fn calls_and_bytes_of_an_instance_are_limited() {
    let server = Server::start(|_| ok(&"x".repeat(300))).await;
    let few = HttpLimits { calls: 2, ..limits() };
    let limited = fetcher(&[], &[&server.origin()], few, Table::new(&[]));
    let mut usage = FetchUsage::default();
    for _ in 0..2 {
        limited.fetch(get(server.origin()), &OneSecret, &mut usage).await.unwrap();
    }
    let third = limited.fetch(get(server.origin()), &OneSecret, &mut usage).await;
    assert_eq!(third, Err(FetchError::TooManyCalls(2)));
    assert!(usage.calls == 2 && (600..1000).contains(&usage.bytes), "{usage:?}");

    // Refused requests count, so that a plugin cannot scan for reachable servers.
    let mut usage = FetchUsage::default();
    for _ in 0..2 {
        limited.fetch(get("http://evil.test/"), &OneSecret, &mut usage).await.unwrap_err();
    }
    let third = limited.fetch(get(server.origin()), &OneSecret, &mut usage).await;
    assert_eq!(third, Err(FetchError::TooManyCalls(2)));

    let little = HttpLimits { total_bytes: 1000, ..limits() };
    let limited = fetcher(&[], &[&server.origin()], little, Table::new(&[]));
    let mut usage = FetchUsage::default();
    let mut results = Vec::new();
    for _ in 0..4 {
        results.push(limited.fetch(get(server.origin()), &OneSecret, &mut usage).await);
    }
    assert!(results[0].is_ok() && matches!(results[3], Err(FetchError::TooLarge(_))), "{results:?}");
}

#[tokio::test]
async fn slow_headers_and_bodies_end_at_the_deadline() {
    for text in ["", "HTTP/1.1 200 OK\r\nx-a: 1", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx"] {
        let origin = format!("http://127.0.0.1:{}", stalling(text).await);
        let limited = fetcher(&[], &[&origin], HttpLimits { timeout: SHORT, ..limits() }, Table::new(&[]));
        assert_eq!(refused(&limited, &origin).await, FetchError::Timeout(SHORT));
        // A plugin may want to wait less, not more.
        let generous = HttpLimits { timeout: LONG, ..limits() };
        let generous = fetcher(&[], &[&origin], generous, Table::new(&[]));
        let impatient = Request { timeout: Some(SHORT), ..get(&origin) };
        assert_eq!(fetch(&generous, impatient).await, Err(FetchError::Timeout(SHORT)));
        let patient = Request { timeout: Some(LONG), ..get(&origin) };
        assert_eq!(fetch(&limited, patient).await, Err(FetchError::Timeout(SHORT)));
    }
}

struct Silent;

impl Resolver for Silent {
    fn resolve<'a>(&'a self, _: &'a str) -> Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>> {
        Box::pin(pending())
    }
}

#[tokio::test]
async fn a_hanging_connection_ends_at_the_limit_for_connecting() {
    let limits = || HttpLimits { connect_timeout: SHORT, ..limits() };
    let names = fetcher(&["http://api.test"], &[], limits(), Arc::new(Silent));
    assert_eq!(refused(&names, "http://api.test/").await, FetchError::Timeout(SHORT));

    // The TLS handshake never completes.
    let origin = format!("https://127.0.0.1:{}", stalling("").await);
    let handshake = trusting(fetcher(&[], &[&origin], limits(), Table::new(&[])), &certificate("other.test").0);
    assert_eq!(refused(&handshake, &origin).await, FetchError::Timeout(SHORT));

    // The listener accepts no connection, and its queue is full.
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
    let listener = socket.listen(1).unwrap();
    let address = listener.local_addr().unwrap();
    // Many more connections than it holds are begun before the first of them is made; the others stand in line until the end.
    let mut queue: FuturesUnordered<_> = (0..64).map(|_| TcpStream::connect(address)).collect();
    let _made = queue.next().await.unwrap().unwrap();
    let origin = format!("http://{address}");
    let connecting = fetcher(&[], &[&origin], limits(), Table::new(&[]));
    assert_eq!(refused(&connecting, &origin).await, FetchError::Timeout(SHORT));
}

#[tokio::test]
async fn concurrent_requests_are_limited() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    let (active, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    // Responses in pairs, so that two requests are concurrent on the slowest machine.
    let pair = Arc::new(tokio::sync::Barrier::new(2));
    let counted = Arc::clone(&most);
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let (active, most, pair) = (Arc::clone(&active), Arc::clone(&counted), Arc::clone(&pair));
            tokio::spawn(async move {
                read_request(&mut stream).await.unwrap();
                most.fetch_max(active.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                pair.wait().await;
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
