//! Import of block elements: sections, lists, quotations, boxes.

use masthead_domain::content::{DefItem, ListItem, Node};

use super::{
    Importer,
    inline::title_of,
    nodes::{blank, trim},
    xml::{X, attr, child, child_text, children, elements, id, name, own_lang, text},
};

impl Importer {
    /// Content of an element that contains blocks, without the children with the names in `skip` and without white space
    /// between blocks.
    pub(super) fn blocks(&mut self, x: X, skip: &[&str]) -> Vec<Node> {
        let mut nodes = self.content_without(x, skip);
        nodes.retain(|node| !matches!(node, Node::Text { text } if text.trim().is_empty()));
        nodes
    }

    pub(super) fn block(&mut self, x: X, out: &mut Vec<Node>) -> bool {
        match name(x) {
            "p" | "nomenclature-citation" => {
                let mut nodes = self.content(x);
                trim(&mut nodes);
                // Lists of abbreviations written as paragraphs: the meaning is shown as text, because the page shows no titles
                // of lone abbreviations.
                if let [Node::Abbrev { title, nodes: short }] = nodes.as_mut_slice()
                    && !title.is_empty()
                {
                    nodes = vec![Node::Bold { nodes: std::mem::take(short) }, Node::text(format!(": {title}"))];
                }
                let nodes = super::mixed_citation::with_superscript_numbers(nodes);
                if !nodes.is_empty() || !attr(x, "id").is_empty() {
                    out.push(Node::P { id: id(x), lang: self.foreign(x), nodes });
                }
            }
            "sec" | "taxon-treatment" | "treatment-sec" | "nomenclature" | "app" | "ack" | "notes" | "glossary"
            | "bio" | "explanation" => self.section(x, out),
            "title" | "subtitle" if parent_is_block(x) => out.push(Node::SecTitle {
                id: id(x),
                level: self.level.max(1),
                label: String::new(),
                title: self.line(x),
            }),
            "label" => out.push(Node::Bold { nodes: self.line(x) }),
            "list" => self.list(x, out),
            "def-list" => self.def_list(x, out),
            "disp-quote" => {
                let attrib = self.attrib(x);
                out.push(Node::Quote { id: id(x), nodes: self.blocks(x, &["attrib"]), attrib });
            }
            "boxed-text" => self.boxed(x, out),
            "code" | "preformat" => self.code(x, out),
            "verse-group" => self.verse(x, out),
            "speech" => {
                let speaker = child(x, "speaker").map(|x| self.line(x)).unwrap_or_default();
                out.push(Node::Speech { id: id(x), speaker, nodes: self.blocks(x, &["speaker"]) });
            }
            "statement" => {
                let title = self.title(x);
                let nodes = self.blocks(x, &["label", "title"]);
                out.push(Node::Statement { id: id(x), label: child_text(x, "label"), title, nodes });
            }
            "fn-group" | "floats-wrap" => {
                let title = self.title(x);
                let items = children(x, "fn").map(|note| self.footnote(note)).collect();
                out.push(Node::Footnotes { title, items });
                let rest = self.blocks(x, &["fn", "title"]);
                out.extend(rest);
            }
            "ref-list" => out.push(Node::RefList(Box::new(self.ref_list(x)))),
            "attrib"
            | "sig-block"
            | "sig"
            | "floats-group"
            | "app-group"
            | "nomenclature-citation-list"
            | "question-wrap"
            | "question"
            | "answer" => {
                let nodes = self.blocks(x, &[]);
                out.push(Node::Group { id: id(x), kind: name(x).to_owned(), nodes });
            }
            _ => return false,
        }
        true
    }

    /// A section, one level deeper than the current one.
    pub(super) fn section(&mut self, x: X, out: &mut Vec<Node>) {
        let outer = self.level;
        self.level = outer.saturating_add(1);
        let title = self.title(x);
        let label = child_text(x, "label");
        let mut nodes = Vec::new();
        if !title.is_empty() || !label.is_empty() {
            let title_id = title_of(x).map(id).unwrap_or_default();
            nodes.push(Node::SecTitle { id: title_id, level: self.level, label, title });
        }
        nodes.extend(self.blocks(x, &["title", "label"]));
        self.level = outer;
        out.push(Node::Sec { id: id(x), kind: attr(x, "sec-type").to_owned(), lang: self.foreign(x), nodes });
    }

    /// The element's own language if it differs from the article's, else "".
    pub(super) fn foreign(&self, x: X) -> String {
        let own = own_lang(x);
        if own == self.lang { String::new() } else { own }
    }

    pub(super) fn title(&mut self, x: X) -> Vec<Node> {
        title_of(x).map(|title| self.line(title)).unwrap_or_default()
    }

    fn attrib(&mut self, x: X) -> Vec<Node> {
        let mut nodes = Vec::new();
        for attrib in children(x, "attrib") {
            if !nodes.is_empty() {
                nodes.push(Node::Break);
            }
            nodes.extend(self.line(attrib));
        }
        nodes
    }

    /// The label and heading of a list in one line.
    fn labelled_title(&mut self, x: X) -> Vec<Node> {
        let mut line = child(x, "label").map(|label| self.line(label)).unwrap_or_default();
        let title = self.title(x);
        if !line.is_empty() && !title.is_empty() {
            line.push(Node::text(" "));
        }
        line.extend(title);
        line
    }

    fn list(&mut self, x: X, out: &mut Vec<Node>) {
        let title = self.labelled_title(x);
        let style = match attr(x, "list-type") {
            "ordered" | "number" | "numbered" | "order" => "order",
            "alpha-lower" | "lower-alpha" => "alpha-lower",
            "alpha-upper" | "upper-alpha" => "alpha-upper",
            "roman-lower" | "lower-roman" => "roman-lower",
            "roman-upper" | "upper-roman" => "roman-upper",
            "simple" | "none" | "unstyled" => "simple",
            "bullet" | "unordered" => "bullet",
            // In JATS, a list without a type has bullets, unless its items have labels.
            _ if elements(x).any(|item| child(item, "label").is_some()) => "simple",
            _ => "bullet",
        };
        let mut items = Vec::new();
        for item in children(x, "list-item") {
            let label = child_text(item, "label");
            let item_title = self.title(item);
            let mut nodes = if item_title.is_empty() { Vec::new() } else { vec![Node::Bold { nodes: item_title }] };
            // Items add a level to the stored form.
            self.depth += 1;
            nodes.extend(self.blocks(item, &["label", "title"]));
            self.depth -= 1;
            items.push(ListItem { id: id(item), label, nodes });
        }
        let rest = self.blocks(x, &["list-item", "title", "label"]);
        // A list may continue the numbering of another one.
        let continued = self.lists.get(attr(x, "continued-from")).copied();
        let start = attr(x, "start").parse().ok().or(continued);
        let next = start.unwrap_or(1).saturating_add(u32::try_from(items.len()).unwrap_or(u32::MAX));
        if !id(x).is_empty() {
            self.lists.insert(id(x), next);
        }
        out.push(Node::List { id: id(x), style: style.to_owned(), start, title, items });
        out.extend(rest);
    }

    pub(super) fn def_list(&mut self, x: X, out: &mut Vec<Node>) {
        let title = self.labelled_title(x);
        let mut heads = Vec::new();
        for head in elements(x).filter(|head| matches!(name(*head), "term-head" | "def-head")) {
            heads.push(self.line(head));
        }
        let mut items = Vec::new();
        if let [term, def @ ..] = heads.as_slice() {
            items.push(DefItem {
                id: String::new(),
                terms: vec![vec![Node::Bold { nodes: term.clone() }]],
                defs: def.iter().map(|head| vec![Node::Bold { nodes: head.clone() }]).collect(),
            });
        }
        let mut extra = Vec::new();
        for item in elements(x) {
            match name(item) {
                "def-item" => items.push(self.def_item(item)),
                "def-list" => self.def_list(item, &mut extra),
                "title" | "label" | "term-head" | "def-head" => {}
                _ => self.element(item, &mut extra),
            }
        }
        out.push(Node::DefList { id: id(x), title, items });
        out.extend(extra);
    }

    fn def_item(&mut self, x: X) -> DefItem {
        let mut item = DefItem { id: id(x), ..DefItem::default() };
        for part in elements(x) {
            match name(part) {
                "term" => item.terms.push(self.line(part)),
                "def" => {
                    self.depth += 2;
                    item.defs.push(self.blocks(part, &[]));
                    self.depth -= 2;
                }
                _ => {
                    let mut nodes = Vec::new();
                    self.element(part, &mut nodes);
                    item.defs.push(nodes);
                }
            }
        }
        item
    }

    fn boxed(&mut self, x: X, out: &mut Vec<Node>) {
        let caption = child(x, "caption");
        let mut title = self.title(x);
        let mut nodes = Vec::new();
        if let Some(caption) = caption {
            if title.is_empty() {
                title = self.title(caption);
            } else if let Some(second) = title_of(caption) {
                nodes.push(Node::P { id: String::new(), lang: String::new(), nodes: self.line(second) });
            }
            nodes.extend(self.blocks(caption, &["title"]));
        }
        nodes.extend(self.blocks(x, &["label", "title", "caption"]));
        out.push(Node::Boxed {
            id: id(x),
            kind: attr(x, "content-type").to_owned(),
            label: child_text(x, "label"),
            title,
            nodes,
        });
    }

    fn code(&mut self, x: X, out: &mut Vec<Node>) {
        let was = std::mem::replace(&mut self.verbatim, true);
        let nodes = self.content(x);
        self.verbatim = was;
        let inline = name(x) == "code"
            && !text(x).contains('\n')
            && x.parent().is_some_and(|up| name(up) != "sec" && name(up) != "body");
        out.push(Node::Code { id: id(x), language: attr(x, "language").to_owned(), inline, nodes });
    }

    fn verse(&mut self, x: X, out: &mut Vec<Node>) {
        let title = self.title(x);
        let mut lines = Vec::new();
        let mut extra = Vec::new();
        for part in elements(x) {
            match name(part) {
                "verse-line" => lines.push(self.line(part)),
                "verse-group" => self.verse(part, &mut extra),
                "title" | "attrib" => {}
                _ => self.element(part, &mut extra),
            }
        }
        let attrib = self.attrib(x);
        out.push(Node::Verse { id: id(x), title, lines, attrib });
        out.extend(extra.into_iter().filter(|node| !blank(std::slice::from_ref(node))));
    }
}

/// Whether a title outside its usual place is a heading; within inline content (the title of a citation) it is text.
fn parent_is_block(x: X) -> bool {
    x.parent().is_some_and(|up| {
        !matches!(name(up), "mixed-citation" | "element-citation" | "nlm-citation" | "citation" | "p" | "product")
    })
}
