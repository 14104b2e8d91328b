//! The progress of an import job on the disk: its description, and the report with a line for each item.

use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::mpsc::{self, RecvTimeoutError},
    time::{Duration, Instant},
};

use crate::import::{
    job::{ATTEMPTS, Job, REPORT, write},
    runner::Progress,
};

/// How long the progress of a job may stay unwritten.
const UNSAVED: Duration = Duration::from_millis(500);

/// The recording of a job's progress, by a thread that may wait for the disk.
pub struct Recording {
    progress: mpsc::Sender<Progress>,
    recorder: tokio::task::JoinHandle<(Job, Option<io::Error>)>,
}

impl Recording {
    /// Writes the description of a job, and begins its report.
    ///
    /// # Errors
    /// The error of the file system.
    pub async fn begin(folder: &Path, job: &Job) -> io::Result<Self> {
        let (folder, job) = (folder.to_owned(), job.clone());
        let recorder = tokio::task::spawn_blocking(move || {
            write(&folder, &job)?;
            Recorder::new(folder, job)
        });
        let recorder = recorder.await??;
        let (progress, received) = mpsc::channel();
        Ok(Self { progress, recorder: tokio::task::spawn_blocking(move || recorder.record(&received)) })
    }

    /// Records progress; it waits for nothing.
    pub fn take(&self, progress: Progress) {
        // The recorder ends after this side only.
        let _ = self.progress.send(progress);
    }

    /// The job with what was recorded, and the first failure to write it. `begun` is the job as it was at first.
    pub async fn end(self, begun: Job) -> (Job, Option<io::Error>) {
        drop(self.progress);
        self.recorder.await.unwrap_or_else(|error| (begun, Some(error.into())))
    }
}

/// Writes the progress of a job to its folder.
struct Recorder {
    folder: PathBuf,
    job: Job,
    lines: io::BufWriter<std::fs::File>,
    /// When the oldest progress came that is not written yet.
    unsaved: Option<Instant>,
    /// The first failure to write.
    fault: Option<io::Error>,
}

impl Recorder {
    fn new(folder: PathBuf, job: Job) -> io::Result<Self> {
        let lines = io::BufWriter::new(std::fs::File::create(folder.join(REPORT))?);
        Ok(Self { folder, job, lines, unsaved: None, fault: None })
    }

    /// Records until the other side ends. The report is complete then; the description is written with the end of the job.
    fn record(mut self, progress: &mpsc::Receiver<Progress>) -> (Job, Option<io::Error>) {
        loop {
            let next = match self.unsaved {
                Some(since) => progress.recv_timeout((since + UNSAVED).saturating_duration_since(Instant::now())),
                None => progress.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match next {
                Ok(progress) => self.take(progress, Instant::now()),
                Err(RecvTimeoutError::Timeout) => self.save(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let flushed = self.lines.flush();
        self.note(flushed);
        (self.job, self.fault)
    }

    fn take(&mut self, progress: Progress, now: Instant) {
        match progress {
            Progress::Reading(file) => {
                self.job.reading = file;
                // In the last attempt, the name must be known even if the host itself ends.
                if self.job.attempts >= ATTEMPTS {
                    self.save();
                }
            }
            Progress::Item(item) => {
                let taken = self.item(&item);
                self.note(taken);
                let since = *self.unsaved.get_or_insert(now);
                if now.saturating_duration_since(since) >= UNSAVED {
                    self.save();
                }
            }
            Progress::Failed(reason) | Progress::Stopped(reason) => self.note(Err(io::Error::other(reason))),
        }
    }

    fn item(&mut self, item: &serde_json::Value) -> io::Result<()> {
        let outcome = item.get("outcome").cloned().unwrap_or_default();
        self.job.count(serde_json::from_value(outcome)?);
        serde_json::to_writer(&mut self.lines, item)?;
        self.lines.write_all(b"\n")
    }

    fn save(&mut self) {
        self.unsaved = None;
        let saved = self.lines.flush().and_then(|()| write(&self.folder, &self.job));
        self.note(saved);
    }

    fn note(&mut self, written: io::Result<()>) {
        if let Err(error) = written {
            self.fault.get_or_insert(error);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::import::job::read;

    #[test]
    fn progress_is_written_every_half_second_and_in_the_last_attempt_before_each_file() {
        let data = tempfile::tempdir().unwrap();
        let folder = data.path().to_owned();
        write(&folder, &Job::default()).unwrap();
        let recorder = |attempts| Recorder::new(folder.clone(), Job { attempts, ..read(&folder).unwrap() }).unwrap();
        let item = || Progress::Item(serde_json::json!({ "outcome": "created" }));
        let lines = || std::fs::read_to_string(folder.join(REPORT)).unwrap().lines().count();
        let (mut first, start) = (recorder(1), Instant::now());
        first.take(Progress::Reading("a.xml".to_owned()), start);
        for _ in 0..100 {
            first.take(item(), start);
        }
        assert_eq!((read(&folder).unwrap().created, lines()), (0, 0), "not a write for each item");
        first.take(item(), start + UNSAVED);
        let saved = read(&folder).unwrap();
        assert_eq!((saved.created, saved.reading.as_str(), lines()), (101, "a.xml", 101));
        let mut last = recorder(ATTEMPTS);
        last.take(Progress::Reading("b.xml".to_owned()), start);
        assert_eq!(read(&folder).unwrap().reading, "b.xml", "it may end the host");
        // What is left is written when the other side ends.
        last.take(item(), start);
        let (sender, received) = mpsc::channel();
        drop(sender);
        let (job, fault) = last.record(&received);
        assert_eq!((job.created, lines(), fault.is_none()), (102, 1, true));
    }
}
