//! Errors in a file or in one of its records.

use std::fmt;

/// Why a file or one of its records could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FormatError {
    /// Name of the format: `MARC 21`, `ONIX`, `BibTeX`.
    pub format: &'static str,
    /// Number of the record, from 1.
    pub record: Option<usize>,
    /// Line of the file, from 1.
    pub line: Option<u32>,
    /// Name of the faulty field, tag or key, or "".
    pub field: String,
    /// Cause and remedy.
    pub reason: String,
}

impl std::error::Error for FormatError {}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.format)?;
        if let Some(record) = self.record {
            write!(f, ", record {record}")?;
        }
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        if !self.field.is_empty() {
            write!(f, ", {}", self.field)?;
        }
        write!(f, ": {}", self.reason)
    }
}

impl FormatError {
    pub(crate) fn new(format: &'static str, reason: impl Into<String>) -> Self {
        Self { format, reason: reason.into(), ..Self::default() }
    }

    pub(crate) fn record(mut self, record: usize) -> Self {
        self.record = Some(record);
        self
    }

    pub(crate) fn line(mut self, line: usize) -> Self {
        self.line = Some(u32::try_from(line).unwrap_or(u32::MAX));
        self
    }

    pub(crate) fn field(mut self, field: impl Into<String>) -> Self {
        self.field = field.into().chars().take(100).collect();
        self
    }
}

/// The records of a file, and the faults of those that could not be read: a malformed record does not affect others.
#[derive(Clone, Debug, PartialEq)]
pub struct Records<T> {
    /// The records that were read, in the order of the file.
    pub records: Vec<T>,
    /// Faults of the records that were not read or not read completely, at most 200 and a note that more were omitted.
    pub faults: Vec<FormatError>,
}

impl<T> Default for Records<T> {
    fn default() -> Self {
        Self { records: Vec::new(), faults: Vec::new() }
    }
}

const MAX_FAULTS: usize = 200;

impl<T> Records<T> {
    pub(crate) fn fault(&mut self, fault: FormatError) {
        match self.faults.len() {
            ..MAX_FAULTS => self.faults.push(fault),
            MAX_FAULTS => self.faults.push(FormatError::new(fault.format, "further faults were omitted")),
            _ => {}
        }
    }
}
