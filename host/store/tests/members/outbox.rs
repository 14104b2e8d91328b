//! The outbox: every message is sent, by one process at a time, and none after it is of use.

use masthead_domain::{SiteId, member::Channel};
use masthead_store::{Expiry, MessageState, NewMessage, Store};

use super::{drain, message};

const A: SiteId = SiteId(6161);
const B: SiteId = SiteId(6162);
const LEASE: i64 = 60_000;

pub async fn suite(store: &Store) {
    messages_are_queued(store).await;
    urgent_ones_go_first(store).await;
    a_claim_ends(store).await;
    what_failed_is_tried_again_or_set_aside(store).await;
    what_has_expired_is_not_sent(store).await;
}

async fn messages_are_queued(store: &Store) {
    let two = [message("welcome"), message("welcome")];
    store.site(A).queue_messages(None, &two, 100).await.unwrap();
    store.site(B).queue_messages(None, &two[..1], 100).await.unwrap();
    assert_eq!(store.outbox_counts().await.unwrap(), [("mail".to_owned(), 3, 0)]);
    let shown = format!("{:?} {:?}", two[0], store.claim_messages(Channel::Mail, 100, 1, 1).await.unwrap());
    assert!(!shown.contains("123456") && !shown.contains("example.org"), "logs show neither: {shown}");
    assert_eq!(drain(store).await.len(), 3);
}

async fn urgent_ones_go_first(store: &Store) {
    let site = store.site(A);
    let bulk: Vec<_> = (0..450).map(|_| message("alert")).collect();
    site.queue_messages(None, &bulk, 100).await.unwrap();
    let code = NewMessage { urgent: true, ..message("code") };
    let text = NewMessage { channel: Channel::Sms, ..message("code") };
    site.queue_messages(None, &[code, text], 200).await.unwrap();
    let first = store.claim_messages(Channel::Mail, 300, LEASE, 3).await.unwrap();
    assert_eq!(first.iter().map(|one| one.kind.as_str()).collect::<Vec<_>>(), ["code", "alert", "alert"]);
    assert!(first[1].id < first[2].id, "then the oldest");
    assert_eq!(store.claim_messages(Channel::Sms, 300, LEASE, 9).await.unwrap().len(), 1, "each channel by itself");
    assert_eq!(drain(store).await.len(), 452);
}

async fn a_claim_ends(store: &Store) {
    store.site(A).queue_messages(None, &[message("welcome")], 100).await.unwrap();
    assert!(store.claim_messages(Channel::Mail, 99, LEASE, 9).await.unwrap().is_empty(), "not due yet");
    let first = store.claim_messages(Channel::Mail, 100, LEASE, 9).await.unwrap().remove(0);
    assert_eq!((first.attempts, first.created, first.recipient.as_str()), (1, 100, "Ada@example.org"));
    assert!(store.claim_messages(Channel::Mail, 100 + LEASE - 1, LEASE, 9).await.unwrap().is_empty());
    let second = store.claim_messages(Channel::Mail, 100 + LEASE, LEASE, 9).await.unwrap().remove(0);
    assert_eq!((second.id, second.attempts), (first.id, 2));
    // The first process was only slow. The message is not its any more.
    assert!(!store.message_sent(first.id, first.attempts).await.unwrap());
    assert!(!store.retry_message(first.id, first.attempts, 1, "slow").await.unwrap());
    assert!(!store.set_message_aside(first.id, first.attempts, "slow").await.unwrap());
    assert!(store.message_sent(second.id, second.attempts).await.unwrap());
    assert!(!store.message_sent(second.id, second.attempts).await.unwrap());
}

async fn what_failed_is_tried_again_or_set_aside(store: &Store) {
    let (site, other) = (store.site(A), store.site(B));
    site.queue_messages(None, &[message("one"), message("two")], 100).await.unwrap();
    let both = store.claim_messages(Channel::Mail, 100, LEASE, 9).await.unwrap();
    assert!(store.retry_message(both[0].id, 1, 5_000, "454\0 try later").await.unwrap());
    assert!(store.set_message_aside(both[1].id, 1, &"错".repeat(600)).await.unwrap());
    let list = site.messages(9).await.unwrap();
    assert_eq!((list[0].id, list[0].state, list[0].kind.as_str()), (both[1].id, MessageState::Aside, "two"));
    assert_eq!((list[1].state, list[1].next_at), (MessageState::Waiting, 5_000));
    assert_eq!((list[1].error.as_str(), list[0].error.as_str()), ("454\u{fffd} try later", "错".repeat(500).as_str()));
    assert!(other.messages(9).await.unwrap().is_empty());
    assert_eq!(store.outbox_counts().await.unwrap(), [("mail".to_owned(), 1, 1)]);
    assert!(store.claim_messages(Channel::Mail, 4_999, LEASE, 9).await.unwrap().is_empty());
    assert_eq!(store.claim_messages(Channel::Mail, 5_000, LEASE, 9).await.unwrap().len(), 1, "not the one set aside");
    assert!(!other.requeue_message(both[1].id, 6_000).await.unwrap(), "another site's");
    assert!(site.requeue_message(both[1].id, 6_000).await.unwrap());
    assert!(!site.requeue_message(both[1].id, 6_000).await.unwrap());
    assert_eq!(drain(store).await.len(), 2);
}

async fn what_has_expired_is_not_sent(store: &Store) {
    let site = store.site(A);
    let code = |expires| NewMessage { expires, ..message("code") };
    site.queue_messages(None, &[code(1_000), code(2_000), code(0)], 100).await.unwrap();
    let claimed = store.claim_messages(Channel::Mail, 1_000, LEASE, 9).await.unwrap();
    assert_eq!(claimed.len(), 2);
    assert_eq!(site.messages(9).await.unwrap().len(), 2, "it is gone, with its code");
    store.set_message_aside(claimed[0].id, 1, "refused").await.unwrap();
    store.set_message_aside(claimed[1].id, 1, "refused").await.unwrap();
    let expiry = |now, messages| Expiry {
        sessions_begun: 0,
        sessions_used: 0,
        administrator_sessions_begun: 0,
        administrator_sessions_used: 0,
        attempts: 0,
        messages,
        alerts: 0,
        now,
    };
    assert_eq!(store.delete_expired(&expiry(1_999, 100)).await.unwrap().messages, 0);
    assert_eq!(store.delete_expired(&expiry(2_000, 100)).await.unwrap().messages, 1, "set aside, and expired");
    assert_eq!(store.delete_expired(&expiry(2_000, 101)).await.unwrap().messages, 1, "set aside long ago");
}
