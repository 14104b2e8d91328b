//! Connections: limits on their time and number, and what happens to them when the host stops.
//!
//! Limits under test are one second; all others are longer than any test. Clients wait until something happens, and a test fails only
//! if it never does.

use std::{
    io::{ErrorKind, Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    sync::LazyLock,
    time::{Duration, Instant},
};

use masthead_config::Connections;
use masthead_domain::SiteId;
use masthead_test_support::{HANG, Portal, Setup};
use masthead_web::http;
use tokio::{net::TcpListener, sync::oneshot, task::JoinHandle};

static PORTAL: LazyLock<Portal> = LazyLock::new(|| Portal::start("connections", Setup::default(), |_| {}));

const LONG: u32 = 180;
const PATIENT: Connections =
    Connections { max: 64, header_seconds: LONG, idle_seconds: LONG, stall_seconds: LONG, drain_seconds: LONG };
const HEALTH: &str = "GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n";

/// A listener with limits of its own. It is stopped when `stop` is used or dropped.
struct Served {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    done: JoinHandle<std::io::Result<()>>,
}

fn serve(limits: Connections) -> Served {
    PORTAL.run(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let stopped = async {
            let _ = stopped.await;
        };
        let done = tokio::spawn(http::serve(PORTAL.app.clone(), listener, limits, stopped));
        Served { address, stop, done }
    })
}

fn finished(done: JoinHandle<std::io::Result<()>>) {
    let ended = PORTAL.run(async { tokio::time::timeout(HANG, done).await });
    ended.expect("the host stops").unwrap().unwrap();
}

/// What a client sees at one moment.
#[derive(Debug, PartialEq)]
enum Seen {
    Nothing,
    Text(String),
    /// The end of the stream, or a reset.
    Closed,
}

struct Client(TcpStream);

impl Client {
    fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
        Self(stream)
    }

    /// Sends a text. That the connection is closed is seen when it is read.
    fn send(&mut self, text: &str) {
        let _ = self.0.write_all(text.as_bytes());
    }

    fn look(&mut self) -> Seen {
        let mut buffer = [0; 4096];
        match self.0.read(&mut buffer) {
            Ok(0) => Seen::Closed,
            Ok(length) => Seen::Text(String::from_utf8_lossy(&buffer[..length]).into_owned()),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => Seen::Nothing,
            Err(_) => Seen::Closed,
        }
    }

    /// Reads until the text is enough or the connection is closed. Returns the text, and whether the connection is closed.
    fn read_until(&mut self, enough: impl Fn(&str) -> bool) -> (String, bool) {
        let (started, mut text) = (Instant::now(), String::new());
        while !enough(&text) {
            match self.look() {
                Seen::Nothing => assert!(started.elapsed() < HANG, "nothing happens after {text:?}"),
                Seen::Text(more) => text.push_str(&more),
                Seen::Closed => return (text, true),
            }
        }
        (text, false)
    }

    fn read_to_end(&mut self) -> String {
        self.read_until(|_| false).0
    }

    /// Sends a request and reads the response; the connection stays open.
    fn is_served(&mut self) -> bool {
        self.send(HEALTH);
        let (answer, _) = self.read_until(|text| text.ends_with("ok\n"));
        answer.starts_with("HTTP/1.1 200")
    }
}

/// Sends a head byte by byte and never ends it. Returns what the host said before it closed the connection.
fn trickle(address: SocketAddr, head: &str, more: &str) -> String {
    let mut client = Client::open(address);
    let mut bytes = head.chars().chain(more.chars().cycle());
    let (started, mut said) = (Instant::now(), String::new());
    loop {
        client.send(&bytes.next().map(String::from).unwrap_or_default());
        match client.look() {
            Seen::Nothing => assert!(started.elapsed() < HANG, "{head:?} holds its connection"),
            Seen::Text(more) => said.push_str(&more),
            Seen::Closed => return said,
        }
    }
}

/// Whether the host only closed a connection, or also said why.
fn is_timeout(said: &str) -> bool {
    said.is_empty() || said.starts_with("HTTP/1.1 408")
}

#[test]
fn a_head_that_arrives_byte_by_byte_is_cut_while_others_are_served() {
    let served = serve(Connections { header_seconds: 1, ..PATIENT });
    let address = served.address;
    std::thread::scope(|scope| {
        // Nothing at all, a head that never ends, and almost the bytes by which HTTP/2 is recognized.
        let slow = [
            ("", ""),
            ("GET /healthz HTTP/1.1\r\nhost: a\r\nx-padding: ", "a"),
            ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r", ""),
        ];
        let slow = slow.map(|(head, more)| scope.spawn(move || (head, trickle(address, head, more))));
        // On a busy machine, a client may be slow without intent, and tries again.
        let started = Instant::now();
        while !Client::open(address).is_served() {
            assert!(started.elapsed() < HANG, "no client is served beside the slow ones");
        }
        for slow in slow {
            let (head, said) = slow.join().unwrap();
            assert!(is_timeout(&said), "{head:?}: {said}");
        }
    });
}

#[test]
fn a_connection_that_waits_for_its_next_request_is_closed() {
    let served = serve(Connections { idle_seconds: 1, ..PATIENT });
    for next in ["", "GET /healthz HTTP/1.1\r\nhost: "] {
        let mut client = Client::open(served.address);
        assert!(client.is_served());
        client.send(next);
        assert!(is_timeout(&client.read_to_end()), "{next:?}");
    }
}

#[test]
fn a_request_whose_body_does_not_arrive_is_cut() {
    let served = serve(Connections { stall_seconds: 1, ..PATIENT });
    let mut client = Client::open(served.address);
    client.send(
        "POST /rc-pub/front/ui-failure HTTP/1.1\r\nhost: oceanledger.localhost\r\ncontent-type: application/json\r\n\
         content-length: 1000\r\n\r\n{",
    );
    let said = client.read_to_end();
    assert!(is_timeout(&said), "{said}");
}

#[test]
fn further_clients_wait_for_a_place() {
    let served = serve(Connections { max: 2, ..PATIENT });
    let (mut first, mut second) = (Client::open(served.address), Client::open(served.address));
    assert!(first.is_served() && second.is_served());
    let mut third = Client::open(served.address);
    third.send(HEALTH);
    // A machine may be too slow to show that a host has no limit, but never shows one that has a limit in a wrong light.
    for _ in 0..10 {
        assert_eq!(third.look(), Seen::Nothing, "there is no place for a third client");
    }
    drop(first);
    let (answer, _) = third.read_until(|text| text.ends_with("ok\n"));
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(second.is_served(), "the others keep their places");
}

/// The body of the request of [`begin`].
const BODY: &str = "{\"module\":\"none\"}";

/// Begins a request, and returns when the host handles it: it has asked for the body.
fn begin(address: SocketAddr) -> Client {
    let mut client = Client::open(address);
    let length = BODY.len();
    client.send(&format!(
        "POST /rc-pub/front/ui-failure HTTP/1.1\r\nhost: oceanledger.localhost\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\nexpect: 100-continue\r\n\r\n"
    ));
    let (said, _) = client.read_until(|text| text.ends_with("\r\n\r\n"));
    assert!(said.starts_with("HTTP/1.1 100"), "{said}");
    client
}

#[test]
fn a_request_in_flight_is_answered_when_the_host_stops() {
    let Served { address, stop, done } = serve(PATIENT);
    let mut client = begin(address);
    let mut idle = Client::open(address);
    assert!(idle.is_served());
    stop.send(()).unwrap();
    assert_eq!(idle.read_to_end(), "", "a connection without a request is closed at once");
    client.send(BODY);
    let (answer, closed) = client.read_until(|_| false);
    assert!(closed && answer.starts_with("HTTP/1.1 400"), "{answer}");
    finished(done);
}

#[test]
fn a_request_that_does_not_end_is_cut_and_nothing_counted_is_lost() {
    let Served { address, stop, done } = serve(Connections { drain_seconds: 1, ..PATIENT });
    let id = PORTAL.article("oceanledger", "10.5555/ocl.2026.06.01.0001");
    let mut held = begin(address);
    let mut reader = Client::open(address);
    reader.send(&format!(
        "GET /en/article/{id} HTTP/1.1\r\nhost: oceanledger.localhost\r\n\
         user-agent: Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0\r\n\r\n"
    ));
    let (page, _) = reader.read_until(|text| text.ends_with("</html>"));
    assert!(page.starts_with("HTTP/1.1 200"), "{page:.200}");
    stop.send(()).unwrap();
    finished(done);
    assert_eq!(held.read_to_end(), "", "the request was not answered");
    let app = &PORTAL.app;
    PORTAL.run(app.counting.flush(&app.store)).unwrap();
    let totals = PORTAL.run(app.store.site(SiteId(448)).totals("article", id)).unwrap();
    assert_eq!(totals.visits, 1);
}

/// A call whose body of 2 MiB is above the limit of 1 MiB.
const TOO_LARGE: usize = 2 << 20;

#[test]
fn a_client_that_goes_on_sending_reads_why_its_body_is_refused() {
    let served = serve(PATIENT);
    for (more, stays) in [("", true), ("connection: close\r\n", false)] {
        let mut client = Client::open(served.address);
        client.send(&format!(
            "POST /rc-pub/front/ui-failure HTTP/1.1\r\nhost: oceanledger.localhost\r\ncontent-type: application/json\r\n\
             {more}content-length: {TOO_LARGE}\r\n\r\n"
        ));
        let (head, _) = client.read_until(|text| text.contains("\r\n\r\n"));
        assert!(head.starts_with("HTTP/1.1 413"), "the answer does not wait for the body: {head}");
        let part = [b'x'; 64 << 10];
        for sent in (0..TOO_LARGE).step_by(part.len()) {
            let written = client.0.write_all(&part);
            assert!(written.is_ok(), "the connection is open after {sent} bytes: {written:?}");
        }
        // The rest of the answer, if the head came alone.
        while let Seen::Text(_) = client.look() {}
        assert_eq!(client.is_served(), stays, "{more:?}");
    }
}

#[test]
fn a_client_that_asks_first_is_refused_before_it_sends_its_body() {
    let served = serve(PATIENT);
    let mut client = Client::open(served.address);
    client.send(&format!(
        "POST /rc-pub/front/ui-failure HTTP/1.1\r\nhost: oceanledger.localhost\r\ncontent-type: application/json\r\n\
         content-length: {TOO_LARGE}\r\nexpect: 100-continue\r\n\r\n"
    ));
    let (head, _) = client.read_until(|text| text.contains("\r\n\r\n"));
    assert!(head.starts_with("HTTP/1.1 413"), "{head}");
}
