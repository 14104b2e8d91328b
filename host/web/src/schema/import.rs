//! Uploads that administrators send to be imported.

use masthead_content::import::{Format as ImportFormat, job as domain};
use serde::Serialize;
use utoipa::ToSchema;

use crate::schema::conversion::schema;

schema! {
    /// How far a job is.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum JobState of domain::JobState {
        /// Others are before it.
        #[default]
        Waiting,
        /// It is being imported.
        Running,
        /// Everything that it held has a line in the report.
        Done,
        /// It could not be begun, or the host failed.
        Failed,
    }
}

schema! {
    /// An upload and what became of it.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Job of domain::Job {
        /// Names it: 32 hexadecimal digits.
        pub id: String,
        /// The site that it is for.
        pub site_id: i64,
        /// Name of the file.
        pub name: String,
        /// Bytes of the file.
        pub bytes: u64,
        /// What the file is taken for.
        pub format: Format,
        /// Nothing is written.
        pub dry_run: bool,
        /// How far it is.
        pub state: JobState,
        /// When it was sent, ISO 8601 in UTC.
        pub sent: String,
        /// Items that are new.
        pub created: u64,
        /// Items that replaced what was there.
        pub updated: u64,
        /// Items that were there.
        pub unchanged: u64,
        /// Items that convert, in a dry run.
        pub valid: u64,
        /// Items that could not be imported.
        pub failed: u64,
        /// Why it failed as a whole, or "".
        pub error: String,
    }
}

schema! {
    /// What files are taken for.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum Format of ImportFormat {
        /// Each by its name and its first bytes.
        #[default]
        Auto,
        /// JATS articles; packages (zip, tar, tar.gz) are opened.
        Jats,
        /// Issues that JATS files name: articles, and publishers' issue files.
        Periods,
        /// Crossref's JSON: articles' metadata, issues, journals.
        Crossref,
        /// DOAJ's JSON: the same.
        Doaj,
        /// ONIX 3: books.
        Onix,
        /// MARC 21, as ISO 2709 or MARCXML: books.
        Marc,
        /// Native XML of OJS 2 and 3: issues, articles, embedded files.
        Ojs,
        /// News, experts, albums and all else that is no article: TOML files named after the kind (`news.toml`).
        Resources,
        /// RIS, BibTeX, EndNote, CSL-JSON: the references of one article, which has to be named.
        References,
    }
}
