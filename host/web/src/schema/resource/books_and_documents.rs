//! Books, patents, standards, documents, tools.

use masthead_domain::resource as domain;
use serde::Serialize;
use utoipa::ToSchema;

use crate::schema::{conversion::schema, lang::LocalText};

schema! {
    /// A book.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Book of domain::Book {
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
}

schema! {
    /// Somebody who contributed to a book.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct BookContributor of domain::BookContributor {
        /// Name as printed.
        pub name: String,
        /// `author`, `editor`, `translator`, `illustrator`, or as the source says.
        pub role: String,
        /// Biography, as sanitized HTML, or "".
        pub bio: String,
    }
}

schema! {
    /// A patent.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Patent of domain::Patent {
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
}

schema! {
    /// A technical standard.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Standard of domain::Standard {
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
}

schema! {
    /// What kind of document.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum DocumentType of domain::DocumentType {
        /// A report, a data set, a paper of grey literature (spec "science documents").
        #[default]
        Science,
        /// Sheet music.
        Music,
        /// Local history.
        Chronicle,
    }
}

schema! {
    /// A document that is no article: report, sheet music, local history.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Document of domain::Document {
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
}

schema! {
    /// A tool that the site recommends to its readers.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Tool of domain::Tool {
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
}
