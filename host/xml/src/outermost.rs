//! The outermost element of a file that is passed on as it is, such as a picture. The whole file is read, and nothing else of it is
//! kept: memory use is that of its longest text or attribute.

use quick_xml::{Reader, events::Event};

use crate::{
    records::{Bounded, Element, RecordError, element, reference},
    tree::Limits,
};

/// Reads a file to its end and returns its outermost element, without children. It must be well-formed and within the limits, in any
/// encoding that it declares. A file with a DTD of its own is refused at the DTD, before anything that it defines is expanded. A
/// DOCTYPE without one is accepted: drawing programs write it, it defines nothing, and no DTD is fetched.
///
/// # Errors
/// [`RecordError`] with the line, the cause and the remedy.
pub fn outermost(bytes: &[u8], limits: &Limits) -> Result<Element, RecordError> {
    if bytes.len() > limits.max_bytes {
        let reason = format!("the file has {} bytes, more than {}: make it smaller", bytes.len(), limits.max_bytes);
        return Err(RecordError { line: None, reason });
    }
    // Decoding to UTF-8 makes at most three bytes of one.
    let mut reader = Reader::from_reader(Bounded::new(bytes, limits.max_bytes.saturating_mul(3)));
    reader.config_mut().allow_dangling_amp = false;
    let (mut buffer, mut outline) = (Vec::new(), Outline::default());
    loop {
        buffer.clear();
        let line = reader.get_ref().line;
        let fault = |reason: String| RecordError { line: Some(line), reason };
        let event = reader.read_event_into(&mut buffer).map_err(|error| match error {
            // The message of the reader names the line itself.
            quick_xml::Error::Io(error) => RecordError { line: None, reason: error.to_string() },
            error => {
                fault(format!("the file is not well-formed XML: {error}; correct it there, or export the file again"))
            }
        })?;
        if matches!(event, Event::Eof) {
            return outline.end().map_err(fault);
        }
        outline.take(&event, line, limits).map_err(fault)?;
    }
}

/// What is known of the part of a file that was read.
#[derive(Default)]
struct Outline {
    root: Option<Element>,
    depth: usize,
    nodes: u32,
}

impl Outline {
    fn take(&mut self, event: &Event, line: usize, limits: &Limits) -> Result<(), String> {
        const OUTSIDE: &str = "there is text outside of the elements: the file is damaged; export it again";
        self.nodes = self.nodes.saturating_add(u32::from(!matches!(event, Event::End(_))));
        if self.nodes > limits.max_nodes {
            return Err(format!("the file has more than {} elements and texts: simplify it", limits.max_nodes));
        }
        match event {
            Event::Start(start) => {
                self.open(element(start, line)?, limits)?;
                self.depth += 1;
                if self.depth > limits.max_depth {
                    return Err(format!("elements are nested more than {} deep: simplify the file", limits.max_depth));
                }
            }
            Event::Empty(start) => self.open(element(start, line)?, limits)?,
            Event::End(_) => self.depth = self.depth.saturating_sub(1),
            Event::DocType(declaration) if declaration.contains('[') => {
                return Err("the file has a DTD of its own (the brackets in its DOCTYPE), whose entities could expand without limit: \
                     export it without a DTD, in a drawing program as plain SVG, or remove the brackets and what they hold"
                    .to_owned());
            }
            Event::GeneralRef(name) if self.depth > 0 => {
                reference(name)?;
            }
            Event::GeneralRef(_) | Event::CData(_) if self.depth == 0 => return Err(OUTSIDE.to_owned()),
            Event::Text(text) if self.depth == 0 && !text.trim().is_empty() => return Err(OUTSIDE.to_owned()),
            _ => {}
        }
        Ok(())
    }

    fn open(&mut self, element: Element, limits: &Limits) -> Result<(), String> {
        if element.attributes.len() > limits.max_attributes {
            return Err(format!("the element has more than {} attributes: simplify the file", limits.max_attributes));
        }
        if self.depth > 0 {
            return Ok(());
        }
        match self.root.replace(element) {
            None => Ok(()),
            Some(_) => Err("a second outermost element begins here: the file is damaged; export it again".to_owned()),
        }
    }

    fn end(self) -> Result<Element, String> {
        if self.depth > 0 {
            return Err("the file ends within an element: it is cut off; export it again".to_owned());
        }
        self.root.ok_or_else(|| "the file holds no XML element: check that it is the right file".to_owned())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    const SMALL: Limits = Limits { max_bytes: 2_000, max_depth: 5, max_nodes: 20, max_attributes: 10 };

    fn refused(bytes: &[u8]) -> RecordError {
        outermost(bytes, &SMALL).expect_err("has to be refused")
    }

    /// The text in UTF-16 or UTF-8, with and without a byte order mark.
    fn encodings(text: &str) -> Vec<Vec<u8>> {
        let marked = format!("\u{feff}{text}");
        let mut all = vec![text.as_bytes().to_vec(), marked.as_bytes().to_vec()];
        for text in [text, &marked] {
            all.push(text.encode_utf16().flat_map(u16::to_le_bytes).collect());
            all.push(text.encode_utf16().flat_map(u16::to_be_bytes).collect());
        }
        all
    }

    #[test]
    fn a_dtd_is_refused_at_its_line_in_every_encoding() {
        // The end of the file is not well-formed: it is never reached.
        let text = "<?xml version='1.0'?>\n<!DOCTYPE svg [<!ENTITY a 'ha'>]>\n<svg>&a;</oops>";
        for bytes in encodings(text) {
            let error = refused(&bytes);
            assert!(error.line == Some(2) && error.reason.contains("DTD"), "{error:?}");
        }
        let gbk = b"<?xml version='1.0' encoding='GBK'?><!DOCTYPE svg [<!-- \xbf\xaf -->]><svg/>";
        assert!(refused(gbk).reason.contains("DTD"));
        assert!(refused(b"<!DOCTYPE svg SYSTEM 'a>b' [<!ENTITY % p SYSTEM 'x'>]><svg/>").reason.contains("DTD"));
    }

    #[test]
    fn a_doctype_without_a_dtd_is_accepted() {
        let text = "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd\">\n<s:svg xmlns:s='u' width='3'><a>&lt;</a></s:svg>";
        for bytes in encodings(text) {
            let root = outermost(&bytes, &SMALL).unwrap();
            assert_eq!((root.name.as_str(), root.attribute("width"), root.line), ("svg", "3", 2));
        }
    }

    #[test]
    fn files_beyond_the_limits_and_damaged_files_are_refused() {
        for (text, expected) in [
            (format!("<a>{}</a>", "x".repeat(2_000)), "more than 2000"),
            (format!("<a>{}</a>", "<b/>".repeat(20)), "more than 20 elements"),
            ("<a>".repeat(6), "nested more than 5 deep"),
            (format!("<a><b {}/></a>", "c='' ".repeat(11)), "more than 10 attributes"),
            ("<a>\n</b>".to_owned(), "well-formed"),
            ("<a>&b;</a>".to_owned(), "&b; is not known"),
            ("<a b='&c;'/>".to_owned(), "&c; is not known"),
            ("<a/>text".to_owned(), "outside"),
            ("<a/><a/>".to_owned(), "second"),
            ("<a>".to_owned(), "cut off"),
            (String::new(), "no XML element"),
        ] {
            let error = refused(text.as_bytes());
            assert!(error.reason.contains(expected), "{expected}: {error:?}");
        }
        assert!(refused(b"<a>\xff</a>").reason.contains("not valid"));
    }
}
