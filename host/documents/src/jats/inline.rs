//! Import of inline elements.

use masthead_domain::{
    content::{Media, Node},
    link,
};

use super::{
    Importer,
    nodes::{append, trim, wrap},
    omitted_elements::is_no_text,
    xml::{X, attr, child, child_text, children, href, id, name, own_lang, text, typed},
};

/// Semantic elements without formatting; their content is kept without the element.
const TRANSPARENT: &[&str] = &[
    "addr-line",
    "address",
    "aff",
    "annotation",
    "anonymous",
    "article-title",
    "award-id",
    "chapter-title",
    "city",
    "collab",
    "collab-alternatives",
    "comment",
    "compound-kwd",
    "compound-kwd-part",
    "compound-subject",
    "compound-subject-part",
    "conf-acronym",
    "conf-date",
    "conf-loc",
    "conf-name",
    "conf-num",
    "conf-sponsor",
    "contrib",
    "copyright-holder",
    "copyright-statement",
    "copyright-year",
    "corresp",
    "country",
    "data-title",
    "date",
    "date-in-citation",
    "day",
    "def",
    "degrees",
    "edition",
    "elocation-id",
    "email-text",
    "era",
    "etal",
    "event",
    "event-desc",
    "fax",
    "fpage",
    "funding-source",
    "funding-statement",
    "given-names",
    "gov",
    "institution",
    "institution-id",
    "institution-wrap",
    "isbn",
    "issn",
    "issn-l",
    "issue",
    "issue-id",
    "issue-part",
    "issue-title",
    "kwd",
    "license",
    "license-p",
    "lpage",
    "month",
    "name-alternatives",
    "on-behalf-of",
    "open-access",
    "page-range",
    "part-title",
    "patent",
    "permissions",
    "person-group",
    "phone",
    "postal-code",
    "prefix",
    "principal-award-recipient",
    "publisher-loc",
    "publisher-name",
    "rb",
    "resource-name",
    "role",
    "rp",
    "season",
    "series",
    "series-text",
    "series-title",
    "size",
    "source",
    "state",
    "std",
    "std-organization",
    "string-conf",
    "string-date",
    "string-name",
    "subtitle",
    "suffix",
    "supplement",
    "surname",
    "term",
    "time-stamp",
    "trans-source",
    "trans-subtitle",
    "trans-title",
    "version",
    "volume",
    "volume-id",
    "volume-series",
    "x",
    "year",
    "year-range",
    "award-name",
    "support-source",
    "nomenclature-citation",
    "object-id-text",
    "price",
    "product",
    "related-object-text",
    "taxon-authority",
    "taxon-name-part",
    "taxon-status",
    "institution-name",
    "mixed-citation-text",
    "private-char",
    "braces",
    "adress",
    "note",
    "page-count",
    "inline-group",
];

/// Limit on the depth of nested elements in content nodes.
const MAX_DEPTH: u16 = 40;

impl Importer {
    /// Content of an element, text included.
    pub(super) fn content(&mut self, x: X) -> Vec<Node> {
        let mut out = Vec::new();
        for node in x.children() {
            self.push(node, &mut out);
        }
        out
    }

    /// As [`Self::content`], without the children with the names in `skip`.
    pub(super) fn content_without(&mut self, x: X, skip: &[&str]) -> Vec<Node> {
        let mut out = Vec::new();
        for node in x.children() {
            if !(node.is_element() && skip.contains(&name(node))) {
                self.push(node, &mut out);
            }
        }
        out
    }

    /// Content of a title, trimmed.
    pub(super) fn line(&mut self, x: X) -> Vec<Node> {
        let mut nodes = self.content(x);
        trim(&mut nodes);
        nodes
    }

    pub(super) fn push(&mut self, node: X, out: &mut Vec<Node>) {
        if node.is_text() {
            self.characters(node.text().unwrap_or_default(), out);
        } else if node.is_element() {
            self.element(node, out);
        }
    }

    fn characters(&mut self, source: &str, out: &mut Vec<Node>) {
        let text = if self.verbatim { source.to_owned() } else { squeeze(source) };
        match out.last_mut() {
            Some(Node::Text { text: last }) => {
                if !self.verbatim && last.ends_with(' ') && text.starts_with(' ') {
                    last.push_str(text.get(1..).unwrap_or_default());
                } else {
                    last.push_str(&text);
                }
            }
            _ if text.is_empty() => {}
            _ => out.push(Node::Text { text }),
        }
    }

    /// Imports any element. Beyond [`MAX_DEPTH`] only its text is kept, because articles are stored as JSON, whose parsers
    /// limit depth.
    pub(super) fn element(&mut self, x: X, out: &mut Vec<Node>) {
        if self.depth >= MAX_DEPTH {
            if self.depth == MAX_DEPTH {
                self.report.warn(format!("<{}> is nested so deeply that only its text was kept", name(x)));
            }
            self.characters(
                &x.descendants().filter(|node| node.is_text()).filter_map(|node| node.text()).collect::<String>(),
                out,
            );
            return;
        }
        self.depth += 1;
        self.known_depth(x, out);
        self.depth -= 1;
    }

    fn known_depth(&mut self, x: X, out: &mut Vec<Node>) {
        if self.inline(x, out) || self.link(x, out) || self.block(x, out) || self.float(x, out) {
            return;
        }
        let name = name(x);
        if is_no_text(name) {
            return;
        }
        if x.tag_name().namespace() == Some("http://www.w3.org/2001/XInclude") {
            self.report.warn(format!("XInclude of {:?} was not followed: put the text into the file", attr(x, "href")));
        }
        if !TRANSPARENT.contains(&name) {
            self.report.unknown(name);
        }
        self.anchor(x, out);
        let nodes = self.content(x);
        append(out, nodes);
    }

    /// An anchor for an element that becomes no node but may be the target of a cross-reference.
    fn anchor(&self, x: X, out: &mut Vec<Node>) {
        let id = id(x);
        if !id.is_empty() {
            out.push(Node::Anchor { id });
        }
    }

    fn inline(&mut self, x: X, out: &mut Vec<Node>) -> bool {
        let make: fn(Vec<Node>) -> Node = match name(x) {
            "bold" | "b" => |nodes| Node::Bold { nodes },
            "italic" | "i" => |nodes| Node::Italic { nodes },
            "sub" | "inf" => |nodes| Node::Sub { nodes },
            "sup" => |nodes| Node::Sup { nodes },
            "underline" => |nodes| Node::Underline { nodes },
            "overline" => |nodes| Node::Overline { nodes },
            "strike" => |nodes| Node::Strike { nodes },
            "monospace" => |nodes| Node::Monospace { nodes },
            "sc" => |nodes| Node::SmallCaps { nodes },
            _ => return self.styled(x, out) || self.small(x, out),
        };
        self.anchor(x, out);
        let nodes = self.content(x);
        wrap(nodes, out, &make);
        true
    }

    fn styled(&mut self, x: X, out: &mut Vec<Node>) -> bool {
        let style = match name(x) {
            "roman" => "roman".to_owned(),
            "sans-serif" => "sans-serif".to_owned(),
            "named-content" => attr(x, "content-type").to_owned(),
            "taxon-name" => "taxon-name".to_owned(),
            "styled-content" => {
                let kind = [attr(x, "style-type"), attr(x, "style")].into_iter().find(|value| !value.is_empty());
                kind.unwrap_or_default().to_owned()
            }
            "foreign" => "foreign".to_owned(),
            _ => return false,
        };
        self.anchor(x, out);
        let (nodes, lang) = (self.content(x), own_lang(x));
        wrap(nodes, out, &|nodes| Node::Styled { style: style.clone(), lang: lang.clone(), nodes });
        true
    }

    /// Inline elements that are neither formatting nor links.
    fn small(&mut self, x: X, out: &mut Vec<Node>) -> bool {
        match name(x) {
            "break" => out.push(Node::Break),
            "hr" => out.push(Node::Rule),
            "target" => {
                self.anchor(x, out);
                let nodes = self.content(x);
                append(out, nodes);
            }
            "abbrev" => {
                let title = child_text(x, "def");
                let nodes = self.content_without(x, &["def"]);
                out.push(Node::Abbrev { title, nodes });
            }
            "ruby" => {
                let reading = children(x, "rt").map(text).collect();
                out.push(Node::Ruby { nodes: self.content_without(x, &["rt", "rp"]), reading });
            }
            "mixed-citation" | "element-citation" | "nlm-citation" | "citation" => {
                self.anchor(x, out);
                let citation = self.citation(x);
                append(out, citation.nodes);
            }
            "name" => self.characters(&super::people::person(x), out),
            "private-char" => self.characters(attr(x, "description"), out),
            "fn" => {
                let label = child_text(x, "label");
                let nodes = self.blocks(x, &["label"]);
                out.push(Node::InlineNote { id: id(x), label, nodes });
            }
            "inline-supplementary-material" | "inline-media" => {
                let href = href(x);
                self.asset(&href);
                let mime = mime(x);
                let nodes = self.content(x);
                out.push(Node::Media(Box::new(Media {
                    id: id(x),
                    href,
                    mime,
                    inline: true,
                    nodes,
                    ..Media::default()
                })));
            }
            _ => return false,
        }
        true
    }

    fn link(&mut self, x: X, out: &mut Vec<Node>) -> bool {
        match name(x) {
            "xref" => {
                self.anchor(x, out);
                let rids: Vec<String> = attr(x, "rid").split_whitespace().map(str::to_owned).collect();
                let ref_type = ref_type(typed(x, "ref-type"));
                let nodes = self.content(x);
                wrap(nodes, out, &|nodes| Node::Xref { ref_type: ref_type.clone(), rids: rids.clone(), nodes });
            }
            "ext-link" | "uri" | "self-uri" | "related-article" | "related-object" => {
                let kind = attr(x, "ext-link-type").to_owned();
                let nodes = self.content(x);
                let target = Some(href(x)).filter(|href| !href.is_empty()).unwrap_or_else(|| text(x));
                self.report_refused(&target);
                // A link without text would be invisible.
                let is_empty =
                    masthead_domain::content::text::plain(&nodes).is_empty() && !nodes.iter().any(is_picture);
                let nodes = if is_empty { vec![Node::text(target.clone())] } else { nodes };
                wrap(nodes, out, &|nodes| Node::ExtLink { href: target.clone(), kind: kind.clone(), nodes });
            }
            "pub-id" => {
                let value = text(x);
                let kind = attr(x, "pub-id-type").to_owned();
                let target = super::refs::pub_id_url(&kind, &value);
                if x.prev_sibling().is_some_and(|before| before.is_element()) {
                    out.push(Node::text(" "));
                }
                let nodes = self.content(x);
                if target.is_empty() {
                    append(out, nodes)
                } else {
                    out.push(Node::ExtLink { href: target, kind, nodes })
                }
            }
            "email" => {
                let target = format!(
                    "mailto:{}",
                    Some(href(x))
                        .filter(|href| !href.is_empty())
                        .unwrap_or_else(|| text(x))
                        .trim_start_matches("mailto:")
                );
                let nodes = self.content(x);
                wrap(nodes, out, &|nodes| Node::ExtLink { href: target.clone(), kind: "email".to_owned(), nodes });
            }
            _ => return false,
        }
        true
    }
}

impl Importer {
    /// Reports a link that pages show as text. The address of a DOI or of a database entry is not an address of the web itself, and
    /// names of files have no scheme.
    pub(super) fn report_refused(&mut self, target: &str) {
        let Some(scheme) = link::scheme(target) else { return };
        if link::destination(target).is_none() && !["doi", "info"].contains(&scheme.as_str()) {
            let shown: String = target.chars().take(80).collect();
            self.report.warn(format!("the link to {shown:?} becomes text: it is not an http, https or mailto address"));
        }
    }
}

fn is_picture(node: &Node) -> bool {
    matches!(node, Node::InlineGraphic(_) | Node::Graphic(_) | Node::InlineFormula(_))
}

/// The media type of an element, from `mimetype` and `mime-subtype`.
pub(super) fn mime(x: X) -> String {
    let (kind, sub) = (attr(x, "mimetype"), attr(x, "mime-subtype"));
    if sub.is_empty() || kind.contains('/') { kind.to_owned() } else { format!("{kind}/{sub}") }
}

/// The type of a cross-reference as the article page's script expects it.
fn ref_type(source: &str) -> String {
    match source {
        "ref" => "bibr",
        "chem-struct" | "scheme" => "chem",
        "table-wrap" => "table",
        "supplement-material" | "supplementary" => "supplementary-material",
        "appendix" => "app",
        other => other,
    }
    .to_owned()
}

/// Folds each run of white space to one space, at the ends too.
fn squeeze(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut space = false;
    for c in text.chars() {
        if matches!(c, ' ' | '\t' | '\n' | '\r') {
            if !space {
                out.push(' ');
            }
            space = true;
        } else {
            out.push(c);
            space = false;
        }
    }
    out
}

/// The child element with the heading.
pub(super) fn title_of<'a, 'i>(x: X<'a, 'i>) -> Option<X<'a, 'i>> {
    child(x, "title")
}
