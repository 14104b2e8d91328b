//! The types that travel: what pages and calls say of an article, a journal, a resource or a site, as the OpenAPI document describes it.
//!
//! Each is made of the domain's type of the same name ([`FromDomain`]) in a file of the same name; neither the domain nor the crates between
//! know OpenAPI. What belongs to one call (its query, its page of hits) stands beside the call in `api`.

mod access;
mod article;
mod card;
mod content;
mod conversion;
mod ids;
mod import;
mod lang;
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
pub use publication::{Issue, Journal};
pub use resource::{
    Album, Attachment, Audio, Book, BookContributor, Collection, Column, Composite, CompositeBlock, Conference,
    Document, DocumentType, Expert, FriendLink, Information, ItemKind, ItemRef, News, NewsType, Patent, Picture,
    RankList, RankMeasure, Renditions, ResourceKind, Role, Standard, TableSheet, Tool, Topic, Video, Wechat,
};
pub use site::{Channel, CustomButton, PublicationConfig, ResourceType, SiteKind, ThemeColor, ThemeTokens};
