//! Harvests the articles of another platform over OAI-PMH.
//!
//! The state is saved with each page, after its articles: an interrupted harvest goes on with the next page, and a complete one
//! later asks for what has changed since. Which article came from which record is saved too, so that a deleted record removes it.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    path::Path,
    time::Duration,
};

use anyhow::Context as _;
use masthead_domain::{SiteId, text::has_form};
use masthead_formats::catalogues::dublin_core;
use masthead_runtime::{HostClient, HostFetchError, HostLimits};
use masthead_store::{HarvestedPage, SiteStore, Store};
use serde::{Deserialize, Serialize};

use crate::import::{
    Batch, Importer, Item, OnItem, Outcome,
    article::{Prepared, Ready, SourceFolder, from_other_format, read_jats},
    oai_pmh::{self, Identity, ListRecordsAnswer, Metadata, Record, RecordPage},
    store_batch,
};

/// Limits of one request. A page of full texts is large, and some repositories take a minute to list the first records.
const LIMITS: HostLimits = HostLimits {
    response_bytes: 64 << 20,
    timeout: Duration::from_secs(180),
    connect_timeout: Duration::from_secs(15),
};
/// How often one request is repeated when the repository asks to wait.
const WAITS: u32 = 8;
/// Longest wait before a request is repeated, in seconds.
const LONGEST_WAIT: u64 = 300;
/// Wait if the repository does not say how long, in seconds.
const USUAL_WAIT: u64 = 30;

/// What to harvest.
#[derive(Clone, Debug, Default)]
pub struct HarvestRequest {
    /// Address of the repository.
    pub url: String,
    /// Set to harvest, or "" for all records.
    pub set: String,
    /// Day or moment since which changes are asked for; without it, since the last complete harvest.
    pub from: Option<String>,
    /// Whether the repository may have an address in a private network.
    pub allow_private: bool,
    /// Whether to read everything and store nothing.
    pub dry_run: bool,
}

/// What a complete harvest did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Harvested {
    /// Name of the repository.
    pub repository: String,
    /// The format, as a `metadataPrefix`.
    pub format: String,
    /// Moment since which changes were asked for, or "".
    pub from: String,
    /// Whether an interrupted harvest was continued.
    pub resumed: bool,
    /// Number of pages.
    pub pages: u64,
    /// What the administrator should know.
    pub warnings: Vec<String>,
}

/// The saved state of the harvest of one repository and set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct State {
    /// The format of the latest harvest.
    format: String,
    /// The list that is not at its end yet.
    running: Option<List>,
    /// When the latest complete harvest began, by the clock of the repository; or "".
    complete: String,
}

/// A list of records, and how far it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct List {
    /// Moment since which changes are listed, or "".
    from: String,
    /// Token of the next page; "" for the first one.
    token: String,
    /// When the first page was answered, by the clock of the repository; "" before.
    started: String,
}

/// Harvests one repository into one site.
pub struct Harvester {
    importer: Importer,
    client: HostClient,
    request: HarvestRequest,
    /// An empty folder in place of that in which an article's files are searched: OAI-PMH transmits none.
    no_files: tempfile::TempDir,
}

/// What the records of a page change, and what is yet to be stored.
#[derive(Default)]
struct Progress {
    batch: Batch,
    /// Source keys by identifier, of records that are being stored.
    keys: HashMap<String, String>,
    /// Source keys by identifier, of records that are stored.
    kept: BTreeMap<String, String>,
    /// Identifiers of records that are deleted.
    deleted: BTreeSet<String>,
}

impl Harvester {
    /// A harvester for a site; `data` is the data folder.
    ///
    /// # Errors
    /// A message, if the address or the date cannot be used.
    pub fn new(store: &Store, site: SiteId, data: &Path, request: HarvestRequest) -> anyhow::Result<Self> {
        if let Some(from) = &request.from {
            anyhow::ensure!(
                is_day(from) || is_moment(from),
                "{from:?} is not a date of OAI-PMH: write 2026-05-17 or 2026-05-17T08:30:00Z"
            );
        }
        let client = HostClient::new(&request.url, request.allow_private, LIMITS).map_err(explained)?;
        let importer = Importer::new(store, site, data, request.dry_run);
        Ok(Self { importer, client, request, no_files: tempfile::tempdir()? })
    }

    /// Harvests all pages; calls `on_item` for each record after its page, or a part of it, is stored.
    ///
    /// # Errors
    /// A message, if the repository cannot be read to the end. What was stored stays, and the next run goes on behind it.
    pub async fn run(&mut self, on_item: OnItem<'_>) -> anyhow::Result<Harvested> {
        let identity = oai_pmh::identity(&self.ask(&[("verb", "Identify")]).await?)
            .with_context(|| format!("identifying the repository {}", self.request.url))?;
        let mut state = self.saved().await?;
        let mut harvested = Harvested { repository: identity.name.clone(), ..Harvested::default() };
        let (mut list, resumed) = self.list(&identity, &mut state).await?;
        (harvested.format, harvested.from, harvested.resumed) = (state.format.clone(), list.from.clone(), resumed);
        if !identity.lists_deleted {
            harvested
                .warnings
                .push("the repository does not list deleted records: remove such articles yourself".to_owned());
        }
        let mut restarted = false;
        loop {
            let page = match self.page(&state.format, &list).await? {
                ListRecordsAnswer::Page(page) => page,
                ListRecordsAnswer::BadToken => {
                    anyhow::ensure!(
                        !list.token.is_empty() && !restarted,
                        "the repository {} refuses its own resumption tokens",
                        self.request.url
                    );
                    harvested
                        .warnings
                        .push("the resumption token had expired: the list was read from its beginning".to_owned());
                    (restarted, list.token, list.started) = (true, String::new(), String::new());
                    continue;
                }
            };
            anyhow::ensure!(
                page.token.is_empty() || page.token != list.token,
                "the repository {} gives the same resumption token twice, so that its list has no end",
                self.request.url
            );
            if list.started.is_empty() {
                list.started.clone_from(&page.date);
            }
            list.token.clone_from(&page.token);
            let ended = list.token.is_empty();
            if ended {
                (state.running, state.complete) = (None, list.started.clone());
            } else {
                state.running = Some(list.clone());
            }
            self.store(page, &state, on_item).await?;
            harvested.pages += 1;
            if ended {
                return Ok(harvested);
            }
        }
    }

    fn site(&self) -> &SiteStore {
        &self.importer.converter.media_writer.store
    }

    async fn saved(&self) -> anyhow::Result<State> {
        let saved = self.site().harvest_state(&self.request.url, &self.request.set).await?;
        // The state of another version is that of a repository that was never harvested: everything is read, and nothing lost.
        Ok(saved.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
    }

    /// The list to read: the one that was interrupted, unless another date is asked for; otherwise a new one.
    async fn list(&self, identity: &Identity, state: &mut State) -> anyhow::Result<(List, bool)> {
        let fitting = |from: &str| if identity.days { from.get(..10).unwrap_or_default() } else { from }.to_owned();
        let asked = self.request.from.as_deref().map(fitting);
        if let Some(running) = &state.running
            && asked.as_ref().is_none_or(|from| *from == running.from)
        {
            return Ok((running.clone(), true));
        }
        let formats = oai_pmh::formats(&self.ask(&[("verb", "ListMetadataFormats")]).await?)
            .with_context(|| format!("listing the formats of {}", self.request.url))?;
        let format = oai_pmh::preferred(&formats)?;
        // With another format than before, everything is read again: the articles may have full texts now.
        let known = state.format == format && (is_moment(&state.complete) || is_day(&state.complete));
        let from = asked.unwrap_or_else(|| if known { fitting(&state.complete) } else { String::new() });
        format.clone_into(&mut state.format);
        Ok((List { from, ..List::default() }, false))
    }

    async fn page(&self, format: &str, list: &List) -> anyhow::Result<ListRecordsAnswer> {
        let mut parameters = vec![("verb", "ListRecords")];
        if list.token.is_empty() {
            parameters.push(("metadataPrefix", format));
            let optional = [("from", list.from.as_str()), ("set", self.request.set.as_str())];
            parameters.extend(optional.into_iter().filter(|(_, value)| !value.is_empty()));
        } else {
            parameters.push(("resumptionToken", list.token.as_str()));
        }
        let bytes = self.ask(&parameters).await?;
        tokio::task::spawn_blocking(move || oai_pmh::records(&bytes))
            .await?
            .with_context(|| format!("listing the records of {}", self.request.url))
    }

    /// Sends a request; waits and repeats it while the repository asks for that.
    async fn ask(&self, parameters: &[(&str, &str)]) -> anyhow::Result<Vec<u8>> {
        let mut waits = 0;
        loop {
            let answer = self.client.get(parameters).await.map_err(explained);
            let answer = answer.with_context(|| format!("harvesting {}", self.request.url))?;
            match answer.status {
                200..=299 => return Ok(answer.body),
                429 | 503 if waits < WAITS => {
                    waits += 1;
                    let seconds = answer.retry_after.trim().parse().unwrap_or(USUAL_WAIT).min(LONGEST_WAIT);
                    tracing::info!(repository = self.request.url, seconds, "the repository asks to wait");
                    tokio::time::sleep(Duration::from_secs(seconds)).await;
                }
                // Some platforms send errors of the protocol with a status of HTTP.
                400..=499 if holds(&answer.body, b"OAI-PMH") => return Ok(answer.body),
                status => anyhow::bail!("harvesting {}: the server answers with the status {status}", self.request.url),
            }
        }
    }

    /// Stores a page: its articles, then its deletions, then the state.
    async fn store(&mut self, page: RecordPage, state: &State, on_item: OnItem<'_>) -> anyhow::Result<()> {
        // A record that changes during the harvest may be listed again on a later page.
        self.importer.seen.clear();
        let mut progress = Progress::default();
        for record in page.records {
            if record.metadata == Metadata::Deleted {
                progress.deleted.insert(record.identifier);
                continue;
            }
            let mut item = Item::of(record.identifier.clone(), "article");
            match self.prepared(record, &mut item).await {
                Ok(Some(ready)) => {
                    progress.keys.insert(item.path.clone(), ready.key.clone());
                    progress.batch.add(Prepared { item, ready: Ok(ready) }, &mut self.importer.seen);
                }
                Ok(None) => on_item(item),
                Err(error) => report(item.fail(&error), on_item)?,
            }
            if progress.batch.is_full() {
                self.commit_batch(&mut progress, on_item).await?;
            }
        }
        self.commit_batch(&mut progress, on_item).await?;
        for (identifier, key) in &progress.kept {
            self.replace(identifier, key, &progress).await?;
        }
        for identifier in &progress.deleted {
            on_item(self.delete(identifier, state, &progress).await?);
        }
        if !self.request.dry_run {
            let state = serde_json::to_string(state)?;
            let Progress { kept, deleted, .. } = progress;
            let page =
                HarvestedPage { state, kept: kept.into_iter().collect(), deleted: deleted.into_iter().collect() };
            self.site().save_harvested_page(&self.request.url, &self.request.set, &page).await?;
        }
        Ok(())
    }

    async fn commit_batch(&mut self, progress: &mut Progress, on_item: OnItem<'_>) -> anyhow::Result<()> {
        let mut done = Vec::new();
        let batch = std::mem::take(&mut progress.batch);
        let media_writer = self.importer.converter.media_writer.clone();
        store_batch(&media_writer, batch, &mut self.importer.run, &mut |item| done.push(item)).await;
        for item in done {
            let key = progress.keys.remove(&item.path);
            let stored = matches!(item.outcome, Outcome::Created | Outcome::Updated | Outcome::Unchanged);
            if let Some(key) = key.filter(|_| stored) {
                progress.kept.insert(item.path.clone(), key);
            }
            report(item, on_item)?;
        }
        Ok(())
    }

    /// Prepares the article of a record. `None` if the site has its full text and the record has metadata only.
    async fn prepared(&self, record: Record, item: &mut Item) -> anyhow::Result<Option<Ready>> {
        let (mut imported, digest) = match record.metadata {
            Metadata::Jats(xml) => self.importer.converter.read(xml.into_bytes(), item).await?,
            Metadata::DublinCore(terms) => {
                let (article, warnings) = dublin_core::article(&terms, &record.identifier, read_jats)?;
                item.warnings.extend(warnings);
                from_other_format(article, Vec::new())?
            }
            Metadata::Deleted | Metadata::Other => {
                anyhow::bail!("the record has no metadata in JATS or Dublin Core")
            }
        };
        // The digest of a source without identifiers would make an article of each of its versions.
        if imported.article.meta.source_key.starts_with("sha256:") {
            imported.article.meta.source_key = dublin_core::source_key(&record.identifier);
        }
        let files = std::mem::take(&mut imported.assets).iter().filter(|name| !name.contains("://")).count();
        if files > 0 {
            item.warnings.push(format!("OAI-PMH transmits no files: {files} files of the article are missing"));
        }
        let meta = &imported.article.meta;
        item.doi = meta.doi.as_ref().map(ToString::to_string);
        if imported.article.body.body.is_empty() && self.importer.keeps_full_text(meta, item).await? {
            return Ok(None);
        }
        let folder = SourceFolder { folder: self.no_files.path(), stem: "" };
        self.importer.converter.store(imported, digest, folder, item).await.map(Some)
    }

    /// Removes the article that a record had before, if it is another one now, because it has got a DOI for example.
    async fn replace(&self, identifier: &str, key: &str, page: &Progress) -> anyhow::Result<()> {
        let before = self.site().harvested_key(&self.request.url, identifier).await?;
        if let Some(before) = before.filter(|before| before != key)
            && !self.is_needed(&before, identifier, page).await?
            && let Some(id) = self.site().article_id_by_key(&before).await?
        {
            self.site().remove_article(id).await?;
        }
        Ok(())
    }

    /// Whether the article with this source key also comes from another record, as the records are after this page.
    async fn is_needed(&self, key: &str, identifier: &str, page: &Progress) -> anyhow::Result<bool> {
        let here = page.kept.iter().any(|(other, other_key)| other_key == key && other != identifier);
        let left = |other: &str| page.deleted.contains(other) || page.kept.get(other).is_some_and(|now| now != key);
        let others = self.site().harvested_from(key).await?;
        Ok(here
            || others
                .iter()
                .any(|(repository, other)| *repository != self.request.url || (other != identifier && !left(other))))
    }

    /// Removes the article of a deleted record.
    async fn delete(&self, identifier: &str, state: &State, page: &Progress) -> anyhow::Result<Item> {
        let mut item = Item { outcome: Outcome::Unchanged, ..Item::of(identifier.to_owned(), "article") };
        let site = self.site();
        let Some(key) = site.harvested_key(&self.request.url, identifier).await? else { return Ok(item) };
        let Some(id) = site.article_id_by_key(&key).await? else { return Ok(item) };
        item.article = Some(id.0);
        if self.is_needed(&key, identifier, page).await? {
            item.warnings.push("the article also comes from another record; it is kept".to_owned());
        } else if state.format == "oai_dc" && self.importer.fuller(&key).await?.is_some() {
            item.warnings
                .push("the record is deleted, but the site has the full text from elsewhere; it is kept".to_owned());
        } else if self.request.dry_run {
            item.outcome = Outcome::Valid;
        } else if site.remove_article(id).await? {
            item.outcome = Outcome::Removed;
        }
        Ok(item)
    }
}

/// Reports an item.
///
/// # Errors
/// A sentence, if nothing more can be stored; the item is not reported then.
fn report(item: Item, on_item: OnItem<'_>) -> anyhow::Result<()> {
    if let Some(sentence) = item.stops() {
        anyhow::bail!(sentence);
    }
    on_item(item);
    Ok(())
}

/// The error with the option that permits what it refuses.
fn explained(error: HostFetchError) -> anyhow::Error {
    match error {
        HostFetchError::Private(_) => anyhow::anyhow!("{error}; --allow-private permits it"),
        other => other.into(),
    }
}

fn holds(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).any(|part| part == word)
}

fn is_day(text: &str) -> bool {
    has_form(text, "0000-00-00")
}

fn is_moment(text: &str) -> bool {
    has_form(text, "0000-00-00T00:00:00Z")
}
