//! Resources in TOML files: each file is named after a resource kind (`news.toml`, `expert.toml`) and lists its items as `[[item]]`
//! tables with the fields of the domain type. Images and other files are given by names relative to the file.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use masthead_domain::{
    of_kind,
    resource::{Resource, ResourceKind},
};
use serde::Deserialize;

use crate::{
    article_fields::{IDS, PDF},
    import::{Importer, Item, OnItem, Outcome, article::kept_by_hand, assets},
    record_checks::{date_faults, missing_from_import},
};

/// Keys whose value is the address of a file; here it may also be the name of a file in the same folder.
const FILES: [&str; 5] = ["cover", "photo", "file", "logo", "icon"];
/// Keys whose value is a table of such addresses by language.
const FILES_BY_LANGUAGE: [&str; 1] = ["captions"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Items {
    #[serde(default)]
    item: Vec<toml::Table>,
}

/// What became of an item.
struct Stored {
    outcome: Outcome,
    /// The fields that an editor has changed and that are kept.
    kept: Vec<String>,
    /// What the item names and the site does not have, a sentence each.
    missing: Vec<String>,
}

impl Importer {
    /// Imports a file of resources; the kind is taken from its name.
    pub(super) async fn resources(&mut self, path: &Path, on_item: OnItem<'_>) {
        let shown = path.display().to_string();
        let (kind, items) = match read(path) {
            Ok(read) => read,
            Err(error) => return on_item(Item::failed(shown, "resource", &format!("{error:#}"))),
        };
        for item in items {
            if self.is_stopped() {
                return;
            }
            let mut line = Item::of(shown.clone(), kind.as_str());
            let key = item.get("key").and_then(toml::Value::as_str).unwrap_or_default().to_owned();
            let stored = self.resource(kind, item, path.parent().unwrap_or(Path::new("."))).await;
            match stored.with_context(|| format!("the item {key:?}")) {
                Ok(Stored { outcome, kept, missing }) => {
                    line.outcome = outcome;
                    line.warnings.extend(kept_by_hand(&kept));
                    line.warnings.extend(missing);
                }
                Err(error) => line = line.fail(&error),
            }
            on_item(line);
        }
    }

    /// Imports one item.
    async fn resource(&self, kind: ResourceKind, mut item: toml::Table, folder: &Path) -> anyhow::Result<Stored> {
        for name in files(&mut item) {
            let file = path_in_folder(folder, name)?;
            anyhow::ensure!(file.is_file(), "the file {name} is not in the folder of the resource file");
            self.converter.reading.note(&file.display().to_string());
            if self.converter.dry_run {
                if let Some(reason) = tokio::task::spawn_blocking(move || assets::refusal(&file)).await?? {
                    anyhow::bail!("the picture {name} is refused: {reason}");
                }
                // A dry run stores no file; the address that it would have is one of this host.
                *name = format!("/{name}");
            } else {
                *name = self.converter.media_writer.keep(&file).await?;
            }
        }
        of_kind!(kind, T => {
            let value: T = crate::sanitize::cleaned(value(item)?)?;
            let store = &self.converter.media_writer.store;
            let missing = missing_from_import(store, &serde_json::to_value(&value)?).await?;
            if self.converter.dry_run {
                return Ok(Stored { outcome: Outcome::Valid, kept: Vec::new(), missing });
            }
            let (saved, kept) = store.import_resource(&value).await?;
            Ok(Stored { outcome: saved.into(), kept, missing })
        })
    }
}

/// Reads a resource file: its kind, from the file name, and its items.
///
/// # Errors
/// A message, if the name is not a resource kind, or the file cannot be read or is not valid.
pub fn read(path: &Path) -> anyhow::Result<(ResourceKind, Vec<toml::Table>)> {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let kind = ResourceKind::of_file(stem).with_context(|| {
        format!("the file must be named after a resource kind (news.toml, book.toml, ...); {stem:?} is not one")
    })?;
    let text = std::fs::read_to_string(path)?;
    let items: Items = toml::from_str(&text)?;
    Ok((kind, items.item))
}

/// The path of a file that a resource names.
///
/// # Errors
/// A message, if the name leads out of the folder.
pub fn path_in_folder(folder: &Path, name: &str) -> anyhow::Result<PathBuf> {
    let within = Path::new(name).components().all(|part| matches!(part, std::path::Component::Normal(_)));
    anyhow::ensure!(within, "{name:?} is not a file in the folder of the resources");
    Ok(folder.join(name))
}

/// Whether the value at this path of a record (`cover`, `attachments.0.file`, `captions.en`; `pdf` of an article) is the address of a
/// file.
#[must_use]
pub fn names_file(path: &str) -> bool {
    let mut keys = path.rsplit('.');
    let (last, above) = (keys.next().unwrap_or_default(), keys.next().unwrap_or_default());
    // A kind of identifiers may have any name (`ids.file`).
    above != IDS && (path == PDF || FILES.contains(&last) || FILES_BY_LANGUAGE.contains(&above))
}

/// The file names in an item, as references to be replaced with addresses. Addresses are skipped.
pub fn files(item: &mut toml::Table) -> Vec<&mut String> {
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

/// Parses an item as a resource.
///
/// # Errors
/// A message, if the item has unknown or invalid fields, no key, or a date that does not exist.
pub fn value<T: Resource>(item: toml::Table) -> anyhow::Result<T> {
    let value: T = item.try_into()?;
    anyhow::ensure!(!value.list_keys().key.is_empty(), "an item has no key");
    let faults = date_faults(&serde_json::to_value(&value)?);
    anyhow::ensure!(faults.is_empty(), faults.join("; "));
    Ok(value)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_domain::resource::{Conference, News};

    use super::value;

    #[test]
    fn an_item_needs_a_key_and_a_date_that_exists() {
        let read = |text: &str| value::<News>(text.parse().unwrap()).map_err(|error| error.to_string());
        for good in ["key = 'a'", "key = 'a'\ndate = '2024-02-29'", "key = 'a'\ndate = '2024'"] {
            assert!(read(good).is_ok(), "{good}");
        }
        assert!(read("date = '2024'").unwrap_err().contains("no key"));
        assert!(read("key = 'a'\ndate = '2023-02-29'").unwrap_err().contains("2023-02-29"));
    }

    #[test]
    fn a_conference_has_three_dates_that_exist() {
        let read = |text: &str| value::<Conference>(text.parse().unwrap()).map_err(|error| error.to_string());
        let good = "key = 'a'\nstart = '2026-05-17'\nend = '2026-05-18'\ndeadline = '2026-04'";
        assert!(read(good).is_ok());
        for (from, to, words) in [
            ("2026-05-17", "2026-05-32", "start: \"2026-05-32\""),
            ("2026-05-18", "2026-06-31", "end: \"2026-06-31\""),
            ("2026-05-18", "2026-05-16", "before the start"),
            ("2026-04", "in April", "deadline: \"in April\""),
        ] {
            let error = read(&good.replace(from, to)).unwrap_err();
            assert!(error.contains(words), "{words}: {error}");
        }
    }
}
