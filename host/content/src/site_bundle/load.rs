//! Loads a site from a bundle: first into a database of its own, where everything is checked, then in one transaction into the
//! installation.

use std::{
    collections::BTreeSet,
    fs::File,
    io,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use masthead_formats::archive::{self, PackageError, PackageLimits};
use masthead_store::{
    AuditEntry, Store,
    backup::Schema,
    site_rows::{Replaced, Replacement, SiteDiff, SiteRows},
    subjects,
};
use serde::Serialize;

use super::{
    ChangedRecords, Digests, FileAction, FileChange, Manifest, VERSION,
    configuration::{Namespace, OAI_NAMESPACE, Plan, finish_loading, folder_name},
    field_changes::changed_records,
    first_version, rows,
    snapshot::Snapshot,
};
use crate::{
    digest::{self, Digest},
    files,
    import::{Item, OnItem, outage::advised},
    scratch::{self, Scratch},
};

/// How a bundle is loaded.
#[derive(Clone, Copy, Debug, Default)]
pub struct LoadOptions<'a> {
    /// Replace what the installation has of the site.
    pub replace: bool,
    /// The digest of the differences that somebody has seen: replace if these are the differences.
    pub confirmed: Option<&'a str>,
    /// Leave the configuration files of a site that the installation has as they are.
    pub keep_configuration: bool,
    /// Change nothing.
    pub dry_run: bool,
    /// Who loads it, for the audit trail.
    pub who: &'a str,
}

/// What became of a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LoadState {
    /// The site is the one of the bundle now.
    Loaded,
    /// It was before.
    Unchanged,
    /// Nothing was changed: the installation has the site, and nobody has allowed to replace it.
    NeedsReplace,
    /// Nothing was changed, as requested.
    DryRun,
}

/// How a bundle differs from what the installation has.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LoadDiff {
    /// Content.
    pub site: SiteDiff,
    /// Configuration files.
    pub configuration: Vec<FileChange>,
}

impl LoadDiff {
    /// Whether loading changes nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.site.is_empty() && self.configuration.iter().all(|file| file.action == FileAction::Kept)
    }

    /// Digest of the differences, in hexadecimal, by which somebody who has seen them confirms them.
    #[must_use]
    pub fn digest(&self) -> String {
        digest(&self.site, &self.configuration)
    }
}

fn digest(site: &SiteDiff, configuration: &[FileChange]) -> String {
    let files: Vec<String> =
        configuration.iter().map(|file| format!("{:?} {:?} {}", file.path, file.action, file.versions)).collect();
    Digest::of(format!("{} {}", site.digest(), files.join(", ")).as_bytes()).hex()
}

/// A bundle that was loaded, or would be.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The manifest of the bundle.
    pub manifest: Manifest,
    /// What was changed, or would be.
    pub diff: LoadDiff,
    /// Whether it was.
    pub state: LoadState,
    /// What differs in some of the records that would be replaced; nothing of a bundle that was loaded.
    pub changed: ChangedRecords,
}

/// Loads a bundle. `sites` is the configuration folder. Loading the same bundle again changes nothing. A site that the installation has is
/// replaced only if the options say so. If the process is killed, the installation has the former site or that of the bundle.
///
/// # Errors
/// A message, if the bundle is invalid, incomplete or of a newer version; nothing was changed then. What cannot be imported of a bundle of
/// the first version is reported to `on_item` instead.
pub async fn load(
    store: &Store,
    data: &Path,
    sites: &Path,
    bundle: &Path,
    options: LoadOptions<'_>,
    on_item: OnItem<'_>,
) -> anyhow::Result<Loaded> {
    let loaded = async {
        finish_loading(store, sites).await?;
        changed(store, data, sites, bundle, options, on_item).await
    };
    let loaded = loaded.await.map_err(|error| advised(error, "nothing was loaded"))?;
    finish_loading(store, sites).await?;
    Ok(loaded)
}

/// Makes the site that of a bundle; its configuration is in the database, and not in its files yet.
pub(super) async fn changed(
    store: &Store,
    data: &Path,
    sites: &Path,
    bundle: &Path,
    options: LoadOptions<'_>,
    on_item: OnItem<'_>,
) -> anyhow::Result<Loaded> {
    let folder = unpack(bundle, data).await?;
    let manifest = manifest(folder.path())?;
    let plan = Plan::of(folder.path(), sites, &manifest, options.keep_configuration)?;
    let (source, stored) = if manifest.version == 1 {
        let source = Snapshot::of(store, data, plan.site).await?;
        let media = folder.path().join("stored");
        first_version::read(&source.store, plan.site, folder.path(), &media, &manifest, &mut *on_item).await?;
        (source, Stored::Data(media))
    } else {
        check_digests(folder.path(), &manifest)?;
        let source = Snapshot::empty(data, plan.site).await?;
        rows::read(folder.path(), &source.rows, plan.site.0, &mut *on_item).await?;
        (source, Stored::Bundle(folder.path().to_owned()))
    };
    let copy = source.store.site(plan.site);
    match plan.namespace_to_save(sites, data, &manifest, copy.settings().await?)? {
        Namespace::Stays => {}
        Namespace::Saved(name) => copy.save_setting(OAI_NAMESPACE, Some(&name.into())).await?,
        Namespace::Lost(reason) => on_item(Item::failed("bundle.json".to_owned(), "setting", &reason)),
    }
    let target = SiteRows::of(store.site(plan.site)).await?.without(&rows::unsaid(folder.path()));
    let entry = entry(&manifest, bundle, options.who);
    let change = Change { target: &target, source: &source.rows, plan: &plan, stored, data, options, entry: &entry };
    let (diff, state) = change.make(sites).await?;
    let changed = match state {
        LoadState::DryRun | LoadState::NeedsReplace => changed_records(&diff.site, &target, &source.rows).await?,
        LoadState::Loaded | LoadState::Unchanged => ChangedRecords::new(),
    };
    Ok(Loaded { manifest, diff, state, changed })
}

/// The line of the audit trail.
fn entry(manifest: &Manifest, bundle: &Path, who: &str) -> AuditEntry {
    let name = bundle.file_name().unwrap_or_default().to_string_lossy();
    AuditEntry {
        who: who.to_owned(),
        action: "loaded".to_owned(),
        subject: subjects::site(&manifest.sld),
        after: serde_json::json!({ "bundle": name, "articles": manifest.articles, "resources": manifest.resources }),
        ..AuditEntry::default()
    }
}

async fn unpack(bundle: &Path, data: &Path) -> anyhow::Result<Scratch> {
    let (bundle, root) = (bundle.to_owned(), scratch::root(data));
    tokio::task::spawn_blocking(move || {
        let folder = Scratch::new(&root, "bundle-")
            .with_context(|| format!("making a temporary folder in {}", root.display()))?;
        let file = File::open(&bundle).with_context(|| bundle.display().to_string())?;
        match archive::unpack(io::BufReader::new(file), &limits(free_bytes(&root)), folder.path()) {
            Err(PackageError::TooLarge { limit, .. }) => anyhow::bail!(
                "{} unpacks to more than {limit} bytes, which is half of the free space in {}; a site needs twice the space while it is \
                 loaded: make room there, and load it again",
                bundle.display(),
                root.display()
            ),
            Err(error @ PackageError::Io { .. }) => {
                return Err(error).with_context(|| format!("unpacking {} into {}", bundle.display(), root.display()));
            }
            unpacked => unpacked.with_context(|| format!("{} is damaged or no bundle of a site", bundle.display()))?,
        };
        Ok(folder)
    })
    .await?
}

/// Limits on what a bundle unpacks to. They are high, because the file comes from the operator and contains a whole site, and lines of a table
/// compress well. It gets half of the free space: its files and rows are stored a second time, and a host may be writing to the same disk.
fn limits(free: u64) -> PackageLimits {
    PackageLimits { max_entries: 10_000_000, max_entry_bytes: u64::MAX, max_total_bytes: free / 2, max_ratio: 2000 }
}

/// Free bytes on the file system of a folder; very many if they are not known.
#[cfg(target_os = "linux")]
fn free_bytes(folder: &Path) -> u64 {
    rustix::fs::statvfs(folder).map_or(UNKNOWN_SPACE, |found| found.f_bavail.saturating_mul(found.f_frsize))
}

/// Free bytes on the file system of a folder, which are not known here.
#[cfg(not(target_os = "linux"))]
const fn free_bytes(_: &Path) -> u64 {
    UNKNOWN_SPACE
}

const UNKNOWN_SPACE: u64 = 1 << 40;

fn manifest(folder: &Path) -> anyhow::Result<Manifest> {
    let bytes = std::fs::read(folder.join("bundle.json")).map_err(|error| {
        anyhow::anyhow!("the bundle has no bundle.json ({error}); it is not a site bundle, or incomplete")
    })?;
    let invalid = |error| anyhow::anyhow!("bundle.json in the bundle: {error}");
    // The version is read first: another version may have another manifest.
    let version: serde_json::Value = serde_json::from_slice(&bytes).map_err(invalid)?;
    let version = version.get("version").and_then(serde_json::Value::as_u64).unwrap_or(0);
    anyhow::ensure!(version > 0, "bundle.json in the bundle has no format version; it is not a site bundle");
    anyhow::ensure!(
        version <= u64::from(VERSION),
        "the bundle has format version {version}, but this version reads at most {VERSION}; use a newer Masthead"
    );
    let manifest: Manifest = serde_json::from_slice(&bytes).map_err(invalid)?;
    anyhow::ensure!(
        manifest.schema <= Schema::newest(),
        "the bundle was written with the tables of version {}, but this version knows those up to {}; use a newer Masthead",
        manifest.schema,
        Schema::newest()
    );
    Ok(manifest)
}

/// Compares every file of the bundle with its digest.
fn check_digests(folder: &Path, manifest: &Manifest) -> anyhow::Result<()> {
    let bytes = std::fs::read(folder.join("digests.json"))
        .map_err(|error| anyhow::anyhow!("the bundle has no digests.json ({error}); it is incomplete"))?;
    anyhow::ensure!(
        Digest::of(&bytes).hex() == manifest.digests,
        "digests.json of the bundle is damaged; export the site again"
    );
    let mut digests: Digests = serde_json::from_slice(&bytes)?;
    for entry in walkdir::WalkDir::new(folder) {
        let entry = entry.context("reading the unpacked bundle")?;
        let name = entry.path().strip_prefix(folder).ok().and_then(Path::to_str).unwrap_or_default();
        if !entry.file_type().is_file() || ["bundle.json", "digests.json"].contains(&name) {
            continue;
        }
        let (found, _) = digest::of_file(entry.path()).with_context(|| format!("reading {name} of the bundle"))?;
        anyhow::ensure!(
            digests.remove(name).is_some_and(|expected| expected == found.hex()),
            "{name} in the bundle is not the file that was exported; the bundle is damaged: export the site again"
        );
    }
    if let Some((name, _)) = digests.first_key_value() {
        anyhow::bail!(
            "the bundle does not have {name} any more ({} files are missing); export the site again",
            digests.len()
        );
    }
    Ok(())
}

/// Where the files of a bundle are before they are stored.
enum Stored {
    /// In the unpacked bundle.
    Bundle(PathBuf),
    /// In a folder that has the form of a data folder.
    Data(PathBuf),
}

impl Stored {
    fn path(&self, digest: &str) -> PathBuf {
        match self {
            Self::Bundle(folder) => folder.join("media").join(digest),
            Self::Data(folder) => files::path(folder, digest),
        }
    }

    /// Stores a file in the data folder, unless it is stored there.
    fn keep(&self, data: &Path, digest: &str) -> io::Result<()> {
        if files::path(data, digest).exists() {
            return Ok(());
        }
        let kept = files::keep(data, &std::fs::read(self.path(digest))?)?;
        if kept == digest { Ok(()) } else { Err(io::Error::other("the bytes are not those of the file's name")) }
    }
}

/// A site that becomes that of a bundle.
struct Change<'a> {
    target: &'a SiteRows,
    source: &'a SiteRows,
    plan: &'a Plan,
    stored: Stored,
    data: &'a Path,
    options: LoadOptions<'a>,
    entry: &'a AuditEntry,
}

impl Change<'_> {
    async fn make(&self, sites: &Path) -> anyhow::Result<(LoadDiff, LoadState)> {
        let here = !self.target.is_empty().await?;
        let site = self.target.replacement(self.source).await?;
        let diff = LoadDiff { site, configuration: self.plan.changes.clone() };
        if self.options.dry_run {
            return Ok((diff, LoadState::DryRun));
        }
        if !self.is_allowed(&diff.site, here) {
            return Ok((diff, LoadState::NeedsReplace));
        }
        // The files are stored before the transaction, which is short then; without it, nothing uses them.
        for digest in diff.site.new_files().collect::<BTreeSet<_>>() {
            self.stored.keep(self.data, digest).with_context(|| format!("storing the file {digest}"))?;
        }
        let folder = folder_name(sites)?;
        let replacement = Replacement {
            allowed: &|diff| self.is_allowed(diff, here),
            folder: &folder,
            configuration: &self.plan.files,
            audit: self.entry,
            // The removal of unused files may have removed one meanwhile.
            keep_file: &mut |digest| self.stored.keep(self.data, digest),
        };
        let (site, done) = match self.target.replace(self.source, replacement).await? {
            Replaced::Done(site) => (site, true),
            Replaced::Refused(site) => (site, false),
        };
        let diff = LoadDiff { site, ..diff };
        let state = match done {
            false => LoadState::NeedsReplace,
            true if diff.is_empty() => LoadState::Unchanged,
            true => LoadState::Loaded,
        };
        Ok((diff, state))
    }

    /// Whether the differences may be made: nothing is replaced by them, or somebody has said so. `here` says whether the installation has
    /// content of the site.
    fn is_allowed(&self, site: &SiteDiff, here: bool) -> bool {
        let replaces = self.plan.changes.iter().any(|file| file.action == FileAction::Replaced);
        // Somebody may have added to the site since it was found empty.
        let nothing_here = !here && site.only_adds() && !replaces;
        let nothing_changes = site.is_empty() && !replaces;
        nothing_here
            || nothing_changes
            || self.options.replace
            || self.options.confirmed.is_some_and(|seen| seen == digest(site, &self.plan.changes))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_bundle_does_not_unpack_to_more_than_there_is_room_for() {
        // Two mebibytes of zeros in a few kilobytes.
        let mut archive = tar::Builder::new(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default()));
        let zeros = vec![0_u8; 2 << 20];
        let mut header = tar::Header::new_gnu();
        header.set_size(zeros.len() as u64);
        archive.append_data(&mut header, "tables/articles.jsonl", &zeros[..]).unwrap();
        let bytes = archive.into_inner().unwrap().finish().unwrap();
        assert!(bytes.len() < 100_000);
        for (free, fits) in [(1 << 20, false), (3 << 20, false), (5 << 20, true)] {
            let folder = tempfile::tempdir().unwrap();
            let unpacked = archive::unpack(io::Cursor::new(&bytes), &limits(free), folder.path());
            assert_eq!(unpacked.is_ok(), fits, "{free}: {unpacked:?}");
        }
        assert!(free_bytes(std::env::temp_dir().as_path()) > 0);
    }
}
