//! Checks of who may read: rules by which nobody reads what the site says is open to some.

use masthead_domain::{access::Audience, site::Site};
use masthead_store::{SiteStore, StoreError};

use super::Notes;

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
    if !access.asks_institutions() || !access.institutions.is_empty() || !content.institutions().await?.is_empty() {
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
}
