//! Alerts: each new item to each subscriber once.

use masthead_domain::{
    SiteId,
    member::{ItemRef, ItemType, SubscriptionType},
};
use masthead_store::{
    AlertCursor, AlertMessage, AlertSource, AlertTo, DueAlerts, NewAlert, NewSubscription, Saving, SearchText, Store,
};

use super::{
    article, drain, email, member, message,
    subscriptions::{subscribe, subscription},
};

const A: SiteId = SiteId(6151);
const B: SiteId = SiteId(6152);

pub async fn suite(store: &Store) {
    subscribers_are_told_once(store).await;
    who_has_gone_is_not_told(store).await;
    what_nobody_can_be_told_of_does_not_wait(store).await;
    many_subscribers_are_told_in_few_statements(store).await;
}

fn alert(item: ItemRef, to: AlertTo) -> NewAlert {
    NewAlert { site: A, item, to }
}

async fn due(store: &Store) -> Vec<DueAlerts> {
    let (mut found, mut after) = (Vec::new(), AlertCursor::default());
    loop {
        let (some, cursor) = store.due_alerts(&after, 2).await.unwrap();
        found.extend(some);
        let Some(cursor) = cursor else { break };
        after = cursor;
    }
    found
}

fn told(due: &[DueAlerts]) -> Vec<(String, Vec<String>)> {
    let address = |source: &AlertSource| match source {
        AlertSource::Subscription(found) => found.subscription.email.clone(),
        AlertSource::Search(found) => format!("search of {}", found.email),
    };
    due.iter().map(|one| (address(&one.source), one.items.iter().map(|item| item.id.clone()).collect())).collect()
}

fn tellings(due: &[DueAlerts]) -> Vec<AlertMessage<'_>> {
    due.iter().map(|alerts| AlertMessage { alerts, message: Some(message("alert")) }).collect()
}

async fn subscribers_are_told_once(store: &Store) {
    let ada = member(store, A, "ada").await;
    let (one, two) = (email("one@example.org"), email("two@example.org"));
    let current = async |address| subscribe(store, A, &subscription(address, SubscriptionType::Current, None)).await;
    current(&one).await;
    current(&two).await;
    let column = NewSubscription { column: "7", ..subscription(&one, SubscriptionType::Column, None) };
    subscribe(store, A, &column).await;
    let keywords = NewSubscription { keywords: "tide", ..subscription(&two, SubscriptionType::Keywords, None) };
    let keywords = subscribe(store, A, &keywords).await;
    subscribe(store, B, &subscription(&one, SubscriptionType::Current, None)).await;
    let text = SearchText { name: "Tides".into(), address: "/search?q=tide".into(), alert: true };
    let Saving::Saved(search) = ada.add_search(&text, 9, 100).await.unwrap() else { panic!("not saved") };

    let issue = ItemRef::new(ItemType::Publication, "tides/2026/3");
    let new = [
        alert(issue.clone(), AlertTo::Type(SubscriptionType::Current, String::new())),
        alert(article(5), AlertTo::Type(SubscriptionType::Column, "8".into())),
        alert(article(6), AlertTo::Type(SubscriptionType::Column, "7".into())),
        alert(article(7), AlertTo::Subscriptions(vec![keywords, keywords])),
        alert(article(7), AlertTo::Searches(vec![search])),
    ];
    assert_eq!(store.record_alerts("alerts", 10, &new, 500).await.unwrap(), Some(5));
    assert_eq!(store.record_alerts("alerts", 10, &new, 500).await.unwrap(), None, "another process was faster");
    assert_eq!(store.record_alerts("alerts", 11, &new[..1], 600).await.unwrap(), Some(0), "it came again");
    assert_eq!(store.position("alerts").await.unwrap(), 11);

    let found = due(store).await;
    let item = |id: &str| vec![id.to_owned()];
    assert_eq!(
        told(&found),
        [
            ("search of ada@example.org".to_owned(), item("7")),
            ("one@example.org".to_owned(), item("tides/2026/3")),
            ("two@example.org".to_owned(), item("tides/2026/3")),
            ("one@example.org".to_owned(), item("6")),
            ("two@example.org".to_owned(), item("7")),
        ]
    );
    assert!(found.iter().all(|one| one.site == A));
    // Another item comes while the mail is composed; another process has told the first subscriber meanwhile.
    let late = [alert(article(8), AlertTo::Type(SubscriptionType::Column, "7".into()))];
    assert_eq!(store.record_alerts("alerts", 12, &late, 700).await.unwrap(), Some(1));
    assert_eq!(store.tell(&tellings(&found[..1]), 800).await.unwrap(), 1);
    assert_eq!(store.tell(&tellings(&found), 900).await.unwrap(), 4);
    let sent = drain(store).await;
    assert_eq!(sent.len(), 5, "one mail for each");
    assert_eq!(sent.iter().filter(|message| message.member == Some(ada.id())).count(), 1);
    let rest = due(store).await;
    assert_eq!(told(&rest), [("one@example.org".to_owned(), item("8"))], "what was composed had not this item");
    let nothing = [AlertMessage { alerts: &rest[0], message: None }];
    assert_eq!(store.tell(&nothing, 1_000).await.unwrap(), 1, "an item that is gone");
    assert!(due(store).await.is_empty() && drain(store).await.is_empty());
    // The item is imported anew after its alerts were told.
    assert_eq!(store.record_alerts("alerts", 13, &new, 2_000).await.unwrap(), Some(0));
    assert!(due(store).await.is_empty());
}

async fn who_has_gone_is_not_told(store: &Store) {
    let site = store.site(A);
    let bob = member(store, A, "bob").await;
    let (three, four) = (email("three@example.org"), email("four@example.org"));
    let gone = subscribe(store, A, &subscription(&three, SubscriptionType::OnlineFirst, None)).await;
    subscribe(store, A, &subscription(&four, SubscriptionType::OnlineFirst, None)).await;
    let text = SearchText { alert: true, ..SearchText::default() };
    let Saving::Saved(search) = bob.add_search(&text, 9, 100).await.unwrap() else { panic!("not saved") };
    let new = [
        alert(article(20), AlertTo::Type(SubscriptionType::OnlineFirst, String::new())),
        alert(article(20), AlertTo::Searches(vec![search])),
    ];
    store.record_alerts("gone", 1, &new, 100).await.unwrap();
    let found = due(store).await;
    assert_eq!(found.len(), 3);
    assert!(site.unsubscribe(gone).await.unwrap());
    assert!(bob.set_search(search, &SearchText { alert: false, ..text.clone() }).await.unwrap());
    assert!(bob.set_search(search, &text).await.unwrap(), "switched on again: what came before is not told");
    assert_eq!(told(&due(store).await), [("four@example.org".to_owned(), vec!["20".to_owned()])]);
    let without_search: Vec<_> =
        found.into_iter().filter(|one| matches!(one.source, AlertSource::Subscription(_))).collect();
    assert_eq!(store.tell(&tellings(&without_search), 200).await.unwrap(), 1);
    assert_eq!(drain(store).await.len(), 1, "nothing to whoever has unsubscribed");
    assert!(bob.remove_search(search).await.unwrap());
}

/// A subscription and a saved search that ended between the reading of their numbers and the recording.
async fn what_nobody_can_be_told_of_does_not_wait(store: &Store) {
    let waits = async || store.waiting_alerts().await.unwrap().iter().any(|waiting| waiting.site == A);
    let ended = vec![i64::MAX];
    let new = [alert(article(30), AlertTo::Subscriptions(ended.clone())), alert(article(30), AlertTo::Searches(ended))];
    store.record_alerts("ended", 1, &new, 100).await.unwrap();
    assert!(waits().await);
    assert!(due(store).await.is_empty() && !waits().await);
}

async fn many_subscribers_are_told_in_few_statements(store: &Store) {
    let addresses: Vec<_> = (0..450).map(|number| email(&format!("many{number}@example.org"))).collect();
    for address in &addresses {
        let new = NewSubscription { column: "many", ..subscription(address, SubscriptionType::Column, None) };
        subscribe(store, B, &new).await;
    }
    let to = AlertTo::Type(SubscriptionType::Column, "many".into());
    let new: Vec<_> = (1..=3).map(|number| NewAlert { site: B, item: article(number), to: to.clone() }).collect();
    assert_eq!(store.record_alerts("many", 1, &new, 100).await.unwrap(), Some(3 * 450));
    let (found, cursor) = store.due_alerts(&AlertCursor::default(), 1_000).await.unwrap();
    assert_eq!((found.len(), found.iter().all(|one| one.items.len() == 3)), (450, true));
    assert_eq!(store.due_alerts(&cursor.unwrap(), 1_000).await.unwrap(), (Vec::new(), None));
    assert_eq!(store.tell(&tellings(&found), 200).await.unwrap(), 450);
    assert_eq!(drain(store).await.len(), 450);
    assert!(due(store).await.is_empty());
}
