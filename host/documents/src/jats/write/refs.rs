//! Export of lists of references: each citation as written, with its data in elements.

use masthead_domain::content::{Citation, RefList, Reference};

use super::{Export, ID_TYPES, typed};

impl Export<'_> {
    pub(super) fn ref_list(&mut self, list: &RefList) {
        self.element("ref-list", &[("id", &list.id)], |this| {
            this.out.line();
            if let Some(title) = &list.title {
                let lang = this.inherited(&title.lang);
                this.element("title", &[("xml:lang", &lang)], |this| this.inline(&title.nodes));
            }
            this.blocks(&list.nodes);
            for reference in &list.refs {
                this.reference(reference);
                this.out.line();
            }
        });
    }

    fn reference(&mut self, reference: &Reference) {
        self.element("ref", &[("id", &reference.id)], |this| {
            if !reference.label.is_empty() {
                this.leaf("label", &[], &reference.label);
            }
            reference.citations.iter().for_each(|citation| this.citation(citation));
            if !reference.notes.is_empty() {
                this.element("note", &[], |this| this.blocks(&reference.notes));
            } else if reference.citations.is_empty() {
                // JATS requires content in every reference.
                this.empty("x", &[]);
            }
        });
    }

    fn citation(&mut self, one: &Citation) {
        let data = [&one.doi, &one.url, &one.title, &one.source, &one.year, &one.first_author];
        if one.ids.is_empty() && data.iter().all(|field| field.is_empty()) {
            return self.written(one);
        }
        self.element("citation-alternatives", &[], |this| {
            this.written(one);
            this.data(one);
        });
    }

    fn written(&mut self, one: &Citation) {
        let lang = self.inherited(&one.lang);
        let attributes = [("id", one.id.as_str()), ("publication-type", &one.kind), ("xml:lang", &lang)];
        self.element("mixed-citation", &attributes, |this| this.inline(&one.nodes));
    }

    fn data(&mut self, one: &Citation) {
        let lang = self.inherited(&one.lang);
        self.element("element-citation", &[("publication-type", &one.kind), ("xml:lang", &lang)], |this| {
            if !one.first_author.is_empty() {
                this.element("person-group", &[("person-group-type", "author")], |this| {
                    this.leaf("string-name", &[], &one.first_author);
                });
            }
            // The title of a book is its source.
            if !one.title.is_empty() && (one.kind == "journal" || one.title != one.source) {
                let name = if one.kind == "book" { "chapter-title" } else { "article-title" };
                this.leaf(name, &[], &one.title);
            }
            for (name, text) in [("source", &one.source), ("year", &one.year)] {
                if !text.is_empty() {
                    this.leaf(name, &[], text);
                }
            }
            if !one.doi.is_empty() {
                this.leaf("pub-id", &[("pub-id-type", "doi")], &one.doi);
            }
            for (kind, id) in &one.ids {
                this.leaf("pub-id", &typed("pub-id-type", kind, ID_TYPES), id);
            }
            if !one.url.is_empty() {
                this.leaf("ext-link", &[("ext-link-type", "uri"), ("xlink:href", &one.url)], &one.url);
            }
        });
    }
}
