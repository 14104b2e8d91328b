//! HTML of inline nodes.

use masthead_domain::content::{Formula, Node};

use super::{
    Renderer,
    citations::range_at,
    ids::element_id,
    links::{escape, quote, safe_href},
};
use masthead_domain::content::text;

use crate::math;

impl Renderer<'_> {
    /// Inline nodes. A block among them is reduced to its text, because HTML allows no block within inline elements.
    pub(super) fn inline(&mut self, nodes: &[Node], out: &mut String) {
        for (at, node) in nodes.iter().enumerate() {
            match node {
                Node::Xref { ref_type, rids, nodes: text } => {
                    let range = if ref_type == "bibr" { range_at(nodes, at) } else { None };
                    self.xref(ref_type, rids, text, range, out);
                }
                other => self.inline_node(other, out),
            }
        }
    }

    fn inline_node(&mut self, node: &Node, out: &mut String) {
        match node {
            Node::Text { text } => out.push_str(&escape(text)),
            Node::Sub { nodes } => self.tag("sub", "", nodes, out),
            Node::Sup { nodes } => self.tag("sup", "", nodes, out),
            Node::Bold { nodes } => self.tag("b", "", nodes, out),
            Node::Italic { nodes } => self.tag("i", "", nodes, out),
            Node::Strike { nodes } => self.tag("s", "", nodes, out),
            Node::Overline { nodes } => self.tag("span", " class=\"overline\"", nodes, out),
            Node::Underline { nodes } => self.tag("u", "", nodes, out),
            Node::Monospace { nodes } => self.tag("code", " class=\"monospace\"", nodes, out),
            Node::SmallCaps { nodes } => self.tag("span", " class=\"small-caps\"", nodes, out),
            Node::Styled { style, lang, nodes } => {
                let class = style_class(style);
                let attributes = format!("{class}{}", self.lang_attr(lang));
                self.tag("span", &attributes, nodes, out);
            }
            Node::Abbrev { title, nodes } => {
                let title = if title.is_empty() { String::new() } else { format!(" title=\"{}\"", quote(title)) };
                self.tag("abbr", &title, nodes, out);
            }
            Node::Ruby { nodes, reading } => {
                out.push_str("<ruby>");
                self.inline(nodes, out);
                out.push_str("<rt>");
                out.push_str(&escape(reading));
                out.push_str("</rt></ruby>");
            }
            Node::ExtLink { href, kind, nodes } => self.ext_link(href, kind, nodes, out),
            Node::InlineNote { id, label, nodes } => self.note(id, label, nodes, out),
            Node::Anchor { id } => {
                let id = self.id_attr(id);
                out.push_str(&format!("<span class=\"anchor\"{id}></span>"));
            }
            Node::Break => out.push_str("<br>"),
            Node::InlineFormula(formula) => self.inline_formula(formula, out),
            Node::InlineGraphic(graphic) => self.picture(graphic, "inline-graphic", "", out),
            Node::Code { nodes, inline: true, .. } => self.tag("code", "", nodes, out),
            Node::Media(media) | Node::Supplementary(media) if media.inline => self.inline_media(media, out),
            Node::P { nodes, .. } => {
                self.inline(nodes, out);
                out.push(' ');
            }
            block => out.push_str(&escape(&text::plain(std::slice::from_ref(block)))),
        }
    }

    fn tag(&mut self, tag: &str, attributes: &str, nodes: &[Node], out: &mut String) {
        out.push_str(&format!("<{tag}{attributes}>"));
        self.inline(nodes, out);
        out.push_str(&format!("</{tag}>"));
    }

    /// A link out of the article. HTML allows no link within a link, so that an inner one is reduced to its text.
    pub(super) fn ext_link(&mut self, href: &str, kind: &str, nodes: &[Node], out: &mut String) {
        let target = safe_href(href, kind).filter(|_| !self.in_link);
        let Some(target) = target else { return self.inline(nodes, out) };
        let mail = target.starts_with("mailto:");
        let rel = if mail { "" } else { " rel=\"noopener noreferrer\"" };
        out.push_str(&format!("<a class=\"ext-link\" href=\"{}\"{rel}>", quote(&target)));
        self.in_link = true;
        self.inline(nodes, out);
        self.in_link = false;
        out.push_str("</a>");
    }

    /// A cross-reference. Its address is the first target; `data-rids` has all of them, for a range also those that the source leaves
    /// out. `range` has the ids and the text of the range of which the link is one end.
    fn xref(
        &mut self,
        ref_type: &str,
        rids: &[String],
        nodes: &[Node],
        range: Option<(Vec<String>, String)>,
        out: &mut String,
    ) {
        let own: Vec<String> = rids.iter().map(|rid| element_id(rid)).filter(|id| self.known(id)).collect();
        let Some(first) = own.first().filter(|_| !self.in_link).cloned() else { return self.inline(nodes, out) };
        let named = match range {
            Some((ids, text)) => self.named(&ids, &text),
            None if ref_type == "bibr" => self.named(&own, &text::plain(nodes)),
            None => None,
        };
        let ids = named.unwrap_or(own);
        let more = if ids.len() > 1 { format!(" data-rids=\"{}\"", quote(&ids.join(" "))) } else { String::new() };
        out.push_str(&format!(
            "<a class=\"xref\" data-ref-type=\"{}\"{more} href=\"#{}\">",
            quote(ref_type),
            quote(&first)
        ));
        self.in_link = true;
        self.inline(nodes, out);
        self.in_link = false;
        out.push_str("</a>");
    }

    /// The references that a citation with a range names. Together they take a bounded part of the page.
    fn named(&mut self, ids: &[String], text: &str) -> Option<Vec<String>> {
        if self.range_room == 0 {
            return None;
        }
        let mut named = self.numbering.named(ids, text)?;
        named.retain(|id| self.known(id));
        let left = self.range_room.checked_sub(named.iter().map(|id| id.len() + 1).sum());
        self.range_room = left.unwrap_or(0);
        left.map(|_| named)
    }

    fn note(&mut self, id: &str, label: &str, nodes: &[Node], out: &mut String) {
        let id = self.id_attr(id);
        out.push_str(&format!("<span class=\"inline-note\" data-note=\"\"{id} role=\"note\">"));
        if !label.is_empty() {
            out.push_str(&format!("<sup class=\"note-label\" data-mark=\"\">{}</sup> ", escape(label)));
        }
        self.inline(nodes, out);
        out.push_str("</span>");
    }

    pub(super) fn inline_formula(&mut self, formula: &Formula, out: &mut String) {
        let id = self.id_attr(&formula.id);
        out.push_str(&format!("<span class=\"inline-formula\"{id}{}>", latex_attr(formula)));
        self.formula(formula, false, out);
        out.push_str("</span>");
        if !formula.label.is_empty() {
            out.push_str(&format!(" <span class=\"formula-label\">{}</span>", escape(&formula.label)));
        }
    }

    /// The formula in its best available form: MathML, else its TeX converted to MathML, else a picture, else TeX as text.
    pub(super) fn formula(&mut self, formula: &Formula, display: bool, out: &mut String) {
        let mode = if display { "block" } else { "inline" };
        let alt = [&formula.alt, &formula.latex].into_iter().find(|alt| !alt.is_empty());
        let alt = alt.map(|alt| format!(" alttext=\"{}\"", quote(alt))).unwrap_or_default();
        let made = if formula.mathml.is_empty() && !formula.latex.is_empty() {
            math::tex_to_mathml_inner(&formula.latex, display).ok()
        } else {
            None
        };
        let mathml = made.as_deref().unwrap_or(&formula.mathml);
        if !mathml.is_empty() {
            out.push_str(&format!("<math display=\"{mode}\"{alt}>{mathml}</math>"));
        } else if let Some(graphic) = formula.graphics.first() {
            let alt = if graphic.alt.is_empty() { formula.latex.as_str() } else { "" };
            self.picture(graphic, "formula-graphic", alt, out);
        } else if !formula.latex.is_empty() {
            out.push_str(&format!("<code class=\"tex\">{}</code>", escape(&formula.latex)));
        }
        self.inline(&formula.nodes, out);
    }
}

/// ` data-latex="..."` if the TeX source is known, else "".
pub(super) fn latex_attr(formula: &Formula) -> String {
    if formula.latex.is_empty() { String::new() } else { format!(" data-latex=\"{}\"", quote(&formula.latex)) }
}

/// A class for the styles that style sheets support; other names become a data attribute.
fn style_class(style: &str) -> String {
    let simple = !style.is_empty() && style.len() <= 40 && style.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    match style {
        "roman" | "sans-serif" | "foreign" | "taxon-name" => format!(" class=\"styled {style}\""),
        _ if simple => format!(" class=\"styled\" data-style=\"{}\"", quote(style)),
        _ => " class=\"styled\"".to_owned(),
    }
}
