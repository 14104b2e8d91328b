//! What is deleted when its time is over, and what is not.

use masthead_domain::{SiteId, member::SubscriptionType};
use masthead_store::{
    AlertCursor, AlertMessage, AlertTo, Expired, Expiry, NewAccount, NewAdministratorSession, NewAlert, NewInvite,
    Store,
};

use super::{
    article,
    codes::{code, used},
    email, member,
    sessions::session,
    subscriptions::{subscribe, subscription},
};

const A: SiteId = SiteId(6199);
const NEVER: Expiry = Expiry {
    sessions_begun: 0,
    sessions_used: 0,
    administrator_sessions_begun: 0,
    administrator_sessions_used: 0,
    attempts: 0,
    messages: 0,
    alerts: 0,
    now: 0,
};

/// It is a database of its own: deletion concerns all sites.
#[tokio::test]
async fn what_has_expired_is_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open_file(&folder.path().join("expired.db")).await.unwrap();
    fill(&store).await;
    let deleted = async |expiry: Expiry| store.delete_expired(&expiry).await.unwrap();
    assert_eq!(deleted(NEVER).await, Expired::default());
    let none = Expired::default();
    assert_eq!(deleted(Expiry { sessions_begun: 1_001, ..NEVER }).await, Expired { sessions: 1, ..none });
    assert_eq!(deleted(Expiry { sessions_used: 2_001, ..NEVER }).await, Expired { sessions: 1, ..none });
    assert_eq!(deleted(Expiry { administrator_sessions_begun: 1_000, ..NEVER }).await, none);
    assert_eq!(deleted(Expiry { administrator_sessions_used: 1_001, ..NEVER }).await, Expired { sessions: 1, ..none });
    assert_eq!(deleted(Expiry { attempts: 1_000, ..NEVER }).await, none);
    assert_eq!(deleted(Expiry { attempts: 1_001, ..NEVER }).await, Expired { attempts: 2, ..none });
    assert_eq!(
        deleted(Expiry { now: 5_000, ..NEVER }).await,
        Expired { secrets: 2, ..none },
        "a ticket, an invitation"
    );
    assert_eq!(deleted(Expiry { now: 601_000, ..NEVER }).await, Expired { secrets: 1, ..none }, "a code");
    assert_eq!(
        deleted(Expiry { alerts: 2_000, ..NEVER }).await,
        Expired { alerts: 1, ..none },
        "one that cannot be told"
    );
    assert_eq!(deleted(Expiry { alerts: 2_001, ..NEVER }).await, Expired { alerts: 1, ..none }, "one that was told");
    assert_eq!(
        store.site(A).spend_code(&used("+86", "right"), 1_000).await.unwrap(),
        masthead_store::CodeCheck::Missing
    );
    assert_eq!(store.site(A).member_count().await.unwrap(), 1, "nothing of a member is deleted here");
}

async fn fill(store: &Store) {
    let site = store.site(A);
    let ada = member(store, A, "ada").await;
    ada.begin_session(&session("s1", None), 1_000).await.unwrap().unwrap();
    ada.begin_session(&session("s2", None), 2_000).await.unwrap().unwrap();
    ada.begin_session(&session("s3", None), 3_000).await.unwrap().unwrap();
    let address = email("grace@example.org");
    let new = |digest| NewInvite {
        digest,
        email: &address,
        scope: masthead_domain::member::RoleScope::Installation,
        role: masthead_domain::member::Role::Reader,
        expires: 5_000,
    };
    store.invite_administrator(&new("i1"), &[], "cli", 1_000).await.unwrap();
    let grace =
        store.accept_invite("i1", Some(NewAccount { name: "Grace", password: "" }), 1_000).await.unwrap().unwrap();
    store.invite_administrator(&new("i2"), &[], "cli", 1_000).await.unwrap();
    let begun = NewAdministratorSession { administrator: grace, digest: "a1", client: "" };
    store.begin_administrator_session(&begun, 1_000).await.unwrap().unwrap();
    site.issue_code(&code("+86", "right", 1_000), &[], 1_000).await.unwrap();
    site.put_ticket("captcha", "t", "ABCD", 5_000).await.unwrap();
    site.count_attempt("ada", "n", 0, 1_000).await.unwrap();
    subscribe(store, A, &subscription(&address, SubscriptionType::Current, None)).await;
    let alert = |to| NewAlert { site: A, item: article(1), to };
    let told = [alert(AlertTo::Type(SubscriptionType::Current, String::new()))];
    store.record_alerts("alerts", 1, &told, 1_000).await.unwrap();
    let (due, _) = store.due_alerts(&AlertCursor::default(), 9).await.unwrap();
    let telling = AlertMessage { alerts: &due[0], message: None };
    assert_eq!(store.tell(&[telling], 2_000).await.unwrap(), 1);
    // The subscription of this one ended at the same time.
    store.record_alerts("alerts", 2, &[alert(AlertTo::Subscriptions(vec![i64::MAX]))], 1_000).await.unwrap();
}
