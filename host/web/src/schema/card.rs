//! An article as lists show it.

use masthead_domain::card as domain;
use serde::Serialize;
use utoipa::ToSchema;

use crate::schema::{conversion::schema, ids::Doi, notice::NoticeMark};

schema! {
    /// An article in a list: home, issue, search results.
    #[derive(Debug, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct ArticleCard of domain::ArticleCard {
        /// Its number; 0 until it is stored.
        #[schema(value_type = i64)]
        pub id: i64,
        /// Its DOI.
        pub doi: Option<Doi>,
        /// JATS article type.
        pub article_type: String,
        /// BCP 47 tag of its own language.
        pub language: String,
        /// Titles: plain text and HTML, by BCP 47 tag, original first.
        pub titles: Vec<CardText>,
        /// Names of the first authors as in the source; `authorCount` counts all.
        pub authors: Vec<String>,
        /// The names of the same authors in other languages, as far as the source has them.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub author_names: Vec<CardNames>,
        /// Number of authors.
        pub author_count: usize,
        /// Key of its journal on the site.
        pub journal: String,
        /// Year, or 0.
        pub year: i32,
        /// Volume as printed.
        pub volume: String,
        /// Issue as printed.
        pub issue: String,
        /// Pages or article number as printed.
        pub pages: String,
        /// ISO date of publication, or "".
        pub published: String,
        /// Subject heading, or "".
        pub subject: String,
        /// Abstracts in short, by BCP 47 tag.
        pub summaries: Vec<CardText>,
        /// Proofing state of the specification.
        pub first_status: i32,
        /// Whether it is open access.
        pub open_access: bool,
        /// How lists mark it: whether it is retracted, corrected, or an expression of concern is about it.
        #[serde(default)]
        pub notice: NoticeMark,
    }
}

schema! {
    /// The authors of a card in one language.
    #[derive(Debug, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct CardNames of domain::CardNames {
        /// BCP 47 tag.
        pub lang: String,
        /// A name for each of the authors; an English one, or that of the source, for those who have none in this language.
        pub names: Vec<String>,
    }
}

schema! {
    /// A text of a card in one language.
    #[derive(Debug, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct CardText of domain::CardText {
        /// BCP 47 tag.
        pub lang: String,
        /// Plain text.
        pub plain: String,
        /// Sanitized inline HTML, or "" if the text has no formatting.
        pub html: String,
    }
}
