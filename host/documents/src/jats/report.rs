//! Report of an import.

use std::collections::BTreeMap;

use serde::Serialize;

use super::omitted_elements::Omission;

/// Findings of an import that did not prevent it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Warnings about the source, in the order of their detection; at most 200 and a note that more were omitted.
    pub warnings: Vec<String>,
    /// Names of unknown elements with the number of their occurrences. Their text and children were kept.
    pub unknown: BTreeMap<String, u32>,
    /// What the page does not show on purpose, with the reasons.
    pub left_out: Vec<Omission>,
    /// Name of the encoding that was used.
    pub encoding: String,
}

const MAX_WARNINGS: usize = 200;

impl Report {
    pub(super) fn warn(&mut self, warning: impl Into<String>) {
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(warning.into());
        } else if self.warnings.len() == MAX_WARNINGS {
            self.warnings.push("further warnings were omitted".to_owned());
        }
    }

    /// Whether further warnings are only noted as omitted.
    pub(super) fn is_full(&self) -> bool {
        self.warnings.len() > MAX_WARNINGS
    }

    pub(super) fn unknown(&mut self, element: &str) {
        *self.unknown.entry(element.chars().take(80).collect()).or_default() += 1;
    }
}
