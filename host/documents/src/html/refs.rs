//! HTML of references.

use masthead_domain::{
    content::{Citation, Node, RefList, Reference},
    lang::same_language,
};

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
        out.push_str(&format!(
            "<li class=\"ref\" data-ref=\"\" id=\"{}\" data-title=\"{}\">",
            quote(&id),
            quote(&title)
        ));
        if !reference.label.is_empty() {
            out.push_str(&format!("<span class=\"ref-label\" data-mark=\"\">{}</span> ", escape(&reference.label)));
        }
        for citation in own_language_first(&reference.citations, &self.lang) {
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
        out.push_str(&format!("<div class=\"citation\" data-citation=\"\"{attributes}>"));
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

/// The citations of a reference, those in this language first. Where one of them is in no declared language, they may be several works
/// under one label, whose order is that of the source.
fn own_language_first<'a>(citations: &'a [Citation], lang: &str) -> Vec<&'a Citation> {
    let mut ordered: Vec<&Citation> = citations.iter().collect();
    if ordered.iter().all(|one| !one.lang.is_empty()) {
        ordered.sort_by_key(|one| !same_language(&one.lang, lang));
    }
    ordered
}

/// Whether the citation's text contains a link to this address already.
fn linked(nodes: &[Node], part: &str) -> bool {
    let part = part.to_ascii_lowercase();
    nodes.iter().any(|node| match node {
        Node::ExtLink { href, .. } => href.to_ascii_lowercase().contains(&part),
        other => linked(masthead_domain::content::text::children(other), &part),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn citations_in_the_language_of_the_article_come_first() {
        let citations = |langs: &[&str]| -> Vec<Citation> {
            let one = |(at, lang): (usize, &&str)| Citation {
                lang: (*lang).into(),
                plain: at.to_string(),
                ..Citation::default()
            };
            langs.iter().enumerate().map(one).collect()
        };
        let order = |langs: &[&str], lang: &str| -> String {
            own_language_first(&citations(langs), lang).iter().map(|one| one.plain.as_str()).collect()
        };
        assert_eq!(order(&["zh", "en"], "en"), "10");
        assert_eq!(order(&["zh", "en-GB", "en"], "en"), "120", "those of one language keep their order");
        assert_eq!(order(&["zh-Hans", "en"], "zh"), "01");
        assert_eq!(order(&["zh", "en"], "fr"), "01");
        assert_eq!(order(&["", "en"], "en"), "01", "works under one label keep the order of the source");
    }
}
