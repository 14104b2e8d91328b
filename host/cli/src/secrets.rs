//! `masthead secrets`: the secrets that plugins use, in `secrets.toml` in the data folder.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::{self, IsTerminal as _, Read as _},
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use clap::{Args, Subcommand};
use masthead_config::Configuration;
use masthead_content::{
    data_folder, granted_secrets,
    host_services::{INSTALLATION, MAIL_PASSWORD, PLATFORM, Secrets as Known},
};
use masthead_domain::{SiteId, site::Site, text::nearest};
use masthead_store::AuditEntry;
use serde::Serialize;
use serde_json::json;
use toml_edit::{DocumentMut, Item, Table};

use crate::{
    Locations, find_site,
    installation::{configuration_of_files, note},
    plugin::{admin, site_file},
    records::By,
};

/// Greatest number of bytes of a secret.
const LARGEST: u64 = 64 << 10;
/// Name of the file that commands lock while they change the secrets.
const LOCK: &str = "secrets.lock";

/// List, set and remove the secrets that plugins use, and those of the installation (`--platform`), such as the password at the mail server. A
/// running host uses a change at once.
#[derive(Subcommand)]
pub enum Secrets {
    /// Set a secret, or replace it. Its value is read from standard input, never from an argument.
    Set(SetSecret),
    /// List the names of the secrets, the plugins that use them, and those that are missing. Values are never shown.
    List(ListSecrets),
    /// Remove a secret.
    Remove(RemoveSecret),
}

/// A secret of a site, or of the installation.
#[derive(Args)]
struct OfSite {
    /// Name of the secret, as in the grants of the site; of the installation: mail-password.
    name: String,
    #[command(flatten)]
    locations: Locations,
    /// Number or short name of the site.
    #[arg(long, value_name = "ID", required_unless_present = "platform")]
    site: Option<String>,
    /// The secret is the installation's, and no plugin can use it.
    #[arg(long, conflicts_with = "site")]
    platform: bool,
    #[command(flatten)]
    by: By,
}

/// The place of a secret in the file.
struct Place {
    id: SiteId,
    /// The table of the file.
    table: String,
    /// What messages call it.
    shown: String,
}

impl Place {
    fn of_site(site: &Site) -> Self {
        Self { id: site.id, table: site.id.to_string(), shown: site.sld.clone() }
    }

    fn of_installation() -> Self {
        Self { id: INSTALLATION, table: PLATFORM.to_owned(), shown: "the installation".to_owned() }
    }
}

/// Set a secret.
#[derive(Args)]
pub struct SetSecret {
    #[command(flatten)]
    secret: OfSite,
}

/// Remove a secret.
#[derive(Args)]
pub struct RemoveSecret {
    #[command(flatten)]
    secret: OfSite,
}

/// List the names of the secrets.
#[derive(Args)]
pub struct ListSecrets {
    #[command(flatten)]
    locations: Locations,
    /// Number or short name of a site; all sites without it.
    #[arg(long, value_name = "ID")]
    site: Option<String>,
    /// Print one JSON array.
    #[arg(long)]
    json: bool,
}

/// A secret in the list.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    site_id: SiteId,
    /// Short name of the site; nothing if no site has this number.
    site: Option<String>,
    name: String,
    /// The plugins that may use it.
    plugins: Vec<String>,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    /// Set, and granted to a plugin.
    Set,
    /// Granted to a plugin, and not set.
    Missing,
    /// Set, and granted to no plugin.
    Unused,
}

impl Secrets {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Set(SetSecret { secret }) => secret.set().await,
            Self::List(list) => list.run().await,
            Self::Remove(RemoveSecret { secret }) => secret.remove().await,
        }
    }
}

impl OfSite {
    async fn set(self) -> anyhow::Result<()> {
        let name = &self.name;
        anyhow::ensure!(
            !name.is_empty() && !name.chars().any(|c| c.is_control() || c.is_whitespace()),
            "{name:?} is not the name of a secret: write it as in the grants of the site"
        );
        let configuration = configuration_of_files(&self.locations).await?;
        let site = self.site(&configuration)?;
        let place = site.map_or_else(Place::of_installation, Place::of_site);
        if site.is_none() && name != MAIL_PASSWORD {
            anyhow::bail!("the installation uses no secret {name:?}; it uses {MAIL_PASSWORD:?}");
        }
        let value = read_value(name)?;
        let mut file = SecretFile::open(&self.locations.data)?;
        let was_set = file.set(&place.table, name, &value)?;
        file.save()?;
        self.note(place.id, if was_set { "replaced" } else { "set" }, (was_set, true)).await;
        println!("the secret {name} of {} is {}", place.shown, if was_set { "replaced" } else { "set" });
        if let Some(site) = site {
            print_use(site, name);
        }
        tell_host(&self.locations.data).await
    }

    async fn remove(self) -> anyhow::Result<()> {
        let name = &self.name;
        let configuration = configuration_of_files(&self.locations).await?;
        let site = self.site(&configuration)?;
        let place = site.map_or_else(Place::of_installation, Place::of_site);
        let mut file = SecretFile::open(&self.locations.data)?;
        if let Err(known) = file.remove(&place.table, name) {
            anyhow::bail!("{} has no secret {name:?}{}", place.shown, hint(name, &known));
        }
        file.save()?;
        self.note(place.id, "removed", (true, false)).await;
        println!("the secret {name} of {} is removed", place.shown);
        if let Some(plugins) = site.and_then(|site| plugins_with(site, name)) {
            println!("{plugins} may still use it, and is without it now");
        }
        tell_host(&self.locations.data).await
    }

    /// The site; `None` for the installation.
    fn site<'a>(&self, configuration: &'a Configuration) -> anyhow::Result<Option<&'a Site>> {
        self.site.as_deref().map(|site| find_site(configuration, site)).transpose()
    }

    /// The line of the audit trail, which says whether the secret was set, and never its value.
    async fn note(&self, site: SiteId, action: &str, (before, after): (bool, bool)) {
        let entry = AuditEntry {
            who: self.by.name(),
            action: action.to_owned(),
            subject: format!("secret/{}", self.name),
            before: json!({ "set": before }),
            after: json!({ "set": after }),
        };
        note(&self.locations, &[site], &entry).await;
    }
}

/// The plugins of a site that may use a secret.
fn plugins_with(site: &Site, name: &str) -> Option<String> {
    let granted = granted_secrets::granted(site).into_iter().filter(|secret| secret.name == name);
    let plugins: Vec<_> = granted.map(|secret| secret.plugin).collect();
    (!plugins.is_empty()).then(|| plugins.join(", "))
}

/// Says who uses a secret; for one that nobody uses, which one may be meant.
fn print_use(site: &Site, name: &str) {
    if let Some(plugins) = plugins_with(site, name) {
        println!("used by {plugins}");
        return;
    }
    let granted: BTreeSet<String> = granted_secrets::granted(site).into_iter().map(|secret| secret.name).collect();
    println!("no plugin of {} is granted it yet{}", site.sld, hint(name, &granted));
}

/// Which name may be meant, for the end of a message.
fn hint<'a>(name: &str, known: impl IntoIterator<Item = &'a String>) -> String {
    let near = nearest(name, known.into_iter().map(String::as_str));
    near.map_or_else(String::new, |near| format!("; do you mean {near:?}?"))
}

/// Lets a running host read the secrets again.
async fn tell_host(data: &Path) -> anyhow::Result<()> {
    let told = admin::reload(data).await.context("the file is written, but the running host may not use it yet")?;
    let Some(host) = told else { return Ok(()) };
    // The host names the file in its messages, and no secret.
    let problem = host.problems.iter().find(|problem| problem.starts_with("secrets: "));
    if let Some(problem) = problem.or(host.refused.as_ref()) {
        anyhow::bail!("the file is written, but the running host does not use it: {problem}");
    }
    println!("the running host uses the change");
    Ok(())
}

/// Reads a secret from standard input, without the line break at its end.
fn read_value(name: &str) -> anyhow::Result<String> {
    let text = if io::stdin().is_terminal() { typed(name)? } else { piped()? };
    let value = text.strip_suffix('\n').map_or(text.as_str(), |line| line.strip_suffix('\r').unwrap_or(line));
    anyhow::ensure!(!value.is_empty(), "the value of {name} on standard input is empty; nothing is changed");
    Ok(value.to_owned())
}

fn piped() -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(LARGEST + 1).read_to_end(&mut bytes).context("reading standard input")?;
    anyhow::ensure!(bytes.len() as u64 <= LARGEST, "the value on standard input has more than {LARGEST} bytes");
    // The error of the conversion would have the bytes.
    String::from_utf8(bytes).map_err(|_| anyhow::anyhow!("the value on standard input is not UTF-8 text"))
}

/// Reads a line from the terminal without showing it.
#[cfg(target_os = "linux")]
fn typed(name: &str) -> anyhow::Result<String> {
    use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};

    let stdin = io::stdin();
    let shown = tcgetattr(&stdin).context("reading the settings of the terminal")?;
    let mut hidden = shown.clone();
    hidden.local_modes.remove(LocalModes::ECHO);
    eprint!("value of {name} (not shown): ");
    tcsetattr(&stdin, OptionalActions::Flush, &hidden).context("hiding what is typed")?;
    let mut line = String::new();
    let read = stdin.read_line(&mut line);
    tcsetattr(&stdin, OptionalActions::Flush, &shown).context("showing again what is typed")?;
    eprintln!();
    read.context("reading the terminal")?;
    Ok(line)
}

/// A terminal is refused where what is typed cannot be hidden.
#[cfg(not(target_os = "linux"))]
fn typed(name: &str) -> anyhow::Result<String> {
    anyhow::bail!(
        "the terminal would show the value of {name}; send it on standard input, from a file or another program"
    )
}

/// The file with the secrets, locked against other commands.
struct SecretFile {
    path: PathBuf,
    document: DocumentMut,
    _lock: File,
}

impl SecretFile {
    fn open(data: &Path) -> anyhow::Result<Self> {
        data_folder::create(data)?;
        let lock = data.join(LOCK);
        let lock = data_folder::lock(&lock).with_context(|| format!("locking {}", lock.display()))?;
        // Checks the mode of the file and its form; the messages have no secret.
        Known::default().read(data).map_err(anyhow::Error::msg)?;
        let path = data.join("secrets.toml");
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            text => text.with_context(|| format!("reading {}", path.display()))?,
        };
        // The message of the parser would quote a line.
        let document = text.parse().map_err(|_| {
            anyhow::anyhow!(
                "{} has a form of TOML that commands cannot change; write one line for each secret",
                path.display()
            )
        })?;
        Ok(Self { path, document, _lock: lock })
    }

    /// Sets a secret, and says whether it was set before.
    fn set(&mut self, table: &str, name: &str, value: &str) -> anyhow::Result<bool> {
        let item = self.document.entry(table).or_insert_with(|| Item::Table(Table::new()));
        let table = item.as_table_like_mut().ok_or_else(|| anyhow::anyhow!("the entry {table} is no table"))?;
        let was_set = table.contains_key(name);
        site_file::set(table, name, value);
        Ok(was_set)
    }

    /// Removes a secret; the error has the names that are set.
    fn remove(&mut self, key: &str, name: &str) -> Result<(), Vec<String>> {
        let Some(table) = self.document.get_mut(key).and_then(Item::as_table_like_mut) else { return Err(Vec::new()) };
        if table.remove(name).is_none() {
            return Err(table.iter().map(|(name, _)| name.to_owned()).collect());
        }
        if table.is_empty() {
            self.document.remove(key);
        }
        Ok(())
    }

    fn save(&self) -> anyhow::Result<()> {
        data_folder::replace_private(&self.path, self.document.to_string().as_bytes())
            .with_context(|| format!("writing {}", self.path.display()))
    }
}

impl ListSecrets {
    async fn run(self) -> anyhow::Result<()> {
        let configuration = configuration_of_files(&self.locations).await?;
        let only = self.site.as_deref().map(|site| find_site(&configuration, site).map(|site| site.id)).transpose()?;
        let known = Known::default();
        if self.locations.data.is_dir() {
            known.read(&self.locations.data).map_err(anyhow::Error::msg)?;
        }
        let mut rows = rows(&configuration, &known);
        rows.retain(|row| only.is_none_or(|only| row.site_id == only));
        if self.json {
            println!("{}", serde_json::to_string_pretty(&rows)?);
            return Ok(());
        }
        if rows.is_empty() {
            println!("no secret is set, and none is granted to a plugin");
        }
        rows.iter().for_each(|row| println!("{}", text(row)));
        Ok(())
    }
}

/// All secrets that are granted or set, by site and name.
fn rows(configuration: &Configuration, known: &Known) -> Vec<Row> {
    let mut all: BTreeMap<(SiteId, String), Vec<String>> = BTreeMap::new();
    for site in configuration.sites.values() {
        for secret in granted_secrets::granted(site) {
            all.entry((site.id, secret.name)).or_default().push(secret.plugin);
        }
    }
    for place in known.names() {
        all.entry(place).or_default();
    }
    let row = |((site_id, name), plugins): ((SiteId, String), Vec<String>)| {
        let site = configuration.sites.values().find(|site| site.id == site_id).map(|site| site.sld.clone());
        // The installation uses its secrets itself.
        let used = site_id == INSTALLATION && name == MAIL_PASSWORD;
        let state = match (known.has(site_id, &name), plugins.is_empty() && !used) {
            (false, _) => State::Missing,
            (true, true) => State::Unused,
            (true, false) => State::Set,
        };
        Row { site_id, site, name, plugins, state }
    };
    all.into_iter().map(row).collect()
}

fn text(row: &Row) -> String {
    let Row { site_id, site, name, plugins, state } = row;
    if *site_id == INSTALLATION {
        let used = if *state == State::Unused { "unused" } else { "used by the host" };
        return format!("the installation: {name} is set, {used}");
    }
    let place = site.as_deref().map_or_else(|| format!("site {site_id}, which does not exist"), str::to_owned);
    let plugins = plugins.join(", ");
    match state {
        State::Set => format!("{place}: {name} is set, used by {plugins}"),
        State::Missing => {
            format!("{place}: {name} is missing, used by {plugins}; run `masthead secrets set {name} --site {place}`")
        }
        State::Unused => format!("{place}: {name} is set and unused"),
    }
}
