//! Moves figures and tables of the source's float group behind the paragraph that first refers to them.

use masthead_domain::content::{ArticleBody, Node};

/// Moves floats into the body; those without a reference stay in `floats`.
pub(super) fn place(body: &mut ArticleBody) {
    if body.floats.is_empty() {
        return;
    }
    let mut waiting: Vec<Option<Node>> = std::mem::take(&mut body.floats).into_iter().map(Some).collect();
    visit(&mut body.body, &mut waiting);
    for part in &mut body.appendix {
        visit(&mut part.nodes, &mut waiting);
    }
    body.floats = waiting.into_iter().flatten().collect();
}

fn visit(nodes: &mut Vec<Node>, waiting: &mut Vec<Option<Node>>) {
    let mut at = 0;
    while at < nodes.len() {
        let mut found = Vec::new();
        if let Some(node) = nodes.get_mut(at) {
            match node {
                Node::Sec { nodes, .. } => visit(nodes, waiting),
                _ => mentioned(std::slice::from_ref(node), &mut found),
            }
        }
        at += 1;
        for rid in found {
            let float = waiting
                .iter_mut()
                .find(|float| float.as_ref().is_some_and(|float| holds(float, &rid)))
                .and_then(Option::take);
            if let Some(float) = float {
                nodes.insert(at, float);
                at += 1;
            }
        }
    }
}

fn holds(node: &Node, target: &str) -> bool {
    match node {
        Node::Fig(fig) => fig.id == target,
        Node::Table(table) => table.id == target,
        Node::FigGroup(group) => group.id == target || group.nodes.iter().any(|inner| holds(inner, target)),
        Node::Boxed { id, nodes, .. } | Node::Group { id, nodes, .. } => {
            id == target || nodes.iter().any(|inner| holds(inner, target))
        }
        Node::Media(media) | Node::Supplementary(media) => media.id == target,
        Node::Graphic(_) | Node::DispFormula(_) => false,
        _ => false,
    }
}

fn mentioned(nodes: &[Node], found: &mut Vec<String>) {
    for node in nodes {
        match node {
            Node::Xref { rids, nodes, .. } => {
                found.extend(rids.iter().cloned());
                mentioned(nodes, found);
            }
            Node::List { items, .. } => items.iter().for_each(|item| mentioned(&item.nodes, found)),
            Node::DefList { items, .. } => {
                items.iter().flat_map(|item| &item.defs).for_each(|def| mentioned(def, found))
            }
            Node::Quote { nodes, .. }
            | Node::Boxed { nodes, .. }
            | Node::Statement { nodes, .. }
            | Node::Speech { nodes, .. } => mentioned(nodes, found),
            other => mentioned(masthead_domain::content::text::children(other), found),
        }
    }
}
