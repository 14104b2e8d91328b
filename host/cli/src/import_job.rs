//! `masthead import-job`: the process in which the host imports an upload, with a limit of memory. Hidden, because `masthead serve`
//! starts it.

use std::{
    ffi::OsString,
    io::{self, Read as _, Write as _},
    path::PathBuf,
    sync::Arc,
};

use clap::Args;
use masthead_content::{
    data_folder::open_store,
    import::{
        ChildProcess, Ended, FileObserver, InProcess, Progress, Runner as _,
        job::{self, Job},
    },
};
use masthead_web::app::App;
use tokio::{
    process::Command,
    signal::unix::{Signal, SignalKind, signal},
};

use crate::logging;

/// Imports the upload of a job and writes the progress to the standard output, one JSON object a line. Ends when the standard input
/// ends.
#[derive(Args)]
pub struct ImportJob {
    /// Id of the job.
    id: String,
    /// Data folder of the host.
    #[arg(long, env = "MASTHEAD_DATA", value_name = "DIR")]
    data: PathBuf,
    /// URL of the host's PostgreSQL database, if it has one.
    #[arg(long, env = "MASTHEAD_DATABASE", value_name = "URL", hide_env_values = true)]
    database: Option<String>,
    /// Memory that the process may use.
    #[arg(long, value_name = "MB")]
    memory_megabytes: u64,
    /// Write log lines as JSON.
    #[arg(long)]
    json: bool,
}

/// The runner that starts this program for each job, within the limits of the configuration that is in use then.
pub fn runner(app: Arc<App>, database: Option<String>, json: bool) -> ChildProcess {
    let data = app.data_folder.clone();
    ChildProcess {
        limits: Box::new(move || app.sites.load().platform.imports),
        command: Box::new(move |job, limits| {
            let mut command = Command::new(program());
            command.arg0("masthead");
            command.arg("import-job").arg(&job.id).arg("--data").arg(&data);
            command.arg(format!("--memory-megabytes={}", limits.memory_megabytes));
            command.args(json.then_some("--json"));
            // The URL may hold a password: other users of the machine can read the arguments of a process, but not its environment.
            match &database {
                Some(url) => command.env("MASTHEAD_DATABASE", url),
                None => command.env_remove("MASTHEAD_DATABASE"),
            };
            command
        }),
    }
}

/// This program. On Linux it is named so that it is the one that runs, even if its file was replaced by another version.
fn program() -> OsString {
    if cfg!(target_os = "linux") {
        return "/proc/self/exe".into();
    }
    std::env::current_exe().map_or_else(|_| "masthead".into(), PathBuf::into_os_string)
}

impl ImportJob {
    pub async fn run(self) -> anyhow::Result<()> {
        logging::start(self.json, false);
        let _signals = ignore_signals();
        end_with_the_host()?;
        limit_memory(self.memory_megabytes)?;
        let done = self.import().await;
        if let Err(error) = &done {
            report(&Progress::Failed(format!("{error:#}")));
        }
        done
    }

    async fn import(&self) -> anyhow::Result<()> {
        let folder = job::folder(&self.data, &self.id)
            .ok_or_else(|| anyhow::anyhow!("{:?} is not the id of an import job", self.id))?;
        let job: Job = job::read(&folder)
            .map_err(|error| anyhow::anyhow!("reading the import job in {}: {error}", folder.display()))?;
        let store = open_store(&self.data, self.database.as_deref()).await?;
        let reading = FileObserver::to(|file| report(&Progress::Reading(file.to_owned())));
        let runner = InProcess { store: store.clone(), data: self.data.clone(), reading };
        let ended = runner.run(&job, &folder, &mut |progress| report(&progress)).await;
        store.close().await;
        match ended {
            Ended::Finished => Ok(()),
            Ended::Stopped(reason) => {
                report(&Progress::Stopped(reason));
                Ok(())
            }
            Ended::Died(how) => Err(anyhow::anyhow!(how)),
        }
    }
}

/// Writes a line for the host at once, because this process may end with what it does next.
fn report(progress: &Progress) {
    let written = serde_json::to_vec(progress).map_err(io::Error::from).and_then(|mut line| {
        line.push(b'\n');
        let mut out = io::stdout().lock();
        out.write_all(&line).and_then(|()| out.flush())
    });
    if written.is_err() {
        // The host has ended.
        std::process::exit(1);
    }
}

/// Ends this process when the standard input ends, which the host holds open: a host that was killed must not leave an import behind,
/// since the next host starts it again. A thread of its own notices it, whatever the others compute.
fn end_with_the_host() -> io::Result<()> {
    std::thread::Builder::new().name("host".to_owned()).spawn(|| {
        let mut input = io::stdin().lock();
        while input.read(&mut [0; 64]).is_ok_and(|read| read > 0) {}
        std::process::exit(1);
    })?;
    Ok(())
}

/// Leaves signals that are sent to all processes of the service, such as Ctrl-C, to the host: it decides when the import ends, and
/// whether that counts as an attempt. They are caught as long as the result lives.
fn ignore_signals() -> Vec<Signal> {
    [SignalKind::hangup(), SignalKind::interrupt(), SignalKind::terminate()]
        .into_iter()
        .filter_map(|kind| signal(kind).ok())
        .collect()
}

/// Limits the memory that this process may write to. An allocation beyond it ends the process, without a core file.
#[cfg(target_os = "linux")]
fn limit_memory(megabytes: u64) -> anyhow::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    // Not the address space: libraries reserve much of it that they never use.
    for (resource, wanted) in [(Resource::Data, megabytes.saturating_mul(1 << 20)), (Resource::Core, 0)] {
        let allowed = getrlimit(resource).maximum.map_or(wanted, |most| most.min(wanted));
        setrlimit(resource, Rlimit { current: Some(allowed), maximum: Some(allowed) })
            .map_err(|error| anyhow::anyhow!("limiting the memory of the import to {megabytes} MB: {error}"))?;
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
#[allow(clippy::unnecessary_wraps)]
fn limit_memory(megabytes: u64) -> anyhow::Result<()> {
    tracing::warn!(megabytes, "this system does not limit the memory of a process; the import runs without the limit");
    Ok(())
}
