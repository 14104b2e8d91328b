//! Texts whose direction may be another than that of the page. Each is isolated from what stands around it: otherwise the parts of a DOI or a
//! date change places on a page that is read from right to left, and punctuation at the end of a foreign name moves to its other side.

use masthead_domain::{Lang, LocalText, lang::direction};
use maud::{Markup, PreEscaped, html};

/// The value of the attribute `lang` for a language, if it is known.
pub fn tag(lang: &str) -> Option<&str> {
    Some(lang).filter(|lang| !lang.is_empty())
}

/// A DOI, an ISSN, a range of pages: what is written from left to right in every language.
pub fn ltr(text: &str) -> Markup {
    html! { bdi dir="ltr" { (text) } }
}

/// An ISO date.
pub fn date(iso: &str) -> Markup {
    html! { time datetime=(iso) dir="ltr" { (iso) } }
}

/// The day of an ISO date, which may have a time.
pub fn day(iso: &str) -> Markup {
    date(iso.get(..10).unwrap_or(iso))
}

/// A name or another text of an unknown language: its first letter decides.
pub fn isolated(text: &str) -> Markup {
    html! { bdi { (text) } }
}

/// The value of the attribute `dir` for a text with this BCP 47 tag; without a tag, the text decides itself.
pub fn dir(lang: &str) -> &'static str {
    if lang.is_empty() { "auto" } else { direction(lang) }
}

/// A text for readers of the page's language; one that exists in another language only says so.
pub fn local(text: &LocalText, page: Lang) -> Markup {
    match text.chosen(page) {
        Some((lang, text)) if lang == page => html! { (text) },
        Some((lang, text)) => html! { bdi lang=(lang.tag()) dir=(lang.dir()) { (text) } },
        None => html! {},
    }
}

/// Texts between separators.
pub fn joined(parts: &[Markup], separator: &str) -> Markup {
    html! { @for (index, part) in parts.iter().enumerate() { @if index > 0 { (separator) } (part) } }
}

/// A message with placeholders such as `{{pages}}`, each value isolated.
pub fn message(message: &str, values: &[(&str, &str)]) -> Markup {
    let mut out = String::new();
    let mut rest = message;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((name, behind)) = after.split_once("}}") else { break };
        out.push_str(&html! { (before) }.into_string());
        if let Some((_, value)) = values.iter().find(|(known, _)| *known == name) {
            out.push_str(&ltr(value).into_string());
        }
        rest = behind;
    }
    out.push_str(&html! { (rest) }.into_string());
    PreEscaped(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_messages_are_isolated() {
        assert_eq!(
            message("{{year}}، العدد {{issue}} & {{x", &[("year", "2026"), ("issue", "3-4")]).into_string(),
            "<bdi dir=\"ltr\">2026</bdi>، العدد <bdi dir=\"ltr\">3-4</bdi> &amp; {{x"
        );
    }

    #[test]
    fn a_text_in_another_language_says_so() {
        let title = LocalText::of(Lang::En, "Tides & eels");
        assert_eq!(local(&title, Lang::En).into_string(), "Tides &amp; eels");
        assert_eq!(local(&title, Lang::Ara).into_string(), "<bdi lang=\"en\" dir=\"ltr\">Tides &amp; eels</bdi>");
        assert_eq!(local(&LocalText::default(), Lang::Ara).into_string(), "");
        assert_eq!((dir("ar-EG"), dir("en"), dir("")), ("rtl", "ltr", "auto"));
    }

    #[test]
    fn identifiers_dates_and_names_are_isolated() {
        assert_eq!(ltr("10.5555/a<b").into_string(), "<bdi dir=\"ltr\">10.5555/a&lt;b</bdi>");
        assert_eq!(date("2026-03-01").into_string(), "<time datetime=\"2026-03-01\" dir=\"ltr\">2026-03-01</time>");
        assert_eq!(joined(&[isolated("A."), isolated("B")], "، ").into_string(), "<bdi>A.</bdi>، <bdi>B</bdi>");
    }
}
