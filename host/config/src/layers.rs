//! Configuration layers: their values, and the keys that they lock.

use std::{
    collections::BTreeMap,
    fmt,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    path::{Path, PathBuf},
};

use figment::{
    Metadata, Profile, Provider,
    value::{Dict, Map, Value},
};

use crate::{
    ConfigError, Saved,
    lines::{Step, steps},
};

/// A layer: one source of values.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Its name in `config explain`: "platform", "group hss", "site hssxiv", "environment" or "saved".
    pub name: String,
    /// Its file, or a description for layers without a file.
    pub source: String,
    /// Its values.
    pub values: Dict,
    /// Dotted keys that later layers cannot override.
    pub locked: Vec<String>,
}

impl Provider for Layer {
    fn metadata(&self) -> Metadata {
        Metadata::from(self.name.clone(), self.source.as_str())
    }

    fn data(&self) -> Result<Map<Profile, Dict>, figment::Error> {
        Ok(Profile::Default.collect(self.values.clone()))
    }
}

impl Layer {
    /// What stands before a key of a site in the layer's file: `platform.toml` has the keys of sites in a table of their own.
    pub(crate) fn prefix(&self) -> &'static str {
        if self.name == PLATFORM { "site." } else { "" }
    }
}

/// The name of the lowest layer.
pub const PLATFORM: &str = "platform";

/// Name of the layer of settings that administrators have saved.
pub const SAVED: &str = "saved";

/// A value that was ignored because an earlier layer locks its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// The dotted key.
    pub key: String,
    /// The layer with the value.
    pub layer: String,
    /// The file of that layer, or a description for layers without a file.
    pub source: String,
    /// The layer with the lock.
    pub locked_by: String,
}

impl Ignored {
    /// Whether it is the value of this key, of a table above it, or of a key below it.
    #[must_use]
    pub fn concerns(&self, key: &str) -> bool {
        covers(&self.key, key) || covers(key, &self.key)
    }
}

/// Whether one key is the other, or that of a table above it.
pub(crate) fn covers(upper: &str, lower: &str) -> bool {
    lower.strip_prefix(upper).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

impl fmt::Display for Ignored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, layer, source, locked_by } = self;
        write!(f, "{key} in {layer} ({source}) is ignored: {locked_by} locks it")
    }
}

/// The layers of one site, in ascending order of precedence.
#[derive(Clone, Debug)]
pub struct Layers {
    /// The layers; later ones override earlier ones.
    pub all: Vec<Layer>,
    /// The values that were ignored because of a lock.
    pub ignored: Vec<Ignored>,
}

type Groups = BTreeMap<String, Result<Layer, ConfigError>>;

impl Layers {
    /// Collects the layers of a site and removes the values that an earlier layer locks.
    ///
    /// # Errors
    /// A message, if the site's group does not exist or its file is invalid.
    pub fn stack(sld: &str, platform: &Layer, groups: &Groups, mut site: Layer, saved: &Saved) -> Result<Self, String> {
        let mut all = vec![platform.clone()];
        if let Some(group) = site.values.get("group").and_then(Value::as_str).filter(|name| !name.is_empty()) {
            match groups.get(group) {
                Some(Ok(layer)) => all.push(Layer { name: format!("group {group}"), ..layer.clone() }),
                Some(Err(_)) => return Err(format!("its group {group:?} cannot be read")),
                None => return Err(format!("its group {group:?} has no file in groups/")),
            }
        }
        let own = format!("site {sld}");
        site.name.clone_from(&own);
        site.values.insert("sld".to_owned(), Value::from(sld));
        let id = site.values.get("id").and_then(Value::to_i128).and_then(|id| i64::try_from(id).ok());
        all.push(site);
        all.extend(environment(sld));
        if let Some(values) = id.and_then(|id| saved.get(&id)) {
            all.push(from_pairs(SAVED, "settings saved by an administrator", values));
        }
        let mut ignored = Vec::new();
        let mut locks: Vec<(String, String)> = Vec::new();
        for layer in &mut all {
            for (key, by) in &locks {
                if remove(&mut layer.values, key) {
                    ignored.push(Ignored {
                        key: key.clone(),
                        layer: layer.name.clone(),
                        source: layer.source.clone(),
                        locked_by: by.clone(),
                    });
                }
            }
            locks.extend(layer.locked.iter().map(|key| (key.clone(), layer.name.clone())));
            // Content is stored by site number and addresses use the short name, so only the site's own file can set them.
            if layer.name == own {
                locks.extend(["id", "sld"].map(|key| (key.to_owned(), own.clone())));
            }
        }
        Ok(Self { all, ignored })
    }

    /// The name of the layer that locks a key, if one does.
    #[must_use]
    pub fn lock_of(&self, key: &str) -> Option<String> {
        let layer = self.all.iter().find(|layer| layer.locked.iter().any(|lock| covers(lock, key)))?;
        Some(layer.name.clone())
    }

    /// The layer that sets a key, with the key; where no layer sets it, the layer of the nearest key above it, with that key.
    #[must_use]
    pub fn place(&self, key: &str) -> Option<(&Layer, String)> {
        // A list is that of one layer as a whole: the entries of the other layers are not in use.
        let list = key.split_once('[').map(|(list, _)| list);
        let owner = |key: &str| self.all.iter().rev().find(|layer| value_at(layer, key).is_some());
        let of_list = list.and_then(owner);
        let mut key = key;
        while !key.is_empty() {
            let layer = match of_list {
                Some(layer) => value_at(layer, key).map(|_| layer),
                None => owner(key),
            };
            if let Some(layer) = layer {
                return Some((layer, key.to_owned()));
            }
            key = key.rfind(['.', '[']).map_or("", |end| &key[..end]);
        }
        None
    }
}

/// The value of a key in a layer.
fn value_at<'a>(layer: &'a Layer, key: &str) -> Option<&'a Value> {
    let mut steps = steps(key).into_iter();
    let Some(Step::Name(first)) = steps.next() else { return None };
    steps.try_fold(layer.values.get(first)?, |value, step| match step {
        Step::Name(name) => value.as_dict()?.get(name),
        Step::Index(index) => value.as_array()?.get(index),
    })
}

/// Parses every `*.toml` directly in a folder; the keys are the file names without the extension. Empty if the folder does not exist.
pub fn read_folder(folder: &Path) -> Groups {
    files(folder).into_iter().map(|(name, path)| (name, parse(&path, std::fs::read_to_string(&path)))).collect()
}

/// The paths of the `*.toml` files in a folder, by file name without the extension.
pub fn files(folder: &Path) -> BTreeMap<String, PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return BTreeMap::new() };
    entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .filter_map(|path| Some((path.file_stem()?.to_str()?.to_owned(), path)))
        .collect()
}

/// A fingerprint of everything that all sites share. It includes the saved settings of all sites: there are few of them, and which
/// site they belong to is known only after the site's file was read.
pub fn fingerprint(platform_layer: &Layer, groups: &Groups, platform: &impl fmt::Debug, saved: &Saved) -> u64 {
    let mut hasher = DefaultHasher::new();
    // The Debug output of these types is complete, and the fingerprint is only compared within one process.
    format!("{platform_layer:?} {groups:?} {platform:?} {saved:?}").hash(&mut hasher);
    hasher.finish()
}

/// A fingerprint of all sources of one site. An unreadable file (`None`) differs from an empty one.
pub fn sources(shared: u64, sld: &str, text: Option<&str>) -> u64 {
    let mut hasher = DefaultHasher::new();
    (shared, sld, text).hash(&mut hasher);
    if let Some(environment) = environment(sld) {
        format!("{environment:?}").hash(&mut hasher);
    }
    hasher.finish()
}

/// Parses the text of a file as a layer.
///
/// # Errors
/// [`ConfigError::Read`], [`ConfigError::Toml`].
pub fn parse(path: &Path, text: std::io::Result<String>) -> Result<Layer, ConfigError> {
    let shown = path.display().to_string();
    let text = text.map_err(|source| ConfigError::Read { path: shown.clone(), source })?;
    let table: toml::Table =
        toml::from_str(&text).map_err(|source| ConfigError::Toml { path: shown.clone(), source: Box::new(source) })?;
    Ok(from_table(shown, table))
}

/// Converts a TOML table to a layer; the list `locked` is removed from the values.
pub fn from_table(source: String, mut table: toml::Table) -> Layer {
    let locked = match table.remove("locked") {
        Some(toml::Value::Array(keys)) => keys.iter().filter_map(|key| key.as_str().map(str::to_owned)).collect(),
        _ => Vec::new(),
    };
    let values = Value::serialize(&table).ok().and_then(|value| value.into_dict()).unwrap_or_default();
    Layer { name: String::new(), source, values, locked }
}

/// The layer of the environment variables `MASTHEAD_SITE__<sld>__...`, such as `MASTHEAD_SITE__<sld>__header__navStyle`; `-` in the
/// short name is written `_`.
fn environment(sld: &str) -> Option<Layer> {
    let prefix = format!("MASTHEAD_SITE__{}__", sld.replace('-', "_"));
    let values: Vec<(String, serde_json::Value)> = std::env::vars()
        .filter_map(|(name, text)| {
            let key = name.strip_prefix(&prefix)?.replace("__", ".");
            Some((key, serde_json::from_str(&text).unwrap_or(serde_json::Value::String(text))))
        })
        .collect();
    (!values.is_empty()).then(|| from_pairs("environment", &format!("{prefix}*"), &values))
}

fn from_pairs(name: &str, source: &str, pairs: &[(String, serde_json::Value)]) -> Layer {
    let mut values = Dict::new();
    for (key, value) in pairs {
        if let Ok(value) = Value::serialize(value) {
            insert(&mut values, key, value);
        }
    }
    Layer { name: name.to_owned(), source: source.to_owned(), values, locked: Vec::new() }
}

fn insert(values: &mut Dict, key: &str, value: Value) {
    match key.split_once('.') {
        None => {
            values.insert(key.to_owned(), value);
        }
        Some((first, rest)) => {
            let inner = values.entry(first.to_owned()).or_insert_with(|| Value::from(Dict::new()));
            if let Value::Dict(_, inner) = inner {
                insert(inner, rest, value);
            }
        }
    }
}

fn remove(values: &mut Dict, key: &str) -> bool {
    match key.split_once('.') {
        None => values.remove(key).is_some(),
        Some((first, rest)) => match values.get_mut(first) {
            Some(Value::Dict(_, inner)) => remove(inner, rest),
            _ => false,
        },
    }
}
