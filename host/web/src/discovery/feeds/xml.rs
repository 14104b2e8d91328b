//! XML of article feeds (RSS 2.0, Atom) and of a site's search description (OpenSearch 1.1).

use jiff::tz::TimeZone;
use masthead_xml::{XmlWriter, clean, is_language, local_moment, mail_moment};

/// A feed of articles, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Feed {
    /// Permanent identifier: an absolute IRI.
    pub id: String,
    /// The title; not empty.
    pub title: String,
    /// One sentence of description, or "".
    pub description: String,
    /// BCP 47 tag.
    pub language: String,
    /// Absolute address of the HTML page with the same list.
    pub page: String,
    /// Absolute address of the feed itself.
    pub own: String,
    /// Time of the last change, in milliseconds since 1970.
    pub updated_ms: i64,
    /// The articles.
    pub entries: Vec<FeedEntry>,
}

/// An article in a feed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeedEntry {
    /// Permanent identifier: an absolute IRI.
    pub id: String,
    /// The title as plain text, with a mark if the article is retracted.
    pub title: String,
    /// BCP 47 tag of title and summary, or "".
    pub language: String,
    /// Absolute address of the article's page.
    pub page: String,
    /// The DOI, or "".
    pub doi: String,
    /// Absolute addresses of the notices about the article, and of the articles about which it is a notice.
    pub related: Vec<String>,
    /// Names of the authors.
    pub authors: Vec<String>,
    /// Subject heading, or "".
    pub subject: String,
    /// Shortened abstract as plain text, or "".
    pub summary: String,
    /// Time of publication, in milliseconds since 1970.
    pub published_ms: i64,
    /// Time of the last change, in milliseconds since 1970.
    pub updated_ms: i64,
}

/// The feed as RSS 2.0, with authors and DOIs in Dublin Core elements.
#[must_use]
pub fn rss(feed: &Feed, zone: &TimeZone) -> String {
    let mut xml = XmlWriter::new();
    let namespaces = [
        ("version", "2.0"),
        ("xmlns:atom", "http://www.w3.org/2005/Atom"),
        ("xmlns:dc", "http://purl.org/dc/elements/1.1/"),
    ];
    xml.element("rss", &namespaces, |xml| {
        xml.element("channel", &[], |xml| {
            xml.text("title", &[], &feed.title);
            xml.text("link", &[], &feed.page);
            let description = if feed.description.is_empty() { &feed.title } else { &feed.description };
            xml.text("description", &[], description);
            xml.text("language", &[], &feed.language);
            xml.text("lastBuildDate", &[], &mail_moment(feed.updated_ms, zone));
            xml.empty("atom:link", &[("href", &feed.own), ("rel", "self"), ("type", "application/rss+xml")]);
            feed.entries.iter().for_each(|entry| item(xml, entry, zone));
        });
    });
    xml.finish()
}

fn item(xml: &mut XmlWriter, entry: &FeedEntry, zone: &TimeZone) {
    xml.element("item", &[], |xml| {
        xml.text("title", &[], &entry.title);
        xml.text("link", &[], &entry.page);
        entry.related.iter().for_each(|href| xml.empty("atom:link", &[("rel", "related"), ("href", href)]));
        xml.text("guid", &[("isPermaLink", "false")], &entry.id);
        xml.text("pubDate", &[], &mail_moment(entry.published_ms, zone));
        entry.authors.iter().for_each(|author| xml.field("dc:creator", author));
        if !entry.doi.is_empty() {
            xml.text("dc:identifier", &[], &format!("doi:{}", entry.doi));
        }
        xml.field("category", &entry.subject);
        xml.field("description", &entry.summary);
    });
}

/// The feed as Atom (RFC 4287).
#[must_use]
pub fn atom(feed: &Feed, zone: &TimeZone) -> String {
    let mut xml = XmlWriter::new();
    xml.element("feed", &[("xmlns", "http://www.w3.org/2005/Atom"), ("xml:lang", &feed.language)], |xml| {
        xml.text("id", &[], &feed.id);
        xml.text("title", &[], &feed.title);
        xml.field("subtitle", &feed.description);
        xml.text("updated", &[], &local_moment(feed.updated_ms, zone));
        xml.empty("link", &[("rel", "self"), ("type", "application/atom+xml"), ("href", &feed.own)]);
        xml.empty("link", &[("rel", "alternate"), ("type", "text/html"), ("href", &feed.page)]);
        feed.entries.iter().for_each(|one| entry(xml, feed, one, zone));
    });
    xml.finish()
}

fn entry(xml: &mut XmlWriter, feed: &Feed, entry: &FeedEntry, zone: &TimeZone) {
    let language = [("xml:lang", entry.language.as_str())];
    let language = if is_language(&entry.language) { &language[..] } else { &[] };
    xml.element("entry", &[], |xml| {
        xml.text("id", &[], &entry.id);
        xml.text("title", language, &entry.title);
        xml.text("published", &[], &local_moment(entry.published_ms, zone));
        xml.text("updated", &[], &local_moment(entry.updated_ms, zone));
        // Atom requires an author: for an article without authors, the feed's title is used.
        let nobody = std::slice::from_ref(&feed.title);
        let authors = if entry.authors.is_empty() { nobody } else { &entry.authors };
        for author in authors {
            xml.element("author", &[], |xml| xml.text("name", &[], author));
        }
        xml.empty("link", &[("rel", "alternate"), ("type", "text/html"), ("href", &entry.page)]);
        entry.related.iter().for_each(|href| xml.empty("link", &[("rel", "related"), ("href", href)]));
        if !entry.subject.is_empty() {
            xml.empty("category", &[("term", &entry.subject)]);
        }
        if !entry.summary.is_empty() {
            let mut attributes = vec![("type", "text")];
            attributes.extend_from_slice(language);
            xml.text("summary", &attributes, &entry.summary);
        }
    });
}

/// Description of a site's search for browsers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchDescription {
    /// The site's name; browsers show its first 16 characters.
    pub name: String,
    /// One sentence of description.
    pub description: String,
    /// BCP 47 tag.
    pub language: String,
    /// Absolute address of the search page, without its query.
    pub search: String,
    /// Absolute address of the description itself.
    pub own: String,
}

/// The search description as an OpenSearch 1.1 document.
#[must_use]
pub fn search_description(site: &SearchDescription) -> String {
    let mut xml = XmlWriter::new();
    xml.element("OpenSearchDescription", &[("xmlns", "http://a9.com/-/spec/opensearch/1.1/")], |xml| {
        let short: String = clean(&site.name).chars().take(16).collect();
        let long: String = clean(&site.description).chars().take(1024).collect();
        xml.text("ShortName", &[], short.trim());
        xml.text("Description", &[], &long);
        let template = format!("{}?q={{searchTerms}}", site.search);
        xml.empty("Url", &[("type", "text/html"), ("template", &template)]);
        xml.empty(
            "Url",
            &[("type", "application/opensearchdescription+xml"), ("rel", "self"), ("template", &site.own)],
        );
        xml.text("Language", &[], &site.language);
        xml.text("InputEncoding", &[], "UTF-8");
        xml.text("OutputEncoding", &[], "UTF-8");
    });
    xml.finish()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use roxmltree::Document;

    use super::*;

    fn feed() -> Feed {
        Feed {
            id: "tag:a.example,2026:feed/en".into(),
            title: "Tides & <Silt>".into(),
            language: "en".into(),
            page: "https://a.example/en/home".into(),
            own: "https://a.example/en/feed.rss?journal=a&list=b".into(),
            updated_ms: 1_779_006_600_000,
            entries: vec![
                FeedEntry {
                    id: "oai:a.example:article/1".into(),
                    title: "On \u{1}<i> & tides".into(),
                    language: "zh_CN".into(),
                    page: "https://a.example/en/article/1".into(),
                    doi: "10.5555/x.1".into(),
                    related: vec!["https://doi.org/10.5555/n?a&b".into()],
                    authors: vec!["Ada Lovelace".into(), "王小明".into()],
                    subject: "Physics".into(),
                    summary: "One & two".into(),
                    published_ms: 1_779_006_600_000,
                    updated_ms: 1_779_006_600_000,
                },
                FeedEntry { id: "oai:a.example:article/2".into(), title: "Two".into(), ..FeedEntry::default() },
            ],
            ..Feed::default()
        }
    }

    fn shanghai() -> TimeZone {
        TimeZone::fixed(jiff::tz::offset(8))
    }

    fn texts<'a>(document: &'a Document<'_>, name: &str) -> Vec<&'a str> {
        document
            .descendants()
            .filter(|node| node.tag_name().name() == name)
            .map(|node| node.text().unwrap_or_default())
            .collect()
    }

    #[test]
    fn rss_holds_titles_dates_authors_and_identifiers() {
        let text = rss(&feed(), &shanghai());
        let document = Document::parse(&text).unwrap();
        assert_eq!(document.root_element().attribute("version"), Some("2.0"));
        assert_eq!(texts(&document, "title"), ["Tides & <Silt>", "On <i> & tides", "Two"]);
        assert_eq!(texts(&document, "pubDate")[0], "Sun, 17 May 2026 16:30:00 +0800");
        assert_eq!(texts(&document, "creator"), ["Ada Lovelace", "王小明"]);
        assert_eq!(texts(&document, "guid"), ["oai:a.example:article/1", "oai:a.example:article/2"]);
        assert_eq!(texts(&document, "description"), ["Tides & <Silt>", "One & two"]);
    }

    #[test]
    fn notices_are_related_links() {
        for (text, name) in [(rss(&feed(), &shanghai()), "item"), (atom(&feed(), &shanghai()), "entry")] {
            let document = Document::parse(&text).unwrap();
            let entries: Vec<_> = document.descendants().filter(|node| node.tag_name().name() == name).collect();
            let related = |entry: &roxmltree::Node<'_, '_>| -> Vec<String> {
                let links = entry.children().filter(|node| {
                    let atom = node.tag_name().namespace() == Some("http://www.w3.org/2005/Atom");
                    atom && node.tag_name().name() == "link" && node.attribute("rel") == Some("related")
                });
                links.filter_map(|link| link.attribute("href").map(str::to_owned)).collect()
            };
            assert_eq!(related(&entries[0]), ["https://doi.org/10.5555/n?a&b"], "{name}");
            assert!(related(&entries[1]).is_empty(), "{name}");
        }
    }

    #[test]
    fn atom_has_the_elements_that_rfc_4287_requires() {
        let text = atom(&feed(), &shanghai());
        let document = Document::parse(&text).unwrap();
        assert_eq!(texts(&document, "id").len(), 3);
        assert_eq!(texts(&document, "updated")[0], "2026-05-17T16:30:00+08:00");
        assert_eq!(texts(&document, "name"), ["Ada Lovelace", "王小明", "Tides & <Silt>"]);
        assert!(!text.contains("zh_CN"), "an invalid language tag is omitted: {text}");
    }

    #[test]
    fn a_search_description_respects_the_length_limits() {
        let text = search_description(&SearchDescription {
            name: "海洋账簿 and a very long name".into(),
            search: "https://a.example/zh/search".into(),
            ..SearchDescription::default()
        });
        let document = Document::parse(&text).unwrap();
        assert!(texts(&document, "ShortName")[0].chars().count() <= 16);
        assert!(text.contains("template=\"https://a.example/zh/search?q={searchTerms}\""));
    }
}
