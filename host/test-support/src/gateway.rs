//! A local server that answers as a test specifies, and records the requests.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::State,
    http::{HeaderMap, Method, Uri},
    response::Response,
};

/// A recorded request.
#[derive(Clone, Debug)]
pub struct RecordedRequest {
    pub method: String,
    pub path: String,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl RecordedRequest {
    /// The value of a form field.
    pub fn field(&self, name: &str) -> String {
        let found = url::form_urlencoded::parse(&self.body).find(|(key, _)| key == name);
        found.map(|(_, value)| value.into_owned()).unwrap_or_default()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// A response of the server.
pub struct Reply {
    pub status: u16,
    pub body: String,
    /// The connection stays open, and no answer comes.
    pub silent: bool,
}

impl Reply {
    pub fn ok(body: impl ToString) -> Self {
        Self { status: 200, body: body.to_string(), silent: false }
    }

    pub fn status(status: u16) -> Self {
        Self { status, ..Self::ok("") }
    }

    /// No response at all: the connection stays open.
    pub fn never() -> Self {
        Self { silent: true, ..Self::ok("") }
    }
}

type Behaviour = Box<dyn Fn(&RecordedRequest) -> Reply + Send>;

struct Inner {
    seen: Mutex<Vec<RecordedRequest>>,
    behaviour: Mutex<Behaviour>,
}

/// The server. It runs on its own thread until the process ends.
#[derive(Clone)]
pub struct Fake {
    pub address: SocketAddr,
    inner: Arc<Inner>,
}

impl Fake {
    pub fn start(behaviour: impl Fn(&RecordedRequest) -> Reply + Send + 'static) -> Self {
        let inner = Arc::new(Inner { seen: Mutex::default(), behaviour: Mutex::new(Box::new(behaviour)) });
        let (sender, receiver) = std::sync::mpsc::channel();
        let router = Router::new().fallback(answer).with_state(Arc::clone(&inner));
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
                sender.send(listener.local_addr().unwrap()).unwrap();
                axum::serve(listener, router).await.unwrap();
            });
        });
        Self { address: receiver.recv().unwrap(), inner }
    }

    /// Scheme, host and port.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Replaces the behaviour of the server.
    pub fn answer(&self, behaviour: impl Fn(&RecordedRequest) -> Reply + Send + 'static) {
        *self.inner.behaviour.lock().unwrap() = Box::new(behaviour);
    }

    /// The requests since the last call.
    pub fn seen(&self) -> Vec<RecordedRequest> {
        std::mem::take(&mut self.inner.seen.lock().unwrap())
    }
}

async fn answer(
    State(inner): State<Arc<Inner>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let seen =
        RecordedRequest { method: method.to_string(), path: uri.path().to_owned(), headers, body: body.to_vec() };
    let reply = inner.behaviour.lock().unwrap()(&seen);
    inner.seen.lock().unwrap().push(seen);
    if reply.silent {
        std::future::pending::<()>().await;
    }
    let response = Response::builder().status(reply.status).header("content-type", "application/json");
    response.body(Body::from(reply.body)).unwrap()
}
