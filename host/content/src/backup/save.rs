//! Writing a backup.

use std::{
    collections::HashSet,
    fs, io,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use masthead_store::{
    Store,
    backup::{ArticleKey, ArticleVersion, Snapshot, Table, Value},
};

use super::{
    EARLIER_TOKEN, FORMAT, SECRETS, UPLOADS,
    check::MediaColumns,
    chunks::{self, Range, RowBuffer, TableWriter},
    folder::{BackupFolder, Put},
    manifest::{Added, FolderFile, Manifest, Root, TableManifest},
};
use crate::{digest::Digest, files, import::outage::advised};

/// Bytes of the rows that one query is to read.
const PAGE_BYTES: u64 = 2 << 20;
/// Rows that the first query of a table reads, before it is known how long its rows are.
const FIRST_PAGE: i64 = 16;
/// The most rows that one query reads.
const MOST_ROWS: u64 = 4000;

/// An installation.
pub struct Source<'a> {
    /// Its database.
    pub store: &'a Store,
    /// Its data folder.
    pub data: &'a Path,
    /// Its configuration folder.
    pub sites: &'a Path,
}

/// How a backup is written.
pub struct Options {
    /// Name of the backup, which contains its time; a number is added to one that is taken.
    pub name: String,
    /// Whether the backup has the secrets of the data folder.
    pub secrets: bool,
    /// Whether every row is read, and every chunk and file that is stored already is compared with its digest.
    pub full: bool,
}

/// A backup that was written.
pub struct Saved {
    /// Its manifest.
    pub manifest: Manifest,
    /// Files that the backup lacks although it should have them, a sentence each.
    pub problems: Vec<String>,
}

/// Writes a backup of an installation, which may serve and import meanwhile. Everything that is written is read back, and on the disk before
/// the manifest is. A backup that is interrupted does not exist, and leaves the others as they are.
///
/// # Errors
/// A message, if something cannot be read or written; there is no new backup then.
pub async fn save(source: &Source<'_>, folder: &mut BackupFolder, options: &Options) -> anyhow::Result<Saved> {
    let saved = write(source, folder, options).await;
    saved.map_err(|error| advised(error, "no backup was made, and those before it are as they were"))
}

/// The same for callers who are not at the command line: the error has its causes, such as a full disk ([`crate::import::outage_of`]).
///
/// # Errors
/// As [`save`].
pub async fn save_unadvised(
    source: &Source<'_>,
    folder: &mut BackupFolder,
    options: &Options,
) -> anyhow::Result<Saved> {
    write(source, folder, options).await
}

async fn write(source: &Source<'_>, folder: &mut BackupFolder, options: &Options) -> anyhow::Result<Saved> {
    folder.begin(options.full).with_context(|| format!("marking the backup folder {}", folder.root().display()))?;
    let backups = folder.backups()?;
    let mut snapshot = source.store.snapshot().await?;
    let known: Vec<&Manifest> = backups.iter().filter_map(|(_, read)| read.as_ref().ok()).collect();
    let fits = |manifest: &&Manifest| {
        // Rows of another database, or of another version, are not known to be the same.
        !options.full && manifest.restored == snapshot.restored() && manifest.schema == snapshot.schema().version
    };
    let before = known.iter().rev().copied().find(fits);
    let reading: &BackupFolder = folder;
    let mut saver =
        Saver { folder: reading, before, added: Added::default(), missing: Vec::new(), problems: Vec::new() };
    let versions = snapshot.article_versions().await?;
    let mut tables = Vec::new();
    for table in snapshot.schema().clone().backed_up() {
        tables.push(saver.table(&mut snapshot, table, &versions).await?);
    }
    drop(versions);
    let (engine, schema) = (snapshot.engine().to_owned(), snapshot.schema().version);
    let (restored, position) = (snapshot.restored(), snapshot.position());
    // Files have to be there only as long as their rows are: the state of the database need not be held for them.
    drop(snapshot);
    saver.media(source, &tables).await?;
    let folder_files = saver.folder_files(source, options.secrets)?;
    let Saver { added, missing, problems, .. } = saver;
    let manifest = Manifest {
        format: FORMAT,
        name: free_name(&options.name, backups.iter().map(|(name, _)| name.as_str()).collect()),
        number: known.iter().map(|manifest| manifest.number).max().unwrap_or(0) + 1,
        masthead: env!("CARGO_PKG_VERSION").to_owned(),
        engine,
        schema,
        restored,
        position,
        secrets: options.secrets,
        tables,
        folder_files,
        missing,
        added,
    };
    folder.sync()?;
    folder.write_manifest(&manifest)?;
    folder.end().with_context(|| format!("finishing the backup in {}", folder.root().display()))?;
    Ok(Saved { manifest, problems })
}

fn free_name(wanted: &str, taken: HashSet<&str>) -> String {
    let mut name = wanted.to_owned();
    let mut number = 2;
    while taken.contains(name.as_str()) {
        name = format!("{wanted}-{number}");
        number += 1;
    }
    name
}

struct Saver<'a> {
    folder: &'a BackupFolder,
    /// The latest backup of the same database.
    before: Option<&'a Manifest>,
    added: Added,
    missing: Vec<String>,
    problems: Vec<String>,
}

/// The rows of a table behind one article and before another; all rows without them.
#[derive(Clone, Copy, Default)]
struct Span {
    after: Option<ArticleKey>,
    before: Option<ArticleKey>,
}

impl Saver<'_> {
    /// Writes a table. Rows of articles are taken over from the backup before where the articles have the same versions.
    async fn table(
        &mut self,
        snapshot: &mut Snapshot,
        table: &Table,
        versions: &[ArticleVersion],
    ) -> anyhow::Result<TableManifest> {
        let known = self.before.and_then(|before| before.tables.iter().find(|known| known.name == table.name));
        let mut writer = None;
        if table.of_articles
            && let Some(known) = known.filter(|known| known.columns == table.columns)
        {
            writer = self.changed_articles(snapshot, table, known, versions).await?;
        }
        // Every row is in the backup, or all rows are read: the versions of articles only save work.
        if let Some(changed) = &writer
            && changed.rows() != snapshot.count(table).await?
        {
            tracing::warn!(table = %table.name, "articles were changed without a new version; all their rows are read");
            writer = None;
        }
        let writer = match writer {
            Some(writer) => writer,
            None => {
                let mut writer = TableWriter::new(self.folder);
                read_rows(snapshot, table, Span::default(), versions, &mut writer).await?;
                writer
            }
        };
        let (manifest, added) = writer.finish(table)?;
        self.added.add(&added);
        Ok(manifest)
    }

    /// Lists the chunks of the backup before whose articles have the same versions, and reads the rows between them. `None` if a list cannot
    /// be read.
    async fn changed_articles(
        &self,
        snapshot: &mut Snapshot,
        table: &Table,
        known: &TableManifest,
        versions: &[ArticleVersion],
    ) -> anyhow::Result<Option<TableWriter<'_>>> {
        let mut writer = TableWriter::new(self.folder);
        // The versions behind the latest chunk that was taken over, and the article at the end of that chunk.
        let (mut rest, mut after) = (versions, None);
        // Whether a chunk was not taken over since then.
        let mut gap = false;
        let folder = self.folder;
        let mut entries = folder.entries(known).peekable();
        while let Some(entry) = entries.next() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    tracing::warn!(%error, "the backup before this one is damaged; all rows are read");
                    return Ok(None);
                }
            };
            let Some(range) = entry.range else { return Ok(None) };
            let start = rest.partition_point(|version| version.key < range.first);
            let end = start + rest[start..].partition_point(|version| version.key <= range.last);
            // New articles behind the last chunk go into it, so that daily backups do not leave a small chunk each.
            let grows = entries.peek().is_none() && end < rest.len();
            let same = start < end && !grows && chunks::of_versions(&rest[start..end]) == range.versions;
            if !same || !folder.has_chunk(&entry) {
                gap = true;
                continue;
            }
            if gap || start > 0 {
                let span = Span { after, before: Some(range.first) };
                read_rows(snapshot, table, span, &rest[..start], &mut writer).await?;
            }
            writer.push(entry)?;
            (rest, after, gap) = (&rest[end..], Some(range.last), false);
        }
        if gap || !rest.is_empty() || after.is_none() {
            read_rows(snapshot, table, Span { after, before: None }, rest, &mut writer).await?;
        }
        Ok(Some(writer))
    }

    /// Stores the files of the sites. Those of a chunk that the backup before has are stored already.
    async fn media(&mut self, source: &Source<'_>, tables: &[TableManifest]) -> anyhow::Result<()> {
        let (known, folder) = (self.known_media_chunks(), self.folder);
        for table in tables {
            let Some(columns) = MediaColumns::of(table) else { continue };
            for entry in folder.entries(table) {
                let entry = entry?;
                if known.contains(&entry.chunk) {
                    continue;
                }
                for row in folder.read_rows(&entry)? {
                    if let Some((digest, bytes)) = columns.read(&row) {
                        self.file(source, digest, bytes).await?;
                    }
                }
            }
        }
        self.missing.sort_unstable();
        self.missing.dedup();
        Ok(())
    }

    /// The chunks of the table of files whose files are all in the backup before.
    fn known_media_chunks(&self) -> HashSet<Digest> {
        let usable = self.before.filter(|before| self.folder.is_trusted() && before.missing.is_empty());
        let table = usable.and_then(|before| before.tables.iter().find(|table| MediaColumns::of(table).is_some()));
        let entries = table.into_iter().flat_map(|table| self.folder.entries(table));
        entries.filter_map(Result::ok).map(|entry| entry.chunk).collect()
    }

    async fn file(&mut self, source: &Source<'_>, digest: &str, bytes: u64) -> anyhow::Result<()> {
        let path = files::path(source.data, digest);
        let put = match Digest::parse(digest) {
            Some(digest) => self.folder.put(&digest, bytes, &path)?,
            None => Put::Missing,
        };
        match put {
            Put::Known => return Ok(()),
            Put::Added(bytes) => {
                self.added.file(bytes);
                return Ok(());
            }
            Put::Missing => {
                // A file that was removed with its row since the state of the database was read does not belong in the backup.
                if source.store.has_media(digest).await? {
                    self.problems.push(format!(
                        "the file {} is missing; import what uses it again, or restore it from an earlier backup",
                        path.display()
                    ));
                }
            }
            Put::Damaged => self.problems.push(format!(
                "the file {} is damaged: its bytes are not those of its digest; import what uses it again",
                path.display()
            )),
        }
        self.missing.push(digest.to_owned());
        Ok(())
    }

    /// Stores the files of the configuration folder and of the data folder, and the list of them. Returns the digest of the list.
    fn folder_files(&mut self, source: &Source<'_>, secrets: bool) -> anyhow::Result<String> {
        let mut stored = Vec::new();
        for (root, path) in folder_files(source, secrets)? {
            let folder = match root {
                Root::Sites => source.sites,
                Root::Data => source.data,
            };
            let full = folder.join(&path);
            let mode = match fs::metadata(&full) {
                Ok(found) => found.permissions().mode() & 0o777,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error).with_context(|| format!("reading {}", full.display())),
            };
            // A file that was removed since the folder was listed is left out.
            let Some((digest, bytes, is_new)) = self.folder.add(&full)? else { continue };
            if is_new {
                self.added.file(bytes);
            }
            let path = path.to_str().map(str::to_owned);
            let path = path.with_context(|| format!("the name of {} is not UTF-8; rename it", full.display()))?;
            stored.push(FolderFile { root, path, digest, bytes, mode });
        }
        let list = self.folder.write_chunk(&postcard::to_stdvec(&stored)?)?;
        self.added.chunk(&list);
        Ok(list.digest.hex())
    }
}

/// Reads the rows of a part of a table and writes them in chunks. `versions` are those of the articles in this part.
async fn read_rows(
    snapshot: &mut Snapshot,
    table: &Table,
    span: Span,
    versions: &[ArticleVersion],
    writer: &mut TableWriter<'_>,
) -> anyhow::Result<()> {
    let as_values = |key: ArticleKey| vec![Value::Int(key.0), Value::Int(key.1)];
    let (mut after, before) = (span.after.map(as_values), span.before.map(as_values));
    let (mut buffer, mut limit, mut pending) = (RowBuffer::default(), FIRST_PAGE, versions);
    // The articles of the first and the last row in the buffer.
    let mut articles: Option<(ArticleKey, ArticleKey)> = None;
    loop {
        let page = snapshot.rows(table, after.as_deref(), before.as_deref(), limit).await?;
        let Some(last) = page.last() else { break };
        after = Some(table.key.iter().filter_map(|at| last.get(*at).cloned()).collect());
        let mut bytes = 0;
        for row in &page {
            if table.of_articles {
                let article = chunks::article_key(table, row)?;
                articles = Some((articles.map_or(article, |(first, _)| first), article));
            }
            let (length, ends) = buffer.add(table, row)?;
            bytes += length;
            if ends && let Some((raw, rows)) = buffer.take() {
                let range = articles.take().map(|(first, last)| Range::take(&mut pending, first, last, false));
                writer.write(&raw, rows, range)?;
            }
        }
        // Rows of a table are about as long as those before.
        let average = (bytes / page.len() as u64).max(1);
        limit = i64::try_from((PAGE_BYTES / average).clamp(1, MOST_ROWS)).unwrap_or(FIRST_PAGE);
    }
    if let Some((raw, rows)) = buffer.take() {
        let range = articles.map(|(first, last)| Range::take(&mut pending, first, last, true));
        writer.write(&raw, rows, range)?;
    }
    Ok(())
}

/// The files of the configuration folder, and those of the data folder that are in a backup besides the files of sites.
fn folder_files(source: &Source<'_>, secrets: bool) -> anyhow::Result<Vec<(Root, PathBuf)>> {
    let mut found: Vec<(Root, PathBuf)> =
        visible_files(source.sites)?.into_iter().map(|path| (Root::Sites, path)).collect();
    if secrets {
        found.extend(SECRETS.iter().chain([&EARLIER_TOKEN]).map(|name| (Root::Data, PathBuf::from(name))));
    }
    // Uploads of administrators wait for their import, or have a report. Files that an import has unpacked are in folders below.
    let uploads = source.data.join(UPLOADS);
    for entry in walkdir::WalkDir::new(&uploads).min_depth(2).max_depth(2).sort_by_file_name() {
        match entry {
            Ok(entry) if entry.file_type().is_file() => {
                found.push((Root::Data, entry.path().strip_prefix(source.data)?.to_owned()));
            }
            Ok(_) => {}
            Err(error) if error.io_error().is_some_and(|error| error.kind() == io::ErrorKind::NotFound) => {}
            Err(error) => return Err(error).context("reading the uploads in the data folder"),
        }
    }
    Ok(found)
}

/// The files below a folder, as paths in it, without those whose name or folder begins with a dot.
pub(super) fn visible_files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let visible =
        |entry: &walkdir::DirEntry| entry.depth() == 0 || !entry.file_name().to_string_lossy().starts_with('.');
    let mut found = Vec::new();
    for entry in walkdir::WalkDir::new(folder).follow_links(true).sort_by_file_name().into_iter().filter_entry(visible)
    {
        let entry = entry.with_context(|| format!("reading the folder {}", folder.display()))?;
        if entry.file_type().is_file() {
            found.push(entry.path().strip_prefix(folder)?.to_owned());
        }
    }
    Ok(found)
}
