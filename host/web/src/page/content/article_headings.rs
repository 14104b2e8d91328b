//! The headings of an article's sections: in one language, that of the page.

use std::collections::{HashMap, HashSet};

use masthead_documents::html::{OutlineEntry, RenderedArticle, RenderedSection, SectionKind};
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

/// The outline: the headings of the sections, and the headings within the body and within appendices.
pub(super) fn outline(
    rendered: &RenderedArticle,
    sections: &[&RenderedSection],
    headings: &[Option<Heading>],
) -> Vec<OutlineLink> {
    let appendices = within_appendices(rendered);
    let mut lines = Vec::new();
    for (section, heading) in sections.iter().zip(headings) {
        if let Some(heading) = heading {
            lines.push(OutlineLink { id: section.id.clone(), level: 1, title: heading.plain() });
        }
        if section.kind == SectionKind::Body {
            let body = rendered.outline.iter().filter(|entry| entry.section == SectionKind::Body);
            lines.extend(body.map(|entry| line(entry, entry.level)));
        }
        let inner = appendices.get(section.id.as_str()).into_iter().flatten();
        // An appendix has a heading of its own, below which these stand whatever level their source gives them.
        lines.extend(inner.map(|entry| line(entry, entry.level.max(2))));
    }
    lines
}

/// The headings within each appendix, by the id of its section: an entry of the outline names the kind of its section only, and follows the
/// entry of the section itself.
fn within_appendices(rendered: &RenderedArticle) -> HashMap<&str, Vec<&OutlineEntry>> {
    let sections: HashSet<&str> = rendered.sections.iter().map(|section| section.id.as_str()).collect();
    let (mut found, mut current) = (HashMap::<&str, Vec<&OutlineEntry>>::new(), "");
    for entry in rendered.outline.iter().filter(|entry| entry.section == SectionKind::Appendix) {
        if sections.contains(entry.id.as_str()) {
            current = entry.id.as_str();
        } else {
            found.entry(current).or_default().push(entry);
        }
    }
    found
}

fn line(entry: &OutlineEntry, level: u8) -> OutlineLink {
    let title = if entry.label.is_empty() { entry.title.clone() } else { format!("{} {}", entry.label, entry.title) };
    OutlineLink { id: entry.id.clone(), level, title }
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
    fn the_outline_has_the_headings_within_the_body_and_within_each_appendix() {
        use SectionKind::{Acknowledgements, Appendix, Body};
        let entry = |section: SectionKind, id: &str, level: u8, label: &str, title: &str| OutlineEntry {
            id: id.into(),
            level,
            label: label.into(),
            title: title.into(),
            section,
        };
        let rendered = RenderedArticle {
            sections: vec![
                section(Body, "", "", "body"),
                section(Acknowledgements, "", "", "thanks"),
                section(Appendix, "", "Appendix A", "app-a"),
                section(Appendix, "", "Appendix B", "app-b"),
            ],
            outline: vec![
                entry(Body, "s1", 1, "1", "Tides"),
                entry(Body, "s2", 2, "", "Gauges"),
                entry(Acknowledgements, "thanks", 1, "", ""),
                entry(Acknowledgements, "ships", 2, "", "Ships"),
                entry(Appendix, "app-a", 1, "", "Appendix A"),
                entry(Appendix, "a1", 2, "A.1", "Stations"),
                entry(Appendix, "a2", 3, "", "Depths"),
                entry(Appendix, "app-b", 1, "", "Appendix B"),
                entry(Appendix, "b1", 1, "", "Moorings"),
            ],
            ..RenderedArticle::default()
        };
        let messages = Messages::load().unwrap();
        let sections: Vec<&RenderedSection> = rendered.sections.iter().collect();
        let headings = headings(&Texts::new(&messages, Lang::En), "en", &sections);
        let lines = outline(&rendered, &sections, &headings);
        let lines: Vec<_> = lines.iter().map(|line| (line.id.as_str(), line.level, line.title.as_str())).collect();
        let expected = [
            ("s1", 1, "1 Tides"),
            ("s2", 2, "Gauges"),
            ("thanks", 1, "Acknowledgements"),
            ("app-a", 1, "Appendix A"),
            ("a1", 2, "A.1 Stations"),
            ("a2", 3, "Depths"),
            ("app-b", 1, "Appendix B"),
            ("b1", 2, "Moorings"),
        ];
        assert_eq!(lines, expected);
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
