//! Reachable servers, and the exchanged headers.

use super::*;

#[tokio::test]
async fn a_private_host_that_is_granted_is_reached() {
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
async fn origins_without_a_grant_are_not_contacted() {
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
async fn a_public_name_with_an_internal_address_is_refused_at_connecting() {
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
async fn a_private_name_with_the_address_of_a_metadata_service_is_refused() {
    let server = Server::start(|_| ok("")).await;
    let origin = format!("http://intranet.test:{}", server.port);
    let names = Table::new(&[("intranet.test", &[&["127.0.0.1"], &["169.254.169.254"]])]);
    let fetcher = fetcher(&[], &[&origin], limits(), names);
    assert_eq!(fetch(&fetcher, get(&origin)).await.unwrap().status, 200);
    let error = refused(&fetcher, &origin).await;
    assert!(matches!(&error, FetchError::AddressRefused(text) if text.contains("which cannot be granted")), "{error}");
}

#[tokio::test]
async fn a_grant_for_another_port_does_not_apply() {
    let server = Server::start(|_| ok("")).await;
    let (public, private) = (format!("http://h.test:{}", server.port), "http://h.test:1");
    let fetcher = fetcher(&[&public], &[private], limits(), Table::new(&[("h.test", &[&["127.0.0.1"]])]));
    assert!(matches!(refused(&fetcher, &public).await, FetchError::AddressRefused(_)));
}

#[tokio::test]
async fn a_closed_port_and_an_unknown_name_are_reported() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let fetcher = fetcher(&["http://nowhere.test"], &[&origin], limits(), Table::new(&[]));
    let error = fetch(&fetcher, query(get(format!("{origin}/path")))).await.unwrap_err();
    assert!(
        matches!(&error, FetchError::Connect(text) if text.contains("refused") && text.contains(&origin)),
        "{error}"
    );
    let error = fetch(&fetcher, get("http://nowhere.test/path")).await.unwrap_err();
    assert!(matches!(&error, FetchError::Connect(text) if text.contains("no such name")), "{error}");
}

#[tokio::test]
async fn cookies_are_neither_kept_nor_passed_on() {
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
