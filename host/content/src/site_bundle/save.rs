//! Writes a site to a bundle. Files and resources pass through the disk, so that no site is too large for the memory.

use std::{
    collections::BTreeSet,
    fs::File,
    io::{self, Seek as _, Write as _},
    path::Path,
};

use anyhow::Context as _;
use flate2::{Compression, write::GzEncoder};
use masthead_domain::{resource::ResourceSource, site::Site};
use masthead_store::{ResourceRow, SiteStore, Store};

use crate::site_bundle::{Line, Manifest, VERSION, media};
use crate::{
    export::article_package::{self, ArticlePackage},
    files,
};

/// Page size for reading articles and resources.
const PAGE: i64 = 200;

/// Writes the bundle of a site to `target` and returns its manifest. The write is atomic: `target` appears when it is complete.
///
/// # Errors
/// A message, if something cannot be read or written; `target` is not created then.
pub async fn save(store: &Store, data: &Path, sites: &Path, site: &Site, target: &Path) -> anyhow::Result<Manifest> {
    let temporary = target.with_extension("part");
    let whole = write(store, data, sites, site, &temporary).await.and_then(|manifest| {
        std::fs::rename(&temporary, target)?;
        Ok(manifest)
    });
    if whole.is_err() {
        let _ = std::fs::remove_file(&temporary);
    }
    whole.map_err(|error| error.context(format!("writing {}", target.display())))
}

async fn write(store: &Store, data: &Path, sites: &Path, site: &Site, path: &Path) -> anyhow::Result<Manifest> {
    let archive = tar::Builder::new(GzEncoder::new(File::create(path)?, Compression::default()));
    let manifest = Manifest { version: VERSION, site_id: site.id.0, sld: site.sld.clone(), ..Manifest::default() };
    let mut saver =
        Saver { store: store.site(site.id), data, archive, media: BTreeSet::new(), lines: scratch(data)?, manifest };
    saver.configuration(sites, site).await?;
    saver.journals().await?;
    saver.articles().await?;
    saver.resources().await?;
    saver.files().await?;
    let manifest = saver.manifest.clone();
    saver.json("bundle.json", &manifest)?;
    saver.archive.into_inner()?.finish()?.sync_all()?;
    Ok(manifest)
}

struct Saver<'a> {
    store: SiteStore,
    data: &'a Path,
    archive: tar::Builder<GzEncoder<File>>,
    /// Names of the media files that journals and resources refer to.
    media: BTreeSet<String>,
    /// Lines of `resources.jsonl`, in an unnamed file; the resources of articles are added while the articles are written.
    lines: File,
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

    fn add_file(&mut self, name: &str, path: &Path) -> anyhow::Result<()> {
        let open = || -> io::Result<(u64, File)> {
            let file = File::open(path)?;
            Ok((file.metadata()?.len(), file))
        };
        let (length, file) = open().map_err(|error| anyhow::anyhow!("reading {}: {error}", path.display()))?;
        self.append(name, length, file)
    }

    fn append(&mut self, name: &str, length: u64, content: impl io::Read) -> anyhow::Result<()> {
        let mut header = tar::Header::new_gnu();
        header.set_size(length);
        header.set_mode(0o644);
        // No date and no owner, so that the same site gives the same bytes.
        header.set_mtime(0);
        self.archive.append_data(&mut header, name, content)?;
        Ok(())
    }

    fn json<T: serde::Serialize>(&mut self, name: &str, value: &T) -> anyhow::Result<()> {
        let bytes = serde_json::to_vec_pretty(value)?;
        self.add_media_of(&String::from_utf8_lossy(&bytes));
        self.add(name, &bytes)
    }

    /// Records the media files that a text refers to.
    fn add_media_of(&mut self, text: &str) {
        let prefix = media(self.manifest.site_id);
        for rest in text.split(prefix.as_str()).skip(1) {
            let name: String = rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '.').collect();
            self.media.insert(name);
        }
    }

    async fn configuration(&mut self, sites: &Path, site: &Site) -> anyhow::Result<()> {
        let own = sites.join(format!("{}.toml", site.sld));
        let text = std::fs::read(&own).map_err(|error| anyhow::anyhow!("reading {}: {error}", own.display()))?;
        self.add("site.toml", &text)?;
        if !site.group.is_empty() {
            let group = sites.join("groups").join(format!("{}.toml", site.group));
            self.add("group.toml", &std::fs::read(group)?)?;
        }
        let logos: BTreeSet<&String> = site.header.logo.0.values().filter(|logo| !logo.is_empty()).collect();
        for logo in logos {
            let path = sites.join("assets").join(logo);
            if path.is_file() {
                self.add(&format!("assets/{logo}"), &std::fs::read(path)?)?;
            }
        }
        let saved: std::collections::BTreeMap<_, _> = self.store.settings().await?.into_iter().collect();
        self.json("settings.json", &saved)
    }

    async fn journals(&mut self) -> anyhow::Result<()> {
        let journals = self.store.journals().await?;
        let mut issues = Vec::new();
        for journal in &journals {
            issues.extend(self.store.issues(&journal.key).await?);
        }
        self.json("journals.json", &journals)?;
        self.json("issues.json", &issues)
    }

    async fn articles(&mut self) -> anyhow::Result<()> {
        let mut after = 0;
        loop {
            let page = self.store.article_listing(after, PAGE).await?;
            let Some(last) = page.last() else { return Ok(()) };
            after = last.id.0;
            for article in page {
                self.manifest.articles += 1;
                let package = ArticlePackage::read(&self.store, self.data, article.id).await?;
                let into = format!("articles/{:06}", self.manifest.articles);
                self.add(&format!("{into}/{}", article_package::SOURCE), package.source().as_bytes())?;
                self.add_resources(article.id.0, &package.article.meta.source_key).await?;
                for (name, path) in &package.files {
                    let added = self.add_file(&format!("{into}/{name}"), path);
                    added.with_context(|| format!("the file {name} of the article {}", article.id))?;
                }
            }
        }
    }

    async fn resources(&mut self) -> anyhow::Result<()> {
        // Those of the site come first.
        let mut of_articles = std::mem::replace(&mut self.lines, scratch(self.data)?);
        self.add_resources(0, "").await?;
        of_articles.rewind()?;
        io::copy(&mut of_articles, &mut self.lines)?;
        let mut lines = std::mem::replace(&mut self.lines, of_articles);
        let length = lines.stream_position()?;
        lines.rewind()?;
        self.append("resources.jsonl", length, lines)
    }

    /// Adds the resources of an article, or with 0 those that belong to no article. Figures and tables are omitted, because importing
    /// the article creates them.
    async fn add_resources(&mut self, article: i64, key: &str) -> anyhow::Result<()> {
        let mut after = 0;
        loop {
            let page = self.store.resource_rows(article, after, PAGE).await?;
            let Some(last) = page.last() else { return Ok(()) };
            after = last.id;
            let own = |row: &ResourceRow| row.kind.source() != ResourceSource::Article;
            for row in page.into_iter().filter(own) {
                let line = Line { kind: row.kind, article: key.to_owned(), value: serde_json::from_str(&row.data)? };
                let mut text = serde_json::to_string(&line)?;
                self.add_media_of(&text);
                text.push('\n');
                self.lines.write_all(text.as_bytes())?;
                self.manifest.resources += 1;
            }
        }
    }

    async fn files(&mut self) -> anyhow::Result<()> {
        for name in std::mem::take(&mut self.media) {
            let digest = name.split('.').next().unwrap_or_default();
            // A file that is referred to but missing is missing on the site as well.
            if self.store.media(digest).await?.is_some() {
                self.add_file(&format!("media/{name}"), &files::path(self.data, digest))?;
            }
        }
        Ok(())
    }
}
