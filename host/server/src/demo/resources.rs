//! Hand-written resources of the demo: `sites/demo/<folder>/resources/<kind>.toml`, each `[[item]]` one of the kind.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use masthead_domain::{
    SiteId,
    resource::{
        Album, Audio, Board, Book, Collection, Column, Composite, Conference, Document, Expert, FriendLink,
        Information, News, Patent, RankList, Resource, ResourceKind, Standard, Tool, Topic, Video, Wechat,
    },
};
use masthead_store::SiteStore;
use serde::Deserialize;

use crate::import;

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

/// Where a demo's folder keeps them.
fn folder_of(folder: &Path) -> PathBuf {
    folder.join("resources")
}

/// Stores the resources of one folder of the demo; gives their number.
///
/// # Errors
/// A message that names the file and the item.
pub(super) async fn seed(store: &SiteStore, site: SiteId, data: &Path, folder: &Path) -> anyhow::Result<usize> {
    let folder = folder_of(folder);
    let mut stored = 0;
    for kind in ResourceKind::ALL {
        let path = folder.join(format!("{}.toml", kind.as_str()));
        for mut item in items(&path)? {
            for name in files(&mut item) {
                let file = beside(&folder, name).with_context(|| path.display().to_string())?;
                *name = import::keep(store, site, data, &file).await?;
            }
            put(store, kind, item).await.with_context(|| path.display().to_string())?;
            stored += 1;
        }
    }
    Ok(stored)
}

/// The items of a file; none where there is no file.
fn items(path: &Path) -> anyhow::Result<Vec<toml::Table>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    let items: Items = toml::from_str(&text).with_context(|| path.display().to_string())?;
    Ok(items.item)
}

/// A file beside the resources, not above them.
fn beside(folder: &Path, name: &str) -> anyhow::Result<PathBuf> {
    let within = Path::new(name).components().all(|part| matches!(part, std::path::Component::Normal(_)));
    anyhow::ensure!(within, "{name:?} is not a file beside the resources");
    Ok(folder.join(name))
}

/// The names of files in an item, each where its address goes.
fn files(item: &mut toml::Table) -> Vec<&mut String> {
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
        toml::Value::String(name) if FILES.contains(&key) => {
            if !name.is_empty() && !name.starts_with('/') && !name.contains("://") {
                found.push(name);
            }
        }
        _ => {}
    }
}

async fn put(store: &SiteStore, kind: ResourceKind, item: toml::Table) -> anyhow::Result<()> {
    async fn one<T: Resource>(store: &SiteStore, item: toml::Table) -> anyhow::Result<()> {
        let value: T = read(item)?;
        store.put_resource(&value).await?;
        Ok(())
    }
    match kind {
        ResourceKind::News => one::<News>(store, item).await,
        ResourceKind::Information => one::<Information>(store, item).await,
        ResourceKind::Column => one::<Column>(store, item).await,
        ResourceKind::Wechat => one::<Wechat>(store, item).await,
        ResourceKind::Link => one::<FriendLink>(store, item).await,
        ResourceKind::Composite => one::<Composite>(store, item).await,
        ResourceKind::Collection => one::<Collection>(store, item).await,
        ResourceKind::Album => one::<Album>(store, item).await,
        ResourceKind::Topic => one::<Topic>(store, item).await,
        ResourceKind::RankList => one::<RankList>(store, item).await,
        ResourceKind::Audio => one::<Audio>(store, item).await,
        ResourceKind::Video => one::<Video>(store, item).await,
        ResourceKind::Patent => one::<Patent>(store, item).await,
        ResourceKind::Standard => one::<Standard>(store, item).await,
        ResourceKind::Book => one::<Book>(store, item).await,
        ResourceKind::Document => one::<Document>(store, item).await,
        ResourceKind::Tool => one::<Tool>(store, item).await,
        ResourceKind::Expert => one::<Expert>(store, item).await,
        ResourceKind::Board => one::<Board>(store, item).await,
        ResourceKind::Conference => one::<Conference>(store, item).await,
        ResourceKind::Picture | ResourceKind::Table | ResourceKind::Comment => {
            anyhow::bail!("{} belong to articles and cannot be written by hand", kind.as_str())
        }
    }
}

/// One value of a kind.
fn read<T: Resource>(item: toml::Table) -> anyhow::Result<T> {
    let key = item.get("key").and_then(toml::Value::as_str).unwrap_or_default().to_owned();
    let value: T = item.try_into().with_context(|| format!("the item {key:?}"))?;
    anyhow::ensure!(!value.place().key.is_empty(), "an item has no key");
    Ok(value)
}

#[cfg(test)]
#[path = "resources_tests.rs"]
mod tests;
