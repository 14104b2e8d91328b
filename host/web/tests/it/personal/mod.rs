//! The calls of the personal centre: lists, albums, profile, pictures, history, saved searches, export and erasure, each for the member alone.

mod albums;
mod lists;
mod profile;
mod times;
mod whole;

use std::sync::LazyLock;

use masthead_accounts::{
    password::{Cost, Passwords},
    sessions::{SessionStart, Sessions, method},
};
use masthead_domain::{
    ArticleId, Lang, SiteId,
    member::{MemberId, MemberName, Profile},
};
use masthead_store::{Created, NewMember};
use masthead_test_support::{Answer, Portal, Setup};
use serde_json::Value;

static PORTAL: LazyLock<Portal> = LazyLock::new(|| Portal::start("personal", Setup::default(), |_| {}));

/// A journal site with articles, and another one.
const OCEAN: &str = "oceanledger";
const CIRCUITS: &str = "quietcircuits";
const SEAGRASS: &str = "10.5555/ocl.2026.06.01.0001";
const PASSWORD: &str = "Tidal-Basin7";
const MEMBERS: &str = "/rc-pub/front/frontMembers";
const ALBUMS: &str = "/rc-pub/front/personalAlbum";

/// A signed-in member of a site.
struct Reader {
    host: String,
    site: SiteId,
    id: MemberId,
    token: String,
}

impl Reader {
    /// A new member of a site, with an account name and an e-mail address of that name, and [`PASSWORD`].
    fn new(sld: &str, name: &str) -> Self {
        let site = PORTAL.app.sites.load().by_sld(sld).unwrap().site.id;
        let (id, token) = PORTAL.run(async {
            let (store, now) = (PORTAL.app.store.site(site), PORTAL.app.counting.now());
            let names = [
                MemberName::account(name).unwrap(),
                MemberName::email(&format!("{name}@example.org")).unwrap(),
                MemberName::mobile(&format!("138{:08}", rand::random::<u32>() % 100_000_000)).unwrap(),
            ];
            let password = Passwords::new(Cost::LEAST, 1).hash(PASSWORD).await.unwrap();
            let profile = Profile::default();
            let new = NewMember {
                handle: name,
                names: &names,
                password: &password,
                identity: None,
                lang: Lang::En,
                profile: &profile,
            };
            let created = store.create_member(&new, now).await.unwrap();
            let Created::Member(member) = created else { panic!("{name}: {created:?}") };
            let times = PORTAL.app.sites.load().by_id(site).unwrap().site.accounts.sessions;
            let beginning = SessionStart { member, method: method::PASSWORD, agent: "tests", replaces: None };
            let begun = Sessions::new(store, times, now).begin(&beginning).await.unwrap().unwrap();
            (member, begun.text)
        });
        Self { host: format!("{sld}.localhost"), site, id, token }
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Answer {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        PORTAL.ask(method, &self.host, path, &[("language", "en"), ("token", &self.token)], &body)
    }

    fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &Value::Null)
    }

    /// The data of a call that succeeds.
    fn data(&self, method: &str, path: &str, body: &Value) -> Value {
        let answer = self.ask(method, path, body);
        assert_eq!(answer.status, 200, "{method} {path} {body}: {}", answer.text());
        answer.json()["data"].clone()
    }

    /// The entries of a page.
    fn content(&self, path: &str) -> Vec<Value> {
        let page = self.data("GET", path, &Value::Null);
        page["content"].as_array().unwrap_or_else(|| panic!("{page}")).clone()
    }

    /// The status and message of a call.
    fn said(&self, method: &str, path: &str, body: &Value) -> (u16, String) {
        let answer = self.ask(method, path, body);
        let envelope = answer.json();
        let failed = answer.status != 200;
        assert_eq!(envelope["status"], if failed { answer.status } else { 0 }, "{envelope}");
        assert_eq!(envelope["data"].is_null(), failed, "{envelope}");
        (answer.status, envelope["message"].as_str().unwrap().to_owned())
    }

    /// Uploads a picture.
    fn upload(&self, purpose: &str, name: &str, bytes: &[u8]) -> Answer {
        self.upload_with(purpose, name, bytes, &[])
    }

    fn upload_with(&self, purpose: &str, name: &str, bytes: &[u8], headers: &[(&str, &str)]) -> Answer {
        let mut body = format!(
            "--abc\r\nContent-Disposition: form-data; name=\"purpose\"\r\n\r\n{purpose}\r\n\
             --abc\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\nContent-Type: image/png\r\n\r\n"
        )
        .into_bytes();
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n--abc--\r\n");
        let own = [
            ("host", self.host.as_str()),
            ("language", "en"),
            ("token", self.token.as_str()),
            ("content-type", "multipart/form-data; boundary=abc"),
        ];
        PORTAL.send("POST", "/rc-pub/front/files/fileUpload", &[&own[..], headers].concat(), body)
    }
}

/// The number of an article of [`OCEAN`].
fn article() -> i64 {
    PORTAL.article(OCEAN, SEAGRASS)
}

/// Numbers of articles of a site.
fn articles(sld: &str, count: usize) -> Vec<i64> {
    let site = PORTAL.app.sites.load().by_sld(sld).unwrap().site.id;
    let ids: Vec<ArticleId> = (1..200).map(ArticleId).collect();
    let cards = PORTAL.run(PORTAL.app.store.site(site).cards_by_id(&ids)).unwrap();
    assert!(cards.len() >= count, "{sld} has {}", cards.len());
    cards[..count].iter().map(|card| card.id).collect()
}

/// A picture of these dimensions as BMP.
fn bmp(width: u32, height: u32) -> Vec<u8> {
    let row = (width * 3).div_ceil(4) * 4;
    let size = 54 + row * height;
    let mut bytes = b"BM".to_vec();
    for number in [size, 0, 54, 40, width, height] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    bytes.extend_from_slice(&[1, 0, 24, 0]);
    bytes.resize(54, 0);
    // Many colours, as a photograph has them.
    bytes.extend((0..row * height).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8));
    bytes
}

/// A picture of one pixel as PNG.
const PNG: &[u8] =
    b"\x89\x50\x4e\x47\x0d\x0a\x1a\x0a\x00\x00\x00\x0d\x49\x48\x44\x52\x00\x00\x00\x01\x00\x00\x00\x01\x08\x02\x00\x00\
    \x00\x90\x77\x53\xde\x00\x00\x00\x0c\x49\x44\x41\x54\x78\x9c\x63\x10\x68\xf8\x00\x00\x02\x24\x01\x81\x6f\x91\xe4\
    \x64\x00\x00\x00\x00\x49\x45\x4e\x44\xae\x42\x60\x82";

#[test]
fn every_call_asks_strangers_to_sign_in() {
    for (method, path) in [
        ("GET", "/rc-pub/front/frontMembers/info"),
        ("PUT", "/rc-pub/front/frontMembers/saveInfo"),
        ("POST", "/rc-pub/front/frontMembers/collect"),
        ("GET", "/rc-pub/front/frontMembers/collects"),
        ("GET", "/rc-pub/front/frontMembers/isCollect?type=article&id=1"),
        ("DELETE", "/rc-pub/front/frontMembers/unCollectByIdAndType?type=article&id=1"),
        ("GET", "/rc-pub/front/frontMembers/downloads"),
        ("DELETE", "/rc-pub/front/frontMembers/downloads"),
        ("GET", "/rc-pub/front/frontMembers/historys"),
        ("DELETE", "/rc-pub/front/frontMembers/historys"),
        ("GET", "/rc-pub/front/frontMembers/searches"),
        ("POST", "/rc-pub/front/frontMembers/searches"),
        ("PUT", "/rc-pub/front/frontMembers/searches"),
        ("DELETE", "/rc-pub/front/frontMembers/searches?id=1"),
        ("GET", "/rc-pub/front/frontMembers/export"),
        ("DELETE", "/rc-pub/front/frontMembers/account"),
        ("GET", "/rc-pub/front/personalAlbum/search"),
        ("POST", "/rc-pub/front/personalAlbum/saveAlbum"),
        ("PUT", "/rc-pub/front/personalAlbum/editAlbum"),
        ("DELETE", "/rc-pub/front/personalAlbum/delete?id=1"),
        ("GET", "/rc-pub/front/personalAlbum/info?id=1"),
        ("POST", "/rc-pub/front/personalAlbum/res/addList"),
        ("DELETE", "/rc-pub/front/personalAlbum/res/delete?albumId=1&type=article&id=1"),
        ("GET", "/rc-pub/front/personalAlbum/res/search?albumId=1"),
        ("GET", "/rc-pub/front/files/picture?id=x"),
    ] {
        let answer = PORTAL.ask(method, "oceanledger.localhost", path, &[("language", "en")], "");
        assert_eq!((answer.status, answer.json()["status"].as_i64()), (401, Some(401)), "{method} {path}");
    }
    // A member of one site is a stranger on another.
    let reader = Reader::new(OCEAN, "wanderer");
    let elsewhere = [("language", "en"), ("token", reader.token.as_str())];
    let answer = PORTAL.with("quietcircuits.localhost", "/rc-pub/front/frontMembers/info", &elsewhere);
    assert_eq!(answer.status, 401);
}
