//! The program as a host, and a client of it, for the benchmarks.
#![allow(dead_code, reason = "each benchmark needs a part of it")]

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    path::Path,
    process::{Child, Stdio},
};

use masthead_test_support::{between, command};

/// The host name of the site that is asked.
pub const HOST: &str = "oceanledger.localhost";

/// A keep-alive connection, like that of a reverse proxy.
pub struct Connection(BufReader<TcpStream>);

impl Connection {
    pub fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        Self(BufReader::with_capacity(1 << 17, stream))
    }

    /// Sends a request and reads the response: the status line with the headers, and the body.
    pub fn request(&mut self, path: &str, encoding: &str) -> (String, Vec<u8>) {
        self.request_of(HOST, path, encoding)
    }

    pub fn request_of(&mut self, host: &str, path: &str, encoding: &str) -> (String, Vec<u8>) {
        self.request_with(host, path, encoding, "")
    }

    /// The same with further headers, each with its end of line.
    pub fn request_with(&mut self, host: &str, path: &str, encoding: &str, headers: &str) -> (String, Vec<u8>) {
        let request = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\naccept-encoding: {encoding}\r\n{headers}\r\n");
        self.0.get_mut().write_all(request.as_bytes()).unwrap();
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(self.0.read_line(&mut head).unwrap() > 0, "the connection was closed: {head}");
        }
        let length = head
            .lines()
            .find_map(|line| line.to_lowercase().strip_prefix("content-length:")?.trim().parse().ok())
            .unwrap_or_else(|| panic!("the response has no content-length: {head}"));
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).unwrap();
        assert!(head.starts_with("HTTP/1.1 200"), "{path}: {head}");
        (head, body)
    }
}

pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Starts the program.
pub fn serve(sites: &Path, data: &Path) -> Child {
    let mut serve = command(sites, data, &["serve", "--listen", "127.0.0.1:0"]);
    serve.env("MASTHEAD_LOG", "error").stdout(Stdio::piped()).spawn().unwrap()
}

/// The address that the program writes when it listens.
pub fn address(child: &mut Child) -> SocketAddr {
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    between(&line, "http://", "/").parse().unwrap()
}
