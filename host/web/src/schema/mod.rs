//! The types in which calls and the bootstrap send articles, journals, resources and sites, as the OpenAPI document describes them.
//!
//! Each type is converted from the type of the same name in the domain ([`FromDomain`]) and is defined in a file of the same name. The domain
//! and the crates between do not depend on OpenAPI. Types of a single call (its query, its page of hits) are defined with the call in `api`.

mod access;
mod article;
mod card;
mod content;
mod conversion;
mod ids;
mod import;
mod lang;
mod notice;
mod publication;
mod resource;
mod site;

pub use access::Permissions;
pub use article::{Affiliation, ArticleMeta, Contributor, Dates, Funding, JournalRef, RelatedArticle};
pub use card::{ArticleCard, CardText};
pub use content::{
    Abstract, ArticleBody, Caption, Cell, CellStyle, Citation, Contribution, DefItem, Fig, FigGroup, Footnote, Formula,
    Graphics, Grid, KeywordGroup, LangText, Line, ListItem, Media, Node, Part, RefList, Reference, Row, SubArticle,
    Table,
};
pub use conversion::FromDomain;
pub use ids::{ArticleId, Doi, SiteId};
pub use import::{Format, Job, JobState};
pub use lang::{Lang, LocalText};
pub use notice::{NoticeKind, NoticeMark, NoticeSide};
pub use publication::{Issue, Journal};
pub use resource::{
    Album, Attachment, Audio, Book, BookContributor, Collection, Column, Composite, CompositeBlock, Conference,
    Document, DocumentType, Expert, FriendLink, Information, ItemKind, ItemRef, News, NewsType, Patent, Picture,
    RankList, RankMeasure, Renditions, ResourceKind, Role, Standard, TableSheet, Tool, Topic, Video, Wechat,
};
pub use site::{Channel, CustomButton, PublicationConfig, ResourceType, SiteKind, ThemeColor, ThemeTokens};
