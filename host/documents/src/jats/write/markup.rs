//! Elements, texts and hints as events of an XML writer: escaping is the writer's, what XML forbids is dropped here.

use std::borrow::Cow;

use quick_xml::{
    Writer,
    events::{BytesDecl, BytesEnd, BytesPI, BytesStart, BytesText, Event},
};

use super::super::own;

/// Attributes of an element; those without a value are left out.
pub(super) type Attributes<'a> = [(&'a str, &'a str)];

/// The document so far.
pub(super) struct Markup {
    writer: Writer<Vec<u8>>,
}

impl Markup {
    pub(super) fn new() -> Self {
        Self { writer: Writer::new(Vec::new()) }
    }

    /// Memory takes whatever is written to it, so that there is no error to hand on.
    fn event(&mut self, event: Event) {
        let _ = self.writer.write_event(event);
    }

    pub(super) fn declaration(&mut self) {
        self.event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)));
        self.line();
    }

    pub(super) fn open(&mut self, name: &str, attributes: &Attributes) {
        let start = start(name, attributes);
        self.event(Event::Start(start));
    }

    pub(super) fn close(&mut self, name: &str) {
        self.event(Event::End(BytesEnd::new(name)));
    }

    pub(super) fn empty(&mut self, name: &str, attributes: &Attributes) {
        let start = start(name, attributes);
        self.event(Event::Empty(start));
    }

    pub(super) fn text(&mut self, text: &str) {
        let escaped = quick_xml::escape::partial_escape(legal(text));
        self.event(Event::Text(BytesText::from_escaped(escaped)));
    }

    /// A new line between elements, where white space says nothing.
    pub(super) fn line(&mut self) {
        self.event(Event::Text(BytesText::from_escaped("\n")));
    }

    /// A processing instruction for the importer. Its end cannot stand in the value, whose characters are escaped as in text.
    pub(super) fn hint(&mut self, key: &str, value: &str) {
        let content = format!("{} {key} {}", own::TARGET, html_escape::encode_text(legal(value).as_ref()));
        self.event(Event::PI(BytesPI::new(content.trim_end())));
    }

    pub(super) fn finish(self) -> String {
        String::from_utf8(self.writer.into_inner()).unwrap_or_default()
    }
}

fn start<'a>(name: &'a str, attributes: &Attributes) -> BytesStart<'a> {
    let mut start = BytesStart::new(name);
    for (key, value) in attributes {
        let value = legal(value);
        // A link without an address is still a link.
        if !value.is_empty() || *key == "xlink:href" {
            start.push_attribute((*key, value));
        }
    }
    start
}

/// The text without characters that XML 1.0 forbids.
fn legal(text: &str) -> Cow<'_, str> {
    let forbidden =
        |c: char| matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}');
    if text.contains(forbidden) { Cow::Owned(text.replace(forbidden, "")) } else { Cow::Borrowed(text) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn escapes_texts_attributes_and_hints() {
        let nasty = "a<b>&amp;\"'\r\n\t]]> ?> \u{0}\u{b}\u{1f}\u{fffe}刊";
        let mut out = Markup::new();
        out.open("p", &[("id", nasty), ("empty", "")]);
        out.hint("k", nasty);
        out.text(nasty);
        out.empty("graphic", &[("xlink:href", "")]);
        out.close("p");
        let made = out.finish().replace("<p ", "<p xmlns:xlink='x' ");
        let tree = masthead_xml::Document::parse(&made).expect(&made);
        let root = tree.root_element();
        let kept = "a<b>&amp;\"'\r\n\t]]> ?> 刊";
        assert_eq!(root.attribute("id"), Some(kept));
        assert_eq!(root.attribute("empty"), None);
        assert_eq!(root.children().find(masthead_xml::Node::is_text).unwrap().text(), Some(kept));
        // Ends of lines are those of the parser.
        assert_eq!(own::note(root, "k").unwrap().replace('\r', ""), kept.replace('\r', ""));
        assert_eq!(root.last_element_child().unwrap().attribute(("x", "href")), Some(""));
    }
}
