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

use crate::{lang::LocalText, text::without_tags};

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

/// The parts of a text: each has a language tag, or "" where the language is not known.
pub type TextParts = Vec<(&'static str, String)>;

/// The texts by which a resource is searched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchText {
    /// Titles and names (spec `resName_tic`).
    pub title: TextParts,
    /// Key words (spec `keyWords_tic`).
    pub keywords: TextParts,
    /// Names of people, and of others who stand in their place, one by one (spec `authors_tic`).
    pub authors: Vec<String>,
    /// Institutions (spec `authorCompany_tic`).
    pub company: TextParts,
    /// Notes, summaries (spec `noteChinese_tic`, `summary_tic`).
    pub summary: TextParts,
    /// All other text, for figures and tables the title of their article (spec `thesis_tic`).
    pub text: TextParts,
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

/// Texts in all their languages.
fn parts(texts: &[&LocalText]) -> TextParts {
    let all = texts.iter().flat_map(|text| &text.0).map(|(lang, text)| (lang.tag(), text.clone()));
    all.filter(|(_, text)| !text.trim().is_empty()).collect()
}

/// The text of fields with HTML, in all their languages.
fn parts_of_html(texts: &[&LocalText]) -> TextParts {
    parts(texts).into_iter().map(|(lang, html)| (lang, without_tags(&html))).collect()
}

/// Texts whose languages are not known.
fn untagged<'a>(texts: impl IntoIterator<Item = &'a String>) -> TextParts {
    texts.into_iter().filter(|text| !text.trim().is_empty()).map(|text| ("", text.clone())).collect()
}

/// Names, without blank ones.
fn names<'a>(all: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    all.into_iter().filter(|name| !name.trim().is_empty()).cloned().collect()
}
