//! Sessions of members.

use masthead_domain::{Lang, SiteId, member::MemberId};
use masthead_store::{Identity, NewSession, Store, StoreError};

use super::member;

const A: SiteId = SiteId(6111);
const B: SiteId = SiteId(6112);

pub async fn suite(store: &Store) {
    a_session_knows_its_member(store).await;
    sessions_are_listed_and_ended_by_their_member(store).await;
    all_sessions_of_a_user_are_ended(store).await;
}

pub fn session<'a>(digest: &'a str, replaces: Option<&'a str>) -> NewSession<'a> {
    NewSession { digest, replaces, method: "password", client: "Firefox" }
}

async fn a_session_knows_its_member(store: &Store) {
    let (a, b) = (store.site(A), store.site(B));
    let ada = member(store, A, "ada").await;
    let number = ada.begin_session(&session("s1", None), 2_000).await.unwrap().unwrap();
    let found = a.member_session("s1").await.unwrap().unwrap();
    assert_eq!((found.member, found.session.id, found.session.method.as_str()), (ada.id(), number, "password"));
    assert_eq!((found.session.created, found.session.used, found.lang), (2_000, 2_000, Lang::Zh));
    assert_eq!((found.shown(), found.email.as_str()), ("ada", "ada@example.org"));
    assert_eq!(ada.member().await.unwrap().unwrap().seen, 2_000);
    assert_eq!((b.member_session("s1").await.unwrap(), a.member_session("s2").await.unwrap()), (None, None));
    // Signing in replaces the token that the browser had: whoever knew it before has nothing.
    ada.begin_session(&session("s2", Some("s1")), 3_000).await.unwrap().unwrap();
    assert!(a.member_session("s1").await.unwrap().is_none());
    a.use_session("s2", 4_000).await.unwrap();
    assert_eq!(a.member_session("s2").await.unwrap().unwrap().session.used, 4_000);
    a.end_session("s2").await.unwrap();
    assert!(a.member_session("s2").await.unwrap().is_none());
    let nobody = a.of_member(MemberId(i64::MAX));
    let error = nobody.begin_session(&session("s5", None), 5_000).await.unwrap_err();
    assert!(matches!(error, StoreError::MemberGone(_)), "{error}");
}

async fn sessions_are_listed_and_ended_by_their_member(store: &Store) {
    let site = store.site(A);
    let (ada, bob) = (member(store, A, "list-ada").await, member(store, A, "list-bob").await);
    let mut numbers = Vec::new();
    for (digest, now) in [("l1", 1_000), ("l2", 2_000), ("l3", 3_000)] {
        numbers.push(ada.begin_session(&session(digest, None), now).await.unwrap().unwrap());
    }
    let of_bob = bob.begin_session(&session("l4", None), 1_000).await.unwrap().unwrap();
    let listed = async |created, used| {
        ada.sessions(created, used).await.unwrap().into_iter().map(|one| one.id).collect::<Vec<_>>()
    };
    assert_eq!(listed(0, 0).await, [numbers[2], numbers[1], numbers[0]], "latest use first");
    assert_eq!(listed(1_001, 0).await, [numbers[2], numbers[1]], "expired ones are not shown");
    assert_eq!(listed(0, 2_001).await, [numbers[2]]);
    assert!(!ada.end_session(of_bob).await.unwrap(), "another member's");
    assert!(!store.site(B).of_member(ada.id()).end_session(numbers[0]).await.unwrap(), "another site's");
    assert!(ada.end_session(numbers[0]).await.unwrap() && !ada.end_session(numbers[0]).await.unwrap());
    assert_eq!(ada.end_sessions_but(Some(numbers[1])).await.unwrap(), 1);
    assert_eq!(listed(0, 0).await, [numbers[1]]);
    assert_eq!(ada.end_sessions_but(None).await.unwrap(), 1);
    assert!(site.member_session("l4").await.unwrap().is_some());
}

async fn all_sessions_of_a_user_are_ended(store: &Store) {
    let (site, other) = (store.site(A), store.site(B));
    let (ada, bob) = (member(store, A, "end-ada").await, member(store, A, "end-bob").await);
    let identity = Identity { provider: "orcid".into(), subject: "u-1".into(), name: String::new() };
    ada.bind_identity(&identity, &[], 1).await.unwrap();
    bob.begin_session(&session("e0", None), 1_000).await.unwrap().unwrap();
    for (user, digest) in [("u-1", "e1"), ("END-Ada", "e2"), ("end-ada@Example.org", "e3")] {
        ada.begin_session(&session(digest, None), 1_000).await.unwrap().unwrap();
        assert_eq!(other.end_sessions_by(user, "grace").await.unwrap(), 0, "another site's");
        assert!(site.member_session(digest).await.unwrap().is_some());
        assert_eq!(site.end_sessions_by(user, "grace").await.unwrap(), 1, "{user}");
        assert!(site.member_session(digest).await.unwrap().is_none());
    }
    assert_eq!(site.end_sessions_by("u-1", "eve").await.unwrap(), 0);
    let subject = format!("member/{}", ada.id());
    let line = site.latest_audit(&subject).await.unwrap().unwrap().entry;
    assert_eq!((line.who.as_str(), line.action.as_str()), ("grace", "ended"), "no line where nothing was ended");
    assert_eq!(line.before, serde_json::json!({ "sessions": 1 }));
    assert_eq!(site.end_sessions_by("nobody", "grace").await.unwrap(), 0);
    assert!(site.member_session("e0").await.unwrap().is_some(), "another member's");
}
