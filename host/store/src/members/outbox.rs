//! Mail and text messages that are to be sent. A message is written in the transaction that causes it and stays until it was sent, so that it is
//! sent at least once, by whichever process takes it.

use std::fmt;

use masthead_domain::{
    SiteId,
    member::{Channel, MemberId},
};
use sqlx::{Any, Row as _, Transaction, any::AnyRow};

use super::changed;
use crate::{SiteStore, Store, StoreError, next, take, value_rows};

const READING: &str = "reading the outbox";
const CLAIMING: &str = "claiming messages of the outbox";
const WRITING: &str = "writing the outbox";
/// Rows of one INSERT statement: with its columns far below the number of parameters that both databases allow.
const INSERTED: usize = 200;
/// Characters of an error that are stored.
const ERROR_LENGTH: usize = 500;

/// A message to be sent.
#[derive(Clone, PartialEq, Eq)]
pub struct NewMessage {
    /// How it is sent.
    pub channel: Channel,
    /// The kind, such as `code`: the name of its template.
    pub kind: String,
    /// The e-mail address or mobile number, as it is sent to.
    pub recipient: String,
    /// The same as names of members are compared: by it, the messages to a member who is erased are found, whatever caused them.
    pub address: String,
    /// The values for its template, as JSON; the store does not read them.
    pub payload: String,
    /// Whether a reader waits for it: it is sent before the others.
    pub urgent: bool,
    /// When it is of no use any more; 0 for never.
    pub expires: i64,
}

impl fmt::Debug for NewMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewMessage").field("channel", &self.channel).field("kind", &self.kind).finish_non_exhaustive()
    }
}

/// A message that a process has claimed to send it.
#[derive(Clone, PartialEq, Eq)]
pub struct Message {
    /// Its number.
    pub id: i64,
    /// The site that it comes from; 0 for the installation.
    pub site: SiteId,
    /// The member whom it concerns.
    pub member: Option<MemberId>,
    /// How it is sent.
    pub channel: Channel,
    /// The kind.
    pub kind: String,
    /// The e-mail address or mobile number.
    pub recipient: String,
    /// The values for its template.
    pub payload: String,
    /// Number of this attempt, from 1. It identifies the claim: a process with an earlier one cannot change the message.
    pub attempts: i64,
    /// When it was written.
    pub created: i64,
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Message").field("id", &self.id).field("kind", &self.kind).finish_non_exhaustive()
    }
}

/// Whether sending is still tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageState {
    /// It is tried, now or later.
    Waiting,
    /// It has failed and is kept for an administrator.
    Aside,
}

/// The state of a message, for an administrator. It shows neither the recipient nor the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageStatus {
    /// Its number.
    pub id: i64,
    /// How it is sent.
    pub channel: String,
    /// The kind.
    pub kind: String,
    /// Whether sending is still tried.
    pub state: MessageState,
    /// Attempts so far.
    pub attempts: i64,
    /// When it is tried next; during an attempt, the end of its lease.
    pub next_at: i64,
    /// Why the last attempt failed; "" if none failed.
    pub error: String,
}

impl Store {
    /// Claims messages of a channel that are due: urgent ones first, then the oldest, at most `limit`. No other process gets them before `lease`
    /// milliseconds have passed; after that the process that claimed them is assumed to have died. Those that have expired are deleted.
    ///
    /// # Errors
    /// [`StoreError::Query`]; none is claimed then.
    pub async fn claim_messages(
        &self,
        channel: Channel,
        now: i64,
        lease: i64,
        limit: i64,
    ) -> Result<Vec<Message>, StoreError> {
        self.claim_due(channel, now, lease, limit).await.map_err(StoreError::query(CLAIMING))
    }

    async fn claim_due(&self, channel: Channel, now: i64, lease: i64, limit: i64) -> Result<Vec<Message>, sqlx::Error> {
        // It mostly finds nothing, so that it begins with a query that locks nothing.
        let due: Option<i64> = sqlx::query_scalar(
            "SELECT id FROM mail_outbox WHERE state = 'waiting' AND channel = $1 AND next_at <= $2 LIMIT 1",
        )
        .bind(channel.as_str())
        .bind(now)
        .fetch_optional(&self.pool)
        .await?;
        if due.is_none() {
            return Ok(Vec::new());
        }
        let mut tx = self.pool.begin().await?;
        // One claim after the other: on PostgreSQL two at once would select the same rows.
        next(&mut tx, "outbox_claims").await?;
        sqlx::query(
            "DELETE FROM mail_outbox WHERE state = 'waiting' AND channel = $1 AND next_at <= $2 AND expires > 0 AND expires <= $2",
        )
        .bind(channel.as_str())
        .bind(now)
        .execute(&mut *tx)
        .await?;
        let rows = sqlx::query(
            "UPDATE mail_outbox SET next_at = $3, attempts = attempts + 1 WHERE state = 'waiting' AND next_at <= $2 \
             AND id IN (SELECT id FROM mail_outbox WHERE state = 'waiting' AND channel = $1 AND next_at <= $2 \
             ORDER BY rank, id LIMIT $4) \
             RETURNING id, site_id, member_id, channel, kind, recipient, payload, attempts, created, rank",
        )
        .bind(channel.as_str())
        .bind(now)
        .bind(now.saturating_add(lease))
        .bind(limit)
        .fetch_all(&mut *tx)
        .await?;
        tx.commit().await?;
        let mut taken = rows.iter().map(message).collect::<Result<Vec<_>, _>>()?;
        // RETURNING guarantees no order.
        taken.sort_unstable_by_key(|(rank, message)| (*rank, message.id));
        Ok(taken.into_iter().map(|(_, message)| message).collect())
    }

    /// Deletes a message that was sent. Returns false without the latest claim.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn message_sent(&self, id: i64, attempt: i64) -> Result<bool, StoreError> {
        let done = sqlx::query("DELETE FROM mail_outbox WHERE id = $1 AND attempts = $2")
            .bind(id)
            .bind(attempt)
            .execute(&self.pool)
            .await
            .map_err(StoreError::query(WRITING))?;
        Ok(changed(&done))
    }

    /// Schedules another attempt, with the reason of the failure (at most 500 characters are stored). Returns false without the latest
    /// claim.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn retry_message(&self, id: i64, attempt: i64, next_at: i64, error: &str) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "UPDATE mail_outbox SET next_at = $3, error = $4 WHERE id = $1 AND attempts = $2 AND state = 'waiting'",
        )
        .bind(id)
        .bind(attempt)
        .bind(next_at)
        .bind(cut(error))
        .execute(&self.pool)
        .await
        .map_err(StoreError::query(WRITING))?;
        Ok(changed(&done))
    }

    /// Sets a message aside: it is kept with the reason and not tried again automatically. Returns false without the latest claim.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn set_message_aside(&self, id: i64, attempt: i64, error: &str) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "UPDATE mail_outbox SET state = 'aside', error = $3 WHERE id = $1 AND attempts = $2 AND state = 'waiting'",
        )
        .bind(id)
        .bind(attempt)
        .bind(cut(error))
        .execute(&self.pool)
        .await
        .map_err(StoreError::query(WRITING))?;
        Ok(changed(&done))
    }

    /// The number of messages in the outbox: `(channel, waiting, set aside)`, by channel, without channels that have none.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn outbox_counts(&self) -> Result<Vec<(String, i64, i64)>, StoreError> {
        sqlx::query_as(
            "SELECT channel, COUNT(CASE state WHEN 'aside' THEN NULL ELSE 1 END), COUNT(CASE state WHEN 'aside' THEN 1 END) \
             FROM mail_outbox GROUP BY channel ORDER BY channel",
        )
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))
    }
}

impl SiteStore {
    /// Queues messages that no other change causes. Site 0 stands for the installation.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn queue_messages(
        &self,
        member: Option<MemberId>,
        messages: &[NewMessage],
        now: i64,
    ) -> Result<(), StoreError> {
        let mut tx = self.pool.begin().await.map_err(StoreError::query(WRITING))?;
        add(&mut tx, self.site, member.map_or(0, |member| member.0), messages, now)
            .await
            .map_err(StoreError::query(WRITING))?;
        tx.commit().await.map_err(StoreError::query(WRITING))
    }

    /// The messages of the site: those set aside first, then the oldest first, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn messages(&self, limit: i64) -> Result<Vec<MessageStatus>, StoreError> {
        let rows: Vec<(i64, String, String, String, i64, i64, String)> = sqlx::query_as(
            "SELECT id, channel, kind, state, attempts, next_at, error FROM mail_outbox WHERE site_id = $1 \
             ORDER BY CASE state WHEN 'aside' THEN 0 ELSE 1 END, id LIMIT $2",
        )
        .bind(self.site)
        .bind(limit)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        let status = |(id, channel, kind, state, attempts, next_at, error): (_, _, _, String, _, _, _)| MessageStatus {
            id,
            channel,
            kind,
            state: if state == "aside" { MessageState::Aside } else { MessageState::Waiting },
            attempts,
            next_at,
            error,
        };
        Ok(rows.into_iter().map(status).collect())
    }

    /// Queues a message that was set aside again, with its attempts counted from 0. Returns whether this site has such a message.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn requeue_message(&self, id: i64, now: i64) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "UPDATE mail_outbox SET state = 'waiting', next_at = $3, attempts = 0 \
             WHERE site_id = $1 AND id = $2 AND state = 'aside'",
        )
        .bind(self.site)
        .bind(id)
        .bind(now)
        .execute(&self.pool)
        .await
        .map_err(StoreError::query(WRITING))?;
        Ok(changed(&done))
    }
}

/// Queues messages of a site and a member (0 for none), in the transaction that causes them.
pub(super) async fn add(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    member: i64,
    messages: &[NewMessage],
    now: i64,
) -> Result<(), sqlx::Error> {
    let rows: Vec<_> = messages.iter().map(|message| (site, member, message)).collect();
    add_rows(tx, &rows, now).await
}

/// Queues messages: site, member, message.
pub(super) async fn add_rows(
    tx: &mut Transaction<'_, Any>,
    messages: &[(i64, i64, &NewMessage)],
    now: i64,
) -> Result<(), sqlx::Error> {
    if messages.is_empty() {
        return Ok(());
    }
    let mut id = take(tx, "outbox", i64::try_from(messages.len()).unwrap_or(i64::MAX)).await?;
    for some in messages.chunks(INSERTED) {
        let sql = format!(
            "INSERT INTO mail_outbox (id, site_id, member_id, channel, kind, recipient, address, payload, rank, state, attempts, \
             next_at, created, expires, error) VALUES {}",
            value_rows(15, some.len())
        );
        let mut query = sqlx::query(sqlx::AssertSqlSafe(sql));
        for (site, member, message) in some {
            query = query
                .bind(id)
                .bind(*site)
                .bind(*member)
                .bind(message.channel.as_str())
                .bind(&message.kind)
                .bind(&message.recipient)
                .bind(&message.address)
                .bind(&message.payload)
                .bind(i64::from(!message.urgent))
                .bind("waiting")
                .bind(0_i64)
                .bind(now)
                .bind(now)
                .bind(message.expires)
                .bind("");
            id += 1;
        }
        query.execute(&mut **tx).await?;
    }
    Ok(())
}

/// A claimed message with its rank.
fn message(row: &AnyRow) -> Result<(i64, Message), sqlx::Error> {
    let member: i64 = row.try_get(2)?;
    let channel: String = row.try_get(3)?;
    let message = Message {
        id: row.try_get(0)?,
        site: SiteId(row.try_get(1)?),
        member: (member != 0).then_some(MemberId(member)),
        channel: Channel::parse(&channel).unwrap_or(Channel::Mail),
        kind: row.try_get(4)?,
        recipient: row.try_get(5)?,
        payload: row.try_get(6)?,
        attempts: row.try_get(7)?,
        created: row.try_get(8)?,
    };
    Ok((row.try_get(9)?, message))
}

/// The start of an error's text. Zero bytes are replaced, because PostgreSQL stores none in a text and the error may come from another server.
fn cut(error: &str) -> String {
    error.chars().take(ERROR_LENGTH).map(|c| if c == '\0' { char::REPLACEMENT_CHARACTER } else { c }).collect()
}
