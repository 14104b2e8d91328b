//! What the exporter writes and no other source does: processing instructions `<?masthead key value?>` for what JATS has no
//! place for. They give no rights: every file may hold them, so that what they say passes the same checks as the rest.

use masthead_domain::{
    article::{Affiliation, ArticleMeta, LangText},
    content::{Abstract, ArticleBody, Citation, Formula, Graphics, Node, Part},
};

use super::{
    Importer, back,
    classify::{Place, by_type},
    people::affiliation_id,
    refs,
    xml::{X, XLINK, attr, child, child_text, children, elements, fold, id, lang, name, own_lang, path, text},
};
use masthead_domain::content::text::plain;

/// Target of the exporter's processing instructions.
pub(super) const TARGET: &str = crate::math::LENT.0;

/// Name of the custom metadata that holds the identity of an article without any identifier.
pub(super) const SOURCE_KEY: &str = "masthead-source-key";
/// Name of the custom metadata for [`ArticleMeta::first_status`].
pub(super) const FIRST_STATUS: &str = "masthead-first-status";
/// Name of the custom metadata for [`ArticleMeta::open_access`].
pub(super) const OPEN_ACCESS: &str = "masthead-open-access";
/// Name of the custom metadata for [`ArticleBody::offline`].
pub(super) const OFFLINE: &str = "masthead-offline";

/// What the exporter noted at this element under this key.
pub(super) fn note(x: X, key: &str) -> Option<String> {
    x.children().filter_map(|node| node.pi()).filter(|pi| pi.target == TARGET).find_map(|pi| {
        let content = pi.value.unwrap_or_default();
        let (name, value) = content.split_once(' ').unwrap_or((content, ""));
        (name == key).then(|| html_escape::decode_html_entities(value).into_owned())
    })
}

/// Whether the exporter wrote this article.
pub(super) fn is_own(article: X) -> bool {
    note(article, "exact").is_some()
}

/// What stands here between texts: the beginning of another text, or a break or rule where JATS has none.
pub(super) fn mark(node: X) -> Option<Node> {
    match node.pi().filter(|pi| pi.target == TARGET)?.value? {
        "text" => Some(Node::text("")),
        "break" => Some(Node::Break),
        "rule" => Some(Node::Rule),
        _ => None,
    }
}

/// The ids that a cross-reference points to; those that are nowhere in the file are noted.
pub(super) fn rids(x: X) -> String {
    note(x, "rid").unwrap_or_else(|| attr(x, "rid").to_owned())
}

/// The level of a section that stands deeper or higher than where it is written.
pub(super) fn level(x: X) -> Option<u8> {
    note(x, "level")?.parse().ok()
}

/// The address of a link, character by character.
pub(super) fn href(x: X) -> String {
    x.attribute((XLINK, "href")).unwrap_or_default().to_owned()
}

/// The fields that this file of a picture fills.
pub(super) fn roles(file: X, address: &str, graphics: &mut Graphics) {
    let roles = attr(file, "specific-use");
    for role in if roles.is_empty() { "big" } else { roles }.split_whitespace() {
        match role {
            "small" => address.clone_into(&mut graphics.small),
            "print" => address.clone_into(&mut graphics.print),
            _ => address.clone_into(&mut graphics.big),
        }
    }
    for (field, key) in [(&mut graphics.width, "width"), (&mut graphics.height, "height")] {
        if let Some(size) = note(file, key) {
            *field = size;
        }
    }
}

/// The identity of an article without identifiers, and what the site knows about it.
pub(super) fn states(x: X, own: bool, meta: &mut ArticleMeta, body: &mut ArticleBody) {
    let custom = path(x, &["front", "article-meta", "custom-meta-group"]);
    for (key, value) in custom
        .into_iter()
        .flat_map(elements)
        .map(|custom| (child_text(custom, "meta-name"), child_text(custom, "meta-value")))
    {
        match key.as_str() {
            // Only a digest, and only where nothing else identifies the article: a file cannot pass for one that has a DOI.
            SOURCE_KEY if meta.source_key.is_empty() && is_digest(&value) => meta.source_key = value,
            FIRST_STATUS if own => meta.first_status = value.parse().unwrap_or_default(),
            OPEN_ACCESS if own => meta.open_access = value != "false",
            OFFLINE if own => body.offline = value == "true",
            _ => {}
        }
    }
}

fn is_digest(key: &str) -> bool {
    key.strip_prefix("sha256:")
        .is_some_and(|digest| digest.len() == 64 && digest.bytes().all(|c| matches!(c, b'0'..=b'9' | b'a'..=b'f')))
}

/// An abstract goes where the exporter found it.
pub(super) fn place_abstract(x: X, lang: String, title: Option<LangText>, nodes: Vec<Node>, body: &mut ArticleBody) {
    let kind = attr(x, "abstract-type");
    let place = note(x, "place").unwrap_or_else(|| abstract_place(kind).to_owned());
    match place.as_str() {
        "highlights" => body.highlights.push(Part { id: id(x), lang, label: child_text(x, "label"), title, nodes }),
        "graphic" => body.abstract_graphic.push(Abstract { lang, kind: kind.to_owned(), title, nodes }),
        _ => body.abstracts.push(Abstract { lang, kind: kind.to_owned(), title, nodes }),
    }
}

/// Where an abstract of this kind belongs.
pub(super) fn abstract_place(kind: &str) -> &'static str {
    let lower = kind.to_ascii_lowercase();
    if lower.contains("highlight") {
        "highlights"
    } else if lower.contains("graphical") || lower.contains("visual") {
        "graphic"
    } else {
        "abstract"
    }
}

pub(super) fn affiliations(front: X) -> Vec<Affiliation> {
    elements(front)
        .flat_map(|x| match name(x) {
            "aff" => vec![x],
            "aff-alternatives" => elements(x).collect(),
            _ => Vec::new(),
        })
        .map(affiliation)
        .collect()
}

fn affiliation(x: X) -> Affiliation {
    let apart = |node: X| matches!(name(node), "label" | "institution-id") || note(node, "apart").is_some();
    let words: String = x
        .descendants()
        .filter(|node| node.is_text() && !node.ancestors().take_while(|up| *up != x).any(apart))
        .filter_map(|node| node.text())
        .collect();
    let find = |wanted: &str| x.descendants().find(|node| name(*node) == wanted).map(text).unwrap_or_default();
    Affiliation {
        id: affiliation_id(x),
        label: child_text(x, "label"),
        lang: own_lang(x),
        text: fold(&words),
        country: find("country"),
        institution_id: find("institution-id"),
    }
}

impl Importer {
    /// Blocks; white space between them is layout.
    pub(super) fn own_blocks(&mut self, x: X, skip: &[&str]) -> Vec<Node> {
        let mut out = Vec::new();
        let line = matches!(name(x), "attrib" | "sig");
        for node in x.children() {
            let layout = !line && node.is_text() && node.text().is_none_or(|text| text.trim().is_empty());
            let skipped = node.is_element() && skip.contains(&name(node));
            if !layout && !skipped {
                self.push(node, &mut out);
            }
        }
        out
    }

    pub(super) fn own_paragraph(&mut self, x: X, out: &mut Vec<Node>) {
        // Only there because JATS wants a paragraph around a line.
        let bare = note(x, "bare").is_some();
        self.depth -= u16::from(bare);
        let nodes = self.content(x);
        self.depth += u16::from(bare);
        if bare {
            out.extend(nodes);
        } else if let Some(level) = note(x, "heading") {
            let label = note(x, "label").unwrap_or_default();
            out.push(Node::SecTitle { id: id(x), level: level.parse().unwrap_or(1), label, title: nodes });
        } else {
            out.push(Node::P { id: id(x), lang: own_lang(x), nodes });
        }
    }

    /// A node that JATS does not allow where it stands; whether this is one.
    pub(super) fn own_phrase(&mut self, x: X, out: &mut Vec<Node>) -> bool {
        if note(x, "anchor").is_some() {
            out.push(Node::Anchor { id: id(x) });
        } else if note(x, "paragraph").is_some() {
            self.own_paragraph(x, out);
        } else if let Some(href) = note(x, "link") {
            let kind = note(x, "kind").unwrap_or_default();
            let nodes = self.content(x);
            out.push(Node::ExtLink { href, kind, nodes });
        } else {
            return false;
        }
        true
    }

    /// The notations stand in one place, and whatever else there is around it.
    pub(super) fn own_formula(&mut self, x: X, display: bool, mut formula: Formula) -> Formula {
        let holder = children(x, "alternatives").find(|one| note(*one, "formula").is_some());
        let mut files = Vec::new();
        for part in elements(holder.unwrap_or(x)) {
            match name(part) {
                "math" | "tex-math" => self.notation(part, display, &mut formula),
                "graphic" | "inline-graphic" if holder.is_some() => files.push(part),
                _ => {}
            }
        }
        if !files.is_empty() {
            formula.graphics.push(self.graphics(&files));
        }
        for node in x.children() {
            let taken = holder == Some(node) || matches!(name(node), "math" | "tex-math" | "label" | "alt-text");
            if !taken {
                self.push(node, &mut formula.nodes);
            }
        }
        formula
    }

    /// A citation as written, and its data beside it.
    pub(super) fn own_citation(&mut self, x: X) -> Citation {
        let mixed = child(x, "mixed-citation").unwrap_or(x);
        let mut citation = Citation {
            id: id(mixed),
            lang: lang(mixed),
            kind: attr(mixed, "publication-type").to_owned(),
            nodes: self.content(mixed),
            ..Citation::default()
        };
        if let Some(data) = child(x, "element-citation") {
            refs::identify(data, &mut citation);
        }
        citation.plain = plain(&citation.nodes);
        citation
    }

    pub(super) fn own_back(&mut self, x: X, body: &mut ArticleBody) {
        for part in elements(x) {
            match name(part) {
                "app-group" => {
                    for app in children(part, "app") {
                        let made = self.part(app);
                        body.appendix.push(made);
                    }
                }
                "ref-list" => {
                    let list = self.ref_list(part);
                    body.reference_lists.push(list);
                }
                "fn-group" => self.own_notes(part, body),
                kind => {
                    let made = self.part(part);
                    let place = match kind {
                        "ack" => Some(Place::Acknowledgements),
                        "glossary" => Some(Place::Glossary),
                        _ => by_type(attr(part, "sec-type")),
                    };
                    match place {
                        Some(place) => back::add(body, place, made),
                        None => body.notes.push(made),
                    }
                }
            }
        }
    }

    /// The article's footnotes, or a statement that the source made in notes.
    fn own_notes(&mut self, x: X, body: &mut ArticleBody) {
        let Some(place) = by_type(attr(x, "content-type")) else {
            for note in children(x, "fn") {
                let made = self.footnote(note);
                body.footnotes.push(made);
            }
            return;
        };
        let part = Part {
            id: id(x),
            lang: own_lang(x),
            label: child_text(x, "label"),
            title: self.heading(x),
            nodes: children(x, "fn").map(|note| self.note_group(note)).collect(),
        };
        back::add(body, place, part);
    }
}
