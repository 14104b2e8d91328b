//! An HTTP server that misbehaves.

use std::time::Duration;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// A server that runs until the test's runtime is dropped.
pub struct Server {
    port: u16,
}

impl Server {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, port));
            }
        });
        Self { port }
    }

    /// The origin that a site grants.
    pub fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The address that a plugin requests.
    pub fn address(&self, place: &str) -> String {
        match place {
            // The grant is checked before the connection, so this must be a path of the granted origin: the server closes the connection.
            "closed" => format!("{}/close", self.origin()),
            "ungranted" => "https://elsewhere.example/".to_owned(),
            "metadata" => "http://169.254.169.254/latest/".to_owned(),
            "garbage" => "not a URL".to_owned(),
            path => format!("{}{path}", self.origin()),
        }
    }
}

async fn answer(mut stream: TcpStream, port: u16) {
    let mut request = [0; 4096];
    let Ok(read) = stream.read(&mut request).await else { return };
    let request = String::from_utf8_lossy(&request[..read]).into_owned();
    let path = request.split(' ').nth(1).unwrap_or_default();
    // The response announces that the connection is closed; otherwise the client might reuse a connection that is being closed.
    let redirect =
        |to: &str| format!("HTTP/1.1 302 Found\r\nconnection: close\r\nlocation: {to}\r\ncontent-length: 0\r\n\r\n");
    let text = match path {
        "/hang" => return std::future::pending().await,
        "/close" => return,
        "/drip" => {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n").await;
            while stream.write_all(b".").await.is_ok() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            return;
        }
        "/break" => "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nonly this".to_owned(),
        "/garbage" => "220 mail.example.org ESMTP\r\n".to_owned(),
        "/large" => {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n").await;
            while stream.write_all(&[b'x'; 16 << 10]).await.is_ok() {}
            return;
        }
        "/circle" => redirect(&format!("http://127.0.0.1:{port}/circle")),
        "/elsewhere" => redirect("https://elsewhere.example/"),
        _ => "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok".to_owned(),
    };
    let _ = stream.write_all(text.as_bytes()).await;
}
