//! The sentence of an article that mentions one of its figures or tables.

use masthead_documents::html::RenderedArticle;
use masthead_domain::text::without_tags;
use masthead_search::sentence_at;

/// Marks the place of a cross-reference in the text. Texts have no characters of this private area; if one has, it is lost here.
const PLACE: char = '\u{f8f0}';

/// The first sentence of the article's paragraphs with a cross-reference to the element of this id; `None` if there is none. The result
/// depends on the sections that `article` has: without a permit, those of the full text are missing ([`crate::readable_article::rendered`]).
#[must_use]
pub fn of(article: &RenderedArticle, id: &str) -> Option<String> {
    article.sections.iter().find_map(|section| within(&section.html, id))
}

fn within(html: &str, id: &str) -> Option<String> {
    let single = format!(" href=\"#{id}\"");
    let mut from = 0;
    while let Some(found) = next(&html[from..], &single, id) {
        let at = from + found;
        if let Some(paragraph) = paragraph(html, at) {
            let opening = html[..at].rfind('<')?;
            let parts = [&html[paragraph.start..opening], &html[opening..paragraph.end]];
            let text = without_tags(&parts.map(|part| untagged(part).replace(PLACE, "")).join(&PLACE.to_string()));
            let place = text.find(PLACE)?;
            return Some(sentence_at(&text.replace(PLACE, ""), place).to_owned());
        }
        from = at + 1;
    }
    None
}

/// A paragraph without its tags: they stand within words and beside punctuation. The renderer writes `<` and `>` of texts and values as entities.
fn untagged(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    for part in html.split('<') {
        text.push_str(part.split_once('>').map_or(part, |(_, behind)| behind));
    }
    text
}

/// The next cross-reference to the element: alone, or as one of several.
fn next(html: &str, single: &str, id: &str) -> Option<usize> {
    const SEVERAL: &str = " data-rids=\"";
    let one = html.find(single);
    let mut from = 0;
    let several = std::iter::from_fn(|| {
        let at = from + html.get(from..)?.find(SEVERAL)?;
        from = at + SEVERAL.len();
        Some(at)
    })
    .find(|at| {
        let value = html[at + SEVERAL.len()..].split('"').next().unwrap_or_default();
        value.split(' ').any(|rid| rid == id)
    });
    [one, several].into_iter().flatten().min()
}

/// The paragraph around a place.
fn paragraph(html: &str, at: usize) -> Option<std::ops::Range<usize>> {
    let start = html[..at].rfind("<p")?;
    let is_paragraph = html[start + 2..].starts_with(['>', ' ']);
    let end = at + html[at..].find("</p>")?;
    (is_paragraph && !html[start..at].contains("</p>")).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use masthead_documents::html::{RenderedSection, SectionKind};

    use super::*;

    fn article(html: &str) -> RenderedArticle {
        let section = RenderedSection {
            kind: SectionKind::Body,
            lang: "en".into(),
            title: String::new(),
            id: "a-body".into(),
            html: html.into(),
        };
        RenderedArticle { sections: vec![section], ..RenderedArticle::default() }
    }

    #[test]
    fn the_sentence_with_the_first_reference_is_found() {
        let html = "<p>It rose. The <i>tide</i> (<a class=\"xref\" href=\"#a-F1\">Fig. 1</a>) fell &amp; rose. \
                    It fell.</p><p class=\"x\">See <a class=\"xref\" data-rids=\"a-F2 a-F3\" href=\"#a-F2\">Figs 2–3</a>. End.</p>";
        assert_eq!(of(&article(html), "a-F1").as_deref(), Some("The tide (Fig. 1) fell & rose."));
        assert_eq!(of(&article(html), "a-F3").as_deref(), Some("See Figs 2–3."), "one of several");
        assert_eq!(of(&article(html), "a-F"), None);
        assert_eq!(of(&RenderedArticle::default(), "a-F1"), None);
    }

    #[test]
    fn references_outside_of_paragraphs_are_none() {
        let caption = "<figcaption>As <a class=\"xref\" href=\"#a-F1\">Fig. 1</a>.</figcaption>";
        assert_eq!(of(&article(caption), "a-F1"), None);
        let both = format!("<p>No.</p>{caption}<p>Yes, <a class=\"xref\" href=\"#a-F1\">this</a>.</p>");
        assert_eq!(of(&article(&both), "a-F1").as_deref(), Some("Yes, this."));
        assert_eq!(of(&article("<pre> href=\"#a-F1\"</pre></p>"), "a-F1"), None);
    }

    #[test]
    fn a_character_of_the_private_area_does_no_harm() {
        let html = format!("<p>{PLACE}One. Two {PLACE}<a href=\"#a-F1\">x</a>.</p>");
        assert_eq!(of(&article(&html), "a-F1").as_deref(), Some("Two x."));
    }
}
