//! News, information, columns, WeChat posts, links.

use serde::{Deserialize, Serialize};

use super::{ListKeys, Resource, ResourceKind, SearchText, names, parts, parts_of_html, untagged};
use crate::lang::LocalText;

/// The tabs of the news.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NewsType {
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

impl NewsType {
    /// All types, in the order of the tabs.
    pub const ALL: [Self; 4] = [Self::Information, Self::Announcement, Self::Dynamic, Self::Statement];

    /// The name in the store and in addresses.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Information => "information",
            Self::Announcement => "announcement",
            Self::Dynamic => "dynamic",
            Self::Statement => "statement",
        }
    }
}

/// A piece of news.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct News {
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

/// A file to download.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Attachment {
    /// Name that readers see.
    pub name: String,
    /// Address of the file.
    pub file: String,
}

/// A page of text that a channel leads to (`info/:id`, `about/:id`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Information {
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

/// A column that a journal files its articles under.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Column {
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

/// A post of the journal's WeChat account.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Wechat {
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

/// A friendship link: a link to a partner site.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct FriendLink {
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

impl Resource for News {
    const KIND: ResourceKind = ResourceKind::News;

    fn list_keys(&self) -> ListKeys<'_> {
        ListKeys { key: &self.key, section: self.kind.as_str(), position: self.position, date: &self.date, article: 0 }
    }

    fn search_text(&self) -> SearchText {
        SearchText {
            title: parts(&[&self.title]),
            authors: names([&self.author]),
            company: untagged([&self.source]),
            summary: parts(&[&self.summary]),
            text: parts_of_html(&[&self.content]),
            ..SearchText::default()
        }
    }

    fn html_fields(&mut self) -> Vec<&mut String> {
        self.content.0.values_mut().collect()
    }
}

impl Resource for Information {
    const KIND: ResourceKind = ResourceKind::Information;

    fn list_keys(&self) -> ListKeys<'_> {
        ListKeys { key: &self.key, section: &self.code, position: self.position, date: &self.date, article: 0 }
    }

    fn search_text(&self) -> SearchText {
        SearchText { title: parts(&[&self.title]), text: parts_of_html(&[&self.content]), ..SearchText::default() }
    }

    fn html_fields(&mut self) -> Vec<&mut String> {
        self.content.0.values_mut().collect()
    }
}

impl Resource for Column {
    const KIND: ResourceKind = ResourceKind::Column;

    fn list_keys(&self) -> ListKeys<'_> {
        ListKeys { key: &self.key, section: &self.journal, position: self.position, ..ListKeys::default() }
    }
}

impl Resource for Wechat {
    const KIND: ResourceKind = ResourceKind::Wechat;

    fn list_keys(&self) -> ListKeys<'_> {
        ListKeys { key: &self.key, date: &self.date, ..ListKeys::default() }
    }

    fn search_text(&self) -> SearchText {
        SearchText {
            title: parts(&[&self.title]),
            authors: names([&self.account]),
            summary: parts(&[&self.summary]),
            ..SearchText::default()
        }
    }
}

impl Resource for FriendLink {
    const KIND: ResourceKind = ResourceKind::Link;

    fn list_keys(&self) -> ListKeys<'_> {
        ListKeys { key: &self.key, position: self.position, ..ListKeys::default() }
    }
}
