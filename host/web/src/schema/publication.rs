//! Journals and their issues ("periods").

use masthead_domain::publication as domain;
use serde::Serialize;
use utoipa::ToSchema;

use crate::schema::{conversion::schema, lang::LocalText};

schema! {
    /// A journal as one site publishes it (specification: Publication, Journal info).
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Journal of domain::Journal {
        /// Key within the site: lower-case letters, digits and hyphens.
        pub key: String,
        /// Its name.
        pub title: LocalText,
        /// One or two sentences for the home page.
        pub introduction: LocalText,
        /// Print ISSN, or "".
        pub issn: String,
        /// Electronic ISSN, or "".
        pub eissn: String,
        /// Chinese serial number, or "".
        pub cn: String,
        /// Sponsor.
        pub sponsor: LocalText,
        /// Supervisor.
        pub supervisor: LocalText,
        /// Editor-in-chief.
        pub editor_in_chief: LocalText,
        /// Frequency, such as "Quarterly".
        pub frequency: LocalText,
        /// Year of the first issue.
        pub start_year: Option<i32>,
        /// Impact factor as printed, or "".
        pub impact_factor: String,
        /// Databases that index it.
        pub databases: Vec<String>,
        /// Intended readers.
        pub readership: LocalText,
        /// Address of the cover picture, or "".
        pub cover: String,
        /// Order by hand among the journals of the site; those with the same number follow in the order in which they were added.
        pub position: i64,
        /// Whether an editor wants it shown although it has no articles.
        pub shown: bool,
    }
}

schema! {
    /// An issue of a journal (specification: Period).
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Issue of domain::Issue {
        /// Key of the journal.
        pub journal: String,
        /// Year.
        pub year: i32,
        /// Volume as printed, or "".
        pub volume: String,
        /// Issue as printed.
        pub issue: String,
        /// Publication date, ISO 8601, or "".
        pub date: String,
        /// Title of a themed issue.
        pub title: LocalText,
        /// Address of the cover picture, or "".
        pub cover: String,
        /// Subject headings in the order in which an editor has put them.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub sections: Vec<String>,
        /// Source keys of articles in the order in which an editor has put them.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub articles: Vec<String>,
        /// Whether an editor wants it shown although it has no articles.
        pub shown: bool,
    }
}
