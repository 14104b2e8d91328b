//! XML of sitemaps (sitemaps.org, protocol 0.9) with the language versions of each page, and of the sitemap index.

use masthead_xml::{XmlWriter, moment};

const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
const XHTML: &str = "http://www.w3.org/1999/xhtml";

/// Greatest number of addresses in a sitemap, by the protocol.
pub const MAX_ADDRESSES: usize = 50_000;

/// A page in all its languages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SitemapPage {
    /// BCP 47 tag and absolute address of each version; the first version is also the default for other languages.
    pub versions: Vec<(String, String)>,
    /// Time of the last change in milliseconds since 1970, if it is known.
    pub changed_ms: Option<i64>,
}

/// A sitemap in the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedSitemap {
    /// Absolute address.
    pub address: String,
    /// Time of the last change of any of its pages in milliseconds since 1970, if it is known.
    pub changed_ms: Option<i64>,
}

/// The index of several sitemaps, as XML.
#[must_use]
pub fn index(parts: &[IndexedSitemap]) -> String {
    let mut xml = XmlWriter::new();
    xml.element("sitemapindex", &[("xmlns", NAMESPACE)], |xml| {
        for part in parts {
            xml.element("sitemap", &[], |xml| {
                xml.text("loc", &[], &part.address);
                changed(xml, part.changed_ms);
            });
        }
    });
    xml.finish()
}

/// A sitemap as XML: each language version of a page is an entry, which links to all versions.
#[must_use]
pub fn pages(pages: &[SitemapPage]) -> String {
    let mut xml = XmlWriter::new();
    xml.element("urlset", &[("xmlns", NAMESPACE), ("xmlns:xhtml", XHTML)], |xml| {
        for page in pages {
            for (_, address) in &page.versions {
                xml.element("url", &[], |xml| {
                    xml.text("loc", &[], address);
                    changed(xml, page.changed_ms);
                    alternates(xml, page);
                });
            }
        }
    });
    xml.finish()
}

fn alternates(xml: &mut XmlWriter, page: &SitemapPage) {
    let default = page.versions.first().map(|(_, address)| ("x-default", address.as_str()));
    let tagged = page.versions.iter().map(|(tag, address)| (tag.as_str(), address.as_str()));
    for (tag, address) in tagged.chain(default) {
        xml.empty("xhtml:link", &[("rel", "alternate"), ("hreflang", tag), ("href", address)]);
    }
}

fn changed(xml: &mut XmlWriter, ms: Option<i64>) {
    if let Some(ms) = ms {
        xml.text("lastmod", &[], &moment(ms));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_language_version_links_to_all_versions() {
        let versions = vec![
            ("zh".to_owned(), "https://a.example/zh/x?a=1&b=2".to_owned()),
            ("ar".to_owned(), "https://a.example/ara/x".to_owned()),
        ];
        let text = pages(&[SitemapPage { versions, changed_ms: Some(0) }]);
        let document = roxmltree::Document::parse(&text).unwrap();
        let urls: Vec<_> = document.descendants().filter(|node| node.has_tag_name((NAMESPACE, "url"))).collect();
        assert_eq!(urls.len(), 2);
        for url in urls {
            let loc = url.children().find(|node| node.has_tag_name((NAMESPACE, "loc"))).unwrap();
            assert!(loc.text().unwrap().starts_with("https://a.example/"));
            let links: Vec<_> = url
                .children()
                .filter(|node| node.has_tag_name((XHTML, "link")))
                .map(|link| (link.attribute("hreflang").unwrap(), link.attribute("href").unwrap()))
                .collect();
            assert_eq!(
                links,
                [
                    ("zh", "https://a.example/zh/x?a=1&b=2"),
                    ("ar", "https://a.example/ara/x"),
                    ("x-default", "https://a.example/zh/x?a=1&b=2")
                ]
            );
            assert!(text.contains("<lastmod>1970-01-01T00:00:00Z</lastmod>"));
        }
    }

    #[test]
    fn an_index_lists_its_sitemaps() {
        let text = index(&[IndexedSitemap { address: "https://a.example/sitemap-pages.xml".into(), changed_ms: None }]);
        let document = roxmltree::Document::parse(&text).unwrap();
        assert_eq!(document.root_element().tag_name().name(), "sitemapindex");
        assert!(!text.contains("lastmod"));
    }
}
