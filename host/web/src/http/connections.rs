//! The readers' connections: how many there are, how long they may wait, and how they end.
//!
//! The limits are those of [`Connections`]. They hold for HTTP/1 and HTTP/2 alike, because they watch bytes and requests, not the
//! protocol. (The limit on heads of the HTTP library is not used: it covers neither HTTP/2 nor the bytes by which the version is
//! recognized, and it cannot tell a slow head from a connection that is kept for the next request.)

use std::{
    convert::Infallible,
    io,
    net::SocketAddr,
    pin::{Pin, pin},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{self, Poll},
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::ConnectInfo,
};
use hyper::{body::Incoming, service::service_fn};
use hyper_util::{rt::TokioIo, server::conn::auto};
use masthead_config::Connections;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore, watch},
    time::Instant,
};
use tower::ServiceExt as _;

use super::lingering_close::read_to_end;

/// Pause after an error that concerns no single connection, such as a lack of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_secs(1);

/// The port on which the host received a request.
#[derive(Clone, Copy, Debug)]
pub struct ListenPort(pub u16);

/// The limits on time of one connection.
#[derive(Clone, Copy)]
struct Limits {
    header: Duration,
    idle: Duration,
    stall: Duration,
}

impl Limits {
    fn new(limits: &Connections) -> Self {
        let seconds = |seconds: u32| Duration::from_secs(u64::from(seconds));
        Self {
            header: seconds(limits.header_seconds),
            idle: seconds(limits.idle_seconds),
            stall: seconds(limits.stall_seconds),
        }
    }

    /// The longest interval between two checks. A limit that begins after a check may be the shortest one.
    fn interval(&self) -> Duration {
        self.header.min(self.idle).min(self.stall)
    }
}

/// How far the host has come with stopping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Serving,
    /// Requests in flight are answered, and no new ones are accepted.
    Draining,
    /// Everything ends now.
    Over,
}

/// Waits until a phase has begun. If the server is gone, every phase has.
async fn reached(phase: &mut watch::Receiver<Phase>, wanted: Phase) {
    let _ = phase.wait_for(|now| *now >= wanted).await;
}

/// Serves requests on a listener until `stop` is ready, and then until the requests in flight are answered or the time for draining is
/// over. When this returns, no request is being handled any more.
///
/// # Errors
/// The listener's error.
pub async fn serve(
    router: Router,
    listener: TcpListener,
    limits: Connections,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let port = ListenPort(listener.local_addr()?.port());
    let places = Arc::new(Semaphore::new(usize::try_from(limits.max).unwrap_or(Semaphore::MAX_PERMITS)));
    let (phase, phases) = watch::channel(Phase::Serving);
    let mut stop = pin!(stop);
    loop {
        // A client waits in the listener's queue until there is a place.
        let next = async {
            let place = Arc::clone(&places).acquire_owned().await.map_err(io::Error::other)?;
            let (stream, peer) = accept(&listener).await;
            Ok::<_, io::Error>((place, stream, peer))
        };
        tokio::select! {
            () = &mut stop => break,
            accepted = next => {
                let (place, stream, peer) = accepted?;
                let tasks = Tasks { place: Arc::new(place), phase: phases.clone() };
                tokio::spawn(converse(router.clone(), (stream, peer, port), Limits::new(&limits), tasks));
            }
        }
    }
    drop(listener);
    phase.send_replace(Phase::Draining);
    let drain = Duration::from_secs(u64::from(limits.drain_seconds));
    if tokio::time::timeout(drain, places.acquire_many(limits.max)).await.is_err() {
        let open = usize::try_from(limits.max).unwrap_or(usize::MAX).saturating_sub(places.available_permits());
        tracing::warn!(open, seconds = limits.drain_seconds, "cutting the connections whose requests have not ended");
        phase.send_replace(Phase::Over);
        let _ = places.acquire_many(limits.max).await;
    }
    Ok(())
}

async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            Err(error) if is_of_client(&error) => {}
            Err(error) => {
                tracing::error!(%error, "accepting a connection failed; is `connections.max` above the limit of open files?");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

/// Whether the error concerns one client, which is gone.
fn is_of_client(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// The tasks of one connection: its own, and one for each stream of HTTP/2. They share its place, which is free when all have ended.
#[derive(Clone)]
struct Tasks {
    place: Arc<OwnedSemaphorePermit>,
    phase: watch::Receiver<Phase>,
}

impl<F> hyper::rt::Executor<F> for Tasks
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    fn execute(&self, stream: F) {
        let Self { place, mut phase } = self.clone();
        tokio::spawn(async move {
            tokio::select! {
                _ = stream => {}
                () = reached(&mut phase, Phase::Over) => {}
            }
            drop(place);
        });
    }
}

/// Serves one connection to its end.
async fn converse(
    router: Router,
    (stream, peer, port): (TcpStream, SocketAddr, ListenPort),
    limits: Limits,
    tasks: Tasks,
) {
    let progress = Arc::new(Progress::new());
    let of_requests = Arc::clone(&progress);
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let pending = Pending::new(Arc::clone(&of_requests));
        let mut request = read_to_end(request).map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        request.extensions_mut().insert(port);
        let response = router.clone().oneshot(request);
        async move { Ok::<_, Infallible>(response.await?.map(|body| Sent { body, _pending: pending })) }
    });
    // The builder keeps the place of the connection; it is dropped after the connection.
    let mut phase = tasks.phase.clone();
    let builder = auto::Builder::new(tasks);
    let io = TokioIo::new(Watched { stream, progress: Arc::clone(&progress) });
    let mut connection = pin!(builder.serve_connection(io, service));
    let mut awaited = Phase::Draining;
    loop {
        let check = progress.deadline(&limits).min(Instant::now() + limits.interval());
        tokio::select! {
            ended = connection.as_mut() => {
                if let Err(error) = ended {
                    tracing::debug!(%error, "a connection ended with an error");
                }
                break;
            }
            () = reached(&mut phase, awaited) => {
                if awaited == Phase::Over {
                    break;
                }
                connection.as_mut().graceful_shutdown();
                awaited = Phase::Over;
            }
            () = tokio::time::sleep_until(check) => {
                if progress.deadline(&limits) <= Instant::now() {
                    metrics::counter!("masthead_connections_timed_out_total").increment(1);
                    break;
                }
            }
        }
    }
}

/// What happens on a connection, as far as its limits depend on it.
struct Progress(Mutex<State>);

struct State {
    /// Requests whose response has not been handed over completely.
    pending: usize,
    /// Whether a request was received.
    used: bool,
    /// When the connection was opened, or the latest request ended.
    free_since: Instant,
    /// When a byte was last sent.
    written: Instant,
    /// When a byte was last received or sent, or a request began.
    moved: Instant,
}

impl Progress {
    fn new() -> Self {
        let now = Instant::now();
        Self(Mutex::new(State { pending: 0, used: false, free_since: now, written: now, moved: now }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn deadline(&self, limits: &Limits) -> Instant {
        self.state().deadline(limits)
    }
}

impl State {
    /// When the connection is closed if nothing changes until then.
    fn deadline(&self, limits: &Limits) -> Instant {
        match (self.pending, self.used) {
            (0, false) => self.free_since + limits.header,
            // The end of a response may still be on its way to a slow reader. Received bytes do not count: they may be a head that
            // never ends.
            (0, true) => self.free_since.max(self.written) + limits.idle,
            _ => self.moved + limits.stall,
        }
    }
}

/// A request, from its head to the end of its response.
struct Pending(Arc<Progress>);

impl Pending {
    fn new(progress: Arc<Progress>) -> Self {
        let mut state = progress.state();
        state.pending += 1;
        state.used = true;
        state.moved = Instant::now();
        drop(state);
        Self(progress)
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.pending = state.pending.saturating_sub(1);
        state.free_since = Instant::now();
    }
}

/// The body of a response; its request ends with it.
struct Sent {
    body: Body,
    _pending: Pending,
}

impl http_body::Body for Sent {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut task::Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> http_body::SizeHint {
        self.body.size_hint()
    }
}

/// A stream that notes when its bytes move.
struct Watched {
    stream: TcpStream,
    progress: Arc<Progress>,
}

impl Watched {
    fn sent(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if matches!(written, Poll::Ready(Ok(bytes)) if bytes > 0) {
            let mut state = self.progress.state();
            state.written = Instant::now();
            state.moved = state.written;
        }
        written
    }
}

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut task::Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > before {
            self.progress.state().moved = Instant::now();
        }
        read
    }
}

impl AsyncWrite for Watched {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut task::Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.sent(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut task::Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.sent(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut task::Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut task::Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits =
        Limits { header: Duration::from_secs(10), idle: Duration::from_secs(20), stall: Duration::from_secs(30) };

    #[test]
    fn each_part_of_a_connection_has_its_own_limit() {
        let opened = Instant::now();
        let after = |seconds: u64| opened + Duration::from_secs(seconds);
        let mut state = State { pending: 0, used: false, free_since: opened, written: opened, moved: opened };
        state.moved = after(4);
        assert_eq!(state.deadline(&LIMITS), after(10), "bytes of the first head do not extend its time");
        (state.pending, state.used, state.moved) = (2, true, after(5));
        assert_eq!(state.deadline(&LIMITS), after(35));
        state.moved = after(30);
        assert_eq!(state.deadline(&LIMITS), after(60), "bytes of a body do");
        (state.pending, state.free_since) = (1, after(31));
        assert_eq!(state.deadline(&LIMITS), after(60), "another request is pending");
        (state.pending, state.free_since) = (0, after(40));
        assert_eq!(state.deadline(&LIMITS), after(60));
        state.moved = after(50);
        assert_eq!(state.deadline(&LIMITS), after(60), "bytes of the next head do not");
        state.written = after(52);
        assert_eq!(state.deadline(&LIMITS), after(72), "the rest of the response is still being sent");
    }

    #[test]
    fn a_request_ends_with_the_body_of_its_response() {
        let progress = Arc::new(Progress::new());
        let sent = Sent { body: Body::from("x"), _pending: Pending::new(Arc::clone(&progress)) };
        let of_state = || {
            let state = progress.state();
            (state.pending, state.used)
        };
        assert_eq!(of_state(), (1, true));
        drop(sent);
        assert_eq!(of_state().0, 0);
    }
}
