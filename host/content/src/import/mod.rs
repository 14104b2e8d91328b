//! Import: files and packages become articles, journals and resources. One file's failure is one line of the report.
//!
//! Files are converted side by side and stored in their order, so that a run has one result however many processors there
//! are; a run that was cut off and is started again passes by what is there and ends as a whole one does.

mod article;
mod assets;
pub mod job;
mod ojs;
mod package;
mod records;
pub mod resources;
mod source;

use std::{
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
    sync::Arc,
};

use futures::StreamExt as _;
use masthead_documents::jats::Limits;
use masthead_domain::SiteId;
use masthead_store::{NewArticle, Saved, Store};
use serde::Serialize;

use self::{
    article::{Prepared, Ready, Shared, Source, What},
    source::Found,
};
pub use self::{
    assets::Keeper,
    package::scratch,
    source::{Format, collect},
};

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
}

impl Item {
    /// An item that has failed so far.
    pub(crate) fn of(path: String, kind: &'static str) -> Self {
        Self {
            path,
            kind,
            outcome: Outcome::Failed,
            article: None,
            doi: None,
            error: None,
            line: None,
            column: None,
            warnings: Vec::new(),
            unknown: BTreeMap::new(),
        }
    }

    pub(crate) fn failed(path: String, kind: &'static str, error: &dyn std::fmt::Display) -> Self {
        Self { error: Some(format!("{error:#}")), ..Self::of(path, kind) }
    }
}

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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

/// Told of every item of a run as it is done.
pub type Told<'a> = &'a mut (dyn FnMut(Item) + Send);

/// Imports files into one site.
pub struct Importer {
    shared: Shared,
    /// Articles of this run: source key -> file and digest of the bytes.
    seen: HashMap<String, (String, Vec<u8>)>,
}

impl Importer {
    /// An importer for a site; `data` is the data folder.
    #[must_use]
    pub fn new(store: &Store, site: SiteId, data: &Path, dry_run: bool) -> Self {
        let keeper = Keeper { store: store.site(site), site, data: data.to_owned() };
        Self { shared: Shared { keeper, dry_run, limits: Limits::default() }, seen: HashMap::new() }
    }

    /// Imports one JATS file.
    pub async fn file(&mut self, path: &Path) -> Item {
        let source = Source { path: path.to_owned(), shown: path.display().to_string() };
        let prepared = self.shared.clone().prepare(source).await;
        self.commit(prepared).await
    }

    /// Imports files, folders and packages of a format, and tells of each item in the order of the files.
    pub async fn run(&mut self, paths: &[PathBuf], format: Format, told: Told<'_>) {
        for found in source::found(paths, format) {
            match found {
                Found::Articles(files) => self.articles(files, told).await,
                Found::Package(path) => self.package(&path, told).await,
                Found::File(path, Format::Periods) => self.periods(&path, told).await,
                Found::File(path, format @ (Format::Onix | Format::Marc)) => self.books(&path, format, told).await,
                Found::File(path, Format::Resources) => self.resources(&path, told).await,
                Found::File(path, Format::Ojs) => self.ojs(&path, told).await,
                Found::File(path, Format::References) => {
                    let reason = "references belong to an article, which has to be named";
                    told(Item::failed(path.display().to_string(), "references", &reason));
                }
                Found::File(path, format) => self.metadata(&path, format, told).await,
                Found::Odd { path, reason } => told(Item::failed(path, "file", &reason)),
            }
        }
    }

    /// Imports JATS files: converted side by side, stored in order.
    async fn articles(&mut self, files: Vec<Source>, told: Told<'_>) {
        let abreast = std::thread::available_parallelism().map_or(2, usize::from);
        let shared = Arc::new(self.shared.clone());
        let mut prepared = futures::stream::iter(files)
            .map(|source| {
                let (shared, shown) = (Shared::clone(&shared), source.shown.clone());
                async move {
                    // A task of its own, so that a panic in a converter costs one file.
                    tokio::spawn(shared.prepare(source)).await.unwrap_or_else(|error| Prepared {
                        item: Item::of(shown, "article"),
                        ready: Err(anyhow::anyhow!("the converter failed: {error}; please report the file")),
                    })
                }
            })
            .buffered(abreast);
        let mut batch = Batch::default();
        while let Some(prepared) = prepared.next().await {
            self.add(prepared, &mut batch);
            if batch.is_full() {
                self.store_batch(std::mem::take(&mut batch), told).await;
            }
        }
        self.store_batch(batch, told).await;
    }

    /// Stores one article in a transaction of its own.
    async fn commit(&mut self, prepared: Prepared) -> Item {
        let shown = prepared.item.path.clone();
        let (mut batch, mut stored) = (Batch::default(), None);
        self.add(prepared, &mut batch);
        self.store_batch(batch, &mut |item| stored = Some(item)).await;
        stored.unwrap_or_else(|| Item::of(shown, "article"))
    }

    /// Puts a prepared file behind the others of a batch, with what is known of its outcome without the database.
    fn add(&mut self, prepared: Prepared, batch: &mut Batch) {
        let Prepared { mut item, ready } = prepared;
        match ready.and_then(|ready| self.accept(ready, &item)) {
            Ok(What::Valid) => item.outcome = Outcome::Valid,
            Ok(What::Known(id)) => (item.outcome, item.article) = (Outcome::Unchanged, Some(id.0)),
            Ok(What::New(new)) => {
                batch.bytes += new.rendered.len();
                batch.articles.push(*new);
                batch.items.push((item, true));
                return;
            }
            Err(error) => item.error = Some(format!("{error:#}")),
        }
        batch.items.push((item, false));
    }

    /// Refuses a second file with other content for an article of this run: nobody can say which of the two is meant.
    fn accept(&mut self, ready: Ready, item: &Item) -> anyhow::Result<What> {
        let Ready { key, digest, what } = ready;
        if let Some((first, known)) = self.seen.get(&key) {
            anyhow::ensure!(
                *known == digest,
                "{key} is in this run already, with other content, from {first}; import the one that is meant alone"
            );
        }
        self.seen.insert(key, (item.path.clone(), digest));
        Ok(what)
    }

    /// Stores the articles of a batch in one transaction, and reports its items once that is committed: no item is reported as stored
    /// that a killed process would lose.
    async fn store_batch(&self, batch: Batch, told: Told<'_>) {
        let mut saved = self.shared.keeper.store.save_articles(&batch.articles).await.into_iter();
        for (mut item, is_article) in batch.items {
            match is_article.then(|| saved.next()).flatten() {
                Some(Ok(saved)) => (item.outcome, item.article) = (saved.into(), Some(saved.id().0)),
                Some(Err(error)) => item.error = Some(format!("{:#}", anyhow::Error::from(error))),
                None => {}
            }
            told(item);
        }
    }
}

/// Articles of one transaction: enough that its costs are shared, so few that a report goes on and little is done twice after a kill.
const BATCH: usize = 32;
/// Bytes of rendered articles behind which a batch is stored although it could hold more articles.
const BATCH_BYTES: usize = 16 << 20;

/// Files that are reported together.
#[derive(Default)]
struct Batch {
    /// The files in their order; with `true` the next one of `articles` is theirs.
    items: Vec<(Item, bool)>,
    articles: Vec<NewArticle>,
    /// Bytes of the rendered articles.
    bytes: usize,
}

impl Batch {
    const fn is_full(&self) -> bool {
        self.items.len() >= BATCH || self.bytes >= BATCH_BYTES
    }
}

/// Takes a file into the site's media and gives its address.
///
/// # Errors
/// A message, when it is too large or cannot be read or written.
pub async fn keep(store: &masthead_store::SiteStore, site: SiteId, data: &Path, path: &Path) -> anyhow::Result<String> {
    Keeper { store: store.clone(), site, data: data.to_owned() }.keep(path).await
}
