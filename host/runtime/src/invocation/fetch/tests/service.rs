//! Requests of the host to the servers of a service.

use super::*;

const LIMITS: HostLimits = HostLimits { response_bytes: 1000, timeout: LONG, connect_timeout: LONG };

fn request(url: impl Into<String>) -> ServiceRequest {
    let headers = vec![("accept".to_owned(), "application/json".to_owned())];
    ServiceRequest { url: url.into(), headers, authorization: format!("Basic {SECRET}"), body: None }
}

fn client(base: &str, private: bool) -> Result<ServiceClient, HostFetchError> {
    let names = Table::new(&[("login.test", &[&["127.0.0.1"]]), ("inside.test", &[&["10.0.0.7"]])]);
    ServiceClient::with_resolver(base, private, LIMITS, names)
}

#[tokio::test]
async fn a_request_carries_its_headers_and_its_body_to_the_server_that_it_names() {
    let server = Server::start(|_| ok("{}")).await;
    let client = client(&server.origin(), true).unwrap();
    let read = client.send(request(format!("{}/keys?a=b", server.origin()))).await.unwrap();
    assert_eq!((read.status, read.body.as_slice()), (200, b"{}".as_slice()));
    let form = ServiceRequest { body: Some(b"grant_type=authorization_code".to_vec()), ..request(server.origin()) };
    client.send(form).await.unwrap();
    client.send(ServiceRequest { authorization: String::new(), ..request(server.origin()) }).await.unwrap();
    let [first, second, third] = &server.seen()[..] else { panic!("{:?}", server.seen()) };
    assert!(first.starts_with("GET /keys?a=b HTTP/1.1\r\n") && first.contains("\r\naccept: application/json\r\n"));
    assert!(first.contains(&format!("\r\nauthorization: Basic {SECRET}\r\n")), "{first}");
    assert!(second.starts_with("POST / ") && second.ends_with("\r\n\r\ngrant_type=authorization_code"), "{second}");
    assert!(!third.contains("authorization"), "{third}");
}

#[tokio::test]
async fn only_the_services_own_address_may_be_in_the_operators_network() {
    let (own, other) = (Server::start(|_| ok("{}")).await, Server::start(|_| ok("{}")).await);
    assert!(matches!(client(&own.origin(), false).err(), Some(HostFetchError::Private(_))));
    let service = client(&own.origin(), true).unwrap();
    assert!(service.send(request(own.origin())).await.is_ok());
    for url in [other.origin(), "https://login.test/".to_owned(), "https://inside.test/token".to_owned()] {
        let failed = service.send(request(&url)).await;
        assert!(matches!(failed, Err(HostFetchError::Private(_))), "{url}: {failed:?}");
    }
    assert_eq!(other.seen(), Vec::<String>::new());
    for url in ["https://169.254.169.254/latest", "https://[fd00:ec2::254]/"] {
        assert!(matches!(service.send(request(url)).await, Err(HostFetchError::Private(_))), "{url}");
        assert!(matches!(client(url, true).err(), Some(HostFetchError::Forbidden(_))), "{url}");
    }
}

#[tokio::test]
async fn nothing_is_sent_without_encryption_and_no_redirect_is_followed() {
    let other = Server::start(|_| ok("other")).await;
    let target = other.origin();
    let server = Server::start(move |request| match request.split(' ').nth(1) {
        Some("/away") => redirect(307, &target),
        Some("/here") => redirect(302, "/"),
        _ => ok(&"x".repeat(1001)),
    })
    .await;
    for address in
        ["http://login.test/", "http://localhost/", "ftp://login.test/", "https://u:p@login.test/", "login.test"]
    {
        assert!(matches!(client(address, true).err(), Some(HostFetchError::Address(_))), "{address}");
    }
    let client = client(&server.origin(), true).unwrap();
    for path in ["/away", "/here"] {
        let failed = client.send(request(format!("{}{path}", server.origin()))).await;
        assert!(matches!(&failed, Err(HostFetchError::Failed(why)) if why.contains("redirects")), "{path}: {failed:?}");
    }
    let long = client.send(request(server.origin())).await;
    assert!(matches!(&long, Err(HostFetchError::Failed(why)) if why.contains("1000 bytes")), "{long:?}");
    let plain = client.send(request(format!("http://login.test:{}/", other.port))).await;
    assert!(matches!(plain, Err(HostFetchError::Address(_))), "{plain:?}");
    assert_eq!(other.seen(), Vec::<String>::new());
}

#[tokio::test]
async fn a_service_that_names_ever_more_servers_is_stopped() {
    let client = client("https://login.test/", false).unwrap();
    let mut refused = None;
    for port in 1..20 {
        let failed = client.send(request(format!("https://login.test:{port}/"))).await.unwrap_err();
        refused = refused.or_else(|| failed.to_string().contains("other servers").then_some(port));
    }
    assert_eq!(refused, Some(8));
}
