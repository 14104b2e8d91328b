//! The languages in which the text of an article, or a part of it, can be read.

use masthead_documents::html::{RenderedSection, SectionKind};
use masthead_domain::{Lang, article::ArticleMeta, lang::same_language};
use maud::{Markup, html};

use crate::page::context::Context;

/// A language of the text, and the section with which the text in it begins.
#[derive(Debug, PartialEq, Eq)]
struct Version<'a> {
    lang: &'a str,
    id: &'a str,
}

/// Links to the text in each of its languages; nothing if there is one language only. The shell reads the attributes `data-text-languages`
/// and `data-text-language`, and puts original and translation side by side.
pub(super) fn links(context: &Context<'_>, meta: &ArticleMeta, sections: &[&RenderedSection]) -> Markup {
    let versions = versions(&meta.language, sections);
    html! {
        @if versions.len() > 1 {
            nav.text-languages data-text-languages aria-label=(context.texts.get("text_languages")) lang=(context.lang().tag()) dir=(context.lang().dir()) {
                @for Version { lang, id } in &versions {
                    a href={ "#" (id) } lang=(lang) data-text-language=(lang) { (Lang::from_tag(lang).map_or(*lang, |lang| lang.name())) } " "
                }
            }
        }
    }
}

/// The article's own language, and those of its translations: of the whole text (a part published with the article) or of the abstract.
fn versions<'a>(own: &'a str, sections: &[&'a RenderedSection]) -> Vec<Version<'a>> {
    let of_article = |section: &&&RenderedSection| section.lang.is_empty() || same_language(&section.lang, own);
    let Some(first) = sections.iter().find(of_article) else { return Vec::new() };
    let mut versions = vec![Version { lang: own, id: &first.id }];
    for section in sections.iter().filter(|section| !of_article(section)) {
        let whole = section.kind == SectionKind::SubArticle;
        if !whole && section.kind != SectionKind::Abstract {
            continue;
        }
        match versions.iter_mut().find(|version| same_language(version.lang, &section.lang)) {
            Some(version) if whole => version.id = &section.id,
            Some(_) => {}
            None => versions.push(Version { lang: &section.lang, id: &section.id }),
        }
    }
    versions
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(kind: SectionKind, lang: &str, id: &str) -> RenderedSection {
        RenderedSection { kind, lang: lang.into(), title: String::new(), id: id.into(), html: String::new() }
    }

    fn found(sections: &[RenderedSection]) -> Vec<(String, String)> {
        let sections: Vec<&RenderedSection> = sections.iter().collect();
        let version = |one: Version<'_>| (one.lang.to_owned(), one.id.to_owned());
        versions("zh", &sections).into_iter().map(version).collect()
    }

    #[test]
    fn a_translation_of_the_whole_text_counts_before_that_of_the_abstract() {
        let all = [
            section(SectionKind::Abstract, "zh", "a-abstract"),
            section(SectionKind::Abstract, "en", "a-abstract-2"),
            section(SectionKind::Abstract, "fr", "a-abstract-3"),
            section(SectionKind::Keywords, "ru", "a-keywords"),
            section(SectionKind::Body, "", "a-body"),
            section(SectionKind::SubArticle, "en", "a-s1"),
        ];
        let expected = [("zh", "a-abstract"), ("en", "a-s1"), ("fr", "a-abstract-3")];
        assert_eq!(found(&all), expected.map(|(lang, id)| (lang.to_owned(), id.to_owned())));
    }

    #[test]
    fn one_language_alone_and_no_text_at_all_are_no_choice() {
        assert_eq!(
            found(&[section(SectionKind::Body, "", "a-body"), section(SectionKind::SubArticle, "zh-CN", "a-s1")]).len(),
            1
        );
        assert!(found(&[]).is_empty());
    }
}
