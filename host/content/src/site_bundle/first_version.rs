//! Bundles of the first version: articles as JATS, resources as lines, no numbers. They add to what the installation has of the site, and
//! what is there keeps its numbers.

use std::{
    io::BufRead as _,
    path::{Path, PathBuf},
};

use masthead_domain::{
    SiteId, of_kind,
    publication::{Issue, Journal},
    resource::{Comment, ResourceKind},
};
use masthead_formats::images::svg::SvgError;
use masthead_store::{SiteStore, Store, StoredForm as _, StoredResource};
use serde::Deserialize;

use super::{Manifest, media, permitted::check_cover};
use crate::import::{Format, Importer, Item, MediaWriter, OnItem, Outcome, outage::is_outage};

/// A resource: its kind, its value, and the source key of the article that it belongs to, if any.
#[derive(Debug, Deserialize)]
struct Line {
    kind: ResourceKind,
    #[serde(default)]
    article: String,
    value: serde_json::Value,
}

/// Imports an unpacked bundle into a copy of the site that the installation has. The files are stored in `data`, which is not the data
/// folder of the installation.
///
/// # Errors
/// A message, if the bundle is invalid. Articles and resources that cannot be imported are reported to `on_item` instead.
pub async fn read(
    copy: &Store,
    site: SiteId,
    folder: &Path,
    data: &Path,
    manifest: &Manifest,
    on_item: OnItem<'_>,
) -> anyhow::Result<()> {
    let mut loader = Loader {
        media_writer: MediaWriter { store: copy.site(site), site, data: data.to_owned() },
        folder: folder.to_owned(),
        from: media(manifest.site_id),
        to: media(site.0),
    };
    loader.files(&mut *on_item).await?;
    loader.journals().await?;
    let mut importer = Importer::new(copy, site, data, false);
    importer.run(&[folder.join("articles")], Format::Jats, &mut *on_item).await?;
    loader.resources(on_item).await?;
    loader.settings().await
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
                Err(error) if is_outage(&error) => return Err(error.context(item.path)),
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
