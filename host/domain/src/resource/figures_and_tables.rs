//! Figures and tables of articles as resources, so that they are searched and listed on their own. They are extracted when the
//! article is stored, and removed with it.

use serde::{Deserialize, Serialize};

use super::{ListKeys, Resource, ResourceKind, SearchText, parts, untagged};
use crate::{
    ids::{ArticleId, Doi},
    lang::LocalText,
};

/// The files of one picture: addresses under `/media/`, or "" where there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Renditions {
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

/// A figure of an article (specification: figure search fields `resName_tic`, `noteChinese_tic`, `keyWords_tic`, `thesis_tic`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Picture {
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

/// A table of an article, with the search fields of a figure.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct TableSheet {
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

/// A figure or table: part of the full text of its article.
pub trait FigureOrTable: Resource {
    /// The article.
    fn article_id(&self) -> ArticleId;

    /// Removes what only readers of the full text may see: the text of the caption, and the pictures. Label and heading remain.
    fn close(&mut self);
}

macro_rules! figure_or_table {
    ($name:ident, $kind:ident) => {
        impl FigureOrTable for $name {
            fn article_id(&self) -> ArticleId {
                ArticleId(self.article)
            }

            fn close(&mut self) {
                self.note = LocalText::default();
                self.pictures.clear();
            }
        }

        impl Resource for $name {
            const KIND: ResourceKind = ResourceKind::$kind;

            fn list_keys(&self) -> ListKeys<'_> {
                // Site-wide lists are ordered by date; the value's `position` is its order within the article.
                ListKeys {
                    key: &self.key,
                    section: &self.journal,
                    article: self.article,
                    position: 0,
                    date: &self.date,
                }
            }

            fn search_text(&self) -> SearchText {
                SearchText {
                    title: [untagged([&self.label]), parts(&[&self.title])].concat(),
                    keywords: parts(&[&self.keywords]),
                    summary: parts(&[&self.note]),
                    text: parts(&[&self.thesis]),
                    ..SearchText::default()
                }
            }
        }
    };
}

figure_or_table!(Picture, Picture);
figure_or_table!(TableSheet, Table);
