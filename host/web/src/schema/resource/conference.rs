//! Conferences.

use masthead_domain::resource as domain;
use serde::Serialize;
use utoipa::ToSchema;

use crate::schema::{conversion::schema, lang::LocalText};

schema! {
    /// A conference.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Conference of domain::Conference {
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
}
