//! Import of formulas: MathML is preferred to TeX, TeX to a picture, a picture to text.

use masthead_domain::content::{Formula, Node};

use super::{
    Importer,
    nodes::trim,
    xml::{X, attr, child, child_text, elements, id, name, text},
};
use crate::math;

impl Importer {
    pub(super) fn disp_formula(&mut self, x: X, out: &mut Vec<Node>) {
        let mut formula = self.formula(x, true);
        formula.id = id(x);
        formula.label = child_text(x, "label");
        out.push(Node::DispFormula(Box::new(formula)));
    }

    pub(super) fn inline_formula(&mut self, x: X, out: &mut Vec<Node>) {
        let display = attr(x, "display") == "block";
        let mut formula = self.formula(x, display);
        formula.id = id(x);
        formula.label = child_text(x, "label");
        out.push(Node::InlineFormula(Box::new(formula)));
    }

    fn formula(&mut self, x: X, display: bool) -> Formula {
        let mut formula = Formula { alt: child_text(x, "alt-text"), ..Formula::default() };
        if matches!(name(x), "math" | "tex-math") {
            self.notation(x, display, &mut formula);
            return formula;
        }
        let parent = child(x, "alternatives").filter(|_| only_child(x)).unwrap_or(x);
        let maths: Vec<X> = elements(parent).filter(|part| matches!(name(*part), "math" | "tex-math")).collect();
        let alternatives = name(parent) == "alternatives";
        let alone = maths.len() == 1 || (alternatives && !maths.is_empty()) || twins(&maths);
        if !alone {
            // Several formulas, or formulas with words between: each becomes a node, in order.
            formula.nodes = self.content_without(x, &["label", "alt-text"]);
            trim(&mut formula.nodes);
            return formula;
        }
        for part in maths {
            self.notation(part, display, &mut formula);
        }
        let files: Vec<X> =
            elements(parent).filter(|part| matches!(name(*part), "graphic" | "inline-graphic")).collect();
        if !files.is_empty() {
            formula.graphics.push(self.graphics(&files));
        }
        if formula.alt.is_empty() {
            formula.alt = child_text(parent, "alt-text");
        }
        let fields = ["math", "tex-math", "graphic", "inline-graphic", "label", "alt-text", "alternatives"];
        let skip = if alternatives { &fields[..] } else { &fields[..6] };
        formula.nodes = if alternatives { self.content_without(x, skip) } else { self.content_without(parent, skip) };
        trim(&mut formula.nodes);
        formula
    }

    /// Reads one notation of the formula.
    fn notation(&mut self, x: X, display: bool, formula: &mut Formula) {
        if name(x) == "math" {
            formula.mathml = math::sanitize(x);
            if formula.alt.is_empty() {
                formula.alt = attr(x, "alttext").to_owned();
            }
            let tex = x.descendants().find(|node| {
                name(*node) == "annotation" && attr(*node, "encoding").to_ascii_lowercase().contains("tex")
            });
            if let Some(tex) = tex
                && formula.latex.is_empty()
            {
                formula.latex = math::source(&text(tex));
            }
            return;
        }
        let mut tex: String = x.descendants().filter(|node| node.is_text()).filter_map(|node| node.text()).collect();
        // One publisher writes `<?CDATA $x$?>`.
        if tex.trim().is_empty() {
            tex = x
                .children()
                .filter_map(|node| node.pi())
                .filter(|pi| pi.target == "CDATA")
                .filter_map(|pi| pi.value)
                .collect();
        }
        formula.latex = math::source(&tex);
        if formula.mathml.is_empty() && elements_with_math(x) == 0 {
            match math::tex_to_mathml_inner(&formula.latex, display) {
                Ok(mathml) => formula.mathml = mathml,
                Err(error) => {
                    let start: String = formula.latex.chars().take(60).collect();
                    self.report.warn(format!("the TeX formula {start:?} is shown as its source: {error}"));
                }
            }
        }
    }
}

/// Number of MathML elements beside this TeX; with one, the TeX need not be converted.
fn elements_with_math(x: X) -> usize {
    x.parent()
        .filter(|up| name(*up) == "alternatives")
        .map_or(0, |up| elements(up).filter(|part| name(*part) == "math").count())
}

/// Whether a formula has exactly one `alternatives` element.
fn only_child(x: X) -> bool {
    elements(x).filter(|part| name(*part) == "alternatives").count() == 1
}

/// Whether these are one formula in both notations, without an `alternatives` element around them.
fn twins(maths: &[X]) -> bool {
    matches!(maths, [a, b] if name(*a) != name(*b))
}
