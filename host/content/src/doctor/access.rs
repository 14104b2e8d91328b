//! Checks of who may read: rules by which nobody reads what the site says is open to some.

use masthead_domain::{access::Audience, networks::Networks, site::Site};
use masthead_store::{SiteStore, StoreError};

use super::{Notes, readable};

const CHECK: &str = "access";

/// Checks the rules for readers with an account where readers cannot have one.
pub(super) fn check(site: &Site, notes: &mut Notes<'_>) {
    let access = &site.access;
    for (key, audience) in [("access.fullText", access.full_text), ("access.downloads", access.downloads)] {
        if audience == Audience::Members && !site.accounts.enabled {
            let message = format!("{key} is for members, and accounts.enabled is false: nobody can be one");
            notes.error(CHECK, key, message, "enable the accounts, or open it to everyone");
        }
    }
}

/// Checks whether the site knows an institution where something is open to institutions.
pub(super) async fn check_institutions(
    site: &Site,
    content: &SiteStore,
    notes: &mut Notes<'_>,
) -> Result<(), StoreError> {
    let access = &site.access;
    if !access.asks_institutions() || !access.institutions.is_empty() {
        return Ok(());
    }
    let stored = readable(content.institutions().await)?;
    if stored.is_none_or(|stored| !stored.is_empty()) {
        return Ok(());
    }
    let key = if access.full_text == Audience::Institutions { "access.fullText" } else { "access.downloads" };
    let message = format!("{key} is for institutions, and the site knows none: nobody may");
    notes.warning(
        CHECK,
        key,
        message,
        "describe them in [[access.institutions]], or add them with `masthead institution set`",
    );
    Ok(())
}

/// Checks the networks of the institutions that are stored. One that has a network which cannot be read lets nobody in by any of them.
pub(super) async fn check_networks(content: &SiteStore, notes: &mut Notes<'_>) -> Result<(), StoreError> {
    let stored = match content.institutions().await {
        Err(error @ StoreError::Damaged { .. }) => {
            let fix =
                "restore the database from a backup, or set the institutions again with `masthead institution set`";
            notes.error(CHECK, "institutions", format!("no stored institution is used: {error}"), fix);
            return Ok(());
        }
        stored => stored?,
    };
    for institution in stored {
        let key = institution.key;
        if let Err(fault) = Networks::try_from(institution.networks) {
            let message = format!("{fault}; none of the networks of the institution is used");
            let fix = format!("run `masthead institution set {key}` with its name and all its networks");
            notes.error(CHECK, format!("institution/{key} networks"), message, &fix);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_store::{Institution, Store};

    use super::*;

    fn site(rest: serde_json::Value) -> Site {
        let mut value = serde_json::json!({
            "id": 7, "sld": "one", "name": { "en": "One" }, "colorId": 1, "languages": ["en"], "header": {},
        });
        value.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        serde_json::from_value(value).unwrap()
    }

    fn keys(notes: Notes<'_>) -> Vec<String> {
        notes.found.into_iter().map(|diagnostic| diagnostic.key).collect()
    }

    #[test]
    fn what_is_for_members_needs_accounts() {
        let of = |rest| {
            let mut notes = Notes::new("one");
            check(&site(rest), &mut notes);
            keys(notes)
        };
        let access = serde_json::json!({ "fullText": "members", "downloads": "members" });
        let off = serde_json::json!({ "enabled": false });
        assert_eq!(of(serde_json::json!({ "access": access })), Vec::<String>::new());
        assert_eq!(of(serde_json::json!({ "accounts": off })), Vec::<String>::new());
        assert_eq!(
            of(serde_json::json!({ "access": access, "accounts": off })),
            ["access.fullText", "access.downloads"]
        );
    }

    #[tokio::test]
    async fn what_is_for_institutions_needs_one() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_file(&folder.path().join("a.db")).await.unwrap();
        let site = site(serde_json::json!({ "access": { "downloads": "institutions" } }));
        let content = store.site(site.id);
        let found = async || {
            let mut notes = Notes::new("one");
            check_institutions(&site, &content, &mut notes).await.unwrap();
            keys(notes)
        };
        assert_eq!(found().await, ["access.downloads"]);
        let lagoon = Institution { key: "lagoon".into(), name: "Lagoon".into(), networks: Vec::new(), until: 0 };
        content.set_institution(&lagoon, "tests", 1).await.unwrap();
        assert_eq!(found().await, Vec::<String>::new());
    }

    #[tokio::test]
    async fn stored_networks_that_cannot_be_read_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_file(&folder.path().join("a.db")).await.unwrap();
        let content = store.site(site(serde_json::json!({})).id);
        for (key, networks) in
            [("lagoon", ["192.0.2.0/24", "2001:db8:7::/48"]), ("strait", ["192.0.2.0/24", "192.0.2"])]
        {
            let networks = networks.map(str::to_owned).to_vec();
            let institution = Institution { key: key.into(), name: key.into(), networks, until: 0 };
            content.set_institution(&institution, "tests", 1).await.unwrap();
        }
        let mut notes = Notes::new("one");
        check_networks(&content, &mut notes).await.unwrap();
        assert!(notes.found.len() == 1 && notes.found[0].message.contains("\"192.0.2\""), "{:?}", notes.found);
        assert!(notes.found[0].fix.contains("masthead institution set strait"), "{:?}", notes.found);
        assert_eq!(keys(notes), ["institution/strait networks"]);
    }
}
