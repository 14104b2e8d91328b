//! Writer of the XML documents that the host publishes: escapes text and omits characters that XML 1.0 forbids.

use std::borrow::Cow;

use jiff::{Timestamp, tz::TimeZone};
use quick_xml::{
    Writer,
    events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event},
};

/// An XML document that is being written.
pub struct XmlWriter(Writer<Vec<u8>>);

/// Names and values of attributes, in order.
pub type Attributes<'a> = [(&'a str, &'a str)];

impl Default for XmlWriter {
    fn default() -> Self {
        Self::new()
    }
}

impl XmlWriter {
    /// Starts a document with an XML declaration.
    #[must_use]
    pub fn new() -> Self {
        let mut xml = Self(Writer::new(Vec::new()));
        xml.event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)));
        xml.raw("\n");
        xml
    }

    /// Starts a part of a document, without an XML declaration.
    #[must_use]
    pub fn fragment() -> Self {
        Self(Writer::new(Vec::new()))
    }

    /// Writes a start tag.
    pub fn start(&mut self, name: &str, attributes: &Attributes<'_>) {
        self.event(Event::Start(start(name, attributes)));
    }

    /// Writes an end tag.
    pub fn end(&mut self, name: &str) {
        self.event(Event::End(BytesEnd::new(name)));
    }

    /// Writes text within an element.
    pub fn characters(&mut self, text: &str) {
        self.event(Event::Text(BytesText::from_escaped(quick_xml::escape::partial_escape(clean(text)))));
    }

    /// Writes a line break between elements, where white space has no meaning.
    pub fn line(&mut self) {
        self.raw("\n");
    }

    /// Writes an element with the content that `content` writes.
    pub fn element(&mut self, name: &str, attributes: &Attributes<'_>, content: impl FnOnce(&mut Self)) {
        self.start(name, attributes);
        content(self);
        self.end(name);
    }

    /// Writes an element with a text.
    pub fn text(&mut self, name: &str, attributes: &Attributes<'_>, text: &str) {
        self.element(name, attributes, |xml| xml.characters(text));
    }

    /// Writes an element with a text; nothing if the text is empty.
    pub fn field(&mut self, name: &str, text: &str) {
        if !text.is_empty() {
            self.text(name, &[], text);
        }
    }

    /// Writes an element without content.
    pub fn empty(&mut self, name: &str, attributes: &Attributes<'_>) {
        self.event(Event::Empty(start(name, attributes)));
    }

    /// Writes XML that is well-formed already, unescaped.
    pub fn raw(&mut self, xml: &str) {
        self.0.get_mut().extend_from_slice(xml.as_bytes());
    }

    /// The finished document.
    #[must_use]
    pub fn finish(self) -> String {
        String::from_utf8(self.0.into_inner()).unwrap_or_default()
    }

    fn event(&mut self, event: Event<'_>) {
        // Writing to memory does not fail.
        let _ = self.0.write_event(event);
    }
}

fn start<'a>(name: &'a str, attributes: &Attributes<'_>) -> BytesStart<'a> {
    let mut start = BytesStart::new(name);
    for (name, value) in attributes {
        start.push_attribute((*name, clean(value).as_ref()));
    }
    start
}

/// The text without the characters that XML 1.0 forbids: control characters, U+FFFE and U+FFFF.
#[must_use]
pub fn clean(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_character) {
        Cow::Borrowed(text)
    } else {
        text.chars().filter(|c| is_character(*c)).collect()
    }
}

/// The characters of XML 1.0. Surrogates, which it forbids too, are no characters of Rust.
pub(crate) const fn is_character(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{fffd}' | '\u{10000}'..)
}

/// Whether a text is a valid value of `xml:lang`.
#[must_use]
pub fn is_language(tag: &str) -> bool {
    let mut parts = tag.split('-');
    let first =
        parts.next().is_some_and(|part| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphabetic()));
    first && parts.all(|part| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric()))
}

/// Milliseconds since 1970 as `2026-05-17T08:30:00Z`, truncated to seconds.
#[must_use]
pub fn moment(ms: i64) -> String {
    format(ms, "%Y-%m-%dT%H:%M:%SZ")
}

/// Milliseconds since 1970 in a time zone, with its offset: `2026-05-17T16:30:00+08:00`.
#[must_use]
pub fn local_moment(ms: i64, zone: &TimeZone) -> String {
    instant(ms).to_zoned(zone.clone()).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

/// Milliseconds since 1970 in a time zone as an RFC 822 date with a year of four digits: `Sun, 17 May 2026 16:30:00 +0800`.
#[must_use]
pub fn mail_moment(ms: i64, zone: &TimeZone) -> String {
    instant(ms).to_zoned(zone.clone()).strftime("%a, %d %b %Y %H:%M:%S %z").to_string()
}

fn format(ms: i64, form: &str) -> String {
    instant(ms).strftime(form).to_string()
}

fn instant(ms: i64) -> Timestamp {
    Timestamp::from_second(ms.div_euclid(1000)).unwrap_or(Timestamp::UNIX_EPOCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forbidden_characters_are_omitted_and_others_escaped() {
        let mut xml = XmlWriter::new();
        xml.text("a", &[("b", "\"<\u{1}&'")], "x\u{0}\u{8}<\u{fffe}&\u{1f600}]]>\n");
        let text = xml.finish();
        let read = roxmltree::Document::parse(&text).map(|document| {
            let root = document.root_element();
            (root.attribute("b").map(str::to_owned), root.text().map(str::to_owned))
        });
        assert_eq!(read.ok(), Some((Some("\"<&'".to_owned()), Some("x<&\u{1f600}]]>\n".to_owned()))), "{text}");
    }

    #[test]
    fn times_are_truncated_to_seconds() {
        assert_eq!(moment(1_779_006_600_999), "2026-05-17T08:30:00Z");
        let zone = TimeZone::fixed(jiff::tz::offset(8));
        assert_eq!(mail_moment(1_779_006_600_999, &zone), "Sun, 17 May 2026 16:30:00 +0800");
        assert_eq!(local_moment(1_779_006_600_999, &zone), "2026-05-17T16:30:00+08:00");
        assert_eq!(local_moment(1_779_006_600_999, &TimeZone::UTC), "2026-05-17T08:30:00+00:00");
        assert_eq!(moment(-1), "1969-12-31T23:59:59Z");
        assert_eq!(moment(i64::MIN), "1970-01-01T00:00:00Z");
    }

    #[test]
    fn only_language_tags_are_languages() {
        assert!(is_language("zh-Hans") && is_language("en"));
        assert!(!is_language("zh_CN") && !is_language("") && !is_language("en-") && !is_language("abcdefghi"));
    }
}
