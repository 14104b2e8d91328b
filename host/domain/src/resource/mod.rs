//! Resources: the content of a site besides articles and journals (specification section 3). Each kind has a type and a line in
//! the table of [`ResourceKind`]. All are stored, listed and searched by the same code, through [`Resource`].

mod audio_and_video;
mod books_and_documents;
mod collections;
mod comment;
mod conference;
mod experts_and_boards;
mod figures_and_tables;
mod kinds;
mod news_and_pages;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::lang::LocalText;

pub use audio_and_video::{Audio, Video};
pub use books_and_documents::{Book, BookContributor, Document, DocumentType, Patent, Standard, Tool};
pub use collections::{Album, Collection, Composite, CompositeBlock, ItemKind, ItemRef, RankList, RankMeasure, Topic};
pub use comment::{Comment, CommentState};
pub use conference::Conference;
pub use experts_and_boards::{Board, BoardSeat, Expert, Role};
pub use figures_and_tables::{FigureOrTable, Picture, Renditions, TableSheet};
pub use kinds::{ResourceKind, ResourceSource};
pub use news_and_pages::{Attachment, Column, FriendLink, Information, News, NewsType, Wechat};

/// The values that identify a resource and determine its place in lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ListKeys<'a> {
    /// Identifies the resource among those of its kind on its site, across repeated imports.
    pub key: &'a str,
    /// The value by which lists are filtered (the type of news, the state of a comment, a journal's key), or "".
    pub section: &'a str,
    /// Number of the article that the resource belongs to, or 0.
    pub article: i64,
    /// The order set by an editor; resources with the same position are ordered by date, newest first.
    pub position: i64,
    /// ISO date, or "".
    pub date: &'a str,
}

/// The texts by which a resource is searched; parts are separated by line feeds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchText {
    /// Titles and names (spec `resName_tic`).
    pub title: String,
    /// Key words (spec `keyWords_tic`).
    pub keywords: String,
    /// People and institutions (spec `authors_tic`).
    pub authors: String,
    /// Institutions by which a kind is searched on its own (spec `authorCompany_tic`).
    pub company: String,
    /// Notes, summaries (spec `noteChinese_tic`, `summary_tic`).
    pub summary: String,
    /// All other text, for figures and tables the title of their article (spec `thesis_tic`).
    pub text: String,
    /// ISBN of a book, which matches only as a whole, or "".
    pub isbn: String,
}

/// A resource: one value of a kind.
pub trait Resource: Serialize + DeserializeOwned + Clone + PartialEq + Send + Sync + 'static {
    /// Its kind.
    const KIND: ResourceKind;

    /// Its identity and its place in lists.
    fn list_keys(&self) -> ListKeys<'_>;

    /// Its texts for the search index; empty for kinds that are not searched.
    fn search_text(&self) -> SearchText {
        SearchText::default()
    }

    /// Its fields with HTML, which an importer must sanitize.
    fn html_fields(&mut self) -> Vec<&mut String> {
        Vec::new()
    }
}

/// A stored resource with its number, which is unique on its site and stays when the resource is replaced.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stored<T> {
    /// Its number.
    pub id: i64,
    /// The resource.
    #[serde(flatten)]
    pub value: T,
}

/// The texts in all languages, one a line.
fn lines(texts: &[&LocalText]) -> String {
    let mut all: Vec<&str> = texts.iter().flat_map(|text| text.0.values()).map(String::as_str).collect();
    all.retain(|text| !text.trim().is_empty());
    all.join("\n")
}
