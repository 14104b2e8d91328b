//! Books, patents, standards, documents, tools.

use serde::{Deserialize, Serialize};

use super::{ListKeys, Resource, ResourceKind, SearchText, names, parts, parts_of_html, untagged};
use crate::{lang::LocalText, text::without_tags};

/// A book.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Book {
    /// Identifies it on its site: the ISBN without hyphens, where it has one.
    pub key: String,
    /// ISBN-13 or ISBN-10 as printed, or "".
    pub isbn: String,
    /// Name.
    pub title: LocalText,
    /// Subtitle.
    pub subtitle: LocalText,
    /// Edition as printed (spec "edition code"), or "".
    pub edition: String,
    /// Publisher.
    pub publisher: String,
    /// Chief editor, or "".
    pub chief_editor: String,
    /// Authors, editors, translators, in order, with their biographies.
    pub contributors: Vec<BookContributor>,
    /// Date of the first publication, ISO 8601 with the precision that is known, or "".
    pub first_published: String,
    /// Language as an ISO 639-2 code, or "".
    pub language: String,
    /// What it is about, as sanitized HTML.
    pub introduction: LocalText,
    /// Table of contents, a line each (spec "catalogue").
    pub catalogue: Vec<String>,
    /// Subject headings.
    pub subjects: Vec<String>,
    /// Number of pages, or 0.
    pub pages: u32,
    /// Address of the cover, or "".
    pub cover: String,
}

/// Somebody who contributed to a book.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct BookContributor {
    /// Name as printed.
    pub name: String,
    /// `author`, `editor`, `translator`, `illustrator`, or as the source says.
    pub role: String,
    /// Biography, as sanitized HTML, or "".
    pub bio: String,
}

/// A patent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Patent {
    /// Key that identifies it on its site.
    pub key: String,
    /// Title.
    pub title: LocalText,
    /// What it claims.
    pub introduction: LocalText,
    /// Number of the application.
    pub application_number: String,
    /// Number of the publication, or "".
    pub publication_number: String,
    /// Who applied.
    pub applicants: Vec<String>,
    /// Who invented it.
    pub inventors: Vec<String>,
    /// Classes of the International Patent Classification.
    pub ipc: Vec<String>,
    /// Day of the application, ISO 8601.
    pub applied: String,
    /// Day of the publication, ISO 8601, or "".
    pub date: String,
    /// Legal state as the office says, or "".
    pub legal_state: String,
}

/// A technical standard.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Standard {
    /// Key that identifies it on its site.
    pub key: String,
    /// Number as printed ("XX/T 1-2026").
    pub number: String,
    /// Title.
    pub title: LocalText,
    /// Scope.
    pub introduction: LocalText,
    /// Who issued it.
    pub organization: LocalText,
    /// Classes of the International Classification for Standards.
    pub ics: Vec<String>,
    /// Day of publication, ISO 8601.
    pub date: String,
    /// Day on which it comes into force, ISO 8601, or "".
    pub effective: String,
    /// Numbers of standards that it replaces.
    pub replaces: Vec<String>,
    /// `current`, `withdrawn`, `draft`, or "".
    pub standing: String,
}

/// What kind of document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DocumentType {
    /// A report, a data set, a paper of grey literature (spec "science documents").
    #[default]
    Science,
    /// Sheet music.
    Music,
    /// Local history.
    Chronicle,
}

impl DocumentType {
    /// The name in the store and in addresses.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Science => "science",
            Self::Music => "music",
            Self::Chronicle => "chronicle",
        }
    }
}

/// A document that is no article: report, sheet music, local history.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Document {
    /// Key that identifies it on its site.
    pub key: String,
    /// What kind.
    #[serde(rename = "type")]
    pub kind: DocumentType,
    /// Title.
    pub title: LocalText,
    /// What it is about.
    pub introduction: LocalText,
    /// Who made it.
    pub authors: Vec<String>,
    /// Key words.
    pub keywords: Vec<String>,
    /// ISO date.
    pub date: String,
    /// Address of the file, or "".
    pub file: String,
    /// Address of the cover, or "".
    pub cover: String,
}

/// A tool that the site recommends to its readers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Tool {
    /// Key that identifies it on its site.
    pub key: String,
    /// Name.
    pub title: LocalText,
    /// Purpose of the tool.
    pub introduction: LocalText,
    /// Address.
    pub link_value: String,
    /// Address of a picture, or "".
    pub icon: String,
    /// Order by hand.
    pub position: i64,
}

impl Resource for Book {
    const KIND: ResourceKind = ResourceKind::Book;

    fn list_keys(&self) -> ListKeys<'_> {
        ListKeys { key: &self.key, date: &self.first_published, ..ListKeys::default() }
    }

    fn search_text(&self) -> SearchText {
        let biographies: Vec<String> = self.contributors.iter().map(|person| without_tags(&person.bio)).collect();
        SearchText {
            title: [parts(&[&self.title, &self.subtitle]), untagged([&self.isbn])].concat(),
            keywords: untagged(&self.subjects),
            authors: names(self.contributors.iter().map(|person| &person.name).chain([&self.chief_editor])),
            company: untagged([&self.publisher]),
            summary: parts_of_html(&[&self.introduction]),
            text: untagged(self.catalogue.iter().chain([&self.edition]).chain(&biographies)),
            isbn: self.isbn.clone(),
        }
    }

    fn html_fields(&mut self) -> Vec<&mut String> {
        let bios = self.contributors.iter_mut().map(|person| &mut person.bio);
        bios.chain(self.introduction.0.values_mut()).collect()
    }
}

impl Resource for Patent {
    const KIND: ResourceKind = ResourceKind::Patent;

    fn list_keys(&self) -> ListKeys<'_> {
        ListKeys { key: &self.key, date: &self.date, ..ListKeys::default() }
    }

    fn search_text(&self) -> SearchText {
        SearchText {
            title: [parts(&[&self.title]), untagged([&self.application_number, &self.publication_number])].concat(),
            keywords: untagged(&self.ipc),
            authors: names(self.applicants.iter().chain(&self.inventors)),
            summary: parts(&[&self.introduction]),
            ..SearchText::default()
        }
    }
}

impl Resource for Standard {
    const KIND: ResourceKind = ResourceKind::Standard;

    fn list_keys(&self) -> ListKeys<'_> {
        ListKeys { key: &self.key, section: &self.standing, date: &self.date, ..ListKeys::default() }
    }

    fn search_text(&self) -> SearchText {
        SearchText {
            title: [untagged([&self.number]), parts(&[&self.title])].concat(),
            keywords: untagged(&self.ics),
            company: parts(&[&self.organization]),
            summary: parts(&[&self.introduction]),
            text: untagged(&self.replaces),
            ..SearchText::default()
        }
    }
}

impl Resource for Document {
    const KIND: ResourceKind = ResourceKind::Document;

    fn list_keys(&self) -> ListKeys<'_> {
        ListKeys { key: &self.key, section: self.kind.as_str(), date: &self.date, ..ListKeys::default() }
    }

    fn search_text(&self) -> SearchText {
        SearchText {
            title: parts(&[&self.title]),
            keywords: untagged(&self.keywords),
            authors: names(&self.authors),
            summary: parts(&[&self.introduction]),
            ..SearchText::default()
        }
    }
}

impl Resource for Tool {
    const KIND: ResourceKind = ResourceKind::Tool;

    fn list_keys(&self) -> ListKeys<'_> {
        ListKeys { key: &self.key, position: self.position, ..ListKeys::default() }
    }

    fn search_text(&self) -> SearchText {
        SearchText { title: parts(&[&self.title]), summary: parts(&[&self.introduction]), ..SearchText::default() }
    }
}
