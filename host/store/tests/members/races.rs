//! What several processes do at once is as if they had done it one after the other.

use std::{collections::BTreeSet, future::Future};

use masthead_domain::{
    SiteId,
    member::{Channel, Profile, SubscriptionType},
};
use masthead_store::{
    AlbumText, AlertCursor, AlertMessage, AlertTo, CodeCheck, Created, Identity, NewAlert, NewMember, Passkey, Removal,
    Saving, Store, StoreError,
};

use super::{
    account, article,
    codes::{code, used},
    drain, email, id, listed, member, message, new,
    sessions::session,
    subscriptions::{subscribe, subscription},
};

const A: SiteId = SiteId(6195);
const AT_ONCE: usize = 8;

pub async fn suite(store: &Store) {
    a_name_is_given_once(store).await;
    a_code_is_spent_once(store).await;
    guesses_are_counted(store).await;
    limits_hold(store).await;
    the_last_way_in_stays(store).await;
    an_erased_member_stays_erased(store).await;
    a_message_is_claimed_once(store).await;
    alerts_are_told_once(store).await;
}

/// Does the same several times at once.
async fn at_once<T: Send + 'static, F: Future<Output = T> + Send + 'static>(doing: impl Fn(usize) -> F) -> Vec<T> {
    let tasks: Vec<_> = (0..AT_ONCE).map(|number| tokio::spawn(doing(number))).collect();
    let mut results = Vec::with_capacity(tasks.len());
    for task in tasks {
        results.push(task.await.unwrap());
    }
    results
}

async fn a_name_is_given_once(store: &Store) {
    let created = at_once(|number| {
        let site = store.site(A);
        async move {
            let (names, profile) = ([email("race@example.org"), account(&format!("race{number}"))], Profile::default());
            site.create_member(&new(&format!("race-{number}"), &names, &profile), 1).await.unwrap()
        }
    })
    .await;
    assert_eq!(created.iter().filter(|one| matches!(one, Created::Member(_))).count(), 1, "{created:?}");
    assert_eq!(store.site(A).member_count().await.unwrap(), 1);
}

async fn a_code_is_spent_once(store: &Store) {
    store.site(A).issue_code(&code("+86race", "right", 1_000), &[], 1_000).await.unwrap();
    let checks = at_once(|_| {
        let site = store.site(A);
        async move { site.spend_code(&used("+86race", "right"), 2_000).await.unwrap() }
    })
    .await;
    assert_eq!(checks.iter().filter(|check| **check == CodeCheck::Right).count(), 1, "{checks:?}");
}

async fn guesses_are_counted(store: &Store) {
    store.site(A).issue_code(&code("+86guess", "right", 1_000), &[], 1_000).await.unwrap();
    let checks = at_once(|number| {
        let site = store.site(A);
        async move { site.spend_code(&used("+86guess", &format!("guess{number}")), 2_000).await.unwrap() }
    })
    .await;
    assert_eq!(checks.iter().filter(|check| matches!(check, CodeCheck::Wrong(_))).count(), 5, "{checks:?}");
    let counted = at_once(|number| {
        let site = store.site(A);
        async move { site.count_attempt("race", &format!("n{}", number % 2), 0, 100).await.unwrap().everywhere.count }
    })
    .await;
    assert_eq!(
        counted.into_iter().collect::<BTreeSet<_>>(),
        BTreeSet::from_iter(1..=8),
        "each has a number of its own"
    );
}

async fn limits_hold(store: &Store) {
    let ada = member(store, A, "limits").await;
    let albums = at_once(|number| {
        let ada = ada.clone();
        async move {
            let text = AlbumText { name: format!("{number}"), ..AlbumText::default() };
            ada.add_album(&text, 3, 1).await.unwrap()
        }
    })
    .await;
    assert_eq!(albums.iter().filter(|one| matches!(one, Saving::Saved(_))).count(), 3, "{albums:?}");
}

async fn the_last_way_in_stays(store: &Store) {
    let (names, profile) = ([account("ways")], Profile::default());
    let created = store.site(A).create_member(&NewMember { password: "", ..new("ways", &names, &profile) }, 1).await;
    let ada = store.site(A).of_member(id(created.unwrap()));
    let identity = Identity { provider: "orcid".into(), subject: "ways".into(), name: String::new() };
    ada.bind_identity(&identity, &[], 1).await.unwrap();
    let credential = "ways".to_owned();
    let passkey = Passkey { id: 0, credential, name: String::new(), data: "{}".into(), created: 1, used: 0 };
    assert!(ada.add_passkey(&passkey, 9, &[]).await.unwrap());
    let key = ada.passkeys().await.unwrap()[0].id;
    let removed = at_once(|number| {
        let ada = ada.clone();
        async move {
            let by_identity = number % 2 == 0;
            let removed = if by_identity {
                ada.unbind_identity("orcid", &[], 1).await
            } else {
                ada.remove_passkey(key, &[], 1).await
            };
            removed.unwrap()
        }
    })
    .await;
    assert_eq!(removed.iter().filter(|one| **one == Removal::Removed).count(), 1, "{removed:?}");
    assert_eq!(ada.identities().await.unwrap().len() + ada.passkeys().await.unwrap().len(), 1);
}

async fn an_erased_member_stays_erased(store: &Store) {
    let ada = member(store, A, "erased").await;
    at_once(|number| {
        let ada = ada.clone();
        async move {
            let digest = format!("erased{number}");
            let done = match number % 4 {
                0 => ada.erase(&[], "", 1).await,
                1 => ada.collect(&[listed(article(1), "Tides")], 9, 1).await.map(|_| ()),
                2 => ada.begin_session(&session(&digest, None), 1).await.map(|_| ()),
                _ => ada.set_name(&email("erased-again@example.org"), None, &[], 1).await.map(|_| ()),
            };
            assert!(matches!(done, Ok(()) | Err(StoreError::MemberGone(_))), "{done:?}");
        }
    })
    .await;
    assert!(!ada.is_favourite(&article(1)).await.unwrap() && ada.sessions(0, 0).await.unwrap().is_empty());
    assert_eq!(store.site(A).member_by_name(&email("erased-again@example.org")).await.unwrap(), None);
}

async fn a_message_is_claimed_once(store: &Store) {
    let messages: Vec<_> = (0..40).map(|_| message("welcome")).collect();
    store.site(A).queue_messages(None, &messages, 100).await.unwrap();
    let claimed = at_once(|_| {
        let store = store.clone();
        async move { store.claim_messages(Channel::Mail, 200, 60_000, 7).await.unwrap() }
    })
    .await;
    let ids: Vec<_> = claimed.into_iter().flatten().map(|message| message.id).collect();
    assert_eq!((ids.len(), ids.iter().collect::<BTreeSet<_>>().len()), (40, 40));
    drain(store).await;
}

async fn alerts_are_told_once(store: &Store) {
    for number in 0..20 {
        let address = email(&format!("told{number}@example.org"));
        subscribe(store, A, &subscription(&address, SubscriptionType::Current, None)).await;
    }
    let alert = NewAlert { site: A, item: article(1), to: AlertTo::Type(SubscriptionType::Current, String::new()) };
    let recorded = at_once(|_| {
        let (store, alert) = (store.clone(), alert.clone());
        async move { store.record_alerts("races", 1, &[alert], 1).await.unwrap() }
    })
    .await;
    assert_eq!(recorded.iter().flatten().collect::<Vec<_>>(), [&20], "{recorded:?}");
    let told = at_once(|_| {
        let store = store.clone();
        async move {
            let (due, _) = store.due_alerts(&AlertCursor::default(), 100).await.unwrap();
            let of = |alerts| AlertMessage { alerts, message: Some(message("alert")) };
            store.tell(&due.iter().map(of).collect::<Vec<_>>(), 2).await.unwrap()
        }
    })
    .await;
    assert_eq!(told.iter().sum::<usize>(), 20, "{told:?}");
    assert_eq!(drain(store).await.len(), 20);
}
