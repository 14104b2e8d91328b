//! The outbox with a database, and the worker with a post that does as it is told.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Mutex;

use futures::future::BoxFuture;
use masthead_domain::member::CodePurpose;
use masthead_store::Store;

use super::*;
use crate::{
    messages::AccountChange,
    testing::{OTHER, SITE, START, store},
};

const MINUTE: i64 = 60_000;
const LEASE: i64 = 180_000;

/// A post with an outcome for each message, which records what it was given.
struct Told {
    outcome: Box<dyn Fn(&QueuedMessage) -> Outcome + Send + Sync>,
    sent: Mutex<Vec<QueuedMessage>>,
    closed: bool,
}

impl Told {
    fn new(outcome: impl Fn(&QueuedMessage) -> Outcome + Send + Sync + 'static) -> Self {
        Self { outcome: Box::new(outcome), sent: Mutex::default(), closed: false }
    }

    fn sent_messages(&self) -> Vec<QueuedMessage> {
        std::mem::take(&mut self.sent.lock().unwrap())
    }
}

impl MessageSender for Told {
    fn is_open(&self, _: Channel) -> bool {
        !self.closed
    }

    fn concurrency(&self, _: Channel) -> usize {
        8
    }

    fn send<'a>(&'a self, queued: &'a QueuedMessage) -> BoxFuture<'a, Outcome> {
        self.sent.lock().unwrap().push(queued.clone());
        Box::pin(async { (self.outcome)(queued) })
    }
}

fn key() -> InstallationKey {
    InstallationKey::new([7; 32])
}

fn mail(address: &str) -> Recipient {
    Recipient::of(&MemberName::email(address).unwrap()).unwrap()
}

fn notice() -> Message {
    Message::Changed { change: AccountChange::Password }
}

async fn queue(store: &Store, site: SiteId, to: &str, message: Message, now: i64) {
    let key = key();
    let message = MessageComposer::new(&key, site, now).message(&mail(to), Lang::En, message).unwrap();
    store.site(site).queue_messages(None, &[message], now).await.unwrap();
}

async fn round(store: &Store, post: &Told, now: i64) -> Sending {
    Worker::new(store, &key(), post).round(Channel::Mail, now).await.unwrap()
}

#[tokio::test]
async fn what_is_sent_leaves_the_outbox_and_what_fails_is_tried_again() {
    let (_folder, store) = store().await;
    queue(&store, SITE, "a@example.org", notice(), START).await;
    queue(&store, OTHER, "b@example.org", notice(), START).await;
    let post = Told::new(|queued| match queued.recipient.as_str() {
        "a@example.org" => Outcome::Sent,
        _ => Outcome::Failed("450 later".to_owned()),
    });
    assert_eq!(round(&store, &post, START).await, Sending { claimed: 2, sent: 1 });
    let first = post.sent_messages();
    assert_eq!(first[0].content, Content { lang: Lang::En, message: notice() });
    assert_eq!((first[0].site, first[1].site), (SITE, OTHER));
    assert_eq!(round(&store, &post, START).await.claimed, 0, "it waits");
    assert_eq!(round(&store, &post, START + 15_000).await.claimed, 1);
    let again = post.sent_messages();
    assert_eq!((again[0].id, again[0].written), (first[1].id, first[1].written), "it is the same message");
    let status = store.site(OTHER).messages(10).await.unwrap();
    assert_eq!((status[0].attempts, status[0].error.as_str()), (2, "450 later"));
    assert!(store.site(SITE).messages(10).await.unwrap().is_empty());
}

#[tokio::test]
async fn what_is_refused_or_fails_for_long_is_set_aside_without_the_recipient() {
    let (_folder, store) = store().await;
    queue(&store, SITE, "a@example.org", notice(), START).await;
    let refused = Told::new(|_| Outcome::Refused("550 <a@example.org> is nobody".to_owned()));
    round(&store, &refused, START).await;
    let status = store.site(SITE).messages(10).await.unwrap();
    assert_eq!((status[0].state, status[0].error.as_str()), (masthead_store::MessageState::Aside, "550 <…> is nobody"));
    queue(&store, OTHER, "b@example.org", notice(), START).await;
    let failing = Told::new(|_| Outcome::Failed("451".to_owned()));
    let mut now = START;
    for _ in 0..20 {
        round(&store, &failing, now).await;
        now += 2 * 60 * MINUTE;
    }
    assert_eq!(failing.sent_messages().len(), 13);
    assert_eq!(store.site(OTHER).messages(10).await.unwrap()[0].state, masthead_store::MessageState::Aside);
}

#[tokio::test]
async fn a_code_that_is_not_valid_any_more_is_not_sent() {
    let (_folder, store) = store().await;
    let code = Message::Code { purpose: CodePurpose::Login, code: "042137".to_owned(), minutes: 10 };
    queue(&store, SITE, "a@example.org", code, START).await;
    let post = Told::new(|_| Outcome::Sent);
    assert_eq!(round(&store, &post, START + 10 * MINUTE).await, Sending::default());
    assert!(post.sent_messages().is_empty() && store.site(SITE).messages(10).await.unwrap().is_empty());
}

#[tokio::test]
async fn codes_go_before_what_nobody_waits_for() {
    let (_folder, store) = store().await;
    for number in 0..100 {
        queue(&store, SITE, &format!("a{number}@example.org"), notice(), START).await;
    }
    let code = Message::Code { purpose: CodePurpose::Login, code: "042137".to_owned(), minutes: 10 };
    queue(&store, SITE, "b@example.org", code, START + 1).await;
    let post = Told::new(|_| Outcome::Sent);
    assert_eq!(round(&store, &post, START + 1).await.claimed, 64);
    assert!(post.sent_messages().iter().any(|queued| queued.recipient == "b@example.org"));
}

#[tokio::test]
async fn two_hosts_send_each_message_once() {
    let (_folder, store) = store().await;
    for number in 0..120 {
        queue(&store, SITE, &format!("a{number}@example.org"), notice(), START).await;
    }
    let posts = [Told::new(|_| Outcome::Sent), Told::new(|_| Outcome::Sent)];
    for _ in 0..2 {
        let rounds = posts.iter().map(|post| round(&store, post, START));
        futures::future::join_all(rounds).await;
    }
    let mut all: Vec<i64> = posts.iter().flat_map(Told::sent_messages).map(|queued| queued.id).collect();
    all.sort_unstable();
    let count = all.len();
    all.dedup();
    assert_eq!((count, all.len()), (120, 120));
}

#[tokio::test]
async fn a_host_that_is_killed_while_it_sends_leaves_the_message_to_another() {
    let (_folder, store) = store().await;
    queue(&store, SITE, "a@example.org", notice(), START).await;
    // The process ends between the claim and the outcome.
    let claimed = store.claim_messages(Channel::Mail, START, LEASE, 10).await.unwrap();
    let post = Told::new(|_| Outcome::Sent);
    assert_eq!(round(&store, &post, START + LEASE - 1).await.claimed, 0);
    assert_eq!(round(&store, &post, START + LEASE).await.sent, 1);
    assert_eq!(post.sent_messages()[0].id, claimed[0].id, "with the same number, and so the same Message-ID");
    assert!(!store.message_sent(claimed[0].id, claimed[0].attempts).await.unwrap(), "the first claim is over");
}

#[tokio::test]
async fn messages_wait_while_nothing_can_be_sent() {
    let (_folder, store) = store().await;
    queue(&store, SITE, "a@example.org", notice(), START).await;
    let closed = Told { closed: true, ..Told::new(|_| Outcome::Sent) };
    assert_eq!(round(&store, &closed, START).await, Sending::default());
    assert_eq!(store.site(SITE).messages(10).await.unwrap()[0].attempts, 0);
}

#[tokio::test]
async fn a_message_of_another_installation_is_set_aside() {
    let (_folder, store) = store().await;
    queue(&store, SITE, "a@example.org", notice(), START).await;
    let post = Told::new(|_| Outcome::Sent);
    let other = InstallationKey::new([8; 32]);
    Worker::new(&store, &other, &post).round(Channel::Mail, START).await.unwrap();
    assert!(post.sent_messages().is_empty());
    let status = store.site(SITE).messages(10).await.unwrap();
    assert!(status[0].error.contains("cookie.key"), "{}", status[0].error);
}

#[test]
fn text_messages_have_codes_and_notices_and_no_alerts() {
    let key = key();
    let composer = MessageComposer::new(&key, SITE, START);
    let phone = Recipient::of(&MemberName::mobile("13812345678").unwrap()).unwrap();
    assert_eq!(phone.channel(), Channel::Sms);
    let queued = composer.message(&phone, Lang::Zh, notice()).unwrap();
    assert_eq!((queued.recipient.as_str(), queued.channel, queued.urgent), ("13812345678", Channel::Sms, false));
    let alert = Message::Alert(crate::messages::Alert {
        followed: crate::messages::Followed::Search { id: 1 },
        label: String::new(),
        items: Vec::new(),
        more: false,
        list: String::new(),
    });
    assert_eq!(composer.message(&phone, Lang::Zh, alert).unwrap_err(), QueueError::Channel);
    let name = MemberName::account("ada").unwrap();
    assert_eq!(Recipient::of(&name).unwrap_err(), QueueError::Recipient);
}

#[test]
fn nothing_is_queued_for_an_address_that_no_mail_reaches() {
    // Accounts may have such an address; a server without the extension for it takes no letter.
    let beyond_ascii = MemberName::email("用户@example.org").unwrap();
    assert_eq!(Recipient::of(&beyond_ascii).unwrap_err(), QueueError::Recipient);
}
