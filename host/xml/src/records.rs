//! XML of catalogues, read record by record: memory use is that of one record, whatever the length of the file.
//!
//! Long because decoding, limits and the small tree belong to one reader.
//! No DTD is read and no entity that the file defines is expanded, so that entity expansion cannot exhaust memory.

use std::io::{self, BufRead, Read};

use encoding_rs::{Decoder, DecoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE};
use masthead_domain::content::text::fold;
use quick_xml::{
    Reader,
    events::{BytesStart, Event},
};

/// Limit on the depth of nested elements.
const MAX_DEPTH: usize = 100;

/// Why a file, or the rest of it, could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct RecordError {
    /// Line of the file, from 1, if known.
    pub line: Option<usize>,
    /// Cause and remedy.
    pub reason: String,
}

/// An element with local names; namespaces are not distinguished.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Element {
    /// Local name.
    pub name: String,
    /// Local name and value of each attribute, in the order of the file.
    pub attributes: Vec<(String, String)>,
    /// Child elements and texts, in the order of the file.
    pub children: Vec<Child>,
    /// Line of the element's start tag, from 1.
    pub line: usize,
}

/// An element or a text within an element.
#[derive(Clone, Debug, PartialEq)]
pub enum Child {
    /// An element.
    Element(Element),
    /// A text; adjacent texts are joined.
    Text(String),
}

impl Element {
    /// The attribute's value, trimmed; "" if it is missing.
    #[must_use]
    pub fn attribute(&self, name: &str) -> &str {
        self.attributes.iter().find(|(own, _)| own == name).map_or("", |(_, value)| value.trim())
    }

    /// The child elements.
    pub fn elements(&self) -> impl Iterator<Item = &Self> {
        self.children.iter().filter_map(|child| match child {
            Child::Element(element) => Some(element),
            Child::Text(_) => None,
        })
    }

    /// The child elements with this name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        self.elements().filter(move |element| element.name == name)
    }

    /// The first child element with this name.
    #[must_use]
    pub fn child(&self, name: &str) -> Option<&Self> {
        self.elements().find(|element| element.name == name)
    }

    /// The first element on a path of child element names.
    #[must_use]
    pub fn path(&self, names: &[&str]) -> Option<&Self> {
        names.iter().try_fold(self, |at, name| at.child(name))
    }

    /// The text of all descendants, white space folded.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        self.letters(&mut out);
        fold(&out)
    }

    /// The text of all descendants, unchanged.
    #[must_use]
    pub fn raw_text(&self) -> String {
        let mut out = String::new();
        self.letters(&mut out);
        out
    }

    fn letters(&self, out: &mut String) {
        for child in &self.children {
            match child {
                Child::Text(text) => out.push_str(text),
                Child::Element(element) => element.letters(out),
            }
        }
    }

    /// The element's own text, without that of its child elements, white space folded.
    #[must_use]
    pub fn own_text(&self) -> String {
        let mut out = String::new();
        for child in &self.children {
            match child {
                Child::Text(text) => out.push_str(text),
                Child::Element(_) => out.push(' '),
            }
        }
        fold(&out)
    }

    /// Text of the first child with this name, or "".
    #[must_use]
    pub fn child_text(&self, name: &str) -> String {
        self.child(name).map(Self::text).unwrap_or_default()
    }

    /// The text with one paragraph a line, from XHTML elements or from HTML in escaped form.
    #[must_use]
    pub fn prose(&self) -> String {
        let mut html = String::new();
        let written = self.elements().next().is_none();
        if written {
            self.letters(&mut html);
        } else {
            self.html(&mut html);
        }
        lines_of_html(&html)
    }

    /// The content as markup: elements with their local names, without attributes.
    #[must_use]
    pub fn markup(&self) -> String {
        let mut markup = String::new();
        self.html(&mut markup);
        markup
    }

    fn html(&self, out: &mut String) {
        for child in &self.children {
            match child {
                Child::Text(text) => out.push_str(&html_escape::encode_text(text)),
                Child::Element(element) => {
                    out.push_str(&format!("<{}>", element.name));
                    element.html(out);
                    out.push_str(&format!("</{}>", element.name));
                }
            }
        }
    }
}

/// The text of HTML, one line for each paragraph, heading or list item.
#[must_use]
pub fn lines_of_html(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    while let Some((text, tail)) = rest.split_once('<') {
        out.push_str(&text.replace(['\n', '\r'], " "));
        let name: String = tail
            .trim_start_matches('/')
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect::<String>()
            .to_lowercase();
        let Some((_, after)) = tail.split_once('>').filter(|_| !name.is_empty()) else {
            out.push('<');
            rest = tail;
            continue;
        };
        let block = matches!(
            name.as_str(),
            "p" | "br" | "li" | "ul" | "ol" | "div" | "dt" | "dd" | "tr" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6"
        );
        out.push_str(if block { "\n" } else { "" });
        rest = after;
    }
    // Plain text keeps its own line breaks.
    if out.is_empty() {
        out.push_str(rest)
    } else {
        out.push_str(&rest.replace(['\n', '\r'], " "))
    }
    let decoded = html_escape::decode_html_entities(&out);
    decoded.lines().map(fold).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Iterator over the elements with some names in a file; it ends with an error if the file is not well-formed.
pub struct Elements<R> {
    reader: Reader<Bounded<R>>,
    names: &'static [&'static str],
    depth: usize,
    done: bool,
    buffer: Vec<u8>,
    /// The outermost element of the file, without children; `None` until it has been read.
    pub root: Option<Element>,
}

/// Reads a whole file into its outermost element. `max_bytes` limits the size of the file.
///
/// # Errors
/// [`RecordError`] if the file is too large or not well-formed.
pub fn document(bytes: &[u8], max_bytes: usize) -> Result<Element, RecordError> {
    if bytes.len() > max_bytes {
        let reason = format!("the file has {} bytes, more than {max_bytes}: divide it", bytes.len());
        return Err(RecordError { line: None, reason });
    }
    // Decoding to UTF-8 makes at most three bytes of one.
    let mut all = Elements::new(bytes, &[], max_bytes.saturating_mul(3));
    let found = all
        .next()
        .unwrap_or_else(|| Err(RecordError { line: None, reason: "the file holds no element".to_owned() }))?;
    match all.next() {
        Some(Err(error)) => Err(error),
        _ => Ok(found),
    }
}

impl<R: Read> Elements<R> {
    /// `names` are the local names of the elements to return; if empty, the outermost element is returned. `max_bytes` limits
    /// the size of one element.
    pub fn new(source: R, names: &'static [&'static str], max_bytes: usize) -> Self {
        let mut reader = Reader::from_reader(Bounded::new(source, max_bytes));
        reader.config_mut().allow_dangling_amp = false;
        Self { reader, names, depth: 0, done: false, buffer: Vec::new(), root: None }
    }

    fn line(&self) -> usize {
        self.reader.get_ref().line
    }

    fn fault(&mut self, reason: impl Into<String>) -> RecordError {
        self.done = true;
        RecordError { line: Some(self.line()), reason: reason.into() }
    }

    fn step(&mut self) -> Result<Step, RecordError> {
        self.buffer.clear();
        let line = self.line();
        let event = self.reader.read_event_into(&mut self.buffer);
        let step = match event {
            Ok(Event::Start(start)) => element(&start, line).map(Step::Start),
            Ok(Event::Empty(start)) => element(&start, line).map(Step::Empty),
            Ok(Event::End(_)) => Ok(Step::End),
            Ok(Event::Text(text)) => Ok(Step::Text(text.to_string())),
            Ok(Event::CData(text)) => Ok(Step::Text(text.to_string())),
            Ok(Event::GeneralRef(name)) => reference(&name).map(Step::Text),
            Ok(Event::Eof) => Ok(Step::Eof),
            Ok(_) => Ok(Step::Other),
            Err(quick_xml::Error::Io(error)) => Err(error.to_string()),
            Err(error) => {
                Err(format!("the file is not well-formed XML: {error}; correct it there, or export it again"))
            }
        };
        let step = step.map_err(|reason| self.fault(reason))?;
        match step {
            Step::Start(_) => self.depth += 1,
            Step::End => self.depth = self.depth.saturating_sub(1),
            Step::Eof if self.depth > 0 => {
                return Err(self.fault("the file ends within an element: it is cut off; download it again"));
            }
            _ => {}
        }
        if self.depth > MAX_DEPTH {
            return Err(self.fault(format!("elements are nested more than {MAX_DEPTH} deep: no record needs that")));
        }
        Ok(step)
    }

    fn matches(&self, element: &Element) -> bool {
        self.names.is_empty() || self.names.contains(&element.name.as_str())
    }

    /// Reads the content of an element whose start tag has been read.
    fn fill(&mut self, first: Element) -> Result<Element, RecordError> {
        let mut open = vec![first];
        loop {
            let step = self.step()?;
            let Some(parent) = open.last_mut() else { return Err(self.fault("the file is not well-formed XML")) };
            match step {
                Step::Start(element) => open.push(element),
                Step::Empty(element) => parent.children.push(Child::Element(element)),
                Step::Text(text) => match parent.children.last_mut() {
                    Some(Child::Text(last)) => last.push_str(&text),
                    _ => parent.children.push(Child::Text(text)),
                },
                Step::End => {
                    let Some(closed) = open.pop() else { return Err(self.fault("the file is not well-formed XML")) };
                    match open.last_mut() {
                        Some(parent) => parent.children.push(Child::Element(closed)),
                        None => return Ok(closed),
                    }
                }
                Step::Eof => return Err(self.fault("the file ends within an element: it is cut off")),
                Step::Other => {}
            }
        }
    }

    fn find(&mut self) -> Result<Option<Element>, RecordError> {
        loop {
            self.reader.get_mut().taken = 0;
            match self.step()? {
                Step::Eof => {
                    self.done = true;
                    if self.root.is_none() {
                        return Err(self.fault("the file holds no XML element: check that it is the right file"));
                    }
                    return Ok(None);
                }
                Step::Start(element) => {
                    if self.root.is_none() {
                        self.root = Some(element.clone());
                    }
                    if self.matches(&element) {
                        return self.fill(element).map(Some);
                    }
                }
                Step::Empty(element) => {
                    if self.root.is_none() {
                        self.root = Some(element.clone());
                    }
                    if self.matches(&element) {
                        return Ok(Some(element));
                    }
                }
                Step::Text(text)
                    if self.depth == 0 && !text.trim_matches(['\u{feff}', ' ', '\t', '\n', '\r']).is_empty() =>
                {
                    return Err(self.fault("there is text outside of the elements: the file is not XML, or damaged"));
                }
                _ => {}
            }
        }
    }
}

impl<R: Read> Iterator for Elements<R> {
    type Item = Result<Element, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        self.find().transpose()
    }
}

enum Step {
    Start(Element),
    Empty(Element),
    End,
    Text(String),
    Other,
    Eof,
}

pub(crate) fn element(start: &BytesStart, line: usize) -> Result<Element, String> {
    let name = start.local_name().into_inner().to_owned();
    let mut attributes = Vec::new();
    for attribute in start.attributes().with_checks(false) {
        let attribute = attribute.map_err(|error| format!("an attribute of <{name}> cannot be read: {error}"))?;
        attributes.push((attribute.key.local_name().into_inner().to_owned(), unescape(&attribute.value)?));
    }
    Ok(Element { name, attributes, children: Vec::new(), line })
}

fn unescape(text: &str) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, tail)) = rest.split_once('&') {
        out.push_str(before);
        let (name, after) = tail.split_once(';').ok_or("an & in an attribute is not written as &amp;")?;
        out.push_str(&reference(name)?);
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

/// The characters of the reference `&name;`: named characters of XML and HTML, and numeric references.
pub(crate) fn reference(name: &str) -> Result<String, String> {
    let short: String = name.chars().take(40).collect();
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix('x') {
            Some(hex) => u32::from_str_radix(hex, 16),
            None => number.parse(),
        };
        let valid = |c: &char| !c.is_control() || matches!(c, '\t' | '\n' | '\r');
        return code
            .ok()
            .and_then(char::from_u32)
            .filter(valid)
            .map(String::from)
            .ok_or_else(|| format!("&{short}; is not a valid character reference: write the character itself"));
    }
    let source = format!("&{name};");
    let decoded = if name.len() <= 40 { html_escape::decode_html_entities(&source) } else { source.as_str().into() };
    if name == "apos" {
        Ok("'".to_owned())
    } else if decoded == source {
        Err(format!(
            "the entity &{short}; is not known (entities of a DTD are not expanded): write the character itself"
        ))
    } else {
        Ok(decoded.into_owned())
    }
}

/// A reader that decodes to UTF-8, counts lines, and fails if one record exceeds the limit of bytes.
pub(crate) struct Bounded<R> {
    source: R,
    decoder: Option<Decoder>,
    encoding: &'static str,
    raw: Vec<u8>,
    ready: Vec<u8>,
    at: usize,
    end: bool,
    /// The line that is read, from 1.
    pub(crate) line: usize,
    taken: usize,
    max: usize,
}

impl<R: Read> Bounded<R> {
    pub(crate) fn new(source: R, max: usize) -> Self {
        Self {
            source,
            decoder: None,
            encoding: "",
            raw: vec![0; 32 << 10],
            ready: Vec::new(),
            at: 0,
            end: false,
            line: 1,
            taken: 0,
            max,
        }
    }

    fn refill(&mut self) -> io::Result<()> {
        let mut read = 0;
        // The encoding is detected from the first bytes, so that a short first read is continued.
        while let Some(free) = self.raw.get_mut(read..) {
            let now = self.source.read(free)?;
            read += now;
            self.end = now == 0;
            if now == 0 || read >= 512 {
                break;
            }
        }
        let raw = self.raw.get(..read).unwrap_or_default();
        let mut skip = 0;
        if self.decoder.is_none() {
            let (encoding, mark) = detect(raw)?;
            skip = mark;
            self.encoding = encoding.name();
            self.decoder = Some(encoding.new_decoder_without_bom_handling());
        }
        let Some(decoder) = self.decoder.as_mut() else { return Ok(()) };
        let body = raw.get(skip..).unwrap_or_default();
        let room = decoder.max_utf8_buffer_length_without_replacement(body.len()).unwrap_or(body.len() * 3 + 16);
        self.ready.resize(room, 0);
        self.at = 0;
        let (result, _, written) = decoder.decode_to_utf8_without_replacement(body, &mut self.ready, self.end);
        self.ready.truncate(written);
        match result {
            DecoderResult::Malformed(..) => {
                let lines = self.ready.iter().filter(|byte| **byte == b'\n').count();
                let (line, encoding) = (self.line + lines, self.encoding);
                Err(io::Error::other(format!(
                    "line {line} holds bytes that are not valid {encoding}, though the file declares it (or declares nothing): save it as UTF-8"
                )))
            }
            _ => Ok(()),
        }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let ready = self.fill_buf()?;
        let length = ready.len().min(out.len());
        for (to, from) in out.iter_mut().zip(ready) {
            *to = *from;
        }
        self.consume(length);
        Ok(length)
    }
}

impl<R: Read> BufRead for Bounded<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.taken > self.max {
            let max = self.max;
            return Err(io::Error::other(format!("one record has more than {max} bytes: no catalogue needs that")));
        }
        while self.at >= self.ready.len() && !self.end {
            self.refill()?;
        }
        Ok(self.ready.get(self.at..).unwrap_or_default())
    }

    fn consume(&mut self, amount: usize) {
        let passed = self.ready.get(self.at..self.at + amount).unwrap_or_default();
        self.line += passed.iter().filter(|byte| **byte == b'\n').count();
        self.at += amount;
        self.taken += amount;
    }
}

fn detect(head: &[u8]) -> io::Result<(&'static Encoding, usize)> {
    if let Some(found) = Encoding::for_bom(head) {
        return Ok(found);
    }
    match head.get(..4) {
        Some([b'<', 0, _, 0]) => return Ok((UTF_16LE, 0)),
        Some([0, b'<', 0, _]) => return Ok((UTF_16BE, 0)),
        _ => {}
    }
    let Some(label) = crate::declared(head) else { return Ok((UTF_8, 0)) };
    let lower = label.to_ascii_lowercase();
    let encoding = Encoding::for_label(lower.as_bytes()).ok_or_else(|| {
        io::Error::other(format!(
            "the XML declaration names the encoding {label:?}, which is not known: save it as UTF-8"
        ))
    })?;
    let ascii = matches!(lower.as_str(), "ascii" | "us-ascii") || encoding == UTF_16LE || encoding == UTF_16BE;
    Ok((if ascii { UTF_8 } else { encoding }, 0))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn all(bytes: &[u8]) -> Vec<Result<Element, RecordError>> {
        Elements::new(bytes, &["r"], 1000).collect()
    }

    #[test]
    fn records_are_decoded_and_read_one_by_one() {
        let text = "<?xml version='1.0' encoding='GBK'?>\n<x:list xmlns:x='u'><x:r a='1&amp;2'>刊 &eacute;&#x41;</x:r>\n<r/></x:list>";
        let gbk = encoding_rs::GBK.encode(text).0.into_owned();
        let found: Vec<Element> = all(&gbk).into_iter().map(Result::unwrap).collect();
        assert_eq!((found[0].text().as_str(), found[0].attribute("a"), found.len()), ("刊 éA", "1&2", 2));
        let utf16: Vec<u8> = "\u{feff}<l><r>刊</r></l>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(all(&utf16)[0].as_ref().unwrap().text(), "刊");
    }

    #[test]
    fn hostile_and_broken_files_are_rejected_with_a_line_number() {
        let bomb = "<!DOCTYPE l [<!ENTITY a 'ha'><!ENTITY b '&a;&a;'>]>\n<l><r>&b;</r></l>";
        let long = format!("<l><r>{}</r></l>", "x".repeat(200_000));
        let deep = format!("<l>{}", "<a>".repeat(200));
        for (text, expected) in [
            (bomb, "&b; is not known"),
            (&long, "more than 1000 bytes"),
            (&deep, "nested"),
            ("<l>\n<r>\n</l>", "well-formed"),
            ("<l><r>cut", "cut off"),
            ("hello", "outside"),
            ("", "no XML element"),
            ("<?xml version='1.0' encoding='klingon'?><l/>", "klingon"),
        ] {
            let error = all(text.as_bytes()).pop().unwrap().unwrap_err();
            assert!(error.to_string().contains(expected), "{expected}: {error}");
            assert!(error.line.is_some());
        }
        let latin = all(b"<l>\n<r>\xe9</r></l>").pop().unwrap().unwrap_err();
        assert!(latin.reason.contains("line 2"), "{latin}");
    }

    #[test]
    fn the_own_text_of_an_element_is_without_that_of_its_children() {
        let one = document(b"<t> A fund\n of <id>7</id>\n coasts<id>8</id>and seas </t>", 1000).unwrap();
        assert_eq!(one.own_text(), "A fund of coasts and seas");
    }

    #[test]
    fn prose_has_one_paragraph_a_line() {
        let one = document(b"<t><p>One\n <b>two</b></p><ul><li>three &amp; 4</li></ul></t>", 1000).unwrap();
        assert_eq!(one.prose(), "One two\nthree & 4");
        let written = document(b"<t><![CDATA[<p>One</p><p>a &lt; b<br/>c</p>]]></t>", 1000).unwrap();
        assert_eq!(written.prose(), "One\na < b\nc");
        assert_eq!(document(b"<t>1 One\n2 Two</t>", 1000).unwrap().prose(), "1 One\n2 Two");
    }
}
