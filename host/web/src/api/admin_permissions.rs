//! The permissions of administrators' calls: the one table of calls and roles. A call that is not in it cannot be made, because the
//! extractor of administrators' calls looks its rule up by method and address.

use axum::{extract::MatchedPath, http::Method, http::request::Parts};
use masthead_domain::member::Role;

/// The object of a call, on which the caller needs the role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallObject {
    /// The site that the request names.
    Site,
    /// The site that the request names, or without one the installation.
    SiteOrInstallation,
    /// Those of the sites on which the caller has the role.
    OwnSites,
    /// The installation: the role of a platform administrator.
    Installation,
    /// The caller alone: any role anywhere.
    Caller,
}

/// The rule of a call.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The method.
    pub method: Method,
    /// The address as it is routed, with `{id}` for what differs.
    pub path: &'static str,
    /// The least role.
    pub role: Role,
    /// Where the role has to hold.
    pub reach: CallObject,
}

const fn rule(method: Method, path: &'static str, role: Role, reach: CallObject) -> Rule {
    Rule { method, path, role, reach }
}

use CallObject::{Caller, Installation, OwnSites, Site, SiteOrInstallation};
use Role::{Editor, PlatformAdministrator, Reader, SiteAdministrator};

/// The table. Each role includes the permissions of those before it.
#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    // Imports.
    rule(Method::GET, "/rc-pub/admin/import", Reader, OwnSites),
    rule(Method::POST, "/rc-pub/admin/import", Editor, Site),
    rule(Method::GET, "/rc-pub/admin/import/{id}", Reader, Site),
    // Comments of readers.
    rule(Method::GET, "/rc-pub/admin/comments", Reader, Site),
    rule(Method::POST, "/rc-pub/admin/comments/{id}/approve", Editor, Site),
    rule(Method::POST, "/rc-pub/admin/comments/{id}/refuse", Editor, Site),
    // Records.
    rule(Method::GET, "/rc-pub/admin/records", Reader, Site),
    rule(Method::GET, "/rc-pub/admin/record", Reader, Site),
    rule(Method::PATCH, "/rc-pub/admin/record", Editor, Site),
    rule(Method::DELETE, "/rc-pub/admin/record", Editor, Site),
    rule(Method::POST, "/rc-pub/admin/media", Editor, Site),
    // Crossref deposits, which are sent in the publisher's name.
    rule(Method::GET, "/rc-pub/admin/crossref", Editor, Site),
    // Redirects.
    rule(Method::GET, "/rc-pub/admin/redirects", Reader, Site),
    rule(Method::PUT, "/rc-pub/admin/redirect", Editor, Site),
    rule(Method::DELETE, "/rc-pub/admin/redirect", Editor, Site),
    // Settings. Those of a plugin can grant it what it may do on the host.
    rule(Method::GET, "/rc-pub/admin/settings", SiteAdministrator, Site),
    rule(Method::PUT, "/rc-pub/admin/setting", PlatformAdministrator, Installation),
    rule(Method::DELETE, "/rc-pub/admin/setting", PlatformAdministrator, Installation),
    // The plugins that the host uses, and those that a site has enabled, with settings and grants.
    rule(Method::GET, "/rc-pub/admin/plugins", SiteAdministrator, Site),
    rule(Method::PUT, "/rc-pub/admin/plugin", PlatformAdministrator, Installation),
    rule(Method::PATCH, "/rc-pub/admin/plugin", PlatformAdministrator, Installation),
    rule(Method::DELETE, "/rc-pub/admin/plugin", PlatformAdministrator, Installation),
    // Secrets: their names are read, never their values.
    rule(Method::GET, "/rc-pub/admin/secrets", SiteAdministrator, SiteOrInstallation),
    rule(Method::PUT, "/rc-pub/admin/secret", PlatformAdministrator, Installation),
    rule(Method::DELETE, "/rc-pub/admin/secret", PlatformAdministrator, Installation),
    // The checks of configuration and content.
    rule(Method::GET, "/rc-pub/admin/doctor", SiteAdministrator, SiteOrInstallation),
    // The audit trail. Editors get the lines about records only (`admin_records::audit`).
    rule(Method::GET, "/rc-pub/admin/audit", Editor, SiteOrInstallation),
    // The administrators themselves.
    rule(Method::GET, "/rc-pub/admin/me", Reader, Caller),
    rule(Method::PUT, "/rc-pub/admin/password", Reader, Caller),
    rule(Method::GET, "/rc-pub/admin/people", SiteAdministrator, SiteOrInstallation),
    rule(Method::POST, "/rc-pub/admin/people", SiteAdministrator, SiteOrInstallation),
    rule(Method::DELETE, "/rc-pub/admin/people", SiteAdministrator, SiteOrInstallation),
    // The tokens of programs, which have what administrators have.
    rule(Method::GET, "/rc-pub/admin/tokens", PlatformAdministrator, Installation),
    rule(Method::POST, "/rc-pub/admin/tokens", PlatformAdministrator, Installation),
    rule(Method::DELETE, "/rc-pub/admin/tokens", PlatformAdministrator, Installation),
    // Institutions, and the members in their groups.
    rule(Method::GET, "/rc-pub/admin/institutions", Reader, Site),
    rule(Method::PUT, "/rc-pub/admin/institution", SiteAdministrator, Site),
    rule(Method::DELETE, "/rc-pub/admin/institution", SiteAdministrator, Site),
    rule(Method::PUT, "/rc-pub/admin/institution/member", SiteAdministrator, Site),
    rule(Method::DELETE, "/rc-pub/admin/institution/member", SiteAdministrator, Site),
    // The bundles of sites. One has what plugins store for the site, which they may have read with its secrets, and the file of the group,
    // which belongs to other sites, too: more than a site's administrator may see.
    rule(Method::GET, "/rc-pub/admin/bundle", PlatformAdministrator, Installation),
    rule(Method::POST, "/rc-pub/admin/bundle", PlatformAdministrator, Installation),
    rule(Method::GET, "/rc-pub/admin/bundle/loaded", PlatformAdministrator, Installation),
    // Backups of the installation, and its search index.
    rule(Method::GET, "/rc-pub/admin/backups", PlatformAdministrator, Installation),
    rule(Method::POST, "/rc-pub/admin/backups", PlatformAdministrator, Installation),
    rule(Method::POST, "/rc-pub/admin/backups/verify", PlatformAdministrator, Installation),
    rule(Method::GET, "/rc-pub/admin/reindex", PlatformAdministrator, Installation),
    rule(Method::POST, "/rc-pub/admin/reindex", PlatformAdministrator, Installation),
    // The operator's answers on the readers' listener.
    rule(Method::GET, "/readyz", PlatformAdministrator, Installation),
    rule(Method::GET, "/metrics", PlatformAdministrator, Installation),
];

/// The rule of a request.
#[must_use]
pub fn of_request(parts: &Parts) -> Option<&'static Rule> {
    let path = parts.extensions.get::<MatchedPath>()?.as_str();
    // Every GET call answers HEAD as well.
    let method = if parts.method == Method::HEAD { &Method::GET } else { &parts.method };
    RULES.iter().find(|rule| rule.method == *method && rule.path == path)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::collections::BTreeSet;

    use super::*;

    /// Calls under the administrators' address that nobody is signed in for yet: they make a session, or end one.
    const OPEN: [(Method, &str); 3] = [
        (Method::POST, "/rc-pub/admin/sign-in"),
        (Method::DELETE, "/rc-pub/admin/sign-in"),
        (Method::POST, "/rc-pub/admin/invitation"),
    ];

    #[test]
    fn every_call_of_administrators_has_one_rule() {
        let document = serde_json::to_value(crate::api::admin::openapi()).unwrap();
        let mut calls = BTreeSet::new();
        for (path, item) in document["paths"].as_object().unwrap() {
            calls.extend(item.as_object().unwrap().keys().map(|method| (method.to_uppercase(), path.clone())));
        }
        let name = |(method, path): (&Method, &str)| (method.to_string(), path.to_owned());
        let of_operator = |rule: &&Rule| !rule.path.starts_with("/rc-pub/");
        let ruled = RULES.iter().filter(|rule| !of_operator(rule)).map(|rule| (&rule.method, rule.path));
        let ruled: Vec<_> = ruled.chain(OPEN.iter().map(|(method, path)| (method, *path))).map(name).collect();
        let unique: BTreeSet<_> = ruled.iter().cloned().collect();
        assert_eq!(ruled.len(), unique.len(), "a call has two rules");
        assert_eq!(unique, calls);
    }

    #[test]
    fn what_changes_something_is_no_readers() {
        for rule in RULES {
            assert!(rule.method == Method::GET || rule.role > Reader || rule.reach == Caller, "{rule:?}");
            let whole = rule.reach == Installation;
            assert_eq!(whole, rule.role == PlatformAdministrator, "{rule:?}");
        }
    }
}
