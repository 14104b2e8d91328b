//! Import of files and packages as articles, journals and resources. A file that fails is one item of the report and does not stop
//! the run.
//!
//! Files are converted in parallel and stored in their order, so that the result does not depend on the number of processors. A run
//! that is repeated after an interruption skips what was stored, and ends with the same result as an uninterrupted one.

mod article;
mod assets;
mod child_process;
mod edited;
mod file_observer;
pub mod harvest;
mod html_galley;
mod html_tree;
pub mod job;
mod oai_pmh;
mod ojs;
mod ojs_addresses;
mod ojs_articles;
mod ojs_records;
pub(crate) mod outage;
mod package;
mod recognition;
mod recording;
mod records;
pub mod resources;
mod runner;
mod source;

use std::{
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use futures::{FutureExt as _, StreamExt as _};
use masthead_documents::jats::{Limits, Omission};
use masthead_domain::SiteId;
use masthead_store::{NewArticle, Saved, SiteStore, Store};
use serde::{Deserialize, Serialize};

use self::{
    article::{Converter, Decision, Prepared, Ready, Source},
    outage::Stopped,
    recognition::Run,
    source::Found,
};
pub(crate) use self::{
    article::{rendered_again, summaries},
    assets::{is_pdf, refusal},
};
pub use self::{
    assets::MediaWriter,
    child_process::ChildProcess,
    file_observer::FileObserver,
    ojs_addresses::OldAddress,
    outage::outage_of,
    runner::{Ended, InProcess, OnProgress, Progress, Runner},
    source::{Format, collect},
};
use crate::scratch;

/// What became of one file.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    /// The file.
    pub path: String,
    /// What it holds: `article`, `book`, `period`, ...; a package is a `package` where it cannot be opened.
    pub kind: &'static str,
    /// What became of it.
    pub outcome: Outcome,
    /// Its article's number, when it is stored.
    pub article: Option<i64>,
    /// How many things an item stands for that is none by itself (`redirects`, `counts`).
    pub number: Option<usize>,
    /// Its DOI.
    pub doi: Option<String>,
    /// Why it failed.
    pub error: Option<String>,
    /// Line of the failure, from 1.
    pub line: Option<u32>,
    /// Column of the failure, from 1.
    pub column: Option<u32>,
    /// What a librarian should look at.
    pub warnings: Vec<String>,
    /// Elements that were not understood and how often; their text is kept.
    pub unknown: BTreeMap<String, u32>,
    /// What the page of the article does not show on purpose, with the reasons.
    pub left_out: Vec<Omission>,
    /// Whether it failed because nothing more can be stored, so that the import stops.
    #[serde(skip)]
    pub outage: bool,
}

impl Item {
    /// An item with the outcome `Failed`, which is changed on success.
    pub(crate) fn of(path: String, kind: &'static str) -> Self {
        Self {
            path,
            kind,
            outcome: Outcome::Failed,
            article: None,
            number: None,
            doi: None,
            error: None,
            line: None,
            column: None,
            warnings: Vec::new(),
            unknown: BTreeMap::new(),
            left_out: Vec::new(),
            outage: false,
        }
    }

    /// The item with the reason why it failed.
    pub(crate) fn fail(self, error: &anyhow::Error) -> Self {
        Self { outcome: Outcome::Failed, error: Some(format!("{error:#}")), outage: outage::is_outage(error), ..self }
    }

    /// Why an import stops at this item, as a sentence without its full stop; `None` if it goes on.
    #[must_use]
    pub fn stops(&self) -> Option<String> {
        self.stopped().map(|stopped| stopped.to_string())
    }

    fn stopped(&self) -> Option<Stopped> {
        let reason = self.error.clone().unwrap_or_default();
        self.outage.then(|| Stopped { path: self.path.clone(), reason })
    }

    pub(crate) fn failed(path: String, kind: &'static str, error: &dyn std::fmt::Display) -> Self {
        Self { error: Some(format!("{error:#}")), ..Self::of(path, kind) }
    }
}

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// New (or it would be, in a dry run).
    Created,
    /// Changed: it replaced what was there.
    Updated,
    /// The same was there already.
    Unchanged,
    /// It converts; nothing is written in a dry run.
    Valid,
    /// It is no more at its source: it was removed here too.
    Removed,
    /// It cannot be imported.
    Failed,
}

impl<Id> From<Saved<Id>> for Outcome {
    fn from(saved: Saved<Id>) -> Self {
        match saved {
            Saved::Created(_) => Self::Created,
            Saved::Updated(_) => Self::Updated,
            Saved::Unchanged(_) => Self::Unchanged,
        }
    }
}

/// Callback that receives each item of a run when it is finished.
pub type OnItem<'a> = &'a mut (dyn FnMut(Item) + Send);

/// Articles of one run: source key -> path and digest of the source.
type SeenArticles = HashMap<String, (String, Vec<u8>)>;

/// Imports files into one site.
pub struct Importer {
    converter: Converter,
    seen: SeenArticles,
    run: Run,
    /// Number of files that are prepared at the same time.
    parallel: usize,
    /// The folder in which packages are unpacked.
    scratch: PathBuf,
    /// What imports of OJS know from each other.
    ojs: ojs::Run,
    /// Why the import was stopped.
    stopped: Arc<OnceLock<Stopped>>,
}

impl Importer {
    /// An importer for a site; `data` is the data folder.
    #[must_use]
    pub fn new(store: &Store, site: SiteId, data: &Path, dry_run: bool) -> Self {
        let media_writer = MediaWriter { store: store.site(site), site, data: data.to_owned() };
        Self {
            converter: Converter { media_writer, dry_run, limits: Limits::default(), reading: FileObserver::default() },
            seen: HashMap::new(),
            run: Run::default(),
            parallel: parallel_files(),
            scratch: scratch::root(data),
            ojs: ojs::Run::new(store.clone()),
            stopped: Arc::default(),
        }
    }

    /// Saves redirects for the addresses that journals had below these addresses of OJS.
    #[must_use]
    pub fn moved_from(mut self, addresses: Vec<OldAddress>) -> Self {
        self.ojs.old_addresses = addresses;
        self
    }

    /// Whether nothing more can be stored.
    fn is_stopped(&self) -> bool {
        self.stopped.get().is_some()
    }

    /// Tells `reading` the name of each file before it is read.
    #[must_use]
    pub fn telling(mut self, reading: FileObserver) -> Self {
        self.converter.reading = reading;
        self
    }

    /// Prepares one file after the other, so that the file that was read last is the one that ended the process.
    #[must_use]
    pub const fn one_at_a_time(mut self) -> Self {
        self.parallel = 1;
        self
    }

    /// Unpacks packages in this folder instead of the data folder's [`scratch::root`].
    #[must_use]
    pub fn unpacking_in(mut self, folder: PathBuf) -> Self {
        self.scratch = folder;
        self
    }

    /// Imports one JATS file.
    pub async fn file(&mut self, path: &Path) -> Item {
        let source = Source { path: path.to_owned(), shown: path.display().to_string() };
        let prepared = self.converter.clone().prepare(source).await;
        self.commit(prepared).await
    }

    /// Imports files, folders and packages of a format; calls `on_item` for each item in the order of the files.
    ///
    /// # Errors
    /// A sentence, if nothing more can be stored: the disk is full, or the database is away. The items that are not stored for this reason
    /// are not reported; those that were reported are stored.
    pub async fn run(&mut self, paths: &[PathBuf], format: Format, on_item: OnItem<'_>) -> anyhow::Result<()> {
        let stopped = Arc::clone(&self.stopped);
        let mut pass = |item: Item| match item.stopped() {
            Some(reason) => _ = stopped.set(reason),
            None => on_item(item),
        };
        self.every(paths, format, &mut pass).await;
        self.stopped.get().map_or(Ok(()), |stopped| Err(stopped.clone().into()))
    }

    async fn every(&mut self, paths: &[PathBuf], format: Format, on_item: OnItem<'_>) {
        for found in source::found(paths, format) {
            if self.is_stopped() {
                return;
            }
            if let Found::Package(path) | Found::File(path, _) = &found {
                self.converter.reading.note(&path.display().to_string());
            }
            match found {
                Found::Articles(files) => self.articles(files, on_item).await,
                Found::Package(path) => self.package(&path, on_item).await,
                Found::File(path, Format::Periods) => self.periods(&path, on_item).await,
                Found::File(path, format @ (Format::Onix | Format::Marc)) => self.books(&path, format, on_item).await,
                Found::File(path, Format::Resources) => self.resources(&path, on_item).await,
                Found::File(path, Format::Ojs) => self.ojs(&path, on_item).await,
                Found::File(path, Format::References) => {
                    let reason = "references belong to an article, which must be given by its DOI";
                    on_item(Item::failed(path.display().to_string(), "references", &reason));
                }
                Found::File(path, format) => self.metadata(&path, format, on_item).await,
                Found::Unsupported { path, reason } => on_item(Item::failed(path, "file", &reason)),
            }
        }
    }

    /// Imports JATS files: converts them in parallel and stores them in order. While a batch is stored, the next one is converted.
    async fn articles(&mut self, files: Vec<Source>, on_item: OnItem<'_>) {
        self.run.will_read(files.iter().map(|source| source.path.clone()));
        let (converter, seen, stopped) = (&self.converter, &mut self.seen, &self.stopped);
        let run = &mut self.run;
        let mut prepared = futures::stream::iter(files)
            .map(|source| {
                let shown = source.shown.clone();
                // Each file has its own task, so that a panic in a converter affects one file only, and conversion continues while a batch
                // is stored.
                tokio::spawn(converter.clone().prepare(source)).map(|prepared| {
                    prepared.unwrap_or_else(|error| Prepared {
                        item: Item::of(shown, "article"),
                        ready: Err(anyhow::anyhow!(
                            "internal error of the converter: {error}; please report this file"
                        )),
                    })
                })
            })
            .buffered(self.parallel);
        let (batches, mut converted) = tokio::sync::mpsc::channel(1);
        let convert = async move {
            let mut batch = Batch::default();
            while let Some(prepared) = prepared.next().await {
                let hopeless = batch.add(prepared, seen);
                // The receiver is closed when nothing more can be stored.
                let ends = (hopeless || batch.is_full()) && batches.send(std::mem::take(&mut batch)).await.is_err();
                if ends || hopeless {
                    return;
                }
            }
            let _ = batches.send(batch).await;
        };
        let store = async {
            while let Some(batch) = converted.recv().await {
                store_batch(&converter.media_writer, batch, run, on_item).await;
                if stopped.get().is_some() {
                    converted.close();
                    return;
                }
            }
        };
        tokio::join!(convert, store);
    }

    /// Stores one article in a transaction of its own.
    async fn commit(&mut self, prepared: Prepared) -> Item {
        let shown = prepared.item.path.clone();
        let (mut batch, mut stored) = (Batch::default(), None);
        batch.add(prepared, &mut self.seen);
        let media_writer = &self.converter.media_writer;
        store_batch(media_writer, batch, &mut self.run, &mut |item| stored = Some(item)).await;
        stored.unwrap_or_else(|| Item::of(shown, "article"))
    }
}

/// Number of files that are prepared at the same time by default: several for each processor, because a file waits for the disk while
/// its pictures are written.
fn parallel_files() -> usize {
    4 * std::thread::available_parallelism().map_or(2, usize::from)
}

/// Rejects a second file with different content for the same article in one run, because it is unknown which of the two is meant.
fn accept(ready: Ready, item: &Item, seen: &mut SeenArticles) -> anyhow::Result<Decision> {
    let Ready { key, digest, decision } = ready;
    if let Some((first, known)) = seen.get(&key) {
        anyhow::ensure!(
            *known == digest,
            "{key} was already in this run, with other content, from {first}; import only the intended file"
        );
    }
    seen.insert(key, (item.path.clone(), digest));
    Ok(decision)
}

/// Stores the articles of a batch in one transaction, and reports its items after the commit, so that no item is reported as
/// stored that would be lost if the process were killed.
async fn store_batch(media_writer: &MediaWriter, mut batch: Batch, run: &mut Run, on_item: OnItem<'_>) {
    batch.items.iter().filter_map(|(item, _)| item.article).for_each(|article| run.has(article));
    let store = &media_writer.store;
    if let Err(error) = recognition::recognise(store, run, &mut batch.articles, &mut batch.items).await {
        return batch.fail(&error.into(), on_item);
    }
    if let Err(error) = edited::keep_edits(media_writer, &mut batch.articles, &mut batch.items).await {
        return batch.fail(&error.into(), on_item);
    }
    let mut saved = store.save_articles(&batch.articles).await.into_iter();
    for (mut item, is_article) in batch.items {
        match is_article.then(|| saved.next()).flatten() {
            Some(Ok(saved)) => {
                run.has(saved.id().0);
                (item.outcome, item.article) = (saved.into(), Some(saved.id().0));
            }
            Some(Err(error)) => item = item.fail(&error.into()),
            None => {}
        }
        on_item(item);
    }
}

/// Largest number of files in one transaction: enough to share the cost of a commit, few enough that the report advances steadily and
/// that little is repeated after a kill.
const BATCH: usize = 32;
/// Size of the rendered articles, in bytes, at which a batch is stored even if it has fewer files.
const BATCH_BYTES: usize = 16 << 20;

/// Files that are stored and reported together.
#[derive(Default)]
struct Batch {
    /// The files in order; `true` if the next element of `articles` belongs to the file.
    items: Vec<(Item, bool)>,
    articles: Vec<NewArticle>,
    /// Total size of the rendered articles, in bytes.
    bytes: usize,
}

impl Batch {
    /// Appends a prepared file, with its outcome as far as it is known without the database. Returns whether nothing more can be stored.
    fn add(&mut self, prepared: Prepared, seen: &mut SeenArticles) -> bool {
        let Prepared { mut item, ready } = prepared;
        match ready.and_then(|ready| accept(ready, &item, seen)) {
            Ok(Decision::Valid) => item.outcome = Outcome::Valid,
            Ok(Decision::Known(id)) => (item.outcome, item.article) = (Outcome::Unchanged, Some(id.0)),
            Ok(Decision::New(new)) => {
                self.bytes += new.rendered.len();
                self.articles.push(*new);
                self.items.push((item, true));
                return false;
            }
            Err(error) => item = item.fail(&error),
        }
        let hopeless = item.outage;
        self.items.push((item, false));
        hopeless
    }

    /// Reports that the articles cannot be stored.
    fn fail(self, error: &anyhow::Error, on_item: OnItem<'_>) {
        for (item, is_article) in self.items {
            on_item(if is_article { item.fail(error) } else { item });
        }
    }

    const fn is_full(&self) -> bool {
        self.items.len() >= BATCH || self.bytes >= BATCH_BYTES
    }
}

/// Stores a file in the site's media and returns its address.
///
/// # Errors
/// A message, if it is too large or cannot be read or written.
pub async fn keep(store: &SiteStore, site: SiteId, data: &Path, path: &Path) -> anyhow::Result<String> {
    MediaWriter { store: store.clone(), site, data: data.to_owned() }.keep(path).await
}
