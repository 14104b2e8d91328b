//! The forms in which an article is offered, and their media types.

/// A form of an article.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The page.
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
    /// The PDF that came with it.
    Pdf,
}

impl Format {
    /// Its value of the parameter `format`.
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

/// The forms that every article has beside its page, with their media types.
pub const FORMATS: [(Format, &str); 5] = [
    (Format::Bibtex, "application/x-bibtex"),
    (Format::Ris, "application/x-research-info-systems"),
    (Format::Csl, "application/vnd.citationstyles.csl+json"),
    (Format::Jats, "application/vnd.jats+xml"),
    (Format::JsonLd, "application/ld+json"),
];
