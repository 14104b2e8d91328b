//! The keys of the page cache: complete, so that requests with the same key get the same page, and few, so that clients cannot fill
//! the cache with copies of one page.

use std::{
    cell::Cell,
    collections::HashSet,
    path::Path,
    sync::{LazyLock, Mutex, MutexGuard, PoisonError},
};

use masthead_test_support::{Answer, Portal, Setup, named};
use masthead_web::cache::PageKey;
use proptest::{
    prelude::*,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};

use crate::pages::decoded;

/// One test at a time: each looks at the whole cache.
fn portal() -> MutexGuard<'static, Portal> {
    static PORTAL: LazyLock<Mutex<Portal>> =
        LazyLock::new(|| Mutex::new(Portal::start("page-cache", Setup::default(), add_site)));
    PORTAL.lock().unwrap_or_else(PoisonError::into_inner)
}

fn add_site(sites: &Path) {
    let mirror = "id = 9105\nname = { zh = \"镜\", en = \"Mirror\" }\nlanguages = [\"en\", \"zh\"]\n\
                  domains = [\"Journal.Example.ORG\"]\ndemo = [\"ocean-ledger\"]\n";
    std::fs::write(sites.join("mirror.toml"), mirror).unwrap();
}

const SEAGRASS: &str = "10.5555/ocl.2026.06.01.0001";
/// Hosts of the site, with the prefix of its addresses.
const HOSTS: [(&str, &str); 5] = [
    ("mirror.localhost", ""),
    ("Mirror.LocalHost", ""),
    ("journal.example.org", ""),
    ("127.0.0.1", "/mirror"),
    ("LOCALHOST", "/mirror"),
];
/// Paths behind the language; `ID` and `DOI` stand for those of an article.
const PATHS: [&str; 16] = [
    "",
    "home",
    "home/made-up",
    "index",
    "issues",
    "issue",
    "issue/2026/1",
    "issue/02026/1",
    "about",
    "justAccepted",
    "article/ID",
    "article/00ID",
    "article/doi/DOI",
    "article/x",
    "nowhere",
    "search",
];
const QUERIES: [&str; 5] = ["", "?utm_source=a", "?journal=", "?journal=none", "?q=the&page=2"];
const HEADERS: [&[(&str, &str)]; 6] = [
    &[],
    &[("accept-language", "zh-CN"), ("referer", "https://example.org/")],
    &[("cookie", "language=zh; other=x")],
    &[("user-agent", "Mozilla/5.0"), ("accept", "text/html;q=0.9, */*;q=0.1")],
    &[("x-forwarded-host", "evil.example"), ("forwarded", "host=evil.example")],
    &[("siteId", "448"), ("language", "zh")],
];

/// A request for a page: numbers of the entries above, and how its address is written.
#[derive(Clone, Debug)]
struct Asked {
    host: usize,
    port: usize,
    forwarded: usize,
    lang: usize,
    path: usize,
    query: usize,
    headers: usize,
    encoding: usize,
    /// Which characters of the path are percent-encoded, and how.
    mask: u32,
    /// Whether slashes are doubled.
    doubled: bool,
    /// Whether the shell's in-site navigation asks for the page, or the address.
    navigation: bool,
}

fn asked() -> impl Strategy<Value = Asked> {
    let of_address = (0..HOSTS.len(), 0..6_usize, 0..4_usize, 0..2_usize, 0..PATHS.len(), 0..QUERIES.len());
    let others = (0..HEADERS.len(), 0..3_usize, any::<u32>(), any::<bool>(), prop::bool::weighted(0.2));
    (of_address, others).prop_map(|(of_address, others)| {
        let (host, port, forwarded, lang, path, query) = of_address;
        let (headers, encoding, mask, doubled, navigation) = others;
        Asked { host, port, forwarded, lang, path, query, headers, encoding, mask, doubled, navigation }
    })
}

/// Two requests that often differ only in what must not matter.
fn pair() -> impl Strategy<Value = (Asked, Asked)> {
    (asked(), asked(), 0..4_u8).prop_map(|(first, second, differing)| {
        let second = match differing {
            0 => second,
            1 => Asked { path: first.path, lang: first.lang, ..second },
            _ => Asked {
                host: first.host,
                forwarded: first.forwarded,
                path: first.path,
                lang: first.lang,
                navigation: first.navigation,
                ..second
            },
        };
        (first, second)
    })
}

/// Percent-encodes the characters of a path, except slashes, whose bit is set: in upper case for even places, in lower case for odd.
fn written(path: &str, mask: u32, doubled: bool) -> String {
    let mut out = String::new();
    for (place, byte) in path.bytes().enumerate() {
        match byte {
            b'/' if doubled => out.push_str("//"),
            b'/' => out.push('/'),
            _ if mask >> (place % 32) & 1 == 0 => out.push(char::from(byte)),
            _ if place.is_multiple_of(2) => out.push_str(&format!("%{byte:02X}")),
            _ => out.push_str(&format!("%{byte:02x}")),
        }
    }
    out
}

impl Asked {
    fn send(&self, portal: &Portal) -> Answer {
        let own = portal.address.port().to_string();
        let port = ["", &own, "1", "65535", "080", "x"][self.port];
        let (host, base) = HOSTS[self.host];
        let host = if port.is_empty() { host.to_owned() } else { format!("{host}:{port}") };
        let id = portal.article("mirror", SEAGRASS).to_string();
        // The case of a DOI is without meaning.
        let doi = if self.mask.is_multiple_of(2) { SEAGRASS.to_owned() } else { SEAGRASS.to_uppercase() };
        let path = PATHS[self.path].replace("ID", &id).replace("DOI", &doi);
        let path = format!("/{}/{path}", ["en", "zh"][self.lang]);
        let path = format!("{}{}", written(&path, self.mask, self.doubled), QUERIES[self.query]);
        let path = if self.navigation {
            let path: String = url::form_urlencoded::byte_serialize(path.as_bytes()).collect();
            format!("{base}/rc-pub/front/page?path={path}")
        } else {
            format!("{base}{path}")
        };
        let mut headers = HEADERS[self.headers].to_vec();
        headers.extend(
            [("x-forwarded-proto", "http"), ("x-forwarded-proto", "https"), ("x-forwarded-proto", "ftp")]
                .get(self.forwarded),
        );
        headers.extend([("accept-encoding", "gzip"), ("accept-encoding", "br, gzip")].get(self.encoding));
        portal.with(&host, &path, &headers)
    }

    /// The key under which the page was kept, if it was, and the page without its nonce. The page is built for this request: nothing
    /// is in the cache before it.
    fn page(&self, portal: &Portal) -> (Option<PageKey>, String) {
        portal.app.pages.clear();
        let answer = self.send(portal);
        let mut keys = portal.app.pages.keys();
        assert!(keys.len() <= 1, "{self:?}: {keys:?}");
        let text = decoded(&answer);
        let policy = answer.header("content-security-policy");
        let page = if policy.contains("'nonce-") { text.replace(&answer.nonce(), "N") } else { text };
        (keys.pop(), page)
    }
}

#[test]
fn requests_with_the_same_key_get_the_same_page() {
    let portal = portal();
    let config = Config { cases: 96, failure_persistence: None, ..Config::default() };
    // Always the same requests: how many of the pairs have the same key does not vary.
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let same = Cell::new(0);
    let outcome = runner.run(&pair(), |(first, second)| {
        let ((first_key, first_page), (second_key, second_page)) = (first.page(&portal), second.page(&portal));
        if first_key.is_some() && first_key == second_key && first.navigation == second.navigation {
            same.set(same.get() + 1);
            prop_assert_eq!(first_page, second_page, "{:?}", first_key);
        }
        Ok(())
    });
    outcome.unwrap();
    assert!(same.get() >= 10, "only {} pairs have the same key", same.get());
}

#[test]
fn odd_ports_and_encodings_make_no_entries() {
    let portal = portal();
    let (id, own) = (portal.article("mirror", SEAGRASS), portal.address.port());
    let doi = |separator: &str| SEAGRASS.replace('/', separator);
    let (upper, encoded) = (doi("/").to_uppercase(), doi("%2f"));
    let forms: [&[String]; 5] = [
        &[
            format!("article/{id}"),
            format!("article/{id}/"),
            format!("%61rticle/000{id}"),
            format!("article//{id}?a=b"),
        ],
        &[format!("article/doi/{SEAGRASS}"), format!("article/doi/{upper}"), format!("article/doi/{encoded}")],
        &["home".to_owned(), "home/".to_owned(), String::new(), "home/made-up".to_owned(), "%68%6f%6D%65".to_owned()],
        &["issue/2026/1".to_owned(), "issue/02026/1".to_owned(), "issue/+2026/%31/".to_owned()],
        &["issues".to_owned(), "issues?journal=none".to_owned(), "//issues//".to_owned()],
    ];
    let get = |host: &str, path: &str| {
        let answer = portal.with(host, path, &[]);
        assert_eq!(answer.status, 200, "{host} {path}");
        answer.text()
    };
    portal.app.pages.clear();
    for form in forms {
        get("mirror.localhost", &format!("/en/{}", form[0]));
        get(&format!("127.0.0.1:{own}"), &format!("/mirror/en/{}", form[0]));
    }
    let kept: HashSet<PageKey> = portal.app.pages.keys().into_iter().collect();
    assert_eq!(kept.len(), 2 * forms.len(), "{kept:?}");
    for path in forms.concat() {
        for lang in ["en", "%65n"] {
            for host in ["mirror.localhost", "MIRROR.localhost", "mirror.localhost:9000", "mirror.localhost:80"] {
                assert!(!get(host, &format!("/{lang}/{path}")).contains(":9000"), "{host} {path}");
            }
            get(&format!("127.0.0.1:0{own}"), &format!("/mirror/{lang}/{path}"));
        }
    }
    for port in 9001..9033 {
        get(&format!("mirror.localhost:{port}"), "/en/home");
    }
    let now: HashSet<PageKey> = portal.app.pages.keys().into_iter().collect();
    assert_eq!(now, kept);
}

#[test]
fn invented_parameters_make_no_entries() {
    let portal = portal();
    let get =
        |path: &str| assert_eq!(portal.with("mirror.localhost", &format!("/en/{path}"), &[]).status, 200, "{path}");
    let pages = [
        "onlineFirst",
        "textList?type=picture",
        "currencyList",
        "collectionList",
        "mag",
        "editorial-board",
        "news",
        "issues",
        "issue/2026",
        "info",
        "newLink1",
    ];
    portal.app.pages.clear();
    for path in pages {
        get(path);
    }
    let kept: HashSet<PageKey> = portal.app.pages.keys().into_iter().collect();
    assert_eq!(kept.len(), pages.len(), "{kept:?}");
    for path in [
        "onlineFirst?page=1",
        "onlineFirst?page=01",
        "onlineFirst?page=x",
        "onlineFirst?page=77777",
        "textList?type=picture&index=-1&issearch=1",
        "textList?type=picture&index=made-up&styleId=9&sort=up&columnId=7777",
        "textList?type=made-up",
        "textList?type=picture&journal=made-up",
        "textList?type=picture&q=%20&field=isbn&oa=0&lastYears=3&order=asc&sort=date&after=1",
        "textList?type=picture&q=made-up",
        "currencyList?q=made-up&type=made-up",
        "currencyList?code=made-up",
        "collectionList?sort=made-up",
        "collectionList?journal=made-up",
        "collectionList?page=77777",
        "mag?tab=made-up",
        "mag?column=made-up",
        "mag?tab=columns&column=made-up",
        "mag?page=7",
        "editorial-board?board=7777777",
        "editorial-board?board=made-up",
        "news?newsDataType=made-up&page=0",
        "issues?page=77777",
        "issue/2026?page=77777",
        "info?page=77777",
        "newLink1?page=77777&columnId=7777",
    ] {
        get(path);
        let now: HashSet<PageKey> = portal.app.pages.keys().into_iter().collect();
        assert_eq!(now, kept, "{path}");
    }
}

/// The shell stamps every call: neither the host nor a cache on the way keeps an answer under the stamp.
#[test]
fn time_stamps_make_no_entries() {
    let portal = portal();
    let id = portal.article("mirror", SEAGRASS);
    let ask = |address: &str| {
        let answer = portal.with("mirror.localhost", address, &[]);
        assert_eq!(answer.status, 200, "{address}");
        answer
    };
    portal.app.pages.clear();
    let page = ask("/rc-pub/front/page?path=/en/issues");
    assert_eq!(page.header("cache-control"), "private, no-cache");
    let kept = portal.app.pages.keys();
    for stamp in 1_790_000_000_000_u64..1_790_000_000_003 {
        let stamped = ask(&format!("/rc-pub/front/page?path=/en/issues&timestamps={stamp}"));
        assert_eq!(stamped.header("cache-control"), "private, no-cache", "the shell may keep it");
        assert_eq!(stamped.json()["data"]["html"], page.json()["data"]["html"]);
    }
    assert_eq!(portal.app.pages.keys(), kept);
    let text = format!("/rc-pub/front/front-article/getHtml?id={id}");
    assert_eq!(ask(&text).header("cache-control"), "public, max-age=60");
    assert_eq!(ask(&format!("{text}&timestamps=1790000000000")).header("cache-control"), "private, no-store");
}

#[test]
fn absolute_addresses_have_the_port_of_the_listener_and_no_other() {
    let portal = portal();
    let own = portal.address.port();
    let canonical = |port: &str| {
        let page = portal.with(&format!("Mirror.localhost{port}"), "/en/issues", &[]).text();
        let link = named(&page, "link").into_iter().find(|tag| tag.get("rel") == "canonical").unwrap();
        link.get("href")
    };
    assert_eq!(canonical(&format!(":{own}")), format!("http://mirror.localhost:{own}/en/issues"));
    for port in ["", ":80", ":1", ":x"] {
        assert_eq!(canonical(port), "http://mirror.localhost/en/issues", "{port}");
    }
}
