//! Loads a site from a bundle.

use std::{
    io::BufRead as _,
    path::{Path, PathBuf},
};

use masthead_domain::{
    SiteId, link, of_kind,
    publication::{Issue, Journal},
    resource::{Comment, ResourceKind},
};
use masthead_formats::{
    archive::{self, Limits},
    images::svg::SvgError,
};
use masthead_store::{SiteStore, Store, StoredForm as _, StoredResource};

use crate::import::{Format, Importer, Item, MediaWriter, OnItem, Outcome};
use crate::site_bundle::{Line, Manifest, VERSION, media};

/// Loads a bundle. `sites` is the configuration folder: if it has no file for the site, the file of the bundle is copied there; an
/// existing file is kept. Loading the same bundle again changes nothing.
///
/// # Errors
/// A message, if the bundle is invalid. Articles and resources that cannot be imported are reported to `on_item` instead.
pub async fn load(
    store: &Store,
    data: &Path,
    sites: &Path,
    bundle: &Path,
    on_item: OnItem<'_>,
) -> anyhow::Result<Manifest> {
    let folder = unpack(bundle, data).await?;
    let manifest: Manifest = read(folder.path(), "bundle.json")?;
    anyhow::ensure!(
        manifest.version <= VERSION,
        "the bundle has format version {}, but this version reads at most {VERSION}; use a newer Masthead",
        manifest.version
    );
    let id = configuration(folder.path(), sites, &manifest)?;
    let mut loader = Loader {
        media_writer: MediaWriter { store: store.site(id), site: id, data: data.to_owned() },
        folder: folder.path().to_owned(),
        from: media(manifest.site_id),
        to: media(id.0),
    };
    loader.files(on_item).await?;
    loader.journals().await?;
    let mut importer = Importer::new(store, id, data, false);
    importer.run(&[folder.path().join("articles")], Format::Jats, on_item).await?;
    loader.resources(on_item).await?;
    loader.settings().await?;
    Ok(manifest)
}

async fn unpack(bundle: &Path, data: &Path) -> anyhow::Result<tempfile::TempDir> {
    let (bundle, root) = (bundle.to_owned(), crate::import::scratch(data));
    tokio::task::spawn_blocking(move || {
        std::fs::create_dir_all(&root)?;
        let folder = tempfile::Builder::new().prefix("bundle-").tempdir_in(&root)?;
        let file = std::fs::File::open(&bundle).map_err(|error| anyhow::anyhow!("{}: {error}", bundle.display()))?;
        // High limits: the file comes from the operator and contains a whole site.
        let limits = Limits { max_entries: 10_000_000, max_total_bytes: 1 << 40, ..Limits::default() };
        archive::unpack(std::io::BufReader::new(file), &limits, folder.path())?;
        Ok(folder)
    })
    .await?
}

fn read<T: serde::de::DeserializeOwned>(folder: &Path, name: &str) -> anyhow::Result<T> {
    let bytes = std::fs::read(folder.join(name)).map_err(|error| {
        anyhow::anyhow!("the bundle has no {name} ({error}); it is not a site bundle, or incomplete")
    })?;
    serde_json::from_slice(&bytes).map_err(|error| anyhow::anyhow!("{name} in the bundle: {error}"))
}

/// Installs the site's configuration if there is none. Returns the number of the site in this installation.
fn configuration(folder: &Path, sites: &Path, manifest: &Manifest) -> anyhow::Result<SiteId> {
    let plain =
        |sld: &str| !sld.is_empty() && sld.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    anyhow::ensure!(plain(&manifest.sld), "the short name {:?} in the bundle is invalid", manifest.sld);
    let own = sites.join(format!("{}.toml", manifest.sld));
    let known = masthead_config::Configuration::read(sites, &masthead_config::Saved::new())?;
    if let Some(site) = known.sites.get(&manifest.sld) {
        return Ok(site.id);
    }
    anyhow::ensure!(
        !own.exists(),
        "{} exists but is invalid: correct or remove it, then load the bundle again",
        own.display()
    );
    if let Some(other) = known.sites.values().find(|site| site.id.0 == manifest.site_id) {
        anyhow::bail!(
            "the site number {} is used by the site {} in this installation; change one of the two",
            manifest.site_id,
            other.sld
        );
    }
    let assets = folder.join("assets");
    for entry in walkdir::WalkDir::new(&assets).into_iter().flatten().filter(|entry| entry.file_type().is_file()) {
        let target = sites.join("assets").join(entry.path().strip_prefix(&assets)?);
        if !target.exists() {
            std::fs::create_dir_all(target.parent().unwrap_or(sites))?;
            std::fs::copy(entry.path(), target)?;
        }
    }
    let text = std::fs::read_to_string(folder.join("site.toml"))?;
    install_group(folder, sites, &text)?;
    let temporary = sites.join(format!(".{}.toml.new", manifest.sld));
    std::fs::write(&temporary, text)?;
    std::fs::rename(temporary, own)?;
    Ok(SiteId(manifest.site_id))
}

/// Installs the file of the site's group, if this installation has no group of that name.
fn install_group(folder: &Path, sites: &Path, site: &str) -> anyhow::Result<()> {
    let group = folder.join("group.toml");
    let document: toml::Value =
        toml::from_str(site).map_err(|error| anyhow::anyhow!("site.toml in the bundle: {error}"))?;
    let name = document.get("group").and_then(toml::Value::as_str).unwrap_or_default();
    let plain = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    let target = sites.join("groups").join(format!("{name}.toml"));
    if plain && group.is_file() && !target.exists() {
        std::fs::create_dir_all(sites.join("groups"))?;
        std::fs::copy(group, target)?;
    }
    Ok(())
}

/// Refuses a cover with an address that no page may have.
fn check_cover(journal: &str, cover: &str) -> anyhow::Result<()> {
    anyhow::ensure!(
        cover.is_empty() || link::is_own_or_web(cover),
        "the cover {cover:?} of the journal {journal} in the bundle is neither an http(s) address nor one of this host"
    );
    Ok(())
}

fn incomplete(name: &str, error: &std::io::Error) -> anyhow::Error {
    anyhow::anyhow!("reading {name} of the bundle: {error}; the bundle is incomplete")
}

struct Loader {
    media_writer: MediaWriter,
    folder: PathBuf,
    /// Prefix of media addresses in the bundle, and in this installation.
    from: String,
    to: String,
}

impl Loader {
    fn store(&self) -> &SiteStore {
        &self.media_writer.store
    }

    /// Reads a file of the bundle, with its media addresses changed to those of this site.
    fn text(&self, name: &str) -> anyhow::Result<String> {
        let text = std::fs::read_to_string(self.folder.join(name)).map_err(|error| incomplete(name, &error))?;
        Ok(text.replace(&self.from, &self.to))
    }

    /// Stores the media files. A picture that is refused is an item of the report; it was stored by a version that did not check it.
    async fn files(&mut self, on_item: OnItem<'_>) -> anyhow::Result<()> {
        let folder = self.folder.join("media");
        for entry in walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().flatten() {
            if !entry.file_type().is_file() {
                continue;
            }
            match self.media_writer.keep(entry.path()).await {
                Err(error) if error.is::<SvgError>() => {
                    on_item(Item::failed(format!("media/{}", entry.file_name().display()), "picture", &error));
                }
                kept => {
                    kept?;
                }
            }
        }
        Ok(())
    }

    async fn journals(&mut self) -> anyhow::Result<()> {
        let journals: Vec<Journal> = serde_json::from_str(&self.text("journals.json")?)?;
        for journal in &journals {
            check_cover(&journal.key, &journal.cover)?;
            self.store().save_journal(journal).await?;
        }
        let issues: Vec<Issue> = serde_json::from_str(&self.text("issues.json")?)?;
        for issue in &issues {
            check_cover(&issue.journal, &issue.cover)?;
            self.store().save_issue(issue).await?;
        }
        Ok(())
    }

    async fn settings(&mut self) -> anyhow::Result<()> {
        let saved: std::collections::BTreeMap<String, serde_json::Value> =
            serde_json::from_str(&self.text("settings.json")?)?;
        let known: std::collections::BTreeMap<_, _> = self.store().settings().await?.into_iter().collect();
        for (key, value) in saved.iter().filter(|(key, value)| known.get(*key) != Some(*value)) {
            self.store().save_setting(key, Some(value)).await?;
        }
        Ok(())
    }

    async fn resources(&mut self, on_item: OnItem<'_>) -> anyhow::Result<()> {
        let name = "resources.jsonl";
        let file = std::fs::File::open(self.folder.join(name)).map_err(|error| incomplete(name, &error))?;
        // Line by line, because a site may have more resources than fit into memory.
        for (number, line) in std::io::BufReader::new(file).lines().enumerate() {
            let line = line.map_err(|error| incomplete(name, &error))?.replace(&self.from, &self.to);
            let mut item = Item::of(format!("{name}:{}", number + 1), "resource");
            match self.resource(&line).await {
                Ok(outcome) => item.outcome = outcome,
                Err(error) => item.error = Some(format!("{error:#}")),
            }
            on_item(item);
        }
        Ok(())
    }

    async fn resource(&self, line: &str) -> anyhow::Result<Outcome> {
        let line: Line = serde_json::from_str(line)?;
        // Values are parsed like stored rows: fields written by a newer version are ignored.
        let value = line.value.to_string();
        let article =
            if line.article.is_empty() { None } else { self.store().article_id_by_key(&line.article).await? };
        if line.kind == ResourceKind::Comment {
            let mut comment = Comment::decode(&value)?;
            let id = article.ok_or_else(|| anyhow::anyhow!("its article {} is not in the bundle", line.article))?;
            comment.article = id.0;
            return self.put(comment).await;
        }
        of_kind!(line.kind, T => self.put(T::decode(&value)?).await)
    }

    async fn put<T: StoredResource>(&self, value: T) -> anyhow::Result<Outcome> {
        Ok(self.store().save_resource(&crate::sanitize::cleaned(value)?).await?.into())
    }
}
