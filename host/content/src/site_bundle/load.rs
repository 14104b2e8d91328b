//! A bundle becomes a site.

use std::path::{Path, PathBuf};

use masthead_domain::{
    SiteId, of_kind,
    publication::{Issue, Journal},
    resource::{Comment, ResourceKind},
};
use masthead_formats::archive::{self, Limits};
use masthead_store::{SiteStore, Store, StoredForm as _, StoredResource};

use crate::import::{Format, Importer, Item, Keeper, Outcome, Told};
use crate::site_bundle::{Line, Manifest, VERSION, media};

/// Loads a bundle into a site; `sites` is the folder of configurations. A site that has no file there gets the bundle's, one
/// that has one keeps it. Loading twice changes nothing.
///
/// # Errors
/// A message that says what is wrong with the bundle. Articles that cannot be imported are told of instead.
pub async fn load(store: &Store, data: &Path, sites: &Path, bundle: &Path, told: Told<'_>) -> anyhow::Result<Manifest> {
    let folder = unpack(bundle, data).await?;
    let manifest: Manifest = read(folder.path(), "bundle.json")?;
    anyhow::ensure!(
        manifest.version <= VERSION,
        "the bundle has form {}, this version reads up to {VERSION}: use a newer Masthead",
        manifest.version
    );
    let id = configuration(folder.path(), sites, &manifest)?;
    let mut loader = Loader {
        keeper: Keeper { store: store.site(id), site: id, data: data.to_owned() },
        folder: folder.path().to_owned(),
        from: media(manifest.site_id),
        to: media(id.0),
    };
    loader.files().await?;
    loader.journals().await?;
    let mut importer = Importer::new(store, id, data, false);
    importer.run(&[folder.path().join("articles")], Format::Jats, told).await;
    loader.resources(told).await?;
    loader.settings().await?;
    Ok(manifest)
}

async fn unpack(bundle: &Path, data: &Path) -> anyhow::Result<tempfile::TempDir> {
    let (bundle, root) = (bundle.to_owned(), crate::import::scratch(data));
    tokio::task::spawn_blocking(move || {
        std::fs::create_dir_all(&root)?;
        let folder = tempfile::Builder::new().prefix("bundle-").tempdir_in(&root)?;
        let file = std::fs::File::open(&bundle).map_err(|error| anyhow::anyhow!("{}: {error}", bundle.display()))?;
        // An operator's own file, of a whole site.
        let limits = Limits { max_entries: 10_000_000, max_total_bytes: 1 << 40, ..Limits::default() };
        archive::unpack(std::io::BufReader::new(file), &limits, folder.path())?;
        Ok(folder)
    })
    .await?
}

fn read<T: serde::de::DeserializeOwned>(folder: &Path, name: &str) -> anyhow::Result<T> {
    let bytes = std::fs::read(folder.join(name)).map_err(|error| {
        anyhow::anyhow!("the bundle has no {name} ({error}): it is no bundle of a site, or incomplete")
    })?;
    serde_json::from_slice(&bytes).map_err(|error| anyhow::anyhow!("{name} of the bundle: {error}"))
}

/// Puts the site's configuration in place where there is none; gives the site's number here.
fn configuration(folder: &Path, sites: &Path, manifest: &Manifest) -> anyhow::Result<SiteId> {
    let plain =
        |sld: &str| !sld.is_empty() && sld.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    anyhow::ensure!(plain(&manifest.sld), "the bundle's short name {:?} is none", manifest.sld);
    let own = sites.join(format!("{}.toml", manifest.sld));
    let known = masthead_config::Configuration::read(sites, &masthead_config::Saved::new())?;
    if let Some(site) = known.sites.get(&manifest.sld) {
        return Ok(site.id);
    }
    anyhow::ensure!(
        !own.exists(),
        "{} is there but is refused: mend or remove it, then load the bundle again",
        own.display()
    );
    if let Some(other) = known.sites.values().find(|site| site.id.0 == manifest.site_id) {
        anyhow::bail!("number {} belongs to the site {} here; change one of the two", manifest.site_id, other.sld);
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
    place_group(folder, sites, &text)?;
    let beside = sites.join(format!(".{}.toml.new", manifest.sld));
    std::fs::write(&beside, text)?;
    std::fs::rename(beside, own)?;
    Ok(SiteId(manifest.site_id))
}

/// The group's file, where this installation has none of that name.
fn place_group(folder: &Path, sites: &Path, site: &str) -> anyhow::Result<()> {
    let group = folder.join("group.toml");
    let document: toml::Value =
        toml::from_str(site).map_err(|error| anyhow::anyhow!("site.toml of the bundle: {error}"))?;
    let name = document.get("group").and_then(toml::Value::as_str).unwrap_or_default();
    let plain = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    let target = sites.join("groups").join(format!("{name}.toml"));
    if plain && group.is_file() && !target.exists() {
        std::fs::create_dir_all(sites.join("groups"))?;
        std::fs::copy(group, target)?;
    }
    Ok(())
}

struct Loader {
    keeper: Keeper,
    folder: PathBuf,
    /// Prefix of the files' addresses where the bundle was made, and here.
    from: String,
    to: String,
}

impl Loader {
    fn store(&self) -> &SiteStore {
        &self.keeper.store
    }

    /// Reads a file of the bundle, with the addresses of this site.
    fn text(&self, name: &str) -> anyhow::Result<String> {
        let text = std::fs::read_to_string(self.folder.join(name))
            .map_err(|error| anyhow::anyhow!("the bundle has no {name} ({error}): it is incomplete"))?;
        Ok(text.replace(&self.from, &self.to))
    }

    async fn files(&mut self) -> anyhow::Result<()> {
        let folder = self.folder.join("media");
        for entry in walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().flatten() {
            if entry.file_type().is_file() {
                self.keeper.keep(entry.path()).await?;
            }
        }
        Ok(())
    }

    async fn journals(&mut self) -> anyhow::Result<()> {
        let journals: Vec<Journal> = serde_json::from_str(&self.text("journals.json")?)?;
        for journal in &journals {
            self.store().save_journal(journal).await?;
        }
        let issues: Vec<Issue> = serde_json::from_str(&self.text("issues.json")?)?;
        for issue in &issues {
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

    async fn resources(&mut self, told: Told<'_>) -> anyhow::Result<()> {
        for (number, line) in self.text("resources.jsonl")?.lines().enumerate() {
            let mut item = Item::of(format!("resources.jsonl:{}", number + 1), "resource");
            match self.resource(line).await {
                Ok(outcome) => item.outcome = outcome,
                Err(error) => item.error = Some(format!("{error:#}")),
            }
            told(item);
        }
        Ok(())
    }

    async fn resource(&self, line: &str) -> anyhow::Result<Outcome> {
        let line: Line = serde_json::from_str(line)?;
        // The bundle holds rows as they are stored: a field that a newer version wrote is skipped.
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
        Ok(self.store().save_resource(&crate::sanitize::cleaned(value)).await?.into())
    }
}
