//! Questions to a running host, over the socket in its data folder.

use std::{io, path::Path, time::Duration};

use serde::de::DeserializeOwned;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::UnixStream,
    time::timeout,
};

const PATIENCE: Duration = Duration::from_secs(10);

/// The JSON that the host of a data folder answers for a path.
pub async fn get<T: DeserializeOwned>(data: &Path, path: &str) -> anyhow::Result<T> {
    let socket = data.join("admin.sock");
    let shown = socket.display();
    let answer = timeout(PATIENCE, ask(&socket, path)).await;
    let answer = answer.map_err(|_| anyhow::anyhow!("{shown} did not answer {path} within {PATIENCE:?}"))?;
    let answer = answer.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused => anyhow::anyhow!(
            "no host runs with the data folder {} (nothing answers at {shown}); start `masthead serve`, or name its folder with --data",
            data.display()
        ),
        _ => anyhow::anyhow!("asking the host at {shown}: {error}"),
    })?;
    let (status, body) = split(&answer).ok_or_else(|| anyhow::anyhow!("{shown} does not speak HTTP"))?;
    anyhow::ensure!(
        status == 200,
        "the host at {shown} answered {path} with status {status}; is it of another version?"
    );
    serde_json::from_slice(body).map_err(|error| {
        anyhow::anyhow!("the answer of {shown} to {path} cannot be read: {error}; is it of another version?")
    })
}

/// HTTP 1.0: one question, one answer without chunks, and the end. An HTTP client would bring TLS and a pool to a local socket.
async fn ask(socket: &Path, path: &str) -> io::Result<Vec<u8>> {
    let mut stream = UnixStream::connect(socket).await?;
    stream.write_all(format!("GET {path} HTTP/1.0\r\nhost: masthead\r\n\r\n").as_bytes()).await?;
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
    fn an_answer_is_a_status_and_a_body() {
        assert_eq!(split(b"HTTP/1.0 200 OK\r\na: b\r\n\r\n[]"), Some((200, &b"[]"[..])));
        assert_eq!(split(b"HTTP/1.1 404 Not Found\r\n\r\n"), Some((404, &b""[..])));
        assert_eq!(split(b"SSH-2.0\r\n\r\n"), None);
        assert_eq!(split(b"HTTP/1.0 200 OK"), None);
    }
}
