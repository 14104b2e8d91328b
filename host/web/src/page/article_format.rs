//! The formats in which an article is offered, and their media types.

/// A format of an article.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The HTML page.
    Html,
    /// BibTeX.
    Bibtex,
    /// RIS.
    Ris,
    /// CSL-JSON.
    Csl,
    /// JATS.
    Jats,
    /// JSON-LD (schema.org).
    JsonLd,
    /// The PDF that was imported with the article.
    Pdf,
}

impl Format {
    /// Its value in the query parameter `format`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Bibtex => "bibtex",
            Self::Ris => "ris",
            Self::Csl => "csl",
            Self::Jats => "jats",
            Self::JsonLd => "jsonld",
            Self::Pdf => "pdf",
        }
    }
}

/// The formats besides HTML in which every article is available, with their media types.
pub const FORMATS: [(Format, &str); 5] = [
    (Format::Bibtex, "application/x-bibtex"),
    (Format::Ris, "application/x-research-info-systems"),
    (Format::Csl, "application/vnd.citationstyles.csl+json"),
    (Format::Jats, "application/vnd.jats+xml"),
    (Format::JsonLd, "application/ld+json"),
];
