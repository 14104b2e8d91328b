//! The sections of an issue: the columns in the order of its editor, editorials first.

use std::collections::{HashMap, HashSet};

use masthead_domain::{
    card::ArticleCard,
    publication::{Issue, Journal},
    section::SectionNames,
};
use maud::{Markup, html};

use super::pdf;
use crate::page::{content::list, context::Context};

/// The articles of an issue in their order, with their addresses, and the numbers of those with a PDF.
pub struct Articles<'a> {
    /// The articles.
    pub cards: &'a [ArticleCard],
    /// Their addresses.
    pub hrefs: &'a [String],
    /// Numbers of those with a PDF.
    pub pdfs: &'a HashSet<i64>,
}

/// A section: its heading, or "", and the places of its articles.
pub struct Section {
    /// Heading as in the source of its first article.
    pub name: String,
    key: String,
    places: Vec<usize>,
}

/// The sections in order. The articles come in the order of the issue's editor already, as far as they name their sections in the editor's
/// language; editorials that no editor has placed go to the front. Articles whose sources name one section in different languages are in one.
pub fn sections(names: &SectionNames, issue: &Issue, cards: &[ArticleCard]) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for (place, card) in cards.iter().enumerate() {
        let key = names.key(&card.subject);
        match sections.iter_mut().find(|section| section.key == key) {
            Some(section) => section.places.push(place),
            None => sections.push(Section { name: card.subject.clone(), key, places: vec![place] }),
        }
    }
    let order: Vec<String> = issue.sections.iter().map(|name| names.key(name)).collect();
    // A stable sort: sections that no editor has placed keep their order.
    sections.sort_by_cached_key(|section| {
        let placed = order.iter().position(|key| *key == section.key);
        let of_editors = |place: &usize| cards.get(*place).is_some_and(|card| card.article_type == "editorial");
        let is_editorial = placed.is_none() && section.places.iter().all(of_editors);
        (!is_editorial, placed.unwrap_or(usize::MAX))
    });
    sections
}

/// Links to the sections.
pub fn jump(context: &Context<'_>, sections: &[Section]) -> Markup {
    html! {
        nav.section-jump aria-label=(context.texts.get("issue_sections")) {
            ul.facets {
                @for (number, section) in (1..).zip(sections).filter(|(_, section)| !section.name.is_empty()) {
                    li { a href={ "#section-" (number) } { (list::section_name(context, &section.name)) " " span.facet-count { (section.places.len()) } } }
                }
            }
        }
    }
}

/// The articles section by section.
pub fn in_sections(names: &SectionNames, issue: &Issue, cards: Vec<ArticleCard>) -> Vec<ArticleCard> {
    let order: Vec<usize> = sections(names, issue, &cards).into_iter().flat_map(|section| section.places).collect();
    let mut cards: Vec<Option<ArticleCard>> = cards.into_iter().map(Some).collect();
    order.into_iter().filter_map(|place| cards.get_mut(place).and_then(Option::take)).collect()
}

/// The articles under the headings of their sections; without headings where there is one section only, and on pages of an issue with more
/// articles than a page has (`paged`).
pub fn contents(
    context: &Context<'_>,
    journals: &[Journal],
    sections: &[Section],
    articles: &Articles<'_>,
    paged: bool,
) -> Markup {
    let draw = |places: &[usize], named: bool| {
        // Under its heading, an article does not repeat it.
        let of = |card: &ArticleCard| {
            if named { ArticleCard { subject: String::new(), ..card.clone() } } else { card.clone() }
        };
        let cards: Vec<ArticleCard> = places.iter().filter_map(|place| articles.cards.get(*place)).map(of).collect();
        let hrefs: Vec<String> = places.iter().filter_map(|place| articles.hrefs.get(*place)).cloned().collect();
        let tag = context.lang().tag();
        let more = |card: &ArticleCard| {
            let title = card.title(tag).map_or("", |title| title.plain.as_str());
            html! { @if articles.pdfs.contains(&card.id) { (pdf(context, card, title)) } }
        };
        list::articles_with(
            context,
            journals,
            (&cards, &hrefs),
            &HashMap::new(),
            paged,
            &list::Parts { more: &more, ..list::Parts::default() },
        )
    };
    if paged || sections.len() < 2 {
        let places: Vec<usize> = (0..articles.cards.len()).collect();
        return html! {
            h2.visually-hidden { (context.texts.get("articles")) }
            (draw(&places, false))
        };
    }
    html! {
        @for (number, section) in (1..).zip(sections) {
            section.block {
                @if section.name.is_empty() {
                    h2.visually-hidden { (context.texts.get("articles")) }
                } @else {
                    h2.toc-section id={ "section-" (number) } tabindex="-1" { (list::column(context, &section.name, "toc-column")) }
                }
                (draw(&section.places, true))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use masthead_domain::{Lang, LocalText};

    use super::*;

    fn card(id: i64, subject: &str, kind: &str) -> ArticleCard {
        ArticleCard { id, subject: subject.into(), article_type: kind.into(), ..ArticleCard::default() }
    }

    fn names(issue: &Issue, cards: &[ArticleCard]) -> Vec<String> {
        sections(&SectionNames::new(), issue, cards).into_iter().map(|section| section.name).collect()
    }

    #[test]
    fn editorials_come_first_unless_an_editor_has_placed_them() {
        let cards = [
            card(1, "Research", "research-article"),
            card(2, "Letters", "letter"),
            card(3, "Editorial", "editorial"),
            card(4, "Research", "research-article"),
        ];
        assert_eq!(names(&Issue::default(), &cards), ["Editorial", "Research", "Letters"]);
        let placed = Issue { sections: vec!["Research".into(), "editorial ".into()], ..Issue::default() };
        assert_eq!(
            names(&placed, &cards),
            ["Research", "Editorial", "Letters"],
            "what an editor has not placed comes behind"
        );
        let own = sections(&SectionNames::new(), &Issue::default(), &cards);
        assert_eq!(own[1].places, [0, 3], "a section is one, wherever its articles stand");
        let ids: Vec<i64> =
            in_sections(&SectionNames::new(), &Issue::default(), cards.to_vec()).iter().map(|card| card.id).collect();
        assert_eq!(ids, [3, 1, 4, 2]);
    }

    #[test]
    fn a_section_with_other_articles_is_no_editorial() {
        let cards = [card(1, "Letters", "letter"), card(2, "Voices", "editorial"), card(3, "Voices", "letter")];
        assert_eq!(names(&Issue::default(), &cards), ["Letters", "Voices"]);
        assert!(sections(&SectionNames::new(), &Issue::default(), &[]).is_empty());
    }

    #[test]
    fn articles_that_name_a_section_in_different_languages_are_in_one() {
        let mut known = SectionNames::new();
        let name = |zh: &str, en: &str| LocalText([(Lang::Zh, zh.to_owned()), (Lang::En, en.to_owned())].into());
        known.add(&name("论文", "Research"));
        let cards = [
            card(1, "Letters", "letter"),
            card(2, "论文", "research-article"),
            card(3, "RESEARCH", "research-article"),
        ];
        let places = |issue: &Issue| -> Vec<Vec<usize>> {
            sections(&known, issue, &cards).into_iter().map(|section| section.places).collect()
        };
        assert_eq!(places(&Issue::default()), [vec![0], vec![1, 2]]);
        let placed = Issue { sections: vec!["Research".into()], ..Issue::default() };
        assert_eq!(places(&placed), [vec![1, 2], vec![0]], "the editor's order, in whatever language it is");
    }
}
