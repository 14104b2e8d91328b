//! Secrets as administrators see and change them, in `secrets.toml` in the data folder: which are set, which are missing, who uses them. Values
//! are written and never shown.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use masthead_config::Configuration;
use masthead_domain::{SiteId, site::Site, text::nearest};
use masthead_store::AuditEntry;
use serde::Serialize;
use serde_json::json;
use toml_edit::{DocumentMut, Item, Table};

use crate::{
    data_folder, granted_secrets,
    host_services::{INSTALLATION, MAIL_PASSWORD, PLATFORM, Secrets},
    toml_values,
};

/// Greatest number of bytes of a secret.
pub const MAX_SECRET: usize = 64 << 10;
/// Name of the file that is locked while secrets are changed.
const LOCK: &str = "secrets.lock";

/// Why a secret is not changed. No message has the value of a secret.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// No grant can have this name.
    #[error("{0:?} is not the name of a secret: write it as in the grants of the site")]
    Name(String),
    /// The installation uses no secret of this name.
    #[error("the installation uses no secret {0:?}; it uses {MAIL_PASSWORD:?}")]
    NotOfInstallation(String),
    /// The secret is not set.
    #[error("{owner} has no secret {name:?}{hint}")]
    Unknown {
        /// The site, or the installation.
        owner: String,
        /// The name.
        name: String,
        /// Which name may be meant, or "".
        hint: String,
    },
    /// The file cannot be read or written.
    #[error(transparent)]
    File(anyhow::Error),
}

impl SecretError {
    /// The file is written, but cannot be read.
    pub fn unreadable(cause: impl std::fmt::Display) -> Self {
        Self::File(anyhow::anyhow!("the secrets are not in use: {cause}"))
    }
}

/// Whose a secret is.
#[derive(Clone, Debug)]
pub struct SecretOwner {
    /// The site; the number of the installation for its own secrets.
    pub id: SiteId,
    /// What messages call it.
    pub shown: String,
    /// The table of the file.
    table: String,
}

impl SecretOwner {
    /// A site.
    #[must_use]
    pub fn of_site(site: &Site) -> Self {
        Self { id: site.id, table: site.id.to_string(), shown: site.sld.clone() }
    }

    /// The installation.
    #[must_use]
    pub fn of_installation() -> Self {
        Self { id: INSTALLATION, table: PLATFORM.to_owned(), shown: "the installation".to_owned() }
    }

    /// Checks the name of a secret that is to be set.
    ///
    /// # Errors
    /// [`SecretError::Name`], [`SecretError::NotOfInstallation`].
    pub fn check_name(&self, name: &str) -> Result<(), SecretError> {
        if name.is_empty() || name.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return Err(SecretError::Name(name.to_owned()));
        }
        if self.id == INSTALLATION && name != MAIL_PASSWORD {
            return Err(SecretError::NotOfInstallation(name.to_owned()));
        }
        Ok(())
    }

    /// Sets a secret, and returns whether it was set before.
    ///
    /// # Errors
    /// Those of [`Self::check_name`], and [`SecretError::File`].
    pub fn set(&self, data: &Path, name: &str, value: &str) -> Result<bool, SecretError> {
        self.check_name(name)?;
        let mut file = SecretsFile::open(data).map_err(SecretError::File)?;
        let was_set = file.set(&self.table, name, value).map_err(SecretError::File)?;
        file.save().map_err(SecretError::File)?;
        Ok(was_set)
    }

    /// Removes a secret.
    ///
    /// # Errors
    /// [`SecretError::Unknown`], [`SecretError::File`].
    pub fn remove(&self, data: &Path, name: &str) -> Result<(), SecretError> {
        let mut file = SecretsFile::open(data).map_err(SecretError::File)?;
        if let Err(known) = file.remove(&self.table, name) {
            let (owner, name) = (self.shown.clone(), name.to_owned());
            return Err(SecretError::Unknown { hint: hint(&name, &known), owner, name });
        }
        file.save().map_err(SecretError::File)
    }
}

/// The line of the audit trail for a change, which says whether the secret was set before and is after, and never its value.
#[must_use]
pub fn audit_entry(who: String, name: &str, was_set: bool, is_set: bool) -> AuditEntry {
    let action = match (was_set, is_set) {
        (true, true) => "replaced",
        (false, true) => "set",
        (_, false) => "removed",
    };
    AuditEntry {
        who,
        action: action.to_owned(),
        subject: format!("secret/{name}"),
        before: json!({ "set": was_set }),
        after: json!({ "set": is_set }),
    }
}

/// Which name may be meant, for the end of a message.
pub fn hint<'a>(name: &str, known: impl IntoIterator<Item = &'a String>) -> String {
    let near = nearest(name, known.into_iter().map(String::as_str));
    near.map_or_else(String::new, |near| format!("; do you mean {near:?}?"))
}

/// Whether a secret is set, and used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SecretState {
    /// Set, and granted to a plugin.
    Set,
    /// Granted to a plugin, and not set.
    Missing,
    /// Set, and granted to no plugin.
    Unused,
}

impl SecretState {
    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Set => "set",
            Self::Missing => "missing",
            Self::Unused => "unused",
        }
    }
}

/// A secret that is granted or set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedSecret {
    /// The site, or the number of the installation.
    pub site_id: SiteId,
    /// Short name of the site; `None` if no site has this number.
    pub site: Option<String>,
    /// Its name.
    pub name: String,
    /// The plugins that may use it.
    pub plugins: Vec<String>,
    /// Whether it is set, and used.
    pub state: SecretState,
}

/// All secrets that are granted or set, by site and name.
#[must_use]
pub fn listed(configuration: &Configuration, known: &Secrets) -> Vec<ListedSecret> {
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
            (false, _) => SecretState::Missing,
            (true, true) => SecretState::Unused,
            (true, false) => SecretState::Set,
        };
        ListedSecret { site_id, site, name, plugins, state }
    };
    all.into_iter().map(row).collect()
}

/// The file, locked against other changes.
struct SecretsFile {
    path: PathBuf,
    document: DocumentMut,
    _lock: File,
}

impl SecretsFile {
    fn open(data: &Path) -> anyhow::Result<Self> {
        data_folder::create(data)?;
        let lock = data.join(LOCK);
        let lock = data_folder::lock(&lock).with_context(|| format!("locking {}", lock.display()))?;
        // Checks the mode of the file and its form; the messages have no secret.
        Secrets::default().read(data).map_err(anyhow::Error::msg)?;
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
        toml_values::set(table, name, value);
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
