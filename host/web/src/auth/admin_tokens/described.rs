//! How lists and the audit trail show tokens: everything but the tokens and their digests.

use masthead_content::host_services::INSTALLATION;
use masthead_domain::SiteId;
use masthead_store::AuditEntry;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::{AdminToken, Sites};

/// A token as it is stored, which is without the token itself.
#[derive(Serialize, ToSchema)]
pub struct TokenView {
    /// Its name, which the audit trail has.
    name: String,
    /// `admin` or `editor`.
    role: &'static str,
    /// Ids of its sites; null for all sites, also those that are added later.
    sites: Option<Vec<i64>>,
    /// When it was created, ISO 8601 in UTC; null for the token of an earlier version.
    created: Option<String>,
    /// From when on it is refused, ISO 8601 in UTC; null for never.
    expires: Option<String>,
    /// Whether it has come to its end.
    ended: bool,
}

impl AdminToken {
    /// The sites that it is for; `None` for all.
    #[must_use]
    pub fn some_sites(&self) -> Option<Vec<SiteId>> {
        match &self.sites {
            Sites::All => None,
            Sites::Only(sites) => Some(sites.iter().copied().collect()),
        }
    }

    /// The sites whose audit trail has its lines; a token for all sites is a matter of the installation.
    #[must_use]
    pub fn audited_sites(&self) -> Vec<SiteId> {
        self.some_sites().unwrap_or_else(|| vec![INSTALLATION])
    }

    /// The token for lists and the audit trail; `now` is in milliseconds since 1970.
    #[must_use]
    pub fn described(&self, now: i64) -> TokenView {
        TokenView {
            name: self.name.clone(),
            role: self.role.as_str(),
            sites: self.some_sites().map(|sites| sites.into_iter().map(|site| site.0).collect()),
            created: self.created.map(|time| time.to_string()),
            expires: self.expires.map(|time| time.to_string()),
            ended: self.has_ended(now),
        }
    }

    /// The line of the audit trail that says who created it.
    #[must_use]
    pub fn created_by(&self, who: String, now: i64) -> AuditEntry {
        self.line(who, "created", (Value::Null, json!(self.described(now))))
    }

    /// The line of the audit trail that says who revoked it.
    #[must_use]
    pub fn revoked_by(&self, who: String, now: i64) -> AuditEntry {
        self.line(who, "revoked", (json!(self.described(now)), Value::Null))
    }

    fn line(&self, who: String, action: &str, (before, after): (Value, Value)) -> AuditEntry {
        AuditEntry { who, action: action.to_owned(), subject: format!("token/{}", self.name), before, after }
    }
}
