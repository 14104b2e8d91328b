//! Import jobs for uploads: a file that an administrator uploaded is kept in the data folder until it has been imported, so that
//! the host resumes the job at the next start if the process is killed.

use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use masthead_domain::SiteId;
use serde::{Deserialize, Serialize};
use tokio::{io::AsyncBufReadExt as _, sync::Notify};

use crate::import::{Format, Importer, Item, Outcome};
use masthead_store::Store;

/// Number of latest jobs whose reports are kept.
const MAX_REPORTS: usize = 200;
/// Names of the file that describes a job, and of its report, which has one JSON item per line.
const JOB: &str = "job.json";
const REPORT: &str = "report.jsonl";

/// State of a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JobState {
    /// Others are before it.
    #[default]
    Waiting,
    /// It is being imported.
    Running,
    /// The import is finished; the report has a line for each item.
    Done,
    /// The import could not be started, or the host failed.
    Failed,
}

/// An upload and the result of its import.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Job {
    /// Id of the job: 32 hexadecimal digits.
    pub id: String,
    /// The site that it is for.
    pub site_id: i64,
    /// Name of the file.
    pub name: String,
    /// Bytes of the file.
    pub bytes: u64,
    /// Format as which the file is read.
    pub format: Format,
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
    /// Reason for the failure of the whole import, or "".
    pub error: String,
}

impl Job {
    fn count(&mut self, outcome: Outcome) {
        let counter = match outcome {
            Outcome::Created => &mut self.created,
            // Only harvests remove articles, and they are no jobs.
            Outcome::Updated | Outcome::Removed => &mut self.updated,
            Outcome::Unchanged => &mut self.unchanged,
            Outcome::Valid => &mut self.valid,
            Outcome::Failed => &mut self.failed,
        };
        *counter += 1;
    }
}

/// The folder of a job; `None` if `id` is not a valid job id.
#[must_use]
pub fn folder(data: &Path, id: &str) -> Option<PathBuf> {
    let plain = id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    plain.then(|| data.join("uploads").join(id))
}

/// A random id for a new job.
#[must_use]
pub fn new_id() -> String {
    masthead_domain::text::hex(&rand::random::<[u8; 16]>())
}

/// The file name for an upload: the last component of the name that the client sent, with special characters replaced by `_`.
#[must_use]
pub fn file_name(sent: &str) -> String {
    let last = sent.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain: String =
        last.chars().map(|c| if c.is_alphanumeric() || "._-".contains(c) { c } else { '_' }).take(120).collect();
    let plain = plain.trim_start_matches('.');
    // The names of the job's own files are reserved.
    if plain.is_empty() || [JOB, REPORT].contains(&plain) { "upload.xml".to_owned() } else { plain.to_owned() }
}

/// Writes the description of a job atomically.
///
/// # Errors
/// The error of the file system.
pub fn write(folder: &Path, job: &Job) -> io::Result<()> {
    let temporary = folder.join("job.json.new");
    let mut file = std::fs::File::create(&temporary)?;
    file.write_all(&serde_json::to_vec(job)?)?;
    file.sync_all()?;
    std::fs::rename(temporary, folder.join(JOB))
}

/// Reads the description of a job.
///
/// # Errors
/// The error of the file system, or of the parser if the file is damaged.
pub fn read(folder: &Path) -> io::Result<Job> {
    Ok(serde_json::from_slice(&std::fs::read(folder.join(JOB))?)?)
}

/// All jobs, the latest first.
#[must_use]
pub fn all(data: &Path) -> Vec<Job> {
    let entries = std::fs::read_dir(data.join("uploads")).into_iter().flatten().flatten();
    let mut jobs: Vec<Job> = entries.filter_map(|entry| read(&entry.path()).ok()).collect();
    jobs.sort_by(|a, b| (&b.sent, &b.id).cmp(&(&a.sent, &a.id)));
    jobs
}

/// The items of a job's report after the first `skip`, at most `limit`. A job without a report has none.
///
/// # Errors
/// The error of the file system.
pub async fn report(folder: &Path, skip: usize, limit: usize) -> io::Result<Vec<serde_json::Value>> {
    let file = match tokio::fs::File::open(folder.join(REPORT)).await {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let (mut lines, mut items, mut at) = (tokio::io::BufReader::new(file).lines(), Vec::new(), 0);
    while let Some(line) = lines.next_line().await? {
        // The last line of a running job may be incomplete.
        if at >= skip
            && let Ok(item) = serde_json::from_str(&line)
        {
            items.push(item);
        }
        at += 1;
        if items.len() == limit {
            break;
        }
    }
    Ok(items)
}

/// Imports uploads, one job after the other, until the process ends. Jobs that a killed process left unfinished start again; the
/// importer skips what they have stored already.
pub async fn run(store: Store, data: PathBuf, uploaded: Arc<Notify>) {
    loop {
        let jobs = all(&data);
        let waiting = |job: &&Job| matches!(job.state, JobState::Waiting | JobState::Running);
        // Oldest first.
        if let Some(job) = jobs.iter().rev().find(waiting) {
            work(&store, &data, job.clone()).await;
            continue;
        }
        for old in jobs.iter().skip(MAX_REPORTS) {
            if let Some(folder) = folder(&data, &old.id) {
                let _ = tokio::fs::remove_dir_all(folder).await;
            }
        }
        tokio::select! {
            () = uploaded.notified() => {}
            () = tokio::time::sleep(Duration::from_secs(60)) => {}
        }
    }
}

/// Removes leftovers of a killed process: unpacked packages, and incomplete uploads, which have no job description yet. Must be
/// called before uploads are accepted.
pub fn clean(data: &Path) {
    let _ = std::fs::remove_dir_all(crate::import::scratch(data));
    let entries = std::fs::read_dir(data.join("uploads")).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| !entry.path().join(JOB).exists()) {
        let _ = std::fs::remove_dir_all(entry.path());
    }
}

async fn work(store: &Store, data: &Path, job: Job) {
    let Some(folder) = folder(data, &job.id) else { return };
    let file = folder.join(&job.name);
    let mut job = Job { created: 0, updated: 0, unchanged: 0, valid: 0, failed: 0, state: JobState::Running, ..job };
    let outcome = match write(&folder, &job) {
        Ok(()) => import((store, data), &mut job, &folder, &file).await,
        Err(error) => Err(error),
    };
    match outcome {
        Ok(()) => job.state = JobState::Done,
        Err(error) => {
            tracing::error!(%error, job = job.id, "the report of an import job could not be written");
            (job.state, job.error) = (JobState::Failed, format!("the report could not be written: {error}"));
        }
    }
    // The uploaded file is deleted, so the job cannot run again; its report stays.
    let _ = tokio::fs::remove_file(&file).await;
    if let Err(error) = write(&folder, &job) {
        tracing::error!(%error, job = job.id, "the result of an import job could not be written");
        // Without its result the job would be repeated forever, so it is deleted.
        let _ = tokio::fs::remove_dir_all(&folder).await;
    }
}

async fn import((store, data): (&Store, &Path), job: &mut Job, folder: &Path, file: &Path) -> io::Result<()> {
    let mut lines = io::BufWriter::new(std::fs::File::create(folder.join(REPORT))?);
    let mut importer = Importer::new(store, SiteId(job.site_id), data, job.dry_run);
    let (mut failed, format): (Option<io::Error>, _) = (None, job.format);
    let prefix = format!("{}/", folder.display());
    let mut on_item = |mut item: Item| {
        item.path = item.path.replace(&prefix, "");
        job.count(item.outcome);
        let line = serde_json::to_vec(&item).map_err(io::Error::from);
        let written = line.and_then(|line| lines.write_all(&line)).and_then(|()| lines.write_all(b"\n"));
        let written = written.and_then(|()| lines.flush()).and_then(|()| write(folder, job));
        if let Err(error) = written {
            failed.get_or_insert(error);
        }
    };
    importer.run(&[file.to_owned()], format, &mut on_item).await;
    failed.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_of_uploads_are_sanitized() {
        assert_eq!(file_name("issue 3.zip"), "issue_3.zip");
        assert_eq!(file_name("../../etc/passwd"), "passwd");
        assert_eq!(file_name("C:\\x\\刊.zip"), "刊.zip");
        assert_eq!(file_name(".."), "upload.xml");
        assert_eq!(file_name("job.json"), "upload.xml");
    }

    #[test]
    fn only_hexadecimal_ids_have_a_folder() {
        let data = Path::new("/data");
        assert!(folder(data, &new_id()).is_some());
        assert_eq!(folder(data, "../../../../../../etc/passwd/xxxx"), None);
        assert_eq!(folder(data, ""), None);
    }
}
