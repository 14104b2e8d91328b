//! Uploads are imported in processes of their own: what ends such a process leaves the host serving, and a job that does it twice is
//! set aside.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use masthead_content::import::{
    Format,
    job::{self, Job, JobState},
};
use masthead_test_support::{copy, edit, repository, share_compiled, until, workspace};

use super::jats;
use crate::serve::Running;

/// The folders of a host that is started several times.
struct Office {
    sites: PathBuf,
    data: PathBuf,
}

impl Office {
    fn new(name: &str) -> Self {
        let folder = workspace(&format!("importing-processes-{name}"));
        let office = Self { sites: folder.join("sites"), data: folder.join("data") };
        copy(&repository("sites"), &office.sites);
        share_compiled(&office.data);
        office
    }

    fn start(&self) -> Running {
        Running::start(&self.sites, &self.data, &[])
    }

    /// Stores an upload that waits for the host, and returns the folder of its job. `write` writes the file.
    fn upload(&self, name: &str, sent: &str, write: impl FnOnce(&Path)) -> PathBuf {
        let id = job::new_id();
        let folder = job::folder(&self.data, &id).unwrap();
        std::fs::create_dir_all(&folder).unwrap();
        write(&folder.join(name));
        let job = Job {
            id,
            site_id: 448,
            name: name.to_owned(),
            format: Format::Jats,
            sent: sent.to_owned(),
            ..Job::default()
        };
        job::write(&folder, &job).unwrap();
        folder
    }

    /// An upload whose import never ends by itself: nobody writes to this pipe.
    fn endless(&self) -> PathBuf {
        self.upload("a.xml", "2026-01-01", |path| {
            assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
        })
    }

    /// An upload that is imported after the others: when it is done, these had their turn.
    fn last(&self) -> PathBuf {
        let article = jats("10.5555/processes.1", "Last", "<p>Words.</p>");
        self.upload("z.xml", "2026-01-02", |path| std::fs::write(path, article).unwrap())
    }
}

fn job_in(folder: &Path, state: JobState) -> Job {
    until(&format!("the state {state:?}"), || job::read(folder).ok().filter(|job| job.state == state))
}

/// The parent of a process; `None` if it has ended.
fn process(id: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name of the program, in parentheses, may contain spaces.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    fields.next()?.parse().ok().filter(|_| state != "Z" && state != "X")
}

/// The process that imports for a host.
fn importing(host: u32) -> Option<u32> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).find(|id| {
        let arguments = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        process(*id) == Some(host) && arguments.split(|byte| *byte == 0).any(|argument| argument == b"import-job")
    })
}

/// Waits for the process of the `attempt`th start of a job.
fn started(host: &Running, folder: &Path, attempt: u32) -> u32 {
    until("the start of the import", || {
        let job = job::read(folder).unwrap();
        assert_ne!(job.state, JobState::SetAside, "{}", job.error);
        importing(host.id()).filter(|_| job.attempts == attempt)
    })
}

fn kill(id: u32) {
    assert!(Command::new("kill").args(["-KILL", &id.to_string()]).status().unwrap().success());
}

#[test]
fn a_job_whose_process_is_killed_twice_is_set_aside_and_does_not_start_again() {
    let office = Office::new("killed");
    let folder = office.endless();
    let host = office.start();
    let first = started(&host, &folder, 1);
    kill(first);
    let second = until("the second attempt", || Some(started(&host, &folder, 2)).filter(|id| *id != first));
    kill(second);
    let job = job_in(&folder, JobState::SetAside);
    for words in ["a.xml is set aside", "2 times", "SIGKILL", "Correct a.xml"] {
        assert!(job.error.contains(words), "{words}: {}", job.error);
    }
    assert!(host.get("127.0.0.1", "/healthz").ends_with("ok\n"));
    drop(host);

    let last = office.last();
    let host = office.start();
    assert_eq!(job_in(&last, JobState::Done).created, 1);
    let job = job::read(&folder).unwrap();
    assert_eq!((job.state, job.attempts), (JobState::SetAside, 2));
    assert_eq!(importing(host.id()), None);
}

#[test]
fn a_job_during_which_the_host_is_killed_twice_is_set_aside_and_leaves_no_process() {
    let office = Office::new("host-killed");
    let folder = office.endless();
    for attempt in 1..=2 {
        let host = office.start();
        let process_of_the_job = started(&host, &folder, attempt);
        drop(host);
        until("the end of the process without its host", || process(process_of_the_job).is_none().then_some(()));
        assert_eq!(job::read(&folder).unwrap().attempts, attempt);
    }
    let last = office.last();
    let _host = office.start();
    job_in(&last, JobState::Done);
    let job = job::read(&folder).unwrap();
    assert_eq!((job.state, job.attempts), (JobState::SetAside, 2));
    assert!(job.error.contains("the host itself"), "{}", job.error);
}

#[test]
fn the_stop_of_the_host_is_no_attempt_of_the_job() {
    let office = Office::new("stopped");
    let folder = office.endless();
    for _ in 0..3 {
        let mut host = office.start();
        let process_of_the_job = started(&host, &folder, 1);
        assert!(host.get("127.0.0.1", "/healthz").ends_with("ok\n"));
        let status = host.terminate();
        assert!(status.success(), "{status}");
        until("the end of the process with its host", || process(process_of_the_job).is_none().then_some(()));
        let job = job::read(&folder).unwrap();
        assert_eq!((job.state, job.attempts), (JobState::Waiting, 0));
    }
}

#[test]
fn a_process_beyond_its_memory_leaves_the_host_serving() {
    let office = Office::new("memory");
    edit(&office.sites.join("platform.toml"), |text| {
        let limited = text.replace("memoryMegabytes = 2048", "memoryMegabytes = 160");
        assert_ne!(limited, text);
        limited
    });
    // The tree of this file has 2.8 million nodes, within the limit on their number, and more than 160 MB.
    let article = jats("10.5555/processes.2", "Large", &"<p>x</p>".repeat(1_400_000));
    let folder = office.upload("big.xml", "2026-01-01", |path| std::fs::write(path, article).unwrap());
    let last = office.last();
    let host = office.start();
    let job = until("the end of the job", || {
        assert!(host.get("127.0.0.1", "/healthz").ends_with("ok\n"), "the host serves while the job runs");
        job::read(&folder).ok().filter(|job| job.state == JobState::SetAside)
    });
    for words in ["read big.xml", "SIGABRT", "160 MB", "platform.toml"] {
        assert!(job.error.contains(words), "{words}: {}", job.error);
    }
    assert_eq!(job_in(&last, JobState::Done).created, 1, "the next job is imported within the limit");
}
