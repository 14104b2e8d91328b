//! What it is: one citation as BibTeX, RIS and CSL-JSON, written the same way by the host and by plugins.
//! What it is not: it does not read these formats (`formats` does) and does not know articles; its caller fills an [`Entry`].
//! Who may depend on it: `formats` and plugins. It depends on no other crate of ours and compiles to WebAssembly.

mod bibtex;
mod csl;
mod ris;

pub use bibtex::bibtex;
pub use csl::csl_json;
pub use ris::ris;

/// A cited work. Unknown texts are "".
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Type of the work.
    pub work: WorkType,
    /// Title with its formatting.
    pub title: Vec<Run>,
    /// Authors.
    pub authors: Vec<Name>,
    /// Editors.
    pub editors: Vec<Name>,
    /// Title of the journal or series.
    pub journal: String,
    /// Abbreviated title of the journal.
    pub journal_abbreviation: String,
    /// ISSNs.
    pub issn: Vec<String>,
    /// Publisher or university.
    pub publisher: String,
    /// Year as printed.
    pub year: String,
    /// Date of publication, ISO 8601 with the precision that is known (`2024`, `2024-05`, `2024-05-17`).
    pub published: String,
    /// Volume.
    pub volume: String,
    /// Issue.
    pub issue: String,
    /// First page.
    pub first_page: String,
    /// Last page.
    pub last_page: String,
    /// Article number.
    pub article_number: String,
    /// DOI without resolver.
    pub doi: String,
    /// URL of the work.
    pub url: String,
    /// BCP 47 tag.
    pub language: String,
    /// Keywords.
    pub keywords: Vec<String>,
    /// Abstract as plain text.
    pub abstract_text: String,
}

/// Type of a work, as far as the three formats distinguish types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WorkType {
    /// An article in a journal.
    #[default]
    Article,
    /// A preprint.
    Preprint,
    /// A thesis.
    Thesis,
    /// A review of a book.
    BookReview,
    /// A chapter of a book.
    Chapter,
    /// A data set.
    Dataset,
}

impl WorkType {
    /// The type of what a journal publishes, from its JATS article type (`article/@article-type`).
    #[must_use]
    pub fn of(article_type: &str) -> Self {
        match article_type {
            "preprint" => Self::Preprint,
            "dissertation" | "thesis" => Self::Thesis,
            "book-review" | "product-review" => Self::BookReview,
            "chapter-article" => Self::Chapter,
            "data" | "dataset" => Self::Dataset,
            _ => Self::Article,
        }
    }

    /// Names of the type in BibTeX, RIS and CSL.
    const fn names(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Article => ("article", "JOUR", "article-journal"),
            Self::Preprint => ("misc", "UNPB", "article"),
            Self::Thesis => ("phdthesis", "THES", "thesis"),
            Self::BookReview => ("article", "JOUR", "review-book"),
            Self::Chapter => ("incollection", "CHAP", "chapter"),
            Self::Dataset => ("misc", "DATA", "dataset"),
        }
    }
}

/// A name of a person or group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Name {
    /// A personal name in its parts.
    Parts {
        /// Family name with its particle.
        family: String,
        /// Given names, or "".
        given: String,
        /// `Jr`, `III`, or "".
        suffix: String,
    },
    /// A group, or a name that is not divided into parts.
    Whole(String),
}

/// A part of a title with one formatting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Run {
    /// Characters.
    Text(String),
    /// Subscript.
    Sub(Vec<Self>),
    /// Superscript.
    Sup(Vec<Self>),
    /// Italics.
    Italic(Vec<Self>),
    /// Bold.
    Bold(Vec<Self>),
}

impl Entry {
    /// The title without formatting.
    #[must_use]
    pub fn plain_title(&self) -> String {
        fn push(runs: &[Run], out: &mut String) {
            for run in runs {
                match run {
                    Run::Text(text) => out.push_str(text),
                    Run::Sub(inner) | Run::Sup(inner) | Run::Italic(inner) | Run::Bold(inner) => push(inner, out),
                }
            }
        }
        let mut out = String::new();
        push(&self.title, &mut out);
        fold(&out)
    }

    /// Citation key of ASCII letters and digits: first author, year, first long word of the title; made of the DOI if the first
    /// author's name is not in Latin script.
    #[must_use]
    pub fn key(&self) -> String {
        let ascii = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
        let name = self.authors.first().map(|name| match name {
            Name::Parts { family, .. } => ascii(family),
            Name::Whole(whole) => ascii(whole),
        });
        let Some(name) = name.filter(|name| !name.is_empty() && name.len() <= 40) else {
            let doi = ascii(&self.doi);
            return if doi.is_empty() { format!("article{}", self.year) } else { format!("doi{doi}") };
        };
        let title = self.plain_title();
        let word = title.split_whitespace().map(ascii).find(|word| word.len() > 3).unwrap_or_default();
        format!("{name}{}{}", self.year, word.to_ascii_lowercase().chars().take(40).collect::<String>())
    }

    /// Year, month and day of publication, as far as they are known. The year as printed takes precedence over a date in
    /// another year.
    fn date(&self) -> Vec<&str> {
        let published = !self.published.is_empty() && self.published.starts_with(&self.year);
        let date = if published { &self.published } else { &self.year };
        date.split('-').filter(|part| !part.is_empty()).collect()
    }
}

/// First and last page as one text, with `dash` between them: `10-19`. A single page is written once; without a first page, it is "".
///
/// The host has the same rule in `domain`, on which this crate cannot depend; a test of `formats` compares both.
fn page_range(first: &str, last: &str, dash: &str) -> String {
    let single = first.is_empty() || last.is_empty() || first == last;
    if single { first.to_owned() } else { format!("{first}{dash}{last}") }
}

/// The text on one line: control characters and runs of white space become one space.
fn one_line(text: &str) -> String {
    let spaced = |c: char| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c };
    fold(&text.chars().map(spaced).collect::<String>())
}

/// The text with runs of white space as one space; other spaces (no-break, ideographic) are kept.
fn fold(text: &str) -> String {
    text.split([' ', '\t', '\n', '\r']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::page_range;

    #[test]
    fn pages_are_a_range_a_page_or_nothing() {
        for (first, last, expected) in
            [("10", "19", "10--19"), ("7", "7", "7"), ("7", "", "7"), ("", "9", ""), ("", "", "")]
        {
            assert_eq!(page_range(first, last, "--"), expected);
        }
    }
}
