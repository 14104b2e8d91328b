//! Readers who are members of a running host, by its calls.

use std::{
    io::{self, ErrorKind, Read as _, Write as _},
    net::TcpStream,
    path::Path,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use masthead_accounts::{
    codes::{Code, Codes},
    installation_key::InstallationKey,
};
use masthead_domain::{
    Lang, SiteId,
    member::{CodePurpose, MemberName},
};
use masthead_store::Store;
use masthead_test_support::{CODE, HANG, PASSWORD, edit, trust_local_proxy};
use serde_json::{Value, json};

use crate::{editing::Desk, full_disk::noise};

/// The site of [`Desk`].
pub const SITE: SiteId = SiteId(7001);
/// Where the calls of a member's own things begin.
pub const PERSONAL: &str = "/rc-pub/front/frontMembers";
/// The password that a reader chooses in place of [`PASSWORD`].
pub const NEW_PASSWORD: &str = "Neap8yRm";

/// An answer of a host.
#[derive(Debug)]
pub struct HostAnswer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl HostAnswer {
    /// The envelope of a call.
    pub fn json(&self) -> Value {
        let text = String::from_utf8_lossy(&self.body);
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {}\n{text}", self.head))
    }

    /// What a call that succeeds returns.
    pub fn data(&self) -> Value {
        assert_eq!(self.status, 200, "{}", String::from_utf8_lossy(&self.body));
        self.json()["data"].clone()
    }

    /// The value of a header field, or "".
    pub fn header(&self, name: &str) -> &str {
        let fields = self.head.lines().filter_map(|line| line.split_once(": "));
        fields.into_iter().find(|(field, _)| field.eq_ignore_ascii_case(name)).map_or("", |(_, value)| value)
    }
}

/// Sends a request and reads the answer, which must be complete: a host that is killed has acknowledged nothing by a part of one.
pub fn exchange(address: &str, head: &str, body: &[u8]) -> io::Result<HostAnswer> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(HANG))?;
    stream.write_all(format!("{head}content-length: {}\r\nconnection: close\r\n\r\n", body.len()).as_bytes())?;
    stream.write_all(body)?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    let cut = || io::Error::from(ErrorKind::UnexpectedEof);
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").ok_or_else(cut)?;
    let body = bytes.split_off(end + 4);
    let head = String::from_utf8_lossy(&bytes).into_owned();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or_else(cut)?;
    let answer = HostAnswer { status, head, body };
    let length = answer.header("content-length").parse().ok();
    if length.is_some_and(|length: usize| length != answer.body.len()) { Err(cut()) } else { Ok(answer) }
}

/// A reader of the site of [`Desk`].
#[derive(Clone, Debug)]
pub struct Reader {
    /// The account name, which is in the addresses too.
    pub name: String,
    /// The address of the host.
    pub host: String,
    /// The language of messages.
    pub lang: &'static str,
    /// The token of the session, or "".
    pub token: String,
}

impl Reader {
    pub fn new(name: &str, host: &str) -> Self {
        Self { name: name.to_owned(), host: host.to_owned(), lang: "en", token: String::new() }
    }

    /// The address that the reader registers with.
    pub fn email(&self) -> String {
        format!("{}@example.org", self.name)
    }

    /// The address that the reader changes to.
    pub fn new_email(&self) -> String {
        format!("{}-new@example.org", self.name)
    }

    fn head(&self, method: &str, path: &str, kind: &str) -> String {
        // Every reader comes from a network of its own, so that no reader uses up the share of another.
        let [first, second, third, _] = crc32fast::hash(self.name.as_bytes()).to_be_bytes();
        let network = format!("10.{first}.{second}.{third}");
        let token = if self.token.is_empty() { String::new() } else { format!("token: {}\r\n", self.token) };
        let lang = self.lang;
        format!(
            "{method} {path} HTTP/1.1\r\nhost: one.localhost\r\nlanguage: {lang}\r\nx-forwarded-for: {network}\r\n\
             content-type: {kind}\r\n{token}"
        )
    }

    pub fn call(&self, method: &str, path: &str, body: &Value) -> io::Result<HostAnswer> {
        self.call_with("", method, path, body)
    }

    /// The same call with further lines of the head, each of which has its end.
    pub fn call_with(&self, lines: &str, method: &str, path: &str, body: &Value) -> io::Result<HostAnswer> {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        exchange(&self.host, &(self.head(method, path, "application/json") + lines), body.as_bytes())
    }

    pub fn get(&self, path: &str) -> HostAnswer {
        self.call("GET", path, &Value::Null).unwrap()
    }

    /// Uploads a picture.
    pub fn upload(&self, purpose: &str, picture: &[u8]) -> io::Result<HostAnswer> {
        let part = "\r\n--abc\r\ncontent-disposition: form-data; name=\"file\"; filename=\"picture.png\"\r\n\r\n";
        let before = "--abc\r\ncontent-disposition: form-data; name=\"purpose\"\r\n\r\n".to_owned() + purpose + part;
        let body = [before.as_bytes(), picture, b"\r\n--abc--\r\n"].concat();
        exchange(
            &self.host,
            &self.head("POST", "/rc-pub/front/files/fileUpload", "multipart/form-data; boundary=abc"),
            &body,
        )
    }

    /// Registers with [`CODE`] and [`PASSWORD`].
    pub fn register(&self) -> io::Result<HostAnswer> {
        let body = json!({
            "userName": self.name, "email": self.email(), "code": CODE, "password": PASSWORD, "agreement": true
        });
        self.call("POST", "/rc-pub/api/register", &body)
    }

    pub fn sign_in(&self, password: &str) -> io::Result<HostAnswer> {
        self.call("POST", "/rc-pub/api/login", &json!({ "userName": self.name, "password": password }))
    }

    pub fn collect(&self, articles: &[i64]) -> io::Result<HostAnswer> {
        self.call("POST", &format!("{PERSONAL}/collect"), &json!({ "items": items(articles) }))
    }

    /// Saves the profile with a photo.
    pub fn save_profile(&self, photo: &str) -> io::Result<HostAnswer> {
        let body = json!({
            "name": "Ada Lovelace", "email": self.email(), "researchField": "tides", "region": "Europe",
            "major": "Mathematics", "institution": "Estuary University", "gender": "female", "photo": photo,
        });
        self.call("PUT", &format!("{PERSONAL}/saveInfo"), &body)
    }
}

/// Articles as calls name them.
pub fn items(articles: &[i64]) -> Vec<Value> {
    articles.iter().map(|id| json!({ "type": "article", "id": id })).collect()
}

/// A square picture of many colours as PNG, which no compression makes much smaller.
pub fn png(side: u32) -> Vec<u8> {
    let chunk = |kind: &[u8; 4], content: &[u8]| {
        let length = u32::try_from(content.len()).unwrap().to_be_bytes();
        let named = [&kind[..], content].concat();
        [&length[..], &named, &crc32fast::hash(&named).to_be_bytes()].concat()
    };
    let head = [&side.to_be_bytes()[..], &side.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    let row = side as usize * 3;
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    for pixels in noise(row * side as usize).chunks(row) {
        packed.write_all(&[0]).unwrap();
        packed.write_all(pixels).unwrap();
    }
    let pixels = packed.finish().unwrap();
    [&b"\x89PNG\r\n\x1a\n"[..], &chunk(b"IHDR", &head), &chunk(b"IDAT", &pixels), &chunk(b"IEND", b"")].concat()
}

/// Makes a host trust the forwarded addresses of readers, and send mail to a server.
pub fn prepare(desk: &Desk, port: u16) {
    trust_local_proxy(&desk.sites);
    edit(&desk.sites.join("platform.toml"), |text| {
        let server = format!("[mail]\nserver = \"127.0.0.1\"\nport = {port}\nfrom = \"noreply@masthead.example\"\n");
        text.replace("[mail]\n", &server).replace("encryption = \"tls\"\n", "encryption = \"none\"\n")
    });
}

/// The numbers of the articles of [`Desk`].
pub async fn articles(store: &Store) -> Vec<i64> {
    let mut ids = Vec::new();
    for number in 1..=3 {
        let key = format!("doi:10.5555/small.{number}");
        ids.push(store.site(SITE).article_id_by_key(&key).await.unwrap().unwrap().0);
    }
    ids
}

/// Sends the code [`CODE`] to an address, without the captcha of the call.
pub async fn send_code(store: &Store, data: &Path, purpose: CodePurpose, address: &str) {
    let key = InstallationKey::new(std::fs::read(data.join("cookie.key")).unwrap().try_into().unwrap());
    let (site, target) = (store.site(SITE), MemberName::email(address).unwrap());
    let codes = Codes::new(&key, &site, "", now());
    codes.send(purpose, &target, Lang::En, &Code::of(CODE.parse().unwrap())).await.unwrap();
}

/// Milliseconds since 1970.
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    i64::try_from(since.as_millis()).unwrap()
}
