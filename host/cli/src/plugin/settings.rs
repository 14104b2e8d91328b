//! `masthead plugin settings show|set|unset`.

use clap::{Args, Subcommand};
use masthead_config::Configuration;
use masthead_content::{
    plugin_entries::{self, EditedSettings, EntryError},
    records::FieldChange,
};
use masthead_domain::{plugin_use::PluginUse, site::Site, text::nearest};
use masthead_runtime::{setting_faults, with_defaults};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::{
    installation::{self, PluginFolders, configuration_of_files},
    plugin::{
        given::{self, Pair},
        target::{SitePlugin, inventory, list_of_plugins, refuse},
    },
    records::{By, shown},
};

/// Show or change the settings of a plugin on a site. A running host uses a changed setting at once.
#[derive(Subcommand)]
pub enum Settings {
    /// Show the settings with their defaults and what they are for.
    Show(ShowSettings),
    /// Change settings. The plugin's schema is checked first; the file keeps its comments and order.
    Set(SetSettings),
    /// Take settings away, so that their defaults apply again.
    Unset(UnsetSettings),
}

/// Show the settings of a plugin.
#[derive(Args)]
pub struct ShowSettings {
    #[command(flatten)]
    target: SitePlugin,
    #[command(flatten)]
    folders: PluginFolders,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Change settings.
#[derive(Args)]
pub struct SetSettings {
    #[command(flatten)]
    target: SitePlugin,
    /// Settings, such as `label=Open`, `title.en=Open` or `links.+='{"name": "a"}'`.
    #[arg(value_name = "KEY=VALUE", required = true)]
    pairs: Vec<String>,
    #[command(flatten)]
    how: HowToChange,
}

/// Take settings away.
#[derive(Args)]
pub struct UnsetSettings {
    #[command(flatten)]
    target: SitePlugin,
    /// Keys, such as `label`, `title.en` or `links.0`.
    #[arg(value_name = "KEY", required = true)]
    keys: Vec<String>,
    #[command(flatten)]
    how: HowToChange,
}

/// How a change is made.
#[derive(Args)]
struct HowToChange {
    #[command(flatten)]
    folders: PluginFolders,
    /// Check and print the change, but write nothing.
    #[arg(long)]
    dry_run: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    by: By,
}

/// The settings of a plugin on a site.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown {
    plugin: String,
    /// The version that the site uses.
    version: String,
    site: String,
    /// The file with the entry.
    file: String,
    settings: Vec<Setting>,
    /// What the schema of the plugin says against the settings.
    faults: Vec<String>,
}

/// A setting. A secret is a name here, too: its value is in no configuration.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Setting {
    key: String,
    /// The value in use; null if it is neither set nor has a default.
    value: Value,
    /// Whether the file sets it.
    is_set: bool,
    default: Value,
    required: bool,
    description: String,
}

impl Settings {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Show(show) => show.run().await,
            Self::Set(set) => {
                let mut faults = Vec::new();
                let pairs = given::pairs(&set.pairs, "", &mut faults);
                let edit = |schema: &Value, settings: &mut Value| {
                    let set = |pair: &Pair| given::set(schema, settings, &pair.key, &pair.text).err();
                    pairs.iter().filter_map(set).collect::<Vec<_>>()
                };
                change(&set.target, &set.how, faults, edit).await
            }
            Self::Unset(unset) => {
                let keys = &unset.keys;
                let edit = |_: &Value, settings: &mut Value| {
                    keys.iter().filter_map(|key| plugin_entries::unset(settings, key).err()).collect::<Vec<_>>()
                };
                change(&unset.target, &unset.how, Vec::new(), edit).await
            }
        }
    }
}

impl ShowSettings {
    async fn run(self) -> anyhow::Result<()> {
        let SitePlugin { locations, site, plugin } = &self.target;
        let sld = installation::short_name(&locations.sites, site)?;
        let configuration = configuration_of_files(locations).await?;
        let site = configuration.sites.get(&sld).ok_or_else(|| {
            anyhow::anyhow!("the site {sld} is not served; `masthead site check` says what is wrong with its file")
        })?;
        let entry = entry_of(site, plugin)?;
        let installed = inventory(&self.folders, locations).await;
        let listed = installed.select(plugin, &entry.version, &entry.grants).map_err(anyhow::Error::msg)?;
        let (_, file) = list_of_plugins(&configuration, &sld).unwrap_or_default();
        let shown = Shown {
            plugin: plugin.clone(),
            version: listed.manifest.version.to_string(),
            site: sld.clone(),
            file,
            settings: settings_of(&listed.manifest.settings, &entry.settings),
            faults: setting_faults(&listed.manifest, &entry.settings),
        };
        if self.json {
            println!("{}", serde_json::to_string_pretty(&shown)?);
        } else {
            print(&shown);
        }
        Ok(())
    }
}

/// The entry of a plugin on a site.
fn entry_of<'s>(site: &'s Site, plugin: &str) -> anyhow::Result<&'s PluginUse> {
    let sld = &site.sld;
    site.plugins.iter().find(|entry| entry.id == plugin).ok_or_else(|| {
        let hint = match nearest(plugin, site.plugins.iter().map(|entry| entry.id.as_str())) {
            Some(near) => format!("do you mean {near:?}?"),
            None => format!("enable it with `masthead plugin enable {plugin} --site {sld}`"),
        };
        anyhow::anyhow!("{plugin} is not enabled on {sld}; {hint}")
    })
}

/// The settings that the schema has, and those that are set without being in it.
fn settings_of(schema: &Value, settings: &Value) -> Vec<Setting> {
    let none = Map::new();
    let (known, set) = (schema["properties"].as_object().unwrap_or(&none), settings.as_object().unwrap_or(&none));
    let complete = with_defaults(schema, settings);
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let keys = known.keys().chain(set.keys().filter(|key| !known.contains_key(*key)));
    let setting = |key: &String| {
        let part = &schema["properties"][key.as_str()];
        Setting {
            key: key.clone(),
            value: complete[key.as_str()].clone(),
            is_set: set.contains_key(key),
            default: part["default"].clone(),
            required: required.contains(&key.as_str()),
            description: part["description"].as_str().unwrap_or_default().to_owned(),
        }
    };
    keys.map(setting).collect()
}

fn print(all: &Shown) {
    println!("{} {} on {} ({})", all.plugin, all.version, all.site, all.file);
    for setting in &all.settings {
        let Setting { key, value, is_set, default, required, description } = setting;
        match (is_set, value, required) {
            (true, value, _) => println!("{key} = {}", shown(value)),
            (false, Value::Null, true) => println!("{key} is not set, and is required"),
            (false, Value::Null, false) => println!("{key} is not set"),
            (false, value, _) => println!("{key} = {} (default)", shown(value)),
        }
        if !description.is_empty() {
            println!("  {description}");
        }
        if *is_set && !default.is_null() && default != value {
            println!("  default {}", shown(default));
        }
    }
    if all.settings.is_empty() {
        println!("the plugin has no settings");
    }
    all.faults.iter().for_each(|fault| println!("wrong: {fault}"));
}

/// Changes the settings in the site's file, if nothing is wrong with the change. `edit` changes settings under a schema and returns what
/// it cannot change.
async fn change(
    target: &SitePlugin,
    how: &HowToChange,
    faults: Vec<String>,
    edit: impl FnOnce(&Value, &mut Value) -> Vec<String>,
) -> anyhow::Result<()> {
    let SitePlugin { locations, plugin, .. } = target;
    let mut file = target.file()?;
    let sld = file.sld();
    let old = file.entry(plugin)?;
    check_place(&configuration_of_files(locations).await?, &sld, plugin, old.is_null())?;
    let entry: PluginUse = serde_json::from_value(old.clone())
        .map_err(|error| anyhow::anyhow!("{}: the entry of {plugin}: {error}", file.display_path()))?;
    let installed = inventory(&how.folders, locations).await;
    let edited = plugin_entries::edit_settings(&installed, &entry, faults, edit);
    let EditedSettings { settings, changes, faults } = match edited {
        Err(EntryError::Faults(faults)) => {
            return refuse(&format!("the settings of {plugin} on {sld} are not changed"), &faults);
        }
        edited => edited?,
    };
    if !changes.is_empty() && !how.dry_run {
        file.change_settings(plugin, &entry.settings, &settings)?;
        target.save(&file, "changed", old, &how.by).await?;
    }
    if how.json {
        let action = if changes.is_empty() { "unchanged" } else { "changed" };
        let done = json!({
            "plugin": plugin, "site": sld, "file": file.display_path(), "action": action, "dryRun": how.dry_run,
            "changes": changes, "faults": faults,
        });
        println!("{done}");
        return Ok(());
    }
    for FieldChange { key, before, after } in &changes {
        println!("{key}: {} -> {}", shown(before), shown(after));
    }
    match (changes.is_empty(), how.dry_run) {
        (true, _) => println!("nothing changes"),
        (false, true) => println!("dry run: nothing is written"),
        (false, false) => println!("{} is written", file.display_path()),
    }
    faults.iter().for_each(|fault| println!("still wrong: {fault}"));
    if entry.canary.is_some_and(|canary| canary.settings.is_some()) {
        println!("the canary of {plugin} has settings of its own, which are not changed");
    }
    Ok(())
}

/// Refuses a change of a site's file that has no entry of the plugin, or whose list of plugins is not the one in use.
fn check_place(configuration: &Configuration, sld: &str, plugin: &str, is_absent: bool) -> anyhow::Result<()> {
    if let Some((layer, source)) =
        list_of_plugins(configuration, sld).filter(|(layer, _)| *layer != format!("site {sld}"))
    {
        anyhow::bail!("the plugins of {sld} are those of {layer} ({source}); change them there");
    }
    if is_absent {
        if let Some(site) = configuration.sites.get(sld) {
            entry_of(site, plugin)?;
        }
        anyhow::bail!(
            "{plugin} is not enabled on {sld}; enable it with `masthead plugin enable {plugin} --site {sld}`"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_shown_with_defaults_and_unknown_ones() {
        let schema = json!({
            "type": "object", "required": ["hosts"],
            "properties": { "size": { "default": 3, "description": "Its size." }, "hosts": { "type": "array" } },
        });
        let all = settings_of(&schema, &json!({ "size": 4, "colour": 1 }));
        let row = |one: &Setting| (one.key.clone(), one.value.clone(), one.is_set, one.default.clone(), one.required);
        let expected = [
            ("hosts".to_owned(), Value::Null, false, Value::Null, true),
            ("size".to_owned(), json!(4), true, json!(3), false),
            ("colour".to_owned(), json!(1), true, Value::Null, false),
        ];
        assert_eq!(all.iter().map(row).collect::<Vec<_>>(), expected);
        assert_eq!(all[1].description, "Its size.");
    }
}
