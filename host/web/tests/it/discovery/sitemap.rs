//! Sitemaps and `robots.txt`.

use std::collections::BTreeSet;

use super::{PORTAL, parsed, texts};

#[test]
fn every_page_is_in_a_sitemap_in_every_language() {
    let answer = PORTAL.get("alpha", "/sitemap.xml");
    let text = answer.text();
    assert_eq!(answer.header("content-type"), "application/xml; charset=utf-8");
    let index = parsed(&answer, &text);
    let parts = texts(&index, "loc");
    assert_eq!(parts[0], "http://alpha.localhost/sitemap-pages.xml");
    assert_eq!(texts(&index, "lastmod").len(), parts.len());
    let mut articles = BTreeSet::new();
    for part in &parts {
        let answer = PORTAL.get("alpha", part.strip_prefix("http://alpha.localhost").unwrap());
        let text = answer.text();
        let map = parsed(&answer, &text);
        let urls = map.descendants().filter(|node| node.tag_name().name() == "url").count();
        let links: Vec<_> = map.descendants().filter(|node| node.tag_name().name() == "link").collect();
        assert_eq!(links.len(), urls * 4, "three languages and x-default");
        for loc in texts(&map, "loc") {
            assert!(loc.starts_with("http://alpha.localhost/"), "{loc}");
            if loc.contains("/article/") {
                assert!(articles.insert(loc.clone()), "{loc} is listed twice");
            }
            assert!(links.iter().any(|link| link.attribute("href") == Some(loc.as_str())));
        }
        let default = links.iter().find(|link| link.attribute("hreflang") == Some("x-default")).unwrap();
        assert!(default.attribute("href").unwrap().starts_with("http://alpha.localhost/en/"));
    }
    assert_eq!(articles.len(), 260 * 3);
    let first = articles.first().unwrap().strip_prefix("http://alpha.localhost").unwrap();
    assert_eq!(PORTAL.get("alpha", first).status, 200);
}

#[test]
fn every_listed_page_exists() {
    for site in ["oceanledger", "alpha", "openshelf"] {
        let own = format!("http://{site}.localhost");
        let index = PORTAL.page(site, "/sitemap.xml");
        let parts = texts(&roxmltree::Document::parse(&index).unwrap(), "loc");
        for part in parts.iter().filter(|part| !part.contains("/sitemap-articles-")) {
            let answer = PORTAL.get(site, part.strip_prefix(&own).unwrap());
            let text = answer.text();
            let pages = texts(&parsed(&answer, &text), "loc");
            assert!(pages.len() >= if part.ends_with("/sitemap-pages.xml") { 10 } else { 1 }, "{part}: {pages:?}");
            let unique: BTreeSet<&String> = pages.iter().collect();
            assert_eq!(unique.len(), pages.len(), "each page once");
            for page in pages {
                let path = page.strip_prefix(&own).unwrap().to_owned();
                assert_eq!(PORTAL.get(site, &path).status, 200, "{page}");
            }
        }
    }
}

#[test]
fn pages_of_text_and_resources_are_listed() {
    let index = PORTAL.page("openshelf", "/sitemap.xml");
    let parts = texts(&roxmltree::Document::parse(&index).unwrap(), "loc");
    let mut listed = BTreeSet::new();
    for part in parts {
        let text = PORTAL.page("openshelf", part.strip_prefix("http://openshelf.localhost").unwrap());
        listed.extend(texts(&roxmltree::Document::parse(&text).unwrap(), "loc"));
    }
    let has = |path: &str| listed.iter().any(|page| page.starts_with(&format!("http://openshelf.localhost/en/{path}")));
    for path in [
        "about",
        "news",
        "newsDetails/",
        "bookList?type=book",
        "book/",
        "video/",
        "audio/",
        "album/",
        "collections/",
        "collectionList",
        "scholar/",
        "patent/",
        "mag/",
        "textList?type=picture",
    ] {
        assert!(has(path), "{path} is not in the sitemaps: {listed:?}");
    }
    assert!(!has("picture/") && !has("login") && !has("search"), "{listed:?}");
    for path in
        ["/sitemap-resources-0.xml", "/sitemap-resources-9999.xml", "/sitemap-resources-9223372036854775807.xml"]
    {
        assert_eq!(PORTAL.get("openshelf", path).status, 404, "{path}");
    }
}

#[test]
fn sitemaps_on_the_shared_host_stay_below_the_sites_path() {
    let text = PORTAL.with("127.0.0.1", "/beta/sitemap.xml", &[]).text();
    let parts = texts(&roxmltree::Document::parse(&text).unwrap(), "loc");
    assert!(parts.iter().all(|part| part.starts_with("http://127.0.0.1/beta/sitemap-")), "{parts:?}");
    let mut articles = Vec::new();
    for part in &parts[1..] {
        let text = PORTAL.with("127.0.0.1", part.strip_prefix("http://127.0.0.1").unwrap(), &[]).text();
        articles.extend(texts(&roxmltree::Document::parse(&text).unwrap(), "loc"));
    }
    assert_eq!(articles.len(), 3 * PORTAL.app.sites.load().by_sld("beta").unwrap().languages.len());
    for path in [
        "/sitemap-articles-0.xml",
        "/sitemap-articles-999.xml",
        "/sitemap-articles-x.xml",
        "/sitemap-articles-9223372036854775807.xml",
        "/sitemap-articles-1",
    ] {
        assert_eq!(PORTAL.get("beta", path).status, 404, "{path}");
    }
}

#[test]
fn robots_txt_names_the_sitemap() {
    let own = PORTAL.get("oceanledger", "/robots.txt").text();
    assert!(own.starts_with("User-agent: *\nDisallow: /rc-pub/\nDisallow: /*/search\n"), "{own}");
    assert!(own.ends_with("\nSitemap: http://oceanledger.localhost/sitemap.xml\n"), "{own}");
    let by_path = PORTAL.with("127.0.0.1", "/oceanledger/robots.txt", &[]).text();
    assert!(
        by_path.contains("Disallow: /oceanledger/rc-pub/\n")
            && by_path.contains("Sitemap: http://127.0.0.1/oceanledger/sitemap.xml")
    );
    // Robots request the file at the root only: on a shared host it names the sitemaps of all available sites.
    let root = PORTAL.with("127.0.0.1", "/robots.txt", &[]).text();
    assert!(
        root.contains("Disallow: /*/rc-pub/\n") && root.contains("Sitemap: http://127.0.0.1/oceanledger/sitemap.xml\n"),
        "{root}"
    );
    for hidden in ["closed", "lapsed", "hidden", "silent"] {
        assert!(!root.contains(&format!("/{hidden}/")), "{root}");
    }
}

#[test]
fn an_unchanged_sitemap_is_answered_with_not_modified() {
    let first = PORTAL.get("alpha", "/sitemap.xml");
    let again = PORTAL.with("alpha.localhost", "/sitemap.xml", &[("if-none-match", first.header("etag"))]);
    assert_eq!((again.status, again.bytes.len()), (304, 0));
    assert_eq!(again.header("etag"), first.header("etag"));
}
