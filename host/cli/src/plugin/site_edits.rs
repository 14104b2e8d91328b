//! `masthead plugin promote|rollback|enable|disable` and `masthead plugin canary start`: edits of a site's configuration file,
//! which a running host reloads.

use clap::Args;
use masthead_config::{Configuration, Saved};
use masthead_content::{host_services::Secrets, plugin_entries::entry_faults};
use masthead_domain::{
    SiteId,
    plugin_use::{Grants, SecretGrant},
    text::nearest,
};
use masthead_runtime::Inventory;
use serde_json::{Map, Value};
use toml_edit::{InlineTable, Item, Table};

use crate::{
    installation::PluginFolders,
    plugin::{
        given::{self, Pair},
        site_file::{self, SiteFile},
        target::{SitePlugin, inventory, list_of_plugins, refuse},
    },
    records::By,
};

/// Make the canary of a plugin the version in use.
#[derive(Args)]
pub struct Promote {
    #[command(flatten)]
    target: SitePlugin,
    #[command(flatten)]
    by: By,
}

/// Remove the canary of a plugin; the version in use stays.
#[derive(Args)]
pub struct Rollback {
    #[command(flatten)]
    target: SitePlugin,
    #[command(flatten)]
    by: By,
}

/// Run a second version of a plugin alongside the version in use.
#[derive(Args)]
pub struct Start {
    #[command(flatten)]
    target: SitePlugin,
    /// Version requirement or digest of the second version.
    #[arg(long)]
    version: String,
    /// Percentage of requests that it serves; with 0, its results are only compared.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=100))]
    share: u8,
    #[command(flatten)]
    by: By,
}

/// Enable a plugin on a site. Everything that the host would not accept is refused: unknown plugins, versions and settings, values of the
/// wrong type, grants that the plugin does not ask for.
#[derive(Args)]
pub struct Enable {
    #[command(flatten)]
    target: SitePlugin,
    #[command(flatten)]
    folders: PluginFolders,
    /// Version requirement or digest.
    #[arg(long)]
    version: Option<String>,
    /// Capability that the site grants, such as `kv`, `content` or `http=api.example.org`; may be repeated.
    #[arg(long, value_name = "GRANT")]
    grant: Vec<String>,
    /// Setting, such as `label=Open`, `title.en=Open` or `hosts=["a.example.org"]`; may be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    by: By,
}

/// Disable a plugin on a site.
#[derive(Args)]
pub struct Disable {
    #[command(flatten)]
    target: SitePlugin,
    #[command(flatten)]
    by: By,
}

impl Promote {
    pub async fn run(self) -> anyhow::Result<()> {
        let plugin = &self.target.plugin;
        let mut file = self.target.file()?;
        let (shown, old) = (file.display_path(), file.entry(plugin)?);
        let entry = file.plugin(plugin)?;
        let before = site_file::text(entry, "version").unwrap_or("*").to_owned();
        let version = site_file::promote(entry)
            .ok_or_else(|| anyhow::anyhow!("{shown}: {plugin} has no canary with a version; the file is unchanged"))?;
        self.target.save(&file, "promoted", old, &self.by).await?;
        println!("{shown}: {plugin} is now at {version} (was {before})");
        Ok(())
    }
}

impl Rollback {
    pub async fn run(self) -> anyhow::Result<()> {
        let plugin = &self.target.plugin;
        let mut file = self.target.file()?;
        let (shown, old) = (file.display_path(), file.entry(plugin)?);
        let entry = file.plugin(plugin)?;
        let version = site_file::text(entry, "version").unwrap_or("*").to_owned();
        anyhow::ensure!(entry.remove("canary").is_some(), "{shown}: {plugin} has no canary; the file is unchanged");
        self.target.save(&file, "rolled back", old, &self.by).await?;
        println!("{shown}: {plugin} stays at {version}; the canary is removed");
        Ok(())
    }
}

impl Start {
    pub async fn run(self) -> anyhow::Result<()> {
        let plugin = &self.target.plugin;
        let mut file = self.target.file()?;
        let (shown, old) = (file.display_path(), file.entry(plugin)?);
        let entry = file.plugin(plugin)?;
        anyhow::ensure!(
            entry.get("canary").is_none(),
            "{shown}: {plugin} already has a canary; end it with `masthead plugin promote` or `rollback`"
        );
        let mut canary = InlineTable::new();
        canary.insert("version", self.version.as_str().into());
        canary.insert("share", i64::from(self.share).into());
        entry.insert("canary", Item::Value(canary.into()));
        self.target.save(&file, "canary started", old, &self.by).await?;
        println!(
            "{shown}: {plugin} {} runs as a canary; show the comparison with `masthead plugin canary`",
            self.version
        );
        Ok(())
    }
}

impl Enable {
    pub async fn run(self) -> anyhow::Result<()> {
        let plugin = &self.target.plugin;
        let mut faults = Vec::new();
        let mut file = self.target.file().map_err(|error| faults.push(error.to_string())).ok();
        if let Some(file) = &mut file {
            faults.extend(self.place_fault(file));
        }
        let installed = inventory(&self.folders, &self.target.locations).await;
        let (entry, grants) = self.entry(&installed, &mut faults);
        refuse(&format!("{plugin} is not enabled"), &faults)?;
        let Some(mut file) = file else { return Ok(()) };
        file.push(entry);
        self.target.save(&file, "enabled", Value::Null, &self.by).await?;
        println!("{}: {plugin} is enabled", file.display_path());
        self.print_missing_secrets(&file, &grants);
        Ok(())
    }

    /// Why the file cannot take an entry.
    fn place_fault(&self, file: &mut SiteFile) -> Option<String> {
        let (shown, plugin, sld) = (file.display_path(), &self.target.plugin, file.sld());
        if file.has(plugin) {
            return Some(format!(
                "{shown} already lists {plugin}: it is enabled; change its settings with `masthead plugin settings set {plugin} \
                 --site {sld} KEY=VALUE`"
            ));
        }
        if file.lists_plugins() {
            return None;
        }
        // A list in the site's file replaces the one of its group or of the platform.
        let configuration = Configuration::read(&self.target.locations.sites, &Saved::new()).ok()?;
        let inherited = configuration.sites.get(&sld).filter(|site| !site.plugins.is_empty())?;
        let (layer, source) = list_of_plugins(&configuration, &sld).unwrap_or_default();
        Some(if inherited.plugins.iter().any(|entry| entry.id == *plugin) {
            format!("{plugin} is enabled on {sld} by {layer} ({source}); change its entry there")
        } else {
            format!(
                "{shown} lists no plugins, but the site inherits some from {layer} ({source}), and a list in {shown} would replace \
                 them; write the whole list there"
            )
        })
    }

    /// The new entry and its grants; all that is wrong with them is added to `faults`.
    fn entry(&self, installed: &Inventory, faults: &mut Vec<String>) -> (Table, Grants) {
        let plugin = &self.target.plugin;
        let (json, grants) = parse_grants(&self.grant, faults);
        let pairs = given::pairs(&self.set, "--set ", faults);
        let mut settings = Value::Object(Map::new());
        match installed.select(plugin, self.version.as_deref().unwrap_or("*"), &grants) {
            Err(fault) => faults.push(fault),
            Ok(listed) => {
                let manifest = &listed.manifest;
                for Pair { key, text } in &pairs {
                    faults.extend(given::set(&manifest.settings, &mut settings, key, text).err());
                }
                faults.extend(entry_faults(manifest, &settings, &grants));
            }
        }
        let mut entry = Table::new();
        entry.insert("id", toml_edit::value(plugin));
        if let Some(version) = &self.version {
            entry.insert("version", toml_edit::value(version));
        }
        for (key, value) in [("settings", settings), ("grants", Value::Object(json))] {
            if value.as_object().is_some_and(|map| !map.is_empty()) {
                entry.insert(key, Item::Value(site_file::value(&value)));
            }
        }
        (entry, grants)
    }

    /// Says which of the granted secrets are not set, if the data folder is there.
    fn print_missing_secrets(&self, file: &SiteFile, grants: &Grants) {
        let data = &self.target.locations.data;
        let secrets = Secrets::default();
        let Some(id) = file.id().filter(|_| data.is_dir() && secrets.read(data).is_ok()) else { return };
        let is_missing = |secret: &&SecretGrant| !secrets.has(SiteId(id), secret.name());
        for secret in grants.secrets.iter().filter(is_missing) {
            let (name, sld) = (secret.name(), file.sld());
            println!("the secret {name:?} is not set; run `masthead secrets set {name} --site {sld}`");
        }
    }
}

impl Disable {
    pub async fn run(self) -> anyhow::Result<()> {
        let plugin = &self.target.plugin;
        let mut file = self.target.file()?;
        let old = file.entry(plugin)?;
        file.plugin(plugin)?;
        file.remove(plugin);
        self.target.save(&file, "disabled", old, &self.by).await?;
        println!("{}: {plugin} is disabled; its entry is removed", file.display_path());
        Ok(())
    }
}

/// Grants that a site gives or does not give.
const FLAGS: [&str; 2] = ["content", "kv"];
/// Grants that list what they give.
const LISTS: [&str; 5] = ["http", "privateHttp", "secrets", "frames", "personal"];

/// Parses grants of the command line: `kv`, `http=a`, `http=b` -> `{ kv: true, http: [a, b] }`. Those that cannot be read are added to
/// `faults`, and left out.
fn parse_grants(given: &[String], faults: &mut Vec<String>) -> (Map<String, Value>, Grants) {
    let mut grants = Map::new();
    for grant in given {
        match parse_grant(grant) {
            Ok((name, Value::Bool(flag))) => drop(grants.insert(name.to_owned(), Value::Bool(flag))),
            Ok((name, value)) => {
                let list = grants.entry(name).or_insert_with(|| Value::Array(Vec::new()));
                if let Some(list) = list.as_array_mut() {
                    list.push(value);
                }
            }
            Err(fault) => faults.push(format!("--grant {grant}: {fault}")),
        }
    }
    let read = serde_json::from_value::<Grants>(Value::Object(grants.clone())).unwrap_or_else(|error| {
        faults.push(format!("--grant: {error}"));
        Grants::default()
    });
    (grants, read)
}

/// The name of a grant, and what is granted.
fn parse_grant(grant: &str) -> Result<(&str, Value), String> {
    let (name, value) = grant.split_once('=').map_or((grant, None), |(name, value)| (name, Some(value)));
    match (FLAGS.contains(&name), LISTS.contains(&name), value) {
        (true, _, None) => Ok((name, Value::Bool(true))),
        (true, _, Some(_)) => Err(format!("it has no value; write `{name}`")),
        (_, true, None | Some("")) => Err(format!("name what is granted, as in `{name}={}`", example(name))),
        // The servers that a secret may be sent to are in a table.
        (_, true, Some(table)) if name == "secrets" && table.starts_with('{') => {
            let value: Value = serde_json::from_str(table).map_err(|error| format!("it is not valid JSON: {error}"))?;
            let expected = "expected `{\"name\": \"key\", \"origins\": [\"https://api.example.org\"]}`";
            let read = serde_json::from_value::<SecretGrant>(value.clone());
            read.map(|_| (name, value)).map_err(|_| expected.to_owned())
        }
        (_, true, Some(value)) => Ok((name, Value::String(value.to_owned()))),
        (false, false, _) => Err(match nearest(name, FLAGS.into_iter().chain(LISTS)) {
            Some(near) => format!("there is no such grant; do you mean `{near}`?"),
            None => "there is no such grant; there are `content`, `kv`, `http=<server>`, `privateHttp=<server>`, `secrets=<name>`, \
                     `frames=https://<server>` and `personal=<field>`"
                .to_owned(),
        }),
    }
}

fn example(name: &str) -> &'static str {
    match name {
        "secrets" => "gateway-key",
        "frames" => "https://assistant.example.org",
        "personal" => "author.email",
        _ => "api.example.org",
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn read(given: &[&str]) -> (Value, Vec<String>) {
        let given: Vec<String> = given.iter().map(|one| (*one).to_owned()).collect();
        let mut faults = Vec::new();
        let (grants, _) = parse_grants(&given, &mut faults);
        (Value::Object(grants), faults)
    }

    #[test]
    fn grants_parse_to_flags_and_lists() {
        let bound = r#"secrets={"name": "key", "origins": ["https://a.example.org"]}"#;
        let given = ["kv", "http=a.example.org", "http=b.example.org", "secrets=plain", bound];
        let wanted = serde_json::json!({
            "kv": true, "http": ["a.example.org", "b.example.org"],
            "secrets": ["plain", { "name": "key", "origins": ["https://a.example.org"] }],
        });
        assert_eq!(read(&given), (wanted, Vec::new()));
    }

    #[test]
    fn every_grant_that_cannot_be_read_is_named() {
        let given = ["teleport", "http", "kv=a", "contents", "secrets={", "secrets={\"name\": 1}", "kv"];
        let (grants, faults) = read(&given);
        assert_eq!(grants, serde_json::json!({ "kv": true }));
        let words = [
            "--grant teleport: there is no such grant; there are `content`, `kv`, `http=<server>`",
            "--grant http: name what is granted, as in `http=api.example.org`",
            "--grant kv=a: it has no value; write `kv`",
            "--grant contents: there is no such grant; do you mean `content`?",
            "--grant secrets={: it is not valid JSON",
            "--grant secrets={\"name\": 1}: expected `{\"name\": \"key\"",
        ];
        assert_eq!(faults.len(), words.len(), "{faults:#?}");
        for (fault, words) in faults.iter().zip(words) {
            assert!(fault.starts_with(words), "{fault} should say {words}");
        }
    }
}
