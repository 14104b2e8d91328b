//! HTML of block nodes.

use masthead_domain::content::{Footnote, ListItem, Node};

use super::{
    OutlineEntry, Renderer, SectionKind,
    inline::latex_attr,
    links::{escape, quote},
};
use masthead_domain::content::text::plain;

impl Renderer<'_> {
    /// Block nodes; inline nodes between them become paragraphs.
    pub(super) fn flow(&mut self, nodes: &[Node], out: &mut String) {
        self.runs(nodes, "<p>", "</p>", out);
    }

    /// Content of a cell or list item: inline nodes without a paragraph if there is no block, else as [`Self::flow`].
    pub(super) fn flow_or_line(&mut self, nodes: &[Node], out: &mut String) {
        if nodes.iter().any(Node::is_block) { self.flow(nodes, out) } else { self.inline(nodes, out) }
    }

    fn runs(&mut self, nodes: &[Node], open: &str, close: &str, out: &mut String) {
        let mut rest = nodes;
        while let Some(first) = rest.first() {
            if first.is_block() {
                self.block(first, out);
                rest = &rest[1..];
                continue;
            }
            let length = rest.iter().take_while(|node| !node.is_block()).count();
            let (run, after) = rest.split_at(length);
            rest = after;
            if run.iter().all(|node| matches!(node, Node::Text { text } if text.trim().is_empty())) {
                continue;
            }
            if run.iter().all(|node| matches!(node, Node::Anchor { .. })) {
                self.inline(run, out);
                continue;
            }
            out.push_str(open);
            self.inline(run, out);
            out.push_str(close);
        }
    }

    /// A paragraph. Blocks in it divide it, because HTML allows no blocks within a paragraph.
    fn paragraph(&mut self, id: &str, lang: &str, nodes: &[Node], out: &mut String) {
        let attributes = format!("{}{}", self.id_attr(id), self.lang_attr(lang));
        let outer = (!lang.is_empty()).then(|| std::mem::replace(&mut self.lang, lang.to_owned()));
        if nodes.iter().any(Node::is_block) {
            out.push_str(&format!("<div class=\"p\" data-p=\"\"{attributes}>"));
            self.flow(nodes, out);
            out.push_str("</div>");
        } else {
            out.push_str(&format!("<p{attributes}>"));
            self.inline(nodes, out);
            out.push_str("</p>");
        }
        if let Some(outer) = outer {
            self.lang = outer;
        }
    }

    fn block(&mut self, node: &Node, out: &mut String) {
        match node {
            Node::Sec { id, kind, lang, nodes } => self.sec(id, kind, lang, nodes, out),
            Node::SecTitle { id, level, label, title } => {
                let id = self.id_attr(id);
                self.heading(*level, &id, label, title, out);
            }
            Node::P { id, lang, nodes } => self.paragraph(id, lang, nodes, out),
            Node::Fig(fig) => self.fig(fig, out),
            Node::FigGroup(group) => self.fig_group(group, out),
            Node::Table(table) => self.table(table, out),
            Node::DispFormula(formula) => {
                let id = self.id_attr(&formula.id);
                out.push_str(&format!("<div class=\"disp-formula\" data-formula=\"\"{id}{}>", latex_attr(formula)));
                out.push_str("<div class=\"formula-body\" tabindex=\"0\">");
                if formula.nodes.iter().any(Node::is_block) {
                    let mut alone = (**formula).clone();
                    let nodes = std::mem::take(&mut alone.nodes);
                    self.formula(&alone, true, out);
                    self.flow(&nodes, out);
                } else {
                    self.formula(formula, true, out);
                }
                out.push_str("</div>");
                self.label("formula-label", &formula.label, out);
                out.push_str("</div>");
            }
            Node::DispFormulaGroup { id, label, nodes } => {
                let id = self.id_attr(id);
                out.push_str(&format!("<div class=\"disp-formula-group\"{id}>"));
                self.flow(nodes, out);
                self.label("formula-label", label, out);
                out.push_str("</div>");
            }
            Node::Graphic(graphic) => {
                out.push_str("<figure class=\"graphic\">");
                self.picture(graphic, "fig-image", "", out);
                out.push_str("</figure>");
            }
            Node::Media(media) => self.media(media, "media", out),
            Node::Supplementary(media) => self.media(media, "media supplementary", out),
            Node::Rule => out.push_str("<hr>"),
            Node::RefList(list) => {
                if let Some(title) = &list.title {
                    self.heading(3, "", "", &title.nodes, out);
                }
                self.ref_list(list, out);
            }
            other => self.container(other, out),
        }
    }

    fn container(&mut self, node: &Node, out: &mut String) {
        match node {
            Node::List { id, style, start, title, items } => self.list(id, style, *start, title, items, out),
            Node::DefList { id, title, items } => self.def_list(id, title, items, out),
            Node::Quote { id, nodes, attrib } => {
                let id = self.id_attr(id);
                out.push_str(&format!("<blockquote{id}>"));
                self.flow(nodes, out);
                self.attrib(attrib, out);
                out.push_str("</blockquote>");
            }
            Node::Boxed { id, kind, label, title, nodes } => {
                let attributes = format!("{} data-kind=\"{}\"", self.id_attr(id), quote(kind));
                self.titled("aside", &format!(" class=\"boxed-text\"{attributes}"), label, title, nodes, out);
            }
            Node::Statement { id, label, title, nodes } => {
                let id = self.id_attr(id);
                self.titled("div", &format!(" class=\"statement\"{id}"), label, title, nodes, out);
            }
            Node::Code { id, language, nodes, .. } => {
                let id = self.id_attr(id);
                out.push_str(&format!("<pre{id} tabindex=\"0\"><code data-language=\"{}\">", quote(language)));
                self.inline(nodes, out);
                out.push_str("</code></pre>");
            }
            Node::Verse { id, title, lines, attrib } => self.verse(id, title, lines, attrib, out),
            Node::Speech { id, speaker, nodes } => {
                let id = self.id_attr(id);
                out.push_str(&format!("<div class=\"speech\"{id}><p class=\"speaker\"><b>"));
                self.inline(speaker, out);
                out.push_str("</b></p>");
                self.flow(nodes, out);
                out.push_str("</div>");
            }
            Node::Footnotes { title, items } => {
                self.minor_title(title, out);
                self.footnotes(items, out);
            }
            Node::Group { id, kind, nodes } => {
                let id = self.id_attr(id);
                out.push_str(&format!("<div class=\"group\" data-kind=\"{}\"{id}>", quote(kind)));
                self.flow(nodes, out);
                out.push_str("</div>");
            }
            _ => {}
        }
    }

    fn sec(&mut self, id: &str, kind: &str, lang: &str, nodes: &[Node], out: &mut String) {
        let id = if id.is_empty() {
            self.generated += 1;
            let fallback = format!("sec-{}", self.generated);
            self.claim("", &fallback)
        } else {
            self.claim(id, "sec")
        };
        let level = match nodes.first() {
            Some(Node::SecTitle { level, label, title, .. }) => {
                self.note_heading(&id, *level, label, title);
                *level
            }
            _ => 0,
        };
        let kind = if kind.is_empty() { String::new() } else { format!(" data-sec-type=\"{}\"", quote(kind)) };
        let lang_attr = self.lang_attr(lang);
        out.push_str(&format!("<section id=\"{}\" data-level=\"{level}\"{kind}{lang_attr}>", quote(&id)));
        let outer = (!lang.is_empty()).then(|| std::mem::replace(&mut self.lang, lang.to_owned()));
        self.flow(nodes, out);
        if let Some(outer) = outer {
            self.lang = outer;
        }
        out.push_str("</section>");
    }

    fn note_heading(&mut self, id: &str, level: u8, label: &str, title: &[Node]) {
        if matches!(self.kind, SectionKind::ExpertComment | SectionKind::SubArticle) {
            return;
        }
        let entry =
            OutlineEntry { id: id.to_owned(), level, label: label.to_owned(), title: plain(title), section: self.kind };
        self.outline.push(entry);
    }

    pub(super) fn heading(&mut self, level: u8, id: &str, label: &str, title: &[Node], out: &mut String) {
        let tag = level.max(1).saturating_add(1).saturating_add(self.offset).min(6);
        out.push_str(&format!("<h{tag} class=\"sec-title\" data-level=\"{level}\"{id}>"));
        if !label.is_empty() {
            out.push_str(&format!("<span class=\"sec-label\">{}</span> ", escape(label)));
        }
        self.inline(title, out);
        out.push_str(&format!("</h{tag}>"));
    }

    pub(super) fn label(&self, class: &str, label: &str, out: &mut String) {
        if !label.is_empty() {
            out.push_str(&format!("<span class=\"{class}\" data-label=\"\">{}</span>", escape(label)));
        }
    }

    fn titled(&mut self, tag: &str, attributes: &str, label: &str, title: &[Node], nodes: &[Node], out: &mut String) {
        out.push_str(&format!("<{tag}{attributes}>"));
        if !label.is_empty() || !title.is_empty() {
            out.push_str("<p class=\"box-title\">");
            self.label("box-label", label, out);
            if !label.is_empty() {
                out.push(' ');
            }
            self.inline(title, out);
            out.push_str("</p>");
        }
        self.flow(nodes, out);
        out.push_str(&format!("</{tag}>"));
    }

    pub(super) fn minor_title(&mut self, title: &[Node], out: &mut String) {
        if !title.is_empty() {
            out.push_str("<p class=\"minor-title\">");
            self.inline(title, out);
            out.push_str("</p>");
        }
    }

    fn attrib(&mut self, attrib: &[Node], out: &mut String) {
        if !attrib.is_empty() {
            out.push_str("<p class=\"attrib\">");
            self.inline(attrib, out);
            out.push_str("</p>");
        }
    }

    fn list(
        &mut self,
        id: &str,
        style: &str,
        start: Option<u32>,
        title: &[Node],
        items: &[ListItem],
        out: &mut String,
    ) {
        self.minor_title(title, out);
        let labelled = items.iter().any(|item| !item.label.is_empty());
        let (tag, kind) = match style {
            _ if labelled => ("ul", ""),
            "order" => ("ol", " type=\"1\""),
            "alpha-lower" => ("ol", " type=\"a\""),
            "alpha-upper" => ("ol", " type=\"A\""),
            "roman-lower" => ("ol", " type=\"i\""),
            "roman-upper" => ("ol", " type=\"I\""),
            _ => ("ul", ""),
        };
        let class = if labelled {
            "list labelled"
        } else if style == "simple" {
            "list simple"
        } else {
            "list"
        };
        let id = self.id_attr(id);
        let start = start.filter(|_| tag == "ol").map(|start| format!(" start=\"{start}\"")).unwrap_or_default();
        out.push_str(&format!("<{tag} class=\"{class}\"{kind}{start}{id}>"));
        for item in items {
            let id = self.id_attr(&item.id);
            out.push_str(&format!("<li class=\"item\"{id}>"));
            if !item.label.is_empty() {
                out.push_str(&format!("<span class=\"item-label\">{}</span> ", escape(&item.label)));
            }
            match item.nodes.as_slice() {
                [Node::P { id, lang, nodes }] if id.is_empty() && lang.is_empty() => self.flow_or_line(nodes, out),
                nodes => self.flow_or_line(nodes, out),
            }
            out.push_str("</li>");
        }
        out.push_str(&format!("</{tag}>"));
    }

    fn def_list(&mut self, id: &str, title: &[Node], items: &[masthead_domain::content::DefItem], out: &mut String) {
        self.minor_title(title, out);
        let id = self.id_attr(id);
        out.push_str(&format!("<dl class=\"def-list\"{id}>"));
        for item in items {
            let mut id = self.id_attr(&item.id);
            // HTML requires a definition list to begin with a term.
            if item.terms.is_empty() {
                out.push_str(&format!("<dt{id}></dt>"));
            }
            for term in &item.terms {
                out.push_str(&format!("<dt{}>", std::mem::take(&mut id)));
                self.inline(term, out);
                out.push_str("</dt>");
            }
            for def in &item.defs {
                out.push_str("<dd>");
                match def.as_slice() {
                    [Node::P { id, lang, nodes }] if id.is_empty() && lang.is_empty() => self.flow_or_line(nodes, out),
                    nodes => self.flow_or_line(nodes, out),
                }
                out.push_str("</dd>");
            }
        }
        out.push_str("</dl>");
    }

    fn verse(&mut self, id: &str, title: &[Node], lines: &[Vec<Node>], attrib: &[Node], out: &mut String) {
        let id = self.id_attr(id);
        out.push_str(&format!("<div class=\"verse\"{id}>"));
        self.minor_title(title, out);
        out.push_str("<p>");
        for (index, line) in lines.iter().enumerate() {
            if index > 0 {
                out.push_str("<br>");
            }
            self.inline(line, out);
        }
        out.push_str("</p>");
        self.attrib(attrib, out);
        out.push_str("</div>");
    }

    pub(super) fn footnotes(&mut self, items: &[Footnote], out: &mut String) {
        if items.is_empty() {
            return;
        }
        out.push_str("<ul class=\"footnotes\">");
        for note in items {
            let id = self.id_attr(&note.id);
            let mark = if note.label.is_empty() { "" } else { " labelled" };
            out.push_str(&format!("<li class=\"footnote{mark}\" data-footnote=\"\"{id}>"));
            if !note.label.is_empty() {
                out.push_str(&format!("<span class=\"fn-label\" data-mark=\"\">{}</span> ", escape(&note.label)));
            }
            match note.nodes.as_slice() {
                [Node::P { id, lang, nodes }] if id.is_empty() && lang.is_empty() => self.flow_or_line(nodes, out),
                nodes => self.flow_or_line(nodes, out),
            }
            out.push_str("</li>");
        }
        out.push_str("</ul>");
    }
}
