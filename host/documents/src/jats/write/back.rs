//! Export of the parts of an article other than its metadata.

use masthead_domain::content::{Abstract, ArticleBody, Footnote, Node, Part};

use super::{Export, NOTE_TYPES, typed};

impl Export<'_> {
    /// Abstracts of all kinds, which belong to the front matter.
    pub(super) fn abstracts(&mut self, body: &ArticleBody) {
        let part = |one: &Abstract| Part {
            lang: one.lang.clone(),
            title: one.title.clone(),
            nodes: one.nodes.clone(),
            ..Part::default()
        };
        let mut all: Vec<(Part, &str, &str)> = Vec::new();
        all.extend(body.abstracts.iter().map(|one| (part(one), one.kind.as_str(), "abstract")));
        all.extend(body.abstract_graphic.iter().map(|one| (part(one), one.kind.as_str(), "graphic")));
        all.extend(body.highlights.iter().map(|one| (one.clone(), "highlights", "highlights")));
        // Translations follow the others if that keeps the order of each kind.
        let foreign = |one: &(Part, &str, &str)| one.0.lang != self.language;
        let sorted =
            all.is_sorted_by_key(foreign) || all.chunk_by(|a, b| a.2 == b.2).all(|kind| kind.is_sorted_by_key(foreign));
        if sorted {
            all.sort_by_key(foreign);
        }
        for (part, kind, _) in &all {
            let name = if sorted && part.lang != self.language { "trans-abstract" } else { "abstract" };
            self.abstract_part(name, part, kind);
        }
    }

    fn abstract_part(&mut self, name: &'static str, part: &Part, kind: &str) {
        let lang = self.assumed(&part.lang);
        self.element(name, &[("abstract-type", kind), ("id", &part.id), ("xml:lang", &lang)], |this| {
            this.heading(part);
            this.blocks_but(&part.nodes, &|node| !matches!(node, Node::P { .. } | Node::Sec { .. }));
        });
        self.out.line();
    }

    /// Body, back matter, floats and further articles.
    pub(super) fn parts(&mut self, body: &ArticleBody) {
        if !body.body.is_empty() {
            self.element("body", &[], |this| this.blocks(&body.body));
            self.out.line();
        }
        self.element("back", &[], |this| {
            this.out.line();
            this.back(body);
        });
        self.out.line();
        if !body.floats.is_empty() {
            self.element("floats-group", &[], |this| this.blocks(&body.floats));
            self.out.line();
        }
        body.responses.iter().for_each(|sub| self.sub_article(sub));
        body.sub_articles.iter().for_each(|sub| self.sub_article(sub));
    }

    fn back(&mut self, body: &ArticleBody) {
        for part in &body.acknowledgements {
            self.statement("ack", "", "ack", part);
        }
        for one in &body.contributions {
            self.statement("sec", if one.kind == "equal" { "equal" } else { "author-contributions" }, "", &one.part);
        }
        for (kind, parts) in [
            ("coi-statement", &body.conflict),
            ("ethics-statement", &body.ethics),
            ("funding-statement", &body.funding),
            ("data-availability", &body.supporting_data),
            ("supplementary-material", &body.supplementary),
        ] {
            parts.iter().for_each(|part| self.statement("sec", kind, "", part));
        }
        if !body.appendix.is_empty() {
            self.element("app-group", &[], |this| {
                this.out.line();
                body.appendix.iter().for_each(|part| this.part("app", "", part));
            });
            self.out.line();
        }
        if !body.footnotes.is_empty() {
            self.element("fn-group", &[], |this| this.footnotes(&body.footnotes));
            self.out.line();
        }
        body.glossary.iter().for_each(|part| self.statement("glossary", "", "glossary", part));
        body.notes.iter().for_each(|part| self.part("notes", "", part));
        for list in &body.reference_lists {
            self.ref_list(list);
            self.out.line();
        }
    }

    /// A statement: as notes if it came from notes, else as a section with a heading.
    fn statement(&mut self, name: &'static str, kind: &str, notes_kind: &str, part: &Part) {
        let note = |node: &Node| matches!(node, Node::Group { kind, .. } if kind == "fn");
        if part.nodes.is_empty() || !part.nodes.iter().all(note) {
            return self.part(name, kind, part);
        }
        let kind = if kind.is_empty() { notes_kind } else { kind };
        self.element("fn-group", &[("content-type", kind), ("id", &part.id), ("xml:lang", &part.lang)], |this| {
            this.heading(part);
            for node in &part.nodes {
                if let Node::Group { id, nodes, .. } = node {
                    let [kind, custom] = typed("fn-type", kind, NOTE_TYPES);
                    this.element("fn", &[kind, custom, ("id", id)], |this| this.blocks(nodes));
                }
            }
        });
        self.out.line();
    }

    fn part(&mut self, name: &'static str, kind: &str, part: &Part) {
        let attributes = [("sec-type", kind), ("id", part.id.as_str()), ("xml:lang", &part.lang)];
        self.element(name, &attributes, |this| {
            this.heading(part);
            this.blocks(&part.nodes);
        });
        self.out.line();
    }

    fn heading(&mut self, part: &Part) {
        if !part.label.is_empty() {
            self.leaf("label", &[], &part.label);
        }
        if let Some(title) = &part.title {
            let lang = self.inherited(&title.lang);
            self.element("title", &[("xml:lang", &lang)], |this| this.inline(&title.nodes));
        } else if part.label.is_empty() && matches!(self.container, "sec" | "app") {
            self.empty("title", &[]);
        }
    }

    pub(super) fn footnotes(&mut self, notes: &[Footnote]) {
        for note in notes {
            let [kind, custom] = typed("fn-type", &note.kind, NOTE_TYPES);
            self.element("fn", &[kind, custom, ("id", &note.id)], |this| {
                if !note.label.is_empty() {
                    this.leaf("label", &[], &note.label);
                }
                this.blocks(&note.nodes);
            });
        }
    }
}
