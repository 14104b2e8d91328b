//! Accessors for nodes of a parsed tree. Names are local names, without prefix.

use roxmltree::Node;

use masthead_domain::{content::text::fold, lang::language_tag};

/// Namespace of XLink.
pub const XLINK: &str = "http://www.w3.org/1999/xlink";
const XML: &str = "http://www.w3.org/XML/1998/namespace";

/// The element's name without prefix.
#[must_use]
pub fn name<'a>(x: Node<'a, '_>) -> &'a str {
    x.tag_name().name()
}

/// The value of an attribute without namespace, trimmed; "" if it is missing.
#[must_use]
pub fn attr<'a>(x: Node<'a, '_>, key: &str) -> &'a str {
    x.attribute(key).unwrap_or_default().trim()
}

/// The address of a link: `xlink:href`, else `href`, else "".
#[must_use]
pub fn href(x: Node) -> String {
    x.attribute((XLINK, "href")).or_else(|| x.attribute("href")).unwrap_or_default().trim().to_owned()
}

/// The element's own `xml:lang`, or "".
#[must_use]
pub fn own_lang(x: Node) -> String {
    x.attribute((XML, "lang")).map(language_tag).unwrap_or_default()
}

/// The nearest `xml:lang` of the element and its ancestors, or "".
#[must_use]
pub fn lang(x: Node) -> String {
    x.ancestors().find_map(|up| up.attribute((XML, "lang"))).map(language_tag).unwrap_or_default()
}

/// The first child element with this name.
#[must_use]
pub fn child<'a, 'i>(x: Node<'a, 'i>, child_name: &str) -> Option<Node<'a, 'i>> {
    x.children().find(|c| c.is_element() && name(*c) == child_name)
}

/// The child elements with this name.
pub fn children<'a, 'i: 'a>(x: Node<'a, 'i>, child_name: &'a str) -> impl Iterator<Item = Node<'a, 'i>> {
    x.children().filter(move |c| c.is_element() && name(*c) == child_name)
}

/// All child elements.
pub fn elements<'a, 'i: 'a>(x: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    x.children().filter(|c| c.is_element())
}

/// The first element on a path of child element names.
#[must_use]
pub fn path<'a, 'i>(x: Node<'a, 'i>, names: &[&str]) -> Option<Node<'a, 'i>> {
    names.iter().try_fold(x, |at, child_name| child(at, child_name))
}

/// The text of all descendants, white space folded.
#[must_use]
pub fn text(x: Node) -> String {
    let mut all = String::new();
    for node in x.descendants().filter(|node| node.is_text()) {
        all.push_str(node.text().unwrap_or_default());
    }
    fold(&all)
}

/// Text of the first child with this name, or "".
#[must_use]
pub fn child_text(x: Node, child_name: &str) -> String {
    child(x, child_name).map(text).unwrap_or_default()
}
