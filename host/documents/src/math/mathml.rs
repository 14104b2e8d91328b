//! Converts MathML of any source to safe MathML: only listed elements and attributes, escaped text.

use html_escape::{encode_double_quoted_attribute, encode_text};
use masthead_xml::{Limits, Node};

use super::letters::styled;

/// Allowed elements. Others are replaced by their content.
pub const ELEMENTS: &[&str] = &[
    "math",
    "merror",
    "mfrac",
    "mi",
    "mmultiscripts",
    "mn",
    "mo",
    "mover",
    "mpadded",
    "mphantom",
    "mprescripts",
    "mroot",
    "mrow",
    "ms",
    "mspace",
    "msqrt",
    "mstyle",
    "msub",
    "msubsup",
    "msup",
    "mtable",
    "mtd",
    "mtext",
    "mtr",
    "munder",
    "munderover",
    "menclose",
    "none",
];

/// Allowed attributes; their values may have letters, digits and simple punctuation only.
pub const ATTRIBUTES: &[&str] = &[
    "accent",
    "accentunder",
    "columnalign",
    "columnlines",
    "columnspacing",
    "columnspan",
    "depth",
    "display",
    "displaystyle",
    "fence",
    "form",
    "height",
    "largeop",
    "linethickness",
    "lspace",
    "mathvariant",
    "maxsize",
    "minsize",
    "movablelimits",
    "notation",
    "rowalign",
    "rowlines",
    "rowspacing",
    "rowspan",
    "rspace",
    "scriptlevel",
    "separator",
    "stretchy",
    "symmetric",
    "voffset",
    "width",
];

/// Elements that are removed with their content: other notations of the formula, pictures, alignment marks, scripts.
const DROPPED: &[&str] = &["annotation", "annotation-xml", "maligngroup", "malignmark", "mglyph", "script", "style"];

/// The sanitized content of a `math` element, without the element itself.
#[must_use]
pub fn sanitize(math: Node) -> String {
    let mut out = String::new();
    let variant = math.attribute("mathvariant").unwrap_or_default();
    children(math, variant, &mut out);
    out
}

/// As [`sanitize`], for the text of a `math` element or of its content. `None` if it is not well-formed or exceeds a limit.
#[must_use]
pub fn sanitize_str(source: &str) -> Option<String> {
    let limits = Limits { max_nodes: 200_000, ..Limits::default() };
    masthead_xml::parse(&format!("<math>{source}</math>"), &limits, &[], |tree| sanitize(tree.root())).ok()
}

fn children(node: Node, variant: &str, out: &mut String) {
    for child in node.children() {
        if child.is_text() {
            let text = child.text().unwrap_or_default();
            // Text between layout elements is white space of the source, or a mistake that must remain legible.
            if is_token(node.tag_name().name()) {
                out.push_str(&encode_text(text));
            } else if !text.trim().is_empty() {
                out.push_str("<mtext>");
                let folded = text.trim().split_ascii_whitespace().collect::<Vec<_>>().join(" ");
                out.push_str(&encode_text(&folded));
                out.push_str("</mtext>");
            }
        } else if child.is_element() {
            element(child, variant, out);
        }
    }
}

fn is_token(name: &str) -> bool {
    matches!(name, "mi" | "mn" | "mo" | "mtext" | "ms")
}

fn element(node: Node, variant: &str, out: &mut String) {
    let name = node.tag_name().name();
    if DROPPED.contains(&name) {
        return;
    }
    let own = node.attribute("mathvariant").unwrap_or(variant);
    match name {
        "mi" | "mn" | "mo" | "mtext" | "ms" => token(node, name, own, out),
        "mfenced" => fenced(node, own, out),
        "semantics" => {
            if let Some(first) = node.children().find(Node::is_element) {
                element(first, own, out);
            }
        }
        "mover" if accent(node).is_some() => accented(node, own, out),
        "maction" => wrap(node, "mrow", own, out),
        // In this element, the number of the equation is the first cell.
        "mlabeledtr" => wrap(node, "mtr", own, out),
        "math" => wrap(node, "mrow", own, out),
        _ if ELEMENTS.contains(&name) => wrap(node, name, own, out),
        _ => wrap(node, "mrow", own, out),
    }
}

fn wrap(node: Node, name: &str, variant: &str, out: &mut String) {
    out.push('<');
    out.push_str(name);
    attributes(node, out);
    if name == "mtd"
        && let Some(side) = alignment(node)
    {
        out.push_str(" columnalign=\"");
        out.push_str(side);
        out.push('"');
    }
    out.push('>');
    children(node, variant, out);
    out.push_str("</");
    out.push_str(name);
    out.push('>');
}

/// The character over a letter, if it is an accent written as a letter: `<mi>^</mi>`.
fn accent(over: Node) -> Option<char> {
    let mut parts = over.children().filter(Node::is_element);
    let sign = parts.nth(1).filter(|sign| sign.tag_name().name() == "mi" && over.attribute("accent").is_none())?;
    let mut text = sign.text().unwrap_or_default().trim().chars();
    let c = text.next().filter(|c| "´‾¯˘ˇ˙¨`^~→˚←↔".contains(*c))?;
    (text.next().is_none() && parts.next().is_none()).then_some(c)
}

/// Writes an accent as an operator, so that it stands close to its letter; a line stretches to the width of its base.
fn accented(node: Node, variant: &str, out: &mut String) {
    let (Some(sign), Some(base)) = (accent(node), node.children().find(Node::is_element)) else { return };
    out.push_str("<mover accent=\"true\">");
    element(base, variant, out);
    out.push_str(if matches!(sign, '‾' | '¯') { "<mo stretchy=\"true\">" } else { "<mo stretchy=\"false\">" });
    out.push(sign);
    out.push_str("</mo></mover>");
}

/// Limit on the cells of a row that are counted.
const WIDEST: usize = 100;

/// The alignment of a cell, written as an attribute of the cell, because style sheets cannot read it from the table. `None` if the
/// cell is centred or has an alignment of its own.
fn alignment(cell: Node) -> Option<&'static str> {
    if cell.attribute("columnalign").is_some() {
        return None;
    }
    let row = cell.parent()?;
    let table = row.parent()?;
    let at = cell.prev_siblings().skip(1).take(WIDEST).filter(Node::is_element).count();
    let class = |node: Node| node.attribute("class").unwrap_or_default().to_owned();
    let (own, all) = (class(cell), class(table));
    if own.contains("cell-left") || all.contains("menv-cells-left") {
        return Some("left");
    }
    if own.contains("cell-right") || all.contains("menv-cells-right") {
        return Some("right");
    }
    if all.contains("menv-alignlike") {
        let columns = |row: Node| row.children().filter(Node::is_element).count();
        let three = table.children().map(columns).max() == Some(3);
        return match (at, three) {
            (1, true) => None,
            (2, true) => Some("left"),
            _ => Some(if at.is_multiple_of(2) { "right" } else { "left" }),
        };
    }
    let sides = row.attribute("columnalign").or_else(|| table.attribute("columnalign"))?;
    let side = sides.split_whitespace().nth(at).or_else(|| sides.split_whitespace().last())?;
    ["left", "right"].into_iter().find(|known| *known == side)
}

fn token(node: Node, name: &str, variant: &str, out: &mut String) {
    out.push('<');
    out.push_str(name);
    let mut text: String = node.descendants().filter(Node::is_text).filter_map(|part| part.text()).collect();
    let folded = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    // In `mtext`, a space at either end is significant; elsewhere it is layout of the source.
    text = if name == "mtext" { edges(&text, &folded) } else { folded };
    let single = text.chars().count() == 1;
    if name == "mi" && single && variant == "normal" {
        out.push_str(" mathvariant=\"normal\"");
    }
    attributes(node, out);
    out.push('>');
    let plain = matches!(variant, "" | "normal") || (variant == "italic" && (name != "mi" || single));
    if plain {
        out.push_str(&encode_text(&text));
    } else {
        out.push_str(&encode_text(&styled(&text, variant)));
    }
    out.push_str("</");
    out.push_str(name);
    out.push('>');
}

fn edges(text: &str, folded: &str) -> String {
    let blank = |c: Option<char>| c.is_some_and(|c| c.is_ascii_whitespace());
    let before = if blank(text.chars().next()) { "\u{a0}" } else { "" };
    let after = if !folded.is_empty() && blank(text.chars().last()) { "\u{a0}" } else { "" };
    format!("{before}{folded}{after}")
}

/// MathML Core has no `mfenced`: brackets and separators become operators.
fn fenced(node: Node, variant: &str, out: &mut String) {
    let operator = |text: &str, kind: &str, out: &mut String| {
        if !text.is_empty() {
            out.push_str("<mo");
            out.push_str(kind);
            out.push('>');
            out.push_str(&encode_text(text));
            out.push_str("</mo>");
        }
    };
    out.push_str("<mrow>");
    operator(node.attribute("open").unwrap_or("(").trim(), " fence=\"true\" stretchy=\"true\" form=\"prefix\"", out);
    let separators: Vec<char> =
        node.attribute("separators").unwrap_or(",").chars().filter(|c| !c.is_whitespace()).collect();
    for (index, child) in node.children().filter(Node::is_element).enumerate() {
        if let Some(before) = index.checked_sub(1)
            && let Some(separator) = separators.get(before).or_else(|| separators.last())
        {
            operator(&separator.to_string(), " separator=\"true\"", out);
        }
        element(child, variant, out);
    }
    operator(node.attribute("close").unwrap_or(")").trim(), " fence=\"true\" stretchy=\"true\" form=\"postfix\"", out);
    out.push_str("</mrow>");
}

/// Attributes that MathML Core allows on every element.
pub(crate) const STYLES: &[&str] = &["displaystyle", "scriptlevel"];

fn attributes(node: Node, out: &mut String) {
    for attribute in node.attributes() {
        let (name, value) = (attribute.name(), attribute.value().trim());
        if attribute.namespace().is_some() || !ATTRIBUTES.contains(&name) || matches!(name, "mathvariant" | "display") {
            continue;
        }
        let simple = value.len() <= 200 && value.chars().all(|c| c.is_ascii_alphanumeric() || " .,%+-#".contains(c));
        if simple && !value.is_empty() {
            out.push(' ');
            out.push_str(name);
            out.push_str("=\"");
            out.push_str(&encode_double_quoted_attribute(value));
            out.push('"');
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::sanitize_str;

    fn clean(source: &str) -> String {
        sanitize_str(source).unwrap()
    }

    #[test]
    fn layout_is_kept_and_white_space_folded() {
        assert_eq!(clean("<mfrac> <mi> x </mi>\n<mn>2</mn></mfrac>"), "<mfrac><mi>x</mi><mn>2</mn></mfrac>");
        assert_eq!(clean("<mtext> if </mtext>"), "<mtext>\u{a0}if\u{a0}</mtext>");
    }

    #[test]
    fn elements_that_browsers_do_not_draw_are_replaced() {
        assert!(clean("<mfenced><mi>a</mi><mi>b</mi></mfenced>").contains("<mo separator=\"true\">,</mo>"));
        assert_eq!(clean("<mi mathvariant=\"bold\">v</mi>"), "<mi>𝐯</mi>");
        assert_eq!(
            clean("<mstyle mathvariant=\"normal\"><mi>d</mi></mstyle>"),
            "<mstyle><mi mathvariant=\"normal\">d</mi></mstyle>"
        );
        assert_eq!(clean("<semantics><mi>x</mi><annotation>x_1</annotation></semantics>"), "<mi>x</mi>");
    }

    #[test]
    fn accents_are_close_to_their_letters() {
        assert_eq!(
            clean("<mover><mi>f</mi><mi>^</mi></mover>"),
            "<mover accent=\"true\"><mi>f</mi><mo stretchy=\"false\">^</mo></mover>"
        );
        assert_eq!(clean("<mover><mi>f</mi><mi>n</mi></mover>"), "<mover><mi>f</mi><mi>n</mi></mover>");
    }

    #[test]
    fn alignment_is_written_at_each_cell() {
        assert_eq!(
            clean("<mtable columnalign=\"right left\"><mtr><mtd/><mtd/><mtd/></mtr></mtable>"),
            "<mtable columnalign=\"right left\"><mtr><mtd columnalign=\"right\"></mtd><mtd columnalign=\"left\"></mtd>\
             <mtd columnalign=\"left\"></mtd></mtr></mtable>"
        );
        assert_eq!(clean("<mtable><mtr><mtd/></mtr></mtable>"), "<mtable><mtr><mtd></mtd></mtr></mtable>");
    }

    #[test]
    fn scripts_are_removed() {
        let hostile = "<mi onclick=\"x()\" href=\"javascript:x\">a</mi><script>x()</script><mtext><img src=\"x\"/>&lt;script&gt;</mtext>\
                       <annotation-xml encoding=\"text/html\"><script>y</script></annotation-xml><maction actiontype=\"statusline#http://evil\"><mi>q</mi></maction>\
                       <mi style=\"background:url(x)\" width=\"url(javascript:1)\">b</mi>";
        assert_eq!(clean(hostile), "<mi>a</mi><mtext>&lt;script&gt;</mtext><mrow><mi>q</mi></mrow><mi>b</mi>");
    }

    #[test]
    fn deep_and_malformed_sources_are_refused() {
        assert!(sanitize_str(&format!("{}{}", "<mrow>".repeat(5000), "</mrow>".repeat(5000))).is_none());
        assert!(sanitize_str("<mi>x").is_none());
        let attributes: String = (0..50_000).map(|number| format!(" a{number}=''")).collect();
        assert!(sanitize_str(&format!("<mi{attributes}>x</mi>")).is_none());
    }
}
