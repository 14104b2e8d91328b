//! Resources: what a site publishes besides articles and journals (specification section 3). There is one type for each kind, and one line
//! for each kind in the table of [`ResourceKind`]. All are stored, listed and searched by the same code, by way of [`Resource`].

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
pub use experts_and_boards::{Board, Expert, Role, Seat};
pub use figures_and_tables::{Picture, Renditions, TableSheet};
pub use kinds::{ResourceKind, ResourceSource};
pub use news_and_pages::{Attachment, Column, FriendLink, Information, News, NewsType, Wechat};

/// What a resource is identified by, and listed by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ListKeys<'a> {
    /// What identifies it among those of its kind on its site, over repeated imports.
    pub key: &'a str,
    /// What lists are filtered by (the type of news, the state of a comment, a journal's key), or "".
    pub section: &'a str,
    /// Number of the article that it belongs to, or 0.
    pub article: i64,
    /// The order that an editor sets; equal ones are ordered by date, newest first.
    pub position: i64,
    /// ISO date, or "".
    pub date: &'a str,
}

/// What a resource is searched by; parts are separated by line feeds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchText {
    /// Titles and names (spec `resName_tic`).
    pub title: String,
    /// Key words (spec `keyWords_tic`).
    pub keywords: String,
    /// People and institutions (spec `authors_tic`).
    pub authors: String,
    /// Notes, summaries (spec `noteChinese_tic`, `summary_tic`).
    pub summary: String,
    /// Everything else, as the article that it belongs to (spec `thesis_tic`).
    pub text: String,
}

/// A resource: one value of a kind.
pub trait Resource: Serialize + DeserializeOwned + Clone + PartialEq + Send + Sync + 'static {
    /// Its kind.
    const KIND: ResourceKind;

    /// What it is identified by, and listed by.
    fn list_keys(&self) -> ListKeys<'_>;

    /// What it is searched by; empty for kinds that no search lists.
    fn search_text(&self) -> SearchText {
        SearchText::default()
    }

    /// The fields that hold HTML. The code that takes a resource in from outside sanitizes them.
    fn html_fields(&mut self) -> Vec<&mut String> {
        Vec::new()
    }
}

/// A stored resource with its number, which is unique over the installation and stays when the resource is replaced.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stored<T> {
    /// Its number.
    pub id: i64,
    /// The resource.
    #[serde(flatten)]
    pub value: T,
}

/// All languages of a text, a line each.
fn lines(texts: &[&LocalText]) -> String {
    let mut all: Vec<&str> = texts.iter().flat_map(|text| text.0.values()).map(String::as_str).collect();
    all.retain(|text| !text.trim().is_empty());
    all.join("\n")
}
