//! The list of plugins that administrators save over that of the configuration files. It is a saved setting as others: the host serves with it a
//! moment later, and goes back to the files when it is removed.

use std::path::Path;

use masthead_config::{ConfigError, Configuration, SAVED, Saved, explain};
use masthead_domain::{
    plugin_use::{Grants, PluginUse},
    site::Site,
    text::nearest,
};
use masthead_store::{AuditEntry, Store};
use serde_json::{Map, Value};
use tokio::sync::Mutex;

use super::{Installed, differing_keys, edit_settings, entry_faults, set, unset};
use crate::saved_settings::{self, SettingChange, SettingError};

/// The key of the list.
pub const PLUGINS: &str = "plugins";
/// The key of an entry's settings.
const SETTINGS: &str = "settings";

/// One change at a time: each is made from the list that the one before has saved.
static ONE_AT_A_TIME: Mutex<()> = Mutex::const_new(());

/// A plugin that is to be enabled.
#[derive(Clone, Debug, Default)]
pub struct NewEntry {
    /// Version requirement or digest; any version without it.
    pub version: Option<String>,
    /// The settings.
    pub settings: Map<String, Value>,
    /// What the site grants.
    pub grants: Map<String, Value>,
}

/// What is to be done with a plugin of a site.
#[derive(Clone, Debug)]
pub enum PluginChange {
    /// It is enabled.
    Enable(NewEntry),
    /// Settings are changed, by their paths; null takes one away, so that its default applies again.
    Settings(Map<String, Value>),
    /// It is disabled.
    Disable,
}

/// A change of the entry of a plugin.
#[derive(Clone, Debug)]
pub struct EntryChange<'a> {
    /// Id of the plugin.
    pub plugin: &'a str,
    /// The change.
    pub change: PluginChange,
    /// Who makes it, for the audit trail.
    pub who: &'a str,
    /// Checks the change and stores nothing.
    pub dry_run: bool,
}

/// What a change did, or would do.
#[derive(Clone, Debug, PartialEq)]
pub struct EntryChanged {
    /// The entry before; null if the plugin was not enabled.
    pub before: Value,
    /// The entry after; null if the plugin is not enabled.
    pub after: Value,
}

/// Why an entry is not changed.
#[derive(Debug, thiserror::Error)]
pub enum EntryError {
    /// There is no such plugin, or no such version of it.
    #[error("{0}")]
    Unusable(String),
    /// The plugin does not take these settings or grants: a sentence for each fault.
    #[error("{}", .0.join("; "))]
    Faults(Vec<String>),
    /// The plugin is enabled already.
    #[error("{plugin} is enabled on {site} already; change its settings")]
    Enabled {
        /// Id of the plugin.
        plugin: String,
        /// Short name of the site.
        site: String,
    },
    /// The plugin is not enabled.
    #[error("{plugin} is not enabled on {site}{hint}")]
    NotEnabled {
        /// Id of the plugin.
        plugin: String,
        /// Short name of the site.
        site: String,
        /// Which plugin may be meant, or "".
        hint: String,
    },
    /// The list cannot be saved.
    #[error(transparent)]
    Setting(#[from] SettingError),
}

/// The lists of plugins of a site.
#[derive(Default)]
struct Lists {
    /// The one in use.
    used: Vec<Value>,
    /// The one that would be in use without saved settings.
    of_files: Vec<Value>,
}

/// Changes the entry of a plugin in the list of a site, and saves the list. A list that is that of the configuration files again is removed from
/// the saved settings.
///
/// # Errors
/// [`EntryError`]; nothing is stored then.
pub async fn change(
    store: &Store,
    (sites, site): (&Path, &Site),
    installed: &impl Installed,
    wanted: EntryChange<'_>,
) -> Result<EntryChanged, EntryError> {
    let EntryChange { plugin, change, who, dry_run } = wanted;
    let _one_at_a_time = ONE_AT_A_TIME.lock().await;
    let Lists { mut used, of_files } = read_lists(store, sites, site).await?;
    let (action, done) = apply(&mut used, &site.sld, installed, (plugin, change))?;
    let value = (used != of_files).then_some(Value::Array(used));
    let (before, after) = differing_keys(done.before.clone(), done.after.clone());
    let (action, subject) = (action.to_owned(), format!("plugin/{plugin}"));
    let line = AuditEntry { who: who.to_owned(), action, subject, before, after };
    let setting = SettingChange { key: PLUGINS, value, who, dry_run };
    saved_settings::change_with_line(store, sites, site, setting, |_| line).await?;
    Ok(done)
}

/// Reads the lists of a site from the configuration files and the saved settings as they are now: those in use in the host may be older.
async fn read_lists(store: &Store, sites: &Path, site: &Site) -> Result<Lists, EntryError> {
    let pairs = store.site(site.id).settings().await.map_err(SettingError::from)?;
    let (folder, saved, sld) = (sites.to_owned(), Saved::from([(site.id.0, pairs)]), site.sld.clone());
    let read = move || -> Result<Lists, ConfigError> {
        let configuration = Configuration::read(&folder, &saved)?;
        let Some(layers) = configuration.layers.get(&sld) else { return Ok(Lists::default()) };
        let Some(list) = explain(layers, PLUGINS).into_iter().find(|one| one.key == PLUGINS) else {
            return Ok(Lists::default());
        };
        let entries = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let used = entries(&list.value);
        let of_files = if list.from.0 == SAVED {
            list.overridden.last().map(|(_, _, value)| entries(value)).unwrap_or_default()
        } else {
            used.clone()
        };
        Ok(Lists { used, of_files })
    };
    let read = tokio::task::spawn_blocking(read).await.map_err(SettingError::from)?;
    Ok(read.map_err(SettingError::from)?)
}

/// Makes a change in a list, if nothing is wrong with it. Returns what was done, as the audit trail names it.
fn apply(
    list: &mut Vec<Value>,
    site: &str,
    installed: &impl Installed,
    (plugin, change): (&str, PluginChange),
) -> Result<(&'static str, EntryChanged), EntryError> {
    let at = list.iter().position(|entry| entry["id"] == plugin);
    let (plugin_id, sld) = (plugin.to_owned(), site.to_owned());
    match (change, at) {
        (PluginChange::Enable(_), Some(_)) => Err(EntryError::Enabled { plugin: plugin_id, site: sld }),
        (PluginChange::Enable(new), None) => {
            let after = new.checked(installed, plugin)?;
            list.push(after.clone());
            Ok(("enabled", EntryChanged { before: Value::Null, after }))
        }
        (_, None) => {
            let near = nearest(plugin, list.iter().filter_map(|entry| entry["id"].as_str()));
            let hint = near.map_or_else(String::new, |near| format!("; do you mean {near:?}?"));
            Err(EntryError::NotEnabled { plugin: plugin_id, site: sld, hint })
        }
        (PluginChange::Disable, Some(at)) => {
            Ok(("disabled", EntryChanged { before: list.remove(at), after: Value::Null }))
        }
        (PluginChange::Settings(fields), Some(at)) => {
            let before = list[at].clone();
            let after = with_settings(installed, &before, &fields)?;
            list[at] = after.clone();
            Ok(("changed", EntryChanged { before, after }))
        }
    }
}

/// An entry with changed settings.
fn with_settings(installed: &impl Installed, entry: &Value, fields: &Map<String, Value>) -> Result<Value, EntryError> {
    let refused = |fault: String| EntryError::Faults(vec![fault]);
    let read: PluginUse = serde_json::from_value(entry.clone()).map_err(|error| refused(error.to_string()))?;
    let edited = edit_settings(installed, &read, Vec::new(), |schema, settings| {
        let edit = |(key, value): (&String, &Value)| match value {
            Value::Null => unset(settings, key).err(),
            value => set(schema, settings, key, |_| value.clone()).err(),
        };
        fields.iter().filter_map(edit).collect()
    })?;
    check_depth(&edited.settings)?;
    let mut after = entry.clone();
    if let Some(entry) = after.as_object_mut() {
        entry.remove(SETTINGS);
        entry.extend(filled(SETTINGS, edited.settings));
    }
    Ok(after)
}

/// A key with its table; nothing if the table is empty.
fn filled(key: &str, table: Value) -> Option<(String, Value)> {
    table.as_object().is_some_and(|table| !table.is_empty()).then(|| (key.to_owned(), table))
}

/// Refuses what could be stored, and not be read again: a parser takes a limited number of levels.
fn check_depth(settings: &Value) -> Result<(), EntryError> {
    // With the levels of the list and the entry around it.
    let stored = Value::Array(vec![Value::Array(vec![settings.clone()])]).to_string();
    match serde_json::from_str::<Value>(&stored) {
        Ok(_) => Ok(()),
        Err(error) => Err(EntryError::Faults(vec![format!("settings: {error}")])),
    }
}

impl NewEntry {
    /// The entry, if the plugin takes it.
    fn checked(self, installed: &impl Installed, plugin: &str) -> Result<Value, EntryError> {
        let Self { version, settings, grants } = self;
        let (settings, grants) = (Value::Object(settings), Value::Object(grants));
        check_depth(&settings)?;
        let read = serde_json::from_value::<Grants>(grants.clone());
        let read = read.map_err(|error| EntryError::Faults(vec![format!("grants: {error}")]))?;
        let manifest = installed.manifest(plugin, version.as_deref().unwrap_or("*"), &read);
        let faults = entry_faults(&manifest.map_err(EntryError::Unusable)?, &settings, &read);
        if !faults.is_empty() {
            return Err(EntryError::Faults(faults));
        }
        let mut entry = Map::new();
        entry.insert("id".to_owned(), Value::from(plugin));
        entry.extend(version.map(|version| ("version".to_owned(), Value::from(version))));
        entry.extend(filled(SETTINGS, settings));
        entry.extend(filled("grants", grants));
        Ok(Value::Object(entry))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use masthead_runtime::Inventory;
    use serde_json::json;

    use super::*;

    const MANIFEST: &str = "id='badge'\nversion='0.1.0'\ncontract='0.1'\nhooks=['links.rewrite']\nname={zh='甲',en='A'}\n\
        capabilities={kv='Counts.'}\n[settings]\ntype='object'\nadditionalProperties=false\nrequired=['label']\n\
        [settings.properties.label]\ntype='string'\n[settings.properties.size]\ntype='integer'\ndefault=3\n";

    fn inventory() -> Inventory {
        let mut inventory = Inventory::new(BTreeSet::new());
        inventory.add_built_in(MANIFEST, b"one");
        inventory
    }

    fn map(value: Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap_or_default()
    }

    fn new(version: Option<&str>, settings: Value, grants: Value) -> PluginChange {
        PluginChange::Enable(NewEntry {
            version: version.map(str::to_owned),
            settings: map(settings),
            grants: map(grants),
        })
    }

    /// The list after a change, or why there is none.
    fn changed(list: &Value, plugin: &str, change: PluginChange) -> Result<Value, String> {
        let mut list = list.as_array().cloned().unwrap_or_default();
        let done = apply(&mut list, "one", &inventory(), (plugin, change));
        done.map(|_| Value::Array(list)).map_err(|error| error.to_string())
    }

    #[test]
    fn an_entry_is_added_changed_and_removed() {
        let other = json!([{ "id": "other", "grants": { "kv": true } }]);
        let enabled = changed(&other, "badge", new(Some("0.1"), json!({ "label": "Open" }), json!({ "kv": true })));
        let entry =
            json!({ "id": "badge", "version": "0.1", "settings": { "label": "Open" }, "grants": { "kv": true } });
        let both = json!([other[0], entry]);
        assert_eq!(enabled.as_ref(), Ok(&both));
        let settings = |fields: Value| changed(&both, "badge", PluginChange::Settings(map(fields)));
        let sized = settings(json!({ "size": 4, "label": "Free" }));
        assert_eq!(sized.map(|list| list[1]["settings"].clone()), Ok(json!({ "label": "Free", "size": 4 })));
        assert_eq!(settings(json!({})), Ok(both.clone()));
        assert_eq!(changed(&both, "badge", PluginChange::Disable), Ok(other));
    }

    #[test]
    fn what_the_plugin_does_not_take_is_refused() {
        let none = json!([]);
        let granted = || json!({ "kv": true });
        let of = |plugin: &str, change: PluginChange| changed(&none, plugin, change).err().unwrap_or_default();
        for (fault, why) in [
            (of("bagde", new(None, json!({}), json!({}))), "there is no plugin \"bagde\"; do you mean \"badge\"?"),
            (of("badge", new(Some("7"), json!({}), json!({}))), "no version of badge meets \"7\""),
            (of("badge", new(None, json!({}), granted())), "settings: label is missing"),
            (of("badge", new(None, json!({ "label": 1 }), granted())), "settings: label is 1"),
            (of("badge", new(None, json!({ "label": "a" }), json!({}))), "grants.kv is missing"),
            (of("badge", new(None, json!({ "label": "a" }), json!({ "teleport": true }))), "teleport"),
            (of("badge", PluginChange::Disable), "badge is not enabled on one"),
        ] {
            assert!(fault.contains(why), "{why}: {fault}");
        }
        let one = json!([{ "id": "badge", "settings": { "label": "Open" }, "grants": { "kv": true } }]);
        let of = |plugin: &str, change: PluginChange| changed(&one, plugin, change).err().unwrap_or_default();
        let settings = |fields: Value| of("badge", PluginChange::Settings(map(fields)));
        for (fault, why) in [
            (of("badge", new(None, json!({ "label": "a" }), granted())), "badge is enabled on one already"),
            (of("bagde", PluginChange::Disable), "do you mean \"badge\"?"),
            (settings(json!({ "label": null })), "settings: label is missing"),
            (settings(json!({ "size": null })), "settings: size is not set"),
            (settings(json!({ "lable": "a" })), "do you mean label?"),
        ] {
            assert!(fault.contains(why), "{why}: {fault}");
        }
    }

    #[test]
    fn what_could_not_be_read_again_is_refused() {
        let nested = |levels: usize| (0..levels).fold(json!({}), |inner, _| json!({ "a": inner }));
        assert!(check_depth(&nested(100)).is_ok() && check_depth(&nested(127)).is_err());
    }
}
