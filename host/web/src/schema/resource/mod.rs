//! The content of a site besides articles and journals (specification section 3).

mod audio_and_video;
mod books_and_documents;
mod collections;
mod conference;
mod experts_and_boards;
mod figures_and_tables;
mod kinds;
mod news_and_pages;

pub use audio_and_video::{Audio, Video};
pub use books_and_documents::{Book, BookContributor, Document, DocumentType, Patent, Standard, Tool};
pub use collections::{Album, Collection, Composite, CompositeBlock, ItemKind, ItemRef, RankList, RankMeasure, Topic};
pub use conference::Conference;
pub use experts_and_boards::{Expert, Role};
pub use figures_and_tables::{Picture, Renditions, TableSheet};
pub use kinds::ResourceKind;
pub use news_and_pages::{Attachment, Column, FriendLink, Information, News, NewsType, Wechat};
