//! Import jobs for uploads: a file that an administrator uploaded is kept in the data folder until it has been imported, so that
//! the host resumes the job at the next start if the process is killed. A job that ends its process again and again is set aside.

use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
    pin::Pin,
    sync::Arc,
    time::Duration,
};

use serde::{Deserialize, Serialize};
use tokio::{io::AsyncBufReadExt as _, sync::Notify};

use crate::{
    import::{
        Format, Outcome,
        recording::Recording,
        runner::{Ended, Progress, Runner},
    },
    scratch,
};

/// Greatest length of a file name in bytes: file systems have 255, and the file has others beside it whose names are longer.
const MAX_NAME: usize = 200;
/// Wait after a job whose result could neither be written nor deleted, because it would begin again at once.
const UNWRITABLE: Duration = Duration::from_secs(5);
/// Number of latest jobs whose reports are kept.
const MAX_REPORTS: usize = 200;
/// How often the work on a job may end its process before the job is set aside. The second time, files are read one after the other,
/// so that the file that ends the process is known.
pub(super) const ATTEMPTS: u32 = 2;
/// Names of the file that describes a job, of its next version while that is written, of its report, which has one JSON item per line,
/// and of the folder in which its package is unpacked.
const JOB: &str = "job.json";
const NEXT: &str = "job.json.new";
pub(super) const REPORT: &str = "report.jsonl";
const UNPACKED: &str = "unpacked";

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
    /// The import ended its process too often; it does not start again.
    #[serde(rename = "set-aside")]
    SetAside,
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

impl Job {
    /// Counts an item.
    pub(super) fn count(&mut self, outcome: Outcome) {
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

/// The file name for an upload: the last component of the name that the client sent, with special characters replaced by `_`. A long name loses
/// its middle and keeps its extension.
#[must_use]
pub fn file_name(sent: &str) -> String {
    let last = sent.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain: String = last.chars().map(|c| if c.is_alphanumeric() || "._-".contains(c) { c } else { '_' }).collect();
    let plain = plain.trim_start_matches('.');
    let shortened;
    let plain = if plain.len() > MAX_NAME {
        let end = &plain[plain.ceil_char_boundary(plain.len() - MAX_NAME / 8)..];
        let start = &plain[..plain.floor_char_boundary(MAX_NAME - end.len())];
        shortened = format!("{start}{end}");
        &shortened
    } else {
        plain
    };
    // The names of the job's own files are reserved.
    if plain.is_empty() || [JOB, NEXT, REPORT, UNPACKED].contains(&plain) {
        "upload.xml".to_owned()
    } else {
        plain.to_owned()
    }
}

/// The folder in which a job unpacks its package.
pub(super) fn unpacked(folder: &Path) -> PathBuf {
    folder.join(UNPACKED)
}

/// Writes the description of a job atomically.
///
/// # Errors
/// The error of the file system.
pub fn write(folder: &Path, job: &Job) -> io::Result<()> {
    let temporary = folder.join(NEXT);
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

/// The same as [`write`], from a task: the file system waits on another thread.
///
/// # Errors
/// The error of the file system.
pub async fn save(folder: &Path, job: &Job) -> io::Result<()> {
    let (folder, job) = (folder.to_owned(), job.clone());
    tokio::task::spawn_blocking(move || write(&folder, &job)).await?
}

/// A job with its folder, if there is one with this id.
pub async fn find(data: &Path, id: &str) -> Option<(Job, PathBuf)> {
    let folder = folder(data, id)?;
    let found = tokio::task::spawn_blocking(move || Some((read(&folder).ok()?, folder))).await;
    found.ok().flatten()
}

/// All jobs, the latest first.
pub async fn all(data: &Path) -> Vec<Job> {
    let uploads = data.join("uploads");
    let found = tokio::task::spawn_blocking(move || {
        let entries = std::fs::read_dir(uploads).into_iter().flatten().flatten();
        let mut jobs: Vec<Job> = entries.filter_map(|entry| read(&entry.path()).ok()).collect();
        jobs.sort_by(|a, b| (&b.sent, &b.id).cmp(&(&a.sent, &a.id)));
        jobs
    });
    found.await.unwrap_or_default()
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

/// Imports uploads, one job after the other, until `stop` is ready. Jobs that a killed process left unfinished start again, unless they
/// are set aside; the importer skips what they have stored already.
pub async fn run(runner: impl Runner, data: PathBuf, uploaded: Arc<Notify>, stop: impl Future<Output = ()> + Send) {
    tokio::pin!(stop);
    loop {
        let jobs = all(&data).await;
        let waiting = |job: &&Job| matches!(job.state, JobState::Waiting | JobState::Running);
        // Oldest first.
        if let Some(job) = jobs.iter().rev().find(waiting) {
            if !work(&runner, &data, job.clone(), stop.as_mut()).await {
                return;
            }
            continue;
        }
        for old in jobs.iter().skip(MAX_REPORTS) {
            if let Some(folder) = folder(&data, &old.id) {
                let _ = tokio::fs::remove_dir_all(folder).await;
            }
        }
        tokio::select! {
            () = stop.as_mut() => return,
            () = uploaded.notified() => {}
            () = tokio::time::sleep(Duration::from_secs(60)) => {}
        }
    }
}

/// Removes leftovers of a killed process: unpacked packages that no other process uses, and incomplete uploads, which have no job
/// description yet. Must be called before uploads are accepted.
pub fn clean(data: &Path) {
    scratch::clean(&scratch::root(data));
    let entries = std::fs::read_dir(data.join("uploads")).into_iter().flatten().flatten();
    for entry in entries {
        let folder = entry.path();
        if folder.join(JOB).exists() {
            scratch::clean(&unpacked(&folder));
        } else {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

/// Works on a job. Returns whether to go on with the next one: `false` if `stop` was ready before the job ended.
async fn work<S: Future<Output = ()>>(runner: &impl Runner, data: &Path, mut job: Job, stop: Pin<&mut S>) -> bool {
    let Some(folder) = folder(data, &job.id) else { return true };
    if job.attempts >= ATTEMPTS {
        // The last attempt began and has no end: the host itself was killed.
        set_aside(&mut job, "the host itself was ended with it");
        end(&folder, &job).await;
        return true;
    }
    job.attempts += 1;
    job = Job { created: 0, updated: 0, unchanged: 0, valid: 0, failed: 0, state: JobState::Running, ..job };
    (job.error, job.reading) = (String::new(), String::new());
    let running = job.clone();
    let job_id = running.id.as_str();
    // The attempt is on disk before the work begins: whatever ends the host meanwhile, the attempt counts.
    let recording = match Recording::begin(&folder, &job).await {
        Ok(recording) => recording,
        Err(error) => {
            (job.state, job.error) = (JobState::Failed, unwritten(&error));
            end(&folder, &job).await;
            return true;
        }
    };
    tracing::info!(
        job = job_id,
        site = running.site_id,
        file = running.name,
        format = ?running.format,
        dry_run = running.dry_run,
        attempt = running.attempts,
        "an import starts"
    );
    let mut on_progress = |progress: Progress| recording.take(progress);
    let ended = tokio::select! {
        biased;
        () = stop => None,
        ended = runner.run(&running, &folder, &mut on_progress) => Some(ended),
    };
    let (mut job, fault) = recording.end(job).await;
    let _ = tokio::fs::remove_dir_all(unpacked(&folder)).await;
    let stopped = ended.is_none();
    match ended {
        // The host stops, which is not the fault of the job.
        None => (job.state, job.attempts) = (JobState::Waiting, job.attempts - 1),
        Some(Ended::Finished) => {
            job.reading.clear();
            job.state = JobState::Done;
            if let Some(error) = &fault {
                (job.state, job.error) = (JobState::Failed, unwritten(error));
            }
        }
        Some(Ended::Stopped(reason)) => {
            tracing::error!(job = job.id, reason, "an import was stopped");
            (job.state, job.error) = (JobState::Failed, format!("{reason}; then upload the file again"));
        }
        Some(Ended::Died(how)) if job.attempts >= ATTEMPTS => set_aside(&mut job, &how),
        Some(Ended::Died(how)) => {
            tracing::warn!(
                job = job.id,
                how,
                "the process of an import ended before its time; the import starts once more"
            );
            (job.state, job.error) = (
                JobState::Waiting,
                format!("the process of the import ended before its time: {how}; it starts once more"),
            );
        }
    }
    tracing::info!(
        job = job.id,
        site = job.site_id,
        state = ?job.state,
        created = job.created,
        updated = job.updated,
        unchanged = job.unchanged,
        valid = job.valid,
        failed = job.failed,
        "an import ended"
    );
    end(&folder, &job).await;
    !stopped
}

fn unwritten(error: &io::Error) -> String {
    format!("the report could not be written: {error}")
}

/// Sets a job aside, with a sentence for the librarian.
fn set_aside(job: &mut Job, how: &str) {
    let file = if job.reading.is_empty() { &job.name } else { &job.reading };
    job.error = format!(
        "the import of {} is set aside and does not start again: its process ended {} times before its time. The last time it read {file}, \
         and {how}. What is reported as created or updated is stored. Correct {file} or leave it out (save a picture smaller, or as PNG), \
         and upload the rest again; if the file is as it should be, ask the operator for higher limits ([imports] in platform.toml)",
        job.name, job.attempts
    );
    job.state = JobState::SetAside;
    tracing::error!(job = job.id, reason = job.error, "an import job is set aside");
}

/// Writes the state in which the work on a job ended, and deletes the uploaded file if nothing is left to do with it. The file of a job
/// that is set aside is kept for the operator, together with its report.
async fn end(folder: &Path, job: &Job) {
    if matches!(job.state, JobState::Done | JobState::Failed) {
        // Without the file, the job cannot run again.
        let _ = tokio::fs::remove_file(folder.join(&job.name)).await;
    }
    if let Err(error) = save(folder, job).await {
        tracing::error!(%error, job = job.id, "the result of an import job could not be written");
        // Without its result the job would be repeated forever, so it is deleted. One that waits has its attempts on disk.
        if job.state != JobState::Waiting && tokio::fs::remove_dir_all(folder).await.is_err() {
            tokio::time::sleep(UNWRITABLE).await;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn file_names_of_uploads_are_sanitized() {
        assert_eq!(file_name("issue 3.zip"), "issue_3.zip");
        assert_eq!(file_name("../../etc/passwd"), "passwd");
        assert_eq!(file_name("C:\\x\\刊.zip"), "刊.zip");
        assert_eq!(file_name(".."), "upload.xml");
        assert_eq!(file_name("job.json"), "upload.xml");
        assert_eq!(file_name("job.json.new"), "upload.xml");
        assert_eq!(file_name("unpacked"), "upload.xml");
        let long = file_name(&format!("{}.zip", "刊".repeat(120)));
        assert!(long.len() <= MAX_NAME && long.starts_with("刊刊") && long.ends_with("刊.zip"), "{long}");
    }

    #[test]
    fn only_hexadecimal_ids_have_a_folder() {
        let data = Path::new("/data");
        assert!(folder(data, &new_id()).is_some());
        assert_eq!(folder(data, "../../../../../../etc/passwd/xxxx"), None);
        assert_eq!(folder(data, ""), None);
    }

    /// A runner whose process ends so, attempt by attempt; it counts its starts, and sees what is on disk when it starts.
    struct Scripted {
        ends: Vec<Option<&'static str>>,
        seen: std::sync::Mutex<Vec<(u32, JobState)>>,
    }

    impl Runner for &Scripted {
        async fn run(&self, job: &Job, folder: &Path, on_progress: crate::import::OnProgress<'_>) -> Ended {
            let stored = read(folder).unwrap();
            let at = {
                let mut seen = self.seen.lock().unwrap();
                seen.push((stored.attempts, stored.state));
                seen.len() - 1
            };
            on_progress(Progress::Reading(format!("{}/f{}.svg", job.name, job.attempts)));
            match self.ends[at] {
                Some(how) => Ended::Died(how.to_owned()),
                None => {
                    on_progress(Progress::Item(serde_json::json!({ "outcome": "created" })));
                    Ended::Finished
                }
            }
        }
    }

    fn scripted(ends: &[Option<&'static str>]) -> Scripted {
        Scripted { ends: ends.to_vec(), seen: std::sync::Mutex::default() }
    }

    /// A job in a new data folder, with its upload.
    fn stored(attempts: u32, state: JobState) -> (tempfile::TempDir, PathBuf) {
        let data = tempfile::tempdir().unwrap();
        let job = Job { id: "a".repeat(32), name: "a.zip".to_owned(), attempts, state, ..Job::default() };
        let folder = folder(data.path(), &job.id).unwrap();
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(&job.name), "upload").unwrap();
        write(&folder, &job).unwrap();
        (data, folder)
    }

    /// Works on the job of a folder until it is over, as the host does; returns its description.
    async fn worked(data: &tempfile::TempDir, folder: &Path, runner: &Scripted) -> Job {
        while matches!(read(folder).unwrap().state, JobState::Waiting | JobState::Running) {
            let job = read(folder).unwrap();
            assert!(work(&runner, data.path(), job, Box::pin(std::future::pending()).as_mut()).await);
        }
        read(folder).unwrap()
    }

    #[tokio::test]
    async fn a_job_that_ends_its_process_twice_is_set_aside_with_its_file() {
        let (data, folder) = stored(0, JobState::Waiting);
        let runner = scripted(&[Some("it was ended by signal 6"), Some("it was ended by signal 9")]);
        let job = worked(&data, &folder, &runner).await;
        assert_eq!((job.state, job.attempts), (JobState::SetAside, 2));
        for words in [
            "a.zip is set aside",
            "2 times",
            "read a.zip/f2.svg",
            "by signal 9",
            "Correct a.zip/f2.svg",
            "platform.toml",
        ] {
            assert!(job.error.contains(words), "{words}: {}", job.error);
        }
        let seen = runner.seen.lock().unwrap().clone();
        assert_eq!(seen, [(1, JobState::Running), (2, JobState::Running)], "an attempt is on disk before it begins");
        assert!(folder.join("a.zip").exists(), "the operator can look at the file");
    }

    #[test]
    fn the_start_of_a_host_leaves_the_folders_of_running_imports() {
        let (data, folder) = stored(0, JobState::Running);
        let of_command = scratch::Scratch::new(&scratch::root(data.path()), "package-").unwrap();
        let of_job = scratch::Scratch::new(&unpacked(&folder), "package-").unwrap();
        let killed = [scratch::root(data.path()).join("package-1"), unpacked(&folder).join("package-2")];
        killed.iter().for_each(|folder| std::fs::create_dir(folder).unwrap());
        clean(data.path());
        assert!(of_command.path().is_dir() && of_job.path().is_dir());
        assert!(killed.iter().all(|folder| !folder.exists()));
        assert!(folder.join("a.zip").exists());
    }

    #[tokio::test]
    async fn a_job_that_ends_its_process_once_is_finished_by_the_second() {
        let (data, folder) = stored(0, JobState::Waiting);
        let job = worked(&data, &folder, &scripted(&[Some("it was ended by signal 9"), None])).await;
        assert_eq!((job.state, job.attempts, job.created, job.error.as_str()), (JobState::Done, 2, 1, ""));
        assert!(!folder.join("a.zip").exists());
    }

    #[tokio::test]
    async fn a_job_during_which_the_host_was_killed_twice_does_not_start_again() {
        let (data, folder) = stored(2, JobState::Running);
        let runner = scripted(&[]);
        let job = worked(&data, &folder, &runner).await;
        assert_eq!(job.state, JobState::SetAside);
        assert!(job.error.contains("the host itself"), "{}", job.error);
        assert!(runner.seen.lock().unwrap().is_empty());
    }

    #[tokio::test]
    async fn the_stop_of_the_host_is_no_attempt() {
        struct Endless;
        impl Runner for Endless {
            async fn run(&self, _: &Job, _: &Path, _: crate::import::OnProgress<'_>) -> Ended {
                std::future::pending().await
            }
        }
        let (data, folder) = stored(1, JobState::Waiting);
        let job = read(&folder).unwrap();
        // Ready at its second poll, so that the work has begun.
        let mut polled = false;
        let stop = std::future::poll_fn(|context| {
            let ready = std::mem::replace(&mut polled, true);
            context.waker().wake_by_ref();
            if ready { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
        });
        assert!(!work(&Endless, data.path(), job, Box::pin(stop).as_mut()).await);
        let job = read(&folder).unwrap();
        assert_eq!((job.state, job.attempts), (JobState::Waiting, 1));
        assert!(folder.join("a.zip").exists());
    }
}
