//! Uploads that administrators send to be imported.

use masthead_content::import::{Format as ImportFormat, job as domain};
use serde::Serialize;
use utoipa::ToSchema;

use crate::schema::conversion::schema;

schema! {
    /// State of a job.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum JobState of domain::JobState {
        /// Others are before it.
        #[default]
        Waiting,
        /// It is being imported.
        Running,
        /// The import is finished; the report has a line for each item.
        Done,
        /// The import could not be started, or the host failed.
        Failed,
        /// The import ended its process too often; it does not start again.
        #[serde(rename = "set-aside")]
        SetAside,
    }
}

schema! {
    /// An upload and the result of its import.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Job of domain::Job {
        /// Id of the job: 32 hexadecimal digits.
        pub id: String,
        /// The site that it is for.
        pub site_id: i64,
        /// Name of the file.
        pub name: String,
        /// Bytes of the file.
        pub bytes: u64,
        /// Format of the file.
        pub format: Format,
        /// The addresses that journals had in OJS, which redirect to what is imported.
        pub old_addresses: Vec<String>,
        /// A dry run: nothing is stored.
        pub dry_run: bool,
        /// State of the job.
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
        /// Reason for the failure of the whole import, or "". While the job waits for another attempt: how the first one ended.
        pub error: String,
        /// How often the import was started and not interrupted by the host's own stop.
        pub attempts: u32,
        /// The file that is read, or was read last when the import ended before its time, or "".
        pub reading: String,
    }
}

schema! {
    /// Format as which files are read.
    #[derive(Debug, Default, Serialize, ToSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum Format of ImportFormat {
        /// The format of each file is detected from its name and its first bytes.
        #[default]
        Auto,
        /// JATS articles; packages (zip, tar, tar.gz) are opened.
        Jats,
        /// Issues that JATS files name: articles, and publishers' issue files.
        Periods,
        /// Crossref's JSON and deposit XML: articles' metadata, issues, journals.
        Crossref,
        /// DOAJ's JSON: the same.
        Doaj,
        /// ONIX 3: books.
        Onix,
        /// MARC 21, as ISO 2709 or MARCXML: books.
        Marc,
        /// Exports of OJS 2 and 3: native XML, packages of whole journals, usage reports.
        Ojs,
        /// All content other than articles, such as news, experts and albums: TOML files named after the kind (`news.toml`).
        Resources,
        /// RIS, BibTeX, EndNote, CSL-JSON: the references of one article, which the request must name.
        References,
    }
}
