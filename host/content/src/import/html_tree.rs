//! The elements of sanitized HTML. The sanitizer writes balanced tags, attributes in quotation marks and few entities.

use masthead_xml::{Child, Element};

/// Reads the elements of sanitized HTML.
///
/// # Errors
/// A message, if they are nested deeper than `depth`.
pub(super) fn read(clean: &str, depth: usize) -> anyhow::Result<Element> {
    let mut open = vec![Element::default()];
    let mut rest = clean;
    while !rest.is_empty() {
        let Some(tag) = rest.strip_prefix('<') else {
            let (text, after) = rest.split_at(rest.find('<').unwrap_or(rest.len()));
            add(&mut open, Child::Text(decoded(text)));
            rest = after;
            continue;
        };
        if let Some(end) = tag.strip_prefix('/') {
            rest = end.split_once('>').map_or("", |(_, after)| after);
            if open.len() > 1
                && let Some(closed) = open.pop()
            {
                add(&mut open, Child::Element(closed));
            }
            continue;
        }
        let (element, after) = start_tag(tag)?;
        rest = after;
        if matches!(element.name.as_str(), "br" | "hr" | "img") {
            add(&mut open, Child::Element(element));
        } else {
            anyhow::ensure!(open.len() < depth, "the elements of the page are nested more than {depth} deep");
            open.push(element);
        }
    }
    while open.len() > 1 {
        if let Some(closed) = open.pop() {
            add(&mut open, Child::Element(closed));
        }
    }
    Ok(open.pop().unwrap_or_default())
}

fn add(open: &mut [Element], child: Child) {
    if let Some(parent) = open.last_mut() {
        parent.children.push(child);
    }
}

/// The element of a start tag behind its `<`, and the text behind the tag.
fn start_tag(tag: &str) -> anyhow::Result<(Element, &str)> {
    let broken = || anyhow::anyhow!("the page cannot be sanitized");
    let end = tag.find([' ', '>']).ok_or_else(broken)?;
    let (name, mut rest) = tag.split_at(end);
    let mut element = Element { name: name.to_owned(), ..Element::default() };
    loop {
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix('>') {
            return Ok((element, after));
        }
        let (name, value) = rest.split_once("=\"").ok_or_else(broken)?;
        let (value, after) = value.split_once('"').ok_or_else(broken)?;
        element.attributes.push((name.to_owned(), decoded(value)));
        rest = after;
    }
}

/// The text of what the sanitizer has escaped.
fn decoded(text: &str) -> String {
    let plain = text.replace("&nbsp;", "\u{a0}").replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    plain.replace("&amp;", "&")
}
