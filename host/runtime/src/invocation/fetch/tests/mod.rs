//! Tests of requests over real sockets of this machine.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod host;
mod limits;
mod reach;
mod redirects;
mod secrets;
mod service;

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
    time::Duration,
};

use masthead_domain::plugin_use::SecretGrant;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpSocket, TcpStream},
};

use super::*;
use crate::contract::limits::HttpLimits;

const SECRET: &str = "s3cr3t-of-the-site";

/// Waits that end before on any machine, and those that a test sits out.
const LONG: Duration = Duration::from_secs(180);
const SHORT: Duration = Duration::from_millis(300);

struct OneSecret;

impl Secrets for OneSecret {
    fn get(&self, name: &str) -> Option<String> {
        (name == "key" || name == "other").then(|| SECRET.to_owned())
    }
}

/// Resolves names from a table; a name with several results returns them in turn, then the last one repeatedly.
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

/// A server that closes each connection after one response and records the requests.
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

/// Reads a whole request with its body.
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

pub(super) fn strings(entries: &[&str]) -> Vec<String> {
    entries.iter().map(|&entry| entry.to_owned()).collect()
}

/// The origins that a site grants.
pub(super) fn allowed(public: &[&str], private: &[&str]) -> AllowedOrigins {
    AllowedOrigins::parse(&strings(public), &strings(private)).unwrap()
}

/// A client with the secret `key`, bound to every granted origin that may get secrets.
fn fetcher(public: &[&str], private: &[&str], limits: HttpLimits, resolver: Arc<dyn Resolver>) -> Fetcher {
    let granted = strings(&[public, private].concat());
    let secure = |entry: &String| !entry.starts_with("http://") || entry.starts_with("http://127.0.0.1");
    let origins = granted.into_iter().filter(secure).collect();
    bound_fetcher(public, private, origins, limits, resolver)
}

/// A client with the secret `key`, bound to these origins.
fn bound_fetcher(
    public: &[&str],
    private: &[&str],
    origins: Vec<String>,
    limits: HttpLimits,
    resolver: Arc<dyn Resolver>,
) -> Fetcher {
    let allowed = allowed(public, private);
    let secrets = GrantedSecrets::bind(&[SecretGrant::Bound { name: "key".to_owned(), origins }], &allowed).unwrap();
    Fetcher::new(allowed, secrets, limits, resolver)
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

fn with(place: CredentialPlace, form: Form, request: Request) -> Request {
    let credential = Credential { secret: "key".to_owned(), place, form };
    Request { credentials: vec![credential], ..request }
}

fn bearer(request: Request) -> Request {
    with(CredentialPlace::Header("authorization".to_owned()), Form::Plain { prefix: "Bearer ".to_owned() }, request)
}

fn query(request: Request) -> Request {
    with(CredentialPlace::Query("api_key".to_owned()), Form::Plain { prefix: String::new() }, request)
}

async fn fetch(fetcher: &Fetcher, request: Request) -> Result<Response, FetchError> {
    let result = fetcher.fetch(request, &OneSecret, &mut FetchUsage::default()).await;
    if let Err(error) = &result {
        let text = format!("{error} {error:?}");
        assert!(!text.contains(SECRET) && !text.contains("api_key"), "{text}");
    }
    result
}

async fn refused(fetcher: &Fetcher, url: &str) -> FetchError {
    fetch(fetcher, get(url)).await.expect_err(url)
}

/// A server that sends the given bytes in response to a request, and then nothing.
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

/// A certificate that is its own authority, and the server's configuration for it.
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
