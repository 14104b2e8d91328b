//! A local mail server that records the letters it takes, and answers as a test specifies: it may refuse, be silent, close the connection,
//! or say what is not true. It speaks TLS with the configuration that a test gives it.

use std::{
    io::{self, BufRead as _, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// A letter that the server has taken.
#[derive(Clone, Debug)]
pub struct Received {
    pub from: String,
    pub to: Vec<String>,
    /// Headers and body, with the line ends of the protocol.
    pub data: String,
    /// Whether the connection was encrypted.
    pub encrypted: bool,
}

/// When a connection is encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encrypting {
    /// From the first byte.
    AtOnce,
    /// After the command `STARTTLS`, which the server offers.
    AfterCommand,
}

struct Tls {
    at: Encrypting,
    config: Arc<ServerConfig>,
}

impl Tls {
    /// Encrypts a connection; `None` if the client does not want to go on.
    fn encrypt(&self, mut stream: TcpStream) -> Option<Stream> {
        let mut connection = ServerConnection::new(Arc::clone(&self.config)).ok()?;
        connection.complete_io(&mut stream).ok()?;
        Some(Stream::Encrypted(Box::new(StreamOwned::new(connection, stream))))
    }
}

enum Stream {
    Plain(TcpStream),
    Encrypted(Box<StreamOwned<ServerConnection, TcpStream>>),
}

impl Read for Stream {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(stream) => stream.read(into),
            Self::Encrypted(stream) => stream.read(into),
        }
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(stream) => stream.write(bytes),
            Self::Encrypted(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(stream) => stream.flush(),
            Self::Encrypted(stream) => stream.flush(),
        }
    }
}

/// What the server does at a point of the dialogue instead of what the protocol says.
#[derive(Clone, Debug)]
pub enum Act {
    /// What the protocol says.
    Usual,
    /// Answers with this line.
    Say(String),
    /// Never answers; the connection stays open.
    Silent,
    /// Closes the connection without an answer.
    Close,
    /// Takes the letter, or does what the command asks, and closes the connection without saying so.
    DoAndClose,
}

/// Decides by the line of the client: `greeting` when it connects, a command (`RCPT TO:<a@example.org>`), or `.` at the end of a letter.
type Behaviour = Box<dyn Fn(&str) -> Act + Send>;

struct Inner {
    received: Mutex<Vec<Received>>,
    commands: Mutex<Vec<String>>,
    behaviour: Mutex<Behaviour>,
    connections: AtomicUsize,
    tls: Option<Tls>,
}

/// The server. It runs on threads of its own until the process ends.
#[derive(Clone)]
pub struct MailServer {
    pub address: SocketAddr,
    inner: Arc<Inner>,
}

impl MailServer {
    /// A server that takes every letter.
    pub fn start() -> Self {
        Self::with(|_| Act::Usual)
    }

    pub fn with(behaviour: impl Fn(&str) -> Act + Send + 'static) -> Self {
        Self::listen(behaviour, None)
    }

    /// A server that takes every letter on encrypted connections.
    pub fn encrypting(at: Encrypting, config: Arc<ServerConfig>) -> Self {
        Self::listen(|_| Act::Usual, Some(Tls { at, config }))
    }

    fn listen(behaviour: impl Fn(&str) -> Act + Send + 'static, tls: Option<Tls>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let inner = Arc::new(Inner {
            received: Mutex::default(),
            commands: Mutex::default(),
            behaviour: Mutex::new(Box::new(behaviour)),
            connections: AtomicUsize::new(0),
            tls,
        });
        let shared = Arc::clone(&inner);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                shared.connections.fetch_add(1, Ordering::SeqCst);
                let inner = Arc::clone(&shared);
                // A client that hangs up ends its thread.
                std::thread::spawn(move || serve(&inner, stream));
            }
        });
        Self { address, inner }
    }

    /// Replaces what the server does.
    pub fn behave(&self, behaviour: impl Fn(&str) -> Act + Send + 'static) {
        *self.inner.behaviour.lock().unwrap() = Box::new(behaviour);
    }

    /// The letters since the last call.
    pub fn received(&self) -> Vec<Received> {
        std::mem::take(&mut self.inner.received.lock().unwrap())
    }

    /// The commands since the last call, without the letters.
    pub fn commands(&self) -> Vec<String> {
        std::mem::take(&mut self.inner.commands.lock().unwrap())
    }

    /// Connections so far.
    pub fn connections(&self) -> usize {
        self.inner.connections.load(Ordering::SeqCst)
    }

    /// The section `[mail]` of a platform file for this server. A letter has the longest time that can be configured: a busy machine may be
    /// slow.
    pub fn section(&self) -> String {
        self.section_with_timeout(60)
    }

    /// The same with so many seconds for a letter, for a test that waits for their end.
    pub fn section_with_timeout(&self, seconds: u32) -> String {
        let port = self.address.port();
        format!(
            "[mail]\nserver = \"127.0.0.1\"\nport = {port}\nencryption = \"none\"\nfrom = \"noreply@masthead.example\"\ntimeoutSeconds = {seconds}\n"
        )
    }
}

/// Answers until the client hangs up. `None` ends the connection.
fn serve(inner: &Inner, stream: TcpStream) -> Option<()> {
    let stream = match inner.tls.as_ref().filter(|tls| tls.at == Encrypting::AtOnce) {
        Some(tls) => tls.encrypt(stream)?,
        None => Stream::Plain(stream),
    };
    let mut client = Client { inner, stream: BufReader::new(stream) };
    client.answer("greeting", "220 mail.example ready")?;
    let (mut from, mut to) = (String::new(), Vec::new());
    loop {
        let line = read_line(&mut client.stream)?;
        inner.commands.lock().unwrap().push(line.clone());
        let word = line.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
        match word.as_str() {
            "EHLO" if client.offers_tls() => {
                client.answer(&line, "250-mail.example\r\n250-STARTTLS\r\n250 SIZE 10000000")?;
            }
            "EHLO" => {
                client.answer(&line, "250-mail.example\r\n250-AUTH PLAIN LOGIN\r\n250 SIZE 10000000")?;
            }
            "STARTTLS" if client.offers_tls() => {
                if client.answer(&line, "220 go ahead")? {
                    client = client.encrypted()?;
                }
            }
            "AUTH" => {
                client.answer(&line, "235 welcome")?;
            }
            "MAIL" => {
                (from, to) = (between(&line), Vec::new());
                client.answer(&line, "250 ok")?;
            }
            "RCPT" => {
                to.push(between(&line));
                client.answer(&line, "250 ok")?;
            }
            "DATA" => {
                client.answer(&line, "354 go on")?;
                let data = read_letter(&mut client.stream)?;
                let letter = Received { from: from.clone(), to: to.clone(), data, encrypted: client.is_encrypted() };
                client.take(letter)?;
            }
            "QUIT" => {
                client.answer(&line, "221 bye")?;
                return None;
            }
            "RSET" | "NOOP" => {
                client.answer(&line, "250 ok")?;
            }
            _ => {
                client.answer(&line, "502 unknown command")?;
            }
        }
    }
}

struct Client<'a> {
    inner: &'a Inner,
    stream: BufReader<Stream>,
}

impl Client<'_> {
    fn is_encrypted(&self) -> bool {
        matches!(self.stream.get_ref(), Stream::Encrypted(_))
    }

    fn offers_tls(&self) -> bool {
        self.inner.tls.is_some() && !self.is_encrypted()
    }

    /// The same client on an encrypted connection. What it sent before is dropped.
    fn encrypted(self) -> Option<Self> {
        let (tls, Stream::Plain(stream)) = (self.inner.tls.as_ref()?, self.stream.into_inner()) else { return None };
        Some(Self { inner: self.inner, stream: BufReader::new(tls.encrypt(stream)?) })
    }

    /// Answers a command. Returns whether it is what the protocol says.
    fn answer(&mut self, line: &str, usual: &str) -> Option<bool> {
        let act = self.inner.behaviour.lock().unwrap()(line);
        match act {
            Act::Usual => self.say(usual).map(|()| true),
            Act::Say(text) => self.say(&text).map(|()| false),
            Act::Silent => loop {
                std::thread::park();
            },
            Act::Close | Act::DoAndClose => None,
        }
    }

    /// Takes a letter whole, or refuses it.
    fn take(&mut self, letter: Received) -> Option<()> {
        let act = self.inner.behaviour.lock().unwrap()(".");
        let keep = || self.inner.received.lock().unwrap().push(letter);
        match act {
            Act::Usual => {
                keep();
                self.say("250 taken")
            }
            Act::DoAndClose => {
                keep();
                None
            }
            Act::Say(text) => self.say(&text),
            Act::Silent => loop {
                std::thread::park();
            },
            Act::Close => None,
        }
    }

    fn say(&mut self, text: &str) -> Option<()> {
        let stream = self.stream.get_mut();
        stream.write_all(format!("{text}\r\n").as_bytes()).ok()?;
        stream.flush().ok()
    }
}

fn read_line(reader: &mut BufReader<Stream>) -> Option<String> {
    let mut line = String::new();
    let read = reader.read_line(&mut line).ok()?;
    (read > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned())
}

/// The lines up to a single dot, without the dots that the protocol adds.
fn read_letter(reader: &mut BufReader<Stream>) -> Option<String> {
    let mut data = String::new();
    loop {
        let line = read_line(reader)?;
        if line == "." {
            return Some(data);
        }
        data.push_str(line.strip_prefix('.').unwrap_or(&line));
        data.push_str("\r\n");
    }
}

fn between(line: &str) -> String {
    let inner = line.split_once('<').and_then(|(_, rest)| rest.split_once('>'));
    inner.map_or(line, |(address, _)| address).to_owned()
}

impl Received {
    /// A header as it is sent, without the breaks of long lines; "" if there is none.
    pub fn header(&self, name: &str) -> String {
        let all = self.headers(name);
        assert!(all.len() < 2, "{name} is there {} times", all.len());
        all.into_iter().next().unwrap_or_default()
    }

    /// All headers of this name.
    pub fn headers(&self, name: &str) -> Vec<String> {
        headers(head(&self.data), name)
    }

    /// The names of all headers.
    pub fn header_names(&self) -> Vec<String> {
        let lines = head(&self.data).lines().filter(|line| !line.starts_with([' ', '\t']));
        lines.filter_map(|line| Some(line.split_once(':')?.0.to_owned())).collect()
    }

    /// The subject as a reader sees it.
    pub fn subject(&self) -> String {
        words(&self.header("Subject"))
    }

    /// The part that is plain text, decoded.
    pub fn text(&self) -> String {
        self.part("text/plain")
    }

    /// The part that is HTML, decoded.
    pub fn html(&self) -> String {
        self.part("text/html")
    }

    fn part(&self, kind: &str) -> String {
        let boundary = self.header("Content-Type");
        let boundary = boundary.split("boundary=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        let part = self
            .data
            .split(&format!("--{boundary}"))
            .find(|part| headers(head(part.trim_start()), "Content-Type").iter().any(|value| value.starts_with(kind)));
        let part = part.unwrap_or_else(|| panic!("no part {kind} in {}", self.data)).trim_start();
        let (head, body) = part.split_once("\r\n\r\n").unwrap();
        let encoding = headers(head, "Content-Transfer-Encoding").join("");
        String::from_utf8(match encoding.as_str() {
            "base64" => STANDARD.decode(body.split_whitespace().collect::<String>()).unwrap(),
            "quoted-printable" => quoted_printable(body),
            _ => body.as_bytes().to_vec(),
        })
        .unwrap()
        .replace("\r\n", "\n")
    }

    /// The verification code in the letter: six digits that stand alone.
    pub fn code(&self) -> String {
        let text = self.text();
        let mut digits = text
            .split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|word| word.len() == 6 && word.bytes().all(|byte| byte.is_ascii_digit()));
        digits.next().unwrap_or_else(|| panic!("no code in {text}")).to_owned()
    }
}

fn head(data: &str) -> &str {
    data.split_once("\r\n\r\n").map_or(data, |(head, _)| head)
}

fn headers(head: &str, name: &str) -> Vec<String> {
    let unfolded = head.replace("\r\n ", " ").replace("\r\n\t", " ");
    let lines = unfolded.lines().filter_map(|line| line.split_once(':'));
    lines.filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim().to_owned()).collect()
}

/// Decodes encoded words (RFC 2047).
fn words(text: &str) -> String {
    let joined = text.replace("?= =?", "?==?");
    let mut shown = String::new();
    let mut bytes = Vec::new();
    let mut rest = joined.as_str();
    while let Some((before, after)) = rest.split_once("=?") {
        if !before.is_empty() {
            shown.push_str(&String::from_utf8(std::mem::take(&mut bytes)).unwrap());
        }
        shown.push_str(before);
        let mut parts = after.splitn(3, '?');
        let (encoding, content) = (parts.nth(1).unwrap(), parts.next().unwrap());
        let (content, behind) = content.split_once("?=").unwrap();
        bytes.extend(match encoding {
            "b" | "B" => STANDARD.decode(content).unwrap(),
            _ => quoted_printable(&content.replace('_', " ")),
        });
        rest = behind;
    }
    shown.push_str(&String::from_utf8(bytes).unwrap());
    shown + rest
}

fn quoted_printable(text: &str) -> Vec<u8> {
    let joined = text.replace("=\r\n", "");
    let mut bytes = Vec::new();
    let mut rest = joined.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = (*first == b'=').then(|| after.get(..2)).flatten();
        let hex = hex.and_then(|two| u8::from_str_radix(std::str::from_utf8(two).ok()?, 16).ok());
        bytes.push(hex.unwrap_or(*first));
        rest = if hex.is_some() { &after[2..] } else { after };
    }
    bytes
}
