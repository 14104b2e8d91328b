//! Errors of reading XML.

/// Why a file could not be read as XML: position, cause and remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum XmlError {
    /// The declared encoding is not known.
    #[error(
        "the XML declaration names the encoding {label:?}, which is not known: save the file as UTF-8 and declare it so"
    )]
    UnknownEncoding {
        /// The name as declared.
        label: String,
    },
    /// The bytes are not valid in the declared encoding.
    #[error(
        "line {line}, column {column}: the bytes are not valid {encoding}, though the file declares it (or declares nothing): correct the declaration or save the file as UTF-8"
    )]
    Encoding {
        /// Encoding that was tried.
        encoding: String,
        /// Line, from 1.
        line: u32,
        /// Column in characters, from 1.
        column: u32,
    },
    /// An entity that the file does not define.
    #[error(
        "line {line}, column {column}: the entity &{name}; is neither defined in the file nor among the named characters of HTML and JATS (DTDs are never fetched): write the character itself"
    )]
    UnknownEntity {
        /// Name of the entity.
        name: String,
        /// Line, from 1.
        line: u32,
        /// Column, from 1.
        column: u32,
    },
    /// A character reference to a number that is no character of XML: a surrogate, a control character, or beyond Unicode.
    #[error(
        "line {line}, column {column}: {reference} is not a character of XML (surrogates, most control characters and numbers above 10FFFF are not): write the character itself, or the reference of its one code point"
    )]
    NotACharacter {
        /// The reference, as written.
        reference: String,
        /// Line, from 1.
        line: u32,
        /// Column, from 1.
        column: u32,
    },
    /// An element with more attributes than the limit.
    #[error(
        "line {line}, column {column}: the element has more than {limit} attributes: no vocabulary needs that; check how the file was made"
    )]
    TooManyAttributes {
        /// The limit.
        limit: usize,
        /// Line, from 1.
        line: u32,
        /// Column, from 1.
        column: u32,
    },
    /// More declarations of namespaces than the limit.
    #[error(
        "line {line}, column {column}: up to here the file declares {prefixes} namespace prefixes on {elements} elements, more than can be resolved: declare the prefixes on the outermost element"
    )]
    TooManyNamespaces {
        /// Number of different prefixes so far.
        prefixes: usize,
        /// Number of elements with declarations so far.
        elements: usize,
        /// Line, from 1.
        line: u32,
        /// Column, from 1.
        column: u32,
    },
    /// Entities that expand to more text than the limit.
    #[error(
        "line {line}, column {column}: expanding the entity &{name}; and those before it makes more than {limit} characters or as much work, or it contains itself; refused as an attack: write the text out"
    )]
    EntityExpansion {
        /// Name of the entity that exceeded the limit.
        name: String,
        /// Limit on the characters of all entities together.
        limit: usize,
        /// Line, from 1.
        line: u32,
        /// Column, from 1.
        column: u32,
    },
    /// The text is not well-formed XML.
    #[error(
        "line {line}, column {column}: the file is not well-formed XML: {reason}; correct it there (an XML editor shows the place)"
    )]
    Malformed {
        /// The parser's message.
        reason: String,
        /// Line, from 1.
        line: u32,
        /// Column, from 1.
        column: u32,
    },
    /// Too many elements and texts.
    #[error("the XML has more than {limit} elements and texts: check that it holds a single article")]
    TooManyNodes {
        /// The limit.
        limit: u32,
    },
    /// Elements nested too deeply.
    #[error(
        "line {line}, column {column}: elements are nested more than {limit} deep: no article needs that; check how the file was made"
    )]
    TooDeep {
        /// The limit.
        limit: usize,
        /// Line, from 1.
        line: u32,
        /// Column, from 1.
        column: u32,
    },
}

impl XmlError {
    /// Line and column of the error, from 1; `None` for errors without a position.
    #[must_use]
    pub const fn position(&self) -> Option<(u32, u32)> {
        match self {
            Self::Encoding { line, column, .. }
            | Self::UnknownEntity { line, column, .. }
            | Self::NotACharacter { line, column, .. }
            | Self::TooManyAttributes { line, column, .. }
            | Self::TooManyNamespaces { line, column, .. }
            | Self::EntityExpansion { line, column, .. }
            | Self::Malformed { line, column, .. }
            | Self::TooDeep { line, column, .. } => Some((*line, *column)),
            Self::UnknownEncoding { .. } | Self::TooManyNodes { .. } => None,
        }
    }
}
