//! `masthead serve`: start, restart after a kill, conflicts, shutdown.

use std::{
    io::{BufRead as _, BufReader, Read, Write},
    net::TcpStream,
    os::unix::net::UnixStream,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

pub use masthead_test_support::seed_demo;
use masthead_test_support::{between, built, command, copy, masthead, repository, share_compiled, stderr, workspace};

/// A running host, killed when it is dropped.
pub struct Running {
    child: Child,
    address: String,
    /// The operator's listener.
    operator: String,
}

impl Running {
    pub fn start(sites: &Path, data: &Path, more: &[&str]) -> Self {
        Self::logging_to(Stdio::null(), sites, data, more)
    }

    /// Starts a host that writes its log there.
    pub fn logging_to(log: Stdio, sites: &Path, data: &Path, more: &[&str]) -> Self {
        built("dist/ui/shell/manifest.json");
        let arguments = [&["serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"], more].concat();
        let mut command = command(sites, data, &arguments);
        command.stderr(log);
        Self::of(command)
    }

    /// Starts a command that serves readers and the operator, on ports that the system chooses.
    pub fn of(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let (mut first, mut second) = (String::new(), String::new());
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut first).unwrap();
        out.read_line(&mut second).unwrap();
        // The pipe is closed here: the host must go on serving when nobody reads its output.
        drop(out);
        let address = |line: &str| between(line, "http://", "/").to_owned();
        Self { address: address(&first), operator: address(&second), child }
    }

    /// The address of the readers' listener.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The address of the operator's listener.
    pub fn operator_address(&self) -> &str {
        &self.operator
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Stops the host by SIGTERM and waits for its end.
    pub fn terminate(&mut self) -> ExitStatus {
        assert!(Command::new("kill").args(["-TERM", &self.id().to_string()]).status().unwrap().success());
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(started.elapsed() < masthead_test_support::HANG, "the host does not stop on SIGTERM");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub fn get(&self, host: &str, path: &str) -> String {
        get(TcpStream::connect(&self.address).unwrap(), host, path)
    }

    /// Sends a file to a call of administrators.
    pub fn upload(&self, host: &str, call: &str, token: &str, body: &[u8]) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let head = format!(
            "POST /rc-pub/admin/{call} HTTP/1.1\r\nhost: {host}\r\ntoken: {token}\r\ncontent-type: application/octet-stream\r\n\
             content-length: {}\r\nconnection: close\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Asks the operator's listener.
    pub fn operator(&self, path: &str) -> String {
        get(TcpStream::connect(&self.operator).unwrap(), "127.0.0.1", path)
    }
}

fn get(mut stream: impl Read + Write, host: &str, path: &str) -> String {
    write!(stream, "GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_demo_is_served_again_after_a_kill_and_stops_on_sigterm() {
    let folder = workspace("serve");
    let (sites, data) = (folder.join("sites"), folder.join("data"));
    copy(&repository("sites"), &sites);
    seed_demo(&data);
    let mut running = Running::start(&sites, &data, &["--demo", "--demo-articles", "0"]);
    assert!(running.get("127.0.0.1", "/readyz").starts_with("HTTP/1.1 200"));
    assert!(running.get("127.0.0.1", "/healthz").ends_with("ok\n"));
    let first = running.get("oceanledger.localhost", "/en/search?q=seagrass");
    assert!(first.contains("class=\"card-title\""), "{first}");
    // SIGKILL, then a restart with the same data folder: content and index are complete. What a host has just imported itself is killed in
    // `demo`.
    running.child.kill().unwrap();
    running.child.wait().unwrap();
    let mut running = Running::start(&sites, &data, &["--demo", "--demo-articles", "0"]);
    let again = running.get("oceanledger.localhost", "/en/search?q=seagrass");
    assert_eq!(again.matches("class=\"card-title\"").count(), first.matches("class=\"card-title\"").count());
    // The operator's answers are on a listener of their own and on the socket, and nowhere else.
    assert!(running.operator("/metrics").contains("masthead_http_requests_total"));
    assert!(running.operator("/readyz").contains("\"plugins\":["));
    let socket = || UnixStream::connect(data.join("admin.sock")).unwrap();
    assert!(get(socket(), "host", "/metrics").contains("masthead_http_requests_total"));
    assert!(get(socket(), "host", "/readyz").contains("\"plugins\":["));
    assert!(running.get("127.0.0.1", "/readyz").ends_with("\r\n\r\n{\"ready\":true}"));
    assert!(running.get("127.0.0.1", "/metrics").starts_with("HTTP/1.1 404"));

    // A second host cannot use the same data folder or address, and reports it.
    let output = masthead(&sites, &data, &["serve", "--listen", "127.0.0.1:0"]);
    assert!(!output.status.success() && stderr(&output).contains("search"), "{}", stderr(&output));
    share_compiled(&folder.join("other"));
    let taken = running.address.as_str();
    for arguments in [&["--listen", taken][..], &["--listen", "127.0.0.1:0", "--admin-listen", taken]] {
        let output = masthead(&sites, &folder.join("other"), &[&["serve"], arguments].concat());
        let option = arguments[arguments.len() - 2];
        assert!(!output.status.success() && stderr(&output).contains(option), "{option}: {}", stderr(&output));
    }

    let status = running.terminate();
    assert!(status.success(), "the exit code after SIGTERM is 0: {status}");
}

#[test]
fn a_start_failure_is_reported_with_its_cause() {
    let folder = workspace("serve-wrong");
    let broken = folder.join("sites");
    std::fs::create_dir(&broken).unwrap();
    std::fs::write(broken.join("platform.toml"), "domain = ").unwrap();
    let (data, data2, in_the_way) = (folder.join("data"), folder.join("data2"), folder.join("file"));
    share_compiled(&data);
    share_compiled(&data2);
    std::fs::write(&in_the_way, "").unwrap();
    for (sites, data, words) in [
        (folder.join("nowhere"), data, "platform.toml"),
        (broken, data2, "is not valid TOML"),
        (repository("sites"), in_the_way, "is not a folder"),
    ] {
        let output = masthead(&sites, &data, &["serve", "--listen", "127.0.0.1:0"]);
        let error = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{words}");
        assert!(error.contains(words) && !error.contains("panicked"), "{error}");
    }
}
