//! What members say of themselves.

use serde::{Deserialize, Serialize};

use super::named;

named! {
    /// Gender (specification: user profile).
    Gender {
        /// Male.
        Male = "male",
        /// Female.
        Female = "female",
    }
}

named! {
    /// Whether a member may sign in.
    MemberState {
        /// Yes.
        Active = "active",
        /// No: an administrator has closed the account.
        Closed = "closed",
    }
}

/// The profile of a member, apart from the names by which the member signs in. A text is "" while it is not given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Profile {
    /// Name of the person.
    pub name: String,
    /// Region.
    pub region: String,
    /// Major.
    pub major: String,
    /// Institution that the member belongs to, as text; it gives no rights.
    pub institution: String,
    /// Field of research.
    pub research_field: String,
    /// Gender, if given.
    pub gender: Option<Gender>,
    /// Identifier of the file with the photo, or "".
    pub photo: String,
}
