//! What a site publishes besides articles and journals (specification section 3): one type a kind, all stored, listed and
//! found alike, because each says by [`Resource::place`] where it is filed and by [`Resource::words`] what it is found by.

mod comment;
mod events;
mod exhibit;
mod gathered;
mod library;
mod media;
mod news;
mod people;

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use utoipa::ToSchema;

use crate::lang::LocalText;

pub use comment::{Comment, CommentState};
pub use events::Conference;
pub use exhibit::{Picture, Renditions, TableSheet};
pub use gathered::{Album, Collection, Composite, CompositeBlock, ItemKind, ItemRef, RankList, RankMeasure, Topic};
pub use library::{Book, BookContributor, Document, DocumentType, Patent, Standard, Tool};
pub use media::{Audio, Video};
pub use news::{Attachment, Column, FriendLink, Information, News, NewsType, Wechat};
pub use people::{Board, Expert, Role, Seat};

/// The kinds of resources. The name of each stands in addresses, in the store and in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ResourceKind {
    /// [`News`].
    News,
    /// [`Information`].
    Information,
    /// [`Column`].
    Column,
    /// [`Wechat`].
    Wechat,
    /// [`FriendLink`].
    Link,
    /// [`Composite`].
    Composite,
    /// [`Collection`].
    Collection,
    /// [`Album`].
    Album,
    /// [`Topic`].
    Topic,
    /// [`RankList`].
    RankList,
    /// [`Picture`].
    Picture,
    /// [`TableSheet`].
    Table,
    /// [`Audio`].
    Audio,
    /// [`Video`].
    Video,
    /// [`Patent`].
    Patent,
    /// [`Standard`].
    Standard,
    /// [`Book`].
    Book,
    /// [`Document`].
    Document,
    /// [`Tool`].
    Tool,
    /// [`Expert`].
    Expert,
    /// [`Board`].
    Board,
    /// [`Conference`].
    Conference,
    /// [`Comment`].
    Comment,
}

impl ResourceKind {
    /// All kinds.
    pub const ALL: [Self; 23] = [
        Self::News,
        Self::Information,
        Self::Column,
        Self::Wechat,
        Self::Link,
        Self::Composite,
        Self::Collection,
        Self::Album,
        Self::Topic,
        Self::RankList,
        Self::Picture,
        Self::Table,
        Self::Audio,
        Self::Video,
        Self::Patent,
        Self::Standard,
        Self::Book,
        Self::Document,
        Self::Tool,
        Self::Expert,
        Self::Board,
        Self::Conference,
        Self::Comment,
    ];

    /// The name in addresses, in the store and in the index.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::News => "news",
            Self::Information => "information",
            Self::Column => "column",
            Self::Wechat => "wechat",
            Self::Link => "link",
            Self::Composite => "composite",
            Self::Collection => "collection",
            Self::Album => "album",
            Self::Topic => "topic",
            Self::RankList => "ranklist",
            Self::Picture => "picture",
            Self::Table => "table",
            Self::Audio => "audio",
            Self::Video => "video",
            Self::Patent => "patent",
            Self::Standard => "standard",
            Self::Book => "book",
            Self::Document => "document",
            Self::Tool => "tool",
            Self::Expert => "expert",
            Self::Board => "board",
            Self::Conference => "conference",
            Self::Comment => "comment",
        }
    }

    /// The kind with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// Where a resource is filed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place<'a> {
    /// What identifies it among those of its kind on its site, over repeated imports.
    pub key: &'a str,
    /// What lists choose by (the type of news, the state of a comment, a journal's key), or "".
    pub section: &'a str,
    /// Number of the article that it belongs to, or 0.
    pub article: i64,
    /// Order by hand; equal ones are ordered by date, newest first.
    pub position: i64,
    /// ISO date, or "".
    pub date: &'a str,
}

/// What a resource is found by; parts are separated by line feeds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
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

/// One thing of a kind.
pub trait Resource: Serialize + DeserializeOwned + Clone + PartialEq + Send + Sync + 'static {
    /// Its kind.
    const KIND: ResourceKind;

    /// Where it is filed.
    fn place(&self) -> Place<'_>;

    /// What it is found by; empty for what no search shows.
    fn words(&self) -> Words {
        Words::default()
    }

    /// The texts that are HTML. Whoever takes a resource in from outside cleans them.
    fn html(&mut self) -> Vec<&mut String> {
        Vec::new()
    }
}

/// A stored resource with its number, which is unique over the installation and stays when the resource is replaced.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Stored<T> {
    /// Its number.
    pub id: i64,
    /// The resource.
    #[serde(flatten)]
    pub value: T,
}

/// Does the same with the type of a kind that is known at run time only: `of_kind!(kind, T => read::<T>(text))`.
#[macro_export]
macro_rules! of_kind {
    ($kind:expr, $type:ident => $body:expr) => {
        match $kind {
            $crate::resource::ResourceKind::News => {
                type $type = $crate::resource::News;
                $body
            }
            $crate::resource::ResourceKind::Information => {
                type $type = $crate::resource::Information;
                $body
            }
            $crate::resource::ResourceKind::Column => {
                type $type = $crate::resource::Column;
                $body
            }
            $crate::resource::ResourceKind::Wechat => {
                type $type = $crate::resource::Wechat;
                $body
            }
            $crate::resource::ResourceKind::Link => {
                type $type = $crate::resource::FriendLink;
                $body
            }
            $crate::resource::ResourceKind::Composite => {
                type $type = $crate::resource::Composite;
                $body
            }
            $crate::resource::ResourceKind::Collection => {
                type $type = $crate::resource::Collection;
                $body
            }
            $crate::resource::ResourceKind::Album => {
                type $type = $crate::resource::Album;
                $body
            }
            $crate::resource::ResourceKind::Topic => {
                type $type = $crate::resource::Topic;
                $body
            }
            $crate::resource::ResourceKind::RankList => {
                type $type = $crate::resource::RankList;
                $body
            }
            $crate::resource::ResourceKind::Picture => {
                type $type = $crate::resource::Picture;
                $body
            }
            $crate::resource::ResourceKind::Table => {
                type $type = $crate::resource::TableSheet;
                $body
            }
            $crate::resource::ResourceKind::Audio => {
                type $type = $crate::resource::Audio;
                $body
            }
            $crate::resource::ResourceKind::Video => {
                type $type = $crate::resource::Video;
                $body
            }
            $crate::resource::ResourceKind::Patent => {
                type $type = $crate::resource::Patent;
                $body
            }
            $crate::resource::ResourceKind::Standard => {
                type $type = $crate::resource::Standard;
                $body
            }
            $crate::resource::ResourceKind::Book => {
                type $type = $crate::resource::Book;
                $body
            }
            $crate::resource::ResourceKind::Document => {
                type $type = $crate::resource::Document;
                $body
            }
            $crate::resource::ResourceKind::Tool => {
                type $type = $crate::resource::Tool;
                $body
            }
            $crate::resource::ResourceKind::Expert => {
                type $type = $crate::resource::Expert;
                $body
            }
            $crate::resource::ResourceKind::Board => {
                type $type = $crate::resource::Board;
                $body
            }
            $crate::resource::ResourceKind::Conference => {
                type $type = $crate::resource::Conference;
                $body
            }
            $crate::resource::ResourceKind::Comment => {
                type $type = $crate::resource::Comment;
                $body
            }
        }
    };
}

/// What a stored value is found by.
///
/// # Errors
/// The parser's, when `data` is no value of this kind.
pub fn words_of(kind: ResourceKind, data: &str) -> serde_json::Result<Words> {
    of_kind!(kind, T => serde_json::from_str::<T>(data).map(|value| value.words()))
}

/// All languages of a text, a line each.
fn lines(texts: &[&LocalText]) -> String {
    let mut all: Vec<&str> = texts.iter().flat_map(|text| text.0.values()).map(String::as_str).collect();
    all.retain(|text| !text.trim().is_empty());
    all.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_kinds() {
        for kind in ResourceKind::ALL {
            assert_eq!(ResourceKind::parse(kind.as_str()), Some(kind));
            assert_eq!(serde_json::to_value(kind).ok(), Some(serde_json::Value::from(kind.as_str())));
        }
        assert_eq!(ResourceKind::parse("Article"), None);
    }
}
