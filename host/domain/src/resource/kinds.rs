//! The kinds of resources, listed once.
//!
//! The table at the end of this file gives each kind its type, name and source. From it follow the enum, its names in the store, in
//! addresses and in the search index, the names of the files of resources, and the dispatch from a kind to its type.

use serde::{Deserialize, Serialize};

use super::{
    Album, Audio, Board, Book, Collection, Column, Comment, Composite, Conference, Document, Expert, FriendLink,
    Information, News, Patent, Picture, RankList, Standard, TableSheet, Tool, Topic, Video, Wechat,
};

/// The source of a kind's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResourceSource {
    /// Files of resources, catalogues and other imports.
    File,
    /// Articles: the values are extracted when an article is stored, and removed with it.
    Article,
    /// Readers of the site.
    Readers,
}

macro_rules! kinds {
    ($d:tt $($(#[$meta:meta])* $kind:ident($type:ident) = $name:literal, $source:ident;)*) => {
        /// The kinds of resources. The name of each stands in addresses, in the store and in the index.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "lowercase")]
        pub enum ResourceKind {
            $($(#[$meta])* $kind,)*
        }

        impl ResourceKind {
            /// All kinds.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$kind),*];

            /// The name in addresses, in the store and in the index.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }

            /// Where its values come from.
            #[must_use]
            pub const fn source(self) -> ResourceSource {
                match self {
                    $(Self::$kind => ResourceSource::$source,)*
                }
            }
        }

        /// Evaluates an expression with the type of a kind that is known at run time only:
        /// `of_kind!(kind, T => read::<T>(text))`.
        #[macro_export]
        macro_rules! of_kind {
            ($d kind:expr, $d type:ident => $d body:expr) => {
                match $d kind {
                    $($crate::resource::ResourceKind::$kind => {
                        type $d type = $crate::resource::$type;
                        $d body
                    })*
                }
            };
        }

        $(const _: () = assert!(matches!(<$type as super::Resource>::KIND, ResourceKind::$kind), "a type names another kind");)*
    };
}

impl ResourceKind {
    /// The kind with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// The kind of a resource file, by the file name without extension (`news` of `news.toml`).
    #[must_use]
    pub fn of_file(stem: &str) -> Option<Self> {
        Self::parse(stem).filter(|kind| kind.source() == ResourceSource::File)
    }
}

kinds! { $
    /// [`News`].
    News(News) = "news", File;
    /// [`Information`].
    Information(Information) = "information", File;
    /// [`Column`].
    Column(Column) = "column", File;
    /// [`Wechat`].
    Wechat(Wechat) = "wechat", File;
    /// [`FriendLink`].
    Link(FriendLink) = "link", File;
    /// [`Composite`].
    Composite(Composite) = "composite", File;
    /// [`Collection`].
    Collection(Collection) = "collection", File;
    /// [`Album`].
    Album(Album) = "album", File;
    /// [`Topic`].
    Topic(Topic) = "topic", File;
    /// [`RankList`].
    RankList(RankList) = "ranklist", File;
    /// [`Picture`].
    Picture(Picture) = "picture", Article;
    /// [`TableSheet`].
    Table(TableSheet) = "table", Article;
    /// [`Audio`].
    Audio(Audio) = "audio", File;
    /// [`Video`].
    Video(Video) = "video", File;
    /// [`Patent`].
    Patent(Patent) = "patent", File;
    /// [`Standard`].
    Standard(Standard) = "standard", File;
    /// [`Book`].
    Book(Book) = "book", File;
    /// [`Document`].
    Document(Document) = "document", File;
    /// [`Tool`].
    Tool(Tool) = "tool", File;
    /// [`Expert`].
    Expert(Expert) = "expert", File;
    /// [`Board`].
    Board(Board) = "board", File;
    /// [`Conference`].
    Conference(Conference) = "conference", File;
    /// [`Comment`].
    Comment(Comment) = "comment", Readers;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_to_their_kinds() {
        for kind in ResourceKind::ALL {
            assert_eq!(ResourceKind::parse(kind.as_str()), Some(kind));
            assert_eq!(serde_json::to_value(kind).ok(), Some(serde_json::Value::from(kind.as_str())));
        }
        assert_eq!(ResourceKind::parse("Article"), None);
    }

    #[test]
    fn files_have_the_kinds_that_come_from_neither_articles_nor_readers() {
        assert_eq!(ResourceKind::of_file("news"), Some(ResourceKind::News));
        for stem in ["picture", "table", "comment", "article", ""] {
            assert_eq!(ResourceKind::of_file(stem), None, "{stem}");
        }
    }
}
