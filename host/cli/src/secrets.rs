//! `masthead secrets`: the secrets that plugins use, in `secrets.toml` in the data folder.

use std::{
    collections::BTreeSet,
    io::{self, IsTerminal as _, Read as _},
    path::Path,
};

use anyhow::Context as _;
use clap::{Args, Subcommand};
use masthead_config::Configuration;
use masthead_content::{
    granted_secrets,
    host_services::{INSTALLATION, Secrets as Known},
    secrets_file::{ListedSecret, MAX_SECRET, SecretOwner, SecretState, audit_entry, hint, listed},
};
use masthead_domain::site::Site;

use crate::{
    Locations, find_site,
    installation::{configuration_of_files, note},
    plugin::admin,
    records::By,
};

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
        let configuration = configuration_of_files(&self.locations).await?;
        let site = self.site(&configuration)?;
        let owner = site.map_or_else(SecretOwner::of_installation, SecretOwner::of_site);
        owner.check_name(name)?;
        let value = read_value(name)?;
        let was_set = owner.set(&self.locations.data, name, &value)?;
        note(&self.locations, &[owner.id], &audit_entry(self.by.name(), name, was_set, true)).await;
        println!("the secret {name} of {} is {}", owner.shown, if was_set { "replaced" } else { "set" });
        if let Some(site) = site {
            print_use(site, name);
        }
        tell_host(&self.locations.data).await
    }

    async fn remove(self) -> anyhow::Result<()> {
        let name = &self.name;
        let configuration = configuration_of_files(&self.locations).await?;
        let site = self.site(&configuration)?;
        let owner = site.map_or_else(SecretOwner::of_installation, SecretOwner::of_site);
        owner.remove(&self.locations.data, name)?;
        note(&self.locations, &[owner.id], &audit_entry(self.by.name(), name, true, false)).await;
        println!("the secret {name} of {} is removed", owner.shown);
        if let Some(plugins) = site.and_then(|site| plugins_with(site, name)) {
            println!("{plugins} may still use it, and is without it now");
        }
        tell_host(&self.locations.data).await
    }

    /// The site; `None` for the installation.
    fn site<'a>(&self, configuration: &'a Configuration) -> anyhow::Result<Option<&'a Site>> {
        self.site.as_deref().map(|site| find_site(configuration, site)).transpose()
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
    io::stdin().lock().take(MAX_SECRET as u64 + 1).read_to_end(&mut bytes).context("reading standard input")?;
    anyhow::ensure!(bytes.len() <= MAX_SECRET, "the value on standard input has more than {MAX_SECRET} bytes");
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

impl ListSecrets {
    async fn run(self) -> anyhow::Result<()> {
        let configuration = configuration_of_files(&self.locations).await?;
        let only = self.site.as_deref().map(|site| find_site(&configuration, site).map(|site| site.id)).transpose()?;
        let known = Known::default();
        if self.locations.data.is_dir() {
            known.read(&self.locations.data).map_err(anyhow::Error::msg)?;
        }
        let mut rows = listed(&configuration, &known);
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

fn text(row: &ListedSecret) -> String {
    let ListedSecret { site_id, site, name, plugins, state } = row;
    if *site_id == INSTALLATION {
        let used = if *state == SecretState::Unused { "unused" } else { "used by the host" };
        return format!("the installation: {name} is set, {used}");
    }
    let place = site.as_deref().map_or_else(|| format!("site {site_id}, which does not exist"), str::to_owned);
    let plugins = plugins.join(", ");
    match state {
        SecretState::Set => format!("{place}: {name} is set, used by {plugins}"),
        SecretState::Missing => {
            format!("{place}: {name} is missing, used by {plugins}; run `masthead secrets set {name} --site {place}`")
        }
        SecretState::Unused => format!("{place}: {name} is set and unused"),
    }
}
