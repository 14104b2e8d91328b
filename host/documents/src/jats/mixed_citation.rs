//! Citations with written text, whose punctuation between elements may be missing.

use masthead_domain::content::Node;

use super::{
    Importer,
    nodes::append,
    people::person,
    xml::{X, name, text},
};
use masthead_domain::content::text::plain;

/// Elements of a citation that are separated if no punctuation stands between them.
const PARTS: &[&str] = &[
    "anonymous",
    "article-title",
    "chapter-title",
    "collab",
    "comment",
    "edition",
    "etal",
    "ext-link",
    "fpage",
    "issue",
    "lpage",
    "name",
    "person-group",
    "pub-id",
    "publisher-loc",
    "publisher-name",
    "source",
    "string-name",
    "trans-source",
    "trans-title",
    "uri",
    "volume",
    "year",
];

impl Importer {
    /// The content of a citation without its label.
    pub(super) fn written(&mut self, x: X) -> Vec<Node> {
        let mut out: Vec<Node> = Vec::new();
        let mut previous = "";
        for node in x.children() {
            if node.is_text() {
                if node.text().is_some_and(|text| !text.trim().is_empty()) {
                    previous = "";
                }
                self.push(node, &mut out);
                continue;
            }
            let kind = name(node);
            if !node.is_element() || kind == "label" {
                continue;
            }
            let known = PARTS.contains(&kind);
            if known && !previous.is_empty() {
                append_separator(previous, node, &mut out);
            }
            self.citation_part(node, &mut out);
            previous = if known { kind } else { "" };
        }
        out
    }

    fn citation_part(&mut self, x: X, out: &mut Vec<Node>) {
        let bare = !x.children().any(|node| node.is_text() && node.text().is_some_and(|text| !text.trim().is_empty()));
        match name(x) {
            "etal" if text(x).is_empty() => append(out, vec![Node::text("et al.")]),
            "string-name" if bare => append(out, vec![Node::text(person(x))]),
            "person-group" if bare => {
                let nodes = self.piece(x);
                append(out, nodes);
            }
            "pub-id" => {
                let before = tail(out);
                let labelled = before.ends_with(['/', ':', '(', '[', '=']) || {
                    let words = before.to_ascii_lowercase();
                    ["doi", "pmid", "pmcid", "pubmed", "medline", "arxiv", "isbn"]
                        .iter()
                        .any(|word| words.ends_with(word))
                };
                let spaced = matches!(out.last(), Some(Node::Text { text }) if text.ends_with(char::is_whitespace));
                if labelled {
                    self.element(x, out);
                    return;
                }
                if !before.is_empty() && !spaced {
                    append(out, vec![Node::text(" ")]);
                }
                let nodes = self.pub_id(x);
                append(out, nodes);
            }
            _ => self.element(x, out),
        }
    }
}

/// The last text of the nodes written so far.
fn tail(out: &[Node]) -> String {
    plain(out.get(out.len().saturating_sub(2)..).unwrap_or_default())
}

/// Appends a separator between two elements without one in the source.
fn append_separator(previous: &str, x: X, out: &mut Vec<Node>) {
    let people = |kind: &str| matches!(kind, "name" | "string-name" | "collab" | "etal" | "anonymous" | "person-group");
    let kind = name(x);
    let between = match (previous, kind) {
        ("volume", "issue") if text(x).starts_with('(') => return,
        ("fpage", "lpage") => "–",
        ("volume" | "issue", "fpage") => ":",
        _ if people(previous) && people(kind) => ", ",
        _ if people(previous) && !tail(out).ends_with(['.', ',', ';', ':', '(']) => ". ",
        _ => " ",
    };
    if let Some(Node::Text { text }) = out.last_mut() {
        text.truncate(text.trim_end().len());
    }
    append(out, vec![Node::text(between)]);
}

/// Raises numbers of references directly behind a word to superscript, as journals print them: `word<xref>1</xref>,<xref>2</xref>`.
pub(super) fn with_superscript_numbers(nodes: Vec<Node>) -> Vec<Node> {
    let number = |node: &Node| {
        matches!(node, Node::Xref { ref_type, nodes, .. } if ref_type == "bibr" && is_number(&plain(nodes)))
            && !matches!(node, Node::Xref { nodes, .. } if matches!(nodes.as_slice(), [Node::Sup { .. }]))
    };
    if !nodes.iter().any(number) {
        return nodes;
    }
    let mut out: Vec<Node> = Vec::with_capacity(nodes.len());
    let (mut open, mut last) = (0_i32, ' ');
    let mut rest = nodes.into_iter().peekable();
    while let Some(node) = rest.next() {
        let words = plain(std::slice::from_ref(&node));
        let raise = number(&node) && open <= 0 && (last.is_alphabetic() || ".,;:!?)”’\"'%".contains(last));
        if !raise {
            let raw = if let Node::Text { text } = &node { text.as_str() } else { words.as_str() };
            for c in raw.chars() {
                open +=
                    i32::from(matches!(c, '(' | '[' | '（' | '［')) - i32::from(matches!(c, ')' | ']' | '）' | '］'));
            }
            last = raw.chars().last().unwrap_or(last);
            out.push(node);
            continue;
        }
        let mut run = vec![node];
        while let Some(next) = rest.peek() {
            let between = matches!(next, Node::Text { text } if text.len() < 6 && is_between(text));
            if number(next) {
                run.extend(rest.next());
            } else if between {
                let sign = rest.next();
                if rest.peek().is_some_and(number) {
                    run.extend(sign);
                } else {
                    last = ' ';
                    out.push(Node::Sup { nodes: std::mem::take(&mut run) });
                    out.extend(sign);
                    break;
                }
            } else {
                break;
            }
        }
        if !run.is_empty() {
            last = '1';
            out.push(Node::Sup { nodes: run });
        }
    }
    out
}

fn is_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | '-' | '–' | ' '))
}

fn is_between(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| matches!(c, ',' | '-' | '–' | '—' | ' '))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
    use crate::jats::{Limits, import};

    fn citation(inner: &str) -> String {
        let source = format!(
            "<article><back><ref-list><ref id='r'><mixed-citation>{inner}</mixed-citation></ref></ref-list></back></article>"
        );
        let made = import(source.as_bytes(), &Limits::default()).unwrap();
        made.article.body.reference_lists[0].refs[0].citations[0].plain.clone()
    }

    fn paragraph(inner: &str) -> String {
        let source =
            format!("<article><body><p>{inner}</p></body><back><ref-list><ref id='r'/></ref-list></back></article>");
        let made = import(source.as_bytes(), &Limits::default()).unwrap();
        crate::html::render(&made.article, &|_| None).sections[0]
            .html
            .replace(" class=\"xref\" data-ref-type=\"bibr\" href=\"#a-r\"", "")
    }

    #[test]
    fn elements_without_punctuation_are_separated() {
        let name = |surname: &str| format!("<name><surname>{surname}</surname><given-names>A</given-names></name>");
        let people = format!("<person-group>{}{}<etal/></person-group>", name("Ng"), name("Li"));
        assert_eq!(
            citation(&format!("{people}<article-title>Of it</article-title>. 2001.")),
            "Ng A, Li A, et al. Of it. 2001."
        );
        assert_eq!(
            citation("J; 24.<pub-id pub-id-type='doi'>10.5555/1</pub-id><pub-id pub-id-type='pmid'>123</pub-id>"),
            "J; 24. DOI: 10.5555/1 PMID: 123"
        );
        assert_eq!(citation("J. doi:<pub-id pub-id-type='doi'>10.5555/1</pub-id>"), "J. doi:10.5555/1");
        assert_eq!(citation("A, B. <volume>3</volume><issue>(2)</issue><fpage>1</fpage>"), "A, B. 3(2):1");
    }

    #[test]
    fn reference_numbers_after_words_are_superscript_and_those_in_brackets_are_not() {
        let one = "<xref ref-type='bibr' rid='r'>1</xref>";
        assert_eq!(paragraph(&format!("a.{one},{one} b")), "<p>a.<sup><a>1</a>,<a>1</a></sup> b</p>");
        assert_eq!(paragraph(&format!("a.{one}, b")), "<p>a.<sup><a>1</a></sup>, b</p>");
        assert_eq!(paragraph(&format!("a [b,{one}] see {one}")), "<p>a [b,<a>1</a>] see <a>1</a></p>");
        assert_eq!(paragraph(&format!("a<sup>{one}</sup>")), "<p>a<sup><a>1</a></sup></p>");
    }

    #[test]
    fn the_meaning_of_a_lone_abbreviation_is_shown() {
        assert_eq!(paragraph("<abbrev>CNC<def><p>A museum</p></def></abbrev>"), "<p><b>CNC</b>: A museum</p>");
    }
}
