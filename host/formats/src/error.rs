//! What is wrong with a file or with one record in it.

use std::fmt;

/// Why a file, or one record of it, was not read: a place and a sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FormatError {
    /// Name of the format as people say it: `MARC 21`, `ONIX`, `BibTeX`.
    pub format: &'static str,
    /// Number of the record, from 1.
    pub record: Option<usize>,
    /// Line of the file, from 1.
    pub line: Option<u32>,
    /// Field, tag or key that is wrong, or "".
    pub field: String,
    /// What is wrong, and what to do about it.
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

/// Records of a file, with what was wrong with others: one broken record does not cost those beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Records<T> {
    /// What was read, in the order of the file.
    pub records: Vec<T>,
    /// What was not read, at most 200.
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
            MAX_FAULTS => self.faults.push(FormatError::new(fault.format, "more faults were left out")),
            _ => {}
        }
    }
}
