//! The entries of the index, and the updates that follow from changes of the store.

use masthead_domain::{SiteId, resource::ResourceKind};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// Number of the form of entries, of what their texts and values are made. It is raised with every change of that: an index with entries of
/// another form is emptied, and built again from the database.
pub const FORM: u32 = 3;

/// The kinds of entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EntryKind {
    /// An article.
    #[default]
    Article,
    /// A journal.
    Publication,
    /// A resource of this kind.
    Resource(ResourceKind),
}

impl EntryKind {
    /// The name in the index and in addresses.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Article => "article",
            Self::Publication => "publication",
            Self::Resource(kind) => kind.as_str(),
        }
    }

    /// The kind with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "article" => Some(Self::Article),
            "publication" => Some(Self::Publication),
            other => ResourceKind::parse(other).map(Self::Resource),
        }
    }
}

/// A text in several languages: each part has a language tag (`en`, `zh-Hant`), or "" where the language is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts(Vec<(String, String)>);

impl Texts {
    /// Adds a part; nothing if it is blank.
    pub fn push(&mut self, lang: &str, text: &str) {
        if !text.trim().is_empty() {
            self.0.push((lang.to_owned(), text.to_owned()));
        }
    }

    /// The parts: language tag and text.
    pub fn parts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(lang, text)| (lang.as_str(), text.as_str()))
    }

    /// Whether there is no text.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<&str> for Texts {
    /// A text of which the language is not known.
    fn from(text: &str) -> Self {
        let mut texts = Self::default();
        texts.push("", text);
        texts
    }
}

impl From<String> for Texts {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl<L: AsRef<str>, T: AsRef<str>> FromIterator<(L, T)> for Texts {
    fn from_iter<I: IntoIterator<Item = (L, T)>>(parts: I) -> Self {
        let mut texts = Self::default();
        parts.into_iter().for_each(|(lang, text)| texts.push(lang.as_ref(), text.as_ref()));
        texts
    }
}

impl Serialize for EntryKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for EntryKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::parse(&name).ok_or_else(|| D::Error::custom(format!("no kind of entries is named {name:?}")))
    }
}

/// The indexed data of one article, journal or resource.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    /// Its kind.
    pub kind: EntryKind,
    /// Its number; 0 for a journal.
    pub id: i64,
    /// Number of the article that it belongs to (an article's own), or 0.
    pub article: i64,
    /// Titles in every language (spec `resName_tic`, `enResName_tic`), one a line.
    pub title: Texts,
    /// Keywords in every language (spec `keyword_tic`, `keyWords_tic`, `keywordExt_tic`), one a line.
    pub keywords: Texts,
    /// Names of its authors in every form (spec `authors_tic`), one a line.
    pub authors: String,
    /// Institutions (spec `authorCompany_tic`, `organizerUnit`).
    pub company: Texts,
    /// Funders and numbers of grants (spec `funds`), as printed, one by one.
    pub funds: Vec<String>,
    /// Names of its journal in every language (spec `publicationName`).
    pub publication: Texts,
    /// Abstracts and notes in every language (spec `summary_tic`, `noteChinese_tic`).
    pub summary: Texts,
    /// The whole text (spec `thesis_tic`, `en_Thesis_tic`).
    pub text: Texts,
    /// Tags of its languages.
    pub languages: Vec<String>,
    /// DOI, or "".
    pub doi: String,
    /// Year of publication, if known.
    pub year: Option<i32>,
    /// Key of the journal on the site, or "".
    pub journal: String,
    /// JATS article type.
    pub article_type: String,
    /// For an article and what is part of one, whether it is open access.
    pub open_access: Option<bool>,
    /// Its columns (subject headings), as printed.
    pub columns: Vec<String>,
    /// Names of its authors one by one, as printed, for counts of hits by author.
    pub people: Vec<String>,
    /// Values that match only as a whole.
    pub exact_values: Vec<(ExactField, String)>,
    /// ISO date of publication, or "".
    pub date: String,
    /// ISO date of print publication, or "".
    pub print_date: String,
    /// Issue as printed, or "".
    pub issue: String,
    /// Proofing state of the specification.
    pub first_status: i32,
    /// Number of references.
    pub references: u32,
    /// Number of citations of it that are known.
    pub citations: u32,
    /// For an article, whether it is published online and not yet in an issue.
    pub online_first: Option<bool>,
    /// Time of the last update in milliseconds since 1970, if known.
    pub updated: Option<i64>,
}

/// A field whose values match only as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ExactField {
    /// Part of an issue.
    Part,
    /// First page.
    FirstPage,
    /// Last page.
    LastPage,
    /// Chinese serial number.
    Cn,
    /// ISSN, print or electronic.
    Issn,
    /// ISBN.
    Isbn,
}

/// The subject of an update.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// An article with everything that belongs to it.
    Article(i64),
    /// A journal, by its key.
    Publication(String),
    /// One resource.
    Resource(ResourceKind, i64),
}

/// An update of the index: the entries replace all previous ones of the subject.
#[derive(Clone, Debug)]
pub struct Update {
    /// The site.
    pub site: SiteId,
    /// The article, journal or resource that changed.
    pub subject: Subject,
    /// Its current entries; none if it was removed.
    pub entries: Vec<Entry>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_to_their_kinds() {
        for kind in [EntryKind::Article, EntryKind::Publication, EntryKind::Resource(ResourceKind::Picture)] {
            assert_eq!(EntryKind::parse(kind.as_str()), Some(kind));
        }
        assert_eq!(EntryKind::parse("thesis"), None);
    }
}
