//! Writes a site to a bundle. Files and rows pass through the disk, so that no site is too large for the memory.

use std::{
    collections::BTreeSet,
    fs::File,
    io::{Read, Seek as _, Write as _},
    path::Path,
    sync::Arc,
};

use anyhow::Context as _;
use flate2::{Compression, write::GzEncoder};
use masthead_config::{Configuration, Saved};
use masthead_domain::{
    resource::{ResourceKind, ResourceSource},
    site::Site,
};
use masthead_store::{
    Store,
    backup::Schema,
    site_rows::{SiteRow, SiteRows},
};

use super::{
    Digests, Manifest, VERSION,
    row::{text, to_line},
    snapshot::Snapshot,
};
use crate::{
    digest::{Digest, Hashing},
    files, site_pictures,
};

/// Writes the bundle of a site to `target` and returns its manifest. The bundle has one state of the site, whatever is imported meanwhile;
/// the same state gives the same bytes. The write is atomic: `target` appears when it is complete.
///
/// # Errors
/// A message, if something cannot be read or written; `target` is not created then.
pub async fn save(store: &Store, data: &Path, sites: &Path, site: &Site, target: &Path) -> anyhow::Result<Manifest> {
    let writing = || format!("writing {}", target.display());
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    // For the user of this process alone: a bundle has restricted texts, and comments that are not published.
    let temporary = tempfile::Builder::new().prefix(".").suffix(".part").tempfile_in(folder).with_context(writing)?;
    let file = temporary.as_file().try_clone().with_context(writing)?;
    let manifest = write(store, data, sites, site, file).await.with_context(writing)?;
    temporary.persist(target).map_err(|error| error.error).with_context(writing)?;
    Ok(manifest)
}

async fn write(store: &Store, data: &Path, sites: &Path, site: &Site, file: File) -> anyhow::Result<Manifest> {
    let snapshot = Snapshot::of(store, data, site.id).await?;
    let archive = tar::Builder::new(GzEncoder::new(file, Compression::default()));
    let manifest = Manifest {
        version: VERSION,
        site_id: site.id.0,
        sld: site.sld.clone(),
        schema: Schema::newest(),
        oai_namespace: oai_namespace(&snapshot, sites, site).await?,
        ..Manifest::default()
    };
    let mut saver = Saver { rows: &snapshot.rows, data, archive, digests: Digests::new(), manifest };
    saver.configuration(sites, site)?;
    for table in snapshot.rows.kept() {
        saver.table(table).await?;
    }
    saver.files().await?;
    let digests = serde_json::to_vec_pretty(&saver.digests)?;
    saver.manifest.digests = Digest::of(&digests).hex();
    saver.add("digests.json", &digests)?;
    let manifest = saver.manifest.clone();
    saver.add("bundle.json", &serde_json::to_vec_pretty(&manifest)?)?;
    saver.archive.into_inner()?.finish()?.sync_all()?;
    Ok(manifest)
}

/// The part of OAI identifiers that names the site. `site` may have been read without the settings that administrators saved.
async fn oai_namespace(snapshot: &Snapshot, sites: &Path, site: &Site) -> anyhow::Result<String> {
    let saved = Saved::from([(site.id.0, snapshot.store.site(site.id).settings().await?)]);
    let configuration = Configuration::read(sites, &saved)?;
    let site = configuration.sites.get(&site.sld).map_or(site, Arc::as_ref);
    Ok(site.oai_namespace(&configuration.platform.domain))
}

struct Saver<'a> {
    rows: &'a SiteRows,
    data: &'a Path,
    archive: tar::Builder<GzEncoder<File>>,
    digests: Digests,
    manifest: Manifest,
}

/// An unnamed file in the data folder: the system's folder for temporary files may be in memory.
fn scratch(data: &Path) -> anyhow::Result<File> {
    tempfile::tempfile_in(data)
        .map_err(|error| anyhow::anyhow!("making a temporary file in {}: {error}", data.display()))
}

impl Saver<'_> {
    fn add(&mut self, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
        self.append(name, bytes.len() as u64, bytes)
    }

    fn append(&mut self, name: &str, length: u64, content: impl Read) -> anyhow::Result<()> {
        let mut header = tar::Header::new_gnu();
        header.set_size(length);
        header.set_mode(0o644);
        // No date and no owner, so that the same site gives the same bytes.
        header.set_mtime(0);
        let mut content = Hashing::new(content);
        self.archive.append_data(&mut header, name, &mut content)?;
        self.digests.insert(name.to_owned(), content.finish().hex());
        Ok(())
    }

    fn configuration(&mut self, sites: &Path, site: &Site) -> anyhow::Result<()> {
        let own = sites.join(format!("{}.toml", site.sld));
        let text = std::fs::read(&own).map_err(|error| anyhow::anyhow!("reading {}: {error}", own.display()))?;
        self.add("site.toml", &text)?;
        if !site.group.is_empty() {
            let group = sites.join("groups").join(format!("{}.toml", site.group));
            let text = std::fs::read(&group).with_context(|| format!("reading {}", group.display()))?;
            self.add("group.toml", &text)?;
        }
        let assets: BTreeSet<_> = site_pictures::named(site).into_iter().map(|(_, name)| name).collect();
        for name in assets.iter().filter(|name| site_pictures::is_plain(name)) {
            let path = sites.join("assets").join(name.as_ref());
            if path.is_file() {
                self.add(&format!("assets/{name}"), &std::fs::read(path)?)?;
            }
        }
        Ok(())
    }

    /// Adds the rows of a table, one per line.
    async fn table(&mut self, table: &str) -> anyhow::Result<()> {
        let mut lines = scratch(self.data)?;
        let mut last: Option<SiteRow> = None;
        loop {
            let rows = self.rows.rows(table, last.as_ref()).await?;
            for row in &rows {
                lines.write_all(to_line(row).as_bytes())?;
                lines.write_all(b"\n")?;
                self.count(table, row);
            }
            let Some(end) = rows.into_iter().next_back() else { break };
            last = Some(end);
        }
        let length = lines.stream_position()?;
        lines.rewind()?;
        self.append(&format!("tables/{table}.jsonl"), length, lines)
    }

    fn count(&mut self, table: &str, row: &SiteRow) {
        let of_editors = |kind: ResourceKind| kind.source() != ResourceSource::Article;
        match table {
            "articles" => self.manifest.articles += 1,
            "resources" if text(row, "kind").ok().and_then(ResourceKind::parse).is_some_and(of_editors) => {
                self.manifest.resources += 1;
            }
            _ => {}
        }
    }

    /// Adds the files in use. A file whose bytes are not those of its name is an error: the other installation would refuse the bundle.
    async fn files(&mut self) -> anyhow::Result<()> {
        let mut last: Option<SiteRow> = None;
        loop {
            let rows = self.rows.rows("media", last.as_ref()).await?;
            for row in &rows {
                let digest = text(row, "digest")?;
                let path = files::path(self.data, digest);
                let reading = || {
                    format!(
                        "reading {}, the file {:?} of the site",
                        path.display(),
                        text(row, "name").unwrap_or_default()
                    )
                };
                let file = File::open(&path).with_context(reading)?;
                let length = file.metadata().with_context(reading)?.len();
                let name = format!("media/{digest}");
                self.append(&name, length, file)?;
                anyhow::ensure!(
                    self.digests.get(&name).is_some_and(|found| found == digest),
                    "{} is damaged: its bytes are not those that were stored; restore it from a backup",
                    path.display()
                );
            }
            let Some(end) = rows.into_iter().next_back() else { return Ok(()) };
            last = Some(end);
        }
    }
}
