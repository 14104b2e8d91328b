//! Export of formulas in all their notations.

use masthead_domain::content::Formula;
use masthead_xml::{Document, Node as X};

use super::Export;
use crate::math;

impl Export<'_> {
    pub(super) fn disp_formula(&mut self, formula: &Formula) {
        self.element("disp-formula", &[("id", &formula.id)], |this| this.formula(formula, true));
    }

    /// An inline formula. Only chemical structures have a label here.
    pub(super) fn inline_formula(&mut self, formula: &Formula) {
        let name = if formula.label.is_empty() { "inline-formula" } else { "chem-struct" };
        self.element(name, &[("id", &formula.id)], |this| this.formula(formula, false));
    }

    fn formula(&mut self, formula: &Formula, display: bool) {
        if !formula.label.is_empty() {
            self.leaf("label", &[], &formula.label);
        }
        // Sanitized again, because the MathML must be well-formed and safe; the importer's own does not change.
        let mathml = Some(formula.mathml.as_str())
            .filter(|source| !source.is_empty())
            .and_then(math::sanitize_str)
            .map(|safe| format!("<math>{safe}</math>"));
        let tree = mathml.as_deref().and_then(|source| Document::parse(source).ok());
        if tree.is_none() && !formula.alt.is_empty() {
            self.leaf("alt-text", &[], &formula.alt);
        }
        let notations = usize::from(tree.is_some()) + usize::from(!formula.latex.is_empty());
        let together = notations > 1 || !formula.graphics.is_empty();
        let notations = |this: &mut Self| {
            if let Some(tree) = &tree {
                this.math(tree.root_element(), &formula.alt);
            }
            if !formula.latex.is_empty() {
                this.leaf("tex-math", &[], &formula.latex);
            }
            let name = if display { "graphic" } else { "inline-graphic" };
            formula.graphics.iter().for_each(|graphics| this.files(name, graphics));
        };
        if together {
            self.element("alternatives", &[], notations);
        } else {
            notations(self);
        }
        self.inline(&formula.nodes);
    }

    fn math(&mut self, x: X, alt: &str) {
        self.element("mml:math", &[("alttext", alt)], |this| this.math_content(x));
    }

    fn math_content(&mut self, x: X) {
        for node in x.children() {
            if node.is_text() {
                self.out.characters(node.text().unwrap_or_default());
            } else if node.is_element() {
                self.math_element(node);
            }
        }
    }

    fn math_element(&mut self, x: X) {
        let all: Vec<(&str, &str)> = x.attributes().map(|one| (one.name(), one.value())).collect();
        let name = x.tag_name().name();
        // MathML 3, which JATS uses, allows these attributes on `mstyle` only.
        let style = |(key, _): &(&str, &str)| math::STYLES.contains(key);
        let wrapped = all.iter().any(style) && !matches!(name, "mstyle" | "mtable" | "mtr" | "mtd");
        let (styles, kept): (Vec<_>, Vec<_>) = all.into_iter().partition(|one| wrapped && style(one));
        if wrapped {
            self.open("mml:mstyle", &styles);
        }
        let name = format!("mml:{name}");
        self.open(&name, &kept);
        self.math_content(x);
        self.out.end(&name);
        if wrapped {
            self.out.end("mml:mstyle");
        }
    }
}
