//! Records of XML, with the name of their format in every error.

use std::io::Read;

use masthead_xml::RecordError;
pub(crate) use masthead_xml::{Child, Element};

use crate::FormatError;

/// The elements of some names in a file, one after the other; where the file is not well-formed, an error ends them.
pub(crate) struct Elements<R> {
    format: &'static str,
    elements: masthead_xml::Elements<R>,
}

impl<R: Read> Elements<R> {
    /// `wanted` are local names; `max_bytes` bounds one element.
    pub(crate) fn new(format: &'static str, source: R, wanted: &'static [&'static str], max_bytes: usize) -> Self {
        Self { format, elements: masthead_xml::Elements::new(source, wanted, max_bytes) }
    }

    /// The file's outermost element, without children, once it was read.
    pub(crate) fn root(&self) -> Option<&Element> {
        self.elements.root.as_ref()
    }
}

impl<R: Read> Iterator for Elements<R> {
    type Item = Result<Element, FormatError>;

    fn next(&mut self) -> Option<Self::Item> {
        let read = self.elements.next()?;
        Some(read.map_err(|error| fault(self.format, error)))
    }
}

/// The file's only element, whole.
pub(crate) fn document(format: &'static str, bytes: &[u8], max_bytes: usize) -> Result<Element, FormatError> {
    masthead_xml::document(bytes, max_bytes).map_err(|error| fault(format, error))
}

fn fault(format: &'static str, error: RecordError) -> FormatError {
    let fault = FormatError::new(format, error.reason);
    match error.line {
        Some(line) => fault.line(line),
        None => fault,
    }
}
