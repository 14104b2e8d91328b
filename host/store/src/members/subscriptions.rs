//! Subscriptions of e-mail addresses that were verified, by members and by readers who are not signed in.

use masthead_domain::{
    Lang,
    member::{MemberId, MemberName, SubscriptionType},
};

use super::{MemberStore, Saving, accounts::lang};
use crate::{SiteStore, StoreError, next};

const READING: &str = "reading subscriptions";
const WRITING: &str = "writing a subscription";

/// A subscription to be stored.
#[derive(Clone, Copy, Debug)]
pub struct NewSubscription<'a> {
    /// The member who subscribes; `None` for a reader who is not signed in.
    pub member: Option<MemberId>,
    /// The e-mail address. It was verified.
    pub email: &'a MemberName,
    /// The type of the alerts.
    pub kind: SubscriptionType,
    /// The keywords in one form, separated by semicolons; "" for the other types.
    pub keywords: &'a str,
    /// The column's number; "" for the other types.
    pub column: &'a str,
    /// The language of the messages.
    pub lang: Lang,
}

/// A subscription as its subscriber sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription {
    /// Its number.
    pub id: i64,
    /// The e-mail address.
    pub email: String,
    /// The type of the alerts.
    pub kind: SubscriptionType,
    /// The keywords, separated by semicolons, or "".
    pub keywords: String,
    /// The column's number, or "".
    pub column: String,
    /// When it began.
    pub since: i64,
}

/// A subscription for the sender of its alerts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteSubscription {
    /// The subscription.
    pub subscription: Subscription,
    /// The member, if one subscribed.
    pub member: Option<MemberId>,
    /// The language of the messages.
    pub lang: Lang,
}

/// The columns of [`SiteSubscription`].
pub(super) const COLUMNS: &str = "id, email, type, keywords, column_id, since, member_id, lang";
pub(super) type SubscriptionRow = (i64, String, String, String, String, i64, i64, String);

/// A subscription from its row; `None` for a type that this version does not know.
pub(super) fn subscription(
    (id, email, kind, keywords, column, since, member, stored): SubscriptionRow,
) -> Option<SiteSubscription> {
    let kind = SubscriptionType::parse(&kind)?;
    Some(SiteSubscription {
        subscription: Subscription { id, email, kind, keywords, column, since },
        member: (member != 0).then_some(MemberId(member)),
        lang: lang(&stored),
    })
}

impl SiteStore {
    /// Stores a subscription, unless the address has `most` on this site. An address that has this one already keeps it, with its number.
    /// Returns the number.
    ///
    /// # Errors
    /// [`StoreError::Query`], [`StoreError::MemberGone`].
    pub async fn subscribe(&self, new: &NewSubscription<'_>, most: i64, now: i64) -> Result<Saving<i64>, StoreError> {
        let mut tx = match new.member {
            Some(member) => self.of_member(member).begin(WRITING).await?,
            None => self.pool.begin().await.map_err(StoreError::query(WRITING))?,
        };
        let id = next(&mut tx, "member_objects").await.map_err(StoreError::query(WRITING))?;
        let stored: i64 = sqlx::query_scalar(
            "INSERT INTO subscriptions (site_id, id, member_id, email, address, type, keywords, column_id, lang, since) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) \
             ON CONFLICT (site_id, address, type, keywords, column_id) DO UPDATE SET lang = excluded.lang, \
             member_id = CASE WHEN excluded.member_id = 0 THEN subscriptions.member_id ELSE excluded.member_id END \
             RETURNING id",
        )
        .bind(self.site)
        .bind(id)
        .bind(new.member.map_or(0, |member| member.0))
        .bind(new.email.shown())
        .bind(new.email.key())
        .bind(new.kind.as_str())
        .bind(new.keywords)
        .bind(new.column)
        .bind(new.lang.code())
        .bind(now)
        .fetch_one(&mut *tx)
        .await
        .map_err(StoreError::query(WRITING))?;
        if stored == id {
            let count: i64 =
                sqlx::query_scalar("SELECT COUNT(*) FROM subscriptions WHERE site_id = $1 AND address = $2")
                    .bind(self.site)
                    .bind(new.email.key())
                    .fetch_one(&mut *tx)
                    .await
                    .map_err(StoreError::query(WRITING))?;
            if count > most {
                return Ok(Saving::Full);
            }
        }
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(Saving::Saved(stored))
    }

    /// A subscription by its number, for a reader with a signed link to end it.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn subscription(&self, id: i64) -> Result<Option<SiteSubscription>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM subscriptions WHERE site_id = $1 AND id = $2");
        let row: Option<SubscriptionRow> = sqlx::query_as(sqlx::AssertSqlSafe(sql))
            .bind(self.site)
            .bind(id)
            .fetch_optional(&self.pool)
            .await
            .map_err(StoreError::query(READING))?;
        Ok(row.and_then(subscription))
    }

    /// Ends a subscription by its number, with its waiting alerts, for a reader with a signed link. Returns whether there was one.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn unsubscribe(&self, id: i64) -> Result<bool, StoreError> {
        let mut tx = self.pool.begin().await.map_err(StoreError::query(WRITING))?;
        let done = sqlx::query("DELETE FROM subscriptions WHERE site_id = $1 AND id = $2")
            .bind(self.site)
            .bind(id)
            .execute(&mut *tx)
            .await
            .map_err(StoreError::query(WRITING))?;
        super::alerts::forget(&mut tx, self.site, super::SourceKind::Subscription, id)
            .await
            .map_err(StoreError::query(WRITING))?;
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(super::changed(&done))
    }

    /// Subscriptions of a type in the order of their numbers, behind the number `after`, at most `limit`. The caller compares those with
    /// keywords with the new items.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn subscriptions_of(
        &self,
        kind: SubscriptionType,
        after: i64,
        limit: i64,
    ) -> Result<Vec<SiteSubscription>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM subscriptions WHERE site_id = $1 AND type = $2 AND id > $3 ORDER BY id LIMIT $4"
        );
        let rows: Vec<SubscriptionRow> = sqlx::query_as(sqlx::AssertSqlSafe(sql))
            .bind(self.site)
            .bind(kind.as_str())
            .bind(after)
            .bind(limit)
            .fetch_all(&self.pool)
            .await
            .map_err(StoreError::query(READING))?;
        Ok(rows.into_iter().filter_map(subscription).collect())
    }
}

/// The condition of the subscriptions that a member ($2) sees: the member's own, and those of the member's verified address.
const OWN: &str = "site_id = $1 AND (member_id = $2 OR address IN (SELECT name FROM member_names \
     WHERE member_names.site_id = $1 AND member_names.member_id = $2 AND member_names.kind = 'email'))";

impl MemberStore {
    /// The member's subscriptions and those of the member's address, oldest first.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn subscriptions(&self) -> Result<Vec<Subscription>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM subscriptions WHERE {OWN} ORDER BY id");
        let rows: Vec<SubscriptionRow> = sqlx::query_as(sqlx::AssertSqlSafe(sql))
            .bind(self.site)
            .bind(self.member)
            .fetch_all(&self.pool)
            .await
            .map_err(StoreError::query(READING))?;
        Ok(rows.into_iter().filter_map(subscription).map(|found| found.subscription).collect())
    }

    /// Whether the member has a subscription of a type, for a column also to this column.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn is_subscribed(&self, kind: SubscriptionType, column: &str) -> Result<bool, StoreError> {
        let sql = format!("SELECT COUNT(*) FROM subscriptions WHERE {OWN} AND type = $3 AND column_id = $4");
        let found: i64 = sqlx::query_scalar(sqlx::AssertSqlSafe(sql))
            .bind(self.site)
            .bind(self.member)
            .bind(kind.as_str())
            .bind(column)
            .fetch_one(&self.pool)
            .await
            .map_err(StoreError::query(READING))?;
        Ok(found > 0)
    }

    /// Ends a subscription of the member. Returns whether the member had it.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn end_subscription(&self, id: i64) -> Result<bool, StoreError> {
        let sql = format!("SELECT COUNT(*) FROM subscriptions WHERE {OWN} AND id = $3");
        let own: i64 = sqlx::query_scalar(sqlx::AssertSqlSafe(sql))
            .bind(self.site)
            .bind(self.member)
            .bind(id)
            .fetch_one(&self.pool)
            .await
            .map_err(StoreError::query(READING))?;
        if own == 0 {
            return Ok(false);
        }
        self.store().unsubscribe(id).await
    }
}
