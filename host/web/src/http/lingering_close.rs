//! The rest of a request's body that its response did not need.
//!
//! A response such as 413 or 403 is made before the body has arrived. If the host then closed the connection, the bytes on their way
//! would be answered by a reset, and a client that sends its whole body first would see a broken connection instead of the reason.
//! Therefore the host goes on reading, and throws the bytes away, while and after the response is sent (RFC 9112, section 9.6,
//! and the "lingering close" of web servers). Size and time are limited; a client that exceeds them is cut off.

use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use axum::body::Bytes;
use http_body::{Body, Frame, SizeHint};
use hyper::{HeaderMap, Request, Version, header};
use tokio::runtime::Handle;

/// Greatest number of bytes that are read and thrown away.
const MAX_DISCARDED: u64 = 64 << 20;
/// Longest time of reading them.
const MAX_TIME: Duration = Duration::from_secs(30);

/// A body whose rest is read and thrown away when it is dropped before its end.
pub struct ReadToEnd<B: Body<Data = Bytes> + Send + Unpin + 'static> {
    /// None after the end, and for bodies that need not be read.
    body: Option<B>,
    /// Whether the client sends its body only when it is told to, which reading it does.
    awaits_continue: bool,
}

/// Wraps the body of a request from a connection. HTTP/2 ends a stream without its connection, so that its bodies need nothing.
pub fn read_to_end<B: Body<Data = Bytes> + Send + Unpin + 'static>(request: Request<B>) -> Request<ReadToEnd<B>> {
    let awaits_continue = request.version() >= Version::HTTP_2 || expects_continue(request.headers());
    request.map(|body| ReadToEnd { body: Some(body), awaits_continue })
}

fn expects_continue(headers: &HeaderMap) -> bool {
    headers.get(header::EXPECT).is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"100-continue"))
}

impl<B: Body<Data = Bytes> + Send + Unpin + 'static> Body for ReadToEnd<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        self.awaits_continue = false;
        let Some(body) = &mut self.body else { return Poll::Ready(None) };
        let polled = Pin::new(body).poll_frame(context);
        if matches!(polled, Poll::Ready(None | Some(Err(_)))) {
            self.body = None;
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map_or_else(|| SizeHint::with_exact(0), Body::size_hint)
    }
}

impl<B: Body<Data = Bytes> + Send + Unpin + 'static> Drop for ReadToEnd<B> {
    fn drop(&mut self) {
        let Some(body) = self.body.take().filter(|body| !self.awaits_continue && !body.is_end_stream()) else {
            return;
        };
        if let Ok(runtime) = Handle::try_current() {
            // The bytes end with the connection at the latest.
            runtime.spawn(tokio::time::timeout(MAX_TIME, discard(body, MAX_DISCARDED)));
        }
    }
}

/// Reads a body to its end, an error, or more than `most` bytes. Returns how many bytes were read.
async fn discard<B: Body<Data = Bytes> + Unpin>(mut body: B, most: u64) -> u64 {
    let mut read = 0;
    while read <= most {
        let frame = std::future::poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await;
        let Some(Ok(frame)) = frame else { break };
        read = read.saturating_add(frame.data_ref().map_or(0, |data| data.len() as u64));
    }
    read
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    };

    use axum::body;
    use futures::{StreamExt as _, stream};

    use super::*;

    /// A body of pieces of ten bytes, and how many of them were read.
    fn pieces(count: u64) -> (body::Body, Arc<AtomicU64>) {
        let read = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&read);
        let pieces = stream::iter(0..count).map(move |_| {
            counted.fetch_add(1, Ordering::SeqCst);
            Ok::<_, std::io::Error>(Bytes::from_static(b"0123456789"))
        });
        (body::Body::from_stream(pieces), read)
    }

    fn request(headers: &[(&str, &str)], version: Version, body: body::Body) -> Request<ReadToEnd<body::Body>> {
        let mut request = Request::builder().version(version);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        read_to_end(request.body(body).unwrap())
    }

    /// Whether the rest of the body is read after the request is dropped.
    async fn is_read(request: Request<ReadToEnd<body::Body>>, read: &AtomicU64, all: u64) -> bool {
        drop(request);
        for _ in 0..1000 {
            tokio::task::yield_now().await;
        }
        read.load(Ordering::SeqCst) == all
    }

    #[tokio::test]
    async fn the_rest_of_a_dropped_body_is_read() {
        let (body, read) = pieces(5);
        assert!(is_read(request(&[], Version::HTTP_11, body), &read, 5).await);
        let (body, read) = pieces(5);
        let mut begun = request(&[("expect", "100-Continue")], Version::HTTP_11, body);
        let first = std::future::poll_fn(|context| Pin::new(begun.body_mut()).poll_frame(context)).await;
        assert_eq!(first.unwrap().unwrap().into_data().unwrap().len(), 10);
        assert!(is_read(begun, &read, 5).await, "the client was told to send it");
    }

    #[tokio::test]
    async fn a_body_that_the_client_does_not_send_unasked_is_not_asked_for() {
        for (headers, version) in [(&[("expect", "100-continue")][..], Version::HTTP_11), (&[], Version::HTTP_2)] {
            let (body, read) = pieces(5);
            assert!(is_read(request(headers, version, body), &read, 0).await);
        }
    }

    #[tokio::test]
    async fn reading_stops_at_the_limit() {
        let (body, read) = pieces(1000);
        assert_eq!(discard(body, 95).await, 100);
        assert_eq!(read.load(Ordering::SeqCst), 10);
        let (body, _) = pieces(3);
        assert_eq!(discard(body, 95).await, 30);
    }
}
