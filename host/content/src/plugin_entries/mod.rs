//! The plugins that a site has enabled: the entries of its list `plugins`. What may be enabled, and which settings an entry may have, is decided
//! here for the commands `masthead plugin enable` and `settings`, which write the site's file, and for the administrators' calls, which save a
//! list over those of the files.

mod paths;
mod saved_list;

use masthead_domain::plugin_use::{Grants, PluginUse};
use masthead_runtime::{Catalog, Inventory, Manifest, grant_faults, setting_faults};
use serde_json::{Map, Value};

pub use self::{
    paths::{set, unset},
    saved_list::{EntryChange, EntryChanged, EntryError, NewEntry, PLUGINS, PluginChange, change},
};
use crate::records::{FieldChange, setting_differences};

/// The installed plugins: as manifests say, or as a host has loaded them.
pub trait Installed {
    /// The manifest of the version that a site with this requirement and these grants uses.
    ///
    /// # Errors
    /// A message about an unknown plugin, or a requirement that no version meets.
    fn manifest(&self, id: &str, requirement: &str, grants: &Grants) -> Result<Manifest, String>;
}

impl Installed for Inventory {
    fn manifest(&self, id: &str, requirement: &str, grants: &Grants) -> Result<Manifest, String> {
        self.select(id, requirement, grants).map(|listed| listed.manifest.clone())
    }
}

impl Installed for Catalog {
    fn manifest(&self, id: &str, requirement: &str, grants: &Grants) -> Result<Manifest, String> {
        let newest = self.find(id, requirement).map_err(|message| format!("{id}: {message}"))?;
        let mut meeting = self.meeting(id, requirement).into_iter();
        let granted = meeting.find(|plugin| plugin.manifest().missing(grants).is_empty());
        Ok(granted.unwrap_or(newest).manifest().clone())
    }
}

/// What is wrong with the settings and the grants of an entry.
#[must_use]
pub fn entry_faults(manifest: &Manifest, settings: &Value, grants: &Grants) -> Vec<String> {
    let mut faults = setting_faults(manifest, settings);
    faults.extend(grant_faults(manifest, grants));
    faults
}

/// What is wrong with a list of plugins that is to be saved, besides its form. Entries that are in use already are not checked again: what is
/// wrong with them does not prevent the change of others.
#[must_use]
pub fn list_faults(installed: &impl Installed, in_use: &[PluginUse], list: &Value) -> Vec<String> {
    let entries = serde_json::from_value::<Vec<PluginUse>>(list.clone()).unwrap_or_default();
    let mut faults = Vec::new();
    for entry in entries.iter().filter(|entry| !in_use.contains(entry)) {
        match installed.manifest(&entry.id, &entry.version, &entry.grants) {
            Ok(manifest) => {
                let found = entry_faults(&manifest, &entry.settings, &entry.grants);
                faults.extend(found.into_iter().map(|fault| format!("{}: {fault}", entry.id)));
            }
            Err(fault) => faults.push(fault),
        }
    }
    faults
}

/// The settings of an entry after a change that is not stored yet.
pub struct EditedSettings {
    /// The settings.
    pub settings: Value,
    /// The settings with their values before and after; lists are compared as a whole.
    pub changes: Vec<FieldChange>,
    /// What is still wrong with the settings, and was before.
    pub faults: Vec<String>,
}

/// Changes the settings of an entry, if nothing is wrong with the change. `edit` changes settings under the schema of the plugin and returns what
/// it cannot change; `faults` are found already. What was wrong before and is not touched does not prevent the correction of something else.
///
/// # Errors
/// [`EntryError::Unusable`], [`EntryError::Faults`].
pub fn edit_settings(
    installed: &impl Installed,
    entry: &PluginUse,
    mut faults: Vec<String>,
    edit: impl FnOnce(&Value, &mut Value) -> Vec<String>,
) -> Result<EditedSettings, EntryError> {
    let manifest = installed.manifest(&entry.id, &entry.version, &entry.grants).map_err(EntryError::Unusable)?;
    let mut settings = entry.settings.clone();
    faults.extend(edit(&manifest.settings, &mut settings));
    let earlier = faults_of(installed, &manifest, entry, &entry.settings);
    let new = faults_of(installed, &manifest, entry, &settings);
    faults.extend(new.iter().filter(|fault| !earlier.contains(fault)).cloned());
    if !faults.is_empty() {
        return Err(EntryError::Faults(faults));
    }
    let changes = setting_differences(&entry.settings, &settings);
    Ok(EditedSettings { settings, changes, faults: new })
}

/// What the schemas of the version in use and of a canary with the same settings say against them.
fn faults_of(installed: &impl Installed, manifest: &Manifest, entry: &PluginUse, settings: &Value) -> Vec<String> {
    let mut faults = setting_faults(manifest, settings);
    if let Some(canary) = entry.canary.as_ref().filter(|canary| canary.settings.is_none()) {
        let grants: &Grants = canary.grants.as_ref().unwrap_or(&entry.grants);
        // A canary that is not installed is reported by the host.
        let other = installed.manifest(&entry.id, &canary.version, grants);
        let of_canary = other.map(|other| setting_faults(&other, settings)).unwrap_or_default();
        faults.extend(of_canary.into_iter().map(|fault| format!("its canary {}: {fault}", canary.version)));
    }
    faults
}

/// The keys of two entries that differ, for the audit trail; the whole where there is only one.
#[must_use]
pub fn differing_keys(mut before: Value, mut after: Value) -> (Value, Value) {
    if let (Value::Object(before), Value::Object(after)) = (&mut before, &mut after) {
        let same: Vec<String> =
            before.iter().filter(|(key, value)| after.get(*key) == Some(*value)).map(|(key, _)| key.clone()).collect();
        let drop_same = |entry: &mut Map<String, Value>| entry.retain(|key, _| !same.contains(key));
        drop_same(before);
        drop_same(after);
    }
    (before, after)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::*;

    fn inventory() -> Inventory {
        let mut inventory = Inventory::new(BTreeSet::new());
        let manifest = "id='badge'\nversion='0.1.0'\ncontract='0.1'\nhooks=['links.rewrite']\nname={zh='甲',en='A'}\n\
            [settings]\ntype='object'\nadditionalProperties=false\n[settings.properties.label]\ntype='string'\n\
            [settings.properties.size]\ntype='integer'\n";
        inventory.add_built_in(manifest, b"one");
        inventory
    }

    #[test]
    fn a_line_of_the_audit_trail_has_what_differs() {
        let before = json!({ "id": "a", "version": "0.1", "canary": { "version": "0.2" } });
        let after = json!({ "id": "a", "version": "0.2" });
        let expected = (json!({ "version": "0.1", "canary": { "version": "0.2" } }), json!({ "version": "0.2" }));
        assert_eq!(differing_keys(before.clone(), after), expected);
        assert_eq!(differing_keys(before.clone(), Value::Null), (before, Value::Null));
    }

    #[test]
    fn what_was_wrong_before_does_not_prevent_another_change() {
        let installed = inventory();
        let entry = PluginUse {
            id: "badge".to_owned(),
            version: "*".to_owned(),
            settings: json!({ "size": "wide" }),
            ..PluginUse::default()
        };
        let set_to = |key: &'static str, value: Value| {
            move |schema: &Value, settings: &mut Value| {
                set(schema, settings, key, |_| value).err().into_iter().collect::<Vec<_>>()
            }
        };
        let labelled = edit_settings(&installed, &entry, Vec::new(), set_to("label", json!("Open")));
        let labelled = labelled.map(|edited| (edited.settings, edited.faults.len())).map_err(|error| error.to_string());
        assert_eq!(labelled, Ok((json!({ "label": "Open", "size": "wide" }), 1)));
        for (key, value, why) in [
            ("label", json!(3), "settings: label is 3"),
            ("lable", json!("x"), "do you mean label?"),
            ("size", json!(true), "settings: size is true"),
        ] {
            let refused = edit_settings(&installed, &entry, Vec::new(), set_to(key, value)).err();
            assert!(refused.as_ref().is_some_and(|error| error.to_string().contains(why)), "{why}: {refused:?}");
        }
        let unknown = PluginUse { id: "bagde".to_owned(), ..entry };
        let refused = edit_settings(&installed, &unknown, Vec::new(), |_, _| Vec::new()).err();
        assert!(matches!(refused, Some(EntryError::Unusable(_))), "{refused:?}");
    }

    #[test]
    fn a_list_is_checked_where_it_differs_from_the_one_in_use() {
        let installed = inventory();
        let faults = |in_use: &[PluginUse], list: Value| list_faults(&installed, in_use, &list);
        let wrong = json!([{ "id": "badge", "settings": { "size": "wide" } }, { "id": "gone" }]);
        let in_use: Vec<PluginUse> = serde_json::from_value(wrong.clone()).unwrap_or_default();
        assert_eq!(in_use.len(), 2);
        assert_eq!(faults(&in_use, wrong.clone()), [""; 0]);
        let found = faults(&[], wrong);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(
            found[0].starts_with("badge: settings: size is \"wide\"") && found[1].contains("\"gone\""),
            "{found:?}"
        );
        assert_eq!(faults(&[], json!([{ "id": "badge", "settings": { "label": "Open" } }])), [""; 0]);
    }
}
