//! Accounts: names, profile, passwords, identities, passkeys, institutions.

use masthead_domain::{
    Lang, SiteId,
    member::{Gender, MemberName, MemberState, NameKind, Profile},
};
use masthead_store::{
    Created, Identity, IdentityBinding, Institution, NameSet, NewMember, Passkey, Removal, SessionRotation, Store,
    StoreError,
};

use super::{account, drain, email, id, member, message, new};

const A: SiteId = SiteId(6101);
const B: SiteId = SiteId(6102);

pub async fn suite(store: &Store) {
    a_name_belongs_to_one_member(store).await;
    a_profile_is_kept(store).await;
    names_change(store).await;
    a_password_is_replaced(store).await;
    an_account_is_closed(store).await;
    identities_are_bound_once(store).await;
    passkeys_are_counted(store).await;
    institutions_have_members(store).await;
    drain(store).await;
}

async fn a_name_belongs_to_one_member(store: &Store) {
    let (a, b) = (store.site(A), store.site(B));
    let profile = Profile::default();
    let mobile = MemberName::mobile("138 1234 5678").unwrap();
    let names = [account("Ada"), email("Ada@Example.org"), mobile.clone()];
    let ada = id(a.create_member(&new("h1", &names, &profile), 5_000).await.unwrap());
    for (typed, kind) in [
        (account("ADA"), NameKind::Account),
        (email("ada@example.ORG"), NameKind::Email),
        (MemberName::mobile("+8613812345678").unwrap(), NameKind::Mobile),
    ] {
        assert_eq!(a.member_by_name(&typed).await.unwrap(), Some(ada));
        assert_eq!(b.member_by_name(&typed).await.unwrap(), None, "another site's");
        let taken = [account("another"), typed];
        let created = a.create_member(&new("h2", &taken, &profile), 5_000).await.unwrap();
        assert_eq!(created, Created::NameTaken(kind));
    }
    assert_eq!(a.member_by_name(&account("another")).await.unwrap(), None, "nothing of a refused member stays");
    assert_eq!(a.member_count().await.unwrap(), 1);
    let other = id(b.create_member(&new("h1", &names, &profile), 5_000).await.unwrap());
    assert_ne!(other, ada, "numbers differ on all sites");
    assert_eq!(a.of_member(other).member().await.unwrap(), None, "a member of another site");
    let stored = a.of_member(ada).member().await.unwrap().unwrap();
    assert_eq!((stored.account.as_str(), stored.email.as_str()), ("Ada", "Ada@Example.org"));
    assert_eq!((stored.mobile.as_str(), stored.lang, stored.handle.as_str()), ("13812345678", Lang::Zh, "h1"));
    assert_eq!((stored.agreed, stored.created, stored.state), (5_000, 5_000, MemberState::Active));
    assert!(stored.has_password);
}

async fn a_profile_is_kept(store: &Store) {
    let ada = member(store, A, "profile").await;
    let profile = Profile {
        name: "王小明 <b>".into(),
        region: "海".into(),
        major: "Geology".into(),
        institution: "Institute".into(),
        research_field: "Tides".into(),
        gender: Some(Gender::Female),
        photo: "f1".into(),
    };
    ada.set_profile(&profile, Lang::Ara).await.unwrap();
    let stored = ada.member().await.unwrap().unwrap();
    assert_eq!((stored.profile, stored.lang), (profile.clone(), Lang::Ara));
    let elsewhere = store.site(B).of_member(ada.id());
    let error = elsewhere.set_profile(&profile, Lang::En).await.unwrap_err();
    assert!(matches!(error, StoreError::MemberGone(_)), "{error}");
}

async fn names_change(store: &Store) {
    let site = store.site(A);
    let (ada, bob) = (member(store, A, "names-ada").await, member(store, A, "names-bob").await);
    let told = [message("changed")];
    let here = ada.begin_session(&super::sessions::session("names-1", None), 2_000).await.unwrap();
    ada.begin_session(&super::sessions::session("names-2", None), 2_000).await.unwrap().unwrap();
    bob.begin_session(&super::sessions::session("names-3", None), 2_000).await.unwrap().unwrap();
    assert_eq!(ada.set_name(&email("names-bob@example.org"), here, &told, 7_000).await.unwrap(), NameSet::Taken);
    assert_eq!(ada.sessions(0, 0).await.unwrap().len(), 2, "nothing is changed");
    assert_eq!(site.member_by_name(&email("names-ada@example.org")).await.unwrap(), Some(ada.id()), "it stays");
    assert!(drain(store).await.is_empty());
    assert_eq!(ada.set_name(&email("new@example.org"), here, &told, 7_000).await.unwrap(), NameSet::Set);
    let left: Vec<_> = ada.sessions(0, 0).await.unwrap().into_iter().map(|session| Some(session.id)).collect();
    assert_eq!((left.as_slice(), bob.sessions(0, 0).await.unwrap().len()), (&[here][..], 1), "her other one has ended");
    assert_eq!(site.member_by_name(&email("names-ada@example.org")).await.unwrap(), None);
    assert_eq!(site.member_by_name(&email("NEW@example.org")).await.unwrap(), Some(ada.id()));
    assert_eq!(ada.member().await.unwrap().unwrap().email, "new@example.org");
    assert_eq!(drain(store).await.len(), 1);
    let mobile = MemberName::mobile("+44 7700 900123").unwrap();
    assert_eq!(bob.set_name(&mobile, None, &[], 7_000).await.unwrap(), NameSet::Set, "a first one");
    assert_eq!(bob.set_name(&mobile, None, &[], 7_000).await.unwrap(), NameSet::Set, "the same again");
    assert_eq!(
        bob.set_name(&email("names-ada@example.org"), None, &[], 7_000).await.unwrap(),
        NameSet::Set,
        "a free one"
    );
}

async fn a_password_is_replaced(store: &Store) {
    let site = store.site(A);
    let ada = member(store, A, "password").await;
    let found = site.credential_by_name(&email("password@example.org")).await.unwrap().unwrap();
    assert_eq!((found.member, found.password.as_str(), found.state), (ada.id(), "$argon2id$old", MemberState::Active));
    assert!(!format!("{found:?}").contains("argon2id"), "logs do not show it");
    assert_eq!(found.account, "password");
    assert!(store.site(B).credential_by_name(&email("password@example.org")).await.unwrap().is_none());
    assert!(!ada.replace_password_digest("$argon2id$another", "x").await.unwrap(), "it was changed meanwhile");
    assert!(ada.replace_password_digest("$argon2id$old", "$argon2id$costlier").await.unwrap());
    assert_eq!(ada.member().await.unwrap().unwrap().password_changed, 1_000, "the password is the same");
    for digest in ["p1", "p2", "p3"] {
        ada.begin_session(&super::sessions::session(digest, None), 2_000).await.unwrap().unwrap();
    }
    let kept = SessionRotation { from: "p2", to: "p4" };
    ada.set_password("$argon2id$new", Some(kept), &[message("password")], 9_000).await.unwrap();
    for (digest, stays) in [("p1", false), ("p2", false), ("p3", false), ("p4", true)] {
        assert_eq!(
            site.member_session(digest).await.unwrap().is_some(),
            stays,
            "{digest}: one stays, with another token"
        );
    }
    assert_eq!(ada.credential().await.unwrap().unwrap().password, "$argon2id$new");
    assert_eq!(ada.member().await.unwrap().unwrap().password_changed, 9_000);
    ada.set_password("$argon2id$newer", None, &[], 9_500).await.unwrap();
    assert!(ada.sessions(0, 0).await.unwrap().is_empty());
    assert_eq!(drain(store).await.len(), 1);
}

async fn an_account_is_closed(store: &Store) {
    let site = store.site(A);
    let ada = member(store, A, "closed").await;
    ada.begin_session(&super::sessions::session("closed-1", None), 2_000).await.unwrap().unwrap();
    assert!(!store.site(B).set_member_state(ada.id(), MemberState::Closed, "admin", 3_000).await.unwrap());
    assert!(site.member_session("closed-1").await.unwrap().is_some());
    assert!(site.set_member_state(ada.id(), MemberState::Closed, "admin", 3_000).await.unwrap());
    assert!(site.member_session("closed-1").await.unwrap().is_none());
    assert_eq!(ada.begin_session(&super::sessions::session("closed-2", None), 4_000).await.unwrap(), None);
    let line = site.latest_audit(&format!("member/{}", ada.id())).await.unwrap().unwrap();
    assert_eq!((line.entry.who.as_str(), line.at_ms), ("admin", 3_000));
    assert!(site.set_member_state(ada.id(), MemberState::Active, "admin", 5_000).await.unwrap());
    assert!(ada.begin_session(&super::sessions::session("closed-2", None), 6_000).await.unwrap().is_some());
}

async fn identities_are_bound_once(store: &Store) {
    let site = store.site(A);
    let (ada, bob) = (member(store, A, "bound-ada").await, member(store, A, "bound-bob").await);
    let identity = |provider: &str, subject: &str| Identity {
        provider: provider.into(),
        subject: subject.into(),
        name: "Ada".into(),
    };
    let orcid = identity("orcid", "0000-0001");
    let told = [message("bound")];
    assert_eq!(ada.bind_identity(&orcid, &told, 10).await.unwrap(), IdentityBinding::Bound);
    assert_eq!(ada.bind_identity(&orcid, &told, 20).await.unwrap(), IdentityBinding::Bound, "the same again");
    assert_eq!(bob.bind_identity(&orcid, &told, 10).await.unwrap(), IdentityBinding::Taken);
    let second = identity("orcid", "0000-0002");
    assert_eq!(ada.bind_identity(&second, &told, 10).await.unwrap(), IdentityBinding::HasAnother);
    assert_eq!(drain(store).await.len(), 1, "one binding, one message");
    assert_eq!(site.member_by_identity("orcid", "0000-0001").await.unwrap(), Some(ada.id()));
    assert_eq!(site.member_by_identity("oidc", "0000-0001").await.unwrap(), None);
    assert_eq!(store.site(B).member_by_identity("orcid", "0000-0001").await.unwrap(), None);
    assert_eq!(ada.identities().await.unwrap()[0].since, 10);
    let names = [account("bound-carol")];
    let profile = Profile::default();
    let carol = NewMember { identity: Some(&orcid), password: "", ..new("h-carol", &names, &profile) };
    assert_eq!(site.create_member(&carol, 10).await.unwrap(), Created::IdentityTaken);
    assert_eq!(site.member_by_name(&names[0]).await.unwrap(), None);
    assert_eq!(bob.unbind_identity("orcid", &told, 10).await.unwrap(), Removal::NotFound);
    assert_eq!(ada.unbind_identity("orcid", &told, 10).await.unwrap(), Removal::Removed);
    assert_eq!(drain(store).await.len(), 1);
    let carol = id(site.create_member(&carol, 10).await.unwrap());
    assert_eq!(site.member_by_identity("orcid", "0000-0001").await.unwrap(), Some(carol));
    let carol = site.of_member(carol);
    assert!(!carol.member().await.unwrap().unwrap().has_password);
    assert_eq!(carol.unbind_identity("orcid", &told, 10).await.unwrap(), Removal::LastWay, "a name without a password");
    assert_eq!((carol.identities().await.unwrap().len(), drain(store).await.len()), (1, 0), "nothing is changed");
}

async fn passkeys_are_counted(store: &Store) {
    let site = store.site(A);
    let (ada, bob) = (member(store, A, "keys-ada").await, member(store, A, "keys-bob").await);
    let passkey = |credential: &str| Passkey {
        id: 0,
        credential: credential.into(),
        name: "Telephone".into(),
        data: r#"{"counter":1}"#.into(),
        created: 50,
        used: 0,
    };
    assert!(ada.add_passkey(&passkey("c1"), 2, &[message("passkey")]).await.unwrap());
    assert!(!bob.add_passkey(&passkey("c1"), 2, &[message("passkey")]).await.unwrap(), "of another member");
    assert!(ada.add_passkey(&passkey("c2"), 2, &[]).await.unwrap());
    assert!(!ada.add_passkey(&passkey("c3"), 2, &[]).await.unwrap(), "too many");
    assert_eq!(drain(store).await.len(), 1);
    let owner = site.passkey("c1").await.unwrap().unwrap();
    assert_eq!((owner.member, owner.handle.as_str(), owner.state), (ada.id(), "handle-keys-ada", MemberState::Active));
    assert!(store.site(B).passkey("c1").await.unwrap().is_none());
    let (key, read, next) = (owner.passkey.id, owner.passkey.data.as_str(), r#"{"counter":2}"#);
    assert!(!bob.use_passkey(key, read, next, 60).await.unwrap());
    assert!(ada.use_passkey(key, read, next, 60).await.unwrap());
    assert!(!ada.use_passkey(key, read, next, 61).await.unwrap(), "two sign-ins with one counter");
    let keys = ada.passkeys().await.unwrap();
    assert_eq!(
        keys.iter().map(|key| (key.name.as_str(), key.used)).collect::<Vec<_>>(),
        [("Telephone", 60), ("Telephone", 0)]
    );
    assert_eq!(bob.remove_passkey(key, &[], 70).await.unwrap(), Removal::NotFound);
    assert_eq!(ada.remove_passkey(key, &[], 70).await.unwrap(), Removal::Removed);
    assert!(site.passkey("c1").await.unwrap().is_none());
}

async fn institutions_have_members(store: &Store) {
    let site = store.site(A);
    let ada = member(store, A, "institutions").await;
    let institution = |until| Institution {
        key: "harbour".into(),
        name: "Harbour University".into(),
        networks: vec!["192.0.2.0/24".into(), "2001:db8::/32".into()],
        until,
    };
    site.set_institution(&institution(0), "admin", 100).await.unwrap();
    assert_eq!(site.institutions().await.unwrap(), [institution(0)]);
    assert!(store.site(B).institutions().await.unwrap().is_empty());
    ada.join_institution("harbour", 500, "admin", 100).await.unwrap();
    ada.join_institution("of-the-configuration", 0, "admin", 100).await.unwrap();
    let now = async |now| {
        let found = ada.affiliations(now).await.unwrap();
        found.into_iter().map(|one| (one.institution, one.name)).collect::<Vec<_>>()
    };
    let harbour = ("harbour".to_owned(), "Harbour University".to_owned());
    let other = ("of-the-configuration".to_owned(), String::new());
    assert_eq!(now(499).await, [harbour.clone(), other.clone()]);
    assert_eq!(now(500).await, std::slice::from_ref(&other), "the member's time is over");
    site.set_institution(&institution(300), "admin", 100).await.unwrap();
    assert_eq!(now(299).await, [harbour, other.clone()]);
    assert_eq!(now(300).await, std::slice::from_ref(&other), "the institution's time is over");
    assert!(!ada.leave_institution("nowhere", "admin", 100).await.unwrap());
    assert!(ada.leave_institution("of-the-configuration", "admin", 100).await.unwrap());
    assert!(!store.site(B).remove_institution("harbour", "admin", 100).await.unwrap());
    assert!(site.remove_institution("harbour", "admin", 100).await.unwrap());
    assert!(now(1).await.is_empty());
    let line = site.latest_audit("institution/harbour").await.unwrap().unwrap();
    assert_eq!((line.entry.action.as_str(), line.entry.who.as_str()), ("removed", "admin"));
}
