//! Answers of an OAI-PMH 2.0 repository, read within the limits of [`masthead_xml`].

use std::collections::BTreeMap;

use anyhow::Context as _;
use masthead_documents::jats;
use masthead_formats::catalogues::dublin_core::Term;
use masthead_xml::{
    Limits, Node, Tree, XmlWriter,
    node::{attr, child, child_text, children, elements, name, own_lang, text},
};

/// What a repository says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// Its name.
    pub name: String,
    /// Whether its dates are days, without a time.
    pub days: bool,
    /// Whether it lists deleted records, at least for some time.
    pub lists_deleted: bool,
}

/// A format of metadata that a repository offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetadataFormat {
    /// Its `metadataPrefix`.
    pub prefix: String,
    /// Its namespace.
    pub namespace: String,
}

impl MetadataFormat {
    /// Whether it is JATS or its predecessor, by the namespace, or by the prefix that is usual for it.
    fn is_jats(&self) -> bool {
        let namespace = self.namespace.to_ascii_lowercase();
        ["jats.nlm.nih.gov", "dtd.nlm.nih.gov", "ncbi.nlm.nih.gov/jats"].iter().any(|known| namespace.contains(known))
            || matches!(self.prefix.as_str(), "jats" | "oai_jats")
    }
}

/// The prefix of the format to harvest: JATS where it is offered, otherwise Dublin Core.
///
/// # Errors
/// A message, if neither is offered.
pub fn preferred(formats: &[MetadataFormat]) -> anyhow::Result<&str> {
    let by_name = formats.iter().find(|format| format.prefix == "jats");
    let jats = by_name.or_else(|| formats.iter().find(|format| format.is_jats()));
    let chosen = jats.or_else(|| formats.iter().find(|format| format.prefix == "oai_dc"));
    chosen.map(|format| format.prefix.as_str()).with_context(|| {
        let all: Vec<_> = formats.iter().map(|format| format.prefix.as_str()).collect();
        format!("the repository offers neither JATS nor oai_dc, but {}", all.join(", "))
    })
}

/// A part of the list of records.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordPage {
    /// When it was answered, as the repository writes it.
    pub date: String,
    /// The records.
    pub records: Vec<Record>,
    /// The token with which the list goes on, or "" at its end.
    pub token: String,
}

/// A record.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Its identifier.
    pub identifier: String,
    /// What it says.
    pub metadata: Metadata,
}

/// The metadata of a record.
#[derive(Clone, Debug, PartialEq)]
pub enum Metadata {
    /// The record is deleted.
    Deleted,
    /// An article in JATS, as a document of its own.
    Jats(String),
    /// Statements in Dublin Core.
    DublinCore(Vec<Term>),
    /// Anything else.
    Other,
}

/// An answer to `ListRecords`.
#[derive(Clone, Debug, PartialEq)]
pub enum ListRecordsAnswer {
    /// Records.
    Page(RecordPage),
    /// The resumption token is not accepted, or not any more.
    BadToken,
}

/// Reads the answer to `Identify`.
///
/// # Errors
/// A message, if the bytes are no such answer.
pub fn identity(bytes: &[u8]) -> anyhow::Result<Identity> {
    read(bytes, |_, root| {
        let about = child(root, "Identify").context("the answer to Identify has no <Identify>")?;
        Ok(Identity {
            name: child_text(about, "repositoryName"),
            days: !child_text(about, "granularity").contains("hh"),
            lists_deleted: child_text(about, "deletedRecord") != "no",
        })
    })
}

/// Reads the answer to `ListMetadataFormats`.
///
/// # Errors
/// A message, if the bytes are no such answer.
pub fn formats(bytes: &[u8]) -> anyhow::Result<Vec<MetadataFormat>> {
    read(bytes, |_, root| {
        let list = child(root, "ListMetadataFormats").context("the answer lists no formats")?;
        let format = |x| MetadataFormat {
            prefix: child_text(x, "metadataPrefix"),
            namespace: child_text(x, "metadataNamespace"),
        };
        Ok(children(list, "metadataFormat").map(format).collect())
    })
}

/// Reads the answer to `ListRecords`. A list without records is a page without records.
///
/// # Errors
/// A message, if the bytes are no such answer, or the repository reports an error.
pub fn records(bytes: &[u8]) -> anyhow::Result<ListRecordsAnswer> {
    read(bytes, |tree, root| {
        let date = child_text(root, "responseDate");
        let error = child(root, "error");
        match error.map(|error| attr(error, "code")) {
            Some("noRecordsMatch") => return Ok(ListRecordsAnswer::Page(RecordPage { date, ..RecordPage::default() })),
            Some("badResumptionToken") => return Ok(ListRecordsAnswer::BadToken),
            _ => {}
        }
        let list = child(root, "ListRecords").context("the answer lists no records")?;
        Ok(ListRecordsAnswer::Page(RecordPage {
            date,
            records: children(list, "record").filter_map(|x| record(tree, x)).collect(),
            token: child_text(list, "resumptionToken"),
        }))
    })
}

/// Parses an answer and passes its outermost element to `then`. Errors of the protocol are left to `then` where it reads them.
fn read<T>(bytes: &[u8], then: impl FnOnce(&Tree, Node) -> anyhow::Result<T>) -> anyhow::Result<T> {
    let limits = Limits::default();
    anyhow::ensure!(bytes.len() <= limits.max_bytes, "the answer has more than {} bytes", limits.max_bytes);
    let decoded = masthead_xml::decode(bytes).context("the answer cannot be decoded")?;
    // Repositories embed JATS that uses prefixes without a declaration, because its DTD declares them.
    let read = masthead_xml::parse(&decoded.text, &limits, jats::PREFIXES, |tree| {
        let root = tree.root();
        anyhow::ensure!(
            name(root) == "OAI-PMH",
            "the answer is <{}> and not one of OAI-PMH: check the address of the repository",
            name(root)
        );
        if let Some(error) = child(root, "error") {
            let code = attr(error, "code");
            anyhow::ensure!(
                matches!(code, "noRecordsMatch" | "badResumptionToken"),
                "the repository reports {code}: {}",
                text(error)
            );
        }
        then(tree, root)
    });
    read.context("the answer is not well-formed XML")?
}

fn record(tree: &Tree, x: Node) -> Option<Record> {
    let header = child(x, "header")?;
    let identifier = child_text(header, "identifier");
    if identifier.is_empty() {
        return None;
    }
    let metadata = match child(x, "metadata") {
        _ if attr(header, "status") == "deleted" => Metadata::Deleted,
        Some(metadata) => content(tree, metadata),
        None => Metadata::Other,
    };
    Some(Record { identifier, metadata })
}

fn content(tree: &Tree, metadata: Node) -> Metadata {
    if let Some(article) = metadata.descendants().find(|x| x.is_element() && name(*x) == "article") {
        return document(tree, article).map_or(Metadata::Other, Metadata::Jats);
    }
    let Some(dublin_core) = child(metadata, "dc") else { return Metadata::Other };
    let term = |x| Term { name: name(x).to_owned(), lang: own_lang(x), text: text(x) };
    Metadata::DublinCore(elements(dublin_core).map(term).collect())
}

/// An element as a document of its own: the prefixes that its ancestors declare are declared on an element around it, so that its own
/// text stays as it is.
fn document(tree: &Tree, article: Node) -> Option<String> {
    let source = tree.source(article)?;
    let prefixes =
        article.namespaces().filter_map(|one| Some((format!("xmlns:{}", one.name()?), one.uri().to_owned())));
    let prefixes: BTreeMap<String, String> = prefixes.filter(|(prefix, _)| prefix != "xmlns:xml").collect();
    let attributes: Vec<(&str, &str)> = prefixes.iter().map(|(name, uri)| (name.as_str(), uri.as_str())).collect();
    let mut xml = XmlWriter::fragment();
    xml.element("record", &attributes, |xml| xml.raw(source));
    Some(xml.finish())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    fn page(bytes: &str) -> RecordPage {
        match records(bytes.as_bytes()).unwrap() {
            ListRecordsAnswer::Page(page) => page,
            ListRecordsAnswer::BadToken => panic!("the token is refused"),
        }
    }

    #[test]
    fn records_are_read_whatever_the_prefixes_are() {
        let answer = "<?xml version='1.0'?><o:OAI-PMH xmlns:o='http://www.openarchives.org/OAI/2.0/' xmlns:l='http://www.w3.org/1999/xlink'>
            <o:responseDate>2026-03-04T10:00:00Z</o:responseDate><o:request>x</o:request><o:ListRecords>
            <o:record><o:header status='deleted'><o:identifier>oai:a:1</o:identifier></o:header></o:record>
            <o:record><o:header><o:identifier>oai:a:2</o:identifier></o:header><o:metadata>
              <d:dc xmlns:d='http://www.openarchives.org/OAI/2.0/oai_dc/' xmlns:e='http://purl.org/dc/elements/1.1/'>
              <e:title xml:lang='pt-BR'> Sobre as\n marés </e:title><e:rights/></d:dc></o:metadata></o:record>
            <o:record><o:header><o:identifier>oai:a:3</o:identifier></o:header><o:metadata>
              <article xmlns='https://jats.nlm.nih.gov/ns/publishing/1.3/'><front/><p l:href='x'>&eacute; &amp; 1</p></article></o:metadata></o:record>
            <o:record><o:header><o:identifier>oai:a:4</o:identifier></o:header></o:record><o:record/>
            <o:resumptionToken cursor='0' completeListSize='7' expirationDate='2026-03-05T00:00:00Z'>t!1</o:resumptionToken>
            </o:ListRecords></o:OAI-PMH>";
        let page = page(answer);
        assert_eq!((page.date.as_str(), page.token.as_str()), ("2026-03-04T10:00:00Z", "t!1"));
        let [deleted, dublin_core, jats, other] = page.records.as_slice() else { panic!("{page:#?}") };
        assert_eq!((deleted.identifier.as_str(), &deleted.metadata), ("oai:a:1", &Metadata::Deleted));
        let Metadata::DublinCore(terms) = &dublin_core.metadata else { panic!("{dublin_core:?}") };
        let title = Term { name: "title".into(), lang: "pt-BR".into(), text: "Sobre as marés".into() };
        assert_eq!(terms[0], title);
        let Metadata::Jats(xml) = &jats.metadata else { panic!("{jats:?}") };
        let within = masthead_xml::parse(xml, &Limits::default(), &[], |tree| {
            let article = child(tree.root(), "article").unwrap();
            (
                text(article),
                article.descendants().any(|x| x.attribute(("http://www.w3.org/1999/xlink", "href")).is_some()),
            )
        });
        assert_eq!(within.unwrap(), ("é & 1".to_owned(), true), "{xml}");
        assert_eq!(other.metadata, Metadata::Other);
    }

    #[test]
    fn jats_may_use_the_prefixes_that_its_dtd_declares() {
        let table = "<oasis:table><tp:taxon-name xlink:href='x'>Zostera</tp:taxon-name></oasis:table>";
        let page = page(&format!(
            "<OAI-PMH><ListRecords><record><header><identifier>oai:a:1</identifier></header>\
             <metadata><article><front/>{table}</article></metadata></record></ListRecords></OAI-PMH>"
        ));
        let Metadata::Jats(xml) = &page.records[0].metadata else { panic!("{page:#?}") };
        let words = masthead_xml::parse(xml, &Limits::default(), &[], |tree| text(tree.root()));
        assert_eq!(words.unwrap(), "Zostera", "{xml}");
    }

    #[test]
    fn errors_are_told_from_empty_lists() {
        let answer = |code: &str| {
            format!("<OAI-PMH><responseDate>2026-03-04</responseDate><error code='{code}'>because</error></OAI-PMH>")
        };
        let nothing = page(&answer("noRecordsMatch"));
        assert_eq!((nothing.date.as_str(), nothing.records.len(), nothing.token.as_str()), ("2026-03-04", 0, ""));
        assert_eq!(records(answer("badResumptionToken").as_bytes()).unwrap(), ListRecordsAnswer::BadToken);
        let failure = |bytes: &[u8]| format!("{:#}", records(bytes).unwrap_err());
        assert!(failure(answer("badArgument").as_bytes()).contains("badArgument: because"));
        assert!(failure(b"<html><body/></html>").contains("<html>"));
        assert!(failure(b"<OAI-PMH><ListRecords>").contains("well-formed"));
        assert!(failure(b"<OAI-PMH/>").contains("no records"));
    }

    #[test]
    fn jats_is_preferred_by_prefix_and_by_namespace() {
        let format =
            |prefix: &str, namespace: &str| MetadataFormat { prefix: prefix.into(), namespace: namespace.into() };
        let dublin_core = format("oai_dc", "http://www.openarchives.org/OAI/2.0/oai_dc/");
        let archive = format("nlm", "http://dtd.nlm.nih.gov/publishing/2.3");
        let jats = format("jats", "https://jats.nlm.nih.gov/publishing/1.3/");
        let chosen = |formats: &[MetadataFormat]| preferred(formats).map(str::to_owned).ok();
        assert_eq!(chosen(&[dublin_core.clone(), archive.clone(), jats]).as_deref(), Some("jats"));
        assert_eq!(chosen(&[dublin_core.clone(), archive]).as_deref(), Some("nlm"));
        assert_eq!(chosen(&[format("marcxml", "x"), dublin_core]).as_deref(), Some("oai_dc"));
        assert_eq!(chosen(&[format("marcxml", "x")]), None);
    }

    #[test]
    fn granularity_and_deletions_are_read() {
        let of = |granularity: &str, deleted: &str| {
            let text = format!(
                "<OAI-PMH><Identify><repositoryName>R</repositoryName><granularity>{granularity}</granularity>\
                 <deletedRecord>{deleted}</deletedRecord></Identify></OAI-PMH>"
            );
            identity(text.as_bytes()).unwrap()
        };
        let name = "R".to_owned();
        let exact = Identity { name: name.clone(), days: false, lists_deleted: true };
        assert_eq!(of("YYYY-MM-DDThh:mm:ssZ", "persistent"), exact);
        assert_eq!(of("YYYY-MM-DD", "no"), Identity { name, days: true, lists_deleted: false });
    }
}
