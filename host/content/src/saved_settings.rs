//! Settings that administrators save over the configuration files, as `masthead config set` and the administrators' calls do it.

use std::path::Path;

use masthead_config::{ConfigError, Configuration, SAVED, Saved};
use masthead_domain::site::Site;
use masthead_store::{AuditEntry, Store, StoreError};
use serde_json::Value;

/// A change of a saved setting.
#[derive(Clone, Debug)]
pub struct SettingChange<'a> {
    /// Dotted key.
    pub key: &'a str,
    /// The value; `None` deletes the saved one, so that the configuration files apply again.
    pub value: Option<Value>,
    /// Who makes the change, for the audit trail.
    pub who: &'a str,
    /// Checks the change and stores nothing.
    pub dry_run: bool,
}

/// What a change did, or would do.
#[derive(Clone, Debug, PartialEq)]
pub struct Changed {
    /// The saved value before; `None` if there was none.
    pub before: Option<Value>,
    /// The saved value after; `None` if there is none.
    pub after: Option<Value>,
}

/// Why a setting is not saved.
#[derive(Debug, thiserror::Error)]
pub enum SettingError {
    /// A layer locks the key, or the site would not be served with the value.
    #[error("{key} is not saved: {reason}")]
    Refused {
        /// Dotted key.
        key: String,
        /// The layer that locks it, or the problem of the site.
        reason: String,
    },
    /// The configuration cannot be read.
    #[error("the configuration cannot be read")]
    Configuration(#[from] ConfigError),
    /// The database failed.
    #[error("the setting cannot be stored")]
    Store(#[from] StoreError),
    /// The thread that reads the configuration ended.
    #[error("the check of the configuration ended early")]
    Ended(#[from] tokio::task::JoinError),
}

/// Saves a setting of a site, or deletes a saved one. The resulting configuration is read first: a value that would break the site, or that a
/// layer locks, is refused. A change that changes nothing has no line in the audit trail.
///
/// # Errors
/// [`SettingError`]; nothing is stored then.
pub async fn change(
    store: &Store,
    sites: &Path,
    site: &Site,
    change: SettingChange<'_>,
) -> Result<Changed, SettingError> {
    change_with_line(store, sites, site, change, |line| line).await
}

/// The same, where `line` makes another line of the audit trail of the setting's own: one that names what the setting is about.
pub(crate) async fn change_with_line(
    store: &Store,
    sites: &Path,
    site: &Site,
    change: SettingChange<'_>,
    line: impl FnOnce(AuditEntry) -> AuditEntry,
) -> Result<Changed, SettingError> {
    let SettingChange { key, value, who, dry_run } = change;
    let scoped = store.site(site.id);
    let mut pairs = scoped.settings().await?;
    let before = pairs.iter().find(|(known, _)| known == key).map(|(_, value)| value.clone());
    pairs.retain(|(known, _)| known != key);
    pairs.extend(value.clone().map(|value| (key.to_owned(), value)));
    let (folder, saved) = (sites.to_owned(), Saved::from([(site.id.0, pairs)]));
    let tried = tokio::task::spawn_blocking(move || Configuration::read(&folder, &saved)).await??;
    if let Some(reason) = refusal(&tried, &site.sld, (key, value.is_some())) {
        return Err(SettingError::Refused { key: key.to_owned(), reason });
    }
    if before != value && !dry_run {
        let action = match (&before, &value) {
            (None, _) => "created",
            (Some(_), None) => "removed",
            (Some(_), Some(_)) => "changed",
        };
        let entry = AuditEntry {
            who: who.to_owned(),
            action: action.to_owned(),
            subject: format!("setting/{key}"),
            before: before.clone().unwrap_or_default(),
            after: value.clone().unwrap_or_default(),
        };
        scoped.change_setting(key, value.as_ref(), &line(entry)).await?;
    }
    Ok(Changed { before, after: value })
}

/// Why a configuration that was read with the change must not be used; `None` if it may.
fn refusal(tried: &Configuration, sld: &str, (key, is_set): (&str, bool)) -> Option<String> {
    let ignored = tried.layers.get(sld).into_iter().flat_map(|layers| &layers.ignored);
    let mut ignored = ignored.filter(|one| one.layer == SAVED && one.concerns(key));
    if let Some(ignored) = ignored.next().filter(|_| is_set) {
        return Some(ignored.to_string());
    }
    let is_of_site = |problem: &&String| problem.starts_with(&format!("site {sld}:")) && problem.contains("not served");
    tried.problems.iter().find(is_of_site).cloned()
}
