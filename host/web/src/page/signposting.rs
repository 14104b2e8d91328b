//! FAIR Signposting: typed links in the `Link` header of an article's page (level 1), and all of them as a link set
//! (RFC 9264).

use std::collections::BTreeSet;

use masthead_documents::html::RenderedSection;
use masthead_domain::{
    article::ArticleMeta,
    link::is_web,
    notice::{NoticeKind, NoticeSide},
};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde_json::{Map, Value, json};
use url::Url;

use crate::page::article_format::FORMATS;
use masthead_content::{citation::LandingPage, notices::LinkedNotice};

/// Characters that RFC 3986 does not allow in an address, and characters that would end it in a header.
const UNSAFE: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'\\').add(b'^').add(b'`').add(b'{').add(b'|').add(b'}');
/// In a DOI, `%`, `?` and `#` are data, not URL syntax, and have to be encoded.
const IN_DOI: &AsciiSet = &UNSAFE.add(b'%').add(b'?').add(b'#').add(b'[').add(b']');
/// Greatest number of `author` links, of `item` links and of links to notices in a header: proxies reject long headers. The link set
/// holds all of them.
const MAX_IN_HEADER: usize = 10;
/// The Citation Typing Ontology, whose terms are the relations of links to notices.
const CITO: &str = "http://purl.org/spar/cito/";

/// A typed link from an article's page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Link relation.
    pub rel: &'static str,
    /// Absolute address.
    pub href: String,
    /// Media type, or "".
    pub media_type: String,
}

/// The typed links of an article's page. `sections` are the sections that the reader may read.
#[must_use]
pub fn links(
    meta: &ArticleMeta,
    landing: &LandingPage<'_>,
    origin: &str,
    sections: &[&RenderedSection],
    notices: &[LinkedNotice],
) -> Vec<Link> {
    let page = landing.address;
    let link = |rel: &'static str, href: String| Link { rel, href, media_type: String::new() };
    let mut links = Vec::new();
    links.extend(
        meta.doi
            .as_ref()
            .map(|doi| link("cite-as", format!("https://doi.org/{}", utf8_percent_encode(doi.as_str(), IN_DOI)))),
    );
    links.push(link("type", "https://schema.org/AboutPage".to_owned()));
    links.push(link("type", "https://schema.org/ScholarlyArticle".to_owned()));
    let orcids = meta.authors().filter(|person| !person.orcid.is_empty());
    links.extend(
        orcids
            .filter_map(|person| web_address(&format!("https://orcid.org/{}", person.orcid)))
            .map(|href| link("author", href)),
    );
    links.extend(web_address(&meta.license_url).map(|href| link("license", href)));
    links.extend(FORMATS.iter().map(|(format, media_type)| Link {
        rel: "describedby",
        href: format!("{page}?format={}", format.name()),
        media_type: (*media_type).to_owned(),
    }));
    links.extend(landing.pdf.then(|| Link {
        rel: "item",
        href: landing.pdf_address(),
        media_type: "application/pdf".to_owned(),
    }));
    links.extend(files(origin, sections));
    links.extend(notices.iter().filter_map(|one| {
        let doi = one.doi().map(|doi| format!("https://doi.org/{}", utf8_percent_encode(doi.as_str(), IN_DOI)));
        let href = doi.or_else(|| web_address(&one.address()))?;
        Some(link(relation(one.notice.kind, one.notice.side), href))
    }));
    links
}

/// The term of the Citation Typing Ontology for an article on this side of a notice.
const fn relation(kind: NoticeKind, side: NoticeSide) -> &'static str {
    let (from_notice, from_affected) = match kind {
        NoticeKind::Retraction | NoticeKind::Withdrawal | NoticeKind::PartialRetraction => {
            ("http://purl.org/spar/cito/retracts", "http://purl.org/spar/cito/isRetractedBy")
        }
        NoticeKind::Concern => ("http://purl.org/spar/cito/qualifies", "http://purl.org/spar/cito/isQualifiedBy"),
        NoticeKind::Correction => ("http://purl.org/spar/cito/corrects", "http://purl.org/spar/cito/isCorrectedBy"),
        NoticeKind::Addendum => ("http://purl.org/spar/cito/extends", "http://purl.org/spar/cito/isExtendedBy"),
        NoticeKind::Republication | NoticeKind::Update => {
            ("http://purl.org/spar/cito/updates", "http://purl.org/spar/cito/isUpdatedBy")
        }
        NoticeKind::Comment => ("http://purl.org/spar/cito/discusses", "http://purl.org/spar/cito/isDiscussedBy"),
        NoticeKind::Reply => ("http://purl.org/spar/cito/repliesTo", "http://purl.org/spar/cito/hasReplyFrom"),
    };
    match side {
        NoticeSide::Notice => from_notice,
        NoticeSide::Affected => from_affected,
    }
}

/// Links to the article's own files, collected from the `href` attributes of its sections.
fn files(origin: &str, sections: &[&RenderedSection]) -> Vec<Link> {
    let mut seen = BTreeSet::new();
    let hrefs = sections.iter().flat_map(|section| section.html.split("href=\"/media/").skip(1));
    let hrefs = hrefs.filter_map(|rest| rest.split('"').next());
    hrefs
        .filter(|href| seen.insert((*href).to_owned()))
        .filter_map(|href| {
            let media_type = mime_guess::from_path(href).first()?.essence_str().to_owned();
            Some(Link { rel: "item", href: web_address(&format!("{origin}/media/{href}"))?, media_type })
        })
        .collect()
}

/// The address, encoded for use in a header; `None` unless it is an HTTP or HTTPS address.
fn web_address(address: &str) -> Option<String> {
    let url = Url::parse(address.trim()).ok().filter(|_| is_web(address))?;
    Some(utf8_percent_encode(url.as_str(), UNSAFE).to_string())
}

/// The value of the `Link` header. The last link leads to the link set.
#[must_use]
pub fn header(links: &[Link], page: &str) -> String {
    let mut counts = (0, 0, 0);
    let shown = links.iter().filter(|link| {
        let count = match link.rel {
            "author" => &mut counts.0,
            "item" => &mut counts.1,
            rel if rel.starts_with(CITO) => &mut counts.2,
            _ => return true,
        };
        *count += 1;
        *count <= MAX_IN_HEADER
    });
    let set =
        Link { rel: "linkset", href: format!("{page}/linkset"), media_type: "application/linkset+json".to_owned() };
    shown.chain(std::iter::once(&set)).map(format_link).collect::<Vec<_>>().join(", ")
}

fn format_link(link: &Link) -> String {
    let href = utf8_percent_encode(&link.href, UNSAFE);
    let media_type = if link.media_type.is_empty() { String::new() } else { format!("; type=\"{}\"", link.media_type) };
    format!("<{href}>; rel=\"{}\"{media_type}", link.rel)
}

/// The link set: every link from the page, and the reverse links from its metadata (`describes`) and files
/// (`collection`).
#[must_use]
pub fn linkset(links: &[Link], page: &str) -> Value {
    let mut from_page = Map::from_iter([("anchor".to_owned(), json!(page))]);
    for link in links {
        let targets = from_page.entry(link.rel).or_insert_with(|| json!([]));
        if let Value::Array(targets) = targets {
            targets.push(target(&link.href, &link.media_type));
        }
    }
    let reverse = links.iter().filter_map(|link| {
        let rel = match link.rel {
            "describedby" => "describes",
            "item" => "collection",
            _ => return None,
        };
        let mut context = Map::from_iter([("anchor".to_owned(), json!(link.href))]);
        context.insert(rel.to_owned(), json!([target(page, "text/html")]));
        Some(Value::Object(context))
    });
    let contexts: Vec<Value> = std::iter::once(Value::Object(from_page.clone())).chain(reverse).collect();
    json!({ "linkset": contexts })
}

fn target(href: &str, media_type: &str) -> Value {
    if media_type.is_empty() { json!({ "href": href }) } else { json!({ "href": href, "type": media_type }) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_documents::html::SectionKind;
    use masthead_domain::{Doi, article::Contributor, notice::Notice};

    use super::*;

    const PAGE: &str = "https://a.example/en/article/1";
    const LANDING: LandingPage<'_> = LandingPage { address: PAGE, readable: true, pdf: false };

    fn meta(authors: usize) -> ArticleMeta {
        let author = |number: usize| Contributor {
            role: "author".into(),
            orcid: format!("0000-0000-0000-{number:04}"),
            ..Contributor::default()
        };
        ArticleMeta {
            doi: Some(Doi::parse("10.1002/(SICI)1<1::AID>3.0.CO;2-8").unwrap()),
            contributors: (0..authors).map(author).collect(),
            license_url: "https://creativecommons.org/licenses/by/4.0/".into(),
            ..ArticleMeta::default()
        }
    }

    fn section() -> RenderedSection {
        RenderedSection {
            kind: SectionKind::Supplementary,
            lang: String::new(),
            title: String::new(),
            id: "s".into(),
            html: "<a href=\"/media/7/abc.pdf\">x</a><a href=\"/media/7/abc.pdf\">y</a><a href=\"https://b.example/c.pdf\">z</a>".into(),
        }
    }

    #[test]
    fn a_header_holds_the_links_that_the_profile_requires() {
        let section = section();
        let links = links(&meta(1), &LandingPage { pdf: true, ..LANDING }, "https://a.example", &[&section], &[]);
        let header = header(&links, PAGE);
        for expected in [
            "<https://doi.org/10.1002/(SICI)1%3C1::AID%3E3.0.CO;2-8>; rel=\"cite-as\"",
            "<https://orcid.org/0000-0000-0000-0000>; rel=\"author\"",
            "<https://creativecommons.org/licenses/by/4.0/>; rel=\"license\"",
            "<https://schema.org/ScholarlyArticle>; rel=\"type\"",
            "<https://a.example/en/article/1?format=bibtex>; rel=\"describedby\"; type=\"application/x-bibtex\"",
            "<https://a.example/media/7/abc.pdf>; rel=\"item\"; type=\"application/pdf\"",
            "<https://a.example/en/article/1?format=pdf>; rel=\"item\"; type=\"application/pdf\"",
            "<https://a.example/en/article/1/linkset>; rel=\"linkset\"; type=\"application/linkset+json\"",
        ] {
            assert!(header.contains(expected), "{expected}: {header}");
        }
        assert_eq!(header.matches("rel=\"item\"").count(), 2);
    }

    #[test]
    fn a_header_is_limited_and_the_link_set_is_complete() {
        let links = links(&meta(300), &LANDING, "https://a.example", &[], &[]);
        assert!(header(&links, PAGE).len() < 3000);
        let set = linkset(&links, PAGE);
        assert_eq!(set["linkset"][0]["author"].as_array().unwrap().len(), 300);
        assert_eq!(set["linkset"][0]["anchor"], PAGE);
        assert_eq!(set["linkset"][1]["describes"][0]["href"], PAGE);
    }

    #[test]
    fn notices_are_linked_in_both_directions() {
        let notice = |kind, side, address: &str| LinkedNotice {
            notice: Notice {
                kind,
                side,
                article: None,
                target: String::new(),
                address: address.into(),
                label: String::new(),
                stated: true,
            },
            other: None,
            page: String::new(),
        };
        let notices = [
            notice(NoticeKind::Retraction, NoticeSide::Affected, "https://doi.org/10.5555/r<1>"),
            notice(NoticeKind::Correction, NoticeSide::Notice, "https://b.example/2"),
            notice(NoticeKind::Correction, NoticeSide::Notice, "javascript:alert(1)"),
        ];
        let links = links(&meta(1), &LANDING, "https://a.example", &[], &notices);
        let header = header(&links, PAGE);
        assert!(
            header.contains("<https://doi.org/10.5555/r%3C1%3E>; rel=\"http://purl.org/spar/cito/isRetractedBy\""),
            "{header}"
        );
        assert!(header.contains("<https://b.example/2>; rel=\"http://purl.org/spar/cito/corrects\""), "{header}");
        assert!(!header.contains("javascript"), "{header}");
        let set = linkset(&links, PAGE);
        assert_eq!(set["linkset"][0]["http://purl.org/spar/cito/corrects"][0]["href"], "https://b.example/2");
        let many = vec![notices[0].clone(); 300];
        let links = super::links(&meta(1), &LANDING, "https://a.example", &[], &many);
        assert!(super::header(&links, PAGE).len() < 3000);
    }

    #[test]
    fn hostile_addresses_cannot_end_a_link_early() {
        let hostile =
            ArticleMeta { license_url: "https://a.example/>; rel=\"x\", <y\r\nz:".into(), ..ArticleMeta::default() };
        let header = header(&links(&hostile, &LANDING, "https://a.example", &[], &[]), PAGE);
        assert!(!header.contains("rel=\"x\"") && !header.contains(['\r', '\n']), "{header}");
        let script = ArticleMeta { license_url: "javascript:alert(1)".into(), ..ArticleMeta::default() };
        assert!(links(&script, &LANDING, "https://a.example", &[], &[]).iter().all(|link| link.rel != "license"));
    }
}
