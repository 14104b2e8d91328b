//! Writes a site to a bundle.

use std::{collections::BTreeSet, path::Path};

use flate2::{Compression, write::GzEncoder};
use masthead_domain::{resource::ResourceSource, site::Site};
use masthead_store::{ResourceRow, SiteStore, Store};

use crate::site_bundle::{Line, Manifest, VERSION, media};
use crate::{export::article_package, files};

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
    let archive = tar::Builder::new(GzEncoder::new(std::fs::File::create(path)?, Compression::default()));
    let manifest = Manifest { version: VERSION, site_id: site.id.0, sld: site.sld.clone(), ..Manifest::default() };
    let mut saver =
        Saver { store: store.site(site.id), data, archive, media: BTreeSet::new(), lines: Vec::new(), manifest };
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
    archive: tar::Builder<GzEncoder<std::fs::File>>,
    /// Names of the media files that journals and resources refer to.
    media: BTreeSet<String>,
    /// Lines of `resources.jsonl`; the resources of articles are added while the articles are written.
    lines: Vec<u8>,
    manifest: Manifest,
}

impl Saver<'_> {
    fn add(&mut self, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        // No date and no owner, so that the same site gives the same bytes.
        header.set_mtime(0);
        self.archive.append_data(&mut header, name, bytes)?;
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
                let folder = tempfile::tempdir()?;
                let package = article_package::unpack(&self.store, self.data, article.id, folder.path()).await?;
                let source = package.write(folder.path())?;
                let into = format!("articles/{:06}", self.manifest.articles);
                self.add(&format!("{into}/{}", article_package::SOURCE), &std::fs::read(source)?)?;
                self.add_resources(article.id.0, &package.article.meta.source_key).await?;
                for name in &package.names {
                    self.add(&format!("{into}/{name}"), &std::fs::read(folder.path().join(name))?)?;
                }
            }
        }
    }

    async fn resources(&mut self) -> anyhow::Result<()> {
        let of_articles = std::mem::take(&mut self.lines);
        self.add_resources(0, "").await?;
        self.lines.extend(of_articles);
        let lines = std::mem::take(&mut self.lines);
        self.add_media_of(&String::from_utf8_lossy(&lines));
        self.add("resources.jsonl", &lines)
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
                serde_json::to_writer(&mut self.lines, &line)?;
                self.lines.push(b'\n');
                self.manifest.resources += 1;
            }
        }
    }

    async fn files(&mut self) -> anyhow::Result<()> {
        for name in std::mem::take(&mut self.media) {
            let digest = name.split('.').next().unwrap_or_default();
            // A file that is referred to but missing is missing on the site as well.
            if self.store.media(digest).await?.is_some() {
                let bytes = files::read(self.data, digest).await?;
                self.add(&format!("media/{name}"), &bytes)?;
            }
        }
        Ok(())
    }
}
