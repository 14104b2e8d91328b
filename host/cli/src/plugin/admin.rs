//! Client of a running host's admin socket (`admin.sock` in its data folder).

use std::{io, path::Path, time::Duration};

use serde::{Deserialize, de::DeserializeOwned};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::UnixStream,
    time::timeout,
};

const TIMEOUT: Duration = Duration::from_secs(10);
/// For a host that reads its configuration again, and compiles new plugins for it.
const RELOAD_TIMEOUT: Duration = Duration::from_secs(120);

/// What a host says after it has read its configuration again.
#[derive(Deserialize)]
pub struct Reloaded {
    /// Why it uses the configuration that it had.
    pub refused: Option<String>,
    /// What it cannot use.
    pub problems: Vec<String>,
}

/// Lets the host that runs with this data folder read configuration, plugins and secrets again; `None` if no host runs there.
///
/// # Errors
/// As [`get`].
pub async fn reload(data: &Path) -> anyhow::Result<Option<Reloaded>> {
    if UnixStream::connect(data.join("admin.sock")).await.is_err() {
        return Ok(None);
    }
    ask(data, "POST", "/reload", RELOAD_TIMEOUT).await.map(Some)
}

/// Requests a path from the host that runs with this data folder, and parses its JSON response.
///
/// # Errors
/// A message, if no host runs there, it does not respond within [`TIMEOUT`], or its response is not the expected JSON.
pub async fn get<T: DeserializeOwned>(data: &Path, path: &str) -> anyhow::Result<T> {
    ask(data, "GET", path, TIMEOUT).await
}

async fn ask<T: DeserializeOwned>(data: &Path, method: &str, path: &str, patience: Duration) -> anyhow::Result<T> {
    let socket = data.join("admin.sock");
    let shown = socket.display();
    let answer = timeout(patience, request(&socket, method, path)).await;
    let answer = answer.map_err(|_| anyhow::anyhow!("{shown} did not respond to {path} within {patience:?}"))?;
    let answer = answer.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused => anyhow::anyhow!(
            "no host runs with the data folder {} (no connection to {shown}); start `masthead serve`, or give its data folder with --data",
            data.display()
        ),
        _ => anyhow::anyhow!("connecting to the host at {shown}: {error}"),
    })?;
    let (status, body) = split(&answer).ok_or_else(|| anyhow::anyhow!("{shown} did not send an HTTP response"))?;
    anyhow::ensure!(
        status == 200,
        "the host at {shown} responded to {path} with status {status}; it may be a different version"
    );
    serde_json::from_slice(body).map_err(|error| {
        anyhow::anyhow!("the response of {shown} to {path} is invalid: {error}; the host may be a different version")
    })
}

/// Sends a request over HTTP 1.0, where the response ends with the connection and is never chunked. An HTTP client library
/// would add TLS and a connection pool, which a local socket does not need.
async fn request(socket: &Path, method: &str, path: &str) -> io::Result<Vec<u8>> {
    let mut stream = UnixStream::connect(socket).await?;
    stream.write_all(format!("{method} {path} HTTP/1.0\r\nhost: masthead\r\n\r\n").as_bytes()).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    Ok(answer)
}

fn split(answer: &[u8]) -> Option<(u16, &[u8])> {
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&answer[..end]).ok()?;
    let status = head.strip_prefix("HTTP/1.")?.split(' ').nth(1)?.parse().ok()?;
    Some((status, &answer[end + 4..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn response_splits_into_status_and_body() {
        assert_eq!(split(b"HTTP/1.0 200 OK\r\na: b\r\n\r\n[]"), Some((200, &b"[]"[..])));
        assert_eq!(split(b"HTTP/1.1 404 Not Found\r\n\r\n"), Some((404, &b""[..])));
        assert_eq!(split(b"SSH-2.0\r\n\r\n"), None);
        assert_eq!(split(b"HTTP/1.0 200 OK"), None);
    }
}
