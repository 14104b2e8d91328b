//! Resources that list other content: virtual collections, albums, composite pages, topics, rank lists.

use serde::{Deserialize, Serialize};

use super::{ListKeys, Resource, ResourceKind, SearchText, parts, parts_of_html};
use crate::lang::LocalText;

/// What an [`ItemRef`] points to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ItemKind {
    /// An article.
    #[default]
    Article,
    /// A journal.
    Publication,
    /// A link.
    Link,
    /// A WeChat post.
    Wechat,
    /// News.
    News,
    /// An album.
    Album,
    /// A figure.
    Picture,
    /// A table.
    Table,
    /// Audio.
    Audio,
    /// Video.
    Video,
    /// A book.
    Book,
    /// An expert.
    Expert,
}

/// A pointer to other content of the same site (specification "Content item kinds").
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ItemRef {
    /// What it points to.
    pub kind: ItemKind,
    /// Which: a DOI or a source key for an article, else the key of the thing.
    pub key: String,
}

/// A special issue or virtual collection; its tabs are Paper, Figures, Tables and Experts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Collection {
    /// Identifies it on its site (spec `virtualId`).
    pub key: String,
    /// Key of the journal that it belongs to (spec `indexId`), or "".
    pub index_id: String,
    /// Name.
    pub title: LocalText,
    /// What it is about, as sanitized HTML.
    pub introduction: LocalText,
    /// Address of the cover, or "".
    pub cover: String,
    /// ISO date.
    pub date: String,
    /// Order by hand.
    pub position: i64,
    /// Its content, in order. Figures and tables of its articles need not be named.
    pub items: Vec<ItemRef>,
}

/// An album: tabs article, publication, audio, video.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Album {
    /// Key that identifies it on its site.
    pub key: String,
    /// Name.
    pub title: LocalText,
    /// What it is about.
    pub introduction: LocalText,
    /// Address of the cover, or "".
    pub cover: String,
    /// ISO date.
    pub date: String,
    /// Order by hand.
    pub position: i64,
    /// Its content, in order.
    pub items: Vec<ItemRef>,
}

/// A page that consists of blocks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Composite {
    /// Key that identifies it on its site.
    pub key: String,
    /// Heading.
    pub title: LocalText,
    /// ISO date.
    pub date: String,
    /// The blocks, from above.
    pub blocks: Vec<CompositeBlock>,
}

/// A block of a composite page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct CompositeBlock {
    /// Heading, or none.
    pub title: LocalText,
    /// Text, as sanitized HTML.
    pub content: LocalText,
    /// What it shows, in order.
    pub items: Vec<ItemRef>,
}

/// A topic with its articles and experts (spec `topicId`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Topic {
    /// Identifies it on its site (spec `topicId`).
    pub key: String,
    /// Name.
    pub title: LocalText,
    /// What it is about.
    pub introduction: LocalText,
    /// Order by hand.
    pub position: i64,
    /// Its content, in order.
    pub items: Vec<ItemRef>,
}

/// Measure by which a rank list is ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RankMeasure {
    /// Views.
    #[default]
    Visits,
    /// Downloads.
    Downloads,
    /// Comments.
    Comments,
    /// Length of the list of references.
    References,
}

/// A list of the most read, downloaded or discussed articles within a window of time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct RankList {
    /// Key that identifies it on its site.
    pub key: String,
    /// Name.
    pub title: LocalText,
    /// Measure by which the list is ordered.
    pub measure: RankMeasure,
    /// Months that it looks back: 3, 6, 12, 24, 36; 0 for all.
    pub months: u32,
    /// Key of the journal that it is about, or "".
    pub journal: String,
    /// Number of places.
    pub size: u32,
    /// Order by hand.
    pub position: i64,
}

impl Resource for Collection {
    const KIND: ResourceKind = ResourceKind::Collection;

    fn list_keys(&self) -> ListKeys<'_> {
        ListKeys { key: &self.key, section: &self.index_id, article: 0, position: self.position, date: &self.date }
    }

    fn search_text(&self) -> SearchText {
        SearchText {
            title: parts(&[&self.title]),
            summary: parts_of_html(&[&self.introduction]),
            ..SearchText::default()
        }
    }

    fn html_fields(&mut self) -> Vec<&mut String> {
        self.introduction.0.values_mut().collect()
    }
}

impl Resource for Album {
    const KIND: ResourceKind = ResourceKind::Album;

    fn list_keys(&self) -> ListKeys<'_> {
        ListKeys { key: &self.key, position: self.position, date: &self.date, ..ListKeys::default() }
    }

    fn search_text(&self) -> SearchText {
        SearchText { title: parts(&[&self.title]), summary: parts(&[&self.introduction]), ..SearchText::default() }
    }
}

impl Resource for Topic {
    const KIND: ResourceKind = ResourceKind::Topic;

    fn list_keys(&self) -> ListKeys<'_> {
        ListKeys { key: &self.key, position: self.position, ..ListKeys::default() }
    }

    fn search_text(&self) -> SearchText {
        SearchText { title: parts(&[&self.title]), summary: parts(&[&self.introduction]), ..SearchText::default() }
    }
}

impl Resource for Composite {
    const KIND: ResourceKind = ResourceKind::Composite;

    fn list_keys(&self) -> ListKeys<'_> {
        ListKeys { key: &self.key, date: &self.date, ..ListKeys::default() }
    }

    fn html_fields(&mut self) -> Vec<&mut String> {
        self.blocks.iter_mut().flat_map(|block| block.content.0.values_mut()).collect()
    }
}

impl Resource for RankList {
    const KIND: ResourceKind = ResourceKind::RankList;

    fn list_keys(&self) -> ListKeys<'_> {
        ListKeys { key: &self.key, section: &self.journal, position: self.position, ..ListKeys::default() }
    }
}
