//! Errors of importing a source.

use masthead_xml::XmlError;

/// Why an import failed: cause, position and remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// The file is empty.
    #[error("the file is empty: upload the article's JATS XML")]
    Empty,
    /// The file exceeds the limit.
    #[error(
        "the file has {bytes} bytes, more than the {limit} that one article may have: check that it holds a single article"
    )]
    TooLarge {
        /// Size of the file.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// The XML cannot be read.
    #[error(transparent)]
    Xml(#[from] XmlError),
    /// The file is an HTML page.
    #[error("the file is an HTML page, not JATS XML: download the article's XML instead of its page")]
    Html,
    /// The file is not XML.
    #[error(
        "the file does not begin with an XML element ({start:?}): upload the article's JATS XML, not a PDF, archive or text"
    )]
    NotXml {
        /// First characters of the file.
        start: String,
    },
    /// An article that says nothing.
    #[error(
        "line {line}, column {column}: the article has neither a title, nor an identifier, nor text, so that there is nothing to import: add at least one of them, or check that this is the article's file"
    )]
    Nothing {
        /// Line, from 1.
        line: u32,
        /// Column, from 1.
        column: u32,
    },
    /// XML with another root element.
    #[error(
        "line {line}, column {column}: the root element is <{root}>, not <article>: upload JATS (NLM 2.3 to JATS 1.3)"
    )]
    NotArticle {
        /// Name of the root element.
        root: String,
        /// Line, from 1.
        line: u32,
        /// Column, from 1.
        column: u32,
    },
    /// A wrapper with no article or with several.
    #[error("line {line}, column {column}: <{root}> wraps {count} articles: upload one article a file")]
    NotOneArticle {
        /// Name of the root element.
        root: String,
        /// Number of articles found.
        count: usize,
        /// Line, from 1.
        line: u32,
        /// Column, from 1.
        column: u32,
    },
}

impl ImportError {
    /// Line and column of the error, from 1; `None` for errors without a position.
    #[must_use]
    pub const fn position(&self) -> Option<(u32, u32)> {
        match self {
            Self::Xml(error) => error.position(),
            Self::Nothing { line, column }
            | Self::NotArticle { line, column, .. }
            | Self::NotOneArticle { line, column, .. } => Some((*line, *column)),
            _ => None,
        }
    }
}
