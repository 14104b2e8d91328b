//! Requests of the host itself.

use super::*;

const LIMITS: HostLimits = HostLimits { response_bytes: 1000, timeout: LONG, connect_timeout: LONG };

fn client(base: &str, private: bool) -> HostClient {
    let names = Table::new(&[("library.test", &[&["127.0.0.1"]])]);
    HostClient::with_resolver(base, private, LIMITS, names).unwrap()
}

#[tokio::test]
async fn parameters_are_added_to_the_query_of_the_address() {
    let server = Server::start(|_| {
        "HTTP/1.1 503 Busy\r\nretry-after: 7\r\ncontent-length: 4\r\nconnection: close\r\n\r\nbusy".to_owned()
    })
    .await;
    let base = format!("http://library.test:{}/index.php?page=oai", server.port);
    let answer = client(&base, true).get(&[("verb", "ListRecords"), ("resumptionToken", "a b&c/\u{e9}")]).await;
    let expected = HostResponse { status: 503, retry_after: "7".to_owned(), body: b"busy".to_vec() };
    assert_eq!(answer, Ok(expected));
    let seen = server.seen();
    let line = "GET /index.php?page=oai&verb=ListRecords&resumptionToken=a+b%26c%2F%C3%A9 HTTP/1.1";
    assert!(seen[0].starts_with(line), "{seen:?}");
}

#[tokio::test]
async fn private_addresses_are_contacted_only_where_they_are_allowed() {
    let server = Server::start(|_| ok("hello")).await;
    let base = format!("http://library.test:{}/oai", server.port);
    let refused = client(&base, false).get(&[]).await;
    assert_eq!(refused, Err(HostFetchError::Private("library.test".to_owned())));
    assert_eq!(server.seen(), Vec::<String>::new());
    assert_eq!(client(&base, true).get(&[]).await.unwrap().body, b"hello");
    let literal = |private| HostClient::new("http://169.254.169.254/", private, LIMITS).err();
    assert!(matches!(literal(true), Some(HostFetchError::Forbidden(_))));
    assert!(matches!(HostClient::new(&server.origin(), false, LIMITS).err(), Some(HostFetchError::Private(_))));
    for wrong in ["ftp://library.test/", "library.test", "http://u:p@library.test/", ""] {
        assert!(matches!(HostClient::new(wrong, true, LIMITS).err(), Some(HostFetchError::Address(_))), "{wrong}");
    }
}

#[tokio::test]
async fn redirects_to_other_servers_are_not_followed_and_long_answers_not_read() {
    let other = Server::start(|_| ok("other")).await;
    let target = format!("http://library.test:{}/", other.port);
    let server = Server::start(move |request| match request.split(' ').nth(1) {
        Some("/here") => redirect(301, "/there"),
        Some("/there") => ok("there"),
        Some("/long") => ok(&"x".repeat(1001)),
        _ => redirect(302, &target),
    })
    .await;
    let get = async |path: &str| client(&format!("http://library.test:{}{path}", server.port), true).get(&[]).await;
    assert_eq!(get("/here").await.unwrap().body, b"there");
    assert_eq!(get("/away").await, Err(HostFetchError::Redirect("library.test".to_owned())));
    assert!(matches!(get("/long").await, Err(HostFetchError::Failed(why)) if why.contains("1000 bytes")));
    assert_eq!(other.seen(), Vec::<String>::new());
}
