//! Answers of the Open Archives Initiative's protocol for metadata harvesting, version 2.0 (OAI-PMH): plain values to XML.

use masthead_domain::site::Library;
use masthead_xml::{XmlWriter, is_language, moment};

use crate::discovery::dublin_core::Term;

const NAMESPACE: &str = "http://www.openarchives.org/OAI/2.0/";
const SCHEMA: &str = "http://www.openarchives.org/OAI/2.0/ http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd";
const INSTANCE: &str = "http://www.w3.org/2001/XMLSchema-instance";
const DC: &str = "http://www.openarchives.org/OAI/2.0/oai_dc/";
const DC_SCHEMA: &str = "http://www.openarchives.org/OAI/2.0/oai_dc.xsd";
const JATS: &str = "https://jats.nlm.nih.gov/ns/publishing/1.3/";
const JATS_SCHEMA: &str = "https://jats.nlm.nih.gov/publishing/1.3/xsd/JATS-journalpublishing1-3.xsd";

/// A form in which metadata is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OaiFormat {
    /// Dublin Core without qualifiers.
    Dc,
    /// JATS Publishing.
    Jats,
}

impl OaiFormat {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Dc, Self::Jats];

    /// Its `metadataPrefix`.
    #[must_use]
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Dc => "oai_dc",
            Self::Jats => "jats",
        }
    }

    const fn schema(self) -> (&'static str, &'static str) {
        match self {
            Self::Dc => (DC_SCHEMA, DC),
            Self::Jats => (JATS_SCHEMA, JATS),
        }
    }
}

/// What is wrong with a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The verb is missing, repeated or none of the protocol's.
    BadVerb,
    /// An argument is missing, repeated, unknown or malformed.
    BadArgument,
    /// The resumption token was not given out for this.
    BadResumptionToken,
    /// The metadata format is not offered.
    CannotDisseminateFormat,
    /// There is no such record.
    IdDoesNotExist,
    /// Nothing fits the arguments.
    NoRecordsMatch,
    /// The repository has no sets.
    NoSetHierarchy,
}

impl Fault {
    /// The protocol's code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::BadVerb => "badVerb",
            Self::BadArgument => "badArgument",
            Self::BadResumptionToken => "badResumptionToken",
            Self::CannotDisseminateFormat => "cannotDisseminateFormat",
            Self::IdDoesNotExist => "idDoesNotExist",
            Self::NoRecordsMatch => "noRecordsMatch",
            Self::NoSetHierarchy => "noSetHierarchy",
        }
    }
}

/// What a repository says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// Its name.
    pub name: String,
    /// E-mail address of whoever runs it.
    pub contact: String,
    /// Milliseconds since 1970 of its first change.
    pub earliest_ms: i64,
    /// The part of its records' identifiers behind `oai:`.
    pub repository: String,
}

/// What stands before every record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// Its identifier.
    pub identifier: String,
    /// Milliseconds since 1970 of its last change.
    pub changed_ms: i64,
    /// The sets that it is in.
    pub sets: Vec<String>,
    /// Whether it is no more.
    pub deleted: bool,
}

/// A record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its header.
    pub header: Header,
    /// Its metadata; none where it is no more.
    pub metadata: Option<Metadata>,
}

/// Metadata of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Metadata {
    /// Dublin Core.
    Dc(Vec<Term>),
    /// A JATS `<article>` element, well-formed, without XML declaration and DOCTYPE.
    Jats(String),
}

/// Where a list goes on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resumption {
    /// The token; "" at the end of a list that came in parts.
    pub token: String,
    /// Number of records before this part.
    pub cursor: u64,
}

/// What is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OaiResponse {
    /// To `Identify`.
    Identify(Identity),
    /// To `ListMetadataFormats`.
    Formats,
    /// To `ListSets`: `setSpec` and name.
    Sets(Vec<(String, String)>),
    /// To `GetRecord`.
    Record(Box<Record>),
    /// To `ListIdentifiers`.
    Headers(Vec<Header>, Option<Resumption>),
    /// To `ListRecords`.
    Records(Vec<Record>, Option<Resumption>),
    /// To a request that cannot be met, with a sentence.
    Fault(Fault, String),
}

/// What was asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// Address of the repository.
    pub base: String,
    /// Verb and arguments.
    pub arguments: Vec<(String, String)>,
}

/// The whole answer.
#[must_use]
pub fn response(now_ms: i64, request: &Request, answer: &OaiResponse) -> String {
    let mut xml = XmlWriter::new();
    let head = [("xmlns", NAMESPACE), ("xmlns:xsi", INSTANCE), ("xsi:schemaLocation", SCHEMA)];
    xml.element("OAI-PMH", &head, |xml| {
        xml.text("responseDate", &[], &moment(now_ms));
        // What was asked is repeated, unless it was none of the protocol's.
        let shown = match answer {
            OaiResponse::Fault(Fault::BadVerb | Fault::BadArgument, _) => &[][..],
            _ => &request.arguments,
        };
        let shown: Vec<_> = shown.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        xml.text("request", &shown, &request.base);
        body(xml, &request.base, answer);
    });
    xml.finish()
}

fn body(xml: &mut XmlWriter, base: &str, answer: &OaiResponse) {
    match answer {
        OaiResponse::Identify(identity) => xml.element("Identify", &[], |xml| identify(xml, base, identity)),
        OaiResponse::Formats => {
            xml.element("ListMetadataFormats", &[], |xml| OaiFormat::ALL.iter().for_each(|one| format(xml, *one)))
        }
        OaiResponse::Sets(sets) => xml.element("ListSets", &[], |xml| {
            for (spec, name) in sets {
                xml.element("set", &[], |xml| {
                    xml.text("setSpec", &[], spec);
                    xml.text("setName", &[], name);
                });
            }
        }),
        OaiResponse::Record(one) => xml.element("GetRecord", &[], |xml| record(xml, one)),
        OaiResponse::Headers(headers, resumption) => xml.element("ListIdentifiers", &[], |xml| {
            headers.iter().for_each(|one| header(xml, one));
            resume(xml, resumption.as_ref());
        }),
        OaiResponse::Records(records, resumption) => xml.element("ListRecords", &[], |xml| {
            records.iter().for_each(|one| record(xml, one));
            resume(xml, resumption.as_ref());
        }),
        OaiResponse::Fault(fault, words) => xml.text("error", &[("code", fault.code())], words),
    }
}

fn identify(xml: &mut XmlWriter, base: &str, identity: &Identity) {
    for (name, text) in [
        ("repositoryName", identity.name.as_str()),
        ("baseURL", base),
        ("protocolVersion", "2.0"),
        ("adminEmail", &identity.contact),
        ("earliestDatestamp", &moment(identity.earliest_ms)),
        ("deletedRecord", "persistent"),
        ("granularity", "YYYY-MM-DDThh:mm:ssZ"),
        ("compression", "gzip"),
    ] {
        xml.text(name, &[], text);
    }
    // The schema of this description wants a host name with a dot.
    if Library::is_oai_namespace(&identity.repository) {
        let own = "http://www.openarchives.org/OAI/2.0/oai-identifier";
        let schema = format!("{own} {own}.xsd");
        xml.element("description", &[], |xml| {
            let head = [("xmlns", own), ("xmlns:xsi", INSTANCE), ("xsi:schemaLocation", schema.as_str())];
            xml.element("oai-identifier", &head, |xml| {
                xml.text("scheme", &[], "oai");
                xml.text("repositoryIdentifier", &[], &identity.repository);
                xml.text("delimiter", &[], ":");
                xml.text("sampleIdentifier", &[], &format!("oai:{}:article/1", identity.repository));
            });
        });
    }
}

fn format(xml: &mut XmlWriter, format: OaiFormat) {
    let (schema, namespace) = format.schema();
    xml.element("metadataFormat", &[], |xml| {
        xml.text("metadataPrefix", &[], format.prefix());
        xml.text("schema", &[], schema);
        xml.text("metadataNamespace", &[], namespace);
    });
}

fn header(xml: &mut XmlWriter, header: &Header) {
    let deleted = [("status", "deleted")];
    xml.element("header", if header.deleted { &deleted[..] } else { &[] }, |xml| {
        xml.text("identifier", &[], &header.identifier);
        xml.text("datestamp", &[], &moment(header.changed_ms));
        header.sets.iter().for_each(|set| xml.text("setSpec", &[], set));
    });
}

fn record(xml: &mut XmlWriter, record: &Record) {
    xml.element("record", &[], |xml| {
        header(xml, &record.header);
        match &record.metadata {
            Some(Metadata::Dc(terms)) => xml.element("metadata", &[], |xml| dc(xml, terms)),
            Some(Metadata::Jats(article)) => xml.element("metadata", &[], |xml| xml.raw(&with_namespace(article))),
            None => {}
        }
    });
}

fn dc(xml: &mut XmlWriter, terms: &[Term]) {
    let schema = format!("{DC} {DC_SCHEMA}");
    let head = [
        ("xmlns:oai_dc", DC),
        ("xmlns:dc", "http://purl.org/dc/elements/1.1/"),
        ("xmlns:xsi", INSTANCE),
        ("xsi:schemaLocation", &schema),
    ];
    xml.element("oai_dc:dc", &head, |xml| {
        for term in terms.iter().filter(|term| !term.text.is_empty()) {
            let lang = [("xml:lang", term.lang.as_str())];
            xml.text(&format!("dc:{}", term.name), if is_language(&term.lang) { &lang } else { &[] }, &term.text);
        }
    });
}

/// JATS has no namespace, and an answer's schema takes no metadata without one: PubMed Central gives it that of its tag set.
fn with_namespace(article: &str) -> String {
    let article = article.trim_start();
    match article.strip_prefix("<article") {
        Some(rest) if rest.starts_with([' ', '>', '\n', '\t', '\r', '/']) => format!("<article xmlns=\"{JATS}\"{rest}"),
        _ => article.to_owned(),
    }
}

fn resume(xml: &mut XmlWriter, resumption: Option<&Resumption>) {
    if let Some(resumption) = resumption {
        xml.text("resumptionToken", &[("cursor", &resumption.cursor.to_string())], &resumption.token);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use roxmltree::{Document, Node};

    use super::*;

    fn request() -> Request {
        let arguments = vec![("verb".to_owned(), "ListRecords".to_owned()), ("set".to_owned(), "a&\"<".to_owned())];
        Request { base: "https://a.example/oai".into(), arguments }
    }

    fn find<'a>(document: &'a Document<'_>, name: &str) -> Option<Node<'a, 'a>> {
        document.descendants().find(|node| node.has_tag_name((NAMESPACE, name)))
    }

    #[test]
    fn a_record_stands_in_namespaces() {
        let live = Record {
            header: Header {
                identifier: "oai:a.example:article/1".into(),
                changed_ms: 1_779_006_600_999,
                sets: vec!["tides".into()],
                deleted: false,
            },
            metadata: Some(Metadata::Dc(vec![
                Term { name: "title", lang: "en".into(), text: "A & <b> \u{2}".into() },
                Term { name: "description", lang: "x_y".into(), text: "d".into() },
                Term { name: "rights", lang: String::new(), text: String::new() },
            ])),
        };
        let gone = Record { header: Header { deleted: true, ..Header::default() }, metadata: None };
        let resumption = Some(Resumption { token: "abc.d".into(), cursor: 100 });
        let text = response(0, &request(), &OaiResponse::Records(vec![live, gone], resumption));
        let document = Document::parse(&text).unwrap();
        assert_eq!(find(&document, "request").unwrap().attribute("set"), Some("a&\"<"));
        assert_eq!(find(&document, "datestamp").unwrap().text(), Some("2026-05-17T08:30:00Z"));
        let dc = document.descendants().find(|node| node.has_tag_name((DC, "dc"))).unwrap();
        let terms: Vec<_> = dc.children().map(|node| (node.tag_name().name(), node.text().unwrap())).collect();
        assert_eq!(terms, [("title", "A & <b> "), ("description", "d")]);
        assert_eq!(dc.last_child().unwrap().attributes().count(), 0);
        let headers: Vec<_> = document.descendants().filter(|node| node.has_tag_name((NAMESPACE, "header"))).collect();
        assert_eq!(headers[1].attribute("status"), Some("deleted"));
        assert!(headers[1].next_sibling().is_none());
        let token = find(&document, "resumptionToken").unwrap();
        assert_eq!((token.attribute("cursor"), token.text()), (Some("100"), Some("abc.d")));
    }

    #[test]
    fn jats_gets_the_namespace_that_the_schema_wants() {
        let metadata = |article: &str| {
            let record = Record { header: Header::default(), metadata: Some(Metadata::Jats(article.into())) };
            response(0, &request(), &OaiResponse::Record(Box::new(record)))
        };
        let text = metadata("<article article-type=\"x\"><front/></article>");
        let document = Document::parse(&text).unwrap();
        let front = document.descendants().find(|node| node.tag_name().name() == "front").unwrap();
        assert_eq!(front.tag_name().namespace(), Some(JATS));
    }

    #[test]
    fn what_is_no_request_is_not_repeated() {
        for (fault, shown) in [(Fault::BadVerb, 0), (Fault::BadArgument, 0), (Fault::NoRecordsMatch, 2)] {
            let text = response(0, &request(), &OaiResponse::Fault(fault, "words".into()));
            let document = Document::parse(&text).unwrap();
            assert_eq!(find(&document, "request").unwrap().attributes().count(), shown, "{fault:?}");
            assert_eq!(find(&document, "error").unwrap().attribute("code"), Some(fault.code()));
        }
    }
}
