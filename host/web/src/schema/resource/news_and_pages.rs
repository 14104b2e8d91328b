//! News, information, columns, WeChat posts, links.

use masthead_domain::resource as domain;
use serde::Serialize;
use utoipa::ToSchema;

use crate::schema::{conversion::schema, lang::LocalText};

schema! {
    /// The tabs of the news.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum NewsType of domain::NewsType {
        /// Information.
        #[default]
        Information,
        /// Announcement.
        Announcement,
        /// Dynamic: current activities.
        Dynamic,
        /// Statement.
        Statement,
    }
}

schema! {
    /// A piece of news.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct News of domain::News {
        /// Key that identifies it on its site.
        pub key: String,
        /// Its tab.
        #[serde(rename = "type")]
        pub kind: NewsType,
        /// Headline.
        pub title: LocalText,
        /// One or two sentences.
        pub summary: LocalText,
        /// The text, as sanitized HTML.
        pub content: LocalText,
        /// ISO date.
        pub date: String,
        /// Who wrote it, or "".
        pub author: String,
        /// Where it is from, or "".
        pub source: String,
        /// Address of a picture, or "".
        pub cover: String,
        /// Address that is opened instead of a page of the site, or "".
        pub link_value: String,
        /// Order by hand: negative numbers come first; 0 = by date.
        pub position: i64,
        /// Files to download.
        pub attachments: Vec<Attachment>,
    }
}

schema! {
    /// A file to download.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Attachment of domain::Attachment {
        /// Name that readers see.
        pub name: String,
        /// Address of the file.
        pub file: String,
    }
}

schema! {
    /// A page of text that a channel leads to (`info/:id`, `about/:id`).
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Information of domain::Information {
        /// Key that identifies it on its site.
        pub key: String,
        /// Code of the channel that it belongs to (`aboutus`, `contact`, `introduce`), or "".
        pub code: String,
        /// Heading.
        pub title: LocalText,
        /// The text, as sanitized HTML.
        pub content: LocalText,
        /// ISO date.
        pub date: String,
        /// Order by hand.
        pub position: i64,
        /// Files to download.
        pub attachments: Vec<Attachment>,
    }
}

schema! {
    /// A column that a journal files its articles under.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Column of domain::Column {
        /// Key that identifies it on its site.
        pub key: String,
        /// Key of the journal, or "" for all.
        pub journal: String,
        /// Name; articles whose first subject heading is one of these names belong to it.
        pub title: LocalText,
        /// Short form of the name.
        pub abbreviation: LocalText,
        /// What it takes.
        pub introduction: LocalText,
        /// Key of the column above it, or "".
        pub parent: String,
        /// Order by hand.
        pub position: i64,
    }
}

schema! {
    /// A post of the journal's WeChat account.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Wechat of domain::Wechat {
        /// Key that identifies it on its site.
        pub key: String,
        /// Headline.
        pub title: LocalText,
        /// One or two sentences.
        pub summary: LocalText,
        /// Name of the account.
        pub account: String,
        /// ISO date.
        pub date: String,
        /// Address of the post.
        pub link_value: String,
        /// Address of a picture, or "".
        pub cover: String,
    }
}

schema! {
    /// A friendship link: a link to a partner site.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct FriendLink of domain::FriendLink {
        /// Key that identifies it on its site.
        pub key: String,
        /// Name.
        pub title: LocalText,
        /// Address.
        pub link_value: String,
        /// Address of a logo, or "".
        pub logo: String,
        /// Order by hand.
        pub position: i64,
    }
}
