//! Why a source is not an article that can be imported.

use masthead_xml::XmlError;

/// Why an import failed: what was tried, on what, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// There is nothing in the file.
    #[error("the file is empty: upload the article's JATS XML")]
    Empty,
    /// The file is larger than allowed.
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
    /// An HTML page.
    #[error("the file is an HTML page, not JATS XML: download the article's XML instead of its page")]
    Html,
    /// Something else that is not XML.
    #[error(
        "the file does not begin with an XML element ({start:?}): upload the article's JATS XML, not a PDF, archive or text"
    )]
    NotXml {
        /// Its first characters.
        start: String,
    },
    /// XML of another kind.
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
    /// A wrapper with several articles, or none.
    #[error("line {line}, column {column}: <{root}> wraps {count} articles: upload one article a file")]
    NotOneArticle {
        /// Name of the root element.
        root: String,
        /// Articles found.
        count: usize,
        /// Line, from 1.
        line: u32,
        /// Column, from 1.
        column: u32,
    },
}

impl ImportError {
    /// Line and column of the error, from 1, where there is a place to point to.
    #[must_use]
    pub const fn position(&self) -> Option<(u32, u32)> {
        match self {
            Self::Xml(error) => error.position(),
            Self::NotArticle { line, column, .. } | Self::NotOneArticle { line, column, .. } => Some((*line, *column)),
            _ => None,
        }
    }
}
