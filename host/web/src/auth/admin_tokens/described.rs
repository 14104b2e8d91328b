//! How lists and the audit trail show tokens: everything but the tokens and their digests.

use masthead_content::host_services::INSTALLATION;
use masthead_domain::SiteId;
use masthead_store::AuditEntry;
use serde_json::{Value, json};

use super::{AdminToken, Sites};

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

    /// The token as JSON; `now` is in milliseconds since 1970.
    #[must_use]
    pub fn described(&self, now: i64) -> Value {
        json!({
            "name": self.name,
            "role": self.role.as_str(),
            "sites": self.some_sites(),
            "created": self.created,
            "expires": self.expires,
            "ended": self.has_ended(now),
        })
    }

    /// The line of the audit trail that says who created it.
    #[must_use]
    pub fn created_by(&self, who: String, now: i64) -> AuditEntry {
        self.line(who, "created", (Value::Null, self.described(now)))
    }

    /// The line of the audit trail that says who revoked it.
    #[must_use]
    pub fn revoked_by(&self, who: String, now: i64) -> AuditEntry {
        self.line(who, "revoked", (self.described(now), Value::Null))
    }

    fn line(&self, who: String, action: &str, (before, after): (Value, Value)) -> AuditEntry {
        AuditEntry { who, action: action.to_owned(), subject: format!("token/{}", self.name), before, after }
    }
}
