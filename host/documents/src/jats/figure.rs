//! Import of pictures, figures, media and supplementary files.

use masthead_domain::content::{Caption, Fig, FigGroup, Graphics, Media, Node};

use super::{
    Importer,
    inline::mime,
    xml::{X, attr, child, child_text, children, elements, href, id, name, text},
};

/// Children that become fields of the figure instead of content.
const FIELDS: &[&str] = &["label", "caption", "graphic", "attrib", "permissions", "alt-text", "long-desc", "object-id"];

impl Importer {
    pub(super) fn float(&mut self, x: X, out: &mut Vec<Node>) -> bool {
        match name(x) {
            "fig" => out.push(self.fig(x)),
            "chem-struct-wrap" | "chem-struct-wrapper" => out.push(self.fig(x)),
            "fig-group" | "table-wrap-group" => out.push(self.fig_group(x)),
            "graphic" if has_words(x) => out.push(self.fig(x)),
            "graphic" => out.push(Node::Graphic(Box::new(self.graphics(&[x])))),
            "inline-graphic" => out.push(Node::InlineGraphic(Box::new(self.graphics(&[x])))),
            "media" => out.push(Node::Media(Box::new(self.media(x)))),
            "supplementary-material" => out.push(Node::Supplementary(Box::new(self.media(x)))),
            "table-wrap" => out.push(self.table_wrap(x)),
            "table" | "array" | "tgroup" => out.push(self.bare_table(x)),
            "disp-formula" => self.disp_formula(x, out),
            "inline-formula" | "chem-struct" | "math" | "tex-math" => self.inline_formula(x, out),
            "disp-formula-group" => {
                let label = child_text(x, "label");
                let nodes = self.blocks(x, &["label"]);
                out.push(Node::DispFormulaGroup { id: id(x), label, nodes });
            }
            "alternatives" => self.alternatives(x, out),
            _ => return false,
        }
        true
    }

    fn fig(&mut self, x: X) -> Node {
        let kind = match name(x) {
            "fig" => attr(x, "fig-type").to_owned(),
            "graphic" => String::new(),
            _ => "chem".to_owned(),
        };
        let mut fig =
            Fig { id: id(x), kind, label: child_text(x, "label"), captions: self.captions(x), ..Fig::default() };
        if name(x) == "graphic" {
            fig.graphics.push(self.graphics(&[x]));
        }
        for part in elements(x) {
            match name(part) {
                "graphic" => {
                    fig.graphics.push(self.graphics(&[part]));
                    self.words_of_graphic(part, &mut fig.nodes);
                }
                "alternatives" if elements(part).all(|one| matches!(name(one), "graphic" | "inline-graphic")) => {
                    let files: Vec<X> = elements(part).collect();
                    fig.graphics.push(self.graphics(&files));
                    files.iter().for_each(|file| self.words_of_graphic(*file, &mut fig.nodes));
                }
                "attrib" | "permissions" => {
                    let nodes = self.blocks(part, &[]);
                    fig.notes.push(Node::Group { id: id(part), kind: name(part).to_owned(), nodes });
                }
                field if FIELDS.contains(&field) => {}
                _ => self.element(part, &mut fig.nodes),
            }
        }
        let (alt, description) = (child_text(x, "alt-text"), child_text(x, "long-desc"));
        for graphic in &mut fig.graphics {
            if graphic.alt.is_empty() {
                graphic.alt.clone_from(&alt);
            }
            if graphic.description.is_empty() {
                graphic.description.clone_from(&description);
            }
        }
        Node::Fig(Box::new(fig))
    }

    /// Label, captions and further words of a picture that is a part of a figure or table, as content beside it.
    pub(super) fn words_of_graphic(&mut self, x: X, out: &mut Vec<Node>) {
        if !has_words(x) {
            return;
        }
        self.depth += 2;
        let mut nodes = Vec::new();
        nodes.extend(self.line_of(x, "label").map(|label| Node::Bold { nodes: label.nodes }));
        for caption in self.captions(x) {
            if !caption.title.is_empty() {
                nodes.push(Node::P { id: String::new(), lang: caption.lang, nodes: caption.title });
            }
            nodes.extend(caption.nodes);
        }
        nodes.extend(self.blocks(x, &["label", "caption", "trans-caption", "alt-text", "long-desc", "object-id"]));
        self.depth -= 2;
        if !nodes.is_empty() {
            out.push(Node::Group { id: String::new(), kind: "caption".to_owned(), nodes });
        }
    }

    fn fig_group(&mut self, x: X) -> Node {
        let captions = self.captions(x);
        let nodes = self.blocks(x, &["label", "caption", "alt-text", "long-desc", "object-id"]);
        Node::FigGroup(Box::new(FigGroup { id: id(x), label: child_text(x, "label"), captions, nodes }))
    }

    /// All captions, one for each language; a title beside them counts as a caption.
    pub(super) fn captions(&mut self, x: X) -> Vec<Caption> {
        let mut captions = Vec::new();
        for caption in elements(x).filter(|part| matches!(name(*part), "caption" | "trans-caption")) {
            let title = self.title(caption);
            self.depth += 1;
            captions.push(Caption { lang: self.foreign(caption), title, nodes: self.blocks(caption, &["title"]) });
            self.depth -= 1;
        }
        captions
    }

    /// One picture from all its files.
    pub(super) fn graphics(&mut self, files: &[X]) -> Graphics {
        let mut graphics = Graphics::default();
        for file in files {
            let address = href(*file);
            self.asset(&address);
            let hints = [attr(*file, "content-type"), attr(*file, "specific-use"), attr(*file, "role")]
                .join(" ")
                .to_ascii_lowercase();
            let lower = address.to_ascii_lowercase();
            let print = hints.contains("print") || [".tif", ".tiff", ".eps"].iter().any(|end| lower.ends_with(end));
            let small = ["thumb", "small", "preview", "scielo-2"].iter().any(|hint| hints.contains(hint))
                || lower.contains("thumbnail");
            let field = match (small, print) {
                (true, _) => &mut graphics.small,
                (_, true) => &mut graphics.print,
                _ => &mut graphics.big,
            };
            if field.is_empty() {
                *field = address;
            }
            let fill = |field: &mut String, value: String| {
                if field.is_empty() {
                    *field = value;
                }
            };
            fill(&mut graphics.alt, child_text(*file, "alt-text"));
            fill(&mut graphics.description, child_text(*file, "long-desc"));
            fill(&mut graphics.width, attr(*file, "width").to_owned());
            fill(&mut graphics.height, attr(*file, "height").to_owned());
        }
        // Without a file marked for display, the first is used.
        if graphics.big.is_empty() {
            graphics.big = if graphics.print.is_empty() { graphics.small.clone() } else { graphics.print.clone() };
        }
        graphics
    }

    fn media(&mut self, x: X) -> Media {
        let mut media = Media {
            id: id(x),
            href: href(x),
            mime: mime(x),
            label: child_text(x, "label"),
            alt: child_text(x, "alt-text"),
            ..Media::default()
        };
        // Supplementary material is often a wrapper of a single media element.
        let inner: Vec<X> = children(x, "media").collect();
        if media.href.is_empty()
            && let [only] = inner.as_slice()
        {
            media.href = href(*only);
            if media.mime.is_empty() {
                media.mime = mime(*only);
            }
            media.captions = self.captions(*only);
            let nodes = self.blocks(*only, &["label", "caption", "alt-text", "long-desc", "object-id"]);
            media.nodes.extend(nodes);
            if media.label.is_empty() {
                media.label = child_text(*only, "label");
            } else if let Some(label) = self.line_of(*only, "label") {
                media.nodes.push(Node::Bold { nodes: label.nodes });
            }
            if media.alt.is_empty() {
                media.alt = child_text(*only, "alt-text");
            }
            if media.id.is_empty() {
                media.id = id(*only);
            } else if !attr(*only, "id").is_empty() {
                media.nodes.push(Node::Anchor { id: id(*only) });
            }
            media.captions.splice(0..0, self.captions(x));
            media.nodes.extend(self.blocks(x, &["label", "caption", "alt-text", "long-desc", "object-id", "media"]));
        } else {
            media.captions = self.captions(x);
            media.nodes = self.blocks(x, &["label", "caption", "alt-text", "long-desc", "object-id"]);
        }
        let address = media.href.clone();
        self.asset(&address);
        media
    }

    /// The best of several forms: MathML, then TeX, then table cells, then a picture, then text.
    fn alternatives(&mut self, x: X, out: &mut Vec<Node>) {
        let parts: Vec<X> = elements(x).collect();
        let has = |kind: &str| parts.iter().any(|part| name(*part) == kind);
        if has("math") || has("tex-math") {
            self.inline_formula(x, out);
        } else if let Some(table) = parts.iter().find(|part| matches!(name(**part), "table" | "array" | "tgroup")) {
            self.element(*table, out);
            for file in parts.iter().filter(|part| !href(**part).is_empty()) {
                self.asset(&href(*file));
            }
        } else if !parts.is_empty() && parts.iter().all(|part| matches!(name(*part), "graphic" | "inline-graphic")) {
            let graphics = Box::new(self.graphics(&parts));
            let inline = parts.iter().any(|part| name(*part) == "inline-graphic");
            out.push(if inline { Node::InlineGraphic(graphics) } else { Node::Graphic(graphics) });
        } else if let Some(first) = parts.iter().find(|part| !text(**part).is_empty()).or(parts.first()) {
            self.element(*first, out);
            for file in parts.iter().filter(|part| !href(**part).is_empty()) {
                self.asset(&href(*file));
            }
        }
        if let Some(label) = child(x, "label") {
            out.push(Node::text(text(label)));
        }
    }
}

/// Whether a picture has words to be shown beside it, and not only a description for those who do not see it.
fn has_words(x: X) -> bool {
    elements(x).any(|part| !matches!(name(part), "alt-text" | "long-desc" | "object-id") && !text(part).is_empty())
}
