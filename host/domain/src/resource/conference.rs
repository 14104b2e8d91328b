//! Conferences.

use serde::{Deserialize, Serialize};

use super::{ListKeys, Resource, ResourceKind, SearchText, parts, parts_of_html};
use crate::lang::LocalText;

/// A conference.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Conference {
    /// Key that identifies it on its site.
    pub key: String,
    /// Name.
    pub title: LocalText,
    /// What it is about, as sanitized HTML.
    pub content: LocalText,
    /// Where it takes place.
    pub place: LocalText,
    /// Who holds it.
    pub organizer: LocalText,
    /// First day, ISO 8601.
    pub start: String,
    /// Last day, ISO 8601, or "".
    pub end: String,
    /// Last day for contributions, ISO 8601, or "".
    pub deadline: String,
    /// Address of its own site, or "".
    pub link_value: String,
    /// Address of a picture, or "".
    pub cover: String,
}

impl Resource for Conference {
    const KIND: ResourceKind = ResourceKind::Conference;

    fn list_keys(&self) -> ListKeys<'_> {
        ListKeys { key: &self.key, date: &self.start, ..ListKeys::default() }
    }

    fn search_text(&self) -> SearchText {
        SearchText {
            title: parts(&[&self.title]),
            company: parts(&[&self.organizer]),
            summary: parts_of_html(&[&self.content]),
            text: parts(&[&self.place]),
            ..SearchText::default()
        }
    }

    fn html_fields(&mut self) -> Vec<&mut String> {
        self.content.0.values_mut().collect()
    }
}
