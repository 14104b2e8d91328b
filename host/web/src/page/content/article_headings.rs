//! The headings of an article's sections: in one language, that of the page.

use masthead_documents::html::{RenderedArticle, RenderedSection, SectionKind};
use masthead_domain::{
    Lang,
    lang::{direction, same_language},
};
use maud::{Markup, html};

use crate::{
    i18n::Texts,
    page::{content::bidi, types::OutlineLink},
};

/// The heading of a section.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Heading {
    text: String,
    /// Whether the text is in the page's language, and not the one of the source.
    own: bool,
    /// The language of the section, where another section on the page has the same heading.
    of: Option<String>,
}

impl Heading {
    /// The heading as plain text.
    pub(super) fn plain(&self) -> String {
        self.of.as_ref().map_or_else(|| self.text.clone(), |tag| format!("{} ({})", self.text, name(tag)))
    }

    /// The content of the heading's element, which stands in a section with this language. The element itself has the direction of the
    /// section, so that it stands above its text.
    pub(super) fn html(&self, page: Lang, section: &str) -> Markup {
        let other = self.own && !same_language(section, page.tag());
        html! {
            @if other { bdi lang=(page.tag()) dir=(page.dir()) { (self.text) } } @else { (self.text) }
            @if let Some(tag) = &self.of { " " bdi lang=(tag) dir=(direction(tag)) { "(" (name(tag)) ")" } }
        }
    }
}

/// The name of a language in the language itself, else its tag.
fn name(tag: &str) -> &str {
    Lang::from_tag(tag).map_or(tag, |lang| lang.name())
}

/// The headings of these sections of an article with this language; `None` for the body, which has its own headings inside.
///
/// A heading of the source stays where it is in the page's language, where it says more than the kind of its section, and where the page
/// would give several sections of one language the same heading.
pub(super) fn headings(texts: &Texts<'_>, language: &str, sections: &[&RenderedSection]) -> Vec<Option<Heading>> {
    let page = texts.lang;
    let of = |section: &RenderedSection| language_of(section, language).to_owned();
    let same_kind = |one: &RenderedSection| {
        let others = sections.iter().filter(|other| other.kind == one.kind && other.id != one.id);
        others.map(|other| of(other)).collect::<Vec<_>>()
    };
    let heading = |section: &&RenderedSection| {
        let key = key(section.kind)?;
        let (written, others) = (of(section), same_kind(section));
        let alone = !others.iter().any(|other| same_language(other, &written));
        let readable = same_language(&written, page.tag());
        let own = section.title.is_empty() || (!readable && alone && !says_more(section.kind));
        let text = if own { texts.get(key).to_owned() } else { section.title.clone() };
        // The section in the page's language needs no further name.
        let named = own && !readable && !others.is_empty();
        Some(Heading { text, own, of: named.then_some(written) })
    };
    sections.iter().map(heading).collect()
}

/// The language of a section in an article with this language.
pub(super) fn language_of<'a>(section: &'a RenderedSection, language: &'a str) -> &'a str {
    if section.lang.is_empty() { language } else { &section.lang }
}

/// Whether headings of such sections are titles, which no general name replaces.
const fn says_more(kind: SectionKind) -> bool {
    matches!(
        kind,
        SectionKind::Appendix | SectionKind::SubArticle | SectionKind::ExpertComment | SectionKind::Footnotes
    )
}

/// The message that names sections of a kind.
const fn key(kind: SectionKind) -> Option<&'static str> {
    Some(match kind {
        SectionKind::Body => return None,
        SectionKind::Abstract => "abstract",
        SectionKind::GraphicAbstract => "graphical_abstract",
        SectionKind::Keywords => "keywords",
        SectionKind::Ocis => "ocis",
        SectionKind::Highlights => "highlights",
        SectionKind::ExpertComment => "expert_comment",
        SectionKind::Contributions => "contributions",
        SectionKind::Acknowledgements => "acknowledgements",
        SectionKind::Supplementary => "supplementary",
        SectionKind::Conflict => "conflict",
        SectionKind::Ethics => "ethics",
        SectionKind::Funding => "funding",
        SectionKind::SupportingData => "supporting_data",
        SectionKind::Glossary => "glossary",
        SectionKind::Appendix => "appendix",
        SectionKind::Footnotes => "footnotes",
        SectionKind::References => "references",
        SectionKind::SubArticle => "sub_article",
    })
}

/// The outline: the headings of the sections, and the headings within the body.
pub(super) fn outline(
    rendered: &RenderedArticle,
    sections: &[&RenderedSection],
    headings: &[Option<Heading>],
) -> Vec<OutlineLink> {
    let mut lines = Vec::new();
    for (section, heading) in sections.iter().zip(headings) {
        if let Some(heading) = heading {
            lines.push(OutlineLink { id: section.id.clone(), level: 1, title: heading.plain() });
        }
        if section.kind == SectionKind::Body {
            lines.extend(rendered.outline.iter().filter(|entry| entry.section == SectionKind::Body).map(|entry| {
                let title = if entry.label.is_empty() {
                    entry.title.clone()
                } else {
                    format!("{} {}", entry.label, entry.title)
                };
                OutlineLink { id: entry.id.clone(), level: entry.level, title }
            }));
        }
    }
    lines
}

/// The outline as a list of links.
pub(super) fn list(outline: &[OutlineLink]) -> Markup {
    html! { ol { @for line in outline { li data-level=(line.level) { a href={ "#" (line.id) } { (bidi::isolated(&line.title)) } } } } }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::i18n::Messages;

    fn section(kind: SectionKind, lang: &str, title: &str, id: &str) -> RenderedSection {
        RenderedSection { kind, lang: lang.into(), title: title.into(), id: id.into(), html: String::new() }
    }

    fn plain(page: Lang, language: &str, sections: &[RenderedSection]) -> Vec<String> {
        let messages = Messages::load().unwrap();
        let sections: Vec<&RenderedSection> = sections.iter().collect();
        let headings = headings(&Texts::new(&messages, page), language, &sections);
        headings.iter().map(|one| one.as_ref().map(Heading::plain).unwrap_or_default()).collect()
    }

    #[test]
    fn the_headings_of_a_page_are_in_its_language() {
        let sections = [
            section(SectionKind::Abstract, "zh", "摘要", "a"),
            section(SectionKind::Abstract, "en", "Summary", "b"),
            section(SectionKind::Keywords, "zh", "", "c"),
            section(SectionKind::Body, "", "", "d"),
            section(SectionKind::Acknowledgements, "", "致谢", "e"),
            section(SectionKind::Appendix, "", "附录 A 站位", "f"),
            section(SectionKind::References, "", "参考文献", "g"),
        ];
        let english = ["Abstract (中文)", "Summary", "Keywords", "", "Acknowledgements", "附录 A 站位", "References"];
        assert_eq!(plain(Lang::En, "zh", &sections), english);
        let chinese = ["摘要", "摘要 (English)", "关键词", "", "致谢", "附录 A 站位", "参考文献"];
        assert_eq!(plain(Lang::Zh, "zh", &sections), chinese);
    }

    #[test]
    fn sections_of_one_kind_and_language_keep_their_headings() {
        let lists = [
            section(SectionKind::References, "", "Literatur", "a"),
            section(SectionKind::References, "", "Quellen", "b"),
        ];
        assert_eq!(plain(Lang::En, "de", &lists), ["Literatur", "Quellen"]);
        assert_eq!(plain(Lang::En, "de", &lists[..1]), ["References"]);
    }

    #[test]
    fn a_heading_in_the_pages_language_is_isolated_from_its_section() {
        let heading = Heading { text: "الملخص".into(), own: true, of: Some("en".into()) };
        assert_eq!(
            heading.html(Lang::Ara, "en").into_string(),
            "<bdi lang=\"ar\" dir=\"rtl\">الملخص</bdi> <bdi lang=\"en\" dir=\"ltr\">(English)</bdi>"
        );
        let same = Heading { of: None, ..heading };
        assert_eq!(same.html(Lang::Ara, "ar").into_string(), "الملخص");
    }
}
