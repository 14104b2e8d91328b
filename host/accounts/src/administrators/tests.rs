//! Tests of administrators' accounts.
#![allow(clippy::unwrap_used, clippy::panic)]

use masthead_domain::SiteId;
use masthead_store::{AuditQuery, Revoked};

use super::*;
use crate::password::Cost;

const NOW: i64 = 1_800_000_000_000;
const SITE: RoleScope = RoleScope::Site(SiteId(7));
const PASSWORD: &str = "below the mean low water";

struct Fixture {
    _folder: tempfile::TempDir,
    store: Store,
    passwords: Passwords,
}

impl Fixture {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_file(&folder.path().join("a.db")).await.unwrap();
        Self { _folder: folder, store, passwords: Passwords::new(Cost::LEAST, 2) }
    }

    async fn invite(&self, email: &str, scope: RoleScope, role: Role) -> String {
        let email = MemberName::email(email).unwrap();
        let invitation = Invitation { email: &email, scope, role, days: 3 };
        invite(&self.store, &invitation, "tests", NOW).await.unwrap().text
    }

    async fn accept(&self, token: &str, name: &str, password: &str, now: i64) -> Result<i64, String> {
        let accepted = accept(
            &self.store,
            (&self.passwords, &InstallationKey::new([7; 32])),
            Accepting { token, name, password, network: "192.0.2.1" },
            now,
        )
        .await;
        accepted.map(|id| id.0).map_err(|error| error.to_string())
    }

    async fn sign_in(&self, email: &str, password: &str, network: &str, now: i64) -> Result<Option<i64>, String> {
        let who = SigningIn { email, password, network };
        let key = InstallationKey::new([7; 32]);
        let verified = verify(&self.store, (&self.passwords, &key), who, now).await;
        verified.map(|id| id.map(|id| id.0)).map_err(|error| error.to_string())
    }

    async fn verify(&self, email: &str, password: &str) -> Option<i64> {
        self.sign_in(email, password, "192.0.2.1", NOW).await.unwrap()
    }

    async fn actions(&self) -> Vec<String> {
        let lines = self.store.audit(&AuditQuery { limit: 100, ..AuditQuery::default() }).await.unwrap();
        lines.into_iter().rev().map(|line| format!("{} {}", line.entry.who, line.entry.action)).collect()
    }
}

#[tokio::test]
async fn an_invitation_makes_one_administrator_once() {
    let fixture = Fixture::new().await;
    let token = fixture.invite("Ada@Example.org", RoleScope::Installation, Role::PlatformAdministrator).await;
    for wrong in ["", "x", &token[1..], &token.to_lowercase()] {
        assert!(fixture.accept(wrong, "Ada", PASSWORD, NOW).await.unwrap_err().contains("unknown"), "{wrong}");
    }
    let id = fixture.accept(&token, " Ada ", PASSWORD, NOW).await.unwrap();
    assert!(fixture.accept(&token, "Eve", PASSWORD, NOW).await.unwrap_err().contains("accepted before"));
    let [ada] = &fixture.store.administrators().await.unwrap()[..] else { panic!() };
    assert_eq!((ada.id.0, ada.email.as_str(), ada.name.as_str()), (id, "Ada@Example.org", "Ada"));
    assert_eq!(ada.grants[0].role, Role::PlatformAdministrator);
    assert_eq!(fixture.actions().await, ["tests invited", "tests granted"]);
}

#[tokio::test]
async fn an_invitation_ends_and_keeps_its_rules() {
    let fixture = Fixture::new().await;
    let token = fixture.invite("ada@example.org", SITE, Role::Editor).await;
    assert!(fixture.accept(&token, "Ada", PASSWORD, NOW + 3 * DAY).await.is_err(), "after three days");
    for (name, password) in [
        ("", PASSWORD),
        ("A\u{7}", PASSWORD),
        (&"a".repeat(101), PASSWORD),
        ("Ada", "elevenchars"),
        ("Ada", "aaaaaaaaaaaaa"),
        ("Ada", "passwordpassword"),
        ("Ada", &"a".repeat(129)),
    ] {
        assert!(fixture.accept(&token, name, password, NOW).await.is_err(), "{name:?} {password:?}");
    }
    let long = fixture.invite("lovelace@example.org", SITE, Role::Editor).await;
    assert!(fixture.accept(&long, "Ada", "the LoveLace of tides", NOW).await.unwrap_err().contains("does not contain"));
    assert!(fixture.accept(&token, "Ada", PASSWORD, NOW + 3 * DAY - 1).await.is_ok(), "a refusal uses nothing up");
    let email = MemberName::email("bob@example.org").unwrap();
    let of = |scope, role, days| Invitation { email: &email, scope, role, days };
    for refused in [of(SITE, Role::PlatformAdministrator, 3), of(SITE, Role::Editor, 0), of(SITE, Role::Editor, 31)] {
        assert!(invite(&fixture.store, &refused, "tests", NOW).await.is_err(), "{refused:?}");
    }
    let first = fixture.invite("bob@example.org", SITE, Role::Editor).await;
    let second = fixture.invite("bob@example.org", SITE, Role::Reader).await;
    assert!(fixture.accept(&first, "Bob", PASSWORD, NOW).await.is_err(), "the second replaces the first");
    assert!(fixture.accept(&second, "Bob", PASSWORD, NOW).await.is_ok());
}

#[tokio::test]
async fn an_administrator_accepts_another_invitation_with_the_own_password_and_keeps_it() {
    let fixture = Fixture::new().await;
    let first = fixture.invite("ada@example.org", SITE, Role::Editor).await;
    let id = fixture.accept(&first, "Ada", PASSWORD, NOW).await.unwrap();
    let second = fixture.invite("ADA@example.org", RoleScope::Site(SiteId(8)), Role::Reader).await;
    let refused = fixture.accept(&second, "Mallory", "another password, long", NOW).await.unwrap_err();
    assert!(refused.contains("has an account already"), "a link is no account: {refused}");
    assert_eq!(fixture.store.grants(AdministratorId(id)).await.unwrap().len(), 1);
    assert_eq!(fixture.accept(&second, "", PASSWORD, NOW).await, Ok(id), "the invitation waited on");
    assert_eq!(fixture.verify("ada@example.org", "another password, long").await, None, "a link is no password");
    assert_eq!(fixture.verify("ada@example.org", PASSWORD).await, Some(id));
    assert_eq!(fixture.store.grants(AdministratorId(id)).await.unwrap().len(), 2);
}

#[tokio::test]
async fn only_the_right_password_of_an_active_account_signs_in() {
    let fixture = Fixture::new().await;
    let token = fixture.invite("ada@example.org", RoleScope::Installation, Role::PlatformAdministrator).await;
    let id = fixture.accept(&token, "Ada", PASSWORD, NOW).await.unwrap();
    assert_eq!(fixture.verify("Ada@Example.org", PASSWORD).await, Some(id));
    for (email, password) in [
        ("ada@example.org", "x"),
        ("ada@example.org", ""),
        ("eve@example.org", PASSWORD),
        ("", PASSWORD),
        ("' OR 1", ""),
    ] {
        assert_eq!(fixture.verify(email, password).await, None, "{email} {password}");
    }
    // Another one, so that the first is not the last.
    let other = fixture.invite("bob@example.org", RoleScope::Installation, Role::PlatformAdministrator).await;
    fixture.accept(&other, "Bob", PASSWORD, NOW).await.unwrap();
    let closed = fixture.store.close_administrator(AdministratorId(id), "tests", NOW).await.unwrap();
    assert_eq!((closed, fixture.verify("ada@example.org", PASSWORD).await), (Revoked::Done, None));
}

#[tokio::test]
async fn whoever_tries_passwords_waits_and_keeps_nobody_out() {
    let fixture = Fixture::new().await;
    let token = fixture.invite("ada@example.org", SITE, Role::Editor).await;
    let id = fixture.accept(&token, "Ada", PASSWORD, NOW).await.unwrap();
    for email in ["ada@example.org", "nobody@example.org"] {
        for _ in 0..5 {
            assert_eq!(fixture.sign_in(email, "x", "198.51.100.1", NOW).await, Ok(None));
        }
        let waits = fixture.sign_in(email, "x", "198.51.100.1", NOW).await.unwrap_err();
        assert!(waits.contains("2000 milliseconds"), "{email}: {waits}");
    }
    assert!(fixture.sign_in("ada@example.org", PASSWORD, "198.51.100.1", NOW).await.is_err(), "from there");
    assert_eq!(fixture.sign_in("ada@example.org", PASSWORD, "192.0.2.1", NOW).await, Ok(Some(id)), "from elsewhere");
    assert_eq!(fixture.sign_in("ada@example.org", PASSWORD, "198.51.100.1", NOW + 2_000).await, Ok(Some(id)), "later");
    assert_eq!(fixture.sign_in("ada@example.org", "x", "198.51.100.1", NOW + 2_000).await, Ok(None), "forgotten");
}

#[tokio::test]
async fn a_changed_password_ends_the_other_sessions() {
    let fixture = Fixture::new().await;
    let (store, key) = (&fixture.store, InstallationKey::new([7; 32]));
    let token = fixture.invite("ada@example.org", SITE, Role::Editor).await;
    let id = AdministratorId(fixture.accept(&token, "Ada", PASSWORD, NOW).await.unwrap());
    let begin = async || begin(store, id, ("tests", None), NOW).await.unwrap().unwrap().text;
    let (own, other) = (begin().await, begin().await);
    let change = async |session: &str, present: &str, new: &str| {
        change_password(store, (&fixture.passwords, &key), (session, "192.0.2.1"), (present, new), NOW).await
    };
    let other_password = "another long password";
    assert!(matches!(change(&own, "x", other_password).await, Err(AdministratorError::Wrong)));
    assert!(matches!(change(&own, PASSWORD, "short").await, Err(AdministratorError::Password)));
    assert!(matches!(change("x", PASSWORD, other_password).await, Ok(None)));
    let renewed = change(&own, PASSWORD, other_password).await.unwrap().unwrap();
    assert_eq!(renewed.expires, NOW + MAX_MS, "it ends when it would have ended");
    let is = async |token: &str| find(store, token, NOW).await.unwrap().is_some();
    assert_eq!([is(&own).await, is(&other).await, is(&renewed.text).await], [false, false, true]);
    assert_eq!(fixture.verify("ada@example.org", PASSWORD).await, None);
    assert_eq!(fixture.verify("ada@example.org", other_password).await, Some(id.0));
}

#[tokio::test]
async fn a_session_ends_when_it_is_idle_old_replaced_or_the_role_is_taken() {
    let fixture = Fixture::new().await;
    let store = &fixture.store;
    let token = fixture.invite("ada@example.org", SITE, Role::Editor).await;
    let id = AdministratorId(fixture.accept(&token, "Ada", PASSWORD, NOW).await.unwrap());
    let begin =
        async |replaces: Option<&str>, now: i64| begin(store, id, ("tests", replaces), now).await.unwrap().unwrap();
    let is = async |token: &str, now: i64| find(store, token, now).await.unwrap().is_some();
    let idle = begin(None, NOW).await;
    assert_eq!(idle.expires, NOW + MAX_MS);
    assert!(is(&idle.text, NOW + IDLE_MS - 1).await && is(&idle.text, NOW + 2 * IDLE_MS - 2).await, "in use");
    assert!(!is(&idle.text, NOW + 4 * IDLE_MS).await, "idle");
    let old = begin(None, NOW).await;
    for half_hour in 1..24 {
        assert!(is(&old.text, NOW + half_hour * 1_800_000).await, "{half_hour}");
    }
    assert!(!is(&old.text, NOW + MAX_MS).await, "old");
    let first = begin(None, NOW).await;
    let second = begin(Some(&first.text), NOW).await;
    assert!(!is(&first.text, NOW).await && is(&second.text, NOW).await, "replaced");
    end(store, &second.text).await.unwrap();
    assert!(!is(&second.text, NOW).await, "ended");
    let third = begin(None, NOW).await;
    assert_eq!(store.revoke_role(id, SITE, "tests", NOW).await.unwrap(), Revoked::Done);
    assert!(!is(&third.text, NOW).await, "whoever loses a role signs in again");
    for wrong in ["", "x", &third.text[1..]] {
        assert!(!is(wrong, NOW).await);
    }
}
