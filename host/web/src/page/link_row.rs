//! A row of links in the footer, as it reads before its module is loaded and without scripts.

use masthead_domain::{Lang, link::is_web};
use maud::{Markup, html};
use serde_json::Value;

/// Writes the row of any contribution whose properties hold `title`, a text, and `links`, a list of objects with `name`, a text, and `address`, an
/// absolute HTTP address. A text is a string or an object from the codes of languages to strings. Other properties give nothing. A text in another
/// language than the page's says so, as in the module that takes the row's place (`ui-modules/footer-friendship-links`).
pub fn link_row(properties: &Value, lang: Lang) -> Markup {
    let links = properties.get("links").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let dir = |other: Option<Lang>| other.map(Lang::dir).filter(|dir| *dir != lang.dir());
    html! {
        @if !links.is_empty() {
            div.frame-row {
                @let (title, other) = text(properties.get("title"), lang);
                span lang=[other.map(Lang::tag)] dir=[dir(other)] { (title) }
                ul {
                    @for link in links {
                        @let (name, other) = text(link.get("name"), lang);
                        @if let Some(address) = address(link).filter(|_| !name.is_empty()) {
                            li { a href=(address) rel="noopener" { bdi lang=[other.map(Lang::tag)] dir=[dir(other)] { (name) } } }
                        }
                    }
                }
            }
        }
    }
}

/// The text in the page's language, else in English, else in Chinese, and its language if that is known and not the page's.
fn text(value: Option<&Value>, lang: Lang) -> (&str, Option<Lang>) {
    let Some(value) = value else { return ("", None) };
    let in_language = |one: Lang| {
        let text = value.get(one.code())?.as_str().filter(|text| !text.is_empty())?;
        Some((text, (one != lang).then_some(one)))
    };
    let plain = value.as_str().map(|text| (text, None));
    plain.or_else(|| [lang, Lang::En, Lang::Zh].into_iter().find_map(in_language)).unwrap_or_default()
}

fn address(link: &Value) -> Option<&str> {
    link.get("address")?.as_str().filter(|address| is_web(address))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn texts_follow_the_language_and_addresses_their_scheme() {
        let properties = json!({ "title": { "en": "Partners", "zh": "伙伴" }, "links": [
            { "name": "A < B", "address": "https://a.example/" },
            { "name": { "zh": "甲" }, "address": "javascript:alert(1)" },
        ] });
        assert_eq!(
            link_row(&properties, Lang::Ru).into_string(),
            "<div class=\"frame-row\"><span lang=\"en\">Partners</span><ul><li><a href=\"https://a.example/\" rel=\"noopener\"><bdi>A &lt; B</bdi></a></li></ul></div>"
        );
        assert_eq!(link_row(&json!({ "links": [] }), Lang::En).into_string(), "");
        assert_eq!(link_row(&json!(["other"]), Lang::En).into_string(), "");
    }

    /// The same names as in `ui-modules/footer-friendship-links/test/view.test.tsx`.
    #[test]
    fn a_name_in_another_language_than_the_page_says_so() {
        let name = |name: Value, lang: Lang| {
            let properties = json!({ "title": "T", "links": [{ "name": name, "address": "https://a.example/" }] });
            let row = link_row(&properties, lang).into_string();
            row.split_once("<bdi").and_then(|(_, rest)| rest.split_once("</bdi>")).map(|(name, _)| name.to_owned())
        };
        let both = || json!({ "zh": "甲", "en": "A" });
        let shown = |name: &str| Some(name.to_owned());
        assert_eq!(name(both(), Lang::En), shown(">A"));
        assert_eq!(name(both(), Lang::Ru), shown(" lang=\"en\">A"));
        assert_eq!(name(both(), Lang::Ara), shown(" lang=\"en\" dir=\"ltr\">A"));
        assert_eq!(name(json!({ "zh": "甲", "en": "" }), Lang::Kor), shown(" lang=\"zh\">甲"));
        assert_eq!(name(json!({ "ara": "أ" }), Lang::Ara), shown(">أ"));
        assert_eq!(name(json!({ "ru": "А" }), Lang::En), None);
    }
}
