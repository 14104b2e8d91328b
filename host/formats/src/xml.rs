//! Records of XML. Every error names the format of the file.

use std::io::Read;

use masthead_xml::RecordError;
pub(crate) use masthead_xml::{Child, Element};

use crate::FormatError;

/// Iterator over the elements with some names in a file; it ends with an error if the file is not well-formed.
pub(crate) struct Elements<R> {
    format: &'static str,
    elements: masthead_xml::Elements<R>,
}

impl<R: Read> Elements<R> {
    /// `names` are local names; `max_bytes` limits the size of one element.
    pub(crate) fn new(format: &'static str, source: R, names: &'static [&'static str], max_bytes: usize) -> Self {
        Self { format, elements: masthead_xml::Elements::new(source, names, max_bytes) }
    }

    /// The file's outermost element without children; `None` until it has been read.
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

/// Reads a whole file into its outermost element.
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
