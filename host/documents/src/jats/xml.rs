//! Accessors for elements of JATS.

pub(super) use masthead_domain::content::text::fold;
pub(super) use masthead_xml::node::{
    attr, child, child_text, children, elements, href, lang, name, own_lang, path, text,
};

pub(super) type X<'a, 'i> = masthead_xml::Node<'a, 'i>;

/// The id, or "".
pub(super) fn id(x: X) -> String {
    attr(x, "id").to_owned()
}

/// A type from a fixed list of JATS, or the one given beside `custom`.
pub(super) fn typed<'a>(x: X<'a, '_>, key: &str) -> &'a str {
    match (attr(x, key), attr(x, "custom-type")) {
        ("custom", custom) if !custom.is_empty() => custom,
        (kind, _) => kind,
    }
}
