//! Export of content nodes.

use masthead_domain::content::{Footnote, ListItem, Node};

use super::Export;

/// Groups that have an element in JATS which the importer supports.
const GROUPS: &[&str] = &["attrib", "sig-block", "sig", "question-wrap", "question", "answer"];

/// Elements in which JATS allows a line break.
const BROKEN: &[&str] = &["td", "th", "title", "article-title", "subtitle", "trans-title", "trans-subtitle"];

impl Export<'_> {
    /// Nodes where JATS allows blocks only: runs of inline nodes become paragraphs.
    pub(super) fn blocks(&mut self, nodes: &[Node]) {
        self.blocks_but(nodes, &|_| false);
    }

    /// As [`Self::blocks`]; blocks for which `also` is true, as they would mean something else here, are wrapped in a paragraph
    /// too.
    pub(super) fn blocks_but(&mut self, nodes: &[Node], also: &dyn Fn(&Node) -> bool) {
        let line = |node: &Node| !node.is_block() || matches!(node, Node::Rule) || also(node);
        // JATS requires sections behind other blocks, and notes and references behind sections.
        let section = |node: &Node| matches!(node, Node::Sec { .. });
        let tail_kind = |node: &Node| matches!(node, Node::Footnotes { .. } | Node::RefList(_));
        let end = nodes.iter().rposition(|node| !tail_kind(node)).map_or(0, |at| at + 1);
        let end = if self.container == "body" { nodes.len() } else { end };
        let sections = nodes.iter().take(end).position(|node| section(node) || tail_kind(node));
        let (before, behind) = nodes.split_at(sections.unwrap_or(end));
        let (between, tail) = behind.split_at(end - before.len());
        self.runs(before, &line);
        let together = |a: &Node, b: &Node| !section(a) && !section(b) && (tail_kind(b) || !tail_kind(a));
        for run in between.chunk_by(together) {
            match run {
                [Node::Sec { .. }] => self.runs(run, &line),
                run => self.element("sec", &[], |this| {
                    this.empty("title", &[]);
                    this.blocks_but(run, also);
                }),
            }
        }
        self.runs(tail, &line);
    }

    fn runs(&mut self, nodes: &[Node], line: &dyn Fn(&Node) -> bool) {
        for run in nodes.chunk_by(|a, b| line(a) && line(b)) {
            self.out.line();
            match run {
                [node] if !line(node) => self.node(node),
                run => self.element("p", &[], |this| {
                    this.inline(run);
                }),
            }
        }
    }

    /// Inline nodes.
    pub(super) fn inline(&mut self, nodes: &[Node]) {
        nodes.iter().for_each(|node| self.node(node));
    }

    pub(super) fn node(&mut self, node: &Node) {
        match node {
            Node::Fig(fig) => self.fig(fig),
            Node::FigGroup(group) => self.fig_group(group),
            Node::Table(table) => self.table(table),
            Node::DispFormula(formula) => self.disp_formula(formula),
            Node::InlineFormula(formula) => self.inline_formula(formula),
            Node::InlineGraphic(graphics) => self.picture("inline-graphic", graphics),
            Node::Graphic(graphics) => self.picture("graphic", graphics),
            Node::Media(media) if media.inline => self.media("inline-supplementary-material", media),
            Node::Media(media) => self.media("media", media),
            Node::Supplementary(media) => self.media("supplementary-material", media),
            Node::RefList(list) => self.ref_list(list),
            node if node.is_block() => self.block(node),
            node => self.phrase(node),
        }
    }

    fn phrase(&mut self, node: &Node) {
        match node {
            Node::Text { text } => self.out.characters(text),
            Node::Sub { nodes } => self.simple("sub", nodes),
            Node::Sup { nodes } => self.simple("sup", nodes),
            Node::Bold { nodes } => self.simple("bold", nodes),
            Node::Italic { nodes } => self.simple("italic", nodes),
            Node::Strike { nodes } => self.simple("strike", nodes),
            Node::Overline { nodes } => self.simple("overline", nodes),
            Node::Underline { nodes } => self.simple("underline", nodes),
            Node::Monospace { nodes } => self.simple("monospace", nodes),
            Node::SmallCaps { nodes } => self.simple("sc", nodes),
            Node::Styled { style, lang, nodes } => self.styled(style, lang, nodes),
            Node::Abbrev { title, nodes } => self.element("abbrev", &[], |this| {
                this.inline(nodes);
                if !title.is_empty() {
                    this.element("def", &[], |this| this.leaf("p", &[], title));
                }
            }),
            Node::Ruby { nodes, reading } => self.element("ruby", &[], |this| {
                this.simple("rb", nodes);
                this.leaf("rt", &[], reading);
            }),
            Node::ExtLink { href, kind, nodes } => self.link(href, kind, nodes),
            Node::Xref { ref_type, rids, nodes } => {
                self.cross_reference(ref_type, rids, |this| this.inline(nodes));
            }
            Node::InlineNote { id, label, nodes } => self.element("fn", &[("id", id)], |this| {
                this.label(label);
                this.blocks(nodes);
            }),
            Node::Anchor { id } if matches!(self.container, "mixed-citation" | "corresp") => {
                self.element("named-content", &[("content-type", "anchor"), ("id", id)], |_| {});
            }
            Node::Anchor { id } => self.element("target", &[("id", id)], |_| {}),
            Node::Break if BROKEN.contains(&self.container) => self.empty("break", &[]),
            Node::Break => self.out.characters(" "),
            Node::Code { id, language, nodes, .. } => {
                self.element("code", &[("id", id), ("language", language)], |this| this.inline(nodes));
            }
            _ => {}
        }
    }

    fn simple(&mut self, name: &'static str, nodes: &[Node]) {
        self.element(name, &[], |this| this.inline(nodes));
    }

    fn label(&mut self, label: &str) {
        if !label.is_empty() {
            self.leaf("label", &[], label);
        }
    }

    fn title_line(&mut self, title: &[Node]) {
        if !title.is_empty() {
            self.simple("title", title);
        }
    }

    fn styled(&mut self, style: &str, lang: &str, nodes: &[Node]) {
        match style {
            "roman" if lang.is_empty() => self.simple("roman", nodes),
            "sans-serif" if lang.is_empty() => self.simple("sans-serif", nodes),
            "" => self.element("styled-content", &[("xml:lang", lang)], |this| this.inline(nodes)),
            style => {
                let attributes = [("content-type", style), ("xml:lang", lang)];
                self.element("named-content", &attributes, |this| this.inline(nodes));
            }
        }
    }

    fn link(&mut self, href: &str, kind: &str, nodes: &[Node]) {
        if let ("email", [Node::Text { text }]) = (kind, nodes)
            && href.strip_prefix("mailto:") == Some(text)
            && text.split_ascii_whitespace().collect::<Vec<_>>().join(" ") == *text
        {
            return self.leaf("email", &[], text);
        }
        if nodes.iter().any(|node| matches!(node, Node::ExtLink { .. } | Node::Xref { .. })) {
            return self.element("named-content", &[("content-type", "link")], |this| this.inline(nodes));
        }
        self.element("ext-link", &[("ext-link-type", kind), ("xlink:href", href)], |this| this.inline(nodes));
    }

    fn block(&mut self, node: &Node) {
        match node {
            Node::Sec { id, kind, lang, nodes } => self.section(id, kind, lang, nodes),
            // JATS has headings in sections only.
            Node::SecTitle { id, label, title, .. } => self.element("p", &[("id", id)], |this| {
                this.element("bold", &[], |this| {
                    if !label.is_empty() {
                        this.out.characters(&format!("{label} "));
                    }
                    this.inline(title);
                });
            }),
            Node::P { id, lang, nodes } if self.container == "mixed-citation" => {
                let attributes = [("content-type", "paragraph"), ("id", id.as_str()), ("xml:lang", lang)];
                self.element("named-content", &attributes, |this| this.inline(nodes));
            }
            Node::P { id, lang, nodes } => {
                self.element("p", &[("id", id), ("xml:lang", lang)], |this| this.inline(nodes));
            }
            Node::Rule if matches!(self.container, "td" | "th") => self.empty("hr", &[]),
            // JATS has rules in table cells only.
            Node::Rule => {}
            Node::DispFormulaGroup { id, label, nodes } => {
                self.element("disp-formula-group", &[("id", id)], |this| {
                    this.label(label);
                    this.blocks(nodes);
                });
            }
            Node::List { id, style, title, items, .. } => {
                self.element("list", &[("id", id), ("list-type", style)], |this| {
                    this.title_line(title);
                    items.iter().for_each(|item| this.list_item(item));
                });
            }
            Node::DefList { id, title, items } => self.element("def-list", &[("id", id)], |this| {
                this.title_line(title);
                for item in items {
                    this.out.line();
                    this.element("def-item", &[("id", &item.id)], |this| {
                        item.terms.iter().for_each(|term| this.simple("term", term));
                        for def in &item.defs {
                            this.element("def", &[], |this| this.blocks(def));
                        }
                    });
                }
            }),
            node => self.display(node),
        }
    }

    fn display(&mut self, node: &Node) {
        match node {
            Node::Quote { id, nodes, attrib } => self.element("disp-quote", &[("id", id)], |this| {
                this.blocks(nodes);
                this.attrib(attrib);
            }),
            Node::Boxed { id, kind, label, title, nodes } => {
                self.element("boxed-text", &[("id", id), ("content-type", kind)], |this| {
                    this.label(label);
                    if !title.is_empty() {
                        this.element("caption", &[], |this| this.simple("title", title));
                    }
                    this.blocks(nodes);
                });
            }
            Node::Code { id, language, nodes, .. } if language.is_empty() => {
                self.element("preformat", &[("id", id)], |this| this.inline(nodes));
            }
            Node::Code { id, language, nodes, .. } => {
                self.element("code", &[("id", id), ("language", language)], |this| {
                    this.inline(nodes);
                });
            }
            Node::Verse { id, title, lines, attrib } => self.element("verse-group", &[("id", id)], |this| {
                this.title_line(title);
                lines.iter().for_each(|line| this.simple("verse-line", line));
                this.attrib(attrib);
            }),
            Node::Speech { id, speaker, nodes } => self.element("speech", &[("id", id)], |this| {
                this.simple("speaker", speaker);
                this.blocks(nodes);
            }),
            Node::Statement { id, label, title, nodes } => self.element("statement", &[("id", id)], |this| {
                this.label(label);
                this.title_line(title);
                this.blocks(nodes);
            }),
            Node::Footnotes { title, items } => self.notes_group(title, items),
            // An `attrib` element directly in a quotation would be the quotation's attribution.
            Node::Group { id, kind, nodes } => match GROUPS
                .iter()
                .find(|known| *known == kind && !(kind == "attrib" && self.container == "disp-quote"))
            {
                Some(name) => self.element(name, &[("id", id)], |this| match *name {
                    "attrib" | "sig" => this.inline(nodes),
                    _ => this.blocks(nodes),
                }),
                None => self.element("boxed-text", &[("id", id), ("content-type", kind)], |this| this.blocks(nodes)),
            },
            _ => {}
        }
    }

    fn notes_group(&mut self, title: &[Node], items: &[Footnote]) {
        self.element("fn-group", &[], |this| {
            this.title_line(title);
            this.footnotes(items);
        });
    }

    fn list_item(&mut self, item: &ListItem) {
        self.out.line();
        self.element("list-item", &[("id", &item.id)], |this| {
            this.label(&item.label);
            this.blocks(&item.nodes);
        });
    }

    /// Attributions of a quotation or poem, one element a line.
    fn attrib(&mut self, nodes: &[Node]) {
        if nodes.is_empty() {
            return;
        }
        for line in nodes.split(|node| matches!(node, Node::Break)) {
            self.simple("attrib", line);
        }
    }

    fn section(&mut self, id: &str, kind: &str, lang: &str, nodes: &[Node]) {
        self.element("sec", &[("id", id), ("sec-type", kind), ("xml:lang", lang)], |this| {
            let rest = match nodes {
                [Node::SecTitle { id, label, title, .. }, rest @ ..] if !label.is_empty() || !title.is_empty() => {
                    this.label(label);
                    if !title.is_empty() || !id.is_empty() {
                        this.element("title", &[("id", id)], |this| this.inline(title));
                    }
                    rest
                }
                rest => {
                    this.empty("title", &[]);
                    rest
                }
            };
            this.blocks(rest);
        });
    }
}
