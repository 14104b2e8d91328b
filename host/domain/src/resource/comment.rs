//! Comments of readers on articles.

use serde::{Deserialize, Serialize};

use super::{ListKeys, Resource, ResourceKind};

/// Whether a comment is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CommentState {
    /// Nobody has looked at it; not shown.
    #[default]
    Waiting,
    /// Shown.
    Shown,
    /// Refused by an editor; not shown.
    Refused,
}

impl CommentState {
    /// The name in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Shown => "shown",
            Self::Refused => "refused",
        }
    }
}

/// A reader's comment on an article (specification: `enableComment`, `commentCount`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Comment {
    /// Key that identifies it on its site.
    pub key: String,
    /// The article.
    pub article: i64,
    /// Who wrote it, as shown.
    pub author: String,
    /// Plain text.
    pub text: String,
    /// Time of writing, ISO 8601 in UTC.
    pub date: String,
    /// Whether it is shown.
    pub state: CommentState,
}

impl Comment {
    /// Greatest length of the text, in characters.
    pub const MAX_LENGTH: usize = 2_000;
}

impl Resource for Comment {
    const KIND: ResourceKind = ResourceKind::Comment;

    fn list_keys(&self) -> ListKeys<'_> {
        ListKeys { key: &self.key, section: self.state.as_str(), article: self.article, date: &self.date, position: 0 }
    }
}
