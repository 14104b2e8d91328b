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
pub(crate) mod resources;
mod source;

use std::{
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
    sync::Arc,
};

use futures::StreamExt as _;
use masthead_documents::jats::Limits;
use masthead_domain::SiteId;
use masthead_store::{Filed, Saved, Store};
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
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
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

/// What became of something that the store filed.
#[must_use]
pub const fn filed(filed: Filed) -> Outcome {
    match filed {
        Filed::Added(_) => Outcome::Created,
        Filed::Replaced(_) => Outcome::Updated,
        Filed::Same(_) => Outcome::Unchanged,
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
        while let Some(prepared) = prepared.next().await {
            told(self.commit(prepared).await);
        }
    }

    async fn commit(&mut self, prepared: Prepared) -> Item {
        let Prepared { mut item, ready } = prepared;
        let stored = match ready {
            Ok(ready) => self.store(ready, &mut item).await,
            Err(error) => Err(error),
        };
        if let Err(error) = stored {
            item.outcome = Outcome::Failed;
            item.error = Some(format!("{error:#}"));
        }
        item
    }

    async fn store(&mut self, ready: Ready, item: &mut Item) -> anyhow::Result<()> {
        let Ready { key, digest, what } = ready;
        // Two different files for one article in one run: nobody can say which is meant, so the second is refused.
        if let Some((first, known)) = self.seen.get(&key) {
            anyhow::ensure!(
                *known == digest,
                "{key} is in this run already, with other content, from {first}; import the one that is meant alone"
            );
        }
        self.seen.insert(key, (item.path.clone(), digest));
        let (outcome, id) = match what {
            What::Valid => (Outcome::Valid, None),
            What::Known(id) => (Outcome::Unchanged, Some(id)),
            What::New(new) => match self.shared.keeper.store.put_article(&new).await? {
                Saved::Created(id) => (Outcome::Created, Some(id)),
                Saved::Updated(id) => (Outcome::Updated, Some(id)),
                Saved::Unchanged(id) => (Outcome::Unchanged, Some(id)),
            },
        };
        (item.outcome, item.article) = (outcome, id.map(|id| id.0));
        Ok(())
    }
}

/// Takes a file into the site's media and gives its address.
///
/// # Errors
/// A message, when it is too large or cannot be read or written.
pub async fn keep(store: &masthead_store::SiteStore, site: SiteId, data: &Path, path: &Path) -> anyhow::Result<String> {
    Keeper { store: store.clone(), site, data: data.to_owned() }.keep(path).await
}
