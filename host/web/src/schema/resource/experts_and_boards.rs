//! Experts and editorial boards.

use masthead_domain::resource as domain;
use serde::Serialize;
use utoipa::ToSchema;

use crate::schema::{conversion::schema, lang::LocalText};

schema! {
    /// An expert's profile.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Expert of domain::Expert {
        /// Identifies the person on the site.
        pub key: String,
        /// Name.
        pub name: LocalText,
        /// Title or position ("Professor").
        pub position_title: LocalText,
        /// Institution.
        pub organization: LocalText,
        /// Fields of research.
        pub fields: LocalText,
        /// Biography, as sanitized HTML.
        pub bio: LocalText,
        /// Address of a portrait, or "".
        pub photo: String,
        /// ORCID iD as `0000-0000-0000-0000`, or "".
        pub orcid: String,
        /// Address of a page of their own, or "".
        pub homepage: String,
        /// Key of the topic that they are listed under (spec `topicId`), or "".
        pub topic: String,
        /// Order by hand.
        pub position: i64,
    }
}

schema! {
    /// A role on a board (specification "Editorial roles").
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "kebab-case")]
    pub enum Role of domain::Role {
        /// Editor-in-chief.
        EditorInChief,
        /// Honorary editor-in-chief.
        HonoraryEditorInChief,
        /// Executive editor.
        ExecutiveEditor,
        /// Executive deputy editor.
        ExecutiveDeputyEditor,
        /// Associate editor.
        AssociateEditor,
        /// Member of the board.
        #[default]
        Member,
    }
}
