//! Resources written by hand: files named after their kind (`news.toml`, `expert.toml`), each `[[item]]` one of the kind, with
//! the keys of the domain's type. Pictures and other files are named as they lie beside.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use masthead_domain::{
    of_kind,
    resource::{Resource, ResourceKind},
};
use serde::Deserialize;

use crate::import::{Importer, Item, Outcome, Told};

/// Keys whose value is the address of a file; in these files it may be the name of one beside them.
const FILES: [&str; 5] = ["cover", "photo", "file", "logo", "icon"];
/// Keys whose value is the address of a file by language.
const FILES_BY_LANGUAGE: [&str; 1] = ["captions"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Items {
    #[serde(default)]
    item: Vec<toml::Table>,
}

impl Importer {
    /// Imports a file of resources; its name says of which kind.
    pub(super) async fn resources(&mut self, path: &Path, told: Told<'_>) {
        let shown = path.display().to_string();
        let (kind, items) = match read(path) {
            Ok(read) => read,
            Err(error) => return told(Item::failed(shown, "resource", &format!("{error:#}"))),
        };
        for item in items {
            let mut line = Item::of(shown.clone(), kind.as_str());
            let key = item.get("key").and_then(toml::Value::as_str).unwrap_or_default().to_owned();
            let stored = self.resource(kind, item, path.parent().unwrap_or(Path::new("."))).await;
            match stored.with_context(|| format!("the item {key:?}")) {
                Ok(outcome) => line.outcome = outcome,
                Err(error) => line.error = Some(format!("{error:#}")),
            }
            told(line);
        }
    }

    async fn resource(&self, kind: ResourceKind, mut item: toml::Table, folder: &Path) -> anyhow::Result<Outcome> {
        for name in files(&mut item) {
            let file = beside(folder, name)?;
            anyhow::ensure!(file.is_file(), "there is no file {name} beside it");
            if !self.shared.dry_run {
                *name = self.shared.keeper.keep(&file).await?;
            }
        }
        of_kind!(kind, T => {
            let value: T = value(item)?;
            if self.shared.dry_run {
                return Ok(Outcome::Valid);
            }
            let saved = self.shared.keeper.store.save_resource(&crate::sanitize::cleaned(value)).await?;
            Ok(saved.into())
        })
    }
}

/// The kind that a file is named after, and its items.
pub(crate) fn read(path: &Path) -> anyhow::Result<(ResourceKind, Vec<toml::Table>)> {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let kind = ResourceKind::of_file(stem).with_context(|| {
        format!("the file's name has to say what it holds (news.toml, book.toml, ...); {stem:?} is no kind")
    })?;
    let text = std::fs::read_to_string(path)?;
    let items: Items = toml::from_str(&text)?;
    Ok((kind, items.item))
}

/// A file beside the resources, not above them.
pub(crate) fn beside(folder: &Path, name: &str) -> anyhow::Result<PathBuf> {
    let within = Path::new(name).components().all(|part| matches!(part, std::path::Component::Normal(_)));
    anyhow::ensure!(within, "{name:?} is not a file beside the resources");
    Ok(folder.join(name))
}

/// The names of files in an item, each where its address goes.
pub(crate) fn files(item: &mut toml::Table) -> Vec<&mut String> {
    let mut found = Vec::new();
    for (key, value) in item {
        walk(key, value, &mut found);
    }
    found
}

fn walk<'a>(key: &str, value: &'a mut toml::Value, found: &mut Vec<&'a mut String>) {
    match value {
        toml::Value::Table(table) => {
            for (inner, value) in table {
                let key = if FILES_BY_LANGUAGE.contains(&key) { FILES[0] } else { inner };
                walk(key, value, found);
            }
        }
        toml::Value::Array(values) => values.iter_mut().for_each(|value| walk(key, value, found)),
        toml::Value::String(name)
            if FILES.contains(&key) && !name.is_empty() && !name.starts_with('/') && !name.contains("://") =>
        {
            found.push(name);
        }
        _ => {}
    }
}

/// One value of a kind.
pub(crate) fn value<T: Resource>(item: toml::Table) -> anyhow::Result<T> {
    let value: T = item.try_into()?;
    anyhow::ensure!(!value.list_keys().key.is_empty(), "an item has no key");
    Ok(value)
}
