//! Report of an import.

use std::collections::BTreeMap;

use serde::Serialize;

/// Findings of an import that did not prevent it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Warnings about the source, in the order of their detection; at most 200 and a note that more were omitted.
    pub warnings: Vec<String>,
    /// Names of unknown elements with the number of their occurrences. Their text and children were kept.
    pub unknown: BTreeMap<String, u32>,
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

    pub(super) fn unknown(&mut self, element: &str) {
        *self.unknown.entry(element.chars().take(80).collect()).or_default() += 1;
    }
}

/// Elements whose content is metadata, not text of the article at that position: name and reason.
pub const IGNORED: &[(&str, &str)] = &[
    ("alt-text", "read with the picture or table that it describes"),
    ("long-desc", "read with the picture or table that it describes"),
    ("abstract-alternatives", "repeats the abstract in another form"),
    ("annotation", "source of a formula in another notation, beside its MathML"),
    ("annotation-xml", "meaning of a formula, beside its MathML"),
    ("article-id", "read into the metadata"),
    ("counts", "counts of pages and figures, for the publisher"),
    ("custom-meta-group", "production data"),
    ("custom-meta", "production data"),
    ("glyph-data", "bitmap of a character, beside the character"),
    ("glyph-ref", "points to a bitmap of a character"),
    ("index-term", "entry of an index, set beside the text that it indexes"),
    ("index-term-range-end", "end of a range for an index"),
    ("milestone-start", "mark without text"),
    ("milestone-end", "mark without text"),
    ("object-id", "identifier of a part (DOI of a figure)"),
    ("processing-meta", "production data"),
    ("sec-meta", "metadata of a section: its authors and keywords"),
    ("tex-math", "source of a formula, read with it"),
    ("treatment-meta", "metadata of a taxonomic treatment"),
];
