//! Audio and video.

use masthead_domain::resource as domain;
use serde::Serialize;
use utoipa::ToSchema;

use crate::schema::{conversion::schema, lang::LocalText};

schema! {
    /// A recording (specification: video search fields `enResName_tic`, `keywordExt_tic`, `en_Thesis_tic`).
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Video of domain::Video {
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
}

schema! {
    /// A sound recording.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Audio of domain::Audio {
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
}
