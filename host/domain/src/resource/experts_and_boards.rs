//! Experts and editorial boards.

use serde::{Deserialize, Serialize};

use super::{ListKeys, Resource, ResourceKind, SearchText, names, parts, parts_of_html, untagged};
use crate::lang::LocalText;

/// An expert's profile.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Expert {
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

/// A role on a board (specification "Editorial roles").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
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

impl Role {
    /// All roles, in the order in which boards list them.
    pub const ALL: [Self; 6] = [
        Self::EditorInChief,
        Self::HonoraryEditorInChief,
        Self::ExecutiveEditor,
        Self::ExecutiveDeputyEditor,
        Self::AssociateEditor,
        Self::Member,
    ];
}

/// A seat on a board.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct BoardSeat {
    /// The role.
    pub role: Role,
    /// Key of the [`Expert`].
    pub expert: String,
}

/// An editorial board.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Board {
    /// Key that identifies it on its site.
    pub key: String,
    /// Key of the journal, or "".
    pub journal: String,
    /// Name ("Third editorial board").
    pub title: LocalText,
    /// First day of its term, ISO 8601, or "".
    pub date: String,
    /// Order by hand.
    pub position: i64,
    /// Who sits on it, in order within each role.
    pub seats: Vec<BoardSeat>,
}

impl Resource for Expert {
    const KIND: ResourceKind = ResourceKind::Expert;

    fn list_keys(&self) -> ListKeys<'_> {
        ListKeys { key: &self.key, section: &self.topic, position: self.position, ..ListKeys::default() }
    }

    fn search_text(&self) -> SearchText {
        SearchText {
            title: parts(&[&self.name]),
            keywords: parts(&[&self.fields]),
            authors: names(self.name.0.values()),
            company: parts(&[&self.organization]),
            summary: parts_of_html(&[&self.bio]),
            text: [parts(&[&self.position_title]), untagged([&self.orcid])].concat(),
            ..SearchText::default()
        }
    }

    fn html_fields(&mut self) -> Vec<&mut String> {
        self.bio.0.values_mut().collect()
    }
}

impl Resource for Board {
    const KIND: ResourceKind = ResourceKind::Board;

    fn list_keys(&self) -> ListKeys<'_> {
        ListKeys { key: &self.key, section: &self.journal, position: self.position, date: &self.date, article: 0 }
    }
}
