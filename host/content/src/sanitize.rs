//! Sanitizes HTML from plugins and imported resources before it becomes part of a page.

use std::{collections::HashSet, sync::LazyLock};

use ammonia::Builder;
use masthead_domain::{link, resource::Resource, text::without_tags};
use serde_json::Value;

use crate::bounded_html::{self, HtmlLimits};

/// More than texts that people write have, and little enough for the parser.
const BOUNDS: HtmlLimits = HtmlLimits { depth: 512, elements: 500_000 };

static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = Builder::default();
    builder
        .rm_tags(["img", "map", "area"])
        .url_schemes(HashSet::from(["http", "https", "mailto"]))
        // Only with it can a text say the direction of a part in another script.
        .add_generic_attributes(["dir"])
        .link_rel(Some("noopener nofollow"))
        .strip_comments(true);
    builder
});

/// Removes scripts, styles, images, event handlers and everything else that executes code or loads resources. Ids and names are
/// removed, too, because scripts of the page find its own elements by them. Of HTML whose elements are too many or too deep, the words are
/// left.
#[must_use]
pub fn clean(html: &str) -> String {
    match bounded_html::reduced(html, BOUNDS) {
        Ok(html) => CLEANER.clean(&html).to_string(),
        Err(_) => without_tags(html).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"),
    }
}

/// Keys of resources whose value is an address that pages load or link to; that of `captions` is a table of them by language.
pub(crate) const ADDRESSES: [&str; 8] = ["cover", "photo", "file", "logo", "icon", "linkValue", "homepage", "captions"];

/// The resource with its HTML fields sanitized.
///
/// # Errors
/// A message, if it has an address that no page may have.
pub fn cleaned<T: Resource>(mut resource: T) -> anyhow::Result<T> {
    let value = serde_json::to_value(&resource)?;
    if let Some((key, address)) = refused_address("", &value) {
        anyhow::bail!("{key} is {address:?}, which is neither an http(s) address nor one of this host");
    }
    for html in resource.html_fields() {
        *html = clean(html);
    }
    Ok(resource)
}

/// The first refused address in a value, with the key of the resource that it stands under.
fn refused_address<'a>(key: &'a str, value: &'a Value) -> Option<(&'a str, &'a str)> {
    match value {
        Value::Object(fields) => fields.iter().find_map(|(name, inner)| {
            refused_address(if ADDRESSES.contains(&key) { key } else { name.as_str() }, inner)
        }),
        Value::Array(all) => all.iter().find_map(|inner| refused_address(key, inner)),
        Value::String(address) if ADDRESSES.contains(&key) && !address.is_empty() => {
            (!link::is_own_or_web(address)).then_some((key, address.as_str()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_domain::{
        Lang, LocalText,
        resource::{Attachment, Expert, FriendLink, News, Video},
    };

    use super::{clean, cleaned};

    #[test]
    fn a_direction_is_kept() {
        assert_eq!(clean("<p dir=\"rtl\" onclick=\"x()\">م</p>"), "<p dir=\"rtl\">م</p>");
    }

    #[test]
    fn html_fields_of_a_resource_are_sanitized() {
        let news = News { content: LocalText::of(Lang::En, "<p>a<script>b</script></p>"), ..News::default() };
        assert_eq!(cleaned(news).unwrap().content.get(Lang::En), "<p>a</p>");
    }

    #[test]
    fn resources_with_addresses_that_run_scripts_are_refused() {
        let bad = || "javascript:alert(1)".to_owned();
        let errors = [
            cleaned(News { link_value: bad(), ..News::default() }).err(),
            cleaned(News { cover: "javascript://a.example/%0aalert(1)".to_owned(), ..News::default() }).err(),
            cleaned(News { attachments: vec![Attachment { name: "x".into(), file: bad() }], ..News::default() }).err(),
            cleaned(Expert { homepage: "data:text/html,x".to_owned(), ..Expert::default() }).err(),
            cleaned(FriendLink { logo: "//evil.example/a.svg".to_owned(), ..FriendLink::default() }).err(),
            cleaned(Video { captions: LocalText::of(Lang::En, bad()), ..Video::default() }).err(),
        ];
        let keys = ["linkValue", "cover", "file", "homepage", "logo", "captions"];
        for (error, key) in errors.into_iter().zip(keys) {
            assert!(error.is_some_and(|error| error.to_string().starts_with(&format!("{key} is "))), "{key}");
        }
    }

    #[test]
    fn addresses_of_this_host_and_of_servers_are_kept() {
        let news = News {
            key: "javascript:no-address".to_owned(),
            cover: "/media/1/ab.svg".to_owned(),
            link_value: "https://a.example/".to_owned(),
            ..News::default()
        };
        assert_eq!(cleaned(news.clone()).unwrap(), news);
    }

    #[test]
    fn ids_and_names_are_removed() {
        let html = clean("<p id=\"bootstrap\">a</p><a name=\"main\" id=\"app\" href=\"https://a.example/\">b</a>");
        assert!(!html.contains("id=") && !html.contains("name="), "{html}");
        assert!(html.contains("<p>a</p>") && html.contains("href=\"https://a.example/\""), "{html}");
    }

    #[test]
    fn words_are_left_of_html_whose_tree_would_be_too_large() {
        let html = clean(&("<div>".repeat(100_000) + "a &lt;b&gt; c<script"));
        assert!(html.starts_with("a &lt;b&gt; c") && !html.contains("<"), "{html}");
    }

    /// Without divided texts, this takes minutes.
    #[test]
    fn a_long_text_of_characters_that_are_escaped_is_cleaned() {
        let html = clean(&format!("<p>{}</p>", "&".repeat(3 << 20)));
        assert_eq!(html.len(), "<p></p>".len() + "&amp;".len() * (3 << 20));
        assert!(html.starts_with("<p>&amp;") && html.ends_with("&amp;</p>"));
    }

    #[test]
    fn active_content_is_removed() {
        let html = clean(
            "<p onclick=x>a<script>1</script><img src=x onerror=1><iframe src=/></iframe><a href=\"javascript:1\">b</a><style>p{}</style></p><form></form>",
        );
        for bad in ["script", "img", "onclick", "iframe", "javascript", "style", "form"] {
            assert!(!html.contains(bad), "{bad} in {html}");
        }
        assert!(html.contains("<p>a") && html.contains('b'));
    }
}
