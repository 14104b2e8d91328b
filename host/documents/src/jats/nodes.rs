//! Operations on lists of content nodes that all parts of the importer use.

use masthead_domain::content::Node;

/// Appends nodes; a text node that follows a text node is joined to it.
pub(super) fn append(out: &mut Vec<Node>, nodes: Vec<Node>) {
    for node in nodes {
        match (out.last_mut(), node) {
            (Some(Node::Text { text: last }), Node::Text { text }) => last.push_str(&text),
            (_, node) => out.push(node),
        }
    }
}

/// Wraps each run of inline nodes by `make`; blocks among them are not wrapped, because HTML allows no block within inline
/// elements.
pub(super) fn wrap(nodes: Vec<Node>, out: &mut Vec<Node>, make: &dyn Fn(Vec<Node>) -> Node) {
    if !nodes.iter().any(Node::is_block) {
        out.push(make(nodes));
        return;
    }
    let mut run = Vec::new();
    for node in nodes {
        if node.is_block() {
            if !blank(&run) {
                out.push(make(std::mem::take(&mut run)));
            }
            run.clear();
            out.push(node);
        } else {
            run.push(node);
        }
    }
    if !blank(&run) {
        out.push(make(run));
    }
}

/// Whether the nodes are white space only.
pub(super) fn blank(nodes: &[Node]) -> bool {
    nodes.iter().all(|node| matches!(node, Node::Text { text } if text.trim().is_empty()))
}

/// Removes white space at both ends.
pub(super) fn trim(nodes: &mut Vec<Node>) {
    while let Some(Node::Text { text }) = nodes.first_mut() {
        // In place: the text of a whole article may be one node.
        let start = text.len() - text.trim_start().len();
        text.drain(..start);
        if !text.is_empty() {
            break;
        }
        nodes.remove(0);
    }
    while let Some(Node::Text { text }) = nodes.last_mut() {
        text.truncate(text.trim_end().len());
        if !text.is_empty() {
            break;
        }
        nodes.pop();
    }
}
