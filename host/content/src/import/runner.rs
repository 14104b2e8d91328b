//! Runners of import jobs: this process, or, through [`crate::import::ChildProcess`], one of its own for each job.

use std::path::{Path, PathBuf};

use masthead_domain::SiteId;
use masthead_store::Store;
use serde::{Deserialize, Serialize};

use crate::import::{
    FileObserver, Importer, Item, OldAddress,
    job::{self, Job},
};

/// What a job reports while it runs; between processes, one JSON object a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Progress {
    /// The file with this name is read now.
    Reading(String),
    /// An item is finished: an [`Item`] as JSON.
    Item(serde_json::Value),
    /// The import could not be started, or not be finished, for this reason.
    Failed(String),
    /// The import was stopped, because nothing more can be stored.
    Stopped(String),
}

/// Callback that receives the progress of a job.
pub type OnProgress<'a> = &'a mut (dyn FnMut(Progress) + Send);

/// How the work on a job ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All files were read; what failed is reported.
    Finished,
    /// Nothing more could be stored. The text is a sentence without its full stop that says why, and what to do first.
    Stopped(String),
    /// The process ended before. The text is a clause that says how, such as `it was ended by signal 9`.
    Died(String),
}

/// Imports the upload of a job. When the future is dropped, the work stops.
pub trait Runner: Send + Sync {
    /// Imports the file in the folder of a job.
    fn run(&self, job: &Job, folder: &Path, on_progress: OnProgress<'_>) -> impl Future<Output = Ended> + Send;
}

/// Imports in this process: in the process of a job, and in tests.
pub struct InProcess {
    /// The content store.
    pub store: Store,
    /// The data folder.
    pub data: PathBuf,
    /// Receives the name of each file before it is read.
    pub reading: FileObserver,
}

impl Runner for InProcess {
    async fn run(&self, job: &Job, folder: &Path, on_progress: OnProgress<'_>) -> Ended {
        // Reports contain no path of the server.
        let prefix = format!("{}/", folder.display());
        let old_addresses = match OldAddress::all(&job.old_addresses, job.format) {
            Ok(addresses) => addresses,
            Err(reason) => return Ended::Stopped(reason),
        };
        let (reading, hidden) = (self.reading.clone(), prefix.clone());
        let mut importer = Importer::new(&self.store, SiteId(job.site_id), &self.data, job.dry_run)
            .telling(FileObserver::to(move |file| reading.note(&file.replace(&hidden, ""))))
            .unpacking_in(job::unpacked(folder))
            .moved_from(old_addresses);
        if job.attempts > 1 {
            importer = importer.one_at_a_time();
        }
        let mut on_item = |mut item: Item| {
            item.path = item.path.replace(&prefix, "");
            on_progress(match serde_json::to_value(&item) {
                Ok(item) => Progress::Item(item),
                Err(error) => Progress::Failed(format!("the item {} could not be reported: {error}", item.path)),
            });
        };
        match importer.run(&[folder.join(&job.name)], job.format, &mut on_item).await {
            Ok(()) => Ended::Finished,
            Err(stopped) => Ended::Stopped(stopped.to_string().replace(&prefix, "")),
        }
    }
}
