//! Restoring a backup.
//!
//! Everything is written into the folder `restoring` in the data folder first, in the configuration folder into `.restoring`, and into a
//! PostgreSQL database in a transaction that is committed last. Then it replaces the former data. From the beginning to the end a mark in
//! the data folder keeps every other command from opening it.

use std::{
    collections::HashSet,
    fs::{self, File},
    io::{self, Write as _},
    os::unix::{fs::PermissionsExt as _, net::UnixStream},
    path::{Component, Path, PathBuf},
};

use anyhow::Context as _;
use masthead_store::{
    AuditEntry,
    backup::{Loader, Row, Schema},
    subjects,
};
use tokio::{sync::mpsc, task::spawn_blocking};

use super::{
    ADMIN_TOKENS, EARLIER_TOKEN, SECRETS, UPLOADS,
    check::{self, MediaColumns},
    folder::{BackupFolder, FILES, copy_to, open, private_folder, sync_all_below, try_lock},
    manifest::{FolderFile, Manifest, Root, TableManifest},
    save::visible_files,
};
use crate::{
    data_folder::{self, DATABASE, UNFINISHED_RESTORE, sync_folder},
    digest::{self, Digest},
    files,
    import::outage::{advised, is_outage},
};

/// The folder in the data folder into which a restore writes, and the one in the configuration folder.
const STAGING: &str = "restoring";
const SITES_STAGING: &str = ".restoring";

/// The parts of a data folder that are an installation; a restore replaces all of them. The index is of another database, and the host
/// makes a new one.
const CONTENT: [&str; 4] = [DATABASE, "media", UPLOADS, "search"];
/// Files that are removed with them.
const REMAINS: [&str; 5] = ["masthead.db-wal", "masthead.db-shm", "masthead.db-journal", "unpacked", "last-good"];

/// Chunks of rows that are read before they are written.
const AHEAD: usize = 8;

/// Where a backup is restored to.
pub struct RestoreTarget<'a> {
    /// The data folder.
    pub data: &'a Path,
    /// The configuration folder.
    pub sites: &'a Path,
    /// The URL of a PostgreSQL database; without it, an SQLite file in the data folder is written.
    pub database: Option<&'a str>,
}

/// How a backup is restored.
pub struct Choices<'a> {
    /// Name of the backup; the latest one without it.
    pub at: Option<&'a str>,
    /// Whether content that is there is replaced.
    pub replace: bool,
    /// Whether the configuration folder is left as it is.
    pub keep_sites: bool,
    /// The operator's name for the audit trail.
    pub who: &'a str,
}

/// A backup that was restored.
pub struct Restored {
    /// Its manifest.
    pub manifest: Manifest,
    /// Secrets that the data folder does not have, by the names of their files.
    pub absent_secrets: Vec<&'static str>,
    /// Files of the configuration folder that are not in the backup, and were left as they are.
    pub other_sites: Vec<String>,
}

/// Restores a backup into an empty data folder, and into an empty database if a URL is given. Numbers of articles and positions in the
/// change log are those of the backup. The index is not restored; the host builds it again at its next start.
///
/// # Errors
/// A message. The former data is unchanged, unless the message is about the time in which it was being replaced; then the data folder is
/// marked, and nothing opens it before a restore has come to its end.
pub async fn restore(
    folder: &BackupFolder,
    target: &RestoreTarget<'_>,
    choices: &Choices<'_>,
) -> anyhow::Result<Restored> {
    let manifest = folder.backup(choices.at)?;
    ensure_readable(&manifest).await?;
    check::ensure_complete(folder, &manifest)?;
    let mut listed = folder.folder_files(&manifest)?;
    listed.iter().try_for_each(ensure_plain)?;
    ensure_once(&listed)?;
    if choices.keep_sites {
        listed.retain(|file| file.root != Root::Sites);
    }
    ensure_stopped(target.data)?;
    if !choices.replace {
        ensure_empty(target, &listed)?;
    }
    data_folder::create(target.data)?;
    let mark = Mark::set(target.data, folder, &manifest)?;
    let entry = entry(&manifest, choices.who);
    let restoring = Restoring { folder, target, manifest: &manifest, listed: &listed, entry: &entry };
    let loader = match restoring.stage(choices.replace).await {
        Ok(loader) => loader,
        Err(error) => {
            restoring.remove_staged();
            mark.withdraw()?;
            let reached = "nothing was restored";
            return Err(if is_outage(&error) { advised(error, reached) } else { error.context(reached) });
        }
    };
    restoring
        .put_in_place()
        .context("what is in the data folder is incomplete; run the restore again with --replace")?;
    if let Some(loader) = loader {
        let finished = loader.finish(identity(), Some(&entry)).await;
        finished.context("the files are restored and the database is not; run the restore again with --replace")?;
    }
    mark.remove().context("removing the mark of the restore")?;
    Ok(Restored {
        absent_secrets: absent_secrets(target.data),
        other_sites: if choices.keep_sites { Vec::new() } else { others(target.sites, &listed) },
        manifest,
    })
}

fn absent_secrets(data: &Path) -> Vec<&'static str> {
    let is_there = |name: &str| data.join(name).exists();
    let stands_for = |name: &str| name == ADMIN_TOKENS && is_there(EARLIER_TOKEN);
    SECRETS.into_iter().filter(|name| !is_there(name) && !stands_for(name)).collect()
}

/// The line of the audit trail.
fn entry(manifest: &Manifest, who: &str) -> AuditEntry {
    let after = serde_json::json!({
        "backup": manifest.name,
        "position": manifest.position,
        "articles": manifest.articles(),
        "masthead": manifest.masthead,
    });
    let (who, action, subject) = (who.to_owned(), "restored".to_owned(), subjects::INSTALLATION.to_owned());
    AuditEntry { who, action, subject, after, ..AuditEntry::default() }
}

/// A number that no restored database has had, so that the index of another one is not taken for its own.
fn identity() -> i64 {
    i64::try_from(rand::random::<u64>() >> 1).unwrap_or(1).max(1)
}

/// Refuses a backup whose tables this version does not have.
async fn ensure_readable(manifest: &Manifest) -> anyhow::Result<()> {
    let newest = Schema::newest();
    anyhow::ensure!(
        manifest.schema <= newest,
        "the backup {} was written by Masthead {} with the schema {}, and this version knows the schema {newest}; use a newer Masthead",
        manifest.name,
        manifest.masthead,
        manifest.schema
    );
    let schema = Schema::at(manifest.schema).await?;
    for table in &manifest.tables {
        let fits = schema.table(&table.name).is_some_and(|known| known.columns == table.columns);
        anyhow::ensure!(
            fits,
            "the backup {} has a table {} that this version does not have",
            manifest.name,
            table.name
        );
    }
    Ok(())
}

/// Refuses a path out of its folder. The host writes none, but another program may have written the backup.
fn ensure_plain(file: &FolderFile) -> anyhow::Result<()> {
    let path = Path::new(&file.path);
    let plain = !file.path.is_empty() && path.components().all(|part| matches!(part, Component::Normal(_)));
    let expected = match file.root {
        Root::Sites => true,
        Root::Data => {
            let secret = SECRETS.contains(&file.path.as_str()) || file.path == EARLIER_TOKEN;
            secret || path.starts_with(UPLOADS)
        }
    };
    anyhow::ensure!(plain && expected, "the backup has a file {:?} that is none of an installation", file.path);
    Ok(())
}

/// Refuses two files of one path: the second could not be put in its place when the first is there.
fn ensure_once(listed: &[FolderFile]) -> anyhow::Result<()> {
    let mut paths = HashSet::new();
    for file in listed {
        let is_new = paths.insert((file.root == Root::Sites, Path::new(&file.path)));
        anyhow::ensure!(is_new, "the backup has the file {:?} twice", file.path);
    }
    Ok(())
}

fn ensure_stopped(data: &Path) -> anyhow::Result<()> {
    anyhow::ensure!(
        UnixStream::connect(data.join("admin.sock")).is_err(),
        "a host serves from the data folder {}; stop it first",
        data.display()
    );
    Ok(())
}

/// Refuses a target that has content already. Content of the database is found when it is written.
fn ensure_empty(target: &RestoreTarget<'_>, listed: &[FolderFile]) -> anyhow::Result<()> {
    if let Some(found) = CONTENT.iter().map(|name| target.data.join(name)).find(|path| path.exists()) {
        anyhow::bail!(
            "the data folder {} has content ({}); restore into an empty one with --data, or give --replace to replace the content",
            target.data.display(),
            found.display()
        );
    }
    for file in listed {
        let path = target.of(file);
        if path.exists() && !digest::of_file(&path).is_ok_and(|(found, _)| found == file.digest) {
            anyhow::bail!(
                "{} differs from the one in the backup; give --replace to replace it{}",
                path.display(),
                if file.root == Root::Sites {
                    ", or --keep-sites to keep the configuration folder as it is"
                } else {
                    ""
                }
            );
        }
    }
    Ok(())
}

/// The files of the configuration folder that are not in the backup.
fn others(sites: &Path, listed: &[FolderFile]) -> Vec<String> {
    let known = |path: &str| listed.iter().any(|file| file.root == Root::Sites && file.path == path);
    let found = visible_files(sites).unwrap_or_default();
    found.iter().filter_map(|path| path.to_str()).filter(|path| !known(path)).map(str::to_owned).collect()
}

impl RestoreTarget<'_> {
    /// The path of a file of a folder.
    fn of(&self, file: &FolderFile) -> PathBuf {
        match file.root {
            Root::Sites => self.sites.join(&file.path),
            Root::Data => self.data.join(&file.path),
        }
    }
}

/// The mark in the data folder. It holds the sentence with which other commands refuse the folder.
struct Mark {
    path: PathBuf,
    /// Held until the end of the restore.
    _file: File,
    /// Whether an interrupted restore had left it.
    was_there: bool,
}

impl Mark {
    fn set(data: &Path, folder: &BackupFolder, manifest: &Manifest) -> anyhow::Result<Self> {
        let path = data.join(UNFINISHED_RESTORE);
        let was_there = path.exists();
        let sentence = format!(
            "the restore of the backup {name} into the data folder {} was not finished, and what is there may be incomplete; run \
             `masthead restore --from {} --at {name} --replace` with the same folders and database again\n",
            data.display(),
            folder.root().display(),
            name = manifest.name
        );
        let mut is_ours = false;
        let mut write = || -> io::Result<File> {
            let mut file = open(&path)?;
            if !try_lock(&file, true)? {
                return Err(io::Error::other("another restore is running"));
            }
            is_ours = true;
            file.set_len(0)?;
            file.write_all(sentence.as_bytes())?;
            file.sync_all()?;
            sync_folder(data)?;
            Ok(file)
        };
        match write() {
            Ok(file) => Ok(Self { path, _file: file, was_there }),
            Err(error) => {
                // A mark that could not be written would keep the folder from being opened, although nothing was restored into it.
                if is_ours && !was_there {
                    let _ = fs::remove_file(&path);
                }
                let doing = format!("marking the data folder with {}", path.display());
                Err(advised(anyhow::Error::from(error).context(doing), "nothing was restored"))
            }
        }
    }

    /// Removes the mark, because nothing was replaced, unless an earlier restore was interrupted while it replaced something.
    fn withdraw(self) -> io::Result<()> {
        if self.was_there { Ok(()) } else { self.remove() }
    }

    fn remove(self) -> io::Result<()> {
        fs::remove_file(&self.path)?;
        self.path.parent().map_or(Ok(()), sync_folder)
    }
}

/// A restore at work.
struct Restoring<'a> {
    folder: &'a BackupFolder,
    target: &'a RestoreTarget<'a>,
    manifest: &'a Manifest,
    listed: &'a [FolderFile],
    entry: &'a AuditEntry,
}

impl Restoring<'_> {
    fn staging(&self) -> PathBuf {
        self.target.data.join(STAGING)
    }

    fn sites_staging(&self) -> PathBuf {
        self.target.sites.join(SITES_STAGING)
    }

    fn has_sites(&self) -> bool {
        self.listed.iter().any(|file| file.root == Root::Sites)
    }

    /// Writes everything beside the present data, and waits until it is on the disk. Returns the open transaction of a PostgreSQL database.
    async fn stage(&self, replace: bool) -> anyhow::Result<Option<Loader>> {
        let staging = self.staging();
        remove(&staging)?;
        private_folder(&staging).with_context(|| format!("creating {}", staging.display()))?;
        if self.has_sites() {
            remove(&self.sites_staging())?;
            fs::create_dir_all(self.sites_staging())
                .with_context(|| format!("creating {}", self.sites_staging().display()))?;
        }
        let version = self.manifest.schema;
        let mut loader = match self.target.database {
            Some(url) => Loader::into_database(url, version, replace).await?,
            None => Loader::into_file(&staging.join(DATABASE), version).await?,
        };
        for table in &self.manifest.tables {
            self.table(table, &mut loader).await?;
        }
        for file in self.listed {
            let (to, mode) = match file.root {
                Root::Sites => (self.sites_staging().join(&file.path), file.mode & 0o777),
                Root::Data => (staging.join(&file.path), file.mode & 0o700),
            };
            self.copy(&file.digest, &to)?;
            fs::set_permissions(&to, fs::Permissions::from_mode(mode))
                .with_context(|| format!("setting the permissions of {}", to.display()))?;
        }
        let loader = match self.target.database {
            Some(_) => Some(loader),
            None => {
                loader.finish(identity(), Some(self.entry)).await?;
                None
            }
        };
        sync_all_below(&staging).context("writing the restored files to the disk")?;
        if self.has_sites() {
            sync_all_below(self.target.sites).context("writing the restored configuration to the disk")?;
        }
        Ok(loader)
    }

    async fn table(&self, table: &TableManifest, loader: &mut Loader) -> anyhow::Result<()> {
        let into = loader.schema().table(&table.name).cloned();
        let into = into.with_context(|| format!("there is no table {}", table.name))?;
        let media = MediaColumns::of(table);
        let (mut count, mut chunks) = (0, self.read_ahead(table));
        while let Some(rows) = chunks.recv().await {
            let rows = rows?;
            count += rows.len() as u64;
            loader.insert(&into, &rows).await?;
            let Some(columns) = media else { continue };
            for (digest, _) in rows.iter().filter_map(|row| columns.read(row)) {
                self.media(digest)?;
            }
        }
        anyhow::ensure!(count == table.rows, "the table {} has {count} of {} rows", table.name, table.rows);
        Ok(())
    }

    /// The rows of the chunks of a table, in their order, up to the first chunk that cannot be read. To read, inflate and compare chunks takes
    /// as long as writing their rows, and is done on a thread of its own meanwhile.
    fn read_ahead(&self, table: &TableManifest) -> mpsc::Receiver<anyhow::Result<Vec<Row>>> {
        let (sender, receiver) = mpsc::channel(AHEAD);
        let (folder, table) = (self.folder.for_reading(), table.clone());
        spawn_blocking(move || {
            for entry in folder.entries(&table) {
                let rows = entry.and_then(|entry| folder.read_rows(&entry));
                let is_last = rows.is_err();
                // Nobody receives them if a row could not be written.
                if sender.blocking_send(rows).is_err() || is_last {
                    return;
                }
            }
        });
        receiver
    }

    /// Copies a file of a site, unless the backup lacks it or another site has it too.
    fn media(&self, name: &str) -> anyhow::Result<()> {
        let Some(digest) = Digest::parse(name) else { return Ok(()) };
        let to = files::path(&self.staging(), name);
        let lacks = self.manifest.missing.binary_search_by(|missing| missing.as_str().cmp(name)).is_ok();
        if lacks || to.exists() { Ok(()) } else { self.copy(&digest, &to) }
    }

    /// Copies a file out of the backup and compares it with its digest.
    fn copy(&self, digest: &Digest, to: &Path) -> anyhow::Result<()> {
        let from = self.folder.path(FILES, digest);
        let copy = || -> io::Result<Digest> {
            if let Some(parent) = to.parent() {
                fs::create_dir_all(parent)?;
            }
            Ok(copy_to(&mut File::open(&from)?, to)?.0)
        };
        let found = copy().with_context(|| format!("copying {} to {}", from.display(), to.display()))?;
        anyhow::ensure!(found == *digest, "the file {} of the backup is damaged", from.display());
        Ok(())
    }

    /// Removes the files that were written beside the present data; the next restore removes those that remain.
    fn remove_staged(&self) {
        for staging in [self.staging(), self.sites_staging()] {
            if let Err(error) = remove(&staging) {
                tracing::warn!(%error, "a part of the failed restore could not be removed");
            }
        }
    }

    /// Puts the restored files in the place of those that are there.
    fn put_in_place(&self) -> anyhow::Result<()> {
        let (data, staging) = (self.target.data, self.staging());
        for name in CONTENT.iter().chain(&REMAINS) {
            remove(&data.join(name))?;
        }
        for entry in fs::read_dir(&staging).with_context(|| format!("reading {}", staging.display()))? {
            let entry = entry?;
            let to = data.join(entry.file_name());
            fs::rename(entry.path(), &to).with_context(|| format!("moving a restored file to {}", to.display()))?;
        }
        remove(&staging)?;
        sync_folder(data)?;
        let sites_staging = self.sites_staging();
        for file in self.listed.iter().filter(|file| file.root == Root::Sites) {
            let to = self.target.of(file);
            if let Some(parent) = to.parent() {
                fs::create_dir_all(parent).with_context(|| format!("creating {}", parent.display()))?;
            }
            fs::rename(sites_staging.join(&file.path), &to)
                .with_context(|| format!("moving a restored file to {}", to.display()))?;
        }
        remove(&sites_staging)?;
        if self.has_sites() {
            sync_all_below(self.target.sites)?;
        }
        Ok(())
    }
}

/// Removes a file, or a folder with everything in it, if it is there.
fn remove(path: &Path) -> anyhow::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => Err(error),
    };
    removed.with_context(|| format!("removing {}", path.display()))
}
