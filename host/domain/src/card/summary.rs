//! The beginning of an abstract for lists, with the formatting that carries meaning: without it, `CO₂` and `10⁶` read as other things.

use crate::content::{Node, text};

const BOLD: u8 = 1;
const ITALIC: u8 = 2;
const SUB: u8 = 4;
const SUP: u8 = 8;

/// The elements of the marks, the outermost first.
const ELEMENTS: [(u8, &str); 4] = [(BOLD, "b"), (ITALIC, "i"), (SUB, "sub"), (SUP, "sup")];

/// The first `limit` characters of these nodes, as plain text and as HTML. The HTML is "" if nothing in them is formatted. It has no
/// attributes and no other elements than `b`, `i`, `sub` and `sup`, so that it needs no sanitizer.
pub(super) fn beginning(nodes: &[Node], limit: usize) -> (String, String) {
    // A space and a character more than is shown, so that it is known whether the text goes on.
    let mut text = Text { chars: Vec::new(), limit: limit.saturating_add(2) };
    text.push_all(nodes, 0);
    let mut chars = text.chars;
    while chars.last().is_some_and(|(last, _)| *last == ' ') {
        chars.pop();
    }
    if chars.len() > limit {
        // In scripts with spaces, the text is cut at a space, so that no partial word precedes the ellipsis.
        let spaces = chars.iter().take(limit + 1).rposition(|(c, _)| *c == ' ');
        chars.truncate(spaces.filter(|at| *at > limit / 5 * 4).unwrap_or(limit));
        chars.push(('…', 0));
    }
    let formatted = chars.iter().any(|(_, marks)| *marks != 0);
    (chars.iter().map(|(c, _)| c).collect(), if formatted { html(&chars) } else { String::new() })
}

/// Characters with their marks, white space folded.
struct Text {
    chars: Vec<(char, u8)>,
    limit: usize,
}

impl Text {
    fn push_all(&mut self, nodes: &[Node], marks: u8) {
        for node in nodes {
            if self.chars.len() >= self.limit {
                return;
            }
            let space = if node.is_block() { " " } else { "" };
            self.push(space, marks);
            self.push_node(node, marks);
            self.push(space, marks);
        }
    }

    fn push_node(&mut self, node: &Node, marks: u8) {
        match node {
            Node::Text { text } => self.push(text, marks),
            Node::Bold { nodes } => self.push_all(nodes, marks | BOLD),
            Node::Italic { nodes } => self.push_all(nodes, marks | ITALIC),
            Node::Sub { nodes } => self.push_all(nodes, marks | SUB),
            Node::Sup { nodes } => self.push_all(nodes, marks | SUP),
            Node::Break | Node::Rule | Node::Anchor { .. } => self.push(" ", marks),
            other => match text::children(other) {
                [] => self.push(&text::plain(std::slice::from_ref(other)), marks),
                nodes => self.push_all(nodes, marks),
            },
        }
    }

    fn push(&mut self, text: &str, marks: u8) {
        for c in text.chars() {
            if self.chars.len() >= self.limit {
                return;
            }
            if !c.is_whitespace() {
                self.chars.push((c, marks));
            } else if let Some((_, of_before)) = self.chars.last().copied().filter(|(last, _)| *last != ' ') {
                self.chars.push((' ', marks & of_before));
            }
        }
    }
}

fn html(chars: &[(char, u8)]) -> String {
    let mut out = String::new();
    for run in chars.chunk_by(|(_, one), (_, other)| one == other) {
        let marks = run.first().map_or(0, |(_, marks)| *marks);
        let elements = ELEMENTS.iter().filter(|(mark, _)| marks & mark != 0);
        let text: String = run.iter().map(|(c, _)| c).collect();
        for (_, element) in elements.clone() {
            out.push_str(&format!("<{element}>"));
        }
        out.push_str(&html_escape::encode_text(&text));
        for (_, element) in elements.rev() {
            out.push_str(&format!("</{element}>"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paragraph(nodes: Vec<Node>) -> Node {
        Node::P { id: String::new(), lang: String::new(), nodes }
    }

    #[test]
    fn superscripts_and_subscripts_stay() {
        let sub = |text: &str| Node::Sub { nodes: vec![Node::text(text)] };
        let power = Node::Sup { nodes: vec![Node::Italic { nodes: vec![Node::text("n")] }] };
        let nodes = [
            paragraph(vec![Node::text("CO"), sub("2"), Node::text(" <  10"), power]),
            paragraph(vec![Node::text("Second.")]),
        ];
        let (plain, html) = beginning(&nodes, 320);
        assert_eq!(plain, "CO2 < 10n Second.");
        assert_eq!(html, "CO<sub>2</sub> &lt; 10<i><sup>n</sup></i> Second.");
    }

    #[test]
    fn a_text_without_formatting_has_no_html() {
        assert_eq!(beginning(&[Node::text(" a \n b ")], 320), ("a b".to_owned(), String::new()));
        assert_eq!(beginning(&[], 320), (String::new(), String::new()));
    }

    #[test]
    fn a_long_summary_is_cut_between_words() {
        let (short, _) = beginning(&[Node::text("word ".repeat(200))], 320);
        assert!(short.ends_with("word…") && short.chars().count() <= 321, "{short}");
        let (whole, _) = beginning(&[Node::text("word ".repeat(200))], 319);
        assert_eq!(whole.chars().count(), 320, "the last word ends at the limit");
        assert_eq!(beginning(&[Node::text("a word ")], 6).0, "a word", "it is complete");
        assert_eq!(beginning(&[Node::text("字".repeat(500))], 320).0.chars().count(), 321);
        assert_eq!(beginning(&[Node::text("字".repeat(320))], 320).0.chars().count(), 320, "it is complete");
    }

    #[test]
    fn the_cut_closes_every_element() {
        let nodes = [Node::Italic { nodes: vec![Node::text("字".repeat(9))] }];
        assert_eq!(beginning(&nodes, 3).1, "<i>字字字</i>…");
        let nodes = [Node::text("On "), Node::Italic { nodes: vec![Node::text(" Zostera marina")] }];
        assert_eq!(beginning(&nodes, 320).1, "On <i>Zostera marina</i>");
    }
}
