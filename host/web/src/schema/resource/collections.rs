//! Resources that list other content: virtual collections, albums, composite pages, topics, rank lists.

use masthead_domain::resource as domain;
use serde::Serialize;
use utoipa::ToSchema;

use crate::schema::{conversion::schema, lang::LocalText};

schema! {
    /// What an `ItemRef` points to.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum ItemKind of domain::ItemKind {
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
}

schema! {
    /// A pointer to other content of the same site (specification "Content item kinds").
    #[derive(Debug, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct ItemRef of domain::ItemRef {
        /// What it points to.
        pub kind: ItemKind,
        /// Which: a DOI or a source key for an article, else the key of the thing.
        pub key: String,
    }
}

schema! {
    /// A special issue or virtual collection; its tabs are Paper, Figures, Tables and Experts.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Collection of domain::Collection {
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
}

schema! {
    /// An album: tabs article, publication, audio, video.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Album of domain::Album {
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
}

schema! {
    /// A page that consists of blocks.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Composite of domain::Composite {
        /// Key that identifies it on its site.
        pub key: String,
        /// Heading.
        pub title: LocalText,
        /// ISO date.
        pub date: String,
        /// The blocks, from above.
        pub blocks: Vec<CompositeBlock>,
    }
}

schema! {
    /// A block of a composite page.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct CompositeBlock of domain::CompositeBlock {
        /// Heading, or none.
        pub title: LocalText,
        /// Text, as sanitized HTML.
        pub content: LocalText,
        /// What it shows, in order.
        pub items: Vec<ItemRef>,
    }
}

schema! {
    /// A topic with its articles and experts (spec `topicId`).
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Topic of domain::Topic {
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
}

schema! {
    /// Measure by which a rank list is ordered.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum RankMeasure of domain::RankMeasure {
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
}

schema! {
    /// A list of the most read, downloaded or discussed articles within a window of time.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct RankList of domain::RankList {
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
}
