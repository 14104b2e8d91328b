//! Administrators: invitations, roles, sessions.

use masthead_domain::{
    SiteId,
    member::{AdministratorId, MemberState, Role, RoleScope},
};
use masthead_store::{AuditQuery, NewAccount, NewAdministratorSession, NewInvite, Revoked, SessionRotation, Store};

use super::{drain, email, message};

const SITE: SiteId = SiteId(6171);

pub async fn suite(store: &Store) {
    an_invitation_is_accepted_once(store).await;
    roles_change_with_their_sessions(store).await;
    nobody_comes_back_by_an_invitation_of_before(store).await;
    somebody_stays(store).await;
    every_act_has_a_line(store).await;
}

async fn invite(store: &Store, digest: &str, address: &str, scope: RoleScope, role: Role) {
    let email = email(address);
    let new = NewInvite { digest, email: &email, scope, role, expires: 1_000 };
    store.invite_administrator(&new, &[message("invite")], "cli", 100).await.unwrap();
}

fn account<'a>(name: &'a str, password: &'a str) -> Option<NewAccount<'a>> {
    Some(NewAccount { name, password })
}

async fn administrator(store: &Store, address: &str, scope: RoleScope, role: Role) -> AdministratorId {
    invite(store, address, address, scope, role).await;
    store.accept_invite(address, account("Grace", "$argon2id$first"), 200).await.unwrap().unwrap()
}

async fn an_invitation_is_accepted_once(store: &Store) {
    let (installation, editor) = (RoleScope::Installation, RoleScope::Site(SITE));
    invite(store, "i1", "grace@example.org", installation, Role::Editor).await;
    invite(store, "i2", "Grace@example.org", installation, Role::PlatformAdministrator).await;
    assert!(store.invite("i1", 500).await.unwrap().is_none(), "the second replaces the first");
    let found = store.invite("i2", 500).await.unwrap().unwrap();
    assert_eq!(
        (found.role, found.scope, found.invited_by.as_str()),
        (Role::PlatformAdministrator, installation, "cli")
    );
    assert_eq!(drain(store).await.len(), 2);
    assert!(store.invite("i2", 1_000).await.unwrap().is_none(), "it has ended");
    assert_eq!(store.accept_invite("i2", account("Grace", "$argon2id$1"), 1_000).await.unwrap(), None);
    assert_eq!(store.accept_invite("i2", None, 999).await.unwrap(), None, "nobody has the address yet");
    let grace = store.accept_invite("i2", account("Grace", "$argon2id$1"), 999).await.unwrap().unwrap();
    assert_eq!(store.accept_invite("i2", account("Mallory", "$argon2id$2"), 999).await.unwrap(), None, "once");
    invite(store, "i3", "grace@example.org", editor, Role::Editor).await;
    assert_eq!(
        store.accept_invite("i3", account("Mallory", "$argon2id$2"), 300).await.unwrap(),
        None,
        "no other account"
    );
    assert_eq!(store.accept_invite("i3", None, 300).await.unwrap(), Some(grace), "another role");
    let credential = store.administrator_credential(&email("GRACE@example.org")).await.unwrap().unwrap();
    assert_eq!((credential.administrator, credential.password.as_str()), (grace, "$argon2id$1"), "the password stays");
    assert!(!format!("{credential:?}").contains("argon2id"));
    let all = store.administrators().await.unwrap();
    let stored = all.iter().find(|one| one.id == grace).unwrap();
    assert_eq!(
        (stored.name.as_str(), stored.email.as_str(), stored.state),
        ("Grace", "Grace@example.org", MemberState::Active)
    );
    let grants: Vec<_> = stored.grants.iter().map(|grant| (grant.scope, grant.role)).collect();
    assert_eq!(grants, [(installation, Role::PlatformAdministrator), (editor, Role::Editor)]);
    drain(store).await;
}

async fn roles_change_with_their_sessions(store: &Store) {
    let scope = RoleScope::Site(SITE);
    let mary = administrator(store, "mary@example.org", scope, Role::Editor).await;
    let begin = async |digest, now| {
        let new = NewAdministratorSession { administrator: mary, digest, client: "Firefox" };
        store.begin_administrator_session(&new, now).await.unwrap()
    };
    assert!(begin("m1", 1_000).await.is_some());
    let session = store.administrator_session("m1").await.unwrap().unwrap();
    assert_eq!((session.administrator, session.grants[0].role, session.used), (mary, Role::Editor, 1_000));
    store.use_administrator_session("m1", 2_000).await.unwrap();
    assert_eq!(store.administrator_session("m1").await.unwrap().unwrap().used, 2_000);
    assert!(store.site(SITE).member_session("m1").await.unwrap().is_none(), "no session of a reader");
    invite(store, "higher", "mary@example.org", scope, Role::SiteAdministrator).await;
    assert_eq!(store.accept_invite("higher", None, 300).await.unwrap(), Some(mary));
    invite(store, "lower", "mary@example.org", scope, Role::Reader).await;
    assert_eq!(store.accept_invite("lower", None, 300).await.unwrap(), Some(mary));
    assert_eq!(store.grants(mary).await.unwrap()[0].role, Role::SiteAdministrator, "no invitation lowers a role");
    assert!(store.administrator_session("m1").await.unwrap().is_none(), "another role, another session");
    assert!(begin("m2", 4_000).await.is_some() && begin("m3", 4_000).await.is_some());
    let kept = SessionRotation { from: "m2", to: "m4" };
    assert!(store.set_administrator_password(mary, "$argon2id$new", Some(kept), "mary", 5_000).await.unwrap());
    for (digest, stays) in [("m2", false), ("m3", false), ("m4", true)] {
        assert_eq!(store.administrator_session(digest).await.unwrap().is_some(), stays, "{digest}");
    }
    assert!(store.end_administrator_session("m4").await.unwrap());
    assert!(!store.end_administrator_session("m4").await.unwrap());
    assert!(begin("m5", 6_000).await.is_some());
    assert_eq!(store.revoke_role(mary, RoleScope::Installation, "grace", 7_000).await.unwrap(), Revoked::Missing);
    assert_eq!(store.revoke_role(mary, scope, "grace", 7_000).await.unwrap(), Revoked::Done);
    assert!(store.administrator_session("m5").await.unwrap().is_none());
    assert!(store.grants(mary).await.unwrap().is_empty());
    assert_eq!(store.close_administrator(mary, "grace", 8_000).await.unwrap(), Revoked::Done);
    assert_eq!(store.close_administrator(mary, "grace", 8_000).await.unwrap(), Revoked::Missing);
    assert!(begin("m6", 9_000).await.is_none());
    let nobody = AdministratorId(i64::MAX);
    assert!(!store.set_administrator_password(nobody, "x", None, "grace", 1).await.unwrap());
    // Whoever is invited again gets nothing of before.
    let again = administrator(store, "mary@example.org", scope, Role::Reader).await;
    let credential = store.administrator_credential(&email("mary@example.org")).await.unwrap().unwrap();
    assert_eq!((again, credential.password.as_str(), credential.state), (mary, "$argon2id$first", MemberState::Active));
    assert_eq!(store.grants(mary).await.unwrap().len(), 1);
    drain(store).await;
}

async fn nobody_comes_back_by_an_invitation_of_before(store: &Store) {
    let (installation, site) = (RoleScope::Installation, RoleScope::Site(SITE));
    let vera = administrator(store, "vera@example.org", site, Role::SiteAdministrator).await;
    invite(store, "own", "vera@example.org", installation, Role::Reader).await;
    let invites = async |digest: &str, address: &str, scope| {
        let email = email(address);
        let new = NewInvite { digest, email: &email, scope, role: Role::Reader, expires: 1_000 };
        store.invite_administrator(&new, &[], "vera@example.org", 100).await.unwrap();
    };
    invites("second", "vera-2@example.org", site).await;
    invites("elsewhere", "vera-3@example.org", RoleScope::Site(SiteId(6172))).await;
    let waits = async |digest: &str| store.invite(digest, 500).await.unwrap().is_some();
    assert_eq!(store.revoke_role(vera, site, "grace", 300).await.unwrap(), Revoked::Done);
    assert_eq!([waits("own").await, waits("second").await, waits("elsewhere").await], [true, false, true]);
    assert_eq!(store.close_administrator(vera, "grace", 300).await.unwrap(), Revoked::Done);
    assert_eq!([waits("own").await, waits("elsewhere").await], [false, false]);
    drain(store).await;
}

async fn somebody_stays(store: &Store) {
    let installation = RoleScope::Installation;
    let all = store.administrators().await.unwrap();
    let grace = all.iter().find(|one| one.email == "Grace@example.org").unwrap().id;
    assert_eq!(store.revoke_role(grace, installation, "grace", 1).await.unwrap(), Revoked::LastOne);
    assert_eq!(store.close_administrator(grace, "grace", 1).await.unwrap(), Revoked::LastOne);
    assert_eq!(store.grants(grace).await.unwrap().len(), 2, "nothing was taken");
    administrator(store, "joan@example.org", installation, Role::PlatformAdministrator).await;
    assert_eq!(store.close_administrator(grace, "joan", 1).await.unwrap(), Revoked::Done);
    drain(store).await;
}

async fn every_act_has_a_line(store: &Store) {
    let query = AuditQuery { site: Some(SiteId(0)), limit: 1_000, ..AuditQuery::default() };
    let lines = store.audit(&query).await.unwrap();
    for action in ["invited", "granted", "changed", "revoked", "closed"] {
        assert!(lines.iter().any(|line| line.entry.action == action), "{action}");
    }
    let shown = format!("{lines:?}");
    assert!(!shown.contains("argon2id"), "no digest of a password");
}
