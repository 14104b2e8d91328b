//! Uploads: a package that an administrator sent is kept in the data folder until it has been imported, so that a process
//! that is killed goes on with it at the next start.

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

/// Finished jobs whose reports are kept.
const KEPT: usize = 200;
/// Name of a job's own file, and of its report, an item a line.
const JOB: &str = "job.json";
const REPORT: &str = "report.jsonl";

/// How far a job is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JobState {
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

/// An upload and what became of it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Job {
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

impl Job {
    fn count(&mut self, outcome: Outcome) {
        let counter = match outcome {
            Outcome::Created => &mut self.created,
            Outcome::Updated => &mut self.updated,
            Outcome::Unchanged => &mut self.unchanged,
            Outcome::Valid => &mut self.valid,
            Outcome::Failed => &mut self.failed,
        };
        *counter += 1;
    }
}

/// The folder of one job; `None` for what is no job's name.
#[must_use]
pub fn folder(data: &Path, id: &str) -> Option<PathBuf> {
    let plain = id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    plain.then(|| data.join("uploads").join(id))
}

/// A name for a new job.
#[must_use]
pub fn new_id() -> String {
    masthead_domain::text::hex(&rand::random::<[u8; 16]>())
}

/// The name that an upload is kept under: the last part of what the sender calls it, without what file systems make of it.
#[must_use]
pub fn file_name(sent: &str) -> String {
    let last = sent.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain: String =
        last.chars().map(|c| if c.is_alphanumeric() || "._-".contains(c) { c } else { '_' }).take(120).collect();
    let plain = plain.trim_start_matches('.');
    // A job's own files have names of their own.
    if plain.is_empty() || [JOB, REPORT].contains(&plain) { "upload.xml".to_owned() } else { plain.to_owned() }
}

/// Writes a job's file: whole or not at all.
///
/// # Errors
/// The file system's.
pub fn write(folder: &Path, job: &Job) -> io::Result<()> {
    let beside = folder.join("job.json.new");
    let mut file = std::fs::File::create(&beside)?;
    file.write_all(&serde_json::to_vec(job)?)?;
    file.sync_all()?;
    std::fs::rename(beside, folder.join(JOB))
}

/// A job.
///
/// # Errors
/// The file system's, or the parser's for a damaged file.
pub fn read(folder: &Path) -> io::Result<Job> {
    Ok(serde_json::from_slice(&std::fs::read(folder.join(JOB))?)?)
}

/// All jobs, latest first.
#[must_use]
pub fn all(data: &Path) -> Vec<Job> {
    let entries = std::fs::read_dir(data.join("uploads")).into_iter().flatten().flatten();
    let mut jobs: Vec<Job> = entries.filter_map(|entry| read(&entry.path()).ok()).collect();
    jobs.sort_by(|a, b| (&b.sent, &b.id).cmp(&(&a.sent, &a.id)));
    jobs
}

/// Lines of a job's report behind the first `skip`, at most `limit`.
///
/// # Errors
/// The file system's, or the parser's for a damaged line.
pub async fn report(folder: &Path, skip: usize, limit: usize) -> io::Result<Vec<serde_json::Value>> {
    let file = match tokio::fs::File::open(folder.join(REPORT)).await {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let (mut lines, mut items, mut at) = (tokio::io::BufReader::new(file).lines(), Vec::new(), 0);
    while let Some(line) = lines.next_line().await? {
        // The last line of a running job may be half written.
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

/// Imports what was uploaded, one job after the other, until the process ends. Jobs that a killed process left begin anew:
/// what they have stored already is passed by.
pub async fn run(store: Store, data: PathBuf, uploaded: Arc<Notify>) {
    loop {
        let jobs = all(&data);
        let waiting = |job: &&Job| matches!(job.state, JobState::Waiting | JobState::Running);
        // Oldest first.
        if let Some(job) = jobs.iter().rev().find(waiting) {
            work(&store, &data, job.clone()).await;
            continue;
        }
        for old in jobs.iter().skip(KEPT) {
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

/// Removes what a killed process left: unpacked packages, and uploads that broke off (they have no file of their own yet).
/// To be called before the first upload can begin.
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
            tracing::error!(%error, job = job.id, "an upload could not be imported");
            (job.state, job.error) = (JobState::Failed, format!("the report could not be written: {error}"));
        }
    }
    // Without the file a job can never run again; its report stays.
    let _ = tokio::fs::remove_file(&file).await;
    if let Err(error) = write(&folder, &job) {
        tracing::error!(%error, job = job.id, "how an upload went could not be written down");
        // Else it would be tried without end.
        let _ = tokio::fs::remove_dir_all(&folder).await;
    }
}

async fn import((store, data): (&Store, &Path), job: &mut Job, folder: &Path, file: &Path) -> io::Result<()> {
    let mut lines = io::BufWriter::new(std::fs::File::create(folder.join(REPORT))?);
    let mut importer = Importer::new(store, SiteId(job.site_id), data, job.dry_run);
    let (mut failed, format): (Option<io::Error>, _) = (None, job.format);
    let prefix = format!("{}/", folder.display());
    let mut told = |mut item: Item| {
        item.path = item.path.replace(&prefix, "");
        job.count(item.outcome);
        let line = serde_json::to_vec(&item).map_err(io::Error::from);
        let written = line.and_then(|line| lines.write_all(&line)).and_then(|()| lines.write_all(b"\n"));
        let written = written.and_then(|()| lines.flush()).and_then(|()| write(folder, job));
        if let Err(error) = written {
            failed.get_or_insert(error);
        }
    };
    importer.run(&[file.to_owned()], format, &mut told).await;
    failed.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upload_is_kept_under_a_plain_name() {
        assert_eq!(file_name("issue 3.zip"), "issue_3.zip");
        assert_eq!(file_name("../../etc/passwd"), "passwd");
        assert_eq!(file_name("C:\\x\\刊.zip"), "刊.zip");
        assert_eq!(file_name(".."), "upload.xml");
        assert_eq!(file_name("job.json"), "upload.xml");
    }

    #[test]
    fn a_job_is_named_by_digits_only() {
        let data = Path::new("/data");
        assert!(folder(data, &new_id()).is_some());
        assert_eq!(folder(data, "../../../../../../etc/passwd/xxxx"), None);
        assert_eq!(folder(data, ""), None);
    }
}
