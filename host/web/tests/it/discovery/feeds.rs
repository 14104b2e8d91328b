//! RSS, Atom, the search description, and the links to them in pages.

use jiff::fmt::rfc2822;

use super::{PORTAL, children, parsed, texts};
use masthead_test_support::named;

#[test]
fn rss_has_the_elements_that_feed_readers_need() {
    let answer = PORTAL.get("alpha", "/en/feed.rss");
    let text = answer.text();
    assert_eq!(answer.header("content-type"), "application/rss+xml; charset=utf-8");
    let document = parsed(&answer, &text);
    assert_eq!(document.root_element().attribute("version"), Some("2.0"));
    let channel = children(document.root_element(), "channel").remove(0);
    for required in ["title", "link", "description"] {
        assert!(!children(channel, required)[0].text().unwrap().is_empty(), "{required}");
    }
    let items = children(channel, "item");
    assert_eq!(items.len(), 50);
    let mut guids = std::collections::BTreeSet::new();
    for item in items {
        let date = children(item, "pubDate")[0].text().unwrap();
        assert!(rfc2822::parse(date).is_ok() && date.ends_with(" 00:00:00 +0800"), "{date}: midnight of the site");
        assert!(guids.insert(children(item, "guid")[0].text().unwrap().to_owned()));
        assert_eq!(children(item, "creator")[0].text(), Some("Ada Lovelace"));
        assert_eq!(children(item, "description")[0].text(), Some("In short & <plain>"));
        assert!(children(item, "link")[0].text().unwrap().starts_with("http://alpha.localhost/en/article/"));
        assert!(children(item, "title")[0].text().unwrap().ends_with(" & <i>]]>"));
    }
    let chinese = PORTAL.get("alpha", "/zh/feed.rss").text();
    assert_eq!(texts(&roxmltree::Document::parse(&chinese).unwrap(), "title")[1], "潮汐");
}

#[test]
fn atom_follows_rfc_4287() {
    let answer = PORTAL.with("127.0.0.1", "/alpha/en/feed.atom", &[]);
    let text = answer.text();
    let document = parsed(&answer, &text);
    let feed = document.root_element();
    assert!(feed.has_tag_name(("http://www.w3.org/2005/Atom", "feed")));
    let links = children(feed, "link");
    let own = links.iter().find(|link| link.attribute("rel") == Some("self")).unwrap();
    assert_eq!(own.attribute("href"), Some("http://127.0.0.1/alpha/en/feed.atom"));
    for part in std::iter::once(feed).chain(children(feed, "entry")) {
        for required in ["id", "title", "updated"] {
            assert_eq!(children(part, required).len(), 1, "{required}");
        }
        let updated = children(part, "updated")[0].text().unwrap();
        assert!(updated.parse::<jiff::Timestamp>().is_ok(), "{updated}");
    }
    let entries = children(feed, "entry");
    assert_eq!(entries.len(), 50);
    assert!(entries.iter().all(|entry| children(*entry, "author").len() == 1));
    // The identifier of an entry does not depend on the host name of the request.
    let by_host = PORTAL.get("alpha", "/en/feed.atom").text();
    let ids = |text: &str| texts(&roxmltree::Document::parse(text).unwrap(), "id");
    assert_eq!(ids(&text), ids(&by_host));
}

#[test]
fn a_feed_can_be_restricted_to_a_journal_or_a_list() {
    let titles = |path: &str| {
        let answer = PORTAL.get("alpha", path);
        let text = answer.text();
        let document = parsed(&answer, &text);
        let items: Vec<_> = document.descendants().filter(|node| node.tag_name().name() == "item").collect();
        items.iter().map(|item| children(*item, "title")[0].text().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let number = |title: &String| title.split(' ').nth(1).unwrap().parse::<u32>().unwrap();
    let journal = titles("/en/feed.rss?journal=%C3%A9tudes");
    assert!(journal.len() == 50 && journal.iter().all(|title| number(title) % 2 == 0), "{journal:?}");
    // None of the generated articles is in an issue.
    assert_eq!(titles("/en/feed.rss?list=onlineFirst").len(), 50);
    let both = titles("/en/feed.rss?list=onlineFirst&journal=alpha-letters");
    assert!(both.len() == 50 && both.iter().all(|title| number(title) % 2 == 1), "{both:?}");
    assert_eq!(titles("/en/feed.rss?list=justAccepted").len(), 0);
    for path in ["/en/feed.rss?journal=beta-letters", "/en/feed.rss?list=x", "/fra/feed.rss", "/xx/feed.atom"] {
        assert_eq!(PORTAL.get("alpha", path).status, 404, "{path}");
    }
}

#[test]
fn an_unchanged_feed_is_answered_with_not_modified() {
    for path in ["/en/feed.rss", "/en/feed.atom"] {
        let first = PORTAL.get("alpha", path);
        let (tag, modified) = (first.header("etag"), first.header("last-modified"));
        assert!(tag.starts_with("W/\"") && rfc2822::parse(modified).is_ok(), "{tag} {modified}");
        for (name, value, status) in [
            ("if-none-match", tag, 304),
            ("if-none-match", "\"other\"", 200),
            ("if-modified-since", modified, 304),
            ("if-modified-since", "Thu, 01 Jan 1970 00:00:00 GMT", 200),
        ] {
            assert_eq!(PORTAL.with("alpha.localhost", path, &[(name, value)]).status, status, "{path} {name}");
        }
    }
}

#[test]
fn pages_link_to_feeds_and_the_search_description() {
    let page = PORTAL.page("oceanledger", "/en/justAccepted");
    let links = named(&page, "link");
    let hrefs = |rel: &str| -> Vec<String> {
        let with_type = links.iter().filter(|link| link.get("rel") == rel && !link.get("type").is_empty());
        with_type.map(|link| link.get("href")).collect()
    };
    let feeds = hrefs("alternate");
    assert_eq!(feeds.len(), 4, "{feeds:?}");
    for feed in feeds.iter().chain(&hrefs("search")) {
        assert_eq!(PORTAL.get("oceanledger", feed).status, 200, "{feed}");
    }
    let silent = PORTAL.page("silent", "/en/home");
    assert!(!silent.contains("feed.rss") && silent.contains("opensearch.xml"));
    let search = PORTAL.get("oceanledger", "/en/opensearch.xml");
    assert!(search.text().contains("template=\"http://oceanledger.localhost/en/search?q={searchTerms}\""));
}
