//! Subscriptions of verified addresses.

use masthead_domain::{
    Lang, SiteId,
    member::{MemberId, MemberName, SubscriptionType},
};
use masthead_store::{NewSubscription, Saving, Store, StoreError};

use super::{email, member};

const A: SiteId = SiteId(6141);
const B: SiteId = SiteId(6142);

pub async fn suite(store: &Store) {
    an_address_subscribes_once(store).await;
    members_see_their_own(store).await;
}

pub fn subscription<'a>(
    email: &'a MemberName,
    kind: SubscriptionType,
    member: Option<MemberId>,
) -> NewSubscription<'a> {
    NewSubscription { member, email, kind, keywords: "", column: "", lang: Lang::De }
}

pub async fn subscribe(store: &Store, site: SiteId, new: &NewSubscription<'_>) -> i64 {
    match store.site(site).subscribe(new, 100, 1_000).await.unwrap() {
        Saving::Saved(id) => id,
        other => panic!("not saved: {other:?}"),
    }
}

async fn an_address_subscribes_once(store: &Store) {
    let site = store.site(A);
    let (address, again) = (email("Reader@example.org"), email("reader@EXAMPLE.org"));
    let new = subscription(&address, SubscriptionType::Current, None);
    let first = site.subscribe(&new, 2, 100).await.unwrap();
    let same = NewSubscription { lang: Lang::Fra, ..subscription(&again, SubscriptionType::Current, None) };
    assert_eq!(site.subscribe(&same, 2, 200).await.unwrap(), first);
    let Saving::Saved(first) = first else { panic!("not saved") };
    let stored = site.subscription(first).await.unwrap().unwrap();
    assert_eq!((stored.subscription.email.as_str(), stored.subscription.since), ("Reader@example.org", 100));
    assert_eq!((stored.lang, stored.member), (Lang::Fra, None));
    let keywords = NewSubscription { keywords: "tide;sea", ..subscription(&address, SubscriptionType::Keywords, None) };
    let second = subscribe(store, A, &keywords).await;
    let column = NewSubscription { column: "7", ..subscription(&address, SubscriptionType::Column, None) };
    assert_eq!(site.subscribe(&column, 2, 100).await.unwrap(), Saving::Full);
    assert!(store.site(B).subscription(first).await.unwrap().is_none());
    let found = site.subscriptions_of(SubscriptionType::Keywords, 0, 9).await.unwrap();
    assert_eq!(
        found.iter().map(|one| (one.subscription.id, one.subscription.keywords.as_str())).collect::<Vec<_>>(),
        [(second, "tide;sea")]
    );
    assert!(site.subscriptions_of(SubscriptionType::Keywords, second, 9).await.unwrap().is_empty());
    assert!(!store.site(B).unsubscribe(first).await.unwrap());
    assert!(site.unsubscribe(first).await.unwrap() && !site.unsubscribe(first).await.unwrap());
}

async fn members_see_their_own(store: &Store) {
    let (ada, bob) = (member(store, A, "ada").await, member(store, A, "bob").await);
    let (own, office, foreign) = (email("ADA@example.org"), email("office@example.org"), email("other@example.org"));
    // Before she registered, signed out; as a member, with another address; somebody else.
    let before = subscribe(store, A, &subscription(&own, SubscriptionType::OnlineFirst, None)).await;
    let column = NewSubscription { column: "7", ..subscription(&office, SubscriptionType::Column, Some(ada.id())) };
    let with = subscribe(store, A, &column).await;
    let other = subscribe(store, A, &subscription(&foreign, SubscriptionType::Current, None)).await;
    let ids: Vec<_> = ada.subscriptions().await.unwrap().into_iter().map(|one| one.id).collect();
    assert_eq!(ids, [before, with]);
    assert!(bob.subscriptions().await.unwrap().is_empty());
    assert!(ada.is_subscribed(SubscriptionType::OnlineFirst, "").await.unwrap());
    assert!(ada.is_subscribed(SubscriptionType::Column, "7").await.unwrap());
    assert!(!ada.is_subscribed(SubscriptionType::Column, "8").await.unwrap());
    assert!(!ada.is_subscribed(SubscriptionType::Current, "").await.unwrap());
    assert!(!ada.end_subscription(other).await.unwrap() && !bob.end_subscription(before).await.unwrap());
    assert!(ada.end_subscription(before).await.unwrap() && ada.end_subscription(with).await.unwrap());
    assert!(store.site(A).subscription(other).await.unwrap().is_some());
    bob.erase(&[], "", 1_000).await.unwrap();
    let late = subscription(&office, SubscriptionType::Current, Some(bob.id()));
    let error = store.site(A).subscribe(&late, 100, 1_000).await.unwrap_err();
    assert!(matches!(error, StoreError::MemberGone(_)), "{error}");
}
