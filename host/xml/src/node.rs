//! Small readers of a parsed tree; names are local names.

use roxmltree::Node;

use masthead_domain::{content::text::fold, lang::language_tag};

/// Namespace of XLink.
pub const XLINK: &str = "http://www.w3.org/1999/xlink";
const XML: &str = "http://www.w3.org/XML/1998/namespace";

/// Name without prefix.
#[must_use]
pub fn name<'a>(x: Node<'a, '_>) -> &'a str {
    x.tag_name().name()
}

/// The attribute without namespace, trimmed, or "".
#[must_use]
pub fn attr<'a>(x: Node<'a, '_>, key: &str) -> &'a str {
    x.attribute(key).unwrap_or_default().trim()
}

/// The address of a link: `xlink:href`, else `href`, else "".
#[must_use]
pub fn href(x: Node) -> String {
    x.attribute((XLINK, "href")).or_else(|| x.attribute("href")).unwrap_or_default().trim().to_owned()
}

/// The language that the element itself declares, or "".
#[must_use]
pub fn own_lang(x: Node) -> String {
    x.attribute((XML, "lang")).map(language_tag).unwrap_or_default()
}

/// The language declared nearest upwards, or "".
#[must_use]
pub fn lang(x: Node) -> String {
    x.ancestors().find_map(|up| up.attribute((XML, "lang"))).map(language_tag).unwrap_or_default()
}

/// The first child element of this name.
#[must_use]
pub fn child<'a, 'i>(x: Node<'a, 'i>, wanted: &str) -> Option<Node<'a, 'i>> {
    x.children().find(|c| c.is_element() && name(*c) == wanted)
}

/// The child elements of this name.
pub fn children<'a, 'i: 'a>(x: Node<'a, 'i>, wanted: &'a str) -> impl Iterator<Item = Node<'a, 'i>> {
    x.children().filter(move |c| c.is_element() && name(*c) == wanted)
}

/// All child elements.
pub fn elements<'a, 'i: 'a>(x: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    x.children().filter(|c| c.is_element())
}

/// The first element on a path of child names.
#[must_use]
pub fn path<'a, 'i>(x: Node<'a, 'i>, names: &[&str]) -> Option<Node<'a, 'i>> {
    names.iter().try_fold(x, |at, wanted| child(at, wanted))
}

/// All text below, white space folded.
#[must_use]
pub fn text(x: Node) -> String {
    let mut all = String::new();
    for node in x.descendants().filter(|node| node.is_text()) {
        all.push_str(node.text().unwrap_or_default());
    }
    fold(&all)
}

/// Text of the first child of this name, or "".
#[must_use]
pub fn child_text(x: Node, wanted: &str) -> String {
    child(x, wanted).map(text).unwrap_or_default()
}
