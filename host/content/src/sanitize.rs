//! Sanitizes HTML from plugins and imported resources before it becomes part of a page.

use std::{collections::HashSet, sync::LazyLock};

use ammonia::Builder;
use masthead_domain::resource::Resource;

static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = Builder::default();
    builder
        .rm_tags(["img", "map", "area"])
        .url_schemes(HashSet::from(["http", "https", "mailto"]))
        .link_rel(Some("noopener nofollow"))
        .strip_comments(true);
    builder
});

/// Removes scripts, styles, images, event handlers and everything else that executes code or loads resources. Ids and names are
/// removed, too, because scripts of the page find its own elements by them.
#[must_use]
pub fn clean(html: &str) -> String {
    CLEANER.clean(html).to_string()
}

/// Sanitizes all HTML fields of a resource.
#[must_use]
pub fn cleaned<T: Resource>(mut resource: T) -> T {
    for html in resource.html_fields() {
        *html = clean(html);
    }
    resource
}

#[cfg(test)]
mod tests {
    use masthead_domain::{Lang, LocalText, resource::News};

    use super::{clean, cleaned};

    #[test]
    fn html_fields_of_a_resource_are_sanitized() {
        let news = News { content: LocalText::of(Lang::En, "<p>a<script>b</script></p>"), ..News::default() };
        assert_eq!(cleaned(news).content.get(Lang::En), "<p>a</p>");
    }

    #[test]
    fn ids_and_names_are_removed() {
        let html = clean("<p id=\"bootstrap\">a</p><a name=\"main\" id=\"app\" href=\"https://a.example/\">b</a>");
        assert!(!html.contains("id=") && !html.contains("name="), "{html}");
        assert!(html.contains("<p>a</p>") && html.contains("href=\"https://a.example/\""), "{html}");
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
