//! Audio and video.

use serde::{Deserialize, Serialize};

use super::{ListKeys, Resource, ResourceKind, SearchText, names, parts};
use crate::lang::LocalText;

/// A recording (specification: video search fields `enResName_tic`, `keywordExt_tic`, `en_Thesis_tic`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Video {
    /// Key that identifies it on its site.
    pub key: String,
    /// Title (spec `enResName_tic` in English).
    pub title: LocalText,
    /// What it shows.
    pub introduction: LocalText,
    /// Key words (spec `keywordExt_tic`).
    pub keywords: LocalText,
    /// Title of the article that it belongs to (spec `en_Thesis_tic`).
    pub thesis: LocalText,
    /// DOI or source key of that article, or "".
    pub article_key: String,
    /// Channel type: `onlineVideo`, `videoManuscript`, or "".
    #[serde(rename = "type")]
    pub kind: String,
    /// Who speaks.
    pub speakers: Vec<String>,
    /// ISO date.
    pub date: String,
    /// Length in seconds, 0 where it is not known.
    pub seconds: u32,
    /// Address of the file.
    pub file: String,
    /// Address of the still, or "".
    pub cover: String,
    /// Addresses of WebVTT captions by language.
    pub captions: LocalText,
    /// What is said, as text.
    pub transcript: LocalText,
}

/// A sound recording.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Audio {
    /// Key that identifies it on its site.
    pub key: String,
    /// Title.
    pub title: LocalText,
    /// What it is about.
    pub introduction: LocalText,
    /// Key words.
    pub keywords: LocalText,
    /// Title of the article that it belongs to.
    pub thesis: LocalText,
    /// DOI or source key of that article, or "".
    pub article_key: String,
    /// Who speaks.
    pub speakers: Vec<String>,
    /// ISO date.
    pub date: String,
    /// Length in seconds, 0 where it is not known.
    pub seconds: u32,
    /// Address of the file.
    pub file: String,
    /// Address of the cover, or "".
    pub cover: String,
    /// What is said, as text.
    pub transcript: LocalText,
}

impl Resource for Video {
    const KIND: ResourceKind = ResourceKind::Video;

    fn list_keys(&self) -> ListKeys<'_> {
        ListKeys { key: &self.key, section: &self.kind, date: &self.date, ..ListKeys::default() }
    }

    fn search_text(&self) -> SearchText {
        SearchText {
            title: parts(&[&self.title]),
            keywords: parts(&[&self.keywords]),
            authors: names(&self.speakers),
            summary: parts(&[&self.introduction]),
            text: parts(&[&self.thesis, &self.transcript]),
            ..SearchText::default()
        }
    }
}

impl Resource for Audio {
    const KIND: ResourceKind = ResourceKind::Audio;

    fn list_keys(&self) -> ListKeys<'_> {
        ListKeys { key: &self.key, date: &self.date, ..ListKeys::default() }
    }

    fn search_text(&self) -> SearchText {
        SearchText {
            title: parts(&[&self.title]),
            keywords: parts(&[&self.keywords]),
            authors: names(&self.speakers),
            summary: parts(&[&self.introduction]),
            text: parts(&[&self.thesis, &self.transcript]),
            ..SearchText::default()
        }
    }
}
