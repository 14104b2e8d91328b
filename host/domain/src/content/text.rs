//! Plain text of content nodes, for search, titles and feeds.

use super::{Caption, Footnote, Formula, Graphics, Grid, Node, RefList, Table};

/// The text of these nodes, white space folded; the texts of blocks, cells and items are separated by a space.
#[must_use]
pub fn plain(nodes: &[Node]) -> String {
    let mut out = String::new();
    push(nodes, &mut out);
    fold(&out)
}

/// Folds runs of white space to one space; other spaces (no-break, ideographic) are kept.
#[must_use]
pub fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split([' ', '\t', '\n', '\r']).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// Appends the text of these nodes without folding.
fn push(nodes: &[Node], out: &mut String) {
    for node in nodes {
        push_node(node, out);
    }
}

fn push_node(node: &Node, out: &mut String) {
    if node.is_block() {
        out.push(' ');
    }
    match node {
        Node::Text { text } => out.push_str(text),
        Node::Break | Node::Rule | Node::Anchor { .. } => out.push(' '),
        Node::SecTitle { label, title, .. } => titled(label, title, &[], out),
        Node::Fig(fig) => {
            captioned(&fig.label, &fig.captions, out);
            push(&fig.nodes, out);
            push(&fig.notes, out);
        }
        Node::FigGroup(group) => {
            captioned(&group.label, &group.captions, out);
            push(&group.nodes, out);
        }
        Node::Table(table) => push_table(table, out),
        Node::DispFormula(formula) | Node::InlineFormula(formula) => push_formula(formula, out),
        Node::InlineGraphic(graphic) | Node::Graphic(graphic) => alt(graphic, out),
        Node::Media(media) | Node::Supplementary(media) => {
            captioned(&media.label, &media.captions, out);
            push(&media.nodes, out);
        }
        Node::RefList(list) => push_refs(list, out),
        _ => push_container(node, out),
    }
    if node.is_block() {
        out.push(' ');
    }
}

fn push_container(node: &Node, out: &mut String) {
    match node {
        Node::List { title, items, .. } => {
            push(title, out);
            for item in items {
                out.push(' ');
                titled(&item.label, &[], &item.nodes, out);
            }
        }
        Node::DefList { title, items, .. } => {
            push(title, out);
            for part in items.iter().flat_map(|item| item.terms.iter().chain(&item.defs)) {
                out.push(' ');
                push(part, out);
            }
        }
        Node::Verse { title, lines, attrib, .. } => {
            push(title, out);
            for line in lines {
                out.push(' ');
                push(line, out);
            }
            out.push(' ');
            push(attrib, out);
        }
        Node::Footnotes { title, items } => {
            push(title, out);
            footnotes(items, out);
        }
        Node::Quote { nodes, attrib, .. } => titled("", nodes, attrib, out),
        Node::Speech { speaker, nodes, .. } => titled("", speaker, nodes, out),
        Node::Boxed { label, title, nodes, .. } | Node::Statement { label, title, nodes, .. } => {
            titled(label, title, nodes, out)
        }
        Node::DispFormulaGroup { label, nodes, .. } => titled(label, &[], nodes, out),
        Node::Ruby { nodes, .. } => push(nodes, out),
        _ => push(children(node), out),
    }
}

/// The child nodes of a node that has no other content; none for other nodes.
#[must_use]
pub fn children(node: &Node) -> &[Node] {
    match node {
        Node::Sec { nodes, .. }
        | Node::P { nodes, .. }
        | Node::Sub { nodes }
        | Node::Sup { nodes }
        | Node::Bold { nodes }
        | Node::Italic { nodes }
        | Node::Strike { nodes }
        | Node::Overline { nodes }
        | Node::Underline { nodes }
        | Node::Monospace { nodes }
        | Node::SmallCaps { nodes }
        | Node::Styled { nodes, .. }
        | Node::Abbrev { nodes, .. }
        | Node::ExtLink { nodes, .. }
        | Node::Xref { nodes, .. }
        | Node::InlineNote { nodes, .. }
        | Node::Code { nodes, .. }
        | Node::Group { nodes, .. } => nodes,
        _ => &[],
    }
}

fn titled(label: &str, title: &[Node], nodes: &[Node], out: &mut String) {
    out.push_str(label);
    out.push(' ');
    push(title, out);
    out.push(' ');
    push(nodes, out);
}

fn captioned(label: &str, captions: &[Caption], out: &mut String) {
    out.push_str(label);
    for caption in captions {
        out.push(' ');
        titled("", &caption.title, &caption.nodes, out);
    }
    out.push(' ');
}

fn alt(graphic: &Graphics, out: &mut String) {
    out.push_str(&graphic.alt);
}

fn footnotes(items: &[Footnote], out: &mut String) {
    for note in items {
        out.push(' ');
        titled(&note.label, &[], &note.nodes, out);
    }
}

fn push_table(table: &Table, out: &mut String) {
    captioned(&table.label, &table.captions, out);
    for grid in &table.grids {
        push_grid(grid, out);
    }
    push(&table.nodes, out);
    push(&table.notes, out);
    footnotes(&table.footnotes, out);
}

fn push_grid(grid: &Grid, out: &mut String) {
    for row in grid.head.iter().chain(grid.bodies.iter().flatten()).chain(&grid.foot) {
        for cell in &row.cells {
            push(&cell.nodes, out);
            out.push(' ');
        }
    }
}

/// The text of a formula: of its MathML, else of its nodes, else its TeX source.
fn push_formula(formula: &Formula, out: &mut String) {
    if formula.mathml.is_empty() {
        if formula.nodes.is_empty() {
            out.push_str(&formula.latex);
        }
    } else {
        push_letters(&formula.mathml, out);
    }
    push(&formula.nodes, out);
    if !formula.label.is_empty() {
        out.push(' ');
        out.push_str(&formula.label);
    }
}

/// Appends the text between the tags of MathML.
fn push_letters(mathml: &str, out: &mut String) {
    let mut letters = String::new();
    for piece in mathml.split('<') {
        letters.push_str(piece.split_once('>').map_or(piece, |(_, text)| text));
    }
    out.push_str(&html_escape::decode_html_entities(&letters));
}

/// Appends the text of a list of references without folding.
pub fn push_refs(list: &RefList, out: &mut String) {
    if let Some(title) = &list.title {
        out.push_str(&title.plain);
    }
    push(&list.nodes, out);
    for reference in &list.refs {
        out.push(' ');
        out.push_str(&reference.label);
        for citation in &reference.citations {
            out.push(' ');
            push(&citation.nodes, out);
        }
        out.push(' ');
        push(&reference.notes, out);
    }
}
