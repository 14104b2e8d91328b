//! Searches that members saved.

use masthead_domain::{Lang, member::MemberId};

use super::{MemberStore, Saving, SourceKind, accounts::lang, alerts, changed};
use crate::{SiteStore, StoreError, next};

const READING: &str = "reading saved searches";
const WRITING: &str = "writing a saved search";

/// The fields of a saved search that a member writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchText {
    /// Its name.
    pub name: String,
    /// The path and query of its results below the root of the site.
    pub address: String,
    /// Whether new results are mailed.
    pub alert: bool,
}

/// A saved search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedSearch {
    /// Its number.
    pub id: i64,
    /// The fields that the member wrote.
    pub text: SearchText,
    /// When it was saved.
    pub since: i64,
}

/// A saved search whose new results are mailed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlertSearch {
    /// Its number.
    pub id: i64,
    /// The member.
    pub member: MemberId,
    /// Its name.
    pub name: String,
    /// The path and query of its results.
    pub address: String,
    /// The member's e-mail address.
    pub email: String,
    /// The language of the messages.
    pub lang: Lang,
}

/// Reads [`AlertSearch`]es of active members with an e-mail address; `$1` is the site. A condition and an order follow.
pub(super) const ALERTS: &str = "SELECT s.id, s.member_id, s.name, s.address, m.email, m.lang FROM saved_searches s \
     JOIN members m ON m.site_id = s.site_id AND m.id = s.member_id \
     WHERE s.site_id = $1 AND s.alert = 1 AND m.email <> '' AND m.state = 'active'";
pub(super) type AlertRow = (i64, i64, String, String, String, String);

pub(super) fn alert_search((id, member, name, address, email, stored): AlertRow) -> AlertSearch {
    AlertSearch { id, member: MemberId(member), name, address, email, lang: lang(&stored) }
}

impl SiteStore {
    /// The saved searches of the site whose new results are mailed, in the order of their numbers, behind the number `after`, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn alert_searches(&self, after: i64, limit: i64) -> Result<Vec<AlertSearch>, StoreError> {
        let sql = format!("{ALERTS} AND s.id > $2 ORDER BY s.id LIMIT $3");
        let rows: Vec<AlertRow> = sqlx::query_as(sqlx::AssertSqlSafe(sql))
            .bind(self.site)
            .bind(after)
            .bind(limit)
            .fetch_all(&self.pool)
            .await
            .map_err(StoreError::query(READING))?;
        Ok(rows.into_iter().map(alert_search).collect())
    }
}

impl MemberStore {
    /// Saves a search, unless the member has `most`. Returns its number.
    ///
    /// # Errors
    /// [`StoreError::Query`], [`StoreError::MemberGone`].
    pub async fn add_search(&self, text: &SearchText, most: i64, now: i64) -> Result<Saving<i64>, StoreError> {
        let mut tx = self.begin(WRITING).await?;
        let count = self.count(&mut tx, "saved_searches").await.map_err(StoreError::query(WRITING))?;
        if count >= most {
            return Ok(Saving::Full);
        }
        let id = next(&mut tx, "member_objects").await.map_err(StoreError::query(WRITING))?;
        sqlx::query(
            "INSERT INTO saved_searches (site_id, id, member_id, name, address, alert, since) VALUES ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(self.site)
        .bind(id)
        .bind(self.member)
        .bind(&text.name)
        .bind(&text.address)
        .bind(i64::from(text.alert))
        .bind(now)
        .execute(&mut *tx)
        .await
        .map_err(StoreError::query(WRITING))?;
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(Saving::Saved(id))
    }

    /// Changes a saved search; without alerts, the waiting ones are deleted. Returns whether the member has it.
    ///
    /// # Errors
    /// [`StoreError::Query`], [`StoreError::MemberGone`].
    pub async fn set_search(&self, id: i64, text: &SearchText) -> Result<bool, StoreError> {
        let mut tx = self.begin(WRITING).await?;
        let done = sqlx::query(
            "UPDATE saved_searches SET name = $4, address = $5, alert = $6 WHERE site_id = $1 AND member_id = $2 AND id = $3",
        )
        .bind(self.site)
        .bind(self.member)
        .bind(id)
        .bind(&text.name)
        .bind(&text.address)
        .bind(i64::from(text.alert))
        .execute(&mut *tx)
        .await
        .map_err(StoreError::query(WRITING))?;
        if changed(&done) && !text.alert {
            alerts::forget_untold(&mut tx, self.site, SourceKind::Search, &[id])
                .await
                .map_err(StoreError::query(WRITING))?;
        }
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(changed(&done))
    }

    /// Removes a saved search, with its waiting alerts. Returns whether the member had it.
    ///
    /// # Errors
    /// [`StoreError::Query`], [`StoreError::MemberGone`].
    pub async fn remove_search(&self, id: i64) -> Result<bool, StoreError> {
        let mut tx = self.begin(WRITING).await?;
        let done = sqlx::query("DELETE FROM saved_searches WHERE site_id = $1 AND member_id = $2 AND id = $3")
            .bind(self.site)
            .bind(self.member)
            .bind(id)
            .execute(&mut *tx)
            .await
            .map_err(StoreError::query(WRITING))?;
        if changed(&done) {
            alerts::forget(&mut tx, self.site, SourceKind::Search, id).await.map_err(StoreError::query(WRITING))?;
        }
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(changed(&done))
    }

    /// The member's saved searches, oldest first.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn searches(&self) -> Result<Vec<SavedSearch>, StoreError> {
        let rows: Vec<(i64, String, String, i64, i64)> = sqlx::query_as(
            "SELECT id, name, address, alert, since FROM saved_searches WHERE site_id = $1 AND member_id = $2 ORDER BY id",
        )
        .bind(self.site)
        .bind(self.member)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        let search = |(id, name, address, alert, since)| SavedSearch {
            id,
            text: SearchText { name, address, alert: alert == 1 },
            since,
        };
        Ok(rows.into_iter().map(search).collect())
    }
}
