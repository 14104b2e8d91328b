//! A row of links in the footer, as it reads before its module is loaded and without scripts.

use masthead_domain::{Lang, link::is_web};
use maud::{Markup, html};
use serde_json::Value;

/// Writes the row of any contribution whose properties hold `title`, a text, and `links`, a list of objects with `name`, a text, and `address`, an
/// absolute HTTP address. A text is a string or an object from the codes of languages to strings. Other properties give nothing.
pub fn link_row(properties: &Value, lang: Lang) -> Markup {
    let links = properties.get("links").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    html! {
        @if !links.is_empty() {
            div.frame-row {
                span { (text(properties.get("title"), lang)) }
                ul {
                    @for link in links {
                        @if let Some(address) = address(link) {
                            li { a href=(address) rel="noopener" { bdi { (text(link.get("name"), lang)) } } }
                        }
                    }
                }
            }
        }
    }
}

/// The text in the page's language, else in English, else in Chinese.
fn text(value: Option<&Value>, lang: Lang) -> &str {
    let Some(value) = value else { return "" };
    let in_language = |code: &str| value.get(code).and_then(Value::as_str);
    value
        .as_str()
        .or_else(|| in_language(lang.code()))
        .or_else(|| in_language(Lang::En.code()))
        .or_else(|| in_language(Lang::Zh.code()))
        .unwrap_or_default()
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
            "<div class=\"frame-row\"><span>Partners</span><ul><li><a href=\"https://a.example/\" rel=\"noopener\"><bdi>A &lt; B</bdi></a></li></ul></div>"
        );
        assert_eq!(link_row(&json!({ "links": [] }), Lang::En).into_string(), "");
        assert_eq!(link_row(&json!(["other"]), Lang::En).into_string(), "");
    }
}
