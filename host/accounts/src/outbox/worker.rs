//! The worker that empties the outbox. It claims messages for some time; those that it has not sent then, because its process was killed,
//! another one takes.

use std::time::{Duration, Instant};

use futures::{StreamExt as _, future::BoxFuture, stream};
use masthead_domain::{SiteId, member::Channel};
use masthead_store::{Message as Claimed, Store, StoreError};

use super::sealed::{self, Content};
use crate::installation_key::InstallationKey;

/// Messages that are claimed at once.
const BATCH: i64 = 64;
/// Time for which no other worker gets a claimed message.
const LEASE: Duration = Duration::from_secs(180);
/// Time after which no further message of a batch is begun: it would not be sent within the lease.
const LAST_BEGIN: Duration = Duration::from_secs(100);
/// Attempts before a message is set aside: with these delays, after about eight hours.
const MAX_ATTEMPTS: i64 = 13;
/// Milliseconds before the second attempt; each further pause is twice as long as the one before.
const FIRST_PAUSE: i64 = 15_000;
/// The longest pause, in milliseconds.
const LONGEST_PAUSE: i64 = 2 * 60 * 60 * 1000;

/// A message that is to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueuedMessage {
    /// Its number, the same in every attempt.
    pub id: i64,
    /// The site that it comes from.
    pub site: SiteId,
    /// How it is sent.
    pub channel: Channel,
    /// The address or number.
    pub recipient: String,
    /// The content, with its language.
    pub content: Content,
    /// When it was written, in milliseconds since 1970.
    pub written: i64,
}

/// The outcome of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was sent.
    Sent,
    /// The message is not needed any more: the subscription has ended, or none of its articles is published any more.
    Dropped,
    /// It will never be sent, for this reason.
    Refused(String),
    /// It was not sent, for this reason, and may be later.
    Failed(String),
}

impl Outcome {
    const fn name(&self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Dropped => "dropped",
            Self::Refused(_) => "refused",
            Self::Failed(_) => "failed",
        }
    }
}

/// A sender of messages.
pub trait MessageSender: Send + Sync {
    /// Whether messages can be sent over a channel at all. If not, they wait.
    fn is_open(&self, channel: Channel) -> bool;

    /// How many messages are sent over a channel at the same time.
    fn concurrency(&self, channel: Channel) -> usize;

    /// Sends a message. It takes a minute at most.
    fn send<'a>(&'a self, queued: &'a QueuedMessage) -> BoxFuture<'a, Outcome>;
}

/// The numbers of a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sending {
    /// Messages that were claimed.
    pub claimed: usize,
    /// Those of them that were sent.
    pub sent: usize,
}

/// Sends the messages of the outbox.
pub struct Worker<'a> {
    store: &'a Store,
    key: &'a InstallationKey,
    post: &'a dyn MessageSender,
}

impl std::fmt::Debug for Worker<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Worker")
    }
}

impl<'a> Worker<'a> {
    /// A worker for all sites.
    #[must_use]
    pub const fn new(store: &'a Store, key: &'a InstallationKey, post: &'a dyn MessageSender) -> Self {
        Self { store, key, post }
    }

    /// Sends the messages of a channel that are due, at most one batch. `now` is in milliseconds since 1970.
    ///
    /// # Errors
    /// The store's error. Messages whose outcome could not be written are sent again when their lease is over.
    pub async fn round(&self, channel: Channel, now: i64) -> Result<Sending, StoreError> {
        if !self.post.is_open(channel) {
            return Ok(Sending::default());
        }
        let lease = i64::try_from(LEASE.as_millis()).unwrap_or(i64::MAX);
        let claimed = self.store.claim_messages(channel, now, lease, BATCH).await?;
        let mut sending = Sending { claimed: claimed.len(), sent: 0 };
        let began = Instant::now();
        let attempts = claimed.into_iter().map(|message| self.attempt(message, now, began));
        let mut attempts = stream::iter(attempts).buffer_unordered(self.post.concurrency(channel).max(1));
        let mut failed = None;
        while let Some(outcome) = attempts.next().await {
            match outcome {
                Ok(sent) => sending.sent += usize::from(sent),
                // The others are written nevertheless: they have been sent.
                Err(error) => failed = Some(error),
            }
        }
        failed.map_or(Ok(sending), Err)
    }

    /// Makes one attempt. Returns whether the message was sent.
    async fn attempt(&self, message: Claimed, now: i64, began: Instant) -> Result<bool, StoreError> {
        if began.elapsed() > LAST_BEGIN {
            self.store.retry_message(message.id, message.attempts, now, "the messages before it took too long").await?;
            return Ok(false);
        }
        let outcome = match sealed::open(self.key, message.site, &message.recipient, &message.payload) {
            Ok(content) => self.post.send(&queued(&message, content)).await,
            Err(error) => Outcome::Refused(error.to_string()),
        };
        let (channel, name) = (message.channel.as_str(), outcome.name());
        metrics::counter!("masthead_messages_total", "channel" => channel, "outcome" => name).increment(1);
        let (id, attempt) = (message.id, message.attempts);
        match &outcome {
            Outcome::Sent | Outcome::Dropped => {
                self.store.message_sent(id, attempt).await?;
            }
            Outcome::Refused(reason) => self.set_aside(&message, reason).await?,
            Outcome::Failed(reason) if attempt >= MAX_ATTEMPTS => self.set_aside(&message, reason).await?,
            Outcome::Failed(reason) => {
                let reason = &scrubbed(reason, &message.recipient);
                tracing::warn!(site = %message.site, kind = message.kind, attempt, reason, "a message was not sent; it will be tried again");
                self.store.retry_message(id, attempt, now.saturating_add(pause(attempt)), reason).await?;
            }
        }
        Ok(outcome == Outcome::Sent)
    }

    /// Keeps a message for an administrator. The log has neither its recipient nor its text.
    async fn set_aside(&self, message: &Claimed, reason: &str) -> Result<(), StoreError> {
        let reason = &scrubbed(reason, &message.recipient);
        tracing::error!(site = %message.site, kind = message.kind, id = message.id, reason, "a message is set aside");
        self.store.set_message_aside(message.id, message.attempts, reason).await?;
        Ok(())
    }
}

fn queued(message: &Claimed, content: Content) -> QueuedMessage {
    QueuedMessage {
        id: message.id,
        site: message.site,
        channel: message.channel,
        recipient: message.recipient.clone(),
        content,
        written: message.created,
    }
}

/// A reason without the recipient, whom servers like to name in their answers.
fn scrubbed(reason: &str, recipient: &str) -> String {
    let (reason_folded, recipient) = (reason.to_ascii_lowercase(), recipient.to_ascii_lowercase());
    if recipient.is_empty() {
        return reason.to_owned();
    }
    let (mut shown, mut at) = (String::new(), 0);
    for (found, _) in reason_folded.match_indices(&recipient) {
        shown.push_str(reason.get(at..found).unwrap_or_default());
        shown.push('…');
        at = found + recipient.len();
    }
    shown.push_str(reason.get(at..).unwrap_or_default());
    shown
}

/// The pause after an attempt, in milliseconds.
fn pause(attempt: i64) -> i64 {
    let doublings = u32::try_from(attempt.clamp(1, 20) - 1).unwrap_or(0);
    FIRST_PAUSE.saturating_mul(1 << doublings).min(LONGEST_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_do_not_name_the_recipient() {
        let reason = "550 5.1.1 <A.B@Example.org>: no mailbox a.b@example.org here";
        assert_eq!(scrubbed(reason, "a.b@example.org"), "550 5.1.1 <…>: no mailbox … here");
        assert_eq!(scrubbed("421 später", ""), "421 später");
    }

    #[test]
    fn pauses_grow_up_to_a_limit() {
        assert_eq!([1, 2, 3].map(pause), [15_000, 30_000, 60_000]);
        assert_eq!([pause(12), pause(i64::MAX)], [LONGEST_PAUSE; 2]);
        let hours = (1..MAX_ATTEMPTS).map(pause).sum::<i64>() / 3_600_000;
        assert!((7..10).contains(&hours), "{hours}");
    }
}
