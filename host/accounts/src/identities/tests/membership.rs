//! Whom identities belong to.

use masthead_domain::{
    Lang,
    member::{MemberName, MemberState},
    site::NewMembers,
};
use masthead_store::IdentityBinding;

use super::*;
use crate::testing::{OTHER, SITE, member, store};

fn who(subject: &str) -> ExternalIdentity {
    ExternalIdentity { provider: "campus".into(), subject: subject.into(), name: "Ada Lovelace".into() }
}

#[tokio::test]
async fn an_identity_belongs_to_one_member_of_one_site() {
    let (_folder, store) = store().await;
    let (one, other) = (store.site(SITE), store.site(OTHER));
    assert_eq!(arrive(&one, &who("u-1"), NewMembers::Bind, Lang::En, START).await.unwrap(), IdentityOwner::Unknown);
    let (ada, eve) = (member(&one, "ada", "digest").await, member(&one, "eve", "digest").await);
    let bind = async |id, subject: &str| super::bind(&one.of_member(id), &who(subject), &[], START).await.unwrap();
    assert_eq!(bind(ada, "u-1").await, IdentityBinding::Bound);
    assert_eq!(bind(ada, "u-1").await, IdentityBinding::Bound, "again");
    assert_eq!(bind(eve, "u-1").await, IdentityBinding::Taken);
    assert_eq!(bind(ada, "u-2").await, IdentityBinding::HasAnother);
    for policy in [NewMembers::Bind, NewMembers::Create] {
        assert_eq!(arrive(&one, &who("u-1"), policy, Lang::En, START).await.unwrap(), IdentityOwner::Member(ada));
    }
    assert_eq!(arrive(&other, &who("u-1"), NewMembers::Bind, Lang::En, START).await.unwrap(), IdentityOwner::Unknown);
    let elsewhere = ExternalIdentity { provider: "orcid".into(), ..who("u-1") };
    assert_eq!(arrive(&one, &elsewhere, NewMembers::Bind, Lang::En, START).await.unwrap(), IdentityOwner::Unknown);
    one.set_member_state(ada, MemberState::Closed, "operator", START).await.unwrap();
    for policy in [NewMembers::Bind, NewMembers::Create] {
        assert_eq!(arrive(&one, &who("u-1"), policy, Lang::En, START).await.unwrap(), IdentityOwner::Closed);
    }
}

#[tokio::test]
async fn who_is_created_comes_back_as_the_same_member() {
    let (_folder, store) = store().await;
    let site = store.site(SITE);
    let first = arrive(&site, &who("u-1"), NewMembers::Create, Lang::Fra, START).await.unwrap();
    let IdentityOwner::Member(id) = first else { panic!("{first:?}") };
    let made = site.of_member(id).member().await.unwrap().unwrap();
    assert_eq!((made.profile.name.as_str(), made.lang, made.has_password), ("Ada Lovelace", Lang::Fra, false));
    assert!(made.account.is_empty() && made.email.is_empty() && made.mobile.is_empty());
    assert_eq!(arrive(&site, &who("u-1"), NewMembers::Create, Lang::En, START).await.unwrap(), first);
    let second = who("u-2");
    let two = futures::future::join(
        arrive(&site, &second, NewMembers::Create, Lang::En, START),
        arrive(&site, &second, NewMembers::Create, Lang::En, START),
    );
    let (left, right) = two.await;
    assert_eq!(left.unwrap(), right.unwrap(), "two requests of one reader make one member");
    assert_eq!(site.member_count().await.unwrap(), 2);
}

#[tokio::test]
async fn the_last_way_in_is_not_removed() {
    let (_folder, store) = store().await;
    let site = store.site(SITE);
    let IdentityOwner::Member(id) = arrive(&site, &who("u-1"), NewMembers::Create, Lang::En, START).await.unwrap()
    else {
        panic!("not created")
    };
    let member_store = site.of_member(id);
    let unbind = async |provider: &str| super::unbind(&member_store, provider, &[], START).await.unwrap();
    assert_eq!((unbind("orcid").await, unbind("campus").await), (Removal::NotFound, Removal::LastWay));
    let orcid = ExternalIdentity { provider: "orcid".into(), ..who("0000-0002-1825-0097") };
    bind(&member_store, &orcid, &[], START).await.unwrap();
    assert_eq!((unbind("campus").await, unbind("orcid").await), (Removal::Removed, Removal::LastWay));
    let mobile = MemberName::mobile("13812345678").unwrap();
    member_store.set_name(&mobile, None, &[], START).await.unwrap();
    assert_eq!(unbind("orcid").await, Removal::Removed, "codes can be sent to the mobile number");

    let with_password = site.of_member(member(&site, "eve", "digest").await);
    bind(&with_password, &who("u-9"), &[], START).await.unwrap();
    assert_eq!(super::unbind(&with_password, "campus", &[], START).await.unwrap(), Removal::Removed);
    let named_only = site.of_member(member(&site, "mallory", "").await);
    bind(&named_only, &who("u-8"), &[], START).await.unwrap();
    assert_eq!(super::unbind(&named_only, "campus", &[], START).await.unwrap(), Removal::LastWay);
}
