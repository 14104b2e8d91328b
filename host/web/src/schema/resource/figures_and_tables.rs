//! Figures and tables of articles as resources, which are listed on their own.

use masthead_domain::resource as domain;
use serde::Serialize;
use utoipa::ToSchema;

use crate::schema::{conversion::schema, ids::Doi, lang::LocalText};

schema! {
    /// The files of one picture: addresses under `/media/`, or "" where there is none.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Renditions of domain::Renditions {
        /// At most 480 pixels wide, for previews.
        pub small: String,
        /// At most 2000 pixels wide, in a form that browsers show.
        pub big: String,
        /// The file as it came (it may be TIFF).
        pub original: String,
        /// Width of `big` in pixels, or 0 where it is not known.
        pub width: u32,
        /// Height of `big` in pixels, or 0.
        pub height: u32,
    }
}

schema! {
    /// A figure of an article (specification: figure search fields `resName_tic`, `noteChinese_tic`, `keyWords_tic`, `thesis_tic`).
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Picture of domain::Picture {
        /// Identifies it on its site: the article's number, a slash, the figure's id within the article.
        pub key: String,
        /// The article.
        pub article: i64,
        /// The article's DOI.
        pub doi: Option<Doi>,
        /// The figure's id within the article.
        pub element: String,
        /// Label as printed ("Figure 1").
        pub label: String,
        /// Heading of the caption (spec `resName_tic`).
        pub title: LocalText,
        /// Text of the caption and notes (spec `noteChinese_tic`).
        pub note: LocalText,
        /// The article's key words (spec `keyWords_tic`).
        pub keywords: LocalText,
        /// The article's title (spec `thesis_tic`).
        pub thesis: LocalText,
        /// Key of the journal.
        pub journal: String,
        /// ISO date of the article's publication, or "".
        pub date: String,
        /// Place within the article, from 0.
        pub position: i64,
        /// Its pictures, in order.
        pub pictures: Vec<Renditions>,
    }
}

schema! {
    /// A table of an article, with the search fields of a figure.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct TableSheet of domain::TableSheet {
        /// Identifies it on its site: the article's number, a slash, the table's id within the article.
        pub key: String,
        /// The article.
        pub article: i64,
        /// The article's DOI.
        pub doi: Option<Doi>,
        /// The table's id within the article.
        pub element: String,
        /// Label as printed ("Table 1").
        pub label: String,
        /// Heading of the caption (spec `resName_tic`).
        pub title: LocalText,
        /// Text of the caption and notes (spec `noteChinese_tic`).
        pub note: LocalText,
        /// The article's key words (spec `keyWords_tic`).
        pub keywords: LocalText,
        /// The article's title (spec `thesis_tic`).
        pub thesis: LocalText,
        /// Key of the journal.
        pub journal: String,
        /// ISO date of the article's publication, or "".
        pub date: String,
        /// Place within the article, from 0.
        pub position: i64,
        /// Number of rows, heads and feet included; 0 where the source has a picture in place of cells.
        pub rows: u32,
        /// The table as pictures, where the source has no cells.
        pub pictures: Vec<Renditions>,
    }
}
