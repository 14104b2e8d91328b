//! Differences between sites come from configuration: plugins, styles, settings.

use std::sync::LazyLock;

use masthead_test_support::{Portal, Setup, between, bootstrap, listed, slot};
use serde_json::Value;

static PORTAL: LazyLock<Portal> = LazyLock::new(|| Portal::start("sites", Setup::default(), |_| {}));

fn section_kinds(page: &str) -> Vec<String> {
    masthead_test_support::named(page, "section")
        .iter()
        .filter(|tag| tag.has("data-kind"))
        .map(|tag| tag.get("data-kind"))
        .collect()
}

#[test]
fn only_sites_with_hss_article_use_its_article_links() {
    for (site, word, path) in [
        ("hssxiv", "tides", "hssArticle"),
        ("hsspress", "classroom", "hssArticle"),
        ("oceanledger", "tides", "article"),
        ("plainpress", "seagrass", "article"),
    ] {
        for list in [format!("/en/search?q={word}&site={site}"), "/zh/home".into(), "/en/issue".into()] {
            let links = listed(&PORTAL.page(site, &list));
            assert!(!links.is_empty(), "{site} {list}");
            for link in &links {
                let lang = &list[..3];
                assert!(link.starts_with(&format!("{lang}/{path}/")), "{site} {list}: {link}");
            }
            assert_eq!(bootstrap(&PORTAL.page(site, &links[0]))["page"]["kind"], "article", "{site} {}", links[0]);
        }
        let headers = [("language", "en")];
        let call = format!("/rc-pub/front/search?q={word}");
        let found = PORTAL.with(&format!("{site}.localhost"), &call, &headers).json();
        let href = found["data"]["content"][0]["href"].as_str().unwrap();
        assert!(href.starts_with(&format!("/en/{path}/")), "{site}: {href}");
        let id = href.rsplit('/').next().unwrap();
        let jump = format!("/rc-pub/front/front-article/getJumpUrl?id={id}");
        assert_eq!(PORTAL.with(&format!("{site}.localhost"), &jump, &headers).json()["data"], href, "{site}");
    }
}

#[test]
fn rewritten_links_keep_the_sites_prefix() {
    let page = PORTAL.with("127.0.0.1", "/hssxiv/en/search?q=tides&site=hssxiv", &[]).text();
    let links = listed(&page);
    assert!(!links.is_empty() && links.iter().all(|link| link.starts_with("/hssxiv/en/hssArticle/")), "{links:?}");
    assert_eq!(PORTAL.with("127.0.0.1", &links[0], &[]).status, 200);
}

#[test]
fn only_sites_with_friendship_links_have_the_footer_row() {
    for (site, friend) in
        [("oceanledger", "https://tides.example.org/"), ("scriptstone", "https://stelae.example.org/")]
    {
        for (lang, title) in [("zh", "友情链接"), ("en", "Friendship links")] {
            let page = PORTAL.page(site, &format!("/{lang}/home"));
            let frame = bootstrap(&page);
            assert_eq!(slot(&frame, "footer.rows"), ["footer-friendship-links"], "{site}");
            let row = between(&page, "<nav class=\"friendship\"", "</nav>");
            assert!(row.contains(&format!("href=\"{friend}\"")) && row.contains(title), "{site} {lang}: {row}");
            let module = &frame["slots"]["footer.rows"][0];
            assert!(module["integrity"].as_str().unwrap().starts_with("sha384-"));
            assert!(page.contains(&format!("rel=\"modulepreload\" href=\"{}\"", module["entry"].as_str().unwrap())));
        }
    }
    for site in ["hssxiv", "hsspress", "plainpress", "quietcircuits", "fieldnotes"] {
        let page = PORTAL.page(site, "/en/home");
        assert_eq!(slot(&bootstrap(&page), "footer.rows"), Vec::<String>::new(), "{site}");
        assert!(!page.contains("friendship\"") && !page.contains("footer-friendship-links"), "{site}");
    }
}

#[test]
fn every_site_runs_exactly_its_configured_plugins() {
    let ready = PORTAL.ready();
    assert_eq!(ready["ready"], true, "{ready}");
    let plugins = ready["plugins"].as_array().unwrap();
    let of = |site: &str| -> Vec<&str> {
        let own = plugins.iter().filter(|plugin| plugin["site"] == site);
        own.map(|plugin| plugin["plugin"].as_str().unwrap()).collect()
    };
    for (site, expected) in [
        ("plainpress", &[][..]),
        ("oceanledger", &["friendship-links", "citation-export", "synonym-search"]),
        ("scriptstone", &["friendship-links", "citation-export", "multilingual-dissemination"]),
        ("hssxiv", &["hss-article", "adcs-statistics", "citation-export"]),
        ("hsspress", &["hss-article", "adcs-statistics"]),
        ("quietcircuits", &["referrer-access", "citation-export", "knowledge-base"]),
        ("fieldnotes", &["referrer-access", "ai-assistant"]),
        ("tidesdesk", &["ai-assistant"]),
        ("northcampus", &["external-identity"]),
    ] {
        assert_eq!(of(site), expected, "{site}");
    }
    assert_eq!(ready["problems"], serde_json::json!([]));
    let plain = PORTAL.get("plainpress", "/en/home");
    assert_eq!(plain.header("set-cookie"), "", "no referrer is stored when no plugin uses it");
}

#[test]
fn style_ids_select_the_modules_of_header_search_and_footer() {
    for (site, header, search) in [
        ("oceanledger", "nav-default", "search-header-bar"),
        ("plainpress", "nav-default", "search-header-bar"),
        ("hssxiv", "nav-alternate", "search-style-one"),
        ("hsspress", "nav-alternate", "search-style-two"),
        ("scriptstone", "nav-alternate", "search-style-one"),
        ("fieldnotes", "nav-alternate", "search-banner"),
        ("quietcircuits", "nav-default", "search-style-one"),
    ] {
        let page = PORTAL.page(site, "/zh/home");
        let frame = bootstrap(&page);
        assert_eq!(slot(&frame, "header"), [header], "{site}");
        assert_eq!(slot(&frame, "search"), [search], "{site}");
        assert_eq!(slot(&frame, "footer"), ["footer-default"], "{site}");
        assert!(
            page.contains("<div class=\"slot\" data-slot=\"header\" data-rendered>"),
            "{site}: the host renders it"
        );
        assert!(page.contains(&format!("data-module=\"{header}\"")), "{site}");
        for other in [
            "nav-default",
            "nav-alternate",
            "search-style-one",
            "search-style-two",
            "search-banner",
            "search-header-bar",
        ] {
            let named = [header, search].contains(&other);
            assert_eq!(
                page.contains(&format!("/modules/{other}/")),
                named,
                "{site}: only the site's own modules are loaded"
            );
        }
    }
}

#[test]
fn sites_have_their_own_names_colours_and_content() {
    for (site, id, name) in [
        ("oceanledger", 448, "Ocean Ledger"),
        ("scriptstone", 905, "Script & Stone"),
        ("hssxiv", 950, "HSSXiv"),
        ("hsspress", 988, "HSS Press"),
        ("quietcircuits", 502, "Quiet Circuits"),
        ("fieldnotes", 763, "Field Notes in Pedagogy"),
        ("plainpress", 101, "Plain Press"),
    ] {
        let text = std::fs::read_to_string(PORTAL.app.sites_folder.join(format!("{site}.toml"))).unwrap();
        let file: toml::Table = toml::from_str(&text).unwrap();
        let color = file["colorId"].as_integer().unwrap();
        let page = PORTAL.page(site, "/en/home");
        let frame = bootstrap(&page)["site"].clone();
        assert_eq!((&frame["id"], &frame["colorId"], &frame["name"]), (&id.into(), &color.into(), &name.into()));
        assert!(page.contains(&format!("data-color=\"{color}\"")), "{site}");
    }
    let hits = |site: &str| PORTAL.get(site, "/rc-pub/front/search?q=seagrass").json()["data"]["totalElements"].clone();
    assert!(hits("oceanledger").as_u64() > Some(0));
    assert_eq!(hits("quietcircuits"), Value::from(0), "content of other sites is not found");
}

/// An article of a site that closes its full texts.
struct Closed {
    site: &'static str,
    path: String,
}

impl Closed {
    fn of(site: &'static str) -> Self {
        let links = listed(&PORTAL.page(site, "/en/issue"));
        let path = links.into_iter().find(|link| {
            let page = PORTAL.page(site, link);
            page.contains("data-kind=\"abstract\"")
        });
        Self { site, path: path.unwrap() }
    }

    fn ask(&self, headers: &[(&str, &str)]) -> masthead_test_support::Answer {
        let answer = PORTAL.with(&format!("{}.localhost", self.site), &self.path, headers);
        assert_eq!(answer.status, 200);
        answer
    }

    /// Whether the full text is shown. Document, bootstrap and API have to agree.
    fn is_open(&self, headers: &[(&str, &str)]) -> bool {
        let page = self.ask(headers).text();
        let kinds = section_kinds(&page);
        let body = kinds.iter().any(|kind| kind == "body");
        assert_eq!(page.contains("class=\"alert\""), !body, "{} {headers:?}", self.site);
        if let Some(told) = page.find("class=\"alert\"") {
            let place = |kind: &str| page.find(&format!("data-kind=\"{kind}\""));
            assert!(place("keywords").is_none_or(|keywords| keywords < told), "{}", self.site);
            assert!(place("references").is_none_or(|references| told < references), "{}", self.site);
        }
        assert!(kinds.iter().any(|kind| kind == "abstract"), "everybody may read abstracts");
        assert_eq!(bootstrap(&page)["permissions"]["visitPower"], body);
        let outline = &bootstrap(&page)["page"]["outline"];
        assert!(body || !outline.to_string().contains("sec-"), "the outline lists only visible sections: {outline}");
        let id = self.path.rsplit('/').next().unwrap();
        let host = format!("{}.localhost", self.site);
        for (call, closed) in [("getHtml", 403), ("getBody", 403)] {
            let answer = PORTAL.with(&host, &format!("/rc-pub/front/front-article/{call}?id={id}"), headers);
            assert_eq!(answer.status, if body { 200 } else { closed }, "{call} {headers:?}");
            assert_eq!(answer.json()["status"], if body { 0 } else { closed }, "{call}");
        }
        let power = PORTAL.with(&host, "/rc-pub/front/site/checkPower", headers).json();
        assert_eq!(power["data"]["visitPower"], body);
        let path: String = url::form_urlencoded::byte_serialize(self.path.as_bytes()).collect();
        let payload = PORTAL.with(&host, &format!("/rc-pub/front/page?path={path}"), headers).json();
        let html = payload["data"]["html"].as_str().unwrap();
        assert_eq!(html.contains("data-kind=\"body\""), body, "in-site navigation returns the same page");
        body
    }
}

#[test]
fn full_texts_are_closed_to_readers_from_unlisted_hosts() {
    for site in ["quietcircuits", "fieldnotes"] {
        let closed = Closed::of(site);
        assert!(!closed.is_open(&[]), "{site} without referrer");
        for referrer in [
            "https://elsewhere.example/",
            "https://evil.example/?partner.example.org",
            "https://evil.example/partner.example.org/library.example.edu/teachers.example.org",
            "https://evil.example/#https://library.example.edu/",
            "https://partner.example.org.evil.example/",
            "https://library.example.edu.evil.example/",
            "https://notlibrary.example.edu/",
            "https://evilpartner.example.org/",
            "https://library.example.edu@evil.example/",
            "https://evil.example\\@library.example.edu/",
            "javascript://library.example.edu/",
            "library.example.edu",
            "//library.example.edu/",
            "",
        ] {
            assert!(!closed.is_open(&[("referer", referrer)]), "{site} from {referrer:?}");
        }
    }
}

#[test]
fn full_texts_open_to_readers_from_a_listed_host() {
    for (site, hosts) in [
        ("quietcircuits", ["partner.example.org", "library.example.edu"]),
        ("fieldnotes", ["teachers.example.org", "library.example.edu"]),
    ] {
        let closed = Closed::of(site);
        for host in hosts {
            for referrer in [
                format!("https://{host}/reading/list?x=1"),
                format!("http://{host}:8080/"),
                format!("https://{}/", host.to_uppercase()),
            ] {
                assert!(closed.is_open(&[("referer", &referrer)]), "{site} from {referrer}");
            }
        }
        assert!(!closed.is_open(&[]), "{site}: the next reader does not get the cached page of the previous one");
    }
    let partner = [("referer", "https://partner.example.org/")];
    assert!(!Closed::of("fieldnotes").is_open(&partner), "the host is on another site's list");
}

#[test]
fn the_first_referrer_of_a_visit_is_kept() {
    let closed = Closed::of("quietcircuits");
    let first = closed.ask(&[("referer", "https://partner.example.org/")]);
    let set = first.header("set-cookie").to_owned();
    assert!(set.contains("HttpOnly") && set.contains("SameSite=Lax") && set.contains("Path=/"), "{set}");
    let cookie = first.cookie();
    let later = [("cookie", cookie.as_str()), ("referer", "http://quietcircuits.localhost/en/home")];
    assert!(closed.is_open(&later));
    assert!(closed.is_open(&[("cookie", &format!("language=en; {cookie}; other=1"))]));
    assert_eq!(closed.ask(&later).header("set-cookie"), "", "the cookie is set once");
    // A later referrer does not replace the first referrer of a visit.
    let other = closed.ask(&[("referer", "https://elsewhere.example/")]).cookie();
    assert!(!closed.is_open(&[("cookie", &other), ("referer", "https://elsewhere.example/x")]));
    assert!(!closed.is_open(&[("cookie", &other), ("referer", "https://partner.example.org/")]));
}

#[test]
fn a_forged_cookie_is_ignored() {
    use base64::{
        Engine as _,
        engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
    };
    let closed = Closed::of("quietcircuits");
    let genuine = closed.ask(&[("referer", "https://elsewhere.example/")]).cookie();
    let (name, value) = genuine.split_once('=').unwrap();
    // The signature in Base64, then the signed content in URL-safe Base64.
    let (signature, content) = value.split_at(44);
    let text = String::from_utf8(URL_SAFE_NO_PAD.decode(content).unwrap()).unwrap();
    assert!(text.contains("https://elsewhere.example/"), "{text}");
    let partner = URL_SAFE_NO_PAD.encode(text.replace("elsewhere.example", "partner.example.org"));
    let nothing = STANDARD.encode([0; 32]);
    for forged in [
        format!("{name}={signature}{partner}"),
        format!("{name}={nothing}{partner}"),
        format!("{name}={partner}"),
        format!("{name}={signature}"),
        format!("{name}=https://partner.example.org/"),
        format!("{name}="),
    ] {
        assert!(!closed.is_open(&[("cookie", &forged)]), "{forged}");
    }
    // A valid cookie of another site is not accepted.
    let notes = Closed::of("fieldnotes").ask(&[("referer", "https://library.example.edu/")]).cookie();
    assert!(!closed.is_open(&[("cookie", &notes)]));
}

#[test]
fn opened_full_texts_are_not_cached_by_proxies() {
    let closed = Closed::of("quietcircuits");
    let open = closed.ask(&[("referer", "https://partner.example.org/")]);
    assert!(open.header("cache-control").contains("private"), "{}", open.header("cache-control"));
}
