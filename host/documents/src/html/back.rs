//! HTML of keywords, awards, footnotes and sub-articles.

use std::borrow::Cow;

use html_escape::decode_html_entities;
use masthead_domain::{
    article::{Contributor, Funding, KeywordGroup},
    content::{Contribution, Footnote, Part, SubArticle, text::plain},
    credit::CreditRole,
    text::letters,
};

use super::{
    Renderer, SectionKind,
    links::{escape, quote, safe_href},
};

/// The beginning of a keyword in the HTML of its section.
const KEYWORD: &str = "<li class=\"keyword\" data-keyword=\"";

/// The HTML of a section of keywords, with each keyword as a link to the address that `search` gives for its text. Rendering at import does not
/// know these addresses: they depend on the language of the page. A keyword that has a link already stays as it is.
#[must_use]
pub fn link_keywords(html: &str, search: impl Fn(&str) -> String) -> String {
    let mut parts = html.split(KEYWORD);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(KEYWORD);
        let keyword = part.split_once("\">").and_then(|(text, rest)| Some((text, rest.split_once("</li>")?)));
        match keyword {
            Some((text, (content, after))) if !text.is_empty() && !content.contains("<a ") => {
                let address = search(&decode_html_entities(text));
                out.push_str(&format!(
                    "{text}\"><a href=\"{}\" rel=\"nofollow\">{content}</a></li>{after}",
                    quote(&address)
                ));
            }
            _ => out.push_str(part),
        }
    }
    out
}

/// The beginning of the list of roles in the HTML of a section of contributions, and the end of each of its items.
const ROLES: &str = "<ul class=\"contributor-roles\">";
const ROLE_END: &str = "</li>";

/// The HTML of a section of contributions. If its list of roles is longer than `longest`, only the first `shown` of its items stay in it, and
/// behind it stands what `fold` makes of the number and the list of the others: rendering at import does not know in which language readers
/// are told of them.
#[must_use]
pub fn fold_roles(html: &str, shown: usize, longest: usize, fold: impl FnOnce(usize, &str) -> String) -> Cow<'_, str> {
    let whole = Cow::Borrowed(html);
    let Some((before, rest)) = html.split_once(ROLES) else { return whole };
    let Some((items, after)) = rest.split_once("</ul>") else { return whole };
    let ends: Vec<usize> = items.match_indices(ROLE_END).map(|(at, end)| at + end.len()).collect();
    let Some(end) = shown.checked_sub(1).and_then(|last| ends.get(last)).filter(|_| ends.len() > longest) else {
        return whole;
    };
    let (first, others) = items.split_at(*end);
    let folded = fold(ends.len() - shown, &format!("{ROLES}{others}</ul>"));
    Cow::Owned(format!("{before}{ROLES}{first}</ul>{folded}{after}"))
}

impl Renderer<'_> {
    pub(super) fn keywords(&mut self, groups: &[KeywordGroup]) {
        let ocis = |group: &&KeywordGroup| group.kind.eq_ignore_ascii_case("ocis");
        for kind in [SectionKind::Keywords, SectionKind::Ocis] {
            for group in groups.iter().filter(|group| ocis(group) == (kind == SectionKind::Ocis)) {
                let id = self.open(kind, "", &group.title, "");
                let html = self.within(&group.lang, |this, html| this.keyword_list(group, html));
                self.close(kind, group.lang.clone(), &group.title, id, html);
            }
        }
    }

    fn keyword_list(&mut self, group: &KeywordGroup, out: &mut String) {
        out.push_str(&format!("<ul class=\"keywords\" data-kind=\"{}\">", quote(&group.kind)));
        for (nodes, plain) in group.items.iter().zip(&group.plain) {
            out.push_str(&format!("{KEYWORD}{}\">", quote(plain)));
            self.inline(nodes, out);
            out.push_str("</li>");
        }
        out.push_str("</ul>");
    }

    /// Roles of contributors that the article's statements on contributions do not contain, as a list.
    pub(super) fn roles(&mut self, contributors: &[Contributor], statements: &[Contribution]) {
        let said: String = statements.iter().map(|one| letters(&plain(&one.part.nodes))).collect();
        let listed = |person: &&Contributor| {
            person.role == "author" && person.credit.iter().any(|role| !said.contains(&letters(role)))
        };
        let mut people = contributors.iter().filter(listed).peekable();
        if people.peek().is_none() {
            return;
        }
        let mut html = String::from(ROLES);
        for person in people {
            html.push_str(&format!(
                "<li><span class=\"contributor\">{}</span>: {}</li>",
                escape(&person.display_name()),
                roles_html(&person.credit)
            ));
        }
        html.push_str("</ul>");
        self.add_to_section(SectionKind::Contributions, &html);
    }

    /// Grants as a list: those that the article's statements on funding do not contain.
    pub(super) fn awards(&mut self, funding: &[Funding], statements: &[Part]) {
        let said: String = statements.iter().map(|one| letters(&plain(&one.nodes))).collect();
        let listed = |one: &&Funding| {
            let known = |text: &String| said.contains(&letters(text));
            !known(&one.source) || !one.awards.iter().all(known) || !one.recipients.iter().all(known)
        };
        let mut grants = funding.iter().filter(listed).peekable();
        if grants.peek().is_none() {
            return;
        }
        let mut html = String::from("<ul class=\"awards\">");
        for one in grants {
            html.push_str("<li>");
            match safe_href(&one.source_id, "") {
                Some(href) => html.push_str(&format!(
                    "<a href=\"{}\" rel=\"noopener noreferrer\">{}</a>",
                    quote(&href),
                    escape(&one.source)
                )),
                None => html.push_str(&escape(&one.source)),
            }
            if !one.awards.is_empty() {
                html.push_str(&format!(" <span class=\"award-ids\">({})</span>", escape(&one.awards.join(", "))));
            }
            if !one.recipients.is_empty() {
                html.push_str(&format!(
                    ": <span class=\"award-recipients\">{}</span>",
                    escape(&one.recipients.join(", "))
                ));
            }
            html.push_str("</li>");
        }
        html.push_str("</ul>");
        self.add_to_section(SectionKind::Funding, &html);
    }

    /// Appends to the last section if it is of this kind, so that it has one heading; else adds a section.
    fn add_to_section(&mut self, kind: SectionKind, html: &str) {
        match self.sections.last_mut().filter(|last| last.kind == kind && last.lang.is_empty()) {
            Some(last) => last.html.push_str(html),
            None => {
                let id = self.open(kind, "", "", "");
                self.close(kind, String::new(), "", id, html.to_owned());
            }
        }
    }

    pub(super) fn footnote_section(&mut self, notes: &[Footnote]) {
        if notes.is_empty() {
            return;
        }
        let id = self.open(SectionKind::Footnotes, "", "", "");
        let mut html = String::new();
        self.footnotes(notes, &mut html);
        self.close(SectionKind::Footnotes, String::new(), "", id, html);
    }

    pub(super) fn sub_article(&mut self, sub: &SubArticle, kind: SectionKind) {
        let title = sub.titles.first().map_or("", |title| title.plain.as_str());
        let id = self.open(kind, &sub.id, title, "");
        let html = self.within(&sub.lang, |this, html| this.sub_article_content(sub, html));
        self.close(kind, sub.lang.clone(), title, id, html);
    }

    fn sub_article_content(&mut self, sub: &SubArticle, out: &mut String) {
        self.offset += 1;
        if !sub.authors.is_empty() {
            out.push_str(&format!(
                "<p class=\"sub-authors\" data-own=\"\" data-type=\"{}\">{}</p>",
                quote(&sub.kind),
                escape(&sub.authors.join(", "))
            ));
        }
        if !sub.affiliations.is_empty() {
            out.push_str("<ul class=\"sub-affiliations\" data-own=\"\">");
            for affiliation in &sub.affiliations {
                out.push_str(&format!("<li>{}</li>", escape(affiliation)));
            }
            out.push_str("</ul>");
        }
        for note in &sub.notes {
            let attributes = self.lang_attr(&note.lang);
            let html = self.within(&note.lang, |this, html| this.flow(&note.nodes, html));
            out.push_str(&format!("<div class=\"sub-note\" data-own=\"\"{attributes}>{html}</div>"));
        }
        if let Some(href) = safe_href(&sub.doi, "doi") {
            out.push_str(&format!(
                "<p class=\"sub-doi\" data-own=\"\"><a href=\"{0}\" rel=\"noopener noreferrer\">{0}</a></p>",
                quote(&href)
            ));
        }
        let body = &sub.body;
        for one in body.abstracts.iter().chain(&body.abstract_graphic) {
            let part =
                Part { lang: one.lang.clone(), title: one.title.clone(), nodes: one.nodes.clone(), ..Part::default() };
            self.inner_part(&part, "abstract", out);
        }
        for group in &sub.keywords {
            if !group.title.is_empty() {
                out.push_str(&format!("<p class=\"minor-title\" data-own=\"\">{}</p>", escape(&group.title)));
            }
            self.keyword_list(group, out);
        }
        self.inner_parts(&body.highlights, "highlights", out);
        self.flow(&body.body, out);
        self.flow(&body.floats, out);
        for inner in &body.responses {
            self.inner_sub_article(inner, out);
        }
        for one in &body.contributions {
            self.inner_part(&one.part, "contributions", out);
        }
        for (parts, kind) in [
            (&body.acknowledgements, "acknowledgements"),
            (&body.supplementary, "supplementary"),
            (&body.conflict, "conflict"),
            (&body.ethics, "ethics"),
            (&body.funding, "funding"),
            (&body.supporting_data, "supporting-data"),
            (&body.glossary, "glossary"),
            (&body.appendix, "appendix"),
            (&body.notes, "notes"),
        ] {
            self.inner_parts(parts, kind, out);
        }
        self.footnotes(&body.footnotes, out);
        for list in &body.reference_lists {
            if let Some(title) = &list.title {
                self.heading(1, "", "", &title.nodes, out);
            }
            let id = self.id_attr(&list.id);
            out.push_str(&format!("<div class=\"references\" data-own=\"\"{id}>"));
            self.ref_list(list, out);
            out.push_str("</div>");
        }
        for inner in &body.sub_articles {
            self.inner_sub_article(inner, out);
        }
        self.offset -= 1;
    }

    fn inner_sub_article(&mut self, sub: &SubArticle, out: &mut String) {
        let attributes = format!("{}{}", self.id_attr(&sub.id), self.lang_attr(&sub.lang));
        out.push_str(&format!("<section class=\"sub-article\" data-own=\"\"{attributes}>"));
        if let Some(title) = sub.titles.first() {
            self.heading(1, "", "", &title.nodes, out);
        }
        let html = self.within(&sub.lang, |this, html| this.sub_article_content(sub, html));
        out.push_str(&html);
        out.push_str("</section>");
    }

    fn inner_parts(&mut self, parts: &[Part], kind: &str, out: &mut String) {
        for part in parts {
            self.inner_part(part, kind, out);
        }
    }

    fn inner_part(&mut self, part: &Part, kind: &str, out: &mut String) {
        let attributes = format!("{}{}", self.id_attr(&part.id), self.lang_attr(&part.lang));
        out.push_str(&format!("<section class=\"part\" data-part=\"{kind}\" data-own=\"{kind}\"{attributes}>"));
        let title = part.title.as_ref().map_or(&[][..], |title| &title.nodes);
        if part.title.is_some() || !part.label.is_empty() {
            self.heading(1, "", &part.label, title, out);
        }
        let html = self.within(&part.lang, |this, html| this.flow(&part.nodes, html));
        out.push_str(&html);
        out.push_str("</section>");
    }
}

fn roles_html(roles: &[String]) -> String {
    let shown = roles.iter().filter(|role| !role.is_empty()).map(|role| role_html(role));
    shown.collect::<Vec<_>>().join(", ")
}

/// A role as printed; one of the CRediT taxonomy leads to its definition.
fn role_html(printed: &str) -> String {
    match CreditRole::of(printed) {
        Some(role) => format!(
            "<a class=\"credit-role\" href=\"{}\" rel=\"noopener noreferrer\">{}</a>",
            quote(&role.address()),
            escape(printed)
        ),
        None => escape(printed).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{fold_roles, link_keywords, role_html};

    #[test]
    fn a_role_of_the_taxonomy_leads_to_its_definition() {
        assert_eq!(
            role_html("Data curation (lead)"),
            "<a class=\"credit-role\" href=\"https://credit.niso.org/contributor-roles/data-curation/\" \
             rel=\"noopener noreferrer\">Data curation (lead)</a>"
        );
        assert_eq!(role_html("Captain <1>"), "Captain &lt;1&gt;");
    }

    #[test]
    fn a_long_list_of_roles_is_divided_and_the_rest_of_the_section_stays() {
        let item = |name: &str| format!("<li><span class=\"contributor\">{name}</span>: x</li>");
        let list = |names: &[&str]| {
            let items: String = names.iter().map(|name| item(name)).collect();
            format!("<ul class=\"contributor-roles\">{items}</ul>")
        };
        let fold = |count: usize, rest: &str| format!("<details>{count}{rest}</details>");
        let section = |roles: &str| format!("<ul><li>said</li></ul>{roles}<p>end</p>");
        let long = section(&list(&["a", "b", "c", "d"]));
        let divided = section(&format!("{}<details>2{}</details>", list(&["a", "b"]), list(&["c", "d"])));
        assert_eq!(fold_roles(&long, 2, 3, fold), divided);
        assert_eq!(fold_roles(&long, 2, 4, fold), long, "nothing is folded for the sake of a few");
        assert_eq!(fold_roles("<p>none</p>", 2, 3, fold), "<p>none</p>");
    }

    #[test]
    fn keywords_become_links_once() {
        let html = "<ul class=\"keywords\" data-kind=\"\"><li class=\"keyword\" data-keyword=\"a &amp; &quot;b&quot;\">a &amp; <i>b</i></li>\
                    <li class=\"keyword\" data-keyword=\"c\"><a href=\"https://c.example\">c</a></li>\
                    <li class=\"keyword\" data-keyword=\"\">d</li></ul>";
        let linked = link_keywords(html, |text| format!("/search?q={}", text.replace(' ', "+")));
        assert_eq!(
            linked,
            "<ul class=\"keywords\" data-kind=\"\"><li class=\"keyword\" data-keyword=\"a &amp; &quot;b&quot;\">\
             <a href=\"/search?q=a+&amp;+&quot;b&quot;\" rel=\"nofollow\">a &amp; <i>b</i></a></li>\
             <li class=\"keyword\" data-keyword=\"c\"><a href=\"https://c.example\">c</a></li>\
             <li class=\"keyword\" data-keyword=\"\">d</li></ul>"
        );
        assert_eq!(link_keywords("<p>none</p>", str::to_owned), "<p>none</p>");
    }
}
