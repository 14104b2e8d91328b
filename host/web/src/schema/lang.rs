//! The interface languages of the specification and texts in several languages.

use masthead_domain::lang as domain;
use serde::Serialize;
use utoipa::ToSchema;

use crate::schema::conversion::{FromDomain, schema};

schema! {
    /// An interface language, by the code that routes and the language cookie use.
    ///
    /// Routes keep the specification's codes (`ara`, `jp`, ...); the HTML attributes `lang` and `hreflang` have BCP 47 tags.
    #[derive(Debug, Serialize, ToSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum Lang of domain::Lang {
        /// Chinese.
        Zh,
        /// English.
        En,
        /// Russian.
        Ru,
        /// Arabic, written from right to left.
        Ara,
        /// Spanish.
        Spa,
        /// French.
        Fra,
        /// German.
        De,
        /// Japanese.
        Jp,
        /// Korean.
        Kor,
    }
}

/// A short plain text in one or more languages, `{"zh": "...", "en": "..."}`.
// The domain's map as it is: it is written in the same form, and converting its keys would build each map anew.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = BTreeMap<Lang, String>)]
pub struct LocalText(domain::LocalText);

impl FromDomain<domain::LocalText> for LocalText {
    fn from_domain(value: domain::LocalText) -> Self {
        Self(value)
    }
}
