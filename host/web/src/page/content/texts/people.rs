//! Experts as cards and in detail.

use masthead_domain::{
    Lang,
    link::{is_own, is_web},
    resource::{Expert, Stored},
};
use maud::{Markup, PreEscaped, html};
use serde_json::{Value, json};

use crate::page::{content::bidi, context::Context};

/// An expert in a list; `current` marks the one whose details are shown beside the list.
pub fn card(lang: Lang, expert: &Expert, href: &str, current: bool) -> Markup {
    html! {
        li.person {
            (portrait(expert, "96"))
            div {
                a.person-name href=(href) aria-current=[current.then_some("true")] { (bidi::local(&expert.name, lang)) }
                @if !expert.position_title.is_empty() { p { (bidi::local(&expert.position_title, lang)) } }
                @if !expert.organization.is_empty() { p { (bidi::local(&expert.organization, lang)) } }
            }
        }
    }
}

/// The portrait, or the first letter of the name where there is none.
fn portrait(expert: &Expert, size: &str) -> Markup {
    let letter = expert.name.get(Lang::Zh).trim().chars().next();
    html! {
        @if is_own(&expert.photo) {
            img.portrait src=(expert.photo) alt="" width=(size) height=(size) loading="lazy";
        } @else if let Some(letter) = letter {
            span.portrait aria-hidden="true" { (letter) }
        }
    }
}

/// An expert in detail, without the name.
pub fn details(context: &Context<'_>, expert: &Expert) -> Markup {
    let (lang, texts) = (context.lang(), &context.texts);
    let bio = expert.bio.chosen(lang);
    html! {
        div.person-details {
            (portrait(expert, "192"))
            div {
                dl.facts {
                    @for (key, text) in [
                        ("person_title", &expert.position_title),
                        ("field_author_company", &expert.organization),
                        ("research_fields", &expert.fields),
                    ] {
                        @if !text.is_empty() { div { dt { (texts.get(key)) } dd { (bidi::local(text, lang)) } } }
                    }
                    @if let Some(orcid) = orcid(expert) {
                        div { dt { "ORCID iD" } dd { a href=(orcid) rel="noopener" { (bidi::ltr(&expert.orcid)) } } }
                    }
                    @if is_web(&expert.homepage) {
                        div { dt { (texts.get("website")) } dd { a href=(expert.homepage) rel="noopener" { (bidi::ltr(&expert.homepage)) } } }
                    }
                }
                @if let Some((of, text)) = bio {
                    // The HTML was sanitized when the expert was imported.
                    div.page-body lang=(of.tag()) dir=(of.dir()) { (PreEscaped(text)) }
                }
            }
        }
    }
}

/// The address of the ORCID iD, if the expert has a well-formed one.
fn orcid(expert: &Expert) -> Option<String> {
    let is_part = |c: char| c.is_ascii_digit() || c == '-' || c == 'X';
    let is_orcid = expert.orcid.len() == 19 && expert.orcid.chars().all(is_part);
    is_orcid.then(|| format!("https://orcid.org/{}", expert.orcid))
}

/// The expert as a person of schema.org.
pub fn json_ld(lang: Lang, stored: &Stored<Expert>) -> Value {
    let expert = &stored.value;
    let mut person = json!({ "@context": "https://schema.org", "@type": "Person", "name": expert.name.get(lang) });
    let texts = [
        ("jobTitle", expert.position_title.get(lang).to_owned()),
        ("affiliation", expert.organization.get(lang).to_owned()),
        ("identifier", orcid(expert).unwrap_or_default()),
        ("url", if is_web(&expert.homepage) { expert.homepage.clone() } else { String::new() }),
    ];
    if let Some(object) = person.as_object_mut() {
        let given = texts.into_iter().filter(|(_, text)| !text.is_empty());
        object.extend(given.map(|(name, text)| (name.to_owned(), Value::from(text))));
    }
    person
}

#[cfg(test)]
mod tests {
    use masthead_domain::LocalText;

    use super::*;

    #[test]
    fn only_a_well_formed_orcid_becomes_a_link() {
        let of = |orcid: &str| super::orcid(&Expert { orcid: orcid.into(), ..Expert::default() });
        assert_eq!(of("0000-0009-1000-003X").as_deref(), Some("https://orcid.org/0000-0009-1000-003X"));
        assert_eq!((of(""), of("0000"), of("0000-0009-1000-0/..")), (None, None, None));
    }

    #[test]
    fn an_expert_with_nothing_but_a_name_has_no_empty_facts() {
        let expert = Expert { name: LocalText::of(Lang::En, "A. Name"), ..Expert::default() };
        let person = card(Lang::En, &expert, "/en/scholar/1", true).into_string();
        assert!(person.contains("aria-current=\"true\"") && person.contains(">A</span>"), "{person}");
        let value = json_ld(Lang::En, &Stored { id: 1, value: expert });
        assert_eq!(value, json!({ "@context": "https://schema.org", "@type": "Person", "name": "A. Name" }));
    }
}
