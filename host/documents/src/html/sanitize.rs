//! Sanitizing of every rendered fragment: an allow list of what the renderer produces, enforced by an HTML parser.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use ammonia::{Builder, UrlRelative};

use super::ids;
use crate::math;

/// Allowed elements of HTML; those of MathML are in [`math::ELEMENTS`].
pub const TAGS: &[&str] = &[
    "a",
    "abbr",
    "aside",
    "audio",
    "b",
    "blockquote",
    "br",
    "caption",
    "code",
    "dd",
    "div",
    "dl",
    "dt",
    "figcaption",
    "figure",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "img",
    "li",
    "ol",
    "p",
    "pre",
    "rt",
    "ruby",
    "s",
    "section",
    "span",
    "sub",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "u",
    "ul",
    "video",
];

static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut attributes: HashMap<&str, HashSet<&str>> = HashMap::from([
        ("a", HashSet::from(["href", "rel"])),
        ("img", HashSet::from(["src", "alt", "width", "height", "loading", "decoding"])),
        ("ol", HashSet::from(["start", "type"])),
        ("td", HashSet::from(["rowspan", "colspan"])),
        ("th", HashSet::from(["rowspan", "colspan", "scope"])),
        ("video", HashSet::from(["src", "controls", "preload"])),
        ("audio", HashSet::from(["src", "controls", "preload"])),
    ]);
    for element in math::ELEMENTS {
        attributes.insert(element, math::ATTRIBUTES.iter().copied().collect());
    }
    attributes.entry("math").or_default().insert("alttext");
    let mut builder = Builder::default();
    builder
        .tags(TAGS.iter().chain(math::ELEMENTS).copied().collect())
        .generic_attributes(HashSet::from([
            "id",
            "class",
            "lang",
            "dir",
            "title",
            "role",
            "tabindex",
            "aria-label",
            "aria-labelledby",
        ]))
        .generic_attribute_prefixes(HashSet::from(["data-"]))
        .tag_attributes(attributes)
        // The renderer writes the prefix itself; an id without it came past the renderer.
        .id_prefix(Some(ids::PREFIX))
        .url_schemes(HashSet::from(["http", "https", "mailto"]))
        .url_relative(UrlRelative::PassThrough)
        .link_rel(None)
        .strip_comments(true);
    builder
});

/// The fragment reduced to allowed elements and attributes.
#[must_use]
pub fn clean(html: &str) -> String {
    CLEANER.clean(html).to_string()
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn mathml_is_kept() {
        let math = "<math display=\"block\" alttext=\"x\"><mfrac linethickness=\"0\"><mi mathvariant=\"normal\">d</mi><mrow><mo stretchy=\"true\">(</mo><mspace width=\"1em\"></mspace><mtext>a</mtext></mrow></mfrac></math>";
        assert_eq!(clean(math), math);
    }

    #[test]
    fn every_id_has_the_prefix() {
        let hostile = "<p id=\"bootstrap\">x</p><math><mi id=\"main\">y</mi></math><p id=\"a-main\">z</p>";
        let safe = "<p id=\"a-bootstrap\">x</p><math><mi id=\"a-main\">y</mi></math><p id=\"a-main\">z</p>";
        assert_eq!(clean(hostile), safe);
    }

    #[test]
    fn other_elements_and_attributes_are_removed() {
        let hostile = "<p onclick=\"x\" style=\"y\">a<script>b</script><a href=\"javascript:x\">c</a><iframe src=\"//d\"></iframe><form><input></form></p><math><mtext><style><img src=x onerror=y></style></mtext></math>";
        let made = clean(hostile);
        for bad in ["onclick", "style", "script", "iframe", "form", "onerror", "<img"] {
            assert!(!made.contains(bad), "{bad}: {made}");
        }
        assert!(made.contains("<p>a<a>c</a>"), "{made}");
    }
}
