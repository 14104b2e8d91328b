//! Import of references: `mixed-citation` keeps its text, `element-citation` gets a composed one.

use masthead_domain::{
    article::LangText,
    content::{Citation, Node, RefList, Reference},
    ids::Doi,
};

use super::{
    Importer,
    nodes::{append, blank, trim},
    people::person,
    xml::{X, attr, child, child_text, elements, href, id, lang, name, text, typed},
};
use masthead_domain::content::text::plain;

const CITATIONS: &[&str] = &["mixed-citation", "element-citation", "nlm-citation", "citation", "product"];

/// Types of `pub-id` that a composed citation does not show.
pub const INTERNAL_IDS: &[&str] = &["coi", "bibcode", "coden", "art-access-id", "publisher-id"];

impl Importer {
    pub(super) fn ref_list(&mut self, x: X) -> RefList {
        let mut list = RefList { id: id(x), title: self.heading(x), ..RefList::default() };
        self.ref_list_parts(x, &mut list);
        list
    }

    fn ref_list_parts(&mut self, x: X, list: &mut RefList) {
        for part in elements(x) {
            match name(part) {
                "ref" => {
                    let reference = self.reference(part);
                    list.refs.push(reference);
                }
                // Nested lists serve as groups: their headings become text before the references.
                "ref-list" => {
                    if let Some(title) = self.heading(part) {
                        list.nodes.push(Node::P {
                            id: String::new(),
                            lang: String::new(),
                            nodes: vec![Node::Bold { nodes: title.nodes }],
                        });
                    }
                    self.ref_list_parts(part, list);
                }
                "title" => {}
                _ => self.element(part, &mut list.nodes),
            }
        }
    }

    fn reference(&mut self, x: X) -> Reference {
        self.depth += 3;
        let made = self.reference_parts(x);
        self.depth -= 3;
        made
    }

    fn reference_parts(&mut self, x: X) -> Reference {
        let mut reference = Reference { id: id(x), label: child_text(x, "label"), ..Reference::default() };
        for part in elements(x) {
            match name(part) {
                "citation-alternatives" => self.alternative_citations(part, &mut reference),
                kind if CITATIONS.contains(&kind) => {
                    let citation = self.citation(part);
                    reference.citations.push(citation);
                }
                "label" => {}
                _ => self.element(part, &mut reference.notes),
            }
        }
        if reference.citations.is_empty() && !text(x).is_empty() {
            let mut nodes = std::mem::take(&mut reference.notes);
            trim(&mut nodes);
            reference.citations.push(Citation {
                plain: plain(&nodes),
                nodes,
                lang: self.lang.clone(),
                ..Citation::default()
            });
        }
        reference
    }

    /// One work in several languages: a citation for each, written ones before composed ones, each with the data of both.
    fn alternative_citations(&mut self, x: X, reference: &mut Reference) {
        let mut made: Vec<Citation> = Vec::new();
        let mut parts: Vec<X> = elements(x).collect();
        parts.sort_by_key(|part| name(*part) != "mixed-citation");
        for part in parts {
            let citation = self.citation(part);
            let Some(same) = made.iter_mut().find(|other| other.lang == citation.lang) else {
                made.push(citation);
                continue;
            };
            for (field, value) in [
                (&mut same.doi, citation.doi),
                (&mut same.url, citation.url),
                (&mut same.title, citation.title),
                (&mut same.source, citation.source),
                (&mut same.year, citation.year),
                (&mut same.first_author, citation.first_author),
            ] {
                if field.is_empty() {
                    *field = value;
                }
            }
            for id in citation.ids {
                if !same.ids.contains(&id) {
                    same.ids.push(id);
                }
            }
        }
        reference.citations.extend(made);
    }

    pub(super) fn citation(&mut self, x: X) -> Citation {
        let mut citation = Citation { id: id(x), lang: lang(x), ..Citation::default() };
        citation.kind = [attr(x, "publication-type"), attr(x, "citation-type")]
            .into_iter()
            .find(|kind| !kind.is_empty())
            .unwrap_or_default()
            .to_owned();
        let mut label = Vec::new();
        if let Some(own) = child(x, "label") {
            label = self.line(own);
            label.push(Node::text(" "));
        }
        citation.nodes = if is_written(x) { self.written(x) } else { self.composed(x) };
        trim(&mut citation.nodes);
        citation.nodes.splice(0..0, label);
        citation.plain = plain(&citation.nodes);
        identify(x, &mut citation);
        citation
    }

    /// Composes a citation from elements without punctuation: authors. (year). title. source volume(issue): pages. publisher.
    fn composed(&mut self, x: X) -> Vec<Node> {
        let mut out: Vec<Node> = Vec::new();
        let mut sentence: Vec<Node> = Vec::new();
        let parts: Vec<X> = elements(x).filter(|part| name(*part) != "label").collect();
        let (mut index, mut previous) = (0, "");
        while let Some(part) = parts.get(index) {
            let kind = name(*part);
            let people = matches!(kind, "name" | "string-name" | "collab" | "etal" | "name-alternatives" | "anonymous");
            let end = if people {
                index
                    + parts
                        .iter()
                        .skip(index)
                        .take_while(|part| {
                            matches!(
                                name(**part),
                                "name" | "string-name" | "collab" | "etal" | "name-alternatives" | "anonymous"
                            )
                        })
                        .count()
            } else {
                index + 1
            };
            let nodes = if people {
                vec![Node::text(names(parts.get(index..end).unwrap_or_default()))]
            } else {
                self.piece(*part)
            };
            index = end;
            if blank(&nodes) {
                continue;
            }
            let before = separator(kind, previous, &sentence);
            if before == ". " {
                close(&mut out, &mut sentence);
            } else if !sentence.is_empty() {
                append(&mut sentence, vec![Node::text(before)]);
            }
            append(&mut sentence, nodes);
            previous = kind;
            if kind == "issue" {
                append(&mut sentence, vec![Node::text(")")]);
            }
        }
        close(&mut out, &mut sentence);
        out
    }

    pub(super) fn piece(&mut self, x: X) -> Vec<Node> {
        match name(x) {
            "person-group" => {
                let people: Vec<X> = elements(x).collect();
                let role = match attr(x, "person-group-type") {
                    "editor" => " (Ed.)",
                    "translator" => " (Trans.)",
                    _ => "",
                };
                let written = x.children().any(|node| {
                    node.is_text() && node.text().is_some_and(|text| text.chars().any(char::is_alphanumeric))
                });
                let list = if written { text(x) } else { names(&people) };
                vec![Node::text(format!("{list}{role}"))]
            }
            "source" | "trans-source" => vec![Node::Italic { nodes: self.line(x) }],
            // Keys of catalogues are of no use to readers; they are kept among the identifiers.
            "pub-id" if INTERNAL_IDS.contains(&attr(x, "pub-id-type").to_ascii_lowercase().as_str()) => Vec::new(),
            "pub-id" => self.pub_id(x),
            _ => {
                let mut nodes = Vec::new();
                self.element(x, &mut nodes);
                trim(&mut nodes);
                nodes
            }
        }
    }

    /// An identifier with the name of its type.
    pub(super) fn pub_id(&mut self, x: X) -> Vec<Node> {
        let value = text(x);
        let nodes = vec![Node::text(value.clone())];
        let kind = attr(x, "pub-id-type");
        let link = pub_id_url(kind, &value);
        let mut out =
            vec![Node::text(format!("{}: ", if kind.is_empty() { "id".to_owned() } else { kind.to_uppercase() }))];
        out.extend(if link.is_empty() {
            nodes
        } else {
            vec![Node::ExtLink { href: link, kind: kind.to_owned(), nodes }]
        });
        out
    }

    /// The heading of a list, with its formatting.
    pub(super) fn heading(&mut self, x: X) -> Option<LangText> {
        self.line_of(x, "title")
    }

    /// The first child with this name as a line of text; `None` if there is none or it is empty.
    pub(super) fn line_of(&mut self, x: X, child_name: &str) -> Option<LangText> {
        let found = child(x, child_name)?;
        let nodes = self.line(found);
        (!nodes.is_empty()).then(|| LangText { lang: lang(found), plain: plain(&nodes), nodes })
    }
}

/// Whether the source gives the words and punctuation of a citation, and not its data alone.
pub(super) fn is_written(x: X) -> bool {
    let words = |text: &str| text.chars().any(|c| c.is_alphanumeric() || matches!(c, ',' | '.' | ';'));
    x.children().any(|node| node.is_text() && node.text().is_some_and(words))
        || (name(x) == "mixed-citation"
            && !elements(x).any(|part| matches!(name(part), "person-group" | "source" | "article-title" | "year")))
}

/// Ends the current sentence of a composed citation.
fn close(out: &mut Vec<Node>, sentence: &mut Vec<Node>) {
    if sentence.is_empty() {
        return;
    }
    if !out.is_empty() {
        append(out, vec![Node::text(" ")]);
    }
    let ends = plain(sentence).ends_with(['.', '?', '!', '。']);
    append(out, std::mem::take(sentence));
    if !ends {
        append(out, vec![Node::text(".")]);
    }
}

/// The separator in front of this piece; ". " begins a new sentence.
fn separator(kind: &str, previous: &str, sentence: &[Node]) -> &'static str {
    if sentence.is_empty() {
        return ". ";
    }
    match kind {
        "volume" if matches!(previous, "year" | "month" | "day") => ";",
        "volume" => " ",
        "issue" => "(",
        "fpage" | "elocation-id" | "page-range" => ":",
        "lpage" => "–",
        "supplement" | "volume-series" | "suffix" => " ",
        "publisher-name" => ", ",
        "month" | "day" | "season" | "conf-loc" | "conf-date" | "issue-part" | "edition" | "series" => ", ",
        "year" if previous == "source" => ", ",
        _ => ". ",
    }
}

fn names(people: &[X]) -> String {
    let mut list: Vec<String> = Vec::new();
    for one in people {
        match name(*one) {
            "etal" => {
                list.push(Some(text(*one)).filter(|text| !text.is_empty()).unwrap_or_else(|| "et al.".to_owned()))
            }
            "name" => list.push(person(*one)),
            "name-alternatives" => list.extend(
                elements(*one).next().map(|first| if name(first) == "name" { person(first) } else { text(first) }),
            ),
            _ => list.push(text(*one)),
        }
    }
    list.retain(|one| !one.is_empty());
    list.join(", ")
}

/// Sets DOI, address, title, year and so on, for links and popovers.
pub(super) fn identify(x: X, citation: &mut Citation) {
    let first = |names: &[&str]| {
        let found = names.iter().find_map(|one| x.descendants().find(|node| node.is_element() && name(*node) == *one));
        found.map(text).unwrap_or_default()
    };
    citation.title = first(&["article-title", "chapter-title", "data-title", "part-title"]);
    citation.source = first(&["source", "series"]);
    citation.year = first(&["year"]);
    citation.first_author = x
        .descendants()
        .find(|node| matches!(name(*node), "name" | "string-name" | "collab"))
        .map(|found| if child(found, "surname").is_some() { child_text(found, "surname") } else { text(found) })
        .unwrap_or_default();
    if citation.title.is_empty() && citation.kind != "journal" {
        citation.title.clone_from(&citation.source);
    }
    for part in x.descendants().filter(|node| matches!(name(*node), "pub-id" | "object-id" | "isbn")) {
        let kind = if name(part) == "isbn" { "isbn" } else { typed(part, "pub-id-type") };
        let value = text(part);
        if kind == "doi" && citation.doi.is_empty() {
            citation.doi = Doi::parse(&value).map(|doi| doi.as_str().to_owned()).unwrap_or_default();
        } else if !kind.is_empty() && kind != "doi" && !value.is_empty() {
            citation.ids.push((kind.to_owned(), value));
        }
    }
    for link in x.descendants().filter(|node| matches!(name(*node), "ext-link" | "uri")) {
        let target = Some(href(link)).filter(|href| !href.is_empty()).unwrap_or_else(|| text(link));
        if let (true, Ok(doi)) =
            (target.contains("doi.org/") || attr(link, "ext-link-type") == "doi", Doi::parse(&target))
        {
            if citation.doi.is_empty() {
                doi.as_str().clone_into(&mut citation.doi);
            }
        } else if citation.url.is_empty() && target.starts_with("http") {
            citation.url = target;
        }
    }
    if citation.doi.is_empty() {
        citation.doi = doi_in(&citation.plain);
    }
}

/// The first DOI in a text, or "".
fn doi_in(text: &str) -> String {
    for (at, _) in text.match_indices("10.") {
        let rest = text.get(at..).unwrap_or_default();
        let before = text.get(..at).and_then(|before| before.chars().last());
        if before.is_some_and(char::is_alphanumeric) {
            continue;
        }
        let end = rest
            .find(|c: char| c.is_whitespace() || !c.is_ascii() || matches!(c, '<' | '>' | '"'))
            .unwrap_or(rest.len());
        let candidate = rest.get(..end).unwrap_or_default().trim_end_matches(['.', ',', ';', ':', ']', '}']);
        let candidate = if candidate.contains('(') { candidate } else { candidate.trim_end_matches(')') };
        let registrant =
            candidate.get(3..).and_then(|tail| tail.split_once('/')).map_or("", |(registrant, _)| registrant);
        if (4..=9).contains(&registrant.len()) && Doi::parse(candidate).is_ok() {
            return candidate.to_owned();
        }
    }
    String::new()
}

pub(super) fn pub_id_url(kind: &str, value: &str) -> String {
    let plain = value.chars().all(|c| c.is_ascii_alphanumeric());
    match kind {
        "doi" => Doi::parse(value).map(|doi| doi.url()).unwrap_or_default(),
        "pmid" if plain => format!("https://pubmed.ncbi.nlm.nih.gov/{value}/"),
        "pmcid" | "pmc" if plain => format!(
            "https://www.ncbi.nlm.nih.gov/pmc/articles/{}{value}/",
            if value.starts_with("PMC") { "" } else { "PMC" }
        ),
        "arxiv" if !value.contains(char::is_whitespace) => {
            format!("https://arxiv.org/abs/{}", value.trim_start_matches("arXiv:"))
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::doi_in;
    use crate::jats::{Limits, import};

    #[test]
    fn a_composed_citation_has_no_catalogue_keys() {
        let source = "<article><body><list id='a' list-type='order'><list-item><p>1</p></list-item></list>\
             <list list-type='order' continued-from='a'><list-item><p>2</p></list-item></list></body><back><ref-list><ref id='r'>\
             <element-citation><source>J</source><year>2001</year><pub-id pub-id-type='coi'>1:CAS:528</pub-id>\
             <pub-id pub-id-type='pmid'>123</pub-id></element-citation></ref></ref-list></back></article>";
        let made = import(source.as_bytes(), &Limits::default()).unwrap();
        let citation = &made.article.body.reference_lists[0].refs[0].citations[0];
        assert_eq!(citation.plain, "J, 2001. PMID: 123.");
        assert!(citation.ids.iter().any(|(kind, _)| kind == "coi"));
        let html = crate::html::render(&made.article, &|_| None).sections[0].html.clone();
        assert!(html.contains("start=\"2\""), "{html}");
    }

    #[test]
    fn a_doi_in_text_is_found() {
        assert_eq!(doi_in("J. Test 1(2): 3. doi: 10.5555/abc.1. PMID 3"), "10.5555/abc.1");
        assert_eq!(doi_in("(10.5555/abc)"), "10.5555/abc");
        assert_eq!(doi_in("10.5555/S0000(22)1-1，参见"), "10.5555/S0000(22)1-1");
        assert_eq!(doi_in("pages 10.1/2, 110.5555/x"), "");
    }
}
