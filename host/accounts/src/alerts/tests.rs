//! Alerts with a database: from an article that is stored to the messages in the outbox.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;

use masthead_config::Alerts;
use masthead_domain::{
    ArticleId, Lang, LocalText, SiteId,
    article::{Article, ArticleMeta},
    content::{KeywordGroup, LangText},
    member::{Channel, ItemRef, ItemType, MemberName, SubscriptionType},
    resource::Column,
};
use masthead_store::{NewArticle, NewSubscription, Saving, Store};

use super::*;
use crate::{
    installation_key::InstallationKey,
    messages::{Alert, Followed, Message},
    outbox::open,
    testing::{OTHER, SITE, START, store},
};

const MINUTE: i64 = 60_000;
/// The day of `START` is 2023-11-14.
const TODAY: &str = "2023-11-14";

fn key() -> InstallationKey {
    InstallationKey::new([7; 32])
}

/// Everything is told at once.
fn at_once() -> Alerts {
    Alerts { quiet_minutes: 0, longest_minutes: 0, ..Alerts::default() }
}

fn article(number: usize, change: impl FnOnce(&mut ArticleMeta)) -> NewArticle {
    let mut meta = ArticleMeta { source_key: format!("key:{number}"), issue: "3".to_owned(), ..ArticleMeta::default() };
    meta.titles = vec![LangText { lang: "en".to_owned(), plain: format!("Tides {number}"), ..LangText::default() }];
    meta.dates.print = TODAY.to_owned();
    change(&mut meta);
    NewArticle { article: Article { meta, ..Article::default() }, rendered: "{}".to_owned(), ..NewArticle::default() }
}

async fn save(store: &Store, site: SiteId, article: NewArticle) -> ArticleId {
    store.site(site).save_article(&article).await.unwrap().id()
}

async fn subscribe(store: &Store, site: SiteId, email: &str, kind: SubscriptionType, about: &str) -> i64 {
    let email = MemberName::email(email).unwrap();
    let (words, column) = match kind {
        SubscriptionType::Keywords => (about, ""),
        _ => ("", about),
    };
    let new = NewSubscription { member: None, email: &email, kind, keywords: words, column, lang: Lang::En };
    match store.site(site).subscribe(&new, 50, START).await.unwrap() {
        Saving::Saved(id) => id,
        other => panic!("{other:?}"),
    }
}

/// Follows the log to its end, and tells.
async fn alert(store: &Store, now: i64) -> usize {
    while collect(store, 120, now).await.unwrap() {}
    tell(store, &key(), &at_once(), now).await.unwrap()
}

/// The alerts in the outbox, by recipient; they are taken out of it.
async fn taken(store: &Store, now: i64) -> BTreeMap<String, Vec<Alert>> {
    let mut all: BTreeMap<String, Vec<Alert>> = BTreeMap::new();
    loop {
        let claimed = store.claim_messages(Channel::Mail, now, 1, 100).await.unwrap();
        if claimed.is_empty() {
            return all;
        }
        for message in claimed {
            let content = open(&key(), message.site, &message.recipient, &message.payload).unwrap();
            let Message::Alert(alert) = content.message else { panic!("{content:?}") };
            all.entry(message.recipient.clone()).or_default().push(alert);
            assert!(store.message_sent(message.id, message.attempts).await.unwrap());
        }
    }
}

fn items(ids: &[ArticleId]) -> Vec<ItemRef> {
    ids.iter().map(|id| ItemRef::new(ItemType::Article, id.0)).collect()
}

#[tokio::test]
async fn an_issue_reaches_each_subscriber_of_its_site_in_one_message() {
    let (_folder, store) = store().await;
    let id = subscribe(&store, SITE, "a@example.org", SubscriptionType::Current, "").await;
    subscribe(&store, SITE, "b@example.org", SubscriptionType::Current, "").await;
    subscribe(&store, OTHER, "c@example.org", SubscriptionType::Current, "").await;
    subscribe(&store, SITE, "d@example.org", SubscriptionType::OnlineFirst, "").await;
    let first = save(&store, SITE, article(1, |_| {})).await;
    let second = save(&store, SITE, article(2, |_| {})).await;
    assert_eq!(alert(&store, START).await, 2);
    let told = taken(&store, START).await;
    assert_eq!(told.keys().collect::<Vec<_>>(), ["a@example.org", "b@example.org"]);
    let followed = Followed::Subscription { id, about: SubscriptionType::Current };
    let expected = Alert {
        followed,
        label: String::new(),
        items: items(&[first, second]),
        more: false,
        list: "/issues".to_owned(),
    };
    assert_eq!(told["a@example.org"], [expected]);
    // Nothing of it comes again, whatever happens.
    assert_eq!(alert(&store, START + MINUTE).await, 0);
    save(&store, SITE, article(1, |meta| meta.volume = "2".to_owned())).await;
    assert_eq!(alert(&store, START + MINUTE).await, 0, "a new version");
    assert!(taken(&store, START + MINUTE).await.is_empty());
}

#[tokio::test]
async fn every_type_of_subscription_gets_what_it_is_about() {
    let (_folder, store) = store().await;
    let column = Column {
        key: "cases".to_owned(),
        title: LocalText([(Lang::En, "Case Report".to_owned())].into()),
        ..Column::default()
    };
    store.site(SITE).save_resource(&column).await.unwrap();
    for (email, kind, about) in [
        ("issue@example.org", SubscriptionType::Current, ""),
        ("online@example.org", SubscriptionType::OnlineFirst, ""),
        ("salt@example.org", SubscriptionType::Keywords, "salinity;nothing"),
        ("gold@example.org", SubscriptionType::Keywords, "gold"),
        ("cases@example.org", SubscriptionType::Column, "cases"),
        ("letters@example.org", SubscriptionType::Column, "letters"),
    ] {
        subscribe(&store, SITE, email, kind, about).await;
    }
    let online = article(1, |meta| {
        meta.issue.clear();
        meta.dates.online = TODAY.to_owned();
        meta.keywords = vec![KeywordGroup { plain: vec!["Salinity".to_owned()], ..KeywordGroup::default() }];
    });
    let online = save(&store, SITE, online).await;
    let case = save(&store, SITE, article(2, |meta| meta.subjects = vec!["CASE  REPORT".to_owned()])).await;
    let letter = save(&store, SITE, article(3, |meta| meta.subjects = vec!["Letters".to_owned()])).await;
    alert(&store, START).await;
    let told = taken(&store, START).await;
    let of = |email: &str| told.get(email).map(|all| all[0].items.clone()).unwrap_or_default();
    assert_eq!(of("issue@example.org"), items(&[case, letter]));
    assert_eq!(of("online@example.org"), items(&[online]));
    assert_eq!(of("salt@example.org"), items(&[online]));
    assert_eq!(of("gold@example.org"), []);
    assert_eq!(of("cases@example.org"), items(&[case]));
    assert_eq!(of("letters@example.org"), items(&[letter]));
    assert_eq!(told["cases@example.org"][0].label, "Case Report");
    assert_eq!(told["salt@example.org"][0].label, "salinity;nothing");
}

#[tokio::test]
async fn the_headings_of_a_site_are_read_once() {
    let (_folder, store) = store().await;
    let filed = |number, subject: &str| article(number, |meta| meta.subjects = vec![subject.to_owned()]);
    save(&store, SITE, filed(1, "Letters")).await;
    let mut columns = Columns::new(store.site(SITE));
    assert_eq!(columns.name("LETTERS", Lang::En).await.unwrap().as_deref(), Some("letters"));
    save(&store, SITE, filed(2, "Reviews")).await;
    assert_eq!(columns.name("reviews", Lang::En).await.unwrap(), None, "they are not read for each column");
    assert_eq!(columns.known("Letters").await.unwrap().as_deref(), Some("letters"));
    assert_eq!(Columns::new(store.site(SITE)).known("Reviews").await.unwrap().as_deref(), Some("reviews"));
}

#[tokio::test]
async fn an_article_that_comes_into_an_issue_is_told_of_once_more() {
    let (_folder, store) = store().await;
    subscribe(&store, SITE, "issue@example.org", SubscriptionType::Current, "").await;
    subscribe(&store, SITE, "online@example.org", SubscriptionType::OnlineFirst, "").await;
    let online = article(1, |meta| {
        meta.issue.clear();
        meta.dates.print.clear();
        meta.dates.online = TODAY.to_owned();
    });
    let id = save(&store, SITE, online).await;
    alert(&store, START).await;
    assert_eq!(taken(&store, START).await.into_keys().collect::<Vec<_>>(), ["online@example.org"]);
    // It is printed later.
    let printed = save(&store, SITE, article(1, |meta| meta.dates.print = "2023-12-01".to_owned())).await;
    assert_eq!(printed, id);
    let later = START + 20 * 24 * 60 * MINUTE;
    alert(&store, later).await;
    assert_eq!(taken(&store, later).await.into_keys().collect::<Vec<_>>(), ["issue@example.org"]);
}

#[tokio::test]
async fn an_imported_archive_alerts_nobody() {
    let (_folder, store) = store().await;
    subscribe(&store, SITE, "a@example.org", SubscriptionType::Current, "").await;
    for number in 0..60 {
        save(&store, SITE, article(number, |meta| meta.dates.print = "2009-01-01".to_owned())).await;
    }
    assert_eq!(alert(&store, START).await, 0);
    // The follower is at the end: what comes now is told.
    save(&store, SITE, article(100, |_| {})).await;
    assert_eq!(alert(&store, START).await, 1);
}

#[tokio::test]
async fn whoever_subscribes_is_told_of_what_comes_afterwards() {
    let (_folder, store) = store().await;
    save(&store, SITE, article(1, |_| {})).await;
    assert_eq!(alert(&store, START).await, 0);
    subscribe(&store, SITE, "a@example.org", SubscriptionType::Current, "").await;
    assert_eq!(alert(&store, START).await, 0);
    let new = save(&store, SITE, article(2, |_| {})).await;
    assert_eq!(alert(&store, START).await, 1);
    assert_eq!(taken(&store, START).await["a@example.org"][0].items, items(&[new]));
}

#[tokio::test]
async fn whoever_unsubscribes_is_told_of_nothing_that_waits() {
    let (_folder, store) = store().await;
    let id = subscribe(&store, SITE, "a@example.org", SubscriptionType::Current, "").await;
    save(&store, SITE, article(1, |_| {})).await;
    while collect(&store, 120, START).await.unwrap() {}
    assert!(store.site(SITE).unsubscribe(id).await.unwrap());
    assert_eq!(tell(&store, &key(), &at_once(), START).await.unwrap(), 0);
    assert!(taken(&store, START).await.is_empty());
}

#[tokio::test]
async fn a_site_is_told_when_it_has_been_quiet() {
    let (_folder, store) = store().await;
    subscribe(&store, SITE, "a@example.org", SubscriptionType::Current, "").await;
    let rules = Alerts { quiet_minutes: 10, longest_minutes: 25, ..Alerts::default() };
    let told = async |now: i64| tell(&store, &key(), &rules, now).await.unwrap();
    let first = save(&store, SITE, article(1, |_| {})).await;
    while collect(&store, 120, START).await.unwrap() {}
    assert_eq!(told(START + 9 * MINUTE).await, 0);
    let second = save(&store, SITE, article(2, |_| {})).await;
    while collect(&store, 120, START + 9 * MINUTE).await.unwrap() {}
    assert_eq!(told(START + 18 * MINUTE).await, 0, "another one came nine minutes ago");
    assert_eq!(told(START + 19 * MINUTE).await, 1);
    assert_eq!(taken(&store, START + 19 * MINUTE).await["a@example.org"][0].items, items(&[first, second]));
}

#[tokio::test]
async fn a_long_list_is_cut_and_says_that_there_is_more() {
    let (_folder, store) = store().await;
    subscribe(&store, SITE, "a@example.org", SubscriptionType::Current, "").await;
    for number in 0..5 {
        save(&store, SITE, article(number, |_| {})).await;
    }
    while collect(&store, 120, START).await.unwrap() {}
    let rules = Alerts { items: 3, ..at_once() };
    assert_eq!(tell(&store, &key(), &rules, START).await.unwrap(), 1);
    let told = taken(&store, START).await;
    let alert = &told["a@example.org"][0];
    assert_eq!((alert.items.len(), alert.more), (3, true));
    assert_eq!(tell(&store, &key(), &rules, START).await.unwrap(), 0, "the others are told of with them");
}

#[tokio::test]
async fn two_hosts_that_work_at_once_tell_each_subscriber_once() {
    let (_folder, store) = store().await;
    for number in 0..700 {
        subscribe(&store, SITE, &format!("a{number}@example.org"), SubscriptionType::Current, "").await;
    }
    save(&store, SITE, article(1, |_| {})).await;
    let (key, rules) = (key(), at_once());
    let host = async || {
        while collect(&store, 120, START).await.unwrap() {}
        tell(&store, &key, &rules, START).await.unwrap()
    };
    let (one, other) = tokio::join!(host(), host());
    // One may have looked before the other had recorded anything.
    let rest = tell(&store, &key, &rules, START).await.unwrap();
    assert_eq!(one + other + rest, 700);
    let told = taken(&store, START).await;
    assert_eq!((told.len(), told.values().map(Vec::len).max()), (700, Some(1)));
}

#[tokio::test]
async fn a_host_that_is_killed_between_two_steps_loses_and_repeats_nothing() {
    let (folder, store) = store().await;
    subscribe(&store, SITE, "a@example.org", SubscriptionType::Current, "").await;
    save(&store, SITE, article(1, |_| {})).await;
    // Killed before it recorded anything, after it recorded, and after it told: each time another process goes on.
    let path = folder.path().join("a.db");
    for _ in 0..2 {
        let process = Store::open_file(&path).await.unwrap();
        while collect(&process, 120, START).await.unwrap() {}
        process.close().await;
    }
    for expected in [1, 0] {
        let process = Store::open_file(&path).await.unwrap();
        assert_eq!(tell(&process, &key(), &at_once(), START).await.unwrap(), expected);
        process.close().await;
    }
    assert_eq!(taken(&store, START).await["a@example.org"].len(), 1);
}
