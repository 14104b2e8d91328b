//! HTML that plugins give: sanitized before it stands on a page of the site.

use std::{collections::HashSet, sync::LazyLock};

use ammonia::Builder;

static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = Builder::default();
    builder
        .rm_tags(["img", "map", "area"])
        .url_schemes(HashSet::from(["http", "https", "mailto"]))
        .link_rel(Some("noopener nofollow"))
        .strip_comments(true);
    builder
});

/// The HTML without anything that runs, loads or leaves its place.
#[must_use]
pub fn clean(html: &str) -> String {
    CLEANER.clean(html).to_string()
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn nothing_runs_or_loads() {
        let html = clean(
            "<p onclick=x>a<script>1</script><img src=x onerror=1><iframe src=/></iframe><a href=\"javascript:1\">b</a><style>p{}</style></p><form></form>",
        );
        for bad in ["script", "img", "onclick", "iframe", "javascript", "style", "form"] {
            assert!(!html.contains(bad), "{bad} in {html}");
        }
        assert!(html.contains("<p>a") && html.contains('b'));
    }
}
