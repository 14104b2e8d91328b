//! Edits of a site's configuration file that keep its comments and order.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use masthead_content::toml_values::set;
use masthead_domain::plugin_use::PluginUse;
use serde_json::Value as Json;
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, Value};

use crate::plugin::toml_merge;

/// Keys that a canary may set for itself.
const CANARY_KEYS: [&str; 2] = [SETTINGS, "grants"];
const SETTINGS: &str = "settings";

/// The configuration file of a site.
pub struct SiteFile {
    path: PathBuf,
    document: DocumentMut,
}

impl SiteFile {
    /// Reads `<sld>.toml` in the folder of sites.
    ///
    /// # Errors
    /// A message, if `sld` is not a valid short name, or the file is unreadable or not TOML.
    pub fn open(sites: &Path, sld: &str) -> anyhow::Result<Self> {
        let path = sites.join(format!("{sld}.toml"));
        let plain = sld.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        anyhow::ensure!(plain && sld != "platform", "{sld:?} is not the short name of a site");
        let text = fs::read_to_string(&path).map_err(|error| {
            anyhow::anyhow!("reading {}: {error}; give the folder of sites with --sites", path.display())
        })?;
        let document =
            text.parse().map_err(|error| anyhow::anyhow!("{} is not valid TOML: {error}", path.display()))?;
        Ok(Self { path, document })
    }

    /// Its path, for messages.
    pub fn display_path(&self) -> String {
        self.path.display().to_string()
    }

    /// The number of the site.
    pub fn id(&self) -> Option<i64> {
        self.document.get("id").and_then(Item::as_integer)
    }

    /// The short name of the site.
    pub fn sld(&self) -> String {
        self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The entry of a plugin as JSON; null if the file does not list the plugin.
    ///
    /// # Errors
    /// A message, if the file has values that are not valid TOML.
    pub fn entry(&self, id: &str) -> anyhow::Result<Json> {
        let table: toml::Table = toml::from_str(&self.document.to_string())
            .with_context(|| format!("{} is not valid TOML", self.display_path()))?;
        let mut entries = table.get("plugins").and_then(toml::Value::as_array).into_iter().flatten();
        let entry = entries.find(|entry| entry.get("id").and_then(toml::Value::as_str) == Some(id));
        Ok(entry.map(serde_json::to_value).transpose()?.unwrap_or_default())
    }

    /// Changes the settings of a plugin: what is equal in both keeps its place and its comments.
    ///
    /// # Errors
    /// A message, if the file does not list the plugin, or its settings are no table.
    pub fn change_settings(&mut self, id: &str, before: &Json, after: &Json) -> anyhow::Result<()> {
        let shown = self.display_path();
        let entry = self.plugin(id)?;
        if !entry.contains_key(SETTINGS) {
            entry.insert(SETTINGS, Item::Value(InlineTable::new().into()));
        }
        let settings = entry.get_mut(SETTINGS).and_then(Item::as_table_like_mut);
        let settings = settings.ok_or_else(|| anyhow::anyhow!("{shown}: the settings of {id} are no table"))?;
        toml_merge::merge(settings, before, after);
        if settings.is_empty() {
            entry.remove(SETTINGS);
        }
        Ok(())
    }

    /// Whether it has a `plugins` key.
    pub fn lists_plugins(&self) -> bool {
        self.document.contains_key("plugins")
    }

    /// The entry of a plugin.
    ///
    /// # Errors
    /// A message, if the file does not list the plugin.
    pub fn plugin(&mut self, id: &str) -> anyhow::Result<&mut dyn TableLike> {
        let shown = self.display_path();
        let found = match self.document.get_mut("plugins") {
            Some(Item::ArrayOfTables(tables)) => {
                tables.iter_mut().find(|table| is(*table, id)).map(|table| table as &mut dyn TableLike)
            }
            Some(Item::Value(Value::Array(array))) => array
                .iter_mut()
                .filter_map(Value::as_inline_table_mut)
                .find(|table| is(*table, id))
                .map(|table| table as &mut dyn TableLike),
            _ => None,
        };
        found.ok_or_else(|| {
            anyhow::anyhow!(
                "{shown} does not list the plugin {id} under [[plugins]]; it may be listed in the file of the site's group"
            )
        })
    }

    /// Whether it lists a plugin.
    pub fn has(&mut self, id: &str) -> bool {
        self.plugin(id).is_ok()
    }

    /// Adds an entry at the end.
    pub fn push(&mut self, entry: Table) {
        match self.document.entry("plugins").or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new())) {
            Item::Value(Value::Array(array)) => array.push(entry.into_inline_table()),
            Item::ArrayOfTables(tables) => tables.push(entry),
            other => {
                let mut tables = ArrayOfTables::new();
                tables.push(entry);
                *other = Item::ArrayOfTables(tables);
            }
        }
    }

    /// Removes the entry of a plugin.
    pub fn remove(&mut self, id: &str) {
        let empty = match self.document.get_mut("plugins") {
            Some(Item::ArrayOfTables(tables)) => {
                tables.retain(|table| !is(table, id));
                tables.is_empty()
            }
            Some(Item::Value(Value::Array(array))) => {
                array.retain(|value| !value.as_inline_table().is_some_and(|table| is(table, id)));
                array.is_empty()
            }
            _ => false,
        };
        if empty {
            self.document.remove("plugins");
        }
    }

    /// Validates the changed file, writes it to a temporary file and renames that over the original: a host that watches the
    /// folder reads the old or the new file, never a part of one.
    ///
    /// # Errors
    /// A message, if the result is invalid or cannot be written; the file is unchanged then.
    pub fn save(&self) -> anyhow::Result<()> {
        let (shown, text) = (self.display_path(), self.document.to_string());
        let table: toml::Table =
            toml::from_str(&text).with_context(|| format!("{shown} is not changed: the result is not valid TOML"))?;
        for entry in table.get("plugins").and_then(toml::Value::as_array).into_iter().flatten() {
            let read = entry.clone().try_into::<PluginUse>();
            read.map_err(|error| {
                anyhow::anyhow!("{shown} is not changed: an entry under [[plugins]] would be invalid: {error}")
            })?;
        }
        let write = || -> std::io::Result<()> {
            // The target of a symbolic link is replaced, not the link.
            let path = self.path.canonicalize()?;
            let folder = path.parent().unwrap_or_else(|| Path::new("."));
            let mut temporary = tempfile::NamedTempFile::new_in(folder)?;
            temporary.write_all(text.as_bytes())?;
            fs::set_permissions(temporary.path(), fs::metadata(&path)?.permissions())?;
            temporary.persist(&path)?;
            Ok(())
        };
        write().with_context(|| format!("writing {shown}"))
    }
}

fn is(table: &dyn TableLike, id: &str) -> bool {
    table.get("id").and_then(Item::as_str) == Some(id)
}

/// The string value of a key in an entry.
pub fn text<'a>(entry: &'a dyn TableLike, key: &str) -> Option<&'a str> {
    entry.get(key).and_then(Item::as_str)
}

/// Replaces the version, settings and grants of an entry with those of its canary, and removes the canary. Returns the new version,
/// or `None` if the entry has no canary with a version.
pub fn promote(entry: &mut dyn TableLike) -> Option<String> {
    let mut canary = entry.remove("canary")?;
    let canary = canary.as_table_like_mut()?;
    let version = text(canary, "version")?.to_owned();
    set(entry, "version", version.as_str());
    for key in CANARY_KEYS {
        match canary.remove(key) {
            Some(Item::Value(own)) => set(entry, key, own),
            Some(own) => drop(entry.insert(key, own)),
            None => {}
        }
    }
    Some(version)
}

/// Converts JSON to a TOML value on one line. Null fields of objects are omitted; other nulls become "".
pub fn value(json: &Json) -> Value {
    match json {
        Json::Object(map) => {
            let mut table = InlineTable::new();
            for (key, part) in map.iter().filter(|(_, part)| !part.is_null()) {
                table.insert(key, value(part));
            }
            table.into()
        }
        Json::Array(items) => items.iter().map(value).collect::<Array>().into(),
        Json::String(text) => text.as_str().into(),
        Json::Bool(flag) => (*flag).into(),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(number), _) => number.into(),
            (None, number) => number.unwrap_or_default().into(),
        },
        Json::Null => "".into(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn promoted(text: &str) -> String {
        let mut file = SiteFile { path: PathBuf::from("a.toml"), document: text.parse().unwrap() };
        promote(file.plugin("b").unwrap()).unwrap();
        file.document.to_string()
    }

    #[test]
    fn promotion_changes_only_the_version() {
        let before = "id = 1 # one\n\n# first\n[[plugins]]\nid = \"a\"\n\n# second\n[[plugins]]\nid = \"b\"\n# pinned\nversion = \"0.1\" # since May\nsettings = { x = 1 } # own\n";
        let after = before.replace("0.1", "0.2");
        let rest = "\n# last\n[[plugins]]\nid = \"c\"\n";
        let canaries = [
            "canary = { version = \"0.2\", share = 5 }\n",
            "[plugins.canary]\nversion = \"0.2\"\n",
            "\n# on trial\n[plugins.canary] # soon\nversion = \"0.2\" # new\nshare = 50\n",
        ];
        for canary in canaries {
            assert_eq!(promoted(&format!("{before}{canary}{rest}")), format!("{after}{rest}"), "{canary}");
        }
    }

    #[test]
    fn promotion_takes_over_settings_and_grants_of_the_canary() {
        let text = "[[plugins]]\nid = \"b\"\nsettings = { x = 1 }\ngrants = { kv = true }\ncanary = { version = \"2\", settings = { x = 2 } }\n[[plugins]]\nid = \"c\"\n";
        let after = "[[plugins]]\nid = \"b\"\nsettings = { x = 2 }\ngrants = { kv = true }\nversion = \"2\"\n[[plugins]]\nid = \"c\"\n";
        assert_eq!(promoted(text), after);
        let text = "[[plugins]]\nid = \"b\"\n[plugins.settings]\nx = 1\n[plugins.canary]\nversion = \"2\"\n[plugins.canary.settings]\nx = 2\n[[plugins]]\nid = \"c\"\n";
        let after = promoted(text);
        let read: toml::Table = toml::from_str(&after).unwrap();
        assert_eq!(read["plugins"][0]["settings"]["x"].as_integer(), Some(2), "{after}");
        assert!(
            read["plugins"][0].get("canary").is_none() && read["plugins"][1]["id"].as_str() == Some("c"),
            "{after}"
        );
        let text = "plugins = [\n  { id = \"a\" }, # first\n  { id = \"b\", canary = { version = \"2\" } },\n]\n";
        assert_eq!(promoted(text), "plugins = [\n  { id = \"a\" }, # first\n  { id = \"b\", version = \"2\" },\n]\n");
    }
}
