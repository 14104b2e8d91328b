//! Members: accounts, what belongs to them, what is sent to them; administrators.

mod accounts;
mod administrators;
mod alerts;
mod backups;
mod codes;
mod erasure;
mod lists;
mod outbox;
mod races;
mod retention;
mod sessions;
mod subscriptions;
mod writes;

use masthead_domain::{
    Lang, SiteId,
    member::{Channel, ItemRef, ItemType, ListedItem, MemberId, MemberName, Profile},
};
use masthead_store::{Created, MemberStore, NewMember, NewMessage, Store};

pub async fn suite(store: &Store) {
    accounts::suite(store).await;
    sessions::suite(store).await;
    codes::suite(store).await;
    lists::suite(store).await;
    subscriptions::suite(store).await;
    alerts::suite(store).await;
    outbox::suite(store).await;
    administrators::suite(store).await;
    races::suite(store).await;
}

/// Tests that read the database beside the store, by its address.
pub async fn suite_with_address(store: &Store, url: &str) {
    erasure::suite(store, url).await;
    backups::suite(store, url).await;
}

fn email(text: &str) -> MemberName {
    MemberName::email(text).unwrap()
}

fn account(text: &str) -> MemberName {
    MemberName::account(text).unwrap()
}

fn new<'a>(handle: &'a str, names: &'a [MemberName], profile: &'a Profile) -> NewMember<'a> {
    NewMember { handle, names, password: "$argon2id$old", identity: None, lang: Lang::Zh, profile }
}

/// A member with this account name and an e-mail address made from it.
pub async fn member(store: &Store, site: SiteId, name: &str) -> MemberStore {
    let names = [account(name), email(&format!("{name}@example.org"))];
    let site = store.site(site);
    let created = site.create_member(&new(&format!("handle-{name}"), &names, &Profile::default()), 1_000).await;
    site.of_member(id(created.unwrap()))
}

fn id(created: Created) -> MemberId {
    match created {
        Created::Member(id) => id,
        other => panic!("not created: {other:?}"),
    }
}

fn article(number: i64) -> ItemRef {
    ItemRef::new(ItemType::Article, number)
}

fn listed(item: ItemRef, title: &str) -> ListedItem {
    ListedItem { address: format!("/article/{}", item.id), item, title: title.into() }
}

fn message(kind: &str) -> NewMessage {
    NewMessage {
        channel: Channel::Mail,
        kind: kind.into(),
        recipient: "Ada@example.org".into(),
        address: "ada@example.org".into(),
        payload: r#"{"code":"123456"}"#.into(),
        urgent: false,
        expires: 0,
    }
}

/// Sends everything that is in the outbox.
async fn drain(store: &Store) -> Vec<masthead_store::Message> {
    let mut sent = Vec::new();
    for channel in Channel::ALL {
        for message in store.claim_messages(channel, i64::MAX - 1, 1, 100_000).await.unwrap() {
            assert!(store.message_sent(message.id, message.attempts).await.unwrap());
            sent.push(message);
        }
    }
    sent
}
