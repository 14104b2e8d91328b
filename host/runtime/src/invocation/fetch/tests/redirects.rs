//! Redirects and their checks.

use super::*;

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
    for (status, method, expected) in [
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
        assert!(second.starts_with(&format!("{expected} /to ")), "{status} {method:?}: {second}");
        let kept = !matches!(expected, "GET" | "HEAD");
        assert_eq!(second.ends_with("\r\n\r\nbody"), kept, "{status} {method:?}: {second}");
        assert_eq!(second.contains("text/plain"), expected != "GET", "{status} {method:?}: {second}");
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

#[tokio::test]
async fn https_is_supported_and_not_downgraded() {
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
    // The machine's trust store does not have this authority; a machine without a trust store reports that.
    let error = refused(&make(), &origin).await;
    assert!(matches!(&error, FetchError::Connect(text) if text.contains("certificate")), "{error}");
    assert_eq!((server.seen().len(), clear.seen().len()), (2, 0));
}
