//! Import of an upload in a process of its own. A file that exhausts memory or time ends this process; the host goes on serving.

use std::{
    os::unix::process::ExitStatusExt as _,
    path::Path,
    process::{ExitStatus, Stdio},
    time::Duration,
};

use masthead_config::Imports;
use tokio::{
    io::{AsyncBufReadExt as _, BufReader, Lines},
    process::{Child, ChildStdout, Command},
    time::Instant,
};

use crate::import::{
    job::Job,
    runner::{Ended, OnProgress, Progress, Runner},
};

/// How long a process may take to end after it has closed its output. Other jobs wait for it.
const AFTER_OUTPUT: Duration = Duration::from_secs(60);

/// The limits that are in force when a job starts.
pub type CurrentLimits = Box<dyn Fn() -> Imports + Send + Sync>;

/// The command for a job.
pub type JobCommand = Box<dyn Fn(&Job, &Imports) -> Command + Send + Sync>;

/// Imports each job in a new process, which writes [`Progress`] to its standard output. The process must end when its standard input
/// ends: this tells it that the host has ended, in whichever way.
pub struct ChildProcess {
    /// The limits that are in force when a job starts.
    pub limits: CurrentLimits,
    /// The command for a job; the process that it starts sets its limit of memory itself.
    pub command: JobCommand,
}

impl Runner for ChildProcess {
    async fn run(&self, job: &Job, _folder: &Path, on_progress: OnProgress<'_>) -> Ended {
        let limits = (self.limits)();
        let mut command = (self.command)(job, &limits);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut child = match command.spawn() {
            Ok(child) => child,
            Err(error) => return Ended::Died(format!("it could not be started: {error}")),
        };
        // Held until the process has ended: its end would tell the process that the host has ended.
        let _input = child.stdin.take();
        let Some(output) = child.stdout.take() else { return Ended::Died("it has no output".to_owned()) };
        let mut report = Report { failed: None, stopped: None, on_progress };
        if let Err(reason) = report.read(BufReader::new(output).lines(), &limits).await {
            let _ = child.kill().await;
            return Ended::Died(reason);
        }
        match end_of(&mut child, AFTER_OUTPUT).await {
            Ok(status) if status.success() => report.stopped.map_or(Ended::Finished, Ended::Stopped),
            Ok(status) => Ended::Died(how(status, &limits, report.failed.as_deref())),
            Err(reason) => Ended::Died(reason),
        }
    }
}

/// The end of a process that has closed its output. One that does not end within the time is stopped.
///
/// # Errors
/// The reason why its end is not known.
async fn end_of(child: &mut Child, time: Duration) -> Result<ExitStatus, String> {
    match tokio::time::timeout(time, child.wait()).await {
        Ok(ended) => ended.map_err(|error| format!("its end could not be awaited: {error}")),
        Err(_) => {
            let _ = child.kill().await;
            Err("it was stopped, because it had closed its output and did not end".to_owned())
        }
    }
}

/// Reader of what the process writes.
struct Report<'a> {
    /// The reason that the process itself gave for its end.
    failed: Option<String>,
    /// Why it stopped in order, because nothing more could be stored.
    stopped: Option<String>,
    on_progress: OnProgress<'a>,
}

impl Report<'_> {
    /// Reads lines until the output ends.
    ///
    /// # Errors
    /// The reason why the process has to be stopped.
    async fn read(&mut self, mut lines: Lines<BufReader<ChildStdout>>, limits: &Imports) -> Result<(), String> {
        // A year at most, so that the end is a moment that the clock can represent.
        let minutes = |minutes: u64| Duration::from_secs(60 * minutes.min(365 * 24 * 60));
        let end = Instant::now() + minutes(limits.minutes);
        loop {
            let silent = Instant::now() + minutes(limits.minutes_without_progress);
            let line = match tokio::time::timeout_at(end.min(silent), lines.next_line()).await {
                Ok(Ok(Some(line))) => line,
                Ok(Ok(None)) => return Ok(()),
                Ok(Err(error)) => return Err(format!("it was stopped, because its output is unreadable: {error}")),
                Err(_) if end < silent => {
                    return Err(format!("it was stopped, because it took longer than {} minutes", limits.minutes));
                }
                Err(_) => {
                    let minutes = limits.minutes_without_progress;
                    return Err(format!("it was stopped, because it reported nothing for {minutes} minutes"));
                }
            };
            match serde_json::from_str(&line) {
                Ok(Progress::Failed(reason)) => self.failed = Some(reason),
                Ok(Progress::Stopped(reason)) => self.stopped = Some(reason),
                Ok(progress) => (self.on_progress)(progress),
                Err(error) => tracing::warn!(%error, line, "a line of an import process is not understood"),
            }
        }
    }
}

/// Says how a process ended that did not succeed.
fn how(status: ExitStatus, limits: &Imports, failed: Option<&str>) -> String {
    let reason = failed.map_or_else(String::new, |reason| format!(": {reason}"));
    if let Some(signal) = status.signal() {
        let meaning = match signal {
            6 => format!(
                " (SIGABRT), as it is when it needs more memory than the {} MB that an import may use",
                limits.memory_megabytes
            ),
            9 => " (SIGKILL), as it is by the system when the machine has no memory left".to_owned(),
            7 => " (SIGBUS), as it is when the disk is full".to_owned(),
            11 => " (SIGSEGV), as it is when its stack is exhausted".to_owned(),
            _ => String::new(),
        };
        return format!("it was ended by signal {signal}{meaning}{reason}");
    }
    match status.code() {
        Some(code) => format!("it ended with the exit code {code}{reason}"),
        None => format!("it ended without an exit code{reason}"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const LIMITS: Imports = Imports { memory_megabytes: 64, minutes_without_progress: 60, minutes: 60 };

    /// Runs a shell script as the process of a job; returns its end and what it reported.
    async fn run(script: &'static str, limits: Imports) -> (Ended, Vec<Progress>) {
        let runner = ChildProcess {
            limits: Box::new(move || limits),
            command: Box::new(move |_, _| {
                let mut command = Command::new("sh");
                command.args(["-c", script]);
                command
            }),
        };
        let mut seen = Vec::new();
        let ended = runner.run(&Job::default(), Path::new("."), &mut |progress| seen.push(progress)).await;
        (ended, seen)
    }

    fn died(ended: Ended) -> String {
        let Ended::Died(how) = ended else { return String::new() };
        how
    }

    #[tokio::test]
    async fn progress_is_passed_on_and_success_is_told_from_failure() {
        let (ended, seen) =
            run("echo '{\"reading\":\"a.xml\"}'; echo odd; echo '{\"item\":{\"outcome\":\"created\"}}'", LIMITS).await;
        assert_eq!(ended, Ended::Finished);
        let item = serde_json::json!({ "outcome": "created" });
        assert_eq!(seen, [Progress::Reading("a.xml".to_owned()), Progress::Item(item)]);
        let (ended, _) = run("echo '{\"failed\":\"no database\"}'; exit 3", LIMITS).await;
        assert_eq!(died(ended), "it ended with the exit code 3: no database");
        let (ended, seen) = run("echo '{\"stopped\":\"the disk is full\"}'", LIMITS).await;
        assert_eq!((ended, seen), (Ended::Stopped("the disk is full".to_owned()), Vec::new()));
    }

    #[tokio::test]
    async fn the_signal_that_ended_it_is_named() {
        let (ended, seen) = run("echo '{\"reading\":\"a.svg\"}'; kill -ABRT $$", LIMITS).await;
        let how = died(ended);
        assert!(how.contains("SIGABRT") && how.contains("64 MB"), "{how}");
        assert_eq!(seen, [Progress::Reading("a.svg".to_owned())]);
        assert!(died(run("kill -KILL $$", LIMITS).await.0).contains("SIGKILL"));
    }

    #[tokio::test]
    async fn a_process_that_exceeds_its_time_is_stopped() {
        // The process waits for the end of its input, which comes when the host drops it.
        let silent = Imports { minutes_without_progress: 0, ..LIMITS };
        assert!(died(run("cat", silent).await.0).contains("reported nothing for 0 minutes"));
        let slow = Imports { minutes: 0, ..LIMITS };
        assert!(died(run("cat", slow).await.0).contains("longer than 0 minutes"));
    }

    #[tokio::test]
    async fn a_process_that_stays_after_its_output_is_stopped() {
        let start = |script: &str| Command::new("sh").args(["-c", script]).kill_on_drop(true).spawn().unwrap();
        let mut staying = start("exec sleep 3600");
        let reason = end_of(&mut staying, Duration::from_millis(10)).await.unwrap_err();
        assert!(reason.contains("did not end"), "{reason}");
        assert_eq!(staying.try_wait().unwrap().and_then(|status| status.signal()), Some(9));
        assert!(end_of(&mut start("exit 0"), AFTER_OUTPUT).await.unwrap().success());
    }

    #[tokio::test]
    async fn a_program_that_is_missing_is_named() {
        let runner =
            ChildProcess { limits: Box::new(|| LIMITS), command: Box::new(|_, _| Command::new("/nowhere/masthead")) };
        let ended = runner.run(&Job::default(), Path::new("."), &mut |_| {}).await;
        assert!(died(ended).contains("could not be started"));
    }
}
