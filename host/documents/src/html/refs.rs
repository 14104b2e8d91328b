//! HTML of references.

use masthead_domain::content::{Citation, Node, RefList, Reference};

use super::{
    Renderer, SectionKind,
    links::{escape, quote},
};

impl Renderer<'_> {
    pub(super) fn reference_section(&mut self, list: &RefList) {
        let title = list.title.as_ref().map_or("", |title| title.plain.as_str());
        let id = self.open(SectionKind::References, &list.id, title, "");
        let mut html = String::new();
        self.ref_list(list, &mut html);
        self.close(SectionKind::References, String::new(), title, id, html);
    }

    pub(super) fn ref_list(&mut self, list: &RefList, out: &mut String) {
        self.flow(&list.nodes, out);
        if list.refs.is_empty() {
            return;
        }
        let class = if list.refs.iter().any(|one| !one.label.is_empty()) { "ref-list labelled" } else { "ref-list" };
        out.push_str(&format!("<ol class=\"{class}\">"));
        for reference in &list.refs {
            self.reference(reference, out);
        }
        out.push_str("</ol>");
    }

    fn reference(&mut self, reference: &Reference, out: &mut String) {
        self.generated += 1;
        let fallback = format!("ref-{}", self.generated);
        let id = self.claim(&reference.id, &fallback);
        let title = reference
            .citations
            .iter()
            .map(|one| if one.title.is_empty() { &one.plain } else { &one.title })
            .find(|title| !title.is_empty());
        let title: String = title.map(|title| title.chars().take(300).collect()).unwrap_or_default();
        out.push_str(&format!("<li class=\"ref\" id=\"{}\" data-title=\"{}\">", quote(&id), quote(&title)));
        if !reference.label.is_empty() {
            out.push_str(&format!("<span class=\"ref-label\">{}</span> ", escape(&reference.label)));
        }
        for citation in &reference.citations {
            self.citation(citation, out);
        }
        if !reference.notes.is_empty() {
            out.push_str("<div class=\"ref-note\">");
            self.flow(&reference.notes, out);
            out.push_str("</div>");
        }
        out.push_str("</li>");
    }

    fn citation(&mut self, citation: &Citation, out: &mut String) {
        let attributes = format!("{}{}", self.id_attr(&citation.id), self.lang_attr(&citation.lang));
        out.push_str(&format!("<div class=\"citation\"{attributes}>"));
        self.flow_or_line(&citation.nodes, out);
        let mut links = Vec::new();
        let linked = |part: &str| linked(&citation.nodes, part);
        if !citation.doi.is_empty() && !linked(&citation.doi) {
            links.push(("ref-doi", format!("https://doi.org/{}", citation.doi)));
        }
        if !citation.url.is_empty() && !linked(&citation.url) && !citation.plain.contains(&citation.url) {
            links.push(("ref-url", citation.url.clone()));
        }
        for (class, href) in links {
            out.push(' ');
            if let Some(href) = super::links::safe_href(&href, "") {
                out.push_str(&format!(
                    "<a class=\"{class}\" href=\"{}\" rel=\"noopener noreferrer\">{}</a>",
                    quote(&href),
                    escape(&href)
                ));
            }
        }
        out.push_str("</div> ");
    }
}

/// Whether the citation's text contains a link to this address already.
fn linked(nodes: &[Node], part: &str) -> bool {
    let part = part.to_ascii_lowercase();
    nodes.iter().any(|node| match node {
        Node::ExtLink { href, .. } => href.to_ascii_lowercase().contains(&part),
        other => linked(masthead_domain::content::text::children(other), &part),
    })
}
