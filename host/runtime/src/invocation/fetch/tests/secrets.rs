//! Credentials in sent requests, and requests that must not have them.

use super::*;

#[tokio::test]
async fn credentials_arrive() {
    let server = Server::start(|_| ok("")).await;
    let fetcher = local(&[&server.origin()]);
    fetch(&fetcher, bearer(get(server.origin()))).await.unwrap();
    let basic = Form::Basic { user: "journal".to_owned() };
    fetch(&fetcher, with(CredentialPlace::Header("Authorization".to_owned()), basic, get(server.origin())))
        .await
        .unwrap();
    fetch(&fetcher, query(get(format!("{}/?q=1", server.origin())))).await.unwrap();
    let plain = Form::Plain { prefix: String::new() };
    fetch(&fetcher, with(CredentialPlace::FormField("password".to_owned()), plain, post(server.origin(), "a=1")))
        .await
        .unwrap();
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
    // The signature of a translation gateway: the MD5 of app id, text, salt and secret.
    let text = |text: &str| DigestPart::Text(text.to_owned());
    let (encoding, prefix) = (Encoding::Hex, String::new());
    let parts = vec![text("appid"), text("apple"), text("1435660288"), DigestPart::Secret];
    let sign = Form::Digest { algorithm: Algorithm::Md5, parts, encoding, prefix };
    let url = format!("{}/?q=apple&salt=1435660288", server.origin());
    fetch(&fetcher, with(CredentialPlace::Query("sign".to_owned()), sign, get(url))).await.unwrap();

    let (encoding, prefix) = (Encoding::Base64, "sha256=".to_owned());
    let sign = Form::Digest { algorithm: Algorithm::HmacSha256, parts: vec![DigestPart::Body], encoding, prefix };
    let request = post(server.origin(), r#"{"to":"1"}"#);
    fetch(&fetcher, with(CredentialPlace::Header("x-signature".to_owned()), sign, request)).await.unwrap();
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
    let result = fetcher.fetch(bearer(get(server.origin())), &None_, &mut FetchUsage::default()).await;
    assert_eq!(result, Err(FetchError::UnknownSecret("key".to_owned())));
    assert_eq!(server.seen(), Vec::<String>::new());
}

#[tokio::test]
async fn a_secret_is_sent_to_the_origins_that_it_is_bound_to_only() {
    let (gateway, other) = (Server::start(|_| ok("")).await, Server::start(|_| ok("")).await);
    let granted = [gateway.origin(), other.origin()];
    let granted = granted.each_ref().map(String::as_str);
    let fetcher = bound_fetcher(&[], &granted, vec![gateway.origin()], limits(), Table::new(&[]));
    fetch(&fetcher, bearer(get(gateway.origin()))).await.unwrap();
    let plain = || Form::Plain { prefix: String::new() };
    for request in [
        bearer(get(other.origin())),
        query(get(other.origin())),
        with(CredentialPlace::FormField("key".to_owned()), plain(), post(other.origin(), "a=1")),
    ] {
        let error = fetch(&fetcher, request).await.unwrap_err();
        let expected = FetchError::SecretNotBound { secret: "key".to_owned(), origin: other.origin() };
        assert_eq!(error, expected);
    }
    // The plugin may reach the other server, without the secret.
    fetch(&fetcher, get(other.origin())).await.unwrap();
    assert!(gateway.seen()[0].contains(SECRET), "{:?}", gateway.seen());
    assert!(other.seen().len() == 1 && !other.seen()[0].contains(SECRET), "{:?}", other.seen());
}

#[tokio::test]
async fn a_redirect_to_another_origin_is_followed_without_credentials() {
    let other = Server::start(|_| ok("")).await;
    let server = Server::start({
        let other = other.origin();
        // The server repeats the query, as many do.
        move |request| redirect(307, &format!("{other}{}", request.split(' ').nth(1).unwrap()))
    })
    .await;
    let fetcher = local(&[&server.origin(), &other.origin()]);
    fetch(&fetcher, bearer(get(server.origin()))).await.unwrap();
    fetch(&fetcher, query(get(format!("{}/?q=1", server.origin())))).await.unwrap();
    let plain = Form::Plain { prefix: String::new() };
    fetch(&fetcher, with(CredentialPlace::FormField("key".to_owned()), plain, post(server.origin(), "a=1")))
        .await
        .unwrap();
    assert!(server.seen().iter().all(|seen| seen.contains(SECRET)), "{:?}", server.seen());
    let seen = other.seen();
    assert!(
        seen.len() == 3 && seen.iter().all(|seen| !seen.contains(SECRET) && !seen.contains("authorization")),
        "{seen:?}"
    );
    assert!(seen[1].starts_with("GET /?q=1 HTTP/1.1\r\n") && seen[2].ends_with("\r\n\r\na=1"), "{seen:?}");
}

#[tokio::test]
async fn a_redirect_to_another_port_and_back_is_followed_without_credentials() {
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
    // A redirect that drops the body drops its fields.
    let found = Server::start(|request| if request.starts_with("POST") { redirect(303, "/") } else { ok("") }).await;
    let plain = Form::Plain { prefix: String::new() };
    let request = with(CredentialPlace::FormField("key".to_owned()), plain, post(found.origin(), "a=1"));
    fetch(&local(&[&found.origin()]), request).await.unwrap();
    assert!(found.seen()[0].contains(SECRET) && !found.seen()[1].contains(SECRET), "{:?}", found.seen());
}
